# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.bitwise."""

from evergraph import RaggedTensor, Tensor
from evergraph.ragged import RaggedTensorValue
from typing import Any, overload

@overload
def bitwise_and(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Bitwise AND."""
@overload
def bitwise_and(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Bitwise AND."""

@overload
def bitwise_or(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Bitwise OR."""
@overload
def bitwise_or(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Bitwise OR."""

@overload
def bitwise_xor(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Bitwise exclusive OR."""
@overload
def bitwise_xor(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Bitwise exclusive OR."""

@overload
def invert(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Bitwise NOT."""
@overload
def invert(x: Any, name: str | None = None) -> Tensor:
    """Bitwise NOT."""

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
