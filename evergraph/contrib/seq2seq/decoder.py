"""tf.contrib.seq2seq.dynamic_decode: runs a decoder in a loop until every sequence is finished."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import reduce_all
from evergraph.frontend.tensor_array import TensorArray
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.layers.rnn import kept_where, transpose_batch_time
from evergraph.layers.rnn_cell import static_batch_of, zeros_for
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise


@export("contrib.seq2seq.Decoder")
class Decoder:
    """The base of decoders: a subclass defines the initial inputs and one step.

    It has the properties `batch_size` (a scalar tensor), `output_size` and `output_dtype` (structures of sizes without
    the batch, and of dtypes), and the methods below. `tf.contrib.seq2seq.dynamic_decode` runs it.
    """

    @property
    def batch_size(self) -> Any:
        """The number of sequences."""
        raise NotImplementedError

    @property
    def output_size(self) -> Any:
        """The sizes of a step's outputs."""
        raise NotImplementedError

    @property
    def output_dtype(self) -> Any:
        """The dtypes of a step's outputs."""
        raise NotImplementedError

    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """(which sequences are finished initially, the first inputs, the initial state)."""
        raise NotImplementedError

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which sequences are finished now)."""
        raise NotImplementedError

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Post-processes (outputs, final state); the outputs are time-major.

        Raises:
            NotImplementedError: by default; `dynamic_decode` then returns both unchanged.
        """
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Whether finished sequences may resume: then the flags of `step` are used unchanged."""
        return False

    # The number of steps as a scalar tensor, for decoders that know it in advance; else None.
    _steps: Any = None


@export("contrib.seq2seq.dynamic_decode")
def dynamic_decode(decoder, output_time_major=False, impute_finished=False, maximum_iterations=None,
                   parallel_iterations=32, swap_memory=False, scope=None, **kwargs):
    """Runs `decoder.step` in a loop until every sequence is finished.

    >>> cell = tf.nn.rnn_cell.GRUCell(8)
    >>> helper = tf.contrib.seq2seq.TrainingHelper(tf.ones([2, 5, 3]), [5, 3])
    >>> decoder = tf.contrib.seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32))
    >>> outputs, state, lengths = tf.contrib.seq2seq.dynamic_decode(decoder)
    >>> outputs.rnn_output.shape.as_list()
    [2, None, 8]

    Args:
        decoder: a `tf.contrib.seq2seq.Decoder`.
        output_time_major: True for outputs of shape [time, batch, ...] instead of [batch, time, ...].
        impute_finished: True to output zeros for finished sequences and to keep their state: slower, but the final
            state is then that of each sequence's last step, and gradients ignore later steps.
        maximum_iterations: the maximal number of steps: a scalar; None for no limit.
        parallel_iterations: stored in the graph; steps run sequentially.
        swap_memory: has no effect.
        scope: a variable scope; by default "decoder".
        **kwargs: passed on to `decoder.initialize`.

    Returns:
        (the outputs of all steps, the final state, the length of each sequence); the first two as `decoder.finalize`
        returns them.

    Raises:
        TypeError: `decoder` is not a decoder.
        ValueError: `maximum_iterations` is not a scalar, or a step changes the structure of its state or inputs.
    """
    if not isinstance(decoder, Decoder):
        raise TypeError(f"decoder must be a Decoder, got {type(decoder)}")
    with variable_scope(scope, "decoder") as opened:
        if opened.caching_device is None:
            opened.set_caching_device(lambda op: op.device)
        limit = None
        if maximum_iterations is not None:
            limit = convert_to_tensor(maximum_iterations, dtype=dtypes.int32, name="maximum_iterations")
            if limit.shape.ndims != 0:
                raise ValueError(f"maximum_iterations must be a scalar, but has the shape {limit.shape}")
        loop = _Decoding(decoder, decoder.initialize(**kwargs), impute_finished, limit)
        outputs, state, lengths = loop.run(parallel_iterations, swap_memory)
        try:
            outputs, state = decoder.finalize(outputs, state, lengths)
        except NotImplementedError:
            pass
        if not output_time_major:
            outputs = nest.map_structure(transpose_batch_time, outputs)
    return outputs, state, lengths


class _Decoding:
    """The loop around a decoder.

    Attributes:
        zeros: the output of finished sequences with `impute_finished`.
        steps: the number of steps, if the decoder knows it.
    """

    def __init__(self, decoder: Any, start: tuple[Any, Any, Any], imputes: bool, limit: Tensor | None) -> None:
        self.decoder, self.imputes, self.limit = decoder, imputes, limit
        self.finished, self.inputs, self.state = start
        self.zeros = nest.map_structure(lambda size, kind: zeros_for(size, decoder.batch_size, kind),
                                        decoder.output_size, decoder.output_dtype)
        if limit is not None:
            self.finished = elementwise.logical_or(self.finished, elementwise.greater_equal(0, limit))
        self.steps = decoder._steps
        if self.steps is not None and limit is not None:
            self.steps = elementwise.minimum(self.steps, elementwise.maximum(limit, 0))

    def run(self, parallel_iterations: int, swap_memory: bool) -> tuple[Any, Any, Tensor]:
        """(the time-major outputs, the final state, the lengths)."""
        arrays = nest.map_structure(self._array, self.decoder.output_size, self.decoder.output_dtype)
        lengths = array.zeros_like(self.finished, dtype=dtypes.int32)
        time = array.constant(0, dtype=dtypes.int32)
        _, arrays, state, *_, lengths = while_loop(
            self._goes_on, self._step, (time, arrays, self.state, self.inputs, self.finished, lengths),
            parallel_iterations=parallel_iterations, swap_memory=swap_memory, maximum_iterations=self.limit)
        return nest.map_structure(lambda rows: rows.stack(), arrays), state, lengths

    def _array(self, size: Any, kind: Any) -> TensorArray:
        element = static_batch_of(self.decoder.batch_size, size)
        if self.steps is None:
            return TensorArray(kind, size=0, dynamic_size=True, element_shape=element)
        rows = TensorArray(kind, size=self.steps, element_shape=element)
        rows._size = None  # as in TensorFlow, the outputs' static shape leaves the time unknown even if it is constant
        return rows

    def _goes_on(self, time: Any, arrays: Any, state: Any, inputs: Any, finished: Any, lengths: Any) -> Tensor:
        # A static number of steps lets the compiler know the size of the outputs.
        if self.steps is not None:
            return elementwise.less(time, self.steps)
        return elementwise.logical_not(reduce_all(finished))

    def _step(self, time: Any, arrays: Any, state: Any, inputs: Any, finished: Any, lengths: Any) -> Any:
        outputs, next_state, next_inputs, now_finished = self.decoder.step(time, inputs, state)
        nest.assert_same_structure(state, next_state)
        nest.assert_same_structure(arrays, outputs)
        nest.assert_same_structure(inputs, next_inputs)
        if not self.decoder.tracks_own_finished:
            now_finished = elementwise.logical_or(now_finished, finished)
        now = basic.fill(array.shape(lengths), time + 1)
        next_lengths = where(finished, lengths, now)
        if self.imputes:
            outputs = kept_where(finished, self.zeros, outputs)
            for old, new in zip(nest.flatten(state), nest.flatten(next_state)):
                if isinstance(old, Tensor):
                    new.set_shape(old.shape)
            next_state = kept_where(finished, state, next_state)
        written = nest.map_structure(lambda rows, value: rows.write(time, value), arrays, outputs)
        return time + 1, written, next_state, next_inputs, now_finished, next_lengths
