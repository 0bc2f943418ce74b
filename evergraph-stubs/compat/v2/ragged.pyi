# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.ragged."""

from evergraph.ragged import boolean_mask as boolean_mask
from evergraph.ragged import constant as constant
from evergraph.ragged import map_flat_values as map_flat_values
from evergraph.ragged import range as range
from evergraph.ragged import row_splits_to_segment_ids as row_splits_to_segment_ids
from evergraph.ragged import segment_ids_to_row_splits as segment_ids_to_row_splits
from evergraph.ragged import stack as stack
from evergraph.ragged import stack_dynamic_partitions as stack_dynamic_partitions
