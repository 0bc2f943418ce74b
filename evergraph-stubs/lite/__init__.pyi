# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.lite."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from evergraph import DType
from typing import Any, Self
from evergraph.lite import constants as constants, experimental as experimental

import sys
if sys.platform == "":
    del (
        choices, converter, converting, fusing, graphviz, interpreter, libraries, lowering, model, op_hints,
        quantizing, recurrent, rows_arrays, rows_control, rows_math, rows_nn, site, writing,
    )

class Interpreter:
    """Runs a TensorFlow Lite model."""
    def allocate_tensors(self) -> None:
        """Prepares to run with the current sizes of the inputs."""
    def invoke(self) -> None:
        """Runs the model on the values of its inputs."""
    def get_input_details(self) -> list[dict[str, Any]]:
        """A dictionary with name, index, shape, dtype and quantization for each input."""
    def get_output_details(self) -> list[dict[str, Any]]:
        """A dictionary with name, index, shape, dtype and quantization for each output."""
    def get_tensor_details(self) -> list[dict[str, Any]]:
        """Such a dictionary for each tensor."""
    def get_tensor(self, tensor_index: int) -> Any:
        """A copy of a tensor's value."""
    def set_tensor(self, tensor_index: int, value: Any) -> None:
        """Sets the value of an input."""
    def resize_tensor_input(self, input_index: int, tensor_size: Any) -> None:
        """Changes the shape of an input; `allocate_tensors` must follow."""
    def tensor(self, tensor_index: int) -> Any:
        """A function that returns a view of a tensor's memory, to be used before the model runs again."""
    def reset_all_variables(self) -> None:
        """Sets the variables of the model to zero."""
    def __getattr__(self, name: str) -> Any: ...
    def __init__(
        self, model_path: str | None = None, model_content: bytes | None = None,
        experimental_delegates: Any = None,
    ) -> None: ...

class OpHint:
    """Says that a part of a graph is one operator."""
    OpHintArgumentTracker: type
    def add_input(self, *args: Any, **kwargs: Any) -> None:
        """Marks an input of the operator."""
    def add_inputs(self, *args: Any, **kwargs: Any) -> None:
        """Marks inputs of the operator."""
    def add_output(self, *args: Any, **kwargs: Any) -> None:
        """Marks an output of the operator."""
    def add_outputs(self, *args: Any, **kwargs: Any) -> None:
        """Marks outputs of the operator."""
    def __init__(
        self, function_name: str, level: int = 1, children_inputs_mappings: Any = None, **kwargs: Any,
    ) -> None: ...

class OpsSet(Enum):
    """Which operators a converted model may use."""
    TFLITE_BUILTINS = 'TFLITE_BUILTINS'
    SELECT_TF_OPS = 'SELECT_TF_OPS'
    TFLITE_BUILTINS_INT8 = 'TFLITE_BUILTINS_INT8'
    def __new__(
        cls, value: Any, names: Any = None, *, module: Any = None, qualname: Any = None, type: Any = None,
        start: Any = 1, boundary: Any = None,
    ) -> Self: ...

class Optimize(Enum):
    """What a converter optimizes for; all three quantize weights, and activations if there are samples."""
    DEFAULT = 'DEFAULT'
    OPTIMIZE_FOR_SIZE = 'OPTIMIZE_FOR_SIZE'
    OPTIMIZE_FOR_LATENCY = 'OPTIMIZE_FOR_LATENCY'
    def __new__(
        cls, value: Any, names: Any = None, *, module: Any = None, qualname: Any = None, type: Any = None,
        start: Any = 1, boundary: Any = None,
    ) -> Self: ...

class RepresentativeDataset:
    """Samples by which a converter finds the ranges of values."""
    def __init__(self, input_gen: Callable[[], Iterable[Any]]) -> None: ...
    input_gen: Any

class TFLiteConverter:
    """Converts a model to a TensorFlow Lite file."""
    @classmethod
    def from_session(
        cls, sess: Any, input_tensors: Sequence[Any], output_tensors: Sequence[Any],
    ) -> TFLiteConverter:
        """A converter of what a session's graph computes, with the values that its variables have now."""
    @classmethod
    def from_frozen_graph(
        cls, graph_def_file: str, input_arrays: Sequence[str], output_arrays: Sequence[str],
        input_shapes: Mapping[str, Sequence[int | None] | None] | None = None,
    ) -> TFLiteConverter:
        """A converter of a file with a frozen GraphDef, in binary or text form."""
    @classmethod
    def from_saved_model(
        cls, saved_model_dir: str, input_arrays: Sequence[str] | None = None,
        input_shapes: Mapping[str, Sequence[int | None] | None] | None = None,
        output_arrays: Sequence[str] | None = None, tag_set: Iterable[str] | None = None,
        signature_key: str | None = None,
    ) -> TFLiteConverter:
        """A converter of a SavedModel."""
    @classmethod
    def from_keras_model_file(
        cls, model_file: str, input_arrays: Sequence[str] | None = None,
        input_shapes: Mapping[str, Sequence[int | None] | None] | None = None,
        output_arrays: Sequence[str] | None = None, custom_objects: dict[str, Any] | None = None,
    ) -> TFLiteConverter:
        """A converter of a file that `tf.keras.Model.save` wrote."""
    @classmethod
    def from_keras_model(cls, model: Any) -> TFLiteConverter:
        """A converter of a Keras model that was built in a graph, with the weights that it has now."""
    def convert(self) -> bytes:
        """The bytes of the converted model, or of its drawing."""
    def get_input_arrays(self) -> list[str]:
        """The names of the inputs."""
    @property
    def post_training_quantize(self) -> bool:
        """Whether weights are quantized: another word for `optimizations = [tf.lite.Optimize.DEFAULT]`."""
    @post_training_quantize.setter
    def post_training_quantize(self, value: Any) -> None: ...
    @property
    def target_ops(self) -> Any:
        """Another word for `target_spec.supported_ops`."""
    @target_ops.setter
    def target_ops(self, value: Any) -> None: ...
    def __init__(
        self, graph_def: Any, input_tensors: Sequence[Any] | None, output_tensors: Sequence[Any] | None,
        input_arrays_with_shape: Sequence[tuple[str, Sequence[int | None]]] | None = None,
        output_arrays: Sequence[str] | None = None,
        experimental_debug_info_func: Callable[[Any], Any] | None = None,
    ) -> None: ...
    inference_input_type: DType | None
    inference_output_type: DType | None
    quantized_input_stats: Mapping[str, tuple[float, float]]
    default_ranges_stats: tuple[float, float] | None
    dump_graphviz_dir: str | None
    optimizations: list[Optimize]
    representative_dataset: Any
    inference_type: Any
    output_format: Any
    drop_control_dependency: Any
    reorder_across_fake_quant: Any
    change_concat_input_ranges: Any
    allow_custom_ops: Any
    dump_graphviz_video: Any
    target_spec: Any

class TargetSpec:
    """What the device that runs a model can do."""
    def __init__(
        self, supported_ops: Iterable[OpsSet] | None = None, supported_types: Iterable[DType] | None = None,
    ) -> None: ...
    supported_ops: Any
    supported_types: Any

class TocoConverter:
    """The former name of `tf.lite.TFLiteConverter`, whose converters its methods return."""
    @classmethod
    def from_session(cls, sess: Any, input_tensors: Any, output_tensors: Any) -> TFLiteConverter:
        """See `tf.lite.TFLiteConverter.from_session`."""
    @classmethod
    def from_frozen_graph(
        cls, graph_def_file: str, input_arrays: Any, output_arrays: Any, input_shapes: Any = None,
    ) -> TFLiteConverter:
        """See `tf.lite.TFLiteConverter.from_frozen_graph`."""
    @classmethod
    def from_saved_model(
        cls, saved_model_dir: str, input_arrays: Any = None, input_shapes: Any = None,
        output_arrays: Any = None, tag_set: Any = None, signature_key: Any = None,
    ) -> TFLiteConverter:
        """See `tf.lite.TFLiteConverter.from_saved_model`."""
    @classmethod
    def from_keras_model_file(
        cls, model_file: str, input_arrays: Any = None, input_shapes: Any = None, output_arrays: Any = None,
    ) -> TFLiteConverter:
        """See `tf.lite.TFLiteConverter.from_keras_model_file`."""

def toco_convert(
    input_data: Any, input_tensors: Sequence[Any], output_tensors: Sequence[Any], *args: Any, **kwargs: Any,
) -> Any:
    """The file of a model that computes tensors of a frozen GraphDef."""
