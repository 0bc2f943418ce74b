"""The files of TensorFlow 1.15 that programs import recurrent networks from: `tf.contrib.rnn.python.ops.rnn_cell` etc.

A few names in them begin with an underscore; they are here because many programs build on them all the same.
"""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.contrib import legacy_attention, legacy_decoders
from evergraph.contrib.rnn import around, blocks, fused, gated, grid, linear, lstms, projections
from evergraph.contrib.seq2seq import attention, basic, beam, decoder, helpers, loss, monotonic, training, wrapper
from evergraph.layers import rnn_cell

_OPS = {
    "contrib.rnn.python.ops": {
        "core_rnn_cell": {rnn_cell: "RNNCell",
                          projections: "EmbeddingWrapper InputProjectionWrapper OutputProjectionWrapper"},
        "rnn_cell": {
            around: "AttentionCellWrapper CompiledWrapper HighwayWrapper",
            gated: "IndRNNCell IndyGRUCell IndyLSTMCell IntersectionRNNCell NASCell SRUCell UGRNNCell",
            grid: "BidirectionalGridLSTMCell GridLSTMCell TimeFreqLSTMCell",
            lstms: "Conv1DLSTMCell Conv2DLSTMCell Conv3DLSTMCell ConvLSTMCell CoupledInputForgetGateLSTMCell "
                       "GLSTMCell PhasedLSTMCell",
            projections: "LayerNormBasicLSTMCell"},
        "lstm_ops": {blocks: "LSTMBlockCell LSTMBlockFusedCell LSTMBlockWrapper"},
        "gru_ops": {blocks: "GRUBlockCell GRUBlockCellV2"},
        "fused_rnn_cell": {fused: "FusedRNNCell FusedRNNCellAdaptor TimeReversedFusedRNN"},
        "rnn": {projections: "stack_bidirectional_dynamic_rnn stack_bidirectional_rnn"}},
    "contrib.seq2seq.python.ops": {
        "attention_wrapper": {
            attention: "AttentionMechanism BahdanauAttention LuongAttention hardmax",
            monotonic: "BahdanauMonotonicAttention LuongMonotonicAttention monotonic_attention safe_cumprod",
            wrapper: "AttentionWrapper AttentionWrapperState"},
        "basic_decoder": {basic: "BasicDecoder BasicDecoderOutput"},
        "beam_search_decoder": {beam: "BeamSearchDecoder BeamSearchDecoderOutput BeamSearchDecoderState "
                                              "FinalBeamSearchDecoderOutput tile_batch"},
        "beam_search_ops": {beam: "gather_tree"},
        "decoder": {decoder: "Decoder dynamic_decode"},
        "helper": {
            helpers: "CustomHelper GreedyEmbeddingHelper Helper InferenceHelper SampleEmbeddingHelper",
            training: "ScheduledEmbeddingTrainingHelper ScheduledOutputTrainingHelper TrainingHelper"},
        "loss": {loss: "sequence_loss"}},
    "contrib.legacy_seq2seq.python.ops": {
        "seq2seq": {
            legacy_decoders: "basic_rnn_seq2seq embedding_rnn_decoder embedding_rnn_seq2seq model_with_buckets "
                             "rnn_decoder sequence_loss sequence_loss_by_example tied_rnn_seq2seq",
            legacy_attention: "attention_decoder embedding_attention_decoder embedding_attention_seq2seq "
                              "embedding_tied_rnn_seq2seq one2many_rnn_seq2seq"}},
}

for _package, _files in _OPS.items():
    for _file, _homes in _files.items():
        for _home, _names in _homes.items():
            for _name in _names.split():
                export(f"{_package}.{_file}.{_name}", module=_home.__name__)(getattr(_home, _name))

export("contrib.rnn.python.ops.core_rnn_cell._linear", module=linear.__name__)(linear.linear)
export("contrib.seq2seq.python.ops.attention_wrapper._BaseAttentionMechanism",
       module=attention.__name__)(attention.Memory)
