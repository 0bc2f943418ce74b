# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.bitwise."""

from evergraph import RaggedTensor, Tensor
from evergraph.ragged import RaggedTensorValue
from typing import Any, overload

@overload
def bitwise_and(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The bits set in both."""
@overload
def bitwise_and(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits set in both."""

@overload
def bitwise_or(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The bits set in either."""
@overload
def bitwise_or(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits set in either."""

@overload
def bitwise_xor(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The bits set in just one."""
@overload
def bitwise_xor(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits set in just one."""

@overload
def invert(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Every bit turned."""
@overload
def invert(x: Any, name: str | None = None) -> Tensor:
    """Every bit turned."""

@overload
def left_shift(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The bits moved up by `y`."""
@overload
def left_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits moved up by `y`."""

@overload
def right_shift(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The bits moved down by `y`; the sign stays."""
@overload
def right_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits moved down by `y`; the sign stays."""
