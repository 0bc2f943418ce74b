"""tf.keras.backend.function: a step of Keras' session as a function."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.blocks import control_dependencies, root_graph
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.base import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.keras import session
from evergraph.keras.replay import repeated

_OPTIONS = ("fetches", "feed_dict", "options", "run_metadata")


class _Function:
    """What functions in graphs and with eager execution share."""

    def __init__(self, inputs: Any, outputs: Any, name: str | None) -> None:
        self._input_structure, self.inputs = inputs, nest.flatten(inputs)
        self.outputs, self.name = outputs, name

    def _given(self, inputs: Any) -> list[tuple[Any, Any]]:
        """Pairs of a placeholder and its value; None leaves out a placeholder with a default."""
        given = nest.flatten(inputs) if not isinstance(self._input_structure, dict) else \
            nest.flatten({key: inputs[key] for key in self._input_structure})
        if len(given) != len(self.inputs):
            raise ValueError(f"The function wants {len(self.inputs)} inputs and got {len(given)}")
        return [(own, value) for own, value in zip(self.inputs, given) if value is not None]


class Function(_Function):
    """A function of arrays: feeds them and returns the values of tensors.

    Attributes:
        fetches: tensors and operations that are run too; their values are not returned.
        fetch_callbacks: tensor of `fetches` -> a function that is called with its value.
        feed_dict: the values of other placeholders. The program may change it between calls.
    """

    def __init__(self, inputs: Any, outputs: Any, updates: Any = None, name: str | None = None, fetches: Any = (),
                 feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> None:
        super().__init__(inputs, outputs, name)
        self.fetches, self.fetch_callbacks = list(fetches), {}
        self.feed_dict = {} if feed_dict is None else feed_dict
        self.run_options, self.run_metadata = options, run_metadata
        with control_dependencies([each for each in nest.flatten(outputs) if isinstance(each, Tensor)]):
            made = [update[0].assign(update[1]) if isinstance(update, tuple) else update for update in updates or ()]
            self.updates_op = group(*made)

    def __call__(self, inputs: Any) -> Any:
        """The values of the outputs, in their structure, for these values of the inputs.

        A None leaves the input of a placeholder with a default as it is. A tensor or variable is evaluated first.

        Raises:
            ValueError: there are too few or too many values.
        """
        used = session.get_session(self.inputs)
        if self.run_metadata is not None:
            self.run_metadata.Clear()
        feeds = {placeholder: _fed(placeholder, value, used) for placeholder, value in self._given(inputs)}
        values, _, others = used.run([self.outputs, self.updates_op, self.fetches], {**self.feed_dict, **feeds},
                                     options=self.run_options, run_metadata=self.run_metadata)
        for tensor, value in zip(self.fetches, others):
            if tensor in self.fetch_callbacks:
                self.fetch_callbacks[tensor](value)
        return values


class EagerFunction(_Function):
    """The same with eager execution: repeats the operations of functional models' graph."""

    def __init__(self, inputs: Any, outputs: Any, updates: Any, name: str | None) -> None:
        super().__init__(inputs, outputs, name)
        self.updates = list(updates or ())

    def __call__(self, inputs: Any) -> Any:
        """The values of the outputs, in their structure, for these values of the inputs.

        Raises:
            ValueError: there are too few or too many values.
        """
        fed = {own: convert_to_tensor(math.cast(value, own.dtype) if isinstance(value, Tensor) else value, own.dtype)
               for own, value in self._given(inputs)}
        pairs = [update for update in self.updates if isinstance(update, tuple)]
        others = [update if isinstance(update, (Tensor, Operation)) else update.op for update in self.updates
                  if not isinstance(update, tuple)]
        wanted = [*nest.flatten(self.outputs), *(new for _, new in pairs), *others]
        found = repeated(wanted, fed)
        count = len(nest.flatten(self.outputs))
        for (variable, _), value in zip(pairs, found[count:]):
            variable.assign(value)
        return nest.pack_sequence_as(self.outputs, [value.numpy() for value in found[:count]])


def _fed(placeholder: Any, value: Any, used: Any) -> Any:
    if isinstance(value, (Tensor, Variable)):
        value = used.run(value)
    if isinstance(placeholder, Tensor) and isinstance(value, (np.ndarray, np.generic)):
        wanted = placeholder.dtype.as_numpy_dtype
        return value if value.dtype == wanted or wanted is object else value.astype(wanted)
    return value


@export("keras.backend.function")
def function(inputs: Any, outputs: Any, updates: Any = None, name: str | None = None, **kwargs: Any) -> Any:
    """A function that feeds arrays and runs a part of the graph.

    Args:
        inputs: the placeholders to feed, in any structure.
        outputs: the tensors to compute, in any structure.
        updates: operations, or pairs of variable and new value, to run after the outputs.
        name: of the function.
        **kwargs: for `tf.Session.run`: `fetches` that are run too and not returned, a `feed_dict` for other
            placeholders, `options` and `run_metadata`.

    Raises:
        ValueError: there is no such option.
    """
    for key in kwargs:
        if key not in _OPTIONS:
            raise ValueError(f'Invalid argument "{key}" of tf.keras.backend.function: it takes {", ".join(_OPTIONS)}')
    if root_graph().is_eager:
        if kwargs:
            raise ValueError(f"There is no session with eager execution, which {sorted(kwargs)} are for")
        return EagerFunction(inputs, outputs, updates, name)
    return Function(inputs, outputs, updates, name, **kwargs)
