"""Messages to take apart and put together, as `tf` does it: run on evergraph by the test, on TensorFlow to record."""

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

TYPES = {"double": 1, "float": 2, "int64": 3, "uint64": 4, "int32": 5, "fixed64": 6, "fixed32": 7, "bool": 8,
         "string": 9, "bytes": 12, "uint32": 13, "sfixed32": 15, "sfixed64": 16, "sint32": 17, "sint64": 18}
TENSORS = {"double": "float64", "float": "float32", "bytes": "string", "fixed64": "uint64", "fixed32": "uint32",
           "sfixed32": "int32", "sfixed64": "int64", "sint32": "int32", "sint64": "int64"}  # fmt: skip
DEFAULTS = {"double": "1.5", "float": "2.5", "int64": "-3", "uint64": "4", "int32": "5", "bool": "true", "string": "a",
            "bytes": "b\\377", "uint32": "9"}  # fmt: skip
ALL_TYPES = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint32", "uint64", "bool",
             "string"]


def description():
    """p.M has a field of each type, repeated (r_), optional (o_), packed (k_), with a default (d_); p3.N is new."""
    files = descriptor_pb2.FileDescriptorSet()
    file = files.file.add(name="p.proto", package="p", syntax="proto2")
    message = file.message_type.add(name="M")
    for place, (name, number) in enumerate(TYPES.items()):
        message.field.add(name=f"r_{name}", number=place + 1, type=number, label=3)
        message.field.add(name=f"o_{name}", number=place + 51, type=number, label=1)
        if name not in ("string", "bytes"):
            message.field.add(name=f"k_{name}", number=place + 151, type=number, label=3).options.packed = True
    for place, (name, default) in enumerate(DEFAULTS.items()):
        message.field.add(name=f"d_{name}", number=place + 101, type=TYPES[name], label=1, default_value=default)
    message.field.add(name="r_message", number=200, type=11, label=3, type_name=".p.M")
    message.field.add(name="o_message", number=201, type=11, label=1, type_name=".p.M")
    colours = message.enum_type.add(name="Colour")
    colours.value.add(name="RED", number=7)
    colours.value.add(name="BLUE", number=2)
    message.field.add(name="r_enum", number=202, type=14, label=3, type_name=".p.M.Colour")
    message.field.add(name="o_enum", number=203, type=14, label=1, type_name=".p.M.Colour")
    message.extension_range.add(start=300, end=400)
    file.extension.add(name="more", number=300, type=5, label=3, extendee=".p.M")
    newer = files.file.add(name="p3.proto", package="p3", syntax="proto3").message_type.add(name="N")
    newer.field.add(name="i", number=1, type=5, label=1)
    newer.field.add(name="s", number=2, type=9, label=1)
    newer.field.add(name="r", number=3, type=5, label=3)
    return files


FILES = description()
SOURCE = b"bytes://" + FILES.SerializeToString()
_pool = descriptor_pool.DescriptorPool()
for each in FILES.file:
    _pool.Add(each)
M, N = (message_factory.GetMessageClass(_pool.FindMessageTypeByName(name)) for name in ("p.M", "p3.N"))

EXTREMES = {
    "double": [0.0, -1.5, 1e300, float("inf")], "float": [0.0, 2.5, -3e38], "bool": [True, False],
    "string": ["", "é"], "bytes": [b"", b"\xff\x00"],
    **{name: [0, 1, -1, (1 << 31) - 1, -(1 << 31)] for name in ("int32", "sint32", "sfixed32")},
    **{name: [0, 300, -1, (1 << 63) - 1, -(1 << 63)] for name in ("int64", "sint64", "sfixed64")},
    **{name: [0, 1, (1 << 32) - 1] for name in ("uint32", "fixed32")},
    **{name: [0, 1, (1 << 64) - 1] for name in ("uint64", "fixed64")},
}  # fmt: skip
FULL = M(**{f"r_{name}": values for name, values in EXTREMES.items()},
         **{f"o_{name}": values[-1] for name, values in EXTREMES.items()},
         **{f"k_{name}": values for name, values in EXTREMES.items() if name not in ("string", "bytes")},
         r_message=[M(o_int32=1), M()], o_message=M(o_bool=True), r_enum=[7, 2], o_enum=2, d_int32=11)
SOME = M(r_int32=[5], d_string="z").SerializeToString()


def tensor_type(field):
    kind = field.partition("_")[2]
    return {"message": "string", "enum": "int32"}.get(kind) or TENSORS.get(kind, kind)


def decoded(tf, messages, fields, types=None, message_type="p.M", source=SOURCE, **options):
    types = [tensor_type(field) for field in fields] if types is None else types
    with tf.Graph().as_default(), tf.Session() as session:
        types = [tf.as_dtype(each) for each in types]
        sizes, values = tf.io.decode_proto(messages, message_type, fields, types, source, **options)
        return session.run([sizes, *values])


def encoded(tf, sizes, values, fields, message_type="p.M"):
    with tf.Graph().as_default(), tf.Session() as session:
        return [session.run(tf.io.encode_proto(sizes, values, fields, message_type, SOURCE))]


def fields_of(start):
    return [field.name for field in M.DESCRIPTOR.fields if field.name.startswith(start)]


full = FULL.SerializeToString()
i32 = lambda *values: np.array(values, np.int32)
text = lambda *values: np.array(values, object)
CASES = {
    **{f"decode {start}": lambda tf, start=start: decoded(tf, [[full, SOME], [b"", full]], fields_of(start))
       for start in ("r_", "o_", "k_", "d_")},
    **{f"decode r_{kind} as {dtype}": lambda tf, kind=kind, dtype=dtype: decoded(tf, [full], [f"r_{kind}"], [dtype])
       for kind in (*TYPES, "enum", "message") for dtype in ALL_TYPES},
    "one message": lambda tf: decoded(tf, full, ["r_int32"]),
    "no field": lambda tf: decoded(tf, [full], []),
    "a field twice": lambda tf: decoded(tf, [full], ["r_int32", "r_int32"]),
    "no message": lambda tf: decoded(tf, np.zeros((0, 2), object), ["r_int32"]),
    "packed and not": lambda tf: decoded(tf, [b"\x1a\x02\x01\x02\x18\x05"], ["r_int64"]),
    "a message twice": lambda tf: decoded(tf, [b"\xca\x0c\x02\x08\x01\xca\x0c\x02\x10\x01"], ["o_message"]),
    "of another kind": lambda tf: decoded(tf, [b"\x0d\x01\x02\x03\x04"], ["r_double"]),
    "a colour unknown": lambda tf: decoded(tf, [b"\xd0\x0c\x63"], ["r_enum"]),
    "fields unknown": lambda tf: decoded(
        tf, [b"\xd2\x0f\x01x\xd0\x0f\x01\xd5\x0f1234\xd1\x0f12345678" + SOME], ["r_int32"]),
    "a group unknown": lambda tf: decoded(tf, [b"\xd3\x0f\x08\x01\x0b\x0c\xd4\x0f" + SOME], ["r_int32"]),
    "proto3": lambda tf: decoded(tf, [b"", N(i=5, s="é", r=[1, 2]).SerializeToString()], ["i", "s", "r"],
                                 ["int32", "string", "int32"], "p3.N"),
    "text": lambda tf: decoded(tf, [b"r_int32: 5 r_int32: 6 o_message { o_bool: true } r_enum: BLUE"],
                               ["r_int32", "o_message", "r_enum"], message_format="text"),
    "sanitized": lambda tf: decoded(tf, [b"\xca\x0c\x02\x08\x01" + SOME + b"\xca\x0c\x04\xb0\x03\x01\x08\x02"],
                                    ["o_message", "r_int32"], sanitize=True),
    "known here": lambda tf: decoded(
        tf, [b"\x0a\x02\x0a\x00"], ["features"], ["string"], "tensorflow.Example", "local://"),
    "an extension": lambda tf: decoded(tf, [b"\xe0\x12\x05\xe0\x12\x06"], ["p.more"], ["int32"]),
    **{f"damaged {place}": lambda tf, data=data: decoded(tf, [data], ["r_int32"]) for place, data in enumerate(
        [b"This is not", b"\x28", b"\x2a\x05\x01", b"\x2a\x01\x80", b"\x00\x01", b"\x0c", b"\x0b", b"\x29\x01",
         b"\x2f"])},
    "damaged, sanitized": lambda tf: decoded(tf, [b"This is not"], ["r_int32"], sanitize=True),
    "damaged text": lambda tf: decoded(tf, [b"This is not"], ["r_int32"], message_format="text"),
    "an unknown field": lambda tf: decoded(tf, [full], ["nothing"], ["int32"]),
    "an unknown message": lambda tf: decoded(tf, [full], ["r_int32"], message_type="p.Nothing"),
    "no such file": lambda tf: decoded(tf, [full], ["r_int32"], source="/nowhere"),
    "no description": lambda tf: decoded(tf, [full], ["r_int32"], source=b"bytes://garbage"),
    "an unknown form": lambda tf: decoded(tf, [full], ["r_int32"], message_format="json"),
    "too many types": lambda tf: decoded(tf, [full], ["r_int32"], ["int32", "int32"]),
    **{f"encode {start}": lambda tf, start=start: _again(tf, fields_of(start)) for start in ("r_", "o_", "k_")},
    **{f"encode {dtype} as r_{kind}": lambda tf, kind=kind, dtype=dtype: encoded(
        tf, [[1]], [text([b"x"]) if dtype == "string" else np.array([[1]], dtype)], [f"r_{kind}"])
       for kind in (*TYPES, "enum", "message") for dtype in ALL_TYPES},
    "encode in order": lambda tf: encoded(tf, [[1, 2]], [np.array([[1.5]]), i32([1, 2])], ["o_double", "r_int32"]),
    "encode two of one": lambda tf: encoded(tf, [[2]], [i32([1, 2])], ["o_int32"]),
    "encode less than none": lambda tf: encoded(tf, [[-1]], [i32([1, 2])], ["r_int32"]),
    "encode too many": lambda tf: encoded(tf, [[3]], [i32([1, 2])], ["r_int32"]),
    "encode proto3": lambda tf: encoded(
        tf, [[1, 1, 2]], [i32([0]), text([b"\xff"]), i32([0, 1])], ["i", "s", "r"], "p3.N"),
    "encode too large": lambda tf: encoded(tf, [[1]], [np.array([[(1 << 40) + 5]])], ["r_int32"]),
    "encode an empty batch": lambda tf: encoded(
        tf, np.zeros((0, 1), np.int32), [np.zeros((0, 2), np.int32)], ["r_int32"]),
    "encode unknown": lambda tf: encoded(tf, [[1]], [i32([1])], ["nothing"]),
    "encode a vector": lambda tf: encoded(tf, [1], [i32(1)], ["r_int32"]),
    "encode fewer values": lambda tf: encoded(tf, [[1]], [i32([1])], ["r_int32", "r_int64"]),
    "encode other batches": lambda tf: encoded(tf, [[1], [1]], [i32([1])], ["r_int32"]),
}  # fmt: skip


def _again(tf, fields):
    """Decoded and encoded: what it was."""
    sizes, *values = decoded(tf, [[full], [SOME]], fields)
    return encoded(tf, sizes, values, fields)


def outcome(tf, case):
    """What came of a case, as JSON has it: [dtype, shape, values] of each result, or the class of the error."""
    try:
        return [[value.dtype.name, list(value.shape), _plain(value)] for value in CASES[case](tf)]
    except Exception as error:
        return type(error).__name__


def _plain(value):
    return [each.hex() if isinstance(each, bytes) else repr(each) for each in value.ravel().tolist()]
