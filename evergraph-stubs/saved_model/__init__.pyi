# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.saved_model."""

from collections.abc import Iterable, Mapping
from evergraph import Graph, Operation, Tensor, TensorInfo
from evergraph.train import Saver
from typing import Any
from evergraph.saved_model import (
    builder as builder, constants as constants, experimental as experimental, loader as loader,
    main_op as main_op, signature_constants as signature_constants,
    signature_def_utils as signature_def_utils, tag_constants as tag_constants, utils as utils,
)

ASSETS_DIRECTORY: str
ASSETS_KEY: str

class Builder:
    """Writes a SavedModel: graphs with signatures, and shared variables."""
    def add_meta_graph_and_variables(
        self, sess: Any, tags: Iterable[str], signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Iterable[Tensor] | None = None, legacy_init_op: Operation | None = None,
        clear_devices: bool = False, main_op: Operation | None = None, strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph, and writes the variables that all graphs of the model share."""
    def add_meta_graph(
        self, tags: Iterable[str], signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Iterable[Tensor] | None = None, legacy_init_op: Operation | None = None,
        clear_devices: bool = False, main_op: Operation | None = None, strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph, which shares the variables already written."""
    def save(self, as_text: bool = False) -> bytes:
        """Writes the message that makes the directory a SavedModel, and returns its path."""
    def __init__(self, export_dir: Any) -> None: ...

CLASSIFY_INPUTS: str
CLASSIFY_METHOD_NAME: str
CLASSIFY_OUTPUT_CLASSES: str
CLASSIFY_OUTPUT_SCORES: str
DEFAULT_SERVING_SIGNATURE_DEF_KEY: str
GPU: str
LEGACY_INIT_OP_KEY: str
MAIN_OP_KEY: str
PREDICT_INPUTS: str
PREDICT_METHOD_NAME: str
PREDICT_OUTPUTS: str
REGRESS_INPUTS: str
REGRESS_METHOD_NAME: str
REGRESS_OUTPUTS: str
SAVED_MODEL_FILENAME_PB: str
SAVED_MODEL_FILENAME_PBTXT: str
SAVED_MODEL_SCHEMA_VERSION: int
SERVING: str
TPU: str
TRAINING: str
VARIABLES_DIRECTORY: str
VARIABLES_FILENAME: str

def build_signature_def(
    inputs: Mapping[str, Any] | None = None, outputs: Mapping[str, Any] | None = None,
    method_name: str | None = None,
) -> Any:
    """Builds a SignatureDef message."""

def build_tensor_info(tensor: Any) -> TensorInfo:
    """The TensorInfo message of a tensor: its name or those of its components, its dtype and its shape."""

def classification_signature_def(examples: Any, classes: Any, scores: Any) -> Any:
    """A classification signature: serialized examples to class names, scores, or both."""

def contains_saved_model(export_dir: Any) -> bool:
    """Whether a directory contains a SavedModel; does not check its content."""

def get_tensor_from_tensor_info(
    tensor_info: Any, graph: Graph | None = None, import_scope: str | None = None,
) -> Any:
    """The tensor, or composite tensor, that a TensorInfo message names."""

def is_valid_signature(signature_def: Any) -> bool:
    """Whether a model server can serve a SignatureDef: for its method, the right names and dtypes."""

def load(
    sess: Any, tags: Iterable[str], export_dir: Any, import_scope: str | None = None, **saver_kwargs: Any,
) -> Any:
    """Loads a SavedModel into a session: imports a graph, restores its variables and runs its init op."""

def load_v2(export_dir: Any, tags: Any = None) -> Any:
    """Loads a SavedModel as an object: with the attributes of the object that was saved, and callable
    signatures."""

def main_op_with_restore(restore_op_name: Any) -> Operation:
    """An operation that initializes all variables and tables, then runs a restore operation."""

def maybe_saved_model_directory(export_dir: Any) -> bool:
    """The older name of `tf.saved_model.contains_saved_model`."""

def predict_signature_def(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Any:
    """A prediction signature with arbitrary inputs and outputs."""

def regression_signature_def(examples: Any, predictions: Any) -> Any:
    """A regression signature: serialized examples to one number each."""

def save(obj: Any, export_dir: Any, signatures: Any = None) -> None:
    """Writes an object as a SavedModel: a tf.Module, or another object whose attributes are variables and
    functions."""

def simple_save(
    session: Any, export_dir: Any, inputs: Mapping[str, Any], outputs: Mapping[str, Any],
    legacy_init_op: Operation | None = None,
) -> None:
    """Writes a SavedModel of the default graph with one signature, `serving_default`, and the tag
    `serve`."""
