"""The functions of `tf.*` that only add nodes to a graph."""
