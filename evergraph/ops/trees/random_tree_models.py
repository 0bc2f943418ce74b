"""The trees of random forests as messages that other programs read: models of whole trees, and paths of examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base.errors import UnimplementedError, invalid
from evergraph.ops.trees.random_tree import RandomTree, TreeSettings, packed
from evergraph.proto.wire import from_bytes


def serialized_of_model(text: bytes, settings: TreeSettings) -> bytes:
    """A tree, as `RandomTree.restore` reads it, of a serialized Model; nodes are numbered layer by layer.

    Raises:
        InvalidArgumentError: the bytes are no model of one tree.
        UnimplementedError: a node has another kind of test than this tree's nodes have.
    """
    try:
        model = from_bytes(text, proto.generic_tree_model_pb2.Model())
    except ValueError:
        raise invalid(f"{len(text)} bytes are no Model of a tree") from None
    nodes = {node.node_id.value: node for node in model.decision_tree.nodes}
    order, parents = [0], [-1]
    feature, threshold, children = [], [], []
    for at, number in enumerate(order):
        node = nodes.get(number)
        if node is None or len(order) > len(nodes):
            raise invalid(f"a model of {len(nodes)} nodes is no tree: a path leads to node {number}")
        split = node.binary_node if node.WhichOneof("node_type") == "binary_node" else None
        tested, least = (0, 0.0) if split is None else _test(split, settings)
        feature.append(tested)
        threshold.append(least)
        children.append((-1, -1) if split is None else (len(order), len(order) + 1))
        if split is not None:
            order += [split.left_child_id.value, split.right_child_id.value]
            parents += [at, at]
    statistics = np.zeros((len(order), settings.width))
    for at in reversed(range(len(order))):
        if children[at][0] < 0:
            statistics[at] += _statistics(nodes[order[at]].leaf, settings)
        if parents[at] >= 0:
            statistics[parents[at]] += statistics[at]
    return packed(feature, threshold, children, parents, statistics)


def _test(split: Any, settings: TreeSettings) -> tuple[int, float]:
    """(feature, threshold) of a node."""
    test, kinds = split.inequality_left_child_test, proto.generic_tree_model_pb2.InequalityTest
    wanted = kinds.LESS_OR_EQUAL if settings.at_threshold else kinds.LESS_THAN
    if not test.HasField("feature_id") or test.type != wanted:
        raise UnimplementedError(None, None, "a node of a random forest tests whether one feature is at most, or "
                                 f"below, a threshold, as split_name says; a model has {str(split)!r}")
    return int(test.feature_id.id.value), _number(test.threshold)


def _number(value: Any) -> float:
    return getattr(value, value.WhichOneof("value") or "float_value")


def _statistics(leaf: Any, settings: TreeSettings) -> np.ndarray:
    """The statistics of a leaf that predicts these values."""
    values = np.zeros(settings.outputs)
    for at, value in (enumerate(leaf.vector.value) if leaf.WhichOneof("leaf") != "sparse_vector" else
                      leaf.sparse_vector.sparse_value.items()):
        if not 0 <= at < settings.outputs:
            raise invalid(f"a leaf has a value for output {at}, and the tree has {settings.outputs} outputs")
        values[at] = _number(value)
    return np.concatenate([[1.0], values, values**2]) if settings.is_regression else values


def paths(tree: RandomTree, x: np.ndarray) -> np.ndarray:
    """The serialized TreePath of each example: the nodes that it goes through, and its leaf."""
    made: dict[int, bytes] = {}
    for leaf in sorted(set(tree.leaves(x).tolist())):
        message = proto.generic_tree_model_pb2.TreePath()
        for node in tree.path(leaf):
            _describe(tree, node, message.nodes_visited.add())
        made[leaf] = message.SerializeToString()
    return np.array([made[leaf] for leaf in tree.leaves(x).tolist()], object)


def _describe(tree: RandomTree, number: int, message: Any) -> None:
    test, values = tree.node(number)
    message.node_id.value = number
    message.depth.value = len(tree.path(number)) - 1
    if test is None:
        for value in values.tolist():
            message.leaf.vector.value.add(float_value=value)
        return
    feature, threshold, left, right = test
    split, kinds = message.binary_node, proto.generic_tree_model_pb2.InequalityTest
    split.left_child_id.value, split.right_child_id.value = left, right
    split.inequality_left_child_test.feature_id.id.value = str(feature)
    split.inequality_left_child_test.threshold.float_value = threshold
    split.inequality_left_child_test.type = kinds.LESS_OR_EQUAL if tree.settings.at_threshold else kinds.LESS_THAN
