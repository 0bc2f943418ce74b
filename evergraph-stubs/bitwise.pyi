# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.bitwise."""

from evergraph import RaggedTensor, Tensor
from evergraph.ragged import RaggedTensorValue
from typing import Any, overload

@overload
def bitwise_and(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The bits that are set in both integers."""
@overload
def bitwise_and(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits that are set in both integers."""

@overload
def bitwise_or(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The bits that are set in either integer."""
@overload
def bitwise_or(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits that are set in either integer."""

@overload
def bitwise_xor(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The bits that are set in one of the integers alone."""
@overload
def bitwise_xor(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits that are set in one of the integers alone."""

@overload
def invert(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """All bits of each integer inverted."""
@overload
def invert(x: Any, name: str | None = None) -> Tensor:
    """All bits of each integer inverted."""

@overload
def left_shift(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Left shift by `y` bits."""
@overload
def left_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Left shift by `y` bits."""

@overload
def right_shift(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Arithmetic right shift by `y` bits."""
@overload
def right_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Arithmetic right shift by `y` bits."""
