"""tf.contrib.distributions, against SciPy."""

import numpy as np
import pytest
import scipy.stats

import evergraph as tf

ds = tf.contrib.distributions
RANDOM = np.random.RandomState(0)
X = RANDOM.randn(4, 3).astype(np.float32)


def test_diagonal_normals(session):
    loc, scale = [1.0, -1.0, 0.5], [0.5, 1.0, 2.0]
    normal = ds.MultivariateNormalDiag(loc, scale)
    wanted = scipy.stats.multivariate_normal(loc, np.diag(np.square(scale)))
    np.testing.assert_allclose(session.run(normal.log_prob(X)), wanted.logpdf(X), rtol=1e-5)
    np.testing.assert_allclose(session.run(normal.entropy()), wanted.entropy(), rtol=1e-5)
    assert normal.event_shape.as_list() == [3] and normal.batch_shape.as_list() == []
    drawn = session.run(normal.sample(4000, seed=1))
    np.testing.assert_allclose(drawn.mean(0), loc, atol=0.15)
    np.testing.assert_allclose(np.cov(drawn.T), np.diag(np.square(scale)), atol=0.25)
    assert session.run(ds.MultivariateNormalDiag(scale_diag=[1.0, 2.0]).mean()).tolist() == [0, 0]
    other = ds.MultivariateNormalDiag([0.0] * 3)
    log_ratio = normal.log_prob(drawn) - other.log_prob(drawn)
    np.testing.assert_allclose(session.run(ds.kl_divergence(normal, other)), session.run(log_ratio).mean(), rtol=0.1)


def test_full_normals(session):
    root = np.tril(RANDOM.rand(3, 3) + 0.5).astype(np.float32)
    covariance = root @ root.T
    wanted = scipy.stats.multivariate_normal([1.0, 2.0, 3.0], covariance)
    for normal in (ds.MultivariateNormalTriL([1.0, 2.0, 3.0], root),
                   ds.MultivariateNormalFullCovariance([1.0, 2.0, 3.0], covariance)):
        np.testing.assert_allclose(session.run(normal.log_prob(X)), wanted.logpdf(X), rtol=1e-3)
        np.testing.assert_allclose(session.run(normal.covariance()), covariance, rtol=1e-5)
        np.testing.assert_allclose(session.run(normal.entropy()), wanted.entropy(), rtol=1e-4)
        assert session.run(normal.sample([2, 5], seed=3)).shape == (2, 5, 3)


def test_cauchy(session):
    cauchy = ds.Cauchy(1.0, [0.5, 2.0])
    wanted = scipy.stats.cauchy(1.0, [0.5, 2.0])
    x = np.array([[0.0], [3.0]], np.float32)
    for ours, theirs in ((cauchy.log_prob(x), wanted.logpdf(x)), (cauchy.cdf(x), wanted.cdf(x)),
                         (cauchy.entropy(), wanted.entropy()), (cauchy.quantile([0.2, 0.9]), wanted.ppf([0.2, 0.9]))):
        np.testing.assert_allclose(session.run(ours), theirs, rtol=1e-5)
    assert abs(np.median(session.run(cauchy.sample(3000, seed=1))[:, 1]) - 1) < 0.3


def test_mixtures(session):
    parts = [ds.Normal([0.0, 5.0], 1.0), ds.Normal([3.0, -5.0], 2.0)]
    mixture = ds.Mixture(ds.Categorical(probs=[[0.3, 0.7], [0.9, 0.1]]), parts)
    density = [0.3 * scipy.stats.norm(0, 1).pdf(1.0) + 0.7 * scipy.stats.norm(3, 2).pdf(1.0),
               0.9 * scipy.stats.norm(5, 1).pdf(1.0) + 0.1 * scipy.stats.norm(-5, 2).pdf(1.0)]
    np.testing.assert_allclose(session.run(mixture.prob(1.0)), density, rtol=1e-5)
    drawn = session.run(mixture.sample(4000, seed=2))
    np.testing.assert_allclose(session.run(mixture.mean()), [2.1, 4.0], rtol=1e-5)
    np.testing.assert_allclose(drawn.mean(0), [2.1, 4.0], atol=0.2)
    np.testing.assert_allclose(drawn.var(0), session.run(mixture.variance()), rtol=0.1)
    vectors = ds.Mixture(ds.Categorical(probs=[0.5, 0.5]), [ds.MultivariateNormalDiag([1.0, 2.0]),
                                                            ds.MultivariateNormalDiag([3.0, 4.0])])
    assert session.run(vectors.sample(6, seed=1)).shape == (6, 2) and session.run(vectors.mean()).tolist() == [2, 3]
    with pytest.raises(ValueError):
        ds.Mixture(ds.Categorical(probs=[0.5, 0.5]), parts[:1])


def test_independent_axes(session):
    rows = ds.Independent(ds.Normal(np.zeros((4, 3), np.float32), 1.0))
    assert rows.batch_shape.as_list() == [4] and rows.event_shape.as_list() == [3]
    np.testing.assert_allclose(session.run(rows.log_prob(X)), scipy.stats.norm.logpdf(X).sum(1), rtol=1e-5)
    assert session.run(rows.sample(2)).shape == (2, 4, 3)


def test_one_hot_vectors(session):
    exact = ds.OneHotCategorical(probs=[0.2, 0.5, 0.3])
    drawn = session.run(exact.sample(3000, seed=1))
    assert set(drawn.sum(1)) == {1} and session.run(exact.mode()).tolist() == [0, 1, 0]
    np.testing.assert_allclose(drawn.mean(0), [0.2, 0.5, 0.3], atol=0.05)
    np.testing.assert_allclose(session.run(exact.prob([0, 0, 1])), 0.3, rtol=1e-6)
    relaxed = ds.RelaxedOneHotCategorical(0.5, probs=[0.2, 0.5, 0.3])
    sample = relaxed.sample(3000, seed=1)
    values = session.run(sample)
    np.testing.assert_allclose(values.sum(1), 1, rtol=1e-5)
    np.testing.assert_allclose(np.bincount(values.argmax(1)) / 3000, [0.2, 0.5, 0.3], atol=0.05)
    # With two classes the first share is a logistic variable of temperature 0.5.
    pair = ds.RelaxedOneHotCategorical(0.5, logits=[1.0, 0.0])
    share = 0.3
    logistic = scipy.stats.logistic(1.0 / 0.5, 1 / 0.5).pdf(np.log(share / (1 - share))) / (share * (1 - share))
    np.testing.assert_allclose(session.run(pair.prob([share, 1 - share])), logistic, rtol=1e-5)


@pytest.mark.parametrize("make", [
    ds.bijectors.Exp, ds.bijectors.Softplus, ds.bijectors.Sigmoid, ds.bijectors.Tanh, ds.bijectors.Identity,
    lambda: ds.bijectors.AffineScalar(1.0, -2.0), lambda: ds.bijectors.Softplus(hinge_softness=0.5),
    lambda: ds.bijectors.Chain([ds.bijectors.Exp(), ds.bijectors.AffineScalar(0.5, 2.0)]),
    lambda: ds.bijectors.Invert(ds.bijectors.Exp())])
def test_bijectors(session, make):
    bijector = make()
    x = tf.constant([0.3, 0.5, 1.2])
    y, zeros = bijector.forward(x), tf.zeros([3])
    np.testing.assert_allclose(*session.run([bijector.inverse(tf.identity(y)), x]), rtol=1e-5)
    slope = tf.log(tf.abs(tf.gradients(y, x)[0]))
    for found in (bijector.forward_log_det_jacobian(x, 0), -bijector.inverse_log_det_jacobian(tf.identity(y), 0)):
        np.testing.assert_allclose(*session.run([zeros + found, slope]), rtol=1e-4, atol=1e-6)


def test_transformed_distributions(session):
    log_normal = ds.TransformedDistribution(ds.Normal(0.5, 0.8), ds.bijectors.Exp())
    wanted = scipy.stats.lognorm(0.8, scale=np.exp(0.5))
    y = np.array([0.5, 2.0], np.float32)
    for ours, theirs in ((log_normal.log_prob(y), wanted.logpdf(y)), (log_normal.cdf(y), wanted.cdf(y)),
                         (log_normal.quantile([0.1, 0.6]), wanted.ppf([0.1, 0.6]))):
        np.testing.assert_allclose(session.run(ours), theirs, rtol=1e-4)
    assert (session.run(log_normal.sample(50, seed=1)) > 0).all()
    mirrored = ds.TransformedDistribution(ds.Normal(0.5, 0.8), ds.bijectors.AffineScalar(0.0, -1.0))
    np.testing.assert_allclose(session.run(mirrored.cdf(y)), scipy.stats.norm(-0.5, 0.8).cdf(y), rtol=1e-5)


COUNTS = np.array([[0.0], [2.0], [3.0]], np.float32)
SCALARS = {
    "Binomial": (lambda: ds.Binomial(5.0, probs=[0.3, 0.8]), scipy.stats.binom(5, [0.3, 0.8]), COUNTS),
    "Geometric": (lambda: ds.Geometric(probs=[0.3, 0.8]), scipy.stats.geom([0.3, 0.8], loc=-1), COUNTS),
    "Poisson": (lambda: ds.Poisson([1.5, 4.0]), scipy.stats.poisson([1.5, 4.0]), COUNTS),
    "Poisson by its log": (lambda: ds.Poisson(log_rate=np.log(np.float32([2.0]))), scipy.stats.poisson([2.0]), COUNTS),
    "Logistic": (lambda: ds.Logistic([1.0, -2.0], 0.5), scipy.stats.logistic([1.0, -2.0], 0.5), X[:, :2]),
    "Gumbel": (lambda: ds.Gumbel(1.0, [0.5, 2.0]), scipy.stats.gumbel_r(1.0, [0.5, 2.0]), X[:, :2]),
}


@pytest.mark.parametrize("name", SCALARS)
def test_scalars(session, name):
    make, wanted, x = SCALARS[name]
    made = make()
    density = wanted.logpmf if hasattr(wanted.dist, "logpmf") else wanted.logpdf
    pairs = [(made.log_prob(x), density(x)), (made.cdf(x), wanted.cdf(x)), (made.mean(), wanted.mean()),
             (made.stddev(), wanted.std())]  # fmt: skip
    if hasattr(made, "_entropy"):
        pairs.append((made.entropy(), wanted.entropy()))
    if hasattr(made, "_quantile"):
        pairs.append((made.quantile([0.2, 0.9]), wanted.ppf([0.2, 0.9])))
    for ours, theirs in pairs:
        np.testing.assert_allclose(session.run(ours), np.broadcast_to(theirs, ours.shape), rtol=2e-5)
    if name == "Binomial":
        with pytest.raises(NotImplementedError, match="sample"):
            made.sample()
    else:
        drawn = session.run(made.sample(4000, seed=1))
        np.testing.assert_allclose(drawn.mean(0), np.broadcast_to(wanted.mean(), drawn.shape[1:]), atol=0.15)


def test_modes_of_counts_and_numbers_between_them(session):
    made = ds.Binomial(5.0, logits=0.0), ds.Geometric(probs=0.3), ds.Poisson(2.5)
    assert session.run([each.mode() for each in made]) == [3, 0, 2]
    between = ds.Poisson(2.5, interpolate_nondiscrete=False).prob([1.0, 1.5, -1.0])
    assert session.run(between).tolist()[1:] == [0, 0]
    assert session.run(ds.Poisson(2.5).prob(1.5)) > 0
