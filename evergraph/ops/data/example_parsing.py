"""parse_example_dataset: datasets of the features of serialized Examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base.errors import invalid
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, Element, Iterator, Transformed, number
from evergraph.ops.data.prefetching import AUTOTUNE, Ahead
from evergraph.ops.sparse.serial import as_row
from evergraph.ops.strings.parsing import check_defaults, columns
from evergraph.ops.strings.walking import flat

_TYPES = "list({float, int64, string}) >= 0"
_RAGGED = {"ragged_keys": [], "ragged_value_types": [], "ragged_split_types": []}


class ParsedExamples(Transformed):
    """The features of vectors of Examples: a component for each, in the order of their keys.

    Args:
        sparse: (key, dtype) of each sparse feature.
        dense: (key, dtype, shape, default) of each dense one.
    """

    def __init__(self, node: Any, source: Any, sparse: list[Any], dense: list[Any]) -> None:
        super().__init__(node, source)
        self._sparse, self._dense = sparse, dense

    def iterate(self, scope: Any) -> Iterator:
        return _ParsingIterator(self, self.source.iterate(scope))

    def parsed(self, serialized: Any) -> Element:
        """The components of a vector of Examples."""
        if np.ndim(serialized) != 1:
            raise invalid("Input dataset must have a single vector of strings as elements")
        keys, types = zip(*self._sparse) if self._sparse else ((), ())
        dense_keys, dense_types, shapes, defaults = zip(*self._dense) if self._dense else ((), (), (), ())
        *parts, arrays = columns(flat(serialized), ["<unknown>"] * len(serialized), keys, types, dense_keys,
                                 dense_types, shapes, defaults)
        found = dict(zip(keys, map(as_row, zip(*parts, strict=True))))
        found.update(zip(dense_keys, arrays))
        return [found[key] for key in sorted(found)]


class _ParsingIterator(Iterator):
    def __init__(self, dataset: ParsedExamples, source: Iterator) -> None:
        super().__init__(source)
        self._dataset = dataset

    def get(self) -> Element | None:
        element = self.source.get()
        return None if element is None else self._dataset.parsed(element[0])


FEATURES = ("input_dataset: variant, num_parallel_calls: int64, dense_defaults: Tdense, *, "
            f"sparse_keys: list(string) >= 0, dense_keys: list(string) >= 0, sparse_types: {_TYPES}, Tdense: {_TYPES}, "
            f"dense_shapes: list(shape) >= 0, {TYPES}")
"""The inputs and attrs of the op that all its versions have."""


@two_names(f"ParseExampleDataset({FEATURES}, sloppy: bool = False)", _RAGGED)
def parse_example_dataset(node, input_dataset, num_parallel_calls, dense_defaults, sparse_keys, dense_keys,
                          sparse_types, Tdense, dense_shapes):
    """A dataset of the features of serialized Examples, in the order of the dataset even if `sloppy`."""
    calls = number(num_parallel_calls)
    if calls == 0 or calls < AUTOTUNE:
        raise invalid("num_parallel_calls must be greater than zero.")
    check_defaults(dense_defaults, dense_shapes)
    parsed = ParsedExamples(node, input_dataset, list(zip(sparse_keys, sparse_types, strict=True)),
                            list(zip(dense_keys, Tdense, dense_shapes, dense_defaults, strict=True)))
    return Ahead(node, parsed, calls) if calls != 1 else parsed
