"""Runs one op on tensors that have values: small work on NumPy at once, heavy work as a compiled program."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.compile import single
from evergraph.eager.tensor import unset
from evergraph.graph import shaping
from evergraph.graph.node import Operation
from evergraph.graph.traits import Kind
from evergraph.kernel.calling import call_kernel
from evergraph.kernel.quiet import quietly
from evergraph.kernel.values import is_traced, settled
from evergraph.run.failure import raised_by
from evergraph.run.functions import run_function

_HANDLES = (dtypes.resource, dtypes.variant)


def execute(context: Any, node: Operation) -> None:
    """Gives a new operation its outputs, which have values.

    Raises:
        tf.errors.OpError: the op failed.
    """
    opdef = node.opdef
    if opdef.kind is Kind.CONSTANT:
        tensor = unset(node.attrs["dtype"])
        tensor.hold(node.attrs["value"])
        node.outputs = [tensor]
        return
    outputs: Any = [unset(dtype, i) for i, dtype in enumerate(opdef.output_dtypes(node.attrs))]
    node.outputs = outputs
    try:
        results = _run(context, node) if opdef.shape_fn is None else _run_checked(context, node)
    except Exception as error:
        raise raised_by(error, node) from None if isinstance(error, errors.OpError) else error
    for tensor, value in zip(outputs, results, strict=True):
        tensor.hold(value)
        if not node._inputs and tensor._dtype in _HANDLES:
            tensor.keep_maker(node)


def _run_checked(context: Any, node: Operation) -> list[Any]:
    """The values of the outputs; raises for shapes that do not fit.

    NumPy refuses what does not broadcast itself, and the shape function is asked only to say so.
    """
    if not node.opdef.broadcasts:
        _check_shapes(context, node)
        return _run(context, node)
    try:
        return _run(context, node)
    except (ValueError, TypeError, IndexError):
        shaping.infer(node)
        raise


def _check_shapes(context: Any, node: Operation) -> None:
    """Raises what the kernel says about shapes that do not fit, or else what the shape function says.

    A kernel relies on its op's shape function, which a graph asks first.
    """
    try:
        shaping.infer(node)
    except ValueError:
        if node.opdef.is_pure:
            with contextlib.suppress(ValueError, TypeError, IndexError):
                _run(context, node)
        raise


def _run(context: Any, node: Operation) -> list[Any]:
    """The values of the outputs."""
    if node.opdef.kind is Kind.CALL:
        function = node.graph.function(node.attrs["f"].name)
        return run_function(function, context.held, [t.held for t in node._inputs])  # type: ignore[attr-defined]
    if single.pays(node):
        found = single.run(node, [t.held for t in node._inputs])  # type: ignore[attr-defined]
        if found is not None:
            return found
    given = [t.on_host() for t in node._inputs]  # type: ignore[attr-defined]
    results = quietly(call_kernel, context, node, given)
    return [_settled(value, t._dtype) for value, t in zip(results, node.outputs, strict=True)]


def _settled(value: Any, dtype: dtypes.DType) -> Any:
    """A result of a kernel as a tensor holds it: what a handle refers to, or an array of exactly this dtype."""
    if dtype in _HANDLES:
        return value
    return settled(np.asarray(value) if is_traced(value) else value, dtype.np)
