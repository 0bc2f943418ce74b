"""Pooling layers: the largest or the mean of the elements in windows."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.functional import function_of
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.layer import Layer
from evergraph.layers.sizes import as_tuple, convolved_size, known_format, known_padding, layout
from evergraph.ops.nn import pool


class Pooling(Layer):
    """What pooling layers share; `rank` is the number of axes that the windows slide over."""

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
        pool_size: the size of the windows: {sizes}.
        strides: how far the windows move at a time: {sizes}.
        padding: "valid" for none, or "same" for an output as large as the input, over the strides.
        data_format: "channels_last", or "channels_first" for channels right after the batch.
        name: the name of the layer.
        **kwargs: see `tf.layers.Layer`.
    """
_SIZES = {1: "an integer", 2: "an integer, or two for height and width",
          3: "an integer, or three for depth, height and width"}


def _layer(name, op, rank, what):
    """The class of a pooling layer."""
    over = {1: "one axis", 2: "two axes", 3: "three axes"}[rank]
    doc = f"{what} in windows that slide over {over}.\n{_ARGUMENTS.format(sizes=_SIZES[rank])}"
    made = type(name, (Pooling,), {"rank": rank, "op": op, "__doc__": doc, "__module__": __name__})
    return export(f"layers.{name}")(made)


MaxPooling1D = _layer("MaxPooling1D", pool.max_pool, 1, "The largest of the elements")
MaxPooling2D = _layer("MaxPooling2D", pool.max_pool, 2, "The largest of the elements")
MaxPooling3D = _layer("MaxPooling3D", pool.max_pool3d, 3, "The largest of the elements")
AveragePooling1D = _layer("AveragePooling1D", pool.avg_pool, 1, "The mean of the elements")
AveragePooling2D = _layer("AveragePooling2D", pool.avg_pool, 2, "The mean of the elements")
AveragePooling3D = _layer("AveragePooling3D", pool.avg_pool3d, 3, "The mean of the elements")

max_pooling1d = export("layers.max_pooling1d")(function_of(MaxPooling1D, "max_pooling1d", reusable=False))
max_pooling2d = export("layers.max_pooling2d")(function_of(MaxPooling2D, "max_pooling2d", reusable=False))
max_pooling3d = export("layers.max_pooling3d")(function_of(MaxPooling3D, "max_pooling3d", reusable=False))
average_pooling1d = export("layers.average_pooling1d")(
    function_of(AveragePooling1D, "average_pooling1d", reusable=False))
average_pooling2d = export("layers.average_pooling2d")(
    function_of(AveragePooling2D, "average_pooling2d", reusable=False))
average_pooling3d = export("layers.average_pooling3d")(
    function_of(AveragePooling3D, "average_pooling3d", reusable=False))
