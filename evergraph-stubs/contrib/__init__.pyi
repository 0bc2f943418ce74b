# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib."""

from evergraph.contrib import (
    autograph as autograph, batching as batching, bayesflow as bayesflow, boosted_trees as boosted_trees,
    checkpoint as checkpoint, cloud as cloud, cluster_resolver as cluster_resolver, compiler as compiler,
    constrained_optimization as constrained_optimization, copy_graph as copy_graph, crf as crf,
    cudnn_rnn as cudnn_rnn, data as data, decision_trees as decision_trees, deprecated as deprecated,
    distribute as distribute, distributions as distributions, eager as eager, estimator as estimator,
    factorization as factorization, feature_column as feature_column, ffmpeg as ffmpeg,
    framework as framework, fused_conv as fused_conv, gan as gan, graph_editor as graph_editor,
    image as image, input_pipeline as input_pipeline, integrate as integrate,
    kernel_methods as kernel_methods, labeled_tensor as labeled_tensor, layers as layers, learn as learn,
    legacy_seq2seq as legacy_seq2seq, libsvm as libsvm, linear_optimizer as linear_optimizer,
    lookup as lookup, losses as losses, memory_stats as memory_stats, metrics as metrics,
    mixed_precision as mixed_precision, model_pruning as model_pruning, nccl as nccl, nn as nn, opt as opt,
    optimizer_v2 as optimizer_v2, periodic_resample as periodic_resample, predictor as predictor,
    proto as proto, quantize as quantize, rate as rate, receptive_field as receptive_field,
    recurrent as recurrent, reduce_slice_ops as reduce_slice_ops, resampler as resampler, rnn as rnn,
    saved_model as saved_model, seq2seq as seq2seq, session_bundle as session_bundle, signal as signal,
    slim as slim, solvers as solvers, sparsemax as sparsemax, specs as specs, staging as staging,
    stateless as stateless, summary as summary, tensor_forest as tensor_forest, tensorboard as tensorboard,
    testing as testing, text as text, tfprof as tfprof, timeseries as timeseries, tpu as tpu,
    training as training, util as util,
)

import sys
if sys.platform == "":
    del (
        also, clustering, cudnn_buffers, estimator_predictor, flipped_losses, forest_data,
        forest_estimators, forest_metrics, hparams, later_summary, least_squares, legacy_attention,
        legacy_decoders, matrix_factorization, mixtures, predictors, random_forests, saved_model_reader,
        stochastic_tensors,
    )
