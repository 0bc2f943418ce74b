# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.predictor.saved_model_predictor."""

from collections.abc import Iterable, Mapping
from evergraph import Graph
from evergraph.contrib.predictor.predictor import Predictor
from typing import Any

class SavedModelPredictor(Predictor):
    """What `tf.contrib.predictor.from_saved_model` makes; see there for the arguments."""
    def __init__(
        self, export_dir: Any, signature_def_key: str | None = None, signature_def: Any = None,
        input_names: Mapping[str, str] | None = None, output_names: Mapping[str, str] | None = None,
        tags: str | Iterable[str] | None = None, graph: Graph | None = None, config: Any = None,
    ) -> None: ...
