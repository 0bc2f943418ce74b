"""What trees say about features: their importances, and their contributions to single predictions."""
from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph import proto


def identity(logit: Any) -> Any:
    """The prediction of a regression."""
    return logit


def sigmoid(logit: Any) -> Any:
    """The prediction of a classifier: the probability of the class 1."""
    return 1.0 / (1.0 + np.exp(-np.asarray(logit, np.float64)))


def contributions(feature_ids: Sequence[int], logits_path: Sequence[float], activation: Callable[[Any], Any],
                  names: Sequence[str]) -> tuple[float, dict[str, float]]:
    """The bias of a prediction, and what each column added to it, the largest in size first.

    Args:
        feature_ids: the features of the splits on the paths of an example.
        logits_path: the bias, and the logit after each of the splits.
        activation: makes a prediction of a logit.
        names: the column of each feature.
    """
    predictions = activation(np.asarray(logits_path, np.float64))
    found = dict.fromkeys(names, 0.0)
    for feature, change in zip(feature_ids, np.diff(predictions), strict=True):
        found[names[feature]] += float(change)
    ordered = sorted(found.items(), key=lambda item: abs(item[1]), reverse=True)
    return float(predictions[0]), collections.OrderedDict(ordered)


def explained(serialized: bytes, activation: Callable[[Any], Any], names: Sequence[str]) -> tuple[float, Any]:
    """As `contributions`, of a serialized DebugOutput."""
    output = proto.boosted_trees_pb2.DebugOutput.FromString(serialized)
    return contributions(output.feature_ids, output.logits_path, activation, names)


def importances(serialized: bytes, names: Sequence[str], normalize: bool) -> dict[str, float]:
    """The sum of the gains of the splits on each column, over all trees, the largest first.

    Raises:
        ValueError: the ensemble is empty.
        AssertionError: the sums are to be normalized, but there is no split, or one is negative.
    """
    if not serialized:
        raise ValueError("the tree ensemble is an empty serialized string: train the estimator first")
    ensemble = proto.boosted_trees_pb2.TreeEnsemble.FromString(serialized)
    sums = np.zeros(len(names))
    for tree, weight in zip(ensemble.trees, ensemble.tree_weights, strict=True):
        for node in tree.nodes:
            kind = node.WhichOneof("node")
            if kind in ("bucketized_split", "categorical_split"):
                sums[getattr(node, kind).feature_id] += node.metadata.gain * weight
    found = dict.fromkeys(names, 0.0)
    for name, gain in zip(names, sums, strict=True):
        found[name] += float(gain)
    if normalize:
        found = _normalized(found)
    # Of equal ones the last name comes first, as in TensorFlow.
    ordered = sorted(found.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return collections.OrderedDict(ordered)


def _normalized(found: dict[str, float]) -> dict[str, float]:
    if any(gain < 0 for gain in found.values()):
        raise AssertionError("only non-negative importances can be normalized, but some sums of gains are negative")
    total = sum(found.values())
    if total == 0:
        raise AssertionError("importances cannot be normalized: no tree has a split")
    return {name: gain / total for name, gain in found.items()}
