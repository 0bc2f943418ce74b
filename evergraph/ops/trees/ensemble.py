"""The object behind BoostedTrees ops: trees that grow between steps, and arrays over their nodes for prediction."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.proto.wire import from_bytes

MISSING = -1  # the bucket of an example that has no value


@dataclass(frozen=True)
class Nodes:
    """The nodes of trees as arrays, one entry a node; children are indices into the same arrays.

    `values` has a row for each node: the logits of a leaf, or those that a split had while it was a leaf.
    """

    is_leaf: np.ndarray
    feature: np.ndarray
    dimension: np.ndarray
    threshold: np.ndarray
    is_equality: np.ndarray
    left: np.ndarray
    right: np.ndarray
    values: np.ndarray

    def children(self, at: np.ndarray, buckets: np.ndarray) -> np.ndarray:
        """The children that examples go to from the splits `at`, by their buckets in the features of these splits."""
        threshold = self.threshold[at]
        goes_left = np.where(self.is_equality[at], buckets == threshold, buckets <= threshold)
        return np.where(goes_left, self.left[at], self.right[at])


def leaf_values(leaf: Any, logits: int) -> list[float]:
    """The logits that a leaf holds, as a vector or as a scalar."""
    if leaf.HasField("vector"):
        return list(leaf.vector.value)
    return [leaf.scalar] + [0.0] * (logits - 1)


def nodes_of(tree: Any, logits: int) -> Nodes:
    """The arrays of one tree.

    Raises:
        InvalidArgumentError: a child is not among the nodes behind its parent, or a feature has a negative number.
    """
    count = len(tree.nodes)
    whole = {name: np.zeros(count, np.int32) for name in ("feature", "dimension", "threshold", "left", "right")}
    flags = {name: np.zeros(count, bool) for name in ("is_leaf", "is_equality")}
    values = np.zeros((count, logits), np.float32)
    for at, node in enumerate(tree.nodes):
        kind = node.WhichOneof("node")
        flags["is_leaf"][at] = kind in ("leaf", None)
        values[at] = leaf_values(node.leaf if kind in ("leaf", None) else node.metadata.original_leaf, logits)
        if kind in ("leaf", None):
            continue
        if kind == "dense_split":
            raise errors.UnimplementedError(None, None, "trees with splits on dense values are not supported")
        split = getattr(node, kind)
        flags["is_equality"][at] = kind == "categorical_split"
        whole["threshold"][at] = split.value if kind == "categorical_split" else split.threshold
        whole["feature"][at], whole["dimension"][at] = split.feature_id, split.dimension_id
        whole["left"][at], whole["right"][at] = split.left_id, split.right_id
        if not all(at < child < count for child in (split.left_id, split.right_id)):
            raise invalid(f"node {at} of {count} has the children {split.left_id} and {split.right_id}: it is no tree")
        if min(split.feature_id, split.dimension_id) < 0:
            raise invalid(f"node {at} splits on dimension {split.dimension_id} of feature {split.feature_id}")
    return Nodes(**whole, **flags, values=values)


class Ensemble:
    """Trees and their weights, in TensorFlow's message, with a stamp that counts the changes."""

    def __init__(self, name: str):
        self.name = name
        self.lock = threading.RLock()
        self._message: Any = None
        self._nodes: dict[tuple[int, int], Nodes] = {}
        self._stamp = -1

    # ---- its life

    @property
    def is_initialized(self) -> bool:
        return self._message is not None

    def restore(self, stamp: int, serialized: bytes) -> None:
        """Replaces the trees by those of a serialized ensemble.

        Raises:
            InvalidArgumentError: the bytes are no ensemble.
        """
        try:
            message = from_bytes(serialized, proto.boosted_trees_pb2.TreeEnsemble())
        except ValueError:
            raise invalid(
                f"ensemble {self.name!r} was given {len(serialized)} bytes that are no TreeEnsemble") from None
        with self.lock:
            self._message, self._stamp = message, stamp
            self._nodes.clear()

    @property
    def message(self) -> Any:
        """The TreeEnsemble; who changes it holds the lock and calls `changed`.

        Raises:
            NotFoundError: the ensemble has not been created.
        """
        if self._message is None:
            raise errors.NotFoundError(None, None, f"the tree ensemble {self.name!r} has not been initialized")
        return self._message

    @property
    def stamp(self) -> int:
        return self._stamp if self.message is not None else -1

    def changed(self, trees: range) -> None:
        """Counts a change of the message and forgets the arrays of the trees that it concerned."""
        self._stamp += 1
        for key in [key for key in self._nodes if key[0] in trees]:
            del self._nodes[key]

    # ---- what predictions read

    def nodes(self, tree: int, logits: int) -> Nodes:
        """The arrays of a tree for so many logits."""
        key = (tree, logits)
        if key not in self._nodes:
            self._nodes[key] = nodes_of(self.message.trees[tree], logits)
        return self._nodes[key]
