"""Ops on strings: joining, splitting, substrings, case, and conversion to and from numbers.

Strings are bytes; with a unit or an encoding, they are decoded as UTF-8. The number of pieces depends on the strings,
so everything here runs on the host.
"""
import functools
import itertools
import math

import numpy as np

from evergraph import native
from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import broadcast, merge, merge_all, same_as, with_rank
from evergraph.kernel.rows import Rows, along_first, elementwise, one_by_one
from evergraph.ops.control.effects import element_text, element_texts
from evergraph.ops.strings.walking import each, flat, objects, vector, walk

SPACES = b" \t\n\r\x0b\x0c"
"""What C calls white space."""


def shown(shape):
    """A shape in the format of TensorFlow's messages."""
    return f"[{','.join(map(str, shape))}]"


# ---- joining

def _rows_of_joined(call, node, values, count):
    """At once if each string of a row has one partner in each input, or a string that is the same for all."""
    ranks = {value.values.ndim for value in values if isinstance(value, Rows) and value.is_even}
    is_plain = len(ranks) == 1 and not any(map(np.ndim, (value for value in values if not isinstance(value, Rows))))
    return (elementwise if is_plain else one_by_one)(call, node, values, count)


@op("StringJoin(inputs: N * string, *, N: int >= 1, separator: string = '') -> output: string", grad=STOP,
    in_batches=_rows_of_joined)
def string_join(inputs, separator):
    """Joins the strings at the same position of all inputs, elementwise. Scalars broadcast."""
    shapes = {np.shape(x) for x in inputs if np.ndim(x)}
    if len(shapes) > 1:
        raise invalid(f"Input shapes do not match: {' vs. '.join(shown(np.shape(x)) for x in inputs if np.ndim(x))}")
    shape = shapes.pop() if shapes else ()
    columns = np.concatenate([np.broadcast_to(np.asarray(x, object), shape).reshape(-1) for x in inputs])
    count = math.prod(shape)
    return _joined(columns, np.arange(count), np.full(count, len(columns)), separator, count).reshape(shape)


def _joined(strings, starts, ends, separator, step=1):
    """Joins strings[start:end:step] of a vector for each of the starts and ends."""
    glue = as_bytes(separator)
    join = lambda place: glue.join(strings[starts[place]:ends[place]:step].tolist())
    if native.strings is None:
        return objects([join(place) for place in range(len(starts))], len(starts))
    out = np.empty(len(starts), object)
    walk(native.strings.join, join, strings, starts, ends, max(step, 1), glue, out=out)
    return out


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
    rows = np.ascontiguousarray(inputs.transpose(kept + axes[::-1])).reshape(-1)
    starts = np.arange(math.prod(outer)) * math.prod(inner)
    return _joined(rows, starts, starts + math.prod(inner), separator).reshape(
        [1 if a in axes else s for a, s in enumerate(inputs.shape)] if keep_dims else outer)


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
    count, inner = int(num_segments), inputs.shape[ids.ndim:]
    width = math.prod(inner)
    small = ids.astype(np.uint16) if count <= 1 << 16 else ids  # which NumPy sorts faster
    order = np.argsort(small, axis=None, kind="stable")
    columns = np.ascontiguousarray(inputs.reshape(ids.size, width)[order].T).reshape(-1)
    ends = np.cumsum(np.bincount(ids.reshape(-1), minlength=count))
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)[:count]
    offsets = ids.size * np.arange(width)
    runs = [np.ascontiguousarray((bounds[:, np.newaxis] + offsets).reshape(-1)) for bounds in (starts, ends)]
    return _joined(columns, *runs, separator).reshape(count, *inner)


def _check_segments(shape, ids, num_segments):
    if np.ndim(num_segments):
        raise invalid("Number of segments must be a scalar")
    if num_segments < 0:
        raise invalid(f"num_segments must be non-negative, not {num_segments}")
    if not ids.ndim:
        raise invalid("Segment_id cannot have rank 0")
    if ids.ndim > len(shape):
        raise invalid(f"Segment_id rank {ids.ndim} exceeds input rank {len(shape)}")
    for axis, (wanted, got) in enumerate(zip(shape, ids.shape)):
        if wanted != got:
            raise invalid(f"Segment dimension is {got} while input dimension is {wanted} in rank {axis}")
    if ids.size and (ids.min() < 0 or ids.max() >= num_segments):
        raise invalid("segment_ids lie in [0, num_segments).")


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

_AT_ANY, _AT_ANY_KEEPING_EMPTY, _INTO_BYTES, _AT_SPACES, _AT_SEPARATOR = range(5)  # as the C code numbers them


def _split(strings, mode, separator, most, pieces):
    """The pieces of all strings as the (indices, values, shape) of a sparse matrix; `pieces` splits one string."""
    if np.ndim(strings) != 1:
        raise invalid(f"input must be a vector, got shape: {shown(np.shape(strings))}")
    if native.strings is None:
        return _as_sparse([pieces(string) for string in flat(strings)])
    strings = vector(strings)
    widths = np.empty(len(strings), np.int64)
    count = native.strings.count_pieces(strings, mode, separator, most, widths)
    indices, values = np.empty((count, 2), np.int64), np.empty(count, object)
    native.strings.split(strings, mode, separator, most, values, indices)
    return indices, values, np.array([len(strings), widths.max(initial=0)], np.int64)


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
    delimiter = _scalar(delimiter, "delimiter")
    mode = _INTO_BYTES if not delimiter else _AT_ANY if skip_empty else _AT_ANY_KEEPING_EMPTY
    return _split(input, mode, delimiter, -1, lambda string: _pieces(string, delimiter, skip_empty))


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
    sep, most = _scalar(sep, "sep"), max(maxsplit, -1)
    if sep:
        return _split(input, _AT_SEPARATOR, sep, most, lambda string: string.split(sep, most))
    return _split(input, _AT_SPACES, b"", most, lambda string: _words(string, most))


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
    words, splits = vector(data), np.asarray(data_splits)
    _check_splits(splits.tolist(), len(words))
    if not splits.size:
        return objects([], 0), splits
    pads = objects([as_bytes(left_pad), as_bytes(right_pad)], 2)
    lengths = np.diff(splits)
    runs = [_runs(words, lengths, width, pads, width - 1 if pad_width < 0 else min(pad_width, width - 1))
            for width in ngram_widths]
    if preserve_short_sequences:
        has_none = np.sum([counts for _, counts, _ in runs], axis=0, dtype=np.int64) == 0
        runs.append(_whole_rows(words, lengths, has_none & (lengths > 0), pads, max(pad_width, 0)))
    return _in_order_of_rows(runs, separator, len(lengths), splits.dtype)


def _runs(words, lengths, width, pads, pad):
    """All rows with their pads as a vector; how many n-grams each row has; the starts and ends of all n-grams in it."""
    padded, starts = _padded(words, lengths, pads, pad)
    counts = np.maximum(lengths + 2 * pad - width + 1, 0)
    begins = np.repeat(starts, counts) + np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return padded, counts, (begins, begins + width)


def _whole_rows(words, lengths, is_wanted, pads, pad):
    """As `_runs`, with one n-gram of all words for each of the wanted rows."""
    padded, starts = _padded(words, lengths, pads, pad)
    return padded, is_wanted.astype(np.int64), (starts[is_wanted], (starts + lengths + 2 * pad)[is_wanted])


def _padded(words, lengths, pads, pad):
    """Rows with so many pads at each end, one after another, and where each begins."""
    ends = np.cumsum(lengths + 2 * pad)
    starts = ends - lengths - 2 * pad
    padded = np.empty(ends[-1] if len(ends) else 0, object)
    for offset in range(pad):
        padded[starts + offset], padded[ends - 1 - offset] = pads
    padded[np.arange(len(words)) + np.repeat(pad * (2 * np.arange(len(lengths)) + 1), lengths)] = words
    return padded, starts


def _in_order_of_rows(runs, separator, rows, dtype):
    """The n-grams of several runs, those of each row together, and the splits between rows."""
    if not runs:
        return objects([], 0), np.zeros(rows + 1, dtype)
    offsets = np.cumsum([0, *(len(padded) for padded, _, _ in runs)])
    owners = np.concatenate([np.repeat(np.arange(rows), counts) for _, counts, _ in runs]).astype(np.int64)
    order = np.argsort(owners, kind="stable")
    bounds = [np.concatenate([bound[side] + offset for (_, _, bound), offset in zip(runs, offsets)]).astype(np.int64)
              for side in (0, 1)]
    grams = _joined(np.concatenate([padded for padded, _, _ in runs]), *(bound[order] for bound in bounds), separator)
    return grams, np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=rows))]).astype(dtype)


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

def _parts_of_rows(call, node, values, count):
    is_plain = not any(map(np.ndim, values[1:]))  # numbers that are the same for all strings
    return (along_first if is_plain else one_by_one)(call, node, values, count)


@op("Substr(input: string, pos: T, len: T, *, T: index, unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE') -> output: string",
    grad=STOP, in_batches=_parts_of_rows)
def substr(input, pos, len, unit):
    """Substrings of `len` units from `pos` on; a negative `pos` counts from the end."""
    if np.shape(pos) != np.shape(len):
        raise invalid(f"pos and len need one shape: {shown(np.shape(pos))} and {shown(np.shape(len))}")
    shape = _substr_shape(np.shape(input), np.shape(pos))
    strings = np.broadcast_to(np.asarray(input, object), shape)
    starts, sizes = (np.ascontiguousarray(x if np.size(x) == 1 else np.broadcast_to(x, shape), np.int64).reshape(-1)
                     for x in (pos, len))
    cut = _cut_bytes if unit == "BYTE" else _cut_characters

    def part(place):
        start = starts[place if starts.size > 1 else 0]
        string, size = strings[np.unravel_index(place, shape)], sizes[place if sizes.size > 1 else 0]
        piece = cut(string, int(start), int(size))
        if piece is None:
            at = np.unravel_index(place, shape) if shape else (0,)
            where = at[0] if at[1:] == () else f"({', '.join(map(str, at))})"
            raise invalid(f"pos {start} out of range for string {string!r} at index {where}")
        return piece

    count = math.prod(shape)
    if native.strings is None:
        return objects([part(place) for place in range(count)], shape)
    out = np.empty(shape, object)
    walk(native.strings.cut, part, vector(strings), starts, sizes, unit != "BYTE", out=out.reshape(-1))
    return out


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
    grad=STOP, in_batches=along_first)
def string_length(input, unit):
    """The length of each string in bytes or UTF-8 characters."""
    count = len if unit == "BYTE" else lambda s: sum(byte & 0xC0 != 0x80 for byte in s)
    return each(count, input, native.strings, "lengths", unit != "BYTE", dtype=np.int32)


@op("StringStrip(input: string) -> output: string", shape=same_as("input"), grad=STOP, in_batches=along_first)
def string_strip(input):
    """Strips white space from both ends of each string."""
    return each(lambda s: s.strip(SPACES), input, native.strings, "strip")


def _recased(name):
    """The kernel of an op that changes case: of ASCII letters, or of all UTF-8 letters."""
    of_bytes, of_text = getattr(bytes, name), getattr(str, name)

    def kernel(input, encoding):
        if encoding == "":
            return each(of_bytes, input, native.strings, name)
        if encoding != "utf-8":
            raise invalid(f"encoding is 'utf-8', or '' for bytes, not {encoding!r}")
        table = None if native.unicode is None else _cases(of_text)
        return each(lambda s: of_text(s.decode("utf-8", "replace")).encode(), input, native.unicode, "recase", table)
    return kernel


@functools.cache
def _cases(of_text):
    """The other case of each of the first code points; -1 for those that become several or depend on others."""
    others = [of_text(chr(code)) for code in range(1 << 16)]
    table = np.array([ord(other) if len(other) == 1 else -1 for other in others], np.int32)
    table[ord("Σ")] = -1  # at the end of a word it becomes another letter
    return table


_lower, _upper = _recased("lower"), _recased("upper")
_lower.__doc__ = "Converts strings to lower case: ASCII letters, or with encoding 'utf-8' all letters."
_upper.__doc__ = "Converts strings to upper case: ASCII letters, or with encoding 'utf-8' all letters."
string_lower = op("StringLower(input: string, *, encoding: string = '') -> output: string", shape=same_as("input"),
                  grad=STOP, in_batches=along_first)(_lower)
string_upper = op("StringUpper(input: string, *, encoding: string = '') -> output: string", shape=same_as("input"),
                  grad=STOP, in_batches=along_first)(_upper)


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
    shown = x
    for axis, size in enumerate(x.shape):
        if size > 2 * ends:
            shown = shown.take(np.array([*range(ends), *range(size - ends, size)], np.intp), axis)
    texts = iter(_element_texts(shown.reshape(-1)))

    def rows(depth):
        if depth == x.ndim:
            return next(texts)
        between = b" " if depth == x.ndim - 1 else b"\n" * (x.ndim - 1 - depth) + b" " * (depth + 1)
        found = [rows(depth + 1) for _ in range(shown.shape[depth])]
        if x.shape[depth] > 2 * ends:
            found.insert(ends, b"...")
        # Even with nothing before the dots, the separating space remains.
        return b"[" + (between if not ends and found else b"") + between.join(found) + b"]"

    return rows(0)


def _element_texts(elements):
    if elements.dtype.kind in "fV" and elements.dtype.itemsize == 2:
        elements = elements.astype(np.float32)
    if elements.dtype != object:
        return [text.encode() for text in element_texts(elements)]
    return [b'"' + element.decode("latin-1").translate(_ESCAPED).encode("latin-1") + b'"'
            if isinstance(element, bytes) else element_text(element).encode() for element in elements]
