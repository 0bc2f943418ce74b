"""What `evergraph doctor` looks at."""
