# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.ops.seq2seq_ops."""

from evergraph.contrib.learn.ops import rnn_decoder as rnn_decoder
from evergraph.contrib.learn.ops import rnn_seq2seq as rnn_seq2seq
from evergraph.contrib.learn.ops import seq2seq_inputs as seq2seq_inputs
from evergraph.contrib.learn.ops import sequence_classifier as sequence_classifier
