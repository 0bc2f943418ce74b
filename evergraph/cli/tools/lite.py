"""tflite_convert: TensorFlow Lite's converter by its flags."""

from __future__ import annotations

from typing import Any

from evergraph.cli.plain import plain
from evergraph.cli.tools.flags import flags, listed, switch, text, unless
from evergraph.formats.replace import replace_file
from evergraph.lite import choices
from evergraph.lite.converter import TFLiteConverter

_TYPES = {"FLOAT": choices.FLOAT, "QUANTIZED_UINT8": choices.QUANTIZED_UINT8, "INT8": choices.INT8}
_FORMATS = {"TFLITE": choices.TFLITE, "GRAPHVIZ_DOT": choices.GRAPHVIZ_DOT}


def tflite_convert(words: list[str]) -> None:
    """Converts a frozen graph, a SavedModel or a Keras file."""
    given = _parsed(words)
    unless(given, ("reorder_across_fake_quant", False))
    converter = _converter(given)
    inputs = converter.get_input_arrays()
    converter.inference_type = _TYPES[given.inference_type]
    converter.inference_input_type = _TYPES.get(given.inference_input_type)
    converter.inference_output_type = _TYPES.get(given.inference_output_type)
    converter.output_format = _FORMATS[given.output_format]
    converter.quantized_input_stats = _stats(inputs, listed(given.mean_values), listed(given.std_dev_values))
    if given.default_ranges_min is not None and given.default_ranges_max is not None:
        converter.default_ranges_stats = (given.default_ranges_min, given.default_ranges_max)
    converter.drop_control_dependency = given.drop_control_dependency
    converter.change_concat_input_ranges = given.change_concat_input_ranges
    converter.allow_custom_ops = given.allow_custom_ops
    converter.dump_graphviz_dir = given.dump_graphviz_dir or None
    converter.dump_graphviz_video = given.dump_graphviz_video
    converter.post_training_quantize = given.post_training_quantize
    if given.target_ops:
        converter.target_ops = {choices.OpsSet(word) for word in listed(given.target_ops)}
    try:
        content = converter.convert()
    except choices.ConverterError as error:
        raise ValueError(str(error)) from error
    replace_file(given.output_file, content)
    print(plain(f"{given.output_file}: {len(content):,} bytes"))


def _parsed(words: list[str]) -> Any:
    parser = flags("tflite_convert", "Converts a model to a file of TensorFlow Lite.")
    text(parser, "output_file", "the file to write", required=True)
    models = parser.add_mutually_exclusive_group(required=True)
    models.add_argument("--graph_def_file", help="a frozen graph")
    models.add_argument("--saved_model_dir", help="a SavedModel")
    models.add_argument("--keras_model_file", help="a Keras model in HDF5")
    parser.add_argument("--output_format", choices=_FORMATS, default="TFLITE")
    parser.add_argument("--inference_type", choices=("FLOAT", "QUANTIZED_UINT8"), default="FLOAT")
    for name in ("inference_input_type", "inference_output_type"):
        parser.add_argument(f"--{name}", choices=_TYPES)
    text(parser, "input_arrays", "names of inputs, by commas")
    text(parser, "input_shapes", "shapes of the inputs, sizes by commas and shapes by colons")
    text(parser, "output_arrays", "names of outputs, by commas")
    text(parser, "saved_model_tag_set", "tags of a SavedModel", "serve")
    text(parser, "saved_model_signature_key", "of a SavedModel", "serving_default")
    text(parser, "mean_values", "of quantized inputs, by commas")
    text(parser, "std_dev_values", "of quantized inputs, by commas")
    parser.add_argument("--default_ranges_min", type=float, help="of values whose range nothing tells")
    parser.add_argument("--default_ranges_max", type=float, help="of values whose range nothing tells")
    switch(parser, "post_training_quantize", "store weights in 8 bits")
    text(parser, "target_ops", "TFLITE_BUILTINS, TFLITE_BUILTINS_INT8, SELECT_TF_OPS")
    switch(parser, "drop_control_dependency", "leave out control dependencies (true)", True)
    switch(parser, "reorder_across_fake_quant", "must be false")
    switch(parser, "change_concat_input_ranges", "give what is concatenated the range of the result")
    switch(parser, "allow_custom_ops", "make custom operators of ops without a counterpart")
    text(parser, "dump_graphviz_dir", "a directory for drawings")
    switch(parser, "dump_graphviz_video", "draw the model between passes, too")
    return parser.parse_args(words)


def _converter(given: Any) -> Any:
    inputs, outputs = listed(given.input_arrays), listed(given.output_arrays)
    shapes = _shapes(inputs, given.input_shapes)
    if given.graph_def_file:
        if not inputs or not outputs:
            raise ValueError("--graph_def_file needs --input_arrays and --output_arrays")
        return TFLiteConverter.from_frozen_graph(given.graph_def_file, inputs, outputs, shapes)
    if given.keras_model_file:
        return TFLiteConverter.from_keras_model_file(given.keras_model_file, inputs or None, shapes, outputs or None)
    return TFLiteConverter.from_saved_model(
        given.saved_model_dir, inputs or None, shapes, outputs or None, set(listed(given.saved_model_tag_set)),
        given.saved_model_signature_key)


def _shapes(inputs: list[str], given: str) -> dict[str, list[int]] | None:
    shapes = [[int(size) for size in listed(shape)] for shape in given.split(":")] if given else []
    if shapes and len(shapes) != len(inputs):
        raise ValueError(f"--input_shapes has {len(shapes)} shapes for the {len(inputs)} names of --input_arrays")
    return dict(zip(inputs, shapes)) or None


def _stats(inputs: list[str], means: list[str], deviations: list[str]) -> dict[str, tuple[float, float]]:
    if len(means) != len(deviations) or means and len(means) != len(inputs):
        raise ValueError(f"--mean_values and --std_dev_values take a number for each of the inputs {', '.join(inputs)}")
    return {name: (float(mean), float(deviation)) for name, mean, deviation in zip(inputs, means, deviations)}

