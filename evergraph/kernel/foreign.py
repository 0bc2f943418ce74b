"""Calls of kernels in C: from XLA's programs on CPUs, and at once on NumPy arrays.

`native/ffi.h` describes what some versions of XLA's foreign function interface have in common. With other versions,
without the C code or on another platform no kernel is available to programs, and the caller uses operations of XLA
instead. A call on NumPy arrays needs neither JAX nor XLA, and returns what a program's call would, to the bit.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph import native
from evergraph.base import errors
from evergraph.kernel.fence import on_cpu
from evergraph.kernel.recording import plain, recorder_of

_INTERFACES = (("0", "3"), ("0", "4"))  # major and minor versions of the interface that native/ffi.h describes
_ARRAYS = frozenset((np.ndarray,))
_WORTH_A_THREAD = 1 << 21  # products of numbers, which take longer than it takes to wake a thread


def available(kernel: str) -> bool:
    """Whether programs that are compiled now may call the kernel, which is named MODULE.FUNCTION."""
    return on_cpu() and _registered(kernel)


def call(kernel: str, shape: Sequence[int], dtype: Any, operands: Sequence[Any], numbers: Sequence[int]) -> Any:
    """The result, of this shape and dtype, of a kernel that takes arrays and a list of integers.

    Raises:
        InvalidArgumentError: a size is negative.
    """
    return call_for_all(kernel, [(shape, dtype)], operands, numbers)[0]


def call_for_all(
    kernel: str, results: Sequence[tuple[Sequence[int], Any]], operands: Sequence[Any], numbers: Sequence[int]
) -> Sequence[Any]:
    """The results, of these shapes and dtypes, of a kernel that takes arrays and a list of integers.

    Raises:
        InvalidArgumentError: a size is negative.
    """
    import jax

    for shape, _ in results:
        if min(shape, default=0) < 0:
            raise errors.InvalidArgumentError(None, None, f"a result cannot have the shape {list(shape)}")
    specs = [jax.ShapeDtypeStruct(tuple(shape), dtype) for shape, dtype in results]
    return _call(kernel, specs, operands, numbers, {})


def call_in_place(
    kernel: str, operands: Sequence[Any], numbers: Sequence[int], changed: Sequence[int], reuses: bool
) -> Sequence[Any]:
    """The new values of the operands in the places `changed`, by a kernel that may replace them in their memory.

    Args:
        kernel: its name.
        operands: the arrays that it takes.
        numbers: the integers that it takes.
        changed: places among the operands.
        reuses: whether their memory becomes that of the results; XLA copies operands that are still needed.
    """
    import jax

    specs = [jax.ShapeDtypeStruct(operands[place].shape, operands[place].dtype) for place in changed]
    aliases = {place: number for number, place in enumerate(changed)} if reuses else {}
    return _call(kernel, specs, operands, numbers, aliases)


def _call(
    kernel: str, specs: Sequence[Any], operands: Sequence[Any], numbers: Sequence[int], aliases: dict[int, int]
) -> Sequence[Any]:
    import jax

    if not available(kernel):
        raise NotImplementedError(f"the kernel {kernel} cannot be called here")
    found: Sequence[Any] = jax.ffi.ffi_call(
        _target(kernel), specs, vmap_method="sequential", input_output_aliases=aliases)(
        *operands, numbers=np.asarray(numbers, np.int64))
    return found


def available_now(kernel: str) -> bool:
    """Whether the kernel can be called on NumPy arrays."""
    module, function = kernel.split(".")
    return hasattr(getattr(native, module, None), function)


def call_now(
    kernel: str, shapes: Sequence[Sequence[int]], operands: Sequence[Any], numbers: bytes, products: int,
    dtype: Any = np.float32, takes_views: bool = False, reading: int = 0
) -> Sequence[Any]:
    """The results, of these shapes and a dtype, of a kernel that is called with NumPy arrays.

    Args:
        kernel: its name.
        shapes: the shapes of the results.
        operands: the arrays, of the dtypes that the kernel takes.
        numbers: the integers that it takes, of 64 bits each.
        products: how many products it computes, which decides among how many threads they are divided.
        dtype: of the results.
        takes_views: whether the kernel takes arrays that are not contiguous.
        reading: products that take as long as it takes to read the arrays, where that may be longer.
    """
    call, call_on_views, function = _callable(kernel)
    results = tuple([np.empty(shape, dtype) for shape in shapes])
    recorder = None if _ARRAYS.issuperset(map(type, operands)) else recorder_of(operands)
    values = operands if recorder is None else [plain(each) for each in operands]
    work = max(products, reading)
    threads = 1 if work < _WORTH_A_THREAD else min(_cores(), 1 + work // _WORTH_A_THREAD)
    if takes_views:
        call_on_views(function, tuple(values), results, numbers, threads)
    else:
        given = tuple([each if each.flags.c_contiguous else np.ascontiguousarray(each) for each in values])
        call(function, given, results, numbers, threads)
    return results if recorder is None else recorder.foreign(function, operands, results, numbers, threads, products)


@functools.cache
def _callable(kernel: str) -> tuple[Any, Any, Any]:
    """What calls the kernels of a module at once, on contiguous arrays and on others, and the kernel."""
    module, function = kernel.split(".")
    kernels = getattr(native, module)
    return kernels.call, kernels.call_on_views, getattr(kernels, function)


@functools.cache
def _cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def with_gradient_of(slow: Any, kernel: Any) -> Any:
    """A function that calls a kernel; where JAX differentiates it, its gradient is that of `slow`."""
    import jax

    fast = jax.custom_vjp(kernel)
    fast.defvjp(lambda *given: (fast(*given), given), lambda given, dy: jax.vjp(slow, *given)[1](dy))
    return fast


def _target(kernel: str) -> str:
    return f"evergraph.{kernel}"


@functools.cache
def _registered(kernel: str) -> bool:
    """Makes a kernel known to XLA, once; False if it cannot be called."""
    import jax

    module, function = kernel.split(".")
    kernels = getattr(native, module)
    capsule = getattr(kernels, function, None)
    if capsule is None or _interface() not in _INTERFACES:
        return False
    kernels.speak(int(_interface()[1]))
    jax.ffi.register_ffi_target(_target(kernel), capsule, platform="cpu")
    return True


@functools.cache
def _interface() -> tuple[str, ...]:
    """The version of the interface that the installed XLA has, from its header."""
    import jax

    try:
        with open(os.path.join(jax.ffi.include_dir(), "xla", "ffi", "api", "c_api.h")) as header:
            text = header.read()
    except (AttributeError, OSError):
        return ()
    return tuple(re.findall(r"^#define XLA_FFI_API_M(?:AJ|IN)OR (\d+)$", text, re.MULTILINE))
