"""Ops on strings: text, regular expressions, hashes, encodings, serialized messages."""
