"""Fences: keeps XLA from fusing a value into each of its consumers, which would recompute it in every one.

On CPUs XLA duplicates producers that it deems cheap into all consuming loops, and removes optimization barriers before
it fuses. A call that is marked as not inlineable survives that; calling the identity costs nothing at run time.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from contextvars import ContextVar

from evergraph.kernel.values import is_traced

_IS_PORTABLE = ContextVar("is_portable", default=False)


@contextlib.contextmanager
def portable() -> Iterator[None]:
    """Programs traced in the block are for other processes and any platform: they call no kernel in C."""
    token = _IS_PORTABLE.set(True)
    try:
        yield
    finally:
        _IS_PORTABLE.reset(token)


def computed_once(value):
    """`value`, materialized in memory by programs for CPUs; XLA's own choice is better on other platforms."""
    if not is_traced(value):
        return value
    return _fence()(value) if on_cpu() else value


def platform():
    """The platform that a program which is traced now is compiled for: that of the device of its stage, or "any"."""
    if _IS_PORTABLE.get():
        return "any"
    import jax

    device = jax.config.jax_default_device
    return jax.default_backend() if device is None else getattr(device, "platform", device)


def on_cpu():
    """Whether a program that is traced now is compiled for CPUs."""
    return platform() == "cpu"


@functools.cache
def _fence():
    import jax

    try:
        from jax.experimental.xla_metadata import set_xla_metadata
    except ImportError:  # JAX may withdraw what is experimental
        return jax.lax.optimization_barrier
    identity = jax.jit(lambda value: value)

    def fence(value):
        with set_xla_metadata(inlineable="false"):
            return identity(value)

    return fence


def computed_after(value, others):
    """`value`, which programs for CPUs compute later than `others`; these should be materialized."""
    if not any(map(is_traced, others)):
        return value
    return computed_together([value, *others])[0]


def computed_together(values):
    """A list of traced values, none of which is available before all of them have been computed."""
    return _fence()(values) if on_cpu() else values
