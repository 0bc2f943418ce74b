"""Checks and converts what a program feeds."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.shapes import TensorShape
from evergraph.graph.composite import IndexedSlices, SparseTensor
from evergraph.graph.convert import wrapped
from evergraph.graph.graph import Graph
from evergraph.graph.node import Tensor
from evergraph.kernel.values import are_bytes, boxed, is_traced
from evergraph.ops.state.session_tensors import TensorHandle
from evergraph.run.fetches import feed_expansion


def expand(feed_dict: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """The pairs (tensor or name, value) that `feed_dict` stands for: sparse tensors are fed by their parts."""
    pairs: list[tuple[Any, Any]] = []
    for key, value in feed_dict.items():
        expanded = feed_expansion(key, value)
        if expanded is not None:
            pairs += expanded
        elif type(key) is Tensor:  # most are
            pairs.append((key, value))
        elif isinstance(key, (SparseTensor, IndexedSlices)):
            names = (
                ("indices", "values", "dense_shape")
                if isinstance(key, SparseTensor)
                else ("values", "indices", "dense_shape")
            )
            parts = (
                [getattr(value, n) for n in names]
                if hasattr(value, "values") and not isinstance(value, dict)
                else value
            )
            pairs += zip(key._components(), parts)
        elif hasattr(key, "_fed"):
            pairs += key._fed(value)
        elif isinstance(key, tuple):
            for inner, item in zip(key, value):
                pairs += expand({inner: item})
        else:
            pairs.append((key, value))
    return pairs


def feedable(graph: Graph, key: Any) -> Tensor:
    """The tensor that a key of the feed_dict names.

    Raises:
        TypeError: it names no tensor, or none of this graph.
        ValueError: the tensor may not be fed.
    """
    try:
        tensor = graph.as_graph_element(key, allow_tensor=True, allow_operation=False)
    except (TypeError, ValueError, KeyError) as error:
        raise TypeError(f"Cannot interpret feed_dict key as Tensor: {error.args[0]}") from None
    if not graph.is_feedable(tensor):
        raise ValueError(f"Tensor {tensor} may not be fed.")
    return tensor


def fed_value(tensor: Tensor, value: Any) -> Any:
    """`value` as an array that fits `tensor`.

    Raises:
        TypeError: a tensor was fed, or a number that the dtype cannot hold.
        ValueError: the value has no array form, or its shape does not fit.
    """
    dtype = tensor._dtype.base_dtype
    if type(value) is np.ndarray and value.dtype == dtype.np and not dtype.np.hasobject:
        array = value
    else:
        array = _as_array(tensor, dtype, value)
    shape = tensor._shape
    if shape is not None and shape != array.shape and not _fits(shape, array.shape):
        where = f" ({tensor.op.where})" if tensor.op.where else ""
        raise ValueError(
            f"Cannot feed value of shape {array.shape} to {tensor.name!r}, which has shape "
            f"'{TensorShape(shape)}'{where}"
        )
    return array


def _fits(wanted: tuple[int | None, ...], shape: tuple[int, ...]) -> bool:
    for want, got in zip(wanted, shape):
        if want is not None and want != got:
            return False
    return len(wanted) == len(shape)


def _as_array(tensor: Tensor, dtype: dtypes.DType, value: Any) -> Any:
    if isinstance(value, TensorHandle):
        value = value.eval()
        if value.dtype != dtype.np:
            raise TypeError(f"The handle fed for Tensor {tensor.name!r} is of type {value.dtype}, not {dtype.name}")
    if isinstance(value, Tensor) or getattr(value, "_is_tensor_like", False):
        raise TypeError(
            f"A fed value cannot be a tf.Tensor object: {value} was given for {tensor}. Run it first, feed the result."
        )
    if dtype.np.hasobject:
        return _strings(tensor, value) if dtype is dtypes.string else boxed(value)
    if is_traced(value):
        return value if value.dtype == dtype.np else value.astype(dtype.np)
    if isinstance(value, int):
        return _whole(value, dtype)
    try:
        return np.asarray(value, dtype=dtype.np)
    except OverflowError:
        return wrapped(value, dtype)
    except (ValueError, TypeError) as error:
        raise ValueError(f"Cannot feed {value!r} for Tensor {tensor.name!r} of type {dtype.name}: {error}") from None


def _whole(value: int, dtype: dtypes.DType) -> np.ndarray[Any, Any]:
    """A whole number that was fed, as an array."""
    if dtype.is_integer:
        limits = np.iinfo(dtype.np)
        fits = limits.min <= value <= limits.max
    else:
        fits = np.asarray(value, dtype.np).item() == float(value)
    if not fits:
        raise TypeError(f"the fed value {value} ({type(value)}) is not compatible with Tensor type "
                        f"{dtype.as_numpy_dtype}, which has no such number: feed an array to have it rounded")
    return np.asarray(value, dtype.np)


def _strings(tensor: Tensor, value: Any) -> np.ndarray[Any, Any]:
    """What was fed for strings, as an object array of bytes; text is encoded.

    Raises:
        TypeError: a single whole number was fed.
        InternalError: an element is neither bytes nor text, or is text without an encoding.
    """
    if isinstance(value, int):
        raise TypeError(f"Type of feed value {value} with type {type(value)} is not text, which {tensor.name} takes")
    array: np.ndarray[Any, Any] = np.asarray(value, object)
    if are_bytes(array):
        return array
    elements = array.reshape(-1).tolist()
    kinds = set(map(type, elements))  # a batch of strings has many elements and one type
    if not all(issubclass(kind, (bytes, str)) for kind in kinds):
        odd = next(each for each in elements if not isinstance(each, (bytes, str)))
        raise errors.InternalError(
            None, tensor.op, f"Strings were wanted for {tensor.name}: unsupported object type {type(odd).__name__}"
        )
    if not any(issubclass(kind, str) for kind in kinds):
        return array
    encoded: np.ndarray[Any, Any] = np.empty(array.shape, object)
    try:
        encoded.reshape(-1)[:] = [each.encode() if isinstance(each, str) else each for each in elements]
    except UnicodeEncodeError as error:
        raise errors.InternalError(None, tensor.op, f"Text fed for {tensor.name} is no UTF-8: {error}") from None
    return encoded
