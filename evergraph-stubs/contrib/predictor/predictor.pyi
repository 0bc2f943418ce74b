# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.predictor.predictor."""

from collections.abc import Mapping
from evergraph import Graph
from typing import Any

class Predictor:
    """Answers questions to a graph: called with the values of its inputs, it gives back those of its
    outputs."""
    @property
    def graph(self) -> Graph:
        """The graph."""
    @property
    def session(self) -> Any:
        """The session that holds the variables."""
    @property
    def feed_tensors(self) -> dict[str, Any]:
        """The inputs by name."""
    @property
    def fetch_tensors(self) -> dict[str, Any]:
        """The outputs by name."""
    def __call__(self, input_dict: Mapping[str, Any]) -> dict[str, Any]: ...
