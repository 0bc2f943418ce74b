"""tf.contrib.graph_editor.util: graphs of things, name scopes, and placeholders."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export, names_in
from evergraph.frontend.array import placeholder
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor

_names = names_in("contrib.graph_editor.util")


@export(*_names("is_iterable"))
def is_iterable(obj: Any) -> bool:
    """Whether something can be iterated over; a tensor counts as one thing."""
    return isinstance(obj, Iterable) and not isinstance(obj, Tensor)


@export(*_names("check_graphs"))
def check_graphs(*args: Any) -> None:
    """Checks that all things are of one graph.

    Raises:
        ValueError: they are not.
    """
    if len({id(each.graph) for each in args if each is not None and each.graph is not None}) > 1:
        raise ValueError("operations and tensors must be of one graph")


@export(*_names("get_unique_graph"))
def get_unique_graph(tops: Any, check_types: Any = None, none_if_empty: bool = False) -> Graph | None:
    """The one graph of operations and tensors.

    Args:
        tops: an operation or a tensor, or several, or a graph.
        check_types: the types that they may have.
        none_if_empty: whether nothing has the graph None.

    Raises:
        TypeError: one is of another type.
        ValueError: there are several graphs, or there is nothing.
    """
    if isinstance(tops, Graph):
        return tops
    found = list(tops) if is_iterable(tops) else [tops]
    for each in found:
        if not isinstance(each, check_types or (Operation, Tensor)):
            raise TypeError(f"an operation or a tensor is expected, not {each!r}")
    if not found and none_if_empty:
        return None
    if not found:
        raise ValueError("there is nothing to take a graph of")
    check_graphs(*found)
    return found[0].graph


@export(*_names("flatten_tree"))
def flatten_tree(tree: Any, leaves: list[Any] | None = None) -> list[Any]:
    """The leaves of a structure, behind those that are given."""
    found = [] if leaves is None else leaves
    found.extend(nest.flatten(tree))
    return found


@export(*_names("transform_tree"))
def transform_tree(tree: Any, fn: Any, iterable_type: type = tuple) -> Any:
    """A structure of what a function makes of the leaves of another; `iterable_type` is not asked for."""
    return nest.map_structure(fn, tree)


@export(*_names("scope_finalize"))
def scope_finalize(scope: str) -> str:
    """A name scope with a slash at its end."""
    return f"{scope}/" if scope and not scope.endswith("/") else scope


@export(*_names("scope_dirname"))
def scope_dirname(scope: str) -> str:
    """The name scope that a name is in, with a slash at its end."""
    return scope[:scope.rfind("/") + 1]


@export(*_names("scope_basename"))
def scope_basename(scope: str) -> str:
    """A name without its name scope."""
    return scope[scope.rfind("/") + 1:]


@export(*_names("placeholder_name"))
def placeholder_name(t: Tensor | None = None, scope: str | None = None, prefix: str = "geph") -> str:
    """The name of a placeholder for a tensor: "geph__name_0" in its name scope, or in another.

    Raises:
        TypeError: it is no tensor.
    """
    if t is None:
        return f"{scope_finalize(scope or '')}{prefix}"
    if not isinstance(t, Tensor):
        raise TypeError(f"a placeholder stands for a tensor, not for {t!r}")
    scope = scope_dirname(t.op.name) if scope is None else scope_finalize(scope)
    return f"{scope}{prefix}__{scope_basename(t.op.name)}_{t.value_index}"


@export(*_names("make_placeholder_from_tensor"))
def make_placeholder_from_tensor(t: Tensor, scope: str | None = None, prefix: str = "geph") -> Tensor:
    """A placeholder of a tensor's dtype and shape, in the default graph; see `placeholder_name`."""
    return placeholder(t.dtype.base_dtype, t.shape, placeholder_name(t, scope, prefix))


@export(*_names("make_placeholder_from_dtype_and_shape"))
def make_placeholder_from_dtype_and_shape(dtype: Any, shape: Any = None, scope: str | None = None,
                                          prefix: str = "geph") -> Tensor:
    """A placeholder of a dtype and a shape; see `placeholder_name`."""
    return placeholder(dtype, shape, placeholder_name(None, scope, prefix))


@export(*_names("find_corresponding_elem"))
def find_corresponding_elem(target: Any, dst_graph: Graph, dst_scope: str = "", src_scope: str = "") -> Any:
    """The operation or tensor of the same name in another graph, where scopes may differ; None if there is none.

    Args:
        target: the operation or tensor.
        dst_graph: the other graph.
        dst_scope: the scope to look in.
        src_scope: the scope that it replaces.

    Raises:
        ValueError: the name does not begin with `src_scope`.
    """
    name, src_scope = target.name, scope_finalize(src_scope)
    if not name.startswith(src_scope):
        raise ValueError(f"{name} is not in the scope {src_scope!r}")
    name = scope_finalize(dst_scope) + name[len(src_scope):]
    find = dst_graph.get_tensor_by_name if isinstance(target, Tensor) else dst_graph.get_operation_by_name
    try:
        return find(name)
    except (KeyError, ValueError):
        return None


@export(*_names("find_corresponding"))
def find_corresponding(targets: Any, dst_graph: Graph, dst_scope: str = "", src_scope: str = "") -> Any:
    """Finds the counterpart of each operation or tensor of a structure; see `find_corresponding_elem`."""
    return nest.map_structure(lambda each: find_corresponding_elem(each, dst_graph, dst_scope, src_scope), targets)
