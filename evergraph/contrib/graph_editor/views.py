"""Views of parts of a graph: operations, with the tensors that enter and those that leave."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evergraph.base.export import export, names_in
from evergraph.contrib.graph_editor.select import (
    compute_boundary_ts,
    get_backward_walk_ops,
    get_name_scope_ops,
    make_list_of_op,
    make_list_of_t,
    select_ops_and_ts,
)
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor

_names = names_in("contrib.graph_editor", "contrib.graph_editor.subgraph")


@export(*_names("SubGraphView"))
class SubGraphView:
    """Some operations of a graph, with the tensors that enter and those that leave.

    `remap` and its relatives return a view of the same operations with other inputs or outputs, which may leave some
    out, repeat them, or change their order.

    Args:
        inside_ops: the operations.
        passthrough_ts: tensors that enter and leave unchanged.
    """

    def __init__(self, inside_ops: Any = (), passthrough_ts: Any = ()) -> None:
        self._ops = make_list_of_op(inside_ops)
        self._passthroughs = make_list_of_t(passthrough_ts)
        entering, leaving, _ = compute_boundary_ts(self._ops)
        self._inputs = [*entering, *self._passthroughs]
        self._outputs = [*leaving, *self._passthroughs]

    ops = property(lambda self: list(self._ops), doc="The operations.")
    inputs = property(lambda self: list(self._inputs), doc="The tensors that enter.")
    outputs = property(lambda self: list(self._outputs), doc="The tensors that leave.")
    passthroughs = property(lambda self: list(self._passthroughs), doc="Tensors that enter and leave unchanged.")

    @property
    def graph(self) -> Graph | None:
        """The graph of the operations; None without any."""
        things = [*self._ops, *self._passthroughs]
        return things[0].graph if things else None

    @property
    def connected_inputs(self) -> list[Tensor]:
        """The inputs that an operation of the view uses."""
        inside = set(self._ops)
        return [t for t in self._inputs if any(user in inside for user in t.consumers())]

    @property
    def connected_outputs(self) -> list[Tensor]:
        """The outputs that an operation of the view computes."""
        inside = set(self._ops)
        return [t for t in self._outputs if t.op in inside]

    def op(self, op_id: int) -> Operation:
        """The operation at a position."""
        return self._ops[op_id]

    def is_passthrough(self, t: Tensor) -> bool:
        """Whether a tensor enters and leaves unchanged."""
        return any(t is each for each in self._passthroughs)

    def input_index(self, t: Tensor) -> int:
        """The place of a tensor among the inputs."""
        return _place(t, self._inputs, "input")

    def output_index(self, t: Tensor) -> int:
        """The place of a tensor among the outputs."""
        return _place(t, self._outputs, "output")

    def find_op_by_name(self, op_name: str) -> Operation:
        """The operation of a name.

        Raises:
            ValueError: there is none.
        """
        for op in self._ops:
            if op.name == op_name:
                return op
        raise ValueError(f"the view has no operation {op_name!r}")

    def consumers(self) -> list[Operation]:
        """The operations that use what leaves, outside of the view."""
        inside = set(self._ops)
        return list(dict.fromkeys(user for t in self._outputs for user in t.consumers() if user not in inside))

    def __bool__(self) -> bool:
        return self.graph is not None

    # ---- other inputs and outputs

    def copy(self) -> SubGraphView:
        """A view of the same."""
        return self._with(self._inputs, self._outputs)

    def _with(self, inputs: Iterable[Tensor], outputs: Iterable[Tensor]) -> SubGraphView:
        view = SubGraphView(self._ops, self._passthroughs)
        view._inputs, view._outputs = list(inputs), list(outputs)
        return view

    def remap_inputs(self, new_input_indices: Iterable[Any]) -> SubGraphView:
        """A view with some of the inputs, given by their places or themselves."""
        return self._with(_chosen(new_input_indices, self._inputs, "input"), self._outputs)

    def remap_outputs(self, new_output_indices: Iterable[Any]) -> SubGraphView:
        """A view with some of the outputs, given by their places or themselves; one may be there several times."""
        return self._with(self._inputs, _chosen(new_output_indices, self._outputs, "output"))

    def remap(self, new_input_indices: Iterable[Any] | None = None,
              new_output_indices: Iterable[Any] | None = None) -> SubGraphView:
        """A view with some of the inputs and of the outputs; None for all."""
        view = self if new_input_indices is None else self.remap_inputs(new_input_indices)
        return view.copy() if new_output_indices is None else view.remap_outputs(new_output_indices)

    def remap_outputs_make_unique(self) -> SubGraphView:
        """A view in which each output is there once."""
        return self._with(self._inputs, {id(t): t for t in self._outputs}.values())

    def remap_outputs_to_consumers(self) -> SubGraphView:
        """A view in which each output is there as often as an operation outside of the view uses it."""
        inside = set(self._ops)
        unique = {id(t): t for t in self._outputs}.values()
        return self._with(self._inputs, [t for t in unique for user in t.consumers() if user not in inside])

    def remap_default(self, remove_input_map: bool = True, remove_output_map: bool = True) -> SubGraphView:
        """A view with the inputs, the outputs, or both, that it has by itself."""
        plain = SubGraphView(self._ops, self._passthroughs)
        return self._with(plain._inputs if remove_input_map else self._inputs,
                          plain._outputs if remove_output_map else self._outputs)

    def remove_unused_ops(self, control_inputs: bool = True) -> SubGraphView:
        """A view without the operations that its outputs do not need.

        Args:
            control_inputs: whether operations are needed that a needed one waits for.
        """
        needed = set(get_backward_walk_ops(self.connected_outputs, within_ops=self._ops, control_inputs=control_inputs))
        view = SubGraphView([op for op in self._ops if op in needed], self._passthroughs)
        inputs = set(view._inputs)
        return view._with([t for t in self._inputs if t in inputs], self._outputs)


def _place(tensor: Tensor, tensors: list[Tensor], what: str) -> int:
    for place, each in enumerate(tensors):
        if each is tensor:
            return place
    raise ValueError(f"{tensor.name} is no {what} of the view")


def _chosen(wanted: Iterable[Any], tensors: list[Tensor], what: str) -> list[Tensor]:
    """Tensors, given by their places or themselves.

    Raises:
        ValueError: there is no such place or tensor.
    """
    places = [_place(each, tensors, what) if isinstance(each, Tensor) else each for each in wanted]
    for place in places:
        if not 0 <= place < len(tensors):
            raise ValueError(f"the view has {len(tensors)} {what}s, there is none at {place}")
    return [tensors[place] for place in places]


@export(*_names("make_view"), *_names("sgv"))
def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """A view of operations and tensors, given as `tf.contrib.graph_editor.select_ops` takes them, or of a graph."""
    if len(args) == 1 and isinstance(args[0], SubGraphView):
        return args[0]
    if len(args) == 1 and isinstance(args[0], Graph):
        return SubGraphView(args[0])
    ops, tensors = select_ops_and_ts(*args, **kwargs)
    return SubGraphView(ops, tensors)


@export(*_names("make_view_from_scope"), *_names("sgv_scope"))
def make_view_from_scope(scope: str, graph: Graph) -> SubGraphView:
    """A view of the operations in a name scope."""
    return SubGraphView(get_name_scope_ops(graph, scope))
