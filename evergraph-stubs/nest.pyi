# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.nest."""

from collections.abc import Callable
from typing import Any

def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False,
) -> None:
    """Raises unless two structures are nested alike; their leaves may differ."""

def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """Flattens a structure to the list of its leaves, left to right and dicts by sorted key; `[x]` for a
    leaf x."""

def is_nested(seq: Any) -> bool:
    """Whether a value is a list, tuple, dict or another structure that `tf.nest` traverses; strings are
    not."""

def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Applies a function to the corresponding leaves of one or more structures, and returns a structure of
    results."""

def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """Packs a flat sequence of leaves, in the order of `flatten`, into a structure like the given one."""
