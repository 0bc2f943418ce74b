"""tf.keras.layers that merge several tensors into one."""
from __future__ import annotations

import operator
from functools import reduce

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.normalize import l2_normalize
from evergraph.frontend.reduce import reduce_all, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras.layer import Layer
from evergraph.ops.math import elementwise


class Merge(Layer):
    """The base of merging layers: broadcasts inputs of lower rank by inserting axes after the batch."""

    least = 2

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape):
        if not isinstance(input_shape, (list, tuple)) or len(input_shape) < self.least or \
                not isinstance(input_shape[0], TensorShape):
            raise ValueError(f"layer {self.name} merges {self.least} inputs or more, got {input_shape}")
        batches = {shape.as_list()[0] for shape in input_shape if shape.rank}
        if len(batches - {None}) > 1:
            raise ValueError(f"the inputs have different batch sizes: {input_shape}")
        self._check(input_shape)
        self.built = True

    def _check(self, shapes):
        """Raises ValueError for incompatible shapes."""
        ranked = [shape for shape in shapes if shape.rank is not None]
        for shape in ranked[1:]:
            _broadcast(ranked[0].as_list()[1:], shape.as_list()[1:])

    def call(self, inputs):
        inputs = [convert_to_tensor(each) for each in inputs]
        ranks = [each.shape.rank for each in inputs]
        if None not in ranks and len(set(ranks)) > 1:
            inputs = [self._expanded(each, max(ranks)) for each in inputs]
        return self._merged(inputs)

    @staticmethod
    def _expanded(tensor, rank):
        for _ in range(rank - tensor.shape.rank):
            tensor = array.expand_dims(tensor, 1)
        return tensor

    def compute_output_shape(self, input_shape):
        shapes = [TensorShape(shape).as_list() for shape in input_shape]
        batches = {shape[0] for shape in shapes} - {None}
        sizes = reduce(_broadcast, [shape[1:] for shape in shapes])
        return TensorShape([batches.pop() if len(batches) == 1 else None, *sizes])

    def compute_mask(self, inputs, mask=None):
        if mask is None:
            return None
        if not isinstance(mask, list) or len(mask) != len(inputs):
            raise ValueError("there must be as many masks as inputs")
        masks = [array.expand_dims(each, 0) for each in mask if each is not None]
        return reduce_all(array.concat(masks, 0), axis=0) if masks else None


def _broadcast(one, other):
    """The broadcast shape of two shapes."""
    if len(one) < len(other):
        one, other = other, one
    result = list(one[:len(one) - len(other)])
    for a, b in zip(one[len(result):], other):
        if a == b or b == 1:
            result.append(a)
        elif a == 1 or a is None:
            result.append(b if a == 1 else None)
        elif b is None:
            result.append(None)
        else:
            raise ValueError(f"the shapes {one} and {other} do not broadcast")
    return result


def _elementwise(name, merge, what, count=None):
    def _merged(self, inputs):
        return merge(inputs)

    def _check(self, shapes):
        if count is not None and len(shapes) != count:
            raise ValueError(f"{name} takes {count} inputs, got {len(shapes)}")
        Merge._check(self, shapes)

    doc = f"""{what} of a list of tensors, elementwise.

    Args:
        **kwargs: see `tf.keras.layers.Layer`.
    """
    made = type(name, (Merge,), {"_merged": _merged, "_check": _check, "__doc__": doc, "__module__": __name__})
    return export(f"keras.layers.{name}")(made)


Add = _elementwise("Add", lambda inputs: reduce(operator.add, inputs), "The sum")
Subtract = _elementwise("Subtract", lambda inputs: inputs[0] - inputs[1], "The difference", 2)
Multiply = _elementwise("Multiply", lambda inputs: reduce(operator.mul, inputs), "The product")
Average = _elementwise("Average", lambda inputs: reduce(operator.add, inputs) / len(inputs), "The mean")
Maximum = _elementwise("Maximum", lambda inputs: reduce(elementwise.maximum, inputs), "The maximum")
Minimum = _elementwise("Minimum", lambda inputs: reduce(elementwise.minimum, inputs), "The minimum")


@export("keras.layers.Concatenate")
class Concatenate(Merge):
    """Concatenates a list of tensors along an axis.

    Args:
        axis: the axis.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("axis",)

    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis

    def _check(self, shapes):
        known = [shape.as_list() for shape in shapes if shape.rank is not None]
        rest = []
        for sizes in known:
            del sizes[self.axis]
            rest.append(sizes)
        for sizes in rest[1:]:
            if len(sizes) != len(rest[0]) or any(None not in (a, b) and a != b for a, b in zip(sizes, rest[0])):
                raise ValueError("shapes may differ along the axis of concatenation only, got "
                                 f"{shapes}")

    def call(self, inputs):
        return array.concat(list(inputs), self.axis)

    def compute_output_shape(self, input_shape):
        shapes = [TensorShape(shape).as_list() for shape in input_shape]
        sizes = [shape[self.axis] for shape in shapes]
        result = list(shapes[0])
        result[self.axis] = None if None in sizes else sum(sizes)
        return TensorShape(result)

    def compute_mask(self, inputs, mask=None):
        if mask is None or all(each is None for each in mask):
            return None
        masks = []
        for tensor, each in zip(inputs, mask):
            if each is None:
                masks.append(array.ones_like(tensor, dtype="bool"))
            else:
                masks.append(array.expand_dims(each, -1) if each.shape.rank < tensor.shape.rank else each)
        return reduce_all(array.concat(masks, self.axis), axis=-1)


@export("keras.layers.Dot")
class Dot(Merge):
    """The batched dot product of two tensors along an axis of each.

    Args:
        axes: the axis, or one for each tensor.
        normalize: whether to L2-normalize first, which gives the cosine similarity.
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        TypeError: `axes` is neither an integer nor a pair.
        ValueError: the number of axes or inputs is not two.
    """

    fields = ("axes", "normalize")

    def __init__(self, axes, normalize=False, **kwargs):
        super().__init__(**kwargs)
        if not isinstance(axes, (int, list, tuple)):
            raise TypeError(f"axes must be a number or two of them, got {axes!r}")
        if not isinstance(axes, int) and (len(axes) != 2 or not all(isinstance(axis, int) for axis in axes)):
            raise ValueError(f"axes must be an integer or two, got {axes}")
        self.axes, self.normalize = axes, normalize

    def _both(self, shapes):
        axes = [self.axes] * 2 if isinstance(self.axes, int) else self.axes
        return [axis % shape.rank for axis, shape in zip(axes, shapes)]

    def _check(self, shapes):
        if len(shapes) != 2:
            raise ValueError("a Dot layer takes a list of two inputs")
        if None in [shape.rank for shape in shapes]:
            return
        first, second = (shape.as_list()[axis] for shape, axis in zip(shapes, self._both(shapes)))
        if None not in (first, second) and first != second:
            raise ValueError(f"the axes that are summed over have sizes {first} and {second}: {shapes}")

    def call(self, inputs):
        x, y = inputs
        axes = self._both([x.shape, y.shape])
        if self.normalize:
            x, y = l2_normalize(x, axis=axes[0]), l2_normalize(y, axis=axes[1])
        return batch_dot(x, y, axes)

    def compute_output_shape(self, input_shape):
        shapes = [TensorShape(shape) for shape in input_shape]
        first, second = (shape.as_list() for shape in shapes)
        axes = self._both(shapes)
        result = [size for axis, size in enumerate(first) if axis != axes[0]] + \
            [size for axis, size in enumerate(second) if axis not in (0, axes[1])]
        return TensorShape(result + [1] if len(result) == 1 else result)

    def compute_mask(self, inputs, mask=None):
        return None


@export("keras.backend.batch_dot")
def batch_dot(x, y, axes=None):
    """The batched dot product of two tensors along an axis of each.

    Args:
        x, y: tensors of rank 2 or more.
        axes: the axes, one for both or two; by default the last of `x` and the second-to-last of `y`.

    Returns:
        A tensor with the remaining axes of `x`, then of `y`; at least of rank 2.
    """
    x, y = convert_to_tensor(x), convert_to_tensor(y)
    ranks = x.shape.rank, y.shape.rank
    axes = (axes, axes) if isinstance(axes, int) else axes or (ranks[0] - 1, ranks[1] - 2)
    axes = [axis % rank for axis, rank in zip(axes, ranks)]
    difference = ranks[0] - ranks[1]
    ones = [1] * abs(difference)
    if difference > 0:
        y = array.reshape(y, array.concat([array.shape(y), ones], 0))
    elif difference < 0:
        x = array.reshape(x, array.concat([array.shape(x), ones], 0))
    if ranks == (2, 2):
        x = x if axes[0] == axes[1] else array.transpose(x, [1, 0])
        outputs = reduce_sum(x * y, axes[1])
    else:
        last = max(ranks) - 1
        outputs = matmul(x, y, adjoint_a=axes[0] != last, adjoint_b=axes[1] == last)
    if difference:
        first = sum(ranks) - 3 if difference > 0 else ranks[0] - 1
        outputs = array.squeeze(outputs, list(range(first, first + abs(difference))))
    return array.expand_dims(outputs, 1) if outputs.shape.rank == 1 else outputs


# ---- functions

def _function(kind, name):
    def merge(inputs, **kwargs):
        return kind(**kwargs)(inputs)

    merge.__name__ = merge.__qualname__ = name
    merge.__doc__ = f"""`tf.keras.layers.{kind.__name__}` of the inputs.

    Args:
        inputs: a list of tensors.
        **kwargs: of the layer.
    """
    return export(f"keras.layers.{name}")(merge)


add = _function(Add, "add")
subtract = _function(Subtract, "subtract")
multiply = _function(Multiply, "multiply")
average = _function(Average, "average")
maximum = _function(Maximum, "maximum")
minimum = _function(Minimum, "minimum")


@export("keras.layers.concatenate")
def concatenate(inputs, axis=-1, **kwargs):
    """`tf.keras.layers.Concatenate` of the inputs.

    Args:
        inputs: a list of tensors.
        axis: the axis.
        **kwargs: of the layer.
    """
    return Concatenate(axis=axis, **kwargs)(inputs)


@export("keras.layers.dot")
def dot(inputs, axes, normalize=False, **kwargs):
    """`tf.keras.layers.Dot` of the inputs.

    Args:
        inputs: a list of two tensors.
        axes: the axis, or one for each tensor.
        normalize: whether to L2-normalize first.
        **kwargs: of the layer.
    """
    return Dot(axes=axes, normalize=normalize, **kwargs)(inputs)
