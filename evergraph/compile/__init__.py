"""Turns a stage of a graph into something that runs: straight-line Python, then an XLA executable."""
