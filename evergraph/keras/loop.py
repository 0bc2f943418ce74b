"""tf.keras.backend.rnn: a recurrent loop over time."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.indexing import sequence_mask, where_v2
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import pad


def _swapped(tensor: Any) -> Any:
    """The tensor with batch and time exchanged."""
    return array.transpose(tensor, [1, 0, *range(2, tensor.shape.rank)])


def _chosen(mask: Any, new: Any, old: Any) -> Any:
    """`new` where the mask, a bool column over the batch, is true, else `old`."""
    for _ in range(new.shape.rank - 2):
        mask = array.expand_dims(mask, -1)
    result = where_v2(mask, new, old)
    result.set_shape(new.shape)
    return result


@export("keras.backend.rnn")
def rnn(step_function: Any, inputs: Any, initial_states: Any, go_backwards: bool = False, mask: Any = None,
        constants: Any = None, unroll: bool = False, input_length: Any = None, time_major: bool = False,
        zero_output_for_mask: bool = False) -> tuple[Any, Any, Any]:
    """Iterates a step function over the time axis of the inputs.

    Args:
        step_function: (inputs of a step, states) -> (output, new states); the constants come after the states.
        inputs: a tensor [batch, time, ...], or a structure of them.
        initial_states: the states of the first step, a structure of tensors.
        go_backwards: whether to process the sequence in reverse.
        mask: bools [batch, time]: where False, the previous output and states are kept.
        constants: tensors that are passed to each step.
        unroll: whether to unroll the loop.
        input_length: a tensor of the length of each sequence, which masks the steps after it if there is no mask; an
            integer has no effect, as the inputs tell the number of steps.
        time_major: whether the time axis is first in inputs, outputs and mask.
        zero_output_for_mask: whether the output is zero where the mask is False.

    Returns:
        (the last output, all outputs, the last states).

    Raises:
        ValueError: `unroll` is set and the number of steps is unknown.
    """
    inputs = nest.map_structure(convert_to_tensor, inputs)
    if not time_major:
        inputs = nest.map_structure(_swapped, inputs)
    flat = nest.flatten(inputs)
    for tensor in flat:
        tensor.shape.with_rank_at_least(3)
    if mask is None and isinstance(input_length, Tensor):
        mask = sequence_mask(input_length, array.shape(flat[0])[0])
        mask = _swapped(mask) if time_major else mask
    if mask is not None:
        mask = math.cast(mask, dtypes.bool)
        mask = array.expand_dims(mask, -1) if mask.shape.rank == 2 else mask
        mask = mask if time_major else _swapped(mask)
    if go_backwards:
        inputs = nest.map_structure(lambda tensor: pad.reverse_v2(tensor, [0]), inputs)
        mask = None if mask is None else pad.reverse_v2(mask, [0])
    step = lambda now, states: step_function(now, _with(states, constants))
    run = _unrolled if unroll else _looped
    if unroll and flat[0].shape.as_list()[0] is None:
        raise ValueError("to lay out the steps their number must be known")
    outputs, last, states = run(step, inputs, initial_states, mask, zero_output_for_mask)
    if not time_major:
        outputs = nest.map_structure(_swapped, outputs)
    return last, outputs, states


def _with(states: Any, constants: Any) -> Any:
    return states if not constants else [*states, *constants]


def _masked(mask: Any, output: Any, before: Any, new_states: Any, states: Any) -> tuple[Any, Any]:
    """The output and states of a step, replaced by the previous ones where the mask is False."""
    output = nest.map_structure(lambda new, old: _chosen(mask, new, old), output, before)
    kept = [_chosen(mask, new, old) for new, old in zip(nest.flatten(new_states), nest.flatten(states))]
    return output, nest.pack_sequence_as(states, kept)


def _unrolled(step: Any, inputs: Any, states: Any, mask: Any, zeros: bool) -> Any:
    steps = nest.flatten(inputs)[0].shape.as_list()[0]
    results, output = [], None
    for time in range(steps):
        now = nest.map_structure(lambda tensor, time=time: tensor[time], inputs)
        new, new_states = step(now, states)
        if mask is not None:
            before = nest.map_structure(array.zeros_like, new) if output is None or zeros else output
            new, new_states = _masked(mask[time], new, before, new_states, states)
        output, states = new, nest.pack_sequence_as(states, nest.flatten(new_states))
        results.append(nest.flatten(output))
    stacked = [array.stack(list(parts)) for parts in zip(*results)]
    return nest.pack_sequence_as(output, stacked), output, states


def _looped(step: Any, inputs: Any, states: Any, mask: Any, zeros: bool) -> Any:
    flat = nest.flatten(inputs)
    known = flat[0].shape.as_list()[0]
    steps = array.shape(flat[0])[0] if known is None else array.constant(known, dtypes.int32)
    read = [TensorArray(tensor.dtype.base_dtype, size=steps, element_shape=tensor.shape[1:],
                        tensor_array_name=f"input_ta_{number}").unstack(tensor) for number, tensor in enumerate(flat)]
    # One step outside the loop, whose result is unused, determines the structure and shapes of the outputs.
    first, _ = step(nest.map_structure(lambda tensor: tensor[0], inputs), states)
    shapes = nest.flatten(first)
    written = [TensorArray(tensor.dtype.base_dtype, size=steps, element_shape=tensor.shape,
                           tensor_array_name=f"output_ta_{number}") for number, tensor in enumerate(shapes)]
    previous = [] if mask is None else [array.zeros_like(tensor) for tensor in shapes]
    state_shapes = [state.shape for state in nest.flatten(states)]

    def body(time: Any, written: Any, previous: Any, flat_states: Any) -> Any:
        now = nest.pack_sequence_as(inputs, [rows.read(time) for rows in read])
        current = nest.pack_sequence_as(states, list(flat_states))
        output, new_states = step(now, current)
        if mask is not None:
            before = [array.zeros_like(part) for part in previous] if zeros else previous
            output, new_states = _masked(mask[time], output, nest.pack_sequence_as(first, list(before)), new_states,
                                         current)
        parts, new_flat = nest.flatten(output), nest.flatten(new_states)
        for state, shape in zip(new_flat, state_shapes):
            state.set_shape(shape)
        return (time + 1, [rows.write(time, part) for rows, part in zip(written, parts)],
                [] if mask is None else parts, new_flat)

    _, written, _, flat_states = while_loop(
        lambda time, *_: time < steps, body, (array.constant(0, dtypes.int32), written, previous, nest.flatten(states)),
        maximum_iterations=steps)
    outputs = [rows.stack() for rows in written]
    for tensor, shape in zip(outputs, shapes):
        tensor.set_shape([known, *shape.shape.as_list()])
    last = [tensor[-1] for tensor in outputs]
    for tensor, shape in zip(last, shapes):
        tensor.set_shape(shape.shape)
    return (nest.pack_sequence_as(first, outputs), nest.pack_sequence_as(first, last),
            nest.pack_sequence_as(states, list(flat_states)))
