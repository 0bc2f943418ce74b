"""tf.keras.layers: SimpleRNN, GRU and LSTM."""
from __future__ import annotations

from typing import Any

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.frontend.variables import regularizers
from evergraph.keras.cells import GRUCell, LSTMCell, SimpleRNNCell, arguments
from evergraph.keras.layer import described
from evergraph.keras.recurrent import RNN

_OF_LAYER = ("return_sequences", "return_state", "go_backwards", "stateful", "unroll")


class OfCell(RNN):
    """The base of layers with their own cell: the cell's arguments are the layer's."""

    kind: Any = None

    def _settle(self, given: dict[str, Any], kwargs: dict[str, Any]) -> None:
        given = {name: value for name, value in given.items() if name not in ("self", "kwargs", "__class__")}
        own = {name: given.pop(name) for name in _OF_LAYER}
        regularizer = regularizers.get(given.pop("activity_regularizer"))
        if "dtype" in kwargs:
            given["dtype"] = kwargs["dtype"]
        if given.get("implementation") == 0:
            given["implementation"] = 1
        cell = self.kind(trainable=kwargs.get("trainable", True), **given)
        RNN.__init__(self, cell, activity_regularizer=regularizer, **own, **kwargs)

    def call(self, inputs, mask=None, training=None, initial_state=None):
        """The last output or all outputs, in a list with the states if `return_state`; see `tf.keras.layers.RNN`."""
        return super().call(inputs, mask=mask, training=training, initial_state=initial_state)

    def _cell_config(self):
        config = {field: described(getattr(self.cell, field)) for field in self.kind.fields}
        return {**config, "activity_regularizer": described(self.activity_regularizer)}

    @classmethod
    def from_config(cls, config):
        """A layer with these arguments."""
        return cls(**{key: value for key, value in config.items() if key != "time_major"})


def shows_its_cell(layer: Any) -> Any:
    """Exposes the cell's attributes on the layer."""
    for field in layer.kind.fields:
        setattr(layer, field, property(lambda self, field=field: getattr(self.cell, field),
                                       doc=f"The cell's {field}."))
    return layer


@export("keras.layers.SimpleRNN")
@shows_its_cell
class SimpleRNN(OfCell):
    __doc__ = f"""A fully connected recurrent layer over sequences [batch, time, features].
{arguments(gates=False, layer=True)}"""
    kind = SimpleRNNCell

    def __init__(self, units, activation="tanh", use_bias=True, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros", kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, dropout=0.0, recurrent_dropout=0.0,
                 return_sequences=False, return_state=False, go_backwards=False, stateful=False, unroll=False,
                 **kwargs):
        if kwargs.pop("implementation", None) is not None:
            logging.warning("SimpleRNN has one implementation: the argument has no effect")
        self._settle(locals(), kwargs)


@export("keras.layers.GRU")
@shows_its_cell
class GRU(OfCell):
    __doc__ = f"""A GRU layer (Cho et al., 2014) over sequences [batch, time, features].
{arguments(gates=True, after=True, layer=True)}"""
    kind = GRUCell

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros",
                 kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, recurrent_constraint=None, bias_constraint=None, dropout=0.0,
                 recurrent_dropout=0.0, implementation=1, return_sequences=False, return_state=False,
                 go_backwards=False, stateful=False, unroll=False, reset_after=False, **kwargs):
        self._settle(locals(), kwargs)


@export("keras.layers.LSTM")
@shows_its_cell
class LSTM(OfCell):
    __doc__ = f"""An LSTM layer (Hochreiter and Schmidhuber, 1997) over sequences [batch, time, features].
{arguments(gates=True, forget=True, layer=True)}"""
    kind = LSTMCell

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros",
                 unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, recurrent_constraint=None, bias_constraint=None,
                 dropout=0.0, recurrent_dropout=0.0, implementation=1, return_sequences=False, return_state=False,
                 go_backwards=False, stateful=False, unroll=False, **kwargs):
        self._settle(locals(), kwargs)
