"""Inserts fake quantization after the weights and the activations of layers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evergraph.base import dtypes
from evergraph.contrib.graph_editor.edges import reroute_ts
from evergraph.contrib.quantize.ranges import last_value, moving_average, quantization_step
from evergraph.contrib.quantize.walk import (
    ADDS,
    FAKE,
    LAYERS,
    has_operation,
    is_variable,
    parent,
    scope_of,
    source_of,
)
from evergraph.frontend import control_flow
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.math import elementwise

_RELUS = ("Relu", "Relu6")
_ARITHMETIC = (*ADDS, "Mul")
_PASSING = ("Reshape", "Identity", "BatchToSpaceND", "SpaceToBatchND")


@dataclass(frozen=True)
class Settings:
    """How to quantize: the arguments of `quantize`."""

    is_training: bool
    weight_bits: int
    activation_bits: int
    symmetric: bool
    ema_decay: float
    quant_delay: int | None
    vars_collection: str
    scope: str


@dataclass(frozen=True)
class Match:
    """A layer of a network.

    Attributes:
        layer: the convolution or product of matrices.
        end: the operation that the layer ends with: the activation, or without one the sum with the bias.
        bypass: the addition of another tensor before the activation; None without one.
        branch: the input of `bypass` that comes from the layer.
    """

    layer: Operation
    end: Operation
    bypass: Operation | None = None
    branch: Tensor | None = None


def quantize(graph: Graph, is_training: bool, weight_bits: int = 8, activation_bits: int = 8, symmetric: bool = False,
             ema_decay: float = 0.999, quant_delay: int | None = None,
             vars_collection: str = GraphKeys.GLOBAL_VARIABLES, scope: str | None = None) -> None:
    """Inserts fake quantization into a graph.

    Args:
        graph: the graph, which is changed.
        is_training: whether ranges follow the batches.
        weight_bits: the number of bits of weights.
        activation_bits: the number of bits of activations.
        symmetric: whether ranges are as wide below zero as above.
        ema_decay: how slowly the averages of the ranges of activations change.
        quant_delay: after how many steps to quantize; None for at once.
        vars_collection: a collection of the variables of ranges.
        scope: the name scope of the operations to quantize; None for all.
    """
    settings = Settings(is_training, weight_bits, activation_bits, symmetric, ema_decay, quant_delay, vars_collection,
                        scope.rstrip("/") + "/" if scope else "")
    with graph.as_default(), graph.name_scope(None):
        weights: dict[Tensor, Tensor] = {}
        for match in _matches(graph, settings.scope):
            _quantize_weights(match, settings, weights)
            _quantize_activations(match, settings)
        _quantize_arithmetic(graph, settings)


def _matches(graph: Graph, scope: str) -> list[Match]:
    found: dict[Operation, Match] = {}
    operations = list(graph.get_operations())
    layers = [op for op in operations if op.type in LAYERS and _has_weights(op)]
    for types in (_RELUS, ("Identity",)):
        for op in operations:
            match = _ended_by(op) if op.type in types and op.name.startswith(scope) else None
            if match is not None and match.layer not in found:
                found[match.layer] = match
    for layer in layers:
        end = None if layer in found else _end_without_activation(layer)
        if end is not None:
            found[layer] = Match(layer, end)
    return [found[layer] for layer in layers if layer in found]


def _has_weights(layer: Operation) -> bool:
    """Whether weights are a variable, or one with folded batch normalization, that is not quantized yet."""
    weights = layer.inputs[1]
    is_folded = weights.op.type == "Mul" and weights.op.name.endswith("mul_fold")
    return (is_folded or is_variable(weights)) and not has_operation(layer.graph, f"{layer.name}_Fold")


def _ended_by(activation: Operation) -> Match | None:
    tensor, users = activation.inputs[0], activation.outputs[0].consumers()
    if activation.control_inputs and any(user.type == "Identity" for user in users):
        return None                    # it only makes the normalization wait for the updates of moving averages
    layer = _biased_layer(tensor)
    if layer is not None:
        return Match(layer, activation)
    bypass = _without_identities(tensor)
    if bypass.type not in ADDS:
        return None
    for branch in bypass.inputs:
        layer = _biased_layer(branch)
        if layer is not None:
            return Match(layer, activation, bypass, branch)
    return None


def _without_identities(tensor: Tensor) -> Operation:
    while tensor.op.type == "Identity":
        tensor = tensor.op.inputs[0]
    return tensor.op


def _biased_layer(tensor: Tensor) -> Operation | None:
    """The layer that a tensor comes from, with or without a bias."""
    op = _without_identities(tensor)
    inputs = [op.inputs[0]] if op.type == "BiasAdd" else list(op.inputs) if op.type in ADDS else [op.outputs[0]]
    for each in inputs:
        source = source_of(_before_correction(each), ("Identity", "BatchToSpaceND"))
        if source is not None and _has_weights(source.layer):
            return source.layer
    return None


def _before_correction(tensor: Tensor) -> Tensor:
    """The output of a layer with folded normalization, before what corrects it."""
    for name in ("correction_add", "post_conv_mul"):
        if tensor.op.name.endswith(name):
            tensor = tensor.op.inputs[0]
    return tensor


def _end_without_activation(layer: Operation) -> Operation | None:
    """The sum with the bias; the layer itself if another layer or a sum uses it."""
    op = layer
    for names in (("BatchToSpaceND",), ("post_conv_mul",), ("correction_add",), ("BiasAdd", *ADDS)):
        users = [user for user in op.outputs[0].consumers()
                 if user.type in names or user.name.rpartition("/")[2] in names]
        op = users[0] if users else op
    is_used = any(user.type in LAYERS for user in op.outputs[0].consumers())
    return op if op.type in ("BiasAdd", *ADDS) or is_used else None


def _quantize_weights(match: Match, settings: Settings, done: dict[Tensor, Tensor]) -> None:
    weights = match.layer.inputs[1]
    if not match.layer.name.startswith(settings.scope):
        return
    if weights in done:
        reroute_ts(done[weights], weights, [match.layer])
        return
    quantized = _insert(scope_of(match.layer) + "weights_quant", weights, [match.layer], settings, is_weights=True)
    if quantized is not None:
        done[weights] = quantized


def _quantize_activations(match: Match, settings: Settings) -> None:
    own = scope_of(match.layer)
    outer = parent(own[:-1]) + "/" if "/" in own[:-1] else ""
    if match.bypass is not None:
        _insert(own + "conv_quant", match.branch, [match.bypass], settings)
    output = match.end.outputs[0]
    _insert((own if match.bypass is None else outer) + "act_quant", output, output.consumers(), settings)
    sums = [user for form in _quantized_forms(output) for user in _users(form)
            if user.type in ADDS and user.name.rpartition("/")[2] not in ("add_fold", "correction_add")]
    if sums and not any(user.type in _RELUS for user in sums[0].outputs[0].consumers()):
        total = sums[0].outputs[0]
        _insert(outer + "post_activation_bypass_quant", total, total.consumers(), settings)


def _users(tensor: Tensor) -> Iterator[Operation]:
    """The operations that use a tensor, also by way of identities."""
    for user in tensor.consumers():
        yield user
        if user.type == "Identity":
            yield from _users(user.outputs[0])


def _quantized_forms(tensor: Tensor) -> list[Tensor]:
    """The tensor's quantized value, delayed or not."""
    fakes = [user.outputs[0] for user in tensor.consumers() if user.type in FAKE]
    delayed = [output for fake in fakes for user in fake.consumers() if "delayed_quant" in user.name
               for output in user.outputs]
    return [*delayed, *(identity.outputs[0] for each in delayed for identity in each.consumers()
                        if identity.type == "Identity" and "delayed_quant" in identity.name), *fakes]


def _quantize_arithmetic(graph: Graph, settings: Settings) -> None:
    """Quantizes sums and products of quantized activations."""
    sources = {form for op in graph.get_operations() if op.type in _RELUS
               for form in _quantized_forms(op.outputs[0])}
    for op in list(graph.get_operations()):
        if op.type not in _ARITHMETIC or not any(_passed(tensor) in sources for tensor in op.inputs):
            continue
        relus = [user for user in op.outputs[0].consumers() if user.type in _RELUS]
        end = relus[0] if relus else op
        if not _quantized_forms(end.outputs[0]):
            _insert(f"{end.name}/activation_{end.type}_quant", end.outputs[0], end.outputs[0].consumers(), settings)
        sources.update(_quantized_forms(end.outputs[0]))


def _passed(tensor: Tensor) -> Tensor:
    """What a tensor is, before operations that only arrange it."""
    while tensor.op.type in _PASSING and not _is_delayed(tensor):
        tensor = tensor.op.inputs[0]
    return tensor


def _is_delayed(tensor: Tensor) -> bool:
    return "delayed_quant" in tensor.op.name


def _insert(name: str, tensor: Tensor, users: list[Operation], settings: Settings,
            is_weights: bool = False) -> Tensor | None:
    """Inserts fake quantization between a tensor and its users; None if it is quantized already or out of scope."""
    is_inside = (users[0] if is_weights else tensor.op).name.startswith(settings.scope)
    if not is_inside or any(_is_quantized(user) for user in users):
        return None
    common: dict[str, Any] = {"name_prefix": name, "is_training": settings.is_training,
                              "symmetric": settings.symmetric, "vars_collection": settings.vars_collection}
    if is_weights:
        quantized = last_value(tensor, num_bits=settings.weight_bits, narrow_range=True, **common)
    else:
        low = 0.0 if tensor.op.type in _RELUS else -6.0
        quantized = moving_average(tensor, init_min=low, ema_decay=settings.ema_decay,
                                   num_bits=settings.activation_bits, **common)
    if settings.quant_delay and settings.quant_delay > 0:
        quantized = _delayed(name, tensor, quantized, settings.quant_delay)
    reroute_ts(quantized, tensor, users)
    return quantized


def _is_quantized(user: Operation) -> bool:
    """Whether an operation, or what arranges its output, is fake quantization."""
    return user.type in FAKE or (user.type in _PASSING
                                 and any(_is_quantized(each) for each in user.outputs[0].consumers()))


def _delayed(name: str, tensor: Tensor, quantized: Tensor, delay: int) -> Tensor:
    with name_scope(f"{name}/"):
        is_active = elementwise.greater_equal(quantization_step(), convert_to_tensor(delay, dtypes.int64,
                                              name="activate_quant/y"), name="activate_quant")
        return control_flow.cond(is_active, lambda: quantized, lambda: tensor, name="delayed_quant")
