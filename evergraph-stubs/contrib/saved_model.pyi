# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.saved_model."""

from evergraph.keras.experimental import export_saved_model, load_from_saved_model
from typing import Any

def get_signature_def_by_key(meta_graph_def: Any, signature_def_key: str) -> Any:
    """The signature of this name."""

load_keras_model = load_from_saved_model
save_keras_model = export_saved_model
