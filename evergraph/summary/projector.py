"""tf.contrib.tensorboard.plugins.projector: which embeddings TensorBoard's projector shows, and how."""

from __future__ import annotations

import os
from typing import Any

from tensorboard.plugins.projector import projector_config_pb2

from evergraph.base import files
from evergraph.base.export import export
from evergraph.proto.text import to_text

FILE = "projector_config.pbtxt"

ProjectorConfig = export("contrib.tensorboard.plugins.projector.ProjectorConfig")(projector_config_pb2.ProjectorConfig)
EmbeddingInfo = export("contrib.tensorboard.plugins.projector.EmbeddingInfo")(projector_config_pb2.EmbeddingInfo)
SpriteMetadata = export("contrib.tensorboard.plugins.projector.SpriteMetadata")(projector_config_pb2.SpriteMetadata)


@export("contrib.tensorboard.plugins.projector.visualize_embeddings")
def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Writes a ProjectorConfig to where TensorBoard looks for it: the directory of a FileWriter.

    Args:
        summary_writer: the FileWriter, or the directory itself.
        config: a ProjectorConfig message.

    Raises:
        ValueError: there is no directory.
    """
    logdir = summary_writer.get_logdir() if hasattr(summary_writer, "get_logdir") else summary_writer
    if not logdir:
        raise ValueError("visualize_embeddings needs a summary writer with a log directory")
    files.makedirs(logdir)
    files.write_file(os.path.join(logdir, FILE), to_text(config))
