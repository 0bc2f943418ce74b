"""tf.contrib.rnn: networks that process whole sequences in one call."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.layers.rnn import dynamic_rnn
from evergraph.layers.rnn_static import static_rnn
from evergraph.ops.arrays import pad


@export("contrib.rnn.FusedRNNCell")
class FusedRNNCell:
    """The base of networks that are called with the inputs of all steps."""

    def __call__(self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None,
                 scope: Any = None) -> tuple[Any, Any]:
        """The outputs of all steps and the final state.

        Args:
            inputs: a tensor of shape [time, batch, size], or a list of the steps; the outputs have the same form.
            initial_state: the initial state; by default zeros.
            dtype: the dtype of the initial state; required without `initial_state`.
            sequence_length: the length of each sequence; by default all steps.
            scope: a variable scope.
        """
        raise NotImplementedError


@export("contrib.rnn.FusedRNNCellAdaptor")
class FusedRNNCellAdaptor(FusedRNNCell):
    """Adapts a cell to be called with the inputs of all steps.

    Args:
        cell: the cell.
        use_dynamic_rnn: whether steps run in a loop (`tf.nn.dynamic_rnn`) or are unrolled (`tf.nn.static_rnn`).
    """

    def __init__(self, cell: Any, use_dynamic_rnn: bool = False) -> None:
        self._cell, self._use_dynamic_rnn = cell, use_dynamic_rnn

    def __call__(self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None,
                 scope: Any = None) -> tuple[Any, Any]:
        """The outputs of all steps and the final state; see `tf.contrib.rnn.FusedRNNCell`."""
        is_list = isinstance(inputs, list)
        if self._use_dynamic_rnn:
            outputs, state = dynamic_rnn(self._cell, array.stack(inputs) if is_list else inputs,
                                         sequence_length=sequence_length, initial_state=initial_state, dtype=dtype,
                                         time_major=True, scope=scope)
            return array.unstack(outputs, num=len(inputs)) if is_list else outputs, state
        outputs, state = static_rnn(self._cell, inputs if is_list else array.unstack(inputs),
                                    initial_state=initial_state, dtype=dtype, sequence_length=sequence_length,
                                    scope=scope)
        return outputs if is_list else array.stack(outputs), state


@export("contrib.rnn.TimeReversedFusedRNN")
class TimeReversedFusedRNN(FusedRNNCell):
    """A network that processes sequences in reverse; its outputs are in the order of its inputs.

    Args:
        cell: a `tf.contrib.rnn.FusedRNNCell`, or a callable like one.
    """

    def __init__(self, cell: Any) -> None:
        self._cell = cell

    def __call__(self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None,
                 scope: Any = None) -> tuple[Any, Any]:
        """The outputs of all steps and the final state; see `tf.contrib.rnn.FusedRNNCell`."""
        outputs, state = self._cell(_backward(inputs, sequence_length), initial_state=initial_state, dtype=dtype,
                                    sequence_length=sequence_length, scope=scope)
        return _backward(outputs, sequence_length), state


def _backward(steps: Any, lengths: Any) -> Any:
    """The steps in reverse order; for a tensor, each sequence within its own length."""
    if isinstance(steps, list):
        return steps[::-1]
    if lengths is None:
        return pad.reverse_v2(steps, [0])
    return array.reverse_sequence(steps, lengths, seq_axis=0, batch_axis=1)
