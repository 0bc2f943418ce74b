"""tf.contrib.layers: names, collections, sharing, and numbers that NumPy agrees with."""

import numpy as np
import pytest

import evergraph as tf

layers = tf.contrib.layers
IMAGES = np.sin(np.arange(2 * 6 * 5 * 4) * 1.3).reshape(2, 6, 5, 4).astype(np.float32)


def evaluated(*outputs, times=1):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(times):
            values = session.run(outputs)
    return values[0] if len(values) == 1 else values


def names(variables=None):
    return [v.op.name for v in (tf.global_variables() if variables is None else variables)]


def ramp(shape, dtype=None, partition_info=None):
    return tf.constant(np.sin(np.arange(int(np.prod(shape))) * 1.7).reshape(shape), tf.float32)


# ---- dense

def test_fully_connected():
    x = tf.constant(IMAGES[0, :, :, 0])
    with tf.variable_scope("net"):
        y = layers.fully_connected(x, 3, weights_initializer=ramp, biases_initializer=tf.constant_initializer(0.5),
                                   outputs_collections="ends", variables_collections={"weights": ["w"]},
                                   weights_regularizer=layers.l2_regularizer(0.1))
        again = layers.linear(y, 2)
    assert y.op.name == "net/fully_connected/Relu" and again.op.name == "net/fully_connected_1/BiasAdd"
    assert names() == ["net/fully_connected/weights", "net/fully_connected/biases", "net/fully_connected_1/weights",
                       "net/fully_connected_1/biases"] == names(tf.model_variables())
    assert names(tf.get_collection("w")) == ["net/fully_connected/weights"]
    assert layers.utils.convert_collection_to_dict("ends") == {"net/fully_connected": y}
    assert [loss.op.name for loss in tf.losses.get_regularization_losses()] == \
        ["net/fully_connected/kernel/Regularizer/l2_regularizer"]
    kernel = np.sin(np.arange(15) * 1.7).reshape(5, 3)
    value, loss = evaluated(y, tf.losses.get_regularization_loss())
    np.testing.assert_allclose(value, np.maximum(IMAGES[0, :, :, 0] @ kernel + 0.5, 0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(loss, 0.05 * (kernel ** 2).sum(), rtol=1e-5)


def test_sharing():
    x = tf.constant(IMAGES[0, :, :, 0])
    first = layers.fully_connected(x, 3, scope="fc", weights_regularizer=layers.l2_regularizer(0.1))
    second = layers.fully_connected(x, 3, scope="fc", reuse=True, weights_regularizer=layers.l2_regularizer(0.1))
    assert names() == ["fc/weights", "fc/biases"] and len(tf.losses.get_regularization_losses()) == 1
    assert second.op.name == "fc_1/Relu"
    np.testing.assert_array_equal(*evaluated(first, second))
    with pytest.raises(ValueError, match="already exists"):
        layers.fully_connected(x, 3, scope="fc")
    with pytest.raises(ValueError, match="int"):
        layers.fully_connected(x, 3.5)


def test_normalizer_takes_the_place_of_biases():
    x = tf.constant(IMAGES)
    with tf.contrib.framework.arg_scope([layers.conv2d], normalizer_fn=layers.batch_norm,
                                        normalizer_params={"scale": True, "decay": 0.9}):
        y = layers.conv2d(x, 3, 2, scope="c", activation_fn=tf.nn.relu6)
    assert y.op.type == "Relu6"
    assert names() == ["c/weights", "c/BatchNorm/gamma", "c/BatchNorm/beta", "c/BatchNorm/moving_mean",
                       "c/BatchNorm/moving_variance"]


def test_one_after_the_other():
    x = tf.constant(IMAGES)
    assert layers.repeat(x, 2, layers.conv2d, 3, 2).op.name == "Repeat/convolution2d_2/Relu"
    assert layers.repeat(x, 2, layers.conv2d, 3, 2, scope="r").op.name == "r/r_2/Relu"
    flat = layers.flatten(x)
    assert flat.shape.as_list() == [2, 120]
    assert layers.stack(flat, layers.relu, [3, 4]).op.name == "Stack/fully_connected_2/Relu"
    y = layers.stack(x, layers.conv2d, [(3, [1, 1]), (4, [2, 2])], scope="s", padding="VALID")
    assert y.op.name == "s/s_2/Relu" and y.shape.as_list() == [2, 5, 4, 4]


def test_bias_add():
    y = layers.bias_add(tf.constant(IMAGES), initializer=ramp, activation_fn=tf.tanh)
    assert names() == ["BiasAdd/biases"]
    np.testing.assert_allclose(evaluated(y), np.tanh(IMAGES + np.sin(np.arange(4) * 1.7)), rtol=1e-5)


# ---- convolutions and pooling

def convolved(x, kernel):
    """Without padding, by the definition."""
    height, width = kernel.shape[:2]
    rows, columns = x.shape[1] - height + 1, x.shape[2] - width + 1
    windows = [[np.tensordot(x[:, i:i + height, j:j + width], kernel, 3) for j in range(columns)] for i in range(rows)]
    return np.moveaxis(np.array(windows), 2, 0)


def test_conv2d():
    y = layers.conv2d(tf.constant(IMAGES), 3, [2, 3], padding="VALID", activation_fn=None, weights_initializer=ramp)
    kernel = np.sin(np.arange(72) * 1.7).reshape(2, 3, 4, 3)
    np.testing.assert_allclose(evaluated(y), convolved(IMAGES, kernel), rtol=1e-4, atol=1e-5)
    assert names() == ["Conv/weights", "Conv/biases"] and y.op.name == "Conv/BiasAdd"
    assert layers.conv2d is layers.convolution2d and tf.contrib.slim.conv2d is layers.conv2d
    with pytest.raises(ValueError, match="input with rank 5, got 4"):
        layers.conv3d(tf.constant(IMAGES), 3, 2)
    with pytest.raises(ValueError, match="data_format"):
        layers.conv2d(tf.constant(IMAGES), 3, 2, data_format="HWCN")


def test_conv_of_other_ranks():
    assert layers.conv1d(tf.zeros([2, 8, 3]), 5, 3, stride=2).shape.as_list() == [2, 4, 5]
    assert layers.conv3d(tf.zeros([2, 8, 6, 4, 3]), 5, 3, rate=2).shape.as_list() == [2, 8, 6, 4, 5]
    y = layers.conv2d(tf.zeros([2, 3, 8, 6]), 5, 3, stride=[2, 1], data_format="NCHW")
    assert y.shape.as_list() == [2, 5, 4, 6]


def test_transposed():
    y = layers.conv2d_transpose(tf.constant(IMAGES), 3, 3, stride=2)
    assert y.op.name == "Conv2d_transpose/Relu" and y.shape.as_list() == [2, 12, 10, 3]
    z = layers.conv3d_transpose(tf.zeros([1, 2, 3, 4, 5]), 3, 3, stride=2, padding="VALID")
    assert z.op.name == "Conv3d_transpose/Relu" and z.shape.as_list() == [1, 5, 7, 9, 3]
    assert names() == ["Conv2d_transpose/weights", "Conv2d_transpose/biases", "Conv3d_transpose/weights",
                       "Conv3d_transpose/biases"]


def test_separable():
    x = tf.constant(IMAGES)
    y = layers.separable_conv2d(x, 6, 2, 2, scope="both", activation_fn=None, weights_initializer=ramp, padding="VALID")
    z = layers.separable_conv2d(x, None, 2, 2, scope="deep", activation_fn=None, weights_initializer=ramp,
                                padding="VALID")
    assert names() == ["both/depthwise_weights", "both/pointwise_weights", "both/biases", "deep/depthwise_weights",
                       "deep/biases"]
    kernel = np.sin(np.arange(32) * 1.7).reshape(2, 2, 4, 2)
    deep = np.concatenate([convolved(IMAGES[..., c:c + 1], kernel[:, :, c:c + 1]) for c in range(4)], -1)
    both, alone = evaluated(y, z)
    np.testing.assert_allclose(alone, deep, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(both, deep @ np.sin(np.arange(48) * 1.7).reshape(8, 6), rtol=1e-4, atol=1e-4)


def test_in_plane():
    y = layers.conv2d_in_plane(tf.constant(IMAGES), [1, 2], padding="VALID", activation_fn=None,
                               weights_initializer=tf.constant_initializer([1.0, -1.0]))
    np.testing.assert_allclose(evaluated(y), IMAGES[:, :, :-1] - IMAGES[:, :, 1:], rtol=1e-5, atol=1e-6)


def test_pooling():
    x = tf.constant(IMAGES)
    largest, mean = layers.max_pool2d(x, 2, outputs_collections="ends"), layers.avg_pool2d(x, [6, 5], scope="p")
    assert largest.op.name == "MaxPool2D/MaxPool" and mean.op.name == "p/AvgPool"
    assert list(layers.utils.convert_collection_to_dict("ends", clear_collection=True)) == ["MaxPool2D"]
    assert tf.get_collection("ends") == []
    large, average = evaluated(largest, mean)
    np.testing.assert_array_equal(large, IMAGES[:, :, :4].reshape(2, 3, 2, 2, 2, 4).max((2, 4)))
    np.testing.assert_allclose(average, IMAGES.mean((1, 2), keepdims=True), rtol=1e-5, atol=1e-6)
    assert layers.pool(x, 2, "AVG").op.name == "avg_pool"
    assert layers.max_pool3d(tf.zeros([1, 4, 4, 4, 2]), 2).shape.as_list() == [1, 2, 2, 2, 2]
    with pytest.raises(ValueError, match="data_format"):
        layers.max_pool2d(x, 2, data_format="HWCN")


# ---- batch_norm

def normalized(x, axes, epsilon):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("collections", ["mine", None, tf.GraphKeys.UPDATE_OPS])
def test_batch_norm(fused, collections):
    x = tf.constant(IMAGES)
    y = layers.batch_norm(x, decay=0.75, scale=True, fused=fused, updates_collections=collections)
    assert {"BatchNorm/gamma", "BatchNorm/beta", "BatchNorm/moving_mean", "BatchNorm/moving_variance"} == set(names())
    assert names(tf.trainable_variables()) in (["BatchNorm/gamma", "BatchNorm/beta"],
                                               ["BatchNorm/beta", "BatchNorm/gamma"])
    assert set(tf.model_variables()) == set(tf.global_variables())
    updates = [] if collections is None else tf.get_collection(collections)
    assert len(updates) == (0 if collections is None else 2)
    moving = [v for v in tf.global_variables() if "moving" in v.name]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        value, _ = session.run([y, updates])
        mean, variance = session.run(moving)
    np.testing.assert_allclose(value, normalized(IMAGES, (0, 1, 2), 1e-3), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(mean, 0.25 * IMAGES.mean((0, 1, 2)), rtol=1e-4, atol=1e-6)
    correction = 60 / 59 if fused else 1
    np.testing.assert_allclose(variance, 0.75 + 0.25 * IMAGES.var((0, 1, 2)) * correction, rtol=1e-5)


def test_batch_norm_in_training_and_out():
    training = tf.placeholder_with_default(False, [])
    x = tf.constant(IMAGES[:, :, 0, 0])
    y = layers.batch_norm(x, decay=0.5, is_training=training, updates_collections=None)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(y), IMAGES[:, :, 0, 0] / np.sqrt(1.001), rtol=1e-5)
        trained = session.run(y, {training: True})
        np.testing.assert_allclose(trained, normalized(IMAGES[:, :, 0, 0], 0, 1e-3), rtol=1e-4, atol=1e-5)
        mean, variance = 0.5 * IMAGES[:, :, 0, 0].mean(0), 0.5 + 0.5 * IMAGES[:, :, 0, 0].var(0) * 2
        np.testing.assert_allclose(session.run(y), (IMAGES[:, :, 0, 0] - mean) / np.sqrt(variance + 1e-3), rtol=1e-4)


def test_batch_norm_of_weighted_examples_and_channels_first():
    first = np.moveaxis(IMAGES, 3, 1).copy()
    y = layers.batch_norm(tf.constant(first), data_format="NCHW", fused=False, updates_collections=None)
    z = layers.batch_norm(tf.constant(IMAGES), batch_weights=tf.constant([1.0, 0.0]), scope="z")
    value, weighted = evaluated(y, z)
    np.testing.assert_allclose(value, normalized(first, (0, 2, 3), 1e-3), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(weighted[0], normalized(IMAGES[:1], (0, 1, 2), 1e-3)[0], rtol=1e-4, atol=1e-5)


def test_zero_debias():
    y = layers.batch_norm(tf.constant(IMAGES), decay=0.9, zero_debias_moving_mean=True, updates_collections=None)
    mean = tf.contrib.framework.get_variables("BatchNorm/moving_mean")[0]
    assert "BatchNorm/BatchNorm/moving_mean/biased" in names()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(y)
        np.testing.assert_allclose(session.run(mean), IMAGES.mean((0, 1, 2)), rtol=1e-4, atol=1e-6)


def test_batch_norm_refuses():
    for inputs, options, message in [(tf.zeros([2, 3]), {"data_format": "HWCN"}, "data_format"),
                                     (tf.placeholder(tf.float32), {"updates_collections": None}, "undefined"),
                                     (tf.zeros([2, 3]), {"renorm": True, "updates_collections": None}, "renorm")]:
        with pytest.raises(ValueError, match=message):
            layers.batch_norm(inputs, **options)


# ---- other normalizations

def test_layer_norm():
    x = tf.constant(IMAGES)
    y, last = layers.layer_norm(x), layers.layer_norm(x, begin_norm_axis=-1, scale=False, scope="last")
    assert names() == ["LayerNorm/beta", "LayerNorm/gamma", "last/beta"]
    value, by_last = evaluated(y, last)
    np.testing.assert_allclose(value, normalized(IMAGES, (1, 2, 3), 1e-12), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(by_last, normalized(IMAGES, 3, 1e-12), rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="rank"):
        layers.layer_norm(x, begin_norm_axis=4)


def test_instance_and_group_norm():
    x, first = tf.constant(IMAGES), tf.constant(np.moveaxis(IMAGES, 3, 1).copy())
    instance = layers.instance_norm(first, data_format="NCHW", param_initializers={"beta": ramp})
    groups = layers.group_norm(x, 2)
    close = layers.group_norm(x, 2, mean_close_to_zero=True, scope="close")
    assert names()[:4] == ["InstanceNorm/beta", "InstanceNorm/gamma", "GroupNorm/beta", "GroupNorm/gamma"]
    one, two, three = evaluated(instance, groups, close)
    beta = np.sin(np.arange(4) * 1.7)[:, None, None]
    np.testing.assert_allclose(one, normalized(np.moveaxis(IMAGES, 3, 1), (2, 3), 1e-6) + beta, rtol=1e-4, atol=1e-4)
    wanted = normalized(IMAGES.reshape(2, 6, 5, 2, 2), (1, 2, 4), 1e-6).reshape(IMAGES.shape)
    np.testing.assert_allclose(two, wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(three, wanted, rtol=1e-3, atol=1e-4)
    with pytest.raises(ValueError, match="do not divide"):
        layers.group_norm(x, 3)


def test_lengths():
    x = tf.constant(IMAGES)
    unit, ball = evaluated(layers.unit_norm(x, 2), layers.poincare_normalize(x, 3))
    np.testing.assert_allclose((unit ** 2).sum(2), 1, rtol=1e-4)
    lengths = np.linalg.norm(IMAGES, axis=3, keepdims=True)
    np.testing.assert_allclose(ball, IMAGES * np.minimum((1 - 1e-5) / lengths, 1), rtol=1e-5)


# ---- without weights

def test_dropout():
    x = tf.ones([40, 50])
    kept, still = evaluated(layers.dropout(x, 0.8, seed=3), layers.dropout(x, 0.8, is_training=False))
    assert set(np.unique(kept)) == {0, np.float32(1.25)} and 0.75 < (kept > 0).mean() < 0.85
    np.testing.assert_array_equal(still, np.ones([40, 50]))


def test_encodings():
    np.testing.assert_array_equal(evaluated(layers.one_hot_encoding([2, 0], 3)), [[0, 0, 1], [1, 0, 0]])
    sparse = layers.dense_to_sparse(tf.constant([[3, 0], [0, 5]]))
    indices, values, shape = evaluated(sparse.indices, sparse.values, sparse.dense_shape)
    assert indices.tolist() == [[0, 0], [1, 1]] and values.tolist() == [3, 5] and shape.tolist() == [2, 2]


def test_softmax():
    power = np.exp(IMAGES)
    np.testing.assert_allclose(evaluated(layers.softmax(tf.constant(IMAGES))), power / power.sum(-1, keepdims=True),
                               rtol=1e-5)


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_spatial_softmax(data_format):
    x = IMAGES if data_format == "NHWC" else np.moveaxis(IMAGES, 3, 1).copy()
    y = layers.spatial_softmax(tf.constant(x), data_format=data_format)
    assert names() == ["spatial_softmax/temperature"]
    weights = np.exp(IMAGES) / np.exp(IMAGES).sum((1, 2), keepdims=True)
    rows = (weights * np.linspace(-1, 1, 6)[:, None, None]).sum((1, 2))
    columns = (weights * np.linspace(-1, 1, 5)[:, None]).sum((1, 2))
    np.testing.assert_allclose(evaluated(y), np.stack([rows, columns], -1).reshape(2, 8), rtol=1e-4, atol=1e-5)


def test_sequences_maxout_and_gradients():
    x = tf.constant(IMAGES)
    sequence = layers.images_to_sequence(x)
    assert sequence.shape.as_list() == [5, 12, 4]
    np.testing.assert_array_equal(evaluated(layers.sequence_to_images(sequence, 6)), IMAGES)
    np.testing.assert_array_equal(evaluated(layers.maxout(x, 2)), IMAGES.reshape(2, 6, 5, 2, 2).max(-1))
    with pytest.raises(ValueError, match="multiple"):
        layers.maxout(x, 3)
    scaled = layers.scale_gradient(x, 3.0)
    np.testing.assert_array_equal(evaluated(scaled), IMAGES)
    np.testing.assert_array_equal(evaluated(tf.gradients(scaled, x)[0]), np.full_like(IMAGES, 3))


# ---- embeddings, initializers, summaries

def test_embeddings():
    ids = tf.constant([[1, 2, 1], [0, 3, 0]])
    rows = layers.embed_sequence(ids, 4, 2, initializer=ramp, scope="e")
    once = layers.embed_sequence(ids, 4, 2, unique=True, scope="e", reuse=True)
    bags = layers.bow_encoder(ids, 4, 2, initializer=ramp)
    assert names() == ["e/embeddings", "bow_encoder/embeddings"]
    table = np.sin(np.arange(8) * 1.7).reshape(4, 2)
    first, second, third = evaluated(rows, once, bags)
    np.testing.assert_allclose(first, table[[[1, 2, 1], [0, 3, 0]]], rtol=1e-5)
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(third, [table[[1, 2, 1]].mean(0), table[3]], rtol=1e-5)
    with pytest.raises(ValueError, match="vocab"):
        layers.embed_sequence(ids)


@pytest.mark.parametrize("mode, count", [("FAN_IN", 40.0), ("FAN_OUT", 90.0), ("FAN_AVG", 65.0)])
@pytest.mark.parametrize("uniform", [True, False])
def test_variance_scaling(mode, count, uniform):
    make = layers.variance_scaling_initializer(factor=1.5, mode=mode, uniform=uniform, seed=5)
    value = evaluated(make([100, 400, 9]) if mode == "x" else make([10, 4, 9]))
    wanted = tf.random_uniform([10, 4, 9], -np.sqrt(4.5 / count), np.sqrt(4.5 / count), seed=5) if uniform else \
        tf.truncated_normal([10, 4, 9], 0.0, np.sqrt(1.3 * 1.5 / count), seed=5)
    np.testing.assert_allclose(value, evaluated(wanted), rtol=1e-6)


def test_initializers_refuse():
    with pytest.raises(TypeError):
        layers.xavier_initializer(dtype=tf.int32)
    with pytest.raises(TypeError):
        layers.variance_scaling_initializer(mode="FAN")


def test_summaries():
    y = tf.nn.relu6(tf.constant([-1.0, 6.5]), name="y")
    tf.add_to_collection("mine", y)
    layers.summarize_collection("mine", r"y", layers.summarize_activation)
    assert [s.op.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)] == ["y/zeros", "y/sixes", "y/activation"]
    assert layers.summarize_tensor(tf.constant(1.0, name="c")).op.type == "ScalarSummary"


def test_helpers_refuse():
    utils = layers.utils
    for call in (lambda: utils.constant_value(None), lambda: utils.n_positive_integers(2, [1, 0]),
                 lambda: utils.two_element_tuple([1, 2, 3]), lambda: utils.last_dimension(tf.TensorShape([2, None]))):
        with pytest.raises(ValueError):
            call()
    assert utils.two_element_tuple(tf.TensorShape([2, 3])) == (2, 3)
    with pytest.raises(TypeError):
        utils.static_cond(True, 1, 2)


@pytest.mark.parametrize("data_format", ["channels_last", "channels_first"])
def test_gdn(data_format):
    x = tf.constant(IMAGES)
    y, z = layers.gdn(x, data_format=data_format), layers.gdn(x, inverse=True, data_format=data_format, name="inverse")
    assert names() == ["gdn/reparam_beta", "gdn/reparam_gamma", "inverse/reparam_beta", "inverse/reparam_gamma"]
    slopes = tf.gradients(y, tf.trainable_variables()[:2])
    divided, multiplied, *parts = evaluated(y, z, *slopes)
    root = np.sqrt(1 + 0.1 * IMAGES ** 2)
    np.testing.assert_allclose(divided, IMAGES / root, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(multiplied, IMAGES * root, rtol=1e-4, atol=1e-6)
    assert all(np.isfinite(part).all() for part in parts) and np.abs(parts[0]).max() > 0
    for bad in (lambda: layers.gdn(x, data_format="NHWC"), lambda: layers.gdn(tf.zeros([2, 3]), name="flat")):
        with pytest.raises(ValueError):
            bad()
