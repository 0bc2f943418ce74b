"""tf.make_template: a function that makes its variables in its first call and uses the same ones in every later one."""
from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable
from typing import Any

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.base.no_dependency import TrackableReference
from evergraph.frontend.blocks import root_graph
from evergraph.frontend.variables.scope import VariableScope, VariableStore, eager_stores, variable_scope
from evergraph.graph.graph import default_graph
from evergraph.graph.scopes import DefaultStack

_calls = DefaultStack()
"""The templates whose functions are being called."""


@export("make_template", "contrib.eager.make_template")
def make_template(name_: str, func_: Callable[..., Any], create_scope_now_: bool = False,
                  unique_name_: str | None = None, custom_getter_: Any = None, **kwargs: Any) -> Template:
    """`func_` as a function whose calls share the variables that it makes with `tf.get_variable`.

    >>> scaled = tf.make_template("scaled", lambda x: x * tf.get_variable("by", []))
    >>> _ = scaled(1.0), scaled(2.0)
    >>> [v.name for v in scaled.variables]
    ['scaled/by:0']

    Args:
        name_: the name of the scope of the variables; it gets a number when it is taken.
        func_: the function.
        create_scope_now_: whether the scope is made here rather than by the first call.
        unique_name_: a name of the scope that is used as it is, without a number.
        custom_getter_: a custom getter for the variables, as for `tf.variable_scope`.
        **kwargs: arguments that every call gets.

    Raises:
        ValueError: `name_` is None.
    """
    function = functools.partial(func_, **kwargs) if kwargs else func_
    return Template(name_, function, create_scope_now_, unique_name_, custom_getter_)


class Template:
    """What `tf.make_template` makes. Calls hold a lock, so that two threads cannot both be the first."""

    def __init__(self, name: str, func: Callable[..., Any], create_scope_now: bool = False,
                 unique_name: str | None = None, custom_getter: Any = None) -> None:
        if name is None:
            raise ValueError("name cannot be None. A template needs one")
        self._name, self._func, self._unique_name, self._custom_getter = name, func, unique_name, custom_getter
        self._lock = threading.RLock()
        self._variables_created = False
        # The variables with eager execution. A template inside of another one's function is made anew in every call,
        # and finds its variables again in the store of the other.
        self._store = eager_stores.top() or VariableStore()
        self._variable_scope: VariableScope | None = None
        self._inner: dict[str, Template] = {}  # the templates that its function calls, by name
        if create_scope_now:
            with self._new_scope(of_operations=False) as self._variable_scope:
                pass

    def _new_scope(self, of_operations: bool = True) -> variable_scope:
        return variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter,
                              auxiliary_name_scope=of_operations)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function gives.

        Raises:
            ValueError: a call after the first makes a trainable variable.
        """
        keeping = eager_stores.pushed(self._store) if default_graph().is_eager else contextlib.nullcontext()
        around = _calls.top()
        with self._lock, keeping, _calls.pushed(self):
            if self._variable_scope is not None:
                with variable_scope(self._variable_scope, reuse=self._variables_created):
                    result = self._called(args, kwargs)
            else:
                with self._new_scope() as self._variable_scope:
                    result = self._called(args, kwargs)
        if around is not None:
            around._inner[around._without_scope(self._variable_scope.name)] = self
        return result

    def _without_scope(self, name: str) -> str:
        return name.removeprefix(self.variable_scope_name or "")

    def _checkpoint_children(self) -> dict[str, Any]:
        """What tf.train.Checkpoint finds below it: the templates that its function calls, and its own variables."""
        scopes = tuple(inner.variable_scope_name or "" for inner in self._inner.values())
        own = [v for v in self.variables if not v.name.startswith(scopes)] if scopes else self.variables
        return {**self._inner, **{self._without_scope(v.name).partition(":")[0]: v for v in own}}

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        return [TrackableReference(name, child) for name, child in self._checkpoint_children().items()]

    def _called(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        graph = default_graph()
        everything, trained = (len(graph.get_collection_ref(key)) for key in ("variables", "trainable_variables"))
        kept = self._store.variables
        result = self._func(*args, **kwargs)
        if not self._variables_created:
            self._variables_created = True
            return result
        more = graph.get_collection_ref("trainable_variables")[trained:]
        more = more + [v for v in self._store.variables if v.trainable and not any(v is each for each in kept)]
        if more:
            raise ValueError(f"template {self._name!r} made a trainable variable after its first call, perhaps with "
                             f"tf.Variable in place of tf.get_variable: {more}")
        if len(graph.get_collection_ref("variables")) != everything:
            logging.info("Template %r made variables that are not trained after its first call: %s", self._name,
                         graph.get_collection_ref("variables")[everything:])
        return result

    @property
    def _template_store(self) -> VariableStore | None:
        """The store of its variables with eager execution, which programs make the default by this private name."""
        return self._store if root_graph().is_eager else None

    # ---- what it is called

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    @property
    def func(self) -> Callable[..., Any]:
        """The function."""
        return self._func

    @property
    def variable_scope(self) -> VariableScope | None:
        """The scope of its variables, None before the first call."""
        return self._variable_scope

    @property
    def variable_scope_name(self) -> str | None:
        """The prefix of the names of its variables, None before the first call."""
        if self._variable_scope is None:
            return None
        name = self._variable_scope.name
        return name if not name or name.endswith("/") else f"{name}/"

    # ---- its variables

    def _collected(self, key: str) -> list[Any]:
        if default_graph().is_eager:
            wanted = {"variables": lambda v: True, "trainable_variables": lambda v: v.trainable}
            inside = self.variable_scope_name or ""
            return [v for v in self._store.variables
                    if key in wanted and wanted[key](v) and v.name.startswith(inside)]
        return [] if self._variable_scope is None else default_graph().get_collection(key, self.variable_scope_name)

    @property
    def variables(self) -> list[Any]:
        """Those of the calls so far, local ones after the others."""
        return self.global_variables + self.local_variables

    @property
    def global_variables(self) -> list[Any]:
        """Those that are saved."""
        return self._collected("variables")

    @property
    def local_variables(self) -> list[Any]:
        """Those in the collection of local variables."""
        return self._collected("local_variables")

    @property
    def trainable_variables(self) -> list[Any]:
        """Those to be trained."""
        return self._collected("trainable_variables")

    @property
    def non_trainable_variables(self) -> list[Any]:
        """Those saved but not trained."""
        trained = set(map(id, self.trainable_variables))
        return [v for v in self.global_variables if id(v) not in trained]

    weights = variables
    trainable_weights = trainable_variables
    non_trainable_weights = non_trainable_variables
