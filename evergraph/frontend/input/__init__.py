"""Queues, readers, parsing and lookup tables."""
