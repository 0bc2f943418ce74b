"""Ops of stochastic dual coordinate ascent: a pass over the examples, L1 shrinkage, and fingerprints of ids."""
from __future__ import annotations

import zlib
from typing import NamedTuple

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import with_rank
from evergraph.ops.nn.sdca_losses import LOSSES
from evergraph.ops.strings.hashing import fingerprint128
from evergraph.ops.strings.walking import flat

_STATE_COLUMNS = 4  # dual, primal loss, dual loss, weight
_DECAY = 0.1  # an example that was drawn k times is drawn again with this chance to the power of k


def shrunk(weights, l1, l2):
    """Weights moved towards 0 by l1 / l2, and no further than 0."""
    return np.copysign(np.fmax(np.abs(weights) - l1 / l2, 0), weights)  # of NaN 0, as in TensorFlow


# ---- examples

class Examples(NamedTuple):
    """All features side by side: each example has some columns of the sparse ones, and a row of the dense ones."""

    starts: np.ndarray  # where the sparse features of each example start
    columns: np.ndarray  # indices into the weights
    values: np.ndarray
    dense: np.ndarray
    squared_norms: np.ndarray

    def features(self, example):
        here = slice(self.starts[example], self.starts[example + 1])
        return self.columns[here], self.values[here], self.dense[example]


def _examples(count, groups, dense):
    """Joins the groups of sparse features, (examples, columns, values) each, and the matrices of dense ones."""
    rows, columns, values = (np.concatenate([np.empty(0, kind), *parts]) for kind, parts in zip(
        (np.int64, np.int64, np.float64), zip(*groups, strict=True) if groups else ((), (), ()), strict=True))
    order = np.argsort(rows, kind="stable")
    rows, columns, values = rows[order], columns[order], values[order]
    dense = np.concatenate([np.empty((count, 0)), *dense], axis=1)
    norms = np.bincount(rows, values * values, count) + np.square(dense).sum(axis=1)
    return Examples(np.searchsorted(rows, np.arange(count + 1)), columns, values, dense, norms)


def _sparse_group(count, examples, features, values, indices, offset):
    """The sparse features of one group, with columns that are positions in `indices`, which start at `offset`."""
    if len(examples) != len(features) or values is not None and len(values) != len(features):
        raise invalid("the examples, indices and values of sparse features must be equally many, but are "
                      f"{len(examples)}, {len(features)} and {len(features if values is None else values)}")
    inside = (examples >= 0) & (examples < count)  # TensorFlow takes no notice of the others
    examples, features, values = examples[inside], features[inside], None if values is None else values[inside]
    order = np.argsort(indices, kind="stable")
    places = np.searchsorted(indices, features, sorter=order)
    known = places < len(indices)
    known[known] = indices[order[places[known]]] == features[known]
    if not known.all():
        raise invalid(f"no weights exist for these sparse feature indices: {features[~known].tolist()[:5]}")
    if len(np.unique(np.stack([examples, features]), axis=1).T) != len(features):
        raise invalid("Duplicate index in sparse vector.")
    return examples, order[places] + offset, np.ones(len(features)) if values is None else values


def _dense_group(count, features, weights):
    if np.ndim(features) != 2 or len(features) != count:
        raise invalid(f"Dense features must be a matrix of {count} rows, but are of shape {list(np.shape(features))}")
    if features.shape[1] > np.size(weights):
        raise invalid("More dense features than we have parameters for: "
                      f"{features.shape[1]} features, {np.size(weights)} weights")
    return np.pad(features, ((0, 0), (0, np.size(weights) - features.shape[1])))


# ---- the optimizer

class Solver:
    """A linear model during one pass over the examples, of which the weights are the given ones plus `deltas`."""

    def __init__(self, examples, sparse_weights, dense_weights, l1, l2, partitions):
        self.examples, self.l1, self.l2, self.partitions = examples, l1, l2, partitions
        self.sparse, self.dense = sparse_weights, dense_weights
        self.sparse_deltas, self.dense_deltas = np.zeros_like(sparse_weights), np.zeros_like(dense_weights)

    def predictions(self, example):
        """What the model predicts: before the pass, and now."""
        columns, values, row = self.examples.features(example)
        before, now = 0.0, 0.0
        for given, deltas, factors in ((self.sparse[columns], self.sparse_deltas[columns], values),
                                       (self.dense, self.dense_deltas, row)):
            before += float(factors @ shrunk(given, self.l1, self.l2))
            now += float(factors @ shrunk(given + self.partitions * deltas, self.l1, self.l2))
        return before, now

    def norm(self, example, weight):
        """How much a prediction changes with the dual of its example."""
        return self.partitions * self.examples.squared_norms[example] / self.l2 * weight

    def move(self, example, step):
        """Adds a multiple of the example to the weights."""
        columns, values, row = self.examples.features(example)
        self.sparse_deltas[columns] += values * step
        self.dense_deltas += row * step


def _improve(solver, loss, example, label, weight, state):
    """Sets the dual of one example to the best, and moves the weights along."""
    dual = float(state[example, 0])
    before, now = solver.predictions(example)
    new = loss.new_dual(label, dual, now, solver.norm(example, weight))
    solver.move(example, (new - dual) * weight / solver.l2)
    state[example] = new, loss.primal(before, label) * weight, loss.dual(dual, label) * weight, weight


def _random(state):
    """A generator that the state of the examples seeds: the order differs from pass to pass, and runs repeat."""
    return np.random.default_rng(zlib.crc32(np.ascontiguousarray(state)))


def _adaptive_order(solver, loss, labels, weights, state):
    """Draws examples with a probability that grows with how far their duals are from the optimum.

    An example that was drawn is less likely to be drawn again. What many rejections leave open is filled with the
    examples that were not drawn, the most urgent first.
    """
    count, generator = len(labels), _random(state)
    urgency = np.array([
        weight * np.sqrt(solver.examples.squared_norms[each] + solver.l2 * loss.smoothness)
        * abs(state[each, 0] + loss.slope(solver.predictions(each)[1], label))
        for each, (label, weight) in enumerate(zip(labels, weights, strict=True))])
    total = urgency.sum()
    drawn, times = [], np.zeros(count, int)
    for each in generator.choice(count, 2 * count, p=urgency / total if 0 < total < np.inf else None):
        if len(drawn) < count and generator.random() <= _DECAY ** times[each]:
            drawn.append(each)
            times[each] += 1
    unseen = np.flatnonzero(times == 0)
    return [*drawn, *unseen[np.argsort(-urgency[unseen], kind="stable")]][:count]


def _joined(parts):
    return np.concatenate([np.empty(0, np.float32), *(np.ravel(part) for part in parts)])


def _divided(whole, likes):
    ends = np.cumsum([np.size(like) for like in likes])
    return [part.reshape(np.shape(like)) for part, like in zip(np.split(whole, ends)[:-1], likes, strict=True)]


def _optimize(sparse_example_indices, sparse_feature_indices, sparse_feature_values, dense_features, example_weights,
              example_labels, sparse_indices, sparse_weights, dense_weights, example_state_data, loss_type, adaptive,
              l1, l2, num_loss_partitions):
    count = len(example_labels)
    if np.shape(example_state_data) != (count, _STATE_COLUMNS) or np.size(example_weights) != count:
        raise invalid(f"{count} labels need as many weights and a state of shape [{count}, {_STATE_COLUMNS}], but have "
                      f"{np.size(example_weights)} weights and a state of shape {list(np.shape(example_state_data))}")
    values = [*sparse_feature_values, *[None] * (len(sparse_feature_indices) - len(sparse_feature_values))]
    offsets = np.cumsum([0, *(np.size(each) for each in sparse_weights)])
    groups = [_sparse_group(count, *group) for group in zip(
        sparse_example_indices, sparse_feature_indices, values, sparse_indices, offsets[:-1], strict=True)]
    dense = [_dense_group(count, *each) for each in zip(dense_features, dense_weights, strict=True)]
    solver = Solver(_examples(count, groups, dense), _joined(sparse_weights), _joined(dense_weights), l1, l2,
                    num_loss_partitions)
    loss, state, weights = LOSSES[loss_type], np.array(example_state_data), np.ravel(example_weights).tolist()
    labels = [loss.label(label) for label in np.ravel(example_labels).tolist()]
    order = (_adaptive_order(solver, loss, labels, weights, state) if adaptive
             else _random(state).permutation(count))
    for example in order:
        _improve(solver, loss, example, labels[example], weights[example], state)
    return state, _divided(solver.sparse_deltas, sparse_weights), _divided(solver.dense_deltas, dense_weights)


def _shape(sparse_weights, dense_weights):
    return [(None, _STATE_COLUMNS), *sparse_weights, *dense_weights]


_LINE = (
    "(sparse_example_indices: num_sparse_features * int64, sparse_feature_indices: num_sparse_features * int64, "
    "sparse_feature_values: num_sparse_features_with_values * float, dense_features: num_dense_features * float, "
    "example_weights: float, example_labels: float, sparse_indices: num_sparse_features * int64, "
    "sparse_weights: num_sparse_features * float, dense_weights: num_dense_features * float, "
    "example_state_data: float, *, "
    "loss_type: {{'logistic_loss', 'squared_loss', 'hinge_loss', 'smooth_hinge_loss', 'poisson_loss'}}, "
    "{adaptive}: bool = False, num_sparse_features: int >= 0, num_sparse_features_with_values: int >= 0, "
    "num_dense_features: int >= 0, l1: float, l2: float, num_loss_partitions: int >= 1, "
    "num_inner_iterations: int >= 1) -> out_example_state_data: float, "
    "out_delta_sparse_weights: num_sparse_features * float, out_delta_dense_weights: num_dense_features * float")


@op(f"SdcaOptimizer{_LINE.format(adaptive='adaptative')}", shape=_shape, on="host", grad=STOP,
    export=("train.sdca_optimizer",))
def sdca_optimizer(sparse_example_indices, sparse_feature_indices, sparse_feature_values, dense_features,
                   example_weights, example_labels, sparse_indices, sparse_weights, dense_weights, example_state_data,
                   loss_type, adaptative, l1, l2, num_loss_partitions):
    """One pass of stochastic dual coordinate ascent over a batch: the new duals, and what to add to the weights.

    TensorFlow draws the order of the examples anew in every pass. Here it follows from `example_state_data`. As in
    TensorFlow, `num_inner_iterations` has no effect: an op is one pass.

    Args:
        sparse_example_indices: for each sparse feature, to which example each entry belongs.
        sparse_feature_indices: the ids of the entries.
        sparse_feature_values: their values, where they are not 1.
        dense_features: for each dense feature, [examples, columns].
        example_weights: one for each example.
        example_labels: one for each example.
        sparse_indices: the ids for which there are weights.
        sparse_weights: these weights.
        dense_weights: those of dense features.
        example_state_data: [examples, 4], the duals and what belongs to them.
        loss_type: "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss" or "poisson_loss".
        adaptative: whether the adaptive form of the algorithm is used.
        l1: the strength of the penalty on absolute weights.
        l2: that on squared weights.
        num_loss_partitions: among how many parts of the loss examples are divided.
        num_inner_iterations: has no effect.
    """
    return _optimize(sparse_example_indices, sparse_feature_indices, sparse_feature_values, dense_features,
                     example_weights, example_labels, sparse_indices, sparse_weights, dense_weights,
                     example_state_data, loss_type, adaptative, l1, l2, num_loss_partitions)


@op(f"SdcaOptimizerV2{_LINE.format(adaptive='adaptive')}", shape=_shape, on="host", grad=STOP)
def sdca_optimizer_v2(sparse_example_indices, sparse_feature_indices, sparse_feature_values, dense_features,
                      example_weights, example_labels, sparse_indices, sparse_weights, dense_weights,
                      example_state_data, loss_type, adaptive, l1, l2, num_loss_partitions):
    """As SdcaOptimizer, with the attr `adaptive` under its right name."""
    return _optimize(sparse_example_indices, sparse_feature_indices, sparse_feature_values, dense_features,
                     example_weights, example_labels, sparse_indices, sparse_weights, dense_weights,
                     example_state_data, loss_type, adaptive, l1, l2, num_loss_partitions)


@op("SdcaShrinkL1(weights: num_features * Ref(float), *, num_features: int >= 0, l1: float, l2: float) -> ()",
    on="host", export=("train.sdca_shrink_l1",))
def sdca_shrink_l1(weights, l1, l2):
    """Moves the weights in variables towards 0 by l1 / l2, and no further than 0."""
    for cell in weights:
        cell.assign(shrunk(np.asarray(cell.value), l1, l2).astype(np.float32))


@op("SdcaFprint(input: string) -> output: int64", shape=lambda input: (with_rank(input, 1)[0], 2), grad=STOP,
    export=("train.sdca_fprint",))
def sdca_fprint(input):
    """A fingerprint of each string of a vector: two numbers, by FarmHash's Fingerprint128."""
    found = np.array([fingerprint128(each) for each in flat(input)], np.uint64).reshape(-1, 2)
    return found.view(np.int64)
