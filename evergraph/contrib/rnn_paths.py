"""The files of TensorFlow 1.15 that programs import recurrent networks from: `tf.contrib.rnn.python.ops.rnn_cell` etc.

A few names in them begin with an underscore; they are here because many programs build on them all the same.
"""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.contrib import (
    legacy_attention,
    legacy_decoders,
    rnn_around,
    rnn_blocks,
    rnn_fused,
    rnn_gated,
    rnn_grid,
    rnn_linear,
    rnn_lstms,
    rnn_projections,
    seq2seq_attention,
    seq2seq_basic,
    seq2seq_beam,
    seq2seq_decoder,
    seq2seq_helpers,
    seq2seq_loss,
    seq2seq_monotonic,
    seq2seq_training,
    seq2seq_wrapper,
)
from evergraph.layers import rnn_cell

_OPS = {
    "contrib.rnn.python.ops": {
        "core_rnn_cell": {rnn_cell: "RNNCell",
                          rnn_projections: "EmbeddingWrapper InputProjectionWrapper OutputProjectionWrapper"},
        "rnn_cell": {
            rnn_around: "AttentionCellWrapper CompiledWrapper HighwayWrapper",
            rnn_gated: "IndRNNCell IndyGRUCell IndyLSTMCell IntersectionRNNCell NASCell SRUCell UGRNNCell",
            rnn_grid: "BidirectionalGridLSTMCell GridLSTMCell TimeFreqLSTMCell",
            rnn_lstms: "Conv1DLSTMCell Conv2DLSTMCell Conv3DLSTMCell ConvLSTMCell CoupledInputForgetGateLSTMCell "
                       "GLSTMCell PhasedLSTMCell",
            rnn_projections: "LayerNormBasicLSTMCell"},
        "lstm_ops": {rnn_blocks: "LSTMBlockCell LSTMBlockFusedCell LSTMBlockWrapper"},
        "gru_ops": {rnn_blocks: "GRUBlockCell GRUBlockCellV2"},
        "fused_rnn_cell": {rnn_fused: "FusedRNNCell FusedRNNCellAdaptor TimeReversedFusedRNN"},
        "rnn": {rnn_projections: "stack_bidirectional_dynamic_rnn stack_bidirectional_rnn"}},
    "contrib.seq2seq.python.ops": {
        "attention_wrapper": {
            seq2seq_attention: "AttentionMechanism BahdanauAttention LuongAttention hardmax",
            seq2seq_monotonic: "BahdanauMonotonicAttention LuongMonotonicAttention monotonic_attention safe_cumprod",
            seq2seq_wrapper: "AttentionWrapper AttentionWrapperState"},
        "basic_decoder": {seq2seq_basic: "BasicDecoder BasicDecoderOutput"},
        "beam_search_decoder": {seq2seq_beam: "BeamSearchDecoder BeamSearchDecoderOutput BeamSearchDecoderState "
                                              "FinalBeamSearchDecoderOutput tile_batch"},
        "beam_search_ops": {seq2seq_beam: "gather_tree"},
        "decoder": {seq2seq_decoder: "Decoder dynamic_decode"},
        "helper": {
            seq2seq_helpers: "CustomHelper GreedyEmbeddingHelper Helper InferenceHelper SampleEmbeddingHelper",
            seq2seq_training: "ScheduledEmbeddingTrainingHelper ScheduledOutputTrainingHelper TrainingHelper"},
        "loss": {seq2seq_loss: "sequence_loss"}},
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

export("contrib.rnn.python.ops.core_rnn_cell._linear", module=rnn_linear.__name__)(rnn_linear.linear)
export("contrib.seq2seq.python.ops.attention_wrapper._BaseAttentionMechanism",
       module=seq2seq_attention.__name__)(seq2seq_attention.Memory)
