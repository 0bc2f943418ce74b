"""Pooling: evergraph/ops/nn/pool.py and fractional.py, frontend/nn/pool.py."""

from tests.harness import case, f16, f64, floats, i32, ints, program

image = floats(2, 5, 6, 3)
ties = ints(2, 5, 6, 2, low=0, high=3, dtype="float32")
volume = floats(2, 4, 5, 3, 2)
two, three, one = [1, 2, 2, 1], [1, 3, 3, 1], [1, 1, 1, 1]
uneven = [1, 1, 3, 1]
WINDOWS = [(two, two), (three, two), (three, one), (uneven, two), (two, [1, 3, 3, 1])]
solid = [1, 2, 2, 2, 1]


def pool(op, *inputs, ksize=two, strides=two, padding="SAME", **attrs):
    return case(op, *inputs, ksize=ksize, strides=strides, padding=padding, **attrs)


def places(size, window, stride, padding):
    return -(-size // stride) if padding == "SAME" else (size - window) // stride + 1


def pooled(x, ksize, strides, padding):
    """Numbers in the shape that pooling gives."""
    return floats(*(places(*each, padding) for each in zip(x.shape, ksize, strides)), seed=9)


CASES = [
    *[pool(op, image, ksize=ksize, strides=strides, padding=padding)
      for op in ("MaxPool", "AvgPool") for ksize, strides in WINDOWS for padding in ("SAME", "VALID")],
    *[pool("MaxPool", ties, ksize=ksize, strides=strides).no_differences("ties") for ksize, strides in WINDOWS],
    pool("MaxPool", ints(1, 4, 4, 2)),
    pool("MaxPool", f16(floats(1, 4, 4, 1))).no_differences("half precision"),
    pool("AvgPool", f16(floats(1, 4, 4, 1))).no_differences("half precision"),
    pool("AvgPool", f64(floats(1, 4, 4, 1))),
    pool("MaxPool", floats(1, 12, 13, 1), ksize=[1, 11, 12, 1], strides=one),
    pool("AvgPool", floats(1, 12, 13, 1), ksize=[1, 11, 12, 1], strides=one).tolerance(1e-4, 1e-5),
    pool("MaxPool", floats(1, 2, 2, 6), ksize=[1, 1, 1, 3], strides=[1, 1, 1, 3]).no_grad("TensorFlow has none"),
    pool("MaxPool", floats(5, 6, 3)).fails("ValueError"),
    pool("MaxPool", image, ksize=[1, 7, 2, 1], padding="VALID").fails("ValueError"),
    pool("MaxPool", image, ksize=[2, 2, 2, 1], strides=[2, 2, 2, 1]).fails("UnimplementedError"),
    *[pool("AvgPoolGrad", i32([2, 5, 6, 3]), pooled(image, k, s, p), ksize=k, strides=s, padding=p)
      for k, s in WINDOWS for p in ("SAME", "VALID")],
    *[case("MaxPoolV2", image, i32(two), i32(two), padding=p) for p in ("SAME", "VALID")],
    *[pool("MaxPoolWithArgmax", image, ksize=k, strides=s, padding=p)
      for k, s in WINDOWS[:2] for p in ("SAME", "VALID")],
    pool("MaxPoolWithArgmax", image, include_batch_in_index=True, Targmax="int32").no_grad("TensorFlow's fails"),
    pool("MaxPoolWithArgmax", ties).no_differences("ties"),
    *[pool(op, volume, ksize=k, strides=s, padding=p) for op in ("MaxPool3D", "AvgPool3D")
      for k, s in ((solid, solid), ([1, 2, 3, 2, 1], [1, 1, 2, 1, 1])) for p in ("SAME", "VALID")],
    pool("AvgPool3DGrad", i32([2, 4, 5, 3, 2]), floats(2, 2, 3, 2, 2), ksize=solid, strides=solid),
]


@program(image)
def second_derivatives(tf, x):
    y = tf.nn.max_pool(x, 3, 2, "SAME")
    slope = tf.gradients(tf.reduce_sum(tf.square(y)), x)[0]
    mean = tf.gradients(tf.reduce_sum(tf.square(tf.nn.avg_pool(x, 3, 2, "SAME"))), x)[0]
    return tf.gradients(tf.reduce_sum(tf.square(slope)), x)[0], mean


second_derivatives = second_derivatives.no_grad("they are derivatives already").tolerance(1e-4, 1e-5)


@program(volume)
def second_derivatives_of_volumes(tf, x):
    y = tf.nn.max_pool3d(x, solid, solid, "SAME")
    slope = tf.gradients(tf.reduce_sum(tf.square(y)), x)[0]
    return tf.gradients(tf.reduce_sum(tf.square(slope)), x)[0]


second_derivatives_of_volumes = second_derivatives_of_volumes.no_grad("they are derivatives already")


@program(image, floats(2, 3, 3, 3, seed=4))
def by_places(tf, x, back):
    y, places = tf.nn.max_pool_with_argmax(x, two, two, "SAME")
    window = {"ksize": two, "strides": two, "padding": "SAME"}
    return (tf.raw_ops.MaxPoolGradWithArgmax(input=x, grad=back, argmax=places, **window),
            tf.gradients(y, x, [back])[0])


by_places = by_places.no_grad("TensorFlow has none")


@program(image, floats(2, 3, 3, 3, seed=4))
def gradients_with_windows_as_inputs(tf, x, back):
    y = tf.raw_ops.MaxPoolV2(input=x, ksize=two, strides=two, padding="SAME")
    return tf.gradients(y, x, [back])[0]


gradients_with_windows_as_inputs = gradients_with_windows_as_inputs.no_grad("they are derivatives already")


@program(floats(2, 7, 3))
def sequences(tf, x):
    return (tf.nn.max_pool1d(x, 3, 2, "SAME"), tf.nn.avg_pool1d(x, 2, 2, "VALID"),
            tf.nn.pool(x, [3], "MAX", "VALID"), tf.nn.pool(x, [2], "AVG", "SAME", strides=[2]),
            tf.nn.max_pool_v2(x, 2, 2, "SAME"), tf.nn.avg_pool_v2(x, [2], [1], "SAME"))


@program(image)
def images(tf, x):
    return (tf.nn.max_pool(x, 2, 2, "SAME"), tf.nn.avg_pool(x, [2, 3], 1, "VALID"),
            tf.nn.max_pool2d(x, three, two, "SAME"), tf.nn.avg_pool2d(x, three, two, "SAME"),
            tf.nn.pool(x, [2, 2], "MAX", "VALID", dilation_rate=[2, 1]),
            tf.nn.pool(x, [2, 2], "AVG", "VALID", strides=[2, 1]), tf.nn.max_pool_v2(x, 2, 1, "VALID"))


@program(volume)
def volumes(tf, x):
    return (tf.nn.max_pool3d(x, solid, solid, "SAME"), tf.nn.avg_pool3d(x, solid, solid, "VALID"),
            tf.nn.pool(x, [2, 2, 2], "AVG", "SAME"), tf.nn.max_pool_v2(x, 2, 2, "SAME"))


def totals(tf, pooled):
    """TensorFlow's static shape of the sequences is one short: their squares added up do as well."""
    values, rows, columns = pooled
    return values, tf.reduce_sum(tf.square(rows)), tf.reduce_sum(tf.square(columns))


@program(floats(2, 9, 7, 2))
def fractional_maxima(tf, x):
    return [part for overlapping in (False, True) for random in (False, True)
            for part in totals(tf, tf.nn.fractional_max_pool(
                x, [1.0, 1.44, 1.73, 1.0], pseudo_random=random, overlapping=overlapping, deterministic=True, seed=5,
                seed2=7))]


@program(floats(2, 9, 7, 2))
def fractional_means(tf, x):
    return [part for overlapping in (False, True) for random in (False, True)
            for part in totals(tf, tf.nn.fractional_avg_pool(
                x, [1.0, 2.5, 1.73, 1.0], pseudo_random=random, overlapping=overlapping, deterministic=True, seed=3,
                seed2=1))]


@program(floats(1, 6, 6, 1))
def fractions_that_are_whole(tf, x):
    return (*totals(tf, tf.nn.fractional_max_pool(x, [1.0, 2.0, 3.0, 1.0], deterministic=True, seed=1)),
            *totals(tf, tf.nn.fractional_avg_pool(x, [1.0, 2.0, 3.0, 1.0], deterministic=True, seed=1)))
