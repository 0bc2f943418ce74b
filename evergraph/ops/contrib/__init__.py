"""Ops that TensorFlow 1's contrib brought in libraries of its own, a file a package."""
