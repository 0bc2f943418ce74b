"""Notices which sizes of a stage's inputs change from run to run."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from evergraph.kernel.reasons import NeedApart
from evergraph.passes.dynamic_lengths import over_time
from evergraph.passes.partition import Stage
from evergraph.passes.sized import sized_nodes


class Variation:
    """What is known of changes. Threads share it.

    Args:
        stage: the stage.
        may_get_room: there is a plan that gives its loops room for any number of steps, if these turn out to vary.

    Attributes:
        of_steps: whether loops over what is fed have had changing numbers of steps: then a program of theirs has room.
    """

    def __init__(self, stage: Stage, may_get_room: bool) -> None:
        self._stage, self._may_get_room = stage, may_get_room
        self.of_steps = False
        self._steps: list[tuple[int, ...]] | None = None
        self._shapes: tuple[Any, ...] | None = None  # of the first signature
        self._is_apart = False  # from nodes whose sizes are found out on the host, or known not to be separable

    @functools.cached_property
    def _axes_of_time(self) -> list[tuple[int, int]]:
        """Inputs, each with an axis, that may tell the number of steps of loops over what is fed.

        A list of steps is made of an input whose first axis is time, or else of one whose second axis may be.
        """
        inputs = self._stage.inputs
        steps = {t.op._inputs[0] for t in over_time(self._stage.nodes, inputs).lists} if self._may_get_room else None
        if not steps:
            return []
        first = [(place, 0) for place, tensor in enumerate(inputs) if tensor in steps]
        return first or [(place, 1) for place in range(len(inputs))]

    def look(self, args: Sequence[Any], shapes: tuple[Any, ...], has_programs: bool) -> None:
        """Looks at the inputs of a run, and their shapes.

        Raises:
            NeedApart: there are programs, another size than before comes from the host, and few nodes have to do with
                it.
        """
        if not self.of_steps and self._axes_of_time:
            steps = [args[place].shape[axis:axis + 1] for place, axis in self._axes_of_time]
            if self._steps is None:
                self._steps = steps
            self.of_steps = self._steps != steps
        if self._shapes is None:
            self._shapes = shapes
        if has_programs and not self._is_apart and self._shapes != shapes:
            self._look_for_nodes(shapes)

    def _look_for_nodes(self, shapes: tuple[Any, ...]) -> None:
        differ = [t for t, a, b in zip(self._stage.inputs, self._shapes or (), shapes, strict=True) if a != b]
        if all(t.op.opdef.on == "host" for t in differ):
            self._is_apart = True
            nodes = sized_nodes(differ, self._stage.nodes)
            if nodes:
                raise NeedApart(nodes)
