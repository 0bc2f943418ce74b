"""Models as SavedModels: tf.keras.Model.save(save_format="tf")."""
from __future__ import annotations

from typing import Any

from evergraph.base import nest
from evergraph.base.text import path_to_str
from evergraph.eager.function import Function
from evergraph.eager.saved.signatures import canonical
from evergraph.eager.saved.write import write as write_objects
from evergraph.frontend.specs import TensorSpec
from evergraph.graph.graph import default_graph
from evergraph.keras import history, saved_metadata, session, settings
from evergraph.keras.hdf5 import may_write
from evergraph.keras.network import is_functional
from evergraph.save import saved_model_constants as constants


def write(model: Any, filepath: Any, overwrite: bool, include_optimizer: bool, signatures: Any) -> None:
    """Writes a model as a SavedModel; see `tf.keras.models.save_model`.

    Raises:
        ValueError: the shapes of the inputs are not known.
    """
    folder = path_to_str(filepath)
    if not may_write(folder, overwrite):
        return
    model._check_weights()
    optimizer = getattr(model, "optimizer", None)
    if not include_optimizer:
        model.optimizer = None
    try:
        with settings.learning_phase_scope(0):
            given = {constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: serving(model)} if signatures is None else signatures
            used = None if default_graph().is_eager else session.get_session()
            write_objects(model, folder, canonical(model, given), used, saved_metadata.described)
    finally:
        if not include_optimizer:
            model.optimizer = optimizer


def parts(model: Any) -> dict[str, Any]:
    """What makes the loaded object usable as a layer: a call, the variables, and functions of the penalties on them.

    The names are those under which TensorFlow's Keras writes them. A model whose inputs are not known has none.
    """
    if not model.inputs:
        return {}
    leaves = [TensorSpec(tensor.shape, tensor.dtype, tensor.name.partition(":")[0]) for tensor in model.inputs]
    specs = nest.pack_sequence_as(model.input, leaves) if is_functional(model) else model._packed_inputs(leaves)

    def call(inputs: Any, training: Any = False) -> Any:
        return model(inputs, training=training)

    function = Function(call, name=f"{model.name}_call")
    with settings.learning_phase_scope(0):
        for training in (False, True):
            function.get_concrete_function(specs, training=training)
    penalties = [Function(each, input_signature=[]) for each in _penalties(model)]
    return {"__call__": function, "variables": list(model.variables),
            "trainable_variables": list(model.trainable_variables), "regularization_losses": penalties}


def _penalties(layer: Any) -> list[Any]:
    """The functions of the penalties on weights, as eager execution has them, of a layer and those in it."""
    return [*layer._penalties, *(each for inner in layer._sublayers() for each in _penalties(inner))]


def serving(model: Any) -> Any:
    """The function that computes a model's outputs by name from its inputs by name.

    Raises:
        ValueError: the shapes of the inputs are not known.
    """
    if not model.inputs:
        raise ValueError(f"Model {model.name} has no signature: its input shapes have not been set. Call it, or its "
                         f"`predict` or `fit`, first")
    names = getattr(model, "input_names", None) or [f"input_{place + 1}" for place in range(len(model.inputs))]
    specs = [TensorSpec(tensor.shape, tensor.dtype, name) for tensor, name in zip(model.inputs, names)]

    def serve(*tensors: Any) -> dict[str, Any]:
        with history.calling(False):
            found = model(nest.pack_sequence_as(model.input, list(tensors)) if is_functional(model) else
                          model._packed_inputs(list(tensors)))
        return dict(zip(_output_names(model, found), nest.flatten(found)))

    return Function(serve, input_signature=specs, name=f"serve_{model.name}")


def _output_names(model: Any, outputs: Any) -> list[str]:
    count = len(nest.flatten(outputs))
    names = getattr(model, "output_names", None) or [f"output_{place + 1}" for place in range(count)]
    taken: dict[str, int] = {}
    found = []
    for name in names:
        found.append(name if name not in taken else f"{name}_{taken[name]}")
        taken[name] = taken.get(name, 0) + 1
    return found
