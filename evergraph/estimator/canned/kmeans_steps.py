"""The graph of k-means clustering: choosing the first centers, distances to centers, and moving the centers."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.checks import Assert
from evergraph.frontend.control_flow import cond, group
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.normalize import l2_normalize
from evergraph.frontend.random import get_seed, random_uniform
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.assign import assign
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.segment import unsorted_segment_sum
from evergraph.ops.math import elementwise
from evergraph.ops.nn.clustering import kmeans_plus_plus_initialization, nearest_neighbors

RANDOM, PLUS_PLUS = "random", "kmeans_plus_plus"
EUCLIDEAN, COSINE = "squared_euclidean", "cosine"
_FEW = 1e-6  # added to counts, so that a center without points can be divided by them


class Centers:
    """The centers of clusters: none at first, then those that were chosen, then the means of their points.

    Args:
        points: a batch, [points, dimensions].
        number: how many centers there are.
        initial: RANDOM, PLUS_PLUS, an array, or a function of (points, number).
        metric: EUCLIDEAN or COSINE.
        seed: of random choices.
        mini_batch_steps: after how many batches centers move; None for moving them to the means of each batch.
        retries: how many more candidates k-means++ draws for each center.
    """

    def __init__(self, points: Tensor, number: int, initial: Any, metric: str, seed: int | None,
                 mini_batch_steps: int | None, retries: int) -> None:
        self._number, self._initial, self._retries = number, initial, retries
        self._seed = get_seed(seed)[0]  # TensorFlow draws with the graph's seed, whichever the model has
        self._is_cosine, self._steps = metric == COSINE, mini_batch_steps
        self._points = l2_normalize(points, 1) if self._is_cosine else points
        nothing = array.placeholder_with_default(array.zeros([0], dtypes.float32), None)
        self.values = Variable(nothing, name="clusters", validate_shape=False)
        self.is_initialized = Variable(False, trainable=False, name="initialized")
        self._moving, self._wait = self.values, None
        if mini_batch_steps is None:
            return
        if mini_batch_steps > 1:
            self._moving = Variable(nothing, name="clusters_updated", validate_shape=False)
            self._wait = Variable(mini_batch_steps - 1, dtype=dtypes.int64, name="update_in_steps")
        start = array.zeros if mini_batch_steps > 1 else array.ones
        self._counts = Variable(start([number], dtypes.int64), name="Variable")

    # ---- the first centers

    def initialize(self) -> Operation:
        """Chooses centers from a batch, and more from the next one where its points are too few."""
        chosen = array.shape(self.values)[0]
        missing = self._number - chosen
        new = self._chosen(missing)
        new = l2_normalize(new, 1) if self._is_cosine else new
        joined = cond(elementwise.equal(chosen, 0), lambda: new,
                      lambda: array.concat([array.reshape(self.values, [-1, array.shape(new)[1]]), new], 0))
        copies = [assign(self.values, joined, validate_shape=False)]
        if self._wait is not None:
            copies.append(assign(self._moving, joined, validate_shape=False))
        with control_dependencies(copies):
            complete = elementwise.equal(array.shape(joined)[0], self._number)
            return group(self.is_initialized.assign(complete))

    def _chosen(self, missing: Tensor) -> Tensor:
        given = self._initial
        if callable(given):
            given = given(self._points, self._number)
        if not isinstance(given, str):
            return convert_to_tensor(given, dtypes.float32)
        available = array.shape(self._points)[0]
        if given == PLUS_PLUS:
            enough = Assert(available >= missing, ["Not enough data points for k-means++: ", available, missing])
            with control_dependencies([enough]):
                return kmeans_plus_plus_initialization(
                    self._points, math.cast(missing, dtypes.int64), convert_to_tensor(self._seed or 0, dtypes.int64),
                    convert_to_tensor(self._retries, dtypes.int64))
        drawn = self._drawn(missing, available)
        return cond(available <= missing, lambda: array.identity(self._points), lambda: drawn)

    def _drawn(self, missing: Tensor, available: Tensor) -> Tensor:
        ids = random_uniform(array.reshape(missing, [-1]), minval=0, maxval=math.cast(available, dtypes.int64),
                             seed=self._seed, dtype=dtypes.int64)
        return indexing.gather(self._points, ids)

    # ---- distances

    def _normal(self) -> Tensor:
        centers = convert_to_tensor(self.values)
        return l2_normalize(centers, 1) if self._is_cosine else centers

    def distances(self) -> Tensor:
        """From each point to each center, [points, centers]; Euclidean ones are not squared, as in TensorFlow."""
        centers, points = self._normal(), self._points
        product = matmul(points, centers, transpose_b=True)
        if self._is_cosine:
            return 1.0 - product
        squares = lambda rows: reduce_sum(elementwise.square(rows), 1, keepdims=True)
        return elementwise.sqrt(squares(points) - 2.0 * product + array.transpose(squares(centers)))

    def nearest(self) -> tuple[Tensor, Tensor]:
        """The nearest center of each point, and the distance to it."""
        ids, distances = nearest_neighbors(self._points, self._normal(), convert_to_tensor(1, dtypes.int64))
        scores = array.squeeze(distances, [1])
        return array.squeeze(ids, [1]), scores / 2.0 if self._is_cosine else scores

    # ---- moving

    def move(self, nearest: Tensor) -> Operation:
        """Moves centers towards the means of their points."""
        return self._to_means(nearest) if self._steps is None else self._towards_means(nearest)

    def _to_means(self, nearest: Tensor) -> Operation:
        sums = unsorted_segment_sum(self._points, nearest, self._number)
        ones = array.ones(array.reshape(array.shape(self._points)[0], [-1, 1])[0], dtypes.float32)
        counts = unsorted_segment_sum(array.reshape(ones, [-1, 1]), nearest, self._number)
        means = sums / (counts + _FEW)
        return assign(self.values, l2_normalize(means, 1) if self._is_cosine else means, validate_shape=False).op

    def _towards_means(self, nearest: Tensor) -> Operation:
        """Moves each center towards the points of the batch, by less the more points it has had."""
        sums = unsorted_segment_sum(self._points, nearest, self._number)
        counts = unsorted_segment_sum(array.ones_like(nearest), nearest, self._number)
        # In TensorFlow the counts have the batch in them already when it is added to them here.
        seen, centers = self._counts + 2 * counts, convert_to_tensor(self._moving)
        column = lambda values: array.reshape(math.cast(values, dtypes.float32), [-1, 1])
        change = elementwise.div_no_nan(sums - column(counts) * centers, column(seen))
        moves = [self._counts.assign_add(counts), assign(self._moving, centers + change, validate_shape=False)]
        if self._wait is None:
            return group(*moves)
        with control_dependencies(moves):
            return self._published()

    def _published(self) -> Operation:
        """Every so many batches lets the centers be what they have moved to."""
        assert self._wait is not None

        def publish() -> Operation:
            moved = convert_to_tensor(self._moving)
            moved = l2_normalize(moved, 1) if self._is_cosine else moved
            with control_dependencies([assign(self.values, moved, validate_shape=False)]):
                return group(self._wait.assign(self._steps - 1), self._counts.assign(array.zeros_like(self._counts)))
        return cond(self._wait <= 0, publish, lambda: group(self._wait.assign_sub(1))).op


