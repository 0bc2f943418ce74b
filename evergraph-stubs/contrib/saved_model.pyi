# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.saved_model."""

from typing import Any

def get_signature_def_by_key(meta_graph_def: Any, signature_def_key: str) -> Any:
    """The signature of this name."""
