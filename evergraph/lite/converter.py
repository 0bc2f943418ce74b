"""`tf.lite.TFLiteConverter`: models of sessions, files, SavedModels and Keras, converted to TensorFlow Lite's files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from evergraph import proto
from evergraph.base import dtypes, errors, files
from evergraph.base.deprecation import deprecated
from evergraph.base.export import export
from evergraph.frontend.graph_util import extract_sub_graph
from evergraph.frontend.importer import import_graph_def
from evergraph.frontend.variables.freeze import convert_variables_to_constants
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.keras import model_loading
from evergraph.keras import session as keras_session
from evergraph.keras.settings import set_learning_phase
from evergraph.lite import choices
from evergraph.lite.choices import OpsSet, Optimize, RepresentativeDataset, TargetSpec
from evergraph.lite.converting import Input, Wish, convert
from evergraph.lite.site import TABLE
from evergraph.proto.text import from_bytes_or_text
from evergraph.run.session import Session
from evergraph.save import saved_model_constants
from evergraph.save.saved_model_loader import load

_PROFILES = {Optimize.DEFAULT, Optimize.OPTIMIZE_FOR_SIZE, Optimize.OPTIMIZE_FOR_LATENCY}


@export("lite.TFLiteConverter")
class TFLiteConverter:
    """Converts a model to a TensorFlow Lite file.

    >>> x = tf.placeholder(tf.float32, [None, 2], name="x")
    >>> y = tf.nn.relu(x - 1.0, name="y")
    >>> with tf.Session() as sess:
    ...     content = tf.lite.TFLiteConverter.from_session(sess, [x], [y]).convert()
    >>> interpreter = tf.lite.Interpreter(model_content=content)
    >>> interpreter.allocate_tensors()
    >>> interpreter.set_tensor(interpreter.get_input_details()[0]["index"], np.float32([[0, 3]]))
    >>> interpreter.invoke()
    >>> interpreter.get_tensor(interpreter.get_output_details()[0]["index"]).tolist()
    [[0.0, 2.0]]

    Attributes:
        inference_type: `tf.float32`, or `tf.uint8` for a model of quantized training, whose fake quantization says in
            which ranges values are.
        inference_input_type, inference_output_type: the types of inputs and outputs; by default `inference_type`.
        output_format: `tf.lite.constants.TFLITE`, or `GRAPHVIZ_DOT` for a drawing.
        quantized_input_stats: name of an input -> (mean, standard deviation): an integer stands for
            (integer - mean) / standard deviation.
        default_ranges_stats: the (minimum, maximum) of values whose range nothing tells; for `tf.uint8` alone.
        drop_control_dependency: whether to leave out control dependencies; if not, a graph that has some is refused.
        reorder_across_fake_quant: whether fake quantization may change places with other nodes; True is refused.
        change_concat_input_ranges: whether what is concatenated gets the range of the result; for `tf.uint8` alone.
        allow_custom_ops: whether ops without a counterpart become custom operators.
        dump_graphviz_dir: a directory for drawings of the model as it was read and as it was converted.
        dump_graphviz_video: whether to draw the model between passes, too.
        target_spec: a `tf.lite.TargetSpec`.
        optimizations: a list of `tf.lite.Optimize`; if not empty, weights are quantized.
        representative_dataset: a function that gives samples, or a `tf.lite.RepresentativeDataset`: with samples and
            optimizations, activations are quantized too.

    Args:
        graph_def: a frozen GraphDef.
        input_tensors: the inputs.
        output_tensors: the outputs.
        input_arrays_with_shape: instead of tensors: names of inputs with their shapes.
        output_arrays: instead of tensors: the names of the outputs.
        experimental_debug_info_func: a function of a list of (function, node) that returns a GraphDebugInfo about them.

    Raises:
        ValueError: there are neither tensors nor names.
    """

    def __init__(
        self, graph_def: Any, input_tensors: Sequence[Any] | None, output_tensors: Sequence[Any] | None,
        input_arrays_with_shape: Sequence[tuple[str, Sequence[int | None]]] | None = None,
        output_arrays: Sequence[str] | None = None, experimental_debug_info_func: Callable[[Any], Any] | None = None,
    ) -> None:  # fmt: skip
        self._graph_def = graph_def
        self._input_tensors, self._output_tensors = input_tensors, output_tensors
        self._input_arrays_with_shape, self._output_arrays = input_arrays_with_shape, output_arrays
        if not self._has_valid_tensors() and not (input_arrays_with_shape and output_arrays):
            raise ValueError("A converter needs input_tensors and output_tensors, or input_arrays_with_shape and "
                             "output_arrays")
        self.inference_type = choices.FLOAT
        self.inference_input_type: dtypes.DType | None = None
        self.inference_output_type: dtypes.DType | None = None
        self.output_format = choices.TFLITE
        self.quantized_input_stats: Mapping[str, tuple[float, float]] = {}
        self.default_ranges_stats: tuple[float, float] | None = None
        self.drop_control_dependency = True
        self.reorder_across_fake_quant = False
        self.change_concat_input_ranges = False
        self.allow_custom_ops = False
        self.dump_graphviz_dir: str | None = None
        self.dump_graphviz_video = False
        self.target_spec = TargetSpec()
        self.optimizations: list[Optimize] = []
        self.representative_dataset: Any = None
        self._debug_info_func, self._debug_info = experimental_debug_info_func, None

    # ---- where models come from

    @classmethod
    def from_session(cls, sess: Any, input_tensors: Sequence[Any], output_tensors: Sequence[Any]) -> TFLiteConverter:
        """A converter of what a session's graph computes, with the values that its variables have now."""
        outputs = [_node_name(tensor.name) for tensor in output_tensors]
        message = convert_variables_to_constants(sess, sess.graph.as_graph_def(add_shapes=False), outputs)
        return cls(message, input_tensors, output_tensors, experimental_debug_info_func=_tracer(sess.graph))

    @classmethod
    def from_frozen_graph(cls, graph_def_file: str, input_arrays: Sequence[str], output_arrays: Sequence[str],
                          input_shapes: Mapping[str, Sequence[int | None] | None] | None = None) -> TFLiteConverter:
        """A converter of a file with a frozen GraphDef, in binary or text form.

        Args:
            graph_def_file: the path.
            input_arrays: the names of the inputs.
            output_arrays: the names of the outputs.
            input_shapes: name of an input -> its shape, where the graph does not tell it.

        Raises:
            OSError: there is no file, or it holds no GraphDef.
            ValueError: the graph has variables, or lacks a name.
        """
        if not files.exists(graph_def_file):
            raise OSError(f"File '{graph_def_file}' does not exist.")
        message = _read(graph_def_file)
        with Graph().as_default() as graph:
            try:
                import_graph_def(message, name="")
            except (ValueError, errors.OpError) as error:
                raise choices.ConverterError(f"The graph of {graph_def_file} cannot be read: {error}") from error
        inputs, outputs = _tensors(graph, input_arrays), _tensors(graph, output_arrays)
        _set_shapes(inputs, input_shapes)
        if any(node.opdef.kind is Kind.VARIABLE for node in graph.get_operations()):
            raise ValueError("Please freeze the graph using freeze_graph.py.")
        return cls(message, inputs, outputs)

    @classmethod
    def from_saved_model(
        cls, saved_model_dir: str, input_arrays: Sequence[str] | None = None,
        input_shapes: Mapping[str, Sequence[int | None] | None] | None = None,
        output_arrays: Sequence[str] | None = None, tag_set: Iterable[str] | None = None,
        signature_key: str | None = None,
    ) -> TFLiteConverter:  # fmt: skip
        """A converter of a SavedModel.

        Args:
            saved_model_dir: its directory.
            input_arrays: the names of the inputs; by default those of the signature. The model has them in the order of
                their names.
            input_shapes: name of an input -> its shape, where the graph does not tell it.
            output_arrays: the names of the outputs; by default those of the signature.
            tag_set: the tags of the graph; `{"serve"}` by default.
            signature_key: the signature; "serving_default" by default.

        Raises:
            ValueError: the model has no such signature or tensor.
        """
        key = signature_key or saved_model_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
        graph = Graph()
        with graph.as_default(), Session(graph=graph) as session:
            signatures = load(session, list(tag_set or [saved_model_constants.SERVING]), saved_model_dir).signature_def
            if key not in signatures:
                raise ValueError(f"The model has no signature '{key}'; it has {sorted(signatures)}")
            found = [sorted({info.name for info in infos.values()}) for infos in
                     (signatures[key].inputs, signatures[key].outputs)]  # fmt: skip
            inputs = _tensors(graph, sorted(input_arrays) if input_arrays else found[0])
            outputs = _tensors(graph, sorted(output_arrays) if output_arrays else found[1])
            _set_shapes(inputs, input_shapes)
            return cls.from_session(session, inputs, outputs)

    @classmethod
    def from_keras_model_file(
        cls, model_file: str, input_arrays: Sequence[str] | None = None,
        input_shapes: Mapping[str, Sequence[int | None] | None] | None = None,
        output_arrays: Sequence[str] | None = None, custom_objects: dict[str, Any] | None = None,
    ) -> TFLiteConverter:  # fmt: skip
        """A converter of a file that `tf.keras.Model.save` wrote.

        Args:
            model_file: its path.
            input_arrays: the names of the inputs; by default those of the model.
            input_shapes: name of an input -> its shape, where the model does not tell it.
            output_arrays: the names of the outputs; by default those of the model.
            custom_objects: name -> layer class or function that is not Keras' own.

        Raises:
            ValueError: the model has no such tensor.
        """
        graph = Graph()
        with graph.as_default(), Session(graph=graph) as session:
            set_learning_phase(0)
            model = model_loading.load_model(model_file, custom_objects)
            keras_session.get_session()  # gives what the file does not hold its first value
            inputs = _tensors(graph, input_arrays) if input_arrays else list(model.inputs)
            outputs = _tensors(graph, output_arrays) if output_arrays else list(model.outputs)
            _set_shapes(inputs, input_shapes)
            return cls.from_session(session, inputs, outputs)

    @classmethod
    def from_keras_model(cls, model: Any) -> TFLiteConverter:
        """A converter of a Keras model that was built in a graph, with the weights that it has now."""
        session = keras_session.get_session(list(model.inputs))
        return cls.from_session(session, list(model.inputs), list(model.outputs))

    # ---- conversion

    def convert(self) -> Any:
        """The bytes of the converted model, or of its drawing.

        Raises:
            ConverterError: the model cannot be converted; it lists all nodes that have no counterpart.
            ValueError: the attributes contradict each other or the graph.
        """
        inputs = self._inputs()
        wish = self._wish(inputs)
        if self._debug_info_func is not None:
            self._debug_info = self._debug_info_func([("", node.name) for node in self._graph_def.node])
        outputs = [t.name for t in self._output_tensors or ()] or list(self._output_arrays or ())
        return convert(self._graph_def, inputs, outputs, wish)

    def get_input_arrays(self) -> list[str]:
        """The names of the inputs."""
        if self._has_valid_tensors():
            return [_node_name(tensor.name) for tensor in self._input_tensors or ()]
        return [name for name, _ in self._input_arrays_with_shape or ()]

    @property
    def post_training_quantize(self) -> bool:
        """Whether weights are quantized: another word for `optimizations = [tf.lite.Optimize.DEFAULT]`."""
        return Optimize.DEFAULT in set(self.optimizations)

    @post_training_quantize.setter
    def post_training_quantize(self, value: bool) -> None:
        self.optimizations = [Optimize.DEFAULT] if value else []

    @property
    def target_ops(self) -> Any:
        """Another word for `target_spec.supported_ops`."""
        return self.target_spec.supported_ops

    @target_ops.setter
    def target_ops(self, value: Any) -> None:
        self.target_spec.supported_ops = value

    def _has_valid_tensors(self) -> bool:
        return bool(self._input_tensors and self._output_tensors)

    def _set_batch_size(self, batch_size: int) -> None:
        """Sets the first size of all inputs that leave it open."""
        if not self._has_valid_tensors():
            raise ValueError("The batch size cannot be set for this model. Please use input_shapes parameter.")
        for tensor in self._input_tensors or ():
            shape = tensor.get_shape().as_list()
            if shape and shape[0] is None:
                tensor.set_shape([batch_size, *shape[1:]])

    def _is_int8_target_required(self) -> bool:
        kinds, ops = list(self.target_spec.supported_types), set(self.target_spec.supported_ops)
        return ops == {OpsSet.TFLITE_BUILTINS_INT8} or bool(kinds) and set(kinds) == {dtypes.int8}

    def _inputs(self) -> list[Input]:
        if not self._has_valid_tensors():
            return _named_inputs(self._graph_def, self._input_arrays_with_shape or ())
        found = []
        for tensor in self._input_tensors or ():
            if tensor._shape is None:
                raise ValueError(f"The shape of the input '{_short(tensor.name)}' is unknown: give it by input_shapes")
            found.append(Input(_short(tensor.name), tensor.dtype.base_dtype, tensor._shape))
        return found

    def _wish(self, inputs: Sequence[Input]) -> Wish:
        wanted = self.inference_input_type or self.inference_type
        if self.reorder_across_fake_quant:
            raise errors.UnimplementedError(None, None, "reorder_across_fake_quant: fake quantization is not moved")
        if self.inference_type not in (dtypes.float32, dtypes.uint8):
            raise ValueError(f"inference_type must be tf.float32 or tf.uint8, not {self.inference_type}")
        if unknown := [each for each in self.optimizations if each not in _PROFILES]:
            raise ValueError(f"optimizations must be values of tf.lite.Optimize, not {unknown}")
        wish = Wish(
            self.inference_type, self.inference_input_type, self.inference_output_type,
            dict(self.quantized_input_stats or {}), self.default_ranges_stats, self.drop_control_dependency,
            self.change_concat_input_ranges, self.allow_custom_ops,
            OpsSet.SELECT_TF_OPS in set(self.target_spec.supported_ops),
            graphviz=self.output_format == choices.GRAPHVIZ_DOT, graphviz_dir=self.dump_graphviz_dir,
            graphviz_video=self.dump_graphviz_video)  # fmt: skip
        self._choose_quantization(wish)
        if wanted in (dtypes.uint8, dtypes.int8) and wish.samples is None:
            absent = [each.name for each in inputs if each.dtype is dtypes.float32 and each.name not in wish.stats]
            if absent:
                raise ValueError("Quantization input stats are not available for input tensors "
                                 f"'{','.join(absent)}'.")
        return wish

    def _choose_quantization(self, wish: Wish) -> None:
        kinds, needs_int8 = set(self.target_spec.supported_types), self._is_int8_target_required()
        if not self.optimizations and not needs_int8 or self.inference_type is not dtypes.float32:
            return
        if unknown := kinds - {dtypes.float16, dtypes.int8, dtypes.float32}:
            names = sorted(kind.name for kind in unknown)
            raise ValueError(f"supported_types must be of float32, float16 and int8, not {names}")
        if kinds and dtypes.int8 not in kinds and OpsSet.TFLITE_BUILTINS_INT8 in set(self.target_spec.supported_ops):
            raise ValueError("TFLITE_BUILTINS_INT8 computes with int8, which supported_types leaves out")
        if dtypes.int8 in kinds or needs_int8:
            if self.representative_dataset is None:
                raise ValueError("int8 values need ranges: set representative_dataset to a function that gives samples")
        elif dtypes.float16 in kinds:
            wish.weights = "float16"
            return
        if self.representative_dataset is None:
            wish.weights = "int8"
        else:
            given = self.representative_dataset
            wish.samples = given.input_gen if isinstance(given, RepresentativeDataset) else given
            wish.allow_float = not needs_int8


@export("lite.TocoConverter")
class TocoConverter:
    """The former name of `tf.lite.TFLiteConverter`, whose converters its methods return."""

    @classmethod
    @deprecated(None, "Use `lite.TFLiteConverter.from_session` instead.")
    def from_session(cls, sess: Any, input_tensors: Any, output_tensors: Any) -> TFLiteConverter:
        """See `tf.lite.TFLiteConverter.from_session`."""
        return TFLiteConverter.from_session(sess, input_tensors, output_tensors)

    @classmethod
    @deprecated(None, "Use `lite.TFLiteConverter.from_frozen_graph` instead.")
    def from_frozen_graph(cls, graph_def_file: str, input_arrays: Any, output_arrays: Any,
                          input_shapes: Any = None) -> TFLiteConverter:
        """See `tf.lite.TFLiteConverter.from_frozen_graph`."""
        return TFLiteConverter.from_frozen_graph(graph_def_file, input_arrays, output_arrays, input_shapes)

    @classmethod
    @deprecated(None, "Use `lite.TFLiteConverter.from_saved_model` instead.")
    def from_saved_model(cls, saved_model_dir: str, input_arrays: Any = None, input_shapes: Any = None,
                         output_arrays: Any = None, tag_set: Any = None, signature_key: Any = None) -> TFLiteConverter:
        """See `tf.lite.TFLiteConverter.from_saved_model`."""
        return TFLiteConverter.from_saved_model(
            saved_model_dir, input_arrays, input_shapes, output_arrays, tag_set, signature_key)

    @classmethod
    @deprecated(None, "Use `lite.TFLiteConverter.from_keras_model_file` instead.")
    def from_keras_model_file(cls, model_file: str, input_arrays: Any = None, input_shapes: Any = None,
                              output_arrays: Any = None) -> TFLiteConverter:
        """See `tf.lite.TFLiteConverter.from_keras_model_file`."""
        return TFLiteConverter.from_keras_model_file(model_file, input_arrays, input_shapes, output_arrays)


_CONVERTER_WORDS = ("inference_type", "inference_input_type", "inference_output_type", "output_format",
                    "default_ranges_stats", "drop_control_dependency", "reorder_across_fake_quant",
                    "change_concat_input_ranges", "allow_custom_ops", "post_training_quantize", "dump_graphviz_dir",
                    "dump_graphviz_video", "target_ops")  # fmt: skip


@export("lite.toco_convert")
@deprecated(None, "Use `lite.TFLiteConverter` instead.")
def toco_convert(input_data: Any, input_tensors: Sequence[Any], output_tensors: Sequence[Any], *args: Any,
                 **kwargs: Any) -> Any:
    """The file of a model that computes tensors of a frozen GraphDef.

    Args:
        input_data: the GraphDef.
        input_tensors: the inputs.
        output_tensors: the outputs.
        *args: `inference_type`, `inference_input_type`, as below.
        **kwargs: attributes of `tf.lite.TFLiteConverter`; `quantized_input_stats` is a list here, one entry for each
            input, and `input_shapes` a list of their shapes.

    Raises:
        TypeError: an argument is unknown.
    """
    given = {**dict(zip(("inference_type", "inference_input_type"), args)), **kwargs}
    shapes = given.pop("input_shapes", None)
    for tensor, shape in zip(input_tensors, shapes or ()):
        tensor.set_shape(shape)
    converter = TFLiteConverter(input_data, input_tensors, output_tensors)
    return _configured(converter, given).convert()


def toco_convert_graph_def(input_data: Any, input_arrays_with_shape: Any, output_arrays: Sequence[str],
                           enable_mlir_converter: bool = False, **kwargs: Any) -> Any:
    """As `toco_convert`, with names and shapes in place of tensors; there is one converter, whatever is enabled."""
    converter = TFLiteConverter(input_data, None, None, input_arrays_with_shape, output_arrays)
    return _configured(converter, kwargs).convert()


def _configured(converter: TFLiteConverter, given: dict[str, Any]) -> TFLiteConverter:
    stats = given.pop("quantized_input_stats", None)
    for name, value in given.items():
        if name not in _CONVERTER_WORDS:
            raise TypeError(f"toco_convert has no argument {name!r}")
        setattr(converter, name, value)
    wanted = converter.inference_input_type or converter.inference_type
    if wanted is dtypes.uint8 and not stats:
        raise ValueError("std_dev and mean must be defined when inference_input_type is QUANTIZED_UINT8.")
    converter.quantized_input_stats = dict(zip(converter.get_input_arrays(), stats or ()))
    return converter


@export("lite.experimental.get_potentially_supported_ops")
def get_potentially_supported_ops() -> list[Any]:
    """The ops that have a counterpart in TensorFlow Lite, sorted by name: objects with an attribute `op`."""
    return [SupportedOp(name) for name in sorted(op.name for op in TABLE)]


class SupportedOp:
    """An op with a counterpart in TensorFlow Lite, by name."""

    def __init__(self, op: str) -> None:
        self.op = op

    def __repr__(self) -> str:
        return f"SupportedOp(op={self.op!r})"


# ---- names, shapes and lines


def _node_name(name: str) -> str:
    return name.partition(":")[0]


def _short(name: str) -> str:
    return name.removesuffix(":0")


def _read(path: str) -> Any:
    try:
        return from_bytes_or_text(files.read_file(path), proto.graph_pb2.GraphDef())
    except ValueError as error:
        raise OSError(f"Unable to parse input file '{path}'.") from error


def _tensors(graph: Graph, names: Iterable[str]) -> list[Tensor]:
    found, unknown = [], []
    for name in names:
        try:
            found.append(graph.get_tensor_by_name(name if ":" in name else f"{name}:0"))
        except (KeyError, ValueError):
            unknown.append(name)
    if unknown:
        raise ValueError(f"Invalid tensors '{','.join(unknown)}' were found.")
    return found


def _set_shapes(tensors: Sequence[Tensor], shapes: Mapping[str, Sequence[int | None] | None] | None) -> None:
    by_name = {_short(tensor.name): tensor for tensor in tensors}
    for name, shape in (shapes or {}).items():
        if _short(name) not in by_name:
            raise ValueError(f"Invalid tensor '{name}' found in tensor shapes map.")
        if shape is not None:
            tensor = by_name[_short(name)]
            try:
                tensor.set_shape(shape)
            except ValueError as error:
                raise ValueError(f"input_shapes: {list(shape)} contradicts the shape of '{name}', {tensor.shape}"
                                 ) from error  # fmt: skip


def _named_inputs(message: Any, named: Sequence[tuple[str, Sequence[int | None]]]) -> list[Input]:
    needed = extract_sub_graph(message, [_node_name(name) for name, _ in named])
    with Graph().as_default() as graph:
        import_graph_def(needed, name="")
    tensors = _tensors(graph, [name for name, _ in named])
    return [Input(_short(name), tensor.dtype.base_dtype, tuple(shape)) for (name, shape), tensor in zip(named, tensors)]


def _tracer(graph: Graph) -> Callable[[Any], Any]:
    """A function of (function, node) pairs that tells where the nodes of a graph were made."""

    def traced(pairs: Iterable[tuple[str, str]]) -> Any:
        message = proto.graph_debug_info_pb2.GraphDebugInfo()
        numbers: dict[str, int] = {}
        for function, name in pairs:
            try:
                node: Operation = graph.get_operation_by_name(name)
            except (KeyError, ValueError):
                continue  # freezing has added it
            trace = message.traces[f"{name}@{function}"]
            for frame in node.traceback:
                number = numbers.setdefault(frame.filename, len(numbers))
                trace.file_line_cols.add(file_index=number, line=frame.lineno or 0, func=frame.name)
        message.files.extend(numbers)
        return message

    return traced
