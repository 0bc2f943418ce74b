# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.rate."""

from evergraph import Tensor
from typing import Any
from evergraph.contrib.rate import rate as rate

class Rate:
    """The change of values since the last call, divided by that of a denominator; 0 where this did not
    grow."""
    @property
    def name(self) -> str:
        """The name."""
    @property
    def variables(self) -> list[Any]:
        """The variables: differences, and what they were taken from."""
    def build(self, values: Tensor, denominator: Tensor) -> None:
        """Makes the variables."""
    def call(self, values: Any, denominator: Any) -> Tensor:
        """Takes in values; see `__call__`."""
    def __call__(self, values: Any, denominator: Any) -> Tensor: ...
    def __init__(self, name: str | None = None) -> None: ...
    numer: Any
    denom: Any
    prev_values: Any
    prev_denominator: Any
