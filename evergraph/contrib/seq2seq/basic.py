"""tf.contrib.seq2seq.BasicDecoder: a cell, a helper that provides its inputs, and an output layer."""
from __future__ import annotations

import collections
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.seq2seq.decoder import Decoder
from evergraph.contrib.seq2seq.helpers import Helper
from evergraph.frontend.blocks import name_scope
from evergraph.layers.layer import Layer
from evergraph.layers.rnn_wrappers import require_cell


@export("contrib.seq2seq.BasicDecoderOutput")
class BasicDecoderOutput(collections.namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))):
    """The output of a step: `rnn_output` of the cell or the output layer, and the helper's `sample_id`."""

    __slots__ = ()


def require_layer(layer: Any) -> None:
    """Raises TypeError unless the output layer is a layer."""
    if layer is not None and not isinstance(layer, Layer):
        raise TypeError(f"the output layer of a decoder is a layer, not {layer!r}")


def size_behind(cell: Any, layer: Any) -> Any:
    """The size of a cell's output after a layer, without the batch."""
    size = cell.output_size
    if layer is None:
        return size
    known = nest.map_structure(lambda s: TensorShape([None]).concatenate(TensorShape(s)), size)
    return nest.map_structure(lambda s: s[1:], layer.compute_output_shape(known))


@export("contrib.seq2seq.BasicDecoder")
class BasicDecoder(Decoder):
    """A decoder that calls a cell with inputs from a helper.

    Args:
        cell: the cell.
        helper: a `tf.contrib.seq2seq.Helper`.
        initial_state: the initial state.
        output_layer: a layer for the cell's outputs, applied before sampling; None for none.

    Raises:
        TypeError: an argument has the wrong type.
    """

    def __init__(self, cell: Any, helper: Any, initial_state: Any, output_layer: Any = None) -> None:
        require_cell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError(f"a BasicDecoder needs a tf.contrib.seq2seq.Helper, not {helper!r}")
        require_layer(output_layer)
        self._cell, self._helper = cell, helper
        self._initial_state, self._output_layer = initial_state, output_layer
        if type(self).__module__ == __name__:
            self._steps = helper._steps

    @property
    def batch_size(self) -> Any:
        """The number of sequences."""
        return self._helper.batch_size

    @property
    def output_size(self) -> BasicDecoderOutput:
        """The sizes of a step's outputs."""
        return BasicDecoderOutput(size_behind(self._cell, self._output_layer), self._helper.sample_ids_shape)

    @property
    def output_dtype(self) -> BasicDecoderOutput:
        """The dtypes of a step's outputs: the first one is that of the state."""
        kind = nest.flatten(self._initial_state)[0].dtype
        sizes = size_behind(self._cell, self._output_layer)
        return BasicDecoderOutput(nest.map_structure(lambda _: kind, sizes), self._helper.sample_ids_dtype)

    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """(which sequences are finished initially, the first inputs, the initial state)."""
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which sequences are finished now)."""
        with name_scope(name, "BasicDecoderStep", [time, *nest.flatten(inputs)]):
            output, state = self._cell(inputs, state)
            if self._output_layer is not None:
                output = self._output_layer(output)
            sample = self._helper.sample(time=time, outputs=output, state=state)
            finished, inputs, state = self._helper.next_inputs(time=time, outputs=output, state=state,
                                                               sample_ids=sample)
        return BasicDecoderOutput(output, sample), state, inputs, finished
