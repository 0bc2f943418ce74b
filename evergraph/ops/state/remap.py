"""Ops that permute the rows and columns of a checkpoint's matrix for another vocabulary."""

from __future__ import annotations

import itertools

import numpy as np

from evergraph.base import dtypes, errors, files
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import with_rank
from evergraph.ops.state.checkpoints import open_checkpoint


def _scalar_text(value, what) -> str:
    if np.size(value) != 1:
        raise errors.InvalidArgumentError(None, None, f"{what} should be a single string, got shape {np.shape(value)}")
    return np.asarray(value, object).reshape(-1)[0].decode()


def _lines(path, start, stop):
    """The lines of a vocabulary from `start` to `stop`; empty if it ends before."""
    system, inner = files.located(path)
    with files.told_as_op_errors(path), system.open(inner, "rb") as file:
        return [line.rstrip(b"\r\n") for line in itertools.islice(file, start, stop)]


@op("GenerateVocabRemapping(new_vocab_file: string, old_vocab_file: string, *, new_vocab_offset: int >= 0, "
    "num_new_vocab: int >= 0, old_vocab_size: int >= -1 = -1) -> remapping: int64, num_present: int32", on="host",
    shape=lambda new_vocab_file, old_vocab_file, num_new_vocab: [(num_new_vocab,), ()], outside=True)
def generate_vocab_remapping(new_vocab_file, old_vocab_file, new_vocab_offset, num_new_vocab, old_vocab_size):
    """The index of each word of a new vocabulary in the old one (-1: missing), and the number of words found."""
    old = _lines(_scalar_text(old_vocab_file, "old_vocab_file"), 0, None if old_vocab_size == -1 else old_vocab_size)
    place = {word: number for number, word in enumerate(old)}
    if len(place) != len(old):
        raise errors.InvalidArgumentError(None, None, "the old vocabulary has a word twice")
    new = _lines(_scalar_text(new_vocab_file, "new_vocab_file"), new_vocab_offset, new_vocab_offset + num_new_vocab)
    if len(new) != num_new_vocab:
        raise errors.InvalidArgumentError(None, None, f"the new vocabulary has {len(new)} words from "
                                          f"{new_vocab_offset} on; {num_new_vocab} are wanted")
    remapping = np.array([place.get(word, -1) for word in new], np.int64)
    return remapping, np.int32((remapping >= 0).sum())


def _matrix_shape(ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values, num_rows, num_cols):
    with_rank(row_remapping, 1)
    with_rank(col_remapping, 1)
    return num_rows, num_cols


@op("LoadAndRemapMatrix(ckpt_path: string, old_tensor_name: string, row_remapping: int64, col_remapping: int64, "
    "initializing_values: float, *, num_rows: int >= 0, num_cols: int >= 1, max_rows_in_memory: int = -1) -> "
    "output_matrix: float", stateful=True, on="host", shape=_matrix_shape, grad=STOP, outside=True)
def load_and_remap_matrix(ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values, num_rows,
                          num_cols, max_rows_in_memory):
    """Loads a matrix from a checkpoint with rows and columns permuted; -1 means an initializing value."""
    name = _scalar_text(old_tensor_name, "old_tensor_name")
    reader = open_checkpoint(_scalar_text(ckpt_path, "ckpt_path"))
    if len(reader.shape(name)) != 2:
        raise errors.InvalidArgumentError(None, None, f"Old tensor should have rank 2, got {reader.shape(name)}")
    if reader.dtype(name) is not dtypes.float32:
        raise errors.InvalidArgumentError(None, None, f"{name} is {reader.dtype(name).name}, not float32")
    old_rows, old_cols = reader.shape(name)
    rows = _checked(row_remapping, num_rows, old_rows, "row")
    cols = _checked(col_remapping, num_cols, old_cols, "column") if np.size(col_remapping) else np.arange(old_cols)
    if len(cols) != num_cols:
        raise errors.InvalidArgumentError(None, None, f"num_cols is {num_cols}, the old matrix has {old_cols} columns")
    result = np.empty((num_rows, num_cols), np.float32)
    known = (rows >= 0)[:, None] & (cols >= 0)[None, :]
    if np.size(initializing_values) != (~known).sum():
        raise errors.InvalidArgumentError(None, None, f"{(~known).sum()} values are missing, "
                                          f"{np.size(initializing_values)} initializing_values are given")
    for start, block in _row_blocks(reader, name, old_rows, max_rows_in_memory):
        inside = np.flatnonzero((rows >= start) & (rows < start + len(block)))
        places = np.flatnonzero(cols >= 0)
        result[np.ix_(inside, places)] = block[np.ix_(rows[inside] - start, cols[places])]
    result[~known] = np.reshape(initializing_values, -1)
    return result


def _row_blocks(reader, name, rows, at_a_time):
    """(first row, rows) of a stored matrix, in blocks of limited size."""
    size = rows if at_a_time <= 0 else at_a_time
    for start in range(0, rows, max(size, 1)):
        count = min(size, rows - start)
        yield start, reader.read(name) if count == rows else reader.read_part(name, [(start, count), (0, -1)])


def _checked(remapping, count, old, what):
    remapping = np.asarray(remapping)
    if len(remapping) != count:
        raise errors.InvalidArgumentError(None, None, f"the {what} remapping has {len(remapping)} entries, not {count}")
    used = remapping[remapping >= 0]
    if (used >= old).any():
        raise errors.InvalidArgumentError(None, None, f"the {what} remapping names {what} {used.max()} of {old}")
    if len(np.unique(used)) != len(used):
        raise errors.UnimplementedError(None, None, f"the {what} remapping uses an old {what} more than once")
    return remapping
