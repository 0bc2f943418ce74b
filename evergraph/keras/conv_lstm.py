"""tf.keras.layers.ConvLSTM2D."""
from __future__ import annotations

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.nn import activations
from evergraph.frontend.nn.convolution import convolution
from evergraph.keras import settings
from evergraph.keras.cells import LSTMCell
from evergraph.keras.layer import resolved
from evergraph.keras.recurrent_layers import OfCell, shows_its_cell
from evergraph.layers.sizes import as_tuple, channel_axis, convolved_size, known_padding


class ConvLSTM2DCell(LSTMCell):
    """A convolutional LSTM cell (Shi et al., 2015)."""

    implementation = 1
    fields = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
              *(field for field in LSTMCell.fields if field not in ("units", "implementation")))

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1),
                 activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros",
                 unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None,
                 kernel_constraint=None, recurrent_constraint=None, bias_constraint=None, dropout=0.0,
                 recurrent_dropout=0.0, **kwargs):
        self._settle(resolved(locals()), kwargs)
        self.units, self.padding = self.filters, known_padding(padding)
        self.kernel_size = as_tuple(kernel_size, 2, "kernel_size")
        self.strides = as_tuple(strides, 2, "strides")
        self.dilation_rate = as_tuple(dilation_rate, 2, "dilation_rate")
        self.data_format = settings.layout_of(data_format)

    def _sizes(self, input_sizes):
        self._step, channels = input_sizes[1:], input_sizes[channel_axis(self.data_format)]
        if channels is None:
            raise ValueError("the number of channels of the inputs must be known")
        return channels, self.kernel_size

    def state_sizes(self, sizes):
        """The state's shape for inputs of this shape, without the batch; sizes may be tensors."""
        space = sizes[:2] if self.data_format == "channels_last" else sizes[1:]
        space = [convolved_size(size, window, self.padding, stride, rate) for size, window, stride, rate in
                 zip(space, self.kernel_size, self.strides, self.dilation_rate)]
        return [*space, self.filters] if self.data_format == "channels_last" else [self.filters, *space]

    def _drawn(self, batch_size, training):
        if (self.dropout or self.recurrent_dropout) and None in self._step:
            raise errors.UnimplementedError(None, None, "ConvLSTM2D with dropout for images of unknown size")
        draw = lambda sizes, rate: self._draw([batch_size, *sizes], rate, training)
        return draw(self._step, self.dropout), draw(self.state_sizes(self._step), self.recurrent_dropout)

    def _convolved(self, tensors, kernel, **options):
        order = "NHWC" if self.data_format == "channels_last" else "NCHW"
        axis = channel_axis(self.data_format)
        if all(tensor is tensors[0] for tensor in tensors):
            return array.split(convolution(tensors[0], kernel, data_format=order, **options), 4, axis=axis)
        return [convolution(tensor, part, data_format=order, **options)
                for tensor, part in zip(tensors, array.split(kernel, 4, axis=3))]

    def _sums(self, inputs, before, training):
        given, state = self._with_masks(inputs, before, training)
        order = "NHWC" if self.data_format == "channels_last" else "NCHW"
        x = self._convolved(given, self.kernel, padding=self.padding.upper(), strides=self.strides,
                            dilation_rate=self.dilation_rate)
        h = self._convolved(state, self.recurrent_kernel, padding="SAME", strides=(1, 1))
        return [(part if bias is None else activations.bias_add(part, bias, data_format=order)) + more
                for part, bias, more in zip(x, self._biases(self.bias), h)]


@export("keras.layers.ConvLSTM2D")
@shows_its_cell
class ConvLSTM2D(OfCell):
    """A convolutional LSTM (Shi et al., 2015) over image sequences [batch, time, height, width, channels].

    Args:
        filters: the number of output and state channels.
        kernel_size: the filters' size: an integer, or two.
        strides: the strides of the input convolution: an integer, or two.
        padding: "valid" or "same", for the inputs; the state is always padded.
        data_format: "channels_last", or "channels_first" for channels after the time.
        dilation_rate: the dilation of the input filters.
        activation ... recurrent_dropout: as for `tf.keras.layers.LSTM`, with filters for kernels.
        **kwargs: `return_state` and `unroll`; see `tf.keras.layers.RNN`.
    """

    kind = ConvLSTM2DCell
    step_rank = 4

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1),
                 activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros",
                 unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, recurrent_constraint=None, bias_constraint=None,
                 return_sequences=False, go_backwards=False, stateful=False, dropout=0.0, recurrent_dropout=0.0,
                 **kwargs):
        given = dict(locals())
        self._settle({**given, **{name: kwargs.pop(name, False) for name in ("return_state", "unroll")}}, kwargs)

    def _kept_sizes(self):
        if not self.cell.built or None in self.cell._step:
            raise ValueError("a stateful ConvLSTM2D keeps states of the images' size: give that in `batch_input_shape`")
        return [TensorShape(self.cell.state_sizes(self.cell._step))] * 2

    def get_initial_state(self, inputs):
        """Zeros, of the size of the convolved inputs."""
        sizes, dynamic = inputs.shape.as_list(), array.shape(inputs)
        known = [dynamic[axis] if size is None else size for axis, size in enumerate(sizes)]
        shape = [known[0], *self.cell.state_sizes(known[2:])]
        state = array.zeros(shape, dtype=inputs.dtype)
        state.set_shape([sizes[0], *self.cell.state_sizes(sizes[2:])])
        return [state, state]

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        inner = self.cell.state_sizes(sizes[2:])
        output = TensorShape([*sizes[:2], *inner] if self.return_sequences else [sizes[0], *inner])
        return [output, *[TensorShape([sizes[0], *inner])] * 2] if self.return_state else output
