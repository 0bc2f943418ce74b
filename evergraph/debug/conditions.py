"""Decorators that skip a test, or every test of a class, where the machine or the build is not what it needs."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Collection
from typing import Any

from evergraph.debug.gpus import gpu_device_type, is_gpu_available
from evergraph.eager.modes import v2_behavior_enabled


def each_test(decorator: Callable[[Any], Any], cls: type, leave: tuple[str, ...] = ()) -> type:
    """The class, with its tests decorated, inherited ones too, but not those whose names begin with `leave`."""
    for name in dir(cls):
        method = getattr(cls, name)
        if callable(method) and name.startswith("test") and not name.startswith(("test_session", *leave)):
            setattr(cls, name, decorator(method))
    return cls


def for_all_test_methods(decorator: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[[type], type]:
    """A decorator of classes that applies `decorator(*args, **kwargs)` to each test."""
    return functools.partial(each_test, decorator(*args, **kwargs))


def skipped_unless(condition: Callable[[], bool], reason: str, func: Any = None) -> Any:
    """A decorator of a test, or of a class of tests: they are skipped when `condition()` is false as they begin."""

    def decorator(tested: Any) -> Any:
        if inspect.isclass(tested):
            return each_test(decorator, tested)

        @functools.wraps(tested)
        def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not condition():
                self.skipTest(reason)
            return tested(self, *args, **kwargs)

        return checked

    return decorator if func is None else decorator(func)


def skip_if(condition: Any) -> Any:
    """A decorator of a test that is skipped if a condition holds: a truth value, or a function that returns one."""
    return skipped_unless(lambda: not (condition() if callable(condition) else condition), "the condition of skip_if")


def run_v1_only(reason: str, func: Any = None) -> Any:
    """A decorator of a test that TensorFlow 2's behaviour does not pass: it runs, because this is TensorFlow 1's."""
    return skipped_unless(lambda: not v2_behavior_enabled(), reason, func)


def run_v2_only(func: Any = None) -> Any:
    """A decorator of a test that needs TensorFlow 2's behaviour: it is skipped."""
    return skipped_unless(v2_behavior_enabled, "needs the behaviour of TensorFlow 2", func)


def run_gpu_only(func: Any = None, skip_devices: Collection[str] = ()) -> Any:
    """A decorator of a test that is skipped where there is no GPU.

    Args:
        func: the test, or None where this is called with parentheses.
        skip_devices: types of devices that do not count. TensorFlow's DirectML fork has it.
    """
    return skipped_unless(lambda: is_gpu_available(skip_devices=skip_devices), "Test requires GPU", func)


def run_cuda_only(func: Any = None) -> Any:
    """A decorator of a test that is skipped where there is no GPU for CUDA."""
    return skipped_unless(lambda: is_gpu_available(cuda_only=True), "Test requires CUDA GPU", func)


def skip_dml(func: Any = None) -> Any:
    """A decorator of a test that is skipped where the GPU is DirectML's. TensorFlow's DirectML fork has it."""
    return skipped_unless(lambda: gpu_device_type() != "DML", "not on a DirectML device", func)


def is_mkl_enabled() -> bool:
    """Whether the kernels are Intel MKL's: they are not."""
    return False


def is_xla_enabled() -> bool:
    """Whether TensorFlow's tests run with its just-in-time compiler, whose numbers they then expect: False here, where
    results are held to those of TensorFlow without it."""
    return False


def disable_xla(description: str) -> Any:
    """A decorator of a test, or of a class of them, that is skipped, for the reason given, where `is_xla_enabled`."""
    return skipped_unless(lambda: not is_xla_enabled(), description)


def without_change(description: str) -> Any:
    """A decorator for an option of TensorFlow's own clustering for XLA, which is not there: the test runs as it is."""

    def decorator(tested: Any) -> Any:
        return tested

    return decorator


def deterministic(func: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator of a test which sets TF_CUDNN_DETERMINISTIC, as TensorFlow's does, while it runs.

    XLA reads flags of its own as a program starts, so a test that needs equal results on a GPU sets
    XLA_FLAGS=--xla_gpu_deterministic_ops=true outside.
    """
    name = "TF_CUDNN_DETERMINISTIC"

    @functools.wraps(func)
    def chosen(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = os.environ.get(name)
        os.environ[name] = "true"
        try:
            return func(self, *args, **kwargs)
        finally:
            os.environ.pop(name) if before is None else os.environ.update({name: before})

    return chosen
