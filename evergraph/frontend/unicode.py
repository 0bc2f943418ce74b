"""tf.strings.unicode_*: strings as code points or characters, and back."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.array import concat, expand_dims, shape_of, stack
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.ragged.kind import RaggedTensor
from evergraph.frontend.ragged.tensor import convert_to_tensor_or_ragged_tensor, tensors_in
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.strings import unicode

# ---- decoding

@export("strings.unicode_decode")
def unicode_decode(input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD,
                   replace_control_characters: bool = False, name: str | None = None) -> Any:
    """The code points of each string, along a new ragged axis; those of a scalar as a vector.

    Args:
        input: strings, dense or ragged, of known rank.
        input_encoding: "UTF-8", "UTF-16-BE", "SHIFT-JIS", ...
        errors: what becomes of malformed input: "replace" puts `replacement_char`, "ignore" leaves it out, "strict"
            raises InvalidArgumentError.
        replacement_char: a code point.
        replace_control_characters: replace, or leave out, code points below 32 too.
        name: a prefix for the names of the operations.

    Raises:
        ValueError: the rank is not known.
    """
    with name_scope(name, "UnicodeDecode", tensors_in(input)):
        return _decoded(input, input_encoding, errors, replacement_char, replace_control_characters)[0]


@export("strings.unicode_decode_with_offsets")
def unicode_decode_with_offsets(input: Any, input_encoding: str, errors: str = "replace",
                                replacement_char: int = 0xFFFD, replace_control_characters: bool = False,
                                name: str | None = None) -> tuple[Any, Any]:
    """The code points of each string, and at which byte each begins. See `unicode_decode`."""
    with name_scope(name, "UnicodeDecodeWithOffsets", tensors_in(input)):
        return _decoded(input, input_encoding, errors, replacement_char, replace_control_characters, offsets=True)


@export("strings.unicode_split")
def unicode_split(input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD,
                  name: str | None = None) -> Any:
    """The characters of each string as strings, along a new ragged axis; those of a scalar as a vector.

    The encoding is "UTF-8", "UTF-16-BE" or "UTF-32-BE". For the rest see `unicode_decode`.
    """
    with name_scope(name, "UnicodeSplit", tensors_in(input)):
        codes, _ = _decoded(input, input_encoding, errors, replacement_char, False)
        return _single(codes, input_encoding, errors, replacement_char)


@export("strings.unicode_split_with_offsets")
def unicode_split_with_offsets(input: Any, input_encoding: str, errors: str = "replace",
                               replacement_char: int = 0xFFFD, name: str | None = None) -> tuple[Any, Any]:
    """The characters of each string as strings, and at which byte each begins. See `unicode_split`."""
    with name_scope(name, "UnicodeSplitWithOffsets", tensors_in(input)):
        codes, starts = _decoded(input, input_encoding, errors, replacement_char, False, offsets=True)
        return _single(codes, input_encoding, errors, replacement_char), starts


def _decoded(input: Any, encoding: str, errors: str, replacement: int, control: bool,
             offsets: bool = False) -> tuple[Any, Any]:
    """Code points, and where each begins or None."""
    input = convert_to_tensor_or_ragged_tensor(input, dtypes.string, name="input")
    rank = input.shape.rank
    if rank is None:
        raise ValueError("Rank of `input` must be statically known.")
    if rank > 1 and not isinstance(input, RaggedTensor):
        input = RaggedTensor.from_tensor(input, ragged_rank=rank - 1)
    if isinstance(input, RaggedTensor):
        parts = _decoded(input.flat_values, encoding, errors, replacement, control, offsets)
        codes, starts = (None if part is None else input.with_flat_values(part) for part in parts)
        return codes, starts
    decode = unicode.unicode_decode_with_offsets if offsets else unicode.unicode_decode
    splits, *values = decode(reshape(input, [-1]), input_encoding=encoding, errors=errors,
                             replacement_char=replacement, replace_control_characters=control)
    rows = values if rank == 0 else [RaggedTensor.from_row_splits(v, splits, validate=False) for v in values]
    return rows[0], rows[1] if offsets else None


def _single(codes: Any, encoding: str, errors: str, replacement: int) -> Any:
    """Each code point as a string of its own."""
    flat = codes.flat_values if isinstance(codes, RaggedTensor) else codes
    characters = unicode_encode(expand_dims(flat, -1), encoding, errors, replacement)
    return codes.with_flat_values(characters) if isinstance(codes, RaggedTensor) else characters


# ---- encoding

@export("strings.unicode_encode")
def unicode_encode(input: Any, output_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD,
                   name: str | None = None) -> Any:
    """A string for each row of code points.

    >>> tf.Session().run(tf.strings.unicode_encode([72, 105], "UTF-8"))
    b'Hi'

    Args:
        input: int32 code points, dense or ragged, of rank 1 or more.
        output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: what becomes of numbers that are no characters: "replace" puts `replacement_char`, "ignore" leaves them
            out where there is no way to write them, "strict" raises InvalidArgumentError.
        replacement_char: a code point.
        name: a prefix for the names of the operations.

    Raises:
        ValueError: the rank is 0, or not known.
    """
    with name_scope(name, "UnicodeEncode", tensors_in(input)):
        codes = convert_to_tensor_or_ragged_tensor(input)
        if codes.shape.rank is None:
            raise ValueError("Rank of input_tensor must be statically known.")
        form = {"output_encoding": output_encoding, "errors": errors, "replacement_char": replacement_char}
        return _encoded_rows(codes, form) if isinstance(codes, RaggedTensor) else _encoded(codes, form)


def _encoded_rows(codes: RaggedTensor, form: dict[str, Any]) -> Any:
    """The strings of ragged rows: those of the innermost axis."""
    if isinstance(codes.values, RaggedTensor):
        return codes.with_values(_encoded_rows(codes.values, form))
    if codes.values.shape.rank > 1:
        return codes.with_values(_encoded(codes.values, form))
    return unicode.unicode_encode(codes.values, codes.row_splits, **form)


def _encoded(codes: Tensor, form: dict[str, Any]) -> Tensor:
    rank = codes.shape.rank
    if rank == 0:
        raise ValueError("unicode_encode joins along the last axis: the rank is at least 1.")
    if rank == 1:
        ends = stack([0, shape_of(codes)[0]])
        return reshape(unicode.unicode_encode(codes, ends, **form), [])
    if rank == 2:
        return _encoded_rows(RaggedTensor.from_tensor(codes), form)
    sizes = shape_of(codes)
    return reshape(_encoded(reshape(codes, concat([[-1], sizes[-1:]], axis=0)), form), sizes[:-1])
