"""`if_` and `choose`: conditionals, staged if the condition is a tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.autograph.operators.staging import as_tensor, becomes_tensor, is_staged, placeholder_like
from evergraph.autograph.operators.variables import UNDEFINED, Variables
from evergraph.autograph.passes.jumps import RESULT
from evergraph.base import nest
from evergraph.frontend.control_flow import conditional
from evergraph.graph.convert import convert_to_tensor

Block = Callable[[], Any]
BRANCHES = ("main", "else")
_MUTABLE = (list, dict, np.ndarray)
_OUTPUT = object()  # stands for what the conditional node gives


def if_(test: Any, then: Block, otherwise: Block | None, names: tuple[str, ...]) -> None:
    """A conditional statement.

    Args:
        test: the condition.
        then: the statements to run if it is true.
        otherwise: those to run if it is false, None for none.
        names: the variables that the statements change and that are read later.
    """
    if is_staged(test):
        staged_if(test, then, otherwise, Variables((then, otherwise), names))
    elif test:
        then()
    elif otherwise is not None:
        otherwise()


def choose(test: Any, then: Block, otherwise: Block) -> Any:
    """A conditional expression, `then() if test else otherwise()`."""
    if not is_staged(test):
        return then() if test else otherwise()
    return _merged(test, [lambda: [then()], lambda: [otherwise()]], ["the expression"])[0]


def staged_if(test: Any, then: Block, otherwise: Block | None, variables: Variables) -> None:
    """Builds the conditional, and gives the variables the values they have after it."""
    before, values = variables.snapshot(), variables.values()

    def traced(block: Block | None) -> list[Any]:
        variables.restore(before)
        variables.set(map(_copied, values))
        if block is not None:
            block()
        return [_kept(old, new) for old, new in zip(values, variables.values())]

    try:
        merged = _merged(test, [lambda: traced(then), lambda: traced(otherwise)], variables.names)
    finally:
        variables.restore(before)
    variables.set(merged)


def _copied(value: Any) -> Any:
    """The value, or a copy of a list, dict or array for one branch to change."""
    if not isinstance(value, _MUTABLE):
        return value
    return nest.map_structure(lambda leaf: leaf.copy() if isinstance(leaf, np.ndarray) else leaf, value)


def _kept(old: Any, new: Any) -> Any:
    """What a branch leaves in a variable: the old object if it is unchanged."""
    if old is new or not isinstance(old, _MUTABLE) or type(old) is not type(new):
        return new
    try:
        nest.assert_same_structure(old, new)
    except (TypeError, ValueError):
        return new
    return old if all(map(_is_same, nest.flatten(old), nest.flatten(new))) else new


def _is_same(old: Any, new: Any) -> bool:
    is_array = isinstance(old, np.ndarray) and isinstance(new, np.ndarray)
    return old is new or is_array and np.array_equal(old, new)


def _merged(test: Any, branches: list[Callable[[], list[Any]]], names: Sequence[str]) -> list[Any]:
    """The values that the branches give, each as an output of the conditional unless both give the same object."""
    forms: list[Any] = []

    def settle(graphs: list[Any], results: list[list[Any]]) -> tuple[list[Any], list[Any]]:
        pairs: list[tuple[Any, Any]] = []
        for name, *values in zip(names, *results, strict=True):
            forms.append(_settled(name, values, graphs, pairs))
        return [a for a, _ in pairs], [b for _, b in pairs]

    outputs = iter(conditional(convert_to_tensor(test), branches, settle))
    return [nest.map_structure(lambda leaf: next(outputs) if leaf is _OUTPUT else leaf, form) for form in forms]


def _settled(name: str, values: list[Any], graphs: list[Any], pairs: list[tuple[Any, Any]]) -> Any:
    """The form of a variable after the conditional; what the branches have to return for it goes to `pairs`."""
    values = _defined(name, values, graphs)
    if values[0] is values[1]:
        return values[0]
    try:
        nest.assert_same_structure(values[0], values[1])
    except (TypeError, ValueError) as error:
        raise type(error)(f"'{name}' has not the same structure in the main branch as in the else branch: "
                          f"{values[0]!r} and {values[1]!r}") from None
    leaves = [_settled_leaf(name, pair, graphs, pairs) for pair in zip(*map(nest.flatten, values))]
    return nest.pack_sequence_as(values[0], leaves)


def _defined(name: str, values: list[Any], graphs: list[Any]) -> list[Any]:
    """The values, with a placeholder for a result that is returned later.

    Raises:
        ValueError: the variable has a value in one branch only.
    """
    for place, value in enumerate(values):
        if value is UNDEFINED and values[1 - place] is not UNDEFINED:
            if not name.startswith(RESULT):
                raise ValueError(f"'{name}' must also be initialized in the {BRANCHES[place]} branch")
            with graphs[place].as_default():
                values[place] = nest.map_structure(placeholder_like, values[1 - place])
    return values


def _settled_leaf(name: str, leaves: tuple[Any, Any], graphs: list[Any], pairs: list[tuple[Any, Any]]) -> Any:
    if leaves[0] is leaves[1]:
        return leaves[0]
    for place, leaf in enumerate(leaves):
        if not becomes_tensor(leaf):
            raise _not_a_tensor(name, leaf, place)
    made = []
    for graph, leaf, other in zip(graphs, leaves, reversed(leaves)):
        with graph.as_default():
            made.append(as_tensor(leaf, other))
    kinds = [getattr(each, "dtype", None) for each in made]
    if kinds[0] != kinds[1]:
        raise TypeError(f"'{name}' needs the same dtype from both branches, because the condition is a tensor: the "
                        f"main branch gives {kinds[0].name}, the else branch {kinds[1].name}")
    pairs.append((made[0], made[1]))
    return _OUTPUT


def _not_a_tensor(name: str, leaf: Any, place: int) -> Exception:
    if leaf is None and name.startswith(RESULT):
        return ValueError(f"{BRANCHES[place]} branch must also have a return statement: the other one returns a "
                          f"value, and the condition is a tensor")
    if leaf is None:
        return ValueError(f"'{name}' is None at the end of the {BRANCHES[place]} branch, and has a value at the end "
                          f"of the other one")
    return TypeError(f"'{name}' is a {type(leaf).__name__} at the end of the {BRANCHES[place]} branch, which cannot "
                     f"be a tensor: with a tensor as the condition, both branches must leave the same object in it")
