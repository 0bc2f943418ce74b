"""Tensor lists with element shapes in any form: tensorflow.python.ops.list_ops."""

from __future__ import annotations

from typing import Any

from evergraph.base.shapes import TensorShape
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.control import lists


def _shape(shape: Any) -> Any:
    """An element shape: a tensor, a shape, a list that may have None or tensors in it, or None for any."""
    if isinstance(shape, Tensor):
        return shape
    if isinstance(shape, (list, tuple)) and any(isinstance(size, Tensor) for size in shape):
        return convert_to_tensor([-1 if size is None else size for size in shape])
    return lists.shape_input(TensorShape(shape).tuple)


def empty_tensor_list(element_shape: Any, element_dtype: Any, max_num_elements: Any = None,
                      name: str | None = None) -> Tensor:
    """A list without elements."""
    most = -1 if max_num_elements is None else max_num_elements
    return lists.empty_tensor_list(_shape(element_shape), most, element_dtype=element_dtype, name=name)


def tensor_list_reserve(element_shape: Any, num_elements: Any, element_dtype: Any, name: str | None = None) -> Tensor:
    """A list of elements that have no values yet."""
    return lists.tensor_list_reserve(_shape(element_shape), num_elements, element_dtype=element_dtype, name=name)


def tensor_list_from_tensor(tensor: Any, element_shape: Any, name: str | None = None) -> Tensor:
    """The list of the rows of a tensor."""
    return lists.tensor_list_from_tensor(tensor, _shape(element_shape), name=name)


def tensor_list_get_item(input_handle: Any, index: Any, element_dtype: Any, element_shape: Any = None,
                         name: str | None = None) -> Tensor:
    """An element of a list."""
    shape = _shape(element_shape)
    return lists.tensor_list_get_item(input_handle, index, shape, element_dtype=element_dtype, name=name)


def tensor_list_pop_back(input_handle: Any, element_dtype: Any, name: str | None = None) -> Any:
    """(The list without its last element, that element)."""
    return lists.tensor_list_pop_back(input_handle, _shape(None), element_dtype=element_dtype, name=name)


def tensor_list_gather(input_handle: Any, indices: Any, element_dtype: Any, element_shape: Any = None,
                       name: str | None = None) -> Tensor:
    """Elements of a list, stacked."""
    shape = _shape(element_shape)
    return lists.tensor_list_gather(input_handle, indices, shape, element_dtype=element_dtype, name=name)


def tensor_list_stack(input_handle: Any, element_dtype: Any, num_elements: int = -1, element_shape: Any = None,
                      name: str | None = None) -> Tensor:
    """All elements of a list, stacked.

    Args:
        input_handle: the list.
        element_dtype: their dtype.
        num_elements: how many there must be; -1 for any number.
        element_shape: what is known of their shapes.
        name: a name for the op.
    """
    return lists.tensor_list_stack(input_handle, _shape(element_shape), element_dtype=element_dtype,
                                   num_elements=num_elements, name=name)
