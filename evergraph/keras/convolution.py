"""tf.keras.layers: convolutions."""
from __future__ import annotations

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend.nn.convolution import atrous_conv2d_transpose, depthwise_conv2d
from evergraph.keras import settings
from evergraph.keras.layer import Layer, resolved
from evergraph.layers import convolution, separable, transpose
from evergraph.layers.sizes import as_tuple, convolved_size
from evergraph.ops.arrays import pad

_WORDS = {1: "an integer", 2: "an integer, or two", 3: "an integer, or three"}
_SHARED = """
        activation: the activation function, or its name; None for none.
        use_bias: whether to add a bias.
        kernel_initializer: the initializer of the filters.
        bias_initializer: the initializer of the bias.
        kernel_regularizer: a penalty on the filters, added to the losses.
        bias_regularizer: a penalty on the bias, added to the losses.
        activity_regularizer: a penalty on the output, added to the losses.
        kernel_constraint: a projection of the filters that optimizers apply after each step.
        bias_constraint: a projection of the bias that optimizers apply after each step.
        **kwargs: see `tf.keras.layers.Layer`.
    """
_ARGUMENTS = """
    Args:
        filters: the number of output channels.
        kernel_size: the size of the filters: {sizes}.
        strides: the strides of the convolution: {sizes}.
        padding: "valid" for no padding, or "same" for an output of size input / strides{causal}.
        data_format: "channels_last", or "channels_first" for channels after the batch.
        dilation_rate: the dilation of the filters; strides must be 1 then.""" + _SHARED


def causally(layer, call, inputs):
    """Calls `call`, which has no causal padding, on inputs that are padded if the layer's padding is causal.

    Causal padding prepends zeros, so that no output depends on later inputs.
    """
    if layer.padding != "causal":
        return call(inputs)
    space = [layer.dilation_rate[0] * (layer.kernel_size[0] - 1), 0]
    sides = [[0, 0], space, [0, 0]] if layer.data_format == "channels_last" else [[0, 0], [0, 0], space]
    layer.padding = "valid"
    try:
        return call(pad.pad(inputs, sides))
    finally:
        layer.padding = "causal"


class Convolution(Layer, convolution.Convolution):
    """Convolutions of Keras: those of tf.layers, with causal padding of sequences."""

    def _convolved(self, inputs):
        return causally(self, super()._convolved, inputs)

    def compute_output_shape(self, input_shape):
        if self.padding != "causal":
            return super().compute_output_shape(input_shape)
        sizes = TensorShape(input_shape).as_list()
        axis = 1 if self.data_format == "channels_last" else 2
        return self._shape_of(sizes[0], [convolved_size(sizes[axis], 1, "same", self.strides[0])])


def _convolution(kind, *names):
    """The Keras layer for a class of tf.layers."""
    rank = kind.rank
    one = 1 if rank == 1 else (1,) * rank

    def __init__(self, filters, kernel_size, strides=one, padding="valid",
                 data_format="channels_last" if rank == 1 else None, dilation_rate=one, activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 **kwargs):
        given = {name: value for name, value in resolved(locals()).items() if name not in ("made", "one", "rank")}
        given["data_format"] = settings.layout_of(data_format)
        super(made, self).__init__(**given, **kwargs)

    causal = ', or "causal" for zeros before the sequence alone' if rank == 1 else ""
    doc = f"{kind.__doc__.splitlines()[0]}\n{_ARGUMENTS.format(sizes=_WORDS[rank], causal=causal)}"
    members = {"__init__": __init__, "__doc__": doc, "__module__": __name__,
               "paddings": ("valid", "same", "causal") if rank == 1 else ("valid", "same")}
    made = type(names[0], (Convolution, kind), members)
    return export(*(f"keras.layers.{name}" for name in names))(made)


Conv1D = _convolution(convolution.Conv1D, "Conv1D", "Convolution1D")
Conv2D = _convolution(convolution.Conv2D, "Conv2D", "Convolution2D")
Conv3D = _convolution(convolution.Conv3D, "Conv3D", "Convolution3D")


# ---- transposed

def deconvolved_size(size, window, padding, output_padding, stride, dilation=1):
    """The size of an axis after a transposed convolution; `size` may be a tensor."""
    if size is None:
        return None
    window = window + (window - 1) * (dilation - 1)
    if output_padding is None:
        return size * stride if padding == "same" else size * stride + max(window - stride, 0)
    taken = 2 * (window // 2) if padding == "same" else 0
    return (size - 1) * stride + window - taken + output_padding


_TRANSPOSED = """
    Args:
        filters: the number of output channels.
        kernel_size: the size of the filters: {sizes}.
        strides: how far apart the windows are: {sizes}.
        padding: "valid", or "same" for an output as large as the input, times the strides.
        output_padding: how much larger the output is than the smallest that fits; less than the strides.
        data_format: "channels_last", or "channels_first" for channels after the batch."""


class Transposed(Layer):
    """Transposed convolutions of Keras: those of tf.layers, with `output_padding`."""

    def _checked(self, output_padding, dilation_rate=None):
        self.output_padding = None
        if output_padding is not None:
            self.output_padding = as_tuple(output_padding, self.rank, "output_padding")
            if any(stride <= more for stride, more in zip(self.strides, self.output_padding)):
                raise ValueError(f"output_padding {self.output_padding} is not smaller than the strides {self.strides}")
        if dilation_rate is not None:
            self.dilation_rate = as_tuple(dilation_rate, self.rank, "dilation_rate")

    def _size(self, axis, known, sizes, window, stride):
        place = axis - (1 if self.data_format == "channels_last" else 2)
        more = None if self.output_padding is None else self.output_padding[place]
        size = sizes[axis] if known[axis] is None else known[axis]
        return deconvolved_size(size, window, self.padding, more, stride, self.dilation_rate[place])

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        start = 1 if self.data_format == "channels_last" else 2
        space = [None if sizes[start + place] is None else self._size(start + place, sizes, sizes, window, stride)
                 for place, (window, stride) in enumerate(zip(self.kernel_size, self.strides))]
        return self._shape_of(sizes[0], space)


@export("keras.layers.Conv2DTranspose", "keras.layers.Convolution2DTranspose")
class Conv2DTranspose(Transposed, transpose.Conv2DTranspose):
    __doc__ = f"""Transposed 2-D convolution (deconvolution).
{_TRANSPOSED.format(sizes=_WORDS[2])}
        dilation_rate: the dilation of the filters; strides must be 1 then.{_SHARED}"""

    fields = (*transpose.Conv2DTranspose.fields, "output_padding", "dilation_rate")

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", output_padding=None, data_format=None,
                 dilation_rate=(1, 1), activation=None, use_bias=True, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, bias_constraint=None, **kwargs):
        given = resolved(locals())
        del given["output_padding"], given["dilation_rate"]
        given["data_format"] = settings.layout_of(data_format)
        super().__init__(**given, **kwargs)
        self._checked(output_padding, dilation_rate)

    def _convolved(self, inputs):
        if self.dilation_rate == (1, 1):
            return super()._convolved(inputs)
        if self.dilation_rate[0] != self.dilation_rate[1] or self.data_format == "channels_first":
            raise errors.UnimplementedError(None, None, "Conv2DTranspose with different dilation rates, or with "
                                                        "dilation and channels first")
        outputs = atrous_conv2d_transpose(inputs, self.kernel, self._output_sizes(inputs), self.dilation_rate[0],
                                          self.padding.upper())
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs


@export("keras.layers.Conv3DTranspose", "keras.layers.Convolution3DTranspose")
class Conv3DTranspose(Transposed, transpose.Conv3DTranspose):
    __doc__ = f"""Transposed 3-D convolution (deconvolution).
{_TRANSPOSED.format(sizes=_WORDS[3])}{_SHARED}"""

    fields = (*transpose.Conv3DTranspose.fields, "output_padding")

    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding="valid", output_padding=None, data_format=None,
                 activation=None, use_bias=True, kernel_initializer="glorot_uniform", bias_initializer="zeros",
                 kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, **kwargs):
        given = resolved(locals())
        del given["output_padding"]
        given["data_format"] = settings.layout_of(data_format)
        super().__init__(**given, **kwargs)
        self._checked(output_padding)


# ---- separable

_BY_CHANNEL = """
        depth_multiplier: the number of output channels per input channel.
        activation: the activation function, or its name; None for none.
        use_bias: whether to add a bias.
        depthwise_initializer: the initializer of the filters.{pointwise[0]}
        bias_initializer: the initializer of the bias.
        depthwise_regularizer: a penalty on the filters, added to the losses.{pointwise[1]}
        bias_regularizer: a penalty on the bias, added to the losses.
        activity_regularizer: a penalty on the output, added to the losses.
        depthwise_constraint: a projection of the filters that optimizers apply after each step.{pointwise[2]}
        bias_constraint: a projection of the bias that optimizers apply after each step.
        **kwargs: see `tf.keras.layers.Layer`.
    """
_POINTWISE = ("\n        pointwise_initializer: the initializer of the pointwise kernel.",
              "\n        pointwise_regularizer: a penalty on the pointwise kernel, added to the losses.",
              "\n        pointwise_constraint: a projection of it that optimizers apply after each step.")


def _separable(kind, *names):
    """The Keras layer for a class of tf.layers."""
    rank = kind.rank
    one = 1 if rank == 1 else (1,) * rank

    def __init__(self, filters, kernel_size, strides=one, padding="valid", data_format=None, dilation_rate=one,
                 depth_multiplier=1, activation=None, use_bias=True, depthwise_initializer="glorot_uniform",
                 pointwise_initializer="glorot_uniform", bias_initializer="zeros", depthwise_regularizer=None,
                 pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 depthwise_constraint=None, pointwise_constraint=None, bias_constraint=None, **kwargs):
        given = {name: value for name, value in resolved(locals()).items() if name not in ("made", "one", "rank")}
        given["data_format"] = settings.layout_of(data_format)
        super(made, self).__init__(**given, **kwargs)

    def call(self, inputs):
        """Convolves the inputs."""
        return causally(self, lambda padded: kind.call(self, padded), inputs)

    doc = _ARGUMENTS.format(sizes=_WORDS[rank], causal="").split("\n        activation:")[0]
    doc = f"{kind.__doc__.splitlines()[0]}\n{doc}{_BY_CHANNEL.format(pointwise=_POINTWISE)}"
    members = {"__init__": __init__, "call": call, "__doc__": doc, "__module__": __name__,
               "paddings": ("valid", "same", "causal") if rank == 1 else ("valid", "same")}
    made = type(names[0], (Layer, kind), members)
    return export(*(f"keras.layers.{name}" for name in names))(made)


SeparableConv1D = _separable(separable.SeparableConv1D, "SeparableConv1D", "SeparableConvolution1D")
SeparableConv2D = _separable(separable.SeparableConv2D, "SeparableConv2D", "SeparableConvolution2D")


@export("keras.layers.DepthwiseConv2D")
class DepthwiseConv2D(Layer, convolution.Conv2D):
    __doc__ = f"""Depthwise 2-D convolution: filters each channel separately.

    Args:
        kernel_size: the size of the filters: an integer, or two.
        strides: the strides of the convolution: an integer, or two.
        padding: "valid" for no padding, or "same" for an output of size input / strides.
        data_format: "channels_last", or "channels_first" for channels after the batch.\
{_BY_CHANNEL.format(pointwise=("",) * 3)}"""

    fields = (*(field for field in convolution.Conv2D.fields
                if field != "filters" and (not field.startswith("kernel_") or field == "kernel_size")),
              "depth_multiplier", "depthwise_initializer", "depthwise_regularizer", "depthwise_constraint")

    def __init__(self, kernel_size, strides=(1, 1), padding="valid", depth_multiplier=1, data_format=None,
                 activation=None, use_bias=True, depthwise_initializer="glorot_uniform", bias_initializer="zeros",
                 depthwise_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 depthwise_constraint=None, bias_constraint=None, **kwargs):
        given = resolved(locals())
        own = {name: given.pop(name) for name in ("depth_multiplier", "depthwise_initializer", "depthwise_regularizer",
                                                  "depthwise_constraint")}
        given["data_format"] = settings.layout_of(data_format)
        super().__init__(filters=None, dilation_rate=kwargs.pop("dilation_rate", 1), **given, **kwargs)
        vars(self).update(own)

    def build(self, input_shape):
        channels = self._expect_channels(input_shape)
        self.depthwise_kernel = self.add_weight(
            "depthwise_kernel", shape=[*self.kernel_size, channels, self.depth_multiplier],
            initializer=self.depthwise_initializer, regularizer=self.depthwise_regularizer,
            constraint=self.depthwise_constraint)
        self.filters = channels * self.depth_multiplier
        self._add_bias()
        self.built = True

    def call(self, inputs):
        last = self.data_format == "channels_last"
        outputs = depthwise_conv2d(
            inputs, self.depthwise_kernel, [1, *self.strides, 1] if last else [1, 1, *self.strides],
            self.padding.upper(), rate=self.dilation_rate, data_format="NHWC" if last else "NCHW")
        return self._finished(outputs)

    def compute_output_shape(self, input_shape):
        if self.filters is None:
            channels = TensorShape(input_shape).as_list()[-1 if self.data_format == "channels_last" else 1]
            self.filters = channels * self.depth_multiplier
        return super().compute_output_shape(input_shape)
