"""Ops on strings: joining, splitting, substrings, case, and conversion to and from numbers.

Strings are bytes; with a unit or an encoding, they are decoded as UTF-8. The number of pieces depends on the strings,
so everything here runs on the host.
"""
import itertools
import math
import re

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import broadcast, merge, merge_all, same_as, with_rank
from evergraph.ops.control.effects import element_text

SPACES = b" \t\n\r\x0b\x0c"
"""What C calls white space."""


def flat(strings):
    """The elements of a string tensor as a list."""
    return np.asarray(strings, object).reshape(-1).tolist()


def objects(values, shape):
    """A string tensor of this shape."""
    array = np.empty(shape, object)
    if array.ndim:
        array.reshape(-1)[:] = values
    else:
        array[()], = values
    return array


def each(function, strings):
    """Applies a function to every element of a string tensor."""
    return objects([function(s) for s in flat(strings)], np.shape(strings))


def shown(shape):
    """A shape in the format of TensorFlow's messages."""
    return f"[{','.join(map(str, shape))}]"


# ---- joining

@op("StringJoin(inputs: N * string, *, N: int >= 1, separator: string = '') -> output: string", grad=STOP)
def string_join(inputs, separator):
    """Joins the strings at the same position of all inputs, elementwise. Scalars broadcast."""
    shapes = {np.shape(x) for x in inputs if np.ndim(x)}
    if len(shapes) > 1:
        raise invalid(f"Input shapes do not match: {' vs. '.join(shown(np.shape(x)) for x in inputs if np.ndim(x))}")
    shape = shapes.pop() if shapes else ()
    columns = [flat(np.broadcast_to(np.asarray(x, object), shape)) for x in inputs]
    return objects([as_bytes(separator).join(row) for row in zip(*columns)], shape)


@string_join.shape
def _(inputs):
    if any(shape is None for shape in inputs):
        return None
    return merge_all([shape for shape in inputs if shape] or [()])


def as_bytes(text):
    """An attr's text as bytes."""
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


@op("ReduceJoin(inputs: string, reduction_indices: int32, *, keep_dims: bool = False, separator: string = '') -> "
    "output: string", grad=STOP)
def reduce_join(inputs, reduction_indices, keep_dims, separator):
    """Joins the strings along some axes, in the given order of axes."""
    inputs = np.asarray(inputs, object)
    axes = _reduced_axes(np.ravel(reduction_indices).tolist(), inputs.ndim)
    kept = [a for a in range(inputs.ndim) if a not in axes]
    outer, inner = [inputs.shape[a] for a in kept], [inputs.shape[a] for a in axes]
    # The axis joined first varies fastest.
    rows = inputs.transpose(kept + axes[::-1]).reshape(math.prod(outer), math.prod(inner))
    joined = [as_bytes(separator).join(row) for row in rows.tolist()]
    return objects(joined, [1 if a in axes else s for a, s in enumerate(inputs.shape)] if keep_dims else outer)


def _reduced_axes(given, rank):
    axes = []
    for axis in given:
        if not -rank <= axis < rank:
            raise errors.OutOfRangeError(None, None, f"Invalid reduction dimension {axis} for input with {rank} "
                                                     f"dimension(s)")
        if axis % rank in axes:
            raise invalid(f"Duplicate reduction dimension {axis}")
        axes.append(axis % rank)
    return axes


@reduce_join.shape
def _(inputs, reduction_indices, keep_dims, value_of):
    if reduction_indices is not None and len(reduction_indices) > 1:
        raise ValueError(f"Shape must be at most rank 1 but is rank {len(reduction_indices)}")
    axes = value_of("reduction_indices")
    if inputs is None or axes is None:
        return None
    rank = len(inputs)
    for axis in np.ravel(axes).tolist():
        if not -rank <= axis < rank:
            raise ValueError(f"Invalid reduction dimension {axis} for input with {rank} dimensions.")
    gone = {axis % rank for axis in np.ravel(axes).tolist()}
    return tuple(1 if a in gone else s for a, s in enumerate(inputs) if keep_dims or a not in gone)


@op("UnsortedSegmentJoin(inputs: string, segment_ids: Tindices, num_segments: Tnumsegments, *, "
    "separator: string = '', Tindices: index, Tnumsegments: index = int32) -> output: string", grad=STOP)
def unsorted_segment_join(inputs, segment_ids, num_segments, separator):
    """Joins the strings of each segment in order; an empty segment gives the empty string."""
    inputs, ids = np.asarray(inputs, object), np.asarray(segment_ids)
    _check_segments(inputs.shape, ids, num_segments)
    count = int(num_segments)
    rows = inputs.reshape(ids.size, -1) if inputs.size else inputs.reshape(ids.size, 0)
    members = [[] for _ in range(count)]
    for row, segment in enumerate(ids.reshape(-1).tolist()):
        members[segment].append(row)
    glue, inner = as_bytes(separator), inputs.shape[ids.ndim:]
    width = math.prod(inner)
    return objects([glue.join(rows[r, column] for r in of) for of in members for column in range(width)],
                   (count, *inner))


def _check_segments(shape, ids, num_segments):
    if np.ndim(num_segments):
        raise invalid("Number of segments must be a scalar")
    if num_segments < 0:
        raise invalid(f"Number of segments must be non-negative but got {num_segments}")
    if not ids.ndim:
        raise invalid("Segment_id cannot have rank 0")
    if ids.ndim > len(shape):
        raise invalid(f"Segment_id rank {ids.ndim} exceeds input rank {len(shape)}")
    for axis, (wanted, got) in enumerate(zip(shape, ids.shape)):
        if wanted != got:
            raise invalid(f"Segment dimension is {got} while input dimension is {wanted} in rank {axis}")
    if ids.size and (ids.min() < 0 or ids.max() >= num_segments):
        raise invalid("segment_ids are not allowed to exceed num_segments or to have negative values.")


@unsorted_segment_join.shape
def _(inputs, segment_ids, num_segments, value_of):
    with_rank(num_segments, 0)
    count = value_of("num_segments")
    if count is not None and count < 0:
        raise ValueError(f"Dimension size, given by scalar input 2, must be non-negative but is {count}")
    if inputs is None or segment_ids is None:
        return None
    if len(segment_ids) > len(inputs):
        raise ValueError(f"Shape must be at least rank {len(segment_ids)} but is rank {len(inputs)}")
    merge(inputs[:len(segment_ids)], segment_ids)
    return (None if count is None else int(count), *inputs[len(segment_ids):])


# ---- splitting

def _vector(strings):
    if np.ndim(strings) != 1:
        raise invalid(f"input must be a vector, got shape: {shown(np.shape(strings))}")
    return flat(strings)


def _scalar(string, what):
    if np.ndim(string):
        raise invalid(f"{what} must be a scalar, got shape: {shown(np.shape(string))}")
    return np.asarray(string, object).item()


def _as_sparse(rows):
    """Rows of different lengths as the (indices, values, shape) of a sparse matrix."""
    widths = np.fromiter(map(len, rows), np.int64, len(rows))
    values = list(itertools.chain.from_iterable(rows))
    indices = np.empty((len(values), 2), np.int64)
    indices[:, 0] = np.repeat(np.arange(len(rows)), widths)
    indices[:, 1] = np.arange(len(values)) - np.repeat(np.cumsum(widths) - widths, widths)
    return indices, objects(values, len(values)), np.array([len(rows), widths.max(initial=0)], np.int64)


@op("StringSplit(input: string, delimiter: string, *, skip_empty: bool = True) -> indices: int64, values: string, "
    "shape: int64", grad=STOP)
def string_split(input, delimiter, skip_empty):
    """Splits strings at any of the delimiter's bytes; with an empty delimiter, into single bytes."""
    strings, delimiter = _vector(input), _scalar(delimiter, "delimiter")
    return _as_sparse([_pieces(s, delimiter, skip_empty) for s in strings])


def _pieces(string, delimiter, skip_empty):
    if not delimiter:
        return [string[i:i + 1] for i in range(len(string))]
    first = delimiter[:1]
    if len(delimiter) > 1:
        string = string.translate(bytes.maketrans(delimiter, first * len(delimiter)))
    # An empty string has no pieces, not even an empty one.
    pieces = string.split(first) if string else []
    return list(filter(None, pieces)) if skip_empty else pieces


@op("StringSplitV2(input: string, sep: string, *, maxsplit: int = -1) -> indices: int64, values: string, shape: int64",
    grad=STOP)
def string_split_v2(input, sep, maxsplit):
    """Splits strings at a separator, at most `maxsplit` times; with an empty separator, at white space."""
    strings, sep = _vector(input), _scalar(sep, "sep")
    if sep:
        return _as_sparse([s.split(sep, max(maxsplit, -1)) for s in strings])
    return _as_sparse([_words(s, maxsplit) for s in strings])


def _words(string, maxsplit):
    """The words of a string. Unlike in Python, the rest after the last split counts even if it is empty."""
    if maxsplit < 0:
        return string.split()
    if not maxsplit:
        return [string]
    words, rest = [], string.lstrip(SPACES)
    while rest:
        word = rest.split(None, 1)[0]
        words.append(word)
        rest = rest[len(word):].lstrip(SPACES)
        if len(words) == maxsplit:
            words.append(rest)
            break
    return words


def _sparse_shapes(input, delimiter):
    with_rank(input, 1)
    with_rank(delimiter, 0)
    return [(None, 2), (None,), (2,)]


string_split.shape(lambda input, delimiter: _sparse_shapes(input, delimiter))
string_split_v2.shape(lambda input, sep: _sparse_shapes(input, sep))


@op("StringNGrams(data: string, data_splits: Tsplits, *, separator: string, ngram_widths: list(int) >= 0, "
    "left_pad: string, right_pad: string, pad_width: int, preserve_short_sequences: bool, Tsplits: index = int64) -> "
    "ngrams: string, ngrams_splits: Tsplits", grad=STOP)
def string_n_grams(data, data_splits, separator, ngram_widths, left_pad, right_pad, pad_width,
                   preserve_short_sequences):
    """N-grams: runs of consecutive words within each row, joined.

    Args:
        data: the concatenated words of all rows.
        data_splits: the row splits: the start of each row in `data`, and the end of the last.
        separator: the string between the words of an n-gram.
        ngram_widths: the numbers of words in an n-gram.
        left_pad: the padding before the first word.
        right_pad: the padding after the last word.
        pad_width: the number of pads at each end of a row, at most the width minus one; that many if negative.
        preserve_short_sequences: whether a row too short for every width becomes one n-gram.
    """
    if any(width <= 0 for width in ngram_widths):
        raise invalid("ngram_widths must contain positive values")
    words, splits = flat(data), np.asarray(data_splits).tolist()
    _check_splits(splits, len(words))
    glue, pads = as_bytes(separator), (as_bytes(left_pad), as_bytes(right_pad))
    rows = []
    for start, stop in zip(splits, splits[1:]):
        row = words[start:stop]
        grams = [g for width in ngram_widths for g in _ngrams(row, width, pads, _pads_of(width, pad_width), glue)]
        if preserve_short_sequences and not grams and row:
            pad = max(pad_width, 0)
            grams = [glue.join([pads[0]] * pad + row + [pads[1]] * pad)]
        rows.append(grams)
    grams = [g for row in rows for g in row]
    ends = np.cumsum([0, *map(len, rows)]) if splits else []
    return objects(grams, len(grams)), np.array(ends, np.asarray(data_splits).dtype)


def _pads_of(width, pad_width):
    return width - 1 if pad_width < 0 else min(pad_width, width - 1)


def _ngrams(row, width, pads, pad, glue):
    padded = [pads[0]] * pad + row + [pads[1]] * pad
    return [glue.join(padded[i:i + width]) for i in range(len(padded) - width + 1)]


def _check_splits(splits, size):
    if not splits:
        return
    if splits[0]:
        raise invalid(f"First split value must be 0, got {splits[0]}")
    for before, after in zip(splits, splits[1:]):
        if not before <= after <= size:
            raise invalid(f"Invalid split value {after}, must be in [{before}, {size}]")
    if splits[-1] != size:
        raise invalid(f"the last split is the end of the data, {size}, got {splits[-1]}")


@string_n_grams.shape
def _(data, data_splits):
    with_rank(data, 1)
    return [(None,), with_rank(data_splits, 1)]


# ---- substrings

@op("Substr(input: string, pos: T, len: T, *, T: index, unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE') -> output: string",
    grad=STOP)
def substr(input, pos, len, unit):
    """Substrings of `len` units from `pos` on; a negative `pos` counts from the end."""
    if np.shape(pos) != np.shape(len):
        raise invalid(f"pos and len should have the same shape, got: {shown(np.shape(pos))} vs. {shown(np.shape(len))}")
    shape = _substr_shape(np.shape(input), np.shape(pos))
    strings = flat(np.broadcast_to(np.asarray(input, object), shape))
    starts, sizes = (np.broadcast_to(x, shape).reshape(-1).tolist() for x in (pos, len))
    cut = _cut_bytes if unit == "BYTE" else _cut_characters
    cuts = []
    for place, (string, start, size) in enumerate(zip(strings, starts, sizes)):
        piece = cut(string, start, size)
        if piece is None:
            at = np.unravel_index(place, shape) if shape else (0,)
            where = at[0] if at[1:] == () else f"({', '.join(map(str, at))})"
            raise invalid(f"pos {start} out of range for string {string!r} at index {where}")
        cuts.append(piece)
    return objects(cuts, shape)


def _substr_shape(strings, starts):
    try:
        shape = np.broadcast_shapes(strings, starts)
    except ValueError:
        raise invalid(f"Incompatible shapes: {shown(strings)} vs. {shown(starts)}") from None
    if starts and strings != starts and len(shape) > 2:
        raise errors.UnimplementedError(None, None, f"Substr broadcast not implemented for {len(shape)} dimensions")
    return shape


def _cut_bytes(string, start, size):
    """A slice of a string, or None if it starts outside. A negative size extends to the end."""
    length = len(string)
    if not -length <= start <= length:
        return None
    start += length if start < 0 else 0
    return string[start:] if size < 0 else string[start:start + size]


def _cut_characters(string, start, size):
    """As `_cut_bytes`, in characters; a negative size gives an empty string."""
    bounds = [i for i, byte in enumerate(string) if not i or byte & 0xC0 != 0x80]
    count = len(bounds)
    if not -count <= start <= count:
        return None
    start += count if start < 0 else 0
    bounds.append(len(string))
    return string[bounds[start]:bounds[min(start + max(size, 0), count)]]


@substr.shape
def _(input, pos, len):
    if pos is not None and len is not None:
        merge(pos, len)
    starts = len if pos is None else pos if len is None else merge(pos, len)
    return None if starts is None or input is None else broadcast(input, starts)


@op("StringLength(input: string, *, unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE') -> output: int32", shape=same_as("input"),
    grad=STOP)
def string_length(input, unit):
    """The length of each string in bytes or UTF-8 characters."""
    count = len if unit == "BYTE" else lambda s: sum(byte & 0xC0 != 0x80 for byte in s)
    return np.array([count(s) for s in flat(input)], np.int32).reshape(np.shape(input))


@op("StringStrip(input: string) -> output: string", shape=same_as("input"), grad=STOP)
def string_strip(input):
    """Strips white space from both ends of each string."""
    return each(lambda s: s.strip(SPACES), input)


def _recased(of_bytes, of_text):
    """The kernel of an op that changes case: of ASCII letters, or of all UTF-8 letters."""
    def kernel(input, encoding):
        if encoding == "":
            return each(of_bytes, input)
        if encoding != "utf-8":
            raise invalid(f"only utf-8 or '' (no encoding) is supported, received {encoding}")
        return each(lambda s: of_text(s.decode("utf-8", "replace")).encode(), input)
    return kernel


_lower, _upper = _recased(bytes.lower, str.lower), _recased(bytes.upper, str.upper)
_lower.__doc__ = "Converts strings to lower case: ASCII letters, or with encoding 'utf-8' all letters."
_upper.__doc__ = "Converts strings to upper case: ASCII letters, or with encoding 'utf-8' all letters."
string_lower = op("StringLower(input: string, *, encoding: string = '') -> output: string", shape=same_as("input"),
                  grad=STOP)(_lower)
string_upper = op("StringUpper(input: string, *, encoding: string = '') -> output: string", shape=same_as("input"),
                  grad=STOP)(_upper)


# ---- numbers and strings

@op("AsString(input: T, *, T: {index, int8, int16, complex64, complex128, float, double, bool}, precision: int = -1, "
    "scientific: bool = False, shortest: bool = False, width: int = -1, fill: string = '') -> output: string",
    shape=same_as("input"), grad=STOP)
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
        return each(lambda b: b"true" if b else b"false", input)
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


def _check_form(dtype, kind, precision, scientific, shortest, fill):
    if scientific and shortest:
        raise invalid("a number is written in scientific or in the shortest notation")
    if len(fill) > 1:
        raise invalid("Fill string must be one or fewer characters")
    if fill and fill not in "0-+ #":
        raise invalid(f'Fill argument not supported: "{fill}"')
    if kind not in "fc" and (scientific or shortest):
        raise invalid(f"scientific and shortest format not supported for datatype {dtype}")
    if kind not in "fc" and precision >= 0:
        raise invalid(f"precision not supported for datatype {dtype}")


def _float_text(form, letter, number):
    """Formats a float as C does: non-finite numbers are never padded with zeros, and NaN has a sign."""
    if np.isfinite(number):
        return (form + letter) % number
    text = (form.replace("%0", "%", 1) + letter) % (-np.inf if np.signbit(number) else np.inf)
    return text.replace("inf", "nan") if np.isnan(number) else text


@op("StringToNumber(string_tensor: string, *, out_type: {float, double, int32, int64} = float) -> output: out_type",
    shape=same_as("string_tensor"), grad=STOP)
def string_to_number(string_tensor, out_type):
    """Parses strings as numbers, ignoring surrounding white space."""
    strings, shape = flat(string_tensor), np.shape(string_tensor)
    plain = _plain_numbers(strings, out_type)
    if plain is not None:
        return plain.reshape(shape)
    read = whole_number if out_type.kind == "i" else real_number
    values = []
    for string in strings:
        value = read(string, out_type)
        if value is None:
            raise invalid(f"StringToNumberOp could not correctly convert string: "
                          f"{string.decode('utf-8', 'backslashreplace')}")
        values.append(value)
    return np.array(values, np.float64 if out_type.kind == "f" else out_type).astype(out_type).reshape(shape)


def _plain_numbers(strings, dtype):
    """The numbers in strings of digits, points, signs and exponents, which Python reads as TensorFlow does; None where
    a string has other characters, or is no such number."""
    if b"\n".join(strings).translate(None, b"0123456789-\n" if dtype.kind == "i" else b"0123456789-+.eE\n"):
        return None
    try:
        if dtype.kind == "f":
            return np.fromiter(map(float, strings), np.float64, len(strings)).astype(dtype)
        numbers = np.fromiter(map(int, strings), np.int64, len(strings))
    except (ValueError, OverflowError):
        return None
    limits = np.iinfo(dtype)
    return numbers.astype(dtype) if ((numbers >= limits.min) & (numbers <= limits.max)).all() else None


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
    """Parses a string as a float; None if it is not one."""
    text = string.strip(SPACES)
    if not text:
        return 0.0 if string else None
    if _REAL.fullmatch(text):
        return float(text)
    found = _HEX.fullmatch(text)
    return float(int(found[1] + found[2], 16)) if found else None


# ---- formatting tensors

@op("StringFormat(inputs: T, *, T: list(type) >= 0, template: string = '%s', placeholder: string = '%s', "
    "summarize: int = 3) -> output: string", grad=STOP)
def string_format(inputs, template, placeholder, summarize):
    """Formats tensors into a template's placeholders, with the first and last few elements of each axis."""
    parts = as_bytes(template).split(as_bytes(placeholder))
    texts = [_tensor_text(np.asarray(x), summarize) for x in inputs]
    return objects([b"".join(piece for pair in zip(parts, [*texts, b""]) for piece in pair)], ())


@string_format.shape
def _(inputs, template, placeholder):
    count = template.count(placeholder)
    if count != len(inputs):
        raise ValueError(f"the template has {count} places for {len(inputs)} inputs")
    return ()


_ESCAPED = {code: element_text(bytes([code])) for code in range(128)}


def _tensor_text(x, ends):
    ends = x.size if ends < 0 else min(ends, x.size)

    def rows(part, depth):
        if depth == x.ndim:
            return _element(part[()] if isinstance(part, np.ndarray) else part)
        between = b" " if depth == x.ndim - 1 else b"\n" * (x.ndim - 1 - depth) + b" " * (depth + 1)
        texts = [rows(row, depth + 1) for row in part[:ends]]
        if len(part) > 2 * ends:
            texts.append(b"...")
        texts += [rows(row, depth + 1) for row in part[max(ends, len(part) - ends):]]
        # Even with nothing before the dots, the separating space remains.
        return b"[" + (between if not ends and texts else b"") + between.join(texts) + b"]"

    return rows(x, 0)


def _element(value):
    if isinstance(value, bytes):
        return b'"' + value.decode("latin-1").translate(_ESCAPED).encode("latin-1") + b'"'
    if isinstance(value, np.generic) and value.dtype.kind in "fV" and value.dtype.itemsize == 2:
        value = np.float32(value)
    return element_text(value).encode()
