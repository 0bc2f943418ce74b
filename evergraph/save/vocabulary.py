"""Initializes matrices from a checkpoint with another vocabulary."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.state import variables as ops
from evergraph.ops.state.remap import generate_vocab_remapping, load_and_remap_matrix


@export("train.VocabInfo", "estimator.VocabInfo")
class VocabInfo(
    collections.namedtuple(
        "VocabInfo",
        ["new_vocab", "new_vocab_size", "num_oov_buckets", "old_vocab", "old_vocab_size", "backup_initializer", "axis"],
    )
):
    """The current vocabulary of a variable and that of its checkpoint; see `tf.train.warm_start`.

    Args:
        new_vocab: the file with the current words, one per line.
        new_vocab_size: the number of words to use.
        num_oov_buckets: the number of additional rows or columns for out-of-vocabulary words.
        old_vocab: the file with the words of the checkpoint.
        old_vocab_size: the number of words that were used; -1 for all.
        backup_initializer: the initializer of words that the checkpoint lacks; zeros by default.
        axis: 0 if words are rows, 1 if they are columns.
    """

    def __new__(
        cls, new_vocab: Any, new_vocab_size: int, num_oov_buckets: int, old_vocab: Any, old_vocab_size: int = -1,
        backup_initializer: Any = None, axis: int = 0,
    ) -> VocabInfo:  # fmt: skip
        if axis not in (0, 1):
            raise ValueError(f"axis must be 0 or 1, got {axis}")
        return super().__new__(cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size,
                               backup_initializer, axis)  # fmt: skip


def start_with_vocabulary(parts: list[Any], name: str, path: str, info: VocabInfo) -> None:
    """Gives a matrix, or all its parts, an initializer that looks up its words in the checkpoint."""
    for part in parts:
        slice_info = part._get_save_slice_info()
        first = slice_info.var_offset[0] if slice_info is not None else 0
        value = _remapped(path, name, info, part.shape.as_list(), first)
        part._initializer_op = _assignment(part, value)
        part._initial_value = value


def _assignment(variable: Any, value: Tensor) -> Any:
    if variable._ref().dtype.base_dtype is dtypes.resource:
        return ops.assign_variable_op(variable.handle, value)
    return ops.assign(variable._ref(), value).op


def _remapped(path: str, name: str, info: VocabInfo, shape: list[int], first: int) -> Tensor:
    """The rows from `first` on, of the given shape."""
    if len(shape) != 2:
        raise ValueError(f"Variables with a vocabulary must be matrices; {name} has shape {shape}")
    fill = info.backup_initializer or zeros_initializer()
    start, size = (first, shape[0]) if info.axis == 0 else (0, shape[1])
    known = max(0, min(size, info.new_vocab_size - start))
    where, present = generate_vocab_remapping(
        info.new_vocab, info.old_vocab, new_vocab_offset=start, num_new_vocab=known,
        old_vocab_size=info.old_vocab_size)  # fmt: skip
    if info.axis == 0:
        rows, cols, inside = where, convert_to_tensor([], dtypes.int64), [known, shape[1]]
        missing = shape[1] * (known - present)
    else:
        rows = array.constant(list(range(first, first + shape[0])), dtypes.int64)
        cols, inside, missing = where, [shape[0], known], shape[0] * (known - present)
    values = reshape(_filled(fill, inside), [-1])[:missing]  # initializers need a static shape
    matrix = load_and_remap_matrix(path, name, rows, cols, values, num_rows=inside[0], num_cols=inside[1])
    rest = [shape[0] - inside[0], shape[1] - inside[1]]
    if not rest[info.axis]:
        return matrix
    other = [rest[0], shape[1]] if info.axis == 0 else [shape[0], rest[1]]
    return array.concat([matrix, _filled(fill, other)], info.axis)


def _filled(fill: Callable[..., Any], shape: list[Any]) -> Tensor:
    return convert_to_tensor(fill(shape, dtype=dtypes.float32))
