"""tf.contrib.gan.losses: losses of generators and discriminators, of models and, in `losses.wargs`, of tensors."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.gan.tuples import CycleGANModel, GANLoss
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys, add_to_collection
from evergraph.frontend.gradients import gradients
from evergraph.frontend.random import random_uniform
from evergraph.frontend.reduce import reduce_mean, reduce_sum
from evergraph.frontend.variables.scope import AUTO_REUSE, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.losses.distance import absolute_difference
from evergraph.losses.entropy import sigmoid_cross_entropy, softmax_cross_entropy
from evergraph.losses.weighting import Reduction, compute_weighted_loss
from evergraph.ops.math import elementwise
from evergraph.summary.summaries import scalar

_MEAN = Reduction.SUM_BY_NONZERO_WEIGHTS
_LOSSES = GraphKeys.LOSSES


def _of_model(name: str) -> Callable[[Any], Any]:
    """Exports a loss of tensors, and one that takes these tensors from a model by the names of the parameters."""

    def decorator(loss: Any) -> Any:
        own = inspect.signature(loss).parameters

        def of_model(gan_model: Any, **kwargs: Any) -> Any:
            taken = {field: getattr(gan_model, field) for field in own if hasattr(gan_model, field)}
            return loss(**{**taken, **kwargs})

        of_model.__name__ = of_model.__qualname__ = name
        of_model.__doc__ = f"`tf.contrib.gan.losses.wargs.{name}`, with tensors of a GANModel."
        OF_MODELS[name] = of_model
        return export(f"contrib.gan.losses.wargs.{name}")(loss)

    return decorator


OF_MODELS: dict[str, Any] = {}


def _summarized(add_summaries: bool, **losses: Any) -> None:
    if add_summaries:
        for name, loss in losses.items():
            scalar(name, loss)


@_of_model("wasserstein_generator_loss")
def wasserstein_generator_loss(discriminator_gen_outputs: Any, weights: Any = 1.0, scope: str | None = None,
                               loss_collection: Any = _LOSSES, reduction: Any = _MEAN,
                               add_summaries: bool = False) -> Any:
    """The Wasserstein loss of a generator (Arjovsky, Chintala and Bottou, 2017): minus what the critic says.

    Args:
        discriminator_gen_outputs: what the discriminator says of generated data.
        weights: of the losses, to be broadcast to them.
        scope: a name scope.
        loss_collection: the collections that get the loss.
        reduction: how losses of examples become one, a member of `tf.losses.Reduction`.
        add_summaries: whether the loss becomes a summary.
    """
    with name_scope(scope, "generator_wasserstein_loss", [discriminator_gen_outputs, weights]) as scope:
        losses = -math.cast(discriminator_gen_outputs, dtypes.float32)
        loss = compute_weighted_loss(losses, weights, scope, loss_collection, reduction)
        _summarized(add_summaries, generator_wass_loss=loss)
        return loss


@_of_model("wasserstein_discriminator_loss")
def wasserstein_discriminator_loss(discriminator_real_outputs: Any, discriminator_gen_outputs: Any,
                                   real_weights: Any = 1.0, generated_weights: Any = 1.0, scope: str | None = None,
                                   loss_collection: Any = _LOSSES, reduction: Any = _MEAN,
                                   add_summaries: bool = False) -> Any:
    """The Wasserstein loss of a critic: what it says of generated data minus what it says of real data.

    Args:
        discriminator_real_outputs: what the discriminator says of real data.
        discriminator_gen_outputs: what the discriminator says of generated data.
        real_weights: of the losses of real data.
        generated_weights: of the losses of generated data.
        scope: a name scope.
        loss_collection: the collections that get the loss.
        reduction: how losses of examples become one, a member of `tf.losses.Reduction`.
        add_summaries: whether the loss becomes a summary.
    """
    with name_scope(scope, "discriminator_wasserstein_loss",
                    [discriminator_real_outputs, discriminator_gen_outputs]) as scope:
        parts = [compute_weighted_loss(math.cast(outputs, dtypes.float32), weights, scope, None, reduction)
                 for outputs, weights in ((discriminator_gen_outputs, generated_weights),
                                          (discriminator_real_outputs, real_weights))]
        loss = parts[0] - parts[1]
        if loss_collection is not None:
            add_to_collection(loss_collection, loss)
        _summarized(add_summaries, discriminator_gen_wass_loss=parts[0], discriminator_real_wass_loss=parts[1],
                    discriminator_wass_loss=loss)
        return loss


@_of_model("minimax_discriminator_loss")
def minimax_discriminator_loss(discriminator_real_outputs: Any, discriminator_gen_outputs: Any,
                               label_smoothing: float = 0.25, real_weights: Any = 1.0, generated_weights: Any = 1.0,
                               scope: str | None = None, loss_collection: Any = _LOSSES, reduction: Any = _MEAN,
                               add_summaries: bool = False) -> Any:
    """The loss of a discriminator that tells real data from generated data (Goodfellow and others, 2014).

    Args:
        discriminator_real_outputs: what the discriminator says of real data.
        discriminator_gen_outputs: what the discriminator says of generated data.
        label_smoothing: how far the labels are moved from 0 and 1 towards each other.
        real_weights: of the losses of real data.
        generated_weights: of the losses of generated data.
        scope: a name scope.
        loss_collection: the collections that get the loss.
        reduction: how losses of examples become one, a member of `tf.losses.Reduction`.
        add_summaries: whether the loss becomes a summary.
    """
    with name_scope(scope, "discriminator_minimax_loss",
                    [discriminator_real_outputs, discriminator_gen_outputs]) as scope:
        real = sigmoid_cross_entropy(
            array.ones_like(discriminator_real_outputs), discriminator_real_outputs, real_weights, label_smoothing,
            scope, None, reduction)
        generated = sigmoid_cross_entropy(
            array.zeros_like(discriminator_gen_outputs), discriminator_gen_outputs, generated_weights, 0, scope, None,
            reduction)
        loss = real + generated
        if loss_collection is not None:
            add_to_collection(loss_collection, loss)
        _summarized(add_summaries, discriminator_gen_minimax_loss=generated, discriminator_real_minimax_loss=real,
                    discriminator_minimax_loss=loss)
        return loss


@_of_model("minimax_generator_loss")
def minimax_generator_loss(discriminator_gen_outputs: Any, label_smoothing: float = 0.0, weights: Any = 1.0,
                           scope: str | None = None, loss_collection: Any = _LOSSES, reduction: Any = _MEAN,
                           add_summaries: bool = False) -> Any:
    """The loss of a generator that is minus the discriminator's, on generated data.

    Args:
        discriminator_gen_outputs: what the discriminator says of generated data.
        label_smoothing: how far the labels are moved from 0 and 1 towards each other.
        weights: of the losses, to be broadcast to them.
        scope: a name scope.
        loss_collection: the collections that get the loss.
        reduction: how losses of examples become one, a member of `tf.losses.Reduction`.
        add_summaries: whether the loss becomes a summary.
    """
    with name_scope(scope, "generator_minimax_loss", [discriminator_gen_outputs]) as scope:
        loss = -minimax_discriminator_loss(
            array.ones_like(discriminator_gen_outputs), discriminator_gen_outputs, label_smoothing, 0.0, weights, scope,
            None, reduction)
        if loss_collection is not None:
            add_to_collection(loss_collection, loss)
        _summarized(add_summaries, generator_minimax_loss=loss)
        return loss


export("contrib.gan.losses.wargs.modified_discriminator_loss")(minimax_discriminator_loss)
OF_MODELS["modified_discriminator_loss"] = OF_MODELS["minimax_discriminator_loss"]


@_of_model("modified_generator_loss")
def modified_generator_loss(discriminator_gen_outputs: Any, label_smoothing: float = 0.0, weights: Any = 1.0,
                            scope: str | None = None, loss_collection: Any = _LOSSES, reduction: Any = _MEAN,
                            add_summaries: bool = False) -> Any:
    """The loss of a generator whose data should be taken for real.

    Args:
        discriminator_gen_outputs: what the discriminator says of generated data.
        label_smoothing: how far the labels are moved from 0 and 1 towards each other.
        weights: of the losses, to be broadcast to them.
        scope: a name scope.
        loss_collection: the collections that get the loss.
        reduction: how losses of examples become one, a member of `tf.losses.Reduction`.
        add_summaries: whether the loss becomes a summary.
    """
    with name_scope(scope, "generator_modified_loss", [discriminator_gen_outputs]) as scope:
        loss = sigmoid_cross_entropy(
            array.ones_like(discriminator_gen_outputs), discriminator_gen_outputs, weights, label_smoothing, scope,
            loss_collection, reduction)
        _summarized(add_summaries, generator_modified_loss=loss)
        return loss


@_of_model("least_squares_generator_loss")
def least_squares_generator_loss(discriminator_gen_outputs: Any, real_label: float = 1, weights: Any = 1.0,
                                 scope: str | None = None, loss_collection: Any = _LOSSES, reduction: Any = _MEAN,
                                 add_summaries: bool = False) -> Any:
    """The least squares loss of a generator (Mao and others, 2017).

    Args:
        discriminator_gen_outputs: what the discriminator says of generated data.
        real_label: what the discriminator should say of real data.
        weights: of the losses, to be broadcast to them.
        scope: a name scope.
        loss_collection: the collections that get the loss.
        reduction: how losses of examples become one, a member of `tf.losses.Reduction`.
        add_summaries: whether the loss becomes a summary.
    """
    with name_scope(scope, "lsq_generator_loss", [discriminator_gen_outputs]) as scope:
        losses = 0.5 * elementwise.squared_difference(math.cast(discriminator_gen_outputs, dtypes.float32), real_label)
        loss = compute_weighted_loss(losses, weights, scope, loss_collection, reduction)
        _summarized(add_summaries, generator_lsq_loss=loss)
        return loss


@_of_model("least_squares_discriminator_loss")
def least_squares_discriminator_loss(discriminator_real_outputs: Any, discriminator_gen_outputs: Any,
                                     real_label: float = 1, fake_label: float = 0, real_weights: Any = 1.0,
                                     generated_weights: Any = 1.0, scope: str | None = None,
                                     loss_collection: Any = _LOSSES, reduction: Any = _MEAN,
                                     add_summaries: bool = False) -> Any:
    """The least squares loss of a discriminator.

    Args:
        discriminator_real_outputs: what the discriminator says of real data.
        discriminator_gen_outputs: what the discriminator says of generated data.
        real_label: what it should say of real data.
        fake_label: what it should say of generated data.
        real_weights: of the losses of real data.
        generated_weights: of the losses of generated data.
        scope: a name scope.
        loss_collection: the collections that get the loss.
        reduction: how losses of examples become one, a member of `tf.losses.Reduction`.
        add_summaries: whether the loss becomes a summary.
    """
    with name_scope(scope, "lsq_discriminator_loss", [discriminator_gen_outputs, discriminator_real_outputs]) as scope:
        parts = [compute_weighted_loss(
            0.5 * elementwise.squared_difference(math.cast(outputs, dtypes.float32), label), weights, scope, None,
            reduction) for outputs, label, weights in ((discriminator_real_outputs, real_label, real_weights),
                                                       (discriminator_gen_outputs, fake_label, generated_weights))]
        loss = parts[0] + parts[1]
        if loss_collection is not None:
            add_to_collection(loss_collection, loss)
        _summarized(add_summaries, discriminator_lsq_loss=loss)
        return loss


@_of_model("wasserstein_gradient_penalty")
def wasserstein_gradient_penalty(real_data: Any, generated_data: Any, generator_inputs: Any, discriminator_fn: Any,
                                 discriminator_scope: Any, epsilon: float = 1e-10, target: float = 1.0,
                                 one_sided: bool = False, weights: Any = 1.0, scope: str | None = None,
                                 loss_collection: Any = _LOSSES, reduction: Any = _MEAN,
                                 add_summaries: bool = False) -> Any:
    """How far the norm of the critic's gradient is from `target`, between real and generated data (Gulrajani and
    others, 2017).

    Args:
        real_data: the data to imitate.
        generated_data: what the generator made.
        generator_inputs: what it was given.
        discriminator_fn: the function that builds the critic.
        discriminator_scope: the variable scope of the critic.
        epsilon: is added to squared norms, for their gradients at zero.
        target: the norm that costs nothing.
        one_sided: only larger norms cost.
        weights: of the losses, to be broadcast to them.
        scope: a name scope.
        loss_collection: the collections that get the loss.
        reduction: how losses of examples become one, a member of `tf.losses.Reduction`.
        add_summaries: whether the loss becomes a summary.
    """
    with name_scope(scope, "wasserstein_gradient_penalty", [real_data, generated_data]) as scope:
        real, generated = convert_to_tensor(real_data), convert_to_tensor(generated_data)
        rank = generated.shape.ndims
        ones = [1] * (rank - 1)
        share = random_uniform(array.concat([array.shape(generated)[:1], ones], 0) if ones
                               else array.shape(generated)[:1])
        between = real + share * (generated - real)
        # In no name scope: programs collect the discriminator's updates by the name of its own scope.
        with name_scope(None), variable_scope(discriminator_scope, "gpenalty_dscope", reuse=AUTO_REUSE):
            said = discriminator_fn(between, generator_inputs)
        said = said[0] if isinstance(said, tuple) else said
        slopes = gradients(said, between)[0]
        norms = elementwise.sqrt(reduce_sum(elementwise.square(slopes), list(range(1, rank))) + epsilon)
        excess = norms / target - 1.0
        losses = elementwise.square(elementwise.maximum(excess, 0.0) if one_sided else excess)
        loss = compute_weighted_loss(losses, weights, scope, loss_collection, reduction)
        _summarized(add_summaries, gradient_penalty_loss=loss)
        return loss


@_of_model("mutual_information_penalty")
def mutual_information_penalty(structured_generator_inputs: Any, predicted_distributions: Any, weights: Any = 1.0,
                               scope: str | None = None, loss_collection: Any = _LOSSES, reduction: Any = _MEAN,
                               add_summaries: bool = False) -> Any:
    """Minus the log probability that the discriminator gives to the structured inputs (Chen and others, 2016).

    Args:
        structured_generator_inputs: the inputs that are to be predicted.
        predicted_distributions: the distribution that is predicted for each.
        weights: of the losses, to be broadcast to them.
        scope: a name scope.
        loss_collection: the collections that get the loss.
        reduction: how losses of examples become one, a member of `tf.losses.Reduction`.
        add_summaries: whether the loss becomes a summary.
    """
    with name_scope(scope, "mutual_information_loss") as scope:
        means = [reduce_mean(distribution.log_prob(value)) for value, distribution
                 in zip(structured_generator_inputs, predicted_distributions)]
        loss = compute_weighted_loss(-array.stack(means), weights, scope, loss_collection, reduction)
        _summarized(add_summaries, mutual_information_penalty=loss)
        return loss


@_of_model("acgan_generator_loss")
def acgan_generator_loss(discriminator_gen_classification_logits: Any, one_hot_labels: Any, weights: Any = 1.0,
                         scope: str | None = None, loss_collection: Any = _LOSSES, reduction: Any = _MEAN,
                         add_summaries: bool = False) -> Any:
    """The cross entropy of the classes of generated data (Odena, Olah and Shlens, 2016).

    Args:
        discriminator_gen_classification_logits: what the discriminator says of their classes.
        one_hot_labels: the classes.
        weights: of the losses, to be broadcast to them.
        scope: a name scope.
        loss_collection: the collections that get the loss.
        reduction: how losses of examples become one, a member of `tf.losses.Reduction`.
        add_summaries: whether the loss becomes a summary.
    """
    with name_scope(scope, "acgan_generator_loss") as scope:
        loss = softmax_cross_entropy(one_hot_labels, discriminator_gen_classification_logits, weights, scope=scope,
                                     loss_collection=loss_collection, reduction=reduction)
        _summarized(add_summaries, generator_ac_loss=loss)
        return loss


@_of_model("acgan_discriminator_loss")
def acgan_discriminator_loss(discriminator_real_classification_logits: Any,
                             discriminator_gen_classification_logits: Any, one_hot_labels: Any,
                             label_smoothing: float = 0.0, real_weights: Any = 1.0, generated_weights: Any = 1.0,
                             scope: str | None = None, loss_collection: Any = _LOSSES, reduction: Any = _MEAN,
                             add_summaries: bool = False) -> Any:
    """The cross entropy of the classes of real and of generated data.

    Args:
        discriminator_real_classification_logits: what the discriminator says of the classes of real data.
        discriminator_gen_classification_logits: the same of generated data.
        one_hot_labels: the classes.
        label_smoothing: how far the labels are moved from 0 and 1 towards each other.
        real_weights: of the losses of real data.
        generated_weights: of the losses of generated data.
        scope: a name scope.
        loss_collection: the collections that get the loss.
        reduction: how losses of examples become one, a member of `tf.losses.Reduction`.
        add_summaries: whether the loss becomes a summary.
    """
    with name_scope(scope, "acgan_discriminator_loss") as scope:
        parts = [softmax_cross_entropy(one_hot_labels, logits, weights, label_smoothing, scope, None, reduction)
                 for logits, weights in ((discriminator_gen_classification_logits, generated_weights),
                                         (discriminator_real_classification_logits, real_weights))]
        loss = parts[0] + parts[1]
        if loss_collection is not None:
            add_to_collection(loss_collection, loss)
        _summarized(add_summaries, discriminator_gen_ac_loss=parts[0], discriminator_real_ac_loss=parts[1],
                    discriminator_ac_loss=loss)
        return loss


@export("contrib.gan.losses.wargs.combine_adversarial_loss")
def combine_adversarial_loss(main_loss: Any, adversarial_loss: Any, weight_factor: Any = None,
                             gradient_ratio: Any = None, gradient_ratio_epsilon: float = 1e-6, variables: Any = None,
                             scalar_summaries: bool = True, gradient_summaries: bool = True,
                             scope: str | None = None) -> Any:
    """A loss plus an adversarial one, weighted by a factor.

    Args:
        main_loss: the one loss.
        adversarial_loss: the other.
        weight_factor: its weight.
        gradient_ratio: TensorFlow can weigh by the ratio of gradients; must be None here.
        gradient_ratio_epsilon, variables, gradient_summaries: belong to that ratio.
        scalar_summaries: whether the losses have summaries.
        scope: a name for the operations.

    Raises:
        ValueError: `gradient_ratio` is given, or no `weight_factor`.
    """
    if gradient_ratio is not None or weight_factor is None:
        raise ValueError("combine_adversarial_loss takes weight_factor here; gradient_ratio is not available")
    with name_scope(scope, "combine_adversarial_loss", [main_loss, adversarial_loss]):
        combined = main_loss + weight_factor * adversarial_loss
        _summarized(scalar_summaries, main_loss=main_loss, adversarial_loss=adversarial_loss, combined_loss=combined)
        return combined


@export("contrib.gan.losses.combine_adversarial_loss")
def combine_adversarial_loss_of_model(gan_loss: GANLoss, gan_model: Any, non_adversarial_loss: Any,
                                      weight_factor: Any = None, gradient_ratio: Any = None,
                                      gradient_ratio_epsilon: float = 1e-6, scalar_summaries: bool = True,
                                      gradient_summaries: bool = True) -> GANLoss:
    """A GANLoss whose generator also has another loss; see `tf.contrib.gan.losses.wargs.combine_adversarial_loss`."""
    combined = combine_adversarial_loss(non_adversarial_loss, gan_loss.generator_loss, weight_factor, gradient_ratio,
                                        gradient_ratio_epsilon, gan_model.generator_variables, scalar_summaries,
                                        gradient_summaries)
    return gan_loss._replace(generator_loss=combined)


@export("contrib.gan.losses.cycle_consistency_loss")
def cycle_consistency_loss(cyclegan_model: CycleGANModel, scope: str | None = None, add_summaries: bool = False) -> Any:
    """How much of x and y is lost on the way to the other and back (Zhu, Park, Isola and Efros, 2017).

    Args:
        cyclegan_model: a CycleGANModel.
        scope: a name scope.
        add_summaries: whether the loss becomes summaries.
    """
    with name_scope(scope, "cycle_consistency_loss"):
        parts = [absolute_difference(model.generator_inputs, found, loss_collection=None)
                 for model, found in ((cyclegan_model.model_x2y, cyclegan_model.reconstructed_x),
                                      (cyclegan_model.model_y2x, cyclegan_model.reconstructed_y))]
        loss = (parts[0] + parts[1]) / 2.0
        _summarized(add_summaries, cycle_consistency_loss=loss)
        return loss


for _name, _loss in OF_MODELS.items():
    globals()[f"{_name}_of_model"] = export(f"contrib.gan.losses.{_name}")(_loss)
del _name, _loss
