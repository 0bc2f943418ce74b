"""`tf.lite.constants`, and the classes whose values tell a converter what to make."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export

FLOAT = export("lite.constants.FLOAT")(dtypes.float32)
FLOAT16 = export("lite.constants.FLOAT16")(dtypes.float16)
INT32 = export("lite.constants.INT32")(dtypes.int32)
INT64 = export("lite.constants.INT64")(dtypes.int64)
STRING = export("lite.constants.STRING")(dtypes.string)
QUANTIZED_UINT8 = export("lite.constants.QUANTIZED_UINT8")(dtypes.uint8)
INT8 = export("lite.constants.INT8")(dtypes.int8)
TFLITE = export("lite.constants.TFLITE")(2)
GRAPHVIZ_DOT = export("lite.constants.GRAPHVIZ_DOT")(3)


class ConverterError(Exception):
    """A model cannot be converted."""


@export("lite.OpsSet")
class OpsSet(enum.Enum):
    """Which operators a converted model may use.

    `TFLITE_BUILTINS` are TensorFlow Lite's own, `TFLITE_BUILTINS_INT8` those of them with kernels for 8-bit integers.
    `SELECT_TF_OPS` are TensorFlow's kernels, which the interpreter here has none of: a model that would need one cannot
    be converted.
    """

    TFLITE_BUILTINS = "TFLITE_BUILTINS"
    SELECT_TF_OPS = "SELECT_TF_OPS"
    TFLITE_BUILTINS_INT8 = "TFLITE_BUILTINS_INT8"

    def __str__(self) -> str:
        return self.value


@export("lite.Optimize")
class Optimize(enum.Enum):
    """What a converter optimizes for; all three quantize weights, and activations if there are samples."""

    DEFAULT = "DEFAULT"
    OPTIMIZE_FOR_SIZE = "OPTIMIZE_FOR_SIZE"
    OPTIMIZE_FOR_LATENCY = "OPTIMIZE_FOR_LATENCY"

    def __str__(self) -> str:
        return self.value


@export("lite.RepresentativeDataset")
class RepresentativeDataset:
    """Samples by which a converter finds the ranges of values.

    Args:
        input_gen: a function that returns a generator of lists, with an array for each input of the model.
    """

    def __init__(self, input_gen: Callable[[], Iterable[Any]]) -> None:
        self.input_gen = input_gen


@export("lite.TargetSpec")
class TargetSpec:
    """What the device that runs a model can do.

    Args:
        supported_ops: a set of `tf.lite.OpsSet`; `TFLITE_BUILTINS` by default.
        supported_types: the types of weights: `tf.lite.constants.FLOAT16` or `INT8`; by default the converter chooses.
    """

    def __init__(self, supported_ops: Iterable[OpsSet] | None = None,
                 supported_types: Iterable[dtypes.DType] | None = None) -> None:
        self.supported_ops = {OpsSet.TFLITE_BUILTINS} if supported_ops is None else supported_ops
        self.supported_types = [] if supported_types is None else supported_types
