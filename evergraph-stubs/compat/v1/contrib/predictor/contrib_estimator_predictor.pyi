# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.predictor.contrib_estimator_predictor import *
