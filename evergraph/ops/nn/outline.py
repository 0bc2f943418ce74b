"""Has JAX trace and lower a formula once for all arguments of the same shapes, as the layers of a network have.

A formula of twenty operations takes as long to trace as twenty nodes. Outlined, it is one call; XLA inlines the calls,
so that the program stays the same.
"""

from __future__ import annotations

import functools

import numpy as np

from evergraph.kernel.values import is_traced

_MOST_FORMULAS = 256  # that stay traced
_MOST_ELEMENTS = 64  # of a known value that tells one formula from another


def outlined(formula):
    """`formula(xp, *values)`, as one call where JAX traces it. Values that are known then are part of the formula.

    The formula returns a tuple of arrays, and calls nothing of the context that it runs in.
    """
    @functools.wraps(formula)
    def call(xp, *values):
        traced = [value for value in values if is_traced(value)]
        if not traced or any(np.size(value) > _MOST_ELEMENTS for value in values if not is_traced(value)):
            return formula(xp, *values)
        return _jitted(formula, tuple(map(known_form, values)))(*traced)

    return call


@functools.lru_cache(_MOST_FORMULAS)
def _jitted(formula, forms):
    import jax

    return jax.jit(lambda *traced: formula(jax.numpy, *with_known(forms, traced)))


def known_form(value):
    """A value that is known at trace time in a form that can be compared; None if the program computes it."""
    if is_traced(value):
        return None
    if isinstance(value, (np.ndarray, np.generic)):
        return np.ndarray, value.dtype, value.shape, value.tobytes()
    return type(value), value


def with_known(forms, traced):
    """The values with these forms, in order; those that the program computes are `traced`."""
    traced = iter(traced)
    return [next(traced) if form is None else _known(*form) for form in forms]


def _known(kind, *parts):
    if kind is not np.ndarray:
        return parts[0]
    dtype, shape, content = parts
    return np.frombuffer(content, dtype).reshape(shape) if content else np.zeros(shape, dtype)
