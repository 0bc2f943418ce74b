"""tf.contrib.saved_model: looking into SavedModels."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.save import saved_model_loader


@export("contrib.saved_model.get_signature_def_by_key")
def get_signature_def_by_key(meta_graph_def: Any, signature_def_key: str) -> Any:
    """The signature of this name.

    Args:
        meta_graph_def: a graph of a SavedModel.
        signature_def_key: the name.

    Raises:
        ValueError: there is none; it says which there are.
    """
    if signature_def_key not in meta_graph_def.signature_def:
        there = sorted(meta_graph_def.signature_def)
        raise ValueError(f"The graph has no signature {signature_def_key!r}; it has {there}")
    return meta_graph_def.signature_def[signature_def_key]


def read_saved_model(saved_model_dir: Any) -> Any:
    """The SavedModel message of a directory.

    Raises:
        OSError: there is none, or it cannot be read.
    """
    return saved_model_loader.parse_saved_model(saved_model_dir)


def get_saved_model_tag_sets(saved_model_dir: Any) -> list[list[str]]:
    """The tags of each graph of a SavedModel.

    Raises:
        OSError: there is none, or it cannot be read.
    """
    return [list(graph.meta_info_def.tags) for graph in read_saved_model(saved_model_dir).meta_graphs]
