"""Ops of k-means: evergraph/ops/nn/clustering.py."""

import numpy as np

from tests.harness import case, floats, i64

points = floats(12, 3)
centers = floats(5, 3, seed=4)

CASES = [
    *[case("KmeansPlusPlusInitialization", points, i64(4), i64(seed), i64(retries)).no_grad("picks rows")
      for seed, retries in ((1, 0), (2, 3), (987654321, -1))],
    case("KmeansPlusPlusInitialization", points, i64(13), i64(1), i64(0)).fails("InvalidArgumentError"),
    case("KmeansPlusPlusInitialization", points, i64(0), i64(1), i64(0)).fails("InvalidArgumentError"),
    *[case("KMC2ChainInitialization", np.abs(floats(50, seed=seed)), i64(seed)) for seed in (1, 2, 3)],
    case("KMC2ChainInitialization", np.zeros(5, "float32"), i64(7)),
    case("NearestNeighbors", points, centers, i64(1)).tolerance(1e-4, 1e-5),
    case("NearestNeighbors", points, centers, i64(3)).tolerance(1e-4, 1e-5),
    case("NearestNeighbors", points, centers, i64(9)).tolerance(1e-4, 1e-5),
    case("NearestNeighbors", points, centers, i64(0)),
]
