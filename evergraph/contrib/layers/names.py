"""Public names of tf.contrib.layers' functions, and helpers for named collections."""
from __future__ import annotations

from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape, as_shape
from evergraph.frontend.collections import add_to_collection, add_to_collections, get_collection, get_collection_ref
from evergraph.frontend.control_flow import cond
from evergraph.graph.convert import is_tensor_like
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value

_UTILS = ("contrib.layers.utils.", "contrib.slim.utils.")


def everywhere(*names: str, module: str = "layers") -> tuple[str, ...]:
    """The public names of a layer, in tf.contrib.layers and tf.contrib.slim.

    Args:
        names: without namespaces.
        module: the module of tf.contrib.slim that has it too, and of tf.contrib.layers unless it is the main one.
    """
    homes = ["contrib.layers.", "contrib.slim.", f"contrib.slim.{module}."]
    if module != "layers":
        homes.append(f"contrib.layers.{module}.")
    return tuple(f"{home}{name}" for name in names for home in homes)


def utility(name: str) -> tuple[str, ...]:
    """The public names of a helper of tf.contrib.layers."""
    return tuple(f"{home}{name}" for home in _UTILS)


# ---- named outputs

@export(*utility("append_tensor_alias"))
def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Adds an alias to a tensor for named collections; returns the tensor."""
    alias = alias.removesuffix("/")
    if hasattr(tensor, "aliases"):
        tensor.aliases.append(alias)
    else:
        tensor.aliases = [alias]
    return tensor


@export(*utility("get_tensor_aliases"))
def get_tensor_aliases(tensor: Any) -> list[str]:
    """The aliases of a tensor; its own name if it has none."""
    if hasattr(tensor, "aliases"):
        return tensor.aliases
    return [tensor.name.removesuffix(":0")]


@export(*utility("gather_tensors_aliases"))
def gather_tensors_aliases(tensors: Any) -> list[str]:
    """The aliases of all tensors."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


@export(*utility("collect_named_outputs"))
def collect_named_outputs(collections: Any, alias: str, outputs: Any) -> Any:
    """Aliases the outputs of a layer and adds them to collections.

    Args:
        collections: a collection or a list of them; None for none.
        alias: the name.
        outputs: a tensor.

    Returns:
        `outputs`.
    """
    if collections:
        append_tensor_alias(outputs, alias)
        add_to_collections(collections, outputs)
    return outputs


@export(*utility("convert_collection_to_dict"))
def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> dict[str, Any]:
    """The tensors of a collection by alias.

    Args:
        collection: its name.
        clear_collection: whether to empty it.
    """
    found = {alias: tensor for tensor in get_collection(collection) for alias in get_tensor_aliases(tensor)}
    if clear_collection:
        get_collection_ref(collection).clear()
    return found


@export(*utility("get_variable_collections"))
def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """The collections for a variable of this name.

    Args:
        variables_collections: a list for all variables alike, or a dictionary from names to lists.
        name: such as "weights".
    """
    return variables_collections.get(name) if isinstance(variables_collections, dict) else variables_collections


def add_variable(variable: Any, variables_collections: Any, name: str) -> None:
    """Adds a variable, or the parts of a partitioned one, to its collections."""
    for collection in nest.flatten(get_variable_collections(variables_collections, name) or []):
        for part in [variable] if hasattr(variable, "op") else list(variable):
            add_to_collection(collection, part)


# ---- static values

@export(*utility("constant_value"))
def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """The value of a number, or of a static tensor; None if unknown.

    Args:
        value_or_tensor_or_var: a number, a tensor or a variable.
        dtype: the required dtype of a tensor.

    Raises:
        ValueError: it is None, or a tensor of another dtype.
    """
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    if not is_tensor_like(value):
        return value
    if dtype is not None and value.dtype != dtype:
        raise ValueError(f"The value has the wrong dtype: wanted {dtype}, got {value.dtype}")
    return static_value(value) if isinstance(value, Tensor) else None


@export(*utility("static_cond"))
def static_cond(pred: Any, fn1: Any, fn2: Any) -> Any:
    """fn1() if `pred` is true, else fn2(), at graph construction.

    Raises:
        TypeError: a function is not callable.
        ValueError: `pred` is None.
    """
    if not callable(fn1) or not callable(fn2):
        raise TypeError("fn1 and fn2 must be callable.")
    if pred is None:
        raise ValueError("pred cannot be None")
    return fn1() if pred else fn2()


@export(*utility("smart_cond"))
def smart_cond(pred: Any, fn1: Any, fn2: Any, name: str | None = None) -> Any:
    """`static_cond` if the value of `pred` is static, else `tf.cond`."""
    known = constant_value(pred)
    return cond(pred, fn1, fn2, name=name) if known is None else static_cond(known, fn1, fn2)


# ---- sizes

def _size_at(shape: Any, axis: int, min_rank: int) -> int:
    sizes = as_shape(shape)
    if sizes.rank is None:
        raise ValueError(f"Inputs rank is unknown: {sizes}")
    if sizes.rank < min_rank:
        raise ValueError(f"rank {min_rank} or more is wanted, {sizes} has rank {sizes.rank}")
    size = sizes.as_list()[axis]
    if size is None:
        raise ValueError(f"the size of axis {axis} is not known: {sizes}")
    return size


@export(*utility("channel_dimension"))
def channel_dimension(shape: Any, data_format: str, min_rank: int = 1) -> int:
    """The number of channels of tensors of this shape.

    Args:
        shape: a TensorShape.
        data_format: "NCHW" for channels after the batch; otherwise they are last.
        min_rank: the minimal rank.

    Raises:
        ValueError: the rank is too small, or the size is not static.
    """
    return _size_at(shape, 1 if data_format == "NCHW" else -1, min_rank)


@export(*utility("last_dimension"))
def last_dimension(shape: Any, min_rank: int = 1) -> int:
    """The last size of a shape; raises ValueError if it is unknown."""
    return _size_at(shape, -1, min_rank)


@export(*utility("two_element_tuple"))
def two_element_tuple(int_or_tuple: Any) -> tuple[int, int]:
    """A pair of numbers: as given, or one number twice.

    Raises:
        ValueError: it is neither.
    """
    return n_positive_integers(2, int_or_tuple, least=None)


@export(*utility("n_positive_integers"))
def n_positive_integers(n: int, value: Any, least: int | None = 1) -> Any:
    """`n` positive integers: as given, or one for all.

    Raises:
        ValueError: the number of integers is wrong, or one is not an integer or below `least`.
    """
    if not isinstance(n, int) or n < 0:
        raise ValueError(f"n must be an integer >= 0. Received: {n}")
    many = isinstance(value, (list, tuple, TensorShape))
    numbers = tuple(_whole(each) for each in value) if many else (_whole(value),) * n
    if len(numbers) != n:
        raise ValueError(f"Wanted {n} integers, got {len(numbers)}: {value}")
    if least is not None and any(number < least for number in numbers):
        raise ValueError(f"Wanted positive integers, got {numbers}")
    return numbers


def _whole(value: Any) -> int:
    number = getattr(value, "value", value)  # of a Dimension
    try:
        if int(number) == number:
            return int(number)
    except (TypeError, ValueError):
        pass
    raise ValueError(f"Must be an integer. Received: {value}")
