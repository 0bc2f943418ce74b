"""Each layer has TensorFlow's variables, numbers, gradients, moving averages and nodes; and its errors."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.nodes import as_in_1_15
from tests.harness.recorded import assert_as_recorded, numbers, texts
from tests.harness.session import evaluated
from tests.layers.programs import PROGRAMS, SAME_NODES, recorded

VALUES, TEXTS = numbers("layers"), texts("layers")


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_recorded(name):
    nodes, described, values = recorded(tf, name)
    wanted_described, wanted_nodes = TEXTS[name]
    assert described == wanted_described
    assert_as_recorded(VALUES, name, values, rtol=2e-5, atol=2e-5)
    if name in SAME_NODES:
        assert nodes == as_in_1_15(wanted_nodes)


# ---- layouts

def image(*shape):
    return np.sin(np.arange(np.prod(shape)) * 1.3).reshape(shape).astype(np.float32)


def moved(x):
    """Channels last to channels first."""
    return np.moveaxis(x, -1, 1)


@pytest.mark.parametrize("function, shape, arguments", [
    ("conv1d", (2, 7, 3), (2, 3)), ("conv2d", (2, 5, 6, 3), (2, 3)), ("conv3d", (2, 4, 4, 5, 3), (2, 2)),
    ("separable_conv1d", (2, 7, 3), (2, 3)), ("separable_conv2d", (2, 5, 6, 3), (2, 3)),
    ("conv2d_transpose", (2, 3, 4, 3), (2, 3, 2)), ("conv3d_transpose", (2, 2, 3, 4, 3), (2, 3, 2)),
    ("max_pooling1d", (2, 7, 3), (2, 2)), ("average_pooling2d", (2, 5, 6, 3), (2, 2)),
    ("max_pooling3d", (2, 4, 4, 5, 3), (2, 2)), ("average_pooling3d", (2, 4, 4, 5, 3), (2, 2)),
])
def test_channels_first(function, shape, arguments):
    make = getattr(tf.layers, function)
    sharing = {} if "pooling" in function else {"reuse": tf.AUTO_REUSE, "name": "layer",
                                                "bias_initializer": tf.ones_initializer()}
    x = image(*shape)
    last = make(tf.constant(x), *arguments, **sharing)
    first = make(tf.constant(moved(x)), *arguments, data_format="channels_first", **sharing)
    assert first.shape.as_list() == list(moved(np.zeros(last.shape.as_list())).shape)
    last, first = evaluated([last, first])
    np.testing.assert_allclose(first, moved(last), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("layer, shape, wanted", [
    (tf.layers.Conv1D(4, 3), [None, 7, 2], [None, 5, 4]),
    (tf.layers.Conv2D(4, 3, strides=2, padding="same", data_format="channels_first"), [1, 2, 7, None], [1, 4, 4, None]),
    (tf.layers.Conv2D(4, 3, dilation_rate=2), [1, 9, 9, 2], [1, 5, 5, 4]),
    (tf.layers.Conv3D(4, 2), [1, 5, 6, 7, 2], [1, 4, 5, 6, 4]),
    (tf.layers.SeparableConv1D(4, 3), [None, 7, 2], [None, 5, 4]),
    (tf.layers.SeparableConv2D(4, 3, padding="same"), [1, 7, 7, 2], [1, 7, 7, 4]),
    (tf.layers.Conv2DTranspose(4, 3, strides=2), [1, 5, 6, 2], [1, 11, 13, 4]),
    (tf.layers.Conv3DTranspose(4, 2, strides=3, padding="same"), [1, 2, 3, 4, 2], [1, 6, 9, 12, 4]),
    (tf.layers.MaxPooling2D(2, 2), [1, 5, 6, 3], [1, 2, 3, 3]),
    (tf.layers.AveragePooling1D(2, 1, padding="same"), [1, 5, 3], [1, 5, 3]),
    (tf.layers.Dense(4), [1, 5, 3], [1, 5, 4]), (tf.layers.Flatten(), [None, 2, 3], [None, 6]),
    (tf.layers.BatchNormalization(), [None, 3], [None, 3]), (tf.layers.Dropout(), [None, 3], [None, 3]),
])
def test_output_shapes(layer, shape, wanted):
    assert layer.compute_output_shape(shape).as_list() == wanted
    x = tf.placeholder(tf.float32, shape)
    assert type(layer).from_config(layer.get_config())(x).shape.as_list() == wanted


def test_shapes_known_only_when_it_runs():
    x = tf.placeholder(tf.float32, [None, None, None, 2])
    y = tf.layers.conv2d_transpose(tf.layers.conv2d(x, 3, 3), 2, 3, strides=2, padding="same")
    y = tf.layers.batch_normalization(tf.layers.max_pooling2d(y, 2, 2), training=True)
    assert evaluated(y, {x: image(2, 6, 5, 2)}).shape == (2, 4, 3, 2)
    sequence = tf.placeholder(tf.float32, [None, None, 3])
    assert evaluated(tf.layers.dense(sequence, 2), {sequence: image(4, 5, 3)}).shape == (4, 5, 2)


# ---- wrong arguments

@pytest.mark.parametrize("make, match", [
    (lambda: tf.layers.Conv2D(2, 3, data_format="channels_middle"), "data_format"),
    (lambda: tf.layers.Conv2D(2, 3, padding="causal"), "padding"),
    (lambda: tf.layers.Conv2D(2, (1, 2, 3)), "kernel_size"), (lambda: tf.layers.Conv2D(2, None), "kernel_size"),
    (lambda: tf.layers.Conv2D(2, 3, strides=(1, 2, 3)), "strides"),
    (lambda: tf.layers.Conv2D(2, 3, strides=None), "strides"), (lambda: tf.layers.Conv2D(2, (1, "x")), "kernel_size"),
    (lambda: tf.layers.MaxPooling2D(2, None), "strides"), (lambda: tf.layers.MaxPooling2D(None, 2), "pool_size"),
    (lambda: tf.layers.conv2d(tf.placeholder(tf.float32, [1, 4, 4, None]), 2, 3), "channel dimension"),
    (lambda: tf.layers.conv2d(tf.zeros([1, 4, 4]), 2, 3), "expected ndim=4"),
    (lambda: tf.layers.BatchNormalization(renorm=True, renorm_clipping={"rmix": 1.0}), "renorm_clipping"),
    (lambda: tf.layers.batch_normalization(tf.zeros([2, 3]), axis=2), "Invalid axis"),
    (lambda: tf.layers.batch_normalization(tf.zeros([2, 3]), axis=[1, -1]), "Duplicate axis"),
    (lambda: tf.layers.batch_normalization(tf.zeros([2, 3]), virtual_batch_size=0), "virtual_batch_size"),
    (lambda: tf.layers.batch_normalization(tf.placeholder(tf.float32, [2, None])), "undefined `axis` dimension"),
    (lambda: tf.layers.batch_normalization(tf.placeholder(tf.float32)), "undefined rank"),
])
def test_wrong_arguments(make, match):
    with pytest.raises(ValueError, match=match):
        make()


# ---- batch normalization

def test_updates_of_batch_normalization():
    x = tf.placeholder(tf.float32, [4, 3])
    training = tf.placeholder(tf.bool, [])
    layer = tf.layers.BatchNormalization(momentum=0.5)
    layer(x, training=training)
    assert layer.updates == tf.get_collection(tf.GraphKeys.UPDATE_OPS) == layer.get_updates_for(x)
    assert [v.op.name for v in layer.variables] == [
        f"batch_normalization/{name}" for name in ("gamma", "beta", "moving_mean", "moving_variance")]
    assert [v.op.name for v in tf.trainable_variables()] == ["batch_normalization/gamma", "batch_normalization/beta"]
    value = image(4, 3)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(layer.updates, {x: value, training: False})
        np.testing.assert_array_equal(session.run(layer.moving_mean), np.zeros(3))
        session.run(layer.updates, {x: value, training: True})
        np.testing.assert_allclose(session.run(layer.moving_mean), value.mean(0) / 2, rtol=1e-6)
        np.testing.assert_allclose(session.run(layer.moving_variance), (1 + value.var(0)) / 2, rtol=1e-6)


def test_nothing_to_update():
    tf.layers.batch_normalization(tf.zeros([2, 3]))
    tf.layers.batch_normalization(tf.zeros([2, 3]), training=True, trainable=False)
    assert tf.get_collection(tf.GraphKeys.UPDATE_OPS) == []


def test_half_precision():
    x = tf.constant(image(4, 2, 2, 3).astype(np.float16))
    for fused in (True, False):
        layer = tf.layers.BatchNormalization(fused=fused)
        y = layer(x, training=True)
        assert y.dtype is tf.float16 and {v.dtype.base_dtype for v in layer.variables} == {tf.float32}
        np.testing.assert_allclose(evaluated(y).astype(np.float32).mean((0, 1, 2)), np.zeros(3), atol=2e-3)


def test_partitioned_scope_keeps_moving_averages_whole():
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        layer = tf.layers.BatchNormalization()
        layer(tf.zeros([2, 4]), training=True)
    assert [v.op.name for v in layer.non_trainable_variables] == [
        "p/batch_normalization/moving_mean", "p/batch_normalization/moving_variance"]
    assert len(layer.trainable_variables) == 4


def test_training_step():
    x, labels = tf.placeholder(tf.float32, [None, 8, 8, 1]), tf.placeholder(tf.int64, [None])
    y = tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu)
    y = tf.layers.max_pooling2d(tf.layers.batch_normalization(y, training=True), 2, 2)
    logits = tf.layers.dense(tf.layers.flatten(y), 2)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.AdamOptimizer(0.05).minimize(loss)
    images = np.random.RandomState(0).randn(32, 8, 8, 1).astype(np.float32)
    feeds = {x: images, labels: (images.mean((1, 2, 3)) > 0).astype(np.int64)}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = session.run(loss, feeds)
        for _ in range(30):
            session.run(train, feeds)
        assert session.run(loss, feeds) < 0.2 * first
        assert np.abs(session.run(tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, ".*moving_mean")[0])).max() > 0.01


# ---- layers of Keras' style

def test_keras_style():
    x = tf.zeros([1, 3])
    with tf.layers.experimental.keras_style_scope():
        first, second = tf.layers.Dense(2, name="d"), tf.layers.Dense(2, name="d")
        with pytest.raises(ValueError, match="take no scope"):
            tf.layers.dense(x, 2, name="e")
        with pytest.raises(ValueError, match="take no reuse"):
            tf.layers.dense(x, 2, reuse=True)
        normal = tf.layers.BatchNormalization()
    with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
        second(x), first(x), first(x)
        normal(x, training=True)
    with pytest.raises(ValueError, match="take no scope"):
        first(x, scope="other")
    assert [v.op.name for v in second.variables + first.variables] == [
        "s/d/kernel", "s/d/bias", "s/d_1/kernel", "s/d_1/bias"]
    assert first.get_output_at(1).op.name == "s/d_2/BiasAdd" and first.kernel.handle is not None
    assert len(normal.updates) == 2 and tf.get_collection(tf.GraphKeys.UPDATE_OPS) == []
    assert tf.layers.dense(x, 2, name="again").op.name == "again/BiasAdd"


def test_a_transposed_convolution_with_the_sizes_of_its_input():
    x = tf.zeros([5, 7, 9, 2])
    assert tf.layers.conv2d_transpose(x, 4, x.shape[1:3], padding="same").shape.as_list() == [5, 7, 9, 4]


@pytest.mark.parametrize("make, shape", [
    (lambda: tf.layers.Dense(3), [2, 4]), (lambda: tf.layers.Dense(3, dtype=tf.float64), [2, 4]),
    (lambda: tf.keras.layers.Dense(3), [2, 4]), (lambda: tf.layers.Conv2D(3, 1), [2, 1, 1, 4]),
    (lambda: tf.layers.BatchNormalization(), [2, 3])])
def test_a_layer_built_before_its_first_call(make, shape):
    layer = make()
    layer.build([None, *shape[1:]])
    built = [v.name for v in tf.global_variables()]
    assert layer(tf.zeros(shape, layer.dtype)).shape.as_list() == [*shape[:-1], 3]
    assert [v.name for v in tf.global_variables()] == built and {v.dtype.base_dtype for v in layer.weights} == {
        tf.as_dtype(layer.dtype)}
