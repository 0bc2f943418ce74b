"""Records a quantized network and what TensorFlow computes with it. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.frontend.record_quantized_network     writes tests/goldens/quantized_network.npz
"""

import os

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # its kernels round otherwise than TensorFlow 1's

import numpy as np

from tests.harness.judge import tf
from tests.harness.recorded import write_numbers


def levels(random, shape):
    return tf.constant(random.randint(0, 255, shape).astype(np.uint8), dtype=tf.quint8)


def narrowed(x, low, high):
    """Sums of 32 bits as bytes again."""
    used = tf.raw_ops.RequantizationRange(input=x, input_min=low, input_max=high)
    return tf.raw_ops.Requantize(input=x, input_min=low, input_max=high, requested_output_min=used.output_min,
                                 requested_output_max=used.output_max, out_type=tf.quint8)


def network(random, x):
    """What TensorFlow's transform of frozen graphs makes of a convolution, its activation and a dense layer."""
    x, low, high = tf.quantize_v2(x, tf.reduce_min(x), tf.reduce_max(x), tf.quint8, mode="MIN_FIRST")
    x, low, high = narrowed(*tf.nn.quantized_conv2d(x, levels(random, [3, 3, 3, 4]), low, high, -1.0, 1.0,
                                                    [1, 2, 2, 1], "SAME"))
    x, low, high = narrowed(*tf.raw_ops.QuantizedBiasAdd(
        input=x, bias=levels(random, [4]), min_input=low, max_input=high, min_bias=-0.5, max_bias=0.5,
        out_type=tf.qint32))
    x, low, high = tf.raw_ops.QuantizedRelu(features=x, min_features=low, max_features=high)
    x, low, high = tf.nn.quantized_max_pool(x, low, high, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    x, low, high = tf.raw_ops.QuantizedReshape(tensor=x, shape=[-1, 16], input_min=low, input_max=high)
    x, low, high = tf.raw_ops.QuantizedMatMul(a=x, b=levels(random, [16, 5]), min_a=low, max_a=high, min_b=-1.0,
                                              max_b=1.0, Toutput=tf.qint32)
    x, low, high = tf.raw_ops.QuantizeDownAndShrinkRange(input=x, input_min=low, input_max=high, out_type=tf.quint8)
    return tf.dequantize(x, low, high, mode="MIN_FIRST", name="y")


def main():
    random = np.random.RandomState(0)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")
        y = network(random, x)
        images = random.randn(2, 8, 8, 3).astype(np.float32)
        values = session.run(y, {x: images})
    message = np.frombuffer(graph.as_graph_def().SerializeToString(), np.uint8)
    write_numbers("quantized_network", {"graph": message, "x": images, "y": values})


if __name__ == "__main__":
    main()
