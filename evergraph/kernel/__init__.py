"""What kernels run in and on: contexts, cells, tensor lists, random streams, fences, fused updates."""
