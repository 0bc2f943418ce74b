"""Conditionals: runs the branch that an index chooses, in Python or inside the compiled program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.compile.calls import Function, Threaded, needs_passed_on
from evergraph.compile.traced import Traced, common, crosses, fitted
from evergraph.graph.node import Operation
from evergraph.kernel.cells import Cell
from evergraph.kernel.reasons import Uncompilable


def choose(
    environment: Any, node: Operation, index: Any, branches: Sequence[Function], arguments: Sequence[Any]
) -> list[Any]:
    """The outputs of the branch with that number: of the last one when there is no such number."""
    if crosses(index):
        return _compiled(environment, node, index, branches, arguments)
    number = int(index)
    branch = branches[number if 0 <= number < len(branches) else -1]
    if not environment.tracing:
        return [v.value if isinstance(v, Cell) and v.is_set else v for v in branch(*arguments)]
    with needs_passed_on(node, branch, 1, set(range(len(arguments)))):
        return [v.value if isinstance(v, Cell) and v.is_set else v for v in branch(*arguments)]


def _compiled(
    environment: Any, node: Operation, index: Any, branches: Sequence[Function], arguments: Sequence[Any]
) -> list[Any]:
    import jax

    thread = Threaded(environment, branches, arguments)
    state = thread.state()
    traced = [_traced(node, thread, branch, arguments, state) for branch in branches]
    names = [f"output {i} of '{node.name}'" for i in range(len(node.outputs))]
    forms = [common(column, name) for column, name in zip(zip(*(t.values for t in traced)), names, strict=True)]
    after = [common(column, "a variable") for column in zip(*(t.state for t in traced))]
    tree = jax.tree_util.tree_structure([f for f in forms if crosses(f)])

    def crossing(branch: _Branch) -> Callable[..., Any]:
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
    thread.restore(leaves[tree.num_leaves :])
    made = iter(jax.tree_util.tree_unflatten(tree, leaves[: tree.num_leaves]))
    return [next(made) if crosses(f) else f for f in forms]


class _Branch:
    """A traced branch; `state` has the shapes of what it leaves behind."""

    def __init__(self, program: Traced, state: list[Any]) -> None:
        self.program, self.values, self.state = program, program.values, state


def _traced(
    node: Operation, thread: Threaded, branch: Function, arguments: Sequence[Any], state: Sequence[Any]
) -> _Branch:
    import jax

    shapes: list[Any] = []

    def run(*state: Any) -> tuple[list[Any], list[Any]]:
        outputs, after = thread.run(branch, arguments, state)
        shapes[:] = [jax.ShapeDtypeStruct(np.shape(v), v.dtype) for v in after]
        return outputs, after

    with needs_passed_on(node, branch, 1, set(range(len(arguments)))):
        try:
            return _Branch(Traced(run, state), list(shapes))
        except (errors.OpError, ValueError, TypeError) as error:
            # Only the branch that is taken may fail, which Python finds out when it runs it.
            raise Uncompilable(f"{type(error).__name__} in {branch.graph.name}: {error}") from error
