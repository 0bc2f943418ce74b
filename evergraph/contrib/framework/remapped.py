"""tf.contrib.framework: initializers that read matrices from checkpoints with other vocabularies."""

from __future__ import annotations

import math as numbers
from collections.abc import Callable
from typing import Any, NamedTuple

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.variables.initializers import truncated_normal_initializer, zeros_initializer
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.state.remap import generate_vocab_remapping, load_and_remap_matrix

Initializer = Callable[..., Tensor]


class _Axis(NamedTuple):
    """Which rows or columns a matrix has: those of a vocabulary, and then those without words."""

    size: int
    old_file: Any
    new_file: Any
    old_size: int
    oov: int

    def places(self, start: int, length: int) -> tuple[Any, Any, int]:
        """(their places in the checkpoint, how many of them it has, how many have words), of a part of the axis."""
        known = max(0, min(length, self.size - start))
        if self.new_file is None:
            return array.constant(list(range(start, start + known)), dtypes.int64), known, known
        found, present = generate_vocab_remapping(self.new_file, self.old_file, new_vocab_offset=start,
                                                  num_new_vocab=known, old_vocab_size=self.old_size)
        return found, present, known


def _checked(axis: _Axis, what: str) -> _Axis:
    if (axis.old_file is None) != (axis.new_file is None):
        raise ValueError(f"the {what}s have an old vocabulary and a new one, or neither: {axis.old_file!r}, "
                         f"{axis.new_file!r}")
    if axis.size <= 0 or axis.oov < 0:
        raise ValueError(f"there is at least one {what}, and no negative number without words: {axis.size}, {axis.oov}")
    return axis


@export("contrib.framework.load_and_remap_matrix_initializer")
def load_and_remap_matrix_initializer(
        ckpt_path: Any, old_tensor_name: str, new_row_vocab_size: int, new_col_vocab_size: int,
        old_row_vocab_size: int = -1, old_row_vocab_file: Any = None, new_row_vocab_file: Any = None,
        old_col_vocab_file: Any = None, new_col_vocab_file: Any = None, num_row_oov_buckets: int = 0,
        num_col_oov_buckets: int = 0, initializer: Initializer | None = None,
        max_rows_in_memory: int = -1) -> Initializer:
    """An initializer that reads a matrix from a checkpoint, with rows and columns in another order.

    Args:
        ckpt_path: the checkpoint.
        old_tensor_name: the name of the matrix in it.
        new_row_vocab_size: how many rows have words.
        new_col_vocab_size: how many columns have words.
        old_row_vocab_size: how many words of the old file count; -1 for all.
        old_row_vocab_file: the words of the rows in the checkpoint, one per line.
        new_row_vocab_file: those of the rows to make; without a file rows stay as they are.
        old_col_vocab_file: the same for columns.
        new_col_vocab_file: the same for columns.
        num_row_oov_buckets: how many rows without words follow.
        num_col_oov_buckets: how many columns without words follow.
        initializer: what the checkpoint lacks; zeros by default.
        max_rows_in_memory: how many rows are read at a time; -1 for all.

    Raises:
        ValueError: the sizes do not fit each other, or the variable.
    """
    row = _checked(_Axis(new_row_vocab_size, old_row_vocab_file, new_row_vocab_file, old_row_vocab_size,
                         num_row_oov_buckets), "row")
    column = _checked(_Axis(new_col_vocab_size, old_col_vocab_file, new_col_vocab_file, -1, num_col_oov_buckets),
                      "column")
    path = ckpt_path[0] if isinstance(ckpt_path, (list, tuple)) else ckpt_path
    fill = zeros_initializer() if initializer is None else initializer

    def filled(shape: list[int]) -> Tensor:
        return convert_to_tensor(fill(shape, dtype=dtypes.float32))

    def remapped(shape: Any, dtype: Any = dtypes.float32, partition_info: Any = None) -> Tensor:
        part = [int(size) for size in shape]
        if part[1] != column.size + column.oov:
            raise ValueError(f"a matrix of {column.size} columns with words and {column.oov} without has another shape "
                             f"than {part}")
        start = 0 if partition_info is None else partition_info.single_offset(part)
        rows, present, known = row.places(start, part[0])
        columns, of_columns, width = column.places(0, column.size)
        missing = known * width - present * of_columns
        values = reshape(filled([known, width]), [-1])[:missing]  # initializers need a static shape
        matrix = load_and_remap_matrix(
            path, old_tensor_name, rows, convert_to_tensor([], dtypes.int64) if column.new_file is None else columns,
            values, num_rows=known, num_cols=width, max_rows_in_memory=max_rows_in_memory)
        if part[0] > known:
            matrix = array.concat([matrix, filled([part[0] - known, width])], 0)
        return array.concat([matrix, filled([part[0], column.oov])], 1) if column.oov else matrix
    return remapped


@export("contrib.framework.load_embedding_initializer")
def load_embedding_initializer(ckpt_path: Any, embedding_tensor_name: str, new_vocab_size: int, embedding_dim: int,
                               old_vocab_file: Any, new_vocab_file: Any, old_vocab_size: int = -1,
                               num_oov_buckets: int = 0, initializer: Initializer | None = None,
                               max_rows_in_memory: int = -1) -> Initializer:
    """An initializer that reads embeddings from a checkpoint with another vocabulary.

    Args:
        ckpt_path: the checkpoint.
        embedding_tensor_name: the name of the embeddings in it.
        new_vocab_size: how many words there are.
        embedding_dim: the size of an embedding.
        old_vocab_file: the words of the checkpoint, one per line.
        new_vocab_file: the words to make embeddings for.
        old_vocab_size: how many words of the old file count; -1 for all.
        num_oov_buckets: how many embeddings without words follow.
        initializer: of what the checkpoint lacks; by default truncated normal, for this size.
        max_rows_in_memory: how many embeddings are read at a time; -1 for all.
    """
    return load_and_remap_matrix_initializer(
        ckpt_path, embedding_tensor_name, new_vocab_size, embedding_dim, old_vocab_size, old_vocab_file,
        new_vocab_file, num_row_oov_buckets=num_oov_buckets,
        initializer=initializer or truncated_normal_initializer(stddev=1.0 / numbers.sqrt(embedding_dim)),
        max_rows_in_memory=max_rows_in_memory)


@export("contrib.framework.load_linear_multiclass_bias_initializer")
def load_linear_multiclass_bias_initializer(ckpt_path: Any, bias_tensor_name: str, new_class_vocab_size: int,
                                            old_class_vocab_file: Any, new_class_vocab_file: Any,
                                            num_class_oov_buckets: int = 0, initializer: Initializer | None = None,
                                            max_rows_in_memory: int = -1) -> Initializer:
    """An initializer that reads the biases of classes, [classes, 1], from a checkpoint with other classes.

    Args:
        ckpt_path: the checkpoint.
        bias_tensor_name: the name of the biases in it.
        new_class_vocab_size: how many classes there are.
        old_class_vocab_file: the classes of the checkpoint, one per line.
        new_class_vocab_file: the classes to make biases for.
        num_class_oov_buckets: how many biases without classes follow.
        initializer: what the checkpoint lacks; zeros by default.
        max_rows_in_memory: how many biases are read at a time; -1 for all.
    """
    return load_and_remap_matrix_initializer(
        ckpt_path, bias_tensor_name, new_class_vocab_size, 1, old_row_vocab_file=old_class_vocab_file,
        new_row_vocab_file=new_class_vocab_file, num_row_oov_buckets=num_class_oov_buckets, initializer=initializer,
        max_rows_in_memory=max_rows_in_memory)


@export("contrib.framework.load_variable_slot_initializer")
def load_variable_slot_initializer(
        ckpt_path: Any, old_tensor_name: str, primary_partition_info: Any, new_row_vocab_size: int,
        new_col_vocab_size: int, old_row_vocab_file: Any = None, new_row_vocab_file: Any = None,
        old_col_vocab_file: Any = None, new_col_vocab_file: Any = None, num_row_oov_buckets: int = 0,
        num_col_oov_buckets: int = 0, initializer: Initializer | None = None,
        max_rows_in_memory: int = -1) -> Initializer:
    """An initializer of a slot, which is the same part of the whole as its variable is.

    Args:
        ckpt_path: see `load_and_remap_matrix_initializer`.
        old_tensor_name: the name of the slot in the checkpoint.
        primary_partition_info: which part of the whole the variable is; None for all.
        new_row_vocab_size, new_col_vocab_size, old_row_vocab_file, new_row_vocab_file, old_col_vocab_file,
        new_col_vocab_file, num_row_oov_buckets, num_col_oov_buckets, initializer, max_rows_in_memory: see there.
    """
    whole = load_and_remap_matrix_initializer(
        ckpt_path, old_tensor_name, new_row_vocab_size, new_col_vocab_size, -1, old_row_vocab_file,
        new_row_vocab_file, old_col_vocab_file, new_col_vocab_file, num_row_oov_buckets, num_col_oov_buckets,
        initializer, max_rows_in_memory)
    return lambda shape, dtype=dtypes.float32, partition_info=None: whole(shape, dtype, primary_partition_info)
