"""What Keras says of the objects of a SavedModel: the file keras_metadata.pb of TensorFlow 2.5 and later."""

from tensorboard.compat.proto import versions_pb2

from evergraph.proto.schema import define

define(globals(), {
    "SavedMetadata": "nodes: SavedObject* = 1",
    "SavedObject": """
        node_id: int32 = 2,
        node_path: string = 3,
        identifier: string = 4,
        metadata: string = 5,
        version: tensorboard.VersionDef = 6""",
}, uses=[versions_pb2])  # fmt: skip
