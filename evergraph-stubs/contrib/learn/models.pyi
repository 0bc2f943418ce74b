# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.models."""

from typing import Any

def linear_regression(
    x: Any, y: Any, init_mean: float | None = None, init_stddev: float = 1.0,
) -> tuple[Any, Any]:
    """(predictions, loss) of a linear regression."""

def linear_regression_zero_init(x: Any, y: Any) -> tuple[Any, Any]:
    """(predictions, loss) of a linear regression whose weights begin at 0; see `linear_regression`."""

def logistic_regression(
    x: Any, y: Any, class_weight: Any = None, init_mean: float | None = None, init_stddev: float = 1.0,
) -> tuple[Any, Any]:
    """(probabilities, loss) of a logistic regression."""

def logistic_regression_zero_init(x: Any, y: Any) -> tuple[Any, Any]:
    """(probabilities, loss) of a logistic regression whose weights begin at 0; see
    `logistic_regression`."""
