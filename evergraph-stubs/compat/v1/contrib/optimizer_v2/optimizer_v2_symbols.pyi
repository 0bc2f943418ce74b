# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.optimizer_v2.optimizer_v2_symbols import *
