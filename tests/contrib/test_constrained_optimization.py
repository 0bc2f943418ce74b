"""Constrained optimizers and kernel methods, against closed forms."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.constrained_optimization import external_regret, swap_regret
from tests.harness.session import started

tfco = tf.contrib.constrained_optimization


def going():
    """The `run` of a session in which everything is initialized."""
    session = started()
    session.run(tf.local_variables_initializer())
    return session.run



class Line(tfco.ConstrainedMinimizationProblem):
    """Minimizes (x - 3)^2 where x <= 1."""

    def __init__(self):
        self.x = tf.Variable(0.0)

    @property
    def objective(self):
        return tf.square(self.x - 3.0)

    @property
    def constraints(self):
        return tf.reshape(self.x - 1.0, [1])


class Proxied(Line):
    @property
    def constraints(self):
        return tf.reshape(tf.cast(self.x > 1.0, tf.float32) - 0.5, [1])

    @property
    def proxy_constraints(self):
        return tf.reshape(self.x - 1.0, [1])


@pytest.mark.parametrize("make", [
    lambda: tfco.AdditiveExternalRegretOptimizer(tf.train.GradientDescentOptimizer(0.05)),
    lambda: tfco.AdditiveExternalRegretOptimizer(tf.train.GradientDescentOptimizer(0.05),
                                                 tf.train.GradientDescentOptimizer(0.1), 10.0)])
def test_the_multiplier_is_the_slope_of_the_objective(make):
    problem, step = Line(), tf.train.create_global_step()
    train = make().minimize(problem, global_step=step)
    run = going()
    for _ in range(1500):
        run(train)
    state = next(each for each in tf.global_variables() if "state" in each.name)
    np.testing.assert_allclose(run(problem.x), 1.0, atol=1e-2)
    np.testing.assert_allclose(run(state), [4.0], atol=5e-2)
    assert run(step) == 1500


def test_proxies_steer_and_true_constraints_count():
    problem = Proxied()
    train = tfco.MultiplicativeSwapRegretOptimizer(
        tf.train.GradientDescentOptimizer(0.02), tf.train.GradientDescentOptimizer(0.5),
        initial_multiplier_radius=0.5).minimize(problem)
    run = going()
    values = []
    for _ in range(3000):
        run(train)
        values.append(run(problem.x))
    assert abs(np.mean(values[1000:]) - 1.0) < 0.3


def test_unconstrained_steps_come_first():
    problem, step = Line(), tf.train.create_global_step()
    optimizer = tfco.AdditiveSwapRegretOptimizer(tf.train.GradientDescentOptimizer(0.25))
    train = optimizer.minimize(problem, unconstrained_steps=3, global_step=step)
    run = going()
    seen = []
    for _ in range(3):
        run(train)
        seen.append(float(run(problem.x)))
    np.testing.assert_allclose(seen, [1.5, 2.25, 2.625])
    with pytest.raises(ValueError, match="global_step"):
        optimizer.minimize(problem, unconstrained_steps=3)


def test_projections(session):
    projected = session.run(external_regret.project_multipliers(tf.constant([3.0, -1.0, 2.0]), 2.0))
    np.testing.assert_allclose(projected, [1.5, 0.0, 0.5])
    matrix = np.array([[0.9, 0.3], [0.1, 0.7]], np.float32)
    np.testing.assert_allclose(session.run(swap_regret.maximal_eigenvector(matrix)), [0.75, 0.25], atol=1e-5)
    np.testing.assert_allclose(session.run(swap_regret.project_matrix(matrix + 0.5)), matrix, atol=1e-6)
    np.testing.assert_allclose(session.run(tf.exp(swap_regret.project_log_matrix(np.log(3 * matrix)))), matrix,
                               atol=1e-6)


def test_the_best_candidates():
    objectives, constraints = [0.0, 1.0, 5.0], [[2.0, -2.0, -1.0]]
    np.testing.assert_allclose(tfco.find_best_candidate_distribution(objectives, constraints), [0.5, 0.5, 0], atol=1e-9)
    assert tfco.find_best_candidate_index(objectives, constraints) == 1
    assert tfco.find_best_candidate_index([9.0, 1.0, 2.0], [[-1.0, 5.0, 4.0]], rank_objectives=True) == 2
    with pytest.raises(ValueError, match="shape"):
        tfco.find_best_candidate_index([1.0], [[1.0, 2.0]])


def test_random_features_approximate_the_kernel(session):
    x, y = np.array([[0.3, -0.2]], np.float32), np.array([[-0.1, 0.4]], np.float32)
    mapper = tf.contrib.kernel_methods.RandomFourierFeatureMapper(2, 20000, 0.7, seed=4)
    a, b = session.run([mapper.map(x), mapper.map(y)])
    np.testing.assert_allclose(a @ b.T, np.exp(-np.sum((x - y) ** 2) / (2 * 0.49)), atol=0.02)


def test_a_kernel_separates_what_no_line_does(tmp_path):
    column = tf.contrib.layers.real_valued_column("x", dimension=2)

    def corners():
        return {"x": tf.constant([[1.0, 1], [1, -1], [-1, -1], [-1, 1]])}, tf.constant([[1], [0], [1], [0]])

    mapper = tf.contrib.kernel_methods.RandomFourierFeatureMapper(2, 30, 0.6)
    model = tf.contrib.kernel_methods.KernelLinearClassifier(kernel_mappers={column: [mapper]},
                                                             model_dir=str(tmp_path))
    model.fit(input_fn=corners, steps=50)
    assert model.evaluate(input_fn=corners, steps=1)["accuracy"] == 1.0
    assert "linear/x_MAPPED/weight" in model.get_variable_names()


def test_multiclass_hinge_loss(session):
    loss = tf.contrib.kernel_methods.sparse_multiclass_hinge_loss
    logits = tf.constant([[1.2, -1.4, 0.8], [1.4, 1.8, 4.0]])
    np.testing.assert_allclose(session.run(loss([0, 1], logits)), (0.6 + 3.2) / 2, rtol=1e-6)
    np.testing.assert_allclose(session.run(loss([[0], [1]], logits, [1.0, 0.0])), 0.6, rtol=1e-6)
    with pytest.raises(ValueError):
        loss([0.0, 1.0], logits)
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(loss([0, 3], logits))
