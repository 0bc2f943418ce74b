# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.examples.tutorials.mnist.mnist."""

from evergraph import Tensor
from typing import Any

IMAGE_PIXELS: int
IMAGE_SIZE: int
NUM_CLASSES: int

def evaluation(logits: Tensor, labels: Tensor) -> Tensor:
    """How many of the largest logits are those of the labels."""

def inference(images: Tensor, hidden1_units: int, hidden2_units: int) -> Tensor:
    """The logits of images, [batch, 10]."""

def loss(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean cross entropy of the labels, [batch], as integers."""

def training(loss: Tensor, learning_rate: float) -> Any:
    """The operation of a training step by gradient descent, with a summary of the loss."""
