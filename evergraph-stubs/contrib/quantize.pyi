# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.quantize."""

from evergraph import Graph

import sys
if sys.platform == "":
    del (
        fold, insert, patterns, ranges, rewrite, walk,
    )

def create_eval_graph(input_graph: Graph | None = None) -> None:
    """Rewrites a graph for evaluation with the ranges that training found; see `create_training_graph`."""

def create_training_graph(input_graph: Graph | None = None, quant_delay: int = 0) -> None:
    """Rewrites a graph for training with simulated quantization, before the optimizer is added."""

def experimental_create_eval_graph(
    input_graph: Graph | None = None, weight_bits: int = 8, activation_bits: int = 8,
    symmetric: bool = False, quant_delay: int | None = None, scope: str | None = None,
) -> None:
    """`create_eval_graph` with more choices; see `experimental_create_training_graph`."""

def experimental_create_training_graph(
    input_graph: Graph | None = None, weight_bits: int = 8, activation_bits: int = 8,
    symmetric: bool = False, quant_delay: int = 0, freeze_bn_delay: int | None = None,
    scope: str | None = None,
) -> None:
    """`create_training_graph` with more choices."""
