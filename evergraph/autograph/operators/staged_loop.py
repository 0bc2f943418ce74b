"""Builds loops of the graph over the variables that a loop of Python changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.autograph.operators.staging import as_tensor, becomes_tensor, placeholder_like
from evergraph.autograph.operators.variables import UNDEFINED, Variables
from evergraph.autograph.passes.jumps import RESULT
from evergraph.base import nest
from evergraph.base.shapes import TensorShape
from evergraph.frontend.control_flow import while_loop
from evergraph.graph.convert import constant
from evergraph.graph.function import FuncGraph


class _Wider(Exception):
    """An iteration gave a variable a shape that its static shape does not allow for."""


class StagedLoop:
    """One loop: its variables as tensors that enter and leave iterations.

    Args:
        variables: the variables of Python.

    Attributes:
        leaves: the first values of what the loop carries, as tensors and composites.
    """

    def __init__(self, variables: Variables) -> None:
        self._variables, self._before = variables, variables.snapshot()
        self._forms = variables.values()
        self.leaves: list[Any] = []

    def start(self, iteration: Callable[[FuncGraph], Any]) -> None:
        """Finds out what the loop carries.

        Args:
            iteration: one iteration, in a graph; it is traced if it returns, for the kind of the result.

        Raises:
            ValueError: a variable that is read later has no value before the loop.
        """
        for name, value in zip(self._variables.names, self._forms):
            if value is UNDEFINED and not name.startswith(RESULT):
                raise ValueError(f"'{name}' must be defined before the loop")
        if any(value is UNDEFINED for value in self._forms):
            self._forms = self._with_results(iteration)
        self._names = [name for name, form in zip(self._variables.names, self._forms)
                       for leaf in nest.flatten(form) if becomes_tensor(leaf)]
        self.leaves = [as_tensor(leaf) for leaf in nest.flatten(self._forms) if becomes_tensor(leaf)]
        self._shapes = [getattr(leaf, "shape", None) for leaf in self.leaves]

    def _with_results(self, iteration: Callable[[FuncGraph], Any]) -> list[Any]:
        """The first values, with a placeholder for a result that an iteration may return."""
        graph = FuncGraph("iteration")
        with graph.as_default():
            self._variables.set(nest.map_structure(lambda leaf: as_tensor(leaf) if becomes_tensor(leaf) else leaf,
                                                   self._forms))
            iteration(graph)
            found = self._variables.values()
        self._variables.restore(self._before)
        return [nest.map_structure(placeholder_like, after) if before is UNDEFINED else before
                for before, after in zip(self._forms, found)]

    def enter(self, leaves: Any) -> None:
        """Gives the variables the values that they have when an iteration begins."""
        self._variables.restore(self._before)
        carried = iter(leaves)
        self._variables.set([nest.map_structure(lambda leaf: next(carried) if becomes_tensor(leaf) else leaf, form)
                             for form in self._forms])

    def leave(self) -> list[Any]:
        """What an iteration leaves in the variables.

        Raises:
            TypeError: a variable has another dtype, or is another object that is no tensor.
            ValueError: it has another structure.
        """
        done: list[Any] = []
        for name, before, after in zip(self._variables.names, self._forms, self._variables.values()):
            _check_structure(name, before, after)
            for old, new in zip(nest.flatten(before), nest.flatten(after)):
                if becomes_tensor(old):
                    done.append(self._carried(name, len(done), new))
                elif old is not new:
                    raise TypeError(f"'{name}' is {old!r} before the loop and {new!r} after one iteration: a loop of "
                                    f"the graph carries tensors alone")
        return done

    def _carried(self, name: str, place: int, value: Any) -> Any:
        first = self.leaves[place]
        if not becomes_tensor(value):
            raise TypeError(f"'{name}' is a tensor before the loop, but {value!r} after one iteration")
        value = as_tensor(value, first)
        kinds = [getattr(each, "dtype", None) for each in (first, value)]
        if kinds[0] is not None and kinds[1] is not None and kinds[0].base_dtype != kinds[1].base_dtype:
            raise TypeError(f"'{name}' needs the same dtype in every iteration: it begins as "
                            f"{kinds[0].base_dtype.name}, and one iteration makes it {kinds[1].base_dtype.name}")
        return value

    def _check_shapes(self, after: list[Any]) -> None:
        """Raises _Wider, and widens the shapes, if an iteration changes one."""
        wider = [_common(shape, value) for shape, value in zip(self._shapes, after)]
        if wider != self._shapes:
            self._shapes = wider
            raise _Wider

    def finish(self, leaves: Any) -> None:
        """Gives the variables the values that they have after the loop."""
        self.enter(leaves)

    def run(self, test: Callable[..., Any], body: Callable[..., Any], options: dict[str, Any],
            counts: bool = False) -> None:
        """Builds the loop with tf.while_loop.

        Args:
            test: whether to go on.
            body: an iteration.
            options: further arguments of tf.while_loop.
            counts: whether `test` and `body` take the number of the iteration.
        """
        zero = constant(0)  # the number of the iteration, or a variable for loops that have none

        def go(number: Any, *leaves: Any) -> Any:
            self.enter(leaves)
            return as_tensor(test(number) if counts else test())

        def step(number: Any, *leaves: Any) -> Any:
            self.enter(leaves)
            body(number) if counts else body()
            after = self.leave()
            self._check_shapes(after)
            return [number + 1 if counts else number, *after]

        try:
            self.start(lambda graph: body(graph.add_input(zero.dtype, ())) if counts else body())
            self.finish(self._built(go, step, zero, options)[1:])
        except BaseException:
            self._variables.restore(self._before)
            raise

    def _built(self, go: Any, step: Any, zero: Any, options: dict[str, Any]) -> Any:
        first, given = [getattr(leaf, "shape", None) for leaf in self.leaves], None
        while True:
            if self._shapes != first:
                given = [TensorShape([]), *self._shapes]
            try:
                return while_loop(go, step, [zero, *self.leaves], shape_invariants=given, return_same_structure=True,
                                  **options)
            except _Wider:
                continue


def _check_structure(name: str, before: Any, after: Any) -> None:
    if after is UNDEFINED and before is not UNDEFINED:
        raise ValueError(f"'{name}' has no value after one iteration")
    try:
        nest.assert_same_structure(before, after)
    except (TypeError, ValueError) as error:
        raise type(error)(f"'{name}' has not the same structure before the loop as after one iteration: {before!r} and "
                          f"{after!r}; for a list that grows in the graph use tf.TensorArray") from None


def _common(shape: Any, value: Any) -> Any:
    """The static shape that allows for `shape` and for a value."""
    if not isinstance(shape, TensorShape) or nest.is_nested_or_composite(value):
        return shape
    found = value.shape
    if shape.ndims is None or found.ndims is None or shape.ndims != found.ndims:
        return TensorShape(None)
    return TensorShape([a if a == b else None for a, b in zip(shape.as_list(), found.as_list())])
