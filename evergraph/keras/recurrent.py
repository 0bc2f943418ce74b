"""tf.keras.layers.RNN: recurrent layers around cells, and stacked cells."""
from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.variables import assign
from evergraph.frontend.variables.variable import Variable
from evergraph.keras import layers_by_name, session
from evergraph.keras.layer import Layer
from evergraph.keras.loop import rnn
from evergraph.layers.input_spec import InputSpec


def several(state_size: Any) -> bool:
    """Whether a cell has more than one state, or a list of one."""
    return hasattr(state_size, "__len__") and not isinstance(state_size, TensorShape)


def zeros_of(cell: Any, batch_size: Any, dtype: Any) -> Any:
    """A zero state of a cell."""
    def zeros(size: Any) -> Any:
        return array.zeros([batch_size, *TensorShape(size).as_list()] if not isinstance(size, int) else
                           [batch_size, size], dtype=dtype or "float32")
    size = cell.state_size
    return nest.map_structure(zeros, size) if several(size) else zeros(size)


@export("keras.layers.AbstractRNNCell")
class AbstractRNNCell(Layer):
    """The base of cells: a subclass defines `call(inputs, states)`, `state_size` and `output_size`."""

    def call(self, inputs, states):
        """One step: (output, new states).

        Args:
            inputs: a tensor [batch, features].
            states: a list of tensors, each [batch, size].
        """
        raise NotImplementedError("Abstract method")

    @property
    def state_size(self):
        """The size of the state, or a list of sizes."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self):
        """The size of the output."""
        raise NotImplementedError("Abstract method")

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """Zeros, in the structure of `state_size`."""
        if inputs is not None:
            batch_size, dtype = array.shape(inputs)[0], inputs.dtype
        return zeros_of(self, batch_size, dtype)


@export("keras.layers.StackedRNNCells")
class StackedRNNCells(Layer):
    """Stacked cells as one cell: the output of each is the input of the next.

    Args:
        cells: a list of cells.
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        ValueError: a cell lacks `call` or `state_size`.
    """

    def __init__(self, cells, **kwargs):
        for cell in cells:
            if not hasattr(cell, "call"):
                raise ValueError(f"every cell needs a `call` method, got {cells}")
            if not hasattr(cell, "state_size"):
                raise ValueError(f"every cell needs a `state_size`, got {cells}")
        self.reverse_state_order = kwargs.pop("reverse_state_order", False)
        super().__init__(**kwargs)
        self.cells = list(cells)

    @property
    def state_size(self):
        """The sizes of the cells' states, a tuple."""
        cells = self.cells[::-1] if self.reverse_state_order else self.cells
        return tuple(cell.state_size for cell in cells)

    @property
    def output_size(self):
        """The size of the last cell's output."""
        return output_size_of(self.cells[-1])

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """The cells' initial states, a tuple."""
        cells = self.cells[::-1] if self.reverse_state_order else self.cells
        return tuple(initial_state_of(cell, inputs, batch_size, dtype) for cell in cells)

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        for cell in self.cells:
            build_cell(cell, TensorShape(sizes), self.dtype)
            sizes = [sizes[0], *TensorShape(output_size_of(cell)).as_list()]
        self.built = True

    def call(self, inputs, states, constants=None, **kwargs):
        """One step: (output of the last cell, new states of all).

        Args:
            inputs: a tensor [batch, features].
            states: the cells' states, in the structure of `state_size`.
            constants: tensors for the cells that take them.
            **kwargs: for the cells that take them.
        """
        states = list(nest.pack_sequence_as(self.state_size, nest.flatten(states)))
        states = states[::-1] if self.reverse_state_order else states
        new_states = []
        for cell, state in zip(self.cells, states):
            inputs, new = call_cell(cell, inputs, state, constants, kwargs)
            new_states.append(new if several(cell.state_size) else nest.flatten(new)[0])
        new_states = new_states[::-1] if self.reverse_state_order else new_states
        return inputs, nest.pack_sequence_as(self.state_size, nest.flatten(new_states))

    @contextlib.contextmanager
    def _sharing_steps(self, batch_size, training):
        """A block around the steps of a call, which share the dropout masks of all cells."""
        with contextlib.ExitStack() as stack:
            for cell in self.cells:
                stack.enter_context(sharing_steps(cell, batch_size, training))
            yield

    def get_config(self):
        """The constructor's arguments, for `from_config`."""
        return {**super().get_config(), "cells": [layers_by_name.serialize(cell) for cell in self.cells]}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """A layer with these arguments."""
        cells = [layers_by_name.deserialize(cell, custom_objects) for cell in config["cells"]]
        return cls(cells, **{key: value for key, value in config.items() if key != "cells"})


def output_size_of(cell: Any) -> Any:
    """The size of a cell's output: its `output_size`, or the size of its first state."""
    found = getattr(cell, "output_size", None)
    if found is not None:
        return found
    return cell.state_size[0] if several(cell.state_size) else cell.state_size


def initial_state_of(cell: Any, inputs: Any, batch_size: Any, dtype: Any) -> Any:
    make = getattr(cell, "get_initial_state", None)
    if make is not None:
        return make(inputs=inputs, batch_size=batch_size, dtype=dtype)
    return zeros_of(cell, array.shape(inputs)[0] if inputs is not None else batch_size, dtype)


def build_cell(cell: Any, shape: TensorShape, dtype: Any) -> None:
    """Creates a cell's variables in the scope and dtype of the enclosing layer."""
    if isinstance(cell, Layer) and not cell.built:
        cell._dtype = cell._dtype or dtype
        cell.build(shape)
        cell.built = True


def sharing_steps(cell: Any, batch_size: Any, training: Any) -> Any:
    """A block around the steps of a call; cells of programs may have nothing that their steps share."""
    make = getattr(cell, "_sharing_steps", None)
    return contextlib.nullcontext() if make is None else make(batch_size, training)


def call_cell(cell: Any, inputs: Any, states: Any, constants: Any, kwargs: dict[str, Any]) -> Any:
    """One step of a cell; cells of tf.nn.rnn_cell take and return their state without a list."""
    if hasattr(cell, "zero_state"):
        return cell(inputs, states)
    states = list(states) if several(cell.state_size) else nest.flatten(states)
    takes = _parameters_of(cell)
    given = {key: value for key, value in kwargs.items() if key in takes and value is not None}
    if constants:
        given["constants"] = constants
    return cell.call(inputs, states, **given)


def _parameters_of(cell: Any) -> Any:
    code = cell.call.__code__
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    return (*names, "training") if code.co_flags & 0x08 else names


def call_arguments(inputs: Any, initial_state: Any, constants: Any) -> dict[str, Any]:
    """The given arguments of a call, with states separated from a list of inputs."""
    if isinstance(inputs, (list, tuple)):
        inputs, *rest = inputs
        initial_state = list(rest) if rest else initial_state
    given = {"inputs": inputs, "initial_state": initial_state, "constants": constants}
    return {name: value for name, value in given.items() if name == "inputs" or value is not None}


class _KeptStates:
    """The states that a stateful layer keeps between batches; not a list, so that they are not tracked as weights."""

    def __init__(self, variables: Any) -> None:
        self.variables = variables


@export("keras.layers.RNN")
class RNN(Layer):
    """A recurrent layer: runs a cell over sequences [batch, time, ...].

    Args:
        cell: an object with `call(inputs, states)` and `state_size`, or a list of them, to stack.
        return_sequences: whether to return the outputs of all steps, instead of the last.
        return_state: whether to return the final states too: [output, *states].
        go_backwards: whether to process the sequence in reverse.
        stateful: whether a batch starts with the final states of the previous batch; `layer.updates` keep them.
        unroll: whether to unroll the loop.
        time_major: whether the time axis is first in inputs and outputs.
        **kwargs: `input_dim` and `input_length`, the sizes of the inputs if the layer is the first of a model;
            `zero_output_for_mask`, whether the output of masked steps is zero; see `tf.keras.layers.Layer`.

    Raises:
        ValueError: the cell lacks `call` or `state_size`.
    """

    step_rank = 2

    def __init__(self, cell, return_sequences=False, return_state=False, go_backwards=False, stateful=False,
                 unroll=False, time_major=False, **kwargs):
        if isinstance(cell, (list, tuple)):
            cell = StackedRNNCells(cell)
        for needed in ("call", "state_size"):
            if not hasattr(cell, needed):
                raise ValueError(f"a cell needs a `{needed}`: {cell} has none")
        self.zero_output_for_mask = kwargs.pop("zero_output_for_mask", False)
        if "input_shape" not in kwargs and ("input_dim" in kwargs or "input_length" in kwargs):
            kwargs["input_shape"] = (kwargs.pop("input_length", None), kwargs.pop("input_dim", None))
        super().__init__(**kwargs)
        self.cell, self.return_sequences, self.return_state = cell, return_sequences, return_state
        self.go_backwards, self.stateful, self.unroll, self.time_major = go_backwards, stateful, unroll, time_major
        self.supports_masking = True
        self.input_spec = [InputSpec(ndim=self.step_rank + 1)]
        self._kept: _KeptStates | None = None

    # ---- building and calling

    def build(self, input_shape):
        sizes = (input_shape[0] if isinstance(input_shape, list) else TensorShape(input_shape)).as_list()
        batch = sizes[1] if self.time_major else sizes[0]
        step = TensorShape([batch, *sizes[2:]])
        self.input_spec = [InputSpec(shape=(None, None, *sizes[2:]))]
        build_cell(self.cell, step, self.dtype)
        if self.stateful and self._kept is None:
            self._make_states(batch)
        self.built = True

    def __call__(self, inputs, initial_state=None, constants=None, **kwargs):
        """Creates the variables at the first call, and computes the output.

        Args:
            inputs: a tensor [batch, time, ...]; or a list of it and the initial states.
            initial_state: a tensor or a list of them; zeros by default.
            constants: tensors that are passed to each step.
            **kwargs: `mask` and `training`; see `call`.
        """
        return super().__call__(**call_arguments(inputs, initial_state, constants), **kwargs)

    def call(self, inputs, mask=None, training=None, initial_state=None, constants=None):
        """The last output or all outputs, in a list with the states if `return_state`.

        Args:
            inputs: a tensor [batch, time, ...].
            mask: bools [batch, time]: masked steps are skipped.
            training: passed on to the cell, if it takes it.
            initial_state: a tensor or a list of them; zeros by default.
            constants: tensors that are passed to each step.
        """
        mask = mask[0] if isinstance(mask, list) else mask
        states = self._first_states(inputs, initial_state)
        batch = array.shape(inputs)[1 if self.time_major else 0]
        constants = None if constants is None else nest.flatten(constants)

        def step(now, current):
            output, new = call_cell(self.cell, now, self._for_cell(current), constants, {"training": training})
            return output, nest.pack_sequence_as(states, nest.flatten(new))

        with sharing_steps(self.cell, batch, training):
            last, outputs, states = rnn(step, inputs, states, go_backwards=self.go_backwards, mask=mask,
                                        unroll=self.unroll, time_major=self.time_major,
                                        zero_output_for_mask=self.zero_output_for_mask)
        if self.stateful:
            self.add_update([assign.assign(kept, new) for kept, new in
                             zip(nest.flatten(self._kept.variables), nest.flatten(states))])
        output = outputs if self.return_sequences else last
        return [*nest.flatten([output]), *states] if self.return_state else output

    def _first_states(self, inputs, initial_state):
        if initial_state is not None:
            states = list(initial_state) if isinstance(initial_state, (list, tuple)) else [initial_state]
            if len(states) != len(self._listed_sizes()):
                raise ValueError(f"layer {self.name} has {len(self._listed_sizes())} states, got {len(states)}")
            return states
        if self.stateful:
            return nest.map_structure(lambda variable: variable.read_value(), self._kept.variables)
        return self.get_initial_state(inputs)

    def _listed_sizes(self):
        size = self.cell.state_size
        return list(size) if several(size) else [size]

    def _for_cell(self, states):
        """The states in the cell's structure."""
        if hasattr(self.cell, "zero_state"):
            return nest.pack_sequence_as(self.cell.state_size, nest.flatten(states))
        return states

    def get_initial_state(self, inputs):
        """The default initial states: the cell's, as a list."""
        batch = array.shape(inputs)[1 if self.time_major else 0]
        state = initial_state_of(self.cell, None, batch, inputs.dtype)
        return list(state) if isinstance(state, (list, tuple)) else [state]

    # ---- kept states

    @property
    def states(self):
        """The states of a stateful layer; None for each before they are created."""
        return [None] * len(self._listed_sizes()) if self._kept is None else self._kept.variables

    def _make_states(self, batch):
        if batch is None:
            raise ValueError("a stateful layer keeps a state for each sequence, and must know how many: give the batch "
                             "size, in `batch_input_shape` or `batch_shape`")
        make = lambda size: Variable(array.zeros([batch, *TensorShape(size).as_list()]), trainable=False,
                                     use_resource=True, name="state")
        self._kept = _KeptStates([nest.map_structure(make, size) if several(size) else make(size)
                                  for size in self._kept_sizes()])

    def _kept_sizes(self):
        """The shapes of the states that a stateful layer keeps, without the batch."""
        return self._listed_sizes()

    def reset_states(self, states=None):
        """Assigns the layer's states, in Keras' session.

        Args:
            states: arrays, one for each state; zeros by default.

        Raises:
            AttributeError: the layer is not stateful.
            ValueError: the number of states or a shape differs.
        """
        if not self.stateful:
            raise AttributeError("the layer keeps no states: it is not stateful")
        if self._kept is None:
            self._make_states(self._options.get("batch_input_shape", (None,))[0])
        variables = nest.flatten(self._kept.variables)
        values = [0.0] * len(variables) if states is None else nest.flatten(states)
        if len(values) != len(variables):
            raise ValueError(f"layer {self.name} has {len(variables)} states, got {len(values)} values")
        session.batch_set_value([(variable, np.broadcast_to(np.asarray(value, variable.dtype.as_numpy_dtype),
                                                            variable.shape.as_list()))
                                 for variable, value in zip(variables, values)])

    # ---- shapes, masks, configurations

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape[0] if isinstance(input_shape, list) else input_shape).as_list()
        batch, steps = (sizes[1], sizes[0]) if self.time_major else (sizes[0], sizes[1])
        inner = TensorShape(output_size_of(self.cell)).as_list()
        outer = ([steps, batch] if self.time_major else [batch, steps]) if self.return_sequences else [batch]
        output = TensorShape([*outer, *inner])
        if not self.return_state:
            return output
        return [output, *(TensorShape([batch, *TensorShape(size).as_list()])
                          for size in nest.flatten(self.cell.state_size))]

    def compute_mask(self, inputs, mask):
        mask = mask[0] if isinstance(mask, list) else mask
        output = mask if self.return_sequences else None
        return [output, *(None for _ in self._listed_sizes())] if self.return_state else output

    def get_config(self):
        """The constructor's arguments, for `from_config`."""
        config = {"return_sequences": self.return_sequences, "return_state": self.return_state,
                  "go_backwards": self.go_backwards, "stateful": self.stateful, "unroll": self.unroll,
                  "time_major": self.time_major}
        if self.zero_output_for_mask:
            config["zero_output_for_mask"] = True
        return {**super().get_config(), **config, **self._cell_config()}

    def _cell_config(self):
        return {"cell": layers_by_name.serialize(self.cell)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """A layer with these arguments."""
        cell = layers_by_name.deserialize(config["cell"], custom_objects)
        return cls(cell, **{key: value for key, value in config.items() if key != "cell"})
