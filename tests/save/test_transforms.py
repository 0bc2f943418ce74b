"""`tensorflow.tools.graph_transforms`: what each transform leaves, and that the graph computes the same."""

import subprocess
import sys

import numpy as np
import pytest

import evergraph as tf
from evergraph.save.transforms import TRANSFORMS, TransformGraph, parsed
from tests.harness.session import run

rng = np.random.RandomState(0)
IMAGE = rng.rand(1, 5, 5, 3).astype(np.float32)


@pytest.fixture
def message():
    """A frozen graph from "x" to "y", with something of everything."""
    x = tf.placeholder(tf.float32, [1, 5, 5, 3], name="x")
    weights = tf.multiply(rng.rand(3, 3, 3, 64).astype(np.float32), 0.5, name="weights")
    y = tf.nn.conv2d(tf.identity(x), weights, 1, "SAME", name="convolved")
    y = tf.raw_ops.FusedBatchNorm(x=y, scale=np.ones(64, np.float32), offset=np.zeros(64, np.float32) + 0.5,
                                  mean=np.zeros(64, np.float32) + 0.1, variance=np.ones(64, np.float32) * 2,
                                  is_training=False)[0]
    with tf.device("/cpu:0"), tf.control_dependencies([tf.no_op(name="first")]):
        y = tf.check_numerics(tf.nn.relu(y), "bad")
    flat = tf.reshape(tf.reduce_mean(y, [1, 2]), [1, 64])
    product = tf.matmul(flat, rng.rand(64, 4).astype(np.float32), name="product") * np.float32([1, 2, 3, 4])
    tf.add(product, tf.add(tf.constant(1.0), tf.constant(1.0)), name="y")
    tf.add(product, 7.0, name="unused")
    return tf.get_default_graph().as_graph_def()


def answer(message):
    with tf.Graph().as_default():
        y, = tf.import_graph_def(message, return_elements=["y:0"], name="")
        return run(y, {"x:0": IMAGE})


def transformed(message, *transforms):
    return TransformGraph(message, ["x"], ["y"], list(transforms))


@pytest.mark.parametrize("transform, tolerance", [
    ("strip_unused_nodes", 0), ("remove_nodes(op=Identity, op=CheckNumerics)", 0), ("merge_duplicate_nodes", 0),
    ("fold_constants", 0), ("fold_constants(ignore_errors=true) fold_old_batch_norms", 1e-5),
    ("fold_batch_norms", 1e-5), ("fuse_resize_pad_and_conv", 0), ("quantize_weights", 0.02),
    ("quantize_weights(minimum_size=100)", 0.05),
    ("round_weights(num_steps=200)", 0.05), ("sort_by_execution_order", 0), ("remove_device", 0),
    ('set_device(device="/cpu:0", if_default=true)', 0), ("remove_control_dependencies", 0),
    ("remove_attribute(attribute_name=_class)", 0), ("add_default_attributes", 0), ("obfuscate_names", 0),
])
def test_a_transformed_graph_computes_the_same(message, transform, tolerance):
    new = transformed(message, transform)
    np.testing.assert_allclose(answer(new), answer(message), rtol=tolerance or 1e-6)


def ops(message):
    return [node.op for node in message.node]


def test_what_transforms_leave(message):
    names = {node.name for node in transformed(message, "strip_unused_nodes").node}
    assert "unused" not in names and "y" in names
    bare = transformed(message, "remove_nodes(op=Identity, op=CheckNumerics)")
    assert not {"CheckNumerics", "Identity"} & set(ops(bare))
    folded = transformed(message, "fold_constants", "fold_old_batch_norms")
    assert "FusedBatchNorm" not in ops(folded) and ops(folded).count("Add") + ops(folded).count("AddV2") <= 1
    assert ops(transformed(message, "fold_batch_norms")).count("Mul") == ops(message).count("Mul") - 1
    assert len(ops(transformed(message, "merge_duplicate_nodes"))) < len(ops(message))
    small = transformed(message, "fold_constants", "quantize_weights")
    assert "Dequantize" in ops(small)
    assert small.ByteSize() < 0.6 * transformed(message, "fold_constants").ByteSize()
    assert not any(node.device for node in transformed(message, "remove_device").node)
    assert all(node.device for node in transformed(message, "set_device(device=/cpu:0)").node)
    free = transformed(message, "remove_control_dependencies")
    assert not any(text.startswith("^") for node in free.node for text in node.input)
    obscure = [node.name for node in transformed(message, "obfuscate_names").node]
    assert {"x", "y"} <= set(obscure) and max(map(len, obscure)) <= 2 and len(set(obscure)) == len(obscure)


def test_sorting(message):
    backwards = tf.GraphDef(node=reversed(message.node))
    seen = set()
    for node in transformed(backwards, "sort_by_execution_order").node:
        assert {text.lstrip("^").partition(":")[0] for text in node.input} <= seen
        seen.add(node.name)


def test_names_of_ops_and_attrs_change(message):
    new = transformed(message, "rename_op(old_op_name=Relu, new_op_name=Relu6)",
                      "rename_attribute(old_attribute_name=T, new_attribute_name=U, op_name=MatMul)")
    assert "Relu6" in ops(new) and "Relu" not in ops(new)
    assert [sorted(node.attr) for node in new.node if node.op == "MatMul"] == [["U", "transpose_a", "transpose_b"]]


def test_an_inner_node_becomes_a_placeholder(message):
    new = TransformGraph(message, ["product"], ["y"], ["strip_unused_nodes(type=float32, shape=\"1,4\")"])
    node, = (node for node in new.node if node.name == "product")
    assert node.op == "Placeholder" and [d.size for d in node.attr["shape"].shape.dim] == [1, 4]


@pytest.mark.parametrize("text, error", [
    ("nobody", ValueError), ("remove_nodes(op)", ValueError), ("(x=1)", ValueError), ("remove_attribute", ValueError),
    ("remove_device(op=Add)", ValueError),
    ("quantize_nodes", tf.errors.UnimplementedError),
])
def test_transforms_that_cannot_be_meant(message, text, error):
    with pytest.raises(error):
        transformed(message, text)


def test_errors_may_be_ignored(message):
    message.node[0].input.append(message.node[-1].name)  # a circle
    with pytest.raises(ValueError, match="circle"):
        transformed(message, "sort_by_execution_order")
    assert transformed(message, "sort_by_execution_order(ignore_errors=true)") == message


def test_the_text_of_transforms():
    assert parsed("a b(c=1, d=\"2,3\" , c='x')") == [("a", {}), ("b", {"c": ("1", "x"), "d": ("2,3",)})]
    assert {"fold_constants", "fold_batch_norms", "quantize_weights"} <= set(TRANSFORMS)


def test_programs_import_it_from_tensorflow():
    text = "import evergraph.as_tensorflow; from tensorflow.tools.graph_transforms import TransformGraph as t; print(t)"
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert "TransformGraph" in ran.stdout
