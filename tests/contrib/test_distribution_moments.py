"""Vectors of contrib's distributions: moments, entropies, divergences and samples, against closed forms and SciPy."""

import numpy as np
import pytest
import scipy.integrate
import scipy.special
import scipy.stats

import evergraph as tf
from tests.contrib.test_distribution_tables import COVARIANCE, FACTOR, LOC, VECTORS

ds, stats = tf.contrib.distributions, scipy.stats
SCALES, CHANCES = np.array([1.0, 2.0, 0.5]), np.array([0.2, 0.3, 0.5])
LOG_DET = np.log(np.diag(FACTOR)).sum()
DIRICHLET, WISHART = stats.dirichlet([1.5, 2, 3]), stats.wishart(5, COVARIANCE)
BINS = stats.norm(0.5, 2).cdf([*range(5), np.inf])
LEVELS = np.diff(np.concatenate([[0.0], BINS]))  # of a normal number rounded up to 0 ... 5


def _of_levels(power):
    return (LEVELS * np.arange(6.0) ** power).sum()


MOMENTS = {  # the mean, the covariance or the variance, the entropy; None where TensorFlow has none
    "VectorLaplaceLinearOperator": (LOC, 2 * COVARIANCE, 3 * np.log(2 * np.e) + LOG_DET),
    "VectorExponentialLinearOperator": (LOC + FACTOR.sum(1), COVARIANCE, 3 + LOG_DET),
    "VectorLaplaceDiag": (LOC, np.diag(2 * SCALES ** 2), 3 * np.log(2 * np.e) + np.log(SCALES).sum()),
    "VectorExponentialDiag": (LOC + SCALES, np.diag(SCALES ** 2), 3 + np.log(SCALES).sum()),
    "VectorDeterministic": (LOC, np.zeros(3), 0.0),
    "Dirichlet": (DIRICHLET.mean(), DIRICHLET.cov(), DIRICHLET.entropy()),
    "Multinomial": (6 * CHANCES, stats.multinomial(6, CHANCES).cov(), None),
    "DirichletMultinomial": (stats.dirichlet_multinomial([1.5, 2, 3], 6).mean(),
                             stats.dirichlet_multinomial([1.5, 2, 3], 6).cov(), None),
    "OneHotCategorical": (CHANCES, np.diag(CHANCES) - np.outer(CHANCES, CHANCES), stats.entropy(CHANCES)),
    "WishartFull": (WISHART.mean(), WISHART.var(), WISHART.entropy()),
    "WishartCholesky": (WISHART.mean(), WISHART.var(), WISHART.entropy()),
    "Independent": (LOC, SCALES ** 2, 3 * stats.norm.entropy() + np.log(SCALES).sum()),
    "BatchReshape": (LOC[:, None], np.ones([3, 1]), np.full([3, 1], stats.norm.entropy())),
    "Mixture": (1.4, 0.3 * 1 + 0.7 * 4.25 - 1.4 ** 2, None),
    "MixtureSameFamily": (1.4, 0.3 * 1 + 0.7 * 4.25 - 1.4 ** 2, None),
    "Deterministic": (2.0, 0.0, 0.0),
}
SAMPLED = {  # what samples alone tell: the mean and the variance
    "VectorSinhArcsinhDiag": (LOC, SCALES ** 2),
    "QuantizedDistribution": (_of_levels(1), _of_levels(2) - _of_levels(1) ** 2),
    "RelaxedBernoulli": tuple(  # a logistic number through a sigmoid
        scipy.integrate.quad(lambda u, p=p: scipy.special.expit(2.0 + 2.0 * scipy.special.logit(u)) ** p, 0, 1)[0]
        for p in (1, 2)),
}
SAMPLED["RelaxedBernoulli"] = (SAMPLED["RelaxedBernoulli"][0],
                               SAMPLED["RelaxedBernoulli"][1] - SAMPLED["RelaxedBernoulli"][0] ** 2)


def _matrix_like(spread, mean):
    """Whether a spread is a covariance, rather than the variance of each number."""
    return np.ndim(spread) == 2 and np.ndim(mean) == 1


@pytest.mark.parametrize("name", MOMENTS)
def test_moments_and_entropy(session, name):
    made, (mean, spread, entropy) = VECTORS[name][0](), MOMENTS[name]
    is_covariance = _matrix_like(spread, mean)
    asked = [made.mean(), made.covariance() if is_covariance else made.variance()]
    found = session.run(asked if entropy is None else [*asked, made.entropy()])
    for ours, theirs in zip(found, (mean, spread, entropy)):
        np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=1e-6)
    if is_covariance:
        np.testing.assert_allclose(session.run(made.stddev()), np.sqrt(np.diag(spread)), rtol=2e-4)


@pytest.mark.parametrize("name", [*MOMENTS, *SAMPLED])
def test_samples_have_the_moments(session, name):
    mean, spread = (MOMENTS.get(name) or SAMPLED[name])[:2]
    drawn = session.run(VECTORS[name][0]().sample(20000, seed=11)).astype(np.float64)
    variance = np.diag(spread) if _matrix_like(spread, mean) else np.asarray(spread)
    assert (np.abs(drawn.mean(0) - mean) <= 6 * np.sqrt(variance / 20000) + 1e-6).all()
    np.testing.assert_allclose(drawn.var(0), variance, rtol=0.15, atol=1e-6)
    if _matrix_like(spread, mean):
        np.testing.assert_allclose(np.cov(drawn.T), spread, atol=0.08 * np.abs(spread).max())


def test_relaxed_one_hot_samples_are_softmax_of_gumbels(session):
    drawn = session.run(ds.ExpRelaxedOneHotCategorical(0.5, probs=CHANCES).sample(20000, seed=5))
    np.testing.assert_allclose(scipy.special.logsumexp(drawn, axis=1), 0.0, atol=1e-5)
    np.testing.assert_allclose(np.bincount(drawn.argmax(1)) / 20000, CHANCES, atol=0.02)  # the largest is exact


def _binary(p, q):
    return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))


def _dirichlet_divergence(a, b):
    log_beta = lambda x: scipy.special.gammaln(x).sum() - scipy.special.gammaln(x.sum())
    return log_beta(b) - log_beta(a) + ((a - b) * (scipy.special.digamma(a) - scipy.special.digamma(a.sum()))).sum()


OTHERS = np.array([0.5, 0.25, 0.25])
DIVERGENCES = {
    "Bernoulli": (lambda: (ds.Bernoulli(probs=0.3), ds.Bernoulli(probs=0.6)), _binary(0.3, 0.6)),
    "Categorical": (lambda: (ds.Categorical(probs=CHANCES), ds.Categorical(probs=OTHERS)),
                    stats.entropy(CHANCES, OTHERS)),
    "OneHotCategorical": (lambda: (ds.OneHotCategorical(probs=CHANCES), ds.OneHotCategorical(probs=OTHERS)),
                          stats.entropy(CHANCES, OTHERS)),
    "Dirichlet": (lambda: (ds.Dirichlet([1.5, 2.0, 3.0]), ds.Dirichlet([1.0, 0.5, 4.0])),
                  _dirichlet_divergence(np.array([1.5, 2, 3]), np.array([1, 0.5, 4]))),
    "Independent": (lambda: (ds.Independent(ds.Bernoulli(probs=[0.3, 0.1]), 1),
                             ds.Independent(ds.Bernoulli(probs=[0.6, 0.2]), 1)), _binary(0.3, 0.6) + _binary(0.1, 0.2)),
}


@pytest.mark.parametrize("name", DIVERGENCES)
def test_divergences(session, name):
    make, wanted = DIVERGENCES[name]
    p, q = make()
    np.testing.assert_allclose(session.run([ds.kl_divergence(p, q), p.cross_entropy(q) - p.entropy()]), [wanted] * 2,
                               rtol=1e-4)


# ---- distributions made of others

def test_a_poisson_whose_rate_is_log_normal(session):
    """Its quadrature has a Poisson for each of the points of a grid."""
    made = ds.PoissonLogNormalQuadratureCompound(0.3, 0.5, quadrature_size=8)
    rates, chances = session.run([made.distribution.rate, made.mixture_distribution.probs])
    counts = np.arange(40.0)
    wanted = (chances[:, None] * stats.poisson.pmf(counts, rates[:, None])).sum(0)
    found, mean, variance, drawn = session.run([made.log_prob(counts.astype(np.float32)), made.mean(), made.variance(),
                                                made.sample(20000, seed=2)])
    np.testing.assert_allclose(np.exp(found), wanted, rtol=2e-3, atol=1e-6)
    np.testing.assert_allclose(mean, (wanted * counts).sum(), rtol=1e-3)
    np.testing.assert_allclose(variance, (wanted * counts ** 2).sum() - mean ** 2, rtol=2e-2)
    assert abs(drawn.mean() - mean) < 6 * np.sqrt(variance / 20000)
    exact = np.exp(0.3 + 0.5 ** 2 / 2)  # the mean without a grid
    assert 0.9 * exact < mean < exact  # quantiles leave out the largest rates


def test_a_diffeomixture_lies_between_its_two_normals(session):
    scales = [tf.linalg.LinearOperatorDiag(np.float32(each), is_positive_definite=True) for each in ([1, 1], [2, 0.5])]
    made = ds.VectorDiffeomixture(
        mix_loc=[0.0], temperature=[1.0], distribution=ds.Normal(0.0, 1.0), loc=[None, np.float32([2.0, -2.0])],
        scale=scales, quadrature_size=8, validate_args=True)
    mean, covariance, drawn = session.run([made.mean(), made.covariance(), made.sample(20000, seed=4)])
    np.testing.assert_allclose(mean, [1.0, -1.0], rtol=1e-3)  # halfway, by symmetry of the weights
    np.testing.assert_allclose(drawn.mean(0), mean, atol=0.06)
    np.testing.assert_allclose(np.cov(drawn.T), covariance, atol=0.1)
    grid = np.linspace(-12, 12, 121, dtype=np.float32)
    points = np.stack(np.meshgrid(grid, grid), -1).reshape(-1, 2)
    density = np.exp(session.run(made.log_prob(points)))
    np.testing.assert_allclose(density.sum() * (grid[1] - grid[0]) ** 2, 1.0, rtol=1e-2)


def test_a_chain_of_numbers_that_follow_each_other(session):
    def following(x):
        return ds.Independent(ds.Normal(0.5 * tf.concat([tf.zeros_like(x[..., :1]), x[..., :-1]], -1), 1.0), 1)
    made = ds.Autoregressive(following, sample0=tf.zeros([3]), num_steps=3)
    x = np.float32([0.3, -0.2, 1.0])
    wanted = stats.norm([0, 0.15, -0.1], 1).logpdf(x).sum()
    np.testing.assert_allclose(session.run(made.log_prob(x)), wanted, rtol=1e-4)
    drawn = np.array([session.run(made.sample(seed=seed)) for seed in range(3)])
    assert drawn.shape == (3, 3) and len({row.tobytes() for row in drawn}) == 3


def test_conditions_reach_distribution_and_bijector(session):
    class Shift(ds.bijectors.ConditionalBijector):
        def __init__(self):
            super().__init__(forward_min_event_ndims=0, validate_args=True, is_constant_jacobian=True, name="shift")

        def _forward(self, x, by):
            return x + by

        def _inverse(self, y, by):
            return y - by

        def _inverse_log_det_jacobian(self, y, by):
            return tf.zeros([], y.dtype)

    made = ds.ConditionalTransformedDistribution(ds.Normal(0.0, 2.0), Shift())
    found = session.run(made.log_prob([0.5, 3.0], bijector_kwargs={"by": 1.0}))
    np.testing.assert_allclose(found, stats.norm(1, 2).logpdf([0.5, 3.0]), rtol=1e-5)
    drawn = session.run(made.sample(20000, seed=1, bijector_kwargs={"by": 5.0}))
    assert abs(drawn.mean() - 5) < 0.1 and abs(drawn.std() - 2) < 0.05


def test_every_vector_has_a_line():
    assert set(VECTORS) - {*MOMENTS, *SAMPLED} == {"ExpRelaxedOneHotCategorical"}
