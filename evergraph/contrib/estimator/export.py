"""tf.contrib.estimator's exports of other modes than serving."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.mode_keys import ModeKeys


@export("contrib.estimator.export_saved_model_for_mode")
def export_saved_model_for_mode(estimator: Estimator, export_dir_base: Any, input_receiver_fn: Callable[[], Any],
                                assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
                                checkpoint_path: str | None = None, mode: str = ModeKeys.PREDICT) -> bytes:
    """Exports the graph of one mode as a SavedModel; see `tf.estimator.Estimator.export_saved_model`.

    Args:
        estimator: the Estimator.
        export_dir_base: where to make the directory.
        input_receiver_fn: builds the input.
        assets_extra: files to add: path below "assets.extra" -> path of the file.
        as_text: whether the message is written as text.
        checkpoint_path: the checkpoint to export; by default the latest.
        mode: one of `tf.estimator.ModeKeys`.
    """
    return estimator.export_saved_model(export_dir_base, input_receiver_fn, assets_extra, as_text, checkpoint_path,
                                        experimental_mode=mode)


@export("contrib.estimator.export_all_saved_models")
def export_all_saved_models(estimator: Estimator, export_dir_base: Any,
                            input_receiver_fn_map: Mapping[str, Callable[[], Any]],
                            assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
                            checkpoint_path: str | None = None) -> bytes:
    """Exports the graphs of several modes in one SavedModel.

    `tf.estimator.Estimator.experimental_export_all_saved_models` does the same.

    Args:
        estimator: the Estimator.
        export_dir_base: where to make the directory.
        input_receiver_fn_map: mode -> function that builds its input.
        assets_extra: files to add: path below "assets.extra" -> path of the file.
        as_text: whether the message is written as text.
        checkpoint_path: the checkpoint to export; by default the latest.
    """
    return estimator.experimental_export_all_saved_models(export_dir_base, input_receiver_fn_map, assets_extra, as_text,
                                                          checkpoint_path)
