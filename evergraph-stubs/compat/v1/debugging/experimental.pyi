# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.debugging.experimental import *
