# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.sets."""

from evergraph import SparseTensor, Tensor
from typing import Any

difference = set_difference
intersection = set_intersection

def set_difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """The difference of sets, row by row."""

def set_intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The intersection of sets, row by row."""

def set_size(a: Any, validate_indices: bool = True) -> Tensor:
    """The number of unique values in each row of a sparse tensor."""

def set_union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The union of sets, row by row; see `tf.sets.intersection` for the arguments."""

size = set_size
union = set_union
