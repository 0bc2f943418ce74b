"""Infers output shapes by tracing a kernel, for ops that declare no shape function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evergraph.base import errors
from evergraph.kernel.calling import call_kernel, is_mistake
from evergraph.kernel.context import AbstractContext
from evergraph.kernel.loading import imported_jax
from evergraph.kernel.reasons import NeedStatic

if TYPE_CHECKING:
    from evergraph.graph.node import Operation

_CONTEXT = AbstractContext()


def output_shapes(
    node: Operation, values: Sequence[np.ndarray[Any, Any] | None], shapes: Sequence[tuple[int, ...]]
) -> list[tuple[int, ...]] | None:
    """The shapes of the node's outputs; None when they depend on values that are not known.

    Args:
        node: the node.
        values: each input's value, or None for one that is not known.
        shapes: each input's shape.

    Raises:
        ValueError: the shapes do not fit the op.
        TypeError: the kernel itself is mistaken, such as in how it calls `check`.
    """
    jax = imported_jax()
    places = [place for place, value in enumerate(values) if value is None]
    mistakes: list[TypeError] = []

    def run(*tracers: Any) -> list[Any]:
        inputs: list[Any] = list(values)
        for place, tracer in zip(places, tracers, strict=True):
            inputs[place] = tracer
        try:
            return call_kernel(_CONTEXT, node, inputs)
        except TypeError as error:
            mistakes.extend([error] if is_mistake(error) else [])  # now, for JAX hides its frames on the way out
            raise

    try:
        with jax.enable_x64(True):
            specs = [jax.ShapeDtypeStruct(shapes[place], node._inputs[place]._dtype.np) for place in places]
            return [tuple(result.shape) for result in jax.eval_shape(run, *specs)]
    except (NeedStatic, jax.errors.JAXTypeError, jax.errors.JAXIndexError):
        return None
    except (TypeError, ValueError, IndexError, errors.OpError) as error:
        if mistakes:
            mistakes[0].add_note(f"Raised by the kernel of {node.type} while shapes of '{node.name}' were inferred.")
            raise
        raise ValueError(str(error)) from None
