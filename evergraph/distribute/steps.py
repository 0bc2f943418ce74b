"""Several steps in one: the loop of `StrategyExtended.experimental_run_steps_on_iterator`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import nest
from evergraph.distribute.values import flat_values, local_values
from evergraph.frontend.array import identity
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import group, while_loop
from evergraph.graph.convert import constant


class StepsContext:
    """What a step of `StrategyExtended.experimental_run_steps_on_iterator` sets.

    Attributes:
        last_step_outputs: tensors of the last step, by name.
        non_tensor_outputs: other values, by name.
        run_op: the operation that runs all steps.
    """

    def __init__(self, strategy: Any = None) -> None:
        self.last_step_outputs: dict[str, Any] = {}
        self.non_tensor_outputs: dict[str, Any] = {}
        self.run_op: Any = None
        self._strategy = strategy

    def set_last_step_output(self, name: str, output: Any, reduce_op: Any = None) -> None:
        """Hands a tensor on: the sum or the mean over the replicas, or without `reduce_op` that of each replica."""
        self.last_step_outputs[name] = output if reduce_op is None or self._strategy is None \
            else self._strategy.reduce(reduce_op, output)

    def set_non_tensor_output(self, name: str, output: Any) -> None:
        """Keeps any other value."""
        self.non_tensor_outputs[name] = output


def run_steps(strategy: Any, fn: Callable[..., Any], iterator: Any, iterations: Any, initial: Any) -> StepsContext:
    """The context of a loop that calls `fn(context, element)` for so many elements."""
    context, initial = StepsContext(strategy), initial or {}

    def step(number: Any, *_: Any) -> list[Any]:
        done = fn(context, iterator.get_next())
        outputs = [each for leaf in nest.flatten(context.last_step_outputs) for each in local_values(leaf)]
        with control_dependencies(flat_values(done)):
            return [number + 1, *map(identity, outputs)]

    with strategy.extended._home():
        found = while_loop(lambda number, *_: number < iterations, step, [constant(0), *nest.flatten(initial)],
                           parallel_iterations=1, return_same_structure=True)
    context.last_step_outputs = nest.pack_sequence_as(initial, found[1:]) if initial else {}
    context.run_op = group(found)
    return context
