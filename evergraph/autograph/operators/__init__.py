"""What converted code calls: plain Python for Python values, graph control flow for tensors."""
