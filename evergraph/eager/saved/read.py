"""tf.saved_model.load_v2: an object with the variables, tables and functions of a SavedModel."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import Any

from evergraph.base import dtypes, errors
from evergraph.base.export import export
from evergraph.base.text import as_text, path_to_str
from evergraph.eager.concrete import ConcreteFunction
from evergraph.eager.saved.functions import RestoredFunction, Trace, added_library, only_graph, restored
from evergraph.eager.saved.objects import Asset, Resource, SignatureMap
from evergraph.eager.saved.specs import parameters_of
from evergraph.eager.saved.structures import decoded
from evergraph.formats.tensor_messages import proto_to_array, proto_to_shape
from evergraph.frontend.array import constant
from evergraph.frontend.collections import GraphKeys, add_to_collection
from evergraph.frontend.variables.base import VariableAggregation, VariableSynchronization
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.state.checkpoints import restore_v2
from evergraph.save import saved_model_constants as constants
from evergraph.save.object_message import read_graph
from evergraph.save.saved_model_assets import assets_of
from evergraph.save.saved_model_loader import SavedModelLoader
from evergraph.save.saved_model_objects import graph_of, loaded_signatures
from evergraph.save.tracking import AutoTrackable

_VALUE = "VARIABLE_VALUE"
_LISTS, _TUPLES = ("trackable_list_wrapper",), ("trackable_tuple_wrapper",)
_DICTS = ("trackable_dict_wrapper", "trackable_mutable_mapping")


@export("saved_model.load_v2", "compat.v2.saved_model.load")
def load_v2(export_dir: Any, tags: Any = None) -> Any:
    """Loads a SavedModel as an object: with the attributes of the object that was saved, and callable signatures.

    >>> x = tf.placeholder(tf.float32, [], name="x")
    >>> with tf.Session() as sess:
    ...     tf.saved_model.simple_save(sess, "memory://plus", {"x": x}, {"y": x + 1.0})
    >>> model = tf.saved_model.load_v2("memory://plus")
    >>> y = model.signatures["serving_default"](x=tf.constant(2.0))["y"]
    >>> with tf.Session() as sess:
    ...     float(sess.run(y))
    3.0

    What `tf.saved_model.save` wrote, here or in TensorFlow 2, has its variables, tables, lists, dictionaries, objects
    and functions again. Functions take the kinds of arguments that they were traced for. Objects are plain ones,
    whatever their class was. With eager execution variables have their values at once. In a graph they are global
    variables, and `tf.global_variables_initializer()` restores them; tables are initialized by
    `tf.tables_initializer()`.

    A model of TensorFlow 1 has `signatures`; `variables`; `initializer`, an operation that restores them and
    initializes tables; and `graph`.

    Args:
        export_dir: the directory of the model.
        tags: the tags of the graph, a string or a list; not needed if there is only one graph.

    Returns:
        The object. It has `signatures`, functions by name, and `tensorflow_version`, that of the program that wrote the
        model.

    Raises:
        OSError: the model does not exist, or cannot be read.
        ValueError: there are several graphs and no tags.
        RuntimeError: the model has no graph with these tags.
    """
    loader = SavedModelLoader(as_text(path_to_str(export_dir)))
    message = graph_of(loader, tags)
    if not message.object_graph_def.nodes:
        return loaded_signatures(loader, message)
    root = _Reading(loader, message).root()
    root.tensorflow_version = message.meta_info_def.tensorflow_version
    return root


class Loaded(AutoTrackable):
    """An object of a loaded model."""


class LoadedCallable(Loaded):
    """An object of a loaded model that can be called."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return vars(self)["__call__"](*args, **kwargs)


class _Reading:
    """Makes the objects of a model, in the default graph."""

    def __init__(self, loader: SavedModelLoader, message: Any) -> None:
        self._message, self._nodes = message, message.object_graph_def.nodes
        self._concrete = message.object_graph_def.concrete_functions
        self._folder, self._path = loader.export_dir, loader.variables_path
        self._graph = default_graph()
        self._names = added_library(self._graph, message.graph_def.library)
        self._keys = _keys(self._nodes, self._path)
        self._constants = {node.name: node for node in message.graph_def.node}
        self._functions: dict[str, ConcreteFunction] = {}
        self._made: dict[int, Any] = {}

    def root(self) -> Any:
        """The root object, with all others."""
        for number, node in enumerate(self._nodes):
            if node.WhichOneof("kind") != "bare_concrete_function":  # most of them nobody asks for
                self._object(number)
        for number, value in list(self._made.items()):
            self._fill(number, value)
        self._initialize_tables()
        return self._made[0]

    def _object(self, number: int) -> Any:
        """The object of a node, without its parts.

        Raises:
            ValueError: the model has no such node.
        """
        if number in self._made:
            return self._made[number]
        if not 0 <= number < len(self._nodes):
            raise ValueError(f"the SavedModel {self._folder} has no object {number}")
        node = self._nodes[number]
        makers = {"variable": self._variable, "constant": self._constant, "asset": self._asset,
                  "function": self._function, "bare_concrete_function": self._bare, "resource": self._resource,
                  "user_object": self._plain}  # fmt: skip
        kind = node.WhichOneof("kind")
        if kind not in makers:
            raise errors.UnimplementedError(None, None, f"an object of kind {kind} in the SavedModel {self._folder}")
        self._made[number] = made = makers[kind](number, getattr(node, kind))
        return made

    # ---- state

    def _variable(self, number: int, held: Any) -> ResourceVariable:
        dtype, shape = dtypes.as_dtype(held.dtype), proto_to_shape(held.shape)

        def first() -> Tensor:
            found = restore_v2(self._path, [self._keys[number]], [""], [dtype])[0]
            found.set_shape(shape)
            return found

        if number not in self._keys:
            raise ValueError(f"the SavedModel {self._folder} has no value for its variable {held.name!r}")
        made = ResourceVariable(
            first, trainable=held.trainable, name=held.name or None, dtype=dtype, shape=shape,
            validate_shape=shape is not None and None not in shape,
            synchronization=VariableSynchronization(held.synchronization),
            aggregation=VariableAggregation(held.aggregation))
        if not self._graph.is_eager:  # whether to train what was loaded is for the program to say
            trained = self._graph.get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
            trained[:] = [each for each in trained if each is not made]
        return made

    def _constant(self, number: int, held: Any) -> Tensor:
        if held.operation not in self._constants:
            raise ValueError(f"the SavedModel {self._folder} has no constant {held.operation!r}")
        message = self._constants[held.operation].attr["value"].tensor
        return constant(proto_to_array(message), dtypes.as_dtype(message.dtype))

    def _asset(self, number: int, held: Any) -> Asset:
        found = assets_of(self._message)
        if not 0 <= held.asset_file_def_index < len(found):
            raise ValueError(f"the SavedModel {self._folder} has no file {held.asset_file_def_index}")
        name = found[held.asset_file_def_index].filename
        if os.path.isabs(name) or ".." in name.split("/"):
            raise ValueError(f"The asset {name!r} is not in the directory of the model")
        return Asset(constant(os.path.join(self._folder, constants.ASSETS_DIRECTORY, name)))

    def _resource(self, number: int, held: Any) -> Resource:
        """A table, made by a copy of the nodes of its `_create_resource`."""
        parts = {child.local_name: child.node_id for child in self._nodes[number].children}
        if "_create_resource" not in parts:
            raise ValueError(f"the SavedModel {self._folder} does not say how its object {number} is made")
        creator = only_graph(self._object(parts["_create_resource"])).graph
        made: dict[Tensor, Tensor] = {}
        for node in creator._nodes:
            attrs = {**node.attrs, **({"shared_name": ""} if "shared_name" in node.attrs else {})}
            copy = self._graph.add_node(node.opdef, self._graph.claim_name(node.name),
                                        [made[t] for t in node._inputs], attrs)
            made.update(zip(node.outputs, copy.outputs, strict=True))
        return Resource(made[creator.outputs[0]], {})

    # ---- functions

    def _function(self, number: int, held: Any) -> RestoredFunction:
        parameters = parameters_of(held.function_spec)
        signature = held.function_spec.input_signature
        traces = [Trace(decoded(self._description(name).canonicalized_input_signature),
                        functools.partial(self._restored, name, parameters)) for name in held.concrete_functions]
        return RestoredFunction(parameters, traces, decoded(signature) if signature.WhichOneof("kind") else None)

    def _bare(self, number: int, held: Any) -> ConcreteFunction:
        return self._restored(held.concrete_function_name, parameters_of(held.function_spec)
                              if held.HasField("function_spec") else None)

    def _restored(self, name: str, parameters: Any) -> ConcreteFunction:
        if name not in self._functions:
            message = self._description(name)
            owners = [self._object(number) for number in message.bound_inputs]
            self._functions[name] = restored(
                self._graph, self._names[name], message, parameters, [_tensor_of(owner) for owner in owners],
                [owner for owner in owners if isinstance(owner, ResourceVariable)])
        return self._functions[name]

    def _description(self, name: str) -> Any:
        """The message that describes a function."""
        if name not in self._names or name not in self._concrete:
            raise ValueError(f"the SavedModel {self._folder} has no function {name!r}")
        return self._concrete[name]

    # ---- parts

    def _plain(self, number: int, held: Any) -> Any:
        names = [child.local_name for child in self._nodes[number].children]
        if held.identifier == "signature_map":
            return SignatureMap()
        if held.identifier in _LISTS + _TUPLES:
            return []
        if held.identifier in _DICTS:
            return {}
        return LoadedCallable() if "__call__" in names else Loaded()

    def _fill(self, number: int, value: Any) -> None:
        """Gives an object its parts."""
        node = self._nodes[number]
        if node.WhichOneof("kind") not in ("user_object", "resource"):
            return
        parts = {child.local_name: self._object(child.node_id) for child in node.children}
        if isinstance(value, Resource):
            value.functions.update(parts)
        elif isinstance(value, dict):
            value.update(parts)
        elif isinstance(value, list):
            value.extend(parts[str(place)] for place in sorted(int(name) for name in parts if name.isdigit()))
        else:
            vars(value).update(parts)

    def _initialize_tables(self) -> None:
        for value in list(self._made.values()):
            if isinstance(value, Resource) and "_initialize" in value.functions:
                done = only_graph(value.functions["_initialize"]).call_flat([])
                if not self._graph.is_eager:
                    add_to_collection(GraphKeys.TABLE_INITIALIZERS, done.op)


def _tensor_of(owner: Any) -> Tensor:
    """What a function captures of an object."""
    if isinstance(owner, ResourceVariable):
        return owner.handle
    if isinstance(owner, Resource):
        return owner.resource_handle
    return owner.asset_path if isinstance(owner, Asset) else owner


def _keys(nodes: Any, path: str) -> dict[int, str]:
    """Number of a variable's node -> the key of its value in the checkpoint, found along equal names from the roots."""
    message = read_graph(path) if any(node.WhichOneof("kind") == "variable" for node in nodes) else None
    keys: dict[int, str] = {}
    if message is None:
        return keys
    seen: dict[int, int] = {0: 0}
    waiting = [0]
    while waiting:
        number = waiting.pop()
        for stored in message.nodes[seen[number]].attributes:
            if stored.name == _VALUE:
                keys[number] = stored.checkpoint_key
        for mine, theirs in _matching(nodes[number], message.nodes[seen[number]]):
            if mine not in seen and 0 <= mine < len(nodes) and 0 <= theirs < len(message.nodes):
                seen[mine] = theirs
                waiting.append(mine)
    return keys


def _matching(mine: Any, theirs: Any) -> Iterator[tuple[int, int]]:
    """(number in the model, number in the checkpoint) of the parts of an object."""
    stored = {child.local_name: child.node_id for child in theirs.children}
    for child in mine.children:
        if child.local_name in stored:
            yield child.node_id, stored[child.local_name]
    slots = {(s.original_variable_node_id, s.slot_name): s.slot_variable_node_id for s in theirs.slot_variables}
    for slot in mine.slot_variables:
        found = slots.get((slot.original_variable_node_id, slot.slot_name))
        if found is not None:
            yield slot.slot_variable_node_id, found
