"""Models of SavedModels that Keras wrote."""
from __future__ import annotations

import json
import os
from typing import Any

from evergraph import proto
from evergraph.base import files
from evergraph.keras import layers_by_name, training_config
from evergraph.keras.as_json import from_json
from evergraph.keras.model_from_text import model_from_config
from evergraph.keras.objects import also, get_custom_objects
from evergraph.keras.revived_models import RevivedModel
from evergraph.save import saved_model_constants as constants
from evergraph.save.saved_model_loader import parse_saved_model

_METADATA = "keras_metadata.pb"


def read(folder: str, custom_objects: dict[str, Any] | None, compile: bool) -> Any:
    """The model of a SavedModel that Keras wrote, made anew from its configuration; or revived, if it has none.

    Raises:
        OSError: there is no SavedModel.
        UnimplementedError: the model has neither a configuration nor a signature.
        ValueError: another program than Keras wrote it, or a class is unknown.
    """
    described = _described(folder)
    config = described.get("model_config") or {key: described.get(key) for key in ("class_name", "config")}
    with also(custom_objects):
        known = {**layers_by_name.KNOWN, **layers_by_name.ALIASES, **get_custom_objects()}
        is_revived = config.get("config") is None or \
            described.get("is_graph_network") is False and config.get("class_name") not in known
        model = RevivedModel(folder, described.get("name")) if is_revived else \
            model_from_config(_plain(from_json(config)), custom_objects)
        shape = _plain(described.get("build_input_shape"))
        if not model.built and shape is not None:
            model.build(tuple(shape))
    trained = described.get("training_config") if compile else None
    if trained is not None:
        model.compile(**training_config.compile_arguments(_plain(trained), custom_objects))
    weights = os.path.join(folder, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME)
    if not is_revived and files.exists(f"{weights}.index") and model.weights:
        model.load_weights(weights)
    return model


def _described(folder: str) -> dict[str, Any]:
    """What the SavedModel says of its root."""
    path = os.path.join(folder, _METADATA)
    if files.exists(path):
        nodes = proto.keras_metadata_pb2.SavedMetadata.FromString(files.read_file(path)).nodes
        texts = [node.metadata for node in nodes if node.node_id == 0]
    else:
        graphs = parse_saved_model(folder).meta_graphs
        texts = [graph.object_graph_def.nodes[0].user_object.metadata for graph in graphs
                 if len(graph.object_graph_def.nodes)]
    if not texts or not texts[0]:
        raise ValueError(f"{folder} is not a SavedModel that Keras wrote: tf.saved_model.load reads any")
    return json.loads(texts[0])


def _plain(value: Any) -> Any:
    """A value of the JSON that TensorFlow 2 writes, with tuples and shapes as lists."""
    if isinstance(value, dict):
        if value.get("class_name") in ("__tuple__", "TensorShape") and "items" in value:
            return [_plain(item) for item in value["items"]]
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
