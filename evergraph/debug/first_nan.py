"""Finds the first node of a program that makes an infinity or a NaN: `evergraph run --first-nan`."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evergraph.graph.node import Operation, Tensor
from evergraph.kernel.cells import Cell
from evergraph.run.session import BaseSession


class FirstNan:
    """A with-block in which sessions run node by node, and the program ends at the first node that makes a NaN.

    A node makes one if all that it takes is finite, and not all that it gives. Options and metadata of runs have no
    effect meanwhile.
    """

    def __enter__(self) -> FirstNan:
        self._plain, self._runs = BaseSession.run, 0
        BaseSession.run = self._watching(BaseSession.run)  # type: ignore[method-assign]
        return self

    def __exit__(self, *raised: Any) -> None:
        BaseSession.run = self._plain  # type: ignore[method-assign]

    def _watching(self, run: Any) -> Any:
        @functools.wraps(run)
        def watched(session: Any, fetches: Any, feed_dict: Any = None, options: Any = None,
                    run_metadata: Any = None) -> Any:
            self._runs += 1
            looking = _Looking(self._runs)
            return session.run_shown(fetches, feed_dict, looking)

        return watched


class _Looking:
    """Looks at the nodes of a run."""

    def __init__(self, number: int) -> None:
        self._number, self._values = number, dict[Tensor, Any]()

    def __call__(self, node: Operation, outputs: Sequence[Any]) -> None:
        values = [value.peek() if isinstance(value, Cell) else value for value in outputs]
        self._values.update(zip(node.outputs, values, strict=True))
        if node._inputs and any(map(is_bad, values)) and not any(map(is_bad, self._inputs(node))):
            print(*self._report(node, values), sep="\n", file=sys.stderr)
            sys.exit(1)

    def _inputs(self, node: Operation) -> list[Any]:
        return [self._values.get(tensor) for tensor in node._inputs]

    def _report(self, node: Operation, values: Sequence[Any]) -> Iterator[str]:
        yield f"evergraph: run {self._number}: {node.name} ({node.type}) is the first node that makes an inf or NaN"
        for file, line, function, text, *_ in reversed(node.traceback or ()):
            yield f"  made in {file}:{line}, {function}: {text}"
            break
        for tensor, value in zip(node.outputs, values, strict=True):
            if is_bad(value):
                yield f"  gives {tensor.name}: {described(value)}"
        for tensor, value in zip(node._inputs, self._inputs(node), strict=True):
            yield f"  takes {tensor.name}: {'what is fed' if value is None else described(value)}"


def is_bad(value: Any) -> bool:
    """Whether a value is numbers, and an infinity or a NaN is among them."""
    if not hasattr(value, "dtype") or not np.issubdtype(value.dtype, np.inexact) and value.dtype.name != "bfloat16":
        return False
    return not np.isfinite(np.asarray(value)).all()


def described(value: Any) -> str:
    """The dtype and shape of a value, and what its numbers are like."""
    array = np.asarray(value)
    words = f"{array.dtype} {list(array.shape)}"
    if array.dtype.kind not in "iufc" or not array.size:
        return words
    finite = array[np.isfinite(array)]
    bad = array.size - finite.size
    words += f", {bad} of {array.size} not finite" if bad else ""
    has_range = finite.size and array.dtype.kind != "c"
    return words + (f", from {finite.min():.6g} to {finite.max():.6g}" if has_range else "")
