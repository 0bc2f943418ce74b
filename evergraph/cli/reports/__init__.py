"""What `evergraph inspect` says of each kind of file: one module a kind, and what they are made of."""
