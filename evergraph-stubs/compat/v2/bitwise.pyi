# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.bitwise."""

from evergraph.bitwise import bitwise_and as bitwise_and
from evergraph.bitwise import bitwise_or as bitwise_or
from evergraph.bitwise import bitwise_xor as bitwise_xor
from evergraph.bitwise import invert as invert
from evergraph.bitwise import left_shift as left_shift
from evergraph.bitwise import right_shift as right_shift
