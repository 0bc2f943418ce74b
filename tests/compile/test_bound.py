"""Functions that take the place of kernels in code for NumPy compute what the kernels do."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.kernel.calling import call_kernel
from evergraph.kernel.context import FoldingContext

X = np.random.RandomState(0).randn(4, 5, 6).astype(np.float32)
M = X[0]
CASES = {
    "reshape": lambda x: tf.reshape(x, [2, -1, 3]),
    "expand_dims": lambda x: tf.expand_dims(x, -2),
    "transpose": lambda x: tf.transpose(x, [2, 0, 1]),
    "slice": lambda x: tf.slice(x, [1, 0, 2], [2, -1, 3]),
    "strided_slice": lambda x: x[1:, ::-2, 3],
    "new_axis": lambda x: x[..., None, 1],
    "gather": lambda x: tf.gather(x, [3, 0, 3]),
    "gather_scalar": lambda x: tf.gather(x, 2),
    "pad": lambda x: tf.pad(x, [[1, 2], [0, 0], [0, 3]]),
    "sum": lambda x: tf.reduce_sum(x, -1),
    "sum_of_all": tf.reduce_sum,
    "mean": lambda x: tf.reduce_mean(x, [0, 2], keepdims=True),
    "max": lambda x: tf.reduce_max(x, 1),
    "any": lambda x: tf.reduce_any(x > 1, [1, 2]),
    "pack": lambda x: tf.stack([x, x + 1], 1),
    "matmul": lambda x: tf.matmul(x[0], x[1], transpose_a=True),
    "matmul_turned": lambda x: tf.matmul(x[0], x[1], transpose_b=True),
    "batch_matmul": lambda x: tf.matmul(x, x, adjoint_a=True),
    "bias_add": lambda x: tf.nn.bias_add(x, tf.constant(np.arange(6, dtype=np.float32))),
    "bias_add_nchw": lambda x: tf.nn.bias_add(x[None], tf.constant(np.arange(4, dtype=np.float32)), "NCHW"),
    "softmax": tf.nn.softmax,
    "log_softmax": tf.nn.log_softmax,
    "xent": lambda x: tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.nn.softmax(x[1]), logits=x[0]),
}


@pytest.mark.parametrize("name", CASES)
def test_results(name):
    x = tf.placeholder(tf.float32, X.shape)
    y = CASES[name](x)
    with tf.Session(tier="numpy") as session:
        for given in (X, -X):
            inputs = session.run(list(y.op.inputs), {x: given})
            expected = call_kernel(FoldingContext(), y.op, [np.asarray(value) for value in inputs])[y.value_index]
            np.testing.assert_array_equal(session.run(y, {x: given}), expected)


def test_shapes_that_change():
    x = tf.placeholder(tf.float32, None)
    found = [tf.reshape(x, [-1]), tf.expand_dims(x, 1), x[1:], tf.pad(x, [[1, 0], [0, 0]]), tf.reduce_sum(x, -1)]
    with tf.Session(tier="numpy") as session:
        for rows in (2, 3, 2):
            shapes = [value.shape for value in session.run(found, {x: M[:rows]})]
            assert shapes == [(rows * 6,), (rows, 1, 6), (rows - 1, 6), (rows + 1, 6), (rows,)]


@pytest.mark.parametrize("wrong", [
    lambda x: tf.gather(x, [4]), lambda x: tf.gather(x, [-1]), lambda x: tf.reshape(x, [7]),
    lambda x: tf.transpose(x, [0, 1]), lambda x: tf.slice(x, [0, 0, 4], [4, 5, 3]), lambda x: tf.reduce_sum(x, 3),
    lambda x: tf.matmul(x, x), lambda x: tf.nn.bias_add(x, tf.zeros([5])), lambda x: tf.pad(x, [[1, 1]])])
def test_errors(wrong):
    x = tf.placeholder(tf.float32, None)
    y = wrong(x)
    with tf.Session(tier="numpy") as session, pytest.raises(tf.errors.InvalidArgumentError):
        session.run(y, {x: X})
