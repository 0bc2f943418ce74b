"""What `evergraph tool` runs: each tool is a function of the words behind its name."""
