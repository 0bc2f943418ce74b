"""tf.saved_model.save: writes an object with its variables, tables, files and functions as a SavedModel."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from evergraph import proto
from evergraph.base import dtypes, files, logging
from evergraph.base.export import export
from evergraph.base.text import as_text, path_to_str
from evergraph.eager.calls import called
from evergraph.eager.concrete import ConcreteFunction
from evergraph.eager.function import Function
from evergraph.eager.saved.functions import only_graph
from evergraph.eager.saved.objects import FUNCTIONS, Asset, Parts, Resource, SignatureMap
from evergraph.eager.saved.signatures import canonical
from evergraph.eager.saved.specs import argument_keywords, concrete_message, function_spec
from evergraph.eager.saved.structures import CannotEncodeError
from evergraph.formats.replace import replace_file
from evergraph.formats.tensor_messages import shape_to_proto
from evergraph.frontend.array import constant
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.variable import ResourceVariable, variable_of_handle
from evergraph.graph.function import FuncGraph, functions_of
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import HandleData, Tensor
from evergraph.ops.arrays.basic import placeholder
from evergraph.ops.state.variables import var_handle_op
from evergraph.run.own_session import session_to_use
from evergraph.save import saved_model_constants as constants
from evergraph.save.builder import BulkSaverBuilder
from evergraph.save.checkpoint import write_at_once, write_in_session
from evergraph.save.loop_counters import add_loop_counters
from evergraph.save.meta_graph import export_meta_graph
from evergraph.save.object_graph import Item, attributes, listed, saveable
from evergraph.save.saved_model_assets import asset_defs, copy_assets
from evergraph.save.saved_model_signatures import build_signature_def, build_tensor_info, op_signature_def
from evergraph.save.tracking import is_trackable

_GENERIC = "_generic_user_object"


@export("saved_model.save", "saved_model.experimental.save", "compat.v2.saved_model.save")
def save(obj: Any, export_dir: Any, signatures: Any = None) -> None:
    """Writes an object as a SavedModel: a tf.Module, or another object whose attributes are variables and functions.

    >>> tf.enable_eager_execution()
    >>> class Scale(tf.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.by = tf.Variable(3.0)
    ...     @tf.function(input_signature=[tf.TensorSpec([None])])
    ...     def __call__(self, x):
    ...         return x * self.by
    >>> tf.saved_model.save(Scale(), "memory://scale")
    >>> tf.saved_model.load_v2("memory://scale")(tf.constant([2.0])).numpy()
    array([6.], dtype=float32)

    Variables, tables with the files they are made of, lists, tuples, dictionaries and objects in attributes are
    written, and each `tf.function` with the graphs it was traced to; one with an input signature is traced for it.

    Without eager execution the values are those of the default session, or else of `tf.keras.backend.get_session()`.

    Args:
        obj: the object.
        export_dir: the directory of the new model.
        signatures: a function with an input signature, or a concrete function, that a server calls; or a dictionary of
            them. By default the only function of the object that has an input signature, as "serving_default".

    Raises:
        AssertionError: it is called inside of a tf.function, or a function uses a variable that no attribute holds.
        ValueError: the object cannot be saved, or a signature is no such function.
    """
    if isinstance(default_graph(), FuncGraph):
        raise AssertionError("tf.saved_model.save is called inside of a tf.function, which has no values to write")
    if not is_trackable(obj):
        raise ValueError(f"tf.saved_model.save takes a tf.Module or an object that tracks its attributes, got {obj!r}")
    parts = Parts()  # one for both: a property may give another function each time
    write(obj, as_text(path_to_str(export_dir)), canonical(obj, signatures, parts), parts=parts)


def write(obj: Any, folder: str, signatures: Mapping[str, ConcreteFunction], session: Any = None,
          describe: Callable[[Any], tuple[str, str] | None] = lambda value: None, parts: Parts | None = None) -> None:
    """Writes an object with signatures as a SavedModel.

    Args:
        obj: the object.
        folder: the directory of the new model.
        signatures: functions from tensors by name to tensors by name.
        session: without eager execution, the session with the values; see `save`.
        describe: (the kind of an object, what it says of itself) for kinds of other rooms; None for others.
        parts: what has found the parts of the object for its signatures.
    """
    is_eager = default_graph().is_eager
    used = None if is_eager else session_to_use(session, default_graph(), "save")
    model = _Model(obj, SignatureMap(signatures), (lambda tensor: tensor.on_host()) if is_eager else used.run,
                   describe, parts or Parts())
    message = model.message(folder)
    files.makedirs(os.path.join(folder, constants.VARIABLES_DIRECTORY))
    prefix = os.path.join(folder, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME)
    if is_eager:
        write_at_once(model.items, prefix)
    else:
        write_in_session(model.items, prefix, used)
    path = os.path.join(folder, constants.SAVED_MODEL_FILENAME_PB)
    replace_file(path, message.SerializeToString(deterministic=True))
    logging.info(f"SavedModel written to: {path}")


class _Model:
    """What becomes the message of a SavedModel: the objects, and a graph with their state and the signatures.

    Attributes:
        items: the objects, the root first.
    """

    def __init__(self, root: Any, signatures: SignatureMap, value_of: Callable[[Tensor], Any],
                 describe: Callable[[Any], tuple[str, str] | None], parts: Parts) -> None:
        self._value_of, self._describe = value_of, describe

        def children(value: Any) -> dict[str, Any]:
            own = parts.children(value)
            if value is root and not isinstance(own.get("signatures", signatures), SignatureMap):
                raise ValueError("the attribute 'signatures' of the object cannot be saved: models have their own")
            more = root._parts_to_save() if value is root and hasattr(root, "_parts_to_save") else {}
            return {**own, **more, "signatures": signatures} if value is root else own

        self.items = listed(root, children)
        self._signatures, self._graph = signatures, Graph()
        self._objects = proto.saved_object_graph_pb2.SavedObjectGraph()
        self._owners: dict[Tensor, int] = {}  # handle or captured tensor -> number of its object
        self._inside: dict[int, Tensor] = {}  # number of an object -> its tensor in the graph
        self._functions: dict[str, ConcreteFunction] = {}
        self._assets: list[Tensor] = []

    def message(self, folder: str) -> Any:
        """The SavedModel message. Copies the files of assets."""
        for item in self.items:
            self._add_node(item)
        for item in self.items:
            self._add_state(item)
        self._add_functions()
        definitions, sources = asset_defs([item.value.asset_path for item in self.items
                                           if isinstance(item.value, Asset)])
        copy_assets(sources, folder)
        for definition, inside in zip(definitions, self._assets, strict=True):
            definition.tensor_info.name = inside.name
        result = proto.saved_model_pb2.SavedModel(
            saved_model_schema_version=constants.SAVED_MODEL_SCHEMA_VERSION)  # fmt: skip
        result.meta_graphs.append(self._meta_graph(definitions))
        return result

    # ---- objects

    def _add_node(self, item: Item) -> None:
        node = self._objects.nodes.add()
        for name, number in item.children.items():
            node.children.add(node_id=number, local_name=name)
        for variable, name, slot in item.slots:
            node.slot_variables.add(original_variable_node_id=variable, slot_name=name, slot_variable_node_id=slot)

    def _add_state(self, item: Item) -> None:
        """Fills the node of an object; adds the nodes of the graph that hold its state."""
        number = self.items.index(item)
        node, value = self._objects.nodes[number], item.value
        if isinstance(value, ResourceVariable):
            self._fill_variable(node, number, value)
        elif isinstance(value, Asset):
            node.asset.asset_file_def_index = len(self._assets)
            with self._graph.as_default():
                inside = placeholder(dtypes.string, shape=(), name="asset_path_initializer")
            self._assets.append(inside)
            self._own(value.asset_path, number, inside)
        elif isinstance(value, Resource):
            node.resource.SetInParent()
            maker = value.resource_handle.source
            with self._graph.as_default():
                made = self._graph.add_node(maker.opdef, self._graph.claim_name("table"), [], dict(maker.attrs))
            self._own(value.resource_handle, number, made.outputs[0])
        elif not isinstance(value, (*FUNCTIONS, ConcreteFunction)):
            node.user_object.identifier, node.user_object.metadata = self._describe(value) or _kind(value)
            node.user_object.version.producer = node.user_object.version.min_consumer = 1

    def _fill_variable(self, node: Any, number: int, variable: ResourceVariable) -> None:
        held = node.variable
        held.dtype, held.trainable = variable.dtype.base_dtype.enum, variable.trainable
        held.shape.CopyFrom(shape_to_proto(variable.shape.tuple))
        held.synchronization, held.aggregation = variable.synchronization.value, variable.aggregation.value
        held.name = variable._shared_name
        with self._graph.as_default():
            name = self._graph.claim_name(variable._shared_name)
            handle = var_handle_op(dtype=variable.dtype.base_dtype, shape=variable.shape.tuple, shared_name=name,
                                   name=f"{name}/")
        handle._handle_data = HandleData(variable.dtype.base_dtype, variable.shape.tuple)
        self._own(variable.handle, number, handle)

    def _own(self, outside: Tensor, number: int, inside: Tensor) -> None:
        self._owners[outside], self._inside[number] = number, inside

    def _capture(self, function: ConcreteFunction, tensor: Tensor) -> int:
        """The number of the object that a captured tensor belongs to; a new constant for a plain tensor.

        Raises:
            AssertionError: the tensor is the handle of something that is no part of the model.
        """
        if tensor not in self._owners:
            if tensor.dtype.base_dtype in (dtypes.resource, dtypes.variant):
                raise AssertionError(
                    f"{function.name} uses a variable or table that the model does not hold, so it cannot be written: "
                    f"{tensor.source.name}. Make it an attribute of the object that is saved, or of a part of it")
            with self._graph.as_default():
                inside = constant(self._value_of(tensor), tensor.dtype)
            self._objects.nodes.add().constant.operation = inside.op.name
            self._own(tensor, len(self._objects.nodes) - 1, inside)
        return self._owners[tensor]

    # ---- functions

    def _add_functions(self) -> None:
        for node, item in zip(list(self._objects.nodes), self.items):
            value = item.value
            if isinstance(value, FUNCTIONS):
                node.function.function_spec.CopyFrom(function_spec(value.parameters, value.input_signature))
                node.function.concrete_functions.extend(each.name for each in self._written(_traces(value)))
            elif isinstance(value, ConcreteFunction):
                held = node.bare_concrete_function
                held.concrete_function_name = value.name
                held.argument_keywords.extend(argument_keywords(value))
                held.allowed_positional_arguments = len(value.structured_input_signature[0])
                held.function_spec.CopyFrom(function_spec(value.parameters, None))
                list(self._written([value]))

    def _written(self, functions: list[ConcreteFunction]) -> Iterator[ConcreteFunction]:
        """Adds the functions to the message; gives those that it can hold."""
        for function in functions:
            if function.name in self._functions:
                yield function
                continue
            try:
                message = concrete_message(function)
            except CannotEncodeError as error:
                logging.warning(f"{function.name} is not saved: it was traced for something that a file cannot hold: "
                                f"{error}")
                continue
            message.bound_inputs.extend(self._capture(function, t) for t in function.captured_inputs)
            self._objects.concrete_functions[function.name].CopyFrom(message)
            self._functions[function.name] = function
            for each in _reachable(function.graph):
                self._graph.library.setdefault(each.name, each)
            yield function

    def _called(self, function: ConcreteFunction, inputs: list[Tensor]) -> list[Tensor]:
        """The outputs of a function in the graph."""
        inside = [self._inside[self._owners[t]] for t in function.captured_inputs]
        return called(function.graph, [*inputs, *inside])

    # ---- the graph

    def _meta_graph(self, definitions: list[Any]) -> Any:
        with self._graph.as_default():
            signatures = {name: self._signature(name, function) for name, function in self._signatures.items()}
            fills = [self._called(only_graph(item.value.functions["_initialize"]), [])[0].op for item in self.items
                     if isinstance(item.value, Resource)]
            init = group(*fills, name="init")
            saver = self._saver()
            message = export_meta_graph(graph=self._graph, saver_def=saver, clear_devices=True)
        add_loop_counters(message.graph_def.library)
        message.meta_info_def.tags.append(constants.SERVING)
        for name, signature in signatures.items():
            message.signature_def[name].CopyFrom(signature)
        key = constants.INIT_OP_SIGNATURE_KEY
        message.signature_def[key].CopyFrom(op_signature_def(init, key))
        message.asset_file_def.extend(definitions)
        message.object_graph_def.CopyFrom(self._objects)
        return message

    def _signature(self, name: str, function: ConcreteFunction) -> Any:
        _, specs = function.structured_input_signature
        inputs = {key: placeholder(spec.dtype, shape=spec.shape.tuple, name=f"{name}_{key}")
                  for key, spec in sorted(specs.items())}
        outputs = self._called(function, list(inputs.values()))
        named = {key: build_tensor_info(t) for key, t in zip(sorted(function.structured_outputs), outputs)}
        return build_signature_def({key: build_tensor_info(t) for key, t in inputs.items()}, named,
                                   constants.PREDICT_METHOD_NAME)

    def _saver(self) -> Any:
        """The SaverDef of nodes that write and read the variables, for programs that load the graph alone."""
        targets = [(key, variable_of_handle(self._inside[number])) for number, item in enumerate(self.items)
                   if isinstance(item.value, ResourceVariable) for _, key, _ in attributes(item)]
        if not targets:
            return None
        return BulkSaverBuilder().build([saveable(variable, key) for key, variable in targets])


def _kind(value: Any) -> tuple[str, str]:
    """(TensorFlow's name for a kind of object, what an object of that kind says of itself)."""
    if isinstance(value, SignatureMap):
        return "signature_map", ""
    kinds = {Mapping: "trackable_dict_wrapper", list: "trackable_list_wrapper", tuple: "trackable_tuple_wrapper"}
    return next((name for kind, name in kinds.items() if isinstance(value, kind)), _GENERIC), ""


def _traces(function: Any) -> list[ConcreteFunction]:
    if function.input_signature is not None:
        function.get_concrete_function()
    elif isinstance(function, Function):
        function.trace_as_inside()
    return function._list_all_concrete_functions_for_serialization()


def _reachable(function: FuncGraph) -> list[FuncGraph]:
    """A function, and those that it calls."""
    found = {function.name: function}
    waiting = [function]
    while waiting:
        for node in waiting.pop()._nodes:
            for other in functions_of(node):
                if other.name not in found:
                    found[other.name] = other
                    waiting.append(other)
    return list(found.values())

