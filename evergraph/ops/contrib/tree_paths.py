"""The ways of examples through the trees of contrib's ensembles, by dense, sparse and categorical columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from evergraph.base.errors import invalid

OBLIVIOUS = ("oblivious_dense_float_binary_split", "oblivious_categorical_id_binary_split")


class Columns:
    """The features of a batch, as the tests of nodes ask for them."""

    def __init__(self, dense: Any, float_indices: Any, float_values: Any, float_shapes: Any, int_indices: Any,
                 int_values: Any, int_shapes: Any) -> None:
        self._dense = [np.reshape(each, [len(each), -1]) for each in dense]
        self._floats = list(zip(float_indices, float_values))
        self._ints = list(zip(int_indices, int_values))
        sizes = [len(each) for each in dense] + [int(shape[0]) for shape in (*float_shapes, *int_shapes)]
        if not sizes:
            raise invalid("trees are given no features, so that the number of examples is unknown")
        self.count = sizes[0]

    def dense(self, column: int, dimension: int = 0) -> np.ndarray:
        """The number of every example."""
        return _column(self._dense, column, "dense")[:, dimension]

    def sparse(self, column: int, dimension: int) -> tuple[np.ndarray, np.ndarray]:
        """(the number of every example, whether it has one)."""
        indices, values = _column(self._floats, column, "sparse float")
        chosen = indices[:, 1] == dimension
        numbers, is_there = np.zeros(self.count, np.float32), np.zeros(self.count, bool)
        numbers[indices[chosen, 0]], is_there[indices[chosen, 0]] = values[chosen], True
        return numbers, is_there

    def has(self, column: int, ids: Any) -> np.ndarray:
        """Whether every example has one of the categories."""
        indices, values = _column(self._ints, column, "sparse int")
        found = np.zeros(self.count, bool)
        found[indices[np.isin(values, ids), 0]] = True
        return found


def _column(columns: list[Any], number: int, kind: str) -> Any:
    if not 0 <= number < len(columns):
        raise invalid(f"a node tests {kind} column {number}, and there are {len(columns)}")
    return columns[number]


def split_of(node: Any) -> Any:
    """The message with the feature and the children of a node that is no leaf."""
    split = getattr(node, node.WhichOneof("node"))
    return split.split if hasattr(split, "split") else split


def goes_left(node: Any, columns: Columns) -> np.ndarray:
    """Whether every example goes to the left child."""
    kind, split = node.WhichOneof("node"), split_of(node)
    if kind in ("dense_float_binary_split", OBLIVIOUS[0]):
        return columns.dense(split.feature_column, getattr(split, "dimension_id", 0)) <= split.threshold
    if kind.startswith("sparse_float"):
        numbers, is_there = columns.sparse(split.feature_column, split.dimension_id)
        return np.where(is_there, numbers <= split.threshold, kind.endswith("left"))
    if kind == "categorical_id_set_membership_binary_split":
        return columns.has(split.feature_column, list(split.feature_ids))
    return columns.has(split.feature_column, [split.feature_id])


def leaves(tree: Any, columns: Columns) -> np.ndarray:
    """The number of the leaf of every example.

    Raises:
        InvalidArgumentError: a node has no such child, or comes back to one above it.
    """
    if not tree.nodes or tree.nodes[0].WhichOneof("node") in OBLIVIOUS:
        return _oblivious_leaves(tree, columns)
    found = np.zeros(columns.count, np.int32)
    for at, rows in _parts(tree, columns):
        found[rows] = at
    return found


def _parts(tree: Any, columns: Columns) -> Iterator[tuple[int, np.ndarray]]:
    """(leaf, its examples) of all leaves that have examples."""
    waiting, visited = [(0, np.arange(columns.count))], 0
    while waiting:
        at, rows = waiting.pop()
        visited += 1
        if not 0 <= at < len(tree.nodes) or visited > len(tree.nodes):
            raise invalid(f"a tree of {len(tree.nodes)} nodes is damaged: a path leads to node {at}")
        node = tree.nodes[at]
        if node.WhichOneof("node") in ("leaf", None):
            yield at, rows
        elif len(rows):
            is_left, split = goes_left(node, columns)[rows], split_of(node)
            waiting += [(split.left_id, rows[is_left]), (split.right_id, rows[~is_left])]


def _oblivious_leaves(tree: Any, columns: Columns) -> np.ndarray:
    """The leaves of a tree whose nodes are one test for each layer, and then the leaves."""
    found, depth = np.zeros(columns.count, np.int32), 0
    for node in tree.nodes:
        if node.WhichOneof("node") not in OBLIVIOUS:
            break
        found, depth = 2 * found + ~goes_left(node, columns), depth + 1
    return found + depth


def leaf_weights(leaf: Any, size: int) -> np.ndarray:
    """The numbers of a leaf, as a vector of at least this size."""
    if leaf.WhichOneof("leaf") != "sparse_vector":
        return np.array(list(leaf.vector.value) + [0.0] * (size - len(leaf.vector.value)), np.float32)
    whole = np.zeros(max([size, *(index + 1 for index in leaf.sparse_vector.index)]), np.float32)
    np.add.at(whole, list(leaf.sparse_vector.index), np.array(leaf.sparse_vector.value, np.float32))
    return whole
