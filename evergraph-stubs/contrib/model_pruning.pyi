# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.model_pruning."""

from collections.abc import Sequence
from evergraph import GraphDef, Operation, Tensor
from evergraph.contrib.training import HParams
from evergraph.nn.rnn_cell import BasicLSTMCell, LSTMCell
from typing import Any

import sys
if sys.platform == "":
    del (
        blocks, layers, masks, pruning, strip, training,
    )

class MaskedBasicLSTMCell(BasicLSTMCell):
    """An LSTM cell whose kernel has a mask."""
    def build(self, input_shape: Any) -> None:
        """Makes the variables, and masks the kernel."""

class MaskedLSTMCell(LSTMCell):
    """An LSTM cell whose kernel has a mask; a projection has none."""
    def build(self, input_shape: Any) -> None:
        """Makes the variables, and masks the kernel."""

class Pruning:
    """Prunes the weights of a graph that have a mask, by their magnitude (Zhu and Gupta, 2017)."""
    def mask_update_op(self) -> Operation:
        """The operation that sets all masks and thresholds for the weights as they are."""
    def conditional_mask_update_op(self) -> Tensor:
        """The operation that changes masks in the steps that the hyperparameters say."""
    def add_pruning_summaries(self) -> None:
        """Adds summaries of the sparsity of all masks and of their thresholds."""
    def print_hparams(self) -> None:
        """Logs the hyperparameters."""
    def __init__(self, spec: HParams | None = None, global_step: Any = None, sparsity: Any = None) -> None: ...

def apply_mask(x: Any, scope: Any = '') -> Tensor:
    """Weights with a mask of ones, which `tf.contrib.model_pruning.Pruning` sets to zero where they are
    small."""

def get_masked_weights() -> list[Any]:
    """The masked weights of the graph."""

def get_masks() -> list[Any]:
    """The masks of the graph."""

def get_pruning_hparams() -> HParams:
    """The hyperparameters of pruning, with their defaults."""

def get_thresholds() -> list[Any]:
    """The thresholds of the graph: weights whose magnitude is less are masked."""

def get_weight_sparsity() -> list[Tensor]:
    """The share of zeros in each mask."""

def get_weights() -> list[Any]:
    """The weights of the graph that have a mask."""

def graph_from_checkpoint(checkpoint_dir: str, output_node_names: Sequence[str]) -> GraphDef:
    """The GraphDef of the last checkpoint in a folder, with its MetaGraph beside it; variables are
    constants."""

masked_conv2d = masked_convolution

def masked_convolution(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = 'SAME',
    data_format: str | None = None, rate: Any = 1, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """`tf.contrib.layers.conv2d` whose weights have a mask."""

def masked_fully_connected(
    inputs: Any, num_outputs: int, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """`tf.contrib.layers.fully_connected` whose weights have a mask."""

def strip_pruning_vars_fn(input_graph_def: Any, output_node_names: Sequence[str]) -> GraphDef:
    """A graph in which products of a weight and its mask are constants."""

def train(
    train_op: Any, logdir: str | None, mask_update_op: Any, train_step_fn: Any = ..., **kwargs: Any,
) -> Any:
    """`tf.contrib.slim.learning.train` that runs an operation after each step."""
