"""The nodes that operators and functions of numbers make, by name and type, as TensorFlow 1.15 makes them."""

import numpy as np
import pytest

import evergraph as tf

NODES = {
    "x + y": "add:AddV2",
    "x + 1.0": "add/y:Const add:AddV2",
    "1 + x": "add/x:Const add:AddV2",
    "np.float32(2) * x": "mul/x:Const mul:Mul",
    "x * np.ones(3)": "mul/y:Const mul:Mul",
    "x - y": "sub:Sub",
    "x / 2": "truediv/y:Const truediv:RealDiv",
    "i / j": "truediv/Cast:Cast truediv/Cast_1:Cast truediv:RealDiv",
    "x.__div__(y)": "div:RealDiv",
    "i.__div__(j)": "div:FloorDiv",
    "i // 2": "floordiv/y:Const floordiv:FloorDiv",
    "x % y": "mod:FloorMod",
    "x ** 2": "pow/y:Const pow:Pow",
    "-x": "Neg:Neg",
    "abs(x)": "Abs:Abs",
    "abs(c)": "Abs:ComplexAbs",
    "x < 1": "Less/y:Const Less:Less",
    "b & b": "and:LogicalAnd",
    "True | b": "or/x:Const or:LogicalOr",
    "b ^ b": "xor/LogicalOr:LogicalOr xor/LogicalAnd:LogicalAnd xor/LogicalNot:LogicalNot xor:LogicalAnd",
    "~b": "LogicalNot:LogicalNot",
    "tf.add(x, y)": "Add:Add",
    "tf.multiply(x, 2.0)": "Mul/y:Const Mul:Mul",
    "tf.add_n([x])": "",
    "tf.add_n([x], name='sum')": "sum:Identity",
    "tf.cast(x, tf.float32)": "",
    "tf.cast(3, tf.float32)": "Cast/x:Const Cast:Cast",
    "tf.to_float(i)": "ToFloat:Cast",
    "tf.round(i)": "",
    "tf.range(3)": "range/start:Const range/limit:Const range/delta:Const range:Range",
    "tf.reduce_sum(x)": "Const:Const Sum:Sum",
    "tf.reduce_sum(x, 1, name='total')": "total/reduction_indices:Const total:Sum",
    "tf.reduce_mean(u)": "Rank:Rank range/start:Const range/delta:Const range:Range Mean:Mean",
    "tf.argmax(x)": "ArgMax/dimension:Const ArgMax:ArgMax",
    "tf.cumsum(x)": "Cumsum/axis:Const Cumsum:Cumsum",
    "tf.div_no_nan(x, y)": "div_no_nan:DivNoNan",
    "tf.clip_by_value(x, 0.0, 1.0)": "clip_by_value/Minimum/y:Const clip_by_value/Minimum:Minimum "
                                     "clip_by_value/y:Const clip_by_value:Maximum",
}


@pytest.mark.parametrize("expression", NODES)
def test_nodes(expression):
    graph = tf.Graph()
    with graph.as_default():
        known = {"tf": tf, "np": np, "x": tf.placeholder(tf.float32, [2, 3]), "y": tf.placeholder(tf.float32, [2, 3]),
                 "i": tf.placeholder(tf.int32, [2, 3]), "j": tf.placeholder(tf.int32, [2, 3]),
                 "b": tf.placeholder(tf.bool, [2]), "c": tf.placeholder(tf.complex64, [2]),
                 "u": tf.placeholder(tf.float32)}
        eval(expression, known)
    made = " ".join(f"{op.name}:{op.type}" for op in graph.get_operations() if op.type != "Placeholder")
    assert made == NODES[expression]


def test_operands_of_different_dtypes_do_not_mix():
    with tf.Graph().as_default():
        x, i = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, [2])
        for wrong in (lambda: x + i, lambda: i + 1.5, lambda: tf.truediv(x, i), lambda: i < 0.5):
            with pytest.raises(TypeError):
                wrong()


def test_operands_of_two_graphs_do_not_mix():
    with tf.Graph().as_default():
        x = tf.constant(1.0)
    with tf.Graph().as_default():
        assert (x * 2.0).graph is x.graph
        with pytest.raises(ValueError):
            x * tf.constant(2.0)


def test_old_and_new_names_of_an_argument_exclude_each_other():
    with tf.Graph().as_default():
        with pytest.raises(ValueError):
            tf.reduce_sum([[1.0]], axis=0, reduction_indices=0)
        with pytest.raises(ValueError):
            tf.reduce_sum([[1.0]], keepdims=True, keep_dims=True)
