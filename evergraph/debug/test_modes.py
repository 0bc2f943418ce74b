"""Decorators of `tensorflow.python.framework.test_util` that choose how tests run. Here there are graphs alone."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any


def run_in_graph_and_eager_modes(
    func: Callable[..., None] | None = None, config: Any = None, use_gpu: bool = True, reset_test: bool = True,
    assert_no_eager_garbage: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """Decorator: runs a test method in a graph, with a session as the default one; there is no eager mode.

    Args:
        func: the test method.
        config: the ConfigProto of the session.
        use_gpu: whether nodes may run on a GPU.
        reset_test, assert_no_eager_garbage: of the eager mode; they have no meaning here.
    """

    def decorate(method: Callable[..., None]) -> Callable[..., None]:
        if inspect.isclass(method):
            raise ValueError("run_in_graph_and_eager_modes decorates test methods: "
                             "use run_all_in_graph_and_eager_modes on a class")

        @functools.wraps(method)
        def in_graph(self: Any, *args: Any, **kwargs: Any) -> None:
            with self.test_session(config=config, use_gpu=use_gpu):
                method(self, *args, **kwargs)

        return in_graph

    return decorate if func is None else decorate(func)


def run_all_in_graph_and_eager_modes(cls: type) -> type:
    """Class decorator: `run_in_graph_and_eager_modes` for every method whose name begins with "test"."""
    for name, method in list(vars(cls).items()):
        if name.startswith("test") and callable(method) and name != "test_session":
            setattr(cls, name, run_in_graph_and_eager_modes(method))
    return cls


def run_v1_only(reason: str, func: Any = None) -> Any:
    """Decorator of tests that only TensorFlow 1 passes: they run, for the behaviour here is TensorFlow 1's.

    Args:
        reason: why TensorFlow 2 fails.
        func: the test method or class.

    Raises:
        ValueError: there is no reason.
    """
    if not isinstance(reason, str):
        raise ValueError(f"reason must be a string, got {reason!r}")
    return (lambda decorated: decorated) if func is None else func


def run_deprecated_v1(func: Any = None) -> Any:
    """Decorator of tests that need a graph: they run as they are, for there is always one."""
    return (lambda decorated: decorated) if func is None else func
