"""What converted Python functions make of datasets: loops over them, and the builtins that take them.

A function of tf.function cannot draw elements one by one while it is traced. A loop becomes a reduction, whose state
are the variables that the loop changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.autograph.operators.conditional import choose, staged_if
from evergraph.autograph.operators.logic import and_
from evergraph.autograph.operators.staged_loop import StagedLoop
from evergraph.autograph.operators.staging import as_tensor
from evergraph.autograph.operators.variables import Variables
from evergraph.data import specs
from evergraph.data.experimental.optionals import get_next_as_optional
from evergraph.data.experimental.transforming import scan, take_while
from evergraph.frontend.control_flow import with_dependencies
from evergraph.graph.convert import constant
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph
from evergraph.ops.control.effects import assert_
from evergraph.ops.data import reducing
from evergraph.ops.math import elementwise


def over_dataset(dataset: Any, body: Callable[[Any], Any], variables: Variables, test: Callable[[], Any] | None,
                 options: dict[str, Any]) -> None:
    """`for element in dataset`.

    Args:
        dataset: the dataset.
        body: an iteration.
        variables: what iterations change.
        test: whether to go on, asked before an iteration; None for always.
        options: those of `tf.autograph.experimental.set_loop_options`.
    """
    limit = options.get("maximum_iterations")
    elements = dataset if limit is None else dataset.take(limit)
    before, loop = variables.snapshot(), StagedLoop(variables)
    try:
        loop.start(lambda graph: body(_placeholder(graph, elements.element_spec)))
        loop.finish(_reduced(elements, loop, body, test))
    except BaseException:
        variables.restore(before)
        raise


def _placeholder(graph: FuncGraph, spec: Any) -> Any:
    """An element that has a kind, but no value."""
    return specs.unpacked([graph.add_input(dtype, shape.tuple) for dtype, shape in zip(*specs.components(spec))], spec)


def _reduced(dataset: Any, loop: StagedLoop, body: Callable[[Any], Any], test: Callable[[], Any] | None) -> Any:
    """The state after the loop."""
    first = tuple(loop.leaves) or (constant(True),)  # a state has one tensor at least

    def step(state: Any, element: Any) -> Any:
        loop.enter(state[:len(loop.leaves)])
        body(element)
        return tuple(loop.leave()) or state

    if test is None:
        return dataset.reduce(first, step)[:len(loop.leaves)]

    def guarded(state: Any, element: Any) -> Any:
        loop.enter(state[:len(loop.leaves)])
        go = as_tensor(test())
        after = choose(go, lambda: step(state, element), lambda: state)
        return after, (after, go)

    states = dataset.apply(scan(first, guarded)).apply(take_while(lambda state, go: go))
    return states.reduce(first, lambda state, next_state: next_state[0])[:len(loop.leaves)]


def over_iterator(iterator: Any, body: Callable[[Any], Any], variables: Variables, test: Callable[[], Any] | None,
                  options: dict[str, Any]) -> None:
    """`for element in iterator`: draws elements as long as there are some."""
    more__ = constant(True)

    def step() -> None:
        nonlocal more__
        element = get_next_as_optional(iterator)
        more__ = element.has_value()
        staged_if(more__, lambda: body(element.get_value()), None, variables)

    def go() -> Any:
        return more__ if test is None else and_(more__, test)

    StagedLoop(Variables((*variables.blocks, step), (*variables.names, "more__"))).run(go, step, options)


# ---- builtins


def length(dataset: Any) -> Any:
    """`len(dataset)`; a run fails with InvalidArgumentError if the length is infinite or not known."""
    count = reducing.dataset_cardinality(dataset._variant_tensor)
    if default_graph().is_eager:
        if int(count) < 0:
            raise TypeError("the dataset has no length that is known, or has no end")
        return int(count)
    known = assert_(elementwise.greater_equal(count, constant(0, count.dtype)),
                    ["len: the dataset has no length that is known, or has no end:", count])
    return with_dependencies([known], count)


def numbered(dataset: Any, start: Any = 0) -> Any:
    """`enumerate(dataset)`."""
    return dataset.enumerate(start)


def zipped(*datasets: Any) -> Any:
    """`zip(dataset, ...)`."""
    return datasets[0].zip(datasets)


def mapped(function: Callable[..., Any], *datasets: Any) -> Any:
    """`map(function, dataset, ...)`."""
    return (datasets[0] if len(datasets) == 1 else zipped(*datasets)).map(function)


def filtered(function: Callable[..., Any], dataset: Any) -> Any:
    """`filter(function, dataset)`."""
    return dataset.filter(function)


def any_of(dataset: Any) -> Any:
    """`any(dataset)`: whether an element is true."""
    return dataset.filter(lambda each: each).take(1).reduce(constant(False), lambda found, each: each)


def all_of(dataset: Any) -> Any:
    """`all(dataset)`: whether no element is false."""
    return dataset.filter(elementwise.logical_not).take(1).reduce(constant(True), lambda found, each: each)


FORMS = {
    "for": over_dataset, "len": length, "enumerate": numbered, "zip": zipped, "map": mapped, "filter": filtered,
    "any": any_of, "all": all_of,
}
"""A statement or builtin -> its form for datasets."""
