"""The root of a SavedModel: the meta graphs and the version of the layout."""

from tensorboard.compat.proto import meta_graph_pb2

from evergraph.proto.schema import define

define(globals(), {
    "SavedModel": "saved_model_schema_version: int64 = 1, meta_graphs: tensorboard.MetaGraphDef* = 2",
}, uses=[meta_graph_pb2])  # fmt: skip
