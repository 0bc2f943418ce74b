"""What tests import from tensorflow.python.framework.test_util: decorators that choose how a test runs."""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import unittest
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from absl.testing import parameterized

from evergraph.base.export import export
from evergraph.debug.conditions import each_test
from evergraph.debug.gpus import CPU
from evergraph.debug.leaks import assert_no_garbage_created, assert_no_new_tensors
from evergraph.debug.testing import main
from evergraph.eager.function import function
from evergraph.eager.modes import eager_mode, enable_eager_execution, graph_mode
from evergraph.frontend import modes
from evergraph.frontend.blocks import device
from evergraph.graph.graph import Graph

# ---- graphs and eager execution


@export("contrib.eager.run_test_in_graph_and_eager_modes")
def run_in_graph_and_eager_modes(func: Any = None, config: Any = None, use_gpu: bool = True, reset_test: bool = True,
                                 assert_no_eager_garbage: bool = False) -> Any:
    """A decorator of a test method, which runs it twice: in a graph with a session, then eagerly.

    A test that skips itself in one of the modes counts by the other; it is skipped if it does so in both.

    Args:
        func: the method, or None where this is called with parentheses.
        config: the session's ConfigProto.
        use_gpu: whether nodes may be on a GPU.
        reset_test: whether tearDown and setUp run between the two.
        assert_no_eager_garbage: whether the eager run fails if it leaves tensors or reference cycles.
    """

    def decorator(method: Callable[..., None]) -> Callable[..., None]:
        if inspect.isclass(method):
            raise ValueError("`run_in_graph_and_eager_modes` only supports test methods. For a class there is "
                             "`run_all_in_graph_and_eager_modes`")

        def eagerly(self: Any, *args: Any, **kwargs: Any) -> None:
            with contextlib.nullcontext() if use_gpu else device(CPU):
                method(self, *args, **kwargs)

        if assert_no_eager_garbage:
            eagerly = assert_no_new_tensors(assert_no_garbage_created(eagerly))

        @functools.wraps(method)
        def in_both(self: Any, *args: Any, **kwargs: Any) -> None:
            skips = []
            with graph_mode(), self.test_session(use_gpu=use_gpu, config=config), _noted(skips):
                method(self, *args, **kwargs)
            if reset_test:
                self.tearDown()
            with eager_mode():
                if reset_test:
                    self.setUp()
                with _noted(skips):
                    eagerly(self, *args, **kwargs)
            if len(skips) == 2:
                raise skips[1]

        return in_both

    return decorator if func is None else decorator(func)


@contextlib.contextmanager
def _noted(skips: list[unittest.SkipTest]) -> Any:
    """Keeps the exception by which a test skips itself."""
    try:
        yield
    except unittest.SkipTest as skip:
        skips.append(skip)


def run_all_in_graph_and_eager_modes(cls: type) -> type:
    """A decorator of a class of tests: each of its tests runs in a graph with a session, then eagerly.

    Tests whose names begin with testSkipEager or test_skip_eager stay as they are.
    """
    return each_test(run_in_graph_and_eager_modes, cls, leave=("testSkipEager", "test_skip_eager"))


def deprecated_graph_mode_only(func: Any = None) -> Any:
    """A decorator of a test, or of a class of them: it runs in a graph, also where eager execution is on."""

    def decorator(tested: Any) -> Any:
        if inspect.isclass(tested):
            return each_test(decorator, tested)

        @functools.wraps(tested)
        def in_graph(self: Any, *args: Any, **kwargs: Any) -> Any:
            with graph_mode():
                return tested(self, *args, **kwargs)

        return in_graph

    return decorator if func is None else decorator(func)


def build_as_function_and_v1_graph(func: Any = None) -> Any:
    """A decorator of a test of graphs, which makes two of it: `_v1_graph` builds in a graph, `_function` in a function.

    The class is a subclass of absl's parameterized.TestCase. Neither test has a session.
    """

    def decorator(method: Any) -> Any:
        if inspect.isclass(method):
            raise ValueError("`build_as_function_and_v1_graph` only supports test methods.")

        @parameterized.named_parameters(("_v1_graph", False), ("_function", True))
        @functools.wraps(method)
        def built(self: Any, in_function: bool, *args: Any, **kwargs: Any) -> None:
            def body() -> None:
                method(self, *args, **kwargs)

            if in_function:
                with eager_mode():
                    function(body)()
            else:
                with Graph().as_default():
                    body()

        return built

    return decorator if func is None else decorator(func)


def also_run_as_tf_function(f: Callable[..., None]) -> Callable[..., None]:
    """A decorator of a test, which runs it eagerly as it is, then in a function of `tf.function`.

    Comparisons of arrays in the function become nodes that compare the values when it runs. It must make no variables.
    """

    @functools.wraps(f)
    def in_both(*args: Any, **kwargs: Any) -> None:
        with eager_mode():
            f(*args, **kwargs)
            function(lambda: f(*args, **kwargs), autograph=False)()

    return in_both


def main_eagerly(argv: Any = None) -> None:
    """Turns eager execution on, then runs the tests of the calling program: `tensorflow.python.eager.test.main`."""
    enable_eager_execution()
    main(argv)


# ---- control flow


def enable_control_flow_v2(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator of a test for which `tf.control_flow_v2_enabled()`. Conditionals and loops are functional always."""

    @functools.wraps(fn)
    def functional(*args: Any, **kwargs: Any) -> Any:
        was_on = modes.control_flow_v2_enabled()
        modes.enable_control_flow_v2()
        try:
            return fn(*args, **kwargs)
        finally:
            if not was_on:
                modes.disable_control_flow_v2()

    return functional


def with_control_flow_v2(cls: type) -> type:
    """A decorator of a class of tests: each `test` gets a twin `testWithControlFlowV2`.

    Tests decorated with `disable_control_flow_v2` get none, and no test does where the program is asking for functional
    control flow already.
    """
    if modes.control_flow_v2_enabled():
        return cls
    for name, method in vars(cls).copy().items():
        is_test = callable(method) and name.startswith("test") and name != "test_session"
        if is_test and not getattr(method, "_disable_control_flow_v2", False):
            setattr(cls, f"{name}WithControlFlowV2", enable_control_flow_v2(method))
    return cls


def disable_control_flow_v2(unused_msg: str) -> Callable[[Any], Any]:
    """A decorator of a test to which `with_control_flow_v2` gives no twin. Its argument is the reason."""

    def decorator(func: Any) -> Any:
        func._disable_control_flow_v2 = True
        return func

    return decorator


def enable_output_all_intermediates(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator of a test inside `tf.experimental.output_all_intermediates(True)`."""

    @functools.wraps(fn)
    def whole(*args: Any, **kwargs: Any) -> Any:
        modes.output_all_intermediates(True)
        try:
            return fn(*args, **kwargs)
        finally:
            modes.output_all_intermediates(None)

    return whole


def as_it_is(tested: Any) -> Any:
    """The test or class itself: what TensorFlow 1.15's `enable_c_shapes` and `with_c_shapes` return, too."""
    return tested


# ---- parameters


def generate_combinations_with_testcase_name(**kwargs: Any) -> list[OrderedDict[str, Any]]:
    """Every combination of options, for absl's `parameterized.named_parameters`.

    >>> [c["testcase_name"] for c in generate_combinations_with_testcase_name(mode=["graph", "eager"], size=3)]
    ['_test_mode_graph_size_3', '_test_mode_eager_size_3']

    Args:
        **kwargs: option=[possible values], or option=the only value.
    """
    options = sorted(kwargs.items())
    values = [[(name, value) for value in (said if isinstance(said, list) else [said])] for name, said in options]
    return [OrderedDict([*chosen, ("testcase_name", "_test" + "".join(_words(chosen)))])
            for chosen in itertools.product(*values)]


def _words(chosen: Iterable[tuple[str, Any]]) -> Iterable[str]:
    for name, value in chosen:
        yield "_{}_{}".format(*("".join(filter(str.isalnum, str(part))) for part in (name, value)))
