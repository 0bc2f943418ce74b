"""`tf.lite.OpHint`, by which programs tell TensorFlow's converter which nodes are one operator: not here."""

from __future__ import annotations

from typing import Any

from evergraph.base import errors
from evergraph.base.export import export

_WHY = ("{}: evergraph makes no custom operators of hinted parts of graphs. Leave the hints out: the converter takes "
        "recurrent networks as they are, and allow_custom_ops makes custom operators of single nodes")


class OpHintArgumentTracker:
    """Keeps the inputs or outputs of a hint.

    Raises:
        UnimplementedError: always.
    """

    def __init__(self, function_name: str, unique_function_id: str, node_name_prefix: str, attr_name: str,
                 level: int = 1, children_inputs_mappings: Any = None) -> None:
        raise errors.UnimplementedError(None, None, _WHY.format("tf.lite.OpHint"))

    def add(self, arg: Any, tag: str | None = None, name: str | None = None, aggregate: str | None = None,
            index_override: int | None = None) -> Any:
        """Marks a tensor as one of them."""


@export("lite.OpHint")
class OpHint:
    """Says that a part of a graph is one operator.

    Raises:
        UnimplementedError: always; it says what to do instead.
    """

    OpHintArgumentTracker = OpHintArgumentTracker

    def __init__(self, function_name: str, level: int = 1, children_inputs_mappings: Any = None, **kwargs: Any) -> None:
        raise errors.UnimplementedError(None, None, _WHY.format("tf.lite.OpHint"))

    def add_input(self, *args: Any, **kwargs: Any) -> Any:
        """Marks an input of the operator."""

    def add_inputs(self, *args: Any, **kwargs: Any) -> Any:
        """Marks inputs of the operator."""

    def add_output(self, *args: Any, **kwargs: Any) -> Any:
        """Marks an output of the operator."""

    def add_outputs(self, *args: Any, **kwargs: Any) -> Any:
        """Marks outputs of the operator."""


@export("lite.experimental.convert_op_hints_to_stubs")
def convert_op_hints_to_stubs(session: Any = None, graph_def: Any = None,
                              write_callback: Any = lambda graph_def, comments: None) -> Any:
    """Replaces hinted parts of a graph by single nodes.

    Raises:
        UnimplementedError: always; it says what to do instead.
    """
    raise errors.UnimplementedError(None, None, _WHY.format("tf.lite.experimental.convert_op_hints_to_stubs"))
