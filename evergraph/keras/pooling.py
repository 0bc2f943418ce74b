"""tf.keras.layers: pooling over windows, and global pooling."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.reduce import reduce_max, reduce_mean, reduce_sum
from evergraph.keras import settings
from evergraph.keras.layer import Layer
from evergraph.layers import pooling
from evergraph.layers.input_spec import InputSpec

_ARGUMENTS = """
    Args:
        pool_size: the size of the windows: {sizes}.
        strides: how far the windows move at a time: {sizes}; by default as far as they are large.
        padding: "valid" for no padding, or "same" for an output of size input / strides.
        data_format: "channels_last", or "channels_first" for channels after the batch.
        **kwargs: see `tf.keras.layers.Layer`.
    """
_SIZES = {1: "an integer", 2: "an integer, or two for height and width",
          3: "an integer, or three for depth, height and width"}


def _windowed(kind, *names):
    """The Keras layer for a class of tf.layers."""
    sizes = 2 if kind.rank == 1 else (2,) * kind.rank
    layout = "channels_last" if kind.rank == 1 else None

    def __init__(self, pool_size=sizes, strides=None, padding="valid", data_format=layout, **kwargs):
        super(made, self).__init__(pool_size=pool_size, strides=pool_size if strides is None else strides,
                                   padding=padding, data_format=settings.layout_of(data_format), **kwargs)

    doc = f"{kind.__doc__.splitlines()[0]}\n{_ARGUMENTS.format(sizes=_SIZES[kind.rank])}"
    made = type(names[0], (Layer, kind), {"__init__": __init__, "__doc__": doc, "__module__": __name__})
    return export(*(f"keras.layers.{name}" for name in names))(made)


MaxPooling1D = _windowed(pooling.MaxPooling1D, "MaxPooling1D", "MaxPool1D")
MaxPooling2D = _windowed(pooling.MaxPooling2D, "MaxPooling2D", "MaxPool2D")
MaxPooling3D = _windowed(pooling.MaxPooling3D, "MaxPooling3D", "MaxPool3D")
AveragePooling1D = _windowed(pooling.AveragePooling1D, "AveragePooling1D", "AvgPool1D")
AveragePooling2D = _windowed(pooling.AveragePooling2D, "AveragePooling2D", "AvgPool2D")
AveragePooling3D = _windowed(pooling.AveragePooling3D, "AveragePooling3D", "AvgPool3D")


class GlobalPooling(Layer):
    """The base of global pooling layers."""

    rank = 2
    fields = ("data_format",)

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format, self.input_spec = settings.layout_of(data_format), InputSpec(ndim=self.rank + 2)

    def _axes(self):
        start = 1 if self.data_format == "channels_last" else 2
        return list(range(start, start + self.rank))

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0], sizes[-1 if self.data_format == "channels_last" else 1]])


def _whole(rank, reduce, what, *names):
    def call(self, inputs):
        """Pools the inputs."""
        return reduce(inputs, axis=self._axes())

    def __init__(self, data_format="channels_last" if rank == 1 else None, **kwargs):
        super(made, self).__init__(data_format, **kwargs)

    over = {1: "sequences", 2: "images", 3: "volumes"}[rank]
    doc = f"""Global {what} pooling of {over}.

    Args:
        data_format: "channels_last", or "channels_first" for channels after the batch.
        **kwargs: see `tf.keras.layers.Layer`.
    """
    made = type(names[0], (GlobalPooling,), {"rank": rank, "call": call, "__init__": __init__, "__doc__": doc,
                                             "__module__": __name__})
    return export(*(f"keras.layers.{name}" for name in names))(made)


GlobalMaxPooling1D = _whole(1, reduce_max, "max", "GlobalMaxPooling1D", "GlobalMaxPool1D")
GlobalMaxPooling2D = _whole(2, reduce_max, "max", "GlobalMaxPooling2D", "GlobalMaxPool2D")
GlobalMaxPooling3D = _whole(3, reduce_max, "max", "GlobalMaxPooling3D", "GlobalMaxPool3D")
GlobalAveragePooling2D = _whole(2, reduce_mean, "average", "GlobalAveragePooling2D", "GlobalAvgPool2D")
GlobalAveragePooling3D = _whole(3, reduce_mean, "average", "GlobalAveragePooling3D", "GlobalAvgPool3D")


@export("keras.layers.GlobalAveragePooling1D", "keras.layers.GlobalAvgPool1D")
class GlobalAveragePooling1D(GlobalPooling):
    """Global average pooling of sequences, without masked steps.

    Args:
        data_format: "channels_last", or "channels_first" for channels after the batch.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    rank = 1

    def __init__(self, data_format="channels_last", **kwargs):
        super().__init__(data_format, **kwargs)
        self.supports_masking = True

    def call(self, inputs, mask=None):
        axis = self._axes()[0]
        if mask is None:
            return reduce_mean(inputs, axis=axis)
        kept = array.expand_dims(math.cast(mask, inputs.dtype), 2 if axis == 1 else 1)
        return reduce_sum(inputs * kept, axis=axis) / reduce_sum(kept, axis=axis)

    def compute_mask(self, inputs, mask=None):
        return None
