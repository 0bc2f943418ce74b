# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.session_bundle.bundle_shim."""

from evergraph import Session
from typing import Any

def load_session_bundle_or_saved_model_bundle_from_path(
    export_dir: Any, tags: Any = None, target: str = '', config: Any = None,
) -> tuple[Session, Any]:
    """A session with the model in a directory, and its MetaGraphDef, whose signatures are those of
    SavedModels."""
