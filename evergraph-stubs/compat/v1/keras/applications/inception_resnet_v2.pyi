# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.keras.applications.inception_resnet_v2 import *
