# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.tensor_forest.client.eval_metrics import *
