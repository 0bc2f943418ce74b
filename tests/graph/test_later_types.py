"""Nodes whose inputs may have other types than in TensorFlow 1.15."""

import numpy as np
import pytest

import evergraph as tf


def segment_sum(dtype):
    """A GraphDef as TensorFlow 2 writes it: SparseSegmentSum with an attr for the type of its segment ids."""
    with tf.Graph().as_default() as graph:
        tf.placeholder(tf.float32, [3, 2], name="x")
        tf.constant([0, 1], name="rows")
        tf.constant([0, 0], dtype, name="segments")
        graph_def = graph.as_graph_def()
    node = graph_def.node.add(name="sum", op="SparseSegmentSum", input=["x", "rows", "segments"])
    node.attr["T"].type, node.attr["Tidx"].type = tf.float32.enum, tf.int32.enum
    node.attr["Tsegmentids"].type = dtype.enum
    return graph_def


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_segment_ids(dtype):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        (total,) = tf.import_graph_def(segment_sum(dtype), return_elements=["sum:0"], name="")
        assert session.run(total, {"x:0": np.ones([3, 2])}).tolist() == [[2, 2]]
        again = next(node for node in graph.as_graph_def().node if node.name == "sum")
        assert again.attr["Tsegmentids"].type == dtype.enum


def test_the_type_must_fit():
    graph_def = segment_sum(tf.int64)
    graph_def.node[-1].attr["Tsegmentids"].type = tf.int32.enum
    with pytest.raises(ValueError, match="segments"), tf.Graph().as_default():
        tf.import_graph_def(graph_def)
    graph_def.node[-1].attr["Tsegmentids"].type = tf.float32.enum
    with pytest.raises(ValueError, match="Tsegmentids"), tf.Graph().as_default():
        tf.import_graph_def(graph_def)


@pytest.mark.parametrize("name", ["__inference_<lambda>_12", "__forward_f_3", "outer/inner:1"])
def test_names_of_functions(name):
    """TensorFlow 2 names functions after what they were made of, lambdas among them."""
    with tf.Graph().as_default() as graph:
        tf.cond(tf.constant(True, name="p"), lambda: tf.constant(1.0), lambda: tf.constant(2.0), name="choice")
        graph_def = graph.as_graph_def()
    (old, *_) = [function.signature.name for function in graph_def.library.function]
    for function in graph_def.library.function:
        if function.signature.name == old:
            function.signature.name = name
    for node in graph_def.node:
        for attr in node.attr.values():
            if attr.func.name == old:
                attr.func.name = name
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph_def, name="")
        (node,) = [op for op in session.graph.get_operations() if op.type in ("If", "StatelessIf")]
        assert session.run(node.outputs[0]) == 1


def test_names_that_no_function_has():
    graph_def = tf.GraphDef()
    graph_def.library.function.add().signature.name = "a b"
    with pytest.raises(ValueError, match="invalid characters"), tf.Graph().as_default():
        tf.import_graph_def(graph_def)
