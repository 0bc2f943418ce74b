"""What the parts of tf.contrib.gan hand to each other."""

from __future__ import annotations

from collections import namedtuple

from evergraph.base.export import export

_GAN = ("generator_inputs", "generated_data", "generator_variables", "generator_scope", "generator_fn", "real_data",
        "discriminator_real_outputs", "discriminator_gen_outputs", "discriminator_variables", "discriminator_scope",
        "discriminator_fn")


@export("contrib.gan.GANModel")
class GANModel(namedtuple("GANModel", _GAN)):
    """A generator and a discriminator with what they compute, their variables, scopes and functions."""


@export("contrib.gan.InfoGANModel")
class InfoGANModel(namedtuple("InfoGANModel", (*_GAN, "structured_generator_inputs", "predicted_distributions",
                                               "discriminator_and_aux_fn"))):
    """A GANModel whose discriminator also predicts the structured inputs of the generator."""


@export("contrib.gan.CycleGANModel")
class CycleGANModel(namedtuple("CycleGANModel", ("model_x2y", "model_y2x", "reconstructed_x", "reconstructed_y"))):
    """Two GANModels, from x to y and back, and what is left of x and y after both."""


@export("contrib.gan.GANLoss")
class GANLoss(namedtuple("GANLoss", ("generator_loss", "discriminator_loss"))):
    """The losses of a generator and a discriminator."""


@export("contrib.gan.CycleGANLoss")
class CycleGANLoss(namedtuple("CycleGANLoss", ("loss_x2y", "loss_y2x"))):
    """The GANLosses of both models of a CycleGANModel."""


@export("contrib.gan.GANTrainOps")
class GANTrainOps(namedtuple("GANTrainOps", ("generator_train_op", "discriminator_train_op", "global_step_inc_op",
                                             "train_hooks"))):
    """The operations that train, the one that counts steps, and hooks that training needs."""

    def __new__(cls, generator_train_op, discriminator_train_op, global_step_inc_op, train_hooks=()):
        return super().__new__(cls, generator_train_op, discriminator_train_op, global_step_inc_op, train_hooks)


@export("contrib.gan.GANTrainSteps")
class GANTrainSteps(namedtuple("GANTrainSteps", ("generator_train_steps", "discriminator_train_steps"))):
    """How often generator and discriminator are trained in a step."""
