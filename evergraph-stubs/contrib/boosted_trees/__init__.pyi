# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees."""

from evergraph.contrib.boosted_trees import lib as lib, proto as proto

import sys
if sys.platform == "":
    del (
        accumulators, handlers, losses, messages,
    )
