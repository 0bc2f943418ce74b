"""Assets of a SavedModel: files, such as vocabularies, that its graph reads from a path set at load time."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from evergraph import proto
from evergraph.base import dtypes, files, logging
from evergraph.base.text import as_text
from evergraph.formats.replace import replace_file
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.graph.traits import Kind
from evergraph.save import saved_model_constants as constants

# TensorFlow's name of the message, which its programs expect; ours is TensorBoard's copy.
_TYPE_URL = "type.googleapis.com/tensorflow.AssetFileDef"


def asset_defs(assets: Iterable[Any]) -> tuple[list[Any], dict[str, str]]:
    """(an AssetFileDef for each path tensor, name in the model -> path).

    Files with equal names get a numeric suffix unless their contents are equal.

    Raises:
        TypeError: an asset is not a constant string.
        ValueError: a path is empty.
    """
    found: list[Any] = []
    sources: dict[str, str] = {}
    for asset in assets:
        path = _path_of(asset)
        name = _name_for(path, sources)
        sources.setdefault(name, path)
        definition = proto.meta_graph_pb2.AssetFileDef(filename=name)
        definition.tensor_info.name = f"{asset.source.name}:{asset.value_index}"
        found.append(definition)
    return found, sources


def _path_of(asset: Any) -> str:
    if not isinstance(asset, Tensor):
        raise TypeError(f"An asset is a tensor that holds a path, not {asset!r}")
    if asset.source.opdef.kind is not Kind.CONSTANT or asset.dtype.base_dtype is not dtypes.string:
        raise TypeError(f"An asset is a constant string, got {asset}, made by {asset.source.type}")
    value = static_value(asset)
    path = as_text(value.reshape(-1)[0]) if value.size else ""
    if not path:
        raise ValueError(f"The asset {asset} has an empty path")
    return path


def _name_for(path: str, sources: dict[str, str]) -> str:
    """The file's own name, with the first suffix that no other content has."""
    base = name = os.path.basename(path)
    number = 0
    while name in sources and not _same(path, sources[name]):
        number += 1
        name = f"{base}_{number}"
    return name


def _same(path: str, other: str) -> bool:
    return path == other or files.read_file(path) == files.read_file(other)


def copy_assets(sources: dict[str, str], export_dir: str) -> None:
    """Copies assets into a model. Existing ones are kept: the graphs of a model share their assets.

    Raises:
        NotFoundError: the file does not exist.
    """
    folder = os.path.join(export_dir, constants.ASSETS_DIRECTORY)
    for name, path in sources.items():
        files.makedirs(folder)
        target = os.path.join(folder, name)
        if not files.exists(target):
            replace_file(target, files.read_file(path))
    logging.info(f"Assets written to: {folder}" if sources else "No assets to write.")


def packed(definition: Any) -> Any:
    """An AssetFileDef packed as google.protobuf.Any, the form in collections of a MetaGraphDef."""
    items = proto.meta_graph_pb2.CollectionDef.AnyList().value
    return items.add(type_url=_TYPE_URL, value=definition.SerializeToString())


def assets_of(meta_graph: Any) -> list[Any]:
    """The AssetFileDefs of a MetaGraphDef, from either of the two places where programs store them.

    Raises:
        ValueError: an item is not an AssetFileDef.
    """
    if meta_graph.asset_file_def:
        return list(meta_graph.asset_file_def)
    found = []
    for item in meta_graph.collection_def[constants.ASSETS_KEY].any_list.value \
            if constants.ASSETS_KEY in meta_graph.collection_def else ():  # fmt: skip
        if not item.type_url.endswith(".AssetFileDef"):
            raise ValueError(f"The assets of a MetaGraphDef are AssetFileDefs, not {item.type_url!r}")
        try:
            found.append(proto.meta_graph_pb2.AssetFileDef.FromString(item.value))
        except Exception as error:  # protobuf's own class for it differs between its implementations
            raise ValueError(f"An asset of the MetaGraphDef cannot be read: {error}") from None
    return found


def asset_feeds(meta_graph: Any, export_dir: str, import_scope: str | None) -> dict[str, str]:
    """Name of the tensor -> path, for the assets of a model in this directory.

    Raises:
        ValueError: an asset is outside the directory.
    """
    folder = os.path.join(export_dir, constants.ASSETS_DIRECTORY)
    feeds = {}
    for asset in assets_of(meta_graph):
        if os.path.isabs(asset.filename) or ".." in asset.filename.split("/"):
            raise ValueError(f"The asset {asset.filename!r} is not in the directory of the model")
        name = asset.tensor_info.name
        feeds[f"{import_scope}/{name}" if import_scope else name] = os.path.join(folder, asset.filename)
    return feeds
