# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib."""

from evergraph.contrib import (
    autograph as autograph, checkpoint as checkpoint, cluster_resolver as cluster_resolver,
    compiler as compiler, crf as crf, cudnn_rnn as cudnn_rnn, data as data, distribute as distribute,
    distributions as distributions, eager as eager, estimator as estimator, factorization as factorization,
    feature_column as feature_column, framework as framework, gan as gan, graph_editor as graph_editor,
    image as image, integrate as integrate, labeled_tensor as labeled_tensor, layers as layers,
    learn as learn, legacy_seq2seq as legacy_seq2seq, linear_optimizer as linear_optimizer,
    lookup as lookup, losses as losses, memory_stats as memory_stats, metrics as metrics,
    mixed_precision as mixed_precision, model_pruning as model_pruning, nccl as nccl, nn as nn, opt as opt,
    optimizer_v2 as optimizer_v2, predictor as predictor, quantize as quantize, recurrent as recurrent,
    resampler as resampler, rnn as rnn, saved_model as saved_model, seq2seq as seq2seq,
    session_bundle as session_bundle, signal as signal, slim as slim, solvers as solvers,
    sparsemax as sparsemax, specs as specs, staging as staging, stateless as stateless, summary as summary,
    tensorboard as tensorboard, testing as testing, tfprof as tfprof, tpu as tpu, training as training,
    util as util,
)

import sys
if sys.platform == "":
    del (
        clustering, estimator_predictor, flipped_losses, hparams, later_summary, least_squares,
        legacy_attention, legacy_decoders, mixtures, predictors, random_forests, saved_model_reader,
    )
