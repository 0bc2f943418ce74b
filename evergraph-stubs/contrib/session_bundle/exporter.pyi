# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.session_bundle.exporter."""

from collections.abc import Callable, Mapping
from evergraph.contrib.session_bundle.gc import Path
from evergraph.contrib.session_bundle.manifest_pb2 import Signature
from typing import Any

class Exporter:
    """Writes the variables of a session and the graph, with signatures, for a server."""
    def init(
        self, graph_def: Any = None, init_op: Any = None, clear_devices: bool = False,
        default_graph_signature: Any = None, named_graph_signatures: Mapping[str, Any] | None = None,
        assets_collection: Any = None, assets_callback: Callable[..., None] | None = ...,
    ) -> None:
        """Says what is exported."""
    def export(
        self, export_dir_base: Any, global_step_tensor: Any, sess: Any = None,
        exports_to_keep: Callable[[list[Path]], list[Path]] | None = None,
    ) -> str:
        """Writes an export in a new directory, whose name is the global step."""
    def __init__(self, saver: Any) -> None: ...

def classification_signature(
    input_tensor: Any, classes_tensor: Any = None, scores_tensor: Any = None,
) -> Signature:
    """The signature of a model that predicts classes, or their scores, from an input."""

def generic_signature(name_tensor_map: Mapping[str, Any]) -> Signature:
    """The signature of tensors by name."""

def gfile_copy_callback(files_to_copy: Mapping[str, str], export_dir_path: str) -> None:
    """Copies assets into an export."""

def regression_signature(input_tensor: Any, output_tensor: Any) -> Signature:
    """The signature of a model that predicts numbers from an input."""
