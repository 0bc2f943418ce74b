"""Every distribution and bijector of contrib, a line each: numbers against SciPy, integrals and Jacobians."""

import numpy as np
import pytest
import scipy.integrate
import scipy.special
import scipy.stats

import evergraph as tf

ds = tf.contrib.distributions
bijectors = ds.bijectors
stats = scipy.stats

CURVES = ("log_prob", "prob", "cdf", "log_cdf", "survival_function", "log_survival_function")
MOMENTS = ("mean", "variance", "stddev")
ALL = (*CURVES, *MOMENTS, "entropy")
COUNT = (*CURVES, *MOMENTS)
REAL, POSITIVE, UNIT, COUNTS = [-1.5, 0.3, 2.0], [0.2, 1.0, 3.5], [0.1, 0.45, 0.8], [0.0, 1.0, 4.0]


def _without(*names):
    return tuple(name for name in ALL if name not in names)


def _kumaraswamy(a, b):
    """Moments and entropy by integrals over quantiles, which are known."""
    class _Kumaraswamy(stats.rv_continuous):
        def _pdf(self, x):
            return a * b * x ** (a - 1) * (1 - x ** a) ** (b - 1)

        def _cdf(self, x):
            return 1 - (1 - x ** a) ** b

    return _Kumaraswamy(a=0.0, b=1.0)()


def _sinh_arcsinh(loc, scale, skewness, tail):
    class _SinhArcsinh(stats.rv_continuous):
        def _cdf(self, x):
            factor = scale * 2 / np.sinh(np.arcsinh(2.0) * tail)
            return stats.norm.cdf(np.sinh(np.arcsinh((x - loc) / factor) / tail - skewness))

        def _pdf(self, x):
            factor = scale * 2 / np.sinh(np.arcsinh(2.0) * tail)
            y = (x - loc) / factor
            inner = np.arcsinh(y) / tail - skewness
            return stats.norm.pdf(np.sinh(inner)) * np.cosh(inner) / (tail * factor * np.sqrt(1 + y * y))

    return _SinhArcsinh()()


SOFT = np.float32(np.log(np.expm1(2.0)))  # softplus of it is 2
SCALARS = {
    "Normal": (lambda: ds.Normal(0.5, 2.0), stats.norm(0.5, 2), REAL, ALL),
    "NormalWithSoftplusScale": (lambda: ds.NormalWithSoftplusScale(0.5, SOFT), stats.norm(0.5, 2), REAL, ALL),
    "HalfNormal": (lambda: ds.HalfNormal(2.0), stats.halfnorm(scale=2), POSITIVE, ALL),
    "Laplace": (lambda: ds.Laplace(0.5, 2.0), stats.laplace(0.5, 2), REAL, ALL),
    "LaplaceWithSoftplusScale": (lambda: ds.LaplaceWithSoftplusScale(0.5, SOFT), stats.laplace(0.5, 2), REAL, ALL),
    "Logistic": (lambda: ds.Logistic(0.5, 2.0), stats.logistic(0.5, 2), REAL, ALL),
    "Gumbel": (lambda: ds.Gumbel(0.5, 2.0), stats.gumbel_r(0.5, 2), REAL, ALL),
    "Cauchy": (lambda: ds.Cauchy(0.5, 2.0), stats.cauchy(0.5, 2), REAL, _without(*MOMENTS)),
    "StudentT": (lambda: ds.StudentT(5.0, 0.5, 2.0), stats.t(5, 0.5, 2), REAL, ALL),
    "StudentTWithAbsDfSoftplusScale": (lambda: ds.StudentTWithAbsDfSoftplusScale(-5.0, 0.5, SOFT), stats.t(5, 0.5, 2),
                                       REAL, ALL),
    "SinhArcsinh": (lambda: ds.SinhArcsinh(0.5, 2.0, skewness=0.3, tailweight=1.2), _sinh_arcsinh(0.5, 2, 0.3, 1.2),
                    REAL, CURVES),
    "Uniform": (lambda: ds.Uniform(-2.0, 3.0), stats.uniform(-2, 5), REAL, ALL),
    "Exponential": (lambda: ds.Exponential(2.0), stats.expon(scale=0.5), POSITIVE, ALL),
    "ExponentialWithSoftplusRate": (lambda: ds.ExponentialWithSoftplusRate(SOFT), stats.expon(scale=0.5), POSITIVE,
                                    ALL),
    "Gamma": (lambda: ds.Gamma(3.0, 2.0), stats.gamma(3, scale=0.5), POSITIVE, ALL),
    "GammaWithSoftplusConcentrationRate": (lambda: ds.GammaWithSoftplusConcentrationRate(SOFT, SOFT),
                                           stats.gamma(2, scale=0.5), POSITIVE, ALL),
    "InverseGamma": (lambda: ds.InverseGamma(3.0, 2.0), stats.invgamma(3, scale=2), POSITIVE, ALL),
    "InverseGammaWithSoftplusConcentrationRate": (
        lambda: ds.InverseGammaWithSoftplusConcentrationRate(np.float32(np.log(np.expm1(3.0))), SOFT),
        stats.invgamma(3, scale=2), POSITIVE, ALL),
    "Chi2": (lambda: ds.Chi2(3.0), stats.chi2(3), POSITIVE, ALL),
    "Chi2WithAbsDf": (lambda: ds.Chi2WithAbsDf(-3.0), stats.chi2(3), POSITIVE, ALL),
    "Beta": (lambda: ds.Beta(2.0, 3.0), stats.beta(2, 3), UNIT, ALL),
    "BetaWithSoftplusConcentration": (lambda: ds.BetaWithSoftplusConcentration(SOFT, SOFT), stats.beta(2, 2), UNIT,
                                      ALL),
    "Kumaraswamy": (lambda: ds.Kumaraswamy(2.0, 3.0), _kumaraswamy(2.0, 3.0), UNIT, _without("entropy")),
    "Bernoulli": (lambda: ds.Bernoulli(probs=0.3), stats.bernoulli(0.3), [0, 1, 1],
                  ("log_prob", "prob", *MOMENTS, "entropy")),
    "BernoulliWithSigmoidProbs": (lambda: ds.BernoulliWithSigmoidProbs(np.log(3 / 7)), stats.bernoulli(0.3), [0, 1, 1],
                                  ("log_prob", "prob", *MOMENTS, "entropy")),
    "Binomial": (lambda: ds.Binomial(5.0, probs=0.3), stats.binom(5, 0.3), COUNTS, COUNT),
    "Geometric": (lambda: ds.Geometric(probs=0.3), stats.geom(0.3, loc=-1), COUNTS, ALL),
    "NegativeBinomial": (lambda: ds.NegativeBinomial(4.0, probs=0.3), stats.nbinom(4, 0.7), COUNTS, COUNT),
    "Poisson": (lambda: ds.Poisson(2.5), stats.poisson(2.5), COUNTS, COUNT),
}


@pytest.mark.parametrize("name", SCALARS)
def test_scalars(session, name):
    make, wanted, points, methods = SCALARS[name]
    made, x = make(), np.asarray(points)
    density = wanted.pmf(x) if hasattr(wanted.dist, "pmf") else wanted.pdf(x)
    known = {"log_prob": np.log(density), "prob": density, "cdf": wanted.cdf(x), "log_cdf": np.log(wanted.cdf(x)),
             "survival_function": 1 - wanted.cdf(x), "log_survival_function": np.log1p(-wanted.cdf(x))}
    known |= {name: call for name, call in {"mean": wanted.mean, "variance": wanted.var, "stddev": wanted.std,
                                            "entropy": wanted.entropy}.items()}
    for method in methods:
        found = session.run(getattr(made, method)(*([points] if method in CURVES else [])))
        expected = known[method]() if callable(known[method]) else known[method]
        np.testing.assert_allclose(found, expected, rtol=2e-4, atol=1e-6, err_msg=method)


@pytest.mark.parametrize("name", [name for name in SCALARS if name not in ("Binomial", "Cauchy", "SinhArcsinh")])
def test_samples_have_the_moments(session, name):
    make, wanted, _, _ = SCALARS[name]
    drawn = session.run(make().sample(20000, seed=7)).astype(np.float64)
    assert abs(drawn.mean() - wanted.mean()) < 6 * wanted.std() / np.sqrt(20000)
    assert abs(np.median(drawn) - wanted.median()) < 0.06 * wanted.std() + (1 if hasattr(wanted.dist, "pmf") else 0)


@pytest.mark.parametrize("name", ["Normal", "HalfNormal", "Uniform", "Laplace", "Logistic", "Gumbel", "Cauchy",
                                  "SinhArcsinh"])
def test_quantiles(session, name):
    make, wanted, _, _ = SCALARS[name]
    try:
        found = session.run(make().quantile([0.1, 0.5, 0.8]))
    except NotImplementedError:
        assert name in ("Laplace", "SinhArcsinh")
        return
    np.testing.assert_allclose(wanted.cdf(found), [0.1, 0.5, 0.8], rtol=1e-4)


DIVERGENCES = {
    "Normal": (ds.Normal, (0.5, 2.0), (1.0, 1.5), (-20, 20)),
    "Gamma": (ds.Gamma, (3.0, 2.0), (2.0, 1.5), (1e-6, 40)),
    "Exponential": (ds.Exponential, (2.0,), (0.7,), (1e-6, 40)),
    "Chi2": (ds.Chi2, (3.0,), (4.0,), (1e-6, 80)),
    "Beta": (ds.Beta, (2.0, 3.0), (1.5, 2.5), (1e-6, 1 - 1e-6)),
}


@pytest.mark.parametrize("name", DIVERGENCES)
def test_divergences_are_integrals(session, name):
    kind, one, other, (low, high) = DIVERGENCES[name]
    p, q = kind(*(np.float64(each) for each in one)), kind(*(np.float64(each) for each in other))
    x = np.linspace(np.sqrt(max(low, 0)), np.sqrt(high), 20001) ** 2 if low >= 0 else np.linspace(low, high, 20001)
    log_p, log_q, found = session.run([p.log_prob(x), q.log_prob(x), ds.kl_divergence(p, q)])
    np.testing.assert_allclose(found, scipy.integrate.simpson(np.exp(log_p) * (log_p - log_q), x=x), rtol=1e-4)


# ---- vectors and matrices

FACTOR = np.float32([[1.5, 0, 0], [0.3, 0.8, 0], [-0.4, 0.2, 2.0]])
COVARIANCE, LOC, POINT = FACTOR @ FACTOR.T, np.float32([0.5, -1.0, 2.0]), np.float32([0.1, 0.4, 1.0])
LOW_RANK = np.float32([[1.0], [0.5], [-0.3]])


def _regular():
    return tf.linalg.LinearOperatorLowerTriangular(FACTOR, is_non_singular=True)


NORMALS = {
    "Diag": (lambda: ds.MultivariateNormalDiag(LOC, [1.0, 2.0, 0.5]), np.diag([1.0, 4.0, 0.25])),
    "DiagWithSoftplusScale": (lambda: ds.MultivariateNormalDiagWithSoftplusScale(LOC, [SOFT] * 3), 4 * np.eye(3)),
    "DiagPlusLowRank": (lambda: ds.MultivariateNormalDiagPlusLowRank(LOC, [1.0, 2.0, 0.5],
                                                                     scale_perturb_factor=LOW_RANK),
                        (np.diag([1.0, 2.0, 0.5]) + LOW_RANK @ LOW_RANK.T) @ (
                            np.diag([1.0, 2.0, 0.5]) + LOW_RANK @ LOW_RANK.T).T),
    "FullCovariance": (lambda: ds.MultivariateNormalFullCovariance(LOC, COVARIANCE), COVARIANCE),
    "TriL": (lambda: ds.MultivariateNormalTriL(LOC, FACTOR), COVARIANCE),
    "LinearOperator": (lambda: ds.MultivariateNormalLinearOperator(LOC, _regular()),
                       COVARIANCE),
}


@pytest.mark.parametrize("name", NORMALS)
def test_normal_vectors(session, name):
    make, covariance = NORMALS[name]
    made, wanted = make(), stats.multivariate_normal(LOC, covariance)
    found = session.run([made.log_prob(POINT), made.entropy(), made.mean(), made.covariance(), made.variance(),
                         made.stddev(), made.mode()])
    for ours, theirs in zip(found, [wanted.logpdf(POINT), wanted.entropy(), LOC, covariance, np.diag(covariance),
                                    np.sqrt(np.diag(covariance)), LOC]):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4)
    other = ds.MultivariateNormalTriL(tf.zeros([3]), tf.eye(3))
    divergence = 0.5 * (np.trace(covariance) + LOC @ LOC - 3 - np.linalg.slogdet(covariance)[1])
    np.testing.assert_allclose(session.run(ds.kl_divergence(made, other)), divergence, rtol=1e-4)
    drawn = session.run(made.sample(20000, seed=3))
    np.testing.assert_allclose(np.cov(drawn.T), covariance, atol=0.06 * covariance.max())


def _independent(family):
    """log densities of vectors A e + b of independent components e."""
    return lambda x: family.logpdf(np.linalg.solve(FACTOR, x - LOC)).sum() - np.log(np.diag(FACTOR)).sum()


VECTORS = {
    "VectorLaplaceLinearOperator": (lambda: ds.VectorLaplaceLinearOperator(LOC, _regular()),
                                    _independent(stats.laplace()), POINT),
    "VectorExponentialLinearOperator": (lambda: ds.VectorExponentialLinearOperator(LOC, _regular()),
                                        _independent(stats.expon()), LOC + FACTOR @ np.float32([0.5, 1, 2])),
    "VectorLaplaceDiag": (lambda: ds.VectorLaplaceDiag(LOC, [1.0, 2.0, 0.5]),
                          lambda x: stats.laplace(LOC, [1, 2, 0.5]).logpdf(x).sum(), POINT),
    "VectorExponentialDiag": (lambda: ds.VectorExponentialDiag(LOC, [1.0, 2.0, 0.5]),
                              lambda x: stats.expon(LOC, [1, 2, 0.5]).logpdf(x).sum(), LOC + 0.7),
    "VectorSinhArcsinhDiag": (lambda: ds.VectorSinhArcsinhDiag(LOC, [1.0, 2.0, 0.5]),
                              lambda x: stats.norm(LOC, [1, 2, 0.5]).logpdf(x).sum(), POINT),
    "VectorDeterministic": (lambda: ds.VectorDeterministic(LOC), lambda x: 0.0, LOC),
    "Dirichlet": (lambda: ds.Dirichlet([1.5, 2.0, 3.0]), lambda x: stats.dirichlet([1.5, 2, 3]).logpdf(x / x.sum()),
                  np.float32([0.2, 0.3, 0.5])),
    "Multinomial": (lambda: ds.Multinomial(6.0, probs=[0.2, 0.3, 0.5]), stats.multinomial(6, [0.2, 0.3, 0.5]).logpmf,
                    np.float32([1, 2, 3])),
    "DirichletMultinomial": (lambda: ds.DirichletMultinomial(6.0, [1.5, 2.0, 3.0]),
                             stats.dirichlet_multinomial([1.5, 2, 3], 6).logpmf, np.float32([1, 2, 3])),
    "OneHotCategorical": (lambda: ds.OneHotCategorical(probs=[0.2, 0.3, 0.5]), lambda x: np.log(0.3),
                          np.float32([0, 1, 0])),
    "WishartFull": (lambda: ds.WishartFull(5.0, COVARIANCE), stats.wishart(5, COVARIANCE).logpdf,
                    np.float32([[3, 0.5, 0], [0.5, 2, 0.1], [0, 0.1, 4]])),
    "WishartCholesky": (lambda: ds.WishartCholesky(5.0, FACTOR), stats.wishart(5, COVARIANCE).logpdf,
                        np.float32([[3, 0.5, 0], [0.5, 2, 0.1], [0, 0.1, 4]])),
    "Independent": (lambda: ds.Independent(ds.Normal(LOC, [1.0, 2.0, 0.5]), 1),
                    lambda x: stats.norm(LOC, [1, 2, 0.5]).logpdf(x).sum(), POINT),
    "BatchReshape": (lambda: ds.BatchReshape(ds.Normal(LOC, 1.0), [3, 1]),
                     lambda x: stats.norm(LOC[:, None], 1).logpdf(x), POINT[:, None]),
    "Mixture": (lambda: ds.Mixture(ds.Categorical(probs=[0.3, 0.7]), [ds.Normal(0.0, 1.0), ds.Normal(2.0, 0.5)]),
                lambda x: np.log(0.3 * stats.norm(0, 1).pdf(x) + 0.7 * stats.norm(2, 0.5).pdf(x)), POINT),
    "MixtureSameFamily": (
        lambda: ds.MixtureSameFamily(ds.Categorical(probs=[0.3, 0.7]), ds.Normal([0.0, 2.0], [1.0, 0.5])),
        lambda x: np.log(0.3 * stats.norm(0, 1).pdf(x) + 0.7 * stats.norm(2, 0.5).pdf(x)), POINT),
    "QuantizedDistribution": (lambda: ds.QuantizedDistribution(ds.Normal(0.5, 2.0), low=0.0, high=5.0),
                              lambda x: np.log([stats.norm(0.5, 2).cdf(0), np.diff(stats.norm(0.5, 2).cdf([1, 2]))[0],
                                                1 - stats.norm(0.5, 2).cdf(4)]), np.float32([0, 2, 5])),
    "Deterministic": (lambda: ds.Deterministic(2.0), lambda x: np.log([0.0, 1.0, 0.0]), np.float32([1, 2, 3])),
    "RelaxedBernoulli": (lambda: ds.RelaxedBernoulli(0.5, logits=1.0),
                         lambda x: stats.logistic(2.0, 2.0).logpdf(np.log(x / (1 - x))) - np.log(x * (1 - x)),
                         np.float32([0.1, 0.5, 0.9])),
    "ExpRelaxedOneHotCategorical": (lambda: ds.ExpRelaxedOneHotCategorical(0.5, probs=[0.2, 0.3, 0.5]),
                                    lambda x: (np.log(2) + 2 * np.log(0.5) + np.sum(np.log([0.2, 0.3, 0.5]) - 0.5 * x)
                                               - 3 * np.log(np.sum([0.2, 0.3, 0.5] * np.exp(-0.5 * x)))),
                                    np.log(np.float32([0.1, 0.6, 0.3]))),
}


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("name", VECTORS)
def test_vectors(session, name):
    make, log_density, point = VECTORS[name]
    made = make()
    np.testing.assert_allclose(session.run(made.log_prob(point)), log_density(np.float64(point)), rtol=2e-4, atol=1e-5)


# ---- bijectors

LOWER = np.tril_indices(3)
TRIL = FACTOR
B = bijectors
BIJECTORS = {  # (the bijector, a point, the number of axes of an event, which numbers of points, of images are free)
    "Affine": (lambda: B.Affine([1.0, 2.0, 3.0], scale_tril=TRIL), POINT, 1, None, None),
    "Affine, low rank": (lambda: B.Affine([1.0, 2.0, 3.0], scale_diag=[1.0, 2.0, 0.5],
                                          scale_perturb_factor=LOW_RANK), POINT, 1, None, None),
    "AffineLinearOperator": (lambda: B.AffineLinearOperator(LOC, _regular()), POINT, 1, None, None),
    "AffineScalar": (lambda: B.AffineScalar(1.0, -2.0), [0.3, 1.2], 0, None, None),
    "Chain": (lambda: B.Chain([B.Exp(), B.Affine([1.0, 2.0, 3.0], scale_tril=TRIL)]), POINT, 1, None, None),
    "CholeskyOuterProduct": (lambda: B.CholeskyOuterProduct(), TRIL, 2, LOWER, LOWER),
    "Exp": (lambda: B.Exp(), [0.3, 1.2], 0, None, None),
    "FillTriangular": (lambda: B.FillTriangular(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 1, None, LOWER),
    "Gumbel": (lambda: B.Gumbel(0.5, 2.0), [0.3, 1.2], 0, None, None),
    "Identity": (lambda: B.Identity(), [0.3, 1.2], 0, None, None),
    "Invert": (lambda: B.Invert(B.Exp()), [0.3, 1.2], 0, None, None),
    "Kumaraswamy": (lambda: B.Kumaraswamy(2.0, 3.0), [0.3, 0.8], 0, None, None),
    "Ordered": (lambda: B.Ordered(), [0.3, 1.2, 2.5], 1, None, None),
    "Permute": (lambda: B.Permute([2, 0, 1]), POINT, 1, None, None),
    "PowerTransform": (lambda: B.PowerTransform(0.5), [0.3, 1.2], 0, None, None),
    "Reshape": (lambda: B.Reshape([2, 2], [1, 4]), [[1.0, 2.0, 3.0, 4.0]], 2, None, None),
    "ScaleTriL": (lambda: B.ScaleTriL(), [1.0, 2.0, 3.0, 0.4, 0.5, 0.6], 1, None, LOWER),
    "Sigmoid": (lambda: B.Sigmoid(), [0.3, 1.2], 0, None, None),
    "SinhArcsinh": (lambda: B.SinhArcsinh(0.3, 1.2), [0.3, 1.2], 0, None, None),
    "SoftmaxCentered": (lambda: B.SoftmaxCentered(), [0.3, 1.2], 1, None, [0, 1]),
    "Softplus": (lambda: B.Softplus(), [0.3, 1.2], 0, None, None),
    "Softsign": (lambda: B.Softsign(), [0.3, -1.2], 0, None, None),
    "Square": (lambda: B.Square(), [0.3, 1.2], 0, None, None),
    "Tanh": (lambda: B.Tanh(), [0.3, 1.2], 0, None, None),
    "TransformDiagonal": (lambda: B.TransformDiagonal(B.Exp()), TRIL, 2, LOWER, LOWER),
    "Weibull": (lambda: B.Weibull(2.0, 1.5), [0.3, 1.2], 0, None, None),
    "BatchNormalization": (lambda: B.BatchNormalization(training=False), [[0.3, 1.2]], 1, None, None),
    "RealNVP": (lambda: B.RealNVP(1, shift_and_log_scale_fn=lambda x, n: (2 * x, x ** 2)), POINT[:2], 1, None, None),
    "MaskedAutoregressiveFlow": (
        lambda: B.MaskedAutoregressiveFlow(lambda x: (0.5 * tf.concat([tf.zeros([1]), x[:-1]], 0),
                                                      0.2 * tf.concat([tf.zeros([1]), x[:-1]], 0))),
        POINT, 1, None, None),
    "Inline": (lambda: B.Inline(forward_fn=tf.exp, inverse_fn=tf.log, forward_min_event_ndims=0,
                                inverse_log_det_jacobian_fn=lambda y: -tf.log(y)), [0.3, 1.2], 0, None, None),
}


def _numbers(tensor, free):
    return tf.reshape(tensor, [-1]) if free is None else tf.gather_nd(tensor, np.stack(np.atleast_2d(free), -1))


def _log_det(session, bijector, x, event_ndims, inside, outside):
    """The logarithm of the determinant of the Jacobian between free numbers; one number is an event without axes."""
    y = bijector.forward(x)
    rows = []
    for output in tf.unstack(_numbers(y, outside)):
        rows.append(_numbers(tf.gradients(output, x)[0], inside))
    jacobian = session.run(tf.stack(rows))
    if event_ndims:
        return np.linalg.slogdet(jacobian)[1]
    return np.log(np.abs(np.diag(jacobian)))


@pytest.mark.parametrize("name", BIJECTORS)
def test_bijectors(session, name):
    make, point, event_ndims, inside, outside = BIJECTORS[name]
    bijector, x = make(), tf.constant(point, tf.float32)
    y = bijector.forward(x)
    image_ndims = y.shape.rank - x.shape.rank + event_ndims
    session.run(tf.global_variables_initializer())
    fresh = tf.placeholder_with_default(y, y.shape)  # what is cached would give the point back
    back, ahead, inverse = session.run([
        bijector.inverse(fresh), bijector.forward_log_det_jacobian(x, event_ndims),
        bijector.inverse_log_det_jacobian(fresh, image_ndims)])
    wanted = _log_det(session, bijector, x, event_ndims, inside, outside)
    np.testing.assert_allclose(back, point, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(np.squeeze(ahead + np.zeros_like(wanted)), wanted, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(np.squeeze(-inverse + np.zeros_like(wanted)), wanted, rtol=1e-3, atol=1e-4)


def test_the_entropy_of_kumaraswamy_is_tensorflows(session):
    """It differs from that of the density: the parameters are exchanged, and a sign."""
    a, b, harmonic = 2.0, 3.0, 1 + 1 / 2 + 1 / 3
    wanted = (1 - 1 / a) + (1 - 1 / b) * harmonic + np.log(a * b)
    np.testing.assert_allclose(session.run(ds.Kumaraswamy(a, b).entropy()), wanted, rtol=1e-5)


def test_the_inverse_of_a_triangle(session):
    """Its determinant is TensorFlow's, which counts also the numbers above the diagonal."""
    bijector = B.MatrixInverseTriL()
    inverse, ahead = session.run([bijector.forward(TRIL), bijector.forward_log_det_jacobian(TRIL, 2)])
    np.testing.assert_allclose(inverse @ TRIL, np.eye(3), atol=1e-6)
    np.testing.assert_allclose(ahead, -2 * 3 * np.log(np.diag(TRIL)).sum(), rtol=1e-5)


def test_absolute_values_have_two_inverses(session):
    bijector = B.AbsoluteValue()
    assert session.run(bijector.forward([-2.0, 3.0])).tolist() == [2, 3]
    assert [each.tolist() for each in session.run(bijector.inverse(tf.constant([2.0])))] == [[-2], [2]]
    found = session.run(bijector.inverse_log_det_jacobian(tf.constant([2.0]), 0))
    assert np.ravel(found).tolist() == [0, 0]


def test_every_one_has_a_line():
    """What is not a distribution or bijector by itself, or has tests of its own, is named."""
    others = {"Distribution", "ConditionalDistribution", "ReparameterizationType", "SeedStream", "RegisterKL",
              "TransformedDistribution", "ConditionalTransformedDistribution", "Autoregressive", "Categorical",
              "PoissonLogNormalQuadratureCompound", "VectorDiffeomixture", "RelaxedOneHotCategorical"}
    known = {*others, *SCALARS, *VECTORS, *(f"MultivariateNormal{name}" for name in NORMALS)}
    assert {name for name in dir(ds) if name[0].isupper() and not name.isupper()} - known == set()
    bases = {"Bijector", "ConditionalBijector", "AbsoluteValue", "MatrixInverseTriL"}
    assert {name for name in dir(bijectors) if name[0].isupper()} - bases - {name.split(",")[0] for name in BIJECTORS} \
        == set()
