# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.wrappers.scikit_learn."""

from collections.abc import Callable
from typing import Any, Self

class KerasClassifier:
    """A classifier of scikit-learn from a function that makes a compiled model."""
    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Makes a new model and trains it; see the arguments of `tf.keras.Model.fit`."""
    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The class of each example."""
    def predict_proba(self, x: Any, **kwargs: Any) -> Any:
        """The probability of each class for each example."""
    def score(self, x: Any, y: Any, **kwargs: Any) -> float:
        """The accuracy."""
    def check_params(self, params: dict[str, Any]) -> None:
        """Checks that the parameters have a use."""
    def get_params(self, **params: Any) -> dict[str, Any]:
        """The parameters, by name."""
    def set_params(self, **params: Any) -> Self:
        """Sets parameters; returns itself."""
    def filter_sk_params(
        self, fn: Callable[..., Any], override: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Those of the parameters that a function has, and what overrides them."""
    def __init__(self, build_fn: Callable[..., Any] | None = None, **sk_params: Any) -> None: ...
    n_classes_: Any
    classes_: Any
    build_fn: Any
    sk_params: Any
    model: Any

class KerasRegressor:
    """A regressor of scikit-learn from a function that makes a compiled model."""
    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The prediction for each example."""
    def score(self, x: Any, y: Any, **kwargs: Any) -> float:
        """The loss, with the other sign: larger is better."""
    def check_params(self, params: dict[str, Any]) -> None:
        """Checks that the parameters have a use."""
    def get_params(self, **params: Any) -> dict[str, Any]:
        """The parameters, by name."""
    def set_params(self, **params: Any) -> Self:
        """Sets parameters; returns itself."""
    def filter_sk_params(
        self, fn: Callable[..., Any], override: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Those of the parameters that a function has, and what overrides them."""
    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Makes a new model and trains it."""
    def __init__(self, build_fn: Callable[..., Any] | None = None, **sk_params: Any) -> None: ...
    build_fn: Any
    sk_params: Any
    model: Any
