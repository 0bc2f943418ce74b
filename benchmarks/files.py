"""Rows about files: reading, parsing, saving and restoring."""
