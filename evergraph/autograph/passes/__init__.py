"""Passes over the syntax tree of one function, each with one verb; `convert.py` says in which order they run."""
