"""Cells made of other cells: several on top of each other, or one with dropout, a residual connection or a device."""
from __future__ import annotations

import hashlib
from typing import Any

from evergraph.base import logging, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math, random
from evergraph.frontend.blocks import device as on_device
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.nn import activations
from evergraph.frontend.tensor_array import TensorArray
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.layers import rnn_cell
from evergraph.layers.rnn_cell import LSTMStateTuple, RNNCell, cell_names
from evergraph.ops.arrays import index
from evergraph.ops.math import elementwise


def require_cell(argument: str, cell: Any) -> None:
    """Raises TypeError for what is no cell: it has sizes and a first state, and can be called."""
    lacks = [what for what, has in (
        ("'output_size' property is missing", hasattr(cell, "output_size")),
        ("'state_size' property is missing", hasattr(cell, "state_size")),
        ("either 'zero_state' or 'get_initial_state' method is required",
         hasattr(cell, "zero_state") or hasattr(cell, "get_initial_state")),
        ("is not callable", callable(cell))) if not has]
    if lacks:
        raise TypeError(f"The argument {argument!r} ({cell}) is not an RNNCell: {', '.join(lacks)}.")


def _described(cell: Any) -> dict[str, Any]:
    return {"class_name": type(cell).__name__, "config": cell.get_config()}


def _restored(description: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The cell that a description by `_described` stands for; a cell stands for itself.

    Raises:
        ValueError: its class is not known.
    """
    if isinstance(description, RNNCell):
        return description
    name = description["class_name"]
    known = custom_objects or {}
    kind = known.get(name) or globals().get(name) or getattr(rnn_cell, name, None)
    if kind is None:
        raise ValueError(f"Unknown layer: {name}")
    return kind.from_config(description["config"])


@export(*cell_names("MultiRNNCell"))
class MultiRNNCell(RNNCell):
    """A stack of recurrent cells: the output of each is the input of the next.

    >>> cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(size) for size in (128, 64)])

    Args:
        cells: a list of cells, the first of which gets the inputs.
        state_is_tuple: True for a state that is a tuple of the states of the cells, False for one tensor with all
            concatenated.

    Raises:
        TypeError: `cells` is not a list or tuple of cells.
        ValueError: the list is empty, or states are tuples and `state_is_tuple` is False.
    """

    def __init__(self, cells: Any, state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError("a MultiRNNCell needs one cell or more")
        if not nest.is_nested(cells):
            raise TypeError(f"cells must be a list or tuple of cells, got {cells}")
        for number, cell in enumerate(cells):
            require_cell(f"cells[{number}]", cell)
        if len({id(cell) for cell in cells}) < len(cells):
            logging.log_first_n(logging.WARN, "the same cell stands in a MultiRNNCell twice; the layers share its "
                                              "weights", 1)
        self._cells, self._state_is_tuple = cells, state_is_tuple
        if not state_is_tuple and any(nest.is_nested(cell.state_size) for cell in cells):
            raise ValueError("cells whose states are tuples need state_is_tuple=True; the sizes are "
                             f"{[cell.state_size for cell in cells]}")

    @property
    def state_size(self) -> Any:
        """The cells' sizes as a tuple, or their sum."""
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    output_size = property(lambda self: self._cells[-1].output_size, doc="The size of the last cell's output.")

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros in the structure of `state_size`; see `tf.nn.rnn_cell.RNNCell`."""
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return super().zero_state(batch_size, dtype)

    def call(self, inputs: Any, state: Any) -> Any:
        """The output of the last cell, and the new state."""
        if self._state_is_tuple and not nest.is_nested(state):
            raise ValueError(f"Expected state to be a tuple of {len(self.state_size)}, got {state}")
        states, position = [], 0
        for number, cell in enumerate(self._cells):
            with variable_scope(f"cell_{number}"):
                if self._state_is_tuple:
                    own = state[number]
                else:
                    own = index.slice_(state, [0, position], [-1, cell.state_size])
                    position += cell.state_size
                inputs, new_state = cell(inputs, own)
                states.append(new_state)
        return inputs, tuple(states) if self._state_is_tuple else array.concat(states, 1)

    def get_config(self) -> dict[str, Any]:
        return {"cells": [_described(cell) for cell in self._cells], "state_is_tuple": self._state_is_tuple}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> MultiRNNCell:
        """The cells with these arguments."""
        return cls([_restored(cell) for cell in config["cells"]], config.get("state_is_tuple", True))


class CellWrapper(RNNCell):
    """The base of wrappers: a cell of the same sizes, which opens no scope of its own.

    Args:
        cell: the cell inside.
        **kwargs: see `tf.layers.Layer`.

    Raises:
        TypeError: it is no cell.
    """

    def __init__(self, cell: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_cell("cell", cell)
        self.cell = cell

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """The output and the new state; see `tf.nn.rnn_cell.RNNCell`."""
        return self._wrapped(inputs, state, {} if scope is None else {"scope": scope})

    def _wrapped(self, inputs: Any, state: Any, options: dict[str, Any]) -> Any:
        return self.cell(inputs, state, **options)

    _cell = property(lambda self: self.cell)  # subclasses in programs call it
    state_size = property(lambda self: self.cell.state_size, doc="The sizes of the state of the cell inside.")
    output_size = property(lambda self: self.cell.output_size, doc="The size of the output of the cell inside.")

    def build(self, _: Any) -> None:
        """Nothing: the cell inside makes its variables when it is called."""
        self.built = True

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros in the structure of `state_size`; see `tf.nn.rnn_cell.RNNCell`."""
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            return self.cell.zero_state(batch_size, dtype)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "cell": _described(self.cell)}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> CellWrapper:
        """The wrapper with these arguments; `custom_objects` has the classes of cells that are not TensorFlow's."""
        config = dict(config)
        return cls(_restored(config.pop("cell"), custom_objects), **config)


def _all_but_memory(state: Any) -> Any:
    """What dropout of the state touches: not the `c` of an LSTM, and no arrays."""
    if isinstance(state, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not isinstance(state, TensorArray)


@export(*cell_names("DropoutWrapper"))
class DropoutWrapper(CellWrapper):
    """Adds dropout to the inputs, outputs and state of a recurrent cell.

    Args:
        cell: the cell.
        input_keep_prob: the probability that an element of the inputs is kept: a number or a scalar tensor.
        output_keep_prob: the same for the outputs.
        state_keep_prob: the same for the new state.
        variational_recurrent: uses the same dropout mask in all time steps (Gal and Ghahramani, 2016).
        input_size: the size, or structure of sizes, of the inputs; required for `variational_recurrent` with dropout of
            the inputs.
        dtype: the dtype of inputs, outputs and state; required for `variational_recurrent`.
        seed: the op-level seed, see `tf.set_random_seed`.
        dropout_state_filter_visitor: a function from a part of the state to whether dropout applies to it: a bool, or
            bools in the structure of the part. By default it applies to all but the c of LSTM cells and TensorArrays.
        **kwargs: see `tf.layers.Layer`.

    Raises:
        TypeError: `cell` is no cell, or the visitor is not callable.
        ValueError: a probability is not between 0 and 1, or a required argument is missing.
    """

    def __init__(self, cell: Any, input_keep_prob: Any = 1.0, output_keep_prob: Any = 1.0, state_keep_prob: Any = 1.0,
                 variational_recurrent: bool = False, input_size: Any = None, dtype: Any = None, seed: Any = None,
                 dropout_state_filter_visitor: Any = None, **kwargs: Any) -> None:
        super().__init__(cell, dtype=dtype, **kwargs)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._visitor = dropout_state_filter_visitor or _all_but_memory
        self._kept = {}
        with name_scope("DropoutWrapperInit"):
            for part, given in (("input", input_keep_prob), ("state", state_keep_prob), ("output", output_keep_prob)):
                self._kept[part] = _probability(f"{part}_keep_prob", given)
        self._variational_recurrent, self._input_size, self._seed = variational_recurrent, input_size, seed
        self._noise: dict[str, Any] = dict.fromkeys(self._kept)
        if variational_recurrent:
            self._make_noise(dtype)

    wrapped_cell = property(lambda self: self.cell, doc="The cell inside.")

    def _drops(self, part: str) -> bool:
        return not isinstance(self._kept[part], float) or self._kept[part] < 1

    def _make_noise(self, dtype: Any) -> None:
        """The random numbers that decide for all time steps."""
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")
        if self._drops("input") and self._input_size is None:
            raise ValueError("variational_recurrent drops inputs by one mask for all steps, which needs input_size")
        sizes = {"input": self._input_size, "state": self.cell.state_size, "output": self.cell.output_size}
        for part, structure in sizes.items():
            if part != "input" or self._drops(part):
                flat = [random.random_uniform(array.concat([[1], TensorShape(size).as_list()], 0), dtype=dtype,
                                              seed=self._seed_for(part, number))
                        for number, size in enumerate(nest.flatten(structure))]
                self._noise[part] = nest.pack_sequence_as(structure, flat)

    def _seed_for(self, part: str, number: int) -> int | None:
        """A seed of its own for each tensor; how it follows from the wrapper's is TensorFlow's."""
        if self._seed is None:
            return None
        digest = hashlib.md5(f"{self._seed}{part}_{number}".encode(), usedforsecurity=False).hexdigest()
        return int(digest[:8], 16) & 0x7FFFFFFF

    def _wrapped(self, inputs: Any, state: Any, options: dict[str, Any]) -> Any:
        if self._drops("input"):
            inputs = self._dropped("input", inputs, nest.map_structure(lambda _: True, inputs))
        output, new_state = self.cell(inputs, state, **options)
        if self._drops("state"):
            chosen = nest.get_traverse_shallow_structure(self._visitor, new_state)
            new_state = self._dropped("state", new_state, chosen)
        if self._drops("output"):
            output = self._dropped("output", output, nest.map_structure(lambda _: True, output))
        return output, new_state

    def _dropped(self, part: str, values: Any, chosen: Any) -> Any:
        """The values with dropout where `chosen`, the upper part of their structure with bools as leaves, says so."""
        keep, noise = self._kept[part], self._noise[part]
        noises = [None] * len(nest.flatten(chosen)) if noise is None else nest.flatten_up_to(chosen, noise)
        results = []
        for number, (wanted, value, own) in enumerate(zip(nest.flatten(chosen), nest.flatten_up_to(chosen, values),
                                                          noises)):
            if not wanted:
                results.append(value)
            elif own is not None:
                results.append(_scaled_by(own, value, keep))
            else:
                results.append(activations.dropout(value, rate=1.0 - keep, seed=self._seed_for(part, number)))
        return _packed_up_to(chosen, results)

    def get_config(self) -> dict[str, Any]:
        if self._visitor is not _all_but_memory:
            raise ValueError("a DropoutWrapper with a dropout_state_filter_visitor has no configuration")
        return {**super().get_config(), **{f"{part}_keep_prob": keep for part, keep in self._kept.items()},
                "variational_recurrent": self._variational_recurrent, "input_size": self._input_size,
                "seed": self._seed}


def _packed_up_to(shallow: Any, flat: list[Any]) -> Any:
    """A structure like the shallow one, with leaves that may be structures themselves."""
    left = iter(flat)
    return nest.map_structure(lambda _: next(left), shallow)


def _probability(argument: str, given: Any) -> Any:
    """A probability as a float where it is known now, else as a tensor."""
    tensor = convert_to_tensor(given)
    known = static_value(tensor)
    if known is None:
        return tensor
    if not 0 <= known <= 1:
        raise ValueError(f"Parameter {argument} must be between 0 and 1: {float(known)}")
    return float(known)


def _scaled_by(noise: Tensor, value: Tensor, keep: Any) -> Tensor:
    """Dropout that is decided by given random numbers."""
    result = math.div(value, keep) * elementwise.floor(keep + noise)
    result.set_shape(value.shape)
    return result


def _sum_of(inputs: Any, outputs: Any) -> Any:
    """inputs + outputs.

    Raises:
        ValueError: they differ in structure or shape.
    """
    nest.assert_same_structure(inputs, outputs)
    nest.map_structure(lambda x, y: x.shape.assert_is_compatible_with(y.shape), inputs, outputs)
    return nest.map_structure(lambda x, y: x + y, inputs, outputs)


@export(*cell_names("ResidualWrapper"))
class ResidualWrapper(CellWrapper):
    """A cell whose output is added to its input.

    Args:
        cell: the cell inside.
        residual_fn: a function (inputs, outputs) -> output in place of the sum.
        **kwargs: see `tf.layers.Layer`.
    """

    def __init__(self, cell: Any, residual_fn: Any = None, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def _wrapped(self, inputs: Any, state: Any, options: dict[str, Any]) -> Any:
        outputs, new_state = self.cell(inputs, state, **options)
        return (self._residual_fn or _sum_of)(inputs, outputs), new_state

    def get_config(self) -> dict[str, Any]:
        if self._residual_fn is not None:
            raise ValueError("a ResidualWrapper with a residual_fn has no configuration")
        return super().get_config()


@export(*cell_names("DeviceWrapper"))
class DeviceWrapper(CellWrapper):
    """A cell that is placed on a device.

    Args:
        cell: the cell inside.
        device: the device, or a function of the operation that gives it.
        **kwargs: see `tf.layers.Layer`.
    """

    def __init__(self, cell: Any, device: Any, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._device = device

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros in the structure of `state_size`; see `tf.nn.rnn_cell.RNNCell`."""
        with on_device(self._device):
            return super().zero_state(batch_size, dtype)

    def _wrapped(self, inputs: Any, state: Any, options: dict[str, Any]) -> Any:
        with on_device(self._device):
            return self.cell(inputs, state, **options)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "device": self._device}
