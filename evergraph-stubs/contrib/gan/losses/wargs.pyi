# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.gan.losses.wargs."""

from typing import Any

def acgan_discriminator_loss(
    discriminator_real_classification_logits: Any, discriminator_gen_classification_logits: Any,
    one_hot_labels: Any, label_smoothing: float = 0.0, real_weights: Any = 1.0,
    generated_weights: Any = 1.0, scope: str | None = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights', add_summaries: bool = False,
) -> Any:
    """The cross entropy of the classes of real and of generated data."""

def acgan_generator_loss(
    discriminator_gen_classification_logits: Any, one_hot_labels: Any, weights: Any = 1.0,
    scope: str | None = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights', add_summaries: bool = False,
) -> Any:
    """The cross entropy of the classes of generated data (Odena, Olah and Shlens, 2016)."""

def combine_adversarial_loss(
    main_loss: Any, adversarial_loss: Any, weight_factor: Any = None, gradient_ratio: Any = None,
    gradient_ratio_epsilon: float = 1e-06, variables: Any = None, scalar_summaries: bool = True,
    gradient_summaries: bool = True, scope: str | None = None,
) -> Any:
    """A loss plus an adversarial one, weighted by a factor."""

def least_squares_discriminator_loss(
    discriminator_real_outputs: Any, discriminator_gen_outputs: Any, real_label: float = 1,
    fake_label: float = 0, real_weights: Any = 1.0, generated_weights: Any = 1.0, scope: str | None = None,
    loss_collection: Any = 'losses', reduction: Any = 'weighted_sum_by_nonzero_weights',
    add_summaries: bool = False,
) -> Any:
    """The least squares loss of a discriminator."""

def least_squares_generator_loss(
    discriminator_gen_outputs: Any, real_label: float = 1, weights: Any = 1.0, scope: str | None = None,
    loss_collection: Any = 'losses', reduction: Any = 'weighted_sum_by_nonzero_weights',
    add_summaries: bool = False,
) -> Any:
    """The least squares loss of a generator (Mao and others, 2017)."""

def minimax_discriminator_loss(
    discriminator_real_outputs: Any, discriminator_gen_outputs: Any, label_smoothing: float = 0.25,
    real_weights: Any = 1.0, generated_weights: Any = 1.0, scope: str | None = None,
    loss_collection: Any = 'losses', reduction: Any = 'weighted_sum_by_nonzero_weights',
    add_summaries: bool = False,
) -> Any:
    """The loss of a discriminator that tells real data from generated data (Goodfellow and others,
    2014)."""

def minimax_generator_loss(
    discriminator_gen_outputs: Any, label_smoothing: float = 0.0, weights: Any = 1.0,
    scope: str | None = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights', add_summaries: bool = False,
) -> Any:
    """The loss of a generator that is minus the discriminator's, on generated data."""

modified_discriminator_loss = minimax_discriminator_loss

def modified_generator_loss(
    discriminator_gen_outputs: Any, label_smoothing: float = 0.0, weights: Any = 1.0,
    scope: str | None = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights', add_summaries: bool = False,
) -> Any:
    """The loss of a generator whose data should be taken for real."""

def mutual_information_penalty(
    structured_generator_inputs: Any, predicted_distributions: Any, weights: Any = 1.0,
    scope: str | None = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights', add_summaries: bool = False,
) -> Any:
    """Minus the log probability that the discriminator gives to the structured inputs (Chen and others,
    2016)."""

def wasserstein_discriminator_loss(
    discriminator_real_outputs: Any, discriminator_gen_outputs: Any, real_weights: Any = 1.0,
    generated_weights: Any = 1.0, scope: str | None = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights', add_summaries: bool = False,
) -> Any:
    """The Wasserstein loss of a critic: what it says of generated data minus what it says of real data."""

def wasserstein_generator_loss(
    discriminator_gen_outputs: Any, weights: Any = 1.0, scope: str | None = None,
    loss_collection: Any = 'losses', reduction: Any = 'weighted_sum_by_nonzero_weights',
    add_summaries: bool = False,
) -> Any:
    """The Wasserstein loss of a generator (Arjovsky, Chintala and Bottou, 2017): minus what the critic
    says."""

def wasserstein_gradient_penalty(
    real_data: Any, generated_data: Any, generator_inputs: Any, discriminator_fn: Any,
    discriminator_scope: Any, epsilon: float = 1e-10, target: float = 1.0, one_sided: bool = False,
    weights: Any = 1.0, scope: str | None = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights', add_summaries: bool = False,
) -> Any:
    """How far the norm of the critic's gradient is from `target`, between real and generated data
    (Gulrajani and others, 2017)."""
