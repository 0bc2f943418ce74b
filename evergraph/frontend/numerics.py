"""Guards against NaN and infinity."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.reduce import either
from evergraph.graph.convert import to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.traits import Kind
from evergraph.ops.arrays import basic


@export("verify_tensor_all_finite", "debugging.assert_all_finite")
def verify_tensor_all_finite(t=None, msg=None, name=None, x=None, message=None):
    """The tensor, which must hold neither NaN nor infinity when it runs.

    Args:
        t: the older name of `x`.
        msg: the older name of `message`.
        name: a name for the operations.
        x: a floating point tensor.
        message: what the error says.
    """
    x = either("x", x, "t", t)
    message = either("message", message, "msg", msg)
    with name_scope(name, "VerifyFinite", [x]):
        x = to_tensor(x, name="x")
        checked = basic.check_numerics(x, message=message)
        with default_graph().control_dependencies([checked]):
            return basic.identity(x, name="control_dependency")


_WITH_FUNCTIONS = (Kind.IF, Kind.CASE, Kind.WHILE)


@export("add_check_numerics_ops")
def add_check_numerics_ops():
    """An operation that fails when any floating point tensor made so far holds NaN or infinity.

    It checks the tensors in the order in which they are computed, so that the error names the first bad one.

    >>> check = tf.add_check_numerics_ops()

    Raises:
        ValueError: the graph has a conditional or a loop, whose tensors cannot be checked from outside.
    """
    graph = default_graph()
    checks = []
    for op in graph.get_operations():
        if op.opdef.kind in _WITH_FUNCTIONS:
            raise ValueError(f"tf.add_check_numerics_ops cannot look inside '{op.name}', a conditional or a loop: use "
                             "tf.check_numerics there")
        for output in op.outputs:
            if output.dtype.base_dtype.is_floating and not output.dtype.is_ref:
                with graph.control_dependencies(checks[-1:]):
                    checks.append(basic.check_numerics(output, message=f"{op.name}:{output.value_index}"))
    with graph.control_dependencies(checks):
        return basic.no_op()
