"""The train op of boosted trees: statistics of batches, splits of layers, centering of the bias."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from evergraph.base import dtypes
from evergraph.estimator.canned.tree_features import TreeFeatures
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.boosted_trees import PruningMode, TreeEnsemble
from evergraph.frontend.control_flow import cond, group
from evergraph.frontend.input.accumulators import ConditionalAccumulator
from evergraph.frontend.reduce import reduce_mean, reduce_min
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math.elementwise import exp
from evergraph.ops.trees.growing import boosted_trees_center_bias, boosted_trees_update_ensemble
from evergraph.ops.trees.splits import boosted_trees_calculate_best_gains_per_feature
from evergraph.ops.trees.stats import boosted_trees_make_stats_summary
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunHook


class TreeSettings(NamedTuple):
    """How trees grow; the names are TensorFlow's."""

    n_trees: int
    max_depth: int
    learning_rate: float
    l1: float
    l2: float
    tree_complexity: float
    min_node_weight: float
    center_bias: bool
    pruning_mode: str
    quantile_sketch_epsilon: float

    @property
    def max_splits(self) -> int:
        """How many nodes of a tree may be split."""
        return (1 << self.max_depth) - 1

    def checked_pruning(self) -> PruningMode:
        """The pruning mode.

        Raises:
            ValueError: there is none of that name, or it and the tree complexity do not fit each other.
        """
        mode = PruningMode.from_str(self.pruning_mode)
        if self.tree_complexity > 0 and mode == PruningMode.NO_PRUNING:
            raise ValueError(f"Tree complexity have no effect without pruning: tree_complexity is "
                             f"{self.tree_complexity}, pruning_mode {self.pruning_mode!r}")
        if self.tree_complexity <= 0 and mode != PruningMode.NO_PRUNING:
            raise ValueError(f"tree_complexity must be positive with pruning_mode {self.pruning_mode!r}, got "
                             f"{self.tree_complexity}")
        return mode


class LossDerivatives(NamedTuple):
    """The gradients and hessians of a batch's loss by example, [batch, 1]."""

    gradients: Tensor
    hessians: Tensor


class EnsembleGrower:
    """Grows an ensemble: a layer from every `n_batches_per_layer` batches.

    Args:
        ensemble: the trees.
        states: what `ensemble.get_states` returned at the start of the step.
        settings: how they grow.
        n_batches_per_layer: how many batches make a layer.
    """

    def __init__(self, ensemble: TreeEnsemble, states: tuple[Tensor, ...], settings: TreeSettings,
                 n_batches_per_layer: int) -> None:
        self._ensemble, self._settings, self._batches = ensemble, settings, n_batches_per_layer
        self._stamp, self._range = states[0], states[4]
        self._pruning = settings.checked_pruning()

    def _over_batches(self, values: list[Tensor], finish: Callable[[list[Tensor]], Operation]) -> Operation:
        """Calls `finish` with the means of values over the batches of a layer, once they are complete."""
        if self._batches == 1:
            return finish(values)
        holders = [ConditionalAccumulator(value.dtype, value.shape) for value in values]
        adds = [holder.apply_grad(value, self._stamp) for holder, value in zip(holders, values, strict=True)]
        with control_dependencies(adds):
            counts = array.stack([holder.num_accumulated() for holder in holders])
            complete = reduce_min(counts) >= self._batches
        return cond(complete, lambda: finish([holder.take_grad(1) for holder in holders]), no_op).op

    # ---- growing

    def grow_tree(self, features: TreeFeatures, node_ids: Tensor, derivatives: LossDerivatives) -> Operation:
        """Adds a batch to the statistics of the layer; with the last of them splits its nodes."""
        groups = _by_count(features.counts)
        stats = [boosted_trees_make_stats_summary(
            node_ids, derivatives.gradients, derivatives.hessians, [features.buckets[at] for at in members],
            max_splits=self._settings.max_splits, num_buckets=count) for count, members in groups.items()]
        return self._over_batches(stats, lambda means: self._split(list(groups.values()), means))

    def _split(self, groups: list[list[int]], stats: list[Tensor]) -> Operation:
        """Splits the nodes of the last layer, each by the best of all features."""
        settings = self._settings
        found: list[list[Tensor]] = [[], [], [], [], []]
        for members, sums in zip(groups, stats, strict=True):
            best = boosted_trees_calculate_best_gains_per_feature(
                self._range, array.unstack(sums, num=len(members)), settings.l1, settings.l2,
                settings.tree_complexity, settings.min_node_weight, max_splits=settings.max_splits)
            for values, more in zip(found, best, strict=True):
                values += more
        ids = [at for members in groups for at in members]
        return boosted_trees_update_ensemble(
            self._ensemble.resource_handle, convert_to_tensor(ids, dtypes.int32), *found, settings.max_depth,
            settings.learning_rate, pruning_mode=int(self._pruning))

    # ---- centering

    def center_bias(self, is_needed: Any, derivatives: LossDerivatives) -> Operation:
        """Moves the bias; with the last batch of a layer sets whether that is still needed."""
        means = array.stack([reduce_mean(each, 0) for each in derivatives])

        def finish(values: list[Tensor]) -> Operation:
            gradients, hessians = array.unstack(array.expand_dims(values[0], 1), num=2)
            goes_on = boosted_trees_center_bias(self._ensemble.resource_handle, gradients, hessians,
                                                self._settings.l1, self._settings.l2)
            return is_needed.assign(goes_on).op
        return self._over_batches([means], finish)


def _by_count(counts: list[int]) -> dict[int, list[int]]:
    """The features that have the same number of buckets, by that number."""
    groups: dict[int, list[int]] = {}
    for at, count in enumerate(counts):
        groups.setdefault(count, []).append(at)
    return groups


def update_quantiles(features: TreeFeatures, weights: Any, are_ready: Any, batches: int) -> Operation:
    """Adds a batch to the streams of quantiles; with the last of some batches finds the boundaries."""
    assert features.quantiles is not None
    with name_scope("UpdateQuantile"):
        add = features.quantiles.add_summaries(features.numbers, weights)
        seen = ConditionalAccumulator(dtypes.float32, ())

        def finish() -> Operation:
            taken = seen.take_grad(1)
            return group(features.quantiles.flush(), are_ready.assign(True), taken.op)
        with control_dependencies([add, seen.apply_grad(array.zeros([]))]):
            complete = seen.num_accumulated() >= batches
        return cond(complete, finish, no_op).op


class StopWhenGrown(SessionRunHook):
    """Stops training when there are enough trees, or enough attempts to grow layers.

    Args:
        finalized, attempted: the numbers of finalized trees and of attempted layers after the step.
        settings: how many of both are enough.
    """

    def __init__(self, finalized: Tensor, attempted: Tensor, settings: TreeSettings) -> None:
        self._numbers = [finalized, attempted]
        self._enough = [settings.n_trees, settings.n_trees * settings.max_depth]

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._numbers)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if any(number >= enough for number, enough in zip(run_values.results, self._enough, strict=True)):
            run_context.request_stop()


def binary_derivatives(logits: Tensor, labels: Tensor, weights: Any) -> LossDerivatives:
    """The derivatives of the mean logistic loss."""
    share = 1.0 / (1.0 + exp(-logits))
    scale = weights / math.cast(array.size(logits), dtypes.float32)
    return LossDerivatives((share - labels) * scale, share * (1.0 - share) * scale)
