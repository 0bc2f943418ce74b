"""Passes the small arrays among the inputs of a program together: joined to one array of each dtype.

JAX takes longer to accept an array than to copy a small one. A step of a model with many features gets a hundred.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.kernel.ids import joined

_SMALL = 1 << 14  # bytes: copying as much takes about as long as passing an array
_FEW = 4  # arrays of a dtype that are passed as they are


@dataclass(frozen=True)
class Parcel:
    """Inputs of one dtype that travel as one array.

    Attributes:
        places: where they are among the inputs.
        shapes: their shapes.
        size: the number of their elements.
    """

    places: tuple[int, ...]
    shapes: tuple[tuple[int, ...], ...]
    size: int


@dataclass(frozen=True)
class Packing:
    """Which of the inputs of a program travel together.

    Attributes:
        parcels: those that do. A program takes the array of each of them first.
        single: where the other inputs are, which follow.
    """

    parcels: tuple[Parcel, ...]
    single: tuple[int, ...]

    def packed(self, inputs: Sequence[Any]) -> list[Any]:
        """What the program takes for these inputs."""
        return [*[joined([inputs[place] for place in parcel.places], parcel.size) for parcel in self.parcels],
                *[inputs[place] for place in self.single]]

    def unpacked(self, taken: Sequence[Any]) -> list[Any]:
        """The inputs, of what the program took."""
        inputs: dict[int, Any] = dict(zip(self.single, taken[len(self.parcels) :]))
        for parcel, array in zip(self.parcels, taken):
            start = 0
            for place, shape in zip(parcel.places, parcel.shapes):
                end = start + math.prod(shape)
                inputs[place] = array[start:end].reshape(shape)
                start = end
        return [inputs[place] for place in range(len(inputs))]


def packing(inputs: Sequence[Any], on_cpu: bool) -> Packing:
    """How inputs such as these travel.

    A later one of the same shape may be an array of JAX's, which only CPUs let the host read without a transfer.
    """
    alike: dict[np.dtype[Any], list[int]] = {}
    for place, value in enumerate(inputs):
        if on_cpu and type(value) is np.ndarray and value.dtype.kind in "biufc" and value.nbytes <= _SMALL:
            alike.setdefault(value.dtype, []).append(place)
    parcels = [_parcel(places, inputs) for places in alike.values() if len(places) > _FEW]
    together = {place for parcel in parcels for place in parcel.places}
    return Packing(tuple(parcels), tuple(place for place in range(len(inputs)) if place not in together))


def _parcel(places: Iterable[int], inputs: Sequence[Any]) -> Parcel:
    shapes = tuple(inputs[place].shape for place in places)
    return Parcel(tuple(places), shapes, sum(map(math.prod, shapes)))
