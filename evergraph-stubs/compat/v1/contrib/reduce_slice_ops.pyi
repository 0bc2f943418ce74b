# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.reduce_slice_ops import *
