"""Matrices and tables of models of time series, against NumPy."""

import numpy as np

import evergraph as tf
from evergraph.contrib.timeseries import matrices
from evergraph.contrib.timeseries.tables import TupleOfTensorsLookup, parameter_switch

DRAW = np.random.RandomState(0)


def test_powers_and_their_sums(session):
    a, b = DRAW.randn(2, 3, 3)
    powers = session.run(matrices.batch_matrix_pow(np.stack([a, b, a]), [0, 3, 5]))
    np.testing.assert_allclose(powers, [np.eye(3), b @ b @ b, np.linalg.matrix_power(a, 5)], rtol=1e-9)
    sums = session.run(matrices.power_sums_tensor(2, a, b))
    np.testing.assert_allclose(sums, [np.zeros((3, 3)), b, b + a @ b @ a.T], rtol=1e-9)


def test_products_with_one_matrix(session):
    batch, one = DRAW.randn(4, 3, 2), DRAW.randn(2, 3)
    found = session.run([matrices.batch_times_matrix(batch, one), matrices.matrix_times_batch(one, batch),
                         matrices.batch_times_matrix(batch, one, adj_x=True, adj_y=True),
                         matrices.matrix_times_batch(one, batch, adj_x=True, adj_y=True)])
    turned = batch.transpose(0, 2, 1)
    for made, wanted in zip(found, [batch @ one, one @ batch, turned @ one.T, one.T @ turned]):
        np.testing.assert_allclose(made, wanted, rtol=1e-9)


def test_blocks(session):
    wide = tf.placeholder(tf.float32, [None, 2])
    made = matrices.block_diagonal([[[1.0]], wide])
    assert made.shape.as_list() == [None, 3]
    assert session.run(made, {wide: [[2, 3]]}).tolist() == [[1, 0, 0], [0, 2, 3]]
    blocks = np.arange(12.0).reshape(3, 2, 2)
    found = session.run(matrices.make_toeplitz_matrix(blocks))
    np.testing.assert_allclose(found, np.block([[blocks[abs(i - j)] for j in range(3)] for i in range(3)]))


def test_covariances_are_positive_definite(session):
    raw = DRAW.randn(4, 4)
    made = session.run(matrices.sign_magnitude_positive_definite(raw, 0.5, -0.5))
    factor = (np.tril(raw, -1) * np.exp(0.5) + np.diag(np.exp(np.diag(raw)))) * np.exp(-0.5)
    np.testing.assert_allclose(made, factor @ factor.T, rtol=1e-9)


def test_densities(session):
    loc, scale, x = 0.5, 2.0, tf.constant(1.5, tf.float64)
    cov = np.array([[2.0, 0.3], [0.3, 1.0]])
    point = np.array([0.4, -0.2])
    found = session.run([matrices.normal_log_prob(loc, scale, x), matrices.cauchy_log_prob(loc, scale, x),
                         matrices.mvn_tril_log_prob(np.zeros(2), tf.constant(np.linalg.cholesky(cov)), point)])
    wanted = [-0.125 - np.log(2) - 0.5 * np.log(2 * np.pi), -np.log(np.pi * 2 * 1.25),
              -0.5 * point @ np.linalg.solve(cov, point) - 0.5 * np.log(np.linalg.det(cov)) - np.log(2 * np.pi)]
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


def test_tables_of_structures_of_tensors(session):
    table = TupleOfTensorsLookup(tf.int64, [tf.zeros([2, 2]), {"n": tf.constant(7)}], -1, -2, "table")
    session.run(table.insert([5, 3], [tf.ones([2, 2, 2]), {"n": tf.constant([1, 2])}]))
    matrix, rest = session.run(table.lookup([3, 4]))
    assert matrix[0].tolist() == [[1, 1], [1, 1]] and not matrix[1].any() and rest["n"].tolist() == [2, 7]


def test_values_are_overridden(session):
    one, other = tf.constant(1), tf.constant(2)
    get = parameter_switch({other: 9})
    assert get(one) == 1 and get(other) == 9
    assert tf.contrib.timeseries.TrainEvalFeatures.TIMES == "times"
