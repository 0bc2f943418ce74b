# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.tpu.proto import *
