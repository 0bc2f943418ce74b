"""tf.contrib.gan: models whose discriminator also tells classes or domains apart: ACGAN and StarGAN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.gan.adversarial import (
    wasserstein_discriminator_loss,
    wasserstein_generator_loss,
    wasserstein_gradient_penalty,
)
from evergraph.contrib.gan.tuples import ACGANModel, GANLoss, StarGANModel
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import one_hot
from evergraph.frontend.random import random_uniform
from evergraph.frontend.reduce import argmax
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.losses.collected import get_regularization_loss
from evergraph.losses.distance import absolute_difference
from evergraph.losses.entropy import softmax_cross_entropy
from evergraph.summary.summaries import scalar


@export("contrib.gan.acgan_model")
def acgan_model(generator_fn: Callable[..., Any], discriminator_fn: Callable[..., Any], real_data: Any,
                generator_inputs: Any, one_hot_labels: Any, generator_scope: Any = "Generator",
                discriminator_scope: Any = "Discriminator", check_shapes: bool = True) -> ACGANModel:
    """Builds an ACGAN (Odena, Olah and Shlens, 2016).

    Args:
        generator_fn: from inputs to data.
        discriminator_fn: from data and the generator's inputs to (what it says of them, logits of classes).
        real_data: real data.
        generator_inputs: the inputs of the generator.
        one_hot_labels: the classes of both kinds of data.
        generator_scope: the variable scope of the generator.
        discriminator_scope: that of the discriminator.
        check_shapes: whether real and generated data must have compatible shapes.

    Raises:
        ValueError: they have not.
    """
    with variable_scope(generator_scope) as gen_scope:
        inputs = ([convert_to_tensor(each) for each in generator_inputs] if isinstance(generator_inputs, (list, tuple))
                  else generator_inputs if isinstance(generator_inputs, dict) else convert_to_tensor(generator_inputs))
        generated = generator_fn(inputs)
    with variable_scope(discriminator_scope) as dis_scope, name_scope(f"{dis_scope.name}/generated/"):
        of_generated, generated_classes = discriminator_fn(generated, inputs)
    with variable_scope(dis_scope, reuse=True), name_scope(f"{dis_scope.name}/real/"):
        real_data = convert_to_tensor(real_data)
        of_real, real_classes = discriminator_fn(real_data, inputs)
    if check_shapes and not generated.shape.is_compatible_with(real_data.shape):
        raise ValueError(f"generated data {generated.shape} and real data {real_data.shape} must have one shape")
    return ACGANModel(inputs, generated, gen_scope.trainable_variables(), gen_scope, generator_fn, real_data, of_real,
                      of_generated, dis_scope.trainable_variables(), dis_scope, discriminator_fn,
                      convert_to_tensor(one_hot_labels), real_classes, generated_classes)


@export("contrib.gan.stargan_model")
def stargan_model(generator_fn: Callable[..., Any], discriminator_fn: Callable[..., Any], input_data: Any,
                  input_data_domain_label: Any, generator_scope: Any = "Generator",
                  discriminator_scope: Any = "Discriminator") -> StarGANModel:
    """Builds a StarGAN (Choi and others, 2018), which brings data to random domains and back.

    Args:
        generator_fn: from data and domains to data in these domains.
        discriminator_fn: from data and the number of domains to (whether they are real, logits of domains).
        input_data: data; several batches in a list are one batch.
        input_data_domain_label: their domains, one-hot; a list likewise.
        generator_scope: the variable scope of the generator.
        discriminator_scope: that of the discriminator.
    """
    data, domains = (array.concat(list(each), 0) if isinstance(each, (list, tuple)) and len(each) > 1
                     else convert_to_tensor(each[0] if isinstance(each, (list, tuple)) else each)
                     for each in (input_data, input_data_domain_label))
    count = domains.shape.as_list()[-1]
    target = one_hot(random_uniform(array.shape(domains)[:1], maxval=count, dtype=dtypes.int32), count)
    with variable_scope(generator_scope) as gen_scope:
        generated = generator_fn(data, target)
    with variable_scope(gen_scope, reuse=True):
        reconstructed = generator_fn(generated, domains)
    with variable_scope(discriminator_scope) as dis_scope:
        generated_source, generated_domain = discriminator_fn(generated, count)
    with variable_scope(dis_scope, reuse=True):
        source, domain = discriminator_fn(data, count)
    return StarGANModel(data, domains, generated, target, reconstructed, source, generated_source, domain,
                        generated_domain, gen_scope.trainable_variables(), gen_scope, generator_fn,
                        dis_scope.trainable_variables(), dis_scope, discriminator_fn)


def _source_loss_of_generator(model: StarGANModel, add_summaries: bool) -> Any:
    return wasserstein_generator_loss(model.discriminator_generated_data_source_predication,
                                      add_summaries=add_summaries)


def _source_loss_of_discriminator(model: StarGANModel, add_summaries: bool) -> Any:
    return wasserstein_discriminator_loss(model.discriminator_input_data_source_predication,
                                          model.discriminator_generated_data_source_predication,
                                          add_summaries=add_summaries)


def _penalty(model: StarGANModel, **settings: Any) -> Any:
    count = model.input_data_domain_label.shape.as_list()[-1]
    return wasserstein_gradient_penalty(model.input_data, model.generated_data, count, model.discriminator_fn,
                                        model.discriminator_scope, **settings)


@export("contrib.gan.stargan_loss")
def stargan_loss(model: StarGANModel, generator_loss_fn: Callable[..., Any] = _source_loss_of_generator,
                 discriminator_loss_fn: Callable[..., Any] = _source_loss_of_discriminator,
                 gradient_penalty_weight: Any = 10.0, gradient_penalty_epsilon: float = 1e-10,
                 gradient_penalty_target: float = 1.0, gradient_penalty_one_sided: bool = False,
                 reconstruction_loss_fn: Callable[..., Any] = absolute_difference,
                 reconstruction_loss_weight: Any = 10.0,
                 classification_loss_fn: Callable[..., Any] = softmax_cross_entropy,
                 classification_loss_weight: Any = 1.0, classification_one_hot: bool = True,
                 add_summaries: bool = True) -> GANLoss:
    """The losses of a StarGANModel: of what is taken for real, of domains, and of what is lost on the way back.

    Args:
        model: a StarGANModel.
        generator_loss_fn: a function of (model, add_summaries); by default the Wasserstein loss.
        discriminator_loss_fn: likewise.
        gradient_penalty_weight: the weight of the gradient penalty; None for none.
        gradient_penalty_epsilon, gradient_penalty_target, gradient_penalty_one_sided: its settings.
        reconstruction_loss_fn: a function of (data, reconstructed data).
        reconstruction_loss_weight: its weight in the generator's loss.
        classification_loss_fn: a function of (domains, logits of domains).
        classification_loss_weight: its weight in both losses.
        classification_one_hot: whether that function takes domains one-hot, and not as numbers.
        add_summaries: whether losses have summaries.
    """
    def of_domains(domains: Any, logits: Any, name: str) -> Any:
        labels = domains if classification_one_hot else argmax(domains, 1)
        return shown(name, classification_loss_fn(labels, logits))

    def shown(name: str, loss: Any) -> Any:
        if add_summaries:
            scalar(name, loss)
        return loss

    generator = (
        generator_loss_fn(model, add_summaries=add_summaries)
        + classification_loss_weight * of_domains(
            model.generated_data_domain_target, model.discriminator_generated_data_domain_predication,
            "generated_data_domain_loss")
        + reconstruction_loss_weight * shown("reconstruction_loss", reconstruction_loss_fn(
            model.input_data, model.reconstructed_data)))
    discriminator = (
        discriminator_loss_fn(model, add_summaries=add_summaries)
        + classification_loss_weight * of_domains(
            model.input_data_domain_label, model.discriminator_input_data_domain_predication, "input_data_domain_loss"))
    if gradient_penalty_weight:
        discriminator += gradient_penalty_weight * _penalty(
            model, epsilon=gradient_penalty_epsilon, target=gradient_penalty_target,
            one_sided=gradient_penalty_one_sided, add_summaries=add_summaries)
    return GANLoss(generator + get_regularization_loss(model.generator_scope.name),
                   discriminator + get_regularization_loss(model.discriminator_scope.name))
