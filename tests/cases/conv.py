"""Convolutions: evergraph/ops/nn/conv.py and depthwise.py, frontend/nn/convolution.py."""

import numpy as np

from tests.harness import bf16, case, f16, f64, floats, i32, program

image = floats(2, 5, 6, 3)
filter_ = floats(3, 2, 3, 4, seed=1)
volume = floats(2, 4, 5, 3, 2)
filter3 = floats(2, 3, 2, 2, 3, seed=1)
one, two = [1, 1, 1, 1], [1, 2, 2, 1]
uneven = [1, 2, 1, 1]
depthwise = floats(3, 2, 3, 2, seed=3)
close = (1e-4, 1e-5)


def conv(*inputs, op="Conv2D", strides=one, padding="SAME", **attrs):
    return case(op, *inputs, strides=strides, padding=padding, **attrs).tolerance(*close)


CASES = [
    *[conv(image, filter_, strides=strides, padding=padding) for strides in (one, two, uneven)
      for padding in ("SAME", "VALID")],
    conv(image, filter_, padding="EXPLICIT", explicit_paddings=[0, 0, 1, 2, 0, 3, 0, 0], strides=two),
    conv(image, filter_, dilations=[1, 2, 3, 1]).no_grad("TensorFlow has none for dilations on CPUs"),
    conv(image.astype("float64"), filter_.astype("float64")),
    conv(f16(floats(1, 3, 3, 1)), f16(floats(2, 2, 1, 1))).tolerance(1e-2, 1e-2).no_grad("half precision"),
    conv(bf16(floats(1, 3, 3, 1)), bf16(floats(2, 2, 1, 1))).tolerance(3e-2, 3e-2).no_grad("half precision"),
    conv(image, floats(1, 1, 3, 2)),
    conv(image, floats(3, 2, 5, 4)).fails("ValueError"),
    conv(image, floats(7, 2, 3, 4), padding="VALID").fails("ValueError"),
    conv([2, 5, 6, 3], filter_, floats(2, 5, 6, 4), op="Conv2DBackpropInput"),
    conv([2, 5, 6, 3], filter_, floats(2, 3, 3, 4), op="Conv2DBackpropInput", strides=two),
    conv(i32([2, 6, 6, 3]), filter_, floats(2, 2, 3, 4), op="Conv2DBackpropInput", strides=two, padding="VALID"),
    conv(image, [3, 2, 3, 4], floats(2, 5, 6, 4), op="Conv2DBackpropFilter"),
    conv(image, i32([3, 2, 3, 4]), floats(2, 2, 3, 4), op="Conv2DBackpropFilter", strides=two, padding="VALID"),
    *[conv(volume, filter3, op="Conv3D", strides=strides, padding=padding)
      for strides in ([1] * 5, [1, 2, 2, 1, 1]) for padding in ("SAME", "VALID")],
    conv(i32([2, 4, 5, 3, 2]), filter3, floats(2, 2, 3, 3, 3), op="Conv3DBackpropInputV2", strides=[1, 2, 2, 1, 1]),
    conv(volume, i32([2, 3, 2, 2, 3]), floats(2, 2, 3, 3, 3), op="Conv3DBackpropFilterV2", strides=[1, 2, 2, 1, 1]),
    conv(volume, filter3[..., :1, :], op="Conv3D", strides=[1] * 4).fails("ValueError"),
    *[conv(image, depthwise, op="DepthwiseConv2dNative", strides=strides, padding=padding)
      for strides in (one, two) for padding in ("SAME", "VALID")],
    conv(image, depthwise[..., :1], op="DepthwiseConv2dNative"),
    conv(image, floats(3, 2, 4, 2), op="DepthwiseConv2dNative").fails("ValueError"),
    *[conv(i32([2, 5, 6, 3]), depthwise, floats(2, *size, 6), op="DepthwiseConv2dNativeBackpropInput", strides=strides)
      for strides, size in ((one, (5, 6)), (two, (3, 3)))],
    conv(image, [3, 2, 3, 2], floats(2, 5, 6, 6), op="DepthwiseConv2dNativeBackpropFilter"),
    *[conv(image, floats(2, 3, 3, seed=8), op="Dilation2D", strides=strides, padding=padding, rates=rates)
      .no_differences("kinks") for strides in (one, two) for padding, rates in (("SAME", one), ("VALID", uneven))],
    conv(image, floats(2, 3, 3, seed=8), floats(2, 5, 6, 3), op="Dilation2DBackpropInput", rates=one)
    .no_grad("TensorFlow has none"),
    conv(image, floats(2, 3, 3, seed=8), floats(2, 5, 6, 3), op="Dilation2DBackpropFilter", rates=one)
    .no_grad("TensorFlow has none"),
    conv(image[:1], [[0, 0], [1, 2], [2, 1], [0, 0]], filter_, op="FusedPadConv2D", mode="REFLECT", padding="VALID")
    .no_grad("TensorFlow has none"),
    conv(image[:1], [[0, 0], [1, 2], [2, 1], [0, 0]], filter_, op="FusedPadConv2D", mode="SYMMETRIC", strides=two)
    .no_grad("TensorFlow has none"),
    *[conv(image[:1], [7, 4], [[0, 0], [1, 2], [2, 1], [0, 0]], filter_, op="FusedResizeAndPadConv2D", mode="REFLECT",
           padding="VALID", resize_align_corners=corners).no_grad("TensorFlow has none") for corners in (False, True)],
    case("Conv2D", f64(np.ones((1, 2, 2, 1))), f64(np.ones((2, 2, 1, 1))), strides=one, padding="VALID"),
]


def tolerant(each):
    return each.tolerance(*close)


@tolerant
@program(floats(2, 7, 3), floats(3, 3, 4, seed=1))
def sequences(tf, x, filters):
    return (tf.nn.conv1d(x, filters, 2, "SAME"), tf.nn.conv1d(x, filters, stride=1, padding="VALID"),
            tf.nn.conv1d_transpose(x, tf.transpose(filters, [0, 2, 1]), [2, 14, 4], 2),
            tf.nn.convolution(x, filters, "SAME", dilation_rate=[2]),
            tf.nn.convolution(x, filters, "VALID", strides=[2]))


@tolerant
@program(image, filter_)
def images(tf, x, filters):
    return (tf.nn.conv2d(x, filters, 1, "SAME"), tf.nn.conv2d(x, filters, [2, 1], "VALID"),
            tf.nn.conv2d(x, filters, two, [[0, 0], [1, 1], [2, 0], [0, 0]]),
            tf.nn.conv2d(x, filters=filters, strides=one, padding=[[0, 0]] * 4),
            tf.nn.convolution(x, filters, "SAME", strides=[2, 1]))


@tolerant
@program(image, filter_)
def holes(tf, x, filters):
    return (tf.nn.atrous_conv2d(x, filters, 2, "SAME"), tf.nn.atrous_conv2d(x, filters, 2, "VALID"),
            tf.nn.convolution(x, filters, "SAME", dilation_rate=[1, 3]), tf.nn.atrous_conv2d(x, filters, 1, "SAME"))


@tolerant
@program(floats(2, 3, 4, 4), filter_)
def transposed(tf, x, filters):
    return (tf.nn.conv2d_transpose(x, filters, [2, 6, 8, 3], [1, 2, 2, 1]),
            tf.nn.conv2d_transpose(x, filters, tf.stack([2, 5, 7, 3]), 2),
            tf.nn.conv2d_transpose(x, filters, [2, 5, 5, 3], one, "VALID"),
            tf.nn.conv_transpose(x, filters, [2, 6, 8, 3], 2))


@tolerant
@program(floats(2, 3, 4, 4), filter_)
def holes_transposed(tf, x, filters):
    return (tf.nn.atrous_conv2d_transpose(x, filters, [2, 3, 4, 3], 2, "SAME"),
            tf.nn.atrous_conv2d_transpose(x, filters, [2, 7, 6, 3], 2, "VALID"),
            tf.nn.atrous_conv2d_transpose(x, filters, [2, 9, 7, 3], 3, "VALID"),
            tf.nn.atrous_conv2d_transpose(x, filters, [2, 3, 4, 3], 1, "SAME"))


@tolerant
@program(volume, filter3)
def volumes(tf, x, filters):
    return (tf.nn.conv3d(x, filters, [1, 1, 2, 1, 1], "SAME"), tf.nn.convolution(x, filters, "VALID"),
            tf.nn.convolution(x, filters, "SAME", dilation_rate=[1, 2, 1]),
            tf.nn.conv3d_transpose(tf.nn.conv3d(x, filters, [1] * 5, "SAME"), filters, [2, 4, 5, 3, 2], [1] * 5))


@tolerant
@program(image, depthwise, floats(1, 1, 6, 5))
def by_channel(tf, x, filters, mixing):
    return (tf.nn.depthwise_conv2d(x, filters, two, "SAME"),
            tf.nn.depthwise_conv2d(x, filters, one, "SAME", rate=[2, 2]),
            tf.nn.separable_conv2d(x, filters, mixing, one, "VALID"),
            tf.nn.separable_conv2d(x, filters, mixing, one, "SAME", rate=[1, 2]))


@program(image, floats(2, 3, 3, seed=8))
def morphology(tf, x, kernel):
    return (tf.nn.dilation2d(x, kernel, one, one, "SAME"), tf.nn.erosion2d(x, kernel, two, one, "SAME"))


morphology = morphology.no_differences("kinks")
