# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.keras.applications.mobilenet_v2 import *
