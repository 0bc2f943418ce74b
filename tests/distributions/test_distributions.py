"""Distributions: numbers and samples as TensorFlow's, and what they are for."""

import numpy as np
import pytest

import evergraph as tf
from tests.distributions.programs import KINDS, SAMPLED, run, samples, values
from tests.harness.recorded import assert_as_recorded, numbers

STORED = numbers("distributions")
ds = tf.distributions


def evaluate(*tensors):
    with tf.Session() as session:
        return session.run(list(tensors))


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_are_tensorflows(kind):
    assert_as_recorded(STORED, kind, run(tf, values, kind), rtol=2e-4, atol=1e-6)


@pytest.mark.parametrize("kind", SAMPLED)
def test_samples_are_tensorflows(kind):
    assert_as_recorded(STORED, f"{kind} sampled", run(tf, samples, kind), rtol=2e-5, atol=1e-6)


def test_counts_are_drawn():
    for variable in (ds.Multinomial(total_count=[4.0, 1.0], probs=[[0.2, 0.8, 0.0], [0.5, 0.25, 0.25]]),
                     ds.DirichletMultinomial(total_count=6.0, concentration=[[1.0, 2.0, 1e-6], [1.0, 2.0, 3.0]])):
        drawn, = evaluate(variable.sample([200], seed=3))
        assert drawn.shape == (200, 2, 3)
        wanted, = evaluate(variable.mean())
        np.testing.assert_allclose(drawn.sum(-1), np.broadcast_to(wanted.sum(-1), (200, 2)), rtol=1e-5)
        np.testing.assert_allclose(drawn.mean(0), wanted, atol=0.5)


def test_quantiles_undo_the_cdf():
    x = np.array([0.5, -0.7, 1.2], np.float32)
    normal = ds.Normal([0.5, -1.0, 2.0], [1.0, 0.3, 4.0])
    uniform = ds.Uniform(-2.0, 3.0)
    for found in evaluate(normal.quantile(normal.cdf(x)), uniform.quantile(uniform.cdf(x))):
        np.testing.assert_allclose(found, x, rtol=1e-4)


def test_static_shapes_of_what_is_fed():
    logits = tf.placeholder(tf.float32, [None, 4])
    policy = ds.Categorical(logits=logits)
    assert policy.batch_shape.as_list() == [None] and policy.event_shape.as_list() == []
    assert policy.sample(3).shape.as_list() == [3, None] and policy.log_prob([1]).shape.as_list() == [None]
    with tf.Session() as session:
        drawn = session.run(policy.sample(), {logits: np.eye(4) * 100})
    assert drawn.tolist() == [0, 1, 2, 3] and drawn.dtype == np.int32


def test_a_policy_learns():
    tf.set_random_seed(1)
    logits = tf.get_variable("logits", [1, 2], initializer=tf.zeros_initializer())
    policy = ds.Categorical(logits=logits)
    action = policy.sample()
    reward = tf.cast(action, tf.float32)  # only action 1 is worth something
    step = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(-policy.log_prob(action) * reward))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(30):
            session.run(step)
        assert session.run(policy.probs)[0, 1] > 0.9


def test_gradients_go_through_samples():
    loc, scale = tf.constant(1.0), tf.constant(2.0)
    drawn = ds.Normal(loc, scale).sample(seed=5)
    value, by_loc, by_scale = evaluate(drawn, *tf.gradients(drawn, [loc, scale]))
    assert by_loc == 1.0 and by_scale == pytest.approx((value - 1.0) / 2.0, rel=1e-5)


def test_parameters_are_checked_when_asked():
    with pytest.raises(tf.errors.InvalidArgumentError):
        evaluate(ds.Normal(0.0, tf.identity(-1.0), validate_args=True).mean(),
                 ds.Normal(0.0, tf.identity(-1.0), validate_args=True).stddev())
    with pytest.raises(tf.errors.InvalidArgumentError):
        evaluate(ds.StudentT(tf.identity(0.5), 0.0, 1.0, allow_nan_stats=False).mean())
    with pytest.raises(ValueError, match="one of the two"):
        ds.Bernoulli(logits=0.0, probs=0.5)
    with pytest.raises(TypeError, match="one dtype"):
        ds.Normal(tf.constant(0.0, tf.float64), tf.constant(1.0))


def test_divergences_can_be_registered():
    class Mine(ds.Normal):
        pass

    with pytest.raises(NotImplementedError, match="Uniform from Normal"):
        ds.kl_divergence(ds.Uniform(), ds.Normal(0.0, 1.0))
    assert evaluate(ds.kl_divergence(Mine(0.0, 1.0), ds.Normal(0.0, 1.0))) == [0.0]  # by its base
    ds.RegisterKL(Mine, ds.Normal)(lambda a, b, name=None: tf.constant(5.0))
    assert evaluate(ds.kl_divergence(Mine(0.0, 1.0), ds.Normal(0.0, 1.0))) == [5.0]
    with pytest.raises(ValueError, match="already been registered"):
        ds.RegisterKL(Mine, ds.Normal)(lambda a, b, name=None: None)


def test_a_distribution_of_ones_own():
    class Coin(ds.Distribution):
        def __init__(self):
            super().__init__(tf.float32, ds.NOT_REPARAMETERIZED, False, True, {}, name="coin")

        def _prob(self, x):
            return 0.5 * tf.ones_like(x)

        def _variance(self):
            return tf.constant(0.25)

    coin = Coin()
    log_prob, stddev = evaluate(coin.log_prob([1.0]), coin.stddev())
    np.testing.assert_allclose(log_prob, np.log([0.5]), rtol=1e-6)
    assert stddev == 0.5
    with pytest.raises(NotImplementedError, match="Coin has no sample"):
        coin.sample()


def test_copies_names_and_parameters():
    normal = ds.Normal(0.0, 1.0, name="noise")
    assert normal.name == "noise/" and normal.copy(loc=2.0).parameters["loc"] == 2.0
    assert normal.sample().op.name.startswith("noise/sample")
    assert ds.Normal.param_static_shapes([3, 2])["scale"].as_list() == [3, 2]
    assert tf.contrib.distributions.Normal is ds.Normal


# ---- at the ends of what is defined; the numbers are TensorFlow's

def test_densities_at_the_boundary(session):
    d = tf.distributions
    np.testing.assert_allclose(session.run(d.Beta(1.0, [0.5, 1.0, 2.0]).prob(0.0)), [0.5, 1.0, 2.0], rtol=1e-6)
    np.testing.assert_allclose(session.run(d.Dirichlet([1.0, 1.0, 2.0]).log_prob([0.0, 0.5, 0.5])), np.log(3.0))
    np.testing.assert_allclose(session.run(d.Exponential([0.1, 2.0]).log_prob(0.0)), np.log([0.1, 2.0]), rtol=1e-6)
    assert session.run(d.Exponential(1.0).log_survival_function(200.0)) == -200.0


def test_quantiles_of_small_probabilities(session):
    p = tf.constant([0.0, np.exp(-32.0), 0.5, 1.0], tf.float32)
    quantiles = tf.distributions.Normal(0.0, 1.0).quantile(p)
    np.testing.assert_allclose(session.run(quantiles), [-np.inf, -7.6202, 0.0, np.inf], rtol=1e-6)
    slopes = session.run(tf.gradients(quantiles, p)[0])
    np.testing.assert_allclose(slopes, [0.0, 1.0192377e13, 2.5066283, 0.0], rtol=1e-5)


def test_the_incomplete_beta_function_has_seven_digits(session):
    assert abs(session.run(tf.math.betainc(8.53334, 0.01685556, 0.91119528)) / 0.0058282814 - 1) < 1e-6


@pytest.mark.parametrize("make, words", [
    (lambda d: d.Bernoulli(probs=[0.5], validate_args=True).prob([2]), "cannot exceed 1"),
    (lambda d: d.Bernoulli(probs=[0.5], validate_args=True).prob([-1]), "non-negative"),
    (lambda d: d.Multinomial(3.0, probs=[0.5, 0.5], validate_args=True).prob([1.5, 1.5]), "fractional components"),
    (lambda d: d.Dirichlet([1.0, 2.0], validate_args=True).prob([0.5, 0.6]), "must sum to `1`"),
    (lambda d: d.Dirichlet([1.0, 2.0], validate_args=True).prob([-0.5, 1.5]), "must be positive"),
])
def test_events_that_there_are_not(make, words, session):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        session.run(make(tf.distributions))


def test_counts_with_an_axis_of_the_classes(session):
    counts = tf.distributions.DirichletMultinomial([[2.0], [3.0]], [[1.0, 2.0, 3.0], [2.0, 2.0, 2.0]])
    np.testing.assert_allclose(session.run(counts.mean()), [[1 / 3, 2 / 3, 1], [1, 1, 1]], rtol=1e-6)
    assert counts.covariance().shape == [2, 3, 3]
    assert tf.distributions.DirichletMultinomial(1.0, np.ones(3)).mean().dtype == tf.float64


def test_samples_of_a_shape_that_the_run_tells(session):
    n = tf.placeholder(tf.int32)
    sample = tf.distributions.Bernoulli(probs=[0.2, 0.6]).sample(n)
    assert session.run(sample, {n: 5}).shape == (5, 2) and session.run(sample, {n: [2, 3]}).shape == (2, 3, 2)
