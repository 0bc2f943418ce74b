# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.sets."""

from evergraph.sets import set_difference, set_intersection, set_size, set_union

difference = set_difference
intersection = set_intersection
size = set_size
union = set_union
