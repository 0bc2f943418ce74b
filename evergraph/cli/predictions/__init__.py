"""What `evergraph predict` reads, runs and writes."""
