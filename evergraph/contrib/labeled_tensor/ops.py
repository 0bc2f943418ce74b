"""tf.contrib.labeled_tensor: selections, shapes, batches, products and reductions by the names of axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.labeled_tensor.axes import Axes, Axis, as_axis, concat_axes
from evergraph.contrib.labeled_tensor.order import AxisOrderError, get_axis_order
from evergraph.contrib.labeled_tensor.tensor import (
    LabeledTensor,
    convert_to_labeled_tensor,
    expand_dims,
    identity,
    impose_axis_order,
    is_number,
    require,
    slice_function,
    transpose,
)
from evergraph.frontend import array, functional, indexing, math, numerics, random, reduce
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul as multiplied
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import pad as padding
from evergraph.ops.arrays.reshape import reshape as reshaped
from evergraph.train import batches

# ---- selections

@export("contrib.labeled_tensor.select")
def select(labeled_tensor: Any, selection: dict[str, Any], name: str | None = None) -> LabeledTensor:
    """A part of a tensor, by labels.

    Args:
        labeled_tensor: the tensor.
        selection: for names of axes, a label, which drops the axis; a slice of labels with both ends; or a list of
            labels, of which there may be one, and nothing else.
        name: the name of the operations.

    Raises:
        ValueError: an axis is not there, or has no labels.
        KeyError: an axis does not have a label.
        NotImplementedError: a list stands beside other selections, or a slice has a step.
    """
    with name_scope(name, "lt_select", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        require("select", selection, value.axes)
        lists = [axis for axis, wanted in selection.items() if isinstance(wanted, list)]
        if lists and len(selection) > 1:
            raise NotImplementedError(f"a list of labels is selected alone, not with others: {selection}")
        if lists:
            return _gathered(value, lists[0], selection[lists[0]], scope)
        places = {axis: _places(value.axes[axis], wanted) for axis, wanted in selection.items()}
        return slice_function(value, places, name=scope)


def _places(axis: Axis, wanted: Any) -> Any:
    if not isinstance(wanted, slice):
        return axis.index(wanted)
    if wanted.step is not None:
        raise NotImplementedError(f"a slice of labels has no step, but here it is {wanted.step}")
    return slice(None if wanted.start is None else axis.index(wanted.start),
                 None if wanted.stop is None else axis.index(wanted.stop) + 1)


def _gathered(value: LabeledTensor, axis: str, labels: list[Any], name: str) -> LabeledTensor:
    places = [value.axes[axis].index(label) for label in labels]
    kept = [each if each.name != axis else Axis(axis, labels or 0) for each in value.axes.values()]
    if not labels:
        empty = slice_function(value, {axis: slice(0, 0)}, name=name)
        return LabeledTensor(empty.tensor, kept)
    return LabeledTensor(indexing.gather(value.tensor, places, axis=list(value.axes).index(axis), name=name), kept)


@export("contrib.labeled_tensor.boolean_mask")
def boolean_mask(labeled_tensor: Any, mask: Any, name: str | None = None) -> LabeledTensor:
    """The places of the first axis where a mask of that axis is true.

    Raises:
        NotImplementedError: the mask has several axes.
        ValueError: its axis is not the first one of the tensor.
    """
    with name_scope(name, "lt_boolean_mask", [labeled_tensor, mask]) as scope:
        value, mask = convert_to_labeled_tensor(labeled_tensor), convert_to_labeled_tensor(mask)
        if len(mask.axes) != 1:
            raise NotImplementedError(f"boolean_mask takes a mask of one axis, not of {list(mask.axes)}")
        first, *others = value.axes.values()
        own = next(iter(mask.axes.values()))
        if own != first:
            raise ValueError(f"the axis of the mask, {own}, is not equal to the first one of the tensor, {first}")
        found = indexing.boolean_mask(value.tensor, mask.tensor, name=scope)
        return LabeledTensor(found, [first.name, *others])


@export("contrib.labeled_tensor.where")
def where(condition: Any, x: Any, y: Any, name: str | None = None) -> LabeledTensor:
    """`x` where the condition is true, else `y`; see `tf.where`.

    Raises:
        ValueError: the three do not have the same axes.
    """
    with name_scope(name, "lt_where", [condition, x, y]) as scope:
        condition, x, y = (convert_to_labeled_tensor(each) for each in (condition, x, y))
        if not condition.axes == x.axes == y.axes:
            raise ValueError(f"where takes three tensors of equal axes, not {condition.axes}, {x.axes}, {y.axes}")
        return LabeledTensor(indexing.where(condition.tensor, x.tensor, y.tensor, name=scope), condition.axes)


@export("contrib.labeled_tensor.random_crop")
def random_crop(labeled_tensor: Any, shape_map: dict[str, int], seed: int | None = None,
                name: str | None = None) -> LabeledTensor:
    """A part at a random place, with the given sizes for some axes; see `tf.random_crop`."""
    with name_scope(name, "lt_random_crop", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        require("random_crop", shape_map, value.axes)
        sizes = [shape_map.get(axis.name, axis.size) for axis in value.axes.values()]
        kept = [(axis.name, shape_map[axis.name]) if axis.name in shape_map else axis for axis in value.axes.values()]
        return LabeledTensor(random.random_crop(value.tensor, sizes, seed=seed, name=scope), kept)


# ---- several tensors

def _same(what: str, tensors: list[LabeledTensor], but: str | None = None) -> None:
    """Raises ValueError if the tensors do not have the same axes but for one."""
    found = [[axis if axis.name != but else but for axis in each.axes.values()] for each in tensors]
    if any(axes != found[0] for axes in found):
        raise ValueError(f"{what} takes tensors of equal axes, not {found}")


@export("contrib.labeled_tensor.concat")
def concat(labeled_tensors: Any, axis_name: str, name: str | None = None) -> LabeledTensor:
    """The tensors one behind the other along an axis that each has; see `tf.concat`.

    Raises:
        ValueError: there are no tensors, their other axes differ, or a label of the axis appears twice.
    """
    with name_scope(name, "lt_concat", labeled_tensors) as scope:
        found = [convert_to_labeled_tensor(each) for each in labeled_tensors]
        if not found:
            raise ValueError("concat takes at least one tensor")
        require("concat", [axis_name], found[0].axes)
        _same("concat", found, axis_name)
        joined = concat_axes([each.axes[axis_name] for each in found])
        kept = [joined if axis.name == axis_name else axis for axis in found[0].axes.values()]
        place = list(found[0].axes).index(axis_name)
        return LabeledTensor(array.concat([each.tensor for each in found], place, name=scope), kept)


@export("contrib.labeled_tensor.pack")
def pack(labeled_tensors: Any, new_axis: Any, axis_position: int = 0, name: str | None = None) -> LabeledTensor:
    """The tensors along a new axis; see `tf.stack`.

    Args:
        labeled_tensors: tensors of equal axes.
        new_axis: the name of the new axis, or a pair (name, labels).
        axis_position: its place.
        name: the name of the operations.

    Raises:
        ValueError: the tensors have an axis of this name, or different axes.
    """
    with name_scope(name, "lt_pack", labeled_tensors) as scope:
        found = [convert_to_labeled_tensor(each) for each in labeled_tensors]
        _same("pack", found)
        kept: list[Any] = list(found[0].axes.values())
        kept.insert(axis_position, new_axis)
        return LabeledTensor(array.stack([each.tensor for each in found], axis=axis_position, name=scope), kept)


@export("contrib.labeled_tensor.unpack")
def unpack(labeled_tensor: Any, axis_name: str | None = None, name: str | None = None) -> list[LabeledTensor]:
    """The tensors along an axis, by default the first one; see `tf.unstack`."""
    with name_scope(name, "lt_unpack", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        axis_name = next(iter(value.axes)) if axis_name is None else axis_name
        require("unpack", [axis_name], value.axes)
        kept = value.axes.remove(axis_name)
        found = array.unstack(value.tensor, axis=list(value.axes).index(axis_name), name=scope)
        return [LabeledTensor(each, kept) for each in found]


def _batched(what: str, function: Any, labeled_tensors: Any, batch_size: int, enqueue_many: bool, smaller: bool,
             name: str | None, **options: Any) -> list[LabeledTensor]:
    with name_scope(name, f"lt_{what}", labeled_tensors) as scope:
        found = [convert_to_labeled_tensor(each) for each in labeled_tensors]
        kept = []
        for each in found:
            axes = list(each.axes.values())
            if enqueue_many and (not axes or axes[0].name != "batch"):
                raise ValueError(f"with enqueue_many the first axis is 'batch', but the axes are {list(each.axes)}")
            kept.append([("batch", None if smaller else batch_size), *(axes[1:] if enqueue_many else axes)])
        result = function([each.tensor for each in found], batch_size=batch_size, enqueue_many=enqueue_many,
                          allow_smaller_final_batch=smaller, name=scope, **options)
        result = result if isinstance(result, (list, tuple)) else [result]
        return [LabeledTensor(each, axes) for each, axes in zip(result, kept)]


@export("contrib.labeled_tensor.batch")
def batch(labeled_tensors: Any, batch_size: int, num_threads: int = 1, capacity: int = 32, enqueue_many: bool = False,
          allow_smaller_final_batch: bool = False, name: str | None = None) -> list[LabeledTensor]:
    """Batches of tensors by a queue, with a first axis "batch"; see `tf.train.batch`.

    Raises:
        ValueError: with `enqueue_many`, a tensor has another first axis than "batch".
    """
    return _batched("batch", batches.batch, labeled_tensors, batch_size, enqueue_many, allow_smaller_final_batch, name,
                    num_threads=num_threads, capacity=capacity)


@export("contrib.labeled_tensor.shuffle_batch")
def shuffle_batch(labeled_tensors: Any, batch_size: int, num_threads: int = 1, capacity: int = 32,
                  enqueue_many: bool = False, min_after_dequeue: int = 0, allow_smaller_final_batch: bool = False,
                  seed: int | None = None, name: str | None = None) -> list[LabeledTensor]:
    """Shuffled batches of tensors by a queue, with a first axis "batch"; see `tf.train.shuffle_batch`.

    Raises:
        ValueError: with `enqueue_many`, a tensor has another first axis than "batch".
    """
    return _batched("shuffle_batch", batches.shuffle_batch, labeled_tensors, batch_size, enqueue_many,
                    allow_smaller_final_batch, name, num_threads=num_threads, capacity=capacity,
                    min_after_dequeue=min_after_dequeue, seed=seed)


# ---- axes

@export("contrib.labeled_tensor.reshape")
def reshape(labeled_tensor: Any, existing_axes: Any, new_axes: Any, name: str | None = None) -> LabeledTensor:
    """The tensor with other axes in the place of neighbouring ones.

    Args:
        labeled_tensor: the tensor.
        existing_axes: the names of axes that follow each other.
        new_axes: their replacement: axes, or names, of which one may stand for an axis of unknown size.
        name: the name of the operations.

    Raises:
        AxisOrderError: the axes do not follow each other in this order.
        ValueError: an axis is not there, or several new ones have unknown sizes.
    """
    with name_scope(name, "lt_reshape", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        names, old = list(value.axes), list(existing_axes)
        require("reshape", old, value.axes)
        start = names.index(old[0]) if old else 0
        if names[start:start + len(old)] != old:
            raise AxisOrderError(f"the existing axes {old} are not a slice of axis names {names}")
        new = [Axis(axis, None) if isinstance(axis, str) else as_axis(axis) for axis in new_axes]
        if sum(axis.size is None for axis in new) > 1:
            raise ValueError(f"at most one axis in new_axes can have an unknown size, but they are {new}")
        axes = list(value.axes.values())
        made = [*axes[:start], *new, *axes[start + len(old):]]
        result = reshaped(value.tensor, _sizes(value, names[:start], new, names[start + len(old):]), name=scope)
        return LabeledTensor(result, [axis if axis.size is not None else axis.name for axis in made])


def _sizes(value: LabeledTensor, before: list[str], new: list[Axis], after: list[str]) -> Any:
    """The new shape, static as far as that is known."""
    names = list(value.axes)
    dynamic = array.shape(value.tensor)

    def own(each: str) -> Any:
        size = value.axes[each].size
        return dynamic[names.index(each)] if size is None else size

    sizes = [*map(own, before), *(-1 if axis.size is None else axis.size for axis in new), *map(own, after)]
    return array.stack(sizes) if any(isinstance(each, Tensor) for each in sizes) else sizes


@export("contrib.labeled_tensor.rename_axis")
def rename_axis(labeled_tensor: Any, existing_name: str, new_name: str, name: str | None = None) -> LabeledTensor:
    """The labeled_tensor with the axis existing_name called new_name."""
    with name_scope(name, "lt_rename_axis", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        require("rename_axis", [existing_name], value.axes)
        kept = [Axis(new_name, axis.value) if axis.name == existing_name else axis for axis in value.axes.values()]
        return LabeledTensor(array.identity(value.tensor, name=scope), kept)


@export("contrib.labeled_tensor.squeeze")
def squeeze(labeled_tensor: Any, axis_names: Any = None, name: str | None = None) -> LabeledTensor:
    """The tensor without the named axes of size 1, or without all of them; see `tf.squeeze`.

    Raises:
        ValueError: an axis is not there, or has another size.
    """
    with name_scope(name, "lt_squeeze", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        if axis_names is None:
            axis_names = [axis.name for axis in value.axes.values() if axis.size == 1]
        require("squeeze", axis_names, value.axes)
        if wrong := [value.axes[each] for each in axis_names if value.axes[each].size != 1]:
            raise ValueError(f"only axes of size 1 can be dropped, not {wrong}")
        return slice_function(value, dict.fromkeys(axis_names, 0), name=scope)


@export("contrib.labeled_tensor.tile")
def tile(labeled_tensor: Any, multiples: dict[str, Any], name: str | None = None) -> LabeledTensor:
    """The tensor, repeated along axes without labels; see `tf.tile`.

    Raises:
        ValueError: an axis is not there, or has labels.
    """
    with name_scope(name, "lt_tile", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        require("tile", multiples, value.axes)
        if wrong := [each for each in multiples if value.axes[each].labels is not None]:
            raise ValueError(f"axes with tick labels cannot be tiled: {wrong}")
        counts = [multiples.get(each, 1) for each in value.axes]
        kept = [axis.name if axis.name in multiples else axis for axis in value.axes.values()]
        return LabeledTensor(padding.tile(value.tensor, counts, name=scope), kept)


@export("contrib.labeled_tensor.pad")
def pad(labeled_tensor: Any, paddings: dict[str, Any], mode: str = "CONSTANT",
        name: str | None = None) -> LabeledTensor:
    """The tensor with more places at the ends of axes; see `tf.pad`.

    Args:
        labeled_tensor: the tensor.
        paddings: for names of axes, what stands before and behind: two numbers, or two lists of labels.
        mode: "CONSTANT", "REFLECT" or "SYMMETRIC".
        name: the name of the operations.
    """
    with name_scope(name, "lt_pad", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        require("pad", paddings, value.axes)
        pairs, kept = [], []
        for axis in value.axes.values():
            around = paddings.get(axis.name, (0, 0))
            pairs.append([each if is_number(each) else len(each) for each in around])
            kept.append(axis if axis.name not in paddings else _padded(axis, *around))
        return LabeledTensor(array.pad(value.tensor, pairs, mode, name=scope), kept)


def _padded(axis: Axis, before: Any, after: Any) -> Any:
    if axis.labels is None or is_number(before) or is_number(after):
        return axis.name
    return Axis(axis.name, [*before, *axis.labels, *after])


# ---- functions over the first axis

@export("contrib.labeled_tensor.map_fn")
def map_fn(fn: Callable[[Any], Any], labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """What a function gives for each place of the first axis; see `tf.map_fn`."""
    with name_scope(name, "lt_map_fn", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        first, *others = value.axes.values()
        sample = fn(LabeledTensor(value.tensor[0], others))
        result = functional.map_fn(lambda each: fn(LabeledTensor(each, others)).tensor, value.tensor,
                                   dtype=sample.dtype)
        return LabeledTensor(array.identity(result, name=scope), [first, *sample.axes.values()])


@export("contrib.labeled_tensor.foldl")
def foldl(fn: Callable[[Any, Any], Any], labeled_tensor: Any, initial_value: Any,
          name: str | None = None) -> LabeledTensor:
    """What a function of the result so far and the next place of the first axis gives at last; see `tf.foldl`."""
    with name_scope(name, "lt_foldl", [labeled_tensor, initial_value]) as scope:
        value, start = convert_to_labeled_tensor(labeled_tensor), convert_to_labeled_tensor(initial_value)
        others = list(value.axes.values())[1:]
        result = functional.foldl(
            lambda so_far, each: fn(LabeledTensor(so_far, start.axes), LabeledTensor(each, others)).tensor,
            value.tensor, initializer=start.tensor)
        return LabeledTensor(array.identity(result, name=scope), start.axes)


# ---- products

@export("contrib.labeled_tensor.matmul")
def matmul(a: Any, b: Any, name: str | None = None) -> LabeledTensor:
    """The product of two vectors or matrices over the one axis that both have.

    Raises:
        NotImplementedError: a tensor has more than two axes, or both axes are shared.
        ValueError: a tensor is a scalar, no axis is shared, or the shared axes differ.
    """
    with name_scope(name, "lt_matmul", [a, b]) as scope:
        a, b = convert_to_labeled_tensor(a), convert_to_labeled_tensor(b)
        shared = _shared_axis(a, b)
        left, right = ([each for each in value.axes.values() if each.name != shared] for value in (a, b))
        first = transpose(a, [*(each.name for each in left), shared]).tensor
        second = transpose(b, [shared, *(each.name for each in right)]).tensor
        first = first if left else array.expand_dims(first, 0)
        second = second if right else array.expand_dims(second, 1)
        result = multiplied(first, second)
        result = result if left else array.squeeze(result, [0])
        result = result if right else array.squeeze(result, [-1])
        found = LabeledTensor(result, [*left, *right])
        if get_axis_order() is not None:
            found = impose_axis_order(found)
        return identity(found, name=scope)


def _shared_axis(a: LabeledTensor, b: LabeledTensor) -> str:
    ranks = len(a.axes), len(b.axes)
    if 0 in ranks:
        raise ValueError(f"matmul takes inputs with at least rank 1, not of ranks {ranks}")
    if max(ranks) > 2:
        raise NotImplementedError(f"matmul takes vectors and matrices, not inputs of ranks {ranks}")
    shared = [each for each in a.axes if each in b.axes]
    if len(shared) == 2:
        raise NotImplementedError(f"matmul sums over one axis, but these are shared: {shared}")
    if len(shared) != 1:
        raise ValueError(f"matmul takes inputs with exactly one axis in common, not {list(a.axes)} and {list(b.axes)}")
    if a.axes[shared[0]] != b.axes[shared[0]]:
        raise ValueError(f"axis {a.axes[shared[0]]} does not match {b.axes[shared[0]]}")
    return shared[0]


# ---- reductions

@export("contrib.labeled_tensor.define_reduce_op")
def define_reduce_op(op_name: str, reduce_fn: Any) -> Callable[..., LabeledTensor]:
    """The function of labeled tensors for a reduction.

    Args:
        op_name: its name, which operations have behind "lt_".
        reduce_fn: takes a tensor, a list of axes, `keepdims=` and `name=`.
    """
    def op(labeled_tensor: Any, axes: Any = None, name: str | None = None) -> LabeledTensor:
        with name_scope(name, f"lt_{op_name}", [labeled_tensor]) as scope:
            value = convert_to_labeled_tensor(labeled_tensor)
            dropped, labels = _reduced_axes(value.axes, axes)
            require(op_name, [*dropped, *labels], value.axes)
            places = [place for place, each in enumerate(value.axes) if each in dropped or each in labels]
            result = reduce_fn(value.tensor, places, name=scope)
            kept = [axis for axis in value.axes.values() if axis.name not in dropped and axis.name not in labels]
            found = LabeledTensor(result, kept)
            if not labels:
                return found
            return expand_dims(found, [(each, labels[each]) if each in labels else each
                                       for each in value.axes if each not in dropped])

    op.__name__ = op.__qualname__ = op_name
    op.__doc__ = (f"`tf.{op_name}` of a labeled tensor over all axes, or over those given: a name for an axis to drop, "
                  "a pair (name, label) for one to keep.")
    return op


def _reduced_axes(own: Axes, axes: Any) -> tuple[list[str], dict[str, Any]]:
    """The axes to drop, and those to keep with their labels."""
    if axes is None:
        return list(own), {}
    given = [axes] if isinstance(axes, (str, tuple)) else list(axes)
    return [each for each in given if isinstance(each, str)], dict(each for each in given if not isinstance(each, str))


for _name in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum"):
    globals()[f"reduce_{_name}"] = export(f"contrib.labeled_tensor.reduce_{_name}")(
        define_reduce_op(f"reduce_{_name}", getattr(reduce, f"reduce_{_name}")))


# ---- values

@export("contrib.labeled_tensor.constant")
def constant(value: Any, dtype: Any = None, axes: Any = (), name: str | None = None) -> LabeledTensor:
    """A constant with the given axes; one value fills axes whose sizes are known. See `tf.constant`."""
    with name_scope(name, "lt_constant", []) as scope:
        given = list(axes.values() if isinstance(axes, Axes) else axes)
        sizes = [None if isinstance(axis, str) else as_axis(axis).size for axis in given]
        shape = None if None in sizes else TensorShape(sizes)
        return LabeledTensor(array.constant(value, dtype=dtype, shape=shape, name=scope), given)


@export("contrib.labeled_tensor.zeros_like")
def zeros_like(labeled_tensor: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """Zeros with the axes of a tensor; see `tf.zeros_like`."""
    return _like("zeros_like", labeled_tensor, name, lambda x, name: array.zeros_like(x, dtype=dtype, name=name))


@export("contrib.labeled_tensor.ones_like")
def ones_like(labeled_tensor: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """Ones with the axes of a tensor; see `tf.ones_like`."""
    return _like("ones_like", labeled_tensor, name, lambda x, name: array.ones_like(x, dtype=dtype, name=name))


@export("contrib.labeled_tensor.cast")
def cast(labeled_tensor: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """The values as another dtype; see `tf.cast`."""
    return _like("cast", labeled_tensor, name, lambda x, name: array.identity(
        x if dtype is None else math.cast(x, dtype), name=name))


@export("contrib.labeled_tensor.verify_tensor_all_finite")
def verify_tensor_all_finite(labeled_tensor: Any, message: str, name: str | None = None) -> LabeledTensor:
    """The values, or an error at run time where one is not finite; see `tf.verify_tensor_all_finite`."""
    return _like("verify_tensor_all_finite", labeled_tensor, name,
                 lambda x, name: numerics.verify_tensor_all_finite(x, message, name=name))


def _like(what: str, labeled_tensor: Any, name: str | None, function: Callable[[Tensor, str], Tensor]) -> LabeledTensor:
    with name_scope(name, f"lt_{what}", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        return LabeledTensor(function(value.tensor, scope), value.axes)
