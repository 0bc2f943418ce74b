"""tf.keras.backend's session, and unique names of layers."""
from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.frontend.blocks import root_graph
from evergraph.frontend.collections import global_variables
from evergraph.frontend.variables.assign import is_variable_initialized
from evergraph.graph.graph import reset_default_graph
from evergraph.keras.history import forget_symbolic
from evergraph.layers.layer import name_counts
from evergraph.run.own_session import choose_session, own_session


class _Initialization:
    is_manual = False


# ---- sessions

@export("keras.backend.get_session")
def get_session(op_input_list: Any = ()) -> Any:
    """Keras' session: the default session, or a global one; initializes uninitialized variables.

    Args:
        op_input_list: tensors whose graph is the session's; by default that is the default graph.
    """
    graph = next((each.graph for each in op_input_list or () if hasattr(each, "graph")), root_graph())
    session = own_session(graph)
    if not _Initialization.is_manual:
        _initialize(session)
    return session


class _Initialized(weakref.WeakKeyDictionary[Any, set[Any]]):
    """The variables of a graph that are known to be initialized, by session."""


class _Tracked(list[Any]):
    """Variables of a graph that are no global variables, and that Keras initializes too."""


def track_variable(variable: Any) -> None:
    """Has Keras' session initialize a variable that is in no collection of global variables."""
    if not variable.graph.is_eager:
        variable.graph.memo(_Tracked).append(variable)


class _Checks(dict[Any, Any]):
    """The is-initialized tensor of each variable of a graph."""


def _initialize(session: Any) -> None:
    """Initializes uninitialized variables; each is checked once per session."""
    with session.graph.as_default():
        known = session.graph.memo(_Initialized).setdefault(session, set())
        wanted = global_variables() + session.graph.memo(_Tracked)
        waiting = [variable for variable in wanted if variable not in known] if len(wanted) != len(known) else []
        if not waiting:
            return
        held = session.run([_is_set(variable) for variable in waiting])
        session.run([variable.initializer for variable, is_set in zip(waiting, held) if not is_set])
        known.update(waiting)
        settle()


class _Waiting(list[Callable[[], bool]]):
    """What waits for new variables of a graph; each returns whether it goes on waiting."""


def when_initialized(callback: Callable[[], bool]) -> None:
    """Calls `callback` now, and if it returns True again whenever the graph has new, initialized variables."""
    get_session()
    if callback():
        root_graph().memo(_Waiting).append(callback)


def settle() -> None:
    """Calls what waits for new variables."""
    waiting = root_graph().memo(_Waiting)
    callbacks, waiting[:] = list(waiting), []
    waiting += [callback for callback in callbacks if callback()]


def settle_if_awaited() -> None:
    """Initializes new variables if something waits for them."""
    if not root_graph().is_eager and root_graph().memo(_Waiting):
        get_session()


def _is_set(variable: Any) -> Any:
    checks = variable.graph.memo(_Checks)
    if variable not in checks:
        checks[variable] = is_variable_initialized(variable)
    return checks[variable]


@export("keras.backend.set_session")
def set_session(session: Any) -> None:
    """Sets the session that Keras uses if there is no default session."""
    choose_session(session)


@export("keras.backend.manual_variable_initialization")
def manual_variable_initialization(value: bool) -> None:
    """True leaves the initialization of variables to the program."""
    _Initialization.is_manual = value


@export("keras.backend.clear_session")
def clear_session() -> None:
    """Resets the default graph, Keras' session and the names of layers."""
    choose_session(None)
    forget_symbolic()
    reset_default_graph()


@export("keras.backend.get_value", "keras.backend.eval")
def get_value(x: Any) -> Any:
    """The value of a tensor or variable in Keras' session, or with eager execution."""
    if root_graph().is_eager:
        return x.numpy()
    return get_session().run(x)


@export("keras.backend.batch_get_value")
def batch_get_value(tensors: list[Any]) -> list[Any]:
    """The values of tensors and variables in Keras' session, or with eager execution."""
    if root_graph().is_eager:
        return [tensor.numpy() for tensor in tensors]
    return get_session().run(list(tensors)) if tensors else []


@export("keras.backend.set_value")
def set_value(x: Any, value: Any) -> None:
    """Assigns a value to a variable in Keras' session."""
    batch_set_value([(x, value)])


@export("keras.backend.batch_set_value")
def batch_set_value(tuples: list[tuple[Any, Any]]) -> None:
    """Assigns values to variables in Keras' session, given as (variable, value) pairs."""
    if root_graph().is_eager:
        for variable, value in tuples:
            variable.assign(value)
    elif tuples:
        session = get_session()
        for variable, value in tuples:
            variable.load(value, session)


# ---- names

@export("keras.backend.get_uid")
def get_uid(prefix: str = "") -> int:
    """The next number of a layer with this prefix in the default graph."""
    counts = name_counts()
    counts[prefix] += 1
    return counts[prefix]


@export("keras.backend.reset_uids")
def reset_uids() -> None:
    """Resets the counters of layer names."""
    name_counts().clear()


def unique_object_name(base: str) -> str:
    """A unique object name: `base`, then with suffixes from 1 on."""
    number = get_uid(base) - 1
    return f"{base}_{number}" if number else base
