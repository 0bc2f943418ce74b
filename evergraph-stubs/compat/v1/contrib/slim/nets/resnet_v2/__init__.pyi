# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.slim.nets.resnet_v2 import *
