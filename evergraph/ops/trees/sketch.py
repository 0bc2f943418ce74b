"""Quantiles of a stream of weighted values in bounded memory, after Greenwald and Khanna (2001), with merging.

A summary is a matrix of rows (value, weight, lowest rank, highest rank) that ascend in value. Ranks are sums of the
weights of smaller values. A stream keeps summaries on levels, each standing for twice as many values as the one below.
"""

from __future__ import annotations

import math

import numpy as np

VALUE, WEIGHT, LOW, HIGH = range(4)
_LEAST_EPSILON = 1e-10
EMPTY = np.zeros((0, 4), np.float64)


def summarized(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The exact summary of values; those that are equal become one row. Weights that are not positive do not count."""
    counts = weights > 0
    values, weights = values[counts], weights[counts]
    distinct, group = np.unique(values, return_inverse=True)
    weight = np.bincount(group, weights, len(distinct))
    rank = np.cumsum(weight)
    return np.stack([distinct, weight, rank - weight, rank], axis=1).astype(np.float64)


def total_weight(summary: np.ndarray) -> float:
    return float(summary[-1, HIGH]) if len(summary) else 0.0


def merged(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The summary of the values of both."""
    if not len(first) or not len(second):
        return first if len(first) else second
    values = np.union1d(first[:, VALUE], second[:, VALUE])
    parts = [_placed(each, values) for each in (first, second)]
    return np.stack([values, *(parts[0] + parts[1])[1:]], axis=0).T


def _placed(summary: np.ndarray, values: np.ndarray) -> np.ndarray:
    """What a summary says about each of `values`, which its own are among: rows (unused, weight, low, high)."""
    at = np.searchsorted(summary[:, VALUE], values)
    has = at < len(summary)
    here = np.minimum(at, len(summary) - 1)
    is_own = has & (summary[here, VALUE] == values)
    before = np.concatenate([[0.0], summary[:, LOW] + summary[:, WEIGHT]])[at]
    after = np.concatenate([summary[:, HIGH] - summary[:, WEIGHT], [total_weight(summary)]])[at]
    weight = np.where(is_own, summary[here, WEIGHT], 0.0)
    low = np.where(is_own, summary[here, LOW], before)
    high = np.where(is_own, summary[here, HIGH], after)
    return np.stack([values, weight, low, high])


def compressed(summary: np.ndarray, size: int, epsilon: float) -> np.ndarray:
    """About `size` rows of a summary, so that ranks stay known to a part of 1 / size, or epsilon, of the weight."""
    size = max(size, 2)
    if len(summary) <= size:
        return summary
    allowed = total_weight(summary) * max(1.0 / size, epsilon)
    ends = summary[:, HIGH] - summary[:, WEIGHT]
    starts = summary[:, LOW] + summary[:, WEIGHT]
    kept, credit, at, last = [0], 0, 0, len(summary) - 1
    while at < last:
        following = at + 1
        while following <= last and credit < len(summary) and ends[following] - starts[at] <= allowed:
            credit += size
            following += 1
        at = max(following - 1, at + 1)
        kept.append(at)
        credit -= len(summary)
    if kept[-1] != last:
        kept.append(last)
    return summary[kept]


def boundaries(summary: np.ndarray, count: int) -> np.ndarray:
    """At least `count` values of a summary, where it has so many, that divide the weight into about equal parts."""
    epsilon = float(np.float32(_error(summary) + 1.0 / count))  # TensorFlow's is a float
    return compressed(summary, count, epsilon)[:, VALUE]


def _error(summary: np.ndarray) -> float:
    """The part of the weight by which the rank of a quantile can be wrong."""
    if len(summary) < 2:
        return 0.0
    inside = (summary[1:, HIGH] - summary[1:, LOW] - summary[1:, WEIGHT]).max()
    between = (summary[1:, HIGH] - summary[1:, WEIGHT] - summary[:-1, LOW] - summary[:-1, WEIGHT]).max()
    return float(max(inside, between, 0.0)) / total_weight(summary)


def quantiles(summary: np.ndarray, count: int) -> np.ndarray:
    """`count` + 1 values that divide the weight into equal parts, from the smallest to the largest."""
    if not len(summary):
        return np.zeros(0, np.float32)
    wanted = 2 * np.arange(count + 1) * total_weight(summary) / count
    at = np.maximum(np.searchsorted(summary[1:, LOW] + summary[1:, HIGH], wanted, side="right"), 0)
    following = np.minimum(at + 1, len(summary) - 1)
    middle = summary[at, LOW] + summary[at, WEIGHT] + summary[following, HIGH] - summary[following, WEIGHT]
    stays = (at == len(summary) - 1) | (wanted < middle)
    return summary[np.where(stays, at, following), VALUE]


class Stream:
    """Values that arrive in batches, and what is known of their quantiles."""

    def __init__(self, epsilon: float, max_elements: int):
        self.epsilon = epsilon
        self.block_size = _block_size(epsilon, max_elements)
        self.levels: list[np.ndarray] = []

    def add(self, summary: np.ndarray) -> None:
        """Adds a batch's summary; where a level overflows, its compressed form moves to the next."""
        if not len(summary):
            return
        summary = compressed(summary, self.block_size, self.epsilon)
        level = 0
        while True:
            if level == len(self.levels):
                self.levels.append(EMPTY)
            was_empty = not len(self.levels[level])
            summary = merged(summary, self.levels[level])
            if was_empty or len(summary) <= self.block_size + 1:
                self.levels[level] = summary
                return
            summary = compressed(summary, self.block_size, self.epsilon)
            self.levels[level] = EMPTY
            level += 1

    def push(self, values: np.ndarray, weights: np.ndarray) -> None:
        """Adds values in blocks, in the order in which they come."""
        counts = weights > 0
        values, weights = values[counts], weights[counts]
        step = 2 * self.block_size
        for start in range(0, len(values), step):
            self.add(summarized(values[start:start + step], weights[start:start + step]))

    def finished(self) -> np.ndarray:
        """The summary of everything so far, and starts anew."""
        summary = EMPTY
        for each in self.levels:
            summary = merged(summary, each)
        self.levels = []
        return summary


def _block_size(epsilon: float, max_elements: int) -> int:
    """The number of rows on a level, such that the errors of all levels stay below epsilon."""
    if epsilon <= _LEAST_EPSILON:
        return max(max_elements, 2)
    levels, size = 1, 2
    while (1 << levels) * size < max_elements:
        size = math.ceil(levels / epsilon) + 1
        levels += 1
    return size
