"""tf.contrib.factorization.GMM: mixtures of Gaussians, fitted by expectation and maximization."""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.learn.canned import by_key
from evergraph.contrib.learn.estimator import BaseEstimator
from evergraph.contrib.learn.model_fn import ModelFnOps
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import group
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import matrix_diag_part
from evergraph.frontend.random import random_shuffle
from evergraph.frontend.reduce import argmax, reduce_logsumexp, reduce_mean, reduce_sum
from evergraph.frontend.variables.assign import assign
from evergraph.frontend.variables.initializers import constant_initializer, zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.metrics.means import mean
from evergraph.ops.math import elementwise
from evergraph.ops.math.linalg import cholesky, matrix_triangular_solve
from evergraph.summary.summaries import scalar
from evergraph.train.global_step import get_global_step
from evergraph.train.session_run_hook import SessionRunHook

FULL, DIAGONAL = "full", "diag"
_LEAST_VARIANCE = 1e-3  # added to variances, so that none is 0
_LEAST_WEIGHT = 1e-6  # of a component to which no point belongs


class Mixture:
    """The variables of a mixture, and what they say of points.

    Args:
        points: [points, dimensions].
        number: how many components there are.
        initial: "random", or an array of means.
        seed: of random means.
        kind: "full" for covariance matrices, "diag" for variances.
    """

    def __init__(self, points: Any, number: int, initial: Any, seed: int, kind: str) -> None:
        self._points, self._initial, self._seed, self._kind = points, initial, seed, kind
        width = points.shape.as_list()[1]
        shape = [number, width, width] if kind == FULL else [number, width]
        with variable_scope("gmm"):
            self.means = get_variable("clusters", [number, width], initializer=zeros_initializer(), trainable=False)
            self.weights = get_variable("alphas", [number], initializer=constant_initializer(1.0 / number),
                                        trainable=False)
            self.covariances = get_variable("covariances", shape, initializer=constant_initializer(1.0),
                                            trainable=False)
            self.is_initialized = get_variable("initialized", [], dtypes.bool, trainable=False,
                                               initializer=constant_initializer(False))
        self.chances = self._log_chances()
        self.log_likelihoods = reduce_logsumexp(self.chances, axis=1)

    def initialize(self) -> Any:
        """The operation that chooses means among the points, and their covariances as that of all points."""
        number = self.means.shape.as_list()[0]
        if isinstance(self._initial, str):
            first = random_shuffle(self._points, seed=self._seed)[:number]
        else:
            first = convert_to_tensor(np.asarray(self._initial, np.float32))
        around = self._points - reduce_mean(self._points, axis=0)
        count = math.cast(array.shape(self._points)[0], dtypes.float32)
        spread = matmul(around, around, transpose_a=True) / count
        if self._kind == DIAGONAL:
            spread = matrix_diag_part(spread)
        spread = array.expand_dims(spread, 0) + self._floor()
        whole = array.zeros(self.covariances.shape) + spread
        with control_dependencies([assign(self.means, first), assign(self.covariances, whole)]):
            return assign(self.is_initialized, True).op

    def _floor(self) -> Any:
        width = self.means.shape.as_list()[1]
        least = np.eye(width) if self._kind == FULL else np.ones(width)
        return (_LEAST_VARIANCE * least).astype(np.float32)

    def _log_chances(self) -> Any:
        """The logarithm of each component's density at each point, times its weight: [points, components]."""
        around = array.expand_dims(self._points, 0) - array.expand_dims(self.means, 1)  # [components, points, width]
        if self._kind == FULL:
            root = cholesky(self.covariances)
            scaled = matrix_triangular_solve(root, array.transpose(around, [0, 2, 1]))
            distances = reduce_sum(elementwise.square(scaled), axis=1)
            log_size = 2.0 * reduce_sum(elementwise.log(matrix_diag_part(root)), axis=1)
        else:
            distances = reduce_sum(elementwise.square(around) / array.expand_dims(self.covariances, 1), axis=2)
            log_size = reduce_sum(elementwise.log(self.covariances), axis=1)
        width = self.means.shape.as_list()[1]
        constant = width * numbers.log(2 * numbers.pi)
        densities = -0.5 * (constant + array.expand_dims(log_size, 1) + distances)
        return array.transpose(densities) + elementwise.log(self.weights)

    def step(self, fitted: str) -> Any:
        """One step of expectation and maximization, for the parameters whose letters are given."""
        shares = elementwise.exp(self.chances - array.expand_dims(self.log_likelihoods, 1))  # [points, components]
        sizes = reduce_sum(shares, axis=0) + _LEAST_WEIGHT
        means = matmul(shares, self._points, transpose_a=True) / array.expand_dims(sizes, 1)
        around = array.expand_dims(self._points, 0) - array.expand_dims(means, 1)
        weighted = array.expand_dims(array.transpose(shares), 2) * around
        if self._kind == FULL:
            spread = matmul(weighted, around, transpose_a=True) / array.reshape(sizes, [-1, 1, 1])
        else:
            spread = reduce_sum(weighted * around, axis=1) / array.expand_dims(sizes, 1)
        new = {"w": (self.weights, sizes / reduce_sum(sizes)), "m": (self.means, means),
               "c": (self.covariances, spread + self._floor())}
        with control_dependencies([value for _, value in new.values()]):
            return group(*[assign(variable, array.identity(value)) for letter, (variable, value) in new.items()
                           if letter in fitted])


class _Begin(SessionRunHook):
    """Chooses the first means when a session starts, unless a checkpoint has brought some."""

    def __init__(self, mixture: Mixture) -> None:
        self._begin, self._is_initialized = mixture.initialize(), mixture.is_initialized

    def after_create_session(self, session: Any, coord: Any) -> None:
        if not session.run(self._is_initialized):
            session.run(self._begin)


@export("contrib.factorization.GMM")
class GMM(BaseEstimator):
    """A mixture of Gaussians, fitted by expectation and maximization of each batch.

    Args:
        num_clusters: how many components there are.
        model_dir: the directory of checkpoints and events.
        random_seed: of random means.
        params: which parameters are fitted: the letters "w" for weights, "m" for means, "c" for covariances.
        initial_clusters: "random", or an array of means.
        covariance_type: "full" for covariance matrices, "diag" for variances.
        config: a tf.contrib.learn.RunConfig.

    Raises:
        ValueError: an argument is not one of these.
    """

    SCORES = "scores"
    LOG_LIKELIHOOD = "loss"
    ASSIGNMENTS = "assignments"

    def __init__(self, num_clusters: int, model_dir: Any = None, random_seed: int = 0, params: str = "wmc",
                 initial_clusters: Any = "random", covariance_type: str = FULL, config: Any = None) -> None:
        if covariance_type not in (FULL, DIAGONAL):
            raise ValueError(f"covariance_type is {FULL!r} or {DIAGONAL!r}, got {covariance_type!r}")
        if isinstance(initial_clusters, str) and initial_clusters != "random":
            raise ValueError(f"initial_clusters is 'random' or an array, got {initial_clusters!r}")
        if set(params) - set("wmc"):
            raise ValueError(f"params has the letters w, m and c, got {params!r}")
        self._settings = (num_clusters, initial_clusters, random_seed, covariance_type)
        self._fitted = params
        super().__init__(model_dir, config)

    def _call_model(self, features: Any, labels: Any, mode: str, config: Any) -> ModelFnOps:
        if isinstance(features, Mapping):
            features = array.concat([features[name] for name in sorted(features)], axis=1)
        mixture = Mixture(math.cast(features, dtypes.float32), *self._settings)
        total = reduce_sum(mixture.log_likelihoods)
        scalar("loss/raw", -total)
        with control_dependencies([mixture.step(self._fitted)]):
            train_op = get_global_step().assign_add(1).op
        predictions = {self.ASSIGNMENTS: argmax(mixture.chances, 1), self.SCORES: mixture.log_likelihoods}
        return ModelFnOps(mode, predictions, -total, train_op, {self.SCORES: mean(total)},
                          training_hooks=[_Begin(mixture)])

    def predict_assignments(self, input_fn: Callable[..., Any] | None = None, batch_size: int | None = None,
                            outputs: Any = None) -> Any:
        """Yields the most likely component of each point.

        Args:
            input_fn: makes the points.
            batch_size: must be None; `input_fn` says how many points a batch has.
            outputs: must be None; there is one output.
        """
        if batch_size is not None or outputs is not None:
            raise ValueError(f"predict_assignments takes input_fn alone, got {batch_size=}, {outputs=}")
        return by_key(self.predict(input_fn=input_fn, outputs=[self.ASSIGNMENTS]), self.ASSIGNMENTS, True)

    def score(self, input_fn: Callable[..., Any] | None = None, batch_size: int | None = None,
              steps: int | None = None) -> float:
        """The logarithm of the likelihood of points.

        Args:
            input_fn: makes the points.
            batch_size: must be None; `input_fn` says how many points a batch has.
            steps: the number of batches, of which this is the mean.
        """
        return float(self.evaluate(input_fn=input_fn, batch_size=batch_size, steps=steps)[self.SCORES])

    def weights(self) -> Any:
        """The weights of components."""
        return self.get_variable_value("gmm/alphas")

    def clusters(self) -> Any:
        """The means of components."""
        return self.get_variable_value("gmm/clusters")

    def covariances(self) -> Any:
        """The covariances of components, or their variances."""
        return self.get_variable_value("gmm/covariances")
