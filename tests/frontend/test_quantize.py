"""tf.quantization: what one op alone does not show."""


import numpy as np
import pytest

import evergraph as tf
from evergraph.run.session import Session
from tests.harness.recorded import numbers

pytestmark = pytest.mark.usefixtures("session")


def test_relu_up_to_a_value(session):
    levels, low, high = tf.quantize([-2.0, 1.0, 4.0, 8.0], -3.0, 9.0, tf.quint8, mode="MIN_FIRST")
    active, low, high = tf.nn.quantized_relu_x(levels, 4.5, low, high)
    numbers = session.run(tf.dequantize(active, low, high, mode="MIN_FIRST"))
    np.testing.assert_allclose(numbers, [0, 1, 4, 4.5], atol=12 / 255)


def test_weights_are_trained_through_fake_levels(session):
    w = tf.Variable([0.3, -0.8])
    low, high = tf.Variable(-0.5), tf.Variable(1.0)
    rounded = tf.quantization.fake_quant_with_min_max_vars(w, low, high, num_bits=4)
    slopes = tf.gradients(tf.reduce_sum(rounded * [2.0, 3.0]), [w, low, high])
    session.run(tf.global_variables_initializer())
    by_weights, by_low, by_high = session.run(slopes)
    assert by_weights.tolist() == [2, 0]  # -0.8 lies below the range, which gets what it would have got
    assert (by_low, by_high) == (3, 0)


def test_range_must_be_one(session):
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(tf.fake_quant_with_min_max_args(tf.placeholder_with_default([1.0], [1]), min=1.0, max=0.0))
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(tf.fake_quant_with_min_max_args(tf.placeholder_with_default([1.0], [1]), num_bits=17))


def test_both_orders_of_arguments(session):
    one = tf.quantize([1.0], 0.0, 2.0, tf.qint8, "SCALED", "HALF_TO_EVEN", "first")
    two = tf.quantize_v2([1.0], 0.0, 2.0, tf.qint8, "SCALED", "second", "HALF_TO_EVEN")
    assert one[0].op.name == "first" and two[0].op.name == "second"
    assert session.run([one[0], two[0]]) == [64, 64]


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_a_frozen_network_of_tensorflow(tier):
    golden = numbers("quantized_network")
    message = tf.GraphDef.FromString(golden["graph"].tobytes())
    y, = tf.import_graph_def(message, return_elements=["y:0"], name="")
    with Session(graph=y.graph, tier=tier) as session:
        np.testing.assert_allclose(session.run(y, {"x:0": golden["x"]}), golden["y"], rtol=1e-5, atol=1e-5)
