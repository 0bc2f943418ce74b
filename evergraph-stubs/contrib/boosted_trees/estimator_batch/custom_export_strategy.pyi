# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.estimator_batch.custom_export_strategy."""

from collections.abc import Callable, Mapping, Sequence
from evergraph.contrib.decision_trees.proto.generic_tree_model_pb2 import ModelAndFeatures
from evergraph.contrib.learn import ExportStrategy
from typing import Any

def convert_to_universal_format(
    dtec: Any, sorted_feature_names: Sequence[str], num_dense: int, num_sparse_float: int,
    num_sparse_int: int, feature_name_to_proto: Mapping[str, Any] | None = None,
) -> ModelAndFeatures:
    """An ensemble as a ModelAndFeatures, the sum of whose trees is the ensemble's prediction."""

def make_custom_export_strategy(
    name: str, convert_fn: Callable[[Any, list[str], int, int, int, Any, Any], Any] | None,
    feature_columns: Any, export_input_fn: Any, use_core_columns: bool = False,
    feature_engineering_fn: Any = None, default_output_alternative_key: str | None = None,
) -> ExportStrategy:
    """A strategy that exports boosted trees as a SavedModel, with the importances of features and more
    beside it."""
