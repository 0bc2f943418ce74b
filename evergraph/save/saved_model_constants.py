"""Constants of the SavedModel format: names of files, collections, tags and signatures."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export


def _public(name: str, value: Any, home: str) -> Any:
    """Exports a constant in tf.saved_model and in its older namespace."""
    return export(f"saved_model.{name}", f"saved_model.{home}.{name}", module=__name__)(value)


# ---- files and collections

ASSETS_DIRECTORY = _public("ASSETS_DIRECTORY", "assets", "constants")
ASSETS_KEY = _public("ASSETS_KEY", "saved_model_assets", "constants")
LEGACY_INIT_OP_KEY = _public("LEGACY_INIT_OP_KEY", "legacy_init_op", "constants")
MAIN_OP_KEY = _public("MAIN_OP_KEY", "saved_model_main_op", "constants")
SAVED_MODEL_SCHEMA_VERSION = _public("SAVED_MODEL_SCHEMA_VERSION", 1, "constants")
SAVED_MODEL_FILENAME_PB = _public("SAVED_MODEL_FILENAME_PB", "saved_model.pb", "constants")
SAVED_MODEL_FILENAME_PBTXT = _public("SAVED_MODEL_FILENAME_PBTXT", "saved_model.pbtxt", "constants")
VARIABLES_DIRECTORY = _public("VARIABLES_DIRECTORY", "variables", "constants")
VARIABLES_FILENAME = _public("VARIABLES_FILENAME", "variables", "constants")
TRAIN_OP_KEY = "saved_model_train_op"
INIT_OP_SIGNATURE_KEY = "__saved_model_init_op"
TRAIN_OP_SIGNATURE_KEY = "__saved_model_train_op"
RESERVED_SIGNATURE_KEYS = (INIT_OP_SIGNATURE_KEY, TRAIN_OP_SIGNATURE_KEY)

# ---- tags

SERVING = _public("SERVING", "serve", "tag_constants")
TRAINING = _public("TRAINING", "train", "tag_constants")
EVAL = "eval"
GPU = _public("GPU", "gpu", "tag_constants")
TPU = _public("TPU", "tpu", "tag_constants")

# ---- signatures

DEFAULT_SERVING_SIGNATURE_DEF_KEY = _public(
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY", "serving_default", "signature_constants")  # fmt: skip
CLASSIFY_INPUTS = _public("CLASSIFY_INPUTS", "inputs", "signature_constants")
CLASSIFY_METHOD_NAME = _public("CLASSIFY_METHOD_NAME", "tensorflow/serving/classify", "signature_constants")
CLASSIFY_OUTPUT_CLASSES = _public("CLASSIFY_OUTPUT_CLASSES", "classes", "signature_constants")
CLASSIFY_OUTPUT_SCORES = _public("CLASSIFY_OUTPUT_SCORES", "scores", "signature_constants")
PREDICT_INPUTS = _public("PREDICT_INPUTS", "inputs", "signature_constants")
PREDICT_METHOD_NAME = _public("PREDICT_METHOD_NAME", "tensorflow/serving/predict", "signature_constants")
PREDICT_OUTPUTS = _public("PREDICT_OUTPUTS", "outputs", "signature_constants")
REGRESS_INPUTS = _public("REGRESS_INPUTS", "inputs", "signature_constants")
REGRESS_METHOD_NAME = _public("REGRESS_METHOD_NAME", "tensorflow/serving/regress", "signature_constants")
REGRESS_OUTPUTS = _public("REGRESS_OUTPUTS", "outputs", "signature_constants")
SUPERVISED_TRAIN_METHOD_NAME = "tensorflow/supervised/training"
SUPERVISED_EVAL_METHOD_NAME = "tensorflow/supervised/eval"
