"""LabeledTensor, and the operations that move its axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.contrib.labeled_tensor.axes import Axes, Axis, as_axis
from evergraph.contrib.labeled_tensor.order import AxisOrderError, check_axis_order, get_axis_order, merged, ordered
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.graph.convert import convert_to_tensor, register_tensor_conversion_function
from evergraph.graph.node import Tensor
from evergraph.run.fetches import register_session_run_conversion_functions


@export("contrib.labeled_tensor.LabeledTensor")
class LabeledTensor:
    """A tensor with named axes: the operators match axes by name.

    Args:
        tensor: the tensor.
        axes: for each axis its name, an Axis, or a pair (name, value).

    Raises:
        ValueError: the number of axes is not the rank, or an axis has another size than the tensor.
    """

    __array_priority__ = 200

    def __init__(self, tensor: Any, axes: Any) -> None:
        self._tensor = convert_to_tensor(tensor)
        shape = self._tensor.shape
        given = list(axes.values() if isinstance(axes, Axes) else axes)
        if shape.ndims != len(given):
            raise ValueError(f"a tensor of shape {shape} has not as many axes as these: {given}")
        found = [Axis(axis, size) if isinstance(axis, str) else as_axis(axis) for axis, size in zip(given, shape.dims)]
        for axis, size in zip(found, shape.dims):
            if not size.is_compatible_with(axis.dimension):
                raise ValueError(f"axis {axis} does not fit the shape {shape}")
        self._axes = Axes(Axis(axis.name, size) if axis.size is None else axis for axis, size in zip(found, shape.dims))

    tensor = property(lambda self: self._tensor, doc="The tensor.")
    axes = property(lambda self: self._axes, doc="Its axes, by name.")
    name = property(lambda self: self._tensor.name, doc="The name of the tensor.")
    dtype = property(lambda self: self._tensor.dtype, doc="The dtype of the tensor.")
    shape = property(lambda self: self._tensor.shape, doc="The static shape of the tensor.")

    def get_shape(self) -> Any:
        """The static shape of the tensor."""
        return self._tensor.shape

    def __getitem__(self, key: Any) -> LabeledTensor:
        key = key if isinstance(key, tuple) else (key,)
        if len(key) != len(self._axes):
            raise ValueError(f"a labeled tensor of {len(self._axes)} axes is indexed along each, not by {key}")
        return slice_function(self, dict(zip(self._axes, key)))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, LabeledTensor) and self._tensor is other._tensor and self._axes == other._axes

    def __hash__(self) -> int:
        return hash((id(self._tensor), self._axes))

    def __repr__(self) -> str:
        lines = f",\n{' ' * 7}".join(repr((axis.name, axis.value)) for axis in self._axes.values())
        return (f"<LabeledTensor {self.name!r} shape={tuple(self.shape.as_list())} dtype={self.dtype.name}\n"
                f" axes=[{lines}]>")


register_tensor_conversion_function(
    LabeledTensor, lambda value, dtype=None, name=None, as_ref=False: convert_to_tensor(value.tensor, dtype, name))
register_session_run_conversion_functions(LabeledTensor, lambda value: ([value.tensor], lambda found: found[0]))


@export("contrib.labeled_tensor.convert_to_labeled_tensor")
def convert_to_labeled_tensor(value: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """A LabeledTensor, from one or from what gives a scalar.

    Raises:
        ValueError: the value has axes, whose names nobody knows.
    """
    if isinstance(value, LabeledTensor):
        if dtype is not None and value.dtype.base_dtype != dtype:
            raise ValueError(f"a labeled tensor of {value.dtype.name} is not one of {dtype}")
        return value
    tensor = convert_to_tensor(value, dtype=dtype, name=name)
    if tensor.shape.ndims != 0:
        raise ValueError(f"only a scalar becomes a labeled tensor by itself, not a tensor of shape {tensor.shape}")
    return LabeledTensor(tensor, [])


def require(what: str, names: Any, axes: Axes) -> None:
    """Raises ValueError if `axes` lack one of the names."""
    if missing := [name for name in names if name not in axes]:
        raise ValueError(f"{what}: the axes {missing} are not contained in the set of axis names {list(axes)}")


# ---- moves of axes

@export("contrib.labeled_tensor.identity")
def identity(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """The same values and axes; see `tf.identity`."""
    with name_scope(name, "lt_identity", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        return LabeledTensor(array.identity(value.tensor, name=scope), value.axes)


@export("contrib.labeled_tensor.slice")
def slice_function(labeled_tensor: Any, selection: Any, name: str | None = None) -> LabeledTensor:
    """A part of a tensor, by places.

    Args:
        labeled_tensor: the tensor.
        selection: for names of axes, an int, which drops the axis, or a slice.
        name: the name of the operations.
    """
    with name_scope(name, "lt_slice", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        require("slice", selection, value.axes)
        key = tuple(selection.get(axis, slice(None)) for axis in value.axes)
        kept = [_sliced(axis, part) for axis, part in zip(value.axes.values(), key) if isinstance(part, slice)]
        return LabeledTensor(array.identity(value.tensor[key], name=scope), kept)


def _sliced(axis: Axis, part: slice) -> Any:
    if part == slice(None):
        return axis
    if axis.labels is None:
        return axis.name
    return (axis.name, axis.labels[part]) if axis.labels[part] else axis.name


@export("contrib.labeled_tensor.transpose")
def transpose(labeled_tensor: Any, axis_order: Any = None, name: str | None = None) -> LabeledTensor:
    """The tensor with its axes in another order.

    Args:
        labeled_tensor: the tensor.
        axis_order: all names of its axes; by default in the reversed order.
        name: the name of the operations.

    Raises:
        ValueError: `axis_order` does not have each name once.
    """
    with name_scope(name, "lt_transpose", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        names = list(value.axes)
        order = names[::-1] if axis_order is None else list(axis_order)
        if sorted(order) != sorted(names):
            raise ValueError(f"the order {order} does not have each of the axes {names} once")
        result = array.transpose(value.tensor, [names.index(each) for each in order], name=scope)
        return LabeledTensor(result, [value.axes[each] for each in order])


@export("contrib.labeled_tensor.expand_dims")
def expand_dims(labeled_tensor: Any, axes: Any, name: str | None = None) -> LabeledTensor:
    """The tensor with more axes of size 1.

    Args:
        labeled_tensor: the tensor.
        axes: the names of its axes, in their order, and among them those of the new ones: a name, or a pair
            (name, label).
        name: the name of the operations.

    Raises:
        AxisOrderError: the axes of the tensor are not all there, or in another order.
    """
    with name_scope(name, "lt_expand_dims", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        wanted = [axis if isinstance(axis, str) else axis[0] for axis in axes]
        if [each for each in wanted if each in value.axes] != list(value.axes):
            raise AxisOrderError(f"the axes {wanted} do not have the tensor's own, {list(value.axes)}, in their order")
        key = tuple(slice(None) if each in value.axes else None for each in wanted)
        made = [value.axes[each] if each in value.axes else _new_axis(axis) for each, axis in zip(wanted, axes)]
        return LabeledTensor(array.identity(value.tensor[key] if key else value.tensor, name=scope), made)


def _new_axis(axis: Any) -> Axis:
    return Axis(axis, 1) if isinstance(axis, str) else Axis(axis[0], [axis[1]])


@export("contrib.labeled_tensor.impose_axis_order")
def impose_axis_order(labeled_tensor: Any, axis_order: Any = None, name: str | None = None) -> LabeledTensor:
    """The tensor with its axes in the given order, or in that of the scope.

    Args:
        labeled_tensor: the tensor.
        axis_order: names of axes; None for the order of the scope.
        name: a name for the operation.

    Raises:
        AxisOrderError: there is no order, or it lacks an axis.
    """
    with name_scope(name, "lt_impose_axis_order", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        return transpose(value, ordered(list(value.axes), axis_order), name=scope)


@export("contrib.labeled_tensor.align")
def align(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> tuple[Any, Any, Axes]:
    """Both tensors with the axes of either, of size 1 where a tensor had none, and the axes of what they broadcast to.

    Args:
        labeled_tensor_0: the first.
        labeled_tensor_1: the second.
        name: a name for the operations.

    Raises:
        AxisOrderError: the tensors have their axes in different orders.
        ValueError: axes of one name differ.
    """
    with name_scope(name, "lt_align", [labeled_tensor_0, labeled_tensor_1]) as scope:
        first, second = convert_to_labeled_tensor(labeled_tensor_0), convert_to_labeled_tensor(labeled_tensor_1)
        for each in set(first.axes) & set(second.axes):
            if first.axes[each] != second.axes[each]:
                raise ValueError(f"two different axes have one name: {first.axes[each]}, {second.axes[each]}")
        names = _shared_order(first, second)
        both = {**second.axes, **first.axes}
        return (expand_dims(first, names, name=f"{scope}0"), expand_dims(second, names, name=f"{scope}1"),
                Axes(both[each] for each in names))


def _shared_order(first: LabeledTensor, second: LabeledTensor) -> list[str]:
    if get_axis_order() is not None:
        check_axis_order(first)
        check_axis_order(second)
        return ordered([*first.axes, *(each for each in second.axes if each not in first.axes)])
    names = merged(list(first.axes), list(second.axes))
    if names is None:
        raise AxisOrderError(f"the axes {list(first.axes)} and {list(second.axes)} are in different orders")
    return names


def is_number(value: Any) -> bool:
    """Whether a value is an int or a scalar tensor."""
    return isinstance(value, (int, np.integer, Tensor))
