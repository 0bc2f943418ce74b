"""tf.keras.layers.CuDNNGRU and CuDNNLSTM: networks with cuDNN's variables, which run on any device."""
from __future__ import annotations

import contextlib
from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.keras.cells import Cell, GRUCell, LSTMCell, arguments, forgetful
from evergraph.keras.recurrent_layers import OfCell

_FIELDS = ("units", "kernel_initializer", "recurrent_initializer", "bias_initializer", "kernel_regularizer",
           "recurrent_regularizer", "bias_regularizer", "kernel_constraint", "recurrent_constraint", "bias_constraint")


def _documented(first: str, forget: bool) -> str:
    """A docstring with the LSTM and GRU arguments that these layers have."""
    left_out = ("activation:", "recurrent_activation:", "use_bias:", "dropout:", "recurrent_dropout:",
                "implementation:", "unroll:", "reset_after:")
    lines = arguments(gates=True, forget=forget, layer=True).splitlines()
    kept = [line for line in lines if not line.strip().startswith(left_out)]
    return f"{first}\n" + "\n".join(kept)


def _plain(kernels, gates):
    """The kernels of the gates, side by side: each [inputs, units] holds the rows of a matrix [units, inputs]."""
    inputs, columns = kernels.shape.as_list()
    rows = [array.reshape(kernel, [columns // gates, inputs]) for kernel in array.split(kernels, gates, axis=1)]
    return array.transpose(array.concat(rows, 0))


class CuDNNCell(Cell):
    """The base of cells that keep their weights in cuDNN's layout."""

    _converted: Any = None

    @contextlib.contextmanager
    def _sharing_steps(self, batch_size, training):
        with super()._sharing_steps(batch_size, training):
            self._converted = _plain(self.kernel, self.parts), _plain(self.recurrent_kernel, self.parts), \
                self._plain_bias()
            try:
                yield
            finally:
                self._converted = None

    def _plain_weights(self):
        return self._converted


class CuDNNLSTMCell(CuDNNCell, LSTMCell):
    """An LSTM cell with separate input and recurrent biases, and kernels in cuDNN's layout."""

    fields = (*_FIELDS, "unit_forget_bias")

    def _bias_shape(self):
        return (8 * self.units,)

    def _bias_start(self):
        return forgetful(self.bias_initializer, self.units, 5) if self.unit_forget_bias else self.bias_initializer

    def _plain_bias(self):
        first, second = array.split(self.bias, 2)
        return first + second


class CuDNNGRUCell(CuDNNCell, GRUCell):
    """A GRU cell with separate input and recurrent biases, and kernels in cuDNN's layout."""

    fields = _FIELDS

    def _bias_shape(self):
        return (6 * self.units,)

    def _plain_bias(self):
        return array.reshape(self.bias, [2, -1])


class CuDNN(OfCell):
    """The base of cuDNN layers."""

    fixed: dict[str, Any] = {}

    def _settle(self, given, kwargs):
        super()._settle({**given, **self.fixed, "unroll": False}, kwargs)

    @classmethod
    def from_config(cls, config):
        """A layer with these arguments."""
        return super().from_config({key: value for key, value in config.items() if key != "unroll"})


@export("keras.layers.CuDNNLSTM")
class CuDNNLSTM(CuDNN):
    __doc__ = _documented("An LSTM with cuDNN's variables: sigmoid gates, two biases.", forget=True)
    kind = CuDNNLSTMCell
    fixed = {"recurrent_activation": "sigmoid"}

    def __init__(self, units, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
                 bias_constraint=None, return_sequences=False, return_state=False, go_backwards=False, stateful=False,
                 **kwargs):
        self._settle(locals(), kwargs)


@export("keras.layers.CuDNNGRU")
class CuDNNGRU(CuDNN):
    __doc__ = _documented("A GRU with cuDNN's variables: sigmoid gates, two biases.", forget=False)
    kind = CuDNNGRUCell
    fixed = {"recurrent_activation": "sigmoid", "reset_after": True}

    def __init__(self, units, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, recurrent_constraint=None, bias_constraint=None,
                 return_sequences=False, return_state=False, go_backwards=False, stateful=False, **kwargs):
        self._settle(locals(), kwargs)
