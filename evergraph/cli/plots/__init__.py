"""Scalars of runs, drawn: where they are read from, and how they look in a terminal and in a picture."""
