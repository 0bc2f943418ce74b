"""Contexts that programs derive from TensorFlow's are told of the operations made inside."""

import evergraph as tf
from evergraph.frontend.control_contexts import ControlFlowContext


class Told(ControlFlowContext):
    def __init__(self):
        super().__init__()
        self.ops, self.inner = [], []

    def AddOp(self, op):
        super().AddOp(op)
        self.ops.append(op.name)

    def AddInnerOp(self, op):
        self.inner.append(op.name)


def test_a_context_is_told_of_what_is_made_inside(graph):
    outer, inner = Told(), Told()
    tf.constant(1, name="before")
    outer.Enter()
    a = tf.constant(1, name="a")
    inner.Enter()
    assert graph._get_control_flow_context() is inner and inner.outer_context is outer
    tf.identity(a, name="b")
    with tf.Graph().as_default():
        tf.constant(1, name="elsewhere")
    inner.Exit()
    outer.Exit()
    tf.constant(1, name="after")
    assert outer.ops == ["a"] and outer.inner == inner.ops == ["b"]
    assert graph._get_control_flow_context() is None
