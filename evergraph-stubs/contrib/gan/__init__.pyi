# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.gan."""

from collections.abc import Callable, Sequence
from evergraph.estimator import SessionRunContext, SessionRunHook
from typing import Any, NamedTuple, Self
from evergraph.contrib.gan import estimator as estimator, eval as eval, features as features, losses as losses

import sys
if sys.platform == "":
    del (
        adversarial, comparisons, conditional, estimators, pictures, pool, scores, train, tuples,
    )

class _ACGANModel(NamedTuple):
    generator_inputs: Any
    generated_data: Any
    generator_variables: Any
    generator_scope: Any
    generator_fn: Any
    real_data: Any
    discriminator_real_outputs: Any
    discriminator_gen_outputs: Any
    discriminator_variables: Any
    discriminator_scope: Any
    discriminator_fn: Any
    one_hot_labels: Any
    discriminator_real_classification_logits: Any
    discriminator_gen_classification_logits: Any

class ACGANModel(_ACGANModel):
    """A GANModel whose discriminator also tells classes apart."""

class _CycleGANLoss(NamedTuple):
    loss_x2y: Any
    loss_y2x: Any

class CycleGANLoss(_CycleGANLoss):
    """The GANLosses of both models of a CycleGANModel: `loss_x2y` and `loss_y2x`."""

class _CycleGANModel(NamedTuple):
    model_x2y: Any
    model_y2x: Any
    reconstructed_x: Any
    reconstructed_y: Any

class CycleGANModel(_CycleGANModel):
    """Two GANModels, from x to y and back, and what is left of x and y after both."""

class _GANLoss(NamedTuple):
    generator_loss: Any
    discriminator_loss: Any

class GANLoss(_GANLoss):
    """What a generator and a discriminator lose: `generator_loss` and `discriminator_loss`."""

class _GANModel(NamedTuple):
    generator_inputs: Any
    generated_data: Any
    generator_variables: Any
    generator_scope: Any
    generator_fn: Any
    real_data: Any
    discriminator_real_outputs: Any
    discriminator_gen_outputs: Any
    discriminator_variables: Any
    discriminator_scope: Any
    discriminator_fn: Any

class GANModel(_GANModel):
    """A generator and a discriminator with what they compute, their variables, scopes and functions."""

class _GANTrainOps(NamedTuple):
    generator_train_op: Any
    discriminator_train_op: Any
    global_step_inc_op: Any
    train_hooks: Any

class GANTrainOps(_GANTrainOps):
    """The operations that train, the one that counts steps, and hooks that training needs."""
    def __new__(
        cls, generator_train_op: Any, discriminator_train_op: Any, global_step_inc_op: Any,
        train_hooks: Any = ...,
    ) -> Self: ...

class _GANTrainSteps(NamedTuple):
    generator_train_steps: Any
    discriminator_train_steps: Any

class GANTrainSteps(_GANTrainSteps):
    """How often each is trained in a step: `generator_train_steps` and `discriminator_train_steps`."""

class _InfoGANModel(NamedTuple):
    generator_inputs: Any
    generated_data: Any
    generator_variables: Any
    generator_scope: Any
    generator_fn: Any
    real_data: Any
    discriminator_real_outputs: Any
    discriminator_gen_outputs: Any
    discriminator_variables: Any
    discriminator_scope: Any
    discriminator_fn: Any
    structured_generator_inputs: Any
    predicted_distributions: Any
    discriminator_and_aux_fn: Any

class InfoGANModel(_InfoGANModel):
    """A GANModel whose discriminator also predicts the structured inputs of the generator."""

class RunTrainOpsHook(SessionRunHook):
    """Runs the operations `train_ops` as often as `train_steps` says before each step."""
    def before_run(self, run_context: SessionRunContext) -> None: ...
    def __init__(self, train_ops: Any, train_steps: int) -> None: ...

class _StarGANModel(NamedTuple):
    input_data: Any
    input_data_domain_label: Any
    generated_data: Any
    generated_data_domain_target: Any
    reconstructed_data: Any
    discriminator_input_data_source_predication: Any
    discriminator_generated_data_source_predication: Any
    discriminator_input_data_domain_predication: Any
    discriminator_generated_data_domain_predication: Any
    generator_variables: Any
    generator_scope: Any
    generator_fn: Any
    discriminator_variables: Any
    discriminator_scope: Any
    discriminator_fn: Any

class StarGANModel(_StarGANModel):
    """A generator from any domain to any other, and a discriminator that tells domains apart too."""

def acgan_model(
    generator_fn: Callable[..., Any], discriminator_fn: Callable[..., Any], real_data: Any,
    generator_inputs: Any, one_hot_labels: Any, generator_scope: Any = 'Generator',
    discriminator_scope: Any = 'Discriminator', check_shapes: bool = True,
) -> ACGANModel:
    """Builds an ACGAN (Odena, Olah and Shlens, 2016)."""

def cyclegan_loss(
    model: CycleGANModel, generator_loss_fn: Callable[..., Any] = ...,
    discriminator_loss_fn: Callable[..., Any] = ..., cycle_consistency_loss_fn: Callable[..., Any] = ...,
    cycle_consistency_loss_weight: float = 10.0, **kwargs: Any,
) -> CycleGANLoss:
    """The losses of a CycleGANModel; `kwargs` are those of `tf.contrib.gan.gan_loss`."""

def cyclegan_model(
    generator_fn: Callable[..., Any], discriminator_fn: Callable[..., Any], data_x: Any, data_y: Any,
    generator_scope: str = 'Generator', discriminator_scope: str = 'Discriminator',
    model_x2y_scope: str = 'ModelX2Y', model_y2x_scope: str = 'ModelY2X', check_shapes: bool = True,
) -> CycleGANModel:
    """Builds a CycleGAN (Zhu, Park, Isola and Efros, 2017): a model from x to y, one back, and both in a
    row."""

def gan_loss(
    model: Any, generator_loss_fn: Callable[..., Any] = ...,
    discriminator_loss_fn: Callable[..., Any] = ..., gradient_penalty_weight: Any = None,
    gradient_penalty_epsilon: float = 1e-10, gradient_penalty_target: float = 1.0,
    gradient_penalty_one_sided: bool = False, mutual_information_penalty_weight: Any = None,
    aux_cond_generator_weight: Any = None, aux_cond_discriminator_weight: Any = None,
    tensor_pool_fn: Any = None, reduction: Any = 'weighted_sum_by_nonzero_weights',
    add_summaries: bool = True,
) -> GANLoss:
    """The losses of a model, with regularization and penalties."""

def gan_model(
    generator_fn: Callable[..., Any], discriminator_fn: Callable[..., Any], real_data: Any,
    generator_inputs: Any, generator_scope: Any = 'Generator', discriminator_scope: Any = 'Discriminator',
    check_shapes: bool = True,
) -> GANModel:
    """Builds a generator and a discriminator."""

def gan_train(
    train_ops: GANTrainOps, logdir: str | None, get_hooks_fn: Callable[[GANTrainOps], Sequence[Any]] = ...,
    master: str = '', is_chief: bool = True, scaffold: Any = None, hooks: Sequence[Any] | None = None,
    chief_only_hooks: Sequence[Any] | None = None, save_checkpoint_secs: float | None = 600,
    save_summaries_steps: int | None = 100, config: Any = None,
) -> Any:
    """Trains both networks until a hook asks to stop; arguments are those of
    `tf.contrib.training.train`."""

def gan_train_ops(
    model: Any, loss: Any, generator_optimizer: Any, discriminator_optimizer: Any,
    check_for_unused_update_ops: bool = True, **kwargs: Any,
) -> GANTrainOps:
    """The operations that train both networks."""

def get_joint_train_hooks(train_steps: GANTrainSteps = ...) -> Callable[[GANTrainOps], list[Any]]:
    """A function that makes hooks which train both in one step, and then the one that is trained more
    often."""

def get_sequential_train_hooks(train_steps: GANTrainSteps = ...) -> Callable[[GANTrainOps], list[Any]]:
    """A function that makes hooks which train the generator, then the discriminator."""

def get_sequential_train_steps(train_steps: GANTrainSteps = ...) -> Callable[..., tuple[Any, bool]]:
    """A `train_step_fn` for `tf.contrib.slim.learning.train`, whose `train_op` is GANTrainOps."""

def infogan_model(
    generator_fn: Callable[..., Any], discriminator_fn: Callable[..., Any], real_data: Any,
    unstructured_generator_inputs: Sequence[Any], structured_generator_inputs: Sequence[Any],
    generator_scope: Any = 'Generator', discriminator_scope: Any = 'Discriminator',
) -> InfoGANModel:
    """Builds an InfoGAN (Chen and others, 2016)."""

def stargan_loss(
    model: StarGANModel, generator_loss_fn: Callable[..., Any] = ...,
    discriminator_loss_fn: Callable[..., Any] = ..., gradient_penalty_weight: Any = 10.0,
    gradient_penalty_epsilon: float = 1e-10, gradient_penalty_target: float = 1.0,
    gradient_penalty_one_sided: bool = False, reconstruction_loss_fn: Callable[..., Any] = ...,
    reconstruction_loss_weight: Any = 10.0, classification_loss_fn: Callable[..., Any] = ...,
    classification_loss_weight: Any = 1.0, classification_one_hot: bool = True, add_summaries: bool = True,
) -> GANLoss:
    """The losses of a StarGANModel: of what is taken for real, of domains, and of what is lost on the way
    back."""

def stargan_model(
    generator_fn: Callable[..., Any], discriminator_fn: Callable[..., Any], input_data: Any,
    input_data_domain_label: Any, generator_scope: Any = 'Generator',
    discriminator_scope: Any = 'Discriminator',
) -> StarGANModel:
    """Builds a StarGAN (Choi and others, 2018), which brings data to random domains and back."""
