"""tf.contrib.layers.optimize_loss: a training step in one call."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.layers.names import everywhere
from evergraph.frontend import array, math
from evergraph.frontend.clip import clip_by_global_norm, global_norm
from evergraph.frontend.collections import GraphKeys, get_collection, trainable_variables
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import where
from evergraph.frontend.random import truncated_normal
from evergraph.frontend.variables.initializers import constant_initializer, zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise
from evergraph.summary import summaries as summary
from evergraph.train.adagrad import AdagradOptimizer
from evergraph.train.adam import AdamOptimizer
from evergraph.train.ftrl import FtrlOptimizer
from evergraph.train.global_step import assert_global_step, get_global_step
from evergraph.train.gradient_descent import GradientDescentOptimizer
from evergraph.train.momentum import MomentumOptimizer
from evergraph.train.moving_averages import assign_moving_average
from evergraph.train.optimizer import Optimizer
from evergraph.train.rmsprop import RMSPropOptimizer

OPTIMIZER_CLS_NAMES = export(*everywhere("OPTIMIZER_CLS_NAMES", module="optimizers"))({
    "Adagrad": AdagradOptimizer,
    "Adam": AdamOptimizer,
    "Ftrl": FtrlOptimizer,
    "Momentum": lambda learning_rate: MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
})
OPTIMIZER_SUMMARIES = export(*everywhere("OPTIMIZER_SUMMARIES", module="optimizers"))(
    ["learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm"])


@export(*everywhere("optimize_loss", module="optimizers"))
def optimize_loss(loss: Any, global_step: Any, learning_rate: Any, optimizer: Any, gradient_noise_scale: Any = None,
                  gradient_multipliers: Any = None, clip_gradients: Any = None, learning_rate_decay_fn: Any = None,
                  update_ops: Any = None, variables: Any = None, name: str | None = None,
                  summaries: Sequence[str] | None = None, colocate_gradients_with_ops: bool = False,
                  increment_global_step: bool = True) -> Any:
    """A tensor with the loss whose evaluation runs one training step.

    Args:
        loss: a scalar tensor.
        global_step: the step counter; None for the graph's own, if it has one.
        learning_rate: a float, which becomes the variable `name`/learning_rate, a scalar tensor, or None.
        optimizer: the name of one, such as "Adam", a class, an object, or a function of the learning rate.
        gradient_noise_scale: the standard deviation of noise to add to the gradients; None for none.
        gradient_multipliers: factors for gradients, by variable or its name.
        clip_gradients: the maximal global norm, or a function of (gradient, variable) pairs.
        learning_rate_decay_fn: a function (learning rate, step) -> learning rate.
        update_ops: operations to run before the loss; by default those of UPDATE_OPS.
        variables: the variables to train; by default all trainable ones.
        name: the name scope; by default "OptimizeLoss".
        summaries: which of OPTIMIZER_SUMMARIES to write; by default all but those of single gradients.
        colocate_gradients_with_ops: as for `tf.gradients`.
        increment_global_step: whether to increment the step counter.

    Returns:
        The loss, with a dependency on the training step.

    Raises:
        ValueError: an argument is invalid.
    """
    loss = convert_to_tensor(loss)
    if loss.shape.rank not in (None, 0):
        raise ValueError(f"Shape {loss.shape} must be a scalar")
    global_step = get_global_step() if global_step is None else global_step
    if global_step is not None:
        assert_global_step(global_step)
    with variable_scope(name, "OptimizeLoss", [loss, global_step]):
        wanted = _checked_summaries(summaries)
        loss = _after(update_ops, loss)
        rate = _decayed(_learning_rate(learning_rate), learning_rate_decay_fn, global_step)
        if rate is not None and "learning_rate" in wanted:
            summary.scalar("learning_rate", rate)
        chosen = _optimizer(optimizer, rate)
        pairs = chosen.compute_gradients(loss, trainable_variables() if variables is None else variables,
                                         colocate_gradients_with_ops=colocate_gradients_with_ops)
        if gradient_noise_scale is not None:
            pairs = _with_noise(pairs, gradient_noise_scale)
        if gradient_multipliers is not None:
            pairs = _multiplied(pairs, gradient_multipliers)
            if not pairs:
                raise ValueError("gradient_multipliers names none of the variables that have a gradient")
        pairs = _clipped(pairs, clip_gradients, wanted)
        if "loss" in wanted:
            summary.scalar("loss", loss)
        step = chosen.apply_gradients(pairs, global_step=global_step if increment_global_step else None, name="train")
        return with_dependencies([step], loss)


def _checked_summaries(names: Sequence[str] | None) -> list[str]:
    if names is None:
        return ["loss", "learning_rate", "global_gradient_norm"]
    for each in names:
        if each not in OPTIMIZER_SUMMARIES:
            raise ValueError(f"there is no summary {each!r}: choose from {', '.join(OPTIMIZER_SUMMARIES)}")
    return list(names)


def _after(update_ops: Any, loss: Tensor) -> Tensor:
    updates = get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else update_ops
    return with_dependencies(list(dict.fromkeys(updates)), loss) if updates else loss


def _learning_rate(rate: Any) -> Any:
    """The learning rate as a tensor or variable; None for none."""
    if rate is None:
        return None
    if isinstance(rate, Tensor) and rate.shape.rank == 0:
        return rate
    if isinstance(rate, float):
        if rate < 0.0:
            raise ValueError(f"Invalid learning_rate {rate}.")
        return get_variable("learning_rate", [], trainable=False, initializer=constant_initializer(rate))
    raise ValueError(f"the learning rate must be a number or a scalar tensor, got {rate!r}")


def _decayed(rate: Any, decay: Any, global_step: Any) -> Any:
    if rate is None or decay is None:
        return rate
    if global_step is None:
        raise ValueError("learning_rate_decay_fn needs a global_step")
    return decay(rate, global_step)


def _optimizer(given: Any, rate: Any) -> Optimizer:
    if isinstance(given, str):
        if given not in OPTIMIZER_CLS_NAMES:
            raise ValueError(f"there is no optimizer {given!r}: choose from {', '.join(OPTIMIZER_CLS_NAMES)}")
        given = OPTIMIZER_CLS_NAMES[given]
        if rate is None:
            raise ValueError(f"the optimizer {given!r} needs a learning rate")
        return given(learning_rate=rate)
    if isinstance(given, type) and issubclass(given, Optimizer):
        if rate is None:
            raise ValueError(f"the optimizer {given.__name__} needs a learning rate")
        return given(learning_rate=rate)
    if isinstance(given, Optimizer):
        return given
    if callable(given) and not isinstance(given, type):
        made = given() if rate is None else given(rate)
        if isinstance(made, Optimizer):
            return made
        raise ValueError(f"The function for the optimizer should give one, but gave {made}.")
    raise ValueError(f"Unrecognized optimizer {given!r}: must be a name, an Optimizer, a class of them or a function "
                     f"of the learning rate")


def _with_noise(pairs: Any, scale: Any) -> list[Any]:
    noisy = []
    for gradient, variable in pairs:
        if gradient is not None:
            shape = gradient.dense_shape if isinstance(gradient, IndexedSlices) else gradient.shape
            gradient = convert_to_tensor(gradient) + truncated_normal(shape) * scale
        noisy.append((gradient, variable))
    return noisy


def _multiplied(pairs: Any, multipliers: dict[Any, Any]) -> list[Any]:
    result = []
    for gradient, variable in pairs:
        key = variable if variable in multipliers else variable.op.name
        if gradient is not None and key in multipliers:
            factor = math.cast(convert_to_tensor(multipliers[key]), gradient.dtype)
            gradient = IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape) \
                if isinstance(gradient, IndexedSlices) else gradient * factor
        result.append((gradient, variable))
    return result


def _clipped(pairs: Any, clip_gradients: Any, wanted: list[str]) -> Any:
    """The clipped pairs, with summaries before and after."""
    gradients = [gradient for gradient, _ in pairs if gradient is not None]
    if "global_gradient_norm" in wanted or "gradient_norm" in wanted:
        summary.scalar("global_norm/gradient_norm", global_norm(gradients))
    if isinstance(clip_gradients, (int, float)):
        clipped, _ = clip_by_global_norm([gradient for gradient, _ in pairs], clip_gradients)
        pairs = list(zip(clipped, [variable for _, variable in pairs]))
    elif callable(clip_gradients):
        pairs = clip_gradients(pairs)
    elif clip_gradients is not None:
        raise ValueError(f"Unknown type {type(clip_gradients)} for clip_gradients")
    for gradient, variable in pairs:
        if gradient is not None:
            values = gradient.values if isinstance(gradient, IndexedSlices) else gradient
            if "gradients" in wanted:
                summary.histogram(f"gradients/{variable.op.name}", values)
            if "gradient_norm" in wanted:
                summary.scalar(f"gradient_norm/{variable.op.name}", global_norm([values]))
    if clip_gradients is not None and ("global_gradient_norm" in wanted or "gradient_norm" in wanted):
        clipped = [gradient for gradient, _ in pairs if gradient is not None]
        summary.scalar("global_norm/clipped_gradient_norm", global_norm(clipped))
    return pairs


@export(*everywhere("adaptive_clipping_fn", module="optimizers"))
def adaptive_clipping_fn(std_factor: float = 2.0, decay: float = 0.95, static_max_norm: float | None = None,
                         global_step: Any = None, report_summary: bool = False, epsilon: float = 1e-8,
                         name: str | None = None) -> Callable[[Any], Any]:
    """An adaptive function for `clip_gradients`: clips norms that exceed their moving average by too much.

    Args:
        std_factor: the allowed number of standard deviations of the norm's logarithm.
        decay: the decay rate of the moving averages.
        static_max_norm: an upper bound of the norm.
        global_step: makes the averages adapt faster in the first steps.
        report_summary: whether to write a summary of the limit.
        epsilon: the minimal variance.
        name: the scope of the averages; by default "AdaptiveMaxNorm".

    Returns:
        A function from (gradient, variable) pairs to such pairs.
    """
    def clip(pairs: Any) -> list[Any]:
        length = global_norm([gradient for gradient, _ in pairs])
        limit, usual = _adaptive_limit(length, std_factor, decay, global_step, epsilon, name)
        if report_summary:
            summary.scalar("global_norm/adaptive_max_gradient_norm", limit)
        factor = where(elementwise.less(length, limit), array.ones_like(length), elementwise.exp(usual) / length)
        if static_max_norm is not None:
            factor = elementwise.minimum(static_max_norm / length, factor)
        return [(_scaled(gradient, factor), variable) for gradient, variable in pairs]
    return clip


def _scaled(gradient: Any, factor: Tensor) -> Any:
    if gradient is None:
        return None
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape)
    return gradient * factor


def _adaptive_limit(length, std_factor, decay, global_step, epsilon, name):
    """(the maximal norm, the mean of the norm's logarithm)."""
    with variable_scope(name, "AdaptiveMaxNorm", [length]):
        logarithm = elementwise.log(length + epsilon)
        if global_step is not None:
            seen = math.cast(global_step, "float32")
            decay = elementwise.minimum(decay, seen / (seen + 1.0))

        def average(called, value):
            variable = get_variable(called, shape=value.shape, dtype=value.dtype, initializer=zeros_initializer(),
                                    trainable=False)
            return assign_moving_average(variable, value, decay, zero_debias=False)

        mean, square = average("mean", logarithm), average("sq_mean", math.square(logarithm))
        variance = square - math.square(mean)
        deviation = elementwise.sqrt(elementwise.maximum(epsilon, variance))
        return elementwise.exp(mean + std_factor * deviation), mean
