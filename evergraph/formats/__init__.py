"""File formats as plain readers and writers: tables, bundles, records, Examples, events, Snappy, PNG."""
