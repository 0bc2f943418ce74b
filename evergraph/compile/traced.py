"""Functions that are traced once into a jaxpr, and the values that enter and leave compiled loops and branches.

A value is a tracer, a NumPy value known at trace time, a tensor list, or a hole. Only tracers and the buffers of lists
cross the boundary; everything else is known at trace time and is put back around them on the other side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.lists.stacked import Stacked
from evergraph.kernel.reasons import Uncompilable
from evergraph.kernel.values import Hole, is_traced


class Traced:
    """A function that was traced once into a jaxpr, and can be inlined into other traces.

    Attributes:
        values: the values it returned, with ShapeDtypeStructs for tracers; lists are stacked.
    """

    def __init__(self, function: Callable[..., tuple[list[Any], list[Any]]], arguments: Sequence[Any]) -> None:
        import jax

        self._jax = jax
        shown: list[Any] = []

        def flat(*leaves: Any) -> Any:
            values, state = function(*leaves)
            values = [v.stacked() if is_list(v) else v for v in values]
            shown[:] = [values]
            crossing, self._tree = jax.tree_util.tree_flatten([v for v in values if crosses(v)])
            return [*crossing, *state]

        self._program, shapes = jax.make_jaxpr(flat, return_shape=True)(*arguments)
        self._count = self._tree.num_leaves
        crossing = iter(jax.tree_util.tree_unflatten(self._tree, shapes[: self._count]))
        self._returned = shown[0]
        self.values = [next(crossing) if crosses(v) else v for v in self._returned]

    def __call__(self, *arguments: Any) -> tuple[list[Any], list[Any]]:
        """Inlines the jaxpr into the current trace; returns (values, state)."""
        jax = self._jax
        leaves = jax.core.eval_jaxpr(self._program.jaxpr, self._program.consts, *arguments)
        crossing = iter(jax.tree_util.tree_unflatten(self._tree, leaves[: self._count]))
        return [next(crossing) if crosses(v) else v for v in self._returned], leaves[self._count :]


def crosses(value: Any) -> bool:
    """Whether the value leaves a compiled loop or branch as arrays of the program."""
    return is_list(value) or _is_computed(value)


def _is_computed(value: Any) -> bool:
    """Whether the program computes the value: a tracer, or the ShapeDtypeStruct of one."""
    return is_traced(value) or type(value).__name__ == "ShapeDtypeStruct"


def common(values: Sequence[Any], what: str) -> Any:
    """What the values of an output have in common over all branches: a known value, else a shape and dtype.

    Raises:
        Uncompilable: they differ in shape.
    """
    present = [v for v in values if not isinstance(v, Hole)]
    if not present:
        return values[0]
    first = present[0]
    if is_list(first):
        return _common_list(present, what)
    if not any(crosses(v) for v in present) and all(_equal(v, first) for v in present):
        return first
    if not all(crosses(v) or isinstance(v, (np.ndarray, np.generic)) for v in present):
        raise Uncompilable(f"{what} is not an array in every branch")
    shapes = {np.shape(v) if not _is_computed(v) else v.shape for v in present}
    if len(shapes) > 1:
        raise Uncompilable(f"{what} has a shape that depends on the branch: {' or '.join(map(str, sorted(shapes)))}")
    import jax

    return jax.ShapeDtypeStruct(shapes.pop(), first.dtype)


def _equal(value: Any, other: Any) -> bool:
    if isinstance(value, (np.ndarray, np.generic)) and isinstance(other, (np.ndarray, np.generic)):
        return value.dtype == other.dtype and np.array_equal(value, other, equal_nan=value.dtype.kind in "fc")
    return value is other


def _common_list(values: Sequence[Any], what: str) -> Stacked:
    if not all(is_list(v) for v in values):
        raise Uncompilable(f"{what} is not a list in every branch")
    result = values[0]
    for value in values[1:]:
        result = result.joined(value, what)
    return result


def fitted(value: Any, form: Any) -> Any:
    """`value` as an array or list with the shape, dtype and structure of `form`; a hole becomes zeros."""
    import jax.numpy as jnp

    if is_list(form):
        return form.zeros() if isinstance(value, Hole) else value.fitted(form)
    if isinstance(value, Hole):
        return jnp.zeros(form.shape, form.dtype)
    return jnp.asarray(value, form.dtype)
