"""Cases of the ops that are younger than TensorFlow 1.15."""

import struct
import zlib

import numpy as np

from tests.harness import array, case, f64, floats, i32, i64, ints, strings

ALIGN = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")
none = np.zeros(0, np.float32)
seed = i64([3, -5])
key, counter = array([7], "uint64"), array([11, 1 << 63], "uint64")


def example(**features):
    """A serialized Example, written by hand: field 1 of Example holds field 1 of Features, a map."""
    def field(number, data):
        return bytes([number << 3 | 2]) + varint(len(data)) + data

    def varint(value):
        out = b""
        while value > 127:
            out, value = out + bytes([value & 127 | 128]), value >> 7
        return out + bytes([value])

    def value(items):
        if isinstance(items[0], bytes):
            return field(1, b"".join(field(1, item) for item in items))
        if isinstance(items[0], float):
            return field(2, field(1, np.array(items, "<f4").tobytes()))
        return field(3, field(1, b"".join(varint(item) for item in items)))

    pairs = (field(1, field(1, name.encode()) + field(2, value(items))) for name, items in sorted(features.items()))
    return field(1, b"".join(pairs))


def png(bits, row):
    """A gray picture of one row of two pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, bits, 0, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(b"\0" + row)) + chunk(b"IEND", b"")


PNG8, PNG16 = png(8, bytes([0, 200])), png(16, bytes([0, 1, 200, 7]))
PIXELS = bytes([9, 8, 7, 200, 100, 50, 0, 0])
BMP = b"BM" + struct.pack("<13I", 62, 0, 54, 40, 2, 1, 1 | 24 << 16, 0, 8, 0, 0, 0, 0) + PIXELS
EXAMPLES = [example(a=[1.5, 2.5], b=[7], c=[b"x", b"yz"]), example(a=[3.0, 4.0]),
            example(a=[0.5, 1.0], b=[1, 2, 3], d=[300, 5])]


def parsed(serialized, **more):
    return case("ParseExampleV2", serialized, strings([]), strings(["b"]), strings(["a"]), strings(["c", "d"]), [none],
                num_sparse=1, sparse_types=["int64"], ragged_value_types=["string", "int64"],
                ragged_split_types=["int64", "int32"], dense_shapes=[[2]], **more)  # fmt: skip


CASES = [
    *[case("MatrixDiagV3", floats(2, 3, 3), [-1, 1], 3, 4, 0.5, align=align) for align in ALIGN],
    case("MatrixDiagV3", floats(3, 4), 0, -1, -1, 0.0),
    case("MatrixDiagV3", floats(2, 3), [-2, -1], -1, -1, 1.0, align="RIGHT_RIGHT"),
    *[case("MatrixDiagPartV3", floats(2, 3, 5), [-1, 3], 9.0, align=align) for align in ALIGN],
    case("MatrixDiagPartV3", floats(3, 4), 1, 0.0),
    case("MatrixDiagPartV3", floats(4, 3), [-2, 0], 0.0),
    *[case("MatrixSetDiagV3", floats(2, 4, 3), floats(2, 3, 3), [-1, 1], align=align) for align in ALIGN],
    case("MatrixSetDiagV3", floats(3, 4), floats(3), 0),
    case("BatchMatMulV3", floats(2, 3, 4), floats(4, 5), Tout="float32"),
    case("BatchMatMulV3", floats(2, 4, 3), floats(2, 5, 4), Tout="float32", adj_x=True, adj_y=True),
    case("BatchMatMulV3", ints(3, 4, dtype="int8"), ints(4, 2, dtype="uint8", low=0), Tout="int32"),
    case("Xlog1py", f64([0.0, 1.0, 2.0, 0.0]), f64([3.0, 0.5, -0.25, -1.0])).no_differences("0 * log(0)"),
    case("Xlog1py", floats(3, 1, low=0.5), floats(1, 2, low=0.1)),
    case("Erfinv", floats(7, low=-0.95, high=0.95)).tolerance(2e-5),
    case("Erfinv", f64([-1.0, 0.0, 1.0])).no_differences("infinite").no_grad("infinite"),
    case("Ndtri", floats(7, low=0.05, high=0.95)).tolerance(2e-5),
    *[case(f"TensorScatter{how}", floats(4, 3), i32([[2], [0], [2]]), floats(3, 3, seed=5)) for how in ("Max", "Min")],
    case("TensorScatterMax", floats(4, 3), i64([[2, 1], [0, 0]]), floats(2, seed=5)),
    case("TensorScatterMin", ints(5), i32([[2], [2]]), ints(2, seed=5)),
    case("TensorScatterMax", floats(3), i32([[7]]), floats(1)).fails("InvalidArgumentError"),
    case("DenseBincount", i32([1, 3, 3, 0, 9]), 5, none),
    case("DenseBincount", i64([[1, 1], [0, 4]]), i64(5), floats(2, 2)),
    case("DenseBincount", i32([[1, 1], [0, 4]]), 3, none, binary_output=True),
    case("DenseBincount", i32([1, -1]), 3, none).fails("InvalidArgumentError"),
    case("SparseBincount", i64([[0, 1], [2, 0], [2, 3]]), i32([1, 2, 2]), i64([3, 4]), 4, none),
    case("SparseBincount", i64([[1], [3]]), i32([1, 1]), i64([5]), 4, floats(2)),
    case("RaggedBincount", i64([0, 2, 2, 5]), i32([1, 1, 0, 2, 7]), 3, none),
    case("RaggedBincount", i64([0, 2, 2, 5]), i32([1, 1, 0, 2, 7]), 3, none, binary_output=True),
    case("StatelessRandomGetAlg"),
    case("StatelessRandomGetKeyCounter", seed),
    case("StatelessRandomGetKeyCounterAlg", seed),
    *[case(op, [3, 5], key, counter, 1, dtype=dtype) for dtype in ("float32", "float64", "float16")
      for op in ("StatelessRandomUniformV2", "StatelessRandomNormalV2", "StatelessTruncatedNormalV2")],
    case("StatelessRandomUniformV2", [2], key, counter, 7).fails("InvalidArgumentError"),
    case("StatelessRandomUniformIntV2", [7], key, counter, 1, i32(-5), i32(9)),
    case("StatelessRandomUniformIntV2", [7], key, counter, 1, i64(9), i64(9)).fails("InvalidArgumentError"),
    *[case("DecodeImage", strings(data), dtype=dtype) for data in (PNG8, PNG16, BMP)
      for dtype in ("uint8", "uint16", "float32")],
    case("DecodeImage", strings(PNG8), channels=3, expand_animations=False),
    case("DecodeImage", strings("nothing")).fails("InvalidArgumentError"),
    parsed(strings(EXAMPLES)),
    parsed(strings(EXAMPLES[0])),
    parsed(strings([example(b=[1])])).fails("InvalidArgumentError"),
]


