"""Numbers of one dtype as numbers of another, the same on both tiers.

For floats that the integer type cannot hold, C leaves the answer open: NumPy gives what the processor happens to do,
XLA clips. TensorFlow's kernels give what x86's scalar instructions do, and that is spelled out here: NaN and whatever
the processor's register cannot hold become its smallest number, and of a register wider than the type the low bits
count.
(TensorFlow 2.15 clips to 8 and 16 bits where it converts a whole vector register at once, so there an element's value
depends on how many follow it; see docs/edge_values.md.)
"""

import ml_dtypes
import numpy as np

_REGISTER = {"uint32": np.int64, "int64": np.int64, "uint64": np.int64}  # 32 bits for the others


def as_dtype(xp, x, dtype):
    """`x` with its numbers in `dtype`: integers without fractions, the real part of complex numbers if it is real."""
    source, target = np.dtype(x.dtype), np.dtype(dtype)
    if source.kind == "c" and target.kind != "c":
        x = xp.real(x)
    if is_floating(np.dtype(x.dtype)) and target.kind in "iu":
        return _integers(xp, x, target)
    return x.astype(target)


def is_floating(dtype):
    """Whether it is a real floating type; NumPy takes bfloat16 for no number at all."""
    return dtype.kind == "f" or dtype == ml_dtypes.bfloat16


def _integers(xp, x, target):
    if x.dtype.itemsize == 2:
        x = x.astype(np.float32)  # half ends before 2**31
    if target == np.uint64:
        return _unsigned_long(xp, x)
    return _truncated(xp, x, _REGISTER.get(target.name, np.int32)).astype(target)


def _truncated(xp, x, register):
    """The integers that a conversion into a register of this type leaves in it."""
    least = np.iinfo(register).min
    fits = (x >= x.dtype.type(least)) & (x < x.dtype.type(-float(least)))
    if xp is np and fits.all():
        return x.astype(register)
    return xp.where(fits, xp.where(fits, x, 0).astype(register), register(least))


def _unsigned_long(xp, x):
    """64 bits without sign: the upper half of the range is shifted into the lower, converted, and shifted back."""
    half = x.dtype.type(2.0**63)
    upper = x >= half
    low = _truncated(xp, xp.where(upper, x - half, x), np.int64).astype(np.uint64)
    top = np.uint64(2**63)
    return xp.where(upper & (x < 2 * half), low + top, xp.where(upper, top, low))
