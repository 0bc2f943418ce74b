"""Assertions and printing: what they say, word for word, and that a failed step changes nothing."""

import sys

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER


def given(value, shape=None):
    """A tensor whose value is not known while the graph is built."""
    return tf.placeholder_with_default(tf.constant(value), np.shape(value) if shape is None else shape)


def unshaped(value):
    return tf.placeholder_with_default(tf.constant(value), None)


@pytest.fixture(params=["numpy", "xla"])
def run(request):
    """Runs what a function builds."""
    def run(build):
        with tf.Graph().as_default(), tf.Session(tier=request.param) as session:
            return session.run(build())

    return run


# Texts that TensorFlow gave for the same programs.
FAILING = {
    "assert_equal": (
        lambda: tf.assert_equal(given([1, 2]), given([1, 3])),
        "[Condition x == y did not hold element-wise:] [x (PlaceholderWithDefault:0) = ] [1 2] "
        "[y (PlaceholderWithDefault_1:0) = ] [1 3]"),
    "message and summarize": (
        lambda: tf.assert_equal(given([1, 2]), given([1, 3]), message="hey", summarize=1),
        "[hey] [Condition x == y did not hold element-wise:] [x (PlaceholderWithDefault:0) = ] [1...] "
        "[y (PlaceholderWithDefault_1:0) = ] [1...]"),
    "data": (lambda: tf.assert_equal(given([1, 2]), given([1, 3]), data=["x", given([7])]), "[x] [7]"),
    "assert_less": (
        lambda: tf.assert_less(given(1.5), given(0.25)),
        "[Condition x < y did not hold element-wise:] [x (PlaceholderWithDefault:0) = ] [1.5] "
        "[y (PlaceholderWithDefault_1:0) = ] [0.25]"),
    "assert_positive": (
        lambda: tf.assert_positive(given([1, -2])),
        "[] [Condition x > 0 did not hold element-wise:] [x (PlaceholderWithDefault:0) = ] [1 -2]"),
    "assert_non_negative": (
        lambda: tf.assert_non_negative(given([1, -2]), message="m"),
        "[m.  ] [Condition x >= 0 did not hold element-wise:] [x (PlaceholderWithDefault:0) = ] [1 -2]"),
    "assert_rank": (
        lambda: tf.assert_rank(unshaped(np.zeros(3, np.float32)), 2),
        "[] [Tensor PlaceholderWithDefault:0 must have rank] [2] [Received shape: ] [3]"),
    "assert_rank_in": (
        lambda: tf.assert_rank_in(unshaped(np.zeros(3, np.float32)), [2, 3]),
        "[] [Tensor PlaceholderWithDefault:0 must have rank in] [2] [3] [Received shape: ] [3]"),
    "assert_shapes": (
        lambda: tf.debugging.assert_shapes([(given(np.zeros((2, 3)), [None, None]), ("N", "M")),
                                            (given(np.zeros(4), [None]), ("M",))]),
        "[] [Specified by tensor PlaceholderWithDefault:0 dimension 1] [Tensor PlaceholderWithDefault_1:0 dimension] "
        "[0] [must have size] [3] [Received shape: ] [4]"),
    "Assert": (lambda: tf.Assert(given(False), ["x", given([1, 2, 3, 4])]), "[x] [1 2 3...]"),
    "numbers": (
        lambda: tf.Assert(given(False), [given(x) for x in (1, 2.5, np.float32(1 / 3), True, 1e20, 1234567.0)]),
        "[1] [2.5] [0.333333343] [1] [1e+20] [1234567]"),
    "doubles": (lambda: tf.Assert(given(False), [given(np.float64(1 / 3)), given(np.array([np.nan, -np.inf]))]),
                "[0.33333333333333331] [nan -inf]"),
    "matrix": (lambda: tf.Assert(given(False), [given(np.arange(12).reshape(3, 4))]), "[[0 1 2...]...]"),
    "whole matrix": (lambda: tf.Assert(given(False), [given(np.arange(6).reshape(3, 2))], summarize=-1),
                     "[[0 1][2 3][4 5]]"),
    "cube": (lambda: tf.Assert(given(False), [given(np.arange(24).reshape(2, 3, 4))]), "[[[0 1 2...]]...]"),
}


@pytest.mark.parametrize("name", FAILING)
def test_failing(run, name):
    build, text = FAILING[name]
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        run(build)
    assert caught.value.message.startswith(f"assertion failed: {text}")


HOLDING = [
    lambda: tf.assert_equal(given([1, 2]), given([1, 2])),
    lambda: tf.assert_equal(given([1, 1]), given(1)),
    lambda: tf.assert_none_equal(given([1, 2]), given([2, 1])),
    lambda: tf.assert_less_equal(given([1, 2]), given([1, 3])),
    lambda: tf.assert_greater(given([2, 4]), given([1, 3])),
    lambda: tf.assert_near(given([1.0, -2.0]), given([1.0, -2.0000001])),
    lambda: tf.assert_negative(given([-1.0])),
    lambda: tf.assert_non_positive(given([0, -1])),
    lambda: tf.assert_rank_at_least(unshaped(np.zeros((2, 3), np.float32)), 1),
    lambda: tf.assert_rank(tf.zeros([2]), 1),
    lambda: tf.assert_type(tf.zeros([2]), tf.float32),
    lambda: tf.assert_integer(tf.constant(1)),
    lambda: tf.debugging.assert_shapes({given(np.zeros((2, 3)), [None, 3]): ("N", "M"), tf.zeros([3]): ("M",)}),
    lambda: tf.Assert(True, ["never shown"]),
]


@pytest.mark.parametrize("build", HOLDING)
def test_holding(run, build):
    assert run(build) is None


AT_ONCE = [
    (tf.errors.InvalidArgumentError, lambda: tf.assert_equal(tf.constant([1, 2]), tf.constant([1, 3])), "x == y"),
    (tf.errors.InvalidArgumentError, lambda: tf.assert_positive(tf.constant([1, -2])), "x > 0"),
    (ValueError, lambda: tf.assert_rank(tf.zeros([2]), 2), "must have rank 2.  Received rank 1"),
    (ValueError, lambda: tf.assert_rank(tf.zeros([2]), [1]), "must be a scalar"),
    (TypeError, lambda: tf.assert_rank(tf.zeros([2]), 0.5), "must be of type tf.int32"),
    (ValueError, lambda: tf.assert_rank_in(tf.zeros([2]), [2, 3]), "must have rank in"),
    (TypeError, lambda: tf.assert_type(tf.zeros([2]), tf.int32, message="mm"), "mm.  zeros:0 must be of type tf.int32"),
    (TypeError, lambda: tf.assert_integer(tf.zeros([2])), "Expected an integer"),
    (ValueError, lambda: tf.assert_scalar(tf.zeros([2])), "Expected scalar shape for zeros:0, saw shape: (2,)"),
    (TypeError, lambda: tf.assert_proper_iterable(tf.zeros([2])), "proper"),
    (TypeError, lambda: tf.assert_proper_iterable("abc"), "proper"),
    (TypeError, lambda: tf.assert_proper_iterable(5), "iterable"),
    (ValueError, lambda: tf.assert_same_float_dtype([tf.zeros([2]), tf.zeros([2], tf.float64)]), "same type"),
    (ValueError, lambda: tf.assert_same_float_dtype([tf.zeros([2], tf.int32)]), "floating point"),
    (ValueError, lambda: tf.debugging.assert_shapes([(tf.zeros([2, 3]), (2, "M")), (tf.zeros([4]), ("M",))]), "size 3"),
    (ValueError, lambda: tf.debugging.assert_shapes([(tf.zeros([2, 3]), (2, 4))]), "Specified explicitly"),
    (TypeError, lambda: tf.Assert(given(False), 3), "list"),
]


@pytest.mark.parametrize("kind, build, text", AT_ONCE)
def test_at_once(kind, build, text):
    with tf.Graph().as_default(), pytest.raises(kind) as caught:
        build()
    assert text in str(caught.value)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_a_failed_loop_changes_nothing(tier):
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        n = tf.placeholder(tf.int32, [])
        v = tf.get_variable("v", initializer=1.0)

        def body(i):
            with tf.control_dependencies([tf.Assert(i < 3, ["i is", i]), v.assign_add(1.0)]):
                return i + 1

        loop = tf.while_loop(lambda i: i < n, body, [0])
        session.run(tf.global_variables_initializer())
        session.run(loop, {n: 3})
        with pytest.raises(tf.errors.InvalidArgumentError, match="i is"):
            session.run(loop, {n: 5})
        assert session.run(v) == 4.0


def test_a_branch_that_would_fail_is_not_taken():
    with tf.Graph().as_default(), tf.Session() as session:
        p, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [None])
        unset = tf.Variable(1.0, use_resource=True)
        y = tf.cond(p, lambda: x + unset, lambda: x * 2.0)
        large = np.ones(1 << 18, np.float32)  # worth compiling at once
        for _ in range(2):
            assert (session.run(y, {p: False, x: large}) == 2).all()
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(y, {p: True, x: large})


def test_print(capfd):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.0, 2.0, 3.0, 4.0])
        session.run(tf.Print(x, [x, tf.constant("s"), tf.constant([[1, 2], [3, 4]]), tf.constant(True)], "hello "))
        few = tf.Print(x, [x], "first ", first_n=2, summarize=10)
        for _ in range(4):
            session.run(few)
    assert capfd.readouterr().err == "hello [1 2 3...][s][[1 2][3...]...][1]\n" + "first [1 2 3 4]\n" * 2


def test_print_of_anything(capfd, tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.0, 2.0, 3.0, 4.0])
        things = {"a": tf.constant(1), "b": (tf.constant(2), [tf.constant(3)])}
        session.run(tf.print(x, "abc", tf.constant(["s", "t"]), things))
        session.run(tf.print(tf.constant(np.arange(100)), "a{}b", None, 2.5))
        session.run(tf.print(x, x, sep="|", end="END\n", output_stream=sys.stdout))
        session.run(tf.print("x", output_stream=f"file://{tmp_path / 'out'}"))
        session.run(tf.print(tf.constant("text"), output_stream=sys.stdout))
        session.run(tf.print([tf.SparseTensor([[0]], [1], [2])], np.array(["u"]), output_stream=sys.stdout))
        with pytest.raises(ValueError):
            tf.print("x", output_stream="nonsense")
        with pytest.raises(ValueError):
            tf.print("x", foo=1)
    out = capfd.readouterr()
    assert out.err == "[1 2 3 4] abc [\"s\" \"t\"] {'a': 1, 'b': (2, [3])}\n[0 1 2 ... 97 98 99] a{}b None 2.5\n"
    assert out.out == ("[1 2 3 4]|[1 2 3 4]END\ntext\n"
                       "['SparseTensor(indices=[[0]], values=[1], shape=[2])'] array(['u'], dtype='<U1')\n")
    assert (tmp_path / "out").read_text() == "x\n"


@pytest.mark.parametrize("shapes", [
    {"x": (None, 2, ".")}, {"x": ".2."}, {"x": None}, {"x": (..., 2, "C")}, {"x": "*C"}, {"s": (), "one": ()},
    {"s": (1,), "one": "a"}, {"x": np.array([1, 2, 3])}, {"s": "a", "x": "abc"}, {"x": tf.TensorShape(None)},
])
def test_shapes_may_be_told_in_many_ways(shapes):
    with tf.Graph().as_default(), tf.Session() as session:
        made = {"x": tf.ones([1, 2, 3]), "s": tf.constant(5), "one": tf.ones([1])}
        static = tf.debugging.assert_shapes([(made[k], v) for k, v in shapes.items()])
        dynamic = tf.debugging.assert_shapes([(unshaped_like(made[k]), v) for k, v in shapes.items()])
        session.run([static, dynamic])


def unshaped_like(tensor):
    return tf.placeholder_with_default(tensor, None)


@pytest.mark.parametrize("shape, text", [
    ((..., 3, "D"), "Specified explicitly.  Tensor x:0 dimension -2 must have size 3.  Received size 1"),
    ("*3D", "dimension -2 must have size 3"),
    (("N", ..., "Q"), "as the first entry only"),
    (2, "a shape is a sequence"),
    ("abc", "Tensor x:0 must have rank 3.  Received rank 2"),
    ("aa", "Specified by tensor x:0 dimension 0.  Tensor x:0 dimension 1 must have size 1.  Received size 2"),
])
def test_shapes_that_cannot_hold_are_refused_at_once(shape, text):
    with tf.Graph().as_default(), pytest.raises(ValueError) as raised:
        tf.debugging.assert_shapes([(tf.ones([1, 2], name="x"), shape)])
    assert text in str(raised.value)


def test_inner_sizes_of_a_tensor_without_a_static_shape(run):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"dimension\] \[-2\] \[must have size\] \[4\]"):
        run(lambda: tf.debugging.assert_shapes([(unshaped(np.zeros((2, 3))), "*4D")]))


def test_a_tensor_equals_itself_without_a_check():
    with tf.Graph().as_default():
        x = tf.constant([])
        assert tf.assert_equal(x, x).type == "NoOp"


def test_values_that_do_not_broadcast_are_told_by_their_sizes():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Dimensions must be equal, but are 3 and 2"):
        tf.assert_less(tf.constant([1, 2, 3]), tf.constant([4, 5]))


def test_a_rank_that_turns_out_to_be_no_scalar(run):
    with pytest.raises(tf.errors.InvalidArgumentError, match="Rank must be a scalar"):
        run(lambda: tf.assert_rank(tf.constant([1.0]), unshaped([1, 2])))


def test_sparse_tensors_with_another_float_dtype_are_named_by_their_values():
    with tf.Graph().as_default():
        sparse = tf.SparseTensor([[0]], tf.constant([1.0], name="v"), [3])
        with pytest.raises(ValueError, match="v:0, type="):
            tf.debugging.assert_same_float_dtype([sparse], tf.float64)


def test_errors_show_as_many_elements_as_asked_for():
    x, y = np.arange(6.0).reshape(2, 3), np.zeros([2, 3])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[0\. 1\.\]\n"):
        tf.assert_none_equal(x, x, summarize=2)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[0\. 1\. 2\. 3\. 4\. 5\.\]"):
        tf.assert_less(x, y, summarize=-1)


def test_eager_errors_show_where_tensors_differ():
    with EAGER.as_default(), pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.assert_equal([[2, 2], [3, 3]], [[20, 2], [3, 30]], message="unequal", summarize=1)
    assert caught.value.message.splitlines() == [
        "unequal", "Condition x == y did not hold.", "Indices of first 1 different values:", "[[0 0]]",
        "Corresponding x values:", "[2]", "Corresponding y values:", "[20]", "First 1 elements of x:", "[2]",
        "First 1 elements of y:", "[20]"]
