# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.framework.nest."""

from collections.abc import Callable, Iterator, Mapping
from evergraph.nest import is_nested as _is_nested
from typing import Any

from evergraph.nest import assert_same_structure as assert_same_structure

def assert_shallow_structure(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> None:
    """Raises unless `input_tree` is nested like `shallow_tree`, down to the leaves of `shallow_tree`."""

from evergraph.nest import flatten as flatten

def flatten_dict_items(dictionary: Mapping[Any, Any]) -> dict[Any, Any]:
    """Flattens a dict whose keys and values are structures nested alike, to a dict of their leaves."""

def flatten_up_to(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[Any]:
    """Flattens `input_tree` down to the leaves of `shallow_tree`; arguments as in
    `assert_shallow_structure`."""

def flatten_with_joined_string_paths(
    structure: Any, separator: str = '/', expand_composites: bool = False,
) -> list[tuple[str, Any]]:
    """The leaves of a structure, each with its path as a string."""

def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False,
) -> Any:
    """The upper part of a structure, down to where a function stops the traversal, for use as a shallow
    tree."""

from evergraph.nest import is_nested as is_nested
is_sequence = _is_nested
from evergraph.nest import map_structure as map_structure

def map_structure_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any,
) -> Any:
    """Applies a function to the parts of the inputs at the leaves of `shallow_tree`; returns a structure
    like it."""

def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """As `map_structure`; the function's first argument is the path to the leaf as a string: "a/0" for
    `s["a"][0]`."""

from evergraph.nest import pack_sequence_as as pack_sequence_as

def yield_flattened_up_to(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False,
) -> Iterator[Any]:
    """Yields the elements of `flatten_up_to`, one after the other."""
