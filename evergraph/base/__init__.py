"""The ground floor: dtypes, shapes, errors, nests, devices, logging and flags; needs the standard library and NumPy."""
