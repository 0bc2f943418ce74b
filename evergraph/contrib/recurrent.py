"""tf.contrib.recurrent: recurrent computations over time whose gradients may be given by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.errors import UnimplementedError
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.gradients import custom_gradient
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.rnn import bidirectional_dynamic_rnn, dynamic_rnn


@export("contrib.recurrent.Recurrent")
def Recurrent(theta: Any, state0: Any, inputs: Any, cell_fn: Callable[..., Any],  # noqa: N802
              cell_grad: Callable[..., Any] | None = None, extras: Any = None, max_input_length: Any = None,
              use_tpu: bool = False, aligned_end: bool = False) -> tuple[Any, Any]:
    """Runs `state, extras = cell_fn(theta, state, inputs[t])` over all times.

    Args:
        theta: weights: a structure of tensors, as all that follow.
        state0: the first state.
        inputs: what the cell gets, time along the first axes.
        cell_fn: returns the next state, and what `cell_grad` needs beside it.
        cell_grad: (theta, state before, inputs, extras, gradient of the state) to the gradients of theta, state and
            inputs; None to have them computed.
        extras: has no meaning: what `cell_fn` returns tells what there is.
        max_input_length: the number of times after which nothing more comes; None for all.
        use_tpu: has no meaning.
        aligned_end: must be False.

    Returns:
        (all states along a first axis of times, the last state).

    Raises:
        UnimplementedError: `aligned_end` is set.
    """
    if aligned_end:
        raise UnimplementedError(None, None, "Recurrent: aligned_end must be False")
    theta, state0, inputs = (nest.map_structure(convert_to_tensor, each) for each in (theta, state0, inputs))
    cell = _differentiated(cell_fn, cell_grad) if cell_grad is not None else lambda *args: cell_fn(*args)[0]
    series, first = nest.flatten(inputs), nest.flatten(state0)
    steps = array.shape(series[0])[0] if max_input_length is None else math.cast(max_input_length, dtypes.int32)
    total = array.shape(series[0])[0]
    read = [TensorArray(each.dtype, size=total).unstack(each) for each in series]
    written = [TensorArray(each.dtype, size=total, element_shape=each.shape) for each in first]

    def step(time: Any, state: Any, arrays: Any) -> Any:
        now = nest.pack_sequence_as(inputs, [each.read(time) for each in read])
        for one, whole in zip(nest.flatten(now), series):
            one.set_shape(whole.shape[1:])
        after = nest.flatten(cell(theta, nest.pack_sequence_as(state0, list(state)), now))
        return time + 1, after, [each.write(time, value) for each, value in zip(arrays, after)]

    _, last, written = while_loop(lambda time, *rest: time < steps, step, [array.constant(0), first, written])
    if max_input_length is not None:  # the rest of the times keep the last state
        _, written = while_loop(lambda time, *rest: time < total,
                                lambda time, arrays: (time + 1, [each.write(time, value) for each, value
                                                                 in zip(arrays, last)]),
                                [steps, written])
    stacked = []
    for one, like, whole in zip(written, first, [series[0]] * len(first)):
        every = one.stack()
        every.set_shape(whole.shape[:1].concatenate(like.shape))
        stacked.append(every)
    return nest.pack_sequence_as(state0, stacked), nest.pack_sequence_as(state0, list(last))


def _differentiated(cell_fn: Callable[..., Any], cell_grad: Callable[..., Any]) -> Callable[..., Any]:
    """A cell whose gradient is what `cell_grad` says."""

    def cell(theta: Any, state: Any, inputs: Any) -> Any:
        parts = [nest.flatten(each) for each in (theta, state, inputs)]
        counts = [len(each) for each in parts]

        @custom_gradient
        def apply(*flat: Any) -> Any:
            weights, before, now = _packed(flat, counts, (theta, state, inputs))
            after, extras = cell_fn(weights, before, now)

            def grad(*gradients: Any) -> Any:
                found = cell_grad(weights, before, now, extras, nest.pack_sequence_as(state, list(gradients)))
                return [each for part in found[:3] for each in nest.flatten(part)]

            return list(nest.flatten(after)), grad

        made = apply(*(each for part in parts for each in part))
        return nest.pack_sequence_as(state, list(made) if isinstance(made, (list, tuple)) else [made])

    return cell


def _packed(flat: Any, counts: list[int], structures: tuple[Any, ...]) -> list[Any]:
    packed, start = [], 0
    for count, structure in zip(counts, structures):
        packed.append(nest.pack_sequence_as(structure, list(flat[start:start + count])))
        start += count
    return packed


@export("contrib.recurrent.functional_rnn")
def functional_rnn(cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None, dtype: Any = None,
                   time_major: bool = False, scope: Any = None, use_tpu: bool = False,
                   reverse: bool = False) -> tuple[Any, Any]:
    """The outputs and the last state of a cell: `tf.nn.dynamic_rnn`, whose loops are functional here as well.

    Args:
        cell: see `tf.nn.dynamic_rnn`, as for those that follow.
        inputs: what comes in.
        sequence_length: the lengths of the sequences.
        initial_state: the first state.
        dtype: that of the first state, if there is none.
        time_major: whether time is the first axis.
        scope: the scope of the variables.
        use_tpu: has no meaning.
        reverse: must be False.

    Raises:
        UnimplementedError: `reverse` is set.
    """
    if reverse:
        raise UnimplementedError(None, None, "functional_rnn: reverse must be False; reverse the inputs instead")
    return dynamic_rnn(cell, inputs, sequence_length, initial_state, dtype, time_major=bool(time_major), scope=scope)


@export("contrib.recurrent.bidirectional_functional_rnn")
def bidirectional_functional_rnn(cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None,
                                 initial_state_bw: Any = None, dtype: Any = None, sequence_length: Any = None,
                                 time_major: bool = False, use_tpu: bool = False, fast_reverse: bool = False,
                                 scope: Any = None) -> tuple[Any, Any]:
    """Two cells over the same inputs, one from their end: `tf.nn.bidirectional_dynamic_rnn`.

    Args:
        cell_fw: see `tf.nn.bidirectional_dynamic_rnn`, as for those that follow.
        cell_bw: the cell that goes backwards.
        inputs: what comes in.
        initial_state_fw: the first state of the one.
        initial_state_bw: the first state of the other.
        dtype: that of the first states.
        sequence_length: the lengths of the sequences.
        time_major: whether time is the first axis.
        use_tpu: has no meaning.
        fast_reverse: has no meaning: sequences are always reversed by their lengths.
        scope: the scope of the variables.
    """
    return bidirectional_dynamic_rnn(cell_fw, cell_bw, inputs, sequence_length, initial_state_fw, initial_state_bw,
                                     dtype, time_major=bool(time_major), scope=scope)
