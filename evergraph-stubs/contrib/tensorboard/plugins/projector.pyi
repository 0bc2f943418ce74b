# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tensorboard.plugins.projector."""

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer, RepeatedScalarFieldContainer
from google.protobuf.message import Message
from typing import Any

class EmbeddingInfo(Message):
    tensor_name: str
    metadata_path: str
    bookmarks_path: str
    tensor_shape: RepeatedScalarFieldContainer[int]
    sprite: SpriteMetadata
    tensor_path: str
    def __init__(
        self, *, tensor_name: Any = ..., metadata_path: Any = ..., bookmarks_path: Any = ...,
        tensor_shape: Any = ..., sprite: Any = ..., tensor_path: Any = ...,
    ) -> None: ...

class ProjectorConfig(Message):
    model_checkpoint_path: str
    embeddings: RepeatedCompositeFieldContainer[EmbeddingInfo]
    model_checkpoint_dir: str
    def __init__(
        self, *, model_checkpoint_path: Any = ..., embeddings: Any = ..., model_checkpoint_dir: Any = ...,
    ) -> None: ...

class SpriteMetadata(Message):
    image_path: str
    single_image_dim: RepeatedScalarFieldContainer[int]
    def __init__(self, *, image_path: Any = ..., single_image_dim: Any = ...) -> None: ...

def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Writes a ProjectorConfig to where TensorBoard looks for it: the directory of a FileWriter."""
