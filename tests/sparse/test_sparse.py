"""tf.sparse has TensorFlow's numbers, dtypes, nodes and errors."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.nodes import as_in_1_15
from tests.harness.recorded import numbers, texts
from tests.sparse.programs import INDICES, PROGRAMS, VALUES, VALUES_ONLY, recorded

WANTED, NODES = numbers("sparse_programs"), texts("sparse_programs")


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_recorded(name):
    nodes, values = recorded(tf, PROGRAMS[name])
    for number, value in enumerate(values):
        wanted = WANTED[f"{name}|{number}"]
        assert value.dtype.kind == "S" and wanted.dtype.kind == "S" or value.dtype == wanted.dtype
        if value.dtype.kind == "f":
            np.testing.assert_allclose(value, wanted, rtol=1e-5, atol=1e-6)
        else:
            np.testing.assert_array_equal(value, wanted)
    if name not in VALUES_ONLY:
        assert nodes == as_in_1_15(NODES[name])


def known():
    return tf.SparseTensor(INDICES, VALUES, [3, 4])


def test_static_shapes():
    assert tf.sparse_reshape(known(), [2, -1]).shape == [2, 6]
    assert tf.sparse_concat(1, [known(), known()]).shape == [3, 8]
    assert tf.sparse_transpose(known()).shape == [4, 3]
    assert tf.sparse_reorder(known()).shape == [3, 4]
    assert tf.sparse_reduce_sum(known(), 1, keepdims=True).shape == [3, 1]
    assert tf.sparse_tensor_dense_matmul(known(), tf.placeholder(tf.float32, [None, 5])).shape == [3, 5]
    assert tf.sparse.to_dense(known()).shape == [3, 4]
    assert tf.deserialize_many_sparse([["", "", ""]], tf.float32, rank=3).dense_shape.shape == [3]


@pytest.mark.parametrize("make, error", [
    (lambda: tf.sparse.to_dense(tf.zeros([2])), TypeError),
    (lambda: tf.sparse_add(tf.zeros([2]), tf.zeros([2])), TypeError),
    (lambda: tf.sparse_add(known(), tf.SparseTensor([[0, 0]], [1.0], [2, 2])), ValueError),
    (lambda: tf.sparse_concat(0, known()), TypeError),
    (lambda: tf.sparse_reshape(known(), [-1, -1]), ValueError),
    (lambda: tf.sparse_reshape(known(), [5, 5]), ValueError),
    (lambda: tf.sparse_split(known(), 2, 0), ValueError),
    (lambda: tf.sparse_split(sp_input=known(), axis=0), ValueError),
    (lambda: tf.sparse_reset_shape(known(), [2, 4]), ValueError),
    (lambda: tf.sparse_reset_shape(known(), [3, 4, 5]), ValueError),
    (lambda: tf.sparse_retain(known(), [True]), ValueError),
    (lambda: tf.sparse_merge(known(), known(), [3]), TypeError),
    (lambda: tf.sparse_merge([known()], known(), [3, 4]), ValueError),
    (lambda: tf.sparse.eye(2.5), TypeError),
    (lambda: tf.sparse.cross(known()), TypeError),
    (lambda: tf.sparse.cross([[1]]), TypeError),
    (lambda: tf.sparse_tensor_dense_matmul(known(), tf.zeros([3, 2])), ValueError),
    (lambda: tf.gradients(tf.sparse_maximum(known(), s := known()).values, s.values), NotImplementedError),
])
def test_refused_when_built(make, error):
    with pytest.raises(error):
        make()


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_messages_name_the_entry(tier):
    indices = tf.placeholder(tf.int64, [None, 2])
    s = tf.SparseTensor(indices, [1.0, 2.0], [3, 4])
    dense, product = tf.sparse.to_dense(s), tf.sparse_tensor_dense_matmul(s, tf.ones([4, 1]))
    total = tf.sparse_add(s, tf.zeros([3, 4]))
    with tf.Session(tier=tier) as session:
        for fetch, fed, words in [
            (dense, [[0, 1], [3, 0]], r"indices\[1\] = \[3,0\] is out of bounds: need 0 <= index < \[3,4\]"),
            (dense, [[1, 1], [0, 2]], r"indices\[1\] = \[0,2\] is out of order"),
            (dense, [[1, 1], [1, 1]], r"indices\[1\] = \[1,1\] is repeated"),
            (product, [[0, 1], [0, 9]], r"k \(9\) from index\[1,1\] out of bounds \(>=4\)"),
            (product, [[7, 1], [0, 0]], r"m \(7\) from index\[0,0\] out of bounds \(>=3\)"),
            (total, [[0, 1], [0, -1]], "invalid index"),
        ]:
            with pytest.raises(tf.errors.InvalidArgumentError, match=words):
                session.run(fetch, {indices: fed})


def test_a_map_keeps_sparse_tensors_between_steps():
    from evergraph.frontend.sparse import serial

    numbers = serial.add_many_sparse_to_tensors_map(known())
    single = serial.add_sparse_to_tensors_map(tf.SparseTensor([[1]], [5.0], [4]), shared_name="one")
    fed = tf.placeholder(tf.int64, [None])
    taken = serial.take_many_sparse_from_tensors_map(numbers.op, fed, rank=2)
    other = serial.take_many_sparse_from_tensors_map(single.op, fed, rank=2)
    with tf.Session() as session:
        found = session.run(numbers)
        result = session.run(taken, {fed: found[::-1]})
        np.testing.assert_array_equal(result.indices, [[0, 0], [0, 2], [2, 1], [2, 3]])
        np.testing.assert_array_equal(result.values, [3, 4, 1, -2])
        np.testing.assert_array_equal(result.dense_shape, [3, 4])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Unable to find SparseTensor"):
            session.run(taken, {fed: found})
        np.testing.assert_array_equal(session.run(other, {fed: [session.run(single)]}).values, [5.0])
    with pytest.raises(TypeError):
        serial.take_many_sparse_from_tensors_map(fed.op, fed)


def test_training_through_a_sparse_product():
    features = tf.sparse_placeholder(tf.float32, [None, 4])
    weights = tf.Variable(tf.zeros([4, 1]))
    loss = tf.reduce_mean(tf.square(tf.sparse_tensor_dense_matmul(features, weights) - [[1.0], [2.0]]))
    slope = tf.gradients(loss, weights)[0]
    step = weights.assign_sub(0.5 * slope)
    with tf.Session() as session:
        session.run(weights.initializer)
        for count in (1, 2, 3):  # another number of entries each time
            value = tf.SparseTensorValue(np.array([[0, 0], [1, 1], [1, 3]])[:count], np.ones(count, np.float32), [2, 4])
            for _ in range(30):
                session.run(step, {features: value})
        assert session.run(loss, {features: value}) < 1e-4
