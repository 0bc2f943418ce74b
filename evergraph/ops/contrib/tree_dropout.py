"""Dropout of trees (Rashmi and Gilad-Bachrach, 2015): which trees a step goes without, and what they weigh after it."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base.errors import invalid
from evergraph.kernel import philox


def _uniform(seed: int, count: int) -> np.ndarray:
    """The first numbers, from 0 to below 1, of a stream."""
    words = philox.first_words(np.array([seed % 2**64, 0, 0], np.uint64), count)
    return (words & np.uint32(0x7FFFFF) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1)


def dropped(settings: Any, weights: Any, seed: int, keeps_first: bool) -> list[int]:
    """The trees that a step goes without.

    Args:
        settings: a LearningRateDropoutDrivenConfig.
        weights: of the trees that may be dropped.
        seed: the same seed drops the same trees.
        keeps_first: whether the first tree, which is the bias, stays.

    Raises:
        InvalidArgumentError: a probability is none.
    """
    chance, skipping = settings.dropout_probability, settings.probability_of_skipping_dropout
    if not (0 <= chance <= 1 and 0 <= skipping <= 1):
        raise invalid(f"the probabilities of dropout are {chance} and {skipping}, and not from 0 to 1")
    draws = _uniform(seed, len(weights) + 1)
    if chance == 0 or (skipping > 0 and draws[0] <= skipping):
        return []
    return [tree for tree, draw in enumerate(draws[1:]) if draw <= chance and not (keeps_first and tree == 0)]


def reweigh(message: Any, trees: list[int]) -> None:
    """Scales the trees that were dropped, and the last one, which grew without them: they weigh as much as before."""
    if not trees:
        return
    share = len(trees) / (len(trees) + 1)
    whole = np.sum([message.tree_weights[tree] for tree in trees], dtype=np.float32)
    for tree in trees:
        message.tree_weights[tree] *= share
        message.tree_metadata[tree].num_tree_weight_updates += 1
    message.tree_weights[-1] = whole / (len(trees) + 1)
    message.tree_metadata[-1].num_tree_weight_updates += 1
