"""Recurrent networks unrolled over a list of inputs: tf.nn.static_rnn and its relatives."""
from __future__ import annotations

from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.layers.rnn import called, checked_lengths, recurrent_scope, starting_state, state_dtype, step_within
from evergraph.layers.rnn_cell import zeros_for
from evergraph.layers.rnn_wrappers import require_cell
from evergraph.ops.arrays import basic


@export("nn.static_rnn", "contrib.rnn.static_rnn")
def static_rnn(cell, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
    """Calls a cell for each of a list of inputs, handing the state on.

    >>> steps = tf.unstack(tf.ones([2, 5, 3]), axis=1)
    >>> outputs, state = tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(4), steps, dtype=tf.float32)
    >>> len(outputs)
    5

    Args:
        cell: the cell.
        inputs: a list with a tensor of shape [batch, size], or a structure of them, for each time step.
        initial_state: the state to begin with; by default zeros.
        dtype: the dtype of the first state and the outputs; needed without `initial_state`.
        sequence_length: how many steps each sequence has, by default all: afterwards outputs are zero and the state
            stays as it is.
        scope: a variable scope; by default "rnn".

    Returns:
        (the list of outputs, the state after the last step).

    Raises:
        TypeError: `cell` is no cell, or `inputs` no list.
        ValueError: `inputs` is empty, `initial_state` and `dtype` are missing, or shapes do not fit.
    """
    require_cell("cell", cell)
    _require_list(inputs)
    with recurrent_scope(scope, "rnn") as opened:
        inputs = nest.map_structure(convert_to_tensor, inputs)
        batch_size = _batch_size(nest.flatten(inputs))
        state = starting_state(cell, initial_state, batch_size, dtype)
        lengths = None if sequence_length is None else checked_lengths(sequence_length)
        zero_output = None
        if lengths is not None:
            zero_output = zeros_for(cell.output_size, batch_size, state_dtype(dtype, state))
        outputs = []
        for time, now in enumerate(inputs):
            if time > 0:
                opened.reuse_variables()
            if lengths is None:
                output, state = called(cell, now, state)
            else:
                # TensorFlow has a conditional here, to spare it steps that no sequence reaches. XLA fuses what has
                # none; the names stay.
                with name_scope("cond"):
                    output, state = step_within(time, lengths, zero_output, state, cell, now, name="Merge")
            outputs.append(output)
        return outputs, state


def _require_list(inputs: Any) -> None:
    if not nest.is_nested(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")


def _batch_size(flat_inputs: list[Tensor]) -> Any:
    """The number of sequences: a number where it is known.

    Raises:
        ValueError: the inputs disagree, or the size of one is not known.
    """
    batch = TensorShape([None])
    for tensor in flat_inputs:
        shape = tensor.shape.with_rank_at_least(1 if flat_inputs[0].shape.ndims == 1 else 2)
        if shape.ndims is None:
            continue
        batch = batch.merge_with(shape[:1])
        for number, size in enumerate(shape.as_list()[1:]):
            if size is None:
                raise ValueError(f"the size of axis {number} of the inputs must be known")
    known = batch.as_list()[0]
    return array.shape(flat_inputs[0])[0] if known is None else known


@export("nn.static_state_saving_rnn", "contrib.rnn.static_state_saving_rnn")
def static_state_saving_rnn(cell, inputs, state_saver, state_name, sequence_length=None, scope=None):
    """`tf.nn.static_rnn` that begins with a saved state and saves the last one.

    Args:
        cell: the cell.
        inputs: a list with a tensor of shape [batch, size] for each time step.
        state_saver: an object with the methods `state(name)` and `save_state(name, state)`.
        state_name: the name of the state, or the structure of names when the state is one.
        sequence_length: how many steps each sequence has.
        scope: a variable scope; by default "rnn".

    Returns:
        (the list of outputs, the state after the last step); the last output waits for the state to be saved.

    Raises:
        TypeError: `cell` is no cell, or `inputs` no list.
        ValueError: the names do not fit the state, or see `tf.nn.static_rnn`.
    """
    sizes = cell.state_size
    if nest.is_nested(sizes) != nest.is_nested(state_name):
        raise ValueError(f"state_name must be nested as cell.state_size is: {state_name} and {sizes}")
    names, count = nest.flatten(state_name), len(nest.flatten(sizes))
    if len(names) != count:
        raise ValueError(f"#elems(state_name) != #elems(state_size): {len(names)} vs. {count}")
    start = nest.pack_sequence_as(sizes, [state_saver.state(name) for name in names])
    outputs, state = static_rnn(cell, inputs, initial_state=start, sequence_length=sequence_length, scope=scope)
    saved = [state_saver.save_state(name, part) for name, part in zip(names, nest.flatten(state))]
    with control_dependencies(saved):
        outputs[-1] = nest.map_structure(basic.identity, outputs[-1])
        return outputs, nest.map_structure(basic.identity, state)


@export("nn.static_bidirectional_rnn", "contrib.rnn.static_bidirectional_rnn")
def static_bidirectional_rnn(cell_fw, cell_bw, inputs, initial_state_fw=None, initial_state_bw=None, dtype=None,
                             sequence_length=None, scope=None):
    """Calls one cell for the inputs from first to last and another from last to first.

    Args:
        cell_fw: the cell that goes forward.
        cell_bw: the cell that goes backward.
        inputs: a list with a tensor of shape [batch, size], or a structure of them, for each time step.
        initial_state_fw, initial_state_bw: the states to begin with; by default zeros.
        dtype: the dtype of the first states; needed without them.
        sequence_length: how many steps each sequence has.
        scope: a variable scope; by default "bidirectional_rnn".

    Returns:
        (the list of both cells' outputs beside each other, the last state forward, the last state backward).

    Raises:
        TypeError: an argument is no cell, or `inputs` no list.
        ValueError: see `tf.nn.static_rnn`.
    """
    require_cell("cell_fw", cell_fw)
    require_cell("cell_bw", cell_bw)
    _require_list(inputs)
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw_scope:
            outputs_fw, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length,
                                              scope=fw_scope)
        with variable_scope("bw") as bw_scope:
            outputs_bw, state_bw = static_rnn(cell_bw, _reversed(inputs, sequence_length), initial_state_bw, dtype,
                                              sequence_length, scope=bw_scope)
    outputs = [nest.map_structure(lambda x, y: array.concat([x, y], 1), forward, backward)
               for forward, backward in zip(outputs_fw, _reversed(outputs_bw, sequence_length))]
    return outputs, state_fw, state_bw


def _reversed(inputs: Any, lengths: Any) -> list[Any]:
    """The steps in reverse order, each sequence within its own length."""
    if lengths is None:
        return list(reversed(inputs))
    columns = zip(*(nest.flatten(step) for step in inputs))
    backward = []
    for column in columns:
        steps = array.unstack(array.reverse_sequence(array.stack(list(column)), lengths, seq_axis=0, batch_axis=1),
                              num=len(inputs))
        for step, like in zip(steps, column):
            step.set_shape(like.shape)
        backward.append(steps)
    return [nest.pack_sequence_as(like, list(flat)) for like, flat in zip(inputs, zip(*backward))]
