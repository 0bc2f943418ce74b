"""tf.contrib.quantize: rewrites a graph for training or evaluation with simulated quantization."""

from __future__ import annotations

from evergraph.base.export import export
from evergraph.contrib.quantize.fold import fold_batch_norms
from evergraph.contrib.quantize.insert import quantize
from evergraph.graph.graph import Graph, default_graph

_TRAINING = ("Apply", "ResourceApply", "SparseApply", "ResourceSparseApply")


@export("contrib.quantize.create_training_graph")
def create_training_graph(input_graph: Graph | None = None, quant_delay: int = 0) -> None:
    """Rewrites a graph for training with simulated quantization, before the optimizer is added.

    Batch normalization is folded into weights. Weights and activations are rounded to 8 bits; gradients pass as if
    they were not. The ranges of activations are moving averages, in variables that are saved with the others.

    >>> net = tf.layers.dense(tf.ones([2, 3]), 4, activation=tf.nn.relu)
    >>> tf.contrib.quantize.create_training_graph()

    Args:
        input_graph: the graph; the default graph without one.
        quant_delay: after how many steps to round.

    Raises:
        ValueError: the graph has an operation of an optimizer.
    """
    _rewrite(input_graph, True, quant_delay=quant_delay)


@export("contrib.quantize.create_eval_graph")
def create_eval_graph(input_graph: Graph | None = None) -> None:
    """Rewrites a graph for evaluation with the ranges that training found; see `create_training_graph`."""
    _rewrite(input_graph, False)


@export("contrib.quantize.experimental_create_training_graph")
def experimental_create_training_graph(input_graph: Graph | None = None, weight_bits: int = 8,
                                       activation_bits: int = 8, symmetric: bool = False, quant_delay: int = 0,
                                       freeze_bn_delay: int | None = None, scope: str | None = None) -> None:
    """`create_training_graph` with more choices.

    Args:
        input_graph: the graph; the default graph without one.
        weight_bits: the number of bits of weights.
        activation_bits: the number of bits of activations.
        symmetric: whether ranges are as wide below zero as above.
        quant_delay: after how many steps to round.
        freeze_bn_delay: after how many steps batch normalization uses its moving averages, which then stay.
        scope: the name scope of what is rounded; all without one.

    Raises:
        ValueError: the graph has an operation of an optimizer.
    """
    _rewrite(input_graph, True, weight_bits, activation_bits, symmetric, quant_delay, freeze_bn_delay, scope)


@export("contrib.quantize.experimental_create_eval_graph")
def experimental_create_eval_graph(input_graph: Graph | None = None, weight_bits: int = 8, activation_bits: int = 8,
                                   symmetric: bool = False, quant_delay: int | None = None,
                                   scope: str | None = None) -> None:
    """`create_eval_graph` with more choices; see `experimental_create_training_graph`."""
    _rewrite(input_graph, False, weight_bits, activation_bits, symmetric, quant_delay, None, scope)


def _rewrite(graph: Graph | None, is_training: bool, weight_bits: int = 8, activation_bits: int = 8,
             symmetric: bool = False, quant_delay: int | None = None, freeze_bn_delay: int | None = None,
             scope: str | None = None) -> None:
    graph = graph or default_graph()
    if is_training:
        _refuse_training_ops(graph)
    fold_batch_norms(graph, is_training, freeze_bn_delay)
    quantize(graph, is_training, weight_bits, activation_bits, symmetric, quant_delay=quant_delay, scope=scope)


def _refuse_training_ops(graph: Graph) -> None:
    for op in graph.get_operations():
        if op.type.startswith(_TRAINING):
            raise ValueError(f"Training op found in graph: {op.name} ({op.type}). Rewrite the graph before the "
                             "optimizer adds gradients, which would be those of the graph without quantization")
