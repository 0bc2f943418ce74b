"""The scores of scikit-learn that tf.contrib.learn's tutorials use, for machines without scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np


def accuracy_score(y_true: Any, y_pred: Any) -> float:
    """The share of predictions that are right."""
    return float(np.mean(np.asarray(y_true) == np.asarray(y_pred)))


def mean_squared_error(y_true: Any, y_pred: Any) -> float:
    """The mean of squared differences."""
    true, predicted = np.asarray(y_true), np.asarray(y_pred)
    if true.ndim > 1:
        true = np.squeeze(true)
    if predicted.ndim > 1:
        predicted = np.squeeze(predicted)
    return float(np.average((true - predicted) ** 2))


def log_loss(y_true: Any, y_pred: Any, eps: float = 1e-15) -> float:
    """The mean of minus the logarithm of the probability of the true class."""
    chances = np.clip(np.asarray(y_pred), eps, 1 - eps)
    return float(np.average(-np.log(chances[np.arange(len(chances)), np.asarray(y_true)])))


def train_test_split(*arrays: Any, test_size: float = 0.25, train_size: float | None = None,
                     random_state: int | None = None) -> list[Any]:
    """Arrays of rows, each divided into rows for training and for a test, in a random order."""
    count = len(arrays[0])
    kept = int(count * (1 - test_size if train_size is None else train_size))
    order = np.random.RandomState(random_state).permutation(count)
    return [part for array in arrays for part in (np.asarray(array)[order[:kept]], np.asarray(array)[order[kept:]])]
