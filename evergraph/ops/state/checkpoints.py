"""Ops that write and read checkpoints."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from evergraph.base import dtypes as types
from evergraph.base import errors, files
from evergraph.formats.bundle import BundleReader, Part, index_file, merge_bundles, write_bundle
from evergraph.formats.plain_values import decoded, encoded
from evergraph.formats.slice_files import SliceFileReader, write_slice_file
from evergraph.formats.slice_keys import Extent
from evergraph.graph.opdef import op
from evergraph.graph.shaping import require_equal, scalar, unknown, with_rank
from evergraph.graph.traits import Kind

_MUCH = 1 << 25  # reading with threads pays from this number of bytes on
_READERS = 4

# ---- the text form of slices

def parse_spec(spec: str) -> tuple[tuple[int, ...], list[Extent]]:
    """Parses a slice spec such as "10 3 0,5:-": the full shape, and the extents of the slice.

    Raises:
        InvalidArgumentError: the text is malformed.
        InternalError: the slice exceeds the shape.
    """
    *sizes, part = spec.split(" ")
    if not sizes:
        raise errors.InvalidArgumentError(
            None, None, f"shape_and_slice has sizes and a slice, got: {spec}")
    if not all(size.isdecimal() for size in sizes):
        raise errors.InvalidArgumentError(None, None, f"a size in shape_and_slice is no number: {spec}")
    shape = tuple(int(size) for size in sizes)
    extents = [_extent(text, part) for text in part.split(":")]
    if len(extents) != len(shape):
        raise errors.InternalError(None, None, f"Mismatching ranks: shape = {_brackets(shape)}, slice = {part}")
    for axis, ((start, length), size) in enumerate(zip(extents, shape)):
        if length != -1 and start + length > size:
            raise errors.InternalError(
                None, None, f"Extent in dimension {axis} out of bounds: shape = {_brackets(shape)}, slice = {part}")
    return shape, extents


def _extent(text: str, part: str) -> Extent:
    if text == "-":
        return 0, -1
    numbers = text.split(",")
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
        raise errors.InvalidArgumentError(None, None, f"an axis is cut at 'start,length' or is '-', got '{text}': "
                                          f"string = {part}")
    start, length = int(numbers[0]), int(numbers[1])
    if length <= 0:
        raise errors.InvalidArgumentError(None, None, f"a slice starts at 0 or later and has an element, got "
                                          f"start = {start}, length = {length}: string = {part}")
    return start, length


def part_shape(shape: tuple[int, ...], extents: list[Extent]) -> tuple[int, ...]:
    return tuple(size if length == -1 else length for (_, length), size in zip(extents, shape))


def _brackets(shape) -> str:
    return f"[{','.join(str(size) for size in shape)}]"


def _texts(values) -> list[str]:
    return [value.decode() for value in np.asarray(values, object).reshape(-1)]


def _text(value, what) -> str:
    if np.ndim(value):
        raise errors.InvalidArgumentError(None, None, f"Input {what} should be a scalar tensor, got shape "
                                          f"{_brackets(np.shape(value))}")
    return _texts(value)[0]


# ---- writing

def _check_lists(names, specs, count):
    if np.ndim(names) != 1 or np.ndim(specs) != 1 or not len(names) == len(specs) == count:
        raise errors.InvalidArgumentError(
            None, None, f"Expected {count} elements in tensor_names and shape_and_slices, got "
            f"{_brackets(np.shape(names))} and {_brackets(np.shape(specs))}")


def _part(name, spec, value, dtype):
    # A reference is read only now, so that at most one variable at a time is copied from its device.
    value = np.asarray(value.value if hasattr(value, "is_set") else value)
    if dtype is types.variant:
        value = _each(encoded, value)
    if not spec:
        return Part(name, value, dtype)
    shape, extents = parse_spec(spec)
    if part_shape(shape, extents) != value.shape:
        raise errors.InvalidArgumentError(
            None, None, f"shape_and_slice is {spec}, which does not match the tensor to save, of shape "
                        f"{_brackets(value.shape)}")
    return Part(name, value, dtype, shape, extents)


def _each(function, values):
    """What a function gives for each of an array's objects."""
    result = np.empty(values.shape, object)
    for place in np.ndindex(values.shape):
        result[place] = function(values[place])
    return result


def _save_shapes(prefix, tensor_names, shape_and_slices, tensors):
    with_rank(prefix, 0)
    for given in (tensor_names, shape_and_slices):
        rows, = with_rank(given, 1)
        require_equal(rows, len(tensors), "the number of names and slices is not that of the tensors")
    return []


@op("SaveV2(prefix: string, tensor_names: string, shape_and_slices: string, tensors: dtypes, *, "
    "dtypes: list(type) >= 1) -> ()", stateful=True, on="host", shape=_save_shapes, outside=True)
def save_v2(prefix, tensor_names, shape_and_slices, tensors, node):
    """Writes tensors, or slices of them, to a checkpoint."""
    _check_lists(tensor_names, shape_and_slices, len(tensors))
    rows = zip(_texts(tensor_names), _texts(shape_and_slices), tensors, node.attrs["dtypes"])
    write_bundle(_text(prefix, "prefix"), (_part(*row) for row in rows))


@op("SaveSlices(filename: string, tensor_names: string, shapes_and_slices: string, data: T, *, "
    "T: list(type) >= 1) -> ()", stateful=True, on="host",
    shape=lambda filename, tensor_names, shapes_and_slices, data: _save_shapes(
        filename, tensor_names, shapes_and_slices, data), outside=True)
def save_slices(filename, tensor_names, shapes_and_slices, data, node):
    """Writes tensors, or slices of them, to a file in the V1 checkpoint format."""
    _check_lists(tensor_names, shapes_and_slices, len(data))
    rows = zip(_texts(tensor_names), _texts(shapes_and_slices), data, node.attrs["T"])
    write_slice_file(_text(filename, "filename"), (_part(*row) for row in rows))


@op("Save(filename: string, tensor_names: string, data: T, *, T: list(type) >= 1) -> ()", stateful=True, on="host",
    shape=lambda filename, tensor_names, data: _save_shapes(filename, tensor_names, tensor_names, data), outside=True)
def save(filename, tensor_names, data, node):
    """Writes tensors to a file in the V1 checkpoint format."""
    _check_lists(tensor_names, tensor_names, len(data))
    rows = zip(_texts(tensor_names), [""] * len(data), data, node.attrs["T"])
    write_slice_file(_text(filename, "filename"), (_part(*row) for row in rows))


@op("MergeV2Checkpoints(checkpoint_prefixes: string, destination_prefix: string, *, "
    "delete_old_dirs: bool = True) -> ()", stateful=True, on="host",
    shape=lambda checkpoint_prefixes, destination_prefix: [], later={"allow_missing_files": False}, outside=True)
def merge_v2_checkpoints(checkpoint_prefixes, destination_prefix, delete_old_dirs):
    """Merges several checkpoints into one, and removes their directories if these are empty then."""
    prefixes = _texts(checkpoint_prefixes)
    merge_bundles(prefixes, _text(destination_prefix, "destination_prefix"))
    if delete_old_dirs:
        for folder in {os.path.dirname(prefix) for prefix in prefixes} - {""}:
            _remove_empty(folder)


def _remove_empty(folder):
    local = files.local_path(folder)
    if not files.isdir(folder) or files.listdir(folder):
        return
    if local is None:
        files.rmtree(folder)
    else:
        os.rmdir(local)


@op("ShardedFilename(basename: string, shard: int32, num_shards: int32) -> filename: string", on="host", shape=scalar)
def sharded_filename(basename, shard, num_shards):
    """The name of a shard: a-00001-of-00003."""
    return f"{_text(basename, 'basename')}-{int(shard):05}-of-{int(num_shards):05}".encode()


@op("ShardedFilespec(basename: string, num_shards: int32) -> filename: string", on="host", shape=scalar)
def sharded_filespec(basename, num_shards):
    """The glob pattern of all shards: a-?????-of-00003."""
    return f"{_text(basename, 'basename')}-?????-of-{int(num_shards):05}".encode()


# ---- reading

def open_checkpoint(prefix: str) -> BundleReader | SliceFileReader:
    """Opens a checkpoint in the V1 or V2 format.

    Raises:
        NotFoundError: the checkpoint does not exist.
        DataLossError: the checkpoint is corrupt.
    """
    return BundleReader(prefix) if files.exists(index_file(prefix)) else SliceFileReader(prefix)


def _restored(reader, name, spec, dtype):
    if name not in reader:
        raise errors.NotFoundError(None, None, f"Key {name} not found in checkpoint")
    stored = reader.dtype(name)
    if stored is not dtype.base_dtype:
        raise errors.InvalidArgumentError(
            None, None, f"tensor_name = {name}; expected dtype {types.short_name(dtype.base_dtype)} does not equal "
            f"original dtype {types.short_name(stored)}")
    if not spec:
        return _each(decoded, reader.read(name)) if dtype is types.variant else reader.read(name)
    shape, extents = parse_spec(spec)
    if shape != reader.shape(name):
        raise errors.InvalidArgumentError(
            None, None, f"tensor_name = {name}; the checkpoint has it with shape {_brackets(reader.shape(name))}, and "
            f"shape_and_slice says {_brackets(shape)}")
    return reader.read_part(name, extents)


def _restore_shapes(prefix, tensor_names, shape_and_slices, dtypes, value_of):
    with_rank(prefix, 0)
    for given in (tensor_names, shape_and_slices):
        rows, = with_rank(given, 1)
        require_equal(rows, len(dtypes), "the number of names and slices is not that of the dtypes")
    specs = value_of("shape_and_slices")
    if specs is None:
        return [None] * len(dtypes)
    try:
        return [part_shape(*parse_spec(spec)) if spec else None for spec in _texts(specs)]
    except errors.InvalidArgumentError as error:
        raise ValueError(error.message) from None


@op("RestoreV2(prefix: string, tensor_names: string, shape_and_slices: string, *, dtypes: list(type) >= 1) -> "
    "tensors: dtypes", stateful=True, on="host", shape=_restore_shapes, kind=Kind.RESTORE, outside=True)
def restore_v2(prefix, tensor_names, shape_and_slices, node):
    """Reads tensors, or slices of them, from a checkpoint."""
    wanted = node.attrs["dtypes"]
    _check_lists(tensor_names, shape_and_slices, len(wanted))
    reader = open_checkpoint(_text(prefix, "prefix"))
    return _all_restored(reader, _texts(tensor_names), _texts(shape_and_slices), wanted)


def _all_restored(reader, names, specs, wanted):
    """The tensors in order; large ones are read in parallel."""
    rows = [*zip(names, specs, wanted)]
    if isinstance(reader, BundleReader) and len(rows) > 1 and sum(map(reader.stored_bytes, names)) > _MUCH:
        with ThreadPoolExecutor(_READERS) as pool:
            return list(pool.map(lambda row: _restored(reader, *row), rows))
    return [_restored(reader, *row) for row in rows]


def _restore_slice_shape(file_pattern, tensor_name, shape_and_slice, value_of):
    spec = value_of("shape_and_slice")
    spec = "" if spec is None else _texts(spec)[0]
    try:
        return part_shape(*parse_spec(spec)) if spec else None
    except errors.InvalidArgumentError as error:
        raise ValueError(error.message) from None


@op("Restore(file_pattern: string, tensor_name: string, *, dt: type, preferred_shard: int = -1) -> tensor: dt",
    stateful=True, on="host", shape=unknown, outside=True)
def restore(file_pattern, tensor_name, node):
    """Reads a tensor; `preferred_shard` is not needed to find its file."""
    reader = open_checkpoint(_text(file_pattern, "file_pattern"))
    return _restored(reader, _text(tensor_name, "tensor_name"), "", node.attrs["dt"])


@op("RestoreSlice(file_pattern: string, tensor_name: string, shape_and_slice: string, *, dt: type, "
    "preferred_shard: int = -1) -> tensor: dt", stateful=True, on="host", shape=_restore_slice_shape, outside=True)
def restore_slice(file_pattern, tensor_name, shape_and_slice, node):
    """Reads a slice of a tensor."""
    reader = open_checkpoint(_text(file_pattern, "file_pattern"))
    return _restored(reader, _text(tensor_name, "tensor_name"), _text(shape_and_slice, "shape_and_slice"),
                     node.attrs["dt"])
