# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.gan.losses."""

from evergraph.contrib.gan import CycleGANModel, GANLoss
from typing import Any
from evergraph.contrib.gan.losses import wargs as wargs

def acgan_discriminator_loss(gan_model: Any, **kwargs: Any) -> Any:
    """`tf.contrib.gan.losses.wargs.acgan_discriminator_loss`, with tensors of a GANModel."""

def acgan_generator_loss(gan_model: Any, **kwargs: Any) -> Any:
    """`tf.contrib.gan.losses.wargs.acgan_generator_loss`, with tensors of a GANModel."""

def combine_adversarial_loss(
    gan_loss: GANLoss, gan_model: Any, non_adversarial_loss: Any, weight_factor: Any = None,
    gradient_ratio: Any = None, gradient_ratio_epsilon: float = 1e-06, scalar_summaries: bool = True,
    gradient_summaries: bool = True,
) -> GANLoss:
    """A GANLoss whose generator also has another loss; see
    `tf.contrib.gan.losses.wargs.combine_adversarial_loss`."""

def cycle_consistency_loss(
    cyclegan_model: CycleGANModel, scope: str | None = None, add_summaries: bool = False,
) -> Any:
    """How much of x and y is lost on the way to the other and back (Zhu, Park, Isola and Efros, 2017)."""

def least_squares_discriminator_loss(gan_model: Any, **kwargs: Any) -> Any:
    """`tf.contrib.gan.losses.wargs.least_squares_discriminator_loss`, with tensors of a GANModel."""

def least_squares_generator_loss(gan_model: Any, **kwargs: Any) -> Any:
    """`tf.contrib.gan.losses.wargs.least_squares_generator_loss`, with tensors of a GANModel."""

def minimax_discriminator_loss(gan_model: Any, **kwargs: Any) -> Any:
    """`tf.contrib.gan.losses.wargs.minimax_discriminator_loss`, with tensors of a GANModel."""

def minimax_generator_loss(gan_model: Any, **kwargs: Any) -> Any:
    """`tf.contrib.gan.losses.wargs.minimax_generator_loss`, with tensors of a GANModel."""

modified_discriminator_loss = minimax_discriminator_loss

def modified_generator_loss(gan_model: Any, **kwargs: Any) -> Any:
    """`tf.contrib.gan.losses.wargs.modified_generator_loss`, with tensors of a GANModel."""

def mutual_information_penalty(gan_model: Any, **kwargs: Any) -> Any:
    """`tf.contrib.gan.losses.wargs.mutual_information_penalty`, with tensors of a GANModel."""

def wasserstein_discriminator_loss(gan_model: Any, **kwargs: Any) -> Any:
    """`tf.contrib.gan.losses.wargs.wasserstein_discriminator_loss`, with tensors of a GANModel."""

def wasserstein_generator_loss(gan_model: Any, **kwargs: Any) -> Any:
    """`tf.contrib.gan.losses.wargs.wasserstein_generator_loss`, with tensors of a GANModel."""

def wasserstein_gradient_penalty(gan_model: Any, **kwargs: Any) -> Any:
    """`tf.contrib.gan.losses.wargs.wasserstein_gradient_penalty`, with tensors of a GANModel."""
