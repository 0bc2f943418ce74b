# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.graph_editor."""

from collections.abc import Callable, Mapping
from evergraph import Graph, Operation, Tensor
from typing import Any

import sys
if sys.platform == "":
    del (
        copies, edges, select,
    )

class ControlOutputs:
    """The operations that wait for each operation of a graph."""
    @property
    def graph(self) -> Any: ...
    def get(self, op: Operation) -> list[Operation]:
        """Those that wait for an operation."""
    def get_all(self) -> dict[Operation, list[Operation]]:
        """All that are waited for, with those that wait."""
    def update(self) -> ControlOutputs:
        """Itself: the graph is looked at when asked."""
    def __init__(self, graph: Graph) -> None: ...

class SubGraphView:
    """Some operations of a graph, with the tensors that enter and those that leave."""
    @property
    def ops(self) -> Any: ...
    @property
    def inputs(self) -> Any: ...
    @property
    def outputs(self) -> Any: ...
    @property
    def passthroughs(self) -> Any: ...
    @property
    def graph(self) -> Graph | None:
        """The graph of the operations; None without any."""
    def op(self, op_id: int) -> Operation:
        """The operation at a position."""
    def find_op_by_name(self, op_name: str) -> Operation:
        """The operation of a name."""
    def consumers(self) -> list[Operation]:
        """The operations that use what leaves, outside of the view."""
    def __bool__(self) -> bool: ...
    def __init__(self, inside_ops: Any = ..., passthrough_ts: Any = ...) -> None: ...

def add_control_inputs(op: Operation, cops: Any) -> None:
    """Makes an operation wait for others."""

def copy(
    sgv: Any, dst_graph: Graph | None = None, dst_scope: str = '', src_scope: str = '',
    reuse_dst_scope: bool = False,
) -> tuple[SubGraphView, Any]:
    """Copies a part of a graph."""

def copy_with_input_replacements(
    sgv: Any, replacement_ts: Mapping[Any, Any], dst_graph: Graph | None = None, dst_scope: str = '',
    src_scope: str = '', reuse_dst_scope: bool = False,
) -> tuple[SubGraphView, Any]:
    """Copies a part of a graph, with other tensors entering it; see `tf.contrib.graph_editor.copy`."""

def filter_ops(ops: Any, positive_filter: Any) -> list[Operation]:
    """The operations for which a function holds; True keeps all."""

def filter_ops_from_regex(ops: Any, regex: Any) -> list[Operation]:
    """The operations in whose names a pattern is found."""

def filter_ts(ops: Any, positive_filter: Any) -> list[Tensor]:
    """The inputs and outputs of operations for which a function holds; True keeps all."""

def filter_ts_from_regex(ops: Any, regex: Any) -> list[Tensor]:
    """The inputs and outputs of operations whose names a pattern is found in."""

def get_backward_walk_ops(
    seed_ops: Any, inclusive: bool = True, within_ops: Any = None,
    within_ops_fn: Callable[[Operation], Any] | None = None, stop_at_ts: Any = ...,
    control_inputs: bool = False,
) -> list[Operation]:
    """The operations that others depend on."""

def get_consuming_ops(ts: Any) -> list[Operation]:
    """The operations that use tensors, each once."""

def get_forward_walk_ops(
    seed_ops: Any, inclusive: bool = True, within_ops: Any = None,
    within_ops_fn: Callable[[Operation], Any] | None = None, stop_at_ts: Any = ...,
    control_outputs: ControlOutputs | None = None,
) -> list[Operation]:
    """The operations that depend on others."""

def get_generating_ops(ts: Any) -> list[Operation]:
    """The operations that compute tensors, one for each."""

def get_name_scope_ops(ops: Any, scope: str) -> list[Operation]:
    """The operations in a name scope."""

def get_tensors(graph: Graph) -> list[Tensor]:
    """All tensors of a graph."""

def get_walks_intersection_ops(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True,
    backward_inclusive: bool = True, within_ops: Any = None, within_ops_fn: Any = None,
    control_inputs: bool = False, control_outputs: Any = None,
) -> list[Operation]:
    """The operations that are in a walk forward and in a walk backward."""

def get_walks_union_ops(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True,
    backward_inclusive: bool = True, within_ops: Any = None, within_ops_fn: Any = None,
    control_inputs: bool = False, control_outputs: Any = None,
) -> list[Operation]:
    """The operations that are in a walk forward or in a walk backward."""

def graph_replace(
    target_ts: Any, replacement_ts: Mapping[Any, Any], dst_scope: str = '', src_scope: str = '',
    reuse_dst_scope: bool = False,
) -> Any:
    """Tensors computed as others are, but from other tensors."""

def make_list_of_op(
    ops: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False,
) -> list[Any]:
    """Operations as a list."""

def make_list_of_t(
    ts: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False,
) -> list[Any]:
    """Tensors as a list; see `make_list_of_op`."""

def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """A view of operations and tensors, given as `tf.contrib.graph_editor.select_ops` takes them, or of a
    graph."""

def make_view_from_scope(scope: str, graph: Graph) -> SubGraphView:
    """A view of the operations in a name scope."""

def remove_control_inputs(op: Operation, cops: Any) -> None:
    """Makes an operation wait for others no more."""

def reroute_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Makes the operations that use tensors `ts1` use `ts0` instead."""

def select_ops(*args: Any, **kwargs: Any) -> list[Operation]:
    """Operations that are given, or in whose names a pattern is found."""

def select_ops_and_ts(*args: Any, **kwargs: Any) -> tuple[list[Operation], list[Tensor]]:
    """(operations, tensors): patterns are of operations unless they begin with "(?#ts)"."""

def select_ts(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Tensors that are given, or in whose names a pattern is found; see `select_ops`."""

sgv = make_view
sgv_scope = make_view_from_scope

def swap_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Exchanges the operations that use tensors; see `reroute_ts`."""
