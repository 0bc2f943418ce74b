"""tf.contrib.recurrent: computations that repeat a function of a state over time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.frontend import array, functional
from evergraph.frontend.gradients import custom_gradient
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers import rnn
from evergraph.ops.arrays.pad import reverse_v2


def _with_gradient(cell_fn: Callable[..., Any], cell_grad: Callable[..., Any]) -> Callable[..., Any]:
    """The function from (theta, state, inputs) to the next state, with a gradient by `cell_grad`."""
    def next_state(theta: Any, state: Any, inputs: Any) -> Any:
        given = (theta, state, inputs)

        @custom_gradient
        def flat(*values: Any) -> Any:
            here = nest.pack_sequence_as(given, list(values))
            after, extras = cell_fn(*here)

            def grad(*dafter: Any) -> list[Any]:
                gradients = cell_grad(*here, extras, nest.pack_sequence_as(after, list(dafter)))
                return nest.flatten(gradients[:3])

            return nest.flatten(after), grad

        return nest.pack_sequence_as(state, nest.flatten(flat(*nest.flatten(given))))

    return next_state


@export("contrib.recurrent.Recurrent")
def Recurrent(theta: Any, state0: Any, inputs: Any, cell_fn: Callable[..., Any],  # noqa: N802
              cell_grad: Callable[..., Any] | None = None, extras: Any = None, max_input_length: Any = None,
              use_tpu: bool = False, aligned_end: bool = False) -> tuple[Any, Any]:
    """Repeats a function of a state over the first axis of the inputs.

    Args:
        theta: weights: any structure of tensors.
        state0: the first state.
        inputs: a structure of tensors whose first axis is time.
        cell_fn: takes (theta, state, inputs of one time), and returns (next state, what `cell_grad` needs).
        cell_grad: takes (theta, state, inputs, extras, gradient of the next state), and returns the gradients of the
            first three; by default that of `cell_fn`.
        extras: has no effect: what `cell_grad` needs comes from `cell_fn`.
        max_input_length: the number of times to go through; the others have states of zeros.
        use_tpu: has no effect.
        aligned_end: whether these are the last times rather than the first.

    Returns:
        (the states after each time, the last state).
    """
    del extras, use_tpu
    inputs = nest.map_structure(convert_to_tensor, inputs)
    state0 = nest.map_structure(convert_to_tensor, state0)
    step = (lambda *now: cell_fn(*now)[0]) if cell_grad is None else _with_gradient(cell_fn, cell_grad)
    taken = inputs
    if max_input_length is not None:
        part = slice(-max_input_length, None) if aligned_end else slice(None, max_input_length)
        taken = nest.map_structure(lambda each: each[part], inputs)
    states = functional.scan(lambda state, now: step(theta, state, now), taken, initializer=state0)
    last = nest.map_structure(lambda each: each[-1], states)
    if max_input_length is not None:
        length = array.shape(nest.flatten(inputs)[0])[0]
        states = nest.map_structure(lambda each: _filled(each, length, aligned_end), states)
    return states, last


def _filled(states: Any, length: Any, at_start: bool) -> Any:
    """The states of all times, with zeros where nothing was computed."""
    shape = array.shape(states)
    zeros = array.zeros(array.concat([[length - shape[0]], shape[1:]], 0), states.dtype)
    return array.concat([zeros, states] if at_start else [states, zeros], 0)


@export("contrib.recurrent.functional_rnn")
def functional_rnn(cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None, dtype: Any = None,
                   time_major: bool = False, scope: Any = None, use_tpu: bool = False,
                   reverse: bool = False) -> tuple[Any, Any]:
    """`tf.nn.dynamic_rnn`, also backwards in time.

    Args:
        cell, inputs, sequence_length, initial_state, dtype, time_major, scope: see `tf.nn.dynamic_rnn`.
        use_tpu: has no effect.
        reverse: whether to go from the last time to the first.

    Returns:
        (the outputs, the last state).
    """
    del use_tpu

    def turned(values: Any) -> Any:
        return nest.map_structure(lambda each: _turned(each, sequence_length, time_major), values)

    outputs, state = rnn.dynamic_rnn(cell, turned(inputs) if reverse else inputs, sequence_length, initial_state, dtype,
                                     time_major=time_major, scope=scope)
    return (turned(outputs) if reverse else outputs), state


def _turned(values: Any, lengths: Any, time_major: bool) -> Any:
    time, batch = (0, 1) if time_major else (1, 0)
    if lengths is None:
        return reverse_v2(values, [time])
    return array.reverse_sequence(values, lengths, seq_axis=time, batch_axis=batch)


@export("contrib.recurrent.bidirectional_functional_rnn")
def bidirectional_functional_rnn(cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None,
                                 initial_state_bw: Any = None, dtype: Any = None, sequence_length: Any = None,
                                 time_major: bool = False, use_tpu: bool = False, fast_reverse: bool = False,
                                 scope: Any = None) -> tuple[Any, Any]:
    """`tf.nn.bidirectional_dynamic_rnn`, with the same outputs and variables.

    Args:
        cell_fw, cell_bw, inputs, initial_state_fw, initial_state_bw, dtype, sequence_length, time_major, scope: see
            `tf.nn.bidirectional_dynamic_rnn`.
        use_tpu: has no effect.
        fast_reverse: whether to go through whole sequences backwards, whatever their lengths are.

    Returns:
        ((outputs forwards, outputs backwards), (last state forwards, last state backwards)).
    """
    with variable_scope(scope or "bidirectional_rnn"):
        forward, state_fw = functional_rnn(cell_fw, inputs, sequence_length, initial_state_fw, dtype, time_major, "fw",
                                           use_tpu)
        backward, state_bw = functional_rnn(cell_bw, inputs, None if fast_reverse else sequence_length,
                                            initial_state_bw, dtype, time_major, "bw", use_tpu, reverse=True)
    return (forward, backward), (state_fw, state_bw)
