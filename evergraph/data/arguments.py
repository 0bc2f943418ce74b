"""Arguments of transformations as tensors."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.frontend.random import get_seed
from evergraph.graph.convert import convert_to_tensor, is_tensor_like
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise


def number(value: Any, name: str) -> Tensor:
    """An int64 tensor."""
    return convert_to_tensor(value, dtypes.int64, name=name)


def flag(value: Any, name: str) -> Tensor:
    """A bool tensor."""
    return convert_to_tensor(value, dtypes.bool, name=name)


def text(value: Any, name: str) -> Tensor:
    """A string tensor; None is the empty string."""
    return convert_to_tensor("" if value is None else value, dtypes.string, name=name)


def known_size(size: Tensor, drops: Tensor) -> int | None:
    """The static size of batches."""
    known, always = static_value(size), static_value(drops)
    return int(known) if known is not None and always is not None and bool(always) else None


def seeds_of(seed: Any) -> list[Tensor]:
    """The two seeds of a random dataset. A seed that is a tensor may be zero when it runs, which asks for another."""
    if not is_tensor_like(seed):
        first, second = get_seed(seed)
        return [number(first or 0, "seed"), number(second or 0, "seed2")]
    first, second = number(get_seed(0)[0], "seed"), basic.cast(convert_to_tensor(seed), DstT=dtypes.int64)
    both_zero = elementwise.logical_and(elementwise.equal(first, 0), elementwise.equal(second, 0))
    return [first, elementwise.select(both_zero, number(2**31 - 1, "seed2"), second)]
