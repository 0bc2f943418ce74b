"""Ensembles of boosted trees as the messages of tf.contrib.decision_trees, which name features and know no columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.ops.contrib.tree_paths import OBLIVIOUS, split_of
from evergraph.proto import generic_tree_model_pb2 as generic

STRATEGY = "contrib.boosted_trees.estimator_batch.custom_export_strategy"
_DENSE = ("dense_float_binary_split", OBLIVIOUS[0])
_LEAVES = ("leaf", None)


def feature_of(node: Any, names: Sequence[str], num_dense: int, num_sparse_float: int) -> str:
    """The name of the feature that a node tests; of a sparse one with the number of its dimension after the first."""
    kind, split = node.WhichOneof("node"), split_of(node)
    if kind in _DENSE:
        return names[split.feature_column]
    if kind.startswith("sparse_float"):
        name = names[num_dense + split.feature_column]
        return f"{name}_{split.dimension_id}" if split.dimension_id else name
    return names[num_dense + num_sparse_float + split.feature_column]


def _binary_node(node: Any, left: int, right: int, name: str) -> Any:
    """The test of a node, which is by a threshold or by categories."""
    kind, split = node.WhichOneof("node"), split_of(node)
    found = generic.BinaryNode()
    found.left_child_id.value, found.right_child_id.value = left, right
    if kind in _DENSE or kind.startswith("sparse_float"):
        test = found.inequality_left_child_test
        test.type = generic.InequalityTest.LESS_OR_EQUAL
        test.threshold.float_value = split.threshold
        test.feature_id.id.value = name
        if kind.startswith("sparse_float"):
            found.default_direction = getattr(generic.BinaryNode, "LEFT" if kind.endswith("left") else "RIGHT")
        return found
    matching = generic.MatchingValuesTest()
    matching.feature_id.id.value = name
    for category in getattr(split, "feature_ids", None) or [split.feature_id]:
        matching.value.add().int64_value = category
    found.custom_left_child_test.Pack(matching)
    return found


def _leaf(leaf: Any, weight: float) -> Any:
    """The numbers of a leaf, times the weight of its tree."""
    found = generic.Leaf()
    if leaf.WhichOneof("leaf") == "sparse_vector":
        for index, value in zip(leaf.sparse_vector.index, leaf.sparse_vector.value):
            found.sparse_vector.sparse_value[index].float_value = value * weight
    else:
        for value in leaf.vector.value:
            found.vector.value.add().float_value = value * weight
    return found


def _unfolded(nodes: Sequence[Any]) -> list[tuple[Any, int, int]]:
    """(node, left child, right child) of a tree whose layers have one test each, as a tree with a test a node."""
    depth = sum(node.WhichOneof("node") in OBLIVIOUS for node in nodes)
    tests = [(nodes[layer], 2 * at + 1, 2 * at + 2)
             for layer in range(depth) for at in range(2 ** layer - 1, 2 ** (layer + 1) - 1)]
    return tests + [(leaf, 0, 0) for leaf in nodes[depth:]]


def _nodes(tree: Any) -> list[tuple[Any, int, int]]:
    """(node, left child, right child) of a tree; leaves have no children."""
    if tree.nodes and tree.nodes[0].WhichOneof("node") in OBLIVIOUS:
        return _unfolded(tree.nodes)
    return [(node, 0, 0) if node.WhichOneof("node") in _LEAVES else
            (node, split_of(node).left_id, split_of(node).right_id) for node in tree.nodes]


@export(f"{STRATEGY}.convert_to_universal_format")
def convert_to_universal_format(dtec: Any, sorted_feature_names: Sequence[str], num_dense: int, num_sparse_float: int,
                                num_sparse_int: int,
                                feature_name_to_proto: Mapping[str, Any] | None = None) -> Any:
    """An ensemble as a ModelAndFeatures, the sum of whose trees is the ensemble's prediction.

    Args:
        dtec: a DecisionTreeEnsembleConfig.
        sorted_feature_names: the names of dense columns, of sparse columns of numbers, and of those of categories.
        num_dense: how many of them are dense.
        num_sparse_float: how many are sparse columns of numbers.
        num_sparse_int: how many are sparse columns of categories.
        feature_name_to_proto: the Feature of a name, where it is to have more than that name.

    Raises:
        ValueError: there are more or fewer names than columns.
    """
    _check_names(sorted_feature_names, num_dense + num_sparse_float + num_sparse_int)
    found = generic.ModelAndFeatures()
    for name in sorted_feature_names:
        if feature_name_to_proto and name in feature_name_to_proto:
            found.features[name].CopyFrom(feature_name_to_proto[name])
        else:
            found.features[name].SetInParent()
    ensemble = found.model.ensemble
    ensemble.summation_combination_technique.SetInParent()
    for number, (tree, weight) in enumerate(zip(dtec.trees, dtec.tree_weights)):
        member = ensemble.members.add()
        member.submodel_id.value = number
        for at, (node, left, right) in enumerate(_nodes(tree)):
            made = member.submodel.decision_tree.nodes.add()
            made.node_id.value = at
            if node.WhichOneof("node") in _LEAVES:
                made.leaf.CopyFrom(_leaf(node.leaf, weight))
            else:
                name = feature_of(node, sorted_feature_names, num_dense, num_sparse_float)
                made.binary_node.CopyFrom(_binary_node(node, left, right, name))
    return found


def _check_names(names: Sequence[str], count: int) -> None:
    if len(names) != count:
        raise ValueError(f"the trees have {count} columns, and there are {len(names)} names: {list(names)}")


def feature_importances(dtec: Any, sorted_feature_names: Sequence[str], num_dense: int, num_sparse_float: int,
                        num_sparse_int: int) -> dict[str, float]:
    """What the splits on each feature gained together, the largest first.

    The gains of a tree count by its weight; a feature that no node tests has 0.
    """
    _check_names(sorted_feature_names, num_dense + num_sparse_float + num_sparse_int)
    gains = dict.fromkeys(sorted_feature_names, 0.0)
    for tree, weight in zip(dtec.trees, dtec.tree_weights):
        for node in tree.nodes:
            if node.WhichOneof("node") not in _LEAVES:
                name = feature_of(node, sorted_feature_names, num_dense, num_sparse_float)
                gains[name] = gains.get(name, 0.0) + node.node_metadata.gain * weight
    return dict(sorted(gains.items(), key=lambda each: -each[1]))
