"""Values that cross the border of a compiled loop or branch, and functions traced there once.

A value is an array that the program computes, a plain NumPy value, a tensor list, or a hole. Only arrays can cross;
the rest is known while tracing and put around them again on the other side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.kernel.calling import Hole
from evergraph.kernel.reasons import Uncompilable
from evergraph.kernel.tensor_list import Stacked, is_list


class Traced:
    """A function traced once: the program, and the values around its results.

    Attributes:
        values: what the function returned, with shapes in place of the arrays; lists are stacked.
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
        """(values, state) for these arguments, inside another trace."""
        jax = self._jax
        leaves = jax.core.eval_jaxpr(self._program.jaxpr, self._program.consts, *arguments)
        crossing = iter(jax.tree_util.tree_unflatten(self._tree, leaves[: self._count]))
        return [next(crossing) if crosses(v) else v for v in self._returned], leaves[self._count :]


def crosses(value: Any) -> bool:
    """Whether the value consists of arrays that the program computes."""
    return is_list(value) or is_array(value)


def is_array(value: Any) -> bool:
    return hasattr(value, "aval") or type(value).__name__ == "ShapeDtypeStruct"


def common(values: Sequence[Any], what: str) -> Any:
    """What values of several branches have in common: the value itself when it is known, else its shape.

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
    shapes = {np.shape(v) if not is_array(v) else v.shape for v in present}
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
    """`value` as an array or list of that form; a hole becomes zeros."""
    import jax.numpy as jnp

    if is_list(form):
        return form.zeros() if isinstance(value, Hole) else value.fitted(form)
    if isinstance(value, Hole):
        return jnp.zeros(form.shape, form.dtype)
    return jnp.asarray(value, form.dtype)
