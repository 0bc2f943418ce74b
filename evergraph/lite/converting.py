"""Converts a frozen GraphDef to a TensorFlow Lite file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors, files
from evergraph.formats.replace import replace_file
from evergraph.frontend.importer import import_graph_def
from evergraph.graph.graph import Graph
from evergraph.graph.node import Tensor
from evergraph.lite import choices, libraries, quantizing, writing
from evergraph.lite.fusing import fuse
from evergraph.lite.graphviz import drawn
from evergraph.lite.lowering import Gap, Lowering
from evergraph.lite.model import Step, Subgraph
from evergraph.lite.site import Site
from evergraph.ops.arrays.basic import placeholder
from evergraph.ops.math import quantize

_FAKE_QUANTS = (quantize.fake_quant_with_min_max_args, quantize.fake_quant_with_min_max_vars)


@dataclass(frozen=True)
class Input:
    """An input of the model: a tensor of the graph by name, such as "x" or "split:1"."""

    name: str
    dtype: dtypes.DType
    shape: tuple[int | None, ...]


@dataclass
class Wish:
    """What the converted model should be like: the attributes of `tf.lite.TFLiteConverter`, whose names say more."""

    inference_type: dtypes.DType = dtypes.float32
    input_type: dtypes.DType | None = None
    output_type: dtypes.DType | None = None
    stats: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    default_range: tuple[float, float] | None = None
    drop_control_dependency: bool = True
    change_concat_input_ranges: bool = False
    allow_custom_ops: bool = False
    select_tf_ops: bool = False
    weights: str = "float32"  # or float16, int8
    samples: Callable[[], Any] | None = None
    allow_float: bool = True
    graphviz: bool = False
    graphviz_dir: str | None = None
    graphviz_video: bool = False


def convert(message: Any, inputs: Sequence[Input], outputs: Sequence[str], wish: Wish) -> bytes:
    """The file of a model that computes the outputs of a frozen graph from its inputs.

    Sizes of inputs that are None stay open: the interpreter's `resize_tensor_input` sets them. If the graph needs a
    known batch size, as loops over tensor arrays do, it is 1.

    Raises:
        ConverterError: nodes have no counterpart in TensorFlow Lite; it lists them all.
    """
    if not wish.drop_control_dependency:
        _refuse_control_dependencies(message)
    main, gaps = _lowered(message, inputs, outputs, wish)
    if gaps and any(None in each.shape for each in inputs):
        sized = [Input(each.name, each.dtype, tuple(1 if n is None else n for n in each.shape)) for each in inputs]
        main, gaps = _lowered(message, sized, outputs, wish)
    if gaps:
        raise choices.ConverterError(_told(gaps, wish))
    _dump(main, wish, "at_import")
    fuse(main)
    if wish.graphviz_video:
        _dump(main, wish, "fused")
    _quantize(main, wish)
    _dump(main, wish, "converted")
    if wish.graphviz:
        return drawn(main).encode()
    content = writing.write(main)
    _check(content, main)
    if wish.samples is not None:
        _refuse_loops(main)
        content = _calibrated(content, wish)
    return content


def _lowered(message: Any, inputs: Sequence[Input], outputs: Sequence[str], wish: Wish) -> tuple[Subgraph, list[Gap]]:
    graph = Graph()
    with graph.as_default():
        given = [placeholder(each.dtype, each.shape, name=f"lite_input_{n}") for n, each in enumerate(inputs)]
        names = [each.name if ":" in each.name else f"{each.name}:0" for each in inputs]
        wanted = [name if ":" in name else f"{name}:0" for name in outputs]
        mapped = dict(zip(names, given))
        try:
            there = {node.name for node in message.node}  # freezing leaves out inputs that no output needs
            used = {name: tensor for name, tensor in mapped.items() if name.partition(":")[0] in there}
            found = import_graph_def(message, used, [name for name in wanted if name not in mapped], name="")
        except (ValueError, errors.OpError) as error:
            raise choices.ConverterError(f"The graph cannot be read: {error}") from error
    imported = iter(found or ())
    fetched: list[Tensor] = [mapped[name] if name in mapped else next(imported) for name in wanted]
    lowering = Lowering(_custom if wish.allow_custom_ops else None)
    if wish.inference_type is dtypes.uint8:
        lowering.kept = frozenset(_FAKE_QUANTS)
    main = lowering.main([(tensor, _short(each.name)) for tensor, each in zip(given, inputs)],
                         [(tensor, _short(name)) for tensor, name in zip(fetched, outputs)])
    return main, lowering.gaps


def _short(name: str) -> str:
    return name.removesuffix(":0")


def _told(gaps: Sequence[Gap], wish: Wish) -> str:
    by_op: dict[tuple[str, str], list[Gap]] = {}
    for gap in gaps:
        by_op.setdefault((gap.op, gap.why), []).append(gap)
    lines = [f"{len(gaps)} nodes have no counterpart in TensorFlow Lite:"]
    for (op, why), places in sorted(by_op.items()):
        shown = ", ".join(f"'{gap.node}'{f' ({gap.where})' if gap.where else ''}" for gap in dict.fromkeys(places))
        lines.append(f"  {op}: {why}; {shown}")
    if wish.select_tf_ops:
        lines.append("SELECT_TF_OPS does not help: the interpreter (ai-edge-litert) has none of TensorFlow's kernels.")
    else:
        lines.append("With allow_custom_ops they become custom operators, for which the interpreter needs kernels.")
    return "\n".join(lines)


def _refuse_control_dependencies(message: Any) -> None:
    waiting = [node.name for node in message.node if any(text.startswith("^") for text in node.input)]
    if waiting:
        raise choices.ConverterError("Models have no control dependencies, and drop_control_dependency is False; nodes "
                                     f"with some are {', '.join(waiting)}")


def _custom(site: Site) -> Step:
    """A custom operator with the name of the op; its options are the attrs, as a flexbuffer."""
    libraries.flatbuffers()
    from flatbuffers import flexbuffers

    builder = flexbuffers.Builder()
    with builder.Map():
        for name, value in sorted(site.node.attrs.items()):
            if isinstance(value, (bool, np.bool_)):
                builder.Bool(name, bool(value))
            elif isinstance(value, (int, np.integer)):
                builder.Int(name, int(value))
            elif isinstance(value, (float, np.floating)):
                builder.Float(name, float(value))
            elif isinstance(value, (str, bytes)):
                builder.String(name, value if isinstance(value, str) else value.decode("latin1"))
    return Step(site.node.type, list(site.inputs), site.outputs, is_custom=True, custom=bytes(builder.Finish()),
                origin=f"{site.node.type} '{site.node.name}'")  # fmt: skip


def _quantize(main: Subgraph, wish: Wish) -> None:
    if wish.inference_type is dtypes.uint8:
        try:
            quantizing.by_ranges(main, wish.stats, wish.default_range, wish.change_concat_input_ranges)
        except ValueError as error:
            raise choices.ConverterError(str(error)) from error
        quantizing.border_as_float(main, wish.input_type is dtypes.float32, wish.output_type is dtypes.float32)
        return
    if wish.weights == "float16":
        quantizing.weights_to_float16(main)
    elif wish.weights == "int8":
        quantizing.weights_to_int8(main)
    if wish.samples is None and wish.input_type in (dtypes.uint8, dtypes.int8):
        quantizing.inputs_as(main, wish.input_type, wish.stats)


def _refuse_loops(main: Subgraph) -> None:
    """TensorFlow Lite's quantizer ends the process where it meets operators that call subgraphs."""
    callers = [step.origin for step in main.steps if step.subgraphs]
    if callers:
        raise choices.ConverterError(f"Models with loops and branches cannot be quantized by samples: {callers[0]}. "
                                     "Leave representative_dataset out: then the weights are quantized")


def _calibrated(content: bytes, wish: Wish) -> bytes:
    assert wish.samples is not None
    kinds = (wish.input_type or dtypes.float32, wish.output_type or dtypes.float32)
    try:
        return quantizing.calibrated(content, wish.samples, *kinds, wish.allow_float)
    except RuntimeError as error:
        raise choices.ConverterError(f"The model cannot be quantized: {error}") from error


def _check(content: bytes, main: Subgraph) -> None:
    """Lets the interpreter prepare the model, so that a kernel that is missing for some type is found now."""
    if any(step.is_custom for subgraph in (main, *main.inner()) for step in subgraph.steps):
        return
    try:
        libraries.interpreter().Interpreter(model_content=content).allocate_tensors()
    except (RuntimeError, ValueError) as error:
        text = " ".join(str(error).split())
        raise choices.ConverterError(f"The interpreter cannot run the converted model: {text}{_blamed(text, main)}"
                                     ) from error  # fmt: skip


def _blamed(text: str, main: Subgraph) -> str:
    """The node behind the step whose number the interpreter tells."""
    _, found, rest = text.partition("Node number ")
    number = rest.split(" ", 1)[0]
    if not found or not number.isdigit() or int(number) >= len(main.steps):
        return ""
    return f" It was made of {main.steps[int(number)].origin}."


def _dump(main: Subgraph, wish: Wish, when: str) -> None:
    if wish.graphviz_dir is not None:
        files.makedirs(wish.graphviz_dir)
        replace_file(os.path.join(wish.graphviz_dir, f"model_{when}.dot"), drawn(main).encode())
