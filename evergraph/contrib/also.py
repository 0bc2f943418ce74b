"""Names of tf.contrib for what has its home, and its public name, elsewhere."""

from __future__ import annotations

from typing import Any

from evergraph.base import libraries
from evergraph.base.export import export
from evergraph.contrib import optimizer_v2
from evergraph.contrib import summary as contrib_summary
from evergraph.contrib.framework import arg_scopes
from evergraph.contrib.layers import feature_columns, feature_columns_layers, reversible, scattered, targets
from evergraph.contrib.training import sequences
from evergraph.debug.profiler import context as profiler_context
from evergraph.distribute import coordinator, tpu_sharding
from evergraph.frontend import script, specs
from evergraph.frontend.input import record_input
from evergraph.frontend.nn import convolution
from evergraph.frontend.sparse import sets
from evergraph.keras import exported_models
from evergraph.save import meta_graph
from evergraph.summary import session_writer, summaries, tagged
from evergraph.train.global_step import assert_global_step


def _also(namespace: str, *things: Any, **named: Any) -> None:
    """Gives things names in a namespace of tf.contrib: their own, or the keywords."""
    for name, thing in [*((thing.__name__, thing) for thing in things), *named.items()]:
        export(f"contrib.{namespace}.{name}", module=thing.__module__)(thing)


_COLUMNS = (
    feature_columns.bucketized_column, feature_columns.crossed_column, feature_columns.embedding_column,
    feature_columns.one_hot_column, feature_columns.real_valued_column, scattered.scattered_embedding_column,
    feature_columns.shared_embedding_columns, feature_columns.sparse_column_with_hash_bucket,
    feature_columns.sparse_column_with_integerized_feature, feature_columns.sparse_column_with_keys,
    feature_columns.sparse_column_with_vocabulary_file, feature_columns.weighted_sparse_column)
_MADE_OF_COLUMNS = (
    feature_columns_layers.check_feature_columns, feature_columns_layers.create_feature_spec_for_parsing,
    feature_columns_layers.infer_real_valued_columns, feature_columns_layers.input_from_feature_columns,
    feature_columns_layers.joint_weighted_sum_from_feature_columns,
    feature_columns_layers.make_place_holder_tensors_for_base_features,
    feature_columns_layers.parse_feature_columns_from_examples,
    feature_columns_layers.parse_feature_columns_from_sequence_examples,
    feature_columns_layers.sequence_input_from_feature_columns, feature_columns_layers.transform_features,
    feature_columns_layers.weighted_sum_from_feature_columns)

_also("deprecated", tagged.audio_summary, tagged.histogram_summary, tagged.image_summary, tagged.scalar_summary,
      merge_all_summaries=summaries.merge_all, merge_summary=summaries.merge)
_also("distribute", coordinator.run_standard_tensorflow_server)
_also("framework", record_input.RecordInput, script.py_func, specs.BoundedTensorSpec)
_also("layers", reversible.RevBlock, targets.multi_class_target, targets.regression_target)
_also("metrics", sets.set_difference, sets.set_intersection, sets.set_size, sets.set_union)
_also("nn", convolution.conv1d_transpose)
_also("optimizer_v2.optimizer_v2_symbols", optimizer_v2.AdadeltaOptimizer, optimizer_v2.AdagradOptimizer,
      optimizer_v2.AdamOptimizer, optimizer_v2.GradientDescentOptimizer, optimizer_v2.MomentumOptimizer,
      optimizer_v2.OptimizerV2, optimizer_v2.RMSPropOptimizer)
_also("saved_model", load_keras_model=exported_models.load_from_saved_model,
      save_keras_model=exported_models.export_saved_model)
_also("slim", *_COLUMNS, *_MADE_OF_COLUMNS, arg_scopes.arg_scope_func_key, arg_scopes.current_arg_scope,
      assert_global_step, reversible.recompute_grad, reversible.rev_block, targets.binary_svm_target,
      targets.multi_class_target, targets.ProblemType, targets.regression_target)
_also("summary.summary", session_writer.SummaryWriter, session_writer.create_file_writer, session_writer.flush,
      session_writer.import_event, session_writer.initialize, session_writer.summary_writer_initializer_op,
      contrib_summary.always_record_summaries, contrib_summary.audio, contrib_summary.create_summary_file_writer,
      contrib_summary.eval_dir, contrib_summary.generic, contrib_summary.graph, contrib_summary.histogram,
      contrib_summary.image, contrib_summary.never_record_summaries,
      contrib_summary.record_summaries_every_n_global_steps, contrib_summary.scalar,
      contrib_summary.should_record_summaries, all_summary_ops=session_writer.all_v2_summary_ops)
_also("tfprof.model_analyzer", profiler_context.ProfileContext)
_also("tpu", tpu_sharding.InfeedQueue)
_also("training", sequences.NextQueuedSequenceBatch)
_also("util", stripped_op_list_for_graph=meta_graph.stripped_op_list)
_also("util.loader", libraries.load_op_library)
