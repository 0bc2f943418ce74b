"""Quantized models: float16 or 8-bit weights, calibrated 8-bit models, and 8-bit models of quantized training."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.lite import libraries
from evergraph.lite.fusing import remove_unused
from evergraph.lite.model import Quantization, Step, Subgraph, Value

Range = tuple[float, float]

_FEWEST_WEIGHTS = 1024  # elements; TensorFlow's converter leaves smaller weights as they are
_WEIGHTS = {"CONV_2D": 0, "DEPTHWISE_CONV_2D": 3, "FULLY_CONNECTED": None}
"""Layer with kernels for 8-bit weights and floating-point inputs -> the axis with a scale for each channel, if any."""


# ---- weights alone


def weights_to_float16(main: Subgraph) -> None:
    """Stores constants as float16; the model casts them when it starts."""
    for subgraph in (main, *main.inner()):
        halves: dict[Value, Value] = {}
        casts: list[Step] = []
        for step in subgraph.steps:
            for place, value in enumerate(step.inputs):
                if value is None or value.data is None or value.dtype is not dtypes.float32:
                    continue
                if value not in halves:
                    limits = np.finfo(np.float16)
                    data = np.clip(value.data, limits.min, limits.max).astype(np.float16)
                    half = Value(value.name, dtypes.float16, value.shape, data)
                    halves[value] = Value(f"{value.name}_dequantize", dtypes.float32, value.shape)
                    casts.append(Step("DEQUANTIZE", [half], [halves[value]]))
                step.inputs[place] = halves[value]
        subgraph.steps = casts + subgraph.steps


def weights_to_int8(main: Subgraph) -> None:
    """Stores large weights of layers and tables as 8-bit integers.

    Kernels of layers quantize the inputs when they run; what is taken from tables is turned back.
    """
    for subgraph in (main, *main.inner()):
        done: dict[tuple[Value, int | None], Value] = {}
        steps: list[Step] = []
        for step in subgraph.steps:
            steps.append(step)
            place, axis = (0, None) if step.code == "GATHER" else (1, _WEIGHTS.get(step.code))
            weights = step.inputs[place] if step.code in ("GATHER", *_WEIGHTS) and len(step.inputs) > place else None
            if weights is None or weights.data is None or weights.data.size < _FEWEST_WEIGHTS:
                continue
            if weights.dtype is dtypes.float32:
                key = (weights, axis)
                if key not in done:
                    done[key] = _symmetric(*key)
                step.inputs[place] = done[key]
                if step.code == "GATHER":
                    steps.append(_turned_back(step, done[key].quantization))
        subgraph.steps = steps


def _turned_back(step: Step, quantization: Quantization | None) -> Step:
    """The step that makes real numbers of a step's integers; it gives what that step has given."""
    result = step.outputs[0]
    integers = Value(f"{result.name}_quantized", dtypes.int8, result.shape, quantization=quantization)
    step.outputs = [integers]
    return Step("DEQUANTIZE", [integers], [result], origin=step.origin)


def _symmetric(value: Value, axis: int | None) -> Value:
    data = value.data
    assert data is not None
    others = None if axis is None else tuple(k for k in range(data.ndim) if k != axis)
    largest = np.abs(data).max(axis=others)
    scale = np.where(largest > 0, largest / 127, 1).astype(np.float32)
    shape = [1] * data.ndim
    if axis is not None:
        shape[axis] = -1
    integers = np.clip(np.round(data / scale.reshape(shape if axis is not None else ())), -127, 127).astype(np.int8)
    scales = tuple(float(each) for each in np.ravel(scale))
    return Value(value.name, dtypes.int8, value.shape, integers, Quantization(scales, (0,) * len(scales), axis or 0))


# ---- calibrated models


def calibrated(content: bytes, dataset: Callable[[], Iterable[Sequence[Any]]], input_type: dtypes.DType,
               output_type: dtypes.DType, allow_float: bool) -> bytes:
    """A model whose values are 8-bit integers, with the ranges that they have on samples.

    Args:
        content: the file of a model in float32.
        dataset: gives lists with an array for each input.
        input_type, output_type: the types of inputs and outputs: float32, int8 or uint8.
        allow_float: whether steps without a kernel for integers stay as they are.

    Raises:
        ValueError: there are no samples.
        ConverterError's cause, RuntimeError: a step has no kernel for integers.
    """
    tool = libraries.calibrator().CalibrationWrapper(content, [], [])
    count = 0
    for sample in dataset():
        arrays = [np.asarray(each) for each in (sample.values() if isinstance(sample, Mapping) else sample)]
        if not count:
            tool.Prepare([list(each.shape) for each in arrays])
        tool.FeedTensor(arrays)
        count += 1
    if not count:
        raise ValueError("representative_dataset gave no samples")
    numbers = [np.dtype(kind.as_numpy_dtype).num for kind in (input_type, output_type, dtypes.int8, dtypes.int32)]
    made: bytes = tool.QuantizeModel(numbers[0], numbers[1], allow_float, numbers[2], numbers[3], False, False)
    return made


# ---- quantized training: every value has a range


_KEEPS_RANGE = {"RESHAPE", "SQUEEZE", "EXPAND_DIMS", "TRANSPOSE", "MAX_POOL_2D", "AVERAGE_POOL_2D", "PAD", "SLICE",
                "STRIDED_SLICE", "GATHER", "TILE", "SPLIT", "SPLIT_V", "PACK", "UNPACK", "CONCATENATION", "RELU",
                "RELU6", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "SPACE_TO_DEPTH", "DEPTH_TO_SPACE", "REVERSE_V2",
                "SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND", "MIRROR_PAD"}  # fmt: skip
_FIXED = {"SOFTMAX": Quantization((1 / 256,), (0,)), "LOGISTIC": Quantization((1 / 256,), (0,)),
          "TANH": Quantization((1 / 128,), (128,))}  # fmt: skip
_BIASES = {"CONV_2D": 2, "DEPTHWISE_CONV_2D": 2, "FULLY_CONNECTED": 2}


def by_ranges(main: Subgraph, stats: Mapping[str, tuple[float, float]], default: Range | None,
              join_concats: bool = False) -> None:
    """Makes all floating-point values of a model uint8, in the ranges that fake quantization has left in the graph.

    Args:
        main: the model.
        stats: input -> the mean and standard deviation that its integers stand for.
        default: the range of values that no node tells; None if all must be told.
        join_concats: whether what is concatenated gets the range of the result.

    Raises:
        ValueError: the range of a value is unknown, or a loop or branch would have to be quantized.
    """
    if any(True for _ in main.inner()):
        raise ValueError("Loops and branches cannot be quantized by ranges")
    known = {value: _of_stats(*stats[value.name]) for value in main.inputs if value.dtype is dtypes.float32}
    ranges = _merged_fake_quants(main)
    _propagate(main, known, ranges, default)
    for step in main.steps if join_concats else ():
        if step.code == "CONCATENATION" and step.outputs[0] in known:
            known.update((value, known[step.outputs[0]]) for value in step.inputs if value is not None)
    missing = [value.name for value in main.values()
               if value.dtype is dtypes.float32 and value not in known and value.data is None]
    if missing:
        raise ValueError(f"The ranges of {', '.join(missing)} are unknown: add fake quantization, or set "
                         "default_ranges_stats to a (minimum, maximum)")
    _apply(main, known)


def _of_stats(mean: float, deviation: float) -> Quantization:
    return Quantization((1 / deviation,), (int(round(mean)),))


def _merged_fake_quants(main: Subgraph) -> dict[Value, Quantization]:
    """Takes fake quantization out of the model; what it quantized has its range."""
    found: dict[Value, Quantization] = {}
    instead: dict[Value, Value] = {}
    kept = []
    makers = main.makers()
    for step in main.steps:
        step.inputs = [instead.get(value, value) if value is not None else None for value in step.inputs]
        if step.code != "FAKE_QUANT":
            kept.append(step)
            continue
        source, result = step.inputs[0], step.outputs[0]
        assert source is not None
        quantization = Quantization.of_range(step.options["min"], step.options["max"])
        if source.data is not None or source not in makers or source in main.outputs:
            found[source] = quantization
            instead[result] = source
        else:  # the maker computes what was quantized, under the name that it has in the graph
            maker = makers[source]
            maker.outputs = [result if value is source else value for value in maker.outputs]
            makers[result] = maker
            instead[source] = result
            found[result] = quantization
    main.steps = kept
    main.outputs = [instead.get(value, value) for value in main.outputs]
    for step in main.steps:
        step.inputs = [instead.get(value, value) if value is not None else None for value in step.inputs]
    return found


def _propagate(main: Subgraph, known: dict[Value, Quantization], ranges: Mapping[Value, Quantization],
               default: Range | None) -> None:
    known.update((value, q) for value, q in ranges.items() if value not in known)
    for step in main.steps:
        for value in step.outputs:
            if value.dtype is not dtypes.float32:
                continue
            source = next((v for v in step.inputs if v is not None and v.dtype is dtypes.float32), None)
            if step.code in _FIXED:
                known[value] = _FIXED[step.code]
            elif value in known:
                continue
            elif step.code in _KEEPS_RANGE and source is not None and source in known:
                known[value] = known[source]
            elif default is not None:
                known[value] = Quantization.of_range(*default)


def _apply(main: Subgraph, known: Mapping[Value, Quantization]) -> None:
    for step in main.steps:
        bias = _BIASES.get(step.code)
        for place, value in enumerate(step.inputs):
            if value is None or value.data is None or value.dtype is not dtypes.float32 or place == bias:
                continue
            step.inputs[place] = _integers(value, known.get(value))
        if bias is not None and len(step.inputs) > bias and step.inputs[bias] is not None:
            step.inputs[bias] = _integer_bias(step, step.inputs[bias], known)
    for value in main.values():
        if value.dtype is dtypes.float32 and value in known:
            value.dtype, value.quantization = dtypes.uint8, known[value]
    remove_unused(main)


def _integers(value: Value, quantization: Quantization | None) -> Value:
    data = value.data
    assert data is not None
    limits = float(data.min(initial=0)), float(data.max(initial=0))
    q = quantization or value.quantization or Quantization.of_range(*limits)
    integers = np.clip(np.round(data / q.scale[0]) + q.zero_point[0], 0, 255).astype(np.uint8)
    return Value(value.name, dtypes.uint8, value.shape, integers, q)


def _integer_bias(step: Step, bias: Value | None, known: Mapping[Value, Quantization]) -> Value:
    source, weights = step.inputs[0], step.inputs[1]
    assert bias is not None and bias.data is not None and source is not None and weights is not None
    of_source = known.get(source) or source.quantization
    assert of_source is not None and weights.quantization is not None
    scale = of_source.scale[0] * weights.quantization.scale[0]
    integers = np.clip(np.round(bias.data / scale), -(2**31) + 1, 2**31 - 1).astype(np.int32)
    return Value(bias.name, dtypes.int32, bias.shape, integers, Quantization((scale,), (0,)))


# ---- types at the border


def inputs_as(main: Subgraph, kind: dtypes.DType, stats: Mapping[str, tuple[float, float]]) -> None:
    """Gives floating-point inputs another type, that of integers which the model turns into real numbers."""
    for place, value in enumerate(main.inputs):
        if value.dtype is not dtypes.float32:
            continue
        inner = Value(f"{value.name}_dequantize", dtypes.float32, value.shape)
        for step in main.steps:
            step.inputs = [inner if each is value else each for each in step.inputs]
        main.outputs = [inner if each is value else each for each in main.outputs]
        value.dtype, value.quantization = kind, _of_stats(*stats[value.name])
        main.inputs[place] = value
        main.steps.insert(0, Step("DEQUANTIZE", [value], [inner]))


def border_as_float(main: Subgraph, inputs: bool, outputs: bool) -> None:
    """Lets a quantized model take or return real numbers."""
    for place, value in enumerate(main.inputs if inputs else ()):
        if value.quantization is None:
            continue
        outer = Value(value.name, dtypes.float32, value.shape)
        value.name = f"{value.name}_quantize"
        main.inputs[place] = outer
        main.steps.insert(0, Step("QUANTIZE", [outer], [value]))
    for place, value in enumerate(main.outputs if outputs else ()):
        if value.quantization is None:
            continue
        outer = Value(value.name, dtypes.float32, value.shape)
        value.name = f"{value.name}_quantized"
        main.outputs[place] = outer
        main.steps.append(Step("DEQUANTIZE", [value], [outer]))
