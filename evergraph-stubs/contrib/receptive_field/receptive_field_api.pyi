# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.receptive_field.receptive_field_api."""

from evergraph.contrib.receptive_field import (
    compute_receptive_field_from_graph_def as compute_receptive_field_from_graph_def,
)

from evergraph.contrib.receptive_field import get_compute_order as get_compute_order
