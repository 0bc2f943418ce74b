"""parallel_interleave: datasets that a function makes, gone through some at a time, computed ahead."""

from __future__ import annotations

from typing import Any

from evergraph.base.errors import invalid
from evergraph.ops.data.flattening import Interleave, InterleaveIterator
from evergraph.ops.data.lanes import Lane
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, Captured, Empty, Iterator, dataset_op, number
from evergraph.ops.data.prefetching import AUTOTUNE, Ahead

_FUNCTION = "f: func, Targuments: list(type) >= 0"
_LENGTHS = "input_dataset: variant, other_arguments: Targuments, cycle_length: int64, block_length: int64"
_BUFFERS = "buffer_output_elements: int64, prefetch_input_elements: int64"


class InterleaveWithErrors(Interleave):
    """The same, except that an error that comes in place of a dataset has a turn as if it were its only element."""

    def iterate(self, scope: Any) -> Iterator:
        return _WithErrorsIterator(self, scope)


class _WithErrorsIterator(InterleaveIterator):
    def _open_next(self) -> None:
        try:
            super()._open_next()
        except Exception:
            self._arguments[self._turn], self._open[self._turn] = None, Lane(Empty())
            self._in_block += 1
            if self._in_block == self._block:
                self._pass_on()
            raise


def _interleaved(node, source, arguments, f, cycle_length, block_length, buffer_output_elements,
                 prefetch_input_elements):
    cycle, block = number(cycle_length), number(block_length)
    room, inputs = number(buffer_output_elements), number(prefetch_input_elements)
    for name, length in (("cycle_length", cycle), ("block_length", block)):
        if length <= 0:
            raise invalid(f"`{name}` must be > 0")
    if room <= 0 and room != AUTOTUNE:
        raise invalid("`buffer_output_elements` must be > 0")
    if inputs < 0 and inputs != AUTOTUNE:
        raise invalid("`prefetch_input_elements` must be >= 0")
    return Ahead(node, InterleaveWithErrors(node, source, Captured(f, arguments), cycle, block),
                 room if room == AUTOTUNE else room * cycle)


@two_names(f"ParallelInterleaveDataset({_LENGTHS}, sloppy: bool, {_BUFFERS}, *, {_FUNCTION}, {TYPES})")
def parallel_interleave_dataset(node, input_dataset, other_arguments, cycle_length, block_length,
                                buffer_output_elements, prefetch_input_elements, f):
    """Elements of datasets that a function makes, some datasets at a time, in the same order even if `sloppy`."""
    return _interleaved(node, input_dataset, other_arguments, f, cycle_length, block_length, buffer_output_elements,
                        prefetch_input_elements)


@dataset_op(f"LegacyParallelInterleaveDatasetV2({_LENGTHS}, {_BUFFERS}, *, f: func, deterministic: string = 'default', "
            f"Targuments: list(type) >= 0, {TYPES}, metadata: string = '')", {})
def legacy_parallel_interleave_dataset_v2(node, input_dataset, other_arguments, cycle_length, block_length,
                                          buffer_output_elements, prefetch_input_elements, f):
    """The same, as TensorFlow 2 writes it."""
    return _interleaved(node, input_dataset, other_arguments, f, cycle_length, block_length, buffer_output_elements,
                        prefetch_input_elements)
