"""Parsing of serialized Examples to tensors: ParseExample and ParseSingleExample; and Examples in JSON."""

from __future__ import annotations

import numpy as np

import evergraph.proto as protos
from evergraph.base.errors import invalid
from evergraph.base.shapes import text as shape_text
from evergraph.formats.examples import Batch, dense_column, sparse_column
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import same_as, with_rank
from evergraph.kernel.rows import Rows, of_first, one_by_one
from evergraph.ops.strings.strings import as_bytes, shown
from evergraph.ops.strings.walking import each, flat
from evergraph.proto.json import from_json

_TYPES = "list({float, int64, string}) >= 0"
_OUTPUTS = "sparse_values: sparse_types, {}, dense_values: Tdense"


def key_text(key):
    """A feature's key, from a scalar tensor or an attr."""
    key = as_bytes(key) if isinstance(key, str) else key.item() if isinstance(key, np.ndarray) else key
    return key.decode(errors="replace")


def check_defaults(defaults, shapes):
    """Checks each default: the value of a missing feature, or one padding value."""
    for place, (default, shape) in enumerate(zip(defaults, shapes)):
        have = default.shape
        if shape and shape[0] is None:
            if default.size != 1:
                raise invalid(f"dense_shape[{place}] is {shape_text(shape)}, of variable length, so "
                              f"def_value[{place}] is one element, with which short lists are padded; "
                              f"its shape is {shown(have)}")
        elif default.size and have != tuple(shape):
            raise invalid(f"def_value[{place}].shape() == {shown(have)} is not compatible with "
                          f"dense_shapes_[{place}] == {shape_text(shape)}")


def names_of(names, serialized):
    """The name of each example in error messages.

    Raises:
        InvalidArgumentError: the examples are no vector, or they and the names are of different numbers.
    """
    if np.ndim(serialized) != 1:
        raise invalid(f"Expected serialized to be a vector; its shape is {shown(np.shape(serialized))}")
    if not np.size(names):
        return ["<unknown>"] * len(serialized)
    if np.shape(names) != np.shape(serialized):
        raise invalid(f"each serialized example has a name: name.shape={shown(np.shape(names))}, "
                      f"serialized.shape={shown(np.shape(serialized))}")
    return [name.decode(errors="replace") for name in flat(names)]


def columns(serialized, names, sparse_keys, sparse_types, dense_keys, dense_types, dense_shapes, defaults):
    """([indices], [values], [shape]) of the sparse features, and the arrays of the dense ones."""
    sparse = [*zip(map(key_text, sparse_keys), sparse_types)]
    dense = [*zip(map(key_text, dense_keys), dense_types)]
    batch = Batch(serialized, names, sparse + dense)
    parts = [sparse_column(batch, *each) for each in sparse]
    arrays = [dense_column(batch, *each, shape, np.asarray(default, each[1]))
              for each, shape, default in zip(dense, dense_shapes, defaults)]
    return *([part[place] for part in parts] for place in range(3)), arrays


def _check_shapes(shapes):
    for place, shape in enumerate(shapes):
        if shape is None or any(size is None for size in shape[1:]):
            raise ValueError(f"dense_shapes[{place}] has unknown rank or unknown inner dimensions: "
                             f"{shape_text(shape)}")


@op(f"ParseExample(serialized: string, names: string, sparse_keys: Nsparse * string, dense_keys: Ndense * string, "
    f"dense_defaults: Tdense, *, Nsparse: int >= 0, Ndense: int >= 0, sparse_types: {_TYPES}, "
    f"Tdense: {_TYPES}, dense_shapes: list(shape) >= 0) -> sparse_indices: Nsparse * int64, "
    f"{_OUTPUTS.format('sparse_shapes: Nsparse * int64')}", on="host", grad=STOP)
def parse_example(serialized, names, sparse_keys, dense_keys, dense_defaults, sparse_types, Tdense, dense_shapes):
    """Parses the features of a batch of serialized Examples."""
    check_defaults(dense_defaults, dense_shapes)
    return columns(flat(serialized), names_of(names, serialized), sparse_keys, sparse_types, dense_keys, Tdense,
                   dense_shapes, dense_defaults)


@parse_example.shape
def _(serialized, names, sparse_types, dense_shapes):
    batch = with_rank(serialized, 1)
    with_rank(names, 1)
    _check_shapes(dense_shapes)
    count = len(sparse_types)
    return [(None, 2)] * count + [(None,)] * count + [(2,)] * count + [(*batch, *shape) for shape in dense_shapes]


@of_first
def _parsed_rows(call, node, values, count):
    """All rows by one call; then the values of sparse features are divided among the rows."""
    attrs, defaults = node.attrs, values[1:]
    if any(shape and shape[0] is None for shape in attrs["dense_shapes"]):  # rows are not padded to the longest
        return one_by_one(call, node, values, count)
    check_defaults(defaults, attrs["dense_shapes"])
    indices, found, _, dense = columns(
        values[0].values.tolist(), None, attrs["sparse_keys"], [each.np for each in attrs["sparse_types"]],
        attrs["dense_keys"], [each.np for each in attrs["Tdense"]], attrs["dense_shapes"], defaults)
    counts = [np.bincount(rows[:, 0], minlength=count) for rows in indices]
    ends = [np.cumsum(each)[:-1] for each in counts]
    return [*(Rows(np.split(rows[:, 1:], end)) for rows, end in zip(indices, ends)),
            *(Rows(np.split(each, end)) for each, end in zip(found, ends)),
            *(Rows(each[:, None]) for each in counts), *(Rows(column) for column in dense)]


@op(f"ParseSingleExample(serialized: string, dense_defaults: Tdense, *, num_sparse: int >= 0, "
    f"sparse_keys: list(string) >= 0, dense_keys: list(string) >= 0, sparse_types: {_TYPES}, "
    f"Tdense: {_TYPES}, dense_shapes: list(shape) >= 0) -> sparse_indices: num_sparse * int64, "
    f"{_OUTPUTS.format('sparse_shapes: num_sparse * int64')}", on="host", grad=STOP, in_batches=_parsed_rows)
def parse_single_example(serialized, dense_defaults, sparse_keys, dense_keys, sparse_types, Tdense, dense_shapes):
    """Parses the features of one serialized Example."""
    check_defaults(dense_defaults, dense_shapes)
    indices, values, shapes, dense = columns(
        flat(serialized), None, sparse_keys, sparse_types, dense_keys, Tdense, dense_shapes, dense_defaults)
    return [rows[:, 1:] for rows in indices], values, [shape[1:] for shape in shapes], [rows[0] for rows in dense]


@parse_single_example.shape
def _(serialized, sparse_types, dense_shapes):
    with_rank(serialized, 0)
    _check_shapes(dense_shapes)
    count = len(sparse_types)
    return [(None, 1)] * count + [(None,)] * count + [(1,)] * count + list(dense_shapes)


@op("DecodeJSONExample(json_examples: string) -> binary_examples: string", shape=same_as("json_examples"), grad=STOP,
    export=("decode_json_example", "io.decode_json_example"))
def decode_json_example(json_examples):
    """Converts Examples from protobuf's JSON form to serialized form."""
    return each(_from_json, json_examples)


def _from_json(text):
    try:
        return from_json(text, protos.example_pb2.Example()).SerializeToString()
    except ValueError as error:
        raise invalid(f"Error while parsing JSON: {error}") from None
