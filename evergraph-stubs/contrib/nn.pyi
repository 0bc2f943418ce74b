# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.nn."""

from evergraph import Tensor
from typing import Any

def nth_element(input: Any, n: Any, reverse: bool = False, name: str | None = None) -> Tensor:
    """The element at place `n` of each row once it is sorted; `reverse` sorts it downward."""
