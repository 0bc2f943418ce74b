# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.autograph.experimental."""

from evergraph.autograph.experimental import Feature as Feature
from evergraph.autograph.experimental import do_not_convert as do_not_convert
from evergraph.autograph.experimental import set_loop_options as set_loop_options
