"""tf.contrib.factorization.WALSMatrixFactorization against alternating least squares by NumPy."""

import numpy as np
import pytest

import evergraph as tf

WALS = tf.contrib.factorization.WALSMatrixFactorization
DRAW = np.random.RandomState(3)
ROWS, COLS, WIDTH, LOW, PENALTY = 5, 4, 2, 0.2, 0.3
MATRIX = np.where(DRAW.rand(ROWS, COLS) < 0.6, DRAW.rand(ROWS, COLS) + 0.5, 0.0)
MATRIX[:, 0], MATRIX[0] = 1.0, 0.7  # every row and column has an entry
FIRST_ROWS, FIRST_COLS = DRAW.randn(ROWS, WIDTH), DRAW.randn(COLS, WIDTH)


def solved(matrix, fixed, weights=1.0):
    """The factors of each row that minimize its weighted squared errors."""
    found = []
    for row in matrix:
        w = LOW + weights * (row != 0)
        found.append(np.linalg.solve(fixed.T @ (w[:, None] * fixed) + PENALTY * np.eye(WIDTH), fixed.T @ (w * row)))
    return np.array(found)


def loss(rows, cols):
    weights = LOW + (MATRIX != 0)
    errors = np.sum(weights * (MATRIX - rows @ cols.T) ** 2)
    return errors + PENALTY * (np.sum(rows ** 2) + np.sum(cols ** 2)), weights.sum()


def sparse(matrix, names):
    places = [(name, column) for name in names for column in np.flatnonzero(matrix[name])]
    return tf.SparseTensor(places, [np.float32(matrix[place]) for place in places], matrix.shape)


def batches():
    """Rows and columns in two parts, over and over."""
    def part(matrix, number):
        return sparse(matrix, np.array_split(np.arange(len(matrix)), 2)[number])

    turn = tf.train.get_or_create_global_step() % 2
    def either(matrix):
        parts = [part(matrix, number) for number in range(2)]
        found = tf.cond(tf.equal(turn, 0), *[lambda part=part: (part.indices, part.values) for part in parts])
        return tf.SparseTensor(*found, matrix.shape)
    return {WALS.INPUT_ROWS: either(MATRIX), WALS.INPUT_COLS: either(MATRIX.T)}, None


def made(folder, **more):
    return WALS(ROWS, COLS, WIDTH, LOW, PENALTY, FIRST_ROWS, FIRST_COLS, model_dir=str(folder), **more)


@pytest.mark.parametrize("shards", [1, 2])
def test_sweeps_take_turns_until_the_last_one(tmp_path, shards):
    """Each sweep takes two steps of half the rows or columns; evaluation solves for the rows once more."""
    estimator = made(tmp_path, max_sweeps=4, num_row_shards=shards, num_col_shards=shards)
    estimator.fit(input_fn=batches, steps=100)
    cols = FIRST_COLS
    for _ in range(2):
        rows = solved(MATRIX, cols)
        cols = solved(MATRIX.T, rows)
    np.testing.assert_allclose(np.concatenate(estimator.get_row_factors()), rows, rtol=1e-4)
    np.testing.assert_allclose(np.concatenate(estimator.get_col_factors()), cols, rtol=1e-4)
    assert estimator.get_variable_value("global_step") == 8 and estimator.get_variable_value("completed_sweeps") == 4
    found = estimator.evaluate(input_fn=lambda: ({
        WALS.INPUT_ROWS: sparse(MATRIX, range(ROWS)), WALS.INPUT_COLS: sparse(MATRIX.T, range(COLS)),
        WALS.PROJECT_ROW: tf.constant(True)}, None), steps=1)
    total, weights = loss(solved(MATRIX, cols), cols)
    assert found[WALS.LOSS] == pytest.approx(total, rel=1e-4)
    assert found[WALS.RWSE] == pytest.approx(np.sqrt(total / weights), rel=1e-4)


def test_projections_of_new_rows_and_columns(tmp_path):
    estimator = made(tmp_path)
    estimator.fit(input_fn=batches, steps=4)
    rows, cols = estimator.get_row_factors()[0], estimator.get_col_factors()[0]

    def features(project_row):
        return {WALS.INPUT_ROWS: sparse(MATRIX, range(2)), WALS.INPUT_COLS: sparse(MATRIX.T, range(2)),
                WALS.PROJECT_ROW: tf.constant(project_row), WALS.PROJECTION_WEIGHTS: tf.constant([2.0, 0.5])}

    for project_row, matrix, fixed in ((True, MATRIX, cols), (False, MATRIX.T, rows)):
        found = list(estimator.get_projections(lambda project_row=project_row: features(project_row)))
        wanted = [solved(matrix[number:number + 1], fixed, weight)[0] for number, weight in enumerate([2.0, 0.5])]
        np.testing.assert_allclose(found, wanted, rtol=1e-4)


def test_several_workers_are_refused():
    config = tf.contrib.learn.RunConfig()
    config._num_worker_replicas = 2
    with pytest.raises(ValueError, match="one worker, got 2"):
        WALS(ROWS, COLS, WIDTH, config=config)
