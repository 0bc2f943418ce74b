"""The `checkpoint` file of a directory: which checkpoints are there and which is the latest."""

from evergraph.proto.schema import define

define(globals(), {
    "CheckpointState": """
        model_checkpoint_path: string = 1,
        all_model_checkpoint_paths: string* = 2,
        all_model_checkpoint_timestamps: double* = 3,
        last_preserved_timestamp: double = 4""",
})  # fmt: skip
