"""tf.keras.backend.function: a step of Keras' session as a function."""
from __future__ import annotations

from typing import Any

from evergraph.base import errors, nest
from evergraph.base.export import export
from evergraph.keras import session


class Function:
    """A function of arrays: feeds them and returns the values of tensors."""

    def __init__(self, inputs: Any, outputs: Any, updates: Any, name: str | None) -> None:
        self.inputs, self.outputs, self.name = nest.flatten(inputs), outputs, name
        self.updates = [update if not isinstance(update, tuple) else update[0].assign(update[1])
                        for update in updates or ()]

    def __call__(self, inputs: Any) -> Any:
        """The values of the outputs for these input values."""
        given = nest.flatten(inputs)
        if len(given) != len(self.inputs):
            raise ValueError(f"The function wants {len(self.inputs)} inputs and got {len(given)}")
        fetched, _ = session.get_session().run([self.outputs, self.updates], dict(zip(self.inputs, given)))
        return fetched


@export("keras.backend.function")
def function(inputs: Any, outputs: Any, updates: Any = None, name: str | None = None, **kwargs: Any) -> Function:
    """A function that feeds arrays and runs a part of the graph.

    Args:
        inputs: the placeholders to feed.
        outputs: the tensors to compute.
        updates: operations, or pairs of variable and new value, to run with them.
        name: of the function.
        **kwargs: run options are not supported.
    """
    if kwargs:
        raise errors.UnimplementedError(None, None, f"tf.keras.backend.function({', '.join(kwargs)})")
    return Function(inputs, outputs, updates, name)
