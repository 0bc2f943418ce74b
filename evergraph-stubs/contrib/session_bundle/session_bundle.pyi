# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.session_bundle.session_bundle."""

from evergraph import Session
from typing import Any

def load_session_bundle_from_path(
    export_dir: Any, target: str = '', config: Any = None, meta_graph_def: Any = None,
) -> tuple[Session, Any]:
    """A session with a model of a session bundle, and its MetaGraphDef."""

def maybe_session_bundle_dir(export_dir: Any) -> bool:
    """Whether a directory holds a session bundle."""

maybe_session_bundle_directory = maybe_session_bundle_dir
