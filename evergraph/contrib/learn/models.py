"""tf.contrib.learn.models: a linear model in one call, for model functions."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.learn.ops import mean_squared_error_regressor, softmax_classifier
from evergraph.frontend.variables.initializers import random_normal_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.summary import summaries


def _named(name: str) -> Any:
    return export(f"contrib.learn.models.{name}")


@_named("linear_regression_zero_init")
def linear_regression_zero_init(x: Any, y: Any) -> tuple[Any, Any]:
    """(predictions, loss) of a linear regression whose weights begin at 0; see `linear_regression`."""
    return linear_regression(x, y, init_mean=0.0, init_stddev=0.0)


@_named("logistic_regression_zero_init")
def logistic_regression_zero_init(x: Any, y: Any) -> tuple[Any, Any]:
    """(probabilities, loss) of a logistic regression whose weights begin at 0; see `logistic_regression`."""
    return logistic_regression(x, y, init_mean=0.0, init_stddev=0.0)


def _layer(x: Any, outputs: int, init_mean: float | None, init_stddev: float) -> tuple[Any, Any]:
    """(weights, bias) of a layer."""
    dtype = x.dtype.base_dtype
    drawn = {} if init_mean is None else {
        "initializer": random_normal_initializer(init_mean, init_stddev, dtype=dtype)}
    weights = get_variable("weights", [x.shape.as_list()[1], outputs], dtype=dtype, **drawn)
    return weights, get_variable("bias", [outputs], dtype=dtype, **drawn)


@_named("linear_regression")
def linear_regression(x: Any, y: Any, init_mean: float | None = None, init_stddev: float = 1.0) -> tuple[Any, Any]:
    """(predictions, loss) of a linear regression.

    Args:
        x: features [batch, features].
        y: numbers, [batch] or [batch, outputs].
        init_mean: the mean of the weights at first; by default they are drawn as get_variable does.
        init_stddev: their standard deviation.
    """
    with variable_scope("linear_regression"):
        summaries.histogram("linear_regression.x", x)
        summaries.histogram("linear_regression.y", y)
        outputs = 1 if len(y.shape) == 1 else y.shape.as_list()[1]
        weights, bias = _layer(x, outputs, init_mean, init_stddev)
        summaries.histogram("linear_regression.weights", weights)
        summaries.histogram("linear_regression.bias", bias)
        return mean_squared_error_regressor(x, y, weights, bias)


@_named("logistic_regression")
def logistic_regression(x: Any, y: Any, class_weight: Any = None, init_mean: float | None = None,
                        init_stddev: float = 1.0) -> tuple[Any, Any]:
    """(probabilities, loss) of a logistic regression.

    Args:
        x: features [batch, features].
        y: one-hot rows [batch, classes].
        class_weight: a factor of each class's logit.
        init_mean, init_stddev: see `linear_regression`.
    """
    with variable_scope("logistic_regression"):
        summaries.histogram("logistic_regression.x", x)
        summaries.histogram("logistic_regression.y", y)
        weights, bias = _layer(x, y.shape.as_list()[-1], init_mean, init_stddev)
        summaries.histogram("logistic_regression.weights", weights)
        summaries.histogram("logistic_regression.bias", bias)
        return softmax_classifier(x, y, weights, bias, class_weight)
