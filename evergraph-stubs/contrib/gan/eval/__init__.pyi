# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.gan.eval."""

from evergraph import Tensor
from typing import Any
from evergraph.contrib.gan.eval import eval_utils as eval_utils

def add_gan_model_image_summaries(
    gan_model: Any, grid_size: int = 4, model_summaries: bool = True,
) -> None:
    """Adds summaries with grids of real and generated images."""

def add_gan_model_summaries(gan_model: Any) -> None:
    """Adds histograms of all variables of a model, or of both models of a CycleGANModel."""

def add_regularization_loss_summaries(gan_model: Any) -> None:
    """Adds the regularization losses of both networks as summaries, where they have some."""

def image_grid(
    input_tensor: Any, grid_shape: Any, image_shape: Any = ..., num_channels: int = 3,
) -> Tensor:
    """Images side by side: [1, rows * height, columns * width, channels]."""

def image_reshaper(images: Any, num_cols: int | None = None) -> Tensor:
    """A batch of images, or a list of images, in one picture; as near to a square as it goes without
    `num_cols`."""
