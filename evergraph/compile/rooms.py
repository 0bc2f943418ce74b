"""Pads inputs of a stage whose lengths change from step to step, so that one compiled program serves all lengths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evergraph.compile.contexts import segment_count
from evergraph.graph.node import Tensor
from evergraph.passes.partition import Stage

_SLACK = 1.25  # an input that has changed its length is likely to get longer still


class Rooms:
    """The room that each padded input of a stage has in compiled programs.

    The first length is taken as it is, since most stay what they are: one id in each example of a batch. When a length
    changes, its room becomes a power of two. Rooms never shrink, so that the lengths of many inputs settle together on
    a few programs. Threads share it.
    """

    def __init__(self, stage: Stage) -> None:
        places = {tensor: place for place, tensor in enumerate(stage.inputs)}
        padding = stage.padding
        self._tensors = [t for t in stage.inputs if t in padding.counted]
        self._counted = [places[t] for t in self._tensors]
        self._alike = [[places[t] for t in group] for group in padding.alike]
        rooms = {places[t]: places[room] for t, room in padding.rooms.items()}
        self._own = [place for place, room in rooms.items() if room not in rooms or room == place]
        self._others = [(place, room) for place, room in rooms.items() if room in rooms and room != place]
        self._bounds = {place: room for place, room in rooms.items() if room not in rooms}
        self._room: dict[int, int] = {}

    def padded(self, args: Sequence[Any]) -> tuple[list[Any], tuple[int, ...]] | None:
        """(the padded inputs, the number of segments of each of `counted`); None if lengths contradict each other."""
        for group in self._alike:
            if len({args[place].shape for place in group}) > 1:
                return None
        result = list(args)
        for place in self._own:
            bound = self._bounds.get(place)
            size = args[place].shape[0]
            room = self._room_of(place, size) if bound is None else max(args[bound].shape[0], size)
            result[place] = _filled(args[place], room)
        for place, bound in self._others:
            result[place] = _filled(args[place], max(result[bound].shape[0], args[place].shape[0]))
        return result, tuple([segment_count(args[place]) for place in self._counted])

    def counts(self, numbers: tuple[int, ...]) -> Mapping[Tensor, int]:
        """The numbers of segments by the tensors of their ids."""
        return dict(zip(self._tensors, numbers, strict=True))

    def _room_of(self, place: int, size: int) -> int:
        room = self._room.setdefault(place, size)
        if size > room:
            room = self._room[place] = 1 << math.ceil(math.log2(size * _SLACK))
        return room


def _filled(ids: Any, room: int) -> Any:
    """The ids and as much padding as there is room."""
    ids = np.asarray(ids)
    if len(ids) == room:
        return ids
    result = np.full(room, np.iinfo(ids.dtype).max, ids.dtype)
    result[: len(ids)] = ids
    return result


def rooms_of(stage: Stage) -> Rooms | None:
    """The rooms of a stage; None if nothing in it is padded or counted."""
    return Rooms(stage) if stage.padding.rooms or stage.padding.counted else None
