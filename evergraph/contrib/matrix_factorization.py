"""tf.contrib.factorization.WALSMatrixFactorization: an Estimator of factors by weighted alternating least squares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from evergraph.base import dtypes, logging
from evergraph.base.export import export
from evergraph.contrib.learn.estimator import Estimator
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.contrib.learn.model_fn import ModelFnOps
from evergraph.contrib.least_squares import WALSModel
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import cond, group
from evergraph.frontend.variables.assign import assign, assign_add
from evergraph.frontend.variables.initializers import constant_initializer, zeros_initializer
from evergraph.frontend.variables.scope import get_variable
from evergraph.graph.node import Tensor
from evergraph.metrics.means import mean
from evergraph.ops.math import elementwise
from evergraph.summary.summaries import scalar
from evergraph.train.global_step import get_or_create_global_step
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook


@export("contrib.factorization.WALSMatrixFactorization")
class WALSMatrixFactorization(Estimator):
    """Factors the rows and columns of a sparse matrix (Hu, Koren and Volinsky, 2008), as WALSModel.

    A sweep solves for the factors of all rows while those of the columns stay, or the other way round; the sweeps take
    turns. The input function gives features by these keys:

        INPUT_ROWS: a sparse tensor with all entries of some rows; for training, evaluating and projecting rows.
        INPUT_COLS: the same of columns, transposed: its rows are columns of the matrix.
        PROJECT_ROW: a boolean scalar, for evaluation and projection: whether rows, or columns, are meant.
        PROJECTION_WEIGHTS: the weight of each row or column that is projected, or a number; 1 by default.

    Training ends after `max_sweeps` sweeps, besides its steps. Evaluation gives the loss of the input's best factors
    ("loss" and WALS_loss) and the root of the loss by the weights (WALS_RWSE).

    Args:
        num_rows, num_cols: the size of the matrix.
        embedding_dimension: the length of a factor.
        unobserved_weight: the weight of what the matrix does not have, which counts as zero.
        regularization_coeff: the weight of the squares of factors; None for none.
        row_init, col_init: the first factors: "random", or values.
        num_row_shards, num_col_shards: in how many variables factors are.
        row_weights, col_weights: a number, a list, or a list for each shard; None, for both, for equal weights.
        use_factors_weights_cache_for_training, use_gramian_cache_for_training: have no meaning: there is one process.
        max_sweeps: how many sweeps there are at most; None for no limit.
        model_dir: the directory of checkpoints and events.
        config: a tf.contrib.learn.RunConfig.

    Raises:
        ValueError: the config is for several workers.
    """

    INPUT_ROWS, INPUT_COLS = "input_rows", "input_cols"
    PROJECT_ROW, PROJECTION_WEIGHTS = "project_row", "projection_weights"
    PROJECTION_RESULT = "projection"
    LOSS, RWSE = "WALS_loss", "WALS_RWSE"
    COMPLETED_SWEEPS = "completed_sweeps"

    def __init__(self, num_rows: int, num_cols: int, embedding_dimension: int, unobserved_weight: float = 0.1,
                 regularization_coeff: float | None = None, row_init: Any = "random", col_init: Any = "random",
                 num_row_shards: int = 1, num_col_shards: int = 1, row_weights: Any = 1, col_weights: Any = 1,
                 use_factors_weights_cache_for_training: bool = True, use_gramian_cache_for_training: bool = True,
                 max_sweeps: int | None = None, model_dir: Any = None, config: Any = None) -> None:
        if config is not None and config.num_worker_replicas not in (0, 1):
            raise ValueError(f"WALSMatrixFactorization trains with one worker, got {config.num_worker_replicas}")
        self._shards = {"row": num_row_shards, "col": num_col_shards}
        self._sizes = num_rows, num_cols

        def model_fn(features: Mapping[str, Any], labels: Any, mode: str) -> ModelFnOps:
            model = WALSModel(num_rows, num_cols, embedding_dimension, unobserved_weight, regularization_coeff,
                              row_init, col_init, num_row_shards, num_col_shards, row_weights, col_weights,
                              use_scoped_vars=True)
            if mode == ModeKeys.TRAIN:
                return self._trained(model, features, max_sweeps)
            return self._evaluated(model, features) if mode == ModeKeys.EVAL else self._projected(model, features)

        super().__init__(model_fn, model_dir, config)

    def get_row_factors(self) -> list[np.ndarray]:
        """The factors of rows in the last checkpoint, an array for each shard."""
        return self._factors("row")

    def get_col_factors(self) -> list[np.ndarray]:
        """The factors of columns in the last checkpoint, an array for each shard."""
        return self._factors("col")

    def _factors(self, side: str) -> list[np.ndarray]:
        return [self.get_variable_value(f"{side}_factors_shard_{shard}") for shard in range(self._shards[side])]

    def get_projections(self, input_fn: Callable[[], Any]) -> Iterator[Any]:
        """The factors that rows or columns would have, one after the other.

        Args:
            input_fn: a function that gives features for projections.
        """
        return (found[self.PROJECTION_RESULT] for found in self.predict(input_fn=input_fn, as_iterable=True))

    def _trained(self, model: WALSModel, features: Mapping[str, Any], max_sweeps: int | None) -> ModelFnOps:
        is_row_sweep = get_variable("is_row_sweep", [], dtypes.bool, trainable=False,
                                    initializer=constant_initializer(True))
        sweeps = get_variable(self.COMPLETED_SWEEPS, [], dtypes.int32, trainable=False, initializer=zeros_initializer())
        rows, cols = features[self.INPUT_ROWS], features[self.INPUT_COLS]

        def updated(solve: Callable[..., Any], part: Any, transpose: bool) -> Callable[[], Tensor]:
            def branch() -> Tensor:
                _, update, errors, penalty, _ = solve(sp_input=part, transpose_input=transpose)
                with control_dependencies([update]):
                    return array.identity(errors + penalty)
            return branch

        is_row = array.identity(is_row_sweep)
        loss = cond(is_row, updated(model.update_row_factors, rows, False),
                    updated(model.update_col_factors, cols, True))
        names = cond(is_row, lambda: rows.indices[:, 0], lambda: cols.indices[:, 0])
        scalar("WALS_loss", loss)
        scalar(self.COMPLETED_SWEEPS, sweeps)
        with control_dependencies([loss]):
            train_op = assign_add(get_or_create_global_step(), 1).op
        turn = group(assign(is_row_sweep, elementwise.logical_not(is_row)), assign_add(sweeps, 1))
        hook = _SweepHook(model, is_row_sweep, names, sweeps, turn, self._sizes, max_sweeps)
        return ModelFnOps(ModeKeys.TRAIN, {}, loss, train_op, training_hooks=[hook])

    def _evaluated(self, model: WALSModel, features: Mapping[str, Any]) -> ModelFnOps:
        def measured(prepare: Any, solve: Callable[..., Any], key: str, transpose: bool) -> Callable[[], list[Tensor]]:
            def branch() -> list[Tensor]:
                with control_dependencies([prepare()]):
                    _, _, errors, penalty, weights = solve(sp_input=features[key], transpose_input=transpose)
                    return [errors + penalty, math.cast(weights, dtypes.float32)]
            return branch

        total, weights = self._either(
            features,
            measured(lambda: model.row_update_prep_gramian_op, model.update_row_factors, self.INPUT_ROWS, False),
            measured(lambda: model.col_update_prep_gramian_op, model.update_col_factors, self.INPUT_COLS, True))
        metrics = {self.LOSS: mean(total), self.RWSE: mean(elementwise.sqrt(total / weights))}
        return ModelFnOps(ModeKeys.EVAL, {self.LOSS: total}, total, eval_metric_ops=metrics)

    def _projected(self, model: WALSModel, features: Mapping[str, Any]) -> ModelFnOps:
        weights = features.get(self.PROJECTION_WEIGHTS)

        def solved(prepare: Any, project: Callable[..., Any], key: str, transpose: bool) -> Callable[[], Tensor]:
            def branch() -> Tensor:
                with control_dependencies([prepare()]):
                    return project(sp_input=features[key], transpose_input=transpose, projection_weights=weights)
            return branch

        found = self._either(
            features,
            solved(lambda: model.row_update_prep_gramian_op, model.project_row_factors, self.INPUT_ROWS, False),
            solved(lambda: model.col_update_prep_gramian_op, model.project_col_factors, self.INPUT_COLS, True))
        return ModelFnOps(ModeKeys.INFER, {self.PROJECTION_RESULT: found})

    def _either(self, features: Mapping[str, Any], rows: Callable[[], Any], cols: Callable[[], Any]) -> Any:
        """What is asked of rows or of columns, whichever are among the features."""
        if self.INPUT_COLS not in features:
            return rows()
        if self.INPUT_ROWS not in features:
            return cols()
        return cond(features[self.PROJECT_ROW], rows, cols)


class _SweepHook(SessionRunHook):
    """Prepares each sweep, ends it once all rows or columns were seen, and training after the last one."""

    def __init__(self, model: WALSModel, is_row_sweep: Any, names: Tensor, sweeps: Any, turn: Any,
                 sizes: tuple[int, int], limit: int | None) -> None:
        self._names, self._is_row_sweep, self._sweeps, self._turn = names, is_row_sweep, sweeps, turn
        self._prepare = model.col_update_prep_gramian_op, model.row_update_prep_gramian_op
        self._sizes, self._limit = sizes, limit
        self._seen: np.ndarray | None = None

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        if self._seen is None:
            is_row = bool(run_context.session.run(self._is_row_sweep))
            run_context.session.run(self._prepare[is_row])
            self._seen = np.zeros(self._sizes[0 if is_row else 1], bool)
            logging.info("A sweep over the %s begins", "rows" if is_row else "columns")
        return SessionRunArgs(self._names)

    def after_run(self, run_context: SessionRunContext, run_values: Any) -> None:
        assert self._seen is not None
        self._seen[run_values.results] = True
        if not self._seen.all():
            return
        self._seen = None
        run_context.session.run(self._turn)
        if self._limit is not None and run_context.session.run(self._sweeps) >= self._limit:
            run_context.request_stop()
