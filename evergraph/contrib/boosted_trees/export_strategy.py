"""The export strategy of boosted trees: a SavedModel, and beside it what a function makes of the trees."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from evergraph.base import files
from evergraph.base.export import export
from evergraph.contrib.boosted_trees.features import extract_features
from evergraph.contrib.boosted_trees.model_fns import ENSEMBLE
from evergraph.contrib.boosted_trees.universal import STRATEGY, feature_importances
from evergraph.contrib.learn.saved_model_export import ExportStrategy
from evergraph.graph.graph import Graph
from evergraph.proto import contrib_trees_pb2
from evergraph.save.reader import load_variable

Convert = Callable[[Any, list[str], int, int, int, Any, Any], Any]


@export(f"{STRATEGY}.make_custom_export_strategy")
def make_custom_export_strategy(name: str, convert_fn: Convert | None, feature_columns: Any, export_input_fn: Any,
                                use_core_columns: bool = False, feature_engineering_fn: Any = None,
                                default_output_alternative_key: str | None = None) -> ExportStrategy:
    """A strategy that exports boosted trees as a SavedModel, with the importances of features and more beside it.

    The file assets.extra/feature_importances has a line for each feature, with what its splits gained.

    Args:
        name: the directory below "export".
        convert_fn: a function of the DecisionTreeEnsembleConfig, the sorted names of columns, how many of these are
            dense, sparse with numbers, and sparse with categories, the directory that was written, and the results of
            the evaluation; it writes what it likes. None for no function.
        feature_columns: the columns that the trees split on.
        export_input_fn: builds the input of the served model.
        use_core_columns: whether columns are of tf.feature_column.
        feature_engineering_fn: the function of the Estimator of that name.
        default_output_alternative_key: the head that is served unless another one is asked for.
    """
    def columns() -> Any:
        with Graph().as_default():
            features = export_input_fn().features
            if feature_engineering_fn is not None:
                features, _ = feature_engineering_fn(features, None)
            return extract_features(features, feature_columns, use_core_columns)

    def export_fn(estimator: Any, export_dir: Any, checkpoint_path: Any = None, eval_result: Any = None) -> Any:
        folder = estimator.export_savedmodel(export_dir, export_input_fn, checkpoint_path=checkpoint_path,
                                             default_output_alternative_key=default_output_alternative_key)
        dtec = contrib_trees_pb2.DecisionTreeEnsembleConfig.FromString(
            load_variable(checkpoint_path or estimator.model_dir, f"{ENSEMBLE}:0_config"))
        found = columns()
        given = (dtec, found.names, len(found.dense_floats), len(found.sparse_float_values),
                 len(found.sparse_int_values))
        if convert_fn is not None:
            convert_fn(*given, folder, eval_result)
        _write_importances(folder, feature_importances(*given))
        return folder

    return ExportStrategy(name, export_fn)


def _write_importances(folder: Any, importances: dict[str, float]) -> None:
    assets = os.path.join(os.fsdecode(folder), "assets.extra")
    files.makedirs(assets)
    lines = "".join(f"{name}, {gain:f}\n" for name, gain in importances.items())
    files.write_file(os.path.join(assets, "feature_importances"), lines)
