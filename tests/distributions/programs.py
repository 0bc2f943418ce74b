"""Small programs on distributions, run by TensorFlow when numbers are recorded and by evergraph in the tests."""

import numpy as np

REAL = np.array([[-12.0, -1.5, 0.3], [0.0, 2.0, 9.0]], np.float32)
POSITIVE = np.array([[0.1, 1.0, 2.5], [0.7, 3.0, 8.0]], np.float32)
UNIT = np.array([0.05, 0.5, 0.9], np.float32)
SIMPLEX = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], np.float32)
LOGITS = np.array([[0.1, -2.0, 1.5], [3.0, 0.0, -1.0]], np.float32)
COUNTS = np.array([[1.0, 2.0, 2.0], [0.0, 4.0, 1.0]], np.float32)
CURVES = ("log_prob", "prob", "cdf", "log_cdf", "survival_function", "log_survival_function")
DENSITIES = ("log_prob", "prob")
STATISTICS = ("mean", "variance", "stddev", "mode", "entropy")
VECTORS = ("mean", "variance", "stddev", "covariance")

# name: (class, arguments, the same of another for the divergence or None, values, methods of them, statistics)
KINDS = {
    "normal": ("Normal", {"loc": [0.5, -1.0, 2.0], "scale": [1.0, 0.3, 4.0]}, {"loc": 1.0, "scale": 2.0},
               REAL, CURVES, STATISTICS),
    "uniform": ("Uniform", {"low": [-2.0, 0.0, 0.0], "high": [3.0, 1.0, 0.3]}, None, REAL, CURVES,
                ("mean", "variance", "stddev", "entropy")),
    "laplace": ("Laplace", {"loc": [0.5, -1.0, 2.0], "scale": [1.0, 0.3, 4.0]}, None, REAL, CURVES, STATISTICS),
    "student": ("StudentT", {"df": [0.7, 1.5, 5.0], "loc": [0.5, -1.0, 2.0], "scale": [1.0, 0.3, 4.0]}, None,
                REAL[0], CURVES, STATISTICS),
    "gamma": ("Gamma", {"concentration": [0.5, 1.0, 4.0], "rate": [1.0, 2.0, 0.5]},
              {"concentration": 2.0, "rate": 1.5}, POSITIVE, CURVES, STATISTICS),
    "exponential": ("Exponential", {"rate": [1.0, 2.0, 0.5]}, {"rate": 0.8}, POSITIVE, CURVES, STATISTICS),
    "beta": ("Beta", {"concentration1": [0.5, 2.0, 4.0], "concentration0": [1.0, 3.0, 1.5]},
             {"concentration1": 2.0, "concentration0": 1.5}, UNIT, CURVES, STATISTICS),
    "dirichlet": ("Dirichlet", {"concentration": [[0.5, 2.0, 4.0], [1.5, 3.0, 2.0]]},
                  {"concentration": [1.0, 1.0, 2.0]}, SIMPLEX, DENSITIES, ("entropy", *VECTORS)),
    "bernoulli": ("Bernoulli", {"logits": [0.3, -2.0, 5.0]}, {"probs": 0.4}, np.array([[0, 1, 1], [1, 0, 0]], np.int32),
                  DENSITIES, STATISTICS),
    "bernoulli of probs": ("Bernoulli", {"probs": [0.3, 0.5, 0.9]}, None, np.array([1.0, 0.0, 1.0], np.float32),
                           DENSITIES, STATISTICS),
    "categorical": ("Categorical", {"logits": LOGITS}, {"probs": SIMPLEX}, np.array([[0, 1], [2, 0]], np.int32),
                    (*DENSITIES, "cdf"), ("mode", "entropy")),
    "categorical of probs": ("Categorical", {"probs": SIMPLEX}, None, np.array(2, np.int32), DENSITIES,
                             ("mode", "entropy")),
    "multinomial": ("Multinomial", {"total_count": [5.0, 5.0], "logits": LOGITS}, None, COUNTS, DENSITIES, VECTORS),
    "dirichlet multinomial": ("DirichletMultinomial", {"total_count": 5.0, "concentration": [0.5, 2.0, 4.0]},
                              None, COUNTS, DENSITIES, VECTORS),
}  # fmt: skip
SAMPLED = [kind for kind in KINDS if "multinomial" not in kind]


def made(tf, kind, number=1):
    arguments = KINDS[kind][number]
    return getattr(tf.distributions, KINDS[kind][0])(**arguments)


def values(tf, kind):
    """What the methods of a distribution give, and its divergence from another."""
    one = made(tf, kind)
    _, _, other, points, curves, statistics = KINDS[kind]
    found = [getattr(one, name)(points) for name in curves] + [getattr(one, name)() for name in statistics]
    found += [one.batch_shape_tensor(), one.event_shape_tensor()]
    if other is not None:
        found += [one.kl_divergence(made(tf, kind, 2)), one.cross_entropy(made(tf, kind, 2))]
    return found


def samples(tf, kind):
    one = made(tf, kind)
    return [one.sample(seed=7), one.sample([4, 2], seed=8)]


def run(tf, build, kind):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(build(tf, kind))
