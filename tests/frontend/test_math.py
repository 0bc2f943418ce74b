"""What op cases cannot show of arithmetic: guards against NaN, packed comparisons, running in both tiers alike."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.graph import registry
from evergraph.run.session import Session


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_compare_and_bitpack(tier):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 16])
        packed = registry.lookup("CompareAndBitpack")(x, 0.5)
        assert packed.shape.as_list() == [None, 2]
        values = np.linspace(-1, 2, 32, dtype=np.float32).reshape(2, 16)
        with Session(graph=graph, tier=tier) as session:
            found = session.run(packed, {x: values})
    np.testing.assert_array_equal(found, np.packbits(values > 0.5, axis=-1))


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_verify_tensor_all_finite(tier):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2])
        checked = tf.verify_tensor_all_finite(x, "not finite")
        with Session(graph=graph, tier=tier) as session:
            np.testing.assert_array_equal(session.run(checked, {x: [1.0, 2.0]}), [1.0, 2.0])
            with pytest.raises(tf.errors.InvalidArgumentError, match="not finite : Tensor had NaN"):
                session.run(checked, {x: [1.0, np.nan]})


def test_add_check_numerics_ops_names_the_first_bad_tensor():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2], name="x")
        tf.sqrt(tf.log(x, name="log"), name="root")
        check = tf.add_check_numerics_ops()
        with Session(graph=graph) as session:
            session.run(check, {x: [2.0, 3.0]})
            with pytest.raises(tf.errors.InvalidArgumentError, match="log:0"):
                session.run(check, {x: [-2.0, 3.0]})


def test_add_check_numerics_ops_refuses_what_it_cannot_look_into():
    for build in (lambda: tf.cond(tf.placeholder(tf.bool, []), lambda: 1.0, lambda: 2.0),
                  lambda: tf.while_loop(lambda x: x < 2.0, lambda x: x + 1.0, [0.0])):
        with tf.Graph().as_default():
            build()
            with pytest.raises(ValueError, match="cannot look inside"):
                tf.add_check_numerics_ops()


def test_numpy_operands_on_either_side():
    with tf.Graph().as_default() as graph:
        x = tf.constant([1.0, 2.0])
        results = [np.float32(2) * x, x * np.float64(2), np.array([1.0, 1.0]) + x, np.array([3.0, 4.0], np.float32) / x]
        assert all(isinstance(r, tf.Tensor) and r.dtype == tf.float32 for r in results)
        with Session(graph=graph) as session:
            found = session.run(results)
    np.testing.assert_array_equal(found, [[2, 4], [2, 4], [2, 3], [3, 2]])


def test_reductions_of_unknown_rank_give_scalars():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32)
        total = tf.reduce_mean(x * x)
        assert total.shape.as_list() == []
        slope, = tf.gradients(total, x)
        with Session(graph=graph) as session:
            np.testing.assert_allclose(session.run(slope, {x: [[1.0, 2.0], [3.0, 4.0]]}), [[0.5, 1.0], [1.5, 2.0]])


def test_axes_are_a_vector_at_most():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="must be at most rank 1"):
        tf.reduce_sum(tf.ones([2, 3]), [[0], [1]])


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_means_of_large_integers_are_exact(tier):
    data = tf.constant([2**60 + 1, 2**60 + 3, -7, -8], tf.int64)
    with tf.Session(tier=tier) as session:
        assert session.run(tf.segment_mean(data, [0, 0, 1, 1])).tolist() == [2**60 + 2, -7]
