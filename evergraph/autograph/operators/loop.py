"""`while_` and `for_`: loops, staged if the condition or what is iterated over is a tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from evergraph.autograph.operators.conditional import staged_if
from evergraph.autograph.operators.forms import form, form_for
from evergraph.autograph.operators.logic import and_
from evergraph.autograph.operators.staged_loop import StagedLoop
from evergraph.autograph.operators.staging import is_staged
from evergraph.autograph.operators.variables import Variables
from evergraph.base.shapes import TensorShape
from evergraph.frontend.array import shape as shape_of
from evergraph.frontend.reduce import reduce_min
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph

Test = Callable[[], Any]


def while_(test: Test, body: Callable[[], Any], names: tuple[str, ...], **options: Any) -> None:
    """A while loop.

    It runs in Python as long as its condition is a Python value, and is staged once that is a tensor.

    Args:
        test: the condition.
        body: the statements.
        names: the variables that the statements change and that are read later, or in the next iteration.
        **options: those of `tf.autograph.experimental.set_loop_options`.
    """
    scratch = None if default_graph().is_eager else FuncGraph("condition")
    while True:
        go = _looked_at(test, scratch)
        if is_staged(go):
            break
        if not go:
            return
        body()
    StagedLoop(Variables((test, body), names)).run(test, body, options)


def _looked_at(test: Test, scratch: FuncGraph | None) -> Any:
    """The value of a condition; the ops that compute it are not part of the graph."""
    if scratch is None:
        return test()
    with scratch.as_default():
        return test()


def for_(items: Any, body: Callable[[Any], Any], names: tuple[str, ...], test: Test | None = None,
         **options: Any) -> None:
    """A for loop.

    Args:
        items: what is iterated over.
        body: a function of an item: the statements.
        names: the variables that the statements change and that are read later, or in the next iteration.
        test: whether to go on, for loops with break or return; asked after an iteration.
        **options: those of `tf.autograph.experimental.set_loop_options`.
    """
    variables = Variables((body, test), names)
    if is_staged(items):
        items = Rows((items if hasattr(items, "shape") else convert_to_tensor(items),), lambda rows: rows[0])
    staged = None if default_graph().is_eager else form_for("for", items)
    if staged is None:
        _in_python(iter(items), body, variables, test)
    else:
        staged(items, body, variables, test, options)


def _in_python(items: Iterator[Any], body: Callable[[Any], Any], variables: Variables, test: Test | None) -> None:
    for item in items:
        body(item)
        go = True if test is None else test()
        if is_staged(go):
            _unrolled(items, body, variables, test)
        elif not go:
            return


def _unrolled(items: Iterator[Any], body: Callable[[Any], Any], variables: Variables, test: Any) -> None:
    """The rest of a loop of Python that a tensor may end: each iteration in a conditional."""
    for item in items:
        staged_if(test(), lambda item=item: body(item), None, variables)  # type: ignore[misc]


# ---- loops over tensors


class Rows:
    """What `zip` and `enumerate` make of tensors: a row of each at a time.

    Args:
        tensors: the tensors.
        made: makes an item of the rows.
    """

    def __init__(self, tensors: tuple[Any, ...], made: Callable[[tuple[Any, ...]], Any]) -> None:
        self.tensors, self.made = tensors, made

    def __iter__(self) -> Iterator[Any]:
        return map(self.made, zip(*self.tensors))


@form("for", Rows)
def _over_rows(rows: Rows, body: Callable[[Any], Any], variables: Variables, test: Test | None,
               options: dict[str, Any]) -> None:
    for tensor in rows.tensors:
        if TensorShape(tensor.shape).ndims == 0:
            raise ValueError(f"cannot iterate over a scalar tensor: {tensor}")
    counts = [convert_to_tensor(row_count(each)) for each in rows.tensors]
    count = counts[0] if len(counts) == 1 else reduce_min(counts)

    def more(index: Any) -> Any:
        return index < count if test is None else and_(index < count, test)

    def step(index: Any) -> None:
        body(rows.made(tuple(each[index] for each in rows.tensors)))

    StagedLoop(variables).run(more, step, options, counts=True)


def row_count(tensor: Any) -> Any:
    """The number of rows of a tensor: an int if it is static, otherwise a tensor."""
    sizes = TensorShape(tensor.shape)
    known = None if sizes.ndims is None else sizes.as_list()[0]
    return known if known is not None else shape_of(tensor)[0]
