# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.input_pipeline."""

from evergraph import Tensor
from typing import Any

def obtain_next(string_list_tensor: Any, counter: Any) -> Tensor:
    """Advances a counter, and returns the string that it then points at; the first follows the last."""

def seek_next(
    string_list: Any, shuffle: bool = False, seed: int | None = None, num_epochs: int | None = None,
) -> Tensor:
    """A string of a list, another one in each step, over and over."""
