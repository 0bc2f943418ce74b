"""The SavedModels of TensorFlow 2's kind, which hold Python objects: what evergraph has of them."""

from __future__ import annotations

from typing import Any

from evergraph.base import errors
from evergraph.base.export import export


@export("saved_model.load_v2", "compat.v2.saved_model.load")
def load_v2(export_dir: Any, tags: Any = None) -> Any:
    """Not available: objects and their functions are TensorFlow 2's. `tf.saved_model.load` runs their signatures.

    Raises:
        UnimplementedError: always.
    """
    raise errors.UnimplementedError(
        None, None, f"tf.saved_model.load_v2({export_dir!r}, tags={tags!r}) makes objects, which evergraph does not "
        "have; tf.saved_model.load(sess, ['serve'], export_dir) loads the same model by its signatures")  # fmt: skip


@export("saved_model.save", "saved_model.experimental.save", "compat.v2.saved_model.save")
def save(obj: Any, export_dir: Any, signatures: Any = None) -> None:
    """Not available: objects are TensorFlow 2's. `tf.saved_model.Builder` and `simple_save` write graphs.

    Raises:
        UnimplementedError: always.
    """
    raise errors.UnimplementedError(
        None, None, f"tf.saved_model.save of {type(obj).__name__} to {export_dir!r} with signatures {signatures!r}: "
        "evergraph writes graphs, by tf.saved_model.simple_save and tf.saved_model.Builder")  # fmt: skip
