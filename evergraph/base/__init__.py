"""The lowest layer: dtypes, shapes, errors, nests, devices, logging and flags. Imports nothing but NumPy and Python."""
