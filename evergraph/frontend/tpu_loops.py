"""Loops of computations for accelerators: tf.contrib.tpu.while_loop and repeat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import group
from evergraph.frontend.control_flow import while_loop as loop
from evergraph.frontend.tpu import fed_tensors
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor


@export("contrib.tpu.while_loop")
def while_loop(condition: Callable[..., Any], body: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
               name: str | None = None) -> Any:
    """A loop whose body returns tensors and operations: the tensors are the next inputs.

    Args:
        condition: a function of the inputs that says whether to go on.
        body: a function of the inputs.
        inputs: the first inputs: a list, a tensor, or None for none.
        infeed_queue: an InfeedQueue; what it gives in each turn follows the body's inputs.
        name: a name scope.

    Returns:
        The last inputs: a list, a tensor where there is one, or an operation where there are none.

    Raises:
        ValueError: the body returns another number of tensors than it takes.
    """
    given = [] if inputs is None else list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    with name_scope(name, "while_loop"):
        first = [convert_to_tensor(each) for each in given]
        # A loop has a variable, if need be one that says nothing.
        found = loop(lambda *now: condition(*now[:len(first)]), lambda *now: _next(body, now, len(first), infeed_queue),
                     first or [array.constant(0)], return_same_structure=True)
        if not first:
            return group(*found)
        return found[0] if len(found) == 1 else found


def _next(body: Callable[..., Any], now: Sequence[Tensor], count: int, infeed_queue: Any) -> list[Tensor]:
    """The tensors of the body, which wait for its operations."""
    leaves = [each for each in nest.flatten(body(*now[:count], *fed_tensors(infeed_queue))) if each is not None]
    operations = [each for each in leaves if isinstance(each, Operation)]
    tensors = [each for each in leaves if not isinstance(each, Operation)]
    if len(tensors) != count:
        raise ValueError(f"the body of a loop takes {count} tensors and returns {len(tensors)}")
    with control_dependencies(operations):
        return [array.identity(each) for each in tensors or now]


@export("contrib.tpu.repeat")
def repeat(n: Any, body: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
           name: str | None = None) -> Any:
    """A loop of so many turns; see `tf.contrib.tpu.while_loop`.

    Args:
        n: how many.
        body: a function of the inputs.
        inputs: the first inputs: a list, a tensor, or None for none.
        infeed_queue: an InfeedQueue; what it gives in each turn follows the body's inputs.
        name: a name scope.
    """
    given = [] if inputs is None else list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]

    def counted(turn: Any, *now: Any) -> Any:
        return [turn + 1, *nest.flatten([body(*now)])]

    found = while_loop(lambda turn, *_: turn < n, counted, [array.constant(0), *given], infeed_queue, name)
    if not given:
        return found.op
    return found[1] if len(given) == 1 else found[1:]
