# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.keras.applications.imagenet_utils import *
