"""passes/half_precision.py: which nodes compute in half precision."""

import pytest

import evergraph as tf
from evergraph.base import dtypes
from evergraph.ops.half_precision import LISTS
from evergraph.passes.half_precision import MixedPrecision, in_half_precision
from evergraph.passes.prune import prune
from tests.test_opdefs import declared

MIXED = MixedPrecision(dtypes.bfloat16, LISTS)


def halves(*fetches, outputs=()):
    """The names of the nodes that compute in half precision in a run of these fetches."""
    nodes = prune(list(fetches), [])
    return {node.name for node in in_half_precision(nodes, outputs or [f for f in fetches if isinstance(f, tf.Tensor)],
                                                    MIXED)}


def matrix(name="x"):
    return tf.placeholder(tf.float32, [4, 4], name=name)


COLORS = {
    "w": lambda x, name: tf.matmul(x, matrix(), name=name),
    "g": lambda x, name: tf.add(x, 0.1, name=name),
    "c": lambda x, name: tf.nn.relu(x, name=name),
    "b": lambda x, name: tf.exp(x, name=name),
}


@pytest.mark.parametrize("chain", [
    "W", "cbc", "WC", "CW", "Wg", "WGW", "WCGCW", "Wbg", "bgW", "bCW", "bcgW", "WbW", "WgbgCW", "gW", "CCW",
])  # fmt: skip
def test_chains(chain):
    """Capitals compute in half precision: allowed (w), inferred (g), clear (c) and denied (b) ops."""
    x = matrix()
    for place, color in enumerate(chain):
        x = COLORS[color.lower()](x, f"n{place}")
    found = halves(tf.sin(x))  # an op that is in no list
    assert {name for name in found if name[0] == "n"} == {f"n{i}" for i, c in enumerate(chain) if c.isupper()}


def test_no_value_is_rounded_for_a_node_in_float32():
    x = tf.nn.relu(matrix(), name="shared")
    y = tf.matmul(x, x, name="product")
    assert halves(y) == {"product", "shared"}
    assert halves(y, x) == {"product"}
    assert halves(y, tf.sin(x)) == {"product"}


def test_dtypes_and_references():
    double = tf.matmul(tf.zeros([2, 2], tf.float64), tf.zeros([2, 2], tf.float64))
    v = tf.Variable([[1.0]], name="v", use_resource=False)
    product = tf.matmul(v, v, name="product")
    assert halves(double) == set()
    assert halves(product, tf.nn.l2_loss(v)) == {"product"}  # the read of the variable is exact


def test_outputs_that_stay_in_float32():
    x = tf.placeholder(tf.float32, [2, 4, 4, 3])
    scale, offset = tf.ones([3]), tf.zeros([3])
    kernel = tf.placeholder(tf.float32, [1, 1, 3, 3])
    conv = tf.nn.conv2d(x, kernel, 1, "SAME", name="first")
    y, mean, _ = tf.raw_ops.FusedBatchNormV3(x=conv, scale=scale, offset=offset, mean=[], variance=[], is_training=True,
                                             epsilon=1e-3, name="norm")[:3]
    later = tf.nn.conv2d(y, kernel, 1, "SAME", name="second")
    assert halves(later, tf.nn.relu(mean, name="of_mean")) == {"first", "norm", "second"}
    assert MIXED.outputs(y.op) == {0} and MIXED.inputs(y.op) == {0}


def test_ops_without_a_kernel_in_that_dtype():
    cell = tf.contrib.rnn.LSTMBlockCell(4, name="cell")
    output, _ = cell(tf.ones([2, 4]), cell.zero_state(2, tf.float32))
    nodes = prune([output], [])
    blocks = {n for n in nodes if n.type == "LSTMBlockCell"}
    assert blocks and blocks.isdisjoint(in_half_precision(nodes, [output], MIXED))
    assert blocks <= in_half_precision(nodes, [output], MixedPrecision(dtypes.float16, LISTS))


def test_the_lists_name_ops():
    assert set(LISTS) <= set(declared())
