"""Conditionals: runs the branch that an index chooses, or traces all branches into the compiled program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evergraph.compile.calls import CarriedState, Function, failures_deferred, needs_passed_on, read
from evergraph.compile.traced import Traced, common, crosses, fitted
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel.values import Hole, is_traced

if TYPE_CHECKING:
    from evergraph.compile.contexts import TraceContext


def run_branch(node: Operation, index: Any, branches: Sequence[Function], arguments: Sequence[Any]) -> list[Any]:
    """The outputs of branch number `index`, of the last branch if there is no such number."""
    return _present(node, [read(v) for v in _chosen(index, branches)(*arguments)])


def _present(node: Operation, values: Sequence[Any]) -> list[Any]:
    """The outputs of a conditional, of which later stages may take those that the branch does not have."""
    return [_zeros(t) if type(v) is Hole and not v.dtype.hasobject else v for v, t in zip(values, node.outputs)]


def _zeros(tensor: Tensor) -> np.ndarray[Any, Any]:
    """Stands for a value that only another branch has; it takes no memory and nothing looks at it.

    A stage after this one may be compiled for its shape, together with the branch that would look at it. Sizes that are
    not known are one, which fits most other sizes.
    """
    shape = [1 if size is None else size for size in tensor._shape or ()]
    return np.broadcast_to(np.zeros((), tensor._dtype.np), shape)


def trace_branches(
    context: TraceContext, node: Operation, index: Any, branches: Sequence[Function], arguments: Sequence[Any]
) -> list[Any]:
    """The outputs of the branch; a conditional of the program unless the index is known at trace time."""
    if is_traced(index):
        return _conditional(context, node, index, branches, arguments)
    with needs_passed_on(node, _chosen(index, branches), 1, set(range(len(arguments)))):
        return _present(node, [read(v) for v in _chosen(index, branches)(*arguments)])


def _chosen(index: Any, branches: Sequence[Function]) -> Function:
    number = int(index)
    return branches[number if 0 <= number < len(branches) else -1]


def _conditional(
    context: TraceContext, node: Operation, index: Any, branches: Sequence[Function], arguments: Sequence[Any]
) -> list[Any]:
    import jax

    carried = CarriedState(context, branches, arguments)
    state = carried.state()
    traced = [_traced(node, carried, branch, arguments, state) for branch in branches]
    names = [f"output {i} of '{node.name}'" for i in range(len(node.outputs))]
    forms = [common(column, name) for column, name in zip(zip(*(t.values for t in traced)), names, strict=True)]
    after = [common(column, "a variable") for column in zip(*(t.state for t in traced))]
    tree = jax.tree_util.tree_structure([f for f in forms if crosses(f)])

    def crossing(branch: _TracedBranch) -> Callable[..., Any]:
        def run(*state: Any) -> Any:
            values, new = branch.program(*state)
            made = [fitted(v, f) for v, f in zip(values, forms, strict=True) if crosses(f)]
            return [*jax.tree_util.tree_leaves(made), *(fitted(n, f) for n, f in zip(new, after, strict=True))]

        return run

    runs = [crossing(t) for t in traced]
    if len(runs) == 2:
        leaves = jax.lax.cond(index.astype(bool), runs[1], runs[0], *state)
    else:
        inside = (index >= 0) & (index < len(runs))
        leaves = jax.lax.switch(jax.numpy.where(inside, index, len(runs) - 1), runs, *state)
    carried.restore(leaves[tree.num_leaves :])
    made = iter(jax.tree_util.tree_unflatten(tree, leaves[: tree.num_leaves]))
    return [next(made) if crosses(f) else f for f in forms]


class _TracedBranch:
    """A branch that was traced once; `state` holds the shapes and dtypes of the carried state after it."""

    def __init__(self, program: Traced, state: list[Any]) -> None:
        self.program, self.values, self.state = program, program.values, state


def _traced(
    node: Operation, carried: CarriedState, branch: Function, arguments: Sequence[Any], state: Sequence[Any]
) -> _TracedBranch:
    import jax

    shapes: list[Any] = []

    def run(*state: Any) -> tuple[list[Any], list[Any]]:
        outputs, after = carried.run(branch, arguments, state)
        shapes[:] = [jax.ShapeDtypeStruct(np.shape(v), v.dtype) for v in after]
        return outputs, after

    with needs_passed_on(node, branch, 1, set(range(len(arguments)))), failures_deferred(branch):
        return _TracedBranch(Traced(run, state), list(shapes))
