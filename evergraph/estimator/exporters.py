"""What train_and_evaluate exports, and when: each model, the best ones, or the last one."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evergraph.base import errors, files, logging
from evergraph.base.export import export
from evergraph.base.text import as_text
from evergraph.estimator.calls import declared
from evergraph.estimator.event_metrics import metrics_in, steps_in


@export("estimator.Exporter")
class Exporter:
    """The base class of what exports models after evaluations."""

    @property
    def name(self) -> str:
        """The name of the directory below "export" that it exports to."""
        raise NotImplementedError(f"{type(self).__name__} has no name")

    def export(self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
               is_the_final_export: bool) -> Any:
        """Exports a model, if it is one to export.

        Args:
            estimator: the Estimator.
            export_path: the directory to export to.
            checkpoint_path: the checkpoint that was evaluated.
            eval_result: the results of the evaluation.
            is_the_final_export: whether training has ended.

        Returns:
            The directory of the exported model, or None.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say how it exports")


class _SavedModelExporter(Exporter):
    """Exports a SavedModel whenever it is asked to."""

    def __init__(self, name: str, serving_input_receiver_fn: Callable[[], Any],
                 assets_extra: Mapping[str, Any] | None, as_text: bool) -> None:
        self._name, self._serving_input_receiver_fn = name, serving_input_receiver_fn
        self._assets_extra, self._as_text = assets_extra, as_text

    name = property(lambda self: self._name)

    def export(self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
               is_the_final_export: bool) -> Any:
        """Exports the model at a checkpoint."""
        return estimator.export_saved_model(
            export_path, self._serving_input_receiver_fn, assets_extra=self._assets_extra, as_text=self._as_text,
            checkpoint_path=checkpoint_path)


@export("estimator.FinalExporter")
class FinalExporter(_SavedModelExporter):
    """Exports the model once, when training has reached `max_steps`.

    Args:
        name: the name of the directory below "export".
        serving_input_receiver_fn: builds the input of the served model.
        assets_extra: files to add: path below "assets.extra" -> path of the file.
        as_text: whether the message is written as text.
    """

    def __init__(self, name: str, serving_input_receiver_fn: Callable[[], Any],
                 assets_extra: Mapping[str, Any] | None = None, as_text: bool = False) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)

    def export(self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
               is_the_final_export: bool) -> Any:
        """Exports the model if training has ended."""
        if not is_the_final_export:
            return None
        logging.info("The training has ended: exporting the final model.")
        return super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)


def _check_kept(exports_to_keep: int | None) -> None:
    if exports_to_keep is not None and exports_to_keep <= 0:
        raise ValueError(f"exports_to_keep is None or a positive number, not {exports_to_keep}")


def _remove_old(folder: Any, exports_to_keep: int | None) -> None:
    """Removes all but the newest exports, whose names are times."""
    if exports_to_keep is None or not files.isdir(folder):
        return
    folder = as_text(folder)
    times = sorted(int(name.rstrip("/")) for name in map(as_text, files.listdir(folder)) if name.rstrip("/").isdigit())
    for name in times[:-exports_to_keep]:
        try:
            files.rmtree(os.path.join(folder, str(name)))
        except errors.NotFoundError as error:
            logging.warning("the old export %s stays, for it cannot be deleted: %s", name, error)


@export("estimator.LatestExporter")
class LatestExporter(_SavedModelExporter):
    """Exports the model after every evaluation, and removes older exports.

    Args:
        name: the name of the directory below "export".
        serving_input_receiver_fn: builds the input of the served model.
        assets_extra: files to add: path below "assets.extra" -> path of the file.
        as_text: whether the message is written as text.
        exports_to_keep: how many exports to keep; None keeps all.

    Raises:
        ValueError: `exports_to_keep` is not positive.
    """

    def __init__(self, name: str, serving_input_receiver_fn: Callable[[], Any],
                 assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
                 exports_to_keep: int | None = 5) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        self._exports_to_keep = exports_to_keep
        _check_kept(exports_to_keep)

    def export(self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
               is_the_final_export: bool) -> Any:
        """Exports the model, and removes older exports."""
        exported = super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)
        _remove_old(export_path, self._exports_to_keep)
        return exported


def _loss_smaller(best_eval_result: Mapping[str, Any], current_eval_result: Mapping[str, Any]) -> bool:
    """Whether the loss of the second result is smaller."""
    for name, result in (("best_eval_result", best_eval_result), ("current_eval_result", current_eval_result)):
        if not result or "loss" not in result:
            raise ValueError(f"{name} has no 'loss' to compare: {result}")
    return best_eval_result["loss"] > current_eval_result["loss"]


@export("estimator.BestExporter")
class BestExporter(_SavedModelExporter):
    """Exports the model when its evaluation is better than all before, and removes older exports.

    Args:
        name: the name of the directory below "export".
        serving_input_receiver_fn: builds the input of the served model.
        event_file_pattern: the event files, below the directory of the model, with earlier results, which count after
            a restart; None for none.
        compare_fn: a function of (best_eval_result, current_eval_result), true when the current one is better; by
            default when the loss is smaller.
        assets_extra: files to add: path below "assets.extra" -> path of the file.
        as_text: whether the message is written as text.
        exports_to_keep: how many exports to keep; None keeps all.

    Raises:
        ValueError: `compare_fn` has other arguments, or `exports_to_keep` is not positive.
    """

    def __init__(self, name: str = "best_exporter", serving_input_receiver_fn: Any = None,
                 event_file_pattern: str | None = "eval/*.tfevents.*",
                 compare_fn: Callable[..., bool] = _loss_smaller, assets_extra: Mapping[str, Any] | None = None,
                 as_text: bool = False, exports_to_keep: int | None = 5) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        if compare_fn is None:
            raise ValueError("BestExporter needs a compare_fn, got None")
        _check_compare(compare_fn)
        _check_kept(exports_to_keep)
        self._compare_fn, self._pattern, self._exports_to_keep = compare_fn, event_file_pattern, exports_to_keep
        self._best: Mapping[str, Any] | None = None
        self._model_dir: str | None = None

    def export(self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
               is_the_final_export: bool) -> Any:
        """Exports the model if it is the best so far, and removes older exports."""
        if self._pattern and self._model_dir != estimator.model_dir:
            logging.info("Loading best metric from event files.")
            self._model_dir = estimator.model_dir
            self._best = self._best_of_before(os.path.join(estimator.model_dir, self._pattern))
        exported = None
        if self._best is None or self._compare_fn(best_eval_result=self._best, current_eval_result=eval_result):
            logging.info("Performing best model export.")
            self._best = eval_result
            exported = super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)
            _remove_old(export_path, self._exports_to_keep)
        return exported

    def _best_of_before(self, pattern: str) -> Mapping[str, Any] | None:
        best: Mapping[str, Any] | None = None
        for _, metrics in metrics_in(pattern):
            if best is None or self._compare_fn(best_eval_result=best, current_eval_result=metrics):
                best = metrics
        return best


def _check_compare(compare_fn: Callable[..., bool]) -> None:
    wanted, names = {"best_eval_result", "current_eval_result"}, set(declared(compare_fn))
    if not wanted <= names:
        raise ValueError(f"compare_fn {compare_fn} takes {sorted(names)}, but must take {sorted(wanted)}")
    if names - wanted:
        raise ValueError(f"compare_fn {compare_fn} takes arguments that nobody passes: {sorted(names - wanted)}")


@export("contrib.estimator.StepsExporter")
class StepsExporter(_SavedModelExporter):
    """Exports the model at given steps: at the first evaluation at or after each of them.

    Args:
        steps_to_keep: the steps, a list of positive integers.
        name: the name of the directory below "export".
        serving_input_receiver_fn: builds the input of the served model.
        event_file_pattern: the event files, below the directory of the model, with earlier results: the steps that
            were evaluated before a restart are not exported again; None for none.
        assets_extra: files to add: path below "assets.extra" -> path of the file.
        as_text: whether the message is written as text.

    Raises:
        ValueError: a step is not a positive integer.
    """

    def __init__(self, steps_to_keep: Sequence[int], name: str = "steps_exporter",
                 serving_input_receiver_fn: Any = None, event_file_pattern: str | None = "eval/*.tfevents.*",
                 assets_extra: Mapping[str, Any] | None = None, as_text: bool = False) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        self._steps = sorted(step for step in steps_to_keep if isinstance(step, int) and step > 0)
        if not self._steps:
            raise ValueError("steps_to_keep names no step: it needs a positive integer")
        self._pattern, self._exported_before = event_file_pattern, -1
        self._model_dir: str | None = None

    def export(self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
               is_the_final_export: bool) -> Any:
        """Exports the model if one of the steps has been passed since the last export.

        Raises:
            ValueError: the results have no global step.
        """
        if not eval_result or "global_step" not in eval_result:
            raise ValueError(f"eval_result does not have global step: {eval_result}")
        if self._pattern and self._model_dir != estimator.model_dir:
            self._model_dir = estimator.model_dir
            pattern = os.path.join(estimator.model_dir, self._pattern)
            self._exported_before = max([self._exported_before, *steps_in(pattern)])
        step = int(eval_result["global_step"])
        is_due = any(self._exported_before < wanted <= step for wanted in self._steps)
        self._exported_before = max(self._exported_before, step)
        if not is_due:
            return None
        logging.info("Performing steps export.")
        return super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)
