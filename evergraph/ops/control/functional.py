"""Ops that call functions: conditionals, loops, calls.

A branch, body or called function is a FuncGraph of the graph's library. Kernels receive it as a callable; `context`
decides how it runs (in Python around lowered bodies, or as a conditional or loop inside the compiled program).
"""

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, VJP, op
from evergraph.graph.traits import Kind, Memory
from evergraph.kernel.values import Hole, is_traced
from evergraph.ops.control.gradients import call_gradient, case_gradient, if_gradient, while_gradient
from evergraph.ops.control.specialize import shapes_of_call

# ---- conditionals


def _declared_shapes(node, output_shapes):
    return list(output_shapes) if output_shapes else [None] * len(node.outputs)


def _truth(cond):
    """The branch that a condition of any dtype selects: 0 for zero, an empty string or an empty tensor, else 1."""
    if np.ndim(cond):
        return np.int32(np.size(cond) > 0)
    return cond != 0 if is_traced(cond) else np.int32(bool(cond[()]))


_branches = ("Tcond: type, Tin: list(type) >= 0, Tout: list(type) >= 0, then_branch: func, else_branch: func, "
             "output_shapes: list(shape) = []) -> output: Tout")


@op(f"If(cond: Tcond, input: Tin, *, {_branches}", stateful=True, shape=_declared_shapes, grad=if_gradient,
    kind=Kind.IF, memory=Memory.STORED)
def if_(context, node, cond, input, then_branch, else_branch):
    """A conditional: the outputs of `then_branch` if the condition is true, else those of `else_branch`."""
    return context.choose(node, _truth(cond), [else_branch, then_branch], input)


@op(f"StatelessIf(cond: Tcond, input: Tin, *, {_branches}", shape=_declared_shapes, grad=if_gradient,
    kind=Kind.IF, memory=Memory.STORED)
def stateless_if(context, node, cond, input, then_branch, else_branch):
    """An If whose branches have no side effects."""
    return context.choose(node, _truth(cond), [else_branch, then_branch], input)


@op("Case(branch_index: int32, input: Tin, *, Tin: list(type) >= 0, Tout: list(type) >= 0, branches: list(func) >= 1, "
    "output_shapes: list(shape) = []) -> output: Tout", stateful=True, shape=_declared_shapes, grad=case_gradient,
    kind=Kind.CASE, memory=Memory.STORED)
def case(context, node, branch_index, input, branches):
    """A switch: the outputs of the branch with this index, or of the last branch if the index is out of range."""
    return context.choose(node, branch_index, branches, input)


@op("FakeParam(*, dtype: type, shape: shape) -> output: dtype", shape=lambda shape: shape, grad=STOP)
def fake_param(dtype):
    """A placeholder in a branch for an output that only another branch produces."""
    return Hole(dtype)


# ---- loops

_loop = ("T: list(type) >= 0, cond: func, body: func, output_shapes: list(shape) = [], "
         "parallel_iterations: int = 10) -> output: T")


@op(f"While(input: T, *, {_loop}", stateful=True, shape=_declared_shapes, grad=while_gradient,
    kind=Kind.WHILE, memory=Memory.STORED)
def while_(context, node, input, cond, body):
    """A while loop: applies `body` to the loop variables while `cond` is true. Iterations are sequential."""
    return context.repeat(node, cond, body, input)


@op(f"StatelessWhile(input: T, *, {_loop}", shape=_declared_shapes, grad=while_gradient,
    kind=Kind.WHILE, memory=Memory.STORED)
def stateless_while(context, node, input, cond, body):
    """A While whose functions have no side effects."""
    return context.repeat(node, cond, body, input)


@op("For(start: int32, limit: int32, delta: int32, input: T, *, T: list(type) >= 0, body: func) -> output: T",
    on="host", shape=lambda node: [None] * len(node.outputs))
def for_(start, limit, delta, input, body):
    """A for loop: applies `body` to the counter and the loop variables, for each count from `start` below `limit`."""
    values = list(input)
    for i in range(int(start), int(limit), int(delta)):
        values = body(np.int32(i), *values)
    return values


# ---- calls

_call = ("Tin: list(type) >= 0, Tout: list(type) >= 0, f: func, config: string = '', config_proto: string = '', "
         "executor_type: string = '') -> output: Tout")


def _shapes_of_function(node):
    return shapes_of_call(node.graph.function(node.attrs["f"].name), node._inputs)


@op(f"PartitionedCall(args: Tin, *, {_call}", shape=_shapes_of_function, grad=call_gradient,
    kind=Kind.CALL, memory=Memory.STORED)
def partitioned_call(context, node, args, f):
    """Calls a function without side effects. The configuration has no effect in a single process."""
    return context.call(node, f, args)


@op(f"StatefulPartitionedCall(args: Tin, *, {_call}", stateful=True, shape=_shapes_of_function, grad=call_gradient,
    kind=Kind.CALL, memory=Memory.STORED)
def stateful_partitioned_call(context, node, args, f):
    """Calls a function. The configuration has no effect in a single process."""
    return context.call(node, f, args)


@op("RemoteCall(target: string, args: Tin, *, Tin: list(type) >= 1, Tout: list(type) >= 1, f: func) -> output: Tout",
    stateful=True, on="host", shape=_shapes_of_function)
def remote_call(context, node, target, args, f):
    """Calls a function on another device, which must belong to this process."""
    name = bytes(target.item()).decode()
    if "/job:" in name and "/job:localhost" not in name:
        raise errors.UnimplementedError(None, None, f"RemoteCall of a function on {name}, which is another process")
    return context.call(node, f, args)


@op("SymbolicGradient(input: Tin, *, Tin: list(type) >= 1, Tout: list(type) >= 1, f: func) -> output: Tout",
    shape=lambda node: [t._shape for t in node._inputs[:len(node.outputs)]], grad=VJP,
    kind=Kind.GRADIENT, memory=Memory.STORED)
def symbolic_gradient(context, node, input, f):
    """The gradients of a function: `input` holds its arguments, then the gradients of its outputs."""
    return context.gradient(node, f, input)
