"""tf.contrib.gan.estimator: GANs as Estimators."""

from __future__ import annotations

import enum
from collections.abc import Callable
from functools import partial
from typing import Any

from evergraph.base.docstrings import with_parts
from evergraph.base.export import export
from evergraph.contrib.gan.comparisons import add_image_comparison_summaries, add_stargan_image_summaries
from evergraph.contrib.gan.conditional import stargan_loss, stargan_model
from evergraph.contrib.gan.pictures import add_gan_model_image_summaries, add_gan_model_summaries
from evergraph.contrib.gan.train import gan_loss, gan_model, gan_train_ops, get_sequential_train_hooks
from evergraph.estimator.calls import declared
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.variables.scope import variable_scope
from evergraph.metrics.means import mean


@export("contrib.gan.estimator.SummaryType")
class SummaryType(enum.IntEnum):
    """What summaries a GANEstimator adds."""

    NONE = 0
    VARIABLES = 1
    IMAGES = 2
    IMAGE_COMPARISON = 3


_SUMMARIES = {SummaryType.VARIABLES: add_gan_model_summaries, SummaryType.IMAGES: add_gan_model_image_summaries,
              SummaryType.IMAGE_COMPARISON: add_image_comparison_summaries}
documented = with_parts(networks="""model_dir: the directory of checkpoints and events.
        generator_fn: builds the generator; it may have a parameter `mode`, a tf.estimator.ModeKeys.
        discriminator_fn: builds the discriminator; likewise.""", training="""generator_optimizer: the optimizer of the
            generator, or a function that makes it.
        discriminator_optimizer: that of the discriminator.
        get_hooks_fn: from GANTrainOps to the hooks that train; by default both are trained once in a step.
        get_eval_metric_ops_fn: from the model to metrics, name -> (value, update_op).""")


def _in_mode(function: Callable[..., Any], mode: str) -> Callable[..., Any]:
    return partial(function, mode=mode) if "mode" in declared(function) else function


def _made(optimizer: Any) -> Any:
    return optimizer() if callable(optimizer) else optimizer


def _evaluated(model: Any, loss: Any, metrics_fn: Any) -> EstimatorSpec:
    """What evaluation returns: the discriminator's loss, and both losses among the metrics."""
    with name_scope("metrics"):
        metrics = {"generator_loss": mean(loss.generator_loss), "discriminator_loss": mean(loss.discriminator_loss)}
        if metrics_fn is not None:
            metrics |= metrics_fn(model)
    return EstimatorSpec(ModeKeys.EVAL, predictions=model.generated_data, loss=loss.discriminator_loss,
                         eval_metric_ops=metrics)


def _trained(model: Any, loss: Any, optimizers: tuple[Any, Any], get_hooks_fn: Any) -> EstimatorSpec:
    ops = gan_train_ops(model, loss, *map(_made, optimizers))
    hooks = (get_hooks_fn or get_sequential_train_hooks())(ops)
    return EstimatorSpec(ModeKeys.TRAIN, loss=loss.discriminator_loss, train_op=ops.global_step_inc_op,
                         training_hooks=hooks)


@export("contrib.gan.estimator.GANEstimator")
@documented
class GANEstimator(Estimator):
    """A GAN whose input function gives (the generator's inputs, real data); it predicts generated data.

    Args:
        {networks}
        generator_loss_fn: a loss of a model, such as those of `tf.contrib.gan.losses`.
        discriminator_loss_fn: likewise.
        {training}
        add_summaries: a SummaryType, or a list of them.
        use_loss_summaries: whether losses have summaries.
        config: a tf.estimator.RunConfig.

    Raises:
        ValueError: a kind of summaries is unknown.
    """

    def __init__(self, model_dir: Any = None, generator_fn: Any = None, discriminator_fn: Any = None,
                 generator_loss_fn: Any = None, discriminator_loss_fn: Any = None, generator_optimizer: Any = None,
                 discriminator_optimizer: Any = None, get_hooks_fn: Any = None, get_eval_metric_ops_fn: Any = None,
                 add_summaries: Any = None, use_loss_summaries: bool = True, config: Any = None) -> None:
        wanted = [add_summaries] if not isinstance(add_summaries, (list, tuple)) else list(add_summaries)
        kinds = [SummaryType(each) for each in wanted if each is not None]

        def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
            generate, discriminate = _in_mode(generator_fn, mode), _in_mode(discriminator_fn, mode)
            if mode == ModeKeys.PREDICT:
                with variable_scope("Generator"):
                    return EstimatorSpec(mode, predictions=generate(features))
            model = gan_model(generate, discriminate, labels, features)
            for kind in kinds:
                if kind in _SUMMARIES:
                    _SUMMARIES[kind](model)
            loss = gan_loss(model, generator_loss_fn, discriminator_loss_fn, add_summaries=use_loss_summaries)
            if mode == ModeKeys.EVAL:
                return _evaluated(model, loss, get_eval_metric_ops_fn)
            return _trained(model, loss, (generator_optimizer, discriminator_optimizer), get_hooks_fn)
        super().__init__(model_fn, model_dir, config)


@export("contrib.gan.estimator.StarGANEstimator")
@documented
class StarGANEstimator(Estimator):
    """A StarGAN whose input function gives (data, their domains one-hot).

    For predictions it gives (data, the domains that they are brought to) as features.

    Args:
        {networks}
        loss_fn: from a StarGANModel to its GANLoss; by default `tf.contrib.gan.stargan_loss`.
        {training}
        add_summaries: a SummaryType, or a list of them.
        config: a tf.estimator.RunConfig.
    """

    def __init__(self, model_dir: Any = None, generator_fn: Any = None, discriminator_fn: Any = None,
                 loss_fn: Any = None, generator_optimizer: Any = None, discriminator_optimizer: Any = None,
                 get_hooks_fn: Any = None, get_eval_metric_ops_fn: Any = None, add_summaries: Any = None,
                 config: Any = None) -> None:
        wanted = [add_summaries] if not isinstance(add_summaries, (list, tuple)) else list(add_summaries)
        kinds = [SummaryType(each) for each in wanted if each is not None]

        def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
            generate, discriminate = _in_mode(generator_fn, mode), _in_mode(discriminator_fn, mode)
            if mode == ModeKeys.PREDICT:
                with variable_scope("Generator"):
                    return EstimatorSpec(mode, predictions=generate(*features))
            model = stargan_model(generate, discriminate, features, labels)
            if SummaryType.VARIABLES in kinds:
                add_gan_model_summaries(model)
            if SummaryType.IMAGES in kinds or SummaryType.IMAGE_COMPARISON in kinds:
                add_stargan_image_summaries(model)
            loss = (loss_fn or stargan_loss)(model)
            if mode == ModeKeys.EVAL:
                return _evaluated(model, loss, get_eval_metric_ops_fn)
            return _trained(model, loss, (generator_optimizer, discriminator_optimizer), get_hooks_fn)
        super().__init__(model_fn, model_dir, config)
