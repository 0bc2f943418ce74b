"""tf.keras.models.clone_model: a model like another one, with variables of its own."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.keras import history
from evergraph.keras.inputs import Input, InputLayer
from evergraph.keras.layer import OperationLayer
from evergraph.keras.model import Model
from evergraph.keras.network import is_functional
from evergraph.keras.sequential import Sequential


@export("keras.models.clone_model")
def clone_model(model: Any, input_tensors: Any = None, clone_function: Callable[[Any], Any] | None = None) -> Any:
    """A model with the same layers as another one, whose variables are new and initialized.

    Args:
        model: a functional or sequential model.
        input_tensors: the tensors for its inputs; new placeholders by default.
        clone_function: a function from a layer to the layer in its place, which may be the same one; it is not called
            for inputs. By default the layer is made anew from its configuration.

    Raises:
        ValueError: the model is subclassed.
    """
    clone = clone_function or _anew
    if isinstance(model, Sequential):
        return _clone_sequential(model, input_tensors, clone)
    if not is_functional(model):
        raise ValueError(f"{model.name} is a subclassed model, which only its own class can make: a functional or "
                         f"sequential model can be cloned")
    return _clone_functional(model, input_tensors, clone)


def _anew(layer: Any) -> Any:
    return layer.__class__.from_config(layer.get_config())


def _clone_functional(model: Any, tensors: Any, clone: Callable[[Any], Any]) -> Any:
    given = [_as_input(own, tensor) for own, tensor in
             zip(model.inputs, [None] * len(model.inputs) if tensors is None else nest.flatten(tensors))]
    made = {id(own): tensor for own, tensor in zip(model.inputs, given)}
    layers: dict[Any, Any] = {}
    swap = lambda item: made.get(id(item), item)
    for node in model._nodes:
        if all(id(tensor) in made for tensor in nest.flatten(node.outputs)):
            continue
        if node.layer not in layers:
            layers[node.layer] = _cloned(node.layer, clone)
        results = layers[node.layer](nest.map_structure(swap, node.inputs),
                                     *nest.map_structure(swap, list(node.args)),
                                     **nest.map_structure(swap, node.kwargs))
        made.update({id(own): new for own, new in zip(nest.flatten(node.outputs), nest.flatten(results))})
    return model.__class__(nest.map_structure(swap, model._nested_inputs),
                           nest.map_structure(swap, model._nested_outputs), name=model.name)


def _cloned(layer: Any, clone: Callable[[Any], Any]) -> Any:
    if isinstance(layer, OperationLayer):
        return OperationLayer(layer.operation)
    return clone_model(layer, clone_function=clone) if isinstance(layer, Model) and clone is _anew and (
        is_functional(layer) or isinstance(layer, Sequential)) else clone(layer)


def _as_input(own: Any, tensor: Any) -> Any:
    """The input of the new model for one of the old."""
    layer = history.history(own).layer
    if tensor is None:
        shape = own.shape.as_list() if own.shape.rank is not None else None
        return Input(batch_shape=shape, dtype=own.dtype, sparse=getattr(layer, "sparse", False), name=layer.name)
    if history.history(tensor) is not None:
        return tensor
    return Input(tensor=tensor, name=f"input_wrapper_for_{layer.name}")


def _clone_sequential(model: Any, tensors: Any, clone: Callable[[Any], Any]) -> Any:
    first = [] if not model._path else [history.history(model._path[0]).layer]
    layers = [_cloned(layer, clone) for layer in model._stack]
    if tensors is None:
        return Sequential([*map(_anew, first), *layers], name=model.name)
    [tensor] = nest.flatten(tensors)
    known = history.history(tensor)
    source = known.layer if known is not None and isinstance(known.layer, InputLayer) else \
        InputLayer(input_tensor=tensor, name=f"input_wrapper_for_{first[0].name if first else 'input'}")
    return Sequential([source, *layers], name=model.name)
