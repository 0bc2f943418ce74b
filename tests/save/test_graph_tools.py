"""Tools that make smaller GraphDefs for inference: stripped, folded, fused."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.python.tools import (
    freeze_graph,
    optimize_for_inference_lib,
    selective_registration_header_lib,
    strip_unused_lib,
)
from tests.harness.session import run, started

rng = np.random.RandomState(0)


def floats(*shape):
    return rng.rand(*shape).astype(np.float32)


def answer(message, output, feeds=None):
    """What a GraphDef computes, and its ops."""
    with tf.Graph().as_default():
        found, = tf.import_graph_def(message, return_elements=[f"{output}:0"], name="")
        return run(found, feeds), {node.op for node in message.node}


def this_graph():
    return tf.get_default_graph().as_graph_def()


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
@pytest.mark.parametrize("depthwise", [False, True])
def test_batch_normalization_is_folded_into_convolutions(layout, depthwise):
    x = tf.constant(floats(1, 5, 5, 4) if layout == "NHWC" else floats(1, 4, 5, 5))
    if depthwise:
        y = tf.nn.depthwise_conv2d(x, floats(2, 2, 4, 2), [1, 1, 1, 1], "SAME", data_format=layout)
    else:
        y = tf.nn.conv2d(x, tf.identity(floats(2, 2, 4, 8)), [1, 1, 1, 1], "SAME", data_format=layout)
    scale, offset, mean, variance = floats(8), floats(8), floats(8), floats(8) + 0.5
    tf.raw_ops.FusedBatchNormV3(x=y, scale=scale, offset=offset, mean=mean, variance=variance, is_training=False,
                                data_format=layout, name="y")
    before, _ = answer(this_graph(), "y")
    after, ops = answer(optimize_for_inference_lib.fold_batch_norms(this_graph()), "y")
    np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-6)
    assert "BiasAdd" in ops and "FusedBatchNormV3" not in ops


def test_a_convolution_that_others_use_stays():
    y = tf.nn.conv2d(floats(1, 4, 4, 2), floats(1, 1, 2, 2), 1, "SAME", name="convolved")
    norm = tf.raw_ops.FusedBatchNorm(x=y, scale=floats(2), offset=floats(2), mean=floats(2), variance=floats(2),
                                     is_training=False)[0]
    tf.add(norm, y, name="y")
    message = this_graph()
    assert optimize_for_inference_lib.fold_batch_norms(message) == message


@pytest.mark.parametrize("resized", [False, True])
@pytest.mark.parametrize("padded", [False, True])
def test_resizes_and_pads_are_fused_with_convolutions(resized, padded):
    x = tf.constant(floats(1, 4, 4, 2))
    if resized:
        x = tf.image.resize_bilinear(x, [8, 6])
    if padded:
        x = tf.pad(x, [[0, 0], [1, 1], [2, 0], [0, 0]], "SYMMETRIC")
    tf.nn.conv2d(x, floats(2, 2, 2, 3), 1, "VALID", name="y")
    before, _ = answer(this_graph(), "y")
    after, ops = answer(optimize_for_inference_lib.fuse_resize_and_conv(this_graph(), ["y"]), "y")
    np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-6)
    assert ("Conv2D" in ops) == (not resized and not padded)


def test_optimize_for_inference_leaves_nothing_of_what_it_folded():
    x = tf.placeholder(tf.float32, [1, 4, 4, 2], name="x")
    y = tf.nn.conv2d(tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT"), floats(3, 3, 2, 2), 1, "VALID")
    y = tf.raw_ops.FusedBatchNorm(x=y, scale=floats(2), offset=floats(2), mean=floats(2), variance=floats(2),
                                  is_training=False)[0]
    tf.identity(tf.nn.relu(y), name="y")
    image = {"x:0": floats(1, 4, 4, 2)}
    before, _ = answer(this_graph(), "y", image)
    for compatible, kind in ((False, "FusedPadConv2D"), (True, "Conv2D")):
        message = optimize_for_inference_lib.optimize_for_inference(
            this_graph(), ["x"], ["y"], tf.float32.as_datatype_enum, compatible)
        after, ops = answer(message, "y", image)
        np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-6)
        assert kind in ops and sum(node.op == "Const" for node in message.node) <= 3


@pytest.mark.parametrize("binary", [False, True])
def test_strip_unused_from_files(binary, tmp_path):
    tf.multiply(tf.subtract(tf.constant(1.0), 3.0, name="x"), 2.0, name="y")
    tf.train.write_graph(tf.get_default_graph(), str(tmp_path), "graph.pbtxt")
    paths = str(tmp_path / "graph.pbtxt"), str(tmp_path / "out.pb")
    strip_unused_lib.strip_unused_from_files(paths[0], False, paths[1], binary, "x", "y", tf.float32.as_datatype_enum)
    content = (tmp_path / "out.pb").read_bytes()
    assert content.startswith(b"node") != binary
    for name, error in (("nobody", KeyError), ("x:0", ValueError)):
        with pytest.raises(error):
            strip_unused_lib.strip_unused_from_files(
                paths[0], False, paths[1], binary, name, "y", tf.float32.as_datatype_enum)


@pytest.mark.parametrize("whole", [False, True], ids=["graph_def", "meta_graph_def"])
def test_freezing_messages(whole, tmp_path):
    tf.add(tf.get_variable("w", initializer=2.0), 1.0, name="y")
    with started() as session:
        prefix = tf.train.Saver().save(session, str(tmp_path / "model"))
        meta = tf.train.export_meta_graph() if whole else None
        given = dict(input_saver_def=None, input_checkpoint=prefix, output_node_names="y", restore_op_name=None,
                     filename_tensor_name=None, output_graph="", clear_devices=True, initializer_nodes="")
        message = freeze_graph.freeze_graph_with_def_protos(
            input_graph_def=None if whole else this_graph(), input_meta_graph_def=meta, **given)
    value, ops = answer(message, "y")
    assert value == 3 and not any("Variable" in op for op in ops)
    with pytest.raises(ValueError, match="input_graph_def"):
        freeze_graph.freeze_graph_with_def_protos(input_graph_def=None, **given)


def test_the_header_of_selective_registration(tmp_path):
    tf.add_n([tf.constant(1.0), tf.constant(2.0)], name="y")
    path = tmp_path / "graph.pb"
    path.write_bytes(this_graph().SerializeToString())
    library = selective_registration_header_lib
    assert library.get_ops_and_kernels("rawproto", [str(path)], "NoOp:NoOp") == [
        ("AddN", None), ("Const", None), ("NoOp", "NoOp")]
    header = library.get_header([str(path)])
    assert '"AddN"' in header and '"RecvOp"' in header and "SHOULD_REGISTER_OP_GRADIENT false" in header
    assert "SHOULD_REGISTER_OP(op) true" in library.get_header([str(path)], default_ops="all")
    with pytest.raises(ValueError, match="proto_fileformat"):
        library.get_ops_and_kernels("json", [str(path)], "")
