"""The version of TensorFlow that evergraph implements, as programs and files see it.

`import tensorflow` through evergraph.as_tensorflow, and `evergraph.compat.v1`, also report it as `__version__`;
`evergraph.__version__` is evergraph's own.
"""

import sys

from evergraph.base.export import export

VERSION = export("VERSION", "version.VERSION", "__version__")("1.15.0")
# TensorFlow's value for a build without git information.
GIT_VERSION = export("GIT_VERSION", "version.GIT_VERSION", "__git_version__")("unknown")
# TensorFlow reports the compiler of its C++ core; the nearest equivalent is the interpreter's compiler.
COMPILER_VERSION = export("COMPILER_VERSION", "version.COMPILER_VERSION", "__compiler_version__")(
    sys.version.partition("[")[2].rstrip("]")
)

# GraphDefs are stamped with the first; a file that demands a newer reader than this is rejected.
GRAPH_DEF_VERSION = export("GRAPH_DEF_VERSION", "version.GRAPH_DEF_VERSION")(134)
GRAPH_DEF_VERSION_MIN_CONSUMER = export(
    "GRAPH_DEF_VERSION_MIN_CONSUMER", "version.GRAPH_DEF_VERSION_MIN_CONSUMER"
)(0)
GRAPH_DEF_VERSION_MIN_PRODUCER = export(
    "GRAPH_DEF_VERSION_MIN_PRODUCER", "version.GRAPH_DEF_VERSION_MIN_PRODUCER"
)(0)
