# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.version."""

COMPILER_VERSION: str
GIT_VERSION: str
GRAPH_DEF_VERSION: int
GRAPH_DEF_VERSION_MIN_CONSUMER: int
GRAPH_DEF_VERSION_MIN_PRODUCER: int
VERSION: str
