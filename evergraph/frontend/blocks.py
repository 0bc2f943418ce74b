"""The with-blocks that new operations are made in: name scopes, devices, control dependencies, colocation."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.graph import encode
from evergraph.graph.apply import graph_of
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph, default_graph


@export("name_scope")
class name_scope:  # noqa: N801 - TensorFlow's own spelling
    """Operations made inside the block get `name/` before their names.

    >>> with tf.name_scope("layer") as scope:
    ...     print(scope, tf.constant(1.0, name="bias").name)
    layer/ layer/bias:0

    Args:
        name: the scope; one that is taken gets a number, one that ends in "/" is entered again as it stands.
        default_name: used when `name` is None.
        values: tensors whose graph the block is opened in; they must belong to one graph.

    Raises:
        TypeError: `name` is neither text nor None, or neither `name` nor `default_name` is given but values are.
    """

    def __init__(self, name: str | None, default_name: str | None = None, values: Sequence[Any] | None = None) -> None:
        if name is not None and not isinstance(name, (str, bytes)):
            raise TypeError(f"name for name_scope must be a string, got {name!r}.")
        if default_name is not None and not isinstance(default_name, (str, bytes)):
            raise TypeError(f"default_name must be a string, got {type(default_name)}; the third argument is `values`")
        if name is None and default_name is None and values is not None:
            raise ValueError(f"One of name ({name}) and default_name ({default_name}) is needed.")
        self._name = default_name if name is None else name
        self._values = values or ()
        self._open: list[Any] = []

    @property
    def name(self) -> str | None:
        """The name that was asked for."""
        return self._name

    def __enter__(self) -> str:
        current = default_graph()
        graph = graph_of(list(self._values), current) if self._values else current
        block = graph.name_scope(self._name) if graph is current else _within(graph, self._name)
        scope = block.__enter__()
        self._open.append(block)
        return scope

    def __exit__(self, *error: Any) -> None:
        self._open.pop().__exit__(*error)


@contextlib.contextmanager
def _within(graph: Graph, name: str | None) -> Iterator[str]:
    with graph.as_default(), graph.name_scope(name) as scope:
        yield scope


@export("op_scope")
def op_scope(values: Sequence[Any], name: str | None, default_name: str | None = None) -> name_scope:
    """The same as `tf.name_scope(name, default_name, values)`, with the older order of arguments."""
    return name_scope(name, default_name=default_name, values=values)


@export("device")
def device(device_name_or_function: Any) -> Any:
    """Places the operations made inside the block on a device.

    Args:
        device_name_or_function: a name such as "/gpu:0" or "/job:ps/task:1", a DeviceSpec, None for no device, or a
            function of the operation that returns one of these. Inner blocks win, field by field.
    """
    return default_graph().device(device_name_or_function)


@export("control_dependencies")
def control_dependencies(control_inputs: Sequence[Any] | None) -> Any:
    """Makes the operations made inside the block run only after others, though they use none of their values.

    >>> with tf.control_dependencies([tf.assign_add(counter, 1)]):
    ...     loss = tf.identity(loss)      # fetching the loss now also counts

    Args:
        control_inputs: operations or tensors that run first; None clears the dependencies of the blocks around.
    """
    return default_graph().control_dependencies(control_inputs)


@export("colocate_with")
def colocate_with(op: Any, ignore_existing: bool = False) -> Any:
    """Places the operations made inside the block on the device of another operation.

    Args:
        op: the operation or tensor.
        ignore_existing: whether the colocations of the blocks around no longer hold.
    """
    return default_graph().colocate_with(op, ignore_existing)


@export("container")
def container(container_name: str) -> Any:
    """Variables, queues and tables made inside the block live in this resource container."""
    return default_graph().container(container_name)


@export("init_scope")
@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Operations made inside the block belong to the outermost graph and wait for nothing.

    What starts a variable must not depend on the loop, branch or function whose body happens to make it.
    """
    graph = default_graph()
    outermost = root_graph()
    if graph is outermost and not graph.scopes.control:
        yield  # all of it holds already
        return
    scope = graph.get_name_scope()
    with (
        outermost.as_default_if_needed(),
        outermost.name_scope(f"{scope}/" if scope else None),
        outermost.control_dependencies(None),
    ):
        yield


@contextlib.contextmanager
def placed_as(owner: str) -> Iterator[None]:
    """Operations made inside the block are placed with the operation called `owner`, which may not exist yet."""
    with default_graph()._attr_scope({"_class": encode.list_of_bytes([f"loc:@{owner}".encode()])}):
        yield


def root_graph() -> Graph:
    """The outermost graph around the default one: where variables and variable scopes live."""
    graph = default_graph()
    return graph.root if isinstance(graph, FuncGraph) else graph


def name_of_scope(scope: str) -> str:
    """The name that an operation has when the scope was made for it: without the slash at the end."""
    return scope[:-1] if scope.endswith("/") else scope
