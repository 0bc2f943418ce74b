"""Recurrent networks are also found where programs import them from, in the files of TensorFlow 1.15."""

import evergraph as tf


def test_files_hold_the_objects_of_the_public_names():
    for package, file, name in (("rnn", "rnn_cell", "NASCell"), ("rnn", "core_rnn_cell", "EmbeddingWrapper"),
                                ("rnn", "lstm_ops", "LSTMBlockFusedCell"), ("seq2seq", "helper", "TrainingHelper"),
                                ("seq2seq", "attention_wrapper", "AttentionWrapper"),
                                ("seq2seq", "beam_search_ops", "gather_tree"),
                                ("legacy_seq2seq", "seq2seq", "attention_decoder")):
        home = getattr(tf.contrib, package)
        assert getattr(getattr(home.python.ops, file), name) is getattr(home, name)


def test_what_programs_use_though_it_is_private():
    with tf.Graph().as_default(), tf.variable_scope("scope"):
        linear = tf.contrib.rnn.python.ops.core_rnn_cell._linear
        assert linear([tf.ones([2, 3]), tf.ones([2, 1])], 5, True).shape.as_list() == [2, 5]
        assert [v.op.name for v in tf.global_variables()] == ["scope/kernel", "scope/bias"]
        base = tf.contrib.seq2seq.python.ops.attention_wrapper._BaseAttentionMechanism
        assert issubclass(tf.contrib.seq2seq.BahdanauAttention, base)
