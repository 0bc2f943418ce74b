"""The graph of gradient-boosted trees: predictions, the statistics of batches, and the growth of layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.errors import UnimplementedError
from evergraph.contrib.boosted_trees.accumulators import StatsAccumulator
from evergraph.contrib.boosted_trees.derivatives import Derivatives
from evergraph.contrib.boosted_trees.features import TreeInputs, extract_features
from evergraph.contrib.boosted_trees.handlers import (
    BaseSplitHandler,
    DenseSplitHandler,
    EqualitySplitHandler,
    SparseSplitHandler,
)
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import cond, group
from evergraph.frontend.indexing import where_v2
from evergraph.frontend.random import stateless_uniform
from evergraph.frontend.variables.base import Variable
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.losses.weighting import Reduction
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.contrib import tree_ensembles, tree_growth, tree_predictions
from evergraph.ops.math import elementwise
from evergraph.proto import contrib_trees_pb2

_EPSILON = 0.01  # the error of quantiles
_LEARNING_RATE = 0.1
Config = contrib_trees_pb2.LearnerConfig


def filled(learner_config: Any, logits_dimension: int) -> Any:
    """A copy of a LearnerConfig, with what it does not say.

    Raises:
        UnimplementedError: it asks for a line search.
    """
    config = Config()
    config.CopyFrom(learner_config)
    if config.pruning_mode == Config.PRUNING_MODE_UNSPECIFIED:
        config.pruning_mode = Config.PRE_PRUNE
    if config.growing_mode == Config.GROWING_MODE_UNSPECIFIED:
        config.growing_mode = Config.LAYER_BY_LAYER
    if config.multi_class_strategy == Config.MULTI_CLASS_STRATEGY_UNSPECIFIED:
        config.multi_class_strategy = Config.TREE_PER_CLASS if logits_dimension == 1 else Config.DIAGONAL_HESSIAN
    config.num_classes = max(logits_dimension, 2)
    tuner = config.learning_rate_tuner.WhichOneof("tuner")
    if tuner is None:
        config.learning_rate_tuner.fixed.learning_rate = _LEARNING_RATE
    elif tuner == "line_search":
        raise UnimplementedError(None, None, "boosted trees: the learning_rate_tuner line_search is not supported")
    return config


class GradientBoostedDecisionTreeModel:
    """Boosted trees over the features of a batch.

    Args:
        is_chief: whether this worker grows the trees; others gather statistics alone.
        num_ps_replicas: has no meaning: all of the state is in one place.
        ensemble_handle: the trees; see `tree_ensemble_variable`.
        center_bias: whether the first tree is a bias alone, which predicts as well as it can.
        examples_per_layer: after how many examples a layer grows, or a function of the number of the layer.
        learner_config: a LearnerConfig.
        features: tensors by name.
        logits_dimension: how many numbers are predicted.
        loss_reduction: how the loss reduces those of examples; statistics of sums are not divided by batches.
        feature_columns: see `extract_features`.
        use_core_columns: see `extract_features`.
        output_leaf_index: whether predictions have the leaf of every tree.
        output_leaf_index_modes: in which modes they have it; by default for inference alone.
        num_quantiles: how many thresholds of a column are compared.
    """

    def __init__(self, is_chief: bool, num_ps_replicas: int, ensemble_handle: Tensor, center_bias: bool,
                 examples_per_layer: Any, learner_config: Any, features: Any, logits_dimension: int,
                 loss_reduction: str = Reduction.SUM_OVER_NONZERO_WEIGHTS, feature_columns: Any = None,
                 use_core_columns: bool = False, output_leaf_index: bool = False,
                 output_leaf_index_modes: Sequence[str] | None = None, num_quantiles: int = 100) -> None:
        self._is_chief, self._handle, self._centers = is_chief, ensemble_handle, center_bias
        self._examples_per_layer, self._size = examples_per_layer, logits_dimension
        self._config = filled(learner_config, logits_dimension)
        self._serialized = self._config.SerializeToString()
        self._sums_losses = loss_reduction == Reduction.SUM
        self._leaf_modes = (output_leaf_index_modes or [ModeKeys.INFER]) if output_leaf_index else []
        self._quantiles = num_quantiles
        self._inputs = extract_features(features, feature_columns, use_core_columns)

    @property
    def inputs(self) -> TreeInputs:
        """The columns that trees split on."""
        return self._inputs

    # ---- predictions

    def predict(self, mode: str) -> dict[str, Tensor]:
        """The predictions, and what a training step must know of the trees that they are of.

        Args:
            mode: one of `tf.contrib.learn.ModeKeys`; trees are dropped in training alone.
        """
        with name_scope("gbdt_predict"):
            stamp = tree_ensembles.tree_ensemble_stamp_token(self._handle)
            stats = tree_ensembles.tree_ensemble_stats(self._handle, stamp)
            used, mask = tree_ensembles.tree_ensemble_used_handlers(self._handle, stamp,
                                                                    num_all_handlers=self._inputs.count)
            tuner = self._config.learning_rate_tuner.WhichOneof("tuner")
            whole, leaf_index = self._predictions(mode, stamp, False)
            kept = self._predictions(mode, stamp, True)[0] if mode == ModeKeys.TRAIN and tuner == "dropout" else whole
            partitions = tree_predictions.gradient_trees_partition_examples(self._handle, *self._inputs[1:])
            found = {"predictions": kept, "predictions_no_dropout": whole, "partition_ids": partitions,
                     "ensemble_stamp": stamp, "num_trees": stats.num_trees, "num_used_handlers": used,
                     "used_handlers_mask": mask, "num_trees_attempted": stats.attempted_trees,
                     "num_layers_attempted": stats.attempted_layers}
            return found if leaf_index is None else {**found, "leaf_index": leaf_index}

    def _predictions(self, mode: str, stamp: Tensor, drops: bool) -> tuple[Tensor, Tensor | None]:
        """(predictions, the leaf of every tree or None)."""
        has_leaves = mode in self._leaf_modes
        predict = (tree_predictions.gradient_trees_prediction_verbose if has_leaves else
                   tree_predictions.gradient_trees_prediction)
        found = predict(self._handle, stamp, *self._inputs[1:], learner_config=self._serialized, apply_dropout=drops,
                        apply_averaging=mode != ModeKeys.TRAIN, center_bias=self._centers,
                        reduce_dim=self._size == 1)
        return found[0], found[2] if has_leaves else None

    def get_number_of_trees_tensor(self) -> tuple[Tensor, Tensor]:
        """(how many trees are final, how many were begun), as of when they are evaluated."""
        stats = tree_ensembles.tree_ensemble_stats(
            self._handle, tree_ensembles.tree_ensemble_stamp_token(self._handle))
        return stats.num_trees, stats.attempted_trees

    # ---- training

    def train(self, loss: Tensor, predictions_dict: dict[str, Any], labels: Any, gradients: Any = None,
              hessians: Any = None) -> Operation:
        """An operation that takes in a batch, and grows a layer when there were enough examples.

        Args:
            loss: the loss of the predictions.
            predictions_dict: what `predict` returned.
            labels: have no meaning: the loss knows them.
            gradients: of the loss by the predictions, [batch, logits_dimension]; by default those of `loss`.
            hessians: likewise, [batch, logits_dimension] or a matrix for each example.
        """
        updates, _, state = self.update_stats(loss, predictions_dict, gradients, hessians)
        with control_dependencies(updates):
            return self.increment_step_counter_and_maybe_update_ensemble(predictions_dict, state)

    def update_stats(self, loss: Tensor, predictions_dict: dict[str, Any], gradients: Any = None,
                     hessians: Any = None) -> tuple[list[Operation], Operation, _TrainingState]:
        """(operations that take in a batch, an operation that begins anew, what growing needs).

        Args:
            loss: see `train`.
            predictions_dict: see there.
            gradients: see there.
            hessians: see there.
        """
        stamp = convert_to_tensor(predictions_dict["ensemble_stamp"], dtypes.int64)
        slopes = Derivatives(self._config.multi_class_strategy, self._size, loss, predictions_dict["predictions"],
                             predictions_dict.get("num_trees", 0), gradients, hessians)
        state = _TrainingState(self._centers, self._made_handlers(stamp, slopes), slopes, self._size)
        partitions = convert_to_tensor(predictions_dict["partition_ids"], dtypes.int32)
        active = self._active(predictions_dict, stamp)
        ones = array.ones([array.shape(partitions)[0], 1])
        updates = [handler.update_stats_sync(stamp, partitions, slopes.gradients, slopes.hessians, None, None, ones,
                                             [active[number], True])
                   for number, handler in enumerate(state.handlers)]
        if state.bias_stats is not None:
            updates.append(_add_to_bias(state.bias_stats, stamp, slopes))
        return updates, self._reset(stamp, state) if self._is_chief else no_op(), state

    def _made_handlers(self, stamp: Tensor, slopes: Derivatives) -> list[BaseSplitHandler]:
        """A handler for each column."""
        config, inputs = self._config, self._inputs
        common = {"l1_regularization": config.regularization.l1, "l2_regularization": config.regularization.l2,
                  "tree_complexity_regularization": config.regularization.tree_complexity,
                  "min_node_weight": config.constraints.min_node_weight,
                  "gradient_shape": slopes.gradient_shape, "hessian_shape": slopes.hessian_shape,
                  "multiclass_strategy": config.multi_class_strategy, "init_stamp_token": 0,
                  "loss_uses_sum_reduction": self._sums_losses}
        sketch = {"epsilon": _EPSILON, "num_quantiles": self._quantiles}
        names = iter(inputs.names)
        found: list[BaseSplitHandler] = [DenseSplitHandler(
            dense_float_column=column, feature_column_group_id=number, weak_learner_type=config.weak_learner_type,
            name=next(names), **common, **sketch) for number, column in enumerate(inputs.dense_floats)]
        found += [SparseSplitHandler(sparse_float_column=SparseTensor(*parts), feature_column_group_id=number,
                                     name=next(names), **common, **sketch)
                  for number, parts in enumerate(zip(*inputs[2:5]))]
        found += [EqualitySplitHandler(
            sparse_int_column=SparseTensor(*parts), feature_column_group_id=number, name=next(names),
            weak_learner_type=config.weak_learner_type, **common) for number, parts in enumerate(zip(*inputs[5:8]))]
        return found

    def _active(self, predictions_dict: dict[str, Any], stamp: Tensor) -> Tensor:
        """Whether every column takes part in the layer that grows."""
        count = self._inputs.count
        active = array.ones([count], dtypes.bool)
        kind = self._config.WhichOneof("feature_fraction")
        if kind is not None:
            turn = stamp if kind == "feature_fraction_per_level" else convert_to_tensor(
                predictions_dict.get("num_trees", 0), dtypes.int64)
            draws = stateless_uniform([count], array.stack([math.cast(turn, dtypes.int64), 1]))
            active = elementwise.less(draws, getattr(self._config, kind))
        limit = self._config.constraints.max_number_of_unique_feature_columns
        if limit and "num_used_handlers" in predictions_dict:
            has_enough = elementwise.greater_equal(predictions_dict["num_used_handlers"], limit)
            used = elementwise.logical_or(elementwise.logical_not(has_enough), predictions_dict["used_handlers_mask"])
            active = elementwise.logical_and(active, used)
        return active

    def _reset(self, stamp: Tensor, state: _TrainingState) -> Operation:
        """Forgets the trees and all statistics."""
        following = stamp + 1
        bias = [] if state.bias_stats is None else [state.bias_stats.flush(stamp, following)[0].op]
        return group(*(handler.reset(stamp, following) for handler in state.handlers), *bias,
                     tree_ensembles.tree_ensemble_deserialize(self._handle, following, ""),
                     state.counter.assign(0).op, state.goes_on_centering.assign(self._centers).op)

    def increment_step_counter_and_maybe_update_ensemble(self, predictions_dict: dict[str, Any],
                                                         training_state: Any) -> Operation:
        """An operation that counts the examples of a batch; the chief's grows a layer when there are enough.

        Args:
            predictions_dict: see `train`.
            training_state: what `update_stats` returned last.
        """
        partitions = convert_to_tensor(predictions_dict["partition_ids"])
        stamp = convert_to_tensor(predictions_dict["ensemble_stamp"], dtypes.int64)
        count = training_state.counter.assign_add(array.shape(partitions, out_type=dtypes.int64)[0])
        if not self._is_chief:
            return count.op
        wanted: Any = self._examples_per_layer
        if callable(wanted):
            wanted = wanted(tree_ensembles.tree_ensemble_stats(self._handle, stamp).active_layer)
        enough = elementwise.greater_equal(count, math.cast(wanted, dtypes.int64))
        return cond(enough, lambda: self._updated(stamp, training_state), no_op).op

    def _updated(self, stamp: Tensor, state: _TrainingState) -> Operation:
        """Centers the bias, or grows a layer. Either way the handlers go on to the next stamp."""
        following = stamp + 1
        with control_dependencies([state.counter.assign(0)]):
            class_id = state.slopes.class_id
            splits = [handler.make_splits(stamp, following, class_id) for handler in state.handlers]
        found = [[each[part] for each in splits] for part in (1, 2, 3)]
        grow: Callable[[], Operation] = lambda: self._grown(stamp, following, found)
        with control_dependencies([each[0] for each in splits]):  # the handlers have gone on then
            if state.bias_stats is None:
                return grow()
            sums = state.bias_stats.flush(stamp, following)
            return cond(state.goes_on_centering, lambda: self._centered(stamp, following, state, *sums[3:]), grow).op

    def _grown(self, stamp: Tensor, following: Tensor, splits: list[Any]) -> Operation:
        tuner = self._config.learning_rate_tuner
        return tree_growth.grow_tree_ensemble(
            self._handle, stamp, following, getattr(tuner, tuner.WhichOneof("tuner")).learning_rate, stamp,
            self._config.constraints.max_tree_depth, self._config.weak_learner_type, *splits,
            learner_config=self._serialized, center_bias=self._centers)

    def _centered(self, stamp: Tensor, following: Tensor, state: _TrainingState, gradients: Tensor,
                  hessians: Tensor) -> Operation:
        gradients, hessians = (array.reshape(each, [self._size]) for each in (gradients, hessians))
        step = where_v2(elementwise.greater(hessians, 0.0), -gradients / hessians, array.zeros_like(gradients))
        goes_on = tree_growth.center_tree_ensemble_bias(self._handle, stamp, following, step,
                                                        learner_config=self._serialized)
        return state.goes_on_centering.assign(goes_on).op


def _add_to_bias(stats: StatsAccumulator, stamp: Tensor, slopes: Derivatives) -> Operation:
    """Adds the derivatives of a batch by the bias."""
    rows = array.shape(slopes.by_logit[0])[0]
    return stats.add(stamp, array.zeros([rows], dtypes.int32), array.zeros([rows, 2], dtypes.int64), *slopes.by_logit)


class _TrainingState:
    """What a model keeps between steps beside its trees."""

    def __init__(self, centers: bool, handlers: list[BaseSplitHandler], slopes: Derivatives, size: int) -> None:
        self.handlers, self.slopes = handlers, slopes
        self.bias_stats = StatsAccumulator(0, [size], [size], name="BiasAccumulator") if centers else None
        self.counter = Variable(0, name="examples_in_layer", trainable=False, dtype=dtypes.int64)
        self.goes_on_centering = Variable(centers, name="continue_centering", trainable=False)
