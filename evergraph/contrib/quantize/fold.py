"""Folds batch normalization into the weights of the layers before it, as inference does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evergraph.base import dtypes
from evergraph.contrib.graph_editor.edges import reroute_ts
from evergraph.contrib.quantize.ranges import quantization_step
from evergraph.contrib.quantize.walk import ADDS, has_operation, is_variable, scope_of, source_of
from evergraph.frontend import array, control_flow
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.nn.normalize import moments
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.math import elementwise

_FUSED = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")


@dataclass(frozen=True)
class Norm:
    """A batch normalization.

    Attributes:
        layer: the convolution or product that it normalizes.
        spread: the BatchToSpaceND between them, of a convolution with holes.
        output: the normalized tensor.
        multiplier: gamma / sqrt(variance + epsilon).
        bias: beta - mean * multiplier.
        mean: of the batch, or the moving average.
        variance: of the batch, or the moving average.
        epsilon: a scalar.
        averages: the updates of the moving averages of mean and variance; None without them.
    """

    layer: Operation
    spread: Operation | None
    output: Tensor
    multiplier: Tensor
    bias: Tensor
    mean: Tensor
    variance: Tensor
    epsilon: Any
    averages: tuple[Average, Average] | None


@dataclass(frozen=True)
class Average:
    """The update of a moving average.

    Attributes:
        value: the average before the update.
        product: the Mul of the difference and 1 - decay.
    """

    value: Tensor
    product: Operation


def fold_batch_norms(graph: Graph, is_training: bool, freeze_batch_norm_delay: int | None = None) -> None:
    """Replaces layers that are normalized by layers with folded weights.

    In training the weights are scaled by moving averages, which change little from batch to batch, so that their
    quantization is stable; the product is then scaled to what the statistics of the batch give. After
    `freeze_batch_norm_delay` steps the averages stay, and are used in place of the statistics of the batch.

    Args:
        graph: the graph, which is changed.
        is_training: whether the graph is one for training.
        freeze_batch_norm_delay: a number of steps; None for never.
    """
    with graph.as_default(), graph.name_scope(None):
        for op in list(graph.get_operations()):
            norm = _fused(op) if op.type in _FUSED else _unfused(op) if op.type in ADDS else None
            if norm is not None:
                _fold(norm, op.type in _FUSED, is_training, freeze_batch_norm_delay)


def _fused(op: Operation) -> Norm | None:
    source = source_of(op.inputs[0], ("Identity", "Reshape", "BatchToSpaceND"))
    if source is None or not _is_open(source.layer):
        return None
    output = op.outputs[0]
    if source.layer.type == "MatMul":
        flat = [user.outputs[0] for user in output.consumers() if user.type == "Reshape"]
        output = flat[0] if flat else output
    if not output.consumers():
        return None
    of_batch = op.get_attr("is_training")
    averages = _averages(op.outputs[1], op.outputs[2]) if of_batch else None
    epsilon = op.get_attr("epsilon")
    with name_scope(scope_of(source.layer) + "BatchNorm_Fold"):
        mean, variance = _statistics(op) if of_batch else (op.inputs[3], op.inputs[4])
        multiplier = elementwise.mul(op.inputs[1], elementwise.rsqrt(variance + epsilon), name="mul")
        bias = elementwise.sub(op.inputs[2], mean * multiplier, name="bias")
    spread = next((each for each in source.between if each.type == "BatchToSpaceND"), None)
    return Norm(source.layer, spread, output, multiplier, bias, mean, variance, epsilon, averages)


def _is_open(layer: Operation) -> bool:
    """Whether a layer has a variable for weights and has not been folded yet."""
    return is_variable(layer.inputs[1]) and not has_operation(layer.graph, f"{layer.name}_Fold")


def _statistics(op: Operation) -> tuple[Tensor, Tensor]:
    """Mean and variance of a batch, through which gradients pass; they do not pass through FusedBatchNorm's."""
    is_last = op.get_attr("data_format") == b"NHWC"
    return moments(op.inputs[0], [0, 1, 2] if is_last else [0, 2, 3], name="moments")


def _unfused(op: Operation) -> Norm | None:
    """The normalization x * multiplier + bias that ends with an addition."""
    scaled, bias = (tensor.op for tensor in op.inputs)
    if scaled.type != "Mul" or bias.type not in ("Sub", "Neg") or not op.outputs[0].consumers():
        return None
    source, multiplier = source_of(scaled.inputs[0], ("Identity", "BatchToSpaceND")), scaled.inputs[1]
    shift = bias.inputs[-1].op
    root = multiplier.op if multiplier.op.type != "Mul" else multiplier.op.inputs[0].op
    if (source is None or root.type != "Rsqrt" or shift.type != "Mul" or multiplier not in list(shift.inputs)
            or root.inputs[0].op.type not in ADDS or not _is_open(source.layer)):
        return None
    mean = next(each for each in shift.inputs if each is not multiplier)
    variance, epsilon = root.inputs[0].op.inputs
    spread = next((each for each in source.between if each.type == "BatchToSpaceND"), None)
    return Norm(source.layer, spread, op.outputs[0], multiplier, bias.outputs[0], mean, variance, epsilon,
                _averages(mean, variance))


def _averages(mean: Tensor, variance: Tensor) -> tuple[Average, Average] | None:
    # Updates that a layer waits for stand behind an Identity of the statistics.
    of_mean, of_variance = (_average(each.op.inputs[0] if each.op.type == "Identity" else each)
                            for each in (mean, variance))
    return None if of_mean is None or of_variance is None else (of_mean, of_variance)


def _average(statistic: Tensor) -> Average | None:
    """The update average -= (average - statistic) * (1 - decay)."""
    for difference in statistic.consumers():
        if difference.type == "Sub" and difference.inputs[1] is statistic:
            for product in difference.outputs[0].consumers():
                if product.type == "Mul" and any(user.type in ("AssignSub", "AssignSubVariableOp")
                                                 for user in product.outputs[0].consumers()):
                    return Average(difference.inputs[0], product)
    return None


def _fold(norm: Norm, is_fused: bool, is_training: bool, delay: int | None) -> None:
    layer, scope = norm.layer, scope_of(norm.layer)
    prefix = f"{scope}BatchNorm_Fold/" if is_fused else scope
    weights, correction = layer.inputs[1], None
    multiplier = _for_weights(layer, norm.multiplier, f"{prefix}scale_reshape")
    if is_training and norm.averages is not None:
        correction = _correction(norm, scope, delay)
        weights = elementwise.mul(weights, _for_weights(layer, correction.scale, f"{prefix}correction_reshape"),
                                       name=f"{scope}correction_mult")
    folded = elementwise.mul(weights, multiplier, name=f"{scope}mul_fold")
    product = _cloned(layer, [layer.inputs[0], folded], f"{layer.name}_Fold")
    if norm.spread is not None:
        name = scope + norm.spread.name.rpartition("/")[2] if is_fused else norm.spread.name
        product = _cloned(norm.spread, [product, *list(norm.spread.inputs)[1:]], f"{name}_Fold")
    if correction is not None:
        product = elementwise.mul(product, _for_output(layer, correction.inverse), name=f"{scope}post_conv_mul")
        product = elementwise.add(product, _for_output(layer, correction.offset), name=f"{scope}correction_add")
    output = elementwise.add(product, _for_output(layer, norm.bias), name=f"{scope}add_fold")
    reroute_ts(output, norm.output)


def _cloned(op: Operation, inputs: list[Tensor], name: str) -> Tensor:
    clone = op.graph.create_op(op.type, inputs, name=name, attrs=dict(op.node_def.attr))
    clone._set_device(op.device)
    return clone.outputs[0]


def _for_weights(layer: Operation, vector: Tensor, name: str) -> Tensor:
    """A value for each output channel, in a shape that multiplies the weights."""
    if layer.type != "DepthwiseConv2dNative":
        return vector
    return array.reshape(vector, array.shape(layer.inputs[1])[2:4] if not layer.inputs[1].shape.is_fully_defined()
                         else layer.inputs[1].shape.as_list()[2:], name=name)


def _for_output(layer: Operation, vector: Tensor) -> Tensor:
    """A value for each output channel, in a shape that multiplies the layer's output."""
    is_first = layer.type != "MatMul" and layer.get_attr("data_format") == b"NCHW"
    return array.reshape(vector, [-1, 1, 1]) if is_first else vector


@dataclass(frozen=True)
class _Correction:
    """What stands between the weights of moving averages and the statistics of the batch.

    Attributes:
        scale: the multiplier of the moving average, divided by that of the batch.
        inverse: what scales the layer's output back: 1 / scale, or 1 once the averages are frozen.
        offset: what is added: zero, or the difference of the biases once the averages are frozen.
    """

    scale: Tensor
    inverse: Tensor
    offset: Tensor


def _correction(norm: Norm, scope: str, delay: int | None) -> _Correction:
    assert norm.averages is not None
    mean, variance = (each.value for each in norm.averages)
    with name_scope(f"{scope}batch_norm_correction"):
        scale = elementwise.sqrt(norm.variance + norm.epsilon) * elementwise.rsqrt(variance + norm.epsilon)
        inverse, offset = elementwise.reciprocal(scale), array.zeros_like(norm.mean)
        if delay is None:
            return _Correction(scale, inverse, offset)
        is_frozen = elementwise.greater_equal(quantization_step(), convert_to_tensor(delay, dtypes.int64),
                                              name="use_mv_avg")
        inverse = control_flow.cond(is_frozen, lambda: array.ones_like(scale), lambda: inverse,
                                    name="correction_recip")
        frozen = norm.multiplier * (norm.mean - mean * scale)
        offset = control_flow.cond(is_frozen, lambda: frozen, lambda: array.zeros_like(frozen),
                                   name="correction_offset")
        for average, name in zip(norm.averages, ("freeze_moving_mean", "freeze_moving_var")):
            rate = average.product.inputs[1]
            kept = control_flow.cond(is_frozen, lambda rate=rate: array.zeros_like(rate), lambda rate=rate: rate,
                                     name=name)
            average.product._update_input(1, kept)
        return _Correction(scale, inverse, offset)
