"""tf.contrib.quantize: simulated quantization, by the formulas of its documentation."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.quantize.fold import fold_batch_norms
from evergraph.contrib.quantize.patterns import GraphMatcher, InputToOps, OneofPattern, OpTypePattern
from evergraph.contrib.quantize.ranges import fixed, last_value, moving_average, quantization_step
from tests.harness.session import evaluated, started

slim = tf.contrib.slim
quantize = tf.contrib.quantize


def rounded(x, low, high, bits=8, narrow=False):
    """x on the grid of integers from 0 (or 1) to 2^bits - 1, with zero moved onto the grid."""
    first, last = int(narrow), 2**bits - 1
    scale = (high - low) / (last - first)
    zero = np.clip(np.round(first - low / scale), first, last)
    return (np.clip(np.round(x / scale), first - zero, last - zero) * scale).astype(np.float32)


def layer():
    """A dense layer with weights whose range is -1 to 0.6, and its input."""
    x = tf.constant([[1.0, 2.0], [-0.5, 0.25]])
    weights = np.float32([[0.3, -1.0, 0.11], [0.6, 0.2, -0.04]])
    return x, weights, tf.layers.dense(x, 3, activation=tf.nn.relu, kernel_initializer=tf.constant_initializer(weights))


def test_weights_have_the_last_range_and_activations_an_average():
    x, weights, _ = layer()
    quantize.create_training_graph()
    output = tf.get_default_graph().get_tensor_by_name("dense/act_quant/FakeQuantWithMinMaxVars:0")
    session = started("numpy")
    product = np.maximum(session.run(x) @ rounded(weights, -1.0, 0.6, narrow=True), 0.0)
    np.testing.assert_allclose(session.run(output), rounded(product, 0.0, product.max()), rtol=1e-4)
    values = {v.op.name: session.run(v) for v in tf.global_variables()}
    assert values["dense/weights_quant/min"] == -1.0 and values["dense/weights_quant/max"] == np.float32(0.6)
    np.testing.assert_allclose(values["dense/act_quant/max"], product.max(), rtol=1e-4)
    assert "dense/act_quant/dense/act_quant/max/biased" in values
    assert not [v for v in tf.trainable_variables() if "quant" in v.name]


def test_evaluation_uses_the_ranges_of_training():
    x, weights, _ = layer()
    quantize.experimental_create_eval_graph(weight_bits=4, activation_bits=6)
    output = tf.get_default_graph().get_tensor_by_name("dense/act_quant/FakeQuantWithMinMaxVars:0")
    session = started("numpy")
    for name, value in (("weights_quant/min", -1.0), ("weights_quant/max", 1.0), ("act_quant/max", 3.0)):
        tf.global_variables(f"dense/{name}")[0].load(value, session)
    product = np.maximum(session.run(x) @ rounded(weights, -1.0, 1.0, 4, narrow=True), 0.0)
    np.testing.assert_allclose(session.run(output), rounded(product, 0.0, 3.0, 6), rtol=1e-4)
    assert not [op for op in tf.get_default_graph().get_operations() if "Ema" in op.name]


def test_quantization_starts_after_a_delay_and_lets_gradients_pass():
    x, weights, _ = layer()
    loss = tf.reduce_sum(tf.get_default_graph().get_tensor_by_name("dense/Relu:0"))
    quantize.create_training_graph(quant_delay=2)
    step = tf.train.GradientDescentOptimizer(0.0).minimize(loss)
    quantized = tf.get_default_graph().get_tensor_by_name("dense/MatMul:0").op.inputs[1]
    session = started("numpy")
    first, second = (session.run([quantized, step])[0] for _ in range(2))
    np.testing.assert_array_equal(first, weights)
    np.testing.assert_allclose(second, rounded(weights, -1.0, 0.6, narrow=True), rtol=1e-4)


@pytest.mark.parametrize("is_fused", [True, False])
@pytest.mark.parametrize("kind", ["conv", "depthwise", "dense"])
def test_a_folded_layer_gives_what_the_layer_gave(kind, is_fused):
    values = []
    for fold in (False, True):
        with tf.Graph().as_default() as graph:
            x, y = normalized(kind, is_fused)
            if fold:
                fold_batch_norms(graph, True)
                assert graph.get_operation_by_name("net/add_fold").outputs[0].consumers()
            session = started("numpy")
            values.append(session.run([y, tf.gradients(tf.square(y), x)[0]]))
    for before, after in zip(*values):
        np.testing.assert_allclose(after, before, atol=1e-4)


def normalized(kind, is_fused, is_training=True):
    x = tf.constant(np.random.RandomState(0).rand(*([2, 5, 5, 3] if kind != "dense" else [6, 3])), tf.float32)
    with slim.arg_scope([slim.batch_norm], fused=is_fused, scale=True, is_training=is_training), \
            slim.arg_scope([slim.conv2d, slim.separable_conv2d, slim.fully_connected], normalizer_fn=slim.batch_norm,
                           weights_initializer=tf.truncated_normal_initializer(seed=3), scope="net"):
        if kind == "conv":
            return x, slim.conv2d(x, 4, 3) * 1.0
        if kind == "dense":
            return x, slim.fully_connected(x, 4) * 1.0
        return x, slim.separable_conv2d(x, None, 3, 2, rate=2) * 1.0


def test_frozen_normalization_uses_moving_averages_which_stay():
    x, y = normalized("conv", True)
    graph = tf.get_default_graph()
    fold_batch_norms(graph, True, freeze_batch_norm_delay=2)
    updates, session = tf.get_collection(tf.GraphKeys.UPDATE_OPS), started("numpy")
    mean, variance = (tf.global_variables(f"net/BatchNorm/moving_{name}")[0] for name in ("mean", "variance"))
    session.run([y, updates])
    kept = session.run([mean, variance])
    frozen = session.run([y, updates])[0]
    np.testing.assert_array_equal(session.run(mean), kept[0])
    conv = session.run(graph.get_tensor_by_name("net/Conv2D:0"))
    np.testing.assert_allclose(frozen, np.maximum((conv - kept[0]) / np.sqrt(kept[1] + 1e-3), 0.0), atol=1e-4)


def test_names_of_a_folded_and_quantized_network():
    _, y = normalized("conv", True)
    slim.conv2d(tf.add(y, slim.conv2d(y, 4, 3, activation_fn=None, scope="unit/branch"), name="unit/sum"), 2, 1,
                activation_fn=None, scope="logits")
    tf.nn.relu(tf.get_default_graph().get_tensor_by_name("unit/sum:0"), name="unit/out")
    quantize.create_training_graph()
    graph = tf.get_default_graph()
    assert [t.op.name for t in graph.get_operation_by_name("net/Conv2D_Fold").inputs][1:] == [
        "net/weights_quant/FakeQuantWithMinMaxVars"]
    assert [t.op.name for t in graph.get_operation_by_name("net/mul_fold").inputs] == [
        "net/correction_mult", "net/BatchNorm_Fold/mul"]
    fakes = {op.name.rpartition("/")[0] for op in graph.get_operations() if op.type == "FakeQuantWithMinMaxVars"}
    assert fakes == {"net/weights_quant", "net/act_quant", "mul/activation_Mul_quant", "unit/branch/weights_quant",
                     "unit/branch/conv_quant", "unit/act_quant", "logits/weights_quant", "logits/act_quant"}


def test_a_second_rewrite_changes_nothing_and_a_trained_graph_is_refused():
    layer()
    graph = tf.get_default_graph()
    quantize.create_training_graph()
    count = len(graph.get_operations())
    quantize.create_training_graph()
    assert len(graph.get_operations()) == count
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(graph.get_tensor_by_name("dense/Relu:0")))
    with pytest.raises(ValueError, match="Training op found in graph"):
        quantize.create_training_graph()


def test_only_a_scope_is_quantized():
    with tf.name_scope("in"):
        x = tf.layers.dense(tf.ones([1, 2]), 2, tf.nn.relu, name="a")
    tf.layers.dense(x, 2, tf.nn.relu, name="b")
    quantize.experimental_create_eval_graph(scope="in")
    fakes = [op.name for op in tf.get_default_graph().get_operations() if op.type.startswith("FakeQuant")]
    assert fakes == ["in/a/weights_quant/FakeQuantWithMinMaxVars", "in/a/act_quant/FakeQuantWithMinMaxVars"]


@pytest.mark.parametrize(("kind", "batches", "options", "ends"), [
    (last_value, [[-1.0, 1.0], [0.0, 0.5]], {}, (0.0, 0.5)),
    (last_value, [[-1.0, 0.5]], {"symmetric": True, "narrow_range": True}, (-1.0, 1.0)),
    (last_value, [[-0.5, 1.27]], {"symmetric": True}, (-1.28, 1.27)),
    (moving_average, [[-1.0, 1.0], [0.0, 0.0]], {}, (-0.49975, 0.49975)),
    (last_value, [[1.0, 3.0]], {}, (0.0, 3.0)),
])
def test_ranges(kind, batches, options, ends):
    x = tf.placeholder(tf.float32, [2])
    y = kind(x, init_min=0.0, init_max=0.0, vars_collection="ends", **options)
    session = started("numpy")
    for batch in batches:
        session.run(y, {x: batch})
    np.testing.assert_allclose(session.run(tf.get_collection("ends")), ends, atol=1e-5)


def test_a_range_for_each_channel():
    x = tf.constant([[-1.0, 0.0], [0.5, 100.0]])
    quantized = evaluated(last_value(x, per_channel=True))
    np.testing.assert_allclose(quantized[:, 0], rounded(np.float32([-1.0, 0.5]), -1.0, 0.5), rtol=1e-4)
    np.testing.assert_allclose(quantized[:, 1], [0.0, 100.0], rtol=1e-4)


def test_a_fixed_range_and_the_counter_of_steps():
    np.testing.assert_allclose(evaluated(fixed(tf.constant([7.0, 0.01]))), [5.97647, 0.0], atol=1e-4)
    step = quantization_step()
    assert quantization_step() is step
    session = started("numpy")
    assert [session.run(step) for _ in range(2)] == [1, 2]


def test_patterns():
    x, y = tf.placeholder(tf.float32, [], name="x"), tf.constant(1.0)
    total, difference = x + y, x - y
    either = OneofPattern([OpTypePattern("Mul"), OpTypePattern("AddV2|Add", name="sum", inputs=["Const", "Placeholder"],
                                                              ordered_inputs=False)])
    [match] = GraphMatcher(either).match_graph(tf.get_default_graph())
    assert match.get_op("sum") is match.get_op(either) is total.op and match.get_tensor("product") is None
    assert not list(GraphMatcher(OpTypePattern("Sub", inputs=["Const", "*"])).match_ops([difference.op]))
    assert InputToOps(tf.get_default_graph()).ConsumerOperations(x.op) == {total.op, difference.op}
