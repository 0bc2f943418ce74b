"""Moving means and variances of batches, kept in variables."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.math import square
from evergraph.frontend.reduce import reduce_logsumexp
from evergraph.frontend.variables import assign
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math.elementwise import log, log1p


@export("contrib.distributions.assign_moving_mean_variance")
def assign_moving_mean_variance(mean_var: Any, variance_var: Any, value: Any, decay: Any,
                                name: str | None = None) -> tuple[Any, Any]:
    """Updates a moving mean and a moving variance with a value (Finch, 2009).

    Args:
        mean_var: the variable of the mean.
        variance_var: that of the variance.
        value: a tensor of their shape.
        decay: how much of the old ones stays, less than 1.
        name: a name for the operations.

    Returns:
        The two new values.
    """
    with name_scope(name, "assign_moving_mean_variance", [mean_var, variance_var, value, decay]):
        kind = mean_var.dtype.base_dtype
        if not kind.is_floating:
            raise TypeError(f"a moving mean has a floating dtype, not {kind.name}")
        decay, value = convert_to_tensor(decay, kind, name="decay"), convert_to_tensor(value, kind, name="value")
        delta = value - mean_var
        # The new variance needs the old mean.
        with control_dependencies([delta]):
            variance = assign.assign(variance_var, decay * (variance_var + (1.0 - decay) * square(delta)))
            with control_dependencies([variance]):
                mean = assign.assign_add(mean_var, (1.0 - decay) * delta)
        return mean, variance


@export("contrib.distributions.moving_mean_variance")
def moving_mean_variance(value: Any, decay: Any, collections: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """The moving mean and variance of a tensor, in two new variables that start at 0.

    Args:
        value: the tensor.
        decay: how much of the old ones stays, less than 1.
        collections: the collections of the variables.
        name: the name of their scope.
    """
    with variable_scope(name, "moving_mean_variance", [value, decay]):
        value = convert_to_tensor(value, name="value")
        kind, static = value.dtype.base_dtype, value.shape
        mean, variance = (
            get_variable(word, shape=static, dtype=kind, initializer=zeros_initializer(), trainable=False,
                         collections=collections) for word in ("moving_mean", "moving_variance"))
        return assign_moving_mean_variance(mean, variance, value, decay)


@export("contrib.distributions.assign_log_moving_mean_exp")
def assign_log_moving_mean_exp(log_mean_exp_var: Any, log_value: Any, decay: Any, name: str | None = None) -> Any:
    """Updates the logarithm of a moving mean of exp(log_value), without overflow, and returns the new one.

    Args:
        log_mean_exp_var: its variable.
        log_value: a tensor of the same shape.
        decay: how much of the old one stays, less than 1.
        name: a name for the operations.
    """
    with name_scope(name, "assign_log_moving_mean_exp", [log_mean_exp_var, log_value, decay]):
        kind = log_mean_exp_var.dtype.base_dtype
        decay = convert_to_tensor(decay, kind, name="decay")
        log_value = convert_to_tensor(log_value, kind, name="log_value")
        both = array.stack([log_mean_exp_var + log(decay), log_value + log1p(-decay)], -1)
        updated = assign.assign(log_mean_exp_var, reduce_logsumexp(both, -1))
        return with_dependencies([updated], array.identity(updated))
