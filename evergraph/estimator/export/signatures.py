"""The signatures of an exported graph: one for each output, and again for alternative inputs."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import logging
from evergraph.estimator.export.outputs import EvalOutput, ExportOutput, PredictOutput, SupervisedOutput, TrainOutput
from evergraph.estimator.export.receivers import named_receivers
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.save import saved_model_constants as constants
from evergraph.save.saved_model_signatures import is_valid_signature

TAGS = {ModeKeys.PREDICT: [constants.SERVING], ModeKeys.TRAIN: [constants.TRAINING], ModeKeys.EVAL: [constants.EVAL]}
"""The tags of the graph of each mode."""


def outputs_for(mode: str, serving_outputs: Mapping[str, ExportOutput] | None = None, predictions: Any = None,
                loss: Any = None, metrics: Any = None) -> dict[str, ExportOutput]:
    """What the graph of a mode gives, by the names of signatures.

    Raises:
        ValueError: there is no such mode.
    """
    if mode == ModeKeys.PREDICT:
        if serving_outputs is not None:
            return dict(serving_outputs)
        return {constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(predictions)}
    kinds = {ModeKeys.TRAIN: TrainOutput, ModeKeys.EVAL: EvalOutput}
    if mode not in kinds:
        raise ValueError(f"Export is not supported for mode {mode!r}, only for {sorted([*kinds, ModeKeys.PREDICT])}")
    return {mode: kinds[mode](loss=loss, predictions=predictions, metrics=metrics)}


def build_all_signature_defs(receiver_tensors: Any, export_outputs: Mapping[str, ExportOutput],
                             receiver_tensors_alternatives: Mapping[str, Any] | None = None,
                             serving_only: bool = True) -> dict[str, Any]:
    """The SignatureDef of each output, with each of the inputs that it can take.

    Args:
        receiver_tensors: name -> tensor that is fed, or a single one.
        export_outputs: name of the signature -> ExportOutput.
        receiver_tensors_alternatives: name -> other receiver_tensors; their signatures are called "<name>:<signature>".
        serving_only: whether to leave out signatures that a model server does not serve.

    Raises:
        ValueError: `export_outputs` is no dict.
    """
    if not isinstance(export_outputs, dict):
        raise ValueError(f"export_outputs maps names to outputs in a dict, got {type(export_outputs)}")
    made, refused = {}, {}
    inputs = {"": named_receivers(receiver_tensors), **{
        f"{name}:": named_receivers(receivers) for name, receivers in (receiver_tensors_alternatives or {}).items()}}
    for prefix, receivers in inputs.items():
        for key, output in export_outputs.items():
            name = prefix + (key or "None")
            try:
                made[name] = output.as_signature_def(receivers)
            except ValueError as error:
                refused[name] = str(error)
    _log(made, refused)
    if not serving_only:
        return made
    served = {name for name, signature in made.items() if is_valid_signature(signature)}
    unserved = {key for key, output in export_outputs.items() if isinstance(output, SupervisedOutput)}
    return {name: signature for name, signature in made.items() if name in served and name not in unserved}


def _log(made: Mapping[str, Any], refused: Mapping[str, str]) -> None:
    """Says which signatures there are, by kind, and which inputs an output cannot take."""
    kinds = {"Classify": constants.CLASSIFY_METHOD_NAME, "Regress": constants.REGRESS_METHOD_NAME,
             "Predict": constants.PREDICT_METHOD_NAME, "Train": constants.SUPERVISED_TRAIN_METHOD_NAME,
             "Eval": constants.SUPERVISED_EVAL_METHOD_NAME}
    for kind, method in kinds.items():
        names = [name for name, signature in made.items() if signature.method_name == method]
        logging.info("Signatures INCLUDED in export for %s: %s", kind, names or None)
    if refused:
        logging.info("Signatures left out of the export, since a server could not call them:")
        for name, reason in refused.items():
            logging.info("'%s' : %s", name, reason)
    if made and constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY not in made and refused:
        logging.warning("no signature of the export is the default one")
