"""Neural network ops: activations, convolutions, pooling, normalization, losses, optimizer updates."""
