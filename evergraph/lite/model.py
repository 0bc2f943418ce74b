"""A TensorFlow Lite model while it is made: values, the steps that compute them, and subgraphs of steps."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evergraph.base import dtypes

Shape = tuple[int | None, ...]


@dataclass(frozen=True)
class Quantization:
    """How integers stand for real numbers: real = scale * (integer - zero_point), by channel where there are many."""

    scale: tuple[float, ...]
    zero_point: tuple[int, ...]
    axis: int = 0

    @classmethod
    def of_range(cls, low: float, high: float) -> Quantization:
        """Integers from 0 to 255 for a range, nudged so that zero is one of them."""
        low, high = min(low, 0.0), max(high, 0.0)
        if high == low:
            high = low + 1
        scale = (high - low) / 255
        return cls((scale,), (int(np.clip(math.floor(-low / scale + 0.5), 0, 255)),))


@dataclass(eq=False)
class Value:
    """A tensor of the model.

    Attributes:
        name: its name in the file.
        dtype: the type of its elements.
        shape: its sizes, None for those that only the run tells; None as a whole if the rank is unknown.
        data: the elements of a constant.
        quantization: what its integers stand for; of real numbers, what they are to be quantized by.

    A tensor list is one value too: its elements are the rows.
    """

    name: str
    dtype: dtypes.DType
    shape: Shape | None
    data: np.ndarray[Any, Any] | None = None
    quantization: Quantization | None = None

    @property
    def rank(self) -> int | None:
        return None if self.shape is None else len(self.shape)


@dataclass(eq=False)
class Step:
    """One operator.

    Attributes:
        code: the name of the builtin operator, or of a custom one.
        inputs: its operands; None for one that is left out.
        outputs: its results.
        options: the fields of its options in the schema.
        subgraphs: field of the options -> the subgraph whose number goes there.
        origin: what it was made of, for messages.
        is_custom: whether `code` is the name of a custom operator.
        custom: the encoded options of a custom operator.
    """

    code: str
    inputs: list[Value | None]
    outputs: list[Value]
    options: dict[str, Any] = field(default_factory=dict)
    subgraphs: dict[str, Subgraph] = field(default_factory=dict)
    origin: str = ""
    is_custom: bool = False
    custom: bytes | None = None

    def activation(self) -> int:
        return int(self.options.get("fusedActivationFunction", 0))


@dataclass(eq=False)
class Subgraph:
    """Steps in the order in which they run."""

    name: str
    inputs: list[Value] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def users(self) -> dict[Value, list[Step]]:
        """The steps that take each value."""
        found: dict[Value, list[Step]] = {}
        for step in self.steps:
            for value in step.inputs:
                if value is not None:
                    found.setdefault(value, []).append(step)
        return found

    def makers(self) -> dict[Value, Step]:
        """The step that makes each value."""
        return {value: step for step in self.steps for value in step.outputs}

    def values(self) -> list[Value]:
        """All values: inputs, then those of the steps, in order."""
        found = dict.fromkeys(self.inputs)
        for step in self.steps:
            found.update(dict.fromkeys(v for v in step.inputs if v is not None))
            found.update(dict.fromkeys(step.outputs))
        found.update(dict.fromkeys(self.outputs))
        return list(found)

    def inner(self) -> Iterable[Subgraph]:
        """The subgraphs that the steps call, and those that these call."""
        for step in self.steps:
            for subgraph in step.subgraphs.values():
                yield subgraph
                yield from subgraph.inner()
