"""Recurrent networks over time in a loop: tf.nn.dynamic_rnn, tf.nn.bidirectional_dynamic_rnn, tf.nn.raw_rnn."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import reduce_all, reduce_max
from evergraph.frontend.tensor_array import TensorArray
from evergraph.frontend.variables.scope import VariableScope, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.layers.rnn_cell import static_batch_of, zeros_for
from evergraph.layers.rnn_wrappers import require_cell
from evergraph.ops.arrays import basic, pad
from evergraph.ops.control import effects
from evergraph.ops.math import elementwise, reduce

# ---- what the loops share


@contextmanager
def recurrent_scope(scope: Any, default: str) -> Iterator[VariableScope]:
    """The variable scope of a network; variables are read once, outside the loop, where they live."""
    with variable_scope(scope or default) as opened:
        if opened.caching_device is None:
            opened.set_caching_device(lambda op: op.device)
        yield opened


def starting_state(cell: Any, initial_state: Any, batch_size: Any, dtype: Any) -> Any:
    """The state that a network begins with: the one that is given, or the cell's own.

    Raises:
        ValueError: there is neither a state nor a dtype for one.
    """
    if initial_state is not None:
        return initial_state
    if not dtype:
        raise ValueError("without an initial_state the dtype must be given")
    return first_state(cell, batch_size, dtype)


def first_state(cell: Any, batch_size: Any, dtype: Any) -> Any:
    """The state that a cell begins with when none is given."""
    make = getattr(cell, "get_initial_state", None)
    if make is None:
        return cell.zero_state(batch_size, dtype)
    return make(inputs=None, batch_size=batch_size, dtype=dtype)


def state_dtype(dtype: Any, state: Any) -> Any:
    """The dtype of the outputs: the one that was given, or else that of the state.

    Raises:
        ValueError: the state has none, or more than one.
    """
    if dtype is not None:
        return dtype
    kinds = list(dict.fromkeys(part.dtype for part in nest.flatten(state)))
    if not kinds:
        raise ValueError("Unable to infer dtype from empty state.")
    if len(kinds) > 1:
        raise ValueError("the states have different dtypes: say which one by `dtype`")
    return kinds[0]


def checked_lengths(sequence_length: Any) -> Tensor:
    """The lengths of the sequences of a batch as int32.

    Raises:
        ValueError: they are not a vector.
    """
    lengths = math.cast(convert_to_tensor(sequence_length), dtypes.int32)
    if lengths.shape.ndims not in (None, 1):
        raise ValueError(f"sequence_length must be a vector with a number for each sequence, got shape {lengths.shape}")
    return basic.identity(lengths, name="sequence_length")


def called(cell: Any, inputs: Any, state: Any) -> Any:
    """The output and new state of a cell; those of tf.keras take and give a list of states."""
    if hasattr(cell, "zero_state"):
        return cell(inputs, state)
    output, new_state = cell(inputs, state if nest.is_nested(state) else [state])
    return output, new_state[0] if len(new_state) == 1 and not nest.is_nested(state) else new_state


def kept_where(done: Any, before: Any, after: Any, name: str | None = None) -> Any:
    """Rows of `before` where `done`, of `after` elsewhere; arrays and scalars, which have no rows, are those after."""
    def one(old: Any, new: Any) -> Any:
        if isinstance(new, TensorArray) or old.shape.ndims == 0:
            return new
        result = where(done, old, new, name=name)
        result.set_shape(new.shape)
        return result
    return nest.map_structure(one, before, after)


def step_within(time: Any, lengths: Tensor, zero_output: Any, state: Any, cell: Any, inputs: Any,
                name: str | None = None) -> Any:
    """The output and new state of a step, of sequences that may have ended: zeros, and the state as it was."""
    output, new_state = called(cell, inputs, state)
    nest.assert_same_structure(zero_output, output)
    nest.assert_same_structure(state, new_state)
    done = elementwise.greater_equal(time, lengths)
    return kept_where(done, zero_output, output, name), kept_where(done, state, new_state, name)


@export("contrib.rnn.transpose_batch_time")
def transpose_batch_time(x: Any) -> Tensor:
    """A tensor with its first two axes, batch and time, exchanged."""
    static = x.shape
    if static.ndims is not None and static.ndims < 2:
        raise ValueError(f"inputs of a recurrent network have rank at least 2; {x.label} has the shape {static}")
    order = array.concat([[1, 0], math.range(2, array.rank(x))], axis=0)
    result = array.transpose(x, order)
    if static.ndims is not None:
        sizes = static.as_list()
        result.set_shape([sizes[1], sizes[0], *sizes[2:]])
    return result


@export("contrib.rnn.best_effort_input_batch_size")
def best_effort_input_batch_size(flat_input: list[Tensor]) -> Any:
    """The number of sequences in inputs whose second axis is the batch: a number if one of them tells."""
    for tensor in flat_input:
        if tensor.shape.ndims is not None and tensor.shape.ndims >= 2 and tensor.shape.as_list()[1] is not None:
            return tensor.shape.as_list()[1]
    return array.shape(flat_input[0])[1]


# ---- the dynamic loop

@export("nn.dynamic_rnn")
def dynamic_rnn(cell, inputs, sequence_length=None, initial_state=None, dtype=None, parallel_iterations=None,
                swap_memory=False, time_major=False, scope=None):
    """Runs a recurrent cell over the time steps of `inputs` in a `tf.while_loop`.

    >>> x = tf.placeholder(tf.float32, [None, None, 8])
    >>> outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(16), x, dtype=tf.float32)
    >>> outputs.shape.as_list(), state.shape.as_list()
    ([None, None, 16], [None, 16])

    Args:
        cell: an RNNCell.
        inputs: a tensor of shape [batch, time, ...], or a structure of them.
        sequence_length: the length of each sequence, an integer tensor of shape [batch]; by default all time steps.
            Past the end of a sequence its outputs are zero and its state does not change.
        initial_state: the initial state; by default zeros.
        dtype: the dtype of the initial state and the outputs; required without `initial_state`.
        parallel_iterations: an attr of the loop in the graph, 32 by default; iterations run one after another.
        swap_memory: has no effect.
        time_major: True for inputs and outputs of shape [time, batch, ...].
        scope: the variable scope; by default "rnn".

    Returns:
        (outputs, state): the outputs of all time steps, of shape [batch, time, ...], and the final state.

    Raises:
        TypeError: `cell` is no cell.
        ValueError: `initial_state` and `dtype` are missing, or shapes do not fit or are not known.
    """
    require_cell("cell", cell)
    with recurrent_scope(scope, "rnn"):
        inputs = nest.map_structure(convert_to_tensor, inputs)
        if not time_major:
            inputs = nest.map_structure(transpose_batch_time, inputs)
        lengths = None if sequence_length is None else checked_lengths(sequence_length)
        batch_size = best_effort_input_batch_size(nest.flatten(inputs))
        state = starting_state(cell, initial_state, batch_size, dtype)
        if lengths is not None:
            lengths = _of_batch(lengths, batch_size)
        outputs, state = _loop(cell, inputs, state, parallel_iterations or 32, swap_memory, lengths, dtype)
        return outputs if time_major else nest.map_structure(transpose_batch_time, outputs), state


def _of_batch(lengths: Tensor, batch_size: Any) -> Tensor:
    """The lengths, which fail when there is not one for each sequence."""
    wanted, found = array.stack([batch_size]), array.shape(lengths)
    name = "sequence_length" if lengths.graph.is_eager else lengths.name
    check = effects.assert_(reduce.all_(elementwise.equal(found, wanted), [0]),
                            [f"Expected shape for Tensor {name} is ", wanted, " but saw shape: ", found])
    with control_dependencies([check]):
        return basic.identity(lengths, name="CheckSeqLen")


def _common_sizes(flat_inputs: list[Tensor]) -> tuple[int | None, int | None]:
    """What is known of (the number of steps, the number of sequences).

    Raises:
        ValueError: the inputs disagree, or the size of one step is not known.
    """
    shapes = [tensor.shape.with_rank_at_least(3) for tensor in flat_inputs]
    steps, batch = (TensorShape([None, None]) if shapes[0].ndims is None else shapes[0][:2]).as_list()
    for shape in shapes:
        if shape.ndims is None or not shape[2:].is_fully_defined():
            raise ValueError("the size of the last axis of the inputs must be known")
        if shape.as_list()[0] != steps:
            raise ValueError("the inputs have different numbers of steps")
        if shape.as_list()[1] != batch:
            raise ValueError("the inputs have different batch sizes")
    return steps, batch


def _loop(cell: Any, inputs: Any, state: Any, parallel_iterations: int, swap_memory: bool, lengths: Tensor | None,
          dtype: Any) -> tuple[Any, Any]:
    """The outputs and the last state over inputs whose first axis is time."""
    flat_inputs, sizes = nest.flatten(inputs), cell.output_size
    steps = array.shape(flat_inputs[0])[0]
    known_steps, known_batch = _common_sizes(flat_inputs)
    kind = state_dtype(dtype, state)
    zero_output = zeros_for(sizes, best_effort_input_batch_size(flat_inputs), kind)
    longest = steps if lengths is None else reduce_max(lengths)
    time = array.constant(0, dtype=dtypes.int32, name="time")
    written = [TensorArray(kind, size=steps, element_shape=static_batch_of([known_batch], size),
                           tensor_array_name=f"output_{number}") for number, size in enumerate(nest.flatten(sizes))]
    read = [TensorArray(tensor.dtype.base_dtype, size=steps, element_shape=tensor.shape[1:],
                        tensor_array_name=f"input_{number}").unstack(tensor)
            for number, tensor in enumerate(flat_inputs)]

    def step(time: Tensor, written: Any, state: Any) -> Any:
        now = nest.pack_sequence_as(inputs, [rows.read(time) for rows in read])
        if lengths is None:
            output, new_state = called(cell, now, state)
            nest.assert_same_structure(zero_output, output)
        else:
            output, new_state = step_within(time, lengths, zero_output, state, cell, now)
        return time + 1, [a.write(time, value) for a, value in zip(written, nest.flatten(output))], new_state

    # At least one step, so that the arrays have elements even if every sequence is empty.
    bound = elementwise.minimum(steps, elementwise.maximum(1, longest))
    _, written, state = while_loop(lambda time, *_: time < bound, step, (time, written, state),
                                   parallel_iterations=parallel_iterations, maximum_iterations=steps,
                                   swap_memory=swap_memory)
    outputs = [rows.stack() for rows in written]
    for output, size in zip(outputs, nest.flatten(sizes)):
        output.set_shape(TensorShape([known_steps]).concatenate(static_batch_of([known_batch], size)))
    return nest.pack_sequence_as(sizes, outputs), state


@export("nn.bidirectional_dynamic_rnn")
def bidirectional_dynamic_rnn(cell_fw, cell_bw, inputs, sequence_length=None, initial_state_fw=None,
                              initial_state_bw=None, dtype=None, parallel_iterations=None, swap_memory=False,
                              time_major=False, scope=None):
    """A bidirectional RNN (Schuster and Paliwal, 1997): runs one cell forward in time and another backward.

    Args:
        cell_fw: the cell that runs forward.
        cell_bw: the cell that runs backward.
        initial_state_fw, initial_state_bw: the initial states; by default zeros.
        inputs, sequence_length, dtype, parallel_iterations, swap_memory, time_major: see `tf.nn.dynamic_rnn`.
        scope: the variable scope; by default "bidirectional_rnn".

    Returns:
        ((forward outputs, backward outputs), (final forward state, final backward state)); both outputs are in the
        order of the inputs.

    Raises:
        TypeError: an argument is no cell.
        ValueError: see `tf.nn.dynamic_rnn`.
    """
    require_cell("cell_fw", cell_fw)
    require_cell("cell_bw", cell_bw)
    options = {"sequence_length": sequence_length, "dtype": dtype, "parallel_iterations": parallel_iterations,
               "swap_memory": swap_memory, "time_major": time_major}
    time_axis, batch_axis = (0, 1) if time_major else (1, 0)

    def backward(tensor: Any) -> Tensor:
        if sequence_length is None:
            return pad.reverse_v2(tensor, [time_axis])
        return array.reverse_sequence(tensor, sequence_length, seq_axis=time_axis, batch_axis=batch_axis)

    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw_scope:
            output_fw, state_fw = dynamic_rnn(cell_fw, inputs, initial_state=initial_state_fw, scope=fw_scope,
                                              **options)
        with variable_scope("bw") as bw_scope:
            output_bw, state_bw = dynamic_rnn(cell_bw, nest.map_structure(backward, inputs),
                                              initial_state=initial_state_bw, scope=bw_scope, **options)
    return (output_fw, nest.map_structure(backward, output_bw)), (state_fw, state_bw)


# ---- the loop that a function controls

@export("nn.raw_rnn")
def raw_rnn(cell, loop_fn, parallel_iterations=None, swap_memory=False, scope=None):
    """Runs a cell in a loop in which a function decides about inputs, states, outputs and the end.

    `loop_fn(time, cell_output, cell_state, loop_state)` is called before the first step, with time 0 and None for the
    others, and after every step. It gives a tuple of

    - which sequences are finished: a bool for each;
    - the next input of the cell;
    - the next state of the cell: at first the one to begin with;
    - what to write to the outputs: at first None, or tensors without the batch's axis that show the structure, shapes
      and dtypes of what will be written;
    - the next loop state: anything that `loop_fn` wants back, or None.

    Args:
        cell: the cell.
        loop_fn: the function.
        parallel_iterations: kept in the graph, 32 by default; here steps run one after another.
        swap_memory: has no meaning here.
        scope: a variable scope; by default "rnn".

    Returns:
        (TensorArrays of the outputs, the last state, the last loop state).

    Raises:
        TypeError: `cell` is no cell, or `loop_fn` no function.
        ValueError: structures or shapes do not fit.
    """
    require_cell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with recurrent_scope(scope, "rnn"):
        return _Raw(cell, loop_fn).run(parallel_iterations or 32, swap_memory)


class _Raw:
    """A loop controlled by a function.

    Attributes:
        zero_emit: what finished sequences write: zeros.
    """

    def __init__(self, cell: Any, loop_fn: Any) -> None:
        self.cell, self.loop_fn = cell, loop_fn
        self.time = array.constant(0, dtype=dtypes.int32, name="time")
        self.finished, self.input, state, emit, self.loop_state = loop_fn(self.time, None, None, None)
        self.input = nest.map_structure(convert_to_tensor, self.input)
        self.finished = convert_to_tensor(self.finished)
        nest.assert_same_structure(state, cell.state_size)
        self.state = nest.map_structure(lambda x: x if isinstance(x, TensorArray) else convert_to_tensor(x), state)
        self.known_batch = self._known_batch()
        self._prepare_outputs(emit)

    def _known_batch(self) -> int | None:
        batch = TensorShape([None])
        for tensor in nest.flatten(self.input):
            batch = batch.merge_with(TensorShape([None]) if tensor.shape.ndims is None else tensor.shape[:1])
        return batch.as_list()[0]

    def _prepare_outputs(self, emit: Any) -> None:
        batch_size = self.known_batch if self.known_batch is not None else array.shape(nest.flatten(self.input)[0])[0]
        if emit is None:
            self.structure = self.cell.output_size
            sizes = nest.flatten(self.structure)
            kinds = [nest.flatten(self.state)[0].dtype] * len(sizes)
        else:
            self.structure = nest.map_structure(convert_to_tensor, emit)
            flat = nest.flatten(self.structure)
            sizes = [t.shape if t.shape.is_fully_defined() else array.shape(t) for t in flat]
            kinds = [t.dtype for t in flat]
        self.arrays = nest.pack_sequence_as(self.structure, [
            TensorArray(kind, size=0, dynamic_size=True, tensor_array_name=f"rnn_output_{number}",
                        element_shape=static_batch_of([self.known_batch], size))
            for number, (kind, size) in enumerate(zip(kinds, sizes))])
        self.zero_emit = nest.pack_sequence_as(self.structure, [zeros_for(size, batch_size, kind)
                                                                for kind, size in zip(kinds, sizes)])

    def run(self, parallel_iterations: int, swap_memory: bool) -> Any:
        loop_state = array.constant(0, dtype=dtypes.int32) if self.loop_state is None else self.loop_state
        *_, arrays, state, last = while_loop(
            lambda time, finished, *_: elementwise.logical_not(reduce_all(finished)), self._step,
            (self.time, self.finished, self.input, self.arrays, self.state, loop_state),
            parallel_iterations=parallel_iterations, swap_memory=swap_memory)
        return arrays, state, None if self.loop_state is None else last

    def _step(self, time: Any, finished: Any, inputs: Any, arrays: Any, state: Any, loop_state: Any) -> Any:
        output, cell_state = called(self.cell, inputs, state)
        nest.assert_same_structure(state, cell_state)
        nest.assert_same_structure(self.cell.output_size, output)
        given = self.loop_fn(time + 1, output, cell_state, loop_state)
        next_finished, next_input, next_state, emit, next_loop_state = given
        nest.assert_same_structure(state, next_state)
        nest.assert_same_structure(inputs, next_input)
        nest.assert_same_structure(self.structure, emit)
        emit = kept_where(finished, self.zero_emit, nest.map_structure(convert_to_tensor, emit))
        next_state = kept_where(finished, state, next_state)
        written = [a.write(time, value) for a, value in zip(nest.flatten(arrays), nest.flatten(emit))]
        return (time + 1, elementwise.logical_or(finished, next_finished), next_input,
                nest.pack_sequence_as(self.structure, written), next_state,
                loop_state if next_loop_state is None else next_loop_state)
