# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.receptive_field."""

from collections.abc import Sequence
from typing import Any
from evergraph.contrib.receptive_field import receptive_field_api as receptive_field_api

import sys
if sys.platform == "":
    del (
        fields, layers, order,
    )

def compute_receptive_field_from_graph_def(
    graph_def: Any, input_node: str, output_node: str, stop_propagation: Sequence[str] | None = None,
    input_resolution: Sequence[int] | None = None,
) -> Any:
    """The receptive field of an output of a convolutional network."""

def get_compute_order(
    graph_def: Any, input_node_name: str = '', input_node_size: Sequence[int] | None = None,
) -> tuple[dict[str, tuple], dict[str, Any]]:
    """The nodes of a graph in the order of computation."""
