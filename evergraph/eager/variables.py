"""Variables of tf.contrib.eager."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from evergraph.base.export import export
from evergraph.eager.graph import EAGER
from evergraph.frontend.variables.scope import VariableStore
from evergraph.frontend.variables.variable import ResourceVariable

export("contrib.eager.Variable")(ResourceVariable)


@export("contrib.eager.EagerVariableStore")
class EagerVariableStore:
    """Keeps the variables that `tf.get_variable` makes with eager execution, so that a second call shares them.

    >>> tf.enable_eager_execution()
    >>> store = tf.contrib.eager.EagerVariableStore()
    >>> for _ in range(2):
    ...     with store.as_default():
    ...         y = tf.layers.dense(tf.ones([1, 2]), 3, name="layer")
    >>> [v.name for v in store.variables()]
    ['layer/bias:0', 'layer/kernel:0']

    Args:
        store: another store whose variables to use.
    """

    def __init__(self, store: VariableStore | None = None) -> None:
        if store is not None and not store.shares:
            raise ValueError("a store that keeps no variables cannot be the base of an EagerVariableStore")
        self._store = VariableStore() if store is None else store

    @contextlib.contextmanager
    def as_default(self) -> Iterator[None]:
        """A with-block in which `tf.get_variable` makes and finds the variables of this store."""
        with self._store.as_default():
            yield

    def variables(self) -> list[Any]:
        """The variables, sorted by name."""
        return list(self._store.variables)

    def trainable_variables(self) -> list[Any]:
        """Those that are trainable."""
        return [v for v in self._store.variables if v.trainable]

    def non_trainable_variables(self) -> list[Any]:
        """Those that are not."""
        return [v for v in self._store.variables if not v.trainable]

    def copy(self) -> EagerVariableStore:
        """A store with copies of the variables, which change on their own."""
        copied = EagerVariableStore()
        with EAGER.as_default():
            for variable in self._store.variables:
                name = variable.op.name
                copied._store.add(name, ResourceVariable(variable.read_value(), name=name,
                                                         trainable=variable.trainable))
        return copied
