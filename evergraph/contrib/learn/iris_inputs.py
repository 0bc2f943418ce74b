"""The irises as inputs of Estimators, for trying them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.contrib.learn.datasets import Dataset, load_iris
from evergraph.frontend.array import constant


def get_quantile_based_buckets(feature_values: Sequence[float], num_buckets: int) -> list[float]:
    """Boundaries between which there are as many values each."""
    return list(np.percentile(feature_values, 100.0 * np.arange(1, num_buckets + 1) / (num_buckets + 1)))


def prepare_iris_data_for_logistic_regression() -> Dataset:
    """The irises of the first two species."""
    iris = load_iris()
    known = iris.target < 2
    return Dataset(iris.data[known], iris.target[known])


def _input_of(iris: Dataset) -> tuple[dict[str, Any], Any]:
    return ({"feature": constant(iris.data, dtypes.float32)},
            constant(iris.target, dtypes.int32, shape=[len(iris.target), 1]))


def iris_input_multiclass_fn() -> tuple[dict[str, Any], Any]:
    """All irises in one batch."""
    return _input_of(load_iris())


def iris_input_logistic_fn() -> tuple[dict[str, Any], Any]:
    """The irises of the first two species in one batch."""
    return _input_of(prepare_iris_data_for_logistic_regression())
