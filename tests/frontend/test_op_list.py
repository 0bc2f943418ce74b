"""The OpDefs of all ops, as tensorflow.python.framework.op_def_registry gives them."""

import pytest

import evergraph as tf
from evergraph import proto
from evergraph.frontend.op_list import get_registered_ops, register_op_list


def test_every_declared_op_has_an_op_def():
    ops = get_registered_ops()
    assert len(ops) > 1000 and ops["MatMul"] == tf.matmul([[1.0]], [[1.0]]).op.op_def
    assert ops.get("NoSuchOp") is None


def test_registering_ops():
    added = proto.op_def_pb2.OpList()
    added.op.add(name="OpOfATest", summary="first")
    register_op_list(added)
    register_op_list(added)
    assert get_registered_ops()["OpOfATest"].summary == "first"
    added.op[0].summary = "second"
    with pytest.raises(ValueError, match="OpOfATest"):
        register_op_list(added)
    with pytest.raises(TypeError, match="not an OpList"):
        register_op_list("OpOfATest")
