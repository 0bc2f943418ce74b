# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.slim.nets.resnet_v1.resnet_utils import *
