# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.predictor."""

from collections.abc import Iterable, Mapping
from evergraph import Graph
from evergraph.contrib.predictor.saved_model_predictor import SavedModelPredictor
from typing import Any
from evergraph.contrib.predictor import predictor as predictor, saved_model_predictor as saved_model_predictor

def from_saved_model(
    export_dir: Any, signature_def_key: str | None = None, signature_def: Any = None,
    input_names: Mapping[str, str] | None = None, output_names: Mapping[str, str] | None = None,
    tags: str | Iterable[str] | None = None, graph: Graph | None = None, config: Any = None,
) -> SavedModelPredictor:
    """A predictor of a SavedModel."""
