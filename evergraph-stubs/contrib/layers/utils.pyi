# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.layers.utils."""

from typing import Any

def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Gives a tensor one more name that it goes by in collections; returns it."""

def channel_dimension(shape: Any, data_format: str, min_rank: int = 1) -> int:
    """The number of channels of tensors of this shape."""

def collect_named_outputs(collections: Any, alias: str, outputs: Any) -> Any:
    """Names the outputs of a layer and adds them to collections, where there are any."""

def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """The value of a number, or of a tensor that follows from constants; None where it is not known."""

def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> dict[str, Any]:
    """The tensors of a collection by the names they go by."""

def gather_tensors_aliases(tensors: Any) -> list[str]:
    """The names that the tensors go by."""

def get_tensor_aliases(tensor: Any) -> list[str]:
    """The names a tensor goes by in collections; its own when it was given none."""

def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """The collections that a variable of this name is meant for."""

def last_dimension(shape: Any, min_rank: int = 1) -> int:
    """The last size of a shape; raises ValueError where it is not known."""

def n_positive_integers(n: int, value: Any, least: int | None = 1) -> Any:
    """`n` positive integers: those given, or one for all."""

def smart_cond(pred: Any, fn1: Any, fn2: Any, name: str | None = None) -> Any:
    """`static_cond` where the value of `pred` is known now, else `tf.cond`."""

def static_cond(pred: Any, fn1: Any, fn2: Any) -> Any:
    """fn1() if `pred`, else fn2(), at once."""

def two_element_tuple(int_or_tuple: Any) -> tuple[int, int]:
    """Two numbers: those given, or one twice."""
