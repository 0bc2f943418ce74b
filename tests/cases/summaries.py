"""Ops that make Summary messages. Images are tested elsewhere: how a PNG is compressed is nobody's contract."""

import numpy as np

from tests.harness import case, f16, f64, floats, i64, ints, program, strings

clips = floats(2, 7, low=-1, high=1)

CASES = [
    case("ScalarSummary", "loss", f16(0.5)),
    case("ScalarSummary", strings(["a", "b"]), i64([3, -4])),
    case("ScalarSummary", strings(["a", "b"]), i64([3])).fails("InvalidArgumentError"),
    case("HistogramSummary", "h", floats(3, 4)),
    case("HistogramSummary", "h", ints(5, low=-3, high=9)),
    case("HistogramSummary", "h", f64([])),
    case("HistogramSummary", "h", f64([np.nan, 1])).fails("InvalidArgumentError"),
    case("HistogramSummary", "h", f64([np.inf, 1])).fails("InvalidArgumentError"),
    case("ImageSummary", "im", floats(2, 3)).fails("InvalidArgumentError"),
    case("ImageSummary", "im", floats(2, 3, 3, 2)).fails("InvalidArgumentError"),
    case("AudioSummaryV2", "a", clips, 8000.0, max_outputs=1),
    case("AudioSummaryV2", "a", floats(2, 4, 2, low=-1, high=1), 44100.0, max_outputs=2),
    case("AudioSummaryV2", "a", floats(3), 8000.0).fails("InvalidArgumentError"),
    case("TensorSummaryV2", "t", floats(2, 2), b"\n\x06\n\x04text"),
    case("TensorSummaryV2", "t", strings(["x", "y"]), b""),
]


@program(floats(3))
def merged(tf, x):
    parts = [tf.raw_ops.ScalarSummary(tags="a", values=x[0]), tf.raw_ops.HistogramSummary(tag="b", values=x)]
    return tf.raw_ops.MergeSummary(inputs=parts)
