"""tf.keras.layers.ConvLSTM2D."""
from __future__ import annotations

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.nn import activations
from evergraph.frontend.nn.convolution import convolution
from evergraph.frontend.variables import regularizers
from evergraph.keras import settings
from evergraph.keras.cells import Cell, forgetful
from evergraph.keras.layer import resolved
from evergraph.keras.recurrent_layers import OfCell, shows_its_cell
from evergraph.layers.sizes import as_tuple, channel_axis, convolved_size, known_padding


class ConvLSTM2DCell(Cell):
    """A convolutional LSTM cell (Shi et al., 2015)."""

    parts = 4
    fields = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation",
              "recurrent_activation", "use_bias", "kernel_initializer", "recurrent_initializer", "bias_initializer",
              "unit_forget_bias", "kernel_regularizer", "recurrent_regularizer", "bias_regularizer",
              "kernel_constraint", "recurrent_constraint", "bias_constraint", "dropout", "recurrent_dropout")

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

    state_size = property(lambda self: [self.filters, self.filters], doc="The channels of the output and the memory.")
    output_size = property(lambda self: self.filters, doc="The channels of the output.")

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        axis = channel_axis(self.data_format)
        if sizes[axis] is None:
            raise ValueError("the number of channels of the inputs must be known")
        self._step = sizes[1:]
        self.kernel = self.add_weight(
            "kernel", shape=(*self.kernel_size, sizes[axis], self.filters * 4), initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint)
        self.recurrent_kernel = self.add_weight(
            "recurrent_kernel", shape=(*self.kernel_size, self.filters, self.filters * 4),
            initializer=self.recurrent_initializer, regularizer=self.recurrent_regularizer,
            constraint=self.recurrent_constraint)
        start = forgetful(self.bias_initializer, self.filters) if self.unit_forget_bias else self.bias_initializer
        self.bias = self.add_weight("bias", shape=(self.filters * 4,), initializer=start,
                                    regularizer=self.bias_regularizer, constraint=self.bias_constraint) \
            if self.use_bias else None
        self.built = True

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

    def call(self, inputs, states, training=None):
        """One step: (output, [output, cell state])."""
        before, memory = states
        given, state = self._with_masks(inputs, before, training)
        order = "NHWC" if self.data_format == "channels_last" else "NCHW"
        x = self._convolved(given, self.kernel, padding=self.padding.upper(), strides=self.strides,
                            dilation_rate=self.dilation_rate)
        x = [part if bias is None else activations.bias_add(part, bias, data_format=order)
             for part, bias in zip(x, self._biases(self.bias))]
        h = self._convolved(state, self.recurrent_kernel, padding="SAME", strides=(1, 1))
        learn, forget = self.recurrent_activation(x[0] + h[0]), self.recurrent_activation(x[1] + h[1])
        memory = forget * memory + learn * self.activation(x[2] + h[2])
        output = self.recurrent_activation(x[3] + h[3]) * self.activation(memory)
        return output, [output, memory]


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
        activation: the activation of the output, a function or its name.
        recurrent_activation: the activation of the gates, a function or its name.
        use_bias: whether to add a bias.
        kernel_initializer: the initializer of the filters for the inputs.
        recurrent_initializer: the initializer of the filters for the state.
        bias_initializer: the initializer of the bias.
        unit_forget_bias: whether the bias of the forget gate is initialized to ones.
        kernel_regularizer: a penalty on the filters for the inputs, added to the losses.
        recurrent_regularizer: a penalty on the filters for the state, added to the losses.
        bias_regularizer: a penalty on the bias, added to the losses.
        activity_regularizer: a penalty on the output, added to the losses.
        kernel_constraint: a projection of the filters for the inputs that optimizers apply after each step.
        recurrent_constraint: a projection of the filters for the state that optimizers apply after each step.
        bias_constraint: a projection of the bias that optimizers apply after each step.
        return_sequences: whether to return the outputs of all steps, instead of the last.
        go_backwards: whether to process the sequence in reverse.
        stateful: whether a batch starts with the final states of the previous batch; `layer.updates` keep them.
        dropout: the probability to drop an element of the inputs in training, the same in all steps.
        recurrent_dropout: the probability to drop an element of the state in training, the same in all steps.
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
        given = {name: value for name, value in locals().items() if name in ConvLSTM2DCell.fields}
        cell = ConvLSTM2DCell(**given, trainable=kwargs.get("trainable", True))
        super().__init__(cell, return_sequences=return_sequences, go_backwards=go_backwards, stateful=stateful,
                         activity_regularizer=regularizers.get(activity_regularizer), **kwargs)

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
