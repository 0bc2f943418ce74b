"""Keeps XLA from computing a value anew for each of its readers.

On CPUs it fuses what is cheap by its measure into every loop that reads it, and takes optimization barriers away before
that. A call that is not to be inlined stays; as a function that only hands its argument on it costs nothing.
"""

from __future__ import annotations

import functools

from evergraph.kernel.values import is_traced


def computed_once(value):
    """`value`, computed once and kept in memory, in programs for CPUs; elsewhere XLA weighs that better itself."""
    if not is_traced(value):
        return value
    fence = _fence()
    return value if fence is None else fence(value)


@functools.cache
def on_cpu():
    """Whether programs are compiled for CPUs."""
    import jax

    return jax.default_backend() == "cpu"


@functools.cache
def _fence():
    import jax

    if not on_cpu():
        return None
    try:
        from jax.experimental.xla_metadata import set_xla_metadata
    except ImportError:  # an experiment of JAX
        return jax.lax.optimization_barrier
    handed_on = jax.jit(lambda value: value)

    def fence(value):
        with set_xla_metadata(inlineable="false"):
            return handed_on(value)

    return fence


def computed_together(values):
    """A list of traced values, each of which is there only when all of them have been computed."""
    fence = _fence()
    return values if fence is None else fence(values)
