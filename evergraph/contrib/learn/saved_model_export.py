"""tf.contrib.learn.utils.saved_model_export_utils: ExportStrategy, and what they export when."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from evergraph.base import files, logging
from evergraph.base.export import export
from evergraph.contrib.layers.feature_columns_layers import create_feature_spec_for_parsing
from evergraph.contrib.learn.estimator import DEFAULT_INPUT_ALTERNATIVE_KEY, InputFnOps, as_receiver_fn
from evergraph.contrib.learn.keys import ProblemType
from evergraph.contrib.learn.model_fn import classes_and_scores
from evergraph.contrib.learn.serving_inputs import build_parsing_serving_input_fn
from evergraph.contrib.session_bundle.versions import Path, get_paths, largest_export_versions, negation
from evergraph.estimator.calls import declared
from evergraph.estimator.estimator import Estimator as CoreEstimator
from evergraph.estimator.event_metrics import metrics_in
from evergraph.save.saved_model_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from evergraph.save.saved_model_signatures import (
    classification_signature_def,
    predict_signature_def,
    regression_signature_def,
)

FEATURES_INPUT_ALTERNATIVE_KEY = "features_input_alternative"


def _named(name: str) -> Any:
    return export(f"contrib.learn.utils.{name}", f"contrib.learn.utils.saved_model_export_utils.{name}")


@export("contrib.learn.ExportStrategy")
class ExportStrategy(NamedTuple):
    """When and how an Experiment exports.

    Attributes:
        name: the directory below "export" in that of the model.
        export_fn: a function of (estimator, directory, checkpoint path, results of an evaluation), of which it may
            leave the last out; it returns the directory that it wrote.
        strip_default_attrs: given to `export_fn`, where it takes that.
    """

    name: str
    export_fn: Callable[..., Any]
    strip_default_attrs: bool | None = None

    def export(self, estimator: Any, export_path: Any, checkpoint_path: Any = None, eval_result: Any = None) -> Any:
        """Exports; returns the directory."""
        names = declared(self.export_fn)
        given = [estimator, export_path] if len(names) < 3 or names[2] == "eval_result" else [
            estimator, export_path, checkpoint_path]
        more = {"eval_result": eval_result} if "eval_result" in names else {}
        if "strip_default_attrs" in names and self.strip_default_attrs is not None:
            more["strip_default_attrs"] = self.strip_default_attrs
        return self.export_fn(*given, **more)


# ---- signatures


def _single(tensors: Mapping[str, Any]) -> Any:
    (only,) = tensors.values()
    return only


def build_standardized_signature_def(input_tensors: Mapping[str, Any], output_tensors: Mapping[str, Any],
                                     problem_type: int) -> Any:
    """A SignatureDef of the kind of a problem, where inputs and outputs fit it, or one that names them all."""
    if problem_type == ProblemType.LINEAR_REGRESSION and len(input_tensors) == len(output_tensors) == 1:
        return regression_signature_def(_single(input_tensors), _single(output_tensors))
    if problem_type in (ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION) and len(input_tensors) == 1:
        classes, scores = classes_and_scores(output_tensors)
        if classes is not None or scores is not None:
            return classification_signature_def(_single(input_tensors), classes, scores)
    return predict_signature_def(input_tensors, output_tensors)


def get_input_alternatives(input_ops: Any) -> tuple[dict[str, Any], Any]:
    """(the tensors to feed, by name of alternative, the features)."""
    found, features = {}, None
    if isinstance(input_ops, InputFnOps):
        features = input_ops.features
        if input_ops.default_inputs:
            found[DEFAULT_INPUT_ALTERNATIVE_KEY] = input_ops.default_inputs
    else:
        features, _ = input_ops
    if not features:
        raise ValueError("Features must be defined.")
    return found, features


def build_all_signature_defs(input_alternatives: Mapping[str, Any], output_alternatives: Mapping[Any, Any],
                             actual_default_output_alternative_key: Any) -> dict[str, Any]:
    """Signatures for every pair of an input and an output, and the default one.

    Raises:
        ValueError: there is no default input.
    """
    if DEFAULT_INPUT_ALTERNATIVE_KEY not in input_alternatives:
        raise ValueError("A default input_alternative must be provided.")
    found = {f"{given}:{key or 'None'}": build_standardized_signature_def(inputs, outputs, kind)
             for given, inputs in input_alternatives.items()
             for key, (kind, outputs) in output_alternatives.items()}
    kind, outputs = output_alternatives[actual_default_output_alternative_key]
    found[DEFAULT_SERVING_SIGNATURE_DEF_KEY] = build_standardized_signature_def(
        input_alternatives[DEFAULT_INPUT_ALTERNATIVE_KEY], outputs, kind)
    return found


# ---- directories


def get_timestamped_export_dir(export_dir_base: Any) -> bytes:
    """The path of a directory that is not there yet, whose name is the time in seconds.

    Raises:
        RuntimeError: there are directories for the next ten seconds.
    """
    for _ in range(10):
        folder = os.path.join(os.fsencode(export_dir_base), str(int(time.time())).encode())
        if not files.exists(folder):
            return folder
        time.sleep(1)
    raise RuntimeError(f"failed to find a directory below {export_dir_base} that is not there yet")


def _version(path: Path) -> Path | None:
    name = os.path.basename(os.fsdecode(path.path))
    return path._replace(export_version=int(name)) if re.fullmatch(r"\d{10}", name) else None


def garbage_collect_exports(export_dir_base: Any, exports_to_keep: int | None) -> None:
    """Removes all but the latest exports; None keeps all."""
    if exports_to_keep is None:
        return
    for old in negation(largest_export_versions(exports_to_keep))(get_paths(export_dir_base, _version)):
        files.rmtree(old.path)


def get_most_recent_export(export_dir_base: Any) -> Path | None:
    """The latest export in a directory; None without any."""
    found = largest_export_versions(1)(get_paths(export_dir_base, _version))
    return found[0] if found else None


# ---- strategies


@export("contrib.learn.make_export_strategy")
@_named("make_export_strategy")
def make_export_strategy(serving_input_fn: Callable[[], Any], default_output_alternative_key: str | None = None,
                         assets_extra: Any = None, as_text: bool = False, exports_to_keep: int | None = 5,
                         strip_default_attrs: bool | None = None) -> ExportStrategy:
    """A strategy that exports every evaluated model as a SavedModel, in the directory "Servo".

    Args:
        serving_input_fn: builds the input of the served model: InputFnOps, or a ServingInputReceiver.
        default_output_alternative_key: the head that is served unless another one is asked for; needed where there are
            several, and only with a tf.contrib.learn.Estimator.
        assets_extra: files to add: path below "assets.extra" -> path of the file.
        as_text: whether the message is written as text.
        exports_to_keep: how many exports to keep; None keeps all.
        strip_default_attrs: whether attrs with their default values are left out.
    """
    def export_fn(estimator: Any, export_dir_base: Any, checkpoint_path: Any = None,
                  strip_default_attrs: bool = False) -> Any:
        if isinstance(estimator, CoreEstimator):
            if default_output_alternative_key is not None:
                raise ValueError("default_output_alternative_key is not supported in core Estimator. Given: "
                                 f"{default_output_alternative_key}")
            result = estimator.export_savedmodel(export_dir_base, as_receiver_fn(serving_input_fn), assets_extra,
                                                 as_text, checkpoint_path, strip_default_attrs)
        else:
            result = estimator.export_savedmodel(
                export_dir_base, serving_input_fn, default_output_alternative_key=default_output_alternative_key,
                assets_extra=assets_extra, as_text=as_text, checkpoint_path=checkpoint_path,
                strip_default_attrs=strip_default_attrs)
        garbage_collect_exports(export_dir_base, exports_to_keep)
        return result
    return ExportStrategy("Servo", export_fn, strip_default_attrs)


@_named("make_parsing_export_strategy")
def make_parsing_export_strategy(feature_columns: Any, default_output_alternative_key: str | None = None,
                                 assets_extra: Any = None, as_text: bool = False, exports_to_keep: int | None = 5,
                                 target_core: bool = False, strip_default_attrs: bool | None = None) -> ExportStrategy:
    """A strategy whose models are fed serialized Examples.

    Args:
        feature_columns: the columns that say how features are read.
        target_core: whether the Estimator is a tf.estimator.Estimator; either is told from the other by itself.
        default_output_alternative_key, assets_extra, as_text, exports_to_keep, strip_default_attrs: see
            `make_export_strategy`.
    """
    read = build_parsing_serving_input_fn(create_feature_spec_for_parsing(feature_columns))
    return make_export_strategy(read, default_output_alternative_key, assets_extra, as_text, exports_to_keep,
                                strip_default_attrs)


def _is_less(best: Mapping[str, Any], current: Mapping[str, Any]) -> bool:
    if not best or "loss" not in best:
        raise ValueError("best_eval_result cannot be empty: it has to hold a loss.")
    if not current or "loss" not in current:
        raise ValueError("curr_eval_result cannot be empty: it has to hold a loss.")
    return best["loss"] > current["loss"]


class BestModelSelector:
    """Tells whether a result of an evaluation is better than all before it.

    Args:
        event_file_pattern: the event files of evaluations before, whose results count too; or None.
        compare_fn: a function of (the best results, others) that tells whether the others are better; a lower loss is
            by default.
    """

    def __init__(self, event_file_pattern: str | None = None, compare_fn: Callable[..., bool] | None = None) -> None:
        self._compare_fn = compare_fn or _is_less
        self._best_eval_result: Any = None
        for _, metrics in metrics_in(event_file_pattern) if event_file_pattern else ():
            self.update("", metrics)

    def update(self, checkpoint_path: str, eval_result: Mapping[str, Any] | None) -> tuple[str, Any]:
        """(the checkpoint if its result is the best, or "", its result)."""
        if self._best_eval_result is None or self._compare_fn(self._best_eval_result, eval_result):
            self._best_eval_result = eval_result
            return checkpoint_path, eval_result
        return "", None


@_named("make_best_model_export_strategy")
def make_best_model_export_strategy(serving_input_fn: Any, exports_to_keep: int | None = 1,
                                    model_dir: Any = None, event_file_pattern: str | None = None,
                                    compare_fn: Callable[..., bool] | None = None,
                                    default_output_alternative_key: str | None = None,
                                    strip_default_attrs: bool | None = None) -> ExportStrategy:
    """A strategy that exports models that are better than all before them.

    Args:
        serving_input_fn, exports_to_keep, default_output_alternative_key, strip_default_attrs: see
            `make_export_strategy`.
        model_dir: the directory of the model, for `event_file_pattern`.
        event_file_pattern: the event files of evaluations before, below `model_dir`.
        compare_fn: a function of (the best results, others) that tells whether the others are better; a lower loss is
            by default.
    """
    pattern = os.path.join(os.fspath(model_dir), event_file_pattern) if model_dir and event_file_pattern else None
    selector = BestModelSelector(pattern, compare_fn)

    def export_fn(estimator: Any, export_dir_base: Any, checkpoint_path: Any, eval_result: Any = None) -> Any:
        if not checkpoint_path:
            raise ValueError("checkpoint_path is empty: the best model is that of a checkpoint")
        if not eval_result:
            raise ValueError("eval_result is empty: the best model is told by it")
        best, _ = selector.update(checkpoint_path, eval_result)
        if not best:
            return ""
        folder = os.path.join(export_dir_base, os.path.basename(best))
        strategy = make_export_strategy(serving_input_fn, default_output_alternative_key, exports_to_keep=None)
        strategy = strategy._replace(strip_default_attrs=strip_default_attrs)
        result = strategy.export(estimator, folder, best)
        _keep_latest(export_dir_base, exports_to_keep)
        return result
    return ExportStrategy("best_model", export_fn, strip_default_attrs)


def _keep_latest(export_dir_base: Any, exports_to_keep: int | None) -> None:
    """Removes all but those exports of the latest checkpoints."""
    def version(path: Path) -> Path | None:
        match = re.search(r"(\d+)$", os.path.basename(path.path))
        return path._replace(export_version=int(match.group(1))) if match else None
    if exports_to_keep is not None:
        for old in negation(largest_export_versions(exports_to_keep))(get_paths(export_dir_base, version)):
            logging.info("removing the old export %s", old.path)
            files.rmtree(old.path)


@_named("extend_export_strategy")
def extend_export_strategy(base_export_strategy: ExportStrategy, post_export_fn: Callable[[Any, Any], Any],
                           post_export_name: str | None = None) -> ExportStrategy:
    """A strategy that changes what another one has exported.

    Args:
        base_export_strategy: the other one.
        post_export_fn: a function of (the directory of the other export, a directory for the new one) that returns the
            new export's, which must be inside the second.
        post_export_name: the name of the new strategy; by default that of the other.
    """
    def export_fn(estimator: Any, export_dir_base: Any, checkpoint_path: Any = None, eval_result: Any = None) -> Any:
        scratch = os.path.join(os.fsdecode(export_dir_base), "tmp-base-export")
        files.makedirs(scratch)
        exported = base_export_strategy.export(estimator, scratch, checkpoint_path, eval_result)
        result = post_export_fn(exported, export_dir_base)
        if not os.fsdecode(result).startswith(os.path.join(os.fsdecode(export_dir_base), "")):
            raise ValueError(f"post_export_fn must return a sub-directory of {export_dir_base}, and returned {result}")
        files.rmtree(scratch)
        return result
    return ExportStrategy(post_export_name or base_export_strategy.name, export_fn)
