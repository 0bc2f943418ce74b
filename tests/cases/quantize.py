"""Numbers to levels and back: evergraph/ops/math/quantize.py."""

import numpy as np

from tests.harness import case, f16, f64, floats, i32, program, typed

x34 = floats(3, 4)
values = np.float32([-3.0, -1.0, -0.5, 0.0, 0.1, 0.26, 0.5, 1.5, 2.0, 7.0])
MODES = ("MIN_COMBINED", "MIN_FIRST", "SCALED")
KINDS = {"quint8": [0, 1, 100, 128, 255], "qint8": [-128, -1, 0, 60, 127], "qint16": [-32768, -1, 0, 500, 32767],
         "quint16": [0, 1, 30000, 65535], "qint32": [-2**31, -5, 0, 1000000, 2**31 - 128]}
NUMPY = {"quint8": "uint8", "qint8": "int8", "qint16": "int16", "quint16": "uint16", "qint32": "int32"}
ROUNDING = "rounding has no slope; the gradient goes straight through"

CASES = [
    *[case("QuantizeV2", values, -1.0, 2.0, T=kind, mode=mode) for mode in MODES for kind in ("quint8", "qint8")],
    *[case("QuantizeV2", values, -1.0, 2.0, T=kind) for kind in ("qint16", "quint16")],
    case("QuantizeV2", values, -1.0, 2.0, T="qint8", mode="SCALED", round_mode="HALF_TO_EVEN"),
    case("QuantizeV2", values, 1.0, 2.0, T="quint8"),
    case("QuantizeV2", values, 1.0, 1.0, T="quint8", mode="MIN_FIRST"),
    case("QuantizeV2", values, np.float32(2.0), np.float32(1.0), T="quint8").fails("InvalidArgumentError"),
    case("QuantizeV2", values, 0.0, 1.0, T="quint8", round_mode="HALF_TO_EVEN").fails("InvalidArgumentError"),
    *[case("Dequantize", typed(np.array(levels, NUMPY[kind]), kind), -1.5, 2.25, mode=mode)
      for kind, levels in KINDS.items() for mode in MODES if kind != "qint32" or mode == "MIN_FIRST"],
    case("QuantizeAndDequantizeV2", values, 0.0, 0.0).no_differences(ROUNDING),
    case("QuantizeAndDequantizeV2", values, -1.0, 2.0, range_given=True).no_grad("TensorFlow 2 stops it at the ends"),
    case("QuantizeAndDequantizeV2", values, -1.0, 2.0, range_given=True, signed_input=False, num_bits=4).no_grad(
        "TensorFlow 2 stops it at the ends"),
    case("QuantizeAndDequantizeV2", values, -2.0, 1.0, range_given=True, num_bits=4, round_mode="HALF_UP").no_grad(
        "TensorFlow 2 stops it at the ends"),
    case("QuantizeAndDequantizeV2", f64(values), f64(-1), f64(2), num_bits=5,
         narrow_range=True).no_differences(ROUNDING),
    case("QuantizeAndDequantizeV2", values, 2.0, 1.0, range_given=True).fails("InvalidArgumentError"),
    case("QuantizeAndDequantizeV3", values, -1.0, 2.0, 6).no_differences(ROUNDING),
    case("QuantizeAndDequantizeV3", x34, -1.0, 2.0, i32(3), signed_input=False).no_differences(ROUNDING),
    case("FakeQuantWithMinMaxArgs", values).no_differences(ROUNDING),
    case("FakeQuantWithMinMaxArgs", x34, min=-1.0, max=0.7, num_bits=4, narrow_range=True).no_differences(ROUNDING),
    case("FakeQuantWithMinMaxArgs", x34, min=0.3, max=1.0).no_differences(ROUNDING),
    case("FakeQuantWithMinMaxArgsGradient", floats(3, 4, seed=1), x34, min=-1.0, max=0.7),
    case("FakeQuantWithMinMaxVars", x34, np.float32(-1.1), np.float32(0.9)).no_differences(ROUNDING),
    case("FakeQuantWithMinMaxVars", x34, np.float32(-1.1), np.float32(0.9), num_bits=3,
         narrow_range=True).no_differences(ROUNDING),
    case("FakeQuantWithMinMaxVars", x34, 0.0, 0.0).no_differences(ROUNDING),
    case("FakeQuantWithMinMaxVars", x34, np.float32([1.0]), np.float32([2.0])).fails("ValueError"),
    case("FakeQuantWithMinMaxVarsGradient", floats(3, 4, seed=1), x34, -0.5, 0.9),
    case("FakeQuantWithMinMaxVarsPerChannel", x34, -np.abs(floats(4, seed=2)), np.abs(floats(4, seed=3))
         ).no_differences(ROUNDING),
    case("FakeQuantWithMinMaxVarsPerChannel", floats(2, 2, 3, 2), np.float32([-1, 0]), np.float32([0.5, 0.0]),
         num_bits=5).no_differences(ROUNDING),
    case("FakeQuantWithMinMaxVarsPerChannelGradient", floats(3, 4, seed=1), x34, -np.abs(floats(4, seed=2)),
         np.abs(floats(4, seed=3))),
    case("FakeQuantWithMinMaxVarsPerChannel", x34, floats(3), floats(3)).fails("ValueError"),
]


@program(values)
def quantize_and_back(tf, x):
    found = []
    for mode in MODES:
        levels, low, high = tf.quantization.quantize(x, -2.0, 3.0, tf.quint8, mode=mode)
        found += [tf.quantization.dequantize(levels, low, high, mode=mode), low, high]
    return found


@program(f16(values))
def rounded_in_half_precision(tf, x):
    return tf.quantization.quantize_and_dequantize(tf.cast(x, tf.float32), 0.0, 0.0, num_bits=5)


rounded_in_half_precision = rounded_in_half_precision.no_differences(ROUNDING)
