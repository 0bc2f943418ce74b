"""Matrix products on CPUs, and the rules when they are computed in C: of float32 in compiled programs.

XLA hands products to a library that is fast where they are large and the left side is not transposed. Others take 1.2
to 10 times as long as with the kernel in native/products.h: gradients of weights, whose left side is transposed,
small products, for which the library's preparations and threads cost more than they gain, and many rows of few numbers,
such as colours. Batches whose left sides are
not transposed stay with XLA, which fuses a softmax into them.

On NumPy the kernel takes large products of float32 and float64, and those of few rows with a large right side, as of
one token with the weights of a layer, whose columns it divides among threads. On one thread NumPy's library is as fast,
but its threads wait for each other by spinning (kernel/openblas.py), while those of the kernel leave all to the calling
thread if they get no core.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from evergraph.kernel.foreign import available, available_now, call, call_now, with_gradient_of
from evergraph.kernel.recording import ARRAYS, plain
from evergraph.kernel.values import is_traced

_KERNEL = "products.multiply"
_TINY = 64  # multiplications; XLA computes fewer of them in a loop of its own
_LARGE = 2**21  # multiplications; XLA's library is as fast with more of them
_NARROW, _LARGE_IF_NARROW = 128, 2**23  # columns of products that the library divides badly among threads
_ROWS, _COLUMNS = 32, 8  # fewer rows do not repay the packing of a large right side, fewer columns leave lanes empty
_FEW, _MANY_ROWS = 4, 256  # terms and columns, as in native/products.h; rows that repay a call
_WIDEST = 4096  # columns; the kernel visits the rows of a wider result too often
_PACKED = 2**14  # elements of a right side that takes little time to pack
WORTH_THREADS = 2**21  # multiplications on NumPy
_READING = 4  # multiplications that take as long as to read a number of the right side, where few rows use it
_NOW = {np.dtype(np.float32): _KERNEL, np.dtype(np.float64): "products64.multiply"}
_TURNS = {turns: np.array(turns, np.int64).tobytes() for turns in itertools.product((False, True), repeat=2)}


def takes(a: Any, b: Any, is_left_turned: bool, is_right_turned: bool) -> bool:
    """Whether the kernel multiplies these: matrices, or batches of as many, of float32, of sizes where it is faster."""
    is_float = all(np.dtype(each.dtype) == np.float32 for each in (a, b))
    if not is_float or a.ndim < 2 or a.shape[:-2] != b.shape[:-2] or not (is_traced(a) or is_traced(b)):
        return False
    rows, columns, depth = sizes(a, b, is_left_turned, is_right_turned)
    return _gains(math.prod(a.shape[:-2]), rows, columns, depth, is_left_turned) and available(_KERNEL)


def _gains(count: int, rows: int, columns: int, depth: int, is_left_turned: bool) -> bool:
    """Whether the kernel is faster than XLA, as measured with one thread and with two."""
    work = rows * columns * depth
    if count == 0 or work < _TINY:
        return False
    if is_left_turned:
        return rows > 1 and 1 < columns <= _WIDEST and (rows >= _ROWS or columns * depth < _PACKED)
    if count == 1 and depth <= _FEW and 1 < columns <= _FEW:
        return rows >= _MANY_ROWS
    return (count == 1 and rows >= _ROWS and columns >= _COLUMNS
            and work < (_LARGE_IF_NARROW if columns <= _NARROW else _LARGE))


def multiply(a: Any, b: Any, is_left_turned: bool, is_right_turned: bool) -> Any:
    """The products of the matrices in the last two axes, of which either side may be transposed."""
    rows, columns, _ = sizes(a, b, is_left_turned, is_right_turned)

    def slow(a: Any, b: Any) -> Any:
        import jax

        left, right = (x.swapaxes(-1, -2) if turned else x for x, turned in ((a, is_left_turned), (b, is_right_turned)))
        return jax.numpy.matmul(left, right, precision="highest")

    kernel = lambda a, b: call(
        _KERNEL, (*a.shape[:-2], rows, columns), np.float32, (a, b), (is_left_turned, is_right_turned))
    return with_gradient_of(slow, kernel)(a, b)


def takes_now(a: Any, b: Any) -> bool:
    """Whether the kernel multiplies these on NumPy: large matrices, or batches of as many."""
    work = max(a.size * b.shape[-1], _READING * b.size)
    return work >= WORTH_THREADS and a.dtype in _NOW and a.dtype == b.dtype and a.shape[:-2] == b.shape[:-2] \
        and a.shape[-2] > 0 and b.shape[-1] >= _COLUMNS and type(a) in ARRAYS and type(b) in ARRAYS \
        and available_now(_NOW[a.dtype])


def multiply_now(a: Any, b: Any) -> Any:
    """The products of the matrices in the last two axes of NumPy arrays."""
    shape = *a.shape[:-1], b.shape[-1]
    (left, is_left_turned), (right, is_right_turned) = _in_rows(a), _in_rows(b)
    return call_now(_NOW[a.dtype], [shape], (left, right), _TURNS[is_left_turned, is_right_turned],
                    math.prod(shape) * a.shape[-1], a.dtype, takes_views=True, reading=_READING * b.size)[0]


def _in_rows(x: Any) -> tuple[Any, bool]:
    """Matrices whose rows lie side by side in memory, and whether they are the transposed ones."""
    *_, down, along = plain(x).strides
    if along == x.itemsize:
        return x, False
    return (x.swapaxes(-1, -2), True) if down == x.itemsize else (x.copy(), False)


def sizes(a: Any, b: Any, is_left_turned: bool, is_right_turned: bool) -> tuple[int, int, int]:
    """Rows and columns of a product, and the number of terms in each of its sums."""
    rows, depth = a.shape[-2:][::-1] if is_left_turned else a.shape[-2:]
    return rows, b.shape[-2] if is_right_turned else b.shape[-1], depth
