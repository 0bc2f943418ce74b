"""tf.contrib.periodic_resample: elements of one axis spread over the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.contrib import periodic_resample as ops


@export("contrib.periodic_resample.periodic_resample")
def periodic_resample(values: Any, shape: Sequence[int | None], name: str | None = None) -> Tensor:
    """Moves elements from one axis to the others, which grow; with whole factors this is sub-pixel convolution's step.

    Args:
        values: a tensor.
        shape: the sizes of the result, none below that of `values`; None for the axis that gives elements.
        name: a name for the operation.

    Raises:
        InvalidArgumentError: the shape is of another rank, shrinks an axis, or has not exactly one None.
    """
    sizes = [None if size is None or size < 0 else int(size) for size in shape]
    return ops.periodic_resample(convert_to_tensor(values), shape=sizes, name=name)
