"""Names that TensorFlow 1.0 removed: what the error says, and their old meaning where a program asks for it."""

import subprocess
import sys

import numpy as np
import pytest

import evergraph as tf
from evergraph.api.names import NAMES
from evergraph.api.namespace import absent
from evergraph.api.removed import old_meanings, replacement
from evergraph.frontend.matmul import batch_matmul

PROGRAM = """
import numpy as np
import tensorflow as tf
from tensorflow.models.rnn import rnn_cell
from tensorflow.python.ops import array_ops, math_ops, seq2seq
from tensorflow.python.ops.rnn import bidirectional_rnn
from tensorflow.python.ops.rnn_cell import _linear

with tf.Session() as session, tf.name_scope("scope"):
    y = tf.sub(tf.mul(3.0, tf.neg(2.0)), tf.inv(4.0))
    tf.scalar_summary("the tag", y)
    tf.histogram_summary("all", y)
    parts = tf.unpack(tf.pack([1, 2]))
    print(session.run([y, tf.select([True], [1], [2]), tf.complex_abs(-1.0), *parts]))
    values = tf.Summary.FromString(session.run(tf.merge_all_summaries())).value
    print([value.tag for value in values], tf.train.SummaryWriter is tf.summary.FileWriter)
    x, label = tf.constant([[1.0, 3.0]]), [[0.0, 1.0]]
    named = tf.nn.softmax_cross_entropy_with_logits(labels=label, logits=x)
    print(session.run([tf.nn.softmax_cross_entropy_with_logits(x, label) - named,
                       tf.nn.sparse_softmax_cross_entropy_with_logits(x, [1]) - named,
                       tf.nn.sigmoid_cross_entropy_with_logits([0.0], targets=[0.0]) - tf.log(2.0)]))
    print(session.run(array_ops.concat(0, [math_ops.mul([2], 3), *tf.split(0, 2, [1, 2])])).tolist())
    _linear([tf.ones([1, 2]), tf.ones([1, 1])], 3, True, bias_start=2.0, scope="Gate")
    kernel, bias = tf.trainable_variables()
    print(kernel.op.name, bias.op.name, session.run(bias.initial_value).tolist())
    print(bidirectional_rnn is tf.nn.static_bidirectional_rnn, seq2seq.sequence_loss.__name__)
    print(rnn_cell.BasicLSTMCell is tf.nn.rnn_cell.BasicLSTMCell, tf.nn.seq2seq.rnn_decoder.__name__)
"""


def test_the_error_says_what_replaced_it():
    with pytest.raises(AttributeError, match=r"replaced it by tf.multiply; `evergraph run --allow-removed-names`"):
        tf.mul(1, 2)
    with pytest.raises(AttributeError, match="tf.summary.FileWriter"):
        tf.train.SummaryWriter("logs")
    said = absent("tensorflow.python.ops.rnn", "rnn")
    assert "replaced it by tensorflow.python.ops.rnn.static_rnn; `evergraph run --allow-removed-names`" in said
    with pytest.raises(AttributeError, match=r"tf.contrib.legacy_seq2seq"):
        tf.nn.seq2seq.rnn_decoder()


def test_a_missing_name_of_contrib_is_said_to_be_missing():
    with pytest.raises(AttributeError, match="TensorFlow 1.15 has tf.contrib.tensorrt, evergraph does not have it"):
        tf.contrib.tensorrt.create_inference_graph()
    with pytest.raises(AttributeError, match=r"has no attribute 'mystery'$"):
        tf.contrib.mystery()


def test_removed_names_get_their_old_meaning(tmp_path):
    command = [sys.executable, "-m", "evergraph", "run", "--allow-removed-names", "-"]
    done = subprocess.run(command, input=PROGRAM, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == (
        "[np.float32(-6.25), array([1], dtype=int32), np.float32(1.0), np.int32(1), np.int32(2)]\n"
        f"['the tag', 'all'] True\n{[np.zeros(1, np.float32)] * 3}\n[6, 1, 2]\n"
        "Gate/kernel Gate/bias [2.0, 2.0, 2.0]\nTrue sequence_loss\nTrue rnn_decoder\n"
    ), done.stderr


def test_no_removed_name_is_public_and_every_replacement_is():
    meanings = dict(old_meanings())
    assert not meanings.keys() & NAMES.keys()
    assert all(replacement(name) in NAMES for name in meanings)


def test_batch_matmul(session):
    x = tf.constant([[[1.0, 2.0]], [[3.0, 4.0]]])
    assert session.run(batch_matmul(x, x, adj_y=True)).ravel().tolist() == [5, 25]
