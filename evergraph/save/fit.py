"""Checks before a restore that resource variables have the shapes of the checkpoint's tensors.

AssignVariableOp accepts a value of any shape, as in TensorFlow, which would leave a variable with a shape other than
its static one. Reference variables are checked by Assign.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evergraph.base import errors
from evergraph.base.shapes import TensorShape
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.shaping import static_value
from evergraph.graph.traits import Kind
from evergraph.ops.state.checkpoints import open_checkpoint
from evergraph.ops.state.variables import assign_variable_op


def check_shapes(graph: Graph, restore_op_name: str, path: str) -> None:
    """Raises InvalidArgumentError for the first variable whose shape differs."""
    assignments = list(_assignments(graph.get_operation_by_name(restore_op_name), set()))
    reader: Any = None
    for assignment in assignments:
        name, wanted = _whole_name(assignment.inputs[1]), assignment.inputs[0].op.attrs.get("shape")
        if name is None or wanted is None:
            continue
        reader = reader or open_checkpoint(path)
        if name in reader and not TensorShape(wanted).is_compatible_with(reader.shape(name)):
            raise errors.InvalidArgumentError(
                None, assignment, f"The variable {assignment.inputs[0].op.name} has shape {TensorShape(wanted)}, "
                f"{name} in the checkpoint has {TensorShape(reader.shape(name))}")  # fmt: skip


def _assignments(node: Operation, seen: set[Operation]) -> Iterator[Operation]:
    """The assignments to resource variables that a node depends on."""
    if node in seen:
        return
    seen.add(node)
    if node.opdef is assign_variable_op:
        yield node
    for before in node.control_inputs:
        yield from _assignments(before, seen)


def _whole_name(value: Tensor) -> str | None:
    """The name in the checkpoint of the tensor that `value` is read from."""
    while value.op.opdef.kind is Kind.IDENTITY:
        value = value.op.inputs[0]
    if value.op.opdef.kind is not Kind.RESTORE:
        return None
    names, specs = (static_value(each) for each in value.op.inputs[1:3])
    if names is None or specs is None or specs[value.value_index]:
        return None
    return names[value.value_index].decode()
