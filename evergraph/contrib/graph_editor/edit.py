"""Connects parts of a graph with others, and takes them out."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export, names_in
from evergraph.contrib.graph_editor import edges
from evergraph.contrib.graph_editor.names import make_placeholder_from_tensor
from evergraph.contrib.graph_editor.select import ControlOutputs, check_cios
from evergraph.contrib.graph_editor.views import SubGraphView, make_view
from evergraph.graph.node import Tensor

_reroutes = names_in("contrib.graph_editor", "contrib.graph_editor.reroute")
_names = names_in("contrib.graph_editor", "contrib.graph_editor.edit")


def _ends(sgv0: Any, sgv1: Any, inputs: bool, outputs: bool) -> tuple[SubGraphView, SubGraphView]:
    """Two views with as many inputs and outputs as each other.

    Raises:
        ValueError: they have not.
    """
    one, two = make_view(sgv0), make_view(sgv1)
    for what, asked in (("inputs", inputs), ("outputs", outputs)):
        if asked and len(getattr(one, what)) != len(getattr(two, what)):
            raise ValueError(f"the views have {len(getattr(one, what))} and {len(getattr(two, what))} {what}")
    return one, two


def _between(sgv0: Any, sgv1: Any, change: Any, inputs: bool, outputs: bool) -> tuple[SubGraphView, SubGraphView]:
    one, two = _ends(sgv0, sgv1, inputs, outputs)
    if inputs:
        change(one.inputs, two.inputs, can_modify=[*one.ops, *two.ops] if change is edges.swap_ts else two.ops)
    if outputs:
        change(one.outputs, two.outputs, cannot_modify=[*one.ops, *two.ops])
    return one, two


@export(*_reroutes("swap_inputs"))
def swap_inputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Exchanges the tensors that enter two views.

    Raises:
        ValueError: they have not as many.
    """
    return _between(sgv0, sgv1, edges.swap_ts, True, False)


@export(*_reroutes("reroute_inputs"))
def reroute_inputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Makes the tensors that enter the first view enter the second."""
    return _between(sgv0, sgv1, edges.reroute_ts, True, False)


@export(*_reroutes("swap_outputs"))
def swap_outputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Exchanges the operations that use what leaves two views."""
    return _between(sgv0, sgv1, edges.swap_ts, False, True)


@export(*_reroutes("reroute_outputs"))
def reroute_outputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Makes the operations that use what leaves the second view use what leaves the first."""
    return _between(sgv0, sgv1, edges.reroute_ts, False, True)


@export(*_reroutes("swap_ios"))
def swap_ios(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Exchanges the inputs and the outputs of two views."""
    return _between(sgv0, sgv1, edges.swap_ts, True, True)


@export(*_reroutes("reroute_ios"))
def reroute_ios(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Puts the first view in the place of the second."""
    return _between(sgv0, sgv1, edges.reroute_ts, True, True)


@export(*_names("detach_control_inputs"))
def detach_control_inputs(sgv: Any) -> None:
    """Makes the operations of a view wait for none outside of it."""
    view = make_view(sgv)
    inside = set(view.ops)
    for op in view.ops:
        outside = [other for other in op.control_inputs if other not in inside]
        if outside:
            edges.remove_control_inputs(op, outside)


@export(*_names("detach_control_outputs"))
def detach_control_outputs(sgv: Any, control_outputs: ControlOutputs | None) -> None:
    """Makes no operation outside of a view wait for one of it.

    Args:
        sgv: the view.
        control_outputs: the control dependencies of the graph; None for nothing to do.

    Raises:
        TypeError: they are something else.
    """
    if control_outputs is None:
        return
    if not isinstance(control_outputs, ControlOutputs):
        raise TypeError(f"control_outputs has to be a ControlOutputs, got {control_outputs!r}")
    view = make_view(sgv)
    inside = set(view.ops)
    for op in view.ops:
        for other in control_outputs.get(op):
            if other not in inside:
                edges.remove_control_inputs(other, [op])


@export(*_names("detach_inputs"))
def detach_inputs(sgv: Any, control_inputs: bool = False) -> tuple[SubGraphView, list[Tensor]]:
    """Puts placeholders in the place of the tensors that enter a view.

    Args:
        sgv: the view.
        control_inputs: whether its operations also wait for none outside of it.

    Returns:
        (the view, the placeholders).
    """
    view = make_view(sgv)
    with view.graph.as_default():
        made = [make_placeholder_from_tensor(t) for t in view.inputs]
    edges.reroute_ts(made, view.inputs, can_modify=view.ops)
    if control_inputs:
        detach_control_inputs(view)
    return view, made


@export(*_names("detach_outputs"))
def detach_outputs(sgv: Any, control_outputs: ControlOutputs | None = None) -> tuple[SubGraphView, list[Tensor]]:
    """Lets the operations that use what leaves a view use placeholders.

    Args:
        sgv: the view.
        control_outputs: operations also wait for none of the view, where given.

    Returns:
        (the view, the placeholders).
    """
    view = make_view(sgv)
    inside = set(view.ops)
    used = [t for t in view.outputs if any(user not in inside for user in t.consumers())]
    with view.graph.as_default():
        made = [make_placeholder_from_tensor(t) for t in used]
    edges.reroute_ts(made, used, cannot_modify=view.ops)
    detach_control_outputs(view, control_outputs)
    return view, made


@export(*_names("detach"))
def detach(sgv: Any, control_inputs: bool = False, control_outputs: ControlOutputs | None = None,
           control_ios: ControlOutputs | None = None) -> tuple[SubGraphView, list[Tensor], list[Tensor]]:
    """Takes a view out of its graph: placeholders are where its edges were.

    Args:
        sgv: the view.
        control_inputs, control_outputs, control_ios: the control dependencies to remove, see `detach_inputs` and
            `detach_outputs`.

    Returns:
        (the view, the placeholders of its inputs, those of its outputs).
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    view, entering = detach_inputs(sgv, control_inputs)
    view, leaving = detach_outputs(view, control_outputs)
    return view, entering, leaving


@export(*_names("connect"))
def connect(sgv0: Any, sgv1: Any, disconnect_first: bool = False) -> tuple[SubGraphView, SubGraphView]:
    """Makes what leaves the first view enter the second.

    Args:
        sgv0, sgv1: views, the first with as many outputs as the second has inputs.
        disconnect_first: whether to detach them there before.

    Raises:
        ValueError: the numbers differ.
    """
    one, two = make_view(sgv0), make_view(sgv1)
    if len(one.outputs) != len(two.inputs):
        raise ValueError(f"{len(one.outputs)} outputs cannot be connected with {len(two.inputs)} inputs")
    outputs, inputs = one.outputs, two.inputs
    if disconnect_first:
        detach_outputs(one)
        two, inputs = detach_inputs(two)
    edges.reroute_ts(outputs, inputs, can_modify=two.ops)
    return one, two


@export(*_names("bypass"))
def bypass(sgv: Any) -> tuple[SubGraphView, list[Tensor]]:
    """Takes a view out of its graph: what enters goes to the operations that use what leaves.

    Args:
        sgv: a view with as many inputs as outputs.

    Returns:
        (the view, the placeholders that enter it now).

    Raises:
        ValueError: the numbers differ.
    """
    view = make_view(sgv)
    inputs = view.inputs
    if len(inputs) != len(view.outputs):
        raise ValueError(f"{len(inputs)} inputs cannot be passed on as {len(view.outputs)} outputs")
    edges.reroute_ts(inputs, view.outputs, cannot_modify=view.ops)
    with view.graph.as_default():
        made = [make_placeholder_from_tensor(t) for t in inputs]
    edges.reroute_ts(made, inputs, can_modify=view.ops)
    return view, made
