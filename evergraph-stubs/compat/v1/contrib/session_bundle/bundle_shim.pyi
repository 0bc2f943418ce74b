# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.session_bundle.bundle_shim import *
