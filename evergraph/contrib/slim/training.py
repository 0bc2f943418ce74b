"""tf.contrib.training and tf.contrib.slim.learning: training operations."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import logging
from evergraph.base.export import export, names_in
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.clip import clip_by_norm, global_norm
from evergraph.frontend.collections import GraphKeys, get_collection, get_collection_ref, trainable_variables
from evergraph.frontend.control_flow import group, with_dependencies
from evergraph.frontend.math import cast
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays import basic
from evergraph.summary import summaries as summary
from evergraph.train.global_step import get_or_create_global_step
from evergraph.train.optimizer import Optimizer

_USE_GLOBAL_STEP = 0

_names = names_in("contrib.training", "contrib.slim.learning")


@export(*_names("multiply_gradients"))
def multiply_gradients(grads_and_vars: list[Any], gradient_multipliers: dict[Any, Any]) -> list[Any]:
    """(gradient, variable) pairs, some gradients multiplied.

    Args:
        grads_and_vars: a list of pairs.
        gradient_multipliers: factors by variable or by its name.

    Raises:
        ValueError: an argument is no list or no dictionary, or a gradient to multiply is None.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError("grads_and_vars must be a list of pairs")
    if not gradient_multipliers:
        raise ValueError("there are no factors in gradient_multipliers")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("gradient_multipliers must be a dictionary")
    result = []
    for gradient, variable in grads_and_vars:
        key = variable if variable in gradient_multipliers else variable.op.name
        if key in gradient_multipliers:
            if gradient is None:
                raise ValueError(f"{variable.op.name} has no gradient to multiply")
            factor = cast(convert_to_tensor(gradient_multipliers[key]), gradient.dtype)
            gradient = _of_values(gradient, lambda values, factor=factor: values * factor)
        result.append((gradient, variable))
    return result


def _of_values(gradient: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(change(gradient.values), gradient.indices, gradient.dense_shape)
    return change(gradient)


@export(*_names("clip_gradient_norms"))
def clip_gradient_norms(gradients_to_variables: list[Any], max_norm: float) -> list[Any]:
    """(gradient, variable) pairs, each gradient scaled down to `max_norm` where it is longer.

    Args:
        gradients_to_variables: the pairs.
        max_norm: the greatest length.
    """
    clip = lambda values: clip_by_norm(values, max_norm)
    return [(None if gradient is None else _of_values(gradient, clip), variable)
            for gradient, variable in gradients_to_variables]


@export("contrib.training.clip_gradient_norms_fn")
def clip_gradient_norms_fn(max_norm: float) -> Callable[[list[Any]], list[Any]]:
    """`clip_gradient_norms` with this norm as a function of pairs."""
    return lambda pairs: clip_gradient_norms(pairs, max_norm)


@export(*_names("add_gradients_summaries"))
def add_gradients_summaries(grads_and_vars: list[Any]) -> list[Any]:
    """Summaries of gradients: a histogram and the norm of each."""
    made = []
    for gradient, variable in grads_and_vars:
        if gradient is None:
            logging.info("Var %s has no gradient", variable.op.name)
            continue
        values = gradient.values if isinstance(gradient, IndexedSlices) else gradient
        made += [summary.histogram(f"{variable.op.name}_gradient", values),
                 summary.scalar(f"{variable.op.name}_gradient_norm", global_norm([values]))]
    return made


@export("contrib.training.create_train_op")
def create_train_op(total_loss: Any, optimizer: Any, global_step: Any = _USE_GLOBAL_STEP, update_ops: Any = None,
                    variables_to_train: Any = None, transform_grads_fn: Any = None, summarize_gradients: bool = False,
                    gate_gradients: int = Optimizer.GATE_OP, aggregation_method: Any = None,
                    colocate_gradients_with_ops: bool = False, check_numerics: bool = True) -> Any:
    """A tensor of the loss that, when it is computed, makes one step of training.

    Args:
        total_loss: the loss.
        optimizer: a `tf.train.Optimizer`.
        global_step: the variable that counts steps; by default the graph's own, None for none.
        update_ops: operations to run before the gradients are computed; by default those of UPDATE_OPS.
        variables_to_train: by default the trainable variables.
        transform_grads_fn: a function from (gradient, variable) pairs to such pairs.
        summarize_gradients: whether gradients get summaries.
        gate_gradients, aggregation_method, colocate_gradients_with_ops: as for `tf.train.Optimizer.minimize`.
        check_numerics: whether a loss that is no finite number is an error.

    Returns:
        The loss, after the step.
    """
    step = get_or_create_global_step() if global_step is _USE_GLOBAL_STEP else global_step
    total_loss = _after(update_ops, total_loss)
    variables = trainable_variables() if variables_to_train is None else variables_to_train
    if not variables:
        raise ValueError("there are no variables to train")
    pairs = optimizer.compute_gradients(total_loss, variables, gate_gradients=gate_gradients,
                                        aggregation_method=aggregation_method,
                                        colocate_gradients_with_ops=colocate_gradients_with_ops)
    pairs = pairs if transform_grads_fn is None else transform_grads_fn(pairs)
    if summarize_gradients:
        with name_scope("summarize_grads"):
            add_gradients_summaries(pairs)
    applied = optimizer.apply_gradients(pairs, global_step=step)
    with name_scope("train_op"):
        if check_numerics:
            total_loss = basic.check_numerics(total_loss, "LossTensor is inf or nan")
        train_op = with_dependencies([applied], total_loss)
    collection = get_collection_ref(GraphKeys.TRAIN_OP)
    if not any(train_op is known for known in collection):
        collection.append(train_op)
    return train_op


def _after(update_ops: Any, total_loss: Any) -> Any:
    known = list(dict.fromkeys(get_collection(GraphKeys.UPDATE_OPS)))
    updates = known if update_ops is None else list(dict.fromkeys(update_ops))
    if any(update not in updates for update in known):
        logging.warning("some of the operations in UPDATE_OPS are not among the update_ops given")
    if not updates:
        return total_loss
    with control_dependencies(updates):
        barrier = group(name="update_barrier")
    return with_dependencies([barrier], total_loss)


@export("contrib.slim.learning.create_train_op")
def create_slim_train_op(total_loss: Any, optimizer: Any, global_step: Any = _USE_GLOBAL_STEP, update_ops: Any = None,
                         variables_to_train: Any = None, clip_gradient_norm: float = 0,
                         summarize_gradients: bool = False, gate_gradients: int = Optimizer.GATE_OP,
                         aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
                         gradient_multipliers: Any = None, check_numerics: bool = True) -> Any:
    """`tf.contrib.training.create_train_op` with factors and a limit for gradients.

    Args:
        clip_gradient_norm: the longest that a gradient may be; 0 for any.
        gradient_multipliers: factors of gradients by variable or by its name.
        total_loss, optimizer, global_step, update_ops, variables_to_train, summarize_gradients, gate_gradients,
        aggregation_method, colocate_gradients_with_ops, check_numerics: as there.
    """
    def transform(pairs):
        if gradient_multipliers:
            pairs = multiply_gradients(pairs, gradient_multipliers)
        return clip_gradient_norms(pairs, clip_gradient_norm) if clip_gradient_norm > 0 else pairs
    return create_train_op(
        total_loss, optimizer, global_step, update_ops, variables_to_train, transform, summarize_gradients,
        gate_gradients, aggregation_method, colocate_gradients_with_ops, check_numerics)
