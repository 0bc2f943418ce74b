# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.graph_editor."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from evergraph import Graph, Operation, Tensor
from re import Pattern
from typing import Any
from evergraph.contrib.graph_editor import (
    edit as edit, reroute as reroute, select as select, subgraph as subgraph, tests as tests,
    transform as transform, util as util,
)

import sys
if sys.platform == "":
    del (
        copies, edges, match, names, views,
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
    def ops(self) -> Any:
        """The operations."""
    @property
    def inputs(self) -> Any:
        """The tensors that enter."""
    @property
    def outputs(self) -> Any:
        """The tensors that leave."""
    @property
    def passthroughs(self) -> Any:
        """Tensors that enter and leave unchanged."""
    @property
    def graph(self) -> Graph | None:
        """The graph of the operations; None without any."""
    @property
    def connected_inputs(self) -> list[Tensor]:
        """The inputs that an operation of the view uses."""
    @property
    def connected_outputs(self) -> list[Tensor]:
        """The outputs that an operation of the view computes."""
    def op(self, op_id: int) -> Operation:
        """The operation at a position."""
    def is_passthrough(self, t: Tensor) -> bool:
        """Whether a tensor enters and leaves unchanged."""
    def input_index(self, t: Tensor) -> int:
        """The place of a tensor among the inputs."""
    def output_index(self, t: Tensor) -> int:
        """The place of a tensor among the outputs."""
    def find_op_by_name(self, op_name: str) -> Operation:
        """The operation of a name."""
    def consumers(self) -> list[Operation]:
        """The operations that use what leaves, outside of the view."""
    def copy(self) -> SubGraphView:
        """A view of the same."""
    def remap_inputs(self, new_input_indices: Iterable[Any]) -> SubGraphView:
        """A view with some of the inputs, given by their places or themselves."""
    def remap_outputs(self, new_output_indices: Iterable[Any]) -> SubGraphView:
        """A view with some of the outputs, given by their places or themselves; one may be there several
        times."""
    def remap(
        self, new_input_indices: Iterable[Any] | None = None, new_output_indices: Iterable[Any] | None = None,
    ) -> SubGraphView:
        """A view with some of the inputs and of the outputs; None for all."""
    def remap_outputs_make_unique(self) -> SubGraphView:
        """A view in which each output is there once."""
    def remap_outputs_to_consumers(self) -> SubGraphView:
        """A view in which each output is there as often as an operation outside of the view uses it."""
    def remap_default(self, remove_input_map: bool = True, remove_output_map: bool = True) -> SubGraphView:
        """A view with the inputs, the outputs, or both, that it has by itself."""
    def remove_unused_ops(self, control_inputs: bool = True) -> SubGraphView:
        """A view without the operations that its outputs do not need."""
    def __bool__(self) -> bool: ...
    def __init__(self, inside_ops: Any = ..., passthrough_ts: Any = ...) -> None: ...

class Transformer:
    """Copies parts of graphs, by functions that programs may replace."""
    def __call__(
        self, sgv: Any, dst_graph: Graph | None, dst_scope: str, src_scope: str = '',
        reuse_dst_scope: bool = False,
    ) -> tuple[SubGraphView, TransformerInfo]: ...
    def __init__(self) -> None: ...
    transform_op_handler: Any
    transform_external_input_handler: Any

class TransformerInfo:
    """What became of each operation and tensor of a copied part."""
    def new_name(self, name: str) -> str:
        """The name of the copy of an operation."""
    def transformed(self, original: Any, missing_fn: Any = None) -> Any:
        """The copy of an operation or a tensor, or of a structure of them; `missing_fn` of what has none."""
    def original(self, transformed: Any, missing_fn: Any = None) -> Any:
        """What an operation or a tensor is a copy of."""
    def __init__(self, sgv: SubGraphView, graph: Graph, scope: str, src_scope: str) -> None: ...
    graph: Any
    graph_: Any
    scope: Any
    scope_: Any
    sgv: Any
    sgv_: Any

def add_control_inputs(op: Operation, cops: Any) -> None:
    """Makes an operation wait for others."""

def bypass(sgv: Any) -> tuple[SubGraphView, list[Tensor]]:
    """Takes a view out of its graph: what enters goes to the operations that use what leaves."""

def can_be_regex(obj: Any) -> bool:
    """Whether something is a pattern: a text or a compiled one."""

def check_cios(
    control_inputs: bool = False, control_outputs: ControlOutputs | None = None,
    control_ios: ControlOutputs | None = None,
) -> tuple[bool, ControlOutputs | None]:
    """(whether control inputs count, the control outputs that do): `control_ios` stands for both."""

def compute_boundary_ts(ops: Any) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """(tensors that enter operations, those that leave them, those between them)."""

def connect(sgv0: Any, sgv1: Any, disconnect_first: bool = False) -> tuple[SubGraphView, SubGraphView]:
    """Makes what leaves the first view enter the second."""

def copy(
    sgv: Any, dst_graph: Graph | None = None, dst_scope: str = '', src_scope: str = '',
    reuse_dst_scope: bool = False,
) -> tuple[SubGraphView, TransformerInfo]:
    """Copies a part of a graph."""

def copy_op_handler(
    info: TransformerInfo, op: Operation, new_inputs: Sequence[Tensor], copy_shape: bool = True,
    nodedef_fn: Any = None,
) -> tuple[Operation, tuple[Tensor, ...]]:
    """A copy of an operation in the new graph."""

def copy_with_input_replacements(
    sgv: Any, replacement_ts: Mapping[Any, Any], dst_graph: Graph | None = None, dst_scope: str = '',
    src_scope: str = '', reuse_dst_scope: bool = False,
) -> tuple[SubGraphView, TransformerInfo]:
    """Copies a part of a graph, with other tensors entering it; see `tf.contrib.graph_editor.copy`."""

def detach(
    sgv: Any, control_inputs: bool = False, control_outputs: ControlOutputs | None = None,
    control_ios: ControlOutputs | None = None,
) -> tuple[SubGraphView, list[Tensor], list[Tensor]]:
    """Takes a view out of its graph: placeholders are where its edges were."""

def detach_control_inputs(sgv: Any) -> None:
    """Makes the operations of a view wait for none outside of it."""

def detach_control_outputs(sgv: Any, control_outputs: ControlOutputs | None) -> None:
    """Makes no operation outside of a view wait for one of it."""

def detach_inputs(sgv: Any, control_inputs: bool = False) -> tuple[SubGraphView, list[Tensor]]:
    """Puts placeholders in the place of the tensors that enter a view."""

def detach_outputs(
    sgv: Any, control_outputs: ControlOutputs | None = None,
) -> tuple[SubGraphView, list[Tensor]]:
    """Lets the operations that use what leaves a view use placeholders."""

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

def get_ops_ios(
    ops: Any, control_inputs: bool = False, control_outputs: ControlOutputs | None = None,
    control_ios: ControlOutputs | None = None,
) -> list[Operation]:
    """The operations at the other ends of the edges of operations."""

def get_tensors(graph: Graph) -> list[Tensor]:
    """All tensors of a graph."""

def get_walks_intersection_ops(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True,
    backward_inclusive: bool = True, within_ops: Any = None, within_ops_fn: Any = None,
    control_inputs: bool = False, control_outputs: Any = None, control_ios: Any = None,
) -> list[Operation]:
    """The operations that are in a walk forward and in a walk backward; see `get_forward_walk_ops`."""

def get_walks_union_ops(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True,
    backward_inclusive: bool = True, within_ops: Any = None, within_ops_fn: Any = None,
    control_inputs: bool = False, control_outputs: Any = None, control_ios: Any = None,
) -> list[Operation]:
    """The operations that are in a walk forward or in a walk backward; see `get_forward_walk_ops`."""

def get_within_boundary_ops(
    ops: Any, seed_ops: Any, boundary_ops: Any = ..., inclusive: bool = True, control_inputs: bool = False,
    control_outputs: ControlOutputs | None = None, control_ios: ControlOutputs | None = None,
) -> list[Operation]:
    """The operations that are connected with others, in either direction, up to a boundary."""

def graph_replace(
    target_ts: Any, replacement_ts: Mapping[Any, Any], dst_scope: str = '', src_scope: str = '',
    reuse_dst_scope: bool = False,
) -> Any:
    """Tensors computed as others are, but from other tensors."""

def keep_t_if_possible_handler(info: TransformerInfo, t: Tensor) -> Tensor:
    """The tensor `t` itself, in its own graph; in another one a placeholder for it."""

def make_list_of_op(
    ops: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False,
) -> list[Any]:
    """Operations as a list."""

def make_list_of_t(
    ts: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False,
) -> list[Any]:
    """Tensors as a list; see `make_list_of_op`."""

def make_placeholder_from_dtype_and_shape(
    dtype: Any, shape: Any = None, scope: str | None = None, prefix: str = 'geph',
) -> Tensor:
    """A placeholder of a dtype and a shape; see `placeholder_name`."""

def make_placeholder_from_tensor(t: Tensor, scope: str | None = None, prefix: str = 'geph') -> Tensor:
    """A placeholder of a tensor's dtype and shape, in the default graph; see `placeholder_name`."""

def make_regex(obj: Any) -> Pattern[str]:
    """A compiled pattern."""

def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """A view of operations and tensors, given as `tf.contrib.graph_editor.select_ops` takes them, or of a
    graph."""

def make_view_from_scope(scope: str, graph: Graph) -> SubGraphView:
    """A view of the operations in a name scope."""

ph = make_placeholder_from_dtype_and_shape

def placeholder_name(t: Tensor | None = None, scope: str | None = None, prefix: str = 'geph') -> str:
    """The name of a placeholder for a tensor: "geph__name_0" in its name scope, or in another."""

def remove_control_inputs(op: Operation, cops: Any) -> None:
    """Makes an operation wait for others no more."""

def replace_t_with_placeholder_handler(info: TransformerInfo, t: Tensor) -> Tensor:
    """A placeholder for the tensor `t`, in the new graph."""

def reroute_inputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Makes the tensors that enter the first view enter the second."""

def reroute_ios(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Puts the first view in the place of the second."""

def reroute_outputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Makes the operations that use what leaves the second view use what leaves the first."""

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

def swap_inputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Exchanges the tensors that enter two views."""

def swap_ios(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Exchanges the inputs and the outputs of two views."""

def swap_outputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Exchanges the operations that use what leaves two views."""

def swap_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Exchanges the operations that use tensors; see `reroute_ts`."""
