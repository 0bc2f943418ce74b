"""What tests import from tensorflow.python.framework.test_util: decorators that choose how a test runs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from evergraph.debug.testing import is_gpu_available
from evergraph.eager.modes import eager_mode, graph_mode
from evergraph.graph.graph import Graph


def run_in_graph_and_eager_modes(func: Any = None, config: Any = None, use_gpu: bool = True, reset_test: bool = True,
                                 assert_no_eager_garbage: bool = False) -> Any:
    """A decorator of a test method, which runs it twice: in a graph with a session, then eagerly.

    Args:
        func: the method, or None where this is called with parentheses.
        config: the session's ConfigProto.
        use_gpu: whether nodes may be on a GPU.
        reset_test: whether tearDown and setUp run between the two.
        assert_no_eager_garbage: TensorFlow looks for reference cycles. Must be False.
    """
    if assert_no_eager_garbage:
        raise NotImplementedError("run_in_graph_and_eager_modes: assert_no_eager_garbage counts TensorFlow's objects")

    def decorator(method: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(method)
        def in_both(self: Any, *args: Any, **kwargs: Any) -> None:
            with graph_mode(), Graph().as_default() as graph, self.session(graph, config, use_gpu=use_gpu):
                method(self, *args, **kwargs)
            if reset_test:
                self.tearDown()
                self.setUp()
            with eager_mode():
                method(self, *args, **kwargs)

        return in_both

    return decorator if func is None else decorator(func)


def run_all_in_graph_and_eager_modes(cls: type) -> type:
    """A decorator of a class of tests: each of its tests runs in a graph with a session, then eagerly."""
    for name, method in vars(cls).copy().items():
        if callable(method) and name.startswith("test") and name != "test_session":
            setattr(cls, name, run_in_graph_and_eager_modes(method))
    return cls


def deprecated_graph_mode_only(func: Any = None) -> Any:
    """A decorator of a test, or of a class of them: it runs in a graph, also where eager execution is on."""

    def decorator(tested: Any) -> Any:
        if inspect.isclass(tested):
            for name, method in vars(tested).copy().items():
                if callable(method) and name.startswith("test") and name != "test_session":
                    setattr(tested, name, decorator(method))
            return tested

        @functools.wraps(tested)
        def in_graph(self: Any, *args: Any, **kwargs: Any) -> Any:
            with graph_mode():
                return tested(self, *args, **kwargs)

        return in_graph

    return decorator if func is None else decorator(func)


def run_v1_only(reason: str, func: Any = None) -> Any:
    """A decorator of a test that TensorFlow 2's behaviour does not pass: it runs, because this is TensorFlow 1's."""
    return (lambda tested: tested) if func is None else func


def run_v2_only(func: Any = None) -> Any:
    """A decorator of a test that needs TensorFlow 2's behaviour: it is skipped."""

    def decorator(method: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(method)
        def skipped(self: Any, *args: Any, **kwargs: Any) -> None:
            self.skipTest("needs the behaviour of TensorFlow 2")

        return skipped

    return decorator if func is None else decorator(func)


def run_gpu_only(func: Any = None) -> Any:
    """A decorator of a test that is skipped where there is no GPU."""
    return _where(is_gpu_available, "Test requires GPU", func)


def run_cuda_only(func: Any = None) -> Any:
    """A decorator of a test that is skipped where there is no GPU for CUDA."""
    return _where(lambda: is_gpu_available(cuda_only=True), "Test requires CUDA GPU", func)


def _where(condition: Callable[[], bool], reason: str, func: Any) -> Any:
    def decorator(method: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(method)
        def checked(self: Any, *args: Any, **kwargs: Any) -> None:
            if not condition():
                self.skipTest(reason)
            method(self, *args, **kwargs)

        return checked

    return decorator if func is None else decorator(func)


def is_mkl_enabled() -> bool:
    """Whether the kernels are Intel MKL's: they are not."""
    return False


def is_xla_enabled() -> bool:
    """Whether TensorFlow's tests run with its just-in-time compiler, whose numbers they then expect: False here, where
    results are held to those of TensorFlow without it."""
    return False
