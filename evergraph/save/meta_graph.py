"""MetaGraphDefs: a graph with its collections, in .meta files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from evergraph import proto
from evergraph.base import errors, files, logging
from evergraph.base.export import export
from evergraph.base.version import GIT_VERSION, VERSION
from evergraph.formats.replace import replace_file
from evergraph.formats.wire import sized
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.importer import import_graph_def
from evergraph.frontend.variables.base import Variable
from evergraph.graph import encode
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.registry import find
from evergraph.proto.text import from_bytes_or_text, to_text
from evergraph.save.proto_functions import proto_functions, register_proto_function

UNBOUND = "$unbound_inputs_"  # the prefix of inputs from outside an exported scope


def _register_variables() -> None:
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES, GraphKeys.MOVING_AVERAGE_VARIABLES,
                GraphKeys.LOCAL_VARIABLES, GraphKeys.MODEL_VARIABLES, GraphKeys.METRIC_VARIABLES,
                GraphKeys.GLOBAL_STEP):  # fmt: skip
        register_proto_function(
            key,
            proto.variable_pb2.VariableDef,
            lambda variable, export_scope=None: variable.to_proto(export_scope=export_scope),
            Variable.from_proto,
        )


def _register_messages() -> None:
    """Registers collections whose items stay messages until they are used: they consist of names."""
    for key, kind in ((GraphKeys.SAVERS, proto.saver_pb2.SaverDef),
                      (GraphKeys.QUEUE_RUNNERS, proto.queue_runner_pb2.QueueRunnerDef),
                      (GraphKeys.COND_CONTEXT, proto.control_flow_pb2.CondContextDef),
                      (GraphKeys.WHILE_CONTEXT, proto.control_flow_pb2.WhileContextDef)):  # fmt: skip
        if proto_functions(key) is None:
            register_proto_function(
                key,
                kind,
                lambda item, export_scope=None: _renamed(item, lambda name: _name_in_scope(name, export_scope)),
                lambda item, import_scope=None: _renamed(item, lambda name: _with_scope(name, import_scope)),
            )


def _renamed(message: Any, rename: Callable[[str], str]) -> Any:
    """A copy of a message whose strings are all names, renamed."""
    copy = type(message)()
    copy.CopyFrom(message)
    for field, value in copy.ListFields():
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            pairs = {rename(key): rename(item) for key, item in value.items()}
            value.clear()
            value.update(pairs)
        elif field.message_type is not None:
            items = list(value) if hasattr(value, "add") else [value]
            for item in items:
                item.CopyFrom(_renamed(item, rename))
        elif isinstance(value, str):
            setattr(copy, field.name, rename(value))
        elif field.type == field.TYPE_STRING:
            value[:] = [rename(item) for item in value]
    return copy


_register_variables()
_register_messages()


# ---------------------------------------------------------------- writing


@export("train.export_meta_graph")
def export_meta_graph(
    filename: str | None = None,
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Iterable[str] | None = None,
    as_text: bool = False,
    graph: Graph | None = None,
    export_scope: str | None = None,
    clear_devices: bool = False,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> Any:
    """Exports the graph and its collections as a MetaGraphDef, and writes it to a file if one is given.

    Args:
        filename: the file to write.
        meta_info_def: a MetaInfoDef to start from.
        graph_def: the GraphDef to include; by default that of `graph`.
        saver_def: the SaverDef to include.
        collection_list: the names of the collections to include; all by default.
        as_text: whether to write protobuf's text format.
        graph: the graph; by default the default graph.
        export_scope: a name scope: exports only its nodes and items, with names relative to it. Inputs from outside
            become unbound inputs, which an import must map.
        clear_devices: whether to drop the nodes' devices.
        clear_extraneous_savers: whether to drop the nodes of savers other than `saver_def`.
        strip_default_attrs: whether to drop attrs with default values.
        save_debug_info: not supported together with `filename`: evergraph has no debug information.
        **kwargs: `unbound_inputs_col_name`, the collection that lists unbound inputs ("unbound_inputs").

    Raises:
        TypeError: a keyword is unknown.
        UnimplementedError: `save_debug_info` is set together with a file.
    """
    unbound = kwargs.pop("unbound_inputs_col_name", "unbound_inputs")
    if kwargs:
        raise TypeError(f"export_meta_graph() got unexpected keyword arguments {sorted(kwargs)}")
    if save_debug_info and filename:
        raise errors.UnimplementedError(None, None, "export_meta_graph(save_debug_info=True)")
    graph = graph or default_graph()
    message = proto.meta_graph_pb2.MetaGraphDef()
    keys = graph.get_all_collection_keys() if collection_list is None else collection_list
    collections = {key: graph.get_collection(key) for key in keys}  # first: another thread may add to both
    message.graph_def.CopyFrom(graph.as_graph_def(add_shapes=True) if graph_def is None else graph_def)
    if clear_extraneous_savers:
        _drop_other_savers(message.graph_def, graph, saver_def)
    inputs = _keep_scope(message.graph_def, export_scope) if export_scope else []
    for node in message.graph_def.node if clear_devices else ():
        node.device = ""
    if strip_default_attrs:
        _strip_defaults(message.graph_def)
    _fill_info(message, meta_info_def, strip_default_attrs)
    if saver_def is not None:
        message.saver_def.MergeFrom(saver_def)
    for key, items in collections.items():
        add_collection(message, key, graph, export_scope, items)
    if clear_extraneous_savers and GraphKeys.SAVERS in message.collection_def:
        _keep_saver(message, saver_def)
    if inputs and unbound:
        message.collection_def[unbound].bytes_list.value.extend(text.encode() for text in inputs)
    if filename:
        write(filename, message, as_text)
    return message


def write(filename: str, message: Any, as_text: bool, is_durable: bool = True) -> None:
    """Writes a message to a file, in binary or text form; see `replace_file`."""
    folder = os.path.dirname(filename)
    if folder:
        files.makedirs(folder)
    replace_file(filename, to_text(message).encode() if as_text else message.SerializeToString(), is_durable)


def _fill_info(message: Any, given: Any, stripped: bool) -> None:
    info = message.meta_info_def
    if given is not None:
        info.MergeFrom(given)
    info.tensorflow_version, info.tensorflow_git_version = VERSION, GIT_VERSION
    info.stripped_default_attrs = stripped
    if not info.HasField("stripped_op_list"):
        info.stripped_op_list.MergeFrom(stripped_op_list(message.graph_def))


def stripped_op_list(graph_def: Any) -> Any:
    """The definitions of the ops that a graph and its functions use, by name."""
    functions = {function.signature.name for function in graph_def.library.function}
    used = {node.op for node in graph_def.node}
    used |= {node.op for function in graph_def.library.function for node in function.node_def}
    known = [op for op in map(find, sorted(used - functions)) if op is not None]
    return proto.op_def_pb2.OpList.FromString(b"".join([sized(1, encode.op_def_bytes(op)) for op in known]))


def _strip_defaults(graph_def: Any) -> None:
    functions = {function.signature.name for function in graph_def.library.function}
    nodes = [*graph_def.node, *(node for function in graph_def.library.function for node in function.node_def)]
    for node in nodes:
        op = None if node.op in functions else find(node.op)
        for attr in encode.op_def(op).attr if op is not None else ():
            if attr.HasField("default_value") and attr.name in node.attr and node.attr[attr.name] == attr.default_value:
                del node.attr[attr.name]


def _drop_other_savers(graph_def: Any, graph: Graph, saver_def: Any) -> None:
    """Removes the nodes of savers in the collection other than the given one: those in their name scopes."""
    kept = saver_def.restore_op_name.rpartition("/")[0] if saver_def is not None else None
    messages = [_saver_message(saver) for saver in graph.get_collection(GraphKeys.SAVERS)]
    names = {message.restore_op_name.rpartition("/")[0] for message in messages}
    scopes = tuple(f"{name}/" for name in names if name and name != kept)
    if scopes:
        nodes = [node for node in graph_def.node if not node.name.startswith(scopes)]
        del graph_def.node[:]
        graph_def.node.extend(nodes)


def _keep_saver(message: Any, saver_def: Any) -> None:
    """Leaves one saver in the collection of a MetaGraphDef, or none."""
    savers = message.collection_def[GraphKeys.SAVERS].bytes_list.value
    wanted = None if saver_def is None else saver_def.SerializeToString()
    kept = [data for data in savers if data == wanted]
    if kept:
        savers[:] = kept
    else:
        del message.collection_def[GraphKeys.SAVERS]


def _saver_message(saver: Any) -> Any:
    if isinstance(saver, bytes):
        return proto.saver_pb2.SaverDef.FromString(saver)
    return saver if isinstance(saver, proto.saver_pb2.SaverDef) else saver.to_proto()


# ---- name scopes


def _keep_scope(graph_def: Any, scope: str) -> list[str]:
    """Keeps the nodes of a scope, with names relative to it; returns the inputs from outside."""
    prefix = scope if scope.endswith("/") else f"{scope}/"
    nodes = [node for node in graph_def.node if node.name.startswith(prefix)]
    inside = {node.name for node in nodes}
    unbound: dict[str, None] = {}
    for node in nodes:
        node.name = node.name[len(prefix) :]
        node.input[:] = [_input_in_scope(text, prefix, inside, unbound) for text in node.input]
        if "_class" in node.attr:
            _groups_in_scope(node, prefix)
        if "frame_name" in node.attr:
            node.attr["frame_name"].s = node.attr["frame_name"].s.removeprefix(prefix.encode())
    kept = [type(node).FromString(node.SerializeToString()) for node in nodes]
    del graph_def.node[:]
    graph_def.node.extend(kept)
    return list(unbound)


def _input_in_scope(text: str, prefix: str, inside: set[str], unbound: dict[str, None]) -> str:
    mark, name = ("^", text[1:]) if text.startswith("^") else ("", text)
    if name.partition(":")[0] in inside:
        return f"{mark}{name[len(prefix):]}"
    unbound[f"{mark}{UNBOUND}{name}"] = None
    return f"{mark}{UNBOUND}{name}"


def _groups_in_scope(node: Any, prefix: str) -> None:
    """Renames a node's colocation groups; those outside the scope are dropped."""
    mark, start = b"loc:@", f"loc:@{prefix}".encode()
    groups = [group for group in node.attr["_class"].list.s if group.startswith(start) or not group.startswith(mark)]
    inside = [mark + group[len(start) :] if group.startswith(start) else group for group in groups]
    if inside:
        node.attr["_class"].list.s[:] = inside
    else:
        del node.attr["_class"]


# ---- collections


def add_collection(
    message: Any, key: str, graph: Graph | None = None, export_scope: str | None = None, items: Any = None
) -> None:
    """Adds a collection, or these items of it, to a MetaGraphDef; logs a warning for one that cannot be encoded."""
    if not isinstance(key, str):
        logging.warning(f"The collection {key!r} is left out of the MetaGraphDef: its key is no string")
        return
    items = (graph or default_graph()).get_collection(key) if items is None else items
    if not items:
        return
    entry = proto.meta_graph_pb2.CollectionDef()
    try:
        _fill_collection(entry, key, items, export_scope)
    except Exception as error:  # whatever a to_proto function raises: the graph itself can still be written
        logging.warning(f"The collection {key!r} is left out of the MetaGraphDef: {error}")
        return
    if entry.WhichOneof("kind") is not None:
        message.collection_def[key].CopyFrom(entry)


def _fill_collection(entry: Any, key: str, items: list[Any], scope: str | None) -> None:
    known = proto_functions(key)
    if known is not None and known.to_proto is not None:
        messages = [known.to_proto(item, export_scope=scope) for item in items]
        entry.bytes_list.value.extend(m.SerializeToString() for m in messages if m is not None)
        return
    kind = _kind_of(items[0])
    values: list[Any] = [item for item in items if _is_in_scope(item, scope)]
    if kind == "node_list":
        values = [_name_in_scope(item.name, scope) for item in values]
    elif kind == "bytes_list":
        values = [item.encode() if isinstance(item, str) else item for item in values]
    getattr(entry, kind).value.extend(values)


def _kind_of(item: Any) -> str:
    if isinstance(item, (str, bytes)):
        return "bytes_list"
    if isinstance(item, int):
        return "int64_list"
    if isinstance(item, float):
        return "float_list"
    is_message = getattr(item, "DESCRIPTOR", None) is not None and item.DESCRIPTOR.full_name == "google.protobuf.Any"
    return "any_list" if is_message else "node_list"


def _is_in_scope(item: Any, scope: str | None) -> bool:
    name = item if isinstance(item, str) else getattr(item, "name", None)
    return not scope or not isinstance(name, str) or isinstance(item, str) or name.startswith(f"{scope.rstrip('/')}/")


def _name_in_scope(name: str, scope: str | None) -> str:
    return name.removeprefix(f"{scope.rstrip('/')}/") if scope else name


# ---------------------------------------------------------------- reading


def read(filename: Any) -> Any:
    """Reads the MetaGraphDef in a file, binary or text.

    Raises:
        OSError: the file does not exist, or is not a MetaGraphDef.
    """
    if not isinstance(filename, (str, bytes, os.PathLike)):
        raise TypeError(f"Expected a MetaGraphDef or the name of a file, got {filename!r}")
    if not files.exists(filename):
        raise OSError(f"File {filename!r} does not exist.")
    data = files.read_file(filename)
    try:
        return from_bytes_or_text(data, proto.meta_graph_pb2.MetaGraphDef())
    except ValueError as error:
        raise OSError(f"Cannot parse file {filename!r}: {error}") from None


def import_scoped_meta_graph(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    graph: Graph | None = None,
    import_scope: str | None = None,
    input_map: Mapping[str, Any] | None = None,
    unbound_inputs_col_name: str = "unbound_inputs",
    restore_collections_predicate: Callable[[str], bool] = lambda key: True,
    return_elements: Iterable[str] | None = None,
) -> Any:
    """Imports the graph and the collections of a MetaGraphDef into a graph.

    Args:
        meta_graph_or_file: the message, or the name of a file with one.
        clear_devices: whether to drop the nodes' devices.
        graph: the graph to import into; by default the default graph.
        import_scope: the prefix of all names.
        input_map: name in the message -> the tensor that replaces it.
        unbound_inputs_col_name: the collection of the unbound inputs, which `input_map` must map.
        restore_collections_predicate: a function that tells whether to import a collection.
        return_elements: names of elements to return, as in `tf.import_graph_def`.

    Returns:
        The imported variables by name; with `return_elements` a pair of these and the elements.

    Raises:
        OSError, ValueError: as for `tf.train.import_meta_graph`.
    """
    message = meta_graph_or_file
    if not isinstance(message, proto.meta_graph_pb2.MetaGraphDef):
        message = read(message)
    _check_bound(message, unbound_inputs_col_name, input_map)
    graph_def = proto.graph_pb2.GraphDef.FromString(message.graph_def.SerializeToString())
    for node in graph_def.node if clear_devices else ():
        node.device = ""
    with (graph or default_graph()).as_default() as target:
        scope = scope_for(target, import_scope)
        elements = import_graph_def(
            graph_def, input_map=input_map, return_elements=return_elements,
            name=import_scope or (f"{scope}/" if scope else ""),
            producer_op_list=message.meta_info_def.stripped_op_list,
        )  # fmt: skip
        _restore_collections(message, target, scope, unbound_inputs_col_name, restore_collections_predicate)
        variables = target.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=f"{scope}/" if scope else None)
    found = {_name_in_scope(variable.name, scope): variable for variable in variables}
    return found if return_elements is None else (found, elements)


def scope_for(graph: Graph, import_scope: str | None) -> str:
    """The name scope of an import: a new one of this name, or the current one."""
    return graph.unique_name(import_scope, mark_as_used=False) if import_scope else graph.scopes.name


def _check_bound(message: Any, key: str, input_map: Mapping[str, Any] | None) -> None:
    if not key or key not in message.collection_def:
        return
    wanted = [value.decode() for value in message.collection_def[key].bytes_list.value]
    missing = [name for name in wanted if name not in (input_map or {})]
    if missing:
        raise ValueError(f"Graph contains unbound inputs: {', '.join(missing)}. Give each of them a tensor in "
                         f"input_map.")  # fmt: skip


def _restore_collections(
    message: Any, graph: Graph, scope: str, unbound: str, wanted: Callable[[str], bool]
) -> None:
    made: dict[bytes, Any] = {}  # a variable may be in several collections
    for key, entry in sorted(message.collection_def.items()):
        if key == unbound or not wanted(key):
            continue
        kind = entry.WhichOneof("kind")
        if kind is None:
            logging.error(f"The collection {key!r} has no items of a known kind")
            continue
        known = proto_functions(key)
        if known is not None and known.from_proto is not None and kind == "bytes_list":
            for value in entry.bytes_list.value:
                if value not in made:
                    made[value] = known.from_proto(_item(known.proto_type, value, key), import_scope=scope)
                graph.add_to_collection(key, made[value])
        elif kind == "node_list":
            for name in entry.node_list.value:
                graph.add_to_collection(key, _element(graph, name, scope))
        else:
            for value in getattr(entry, kind).value:
                graph.add_to_collection(key, _text_in_scope(value, scope) if kind == "bytes_list" else value)


def _item(kind: Any, data: bytes, key: str) -> Any:
    """Parses the message of a collection item.

    Raises:
        ValueError: the data is not such a message.
    """
    try:
        return kind.FromString(data)
    except Exception as error:  # protobuf's own class for it differs between its implementations
        raise ValueError(f"An item of the collection {key!r} cannot be read: {error}") from None


def _with_scope(name: str, scope: str | None) -> str:
    return f"{scope}/{name}" if scope and name else name


def _text_in_scope(value: bytes, scope: str) -> str | bytes:
    """A text that may be a name: as in TensorFlow, with the scope prepended."""
    return f"{scope}/{value.decode('utf-8', 'surrogateescape')}" if scope else value


def _element(graph: Graph, name: str, scope: str) -> Tensor | Operation:
    return graph.as_graph_element(f"{scope}/{name}" if scope else name)


# ---------------------------------------------------------------- GraphDef files


@export("train.write_graph", "io.write_graph")
def write_graph(graph_or_graph_def: Any, logdir: str, name: str, as_text: bool = True) -> str:
    """Writes a graph as a GraphDef file, and returns its path.

    Args:
        graph_or_graph_def: a tf.Graph or tf.GraphDef.
        logdir: the directory, created if missing.
        name: the file's name.
        as_text: whether to write protobuf's text format.
    """
    graph = graph_or_graph_def
    path = os.path.join(logdir, name)
    write(path, graph.as_graph_def() if isinstance(graph, Graph) else graph, as_text)
    return path
