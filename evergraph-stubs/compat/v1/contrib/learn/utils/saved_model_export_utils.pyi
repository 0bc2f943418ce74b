# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.learn.utils.saved_model_export_utils import *
