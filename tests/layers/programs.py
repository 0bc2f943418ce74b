"""Programs that use tf.layers; evergraph's must have TensorFlow's variables, numbers, gradients and, where 1.15 and the
recorded version agree, nodes."""

import numpy as np

from tests.harness.nodes import listed

PROGRAMS = {}
SAME_NODES = set()


def program(*shape, same_nodes=True):
    """A function of (tf, x): x is a placeholder of this shape, fed with numbers. It gives tensors to evaluate."""
    def decorate(function):
        PROGRAMS[function.__name__] = (function, shape)
        if same_nodes:
            SAME_NODES.add(function.__name__)
        return function
    return decorate


def ramp(tf):
    """An initializer without chance: numbers that depend on the place alone."""
    def initialize(shape, dtype=None, partition_info=None):
        size = int(np.prod(shape))
        return tf.constant(np.sin(np.arange(size) * 1.7).reshape(shape), dtype or tf.float32)
    return initialize


def several(tf, **more):
    return {"kernel_initializer": ramp(tf), "bias_initializer": ramp(tf), **more}


# ---- dense, dropout, flatten

@program(2, 3)
def dense(tf, x):
    return [tf.layers.dense(x, 4, activation=tf.nn.relu, **several(tf)),
            tf.layers.dense(x, 2, use_bias=False, name="plain", kernel_initializer=ramp(tf)),
            tf.layers.dense(x, 2, use_bias=False, name="plain", reuse=True)]


@program(2, 3, 4, same_nodes=False)
def dense_of_more_axes(tf, x):
    return [tf.layers.dense(x, 4, activation="tanh", **several(tf))]


@program(3, 4)
def not_dropped(tf, x):
    return [tf.layers.dropout(x, 0.4)]


@program(5, 4, same_nodes=False)
def dropped(tf, x):
    return [tf.layers.dropout(x, 0.4, seed=7, training=True),
            tf.layers.dropout(x, 0.4, noise_shape=[None, 1], seed=9, training=True)]


@program(2, 3, 2, same_nodes=False)
def flattened(tf, x):
    return [tf.layers.flatten(x), tf.layers.flatten(x, data_format="channels_first")]


# ---- convolutions

@program(2, 7, 3, same_nodes=False)
def conv1d(tf, x):
    return [tf.layers.conv1d(x, 2, 3, **several(tf)),
            tf.layers.conv1d(x, 2, 3, strides=2, padding="same", **several(tf)),
            tf.layers.conv1d(x, 2, 2, dilation_rate=2, **several(tf))]


@program(2, 6, 5, 3)
def conv2d(tf, x):
    return [tf.layers.conv2d(x, 2, [3, 2], activation=tf.nn.relu, **several(tf)),
            tf.layers.conv2d(x, 2, 3, strides=(2, 1), padding="same", use_bias=False, kernel_initializer=ramp(tf))]


@program(2, 6, 5, 3, same_nodes=False)
def conv2d_dilated(tf, x):
    return [tf.layers.conv2d(x, 2, 2, dilation_rate=2, **several(tf)),
            tf.layers.conv2d(x, 2, 2, dilation_rate=(2, 1), padding="same", **several(tf))]


@program(2, 4, 5, 4, 2)
def conv3d(tf, x):
    return [tf.layers.conv3d(x, 2, 2, **several(tf)),
            tf.layers.conv3d(x, 3, [1, 2, 3], strides=2, padding="same", **several(tf))]


def separable(tf, **more):
    return {"depthwise_initializer": ramp(tf), "pointwise_initializer": ramp(tf), "bias_initializer": ramp(tf), **more}


@program(2, 7, 3, same_nodes=False)
def separable_conv1d(tf, x):
    return [tf.layers.separable_conv1d(x, 2, 3, **separable(tf)),
            tf.layers.separable_conv1d(x, 2, 3, strides=2, padding="same", depth_multiplier=2, **separable(tf))]


@program(2, 6, 6, 3, same_nodes=False)
def separable_conv2d(tf, x):
    return [tf.layers.separable_conv2d(x, 2, 3, activation=tf.nn.relu, **separable(tf)),
            tf.layers.separable_conv2d(x, 2, [2, 2], strides=(2, 2), depth_multiplier=2, use_bias=False,
                                       depthwise_initializer=ramp(tf), pointwise_initializer=ramp(tf)),
            tf.layers.separable_conv2d(x, 2, 2, dilation_rate=2, padding="same", **separable(tf))]


@program(2, 4, 3, 3, same_nodes=False)
def conv2d_transpose(tf, x):
    return [tf.layers.conv2d_transpose(x, 2, 3, activation=tf.nn.relu, **several(tf)),
            tf.layers.conv2d_transpose(x, 2, [2, 3], strides=(2, 3), padding="same", **several(tf)),
            tf.layers.conv2d_transpose(x, 2, 2, strides=3, use_bias=False, kernel_initializer=ramp(tf))]


@program(2, 3, 2, 3, 2, same_nodes=False)
def conv3d_transpose(tf, x):
    return [tf.layers.conv3d_transpose(x, 2, 2, **several(tf)),
            tf.layers.conv3d_transpose(x, 2, 3, strides=2, padding="same", **several(tf))]


# ---- pooling

@program(2, 7, 3)
def pooling1d(tf, x):
    return [tf.layers.max_pooling1d(x, 2, 2), tf.layers.average_pooling1d(x, 3, 2, padding="same"),
            tf.layers.max_pooling1d(x, 2, 1, name="named")]


@program(2, 6, 5, 3)
def pooling2d(tf, x):
    return [tf.layers.max_pooling2d(x, 2, 2), tf.layers.average_pooling2d(x, [3, 2], (1, 2), padding="same")]


@program(2, 4, 5, 4, 2)
def pooling3d(tf, x):
    return [tf.layers.max_pooling3d(x, 2, 2), tf.layers.average_pooling3d(x, [1, 2, 3], 2, padding="same")]


# ---- batch normalization

def offsets(tf, **more):
    return {"gamma_initializer": ramp(tf), "beta_initializer": ramp(tf), "momentum": 0.8, **more}


@program(4, 3)
def batch_normalization(tf, x):
    return [tf.layers.batch_normalization(x, training=True, **offsets(tf)),
            tf.layers.batch_normalization(x, training=False, moving_mean_initializer=ramp(tf), **offsets(tf))]


@program(4, 3, same_nodes=False)
def batch_normalization_either(tf, x):
    yes, no = tf.placeholder_with_default(True, []), tf.placeholder_with_default(False, [])
    return [tf.layers.batch_normalization(x, training=yes, **offsets(tf)),
            tf.layers.batch_normalization(x, training=no, moving_mean_initializer=ramp(tf), **offsets(tf))]


@program(4, 2, 3, 2, same_nodes=False)
def batch_normalization_of_images(tf, x):
    yes, no = tf.placeholder_with_default(True, []), tf.placeholder_with_default(False, [])
    return [tf.layers.batch_normalization(x, training=True, **offsets(tf)),
            tf.layers.batch_normalization(x, training=False, moving_mean_initializer=ramp(tf), **offsets(tf)),
            tf.layers.batch_normalization(x, training=yes, **offsets(tf)),
            tf.layers.batch_normalization(x, training=no, **offsets(tf)),
            tf.layers.batch_normalization(x, training=True, fused=False, **offsets(tf)),
            tf.layers.batch_normalization(x, training=True, center=False, scale=False)]


@program(4, 3, 2)
def batch_normalization_along_others(tf, x):
    return [tf.layers.batch_normalization(x, axis=1, training=True, **offsets(tf)),
            tf.layers.batch_normalization(x, axis=[1, 2], training=True, **offsets(tf))]


@program(4, 3)
def batch_renormalization(tf, x):
    limits = {"rmax": 1.5, "rmin": 0.7, "dmax": 0.3}
    return [tf.layers.batch_normalization(x, training=True, renorm=True, **offsets(tf)),
            tf.layers.batch_normalization(x, training=True, renorm=True, renorm_clipping=limits, renorm_momentum=0.7,
                                          **offsets(tf)),
            tf.layers.batch_normalization(x, training=False, renorm=True, **offsets(tf))]


@program(6, 2, 3)
def batch_normalization_in_parts(tf, x):
    return [tf.layers.batch_normalization(x, training=True, virtual_batch_size=3, **offsets(tf))]


@program(4, 3)
def batch_normalization_adjusted(tf, x):
    adjust = lambda shape: (tf.fill(shape[-1:], 1.5), tf.fill(shape[-1:], 0.25))
    return [tf.layers.batch_normalization(x, training=True, adjustment=adjust, **offsets(tf))]


def recorded(tf, name):
    """The nodes; the variables' names, shapes and collections; the results; the gradients of their sum by the inputs
    and the trainable variables; and all variables after two runs of the UPDATE_OPS."""
    function, shape = PROGRAMS[name]
    x_value = np.cos(np.arange(np.prod(shape)) * 0.9).reshape(shape).astype(np.float32)
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, shape, name="x")
        results = function(tf, x)
        nodes, variables = listed(graph), tf.global_variables()
        texts = [f"{v.op.name} {v.shape.as_list()} {'trainable' if v in tf.trainable_variables() else ''}".rstrip()
                 for v in variables] + [op.name for op in tf.get_collection(tf.GraphKeys.UPDATE_OPS)]
        total = tf.add_n([tf.reduce_sum(tf.square(result)) for result in results])
        slopes = [g for g in tf.gradients(total, [x, *tf.trainable_variables()]) if g is not None]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            values = session.run(results, {x: x_value}) + session.run(slopes, {x: x_value})
            for number in range(2):
                session.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS), {x: x_value + number})
            values += session.run(variables)
    return nodes, texts, values
