"""Structures of elements: tuples, named tuples, dicts and attrs classes. Unlike elsewhere, a list is one tensor."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from evergraph.graph.composite import SparseTensorValue


def is_nested(structure: Any) -> bool:
    """Whether a value is a structure and no leaf."""
    if isinstance(structure, (list, SparseTensorValue)) or type(structure).__name__ == "RaggedTensorValue":
        return False
    return isinstance(structure, (tuple, Mapping)) or hasattr(type(structure), "__attrs_attrs__")


def children(structure: Any) -> list[Any]:
    """The values directly inside a structure; those of a dict in the order of its keys."""
    if isinstance(structure, Mapping):
        return [structure[key] for key in sorted(structure)]
    if isinstance(structure, tuple):
        return list(structure)
    return [getattr(structure, each.name) for each in type(structure).__attrs_attrs__]


def rebuilt(structure: Any, values: list[Any]) -> Any:
    """A structure like the given one around other values."""
    if isinstance(structure, Mapping):
        found = dict(zip(sorted(structure), values, strict=True))
        pairs = [(key, found[key]) for key in structure]
        factory = [structure.default_factory] if isinstance(structure, collections.defaultdict) else []
        return type(structure)(*factory, pairs)
    if type(structure) is tuple:
        return tuple(values)
    return type(structure)(*values)


def flatten(structure: Any) -> list[Any]:
    """The leaves."""
    return [leaf for child in children(structure) for leaf in flatten(child)] if is_nested(structure) else [structure]


def pack_sequence_as(structure: Any, flat_sequence: list[Any]) -> Any:
    """The structure around other leaves."""
    return _packed(structure, iter(flat_sequence))


def _packed(structure: Any, leaves: Iterator[Any]) -> Any:
    if not is_nested(structure):
        return next(leaves)
    return rebuilt(structure, [_packed(child, leaves) for child in children(structure)])


def map_structure(func: Callable[..., Any], *structure: Any) -> Any:
    """The structure of what `func` gives for the leaves of the structures, which are nested alike."""
    first, *others = structure
    for other in others:
        assert_same_structure(first, other)
    return map_structure_up_to(first, func, *structure)


def map_structure_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any) -> Any:
    """What `func` gives for what the inputs have in the places where `shallow_tree` has leaves, in its structure."""
    columns = [flatten_up_to(shallow_tree, each) for each in inputs]
    return pack_sequence_as(shallow_tree, [func(*leaves) for leaves in zip(*columns, strict=True)])


def flatten_up_to(shallow: Any, structure: Any) -> list[Any]:
    """What `structure` has in the places where `shallow` has leaves.

    Raises:
        TypeError, ValueError: `structure` is not nested like `shallow`.
    """
    if not is_nested(shallow):
        return [structure]
    _check_alike(shallow, structure)
    pairs = zip(children(shallow), children(structure), strict=True)
    return [leaf for inner, other in pairs for leaf in flatten_up_to(inner, other)]


def _check_alike(shallow: Any, structure: Any) -> None:
    if not is_nested(structure):
        raise TypeError(f"The shallow structure goes on with a sequence here, where the input is a "
                        f"'{type(structure).__name__}'")
    if isinstance(shallow, Mapping) is not isinstance(structure, Mapping):
        raise TypeError(f"The two structures don't have the same sequence type: {type(shallow).__name__} and "
                        f"{type(structure).__name__}")
    if len(children(shallow)) != len(children(structure)):
        raise ValueError(f"The two structures don't have the same length: {len(children(shallow))} in the shallow one, "
                         f"{len(children(structure))} in the input.")
    if isinstance(shallow, Mapping) and set(shallow) != set(structure):
        raise ValueError(f"The two structures don't have the same keys: {sorted(shallow)} and {sorted(structure)}")


def assert_same_structure(one: Any, other: Any) -> None:
    """Raises TypeError or ValueError unless both are nested alike.

    Raises:
        ValueError: one has more leaves than the other.
        TypeError: the kinds of structures differ.
    """
    if is_nested(one) is not is_nested(other):
        raise ValueError(f"The two structures don't have the same nested structure. Only one of these is nested: {one} "
                         f"and {other}")
    if not is_nested(one):
        return
    if type(one) is not type(other) and not (isinstance(one, Mapping) and isinstance(other, Mapping)):
        raise TypeError(f"The two structures don't have the same sequence type: {type(one)} and "
                        f"{type(other)}")
    _check_alike(one, other)
    for inner, outer in zip(children(one), children(other), strict=True):
        assert_same_structure(inner, outer)
