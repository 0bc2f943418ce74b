"""What `evergraph convert` writes: models in the formats of other programs."""
