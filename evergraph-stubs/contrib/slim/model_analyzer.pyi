# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.model_analyzer."""

from collections.abc import Sequence
from typing import Any

def analyze_ops(graph: Any, print_info: bool = False) -> int:
    """How many elements the results of all operations have; -1 for none of which it is known."""

def analyze_vars(variables: Sequence[Any], print_info: bool = False) -> tuple[int, int]:
    """(how many elements variables have, how many bytes they take)."""

def tensor_description(var: Any) -> str:
    """The dtype and shape of a tensor or variable, such as "(float32_ref 3x4)"."""
