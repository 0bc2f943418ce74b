"""Ops that write numbers as strings and read them from strings, each rounded as if by unbounded digits."""
import math
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np

from evergraph import native
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import same_as
from evergraph.kernel.rows import along_first
from evergraph.ops.strings.strings import SPACES
from evergraph.ops.strings.walking import each, objects, walk

# ---- writing

@op("AsString(input: T, *, T: {index, int8, int16, complex64, complex128, float, double, bool}, precision: int = -1, "
    "scientific: bool = False, shortest: bool = False, width: int = -1, fill: string = '') -> output: string",
    shape=same_as("input"), grad=STOP, in_batches=along_first)
def as_string(input, precision, scientific, shortest, width, fill, node):
    """Formats numbers as strings.

    Args:
        input: numbers or booleans.
        precision: the number of digits after the point of floats; 6 by default.
        scientific: whether to format floats as 1.5e+00.
        shortest: whether to use the shorter form of floats, as C's `%g`.
        width: the minimal width; numbers are right-aligned.
        fill: a flag of C's printf for padding and sign: '0', '-', '+', ' ' or '#'.
    """
    kind = np.asarray(input).dtype.kind
    _check_form(node.attrs["T"].name, kind, precision, scientific, shortest, fill)
    if kind == "b":
        return objects([b"false", b"true"], 2).take(np.ravel(input)).reshape(np.shape(input))
    if native.text is not None and width < 0 and not fill and (kind == "i" or kind == "f" and not scientific
                                                               and not shortest and precision <= _MOST_DECIMALS):
        # What a program feeds may be unaligned, or of a dtype that names its byte order.
        numbers = np.require(input, np.asarray(input).dtype.newbyteorder("="), ("C", "A"))
        return _plainly_written(numbers, 6 if precision < 0 else precision)
    form = f"%{fill}{width if width >= 0 else ''}{f'.{precision}' if precision >= 0 else ''}"
    letter = "e" if scientific else "g" if shortest else "f"
    if kind == "i":
        return each(lambda n: (f"{form}d" % n).encode(), input)
    if kind == "c":
        return each(lambda z: f"({_float_text(form, letter, z.real)},{_float_text(form, letter, z.imag)})".encode(),
                    input)
    numbers = np.ravel(input)
    if np.isfinite(numbers).all() and numbers.size:
        lines = f"{form}{letter}\n" * numbers.size % tuple(numbers.tolist())
        return objects(lines.encode().split(b"\n")[:-1], np.shape(input))
    return each(lambda x: _float_text(form, letter, x).encode(), input)


_MOST_DECIMALS = 9  # that the C code writes


def _plainly_written(numbers, decimals):
    """Numbers in digits, reals with this many decimals."""
    form, out = f"%.{decimals}f" if numbers.dtype.kind == "f" else "%d", np.empty(numbers.shape, object)
    if numbers.dtype.itemsize < 4:
        numbers = numbers.astype(np.int32)
    items = numbers.reshape(-1)
    walk(native.text.written, lambda place: _float_text(form[:-1], form[-1], items[place]).encode(), items, decimals,
         out=out.reshape(-1))
    return out


def _check_form(dtype, kind, precision, scientific, shortest, fill):
    if scientific and shortest:
        raise invalid("Cannot select both notations of a number, the scientific and the shortest")
    if len(fill) > 1:
        raise invalid("Fill string must be one or fewer bytes")
    if fill and fill not in "0-+ #":
        raise invalid(f'Fill argument not supported: "{fill}"')
    if kind not in "fc" and (scientific or shortest):
        raise invalid(f"scientific and shortest are forms of floating point numbers, not of {dtype}")
    if kind not in "fc" and precision >= 0:
        raise invalid(f"precision not supported for datatype {dtype}")


def _float_text(form, letter, number):
    """Formats a float as C does: non-finite numbers are never padded with zeros, and NaN has a sign."""
    if np.isfinite(number):
        return (form + letter) % number
    text = (form.replace("%0", "%", 1) + letter) % (-np.inf if np.signbit(number) else np.inf)
    return text.replace("inf", "nan") if np.isnan(number) else text


# ---- reading

@op("StringToNumber(string_tensor: string, *, out_type: {float, double, int32, int64} = float) -> output: out_type",
    shape=same_as("string_tensor"), grad=STOP, in_batches=along_first)
def string_to_number(string_tensor, out_type):
    """Parses strings as numbers, ignoring surrounding white space."""
    read = whole_number if out_type.kind == "i" else real_number

    def number(string):
        value = read(string, out_type)
        if value is None:
            raise invalid(f"StringToNumberOp could not correctly convert string: "
                          f"{string.decode('utf-8', 'backslashreplace')}")
        return value

    return each(number, string_tensor, native.text, "numbers", dtype=out_type)


_LONGEST_REAL = 31  # bytes, white space included
_WHOLE = re.compile(rb"-?[0-9]+")
_REAL = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|[+-]?(?:inf|nan)", re.IGNORECASE)
_HEX = re.compile(rb"([+-]?)0x([0-9a-f]+)", re.IGNORECASE)


def whole_number(string, dtype):
    """Parses a string as an integer; None if it is not one of this dtype."""
    text = string.strip(SPACES)
    if not _WHOLE.fullmatch(text):
        return None
    value, limits = int(text), np.iinfo(dtype)
    return value if limits.min <= value <= limits.max else None


def real_number(string, dtype):
    """Parses a string as a float; None if it is not one, or longer than TensorFlow takes them."""
    if len(string) > _LONGEST_REAL:
        return None
    text = string.strip(SPACES)
    if not text:
        return dtype.type(0) if string else None
    if _REAL.fullmatch(text):
        return _rounded(float(text), lambda: Fraction(Decimal(text.decode())), dtype)
    found = _HEX.fullmatch(text)
    if not found:
        return None
    whole = int(found[1] + found[2], 16)
    return _rounded(float(whole), lambda: Fraction(whole), dtype)


def _rounded(double, exact, dtype):
    """A number in a dtype, given as the double next to it, and as a function that gives its fraction.

    A double in the middle of two floats tells nothing of the side on which the number is.
    """
    with np.errstate(over="ignore"):
        near = dtype.type(double)
    if dtype != np.float32 or float(near) == double or math.isnan(double):
        return near
    toward = np.nextafter(near, np.float32(math.copysign(math.inf, double - float(near))))
    if (_bounded(near) + _bounded(toward)) / 2 != double or exact() == double:
        return near
    return toward if (exact() > double) == (toward > near) else near


def _bounded(number):
    """A float as a double; for infinity the power of two that would be the next float."""
    return float(number) if np.isfinite(number) else math.copysign(2.0**128, number)
