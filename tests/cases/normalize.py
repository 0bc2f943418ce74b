"""Normalizations of images: evergraph/ops/nn/normalize.py, frontend/nn/normalize.py."""

import numpy as np

from tests.harness import case, f16, floats, program

image = floats(2, 3, 4, 3)
planes = floats(2, 3, 2, 4)
scale, offset = floats(3, low=0.5, high=2, seed=1), floats(3, seed=2)
mean, variance = floats(3, seed=3), floats(3, low=0.5, high=2, seed=4)
none = np.zeros(0, "float32")
why = "saved statistics have no gradient"

CASES = [
    *[case(op, image, scale, offset, none, none, epsilon=0.01).no_grad(why)
      for op in ("FusedBatchNorm", "FusedBatchNormV2")],
    case("FusedBatchNorm", image, scale, offset, mean, variance, is_training=False).no_grad(why),
    case("FusedBatchNormV2", planes, scale, offset, none, none, data_format="NCHW").no_grad(why),
    case("FusedBatchNormV2", floats(1, 1, 1, 3), scale, offset, none, none).no_grad(why),
    case("FusedBatchNormV2", image, scale, floats(4), none, none).fails("ValueError"),
    case("FusedBatchNormV2", floats(2, 3, 3), scale, offset, none, none).fails("ValueError"),
    case("LRN", floats(1, 2, 2, 7)).tolerance(1e-4, 1e-5),
    case("LRN", floats(1, 2, 2, 7), depth_radius=2, bias=2.0, alpha=0.3, beta=0.75).tolerance(1e-4, 1e-5),
    case("LRN", floats(2, 2, 7)).fails("ValueError"),
    case("LRNGrad", floats(1, 2, 2, 7), floats(1, 2, 2, 7, seed=1), floats(1, 2, 2, 7, seed=2), depth_radius=2)
    .tolerance(1e-4, 1e-5).no_grad("TensorFlow has none"),
]


@program(image, scale, offset)
def training(tf, x, scale, offset):
    return tf.nn.fused_batch_norm(x, scale, offset)[0]


training = training.no_differences("computed in single precision")


@program(planes, scale, offset)
def training_channels_first(tf, x, scale, offset):
    return tf.nn.fused_batch_norm(x, scale, offset, data_format="NCHW", epsilon=0.1)[0]


training_channels_first = training_channels_first.no_differences("computed in single precision")


@program(image, scale, offset)
def statistics(tf, x, scale, offset):
    return tf.nn.fused_batch_norm(x, scale, offset)[1:]


statistics = statistics.no_grad("TensorFlow's goes nowhere")


@program(image, scale, offset, mean, variance)
def inference(tf, x, scale, offset, mean, variance):
    return tf.nn.fused_batch_norm(x, scale, offset, mean, variance, is_training=False)[0]


inference = inference.no_differences("computed in single precision")


@program(planes, scale, offset, mean, variance)
def inference_channels_first(tf, x, scale, offset, mean, variance):
    return tf.nn.fused_batch_norm(x, scale, offset, mean, variance, is_training=False, data_format="NCHW")[0]


inference_channels_first = inference_channels_first.no_differences("computed in single precision")


@program(image, scale, offset)
def second_derivative(tf, x, scale, offset):
    y = tf.nn.fused_batch_norm(x, scale, offset, epsilon=0.1)[0]
    slopes = tf.gradients(tf.reduce_sum(tf.sin(y)), [x, scale, offset])
    return tf.add_n([tf.reduce_sum(tf.square(slope)) for slope in slopes])


second_derivative = second_derivative.no_differences("computed in single precision").tolerance(1e-4, 1e-4)


@program(floats(1, 2, 2, 7))
def local_response(tf, x):
    return tf.nn.local_response_normalization(x, depth_radius=3, alpha=0.5), tf.nn.lrn(x, bias=2.0)


local_response = local_response.tolerance(1e-4, 1e-5)


@program(f16([[[[1, 2], [3, 5]]]]), floats(2, seed=1), floats(2, seed=2))
def half_precision(tf, x, scale, offset):
    return tf.nn.fused_batch_norm(x, scale, offset)[0]


half_precision = half_precision.no_differences("half precision")


@program(image, floats(2, 3, 4, 3, seed=5), scale, mean, variance)
def backward(tf, dy, x, scale, mean, variance):
    inputs = {"y_backprop": dy, "x": x, "scale": scale, "reserve_space_1": mean, "reserve_space_2": variance}
    return [slope for op in (tf.raw_ops.FusedBatchNormGrad, tf.raw_ops.FusedBatchNormGradV2)
            for training in (False, True) for slope in op(**inputs, epsilon=0.01, is_training=training)[:3]]


backward = backward.no_grad("TensorFlow takes the statistics from x")
