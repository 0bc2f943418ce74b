"""Decorators of test methods that look for objects which the test should not have left behind."""

from __future__ import annotations

import contextlib
import functools
import gc
from collections.abc import Callable, Iterator
from typing import Any

from evergraph.base.shapes import Dimension, TensorShape
from evergraph.eager.modes import eager_mode
from evergraph.frontend.variables.base import Variable
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Tensor

_WARM_UP, _REPEATED = 3, 3  # runs that may fill caches, and runs that may not leave anything


def assert_no_new_pyobjects_executing_eagerly(f: Callable[..., Any]) -> Callable[..., None]:
    """Runs a test eagerly again and again; it fails if there are more objects after the later runs than before them."""

    @functools.wraps(f)
    def counted(self: Any, *args: Any, **kwargs: Any) -> None:
        with eager_mode(), _collected_by_hand():
            for _ in range(_WARM_UP):
                f(self, *args, **kwargs)
            before = _objects()
            for _ in range(_REPEATED):
                f(self, *args, **kwargs)
            after = _objects()
        if after > before:
            raise AssertionError(f"{after - before} new objects are left after {_REPEATED} runs, of {before} before")

    return counted


@contextlib.contextmanager
def _collected_by_hand() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _objects() -> int:
    gc.collect()
    gc.collect()  # what the first one has freed may have held more
    return len(gc.get_objects())


def assert_no_new_tensors(f: Callable[..., Any]) -> Callable[..., Any]:
    """Runs a test in a graph of its own, or eagerly; it fails if tensors, variables or shapes of it are left."""

    @functools.wraps(f)
    def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        gc.collect()
        before = _tensors()  # held until the end, so that no new one gets the place of one that is freed
        known = {id(found) for found in before}
        with contextlib.nullcontext() if default_graph().is_eager else Graph().as_default():
            result = f(self, *args, **kwargs)
        gc.collect()
        left = [found for found in _tensors() if id(found) not in known]
        if left:
            raise AssertionError(f"{len(left)} Tensors not deallocated after test: {left}")
        return result

    return watched


def _tensors() -> list[Any]:
    return [found for found in gc.get_objects() if isinstance(found, (Tensor, Variable, TensorShape, Dimension))]


def assert_no_garbage_created(f: Callable[..., Any]) -> Callable[..., Any]:
    """A test fails if it leaves objects that refer to each other in a circle, which only the collector can free."""

    @functools.wraps(f)
    def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        gc.collect()
        flags, before = gc.get_debug(), len(gc.garbage)
        with _collected_by_hand():
            gc.set_debug(gc.DEBUG_SAVEALL)
            try:
                result = f(self, *args, **kwargs)
                gc.collect()
                kinds = [type(found).__name__ for found in gc.garbage[before:]]
            finally:
                gc.set_debug(flags)
                del gc.garbage[before:]
        if kinds:
            raise AssertionError(f"{len(kinds)} objects in reference cycles, among them of {sorted({*kinds})[:10]}")
        return result

    return watched
