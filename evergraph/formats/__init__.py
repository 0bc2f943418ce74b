"""Readers and writers of file formats: tables, bundles, records, Examples, events, Snappy, PNG."""
