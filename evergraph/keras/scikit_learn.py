"""tf.keras.wrappers.scikit_learn: models with the methods of scikit-learn's estimators."""
from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.keras.model import Model
from evergraph.keras.sequential import Sequential
from evergraph.keras.utilities import to_categorical

_TRAINED_BY = ("fit", "predict", "predict_classes", "evaluate")


class BaseWrapper:
    """A model that a function makes and compiles, with the methods of scikit-learn.

    Args:
        build_fn: the function, or an object with `__call__`; a subclass may have `__call__` itself.
        **sk_params: arguments of that function, and of the model's `fit`, `predict` and `evaluate`.

    Raises:
        ValueError: none of these has such an argument.
    """

    def __init__(self, build_fn: Callable[..., Any] | None = None, **sk_params: Any) -> None:
        self.build_fn, self.sk_params = build_fn, sk_params
        self.check_params(sk_params)

    def _builder(self) -> Callable[..., Any]:
        """The function that makes the model."""
        if self.build_fn is None:
            return self.__call__  # type: ignore[operator,no-any-return]
        is_plain = inspect.isfunction(self.build_fn) or inspect.ismethod(self.build_fn)
        return self.build_fn if is_plain else self.build_fn.__call__

    def check_params(self, params: dict[str, Any]) -> None:
        """Checks that the parameters have a use.

        Raises:
            ValueError: one has none.
        """
        known = [getattr(Sequential, name) for name in _TRAINED_BY if hasattr(Sequential, name)] + [self._builder()]
        for name in params:
            if name != "nb_epoch" and not any(name in inspect.signature(function).parameters for function in known):
                raise ValueError(f"{name} is not a legal parameter")

    def get_params(self, **params: Any) -> dict[str, Any]:
        """The parameters, by name.

        Args:
            **params: `deep` of scikit-learn has no meaning here.
        """
        return {**copy.deepcopy(self.sk_params), "build_fn": self.build_fn}

    def set_params(self, **params: Any) -> BaseWrapper:
        """Sets parameters; returns itself."""
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def filter_sk_params(self, fn: Callable[..., Any], override: dict[str, Any] | None = None) -> dict[str, Any]:
        """Those of the parameters that a function has, and what overrides them."""
        names = inspect.signature(fn).parameters
        return {**{name: value for name, value in self.sk_params.items() if name in names}, **(override or {})}

    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Makes a new model and trains it.

        Args:
            x: the examples.
            y: the labels.
            **kwargs: arguments of the model's `fit`.

        Returns:
            The history of the training.
        """
        build = self._builder()
        self.model = build(**self.filter_sk_params(build))
        if _loss_name(self.model) == "categorical_crossentropy" and np.ndim(y) != 2:
            y = to_categorical(y)
        return self.model.fit(x, y, **self.filter_sk_params(Model.fit, kwargs))


def _loss_name(model: Any) -> Any:
    return getattr(model.loss, "__name__", model.loss)


@export("keras.wrappers.scikit_learn.KerasClassifier")
class KerasClassifier(BaseWrapper):
    """A classifier of scikit-learn from a function that makes a compiled model.

    Args:
        build_fn: the function.
        **sk_params: its arguments, and those of the model's `fit`, `predict` and `evaluate`.
    """

    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Makes a new model and trains it; see the arguments of `tf.keras.Model.fit`.

        Args:
            x: the examples.
            y: the labels: class values [examples] or [examples, 1], or one-hot [examples, classes].
            **kwargs: arguments of the model's `fit`.

        Raises:
            ValueError: the labels have another shape.
        """
        y = np.asarray(y)
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        elif y.ndim in (1, 2):
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        else:
            raise ValueError(f"Invalid shape for y: {y.shape}")
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The class of each example."""
        found = self.model.predict(x, **self.filter_sk_params(Model.predict, kwargs))
        places = found.argmax(axis=-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32")
        return self.classes_[places].reshape(len(found))

    def predict_proba(self, x: Any, **kwargs: Any) -> Any:
        """The probability of each class for each example."""
        found = self.model.predict(x, **self.filter_sk_params(Model.predict, kwargs))
        return np.hstack([1 - found, found]) if found.shape[1] == 1 else found

    def score(self, x: Any, y: Any, **kwargs: Any) -> float:
        """The accuracy.

        Raises:
            ValueError: the model is not compiled with metrics=["accuracy"].
        """
        y = np.searchsorted(self.classes_, y)
        if _loss_name(self.model) == "categorical_crossentropy" and y.ndim != 2:
            y = to_categorical(y)
        results = self.model.evaluate(x, y, **self.filter_sk_params(Model.evaluate, kwargs))
        for name, value in zip(self.model.metrics_names, results if isinstance(results, list) else [results]):
            if name in ("accuracy", "acc"):
                return value
        raise ValueError('The model is not compiled for accuracy: pass metrics=["accuracy"] to `compile`')


@export("keras.wrappers.scikit_learn.KerasRegressor")
class KerasRegressor(BaseWrapper):
    """A regressor of scikit-learn from a function that makes a compiled model.

    Args:
        build_fn: the function.
        **sk_params: its arguments, and those of the model's `fit`, `predict` and `evaluate`.
    """

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The prediction for each example."""
        return np.squeeze(self.model.predict(x, **self.filter_sk_params(Model.predict, kwargs)))

    def score(self, x: Any, y: Any, **kwargs: Any) -> float:
        """The loss, with the other sign: larger is better."""
        loss = self.model.evaluate(x, y, **self.filter_sk_params(Model.evaluate, kwargs))
        return -loss[0] if isinstance(loss, list) else -loss
