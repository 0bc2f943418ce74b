# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.keras import *
from evergraph.keras import __version__ as __version__
