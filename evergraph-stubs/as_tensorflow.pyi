# Written by `python -m evergraph.api.generate`; not edited by hand.
"""Importing this makes `import tensorflow` mean evergraph."""
