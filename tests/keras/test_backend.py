"""tf.keras.backend and the losses of Keras as functions."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.recorded import assert_as_recorded, numbers
from tests.keras.backend_programs import EXPRESSIONS, values

K = tf.keras.backend
VALUES = numbers("keras")


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_as_recorded(name):
    assert_as_recorded(VALUES, name, values(tf, name), rtol=2e-5, atol=2e-6)


def test_facts():
    x = K.placeholder((None, 3), name="x")
    assert K.int_shape(x) == (None, 3) and K.ndim(x) == 2 and K.dtype(x) == "float32" and x.op.name == "x"
    assert K.ndim(K.placeholder(ndim=4)) == 4 and K.is_sparse(K.placeholder((2, 2), sparse=True)) and not K.is_sparse(x)
    assert K.int_shape(tf.placeholder(tf.float32)) is None and K.backend() == "tensorflow"
    assert K.cast_to_floatx(np.arange(2)).dtype == np.float32 and K.cast_to_floatx(tf.constant(1)).dtype == tf.float32
    assert K.count_params(K.zeros((2, 3))) == 6


@pytest.mark.parametrize("function, shape", [
    (lambda x: K.dot(x, tf.fill([3, 2], 0.5)), [4, 3]),
    (lambda x: K.bias_add(x, tf.constant([1.0, 2.0, 3.0])), [4, 2, 3]),
    (lambda x: K.bias_add(x, tf.constant([1.0, 2.0]), "channels_first"), [4, 2, 3, 1]),
    (lambda x: K.batch_normalization(x, tf.constant([1.0, 2.0, 3.0]), tf.fill([3], 4.0), None, None), [4, 2, 3]),
    (K.batch_flatten, [4, 2, 3]),
    (lambda x: K.conv1d(x, tf.fill([2, 3, 2], 0.5), padding="causal"), [4, 5, 3]),
    (lambda x: K.conv2d(x, tf.fill([2, 2, 3, 2], 0.5)), [4, 5, 5, 3]),
])
def test_unknown_ranks(function, shape, session):
    value = np.random.RandomState(0).rand(*shape).astype("float32")
    x = tf.placeholder(tf.float32)
    np.testing.assert_array_equal(*session.run([function(x), function(tf.constant(value))], {x: value}))


def test_a_bias_that_needs_a_rank():
    with pytest.raises(ValueError, match="with inputs of rank None it may have 1$"):
        K.bias_add(tf.placeholder(tf.float32), tf.zeros([2, 3]))


def test_settings():
    assert K.floatx() == "float32" and K.epsilon() == 1e-7 and K.image_data_format() == "channels_last"
    K.set_floatx("float64")
    K.set_epsilon(1e-3)
    try:
        assert K.constant(1.0).dtype == tf.float64 and K.epsilon() == 1e-3
        assert tf.keras.layers.Embedding(2, 3).dtype == "float64"
    finally:
        K.set_floatx("float32")
        K.set_epsilon(1e-7)
    for bad in (lambda: K.set_floatx("int32"), lambda: K.set_image_data_format("x")):
        with pytest.raises(ValueError):
            bad()


def test_variables():
    v = K.variable([1.0, 2.0], name="v", constraint=tf.keras.constraints.NonNeg())
    assert v.op.name == "v" and K.get_value(v).tolist() == [1.0, 2.0] and v.constraint is not None
    K.get_session().run(K.update(v, [3.0, 4.0]))
    K.get_session().run(K.update_add(v, [1.0, 1.0]))
    K.get_session().run(K.update_sub(v, [0.5, 0.5]))
    assert K.eval(v).tolist() == [3.5, 4.5]
    K.batch_set_value([(v, [0.0, 1.0])])
    several = [each.tolist() for each in K.batch_get_value([v, K.ones((2,)), K.eye(2)])]
    assert several == [[0, 1], [1, 1], [[1, 0], [0, 1]]]
    rows = K.switch(tf.constant([True, False]), tf.ones([2, 3]), tf.zeros([2, 3]))
    assert K.eval(rows).tolist() == [[1] * 3, [0] * 3]
    assert K.eval(K.gradients(K.sum(v * v), [v])[0]).tolist() == [0.0, 2.0]
    assert tf.gradients(K.stop_gradient([v * 2.0])[0], v) == [None]
    average = K.zeros((1,))
    update = K.moving_average_update(average, tf.constant([4.0]), 0.9)
    K.get_session().run(update)
    np.testing.assert_allclose(K.eval(average), [4.0], rtol=1e-5)


def test_function():
    x, v = K.placeholder((2,)), K.variable(1.0)
    double = K.function([x], [x * 2.0 * v], updates=[(v, v + 1.0)])
    assert double([np.ones(2)])[0].tolist() == [2.0, 2.0]
    assert K.get_value(v) == 2.0 and double([np.ones(2)])[0].tolist() == [4.0, 4.0]
    with pytest.raises(ValueError):
        double([1, 2])
    with pytest.raises(ValueError, match="Invalid argument"):
        K.function([x], [x], trace=1)


def test_function_passes_on_what_session_run_takes():
    x, other, v = K.placeholder(()), K.placeholder(()), K.variable(0.0)
    feeds, metadata, seen = {other: 3.0}, tf.RunMetadata(), []
    sums = K.function([x], {"sum": x + other}, fetches=[K.update(v, x)], feed_dict=feeds,
                      options=tf.RunOptions(output_partition_graphs=True), run_metadata=metadata)
    sums.fetches.append(x * other)
    sums.fetch_callbacks[sums.fetches[-1]] = seen.append
    assert sums([4.0]) == {"sum": 7.0} and K.get_value(v) == 4.0 and seen == [12.0]
    assert len(metadata.partition_graphs) > 0
    feeds[other] = 1.0
    assert sums([K.constant(5.0, dtype="float64")]) == {"sum": 6.0}


def test_random():
    drawn = K.get_session().run([K.random_normal((1000,), 1.0, 0.5), K.random_uniform((1000,), 2.0, 3.0),
                                 K.truncated_normal((1000,)), K.random_binomial((1000,), 0.25),
                                 K.dropout(tf.ones([1000]), 0.25), K.random_normal((3,), seed=5)])
    assert abs(drawn[0].mean() - 1) < 0.1 and 2 <= drawn[1].min() and drawn[1].max() < 3 and abs(drawn[2]).max() <= 2
    assert 0.2 < drawn[3].mean() < 0.3 and 0.7 < (drawn[4] > 0).mean() < 0.8
    np.testing.assert_array_equal(drawn[5], K.eval(tf.random_normal([3], seed=5)))
    assert K.eval(K.random_uniform_variable((2,), 5.0, 6.0)).min() >= 5
    assert K.eval(K.random_normal_variable((200,), 5.0, 0.1)).mean() == pytest.approx(5, abs=0.1)


def test_names_and_sessions():
    assert K.get_uid("a") == 1 and K.get_uid("a") == 2
    K.reset_uids()
    assert K.get_uid("a") == 1
    with tf.Session() as session:
        assert K.get_session() is session
    own = tf.Session()
    K.set_session(own)
    assert K.get_session() is own
    v = tf.Variable(1.0)
    K.manual_variable_initialization(True)
    try:
        with pytest.raises(tf.errors.FailedPreconditionError):
            K.eval(v)
    finally:
        K.manual_variable_initialization(False)
    assert K.eval(v) == 1.0


def test_losses_by_name():
    losses = tf.keras.losses
    assert losses.get("mse") is losses.mean_squared_error and losses.get(None) is None
    assert losses.serialize(losses.get("MAE")) == "mean_absolute_error" and losses.get(losses.hinge) is losses.hinge
    for bad in ("x", 3):
        with pytest.raises(ValueError):
            losses.get(bad)


def test_utilities_and_metrics():
    one_hot = tf.keras.utils.to_categorical([[2], [0]], 4)
    assert one_hot.tolist() == [[0, 0, 1, 0], [1, 0, 0, 0]] and one_hot.dtype == np.float32
    assert tf.keras.utils.to_categorical([1, 0], dtype="int32").tolist() == [[0, 1], [1, 0]]
    np.testing.assert_allclose(tf.keras.utils.normalize(np.array([[3.0, 4.0]])), [[0.6, 0.8]])
    metrics = tf.keras.metrics
    guesses = tf.constant([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3]])
    values = [metrics.binary_accuracy([[0, 1, 1], [0, 0, 0]], guesses),
              metrics.categorical_accuracy(np.eye(3)[[1, 2]], guesses),
              metrics.sparse_categorical_accuracy([[1], [2]], guesses),
              metrics.top_k_categorical_accuracy(np.eye(3)[[1, 2]], guesses, 2),
              metrics.sparse_top_k_categorical_accuracy([0, 2], guesses, 2)]
    wanted = [[2 / 3, 1.0], [1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    for value, right in zip(K.get_session().run(values), wanted):
        np.testing.assert_allclose(value, right, rtol=1e-6)


def test_losses_as_classes():
    losses = tf.keras.losses

    class Own(losses.Loss):
        def call(self, y_true, y_pred):
            return tf.reduce_sum(tf.abs(y_true - y_pred), axis=-1)

    assert K.eval(Own("sum")(tf.zeros([2, 3]), tf.ones([2, 3]))) == 6.0
    assert K.eval(Own()(tf.zeros([0, 3]), tf.ones([0, 3]))) == 0.0
    smoothed = losses.BinaryCrossentropy(label_smoothing=0.1)
    assert losses.BinaryCrossentropy.from_config(smoothed.get_config()).label_smoothing == 0.1
    with pytest.raises(ValueError):
        losses.Huber(reduction="x")
    with pytest.raises(NotImplementedError):
        losses.Loss()(1.0, 2.0)


@pytest.mark.parametrize("labels", [[2, 3], [2, 1, 3], [2, 3, 1]])
def test_sparse_labels_may_have_an_axis_of_one_anywhere(labels, session):
    backend, numbers = tf.keras.backend, np.random.RandomState(0)
    scores, classes = numbers.rand(2, 4, 3).astype("float32"), numbers.randint(0, 4, labels).astype("float32")
    loss = backend.sparse_categorical_crossentropy(
        tf.placeholder_with_default(classes, [None] * len(labels)),
        tf.placeholder_with_default(scores, [None, None, None]), axis=1)
    chosen = np.take_along_axis(scores, classes.reshape(2, 1, 3).astype(int), 1)[:, 0]
    np.testing.assert_allclose(session.run(loss), np.log(scores.sum(1) / chosen), rtol=1e-5)
