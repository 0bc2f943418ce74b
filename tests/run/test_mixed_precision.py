"""Automatic mixed precision: how sessions get it, and training with it."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import logging
from evergraph.passes.half_precision import in_half_precision
from evergraph.run import mixed_precision

experimental = tf.train.experimental


@pytest.fixture
def anywhere(monkeypatch):
    """The rewrite acts on CPUs too."""
    monkeypatch.setenv("TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_IGNORE_PERFORMANCE", "1")


def config(value):
    rewriting = tf.compat.v1.ConfigProto()
    rewriting.graph_options.rewrite_options.auto_mixed_precision = value
    return rewriting


def dtype(**arguments):
    with tf.Session(**arguments) as session:
        return session._mixed and session._mixed.dtype


def test_who_asks_for_it(anywhere, monkeypatch):
    assert dtype() is None and dtype(config=config(1)) == tf.bfloat16
    experimental.enable_mixed_precision_graph_rewrite(tf.train.GradientDescentOptimizer(1.0))
    assert tf.config.optimizer.get_experimental_options()["auto_mixed_precision"] is True
    assert dtype() == tf.bfloat16 and dtype(config=config(2)) is None
    experimental.disable_mixed_precision_graph_rewrite()
    assert dtype() is None
    tf.config.optimizer.set_experimental_options({"auto_mixed_precision": True})
    assert dtype() == tf.bfloat16
    tf.config.optimizer.set_experimental_options({"auto_mixed_precision": False})
    for name in ("TF_ENABLE_AUTO_MIXED_PRECISION", "TF_ENABLE_AUTO_MIXED_PRECISION_GRAPH_REWRITE"):
        with monkeypatch.context() as patch:
            patch.setenv(name, "1")
            assert dtype() == tf.bfloat16
    monkeypatch.setenv("EVERGRAPH_HALF_PRECISION", "float16")
    assert dtype(config=config(1)) == tf.float16
    monkeypatch.setenv("EVERGRAPH_HALF_PRECISION", "int8")
    with pytest.raises(tf.errors.InvalidArgumentError, match="bfloat16 or float16"):
        dtype(config=config(1))


class Device:
    def __init__(self, capability):
        self.compute_capability = capability


@pytest.mark.parametrize("platform, capability, wanted", [
    ("gpu", "9.0", tf.bfloat16), ("gpu", "8.0", tf.bfloat16), ("gpu", "7.5", tf.float16), ("gpu", "6.1", None),
    ("tpu", None, tf.bfloat16), ("cpu", None, None),
])  # fmt: skip
def test_which_dtype(monkeypatch, platform, capability, wanted):
    class Jax:
        devices = staticmethod(lambda: [Device(capability)])

    monkeypatch.setattr(mixed_precision.backend, "platform", lambda: platform)
    monkeypatch.setattr(mixed_precision.backend, "jax", lambda: Jax)
    found = mixed_precision.mixed_precision(config(1), mixed_precision.backend.BestPlace())
    assert (found and found.dtype) == wanted


def test_a_warning_for_sessions_that_exist(monkeypatch):
    said = []
    monkeypatch.setattr(logging, "warn", lambda message, *rest: said.append(message))
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    experimental.enable_mixed_precision_graph_rewrite(optimizer)
    assert not said
    experimental.disable_mixed_precision_graph_rewrite()
    with tf.Session():
        experimental.enable_mixed_precision_graph_rewrite(optimizer)
    assert "exist already" in said[0]


def test_lists_of_the_environment(anywhere, monkeypatch):
    prefix = "TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_"
    monkeypatch.setenv(f"{prefix}WHITELIST_REMOVE", "MatMul")
    monkeypatch.setenv(f"{prefix}DENYLIST_ADD", "Relu, Tanh")
    lists = mixed_precision.mixed_precision(config(1), mixed_precision.backend.BestPlace()).lists
    assert "MatMul" not in lists and lists["Relu"] is lists["Tanh"] is lists["Exp"]


def names_in_half(session, fetches):
    """The types and names of the nodes that the session's run of `fetches` computes in half precision."""
    stages = [runner.stage for runner in session._find(fetches, ())[0].plan.runners]
    return {node.name for s in stages for node in in_half_precision(s.nodes, s.outputs, session._mixed)}



def test_numbers_are_rounded_in_compiled_programs_alone(anywhere):
    x = tf.constant([[1.001]])
    y = tf.matmul(x, x)
    with tf.Session(config=config(1), tier="xla") as session:
        assert session.run(y) == 1.0 and session.run(y).dtype == np.float32
    with tf.Session(config=config(1), tier="numpy") as session:
        assert session.run(y) > 1.0


def conv_net():
    images = tf.constant(np.random.RandomState(0).randn(8, 8, 8, 3), tf.float32)
    labels = tf.constant(np.arange(8) % 4)
    y = tf.layers.conv2d(images, 6, 3, activation=tf.nn.relu, name="first")
    y = tf.layers.max_pooling2d(y, 2, 2, name="pool")
    y = tf.layers.conv2d(y, 8, 3, activation=tf.nn.relu, name="second")
    logits = tf.layers.dense(tf.layers.flatten(y), 4, name="logits")
    return tf.losses.sparse_softmax_cross_entropy(labels, logits)


def norm(x, name):
    with tf.variable_scope(name):
        mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
        return (x - mean) * tf.rsqrt(variance + 1e-6) * tf.get_variable("scale", initializer=tf.ones([x.shape[-1]]))


def transformer_block():
    x = tf.constant(np.random.RandomState(0).randn(2, 5, 8), tf.float32)
    query, key, value = (tf.layers.dense(x, 8, name=name) for name in ("query", "key", "value"))
    weights = tf.nn.softmax(tf.matmul(query, key, transpose_b=True, name="scores"), name="weights")
    attended = norm(tf.add(x, tf.matmul(weights, value, name="attended"), name="residual"), "norm")
    hidden = tf.layers.dense(attended, 16, activation=tf.nn.relu, name="hidden")
    output = tf.layers.dense(hidden, 8, name="output")
    return tf.reduce_mean(tf.square(attended + output - tf.reverse(x, [1])))


NETWORKS = [
    (conv_net,
     {"first/Conv2D", "first/BiasAdd", "first/Relu", "pool/MaxPool", "second/Conv2D", "logits/MatMul",
      "gradients/first/Conv2D_grad/Conv2DBackpropFilter", "gradients/second/Conv2D_grad/Conv2DBackpropInput",
      "gradients/pool/MaxPool_grad/MaxPoolGrad", "gradients/logits/MatMul_grad/MatMul"},
     {"logits/BiasAdd", "sparse_softmax_cross_entropy_loss/xentropy/xentropy"}),
    (transformer_block,
     {"query/Tensordot/MatMul", "query/BiasAdd", "scores", "attended", "hidden/Tensordot/MatMul", "hidden/Relu",
      "output/Tensordot/MatMul", "gradients/attended_grad/BatchMatMulV2",
      "gradients/hidden/Tensordot/MatMul_grad/MatMul_1"},
     {"weights", "residual", "norm/moments/mean", "output/BiasAdd"}),
]  # fmt: skip


@pytest.mark.parametrize("network, half, whole", NETWORKS, ids=["convolutions", "transformer"])
def test_training(anywhere, network, half, whole, tmp_path):
    tf.set_random_seed(1)
    loss = network()
    optimizer = experimental.enable_mixed_precision_graph_rewrite(tf.train.AdamOptimizer(0.01), 128)
    train = optimizer.minimize(loss)
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = session.run([train, loss])[1]
        for _ in range(30):
            last = session.run([train, loss])[1]
        assert last.dtype == np.float32 and last < 0.5 * first
        found = names_in_half(session, [train, loss])
        assert half <= found and found.isdisjoint(whole)
        path = saver.save(session, str(tmp_path / "model"))
    assert {tf.train.load_variable(path, name).dtype for name, _ in tf.train.list_variables(path)} == {np.dtype("f4")}
    with tf.Session(config=config(2), tier="numpy") as session:
        saver.restore(session, path)
        assert session.run(loss) < 0.5 * first


def test_training_with_keras(anywhere, monkeypatch):
    """The gradient of the product, 2e-8, is zero in float16 unless it is scaled."""
    monkeypatch.setenv("EVERGRAPH_HALF_PRECISION", "float16")
    optimizer = experimental.enable_mixed_precision_graph_rewrite(tf.keras.optimizers.SGD(1e8), 2.0 ** 15)
    assert isinstance(optimizer, tf.keras.mixed_precision.experimental.LossScaleOptimizer)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, use_bias=False, input_shape=(1,))])
    with tf.Session(tier="xla"):
        model.compile(optimizer, lambda y, found: found * 1e-8)
        before = model.get_weights()[0]
        model.train_on_batch(np.ones([1, 1]), np.ones([1, 1]))
        np.testing.assert_allclose(before - model.get_weights()[0], 1.0, rtol=1e-3)
        assert model.optimizer.iterations.eval() == 1


def test_float16_with_a_loss_scale(anywhere, monkeypatch):
    """The gradient of the product, 2e-8, is zero in float16 unless it is scaled."""
    monkeypatch.setenv("EVERGRAPH_HALF_PRECISION", "float16")
    w = tf.Variable([[1.0]])
    loss = tf.reduce_sum(tf.matmul(tf.constant([[1.0]]), w)) * 1e-8
    plain = tf.train.GradientDescentOptimizer(1.0)
    scaled = experimental.enable_mixed_precision_graph_rewrite(plain, 2.0 ** 15)
    with tf.Session(tier="xla") as session:
        session.run(w.initializer)
        found = session.run([plain.compute_gradients(loss)[0][0], scaled.compute_gradients(loss)[0][0]])
    assert found[0] == 0 and found[1] == pytest.approx(1e-8, rel=1e-3)


def test_loops_branches_and_second_derivatives(anywhere):
    x = tf.constant([[0.5, 0.25], [0.125, 1.0]])
    w = tf.Variable([[0.5, 0.25], [1.0, 0.5]])
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.tanh(tf.matmul(y, w))), [0, x])
    y = tf.cond(tf.reduce_sum(x) > 0, lambda: tf.matmul(y, w), lambda: y)
    first, = tf.gradients(tf.reduce_sum(y), w)
    second, = tf.gradients(tf.reduce_sum(first * first), w)
    found = []
    for value in (1, 2):
        with tf.Session(config=config(value), tier="xla") as session:
            session.run(w.initializer)
            found.append(session.run([y, first, second]))
    for mixed, whole in zip(*found):
        assert mixed.dtype == np.float32 and not np.array_equal(mixed, whole)
        np.testing.assert_allclose(mixed, whole, rtol=0.1)
