# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.session_bundle.constants."""

ASSETS_DIRECTORY: str
ASSETS_KEY: str
GRAPH_KEY: str
INIT_OP_KEY: str
META_GRAPH_DEF_FILENAME: str
SIGNATURES_KEY: str
VARIABLES_FILENAME: str
VARIABLES_FILENAME_PATTERN: str
VERSION_FORMAT_SPECIFIER: str
