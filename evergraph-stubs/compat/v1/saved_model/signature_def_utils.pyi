# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.saved_model.signature_def_utils import *
