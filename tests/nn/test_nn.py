"""tf.nn's functions: what they refuse, and what no recorded case shows."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import TIERS, run


@pytest.mark.parametrize("loss", ["softmax_cross_entropy_with_logits", "sparse_softmax_cross_entropy_with_logits",
                                  "sigmoid_cross_entropy_with_logits"])
def test_losses_want_named_arguments(loss):
    loss = getattr(tf.nn, loss)
    with pytest.raises(ValueError, match="named arguments"):
        loss([[1.0]], [[1.0]])
    with pytest.raises(ValueError, match="Both labels and logits"):
        loss(labels=[[1.0]])


def test_shapes_of_losses():
    with pytest.raises(ValueError, match="must have the same shape"):
        tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 2.0], logits=[1.0])
    with pytest.raises(ValueError, match="Rank mismatch"):
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[[1]], logits=[[1.0, 2.0]])
    with pytest.raises(ValueError, match="Shape mismatch"):
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0], logits=[[1.0, 2.0]])
    with pytest.raises(ValueError, match="scalars"):
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=0, logits=1.0)


def test_labels_that_are_no_classes():
    labels = tf.placeholder(tf.int32, [2])
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=tf.ones([2, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"a label value of 3.*\[0, 3\)"):
        run(loss, {labels: [0, 3]})


def test_rows_of_unknown_number_are_compared():
    labels, logits = tf.placeholder(tf.int32, [None, 2]), tf.placeholder(tf.float32, [None, 2, 3])
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    assert loss.shape.as_list() == [None, 2]
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(loss, {labels: np.zeros((3, 2)), logits: np.zeros((2, 2, 3))})


def test_losses_of_half_precision_are_computed_in_single():
    logits = tf.constant([[1.0, 2.0, 3.0]], tf.float16)
    dense = tf.nn.softmax_cross_entropy_with_logits_v2(labels=[[0.0, 0.0, 1.0]], logits=logits)
    sparse = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2], logits=logits)
    assert dense.dtype == sparse.dtype == tf.float16
    np.testing.assert_allclose(*run([dense, sparse]))


def test_softmax_of_unknown_rank():
    x = tf.placeholder(tf.float32)
    value = np.arange(6, dtype=np.float32).reshape(2, 3)
    for axis in (0, -2):
        np.testing.assert_allclose(run(tf.nn.softmax(x, axis=axis), {x: value}).sum(0), np.ones(3), rtol=1e-6)
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.nn.softmax(tf.ones([2, 2]), axis=2)
    with pytest.raises(ValueError, match="both"):
        tf.nn.softmax(tf.ones([2, 2]), axis=1, dim=1)


def test_rates_of_dropout():
    x = tf.ones([4])
    for arguments in ({}, {"rate": 1.0}, {"rate": -0.1}, {"keep_prob": 0.5, "rate": 0.5}, {"keep_prob": "half"}):
        with pytest.raises(ValueError):
            tf.nn.dropout(x, **arguments)
    with pytest.raises(ValueError, match="floating point"):
        tf.nn.dropout(tf.constant([1]), rate=0.5)
    assert tf.nn.dropout(x, keep_prob=1.0) is x
    assert tf.nn.dropout(x, rate=0) is x


def test_dropout_keeps_the_expected_sum():
    rate = tf.placeholder(tf.float32, [])
    kept = tf.nn.dropout(tf.ones([100, 50]), rate=rate, noise_shape=[100, 1], seed=1)
    value = run(kept, {rate: 0.25})
    assert (value == value[:, :1]).all()
    assert set(np.unique(value)) == {0.0, np.float32(1 / 0.75)}
    assert 0.6 < (value != 0).mean() < 0.9


def test_layouts_of_biases():
    x, bias = tf.ones([1, 2, 3]), tf.constant([1.0, 2.0])
    assert run(tf.nn.bias_add(x, bias, data_format="NCW")).tolist() == [[[2.0] * 3, [3.0] * 3]]
    with pytest.raises(ValueError, match="data_format must"):
        tf.nn.bias_add(x, bias, data_format="HWC")


def test_batch_normalization_wants_no_statistics_for_training():
    x, ones = tf.ones([1, 2, 2, 3]), tf.ones([3])
    with pytest.raises(ValueError, match="is_training=False"):
        tf.nn.fused_batch_norm(x, ones, ones, mean=ones, variance=ones)


def test_the_oldest_batch_normalization():
    random = np.random.RandomState(0)
    t, m, v, beta, gamma = (tf.constant(random.rand(*shape)) for shape in ((2, 2, 2, 3), (3,), (3,), (3,), (3,)))
    old = tf.raw_ops.BatchNormWithGlobalNormalization(
        t=t, m=m, v=v, beta=beta, gamma=gamma, variance_epsilon=0.1, scale_after_normalization=True)
    new = tf.nn.batch_norm_with_global_normalization(t, m, v, beta, gamma, 0.1, True)
    inputs = [t, m, v, beta, gamma]
    for mine, wanted in zip(run([old, *tf.gradients(old, inputs)]), run([new, *tf.gradients(new, inputs)])):
        np.testing.assert_allclose(mine, wanted, rtol=1e-9)


def test_lookups_in_nothing():
    with pytest.raises(ValueError):
        tf.nn.embedding_lookup(None, [0])
    with pytest.raises(ValueError):
        tf.nn.embedding_lookup([], [0])
    with pytest.raises(ValueError, match="partition strategy"):
        tf.nn.embedding_lookup([tf.ones([2, 2]), tf.ones([2, 2])], [0], partition_strategy="random")


@TIERS
def test_labels_that_are_constants_and_no_classes(tier):
    logits = tf.placeholder(tf.float32, [1, None])
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[9], logits=logits)
    with tf.Session(tier=tier) as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"label value of 9.*\[0, 3\)"):
            session.run(loss, {logits: np.ones([1, 3])})
        assert session.run(loss, {logits: np.ones([1, 10])}) == pytest.approx([np.log(10)])


@pytest.mark.parametrize("place", [0, 7])
def test_max_pool3d_leaves_out_what_is_no_number(place):
    volume = np.ones([1, 2, 2, 2, 1], np.float32)
    volume.reshape(-1)[place] = np.nan
    size = [1, 2, 2, 2, 1]
    assert run(tf.nn.max_pool3d(volume, size, size, "VALID")).item() == 1.0
    nothing = run(tf.nn.max_pool3d(volume * np.nan, size, size, "VALID")).item()
    assert nothing == np.finfo(np.float32).min


@pytest.mark.parametrize("place", [0, 7])
def test_fractional_max_pool_leaves_out_what_is_no_number(place):
    image = np.ones([1, 4, 2, 1], np.float32)
    image.reshape(-1)[place] = np.nan
    found = run(tf.nn.fractional_max_pool(image, [1.0, 2.0, 2.0, 1.0])[0]).ravel().tolist()
    assert found == [1.0, 1.0]
    nothing = run(tf.nn.fractional_max_pool(image * -np.inf, [1.0, 4.0, 2.0, 1.0])[0]).item()
    assert nothing == np.finfo(np.float32).min


@pytest.mark.parametrize("make", [
    lambda x: tf.nn.dilation2d(x, tf.ones([1, 1, 1]), [1, 0, 1, 1], [1, 1, 1, 1], "VALID"),
    lambda x: tf.nn.depthwise_conv2d(x, tf.ones([1, 1, 1, 1]), [1, 0, 0, 1], "VALID"),
    lambda x: tf.nn.fractional_max_pool(x, [1.0, 0.0, 1.0, 1.0]),
    lambda x: tf.nn.fractional_avg_pool(x, [1.0, 1.0, -1.0, 1.0]),
])
def test_steps_that_are_not_positive(make):
    with pytest.raises(ValueError, match="must be positive|cannot be smaller"):
        make(tf.ones([1, 3, 3, 1]))


def test_a_response_over_less_than_no_channels(session):
    with pytest.raises(tf.errors.InvalidArgumentError, match="depth_radius"):
        session.run(tf.nn.lrn(tf.ones([1, 1, 1, 3]), -1))
