# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.saved_model.constants."""

ASSETS_DIRECTORY: str
ASSETS_KEY: str
LEGACY_INIT_OP_KEY: str
MAIN_OP_KEY: str
SAVED_MODEL_FILENAME_PB: str
SAVED_MODEL_FILENAME_PBTXT: str
SAVED_MODEL_SCHEMA_VERSION: int
VARIABLES_DIRECTORY: str
VARIABLES_FILENAME: str
