"""tf.contrib.framework: shapes that are checked, names in scopes, graphs of values."""

import numpy as np
import pytest

import evergraph as tf

framework = tf.contrib.framework


def test_names_that_moved():
    assert framework.list_variables is tf.train.list_variables and framework.TensorSpec is tf.TensorSpec


def test_a_case_that_is_known_now():
    assert framework.smart_case([(False, lambda: "a"), (True, lambda: "b")], default=lambda: "c") == "b"
    assert framework.smart_case([(False, lambda: "a")], default=lambda: "c") == "c"
    assert isinstance(framework.smart_case([(False, lambda: tf.constant(1))]), tf.Tensor)  # the step fails
    fed = tf.placeholder_with_default(2, [])
    chosen = framework.smart_case([(fed > 1, lambda: tf.constant(1)), (True, lambda: tf.constant(2))],
                                  default=lambda: tf.constant(3))
    with tf.Session() as session:
        assert session.run(chosen) == 1
        assert session.run(framework.smart_cond(True, lambda: tf.constant(4), lambda: tf.constant(5))) == 4


def test_sums():
    with tf.Session() as session:
        assert session.run(framework.reduce_sum_n([tf.ones([2, 3]), tf.constant(1.0)])) == 7
    with pytest.raises(ValueError, match="a tensor at least"):
        framework.reduce_sum_n([])


def test_scalar_ints():
    assert framework.assert_scalar_int(tf.constant(3)).dtype == tf.int32
    for wrong in (3.0, [3]):
        with pytest.raises(ValueError):
            framework.assert_scalar_int(tf.constant(wrong))


def test_shapes_known_now():
    tensor = tf.ones([2, 3])
    assert framework.with_shape([2, 3], tensor) is tensor
    assert framework.with_shape(tf.TensorShape([None, 3]), tensor) is tensor
    for wrong in ([3, 2], [6], [2.5, 3.0], [[2], [3]]):
        with pytest.raises(ValueError):
            framework.with_shape(wrong, tensor)


def test_shapes_checked_in_the_step():
    fed = tf.placeholder(tf.float32, [None, None])
    checked = framework.with_shape([2, 3], fed)
    same = framework.with_same_shape(tf.ones([2, 3]), fed)
    assert checked.shape.as_list() == same.shape.as_list() == [2, 3]
    with tf.Session() as session:
        for result in (checked, same):
            np.testing.assert_array_equal(session.run(result, {fed: np.ones((2, 3))}), np.ones((2, 3)))
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(result, {fed: np.ones((3, 2))})


def test_names_in_scopes():
    assert framework.prepend_name_scope("loc:@w", "a/b/") == "loc:@a/b/w"
    assert framework.prepend_name_scope("^x", "a") == "^a/x" and framework.prepend_name_scope("x", "") == "x"
    assert framework.strip_name_scope("^a/x", "a") == "^x" and framework.strip_name_scope("ab/x", "a") == "ab/x"
    with tf.name_scope("outer"):
        assert framework.get_name_scope() == "outer"


def test_graphs():
    first, second = tf.Graph(), tf.Graph()
    with first.as_default():
        fed = tf.placeholder(tf.float32)
    assert framework.get_placeholders(first) == [fed]
    assert framework.get_graph_from_inputs([fed]) is first
    with second.as_default(), pytest.raises(ValueError):
        framework.get_graph_from_inputs([fed, tf.constant(1.0)])
    with pytest.raises(ValueError):
        framework.get_graph_from_inputs([fed], second)


def test_zeros_for_a_variable_without_value():
    variable = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    with tf.Session() as session:
        session.run(framework.zero_initializer(variable))
        assert session.run(variable).tolist() == [0, 0]


def test_what_is_printed_is_unchanged(capfd):
    show = tf.contrib.framework.print_op
    sparse = tf.SparseTensor([[0, 1]], [7], [2, 3])
    rows = tf.TensorArray(tf.int32, size=2, clear_after_read=False).unstack([4, 5])
    with tf.Session() as session:
        found = session.run([show(tf.constant([1, 2]), tf.constant(9), message="here "),
                             tf.sparse.to_dense(show(sparse)), show(rows).stack()])
    assert [each.tolist() for each in found] == [[1, 2], [[0, 7, 0], [0, 0, 0]], [4, 5]]
    printed = capfd.readouterr().err
    assert "here [Tensor: ][2][1 2][9]" in printed and "[SparseTensor: ][2 3][[0 1]][7]" in printed
    assert "[TensorArray: ][2][4 5]" in printed
