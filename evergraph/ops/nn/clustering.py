"""Ops of k-means clustering: initialization of centers, and nearest centers.

The random points are those that TensorFlow draws, from a Philox stream with the seed as its key.
"""
from __future__ import annotations

import math

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import with_rank
from evergraph.ops.math.draws import unit
from evergraph.ops.nn.candidates import Words


def _words(seed):
    return Words(np.array([int(seed) % 2**64, 0, 0], np.uint64))


def _fractions(words, count):
    """Random floats in [0, 1) as float32."""
    return unit((words.take(count),), np.dtype(np.float32))


def _matrix(values, what):
    if values.ndim != 2:
        raise invalid(f"{what} must be a matrix, but are of shape {list(values.shape)}")


def _scalar(value, what):
    if np.ndim(value):
        raise invalid(f"{what} must be a scalar, but is of shape {list(np.shape(value))}")


def _sampled_shape(points, num_to_sample, seed, num_retries_per_sample, value_of):
    for each in (num_to_sample, seed, num_retries_per_sample):
        with_rank(each, 0)
    count = value_of("num_to_sample")
    return (None if count is None else int(count), with_rank(points, 2)[1])


@op("KmeansPlusPlusInitialization(points: float, num_to_sample: int64, seed: int64, num_retries_per_sample: int64) -> "
    "samples: float", shape=_sampled_shape, on="host", grad=STOP)
def kmeans_plus_plus_initialization(points, num_to_sample, seed, num_retries_per_sample):
    """Initial centers by k-means++ (Arthur and Vassilvitskii, 2007): draws points with probability ~ squared distance.

    Draws `num_retries_per_sample` + 1 candidates for each center and keeps the one that lowers the potential most.
    """
    _matrix(points, "points")
    for value, what in ((num_to_sample, "num_to_sample"), (seed, "seed"), (num_retries_per_sample, "the retries")):
        _scalar(value, what)
    count = int(num_to_sample)
    if count <= 0:
        raise invalid(f"num_to_sample must be positive, but is {count}")
    if count > len(points):
        raise invalid(f"there are {len(points)} points, too few to draw {count} of them")
    retries = int(num_retries_per_sample)
    retries = retries if retries >= 0 else 2 + int(math.log(count))
    words, half_norms = _words(seed), 0.5 * np.square(points).sum(axis=1)
    chosen: list[int] = []
    nearest = np.full(len(points), np.inf, np.float32)  # half the squared distance to the nearest chosen point
    while len(chosen) < count:
        if chosen:
            sums = np.cumsum(nearest, dtype=np.float32)
            drawn = np.searchsorted(sums, _fractions(words, retries + 1) * sums[-1])
            drawn = np.minimum(drawn, len(points) - 1)
        else:
            drawn = words.below(len(points), retries + 1, size=2)
        distances = half_norms[:, None] + half_norms[drawn] - points @ points[drawn].T
        distances = np.minimum(distances, nearest[:, None])
        best = int(distances.sum(axis=0).argmin())
        chosen.append(int(drawn[best]))
        nearest = distances[:, best]
    return points[chosen]


def _chain_shape(distances, seed):
    with_rank(distances, 1)
    with_rank(seed, 0)
    return ()


@op("KMC2ChainInitialization(distances: float, seed: int64) -> index: int64", shape=_chain_shape, on="host", grad=STOP)
def kmc2_chain_initialization(distances, seed):
    """The index that a Markov chain over distances ends at, for k-MC2 initialization (Bachem et al., 2016)."""
    if distances.ndim != 1 or not len(distances):
        raise invalid(f"distances must be a vector, and not empty, but are of shape {list(distances.shape)}")
    at = 0
    for place, chance in enumerate(_fractions(_words(seed), len(distances) - 1), 1):
        if distances[place] > chance * distances[at]:
            at = place
    return np.int64(at)


def _nearest_shape(points, centers, k, value_of):
    with_rank(k, 0)
    points, centers, wanted = with_rank(points, 2), with_rank(centers, 2), value_of("k")
    known = wanted is not None and centers[0] is not None
    columns = min(int(wanted), centers[0]) if known else None
    return [(points[0], columns), (points[0], columns)]


@op("NearestNeighbors(points: float, centers: float, k: int64) -> nearest_center_indices: int64, "
    "nearest_center_distances: float", shape=_nearest_shape, static=("k",), grad=STOP)
def nearest_neighbors(xp, points, centers, k):
    """The `k` nearest centers of each point, nearest first, and their squared distances."""
    _matrix(points, "points")
    _matrix(centers, "centers")
    _scalar(k, "k")
    if k < 0:
        raise invalid(f"k must not be negative, but is {k}")
    if points.shape[1] != centers.shape[1]:
        raise invalid(f"points and centers must have as many columns, but have {points.shape[1]} and "
                      f"{centers.shape[1]}")
    half = lambda rows: 0.5 * xp.square(rows).sum(axis=1)
    distances = 2 * (half(points)[:, None] + half(centers) - points @ centers.T)
    order = xp.argsort(distances, axis=1, stable=True)[:, :min(int(k), len(centers))]
    return order, xp.take_along_axis(distances, order, axis=1)
