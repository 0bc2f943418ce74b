"""tf.contrib.gan: models, their losses, and the training of two networks against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.gan.adversarial import OF_MODELS, cycle_consistency_loss
from evergraph.contrib.gan.tuples import (
    ACGANModel,
    CycleGANLoss,
    CycleGANModel,
    GANLoss,
    GANModel,
    GANTrainOps,
    GANTrainSteps,
    InfoGANModel,
)
from evergraph.contrib.slim.training import create_train_op
from evergraph.contrib.training.loops import train
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.losses.collected import get_regularization_loss
from evergraph.losses.weighting import Reduction
from evergraph.train.global_step import get_or_create_global_step
from evergraph.train.session_run_hook import SessionRunContext, SessionRunHook


def _as_tensors(data: Any) -> Any:
    if data is None or isinstance(data, dict):
        return data
    return [convert_to_tensor(each) for each in data] if isinstance(data, (list, tuple)) else convert_to_tensor(data)


@export("contrib.gan.gan_model")
def gan_model(generator_fn: Callable[..., Any], discriminator_fn: Callable[..., Any], real_data: Any,
              generator_inputs: Any, generator_scope: Any = "Generator", discriminator_scope: Any = "Discriminator",
              check_shapes: bool = True) -> GANModel:
    """Builds a generator and a discriminator.

    Args:
        generator_fn: from inputs to data.
        discriminator_fn: from data and the generator's inputs to what it says of them.
        real_data: real data.
        generator_inputs: the inputs of the generator.
        generator_scope: the variable scope of the generator.
        discriminator_scope: that of the discriminator.
        check_shapes: whether real and generated data must have compatible shapes.

    Raises:
        ValueError: they have not.
    """
    with variable_scope(generator_scope) as gen_scope:
        generator_inputs = _as_tensors(generator_inputs)
        generated = generator_fn(generator_inputs)
    with variable_scope(discriminator_scope) as dis_scope:
        of_generated = discriminator_fn(generated, generator_inputs)
    with variable_scope(dis_scope, reuse=True):
        real_data = _as_tensors(real_data)
        of_real = discriminator_fn(real_data, generator_inputs)
    if check_shapes and not generated.shape.is_compatible_with(real_data.shape):
        raise ValueError(f"generated data {generated.shape} and real data {real_data.shape} must have one shape")
    return GANModel(generator_inputs, generated, gen_scope.trainable_variables(), gen_scope, generator_fn, real_data,
                    of_real, of_generated, dis_scope.trainable_variables(), dis_scope, discriminator_fn)


@export("contrib.gan.infogan_model")
def infogan_model(generator_fn: Callable[..., Any], discriminator_fn: Callable[..., Any], real_data: Any,
                  unstructured_generator_inputs: Sequence[Any], structured_generator_inputs: Sequence[Any],
                  generator_scope: Any = "Generator", discriminator_scope: Any = "Discriminator") -> InfoGANModel:
    """Builds an InfoGAN (Chen and others, 2016).

    Args:
        generator_fn: from the list of all inputs to data.
        discriminator_fn: from data and inputs to (what it says, a list of distributions of the structured inputs).
        real_data: real data.
        unstructured_generator_inputs: a list of inputs that are noise.
        structured_generator_inputs: a list of those that the discriminator predicts.
        generator_scope: the variable scope of the generator.
        discriminator_scope: that of the discriminator.
    """
    structured = _as_tensors(list(structured_generator_inputs))
    inputs = [*_as_tensors(list(unstructured_generator_inputs)), *structured]
    with variable_scope(generator_scope) as gen_scope:
        generated = generator_fn(inputs)
    with variable_scope(discriminator_scope) as dis_scope:
        of_generated, predicted = discriminator_fn(generated, inputs)
    with variable_scope(dis_scope, reuse=True):
        real_data = convert_to_tensor(real_data)
        of_real, _ = discriminator_fn(real_data, inputs)
    if not generated.shape.is_compatible_with(real_data.shape):
        raise ValueError(f"generated data {generated.shape} and real data {real_data.shape} must have one shape")
    only_says = lambda data, given: discriminator_fn(data, given)[0]
    return InfoGANModel(inputs, generated, gen_scope.trainable_variables(), gen_scope, generator_fn, real_data, of_real,
                        of_generated, dis_scope.trainable_variables(), dis_scope, only_says, structured, predicted,
                        discriminator_fn)


@export("contrib.gan.cyclegan_model")
def cyclegan_model(generator_fn: Callable[..., Any], discriminator_fn: Callable[..., Any], data_x: Any, data_y: Any,
                   generator_scope: str = "Generator", discriminator_scope: str = "Discriminator",
                   model_x2y_scope: str = "ModelX2Y", model_y2x_scope: str = "ModelY2X",
                   check_shapes: bool = True) -> CycleGANModel:
    """Builds a CycleGAN (Zhu, Park, Isola and Efros, 2017): a model from x to y, one back, and both in a row.

    Args:
        generator_fn: from data to data.
        discriminator_fn: from data and the generator's inputs to what it says of them.
        data_x: data of the one kind.
        data_y: data of the other kind.
        generator_scope, discriminator_scope: variable scopes in each model.
        model_x2y_scope, model_y2x_scope: those of the models.
        check_shapes: whether shapes must fit.
    """
    def one_way(source: Any, target: Any) -> GANModel:
        return gan_model(generator_fn, discriminator_fn, target, source, generator_scope, discriminator_scope,
                         check_shapes)

    with variable_scope(model_x2y_scope):
        there = one_way(data_x, data_y)
    with variable_scope(model_y2x_scope):
        back = one_way(data_y, data_x)
    with variable_scope(back.generator_scope, reuse=True):
        reconstructed_x = back.generator_fn(there.generated_data)
    with variable_scope(there.generator_scope, reuse=True):
        reconstructed_y = there.generator_fn(back.generated_data)
    return CycleGANModel(there, back, reconstructed_x, reconstructed_y)


@export("contrib.gan.gan_loss")
def gan_loss(model: Any, generator_loss_fn: Callable[..., Any] = OF_MODELS["wasserstein_generator_loss"],
             discriminator_loss_fn: Callable[..., Any] = OF_MODELS["wasserstein_discriminator_loss"],
             gradient_penalty_weight: Any = None, gradient_penalty_epsilon: float = 1e-10,
             gradient_penalty_target: float = 1.0, gradient_penalty_one_sided: bool = False,
             mutual_information_penalty_weight: Any = None, aux_cond_generator_weight: Any = None,
             aux_cond_discriminator_weight: Any = None, tensor_pool_fn: Any = None,
             reduction: Any = Reduction.SUM_BY_NONZERO_WEIGHTS, add_summaries: bool = True) -> GANLoss:
    """The losses of a model, with regularization and penalties.

    Args:
        model: a GANModel or an InfoGANModel.
        generator_loss_fn: a loss of a model, such as those of `tf.contrib.gan.losses`.
        discriminator_loss_fn: likewise.
        gradient_penalty_weight: the weight of the gradient penalty; None for none.
        gradient_penalty_epsilon, gradient_penalty_target, gradient_penalty_one_sided: its settings.
        mutual_information_penalty_weight: the weight of an InfoGAN's penalty; None for none.
        aux_cond_generator_weight: the weight of the classes of an ACGAN in the generator's loss; None for none.
        aux_cond_discriminator_weight: the same in the discriminator's loss.
        tensor_pool_fn: replaces (inputs, generated data) by those of earlier steps for the discriminator; see
            `tf.contrib.gan.features.tensor_pool`.
        reduction: how losses of a batch are joined.
        add_summaries: whether losses have summaries.

    Raises:
        ValueError: a weight is negative, or the model does not fit.
    """
    for weight in (gradient_penalty_weight, mutual_information_penalty_weight, aux_cond_generator_weight,
                   aux_cond_discriminator_weight):
        if isinstance(weight, (int, float)) and weight < 0:
            raise ValueError(f"weights of penalties must not be negative, got {weight}")
    if (aux_cond_generator_weight or aux_cond_discriminator_weight) and not isinstance(model, ACGANModel):
        raise ValueError("weights of classes need an ACGANModel")
    if mutual_information_penalty_weight and not isinstance(model, InfoGANModel):
        raise ValueError("a mutual information penalty needs an InfoGANModel")
    common = {"add_summaries": add_summaries, "reduction": reduction}
    pooled = model if tensor_pool_fn is None else _pooled(model, tensor_pool_fn)
    generator, discriminator = generator_loss_fn(model, **common), discriminator_loss_fn(pooled, **common)
    if gradient_penalty_weight:
        discriminator += gradient_penalty_weight * OF_MODELS["wasserstein_gradient_penalty"](
            pooled, epsilon=gradient_penalty_epsilon, target=gradient_penalty_target,
            one_sided=gradient_penalty_one_sided, **common)
    if mutual_information_penalty_weight:
        penalty = mutual_information_penalty_weight * OF_MODELS["mutual_information_penalty"](model, **common)
        generator, discriminator = generator + penalty, discriminator + penalty
    if aux_cond_generator_weight:
        generator += aux_cond_generator_weight * OF_MODELS["acgan_generator_loss"](model, **common)
    if aux_cond_discriminator_weight:
        discriminator += aux_cond_discriminator_weight * OF_MODELS["acgan_discriminator_loss"](pooled, **common)
    return GANLoss(generator + get_regularization_loss(model.generator_scope.name),
                   discriminator + get_regularization_loss(model.discriminator_scope.name))


def _pooled(model: Any, tensor_pool_fn: Callable[[Any], Any]) -> Any:
    """The model with generated data of earlier steps, as far as the discriminator sees them."""
    inputs, generated = tensor_pool_fn((model.generator_inputs, model.generated_data))
    with variable_scope(model.discriminator_scope, reuse=True):
        if isinstance(model, InfoGANModel):
            says, predicted = model.discriminator_and_aux_fn(generated, inputs)
            return model._replace(generated_data=generated, generator_inputs=inputs, discriminator_gen_outputs=says,
                                  predicted_distributions=predicted)
        says = model.discriminator_fn(generated, inputs)
    if isinstance(model, ACGANModel):
        return model._replace(generated_data=generated, generator_inputs=inputs, discriminator_gen_outputs=says[0],
                              discriminator_gen_classification_logits=says[1])
    return model._replace(generated_data=generated, generator_inputs=inputs, discriminator_gen_outputs=says)


@export("contrib.gan.cyclegan_loss")
def cyclegan_loss(model: CycleGANModel,
                  generator_loss_fn: Callable[..., Any] = OF_MODELS["least_squares_generator_loss"],
                  discriminator_loss_fn: Callable[..., Any] = OF_MODELS["least_squares_discriminator_loss"],
                  cycle_consistency_loss_fn: Callable[..., Any] = cycle_consistency_loss,
                  cycle_consistency_loss_weight: float = 10.0, **kwargs: Any) -> CycleGANLoss:
    """The losses of a CycleGANModel; `kwargs` are those of `tf.contrib.gan.gan_loss`."""
    consistency = cycle_consistency_loss_weight * cycle_consistency_loss_fn(
        model, add_summaries=kwargs.get("add_summaries", True))
    found = []
    for part in (model.model_x2y, model.model_y2x):
        loss = gan_loss(part, generator_loss_fn, discriminator_loss_fn, **kwargs)
        found.append(loss._replace(generator_loss=loss.generator_loss + consistency))
    return CycleGANLoss(*found)


@export("contrib.gan.gan_train_ops")
def gan_train_ops(model: Any, loss: Any, generator_optimizer: Any, discriminator_optimizer: Any,
                  check_for_unused_update_ops: bool = True, **kwargs: Any) -> GANTrainOps:
    """The operations that train both networks.

    Args:
        model: a GANModel, or a CycleGANModel.
        loss: its GANLoss, or its CycleGANLoss.
        generator_optimizer: the optimizer of the generator.
        discriminator_optimizer: that of the discriminator.
        check_for_unused_update_ops: whether update operations outside of both scopes are an error.
        kwargs: for `tf.contrib.training.create_train_op`.
    """
    if isinstance(model, CycleGANModel):
        parts = [gan_train_ops(part, each, generator_optimizer, discriminator_optimizer, False, **kwargs)
                 for part, each in zip(model, loss)]
        return GANTrainOps([part.generator_train_op for part in parts], [part.discriminator_train_op for part in parts],
                           parts[0].global_step_inc_op)
    step = get_or_create_global_step()
    updates = [set(get_collection(GraphKeys.UPDATE_OPS, scope.name))
               for scope in (model.generator_scope, model.discriminator_scope)]
    unused = set(get_collection(GraphKeys.UPDATE_OPS)) - updates[0] - updates[1]
    if check_for_unused_update_ops and unused:
        raise ValueError(f"these update operations are of neither network: {sorted(op.name for op in unused)}")
    ops = [create_train_op(total, optimizer, global_step=None, update_ops=list(own), variables_to_train=variables,
                           **kwargs)
           for total, optimizer, own, variables in (
               (loss.generator_loss, generator_optimizer, updates[0], model.generator_variables),
               (loss.discriminator_loss, discriminator_optimizer, updates[1], model.discriminator_variables))]
    return GANTrainOps(ops[0], ops[1], step.assign_add(1))


@export("contrib.gan.RunTrainOpsHook")
class RunTrainOpsHook(SessionRunHook):
    """Runs the operations `train_ops` as often as `train_steps` says before each step."""

    def __init__(self, train_ops: Any, train_steps: int) -> None:
        self._train_ops = train_ops if isinstance(train_ops, (list, tuple)) else [train_ops]
        self._train_steps = train_steps

    def before_run(self, run_context: SessionRunContext) -> None:
        for _ in range(self._train_steps):
            run_context.session.run(list(self._train_ops))


@export("contrib.gan.get_sequential_train_hooks")
def get_sequential_train_hooks(train_steps: GANTrainSteps = GANTrainSteps(1, 1)) -> Callable[[GANTrainOps], list[Any]]:
    """A function that makes hooks which train the generator, then the discriminator."""

    def get_hooks(train_ops: GANTrainOps) -> list[Any]:
        return [RunTrainOpsHook(train_ops.generator_train_op, train_steps.generator_train_steps),
                RunTrainOpsHook(train_ops.discriminator_train_op, train_steps.discriminator_train_steps),
                *train_ops.train_hooks]

    return get_hooks


@export("contrib.gan.get_joint_train_hooks")
def get_joint_train_hooks(train_steps: GANTrainSteps = GANTrainSteps(1, 1)) -> Callable[[GANTrainOps], list[Any]]:
    """A function that makes hooks which train both in one step, and then the one that is trained more often."""
    together = min(train_steps)

    def get_hooks(train_ops: GANTrainOps) -> list[Any]:
        both = [train_ops.generator_train_op, train_ops.discriminator_train_op]
        rest = [RunTrainOpsHook(op, steps - together) for op, steps in zip(both, train_steps) if steps > together]
        return [RunTrainOpsHook(both, together), *rest, *train_ops.train_hooks]

    return get_hooks


@export("contrib.gan.get_sequential_train_steps")
def get_sequential_train_steps(train_steps: GANTrainSteps = GANTrainSteps(1, 1)) -> Callable[..., tuple[Any, bool]]:
    """A `train_step_fn` for `tf.contrib.slim.learning.train`, whose `train_op` is GANTrainOps."""

    def step(sess: Any, train_ops: GANTrainOps, global_step: Any,
             train_step_kwargs: dict[str, Any]) -> tuple[Any, bool]:
        losses = [0.0, 0.0]
        pairs = (train_ops.generator_train_op, train_ops.discriminator_train_op)
        for at, (op, count) in enumerate(zip(pairs, train_steps)):
            for _ in range(count):
                losses[at] = sess.run(op)
        sess.run(train_ops.global_step_inc_op)
        should_stop = train_step_kwargs.get("should_stop")
        return sum(losses), should_stop is not None and bool(sess.run(should_stop))

    return step


@export("contrib.gan.gan_train")
def gan_train(train_ops: GANTrainOps, logdir: str | None,
              get_hooks_fn: Callable[[GANTrainOps], Sequence[Any]] = get_sequential_train_hooks(), master: str = "",
              is_chief: bool = True, scaffold: Any = None, hooks: Sequence[Any] | None = None,
              chief_only_hooks: Sequence[Any] | None = None, save_checkpoint_secs: float | None = 600,
              save_summaries_steps: int | None = 100, config: Any = None) -> Any:
    """Trains both networks until a hook asks to stop; arguments are those of `tf.contrib.training.train`.

    Returns:
        The last global step.
    """
    return train(train_ops.global_step_inc_op, logdir, master, is_chief, scaffold,
                 [*get_hooks_fn(train_ops), *(hooks or ())], chief_only_hooks, save_checkpoint_secs,
                 save_summaries_steps, config)
