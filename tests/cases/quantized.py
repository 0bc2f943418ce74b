"""Arithmetic and images of quantized numbers: evergraph/ops/math/quantized_math.py and quantized_nn.py."""

import numpy as np

from tests.harness import case, i32, ints, program, typed

NUMPY = {"quint8": "uint8", "qint8": "int8", "qint32": "int32"}


def levels(*shape, kind="quint8", seed=0, low=0, high=255):
    return typed(ints(*shape, low=low, high=high, seed=seed).astype(NUMPY[kind]), kind)


a34, b42 = levels(3, 4), levels(4, 2, seed=1)
wide = levels(3, 4, kind="qint32", low=-1000000, high=2000000)
images, kernel = levels(1, 5, 6, 2), levels(3, 3, 2, 4, seed=1)
channels = [levels(2, seed=seed) for seed in range(2, 6)]

CASES = [
    case("Requantize", wide, -2000.0, 2000.0, -1.0, 2.0, out_type="quint8"),
    case("Requantize", wide, -2000.0, 2000.0, 0.0, 1.0, out_type="quint8"),
    case("Requantize", wide, -2000.0, 2000.0, np.float32(0.5), 1.0, out_type="quint8").fails("InvalidArgumentError"),
    case("RequantizationRange", wide, -2000.0, 2000.0),
    case("RequantizationRange", levels(5, kind="qint32", low=5, high=900), -30.0, 30.0),
    case("QuantizeDownAndShrinkRange", wide, -2000.0, 2000.0, out_type="quint8"),
    case("QuantizedReshape", a34, [2, -1], -1.0, 1.0),
    case("QuantizedReshape", a34, i32([6, 2]), -1.0, 1.0),
    case("QuantizedConcat", 0, [a34, levels(2, 4, seed=3)], [np.float32(-1), np.float32(-2)],
         [np.float32(3), np.float32(1)]),
    case("QuantizedConcat", 1, [a34, levels(3, 1, seed=3)], [np.float32(0), np.float32(0)],
         [np.float32(3), np.float32(3)]),
    case("QuantizedAdd", a34, levels(3, 4, seed=1), -1.0, 3.0, -5.0, 2.0),
    case("QuantizedAdd", a34, levels(4, seed=1), 0.0, 3.0, 0.0, 2.0),
    case("QuantizedMul", a34, levels(3, 4, seed=1), -1.0, 3.0, -5.0, 2.0),
    case("QuantizedMul", a34, levels(4, seed=1), 0.0, 3.0, 0.0, 2.0),
    case("QuantizedBiasAdd", a34, levels(4, seed=1), -1.0, 3.0, -0.5, 0.25, out_type="qint32"),
    case("QuantizedBiasAdd", levels(2, 3, 4, kind="qint8", low=-128, high=127),
         levels(4, kind="qint8", low=-128, high=127, seed=1), -1.0, 3.0, -0.5, 0.25, out_type="qint32"),
    case("QuantizedMatMul", a34, b42, -1.0, 3.0, 0.0, 255.0),
    case("QuantizedMatMul", levels(4, 3), levels(2, 4, seed=1), -1.0, 3.0, -2.0, 7.0, transpose_a=True,
         transpose_b=True),
    case("QuantizedMatMul", a34, levels(3, 2), 0.0, 1.0, 0.0, 1.0).fails("ValueError"),
    *[case(op, a34, -3.0, 9.0) for op in ("QuantizedRelu", "QuantizedRelu6")],
    *[case("QuantizedConv2D", images, kernel, -1.0, 2.0, -3.0, 1.0, strides=[1, step, step, 1], padding=padding)
      for step in (1, 2) for padding in ("SAME", "VALID")],
    *[case(op, images, -1.0, 2.0, ksize=[1, 2, 3, 1], strides=[1, 2, 2, 1], padding=padding)
      for op in ("QuantizedMaxPool", "QuantizedAvgPool") for padding in ("SAME", "VALID")],
    case("QuantizedInstanceNorm", levels(2, 4, 4, 3), -1.0, 2.0),
    case("QuantizedInstanceNorm", levels(2, 4, 4, 3), -1.0, 2.0, output_range_given=True, given_y_min=-3.0,
         given_y_max=3.0),
    case("QuantizedResizeBilinear", images, [7, 4], -1.0, 2.0),
    case("QuantizedResizeBilinear", images, [3, 9], 0.0, 2.0, align_corners=True),
]


@program(np.float32([[[[1.0, -2.0], [0.5, 3.0]], [[2.0, 0.0], [-1.0, 1.0]]]]), ints(1, 1, 2, 3, low=-3, high=3))
def a_quantized_layer(tf, x, weights):
    """The chain that TensorFlow's transform of frozen graphs makes of a convolution and its activation."""
    image, low, high = tf.quantize_v2(x, tf.reduce_min(x), tf.reduce_max(x), tf.quint8, mode="MIN_FIRST")
    taps, least, most = tf.quantize_v2(tf.cast(weights, tf.float32), -3.0, 3.0, tf.quint8, mode="MIN_FIRST")
    total, low, high = tf.nn.quantized_conv2d(image, taps, low, high, least, most, [1, 1, 1, 1], "SAME")
    used_low, used_high = tf.raw_ops.RequantizationRange(input=total, input_min=low, input_max=high)
    small, low, high = tf.raw_ops.Requantize(input=total, input_min=low, input_max=high,
                                             requested_output_min=used_low, requested_output_max=used_high,
                                             out_type=tf.quint8)
    active, low, high = tf.raw_ops.QuantizedRelu(features=small, min_features=low, max_features=high)
    return tf.dequantize(active, low, high, mode="MIN_FIRST")


@program(images, *channels)
def batch_norm(tf, x, mean, variance, beta, gamma):
    result, low, high = tf.raw_ops.QuantizedBatchNormWithGlobalNormalization(
        t=x, t_min=-1.0, t_max=2.0, m=mean, m_min=-1.0, m_max=1.0, v=variance, v_min=0.5, v_max=2.0, beta=beta,
        beta_min=-1.0, beta_max=1.0, gamma=gamma, gamma_min=0.1, gamma_max=2.0, out_type=tf.qint32,
        variance_epsilon=0.001, scale_after_normalization=True)
    return tf.dequantize(result, low, high, mode="MIN_FIRST"), low, high


batch_norm = batch_norm.tolerance(1e-3, atol=2e-3)  # TensorFlow's fixed point is off by one or two levels of 0.0005
