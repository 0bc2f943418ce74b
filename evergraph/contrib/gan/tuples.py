"""What the parts of tf.contrib.gan hand to each other."""

from __future__ import annotations

from collections import namedtuple

from evergraph.base.export import export

_GAN = ("generator_inputs", "generated_data", "generator_variables", "generator_scope", "generator_fn", "real_data",
        "discriminator_real_outputs", "discriminator_gen_outputs", "discriminator_variables", "discriminator_scope",
        "discriminator_fn")


@export("contrib.gan.GANModel")
class GANModel(namedtuple("GANModel", _GAN)):
    """A generator and a discriminator with what they compute, their variables, scopes and functions.

    Args:
        generator_inputs: what the generator was given.
        generated_data: what it made of that.
        generator_variables: its variables.
        generator_scope: its variable scope.
        generator_fn: the function that built it.
        real_data: the data to imitate.
        discriminator_real_outputs: what the discriminator said of real data.
        discriminator_gen_outputs: what it said of generated data.
        discriminator_variables: its variables.
        discriminator_scope: its variable scope.
        discriminator_fn: the function that built it.
    """


@export("contrib.gan.InfoGANModel")
class InfoGANModel(namedtuple("InfoGANModel", (*_GAN, "structured_generator_inputs", "predicted_distributions",
                                               "discriminator_and_aux_fn"))):
    """A GANModel whose discriminator also predicts the structured inputs of the generator.

    The first fields are those of `GANModel`.

    Args:
        structured_generator_inputs: the inputs that are predicted.
        predicted_distributions: the distribution that is predicted for each of them.
        discriminator_and_aux_fn: the function that built the discriminator with its predictions.
    """


@export("contrib.gan.ACGANModel")
class ACGANModel(namedtuple("ACGANModel", (*_GAN, "one_hot_labels", "discriminator_real_classification_logits",
                                           "discriminator_gen_classification_logits"))):
    """A GANModel whose discriminator also tells classes apart.

    The first fields are those of `GANModel`.

    Args:
        one_hot_labels: the classes of the data.
        discriminator_real_classification_logits: what the discriminator says of the classes of real data.
        discriminator_gen_classification_logits: what it says of those of generated data.
    """


@export("contrib.gan.StarGANModel")
class StarGANModel(namedtuple("StarGANModel", (
    "input_data", "input_data_domain_label", "generated_data", "generated_data_domain_target", "reconstructed_data",
    "discriminator_input_data_source_predication", "discriminator_generated_data_source_predication",
    "discriminator_input_data_domain_predication", "discriminator_generated_data_domain_predication",
    "generator_variables", "generator_scope", "generator_fn", "discriminator_variables", "discriminator_scope",
    "discriminator_fn"))):
    """A generator from any domain to any other, and a discriminator that tells domains apart too.

    Args:
        input_data: data.
        input_data_domain_label: their domains.
        generated_data: the same in other domains.
        generated_data_domain_target: these domains.
        reconstructed_data: generated data, brought back to the first domains.
        discriminator_input_data_source_predication: whether the discriminator takes data for real.
        discriminator_generated_data_source_predication: the same of generated data.
        discriminator_input_data_domain_predication: in which domain it sees data.
        discriminator_generated_data_domain_predication: the same of generated data.
        generator_variables: the variables of the generator.
        generator_scope: its variable scope.
        generator_fn: the function that built it.
        discriminator_variables: the variables of the discriminator.
        discriminator_scope: its variable scope.
        discriminator_fn: the function that built it.
    """


@export("contrib.gan.CycleGANModel")
class CycleGANModel(namedtuple("CycleGANModel", ("model_x2y", "model_y2x", "reconstructed_x", "reconstructed_y"))):
    """Two GANModels, from x to y and back, and what is left of x and y after both.

    Args:
        model_x2y: the model that makes y of x.
        model_y2x: the model that makes x of y.
        reconstructed_x: x after both.
        reconstructed_y: y after both.
    """


@export("contrib.gan.GANLoss")
class GANLoss(namedtuple("GANLoss", ("generator_loss", "discriminator_loss"))):
    """What a generator and a discriminator lose: `generator_loss` and `discriminator_loss`."""


@export("contrib.gan.CycleGANLoss")
class CycleGANLoss(namedtuple("CycleGANLoss", ("loss_x2y", "loss_y2x"))):
    """The GANLosses of both models of a CycleGANModel: `loss_x2y` and `loss_y2x`."""


@export("contrib.gan.GANTrainOps")
class GANTrainOps(namedtuple("GANTrainOps", ("generator_train_op", "discriminator_train_op", "global_step_inc_op",
                                             "train_hooks"))):
    """The operations that train, the one that counts steps, and hooks that training needs.

    Args:
        generator_train_op: trains the generator; its value is the loss.
        discriminator_train_op: trains the discriminator.
        global_step_inc_op: adds 1 to the global step.
        train_hooks: hooks that the session of the training needs.
    """

    def __new__(cls, generator_train_op, discriminator_train_op, global_step_inc_op, train_hooks=()):
        return super().__new__(cls, generator_train_op, discriminator_train_op, global_step_inc_op, train_hooks)


@export("contrib.gan.GANTrainSteps")
class GANTrainSteps(namedtuple("GANTrainSteps", ("generator_train_steps", "discriminator_train_steps"))):
    """How often each is trained in a step: `generator_train_steps` and `discriminator_train_steps`."""
