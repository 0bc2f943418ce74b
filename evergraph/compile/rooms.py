"""Pads inputs of a stage whose lengths change from step to step, so that one compiled program serves all lengths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from evergraph.graph.node import Tensor
from evergraph.kernel.ids import are_below, filled, segments
from evergraph.passes.partition import Stage

_SLACK = 1.25  # an input that has changed its length is likely to get longer still


class Rooms:
    """The room that each padded input of a stage has in compiled programs.

    The first length is taken as it is, since most stay what they are: one id in each example of a batch. When a length
    grows, its room becomes a power of two. Rooms never shrink, so that the lengths of many inputs settle together on
    a few programs. Threads share it.

    The host looks at the ids before it pads them, so that the compiled program need not.
    """

    def __init__(self, stage: Stage) -> None:
        places = {tensor: place for place, tensor in enumerate(stage.inputs)}
        padding = stage.padding
        self._inputs = stage.inputs
        self._counted = [place for tensor, place in places.items() if tensor in padding.counted]
        self._limits = [(places[t], limit) for t, limit in padding.limits.items()]
        self._alike = [(places[group[0]], places[t]) for group in padding.alike for t in group[1:]]
        rooms = {places[t]: places[room] for t, room in padding.rooms.items()}
        self._own = [place for place, room in rooms.items() if room == place]
        self._others = [(place, room) for place, room in rooms.items() if room != place]  # as large as another one
        self._room: dict[int, int] = {}

    def padded(self, args: Sequence[Any]) -> tuple[list[Any], tuple[int, ...]] | None:
        """(the padded inputs, the number of segments that each of the ids of segments tell).

        None if some ids are not as they should be, which the kernels can tell best when they run on NumPy.
        """
        result = list(args)
        if any([result[place].shape != result[other].shape for place, other in self._alike]):
            return None
        if not are_below([result[place] for place, _ in self._limits], [limit for _, limit in self._limits]):
            return None
        counts = segments([result[place] for place in self._counted])
        if -1 in counts:
            return None
        for place in self._own:
            size = result[place].shape[0]
            if size != self._room.get(place):
                result[place] = filled(result[place], self._room_of(place, size))
        for place, room in self._others:
            if result[place].shape[0] < result[room].shape[0]:
                result[place] = filled(result[place], result[room].shape[0])
        return result, counts

    def bounds(self, args: Sequence[Any], counts: tuple[int, ...]) -> Mapping[Tensor, int]:
        """Numbers that the ids among padded inputs are below, unless they are padding."""
        numbers = {self._inputs[room]: args[place].shape[0] for place, room in self._others}
        limits = {self._inputs[place]: limit for place, limit in self._limits}
        return {**numbers, **limits, **{self._inputs[place]: n for place, n in zip(self._counted, counts, strict=True)}}

    def _room_of(self, place: int, size: int) -> int:
        room = self._room.setdefault(place, size)
        if size > room:
            room = self._room[place] = 1 << math.ceil(math.log2(size * _SLACK))
        return room


def rooms_of(stage: Stage) -> Rooms | None:
    """The rooms of a stage; None if nothing in it is padded or counted."""
    return Rooms(stage) if stage.padding.rooms or stage.padding.counted else None
