# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.saved_model."""

from evergraph.saved_model import load_v2

ASSETS_DIRECTORY: str
ASSETS_KEY: str
CLASSIFY_INPUTS: str
CLASSIFY_METHOD_NAME: str
CLASSIFY_OUTPUT_CLASSES: str
CLASSIFY_OUTPUT_SCORES: str
DEFAULT_SERVING_SIGNATURE_DEF_KEY: str
GPU: str
PREDICT_INPUTS: str
PREDICT_METHOD_NAME: str
PREDICT_OUTPUTS: str
REGRESS_INPUTS: str
REGRESS_METHOD_NAME: str
REGRESS_OUTPUTS: str
SAVED_MODEL_FILENAME_PB: str
SAVED_MODEL_FILENAME_PBTXT: str
SAVED_MODEL_SCHEMA_VERSION: int
SERVING: str
TPU: str
TRAINING: str
VARIABLES_DIRECTORY: str
VARIABLES_FILENAME: str
from evergraph.saved_model import contains_saved_model as contains_saved_model
load = load_v2
from evergraph.saved_model import save as save
