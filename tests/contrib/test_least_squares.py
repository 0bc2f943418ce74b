"""tf.contrib.factorization.WALSModel: weighted alternating least squares, by its normal equations."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import started

ROWS, COLS, WIDTH, LOW, PENALTY = 5, 4, 2, 0.1, 0.01
MATRIX = np.float32([[1, 0, 2, 0], [0, 3, 0, 0], [4, 0, 0, 5], [0, 0, 6, 0], [7, 8, 0, 0]])
ROW_WEIGHTS, COL_WEIGHTS = np.float32([0.1, 0.2, 0.3, 0.4, 0.5]), np.float32([1.0, 2.0, 0.5, 1.5])
START = np.random.RandomState(1).randn(COLS, WIDTH).astype(np.float32)


def sparse(matrix):
    places = np.argwhere(matrix)
    return tf.SparseTensor(places, matrix[tuple(places.T)], matrix.shape)


def model(**more):
    return tf.contrib.factorization.WALSModel(ROWS, COLS, WIDTH, **{
        "unobserved_weight": LOW, "regularization": PENALTY, "col_init": START, "row_weights": ROW_WEIGHTS,
        "col_weights": COL_WEIGHTS, **more})


def weights(row_weights, col_weights=COL_WEIGHTS, matrix=MATRIX):
    return LOW + np.outer(row_weights, col_weights) * (matrix != 0)


def solved(matrix, fixed, weight):
    """The factors that minimize the weighted squared errors of each row."""
    return np.array([np.linalg.solve(fixed.T @ (w[:, None] * fixed) + PENALTY * np.eye(WIDTH), fixed.T @ (w * row))
                     for row, w in zip(matrix, weight)])


def test_rows_then_columns():
    made = model()
    rows = made.update_row_factors(sparse(MATRIX))
    cols = made.update_col_factors(sparse(MATRIX.T), transpose_input=True)
    session = started("numpy")
    session.run([made.initialize_op, made.worker_init])
    session.run(made.row_update_prep_gramian_op)
    session.run(made.initialize_row_update_op)
    session.run(rows[1])
    u = solved(MATRIX, START, weights(ROW_WEIGHTS))
    np.testing.assert_allclose(session.run(made.row_factors[0]), u, rtol=1e-3, atol=1e-4)
    session.run(made.col_update_prep_gramian_op)
    session.run(made.initialize_col_update_op)
    session.run(cols[1])
    v = solved(MATRIX.T, u, weights(ROW_WEIGHTS).T)
    np.testing.assert_allclose(session.run(made.col_factors[0]), v, rtol=1e-3, atol=1e-3)


def test_the_loss_of_some_rows_counts_for_all():
    made, part = model(), MATRIX.copy()
    part[[1, 4]] = 0
    new, _, errors, squares, total = made.update_row_factors(sparse(part))
    session = started("numpy")
    session.run(made.row_update_prep_gramian_op)
    chosen, weight = [0, 2, 3], weights(ROW_WEIGHTS)[[0, 2, 3]]
    u = solved(MATRIX, START, weights(ROW_WEIGHTS))[chosen]
    found = session.run([new, errors, squares, total])
    np.testing.assert_allclose(found[0], u, rtol=1e-3, atol=1e-4)
    scale = ROWS / len(chosen)
    np.testing.assert_allclose(found[1], (weight * (MATRIX[chosen] - u @ START.T) ** 2).sum() * scale, rtol=1e-3)
    np.testing.assert_allclose(found[2], PENALTY * ((u**2).sum() * scale + (START**2).sum()), rtol=1e-3)
    np.testing.assert_allclose(found[3], weight.sum() * scale, rtol=1e-4)


def test_shards_hold_the_same_factors():
    made = model(num_row_shards=2, num_col_shards=3, row_weights=[[0.1, 0.2, 0.3], [0.4, 0.5]])
    assert [each.shape.as_list() for each in made.col_factors] == [[2, 2], [1, 2], [1, 2]]
    update, session = made.update_row_factors(sparse(MATRIX))[1], started("numpy")
    session.run(made.row_update_prep_gramian_op)
    session.run(update)
    np.testing.assert_allclose(np.concatenate(session.run(made.row_factors)),
                               solved(MATRIX, START, weights(ROW_WEIGHTS)), rtol=1e-3, atol=1e-4)


def test_projection():
    made = model()
    given, plain = (made.project_row_factors(sparse(MATRIX[[3, 0]]), projection_weights=w) for w in ([0.4, 0.1], None))
    session = started("numpy")
    session.run(made.row_update_prep_gramian_op)
    expected = solved(MATRIX, START, weights(ROW_WEIGHTS))
    np.testing.assert_allclose(session.run(given), expected[[3, 0]], rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(session.run(plain), solved(MATRIX, START, weights(np.ones(ROWS)))[[3, 0]], rtol=1e-3,
                               atol=1e-4)


def test_without_weights_all_entries_count_alike():
    made = model(row_weights=None, col_weights=None)
    new, session = made.update_row_factors(sparse(MATRIX))[0], started("numpy")
    session.run(made.row_update_prep_gramian_op)
    np.testing.assert_allclose(session.run(new), solved(MATRIX, START, np.full([ROWS, COLS], LOW)), rtol=1e-3,
                               atol=1e-3)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="must both be None"):
        model(row_weights=None)
    with pytest.raises(ValueError, match=r"shards of \[4\] rows"):
        model(col_init=START[1:])
