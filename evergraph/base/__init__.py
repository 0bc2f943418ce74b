"""The lowest layer: dtypes, shapes, errors, nests, devices, logging and flags. It imports only NumPy and Python itself."""
