"""The object behind the ops of random forests: a tree that grows while examples arrive."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evergraph.base import errors


@dataclass(frozen=True)
class TreeSettings:
    """How a tree grows.

    Attributes:
        outputs: the number of classes, or of values for each example.
        is_regression: whether labels are values.
        max_nodes: the number of nodes at which growth stops.
        candidates: the number of splits that a leaf compares.
        split_after: the number of examples after which a leaf splits.
        seed: of random choices; 0 for another tree each time.
        at_threshold: whether an example at the threshold goes to the left.
        least: the least number of examples of a leaf that predicts; with fewer, its parent does.
    """

    outputs: int
    is_regression: bool
    max_nodes: int
    candidates: int
    split_after: int
    seed: int
    at_threshold: bool
    least: int

    @property
    def width(self) -> int:
        """The length of statistics: counts of classes; or a count, and sums and sums of squares of values."""
        return 1 + 2 * self.outputs if self.is_regression else self.outputs


@dataclass
class Growing:
    """The splits that a leaf compares, with the statistics of the examples that each sends to the left."""

    features: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    thresholds: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))
    left: Any = None
    total: Any = 0.0
    seen: int = 0


class RandomTree:
    """An extremely randomized tree (Geurts and others, 2006) that is trained with batches.

    The first examples that reach a leaf are its candidates: a random feature, and the example's value as threshold.
    Those that follow are counted on both sides of each candidate, and the split with the least impurity is taken.
    """

    def __init__(self, name: str, settings: TreeSettings) -> None:
        self.name, self.settings = name, settings
        self.lock = threading.Lock()
        self.is_initialized = False
        self._random = np.random.default_rng(settings.seed or None)
        self._growing: dict[int, Growing] = {}

    def start(self) -> None:
        """Makes the tree a root without examples."""
        self._feature, self._threshold = np.zeros(1, np.int64), np.zeros(1, np.float32)
        self._children, self._parent = np.full((1, 2), -1, np.int64), np.full(1, -1, np.int64)
        self._statistics = np.zeros((1, self.settings.width))
        self._growing = {}
        self.is_initialized = True

    @property
    def size(self) -> int:
        """The number of nodes."""
        self._check()
        return len(self._feature)

    def _check(self) -> None:
        if not self.is_initialized:
            raise errors.FailedPreconditionError(None, None, f"the tree {self.name!r} is not initialized: run "
                                                 "resources.initialize_resources(resources.shared_resources())")

    def usage(self, features: int) -> np.ndarray:
        """How many nodes test each feature."""
        self._check()
        return np.bincount(self._feature[self._children[:, 0] >= 0], minlength=features).astype(np.int32)

    # ---- prediction

    def leaves(self, x: np.ndarray) -> np.ndarray:
        """The leaf of each example.

        Raises:
            InvalidArgumentError: the tree tests more features than the examples have.
        """
        self._check()
        if x.shape[1] <= self._feature.max():
            raise errors.InvalidArgumentError(None, None, f"the tree {self.name!r} tests the feature "
                                              f"{self._feature.max()}, and the examples have {x.shape[1]}")
        nodes, rows = np.zeros(len(x), np.int64), np.arange(len(x))
        while len(rows):
            rows = rows[self._children[nodes[rows], 0] >= 0]
            at = nodes[rows]
            is_right = ~self._is_left(x[rows, self._feature[at]], self._threshold[at])
            nodes[rows] = self._children[at, is_right.astype(np.int64)]
        return nodes

    def _is_left(self, values: np.ndarray, thresholds: Any) -> np.ndarray:
        return values <= thresholds if self.settings.at_threshold else values < thresholds

    def path(self, node: int) -> list[int]:
        """The nodes from the root to this one."""
        found = [node]
        while self._parent[found[-1]] >= 0:
            found.append(int(self._parent[found[-1]]))
        return found[::-1]

    def node(self, number: int) -> tuple[tuple[int, float, int, int] | None, np.ndarray]:
        """((feature, threshold, left child, right child), None for a leaf; what the node predicts)."""
        left, right = self._children[number].tolist()
        test = None if left < 0 else (int(self._feature[number]), float(self._threshold[number]), left, right)
        return test, self._predicted(np.array([number]))[0]

    def predict(self, x: np.ndarray) -> np.ndarray:
        """The probabilities of classes, or the mean values, of the leaf of each example."""
        nodes = self.leaves(x)
        counts = _counts(self._statistics, self.settings)
        while (poor := (counts[nodes] < self.settings.least) & (self._parent[nodes] >= 0)).any():
            nodes = np.where(poor, self._parent[nodes], nodes)
        return self._predicted(nodes)

    def _predicted(self, nodes: np.ndarray) -> np.ndarray:
        counts = _counts(self._statistics, self.settings)
        found, n = self._statistics[nodes], counts[nodes][:, None]
        if self.settings.is_regression:
            return (found[:, 1:1 + self.settings.outputs] / np.maximum(n, 1e-30)).astype(np.float32)
        return np.where(n > 0, found / np.maximum(n, 1e-30), 1.0 / self.settings.outputs).astype(np.float32)

    # ---- training

    def train(self, x: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> None:
        """Counts a batch of examples, and splits the leaves that have seen enough."""
        rows = self._rows(labels, weights, len(x))
        nodes = self.leaves(x)
        np.add.at(self._statistics, nodes, rows)
        order = np.argsort(nodes, kind="stable")
        starts = np.flatnonzero(np.diff(nodes[order], prepend=-1))
        for start, end in zip(starts, [*starts[1:], len(order)]):
            if self.size + 2 > self.settings.max_nodes:
                self._growing = {}
                return
            chosen = order[start:end]
            self._count(int(nodes[chosen[0]]), x, rows, chosen)

    def _rows(self, labels: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
        """The statistics of each example."""
        weights = weights.reshape(count, 1).astype(np.float64)
        if self.settings.is_regression:
            values = labels.reshape(count, self.settings.outputs).astype(np.float64)
            return weights * np.concatenate([np.ones_like(weights), values, values**2], 1)
        classes = labels.reshape(count).astype(np.int64)
        if count and not 0 <= classes.min() <= classes.max() < self.settings.outputs:
            raise errors.InvalidArgumentError(None, None, f"labels must be in [0, {self.settings.outputs}), got "
                                              f"{classes.min()} to {classes.max()}")
        return weights * np.eye(self.settings.outputs)[classes]

    def _count(self, leaf: int, x: np.ndarray, rows: np.ndarray, chosen: np.ndarray) -> None:
        """Counts the chosen examples, which are at a leaf."""
        growing = self._growing.setdefault(leaf, Growing())
        new = min(self.settings.candidates - len(growing.features), len(chosen))
        if new:
            features = self._random.integers(x.shape[1], size=new)
            growing.features = np.append(growing.features, features)
            growing.thresholds = np.append(growing.thresholds, x[chosen[:new], features])
        if len(growing.features) < self.settings.candidates:
            return
        chosen = chosen[new:]
        is_left = self._is_left(x[chosen[:, None], growing.features], growing.thresholds)
        counted = rows[chosen]
        # Not a product of BLAS, whose threads take longer to start than these few numbers take.
        left = np.einsum("es,ec->sc", is_left.astype(counted.dtype), counted)
        growing.left = left if growing.left is None else growing.left + left
        growing.total, growing.seen = growing.total + counted.sum(0), growing.seen + len(chosen)
        if growing.seen >= self.settings.split_after:
            self._split(leaf, growing)

    def _split(self, leaf: int, growing: Growing) -> None:
        right = growing.total - growing.left
        is_real = (_counts(growing.left, self.settings) > 0) & (_counts(right, self.settings) > 0)
        del self._growing[leaf]
        if not is_real.any():
            return                      # all examples go one way: the leaf looks for other candidates
        cost = _impurity(growing.left, self.settings) + _impurity(right, self.settings)
        best = int(np.argmin(np.where(is_real, cost, np.inf)))
        first = self.size
        self._feature[leaf], self._threshold[leaf] = growing.features[best], growing.thresholds[best]
        self._children[leaf] = first, first + 1
        self._feature = np.append(self._feature, [0, 0])
        self._threshold = np.append(self._threshold, np.zeros(2, np.float32))
        self._children = np.append(self._children, np.full((2, 2), -1), 0)
        self._parent = np.append(self._parent, [leaf, leaf])
        self._statistics = np.append(self._statistics, [growing.left[best], right[best]], 0)

    # ---- saving

    def serialized(self) -> bytes:
        """The nodes and their statistics; candidates of leaves are not saved."""
        self._check()
        return packed(self._feature, self._threshold, self._children, self._parent, self._statistics)

    def restore(self, text: bytes) -> None:
        """Becomes the tree of `serialized`, or a root if that is empty.

        Raises:
            DataLossError: the text is no such tree.
        """
        found = self._parsed(text) if text else None
        self.start()
        if found is not None:
            self._feature, self._threshold, self._children, self._parent, self._statistics = found

    def _parsed(self, text: bytes) -> list[np.ndarray]:
        size = int.from_bytes(text[:8], "little", signed=True)
        forms: list[tuple[type, tuple[int, ...]]] = [
            (np.int64, ()), (np.float32, ()), (np.int64, (2,)), (np.int64, ()), (np.float64, (self.settings.width,))]
        lengths = [size * np.dtype(kind).itemsize * int(np.prod(rest)) for kind, rest in forms]
        if size < 1 or len(text) != 8 + sum(lengths):
            raise errors.DataLossError(None, None, f"{len(text)} bytes are no tree for {self.name!r}, whose nodes have "
                                       f"statistics of {self.settings.width} numbers")
        ends = np.cumsum([8, *lengths])
        found = [np.frombuffer(text[start:end], kind).reshape(size, *rest).copy()
                 for (kind, rest), start, end in zip(forms, ends, ends[1:])]
        if not _is_tree(found[0], found[2], found[3]):
            raise errors.DataLossError(None, None, f"the nodes that were saved for {self.name!r} are no tree")
        return found


def packed(feature: Any, threshold: Any, children: Any, parent: Any, statistics: Any) -> bytes:
    """A tree as `RandomTree.restore` reads it: for each node what it tests, its children, parent and statistics."""
    kinds = (np.int64, np.float32, np.int64, np.int64, np.float64)
    arrays = [np.asarray(each, kind) for each, kind in zip((feature, threshold, children, parent, statistics), kinds)]
    return np.int64(len(arrays[0])).tobytes() + b"".join(each.tobytes() for each in arrays)


def _is_tree(feature: np.ndarray, children: np.ndarray, parent: np.ndarray) -> bool:
    """Whether each node has two children behind it or none, and all but the first are the child of their parent."""
    inner = np.flatnonzero(children[:, 0] >= 0)
    leaves, below = np.delete(children, inner, 0), children[inner]
    if (leaves != -1).any() or (below <= inner[:, None]).any() or (below >= len(feature)).any():
        return False
    wanted = np.full(len(feature), -1, np.int64)
    wanted[below.reshape(-1)] = np.repeat(inner, 2)
    is_reached_once = len(np.unique(below)) == below.size == len(feature) - 1
    return bool(is_reached_once and (wanted == parent).all() and (feature >= 0).all())


def _counts(statistics: np.ndarray, settings: TreeSettings) -> np.ndarray:
    return statistics[:, 0] if settings.is_regression else statistics.sum(1)


def _impurity(statistics: np.ndarray, settings: TreeSettings) -> np.ndarray:
    """The Gini impurity times the number of examples; of values, the sum of squared distances from the mean."""
    n = np.maximum(_counts(statistics, settings), 1e-30)
    if settings.is_regression:
        sums, squares = statistics[:, 1:1 + settings.outputs], statistics[:, 1 + settings.outputs:]
        return (squares - sums**2 / n[:, None]).sum(1)
    return n - (statistics**2).sum(1) / n
