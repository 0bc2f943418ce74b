"""tf.strings: joining, splitting, matching and measuring strings.

Elementwise functions also accept ragged tensors.
"""
from __future__ import annotations

import functools
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.array import concat, constant, expand_dims, one_of, shape_of
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.ragged.elements import map_flat_values
from evergraph.frontend.ragged.kind import RaggedTensor
from evergraph.frontend.ragged.reduce import joined
from evergraph.frontend.ragged.tensor import convert_to_tensor_or_ragged_tensor, is_ragged, tensors_in
from evergraph.frontend.ragged.value import RaggedTensorValue
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import is_tensor_like, to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.overloads import overloadable
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.ops.strings import encoding, hashing, numbers, regex, strings
from evergraph.ops.strings import unicode as unicode_ops


def over_rows(function, parameter="input"):
    """Extends an elementwise function to ragged tensors; `parameter` is the name of the first argument."""
    @functools.wraps(function)
    def over(*args, **kwargs):
        given = args[0] if args else kwargs.get(parameter)
        if not isinstance(given, (RaggedTensor, RaggedTensorValue)):
            return function(*args, **kwargs)
        rows = convert_to_tensor_or_ragged_tensor(given)
        if args:
            return rows.with_flat_values(function(rows.flat_values, *args[1:], **kwargs))
        return rows.with_flat_values(function(**{**kwargs, parameter: rows.flat_values}))
    return over


strip = export("strings.strip", "string_strip")(over_rows(strings.string_strip))
lower = export("strings.lower")(over_rows(strings.string_lower))
upper = export("strings.upper")(over_rows(strings.string_upper))
as_string = export("as_string", "strings.as_string", "dtypes.as_string")(over_rows(numbers.as_string))
unicode_script = export("strings.unicode_script")(over_rows(unicode_ops.unicode_script))
unicode_transcode = export("strings.unicode_transcode")(over_rows(unicode_ops.unicode_transcode))
encode_base64 = export("encode_base64", "io.encode_base64")(over_rows(encoding.encode_base64))
decode_base64 = export("decode_base64", "io.decode_base64")(over_rows(encoding.decode_base64))
decode_compressed = export("decode_compressed", "io.decode_compressed")(
    over_rows(encoding.decode_compressed, "bytes"))
to_hash_bucket_fast = export("string_to_hash_bucket_fast", "strings.to_hash_bucket_fast")(
    over_rows(hashing.string_to_hash_bucket_fast))
to_hash_bucket_strong = export("string_to_hash_bucket_strong", "strings.to_hash_bucket_strong")(
    over_rows(hashing.string_to_hash_bucket_strong))
unsorted_segment_join = export("strings.unsorted_segment_join")(strings.unsorted_segment_join)


# ---- matching

def _is_text(value: Any) -> bool:
    return isinstance(value, (str, bytes))


@export("strings.regex_full_match")
@over_rows
def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Whether an RE2 regular expression matches each whole string.

    >>> tf.Session().run(tf.strings.regex_full_match(["a1", "b"], "[a-z][0-9]"))
    array([ True, False])
    """
    if _is_text(pattern):
        return regex.static_regex_full_match(input, pattern=pattern, name=name)
    return regex.regex_full_match(input, pattern, name=name)


@export("strings.regex_replace", "regex_replace")
@over_rows
def regex_replace(input: Any, pattern: Any, rewrite: Any, replace_global: bool = True,
                  name: str | None = None) -> Tensor:
    r"""Replaces matches of an RE2 regular expression in each string.

    >>> tf.Session().run(tf.strings.regex_replace("one two", r"(\w+) (\w+)", r"\2 \1"))
    b'two one'

    Args:
        input: the strings.
        pattern: the regular expression.
        rewrite: the replacement; `\0` is the match and `\1` to `\9` its groups.
        replace_global: whether to replace all matches, or only the first.
        name: a name for the operation.
    """
    if _is_text(pattern) and _is_text(rewrite):
        return regex.static_regex_replace(input, pattern=pattern, rewrite=rewrite, replace_global=replace_global,
                                          name=name)
    return regex.regex_replace(input, pattern, rewrite, replace_global=replace_global, name=name)


# ---- parts and sizes

@export("strings.length")
@over_rows
def length(input: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """The length of each string in bytes, or in characters with unit "UTF8_CHAR"."""
    return strings.string_length(input, unit=unit, name=name)


@export("strings.substr", "substr")
@over_rows
def substr(input: Any, pos: Any, len: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """Substrings of `len` bytes, or characters with unit "UTF8_CHAR", from `pos` on.

    >>> tf.Session().run(tf.strings.substr(["hello", "world"], [1, -2], [3, 2]))
    array([b'ell', b'ld'], dtype=object)

    Args:
        input: the strings.
        pos: the start, counted from the end if negative; a scalar, or of a shape that broadcasts with `input`.
        len: the length, of the shape of `pos`; truncated at the end of the string.
        name: a name for the operation.
        unit: "BYTE" or "UTF8_CHAR".
    """
    return strings.substr(input, pos, len, unit=unit, name=name)


# ---- numbers

@export("string_to_number", "strings.to_number")
@functools.partial(over_rows, parameter="string_tensor")
def to_number(string_tensor: Any = None, out_type: Any = dtypes.float32, name: str | None = None,
              input: Any = None) -> Tensor:
    """Parses strings as numbers: float32, float64, int32 or int64.

    `input` is an alias of the first argument.
    """
    given = one_of(input, "input", string_tensor, "string_tensor")
    return numbers.string_to_number(given, out_type=out_type, name=name)


@export("string_to_hash_bucket", "strings.to_hash_bucket")
@functools.partial(over_rows, parameter="string_tensor")
def to_hash_bucket(string_tensor: Any = None, num_buckets: int | None = None, name: str | None = None,
                   input: Any = None) -> Tensor:
    """The hash bucket in [0, num_buckets) of each string, by TensorFlow's oldest hash. Prefer the fast one.

    `input` is an alias of the first argument.
    """
    given = one_of(input, "input", string_tensor, "string_tensor")
    return hashing.string_to_hash_bucket(given, num_buckets=num_buckets, name=name)


@export("fingerprint")
def fingerprint(data: Any, method: Any = "farmhash64", name: str | None = None) -> Tensor:
    """An 8-byte fingerprint of each row of `data`. The only method is "farmhash64"."""
    return hashing.fingerprint(data, method, name=name)


@export("decode_raw", "io.decode_raw")
@functools.partial(over_rows, parameter="input_bytes")
def decode_raw(input_bytes: Any = None, out_type: Any = None, little_endian: bool = True, name: str | None = None,
               bytes: Any = None) -> Tensor:
    """Reinterprets the bytes of each string as numbers, along a new last axis. All strings must have one length.

    Args:
        input_bytes: the strings.
        out_type: the dtype of the numbers.
        little_endian: whether the least significant byte comes first.
        name: a name for the operation.
        bytes: an alias of `input_bytes`.

    Raises:
        TypeError: `input_bytes` or `out_type` is missing.
    """
    given = one_of(input_bytes, "input_bytes", bytes, "bytes")
    if given is None:
        raise TypeError("decode_raw() missing 1 required positional argument: 'input_bytes'")
    if out_type is None:
        raise TypeError("decode_raw() missing 1 required positional argument: 'out_type'")
    return encoding.decode_raw(given, out_type=out_type, little_endian=little_endian, name=name)


def decode_raw_of_length(input_bytes: Any, out_type: Any, little_endian: bool = True, fixed_length: Any = None,
                         name: str | None = None) -> Tensor:
    """As `tf.decode_raw`, also for strings of different lengths.

    Args:
        input_bytes: the strings.
        out_type: the dtype of the numbers.
        little_endian: whether the least significant byte comes first.
        fixed_length: the number of bytes to use; short strings are padded with zeros. None: all must have one length.
        name: a name for the operation.
    """
    if fixed_length is None:
        return encoding.decode_raw(input_bytes, out_type=out_type, little_endian=little_endian, name=name)
    return encoding.decode_padded_raw(input_bytes, fixed_length, out_type=out_type, little_endian=little_endian,
                                      name=name)


# ---- joining

@export("strings.join", "string_join")
@overloadable
def join(inputs: Any, separator: str = "", name: str | None = None) -> Any:
    """Joins the strings at the same position of all inputs, elementwise; scalars broadcast.

    >>> tf.Session().run(tf.strings.join([["a", "b"], "c"], separator="-"))
    array([b'a-c', b'b-c'], dtype=object)
    """
    return map_flat_values(lambda parts: strings.string_join(parts, separator=separator, name=name), list(inputs))


@export("strings.reduce_join", "reduce_join")
def reduce_join(inputs: Any, axis: Any = None, keep_dims: Any = None, separator: str = "", name: str | None = None,
                reduction_indices: Any = None, keepdims: Any = None) -> Tensor:
    """Joins the strings along axes.

    >>> tf.Session().run(tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=0))
    array([b'ac', b'bd'], dtype=object)

    Args:
        inputs: the strings, which may be ragged.
        axis: an axis, or several, joined in this order. By default all, starting with the last.
        keep_dims: the older name of `keepdims`.
        separator: the string between two strings.
        name: a name for the operation.
        reduction_indices: the older name of `axis`.
        keepdims: whether to keep the joined axes, with size 1.
    """
    keep = one_of(keepdims, "keepdims", keep_dims, "keep_dims")
    axis = one_of(axis, "axis", reduction_indices, "reduction_indices")
    if is_ragged(inputs):
        return joined(convert_to_tensor_or_ragged_tensor(inputs), axis, bool(keep), separator, name)
    with name_scope(None, "ReduceJoin", tensors_in(inputs, axis)):
        inputs = to_tensor(inputs)
        return strings.reduce_join(inputs, _all_axes(inputs) if axis is None else axis, keep_dims=bool(keep),
                                   separator=separator, name=name)


def _all_axes(tensor: Tensor) -> Tensor:
    """All axes, the last first."""
    rank = tensor.shape.rank
    if rank is not None:
        return constant(list(range(rank - 1, -1, -1)), dtypes.int32)
    return basic.range_(elementwise.sub(basic.rank(tensor), 1), -1, -1, name="range")


# ---- splitting

def _checked_type(result_type: str) -> None:
    if result_type not in ("SparseTensor", "RaggedTensor"):
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")


def _rows_of(indices: Tensor, values: Tensor, shape: Tensor) -> RaggedTensor:
    """The pieces of a split as a ragged tensor."""
    return RaggedTensor.from_value_rowids(values, indices[:, 0], shape[0], validate=False)


@export("string_split")
def string_split(source: Any, sep: Any = None, skip_empty: bool = True, delimiter: Any = None,
                 result_type: str = "SparseTensor", name: str | None = None) -> Any:
    """Splits strings at any of the bytes of a delimiter.

    Args:
        source: a vector of strings.
        sep: the delimiter bytes, a blank by default; if empty, every byte is a piece.
        skip_empty: whether to drop empty pieces.
        delimiter: the older name of `sep`.
        result_type: "SparseTensor" or "RaggedTensor".
        name: a prefix for the names of the operations.
    """
    _checked_type(result_type)
    sep = one_of(sep, "sep", delimiter, "delimiter")
    with name_scope(name, "StringSplit", tensors_in(source, sep)):
        sep = to_tensor(" " if sep is None else sep, dtypes.string)
        parts = strings.string_split(to_tensor(source, dtypes.string), sep, skip_empty=skip_empty)
        return SparseTensor(*parts) if result_type == "SparseTensor" else _rows_of(*parts)


@export("strings.split")
def split(input: Any = None, sep: Any = None, maxsplit: int = -1, result_type: str = "SparseTensor",
          source: Any = None, name: str | None = None) -> Any:
    """Splits strings at a separator, as Python's `str.split`.

    >>> tf.Session().run(tf.strings.split(["a b", "c"], result_type="RaggedTensor")).to_list()
    [[b'a', b'b'], [b'c']]

    Args:
        input: strings, of known rank.
        sep: the separator; if empty, splits at white space and drops empty words.
        maxsplit: the maximal number of splits; -1 for no limit.
        result_type: "SparseTensor" or "RaggedTensor".
        source: the older name of `input`.
        name: a prefix for the names of the operations.

    Raises:
        ValueError: `result_type` is neither.
    """
    input = one_of(input, "input", source, "source")
    with name_scope(name, "StringSplit", tensors_in(input)):
        input = convert_to_tensor_or_ragged_tensor(input, dtypes.string, name="input")
        if input.shape.rank == 0:
            input = expand_dims(input, 0)
        _checked_type(result_type)
        if result_type == "SparseTensor" and input.shape.rank == 1:
            return SparseTensor(*_words_of(input, sep, maxsplit))
        rows = _split_rows(input, sep, maxsplit)
        return rows.to_sparse() if result_type == "SparseTensor" else rows


def _words_of(input: Tensor, sep: Any, maxsplit: int) -> tuple[Tensor, Tensor, Tensor]:
    return strings.string_split_v2(input, to_tensor("" if sep is None else sep, dtypes.string), maxsplit=maxsplit)


def _split_rows(input: Any, sep: Any, maxsplit: int) -> RaggedTensor:
    return over_vectors(input, lambda vector: _rows_of(*_words_of(vector, sep, maxsplit)))


def over_vectors(input: Any, function: Any) -> RaggedTensor:
    """Applies a function from a vector to rows to strings of any static rank; adds one ragged axis."""
    if not isinstance(input, RaggedTensor) and input.shape.rank is not None and input.shape.rank > 1:
        input = RaggedTensor.from_tensor(input, ragged_rank=input.shape.rank - 1)
    if not isinstance(input, RaggedTensor):
        return function(input)
    inner = input.flat_values
    return input.with_flat_values(over_vectors(inner, function))


@export("strings.bytes_split")
def bytes_split(input: Any, name: str | None = None) -> Any:
    """Splits strings into single bytes, as a ragged tensor; a scalar to a vector.

    Raises:
        ValueError: the rank is unknown.
    """
    with name_scope(name, "StringsByteSplit", tensors_in(input)):
        input = convert_to_tensor_or_ragged_tensor(input, dtypes.string, name="input")
        rank = input.shape.rank
        if rank is None:
            raise ValueError("input must have a statically-known rank.")
        if rank == 0:
            return strings.string_split(expand_dims(input, 0), "", skip_empty=False).values
        return over_vectors(input, lambda vector: _rows_of(*strings.string_split(vector, "", skip_empty=False)))


# ---- n-grams

@export("strings.ngrams")
def ngrams(data: Any, ngram_width: Any, separator: str = " ", pad_values: Any = None, padding_width: int | None = None,
           preserve_short_sequences: bool = False, name: str | None = None) -> Any:
    """N-grams: runs of consecutive strings along the last axis, joined.

    >>> tf.Session().run(tf.strings.ngrams(["to", "be", "or", "not"], 3))
    array([b'to be or', b'be or not'], dtype=object)

    Args:
        data: strings, dense or ragged.
        ngram_width: the number of strings in an n-gram; or several, whose n-grams are concatenated.
        separator: the string between the strings of an n-gram.
        pad_values: a padding string, or one for the left and one for the right.
        padding_width: the number of paddings, at most and by default the width minus one.
        preserve_short_sequences: whether rows too short for every width become one n-gram.
        name: a prefix for the names of the operations.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: a width is not positive.
    """
    form = {"separator": separator, "preserve_short_sequences": preserve_short_sequences,
            **_padding(pad_values, padding_width), "ngram_widths": _widths(ngram_width)}
    with name_scope(name, "StringNGrams", tensors_in(data)):
        data = convert_to_tensor_or_ragged_tensor(data, dtypes.string, name="data")
        if isinstance(data, RaggedTensor):
            return _ngram_rows(data, form)
        rank = data.shape.rank
        if not rank:
            raise ValueError(f"the rank of data is static and 1 or more; the shape is {data.shape}")
        if rank == 1:
            ends = concat([[0], shape_of(data, None, dtypes.int64)], axis=0)
            return strings.string_n_grams(data, ends, **form).ngrams
        return _ngram_rows(RaggedTensor.from_tensor(data, ragged_rank=rank - 1), form).to_tensor()


def _ngram_rows(data: RaggedTensor, form: dict[str, Any]) -> RaggedTensor:
    if isinstance(data.values, RaggedTensor):
        return data.with_values(_ngram_rows(data.values, form))
    if data.values.shape.rank is not None and data.values.shape.rank > 1:
        inner = RaggedTensor.from_tensor(data.values, ragged_rank=data.values.shape.rank - 1)
        return data.with_values(_ngram_rows(inner, form))
    grams, splits = strings.string_n_grams(data.values, data.row_splits, **form)
    return RaggedTensor.from_row_splits(grams, splits, validate=False)


def _padding(pad_values: Any, padding_width: int | None) -> dict[str, Any]:
    if pad_values is None:
        left, right, width = "", "", 0
    else:
        pair = (pad_values, pad_values) if _is_text(pad_values) else pad_values
        if not isinstance(pair, (list, tuple)):
            raise TypeError("pad_values must be a string, a pair of strings or None")
        if len(pair) != 2 or not all(_is_text(p) for p in pair):
            raise TypeError("pad_values must be a string, a pair of strings or None")
        left, right = pair
        width = -1 if padding_width is None else padding_width
    if padding_width is not None and padding_width < 1:
        raise ValueError("padding_width must be greater than 0.")
    return {"left_pad": left, "right_pad": right, "pad_width": width}


def _widths(ngram_width: Any) -> list[int]:
    widths = list(ngram_width) if isinstance(ngram_width, (list, tuple)) else [ngram_width]
    if not all(isinstance(w, int) for w in widths):
        raise TypeError(f"ngram_width must be an integer. Got: {ngram_width}")
    if any(w < 1 for w in widths):
        raise ValueError(f"ngram_width is one or more positive widths; got {ngram_width}")
    return widths


# ---- formatting

@export("strings.format")
def format(template: Any, inputs: Any, placeholder: str = "{}", summarize: int = 3,  # noqa: A001 - TensorFlow's name
           name: str | None = None) -> Tensor:
    """Formats tensors into a template: replaces each placeholder by a tensor.

    >>> tf.Session().run(tf.strings.format("is {}", tf.constant([1, 2])))
    b'is [1 2]'

    Args:
        template: the text.
        inputs: a tensor, or a list with one for each placeholder.
        placeholder: the placeholder's text.
        summarize: the number of elements to show at each end of an axis; -1 for all.
        name: a name for the operation.

    Raises:
        ValueError: the numbers of tensors and placeholders differ.
    """
    if is_tensor_like(inputs):
        inputs = [inputs]
    wanted = template.count(placeholder)
    if wanted != len(inputs):
        raise ValueError(f"{wanted} placeholder(s) in template does not match {len(inputs)} tensor(s) provided as "
                         "input")
    return strings.string_format(list(inputs), template=template, placeholder=placeholder, summarize=summarize,
                                 name=name)
