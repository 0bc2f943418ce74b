"""tensorflow.examples.tutorials.mnist.mnist: the network of TensorFlow's tutorials, with two hidden layers."""

from __future__ import annotations

import math as numbers
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export, names_in
from evergraph.frontend import math
from evergraph.frontend.array import zeros
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import in_top_k
from evergraph.frontend.random import truncated_normal
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.node import Tensor
from evergraph.losses.entropy import sparse_softmax_cross_entropy
from evergraph.ops.nn.activations import relu
from evergraph.summary.summaries import scalar
from evergraph.train.gradient_descent import GradientDescentOptimizer

_names = names_in("examples.tutorials.mnist.mnist")
NUM_CLASSES = export(*_names("NUM_CLASSES"))(10)
IMAGE_SIZE = export(*_names("IMAGE_SIZE"))(28)
IMAGE_PIXELS = export(*_names("IMAGE_PIXELS"))(IMAGE_SIZE * IMAGE_SIZE)


@export(*_names("inference"))
def inference(images: Tensor, hidden1_units: int, hidden2_units: int) -> Tensor:
    """The logits of images, [batch, 10].

    Args:
        images: a tensor [batch, 784].
        hidden1_units, hidden2_units: the sizes of the hidden layers.
    """
    first = relu(_layer("hidden1", images, IMAGE_PIXELS, hidden1_units))
    second = relu(_layer("hidden2", first, hidden1_units, hidden2_units))
    return _layer("softmax_linear", second, hidden2_units, NUM_CLASSES)


def _layer(name: str, inputs: Tensor, width: int, units: int) -> Tensor:
    with name_scope(name):
        start = truncated_normal([width, units], stddev=1.0 / numbers.sqrt(width))
        weights = Variable(start, name="weights")
        biases = Variable(zeros([units]), name="biases")
        return matmul(inputs, weights) + biases


@export(*_names("loss"))
def loss(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean cross entropy of the labels, [batch], as integers."""
    return sparse_softmax_cross_entropy(labels=math.cast(labels, dtypes.int64), logits=logits)


@export(*_names("training"))
def training(loss: Tensor, learning_rate: float) -> Any:
    """The operation of a training step by gradient descent, with a summary of the loss.

    Args:
        loss: the loss.
        learning_rate: the learning rate.
    """
    scalar("loss", loss)
    step = Variable(0, name="global_step", trainable=False)
    return GradientDescentOptimizer(learning_rate).minimize(loss, global_step=step)


@export(*_names("evaluation"))
def evaluation(logits: Tensor, labels: Tensor) -> Tensor:
    """How many of the largest logits are those of the labels."""
    return reduce_sum(math.cast(in_top_k(logits, labels, 1), dtypes.int32))
