# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.nest."""

from collections.abc import Callable
from typing import Any

def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False,
) -> None:
    """Raises unless two structures are nested in the same way, whatever their leaves are."""

def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves of a structure, from left to right and dicts by sorted key; `[x]` for an x that is a leaf
    itself."""

def is_nested(seq: Any) -> bool:
    """Whether a value is a list, tuple, dict or another structure that `tf.nest` looks into; strings are
    not."""

def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Calls a function on the leaves of one or more like structures; the results make one more."""

def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """A structure like the given one, with the leaves of a flat sequence in the order of `flatten`."""
