"""Max pooling and average pooling layers in one, two and three dimensions."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.functional import function_of
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.layer import Layer
from evergraph.layers.sizes import FIRST, LAST, SIZES, as_tuple, convolved_size, known_format, known_padding, layout
from evergraph.ops.nn import pool


class Pooling(Layer):
    """The base class of pooling layers; `rank` is the number of spatial dimensions."""

    rank, op = 2, None
    fields = ("pool_size", "strides", "padding", "data_format")

    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None, **kwargs):
        if strides is None:
            raise ValueError("Argument `strides` must not be None.")
        super().__init__(name=name, **kwargs)
        self.pool_size = as_tuple(pool_size, self.rank, "pool_size")
        self.strides = as_tuple(strides, self.rank, "strides")
        self.padding, self.data_format = known_padding(padding), known_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs):
        inputs = convert_to_tensor(inputs)
        if self.rank > 1:
            return self._pooled(inputs, self.pool_size, self.strides)
        axis = 2 if self.data_format == "channels_last" else 3
        outputs = self._pooled(array.expand_dims(inputs, axis), (*self.pool_size, 1), (*self.strides, 1))
        return array.squeeze(outputs, [axis])

    def _pooled(self, inputs, sizes, strides):
        ends = lambda values: [1, *values, 1] if self.data_format == "channels_last" else [1, 1, *values]
        return type(self).op(inputs, ksize=ends(sizes), strides=ends(strides), padding=self.padding.upper(),
                             data_format=layout(self.data_format, len(sizes) + 2))

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        last = self.data_format == "channels_last"
        space = [convolved_size(size, window, self.padding, stride)
                 for size, window, stride in zip(sizes[1:-1] if last else sizes[2:], self.pool_size, self.strides)]
        return TensorShape([sizes[0], *space, sizes[-1]] if last else [sizes[0], sizes[1], *space])


_ARGUMENTS = """
    Args:
        pool_size: the size of the pooling window: {sizes}.
        strides: the strides of the window: {sizes}.
        padding: "valid" for no padding, or "same" for an output size of input size / stride, rounded up. Padded
            elements take part in no maximum and no mean.
        data_format: "channels_last" for inputs of shape {last}, or "channels_first" for
            {first}.
        name: the name of the layer.
        **kwargs: see `tf.layers.Layer`.

    Raises:
        ValueError: `strides` is None, or an argument is unknown.
    """


def _layer(name, op, rank, what):
    """The class of a pooling layer."""
    arguments = _ARGUMENTS.format(sizes=SIZES[rank], last=LAST[rank], first=FIRST[rank])
    doc = f"A {rank}-D {what}.\n{arguments}"
    made = type(name, (Pooling,), {"rank": rank, "op": op, "__doc__": doc, "__module__": __name__})
    return export(f"layers.{name}")(made)


_MAX = "max pooling layer: the maximum of the elements in each window"
_MEAN = "average pooling layer: the mean of the elements in each window"

MaxPooling1D = _layer("MaxPooling1D", pool.max_pool, 1, _MAX)
MaxPooling2D = _layer("MaxPooling2D", pool.max_pool, 2, _MAX)
MaxPooling3D = _layer("MaxPooling3D", pool.max_pool3d, 3, _MAX)
AveragePooling1D = _layer("AveragePooling1D", pool.avg_pool, 1, _MEAN)
AveragePooling2D = _layer("AveragePooling2D", pool.avg_pool, 2, _MEAN)
AveragePooling3D = _layer("AveragePooling3D", pool.avg_pool3d, 3, _MEAN)

max_pooling1d = export("layers.max_pooling1d")(function_of(MaxPooling1D, "max_pooling1d", reusable=False))
max_pooling2d = export("layers.max_pooling2d")(function_of(MaxPooling2D, "max_pooling2d", reusable=False))
max_pooling3d = export("layers.max_pooling3d")(function_of(MaxPooling3D, "max_pooling3d", reusable=False))
average_pooling1d = export("layers.average_pooling1d")(
    function_of(AveragePooling1D, "average_pooling1d", reusable=False))
average_pooling2d = export("layers.average_pooling2d")(
    function_of(AveragePooling2D, "average_pooling2d", reusable=False))
average_pooling3d = export("layers.average_pooling3d")(
    function_of(AveragePooling3D, "average_pooling3d", reusable=False))
