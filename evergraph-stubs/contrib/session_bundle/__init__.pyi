# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.session_bundle."""

from evergraph.contrib.session_bundle import (
    bundle_shim as bundle_shim, constants as constants, exporter as exporter, gc as gc,
    manifest_pb2 as manifest_pb2, session_bundle as session_bundle,
)

import sys
if sys.platform == "":
    del (
        loading, versions,
    )
