"""Conversion between numeric dtypes, identical on both tiers.

C leaves the conversion of floats that the integer type cannot represent undefined: NumPy gives the processor's result,
XLA clips. TensorFlow's kernels give the result of x86's scalar instructions, which this module reproduces: NaN and
values out of the register's range become the register's minimum, and of a register wider than the type the low bits
are kept.
(TensorFlow 2.15 clips to 8 and 16 bits where it converts a whole vector register at once, so an element's value there
depends on how many elements follow it; see docs/edge_values.md.)
"""

import ml_dtypes
import numpy as np

_REGISTER = {"uint32": np.int64, "int64": np.int64, "uint64": np.int64}  # 32 bits for the others


def as_dtype(xp, x, dtype):
    """`x` cast to `dtype`: floats are truncated to integers, complex numbers to their real part for a real dtype."""
    source, target = np.dtype(x.dtype), np.dtype(dtype)
    if source.kind == "c" and target.kind != "c":
        x = xp.real(x)
    if is_floating(np.dtype(x.dtype)) and target.kind in "iu":
        return _integers(xp, x, target)
    if source.kind == "b" and xp is not np and target.kind not in "iu":
        return xp.where(x, target.type(1), target.type(0))  # XLA takes 0 times NaN for 0, if 0 is a converted False
    return x.astype(target)


def is_floating(dtype):
    """Whether the dtype is a real floating-point type; NumPy does not count bfloat16 as a number."""
    return dtype.kind == "f" or dtype == ml_dtypes.bfloat16


def _integers(xp, x, target):
    if x.dtype.itemsize == 2:
        x = x.astype(np.float32)  # half overflows before 2**31
    if target == np.uint64:
        return _unsigned_long(xp, x)
    return _truncated(xp, x, _REGISTER.get(target.name, np.int32)).astype(target)


def _truncated(xp, x, register):
    """The integers that a conversion to a register of this type produces."""
    least = np.iinfo(register).min
    fits = (x >= x.dtype.type(least)) & (x < x.dtype.type(-float(least)))
    if xp is np and fits.all():
        return x.astype(register)
    return xp.where(fits, xp.where(fits, x, 0).astype(register), register(least))


def _unsigned_long(xp, x):
    """Conversion to uint64: the upper half of the range is shifted into the lower, converted, and shifted back."""
    half = x.dtype.type(2.0**63)
    upper = x >= half
    low = _truncated(xp, xp.where(upper, x - half, x), np.int64).astype(np.uint64)
    top = np.uint64(2**63)
    return xp.where(upper & (x < 2 * half), low + top, xp.where(upper, top, low))
