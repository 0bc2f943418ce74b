"""MetaGraphDefs of name scopes: exported from one scope, imported into another."""

from __future__ import annotations

from typing import Any

from evergraph.frontend.collections import GraphKeys
from evergraph.graph.graph import Graph, default_graph
from evergraph.save import meta_graph


def export_scoped_meta_graph(
    filename: str | None = None,
    graph_def: Any = None,
    graph: Graph | None = None,
    export_scope: str | None = None,
    as_text: bool = False,
    unbound_inputs_col_name: str = "unbound_inputs",
    clear_devices: bool = False,
    saver_def: Any = None,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> tuple[Any, dict[str, Any]]:
    """The MetaGraphDef of a name scope, and its variables by relative name.

    Args:
        export_scope: the scope; by default the whole graph.
        **kwargs: `meta_info_def` and `collection_list`, as for `tf.train.export_meta_graph`, like the others.
    """
    graph = graph or default_graph()
    message = meta_graph.export_meta_graph(
        filename, graph_def=graph_def, graph=graph, export_scope=export_scope, as_text=as_text,
        unbound_inputs_col_name=unbound_inputs_col_name, clear_devices=clear_devices, saver_def=saver_def,
        clear_extraneous_savers=clear_extraneous_savers, strip_default_attrs=strip_default_attrs,
        save_debug_info=save_debug_info, **kwargs)  # fmt: skip
    prefix = f"{export_scope.rstrip('/')}/" if export_scope else ""
    variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, prefix or None)
    return message, {variable.name.removeprefix(prefix): variable for variable in variables}


def copy_scoped_meta_graph(
    from_scope: str, to_scope: str, from_graph: Graph | None = None, to_graph: Graph | None = None
) -> dict[str, Any]:
    """Copies the nodes and collections of a name scope to another; returns the new variables by name.

    Args:
        from_scope: the scope to copy.
        to_scope: the new scope.
        from_graph: the graph of the scope; by default the default graph.
        to_graph: the graph to copy to; by default the default graph.

    Raises:
        ValueError: the scopes are the same.
    """
    from_graph, to_graph = from_graph or default_graph(), to_graph or default_graph()
    if from_graph is to_graph and from_scope == to_scope:
        raise ValueError(f"The scopes to copy from and to need to be different; both are {from_scope!r}")
    message, _ = export_scoped_meta_graph(export_scope=from_scope, graph=from_graph)
    return meta_graph.import_scoped_meta_graph(message, graph=to_graph, import_scope=to_scope)


def add_collection_def(
    meta_graph_def: Any, key: str, graph: Graph | None = None, export_scope: str | None = None,
    exclude_nodes: str = "", override_contents: Any = None,
) -> None:  # fmt: skip
    """Adds a collection of a graph to a MetaGraphDef.

    Args:
        meta_graph_def: the message.
        key: the name of the collection.
        graph: the graph; by default the default graph.
        export_scope: a name scope: adds only its items.
        exclude_nodes: a prefix of names of items to exclude.
        override_contents: items to add instead of the collection's.
    """
    items = override_contents
    if items is None and exclude_nodes:
        items = [item for item in (graph or default_graph()).get_collection(key)
                 if not str(getattr(item, "name", "")).startswith(exclude_nodes)]  # fmt: skip
    meta_graph.add_collection(meta_graph_def, key, graph, export_scope, items)


def create_meta_graph_def(
    meta_info_def: Any = None, graph_def: Any = None, saver_def: Any = None, collection_list: Any = None,
    graph: Graph | None = None, export_scope: str | None = None, exclude_nodes: Any = None,
    clear_extraneous_savers: bool = False, strip_default_attrs: bool = False,
) -> Any:  # fmt: skip
    """The graph and its collections as a MetaGraphDef; see `tf.train.export_meta_graph`.

    Args:
        exclude_nodes: a compiled expression for names of nodes to exclude.
    """
    message = meta_graph.export_meta_graph(
        meta_info_def=meta_info_def, graph_def=graph_def, saver_def=saver_def, collection_list=collection_list,
        graph=graph, export_scope=export_scope, clear_extraneous_savers=clear_extraneous_savers,
        strip_default_attrs=strip_default_attrs)  # fmt: skip
    if exclude_nodes is not None:
        kept = [node for node in message.graph_def.node if not exclude_nodes.match(node.name)]
        del message.graph_def.node[:]
        message.graph_def.node.extend(kept)
    return message
