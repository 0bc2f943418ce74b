"""Ops of neural networks: activations, convolutions, pooling, normalization, losses, optimizer updates."""
