"""The ops of tensorflow.python.framework.test_ops."""

import subprocess
import sys

import pytest

import evergraph as tf
from evergraph.base import errors
from evergraph.debug import graph_checks, test_ops
from evergraph.graph.registry import REGISTRY


def test_they_are_declared_by_their_module_alone():
    program = (
        "import evergraph.as_tensorflow, tensorflow as tf\n"
        "graph = tf.get_default_graph()\n"
        "try: graph.create_op('FloatOutput', [], [tf.float32])\n"
        "except tf.errors.NotFoundError as error: print(str(error).partition(':')[0])\n"
        "from tensorflow.python.framework import test_ops\n"
        "print(test_ops.float_output().op.type, hasattr(tf.raw_ops, 'FloatOutput'))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["Op type not registered 'FloatOutput'", "FloatOutput False"]


def test_every_declaration_can_be_read():
    ours = [opdef for opdef in REGISTRY.values() if opdef.__module__ == test_ops.__name__]
    assert len(ours) == 99
    assert all(opdef.signature.name == opdef.name for opdef in ours)


@pytest.mark.parametrize("make, outputs", [
    (test_ops.float_output, ["FloatOutput:0"]),
    (test_ops.two_int_outputs, ["TwoIntOutputs:0", "TwoIntOutputs:1"]),
    (lambda: test_ops.mixed_struct(n_a=2), ["MixedStruct:0", "MixedStruct:1", "MixedStruct:2"]),
    (lambda: test_ops.copy_op([1.0]), ["CopyOp:0"]),
])  # fmt: skip
def test_ops_without_a_kernel_stand_in_graphs_and_fail_in_steps(session, make, outputs):
    found = tf.nest.flatten(make())
    assert [tensor.name for tensor in found] == outputs
    assert all(tensor.shape.ndims is None for tensor in found)
    with pytest.raises(errors.InvalidArgumentError, match="No OpKernel was registered to support Op"):
        session.run(found)


def test_default_attrs():
    op = test_ops.default_attrs()
    assert op.get_attr("string_list_val") == [b"abc", b""]
    assert op.get_attr("shape_list_val") == [tf.TensorShape([]).as_proto(), tf.TensorShape([1]).as_proto()]
    assert op.get_attr("tensor_val") == tf.make_tensor_proto(1, tf.int32)
    assert op.get_attr("tensor_list_val") == [tf.make_tensor_proto(1, tf.int32)]


def test_labels_choose_kernels(session):
    plain = test_ops.kernel_label()
    with session.graph._kernel_label_map({"KernelLabel": "overload_2", "KernelLabelRequired": "overload_1"}):
        labelled = [test_ops.kernel_label(), test_ops.kernel_label_required([1])]
    assert session.run([plain, *labelled]) == [
        b"My label is: default", b"My label is: overload_2", b"My label is: overload_1",
    ]  # fmt: skip
    with pytest.raises(errors.InvalidArgumentError, match="No OpKernel"):
        session.run(test_ops.kernel_label_required([1]))
    with pytest.raises(ValueError, match="Shape must be rank 1 but is rank 0"):
        test_ops.kernel_label_required(1)


def test_versions_of_graphs(session):
    assert session.run(test_ops.graph_def_version()) == session.graph.graph_def_versions.producer
    with pytest.raises(NotImplementedError, match=r"Op Old .* It has been removed in version 8\. For reasons\."):
        test_ops.old()
    with pytest.raises(ValueError, match="Wrong graph version"):
        test_ops.requires_older_graph_version()
    with tf.Graph().as_default() as graph, tf.Session() as old_session:
        graph_checks.set_producer_version(graph, 7)
        assert old_session.run(test_ops.old()) is None


def test_the_version_of_a_file_holds_while_it_is_imported():
    graph_def = tf.GraphDef()
    graph_def.node.add(name="A", op="RequiresOlderGraphVersion")
    graph_def.versions.producer = tf.version.GRAPH_DEF_VERSION - 1
    found, = tf.import_graph_def(graph_def, return_elements=["A:0"], name="")  # fmt: skip
    assert found.shape == []
    graph_def.versions.producer += 1
    with tf.Graph().as_default() as graph:
        with pytest.raises(ValueError, match="Wrong graph version"):
            tf.import_graph_def(graph_def)
        assert graph.graph_def_versions.producer == tf.version.GRAPH_DEF_VERSION


def test_types_and_devices(session):
    assert session.run(test_ops.test_attr(T=tf.float32)) == 1.0
    with pytest.raises(errors.InvalidArgumentError, match="TestAttr"):
        session.run(test_ops.test_attr(T=tf.float64))
    assert session.run(test_ops.device_placement_op()).endswith(b"/device:CPU:0")


def test_a_resource_that_an_op_creates(session):
    handle = test_ops.stub_resource_handle_op(container="a", shared_name="b")
    exists, create, use = (make(handle) for make in (
        test_ops.resource_initialized_op, test_ops.resource_create_op, test_ops.resource_using_op))  # fmt: skip
    assert not session.run(exists)
    with pytest.raises(errors.NotFoundError):
        session.run(use)
    session.run(create)
    session.run(use)
    assert session.run(exists)
    with pytest.raises(errors.AlreadyExistsError):
        session.run(create)
