"""The configuration of functional models: the layers, and the outputs that each of their calls takes.

A tensor is written as a reference: the name of the layer that produced it, the number of the layer's call, and the
index of the output. A call is the structure of references to its inputs, each followed by the other arguments.
"""
from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from evergraph.base import logging, nest
from evergraph.graph.node import Tensor
from evergraph.keras import history, layers_by_name, operation_layer, session
from evergraph.keras.as_json import as_json
from evergraph.keras.inputs import InputLayer
from evergraph.keras.layer import OperationLayer
from evergraph.keras.operation_layer import TensorFlowOpLayer

_CONSTANT = "_CONSTANT_VALUE"  # what stands where the name of a layer would, for an input that no layer produced

# ---- writing


def described(model: Any) -> dict[str, Any]:
    """The layers of a functional model with their calls, and references to its inputs and outputs."""
    numbers = numbered(model)
    return {"name": model.name, "layers": [_described_layer(layer, numbers) for layer in model._ordered],
            "input_layers": _as_list(nest.map_structure(lambda each: _reference(each, numbers), model._nested_inputs)),
            "output_layers": _as_list(nest.map_structure(lambda each: _reference(each, numbers),
                                                         model._nested_outputs))}


def numbered(model: Any) -> dict[history.Node, int]:
    """The number of each of the model's calls among those of its layer.

    The first call of a functional model is its own definition.
    """
    kept, numbers = set(model._nodes), {}
    for layer in model._ordered:
        calls = [node for node in layer.keras_nodes if node in kept]
        numbers.update({node: number for number, node in enumerate(calls, int(is_functional(layer)))})
    for tensor in model.inputs:
        numbers.setdefault(history.node_of(tensor), 0)
    return numbers


def is_functional(layer: Any) -> bool:
    """Whether a layer is a model that is described by inputs and outputs."""
    return bool(getattr(layer, "_functional", False))


def _reference(tensor: Any, numbers: dict[history.Node, int]) -> list[Any]:
    found = history.history(tensor)
    return [found.layer.name, numbers[history.node_of(tensor)], found.tensor_index]


def _as_list(references: Any) -> Any:
    """A single reference in a list, and any structure of several as it is."""
    return [references] if _is_reference(references) else references


def _is_reference(item: Any) -> bool:
    return isinstance(item, (list, tuple)) and len(item) in (3, 4) and isinstance(item[0], str) and \
        isinstance(item[1], int)


def _described_layer(layer: Any, numbers: dict[history.Node, int]) -> dict[str, Any]:
    calls = [] if isinstance(layer, InputLayer) else \
        [_described_call(node, numbers) for node in layer.keras_nodes if node in numbers]
    return {"name": layer.name, **serialized(layer), "inbound_nodes": calls}


def serialized(layer: Any) -> dict[str, Any]:
    """The class and configuration of a layer of a model, which may be an operation."""
    if isinstance(layer, OperationLayer):
        return {"class_name": TensorFlowOpLayer.__name__, "config": operation_layer.described(layer)}
    return layers_by_name.serialize(layer)


def _described_call(node: history.Node, numbers: dict[history.Node, int]) -> Any:
    arguments = _described_arguments(node, numbers)

    def refer(tensor: Any) -> list[Any]:
        if history.history(tensor) is None:
            return [_CONSTANT, -1, _constant(tensor), arguments]
        return [*_reference(tensor, numbers), arguments]

    return _as_list(nest.map_structure(refer, node.inputs))


def _described_arguments(node: history.Node, numbers: dict[history.Node, int]) -> dict[str, Any]:
    """The arguments of a call beside its inputs, by name."""
    names = list(node.layer._call_parameters)[1:]
    given = {**dict(zip(names, node.args)), **node.kwargs}

    def refer(value: Any) -> Any:
        if not isinstance(value, Tensor):
            return value
        return _constant(value) if history.history(value) is None else _reference(value, numbers)

    found = {name: nest.map_structure(refer, value) for name, value in given.items()}
    try:
        json.dumps(found, default=as_json)
    except TypeError:
        logging.warning(f"The configuration leaves out the arguments {sorted(given)} that layer {node.layer.name} was "
                        f"called with: JSON has no form for them")
        return {}
    return found


def _constant(tensor: Any) -> Any:
    return np.asarray(session.get_value(tensor)).tolist()


# ---- reading

def connected(config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
              tensors: dict[str, Any] | None = None) -> tuple[Any, Any]:
    """The inputs and outputs of the functional model of a configuration, whose layers are made and called.

    Args:
        config: the configuration.
        custom_objects: additional classes and functions by name.
        tensors: tensors that are inputs, by the names of these; others are placeholders.

    Raises:
        ValueError: a call refers to what the model does not have.
    """
    given = tensors or {}
    layers = {entry["name"]: InputLayer(input_tensor=given[entry["name"]], name=entry["name"])
              if entry["name"] in given else layers_by_name.deserialize(entry, custom_objects)
              for entry in config["layers"]}
    calls = _Calls(config, layers)
    calls.make_all()
    inputs = nest_references(config["input_layers"], calls.tensor)
    outputs = nest_references(config["output_layers"], calls.tensor)
    return inputs, outputs


def nest_references(structure: Any, convert: Any) -> Any:
    """A structure of references with each one converted; a list of one is that one."""
    if _is_reference(structure):
        return convert(structure)
    if isinstance(structure, dict):
        return {key: nest_references(item, convert) for key, item in structure.items()}
    if isinstance(structure, (list, tuple)):
        found = [nest_references(item, convert) for item in structure]
        return found[0] if len(found) == 1 and _is_reference(structure[0]) else found
    return structure


def references_in(structure: Any) -> Iterator[Any]:
    """The references of a structure, and those among the arguments of calls."""
    if isinstance(structure, dict):
        for item in structure.values():
            yield from references_in(item)
    elif _is_reference(structure):
        yield structure
        yield from references_in(structure[3] if len(structure) == 4 else ())
    elif isinstance(structure, (list, tuple)):
        for item in structure:
            yield from references_in(item)


class _Calls:
    """The calls of a configuration's layers that were made so far."""

    def __init__(self, config: dict[str, Any], layers: dict[str, Any]) -> None:
        self._layers = layers
        self._waiting = {entry["name"]: list(entry["inbound_nodes"]) for entry in config["layers"]}
        self._outputs: dict[str, list[Any]] = {
            name: [layer.keras_nodes[0].outputs] if isinstance(layer, InputLayer) else []
            for name, layer in layers.items()}
        self._first = self._first_numbers(config)

    def _first_numbers(self, config: dict[str, Any]) -> dict[str, int]:
        """The number of each layer's first call, which is 1 for models, whose definition is number 0."""
        everything = [*(entry["inbound_nodes"] for entry in config["layers"]), config["input_layers"],
                      config["output_layers"]]
        found: dict[str, int] = {}
        for name, number, *_ in references_in(everything):
            if name in self._layers:
                found[name] = min(number, found.get(name, 1))
        return found

    def _is_known(self, reference: Any) -> bool:
        name, number = reference[0], reference[1]
        return name == _CONSTANT or name in self._layers and number - self._first[name] < len(self._outputs[name])

    def tensor(self, reference: Any) -> Any:
        """The tensor of a reference."""
        name, number, index = reference[:3]
        if name == _CONSTANT:
            return np.asarray(index)
        if not self._is_known(reference):
            raise ValueError(f"the configuration refers to call {number} of layer {name}, which it does not have")
        return nest.flatten(self._outputs[name][number - self._first[name]])[index]

    def make_all(self) -> None:
        """Calls the layers, each call as soon as its inputs are there."""
        while any(self._waiting.values()):
            before = sum(map(len, self._waiting.values()))
            for name, calls in self._waiting.items():
                while calls and all(map(self._is_known, self._layer_references(calls[0]))):
                    self._make(name, calls.pop(0))
            if sum(map(len, self._waiting.values())) == before:
                stuck = sorted(name for name, calls in self._waiting.items() if calls)
                raise ValueError(f"the configuration calls the layers {stuck} on outputs that it does not have")

    def _layer_references(self, structure: Any) -> list[Any]:
        """The references of a call; three values that begin with another text are an argument of the program's."""
        first, *rest = references_in(structure) if structure else [None]
        named = [each for each in rest if each[0] in self._layers or each[0] == _CONSTANT or len(each) == 4]
        return named if first is None else [first, *named]

    def _make(self, name: str, call: Any) -> None:
        first = next(references_in(call), None)
        arguments = first[3] if first is not None and len(first) == 4 else {}
        refer = lambda reference: self.tensor(reference) if reference[0] in self._layers else reference
        given = {key: nest_references(value, refer) for key, value in arguments.items()}
        self._outputs[name].append(self._layers[name](nest_references(call, self.tensor), **given))


