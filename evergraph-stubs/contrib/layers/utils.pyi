# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.layers.utils."""

from typing import Any

def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Adds an alias to a tensor for named collections; returns the tensor."""

def channel_dimension(shape: Any, data_format: str, min_rank: int = 1) -> int:
    """The number of channels of tensors of this shape."""

def collect_named_outputs(collections: Any, alias: str, outputs: Any) -> Any:
    """Aliases the outputs of a layer and adds them to collections."""

def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """The value of a number, or of a static tensor; None if unknown."""

def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> dict[str, Any]:
    """The tensors of a collection by alias."""

def gather_tensors_aliases(tensors: Any) -> list[str]:
    """The aliases of all tensors."""

def get_tensor_aliases(tensor: Any) -> list[str]:
    """The aliases of a tensor; its own name if it has none."""

def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """The collections for a variable of this name."""

def last_dimension(shape: Any, min_rank: int = 1) -> int:
    """The last size of a shape; raises ValueError if it is unknown."""

def n_positive_integers(n: int, value: Any, least: int | None = 1) -> Any:
    """`n` positive integers: as given, or one for all."""

def smart_cond(pred: Any, fn1: Any, fn2: Any, name: str | None = None) -> Any:
    """`static_cond` if the value of `pred` is static, else `tf.cond`."""

def static_cond(pred: Any, fn1: Any, fn2: Any) -> Any:
    """fn1() if `pred` is true, else fn2(), at graph construction."""

def two_element_tuple(int_or_tuple: Any) -> tuple[int, int]:
    """A pair of numbers: as given, or one number twice."""
