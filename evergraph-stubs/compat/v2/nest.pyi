# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.nest."""

from evergraph.nest import assert_same_structure as assert_same_structure
from evergraph.nest import flatten as flatten
from evergraph.nest import is_nested as is_nested
from evergraph.nest import map_structure as map_structure
from evergraph.nest import pack_sequence_as as pack_sequence_as
