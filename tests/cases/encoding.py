"""Strings and what they encode: evergraph/ops/strings/encoding.py."""

import gzip
import zlib

import numpy as np

from tests.harness import array, bf16, case, f16, floats, ints, program, strings

IAE = "InvalidArgumentError"
text = strings([["", "a", "ab"], ["abc", b"\xfb\xff\xbf", "hello world"]])
data = bytes(range(256)) * 2
packed = bytes(range(48))

CASES = [
    case("EncodeBase64", text),
    case("EncodeBase64", text, pad=True),
    case("DecodeBase64", strings(["", "YQ", "YQ==", "YWI", "YWI=", "YWJj", "-_-_", "YR"])),
    *[case("DecodeBase64", strings(bad)).fails(IAE)
      for bad in ("YQ=", "YWJjZ", "Y+", "Y/", "====", "YWJj=", "YQ\n", "YW=j", b"Y\x80")],
    case("DecodeCompressed", text),
    case("DecodeCompressed", strings([zlib.compress(data), b"", zlib.compress(b"a")[:-4]]), compression_type="ZLIB"),
    # The time in the header is fixed, so that the bytes, and with them the case's name, are the same every day.
    case("DecodeCompressed", strings([gzip.compress(data, mtime=0), gzip.compress(b"a", mtime=0) * 2]),
         compression_type="GZIP"),
    case("DecodeCompressed", strings("abc"), compression_type="ZLIB").fails("DataLossError"),
    case("DecodeCompressed", strings(zlib.compress(b"abc")), compression_type="GZIP").fails("DataLossError"),
    case("DecodeCompressed", text, compression_type="LZMA").fails(IAE),
    *[case("DecodeRaw", strings(packed), out_type=kind, little_endian=little) for little in (True, False)
      for kind in ("uint8", "int8", "int16", "uint16", "int32", "int64", "float16", "float32", "float64",
                   "complex64", "complex128")],
    case("DecodeRaw", strings([b"\x01\x00", b"\x00\x01"]), out_type="bool"),
    case("DecodeRaw", strings([["ab", "cd"], ["ef", "gh"]]), out_type="int16"),
    case("DecodeRaw", strings(["", ""]), out_type="int16"),
    case("DecodeRaw", strings([]), out_type="int16"),
    case("DecodeRaw", strings(["ab", "abcd"]), out_type="int16").fails(IAE),
    case("DecodeRaw", strings("abc"), out_type="int16").fails(IAE),
    case("DecodePaddedRaw", strings(["abc", "", "abcdef"]), 4, out_type="uint8"),
    case("DecodePaddedRaw", strings([["abc"], ["abcdef"]]), array(4, "int32"), out_type="int16", little_endian=False),
    case("DecodePaddedRaw", strings("abc"), array(3, "int32"), out_type="int16").fails(IAE),
    case("DecodePaddedRaw", strings("abc"), array(0, "int32"), out_type="int16").fails(IAE),
    case("DecodePaddedRaw", strings("abc"), 3, out_type="int16").fails("ValueError"),
    *[case("SerializeTensor", x)
      for x in (floats(2, 3), ints(4), f16([1, 2]), bf16([1, 2]), text, array(1j, "complex64"), array(True, "bool"),
                np.zeros((2, 0), "int64"))],
    case("ParseTensor", strings(b"\x08\x03\x12\x04\x12\x02\x08\x02:\x01\x07"), out_type="int32"),
    case("ParseTensor", strings(b"\x08\x03\x12\x04\x12\x02\x08\x02"), out_type="int32"),
    case("ParseTensor", strings(b"\x08\x01"), out_type="int32").fails(IAE),
    case("ParseTensor", strings("garbage"), out_type="int32").fails(IAE),
    case("ParseTensor", strings([""]), out_type="int32").fails(IAE),
]


@program(floats(2, 3))
def there_and_back(tf, x):
    return tf.io.parse_tensor(tf.io.serialize_tensor(x), tf.float32)
