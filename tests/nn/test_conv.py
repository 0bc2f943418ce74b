"""Convolutions and pooling that TensorFlow has no CPU kernels for: channels first, groups, gradients of dilations."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import run

RANDOM = np.random.RandomState(0)


def numbers(*shape):
    return RANDOM.rand(*shape)


def first(x):
    """Channels last -> channels first."""
    return tf.transpose(x, [0, x.shape.ndims - 1, *range(1, x.shape.ndims - 1)])


def last(x):
    """Channels first -> channels last."""
    return tf.transpose(x, [0, *range(2, x.shape.ndims), 1])


def with_gradients(function, *inputs):
    inputs = [tf.constant(x) for x in inputs]
    y = function(*inputs)
    weights = np.sin(np.arange(np.prod(y.shape.as_list()))).reshape(y.shape.as_list())
    return run([y, *tf.gradients(tf.reduce_sum(y * weights), inputs)])


def assert_same(one, other, *inputs):
    for mine, theirs in zip(with_gradients(one, *inputs), with_gradients(other, *inputs), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9)


IMAGE, FILTER = numbers(2, 6, 5, 4), numbers(3, 2, 4, 6)


@pytest.mark.parametrize("stride, padding, dilation", [(1, "SAME", 1), (2, "VALID", 1), (2, "SAME", 1), (1, "SAME", 2)])
def test_convolution_with_channels_first(stride, padding, dilation):
    options = {"padding": padding, "strides": stride, "dilations": dilation}
    assert_same(lambda x, f: tf.nn.conv2d(x, f, **options),
                lambda x, f: last(tf.nn.conv2d(first(x), f, data_format="NCHW", **options)), IMAGE, FILTER)


def test_explicit_padding_with_channels_first():
    assert_same(lambda x, f: tf.nn.conv2d(x, f, 1, [[0, 0], [1, 2], [0, 1], [0, 0]]),
                lambda x, f: last(tf.nn.conv2d(first(x), f, 1, [[0, 0], [0, 0], [1, 2], [0, 1]], data_format="NCHW")),
                IMAGE, FILTER)


def test_other_layers_with_channels_first():
    assert_same(lambda x, f: tf.nn.conv3d(x, f, [1, 2, 1, 1, 1], "SAME"),
                lambda x, f: last(tf.nn.conv3d(first(x), f, [1, 1, 2, 1, 1], "SAME", data_format="NCDHW")),
                numbers(2, 3, 4, 3, 2), numbers(2, 2, 2, 2, 3))
    assert_same(lambda x, f: tf.nn.depthwise_conv2d(x, f, [1, 2, 2, 1], "SAME"),
                lambda x, f: last(tf.nn.depthwise_conv2d(first(x), f, [1, 1, 2, 2], "SAME", data_format="NCHW")),
                IMAGE, numbers(3, 2, 4, 2))
    assert_same(lambda x, f: tf.nn.conv1d(x, f, 2, "SAME"),
                lambda x, f: last(tf.nn.conv1d(first(x), f, 2, "SAME", data_format="NCW")),
                numbers(2, 7, 3), numbers(3, 3, 2))
    assert_same(lambda x, f: tf.nn.conv2d_transpose(x, f, [2, 12, 10, 3], 2),
                lambda x, f: last(tf.nn.conv2d_transpose(first(x), f, [2, 3, 12, 10], 2, data_format="NCHW")),
                IMAGE, numbers(3, 2, 3, 4))


@pytest.mark.parametrize("pool", ["max_pool", "avg_pool"])
@pytest.mark.parametrize("size, stride", [(2, 2), (3, 2), (3, 1)])
def test_pooling_with_channels_first(pool, size, stride):
    pool = getattr(tf.nn, pool)
    assert_same(lambda x: pool(x, size, stride, "SAME"),
                lambda x: last(pool(first(x), size, stride, "SAME", data_format="NCHW")), IMAGE)


def test_dilation_is_a_filter_with_holes():
    def with_holes(x, f):
        rows = tf.stack([f, tf.zeros_like(f)], axis=1)
        return tf.nn.conv2d(x, tf.reshape(rows, [6, 2, 4, 6])[:5], 1, "VALID")

    assert_same(lambda x, f: tf.nn.conv2d(x, f, 1, "VALID", dilations=[1, 2, 1, 1]), with_holes, IMAGE, FILTER)


def test_gradient_of_a_dilated_convolution_by_channel():
    def by_hand(x, f):
        return tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME", rate=[2, 2])

    def native(x, f):
        return tf.nn.depthwise_conv2d_native(x, f, [1, 1, 1, 1], "SAME", dilations=[1, 2, 2, 1])

    assert_same(by_hand, native, IMAGE, numbers(3, 2, 4, 2))


def test_large_filters_by_channel():
    def spelled_out(x, f):
        return tf.concat([tf.nn.conv2d(x[..., c:c + 1], f[:, :, c:c + 1], 1, "SAME") for c in range(2)], -1)

    assert_same(lambda x, f: tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME"), spelled_out,
                numbers(1, 12, 12, 2), numbers(11, 11, 2, 2))


def test_groups():
    def spelled_out(x, f):
        return tf.concat([tf.nn.conv2d(part, own, 2, "SAME") for part, own in
                          zip(tf.split(x, 2, axis=-1), tf.split(f, 2, axis=-1))], -1)

    assert_same(lambda x, f: tf.nn.conv2d(x, f, 2, "SAME"), spelled_out, IMAGE, numbers(3, 2, 2, 6))


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_nothing_to_convolve(padding):
    x, f = tf.zeros([0, 6, 5, 4]), tf.constant(FILTER, tf.float32)
    y = tf.nn.conv2d(x, f, 2, padding)
    slopes = tf.gradients(y, [x, f])
    values = run([y, tf.nn.max_pool(x, 2, 2, padding), tf.nn.avg_pool(x, 2, 2, padding), *slopes])
    assert [v.shape for v in values[3:]] == [(0, 6, 5, 4), FILTER.shape]
    assert values[0].shape == (0, *y.shape.as_list()[1:])
    assert not values[-1].any()


def test_the_old_ops_of_three_axes():
    x, f = tf.constant(numbers(1, 3, 4, 3, 2)), tf.constant(numbers(2, 2, 2, 2, 3))
    y = tf.nn.conv3d(x, f, [1] * 5, "SAME")
    old = [tf.raw_ops.Conv3DBackpropInput(input=x, filter=f, out_backprop=y, strides=[1] * 5, padding="SAME"),
           tf.raw_ops.Conv3DBackpropFilter(input=x, filter=f, out_backprop=y, strides=[1] * 5, padding="SAME")]
    for mine, wanted in zip(run(old), run(tf.gradients(y, [x, f], [y]))):
        np.testing.assert_allclose(mine, wanted)


def test_places_in_the_whole_batch():
    x = tf.constant(numbers(2, 4, 4, 3))
    y, places = tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID", include_batch_in_index=True)
    wanted = tf.gradients(tf.nn.max_pool(x, 2, 2, "VALID"), x)[0]
    value, picked, slope, right = run([y, tf.gather(tf.reshape(x, [-1]), places), tf.gradients(y, x)[0], wanted])
    np.testing.assert_array_equal(value, picked)
    np.testing.assert_array_equal(slope, right)


def test_regions_of_random_size_differ_from_run_to_run():
    x = tf.constant(numbers(1, 40, 40, 1))
    _, rows, _ = tf.nn.fractional_max_pool(x, [1.0, 1.5, 1.5, 1.0])
    _, fixed, _ = tf.nn.fractional_max_pool(x, [1.0, 1.5, 1.5, 1.0], deterministic=True)
    with tf.Session() as session:
        runs = [session.run([rows, fixed]) for _ in range(3)]
    assert any((runs[0][0] != other[0]).any() for other in runs[1:])
    assert all((runs[0][1] == other[1]).all() for other in runs[1:])


def test_windows_that_make_no_sense():
    x = tf.ones([1, 4, 4, 4])
    with pytest.raises(ValueError, match="Negative dimension size"):
        tf.nn.max_pool(x, 5, 1, "VALID")
    with pytest.raises(ValueError, match="should be of length"):
        tf.nn.avg_pool(x, [1, 2, 3], 1, "SAME")
    with pytest.raises(tf.errors.UnimplementedError, match="evenly divide"):
        run(tf.nn.max_pool(x, [1, 1, 1, 3], [1, 1, 1, 3], "SAME"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="strides in the batch and depth"):
        run(tf.nn.conv2d(x, tf.ones([1, 1, 4, 1]), [2, 1, 1, 1], "SAME"))


GEOMETRIES = [("SAME", 1, 1, 4), ("VALID", 2, 1, 4), ("SAME", 3, 1, 2), ("VALID", 1, 2, 4)]  # stride, dilation, depth


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_small_convolutions_run_on_numpy(data_format):
    """Sizes that do not come back are not worth a program."""
    generator = np.random.RandomState(0)
    arranged = lambda numbers: numbers if data_format == "NHWC" else [numbers[i] for i in (0, 3, 1, 2)]
    x = tf.constant(generator.randn(*arranged([2, 7, 8, 4])).astype(np.float32))
    fetches = []
    for padding, stride, dilation, depth in GEOMETRIES:
        filter = tf.constant(generator.randn(3, 2, depth, 6).astype(np.float32))
        y = tf.nn.conv2d(x, filter, arranged([1, stride, stride, 1]), padding, data_format=data_format,
                         dilations=arranged([1, dilation, dilation, 1]))
        fetches += [y, *tf.gradients(tf.reduce_sum(y * y), [x, filter])]
    with tf.Session(tier="numpy") as on_numpy, tf.Session(tier="xla") as on_xla:
        for ours, theirs in zip(on_numpy.run(fetches), on_xla.run(fetches), strict=True):
            assert ours.dtype == theirs.dtype
            np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-3)


def test_pooling_of_random_regions_as_tensorflow_2_spells_it(session):
    x = tf.constant(np.arange(36, dtype=np.float32).reshape(1, 6, 6, 1))
    ratios = 1.5, [1.5], [1.5, 1.5], [1, 1.5, 1.5, 1]
    pooled = [tf.compat.v2.nn.fractional_max_pool(x, ratio, seed=3) for ratio in ratios]
    assert all(each.output.op.get_attr("deterministic") for each in pooled)
    values = session.run([each.output for each in pooled])
    assert all(np.array_equal(values[0], other) for other in values[1:])
    assert not tf.compat.v2.nn.fractional_avg_pool(x, 1.5)[0].op.get_attr("deterministic")
    with pytest.raises(ValueError, match="length 1, 2 or 4"):
        tf.compat.v2.nn.fractional_max_pool(x, [1.5, 1.5, 1.5])


def test_transposed_convolution_over_three_axes(session):
    x, filters = tf.ones([2, 4, 4, 4, 3]), tf.ones([2, 2, 2, 5, 3])
    one = tf.compat.v2.nn.conv3d_transpose(x, filters, [2, 8, 8, 8, 5], 2)
    assert np.array_equal(*session.run([one, tf.nn.conv_transpose(x, filters, [2, 8, 8, 8, 5], 2)]))


def test_channels_of_dilated_windows_are_known_where_sizes_are_not():
    x, window = tf.placeholder(tf.float32, [1, 10, None, None]), tf.zeros([3, 3, 10, 20])
    y = tf.nn.convolution(x, window, "VALID", dilation_rate=[2, 2], data_format="NCHW")
    assert y.shape.as_list() == [1, 20, None, None]
