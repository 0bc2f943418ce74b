"""tf.keras.layers: the cells of recurrent networks."""
from __future__ import annotations

import contextlib
from typing import Any

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.control_flow import smart_cond
from evergraph.frontend.indexing import getitem
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.variables.initializers import ones_initializer
from evergraph.keras import settings
from evergraph.keras.layer import Layer, resolved
from evergraph.keras.recurrent import AbstractRNNCell

_ARGUMENTS = """
    Args:
        units: the size of the output and of the state.
        activation: the activation of the output, a function or its name.{recurrent_activation}
        use_bias: whether to add a bias.
        kernel_initializer: the initializer of the input kernel.
        recurrent_initializer: the initializer of the recurrent kernel.
        bias_initializer: the initializer of the bias.{unit_forget_bias}
        kernel_regularizer: a penalty on the input kernel, added to the losses.
        recurrent_regularizer: a penalty on the recurrent kernel, added to the losses.
        bias_regularizer: a penalty on the bias, added to the losses.{activity_regularizer}
        kernel_constraint: a projection of the input kernel that optimizers apply after each step.
        recurrent_constraint: a projection of the recurrent kernel that optimizers apply after each step.
        bias_constraint: a projection of the bias that optimizers apply after each step.
        dropout: the probability that an element of the inputs is dropped in training, the same in all steps.
        recurrent_dropout: the probability that an element of the state is dropped in training, the same in all steps.\
{implementation}{of_layer}
        **kwargs: see `tf.keras.layers.{base}`.
    """
_GATES = "\n        recurrent_activation: the activation of the gates, a function or its name."
_IMPLEMENTATION = "\n        implementation: 1, each gate has dropout masks of its own; 2, the gates share one."
_FORGET = "\n        unit_forget_bias: whether the bias of the forget gate is initialized to ones."
_OF_LAYER = """
        return_sequences: whether to return the outputs of all steps, instead of the last.
        return_state: whether to return the final states too: [output, *states].
        go_backwards: whether to process the sequence in reverse.
        stateful: whether a batch starts with the final states of the previous batch; `layer.updates` keep them.
        unroll: whether to unroll the loop."""
_AFTER = "\n        reset_after: whether the reset gate is applied after the recurrent kernel; with two biases then."


def arguments(gates: bool, forget: bool = False, after: bool = False, layer: bool = False) -> str:
    """The Args section of a cell's docstring."""
    return _ARGUMENTS.format(
        recurrent_activation=_GATES if gates else "", unit_forget_bias=_FORGET if forget else "",
        implementation=_IMPLEMENTATION if gates else "",
        activity_regularizer="\n        activity_regularizer: a penalty on the output, added to the losses."
        if layer else "", of_layer=(_OF_LAYER if layer else "") + (_AFTER if after else ""),
        base="RNN" if layer else "Layer")


class Cell(Layer):
    """The base of cells: kernels for inputs and state, a bias, dropout masks."""

    parts = 1  # the number of kernels of `units` columns, side by side
    fields = ("units", "activation", "use_bias", "kernel_initializer", "recurrent_initializer", "bias_initializer",
              "kernel_regularizer", "recurrent_regularizer", "bias_regularizer", "kernel_constraint",
              "recurrent_constraint", "bias_constraint", "dropout", "recurrent_dropout")

    def _settle(self, given: dict[str, Any], kwargs: dict[str, Any]) -> None:
        Layer.__init__(self, **kwargs)
        vars(self).update(given)
        self.dropout = min(1.0, max(0.0, self.dropout))
        self.recurrent_dropout = min(1.0, max(0.0, self.recurrent_dropout))
        self._masks: Any = None

    state_size = property(lambda self: self.units, doc="The size of the state, or a list of sizes.")
    output_size = property(lambda self: self.units, doc="The size of the output.")

    def build(self, input_shape):
        self._inputs, window = self._sizes(TensorShape(input_shape).as_list())
        columns = self.units * self.parts
        self.kernel = self.add_weight(
            "kernel", shape=(*window, self._inputs, columns), initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint)
        self.recurrent_kernel = self.add_weight(
            "recurrent_kernel", shape=(*window, self.units, columns), initializer=self.recurrent_initializer,
            regularizer=self.recurrent_regularizer, constraint=self.recurrent_constraint)
        self.bias = self.add_weight(
            "bias", shape=self._bias_shape(), initializer=self._bias_start(), regularizer=self.bias_regularizer,
            constraint=self.bias_constraint) if self.use_bias else None
        self.built = True

    def _sizes(self, input_sizes):
        """The number of inputs, and the sizes of the windows of convolutions."""
        return input_sizes[-1], ()

    def _plain_weights(self):
        """The kernels and the bias to compute with; cuDNN's cells keep theirs in another layout."""
        return self.kernel, self.recurrent_kernel, self.bias

    def _bias_shape(self):
        return (self.units * self.parts,)

    def _bias_start(self):
        return self.bias_initializer

    get_initial_state = AbstractRNNCell.get_initial_state

    # ---- dropout

    @contextlib.contextmanager
    def _sharing_steps(self, batch_size, training):
        """A block around the steps of a call, which share what is computed once: the dropout masks."""
        self._masks = self._drawn(batch_size, training)
        try:
            yield
        finally:
            self._masks = None

    def reset_dropout_mask(self):
        """Clears the cached dropout masks of the inputs."""
        self._masks = None if self._masks is None else (None, self._masks[1])

    def reset_recurrent_dropout_mask(self):
        """Clears the cached dropout masks of the state."""
        self._masks = None if self._masks is None else (self._masks[0], None)

    def get_dropout_mask_for_cell(self, inputs, training, count=1):
        """`count` dropout masks of the inputs: cached by the layer's call, or new ones, or None."""
        return self._kept_or_new(0, inputs, self.dropout, training, count)

    def get_recurrent_dropout_mask_for_cell(self, inputs, training, count=1):
        """`count` dropout masks of the state: cached by the layer's call, or new ones, or None."""
        return self._kept_or_new(1, inputs, self.recurrent_dropout, training, count)

    def _kept_or_new(self, which, inputs, rate, training, count):
        kept = None if self._masks is None else self._masks[which]
        masks = kept or self._draw(array.shape(inputs), rate, training, count)
        return masks if masks is None or count > 1 else masks[0]

    def _drawn(self, batch_size, training):
        return (self._draw([batch_size, self._inputs], self.dropout, training),
                self._draw([batch_size, self.units], self.recurrent_dropout, training))

    def _draw(self, shape, rate, training, count=None):
        """A mask for each part; None for no dropout."""
        if not 0 < rate < 1:
            return None
        training = settings.learning_phase() if training is None else training
        ones = array.ones(shape, dtype=self.dtype or "float32")
        return [smart_cond(training, lambda: activations.dropout(ones, rate=rate), lambda: ones)
                for _ in range(count or self.parts)]

    def _with_masks(self, inputs, state, training):
        """The inputs and the state for each part, with dropout applied."""
        masks = self._masks or self._drawn(array.shape(inputs)[0], training)
        return tuple([tensor] * self.parts if mask is None else [tensor * each for each in mask]
                     for tensor, mask in zip((inputs, state), masks))

    def _products(self, tensors, kernel, count=None):
        """Each part's tensor times its part of the kernel; one product if the tensors are the same."""
        count = self.parts if count is None else count
        implementation = getattr(self, "implementation", 1)
        if all(tensor is tensors[0] for tensor in tensors) or implementation == 2:
            whole = matmul(tensors[0], kernel if count == self.parts else getitem(
                kernel, (slice(None), slice(0, count * self.units))))
            return array.split(whole, count, axis=1)
        return [matmul(tensor, part) for tensor, part in zip(tensors, array.split(kernel, self.parts, axis=1)[:count])]

    def _biases(self, bias):
        return [None] * self.parts if bias is None else array.split(bias, self.parts)


def _plus(x, bias):
    return x if bias is None else activations.bias_add(x, bias)


@export("keras.layers.SimpleRNNCell")
class SimpleRNNCell(Cell):
    __doc__ = f"""A fully connected recurrent cell: activation(inputs @ kernel + state @ recurrent_kernel + bias).
{arguments(gates=False)}"""

    def __init__(self, units, activation="tanh", use_bias=True, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros", kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
                 bias_constraint=None, dropout=0.0, recurrent_dropout=0.0, **kwargs):
        self._settle(resolved(locals()), kwargs)

    def call(self, inputs, states, training=None):
        """One step: (output, [output])."""
        given, state = self._with_masks(inputs, states[0], training)
        output = self.activation(_plus(matmul(given[0], self.kernel), self.bias) +
                                 matmul(state[0], self.recurrent_kernel))
        return output, [output]


@export("keras.layers.GRUCell")
class GRUCell(Cell):
    __doc__ = f"""A gated recurrent unit (GRU; Cho et al., 2014): gates reset and update the state.
{arguments(gates=True, after=True)}"""
    parts = 3
    fields = (*Cell.fields, "recurrent_activation", "implementation", "reset_after")

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros",
                 kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, dropout=0.0, recurrent_dropout=0.0, implementation=1,
                 reset_after=False, **kwargs):
        self._settle(resolved(locals()), kwargs)

    def _bias_shape(self):
        return (2, 3 * self.units) if self.reset_after else (3 * self.units,)

    def call(self, inputs, states, training=None):
        """One step: (output, [output])."""
        before = states[0]
        kernel, recurrent, both = self._plain_weights()
        given, state = self._with_masks(inputs, before, training)
        first, second = (None, None) if both is None else array.unstack(both) if self.reset_after else (both, None)
        x = [_plus(part, bias) for part, bias in zip(self._products(given, kernel), self._biases(first))]
        gates = 3 if self.reset_after else 2
        h = [_plus(part, bias) for part, bias in zip(self._products(state, recurrent, gates), self._biases(second))]
        update, reset = self.recurrent_activation(x[0] + h[0]), self.recurrent_activation(x[1] + h[1])
        last = state[0] if self.implementation == 2 else state[2]
        kept = reset * h[2] if self.reset_after else \
            matmul(reset * last, getitem(recurrent, (slice(None), slice(2 * self.units, None))))
        new = self.activation(x[2] + kept)
        output = update * before + (1 - update) * new
        return output, [output]


@export("keras.layers.LSTMCell")
class LSTMCell(Cell):
    __doc__ = f"""A long short-term memory (LSTM) cell (Hochreiter and Schmidhuber, 1997): gates control its cell state.
{arguments(gates=True, forget=True)}"""
    parts = 4
    fields = (*Cell.fields, "recurrent_activation", "unit_forget_bias", "implementation")

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros",
                 unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None,
                 kernel_constraint=None, recurrent_constraint=None, bias_constraint=None, dropout=0.0,
                 recurrent_dropout=0.0, implementation=1, **kwargs):
        self._settle(resolved(locals()), kwargs)

    state_size = property(lambda self: [self.units, self.units], doc="The sizes of the output and the memory.")

    def _bias_start(self):
        return forgetful(self.bias_initializer, self.units) if self.unit_forget_bias else self.bias_initializer

    def call(self, inputs, states, training=None):
        """One step: (output, [output, cell state])."""
        before, memory = states
        learn, forget, new, show = self._sums(inputs, before, training)
        memory = self.recurrent_activation(forget) * memory + self.recurrent_activation(learn) * self.activation(new)
        output = self.recurrent_activation(show) * self.activation(memory)
        return output, [output, memory]

    def _sums(self, inputs, before, training):
        """What the activations of the input, forget, cell and output gates are of."""
        kernel, recurrent, bias = self._plain_weights()
        given, state = self._with_masks(inputs, before, training)
        return [_plus(x, bias) + h for x, bias, h in zip(
            self._products(given, kernel), self._biases(bias), self._products(state, recurrent))]


def forgetful(initializer, units, gates_before=1):
    """An initializer of the biases of gates, with ones for the last but two, the forget gate."""
    def start(shape, dtype=None, partition_info=None):
        return array.concat([initializer([units * gates_before], dtype=dtype), ones_initializer()([units], dtype=dtype),
                             initializer([units * 2], dtype=dtype)], 0)
    return start


@export("keras.experimental.PeepholeLSTMCell")
class PeepholeLSTMCell(LSTMCell):
    """An LSTM cell whose gates see its state (Gers and Schmidhuber, 2000); see `tf.keras.layers.LSTMCell`."""

    def build(self, input_shape):
        super().build(input_shape)
        self.input_gate_peephole_weights, self.forget_gate_peephole_weights, self.output_gate_peephole_weights = (
            self.add_weight(f"{gate}_gate_peephole_weights", shape=(self.units,), initializer=self.kernel_initializer)
            for gate in ("input", "forget", "output"))

    def call(self, inputs, states, training=None):
        """One step: (output, [output, cell state])."""
        before, memory = states
        learn, forget, new, show = self._sums(inputs, before, training)
        learn = self.recurrent_activation(learn + self.input_gate_peephole_weights * memory)
        forget = self.recurrent_activation(forget + self.forget_gate_peephole_weights * memory)
        memory = forget * memory + learn * self.activation(new)
        show = self.recurrent_activation(show + self.output_gate_peephole_weights * memory)
        output = show * self.activation(memory)
        return output, [output, memory]
