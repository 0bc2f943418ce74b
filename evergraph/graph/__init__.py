"""The graph layer, on which all others build: operations, tensors, graphs, and the declaration of ops."""
