"""Joins consecutive stages that always run as Python, so that a pipeline of queues pays for one stage, not for many."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from evergraph.compile.footprint import is_always_interpreted
from evergraph.graph.node import Operation, Tensor
from evergraph.passes.partition import Stage


def joined(stages: Sequence[Stage], fetches: Collection[Tensor | Operation], tier: str | None) -> list[Stage]:
    """The stages of a run, consecutive ones that always run as Python and use nothing stored joined into one.

    Nodes keep their order: a node that waits for a queue still runs after an assertion of an earlier stage.
    """
    groups: list[list[Stage]] = []
    follows = False
    for stage in stages:
        is_python = is_always_interpreted(stage, tier)
        if is_python and follows and groups[-1][-1].place.task == stage.place.task:
            groups[-1].append(stage)
        else:
            groups.append([stage])
        follows = is_python
    return [_merged(group, {*fetches, *_read_outside(group, stages)}) if len(group) > 1 else group[0]
            for group in groups]


def _read_outside(group: Sequence[Stage], stages: Sequence[Stage]) -> set[Tensor]:
    return {tensor for stage in stages if stage not in group for tensor in stage.inputs}


def _merged(group: Sequence[Stage], wanted: set[Tensor | Operation]) -> Stage:
    """One host stage that does the work of several and has the outputs that are wanted."""
    made = {tensor for stage in group for tensor in stage.outputs}
    return Stage(
        on_host=True,
        nodes=tuple(dict.fromkeys(node for stage in group for node in stage.nodes)),
        inputs=tuple(dict.fromkeys(t for stage in group for t in stage.inputs if t not in made)),
        outputs=tuple(dict.fromkeys(t for stage in group for t in stage.outputs if t in wanted)),
        static=frozenset(),
        donates=group[-1].donates,
        fixed=frozenset().union(*(stage.fixed for stage in group)),
        late={node: reads for stage in group for node, reads in stage.late.items()},
        asked=frozenset().union(*(stage.asked for stage in group)),
        place=group[-1].place.host,
    )
