"""tf.train.do_quantize_training_on_graphdef: the names and numbers are those of TensorFlow 2.15."""

import numpy as np
import pytest

import evergraph as tf

rewritten = tf.train.do_quantize_training_on_graphdef


def nodes(graph_def):
    return {node.name: node for node in graph_def.node}


def two_layers(graph):
    with graph.as_default():
        x = tf.placeholder(tf.float32, [2, 4], name="x")
        w = tf.Variable(np.linspace(-1, 1, 16).reshape(4, 4).astype("f"), name="w")
        tf.matmul(tf.nn.relu(tf.matmul(x, w, name="y"), name="z"), w, name="o")
        tf.global_variables_initializer()
        tf.train.Saver()
    return graph.as_graph_def()


def test_nodes_have_tensorflows_names(graph):
    before = two_layers(graph)
    found = nodes(rewritten(before, 4))
    assert list(found["y"].input) == ["x/QuantizeAndDequantizeV2", "w/read/QuantizeAndDequantizeV2"]
    assert list(found["o"].input) == ["z/QuantizeAndDequantizeV2", "w/read/QuantizeAndDequantizeV2"]
    added = sorted(name.removeprefix("x/") for name in set(found) - set(nodes(before)) if name.startswith("x/"))
    average = ["AssignValue", "EMA/DecayComplement", "EMA/EMAValue", "EMA/OneConst", "EMA/UpdateValue",
               "EMA/ValueDiff", "IsInitialized", "Merge", "Switch", "Variable"]
    assert added == ["Decay", "Max", *(f"Max/{name}" for name in average), "Min", *(f"Min/{name}" for name in average),
                     "QuantizeAndDequantizeV2", "ReductionAxes/InputRank", "ReductionAxes/RangeDelta",
                     "ReductionAxes/RangeStart", "ReductionAxes/ReductionAxes"]
    assert list(found["save/SaveV2"].input)[3:] == ["w", *(
        f"{name}/{end}/Variable" for name in ("x", "w/read", "z") for end in ("Min", "Max"))]
    assert "^save/Assign/_11_qt" in found["save/restore_all"].input


def test_values_and_moving_averages_are_tensorflows(graph, tmp_path):
    quantized, checkpoint = rewritten(two_layers(graph), 4), {"save/Const:0": str(tmp_path / "model")}
    with tf.Graph().as_default():
        tf.import_graph_def(quantized, name="")
        with tf.Session() as session:
            session.run("init")
            found = [session.run("o:0", {"x:0": np.random.RandomState(k).randn(2, 4) * (k + 1)})[0] for k in range(3)]
            assert session.run(["x/Max/Variable:0", "w/read/Min/Variable:0"]) == pytest.approx([2.2448204, -1.0])
            session.run("save/control_dependency:0", checkpoint)
        with tf.Session() as session:
            session.run("save/restore_all", checkpoint)
            assert session.run("x/Max/Variable:0") == pytest.approx(2.2448204)
    np.testing.assert_allclose(found, [[0.88851744, 1.2291157, 1.5697142, 1.9103124], [0, 0, 0, 0],
                                       [-1.3324287, -0.44414306, 0.44414306, 1.3324287]], atol=1e-5)


RANGES = {  # what the input of a convolution comes from -> whether it is signed, and its limits
    "relu": (tf.nn.relu, False, None),
    "relu6": (tf.nn.relu6, False, (0, 6)),
    "elu": (tf.nn.elu, True, None),
    "concat": (lambda x: tf.concat([tf.tanh(x), tf.sigmoid(x)], 0), True, (-1, 1)),
    "reshape": (lambda x: tf.reshape(tf.reshape(tf.nn.relu6(x), [-1]), [1, 2, 2, 4]), False, (0, 6)),
    "pool": (lambda x: tf.nn.avg_pool(tf.sigmoid(x), [1, 2, 2, 1], [1, 1, 1, 1], "SAME"), False, (0, 1)),
    "squeeze": (lambda x: tf.squeeze(tf.expand_dims(tf.nn.relu6(x), 0), [0]), True, None),
    "bias": (lambda x: tf.nn.bias_add(tf.nn.relu(x), tf.ones([4])), True, None),
}


@pytest.mark.parametrize("kind", RANGES)
def test_ranges_that_activations_tell(kind, graph):
    make, is_signed, limits = RANGES[kind]
    source = make(tf.placeholder(tf.float32, [1, 2, 2, 4])).op.name
    tf.nn.conv2d(graph.get_tensor_by_name(f"{source}:0"), tf.ones([1, 1, 4, 4]), [1, 1, 1, 1], "SAME")
    found = nodes(rewritten(graph.as_graph_def(), 8))
    assert found[f"{source}/QuantizeAndDequantizeV2"].attr["signed_input"].b == is_signed
    if limits is None:
        assert f"{source}/Min/AssignValue" in found
    else:
        assert tuple(float(tf.make_ndarray(found[f"{source}/{name}"].attr["value"].tensor))
                     for name in ("InputMin", "InputMax")) == limits


def test_gradients_and_what_is_no_float_are_left_alone(graph):
    w = tf.Variable(tf.ones([4, 4]), name="w")
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.matmul(tf.placeholder(tf.float32, [2, 4]), w)))
    before = nodes(graph.as_graph_def())
    after = nodes(rewritten(graph.as_graph_def(), 8))
    assert all(after[name].input == before[name].input for name in before if name.startswith("gradients"))
    with pytest.raises(IndexError, match=r"range \[1, 63\] but is: 64"):
        rewritten(graph.as_graph_def(), 64)
    tf.matmul(tf.ones([2, 2], tf.float64), tf.ones([2, 2], tf.float64))
    with pytest.raises(ValueError, match="float32 alone"):
        rewritten(graph.as_graph_def(), 8)
