"""The C code and its twins in Python give the same results, and the same errors, for sound and for damaged bytes."""

import os
import struct
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evergraph as tf
from evergraph import native
from evergraph.formats import checksum, examples, records
from evergraph.ops.strings import parsing, sequence_parsing

pytestmark = pytest.mark.skipif(native.files is None, reason="the C code was not built here, or is turned off")

FLOATS, INTEGERS, STRINGS = np.dtype(np.float32), np.dtype(np.int64), np.dtype(object)
MANY = settings(max_examples=int(os.environ.get("EVERGRAPH_FUZZ", 60)), deadline=None)


def outcome(function, *args):
    try:
        return "gave", function(*args)
    except Exception as error:
        return type(error), str(error)


def both(function, *args):
    """What came of a call, with the C code and without it, after checking that this is the same."""
    with_it = outcome(function, *args)
    files, native.files = native.files, None
    try:
        without = outcome(function, *args)
    finally:
        native.files = files
    assert listed(with_it) == listed(without)
    return with_it


def listed(value):
    """A value that can be compared: arrays become their dtype, shape and bytes or elements."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, value.tolist() if value.dtype.hasobject else value.tobytes()
    return [*map(listed, value)] if isinstance(value, list | tuple) else value


# ---- the wire, field by field

def number(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def field(place, content):
    return number(place << 3 | 2) + number(len(content)) + content


def entry(key, value):
    return field(1, field(1, key) + field(2, value))


def example(*entries):
    return field(1, b"".join(entries))


def sequence(context, lists):
    return field(1, b"".join(context)) + field(2, b"".join(lists))


INTS = field(3, field(1, b"\x01\x02\xac\x02"))
HALVES = field(2, field(1, struct.pack("<2f", 0.5, -0.5)))
TEXTS = field(1, field(1, b"one") + field(1, b"") + field(1, b"three"))
UNPACKED = [field(3, b"\x08\x07\x08\xff\x01" + field(1, b"\x05")), field(2, b"\x0d" + struct.pack("<f", 9.0))]
ODD_LISTS = [
    b"", field(3, b""), field(2, b""), field(1, b""), field(3, field(1, b"")), field(2, field(1, b"")),
    field(3, field(1, b"\xff" * 9 + b"\x01")), field(3, field(1, b"\xff" * 9 + b"\x7f")),  # has more bits than 64
    field(3, field(1, b"\x80" * 10 + b"\x01")), field(3, field(1, b"\x80")), field(3, b"\x08"), field(3, b"\x08\x80"),
    field(2, field(1, b"\x00\x00\x00")), field(2, b"\x0d\x00"), field(3, b"\x0a\x05\x01"),
    field(3, b"\x0a\x81\x00\x07"),
    field(1, b"\x0a\x05ab"), field(1, b"\x12\x01a"), field(1, field(1, b"x" * 200)), field(3, field(1, b"\x01" * 300)),
    field(2, field(1, b"\x00" * 400)), INTS + INTS, INTS + HALVES, HALVES + TEXTS, field(4, b"new") + INTS,
    INTS + field(4, b"new"), field(3, field(1, b"\x05") + field(2, b"new")), field(3, field(1, b"\x05") + b"\x10\x07"),
    field(3, b"\x13\x14" + field(1, b"\x01")), b"\x1a\xff\xff\xff\xff\x0f",
    b"\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\x00", b"\x1a", b"\x18\x01", b"\xff" * 12,
]  # fmt: skip
LISTS = [INTS, HALVES, TEXTS, *UNPACKED, *ODD_LISTS]
ODD_EXAMPLES = [
    b"", field(1, b""), example(entry(b"a", INTS)) * 2, example(entry(b"a", INTS)) + example(entry(b"a", b"")),
    example(entry(b"a", INTS), entry(b"b", HALVES), entry(b"a", field(3, field(1, b"\x09")))),
    example(field(1, field(2, INTS) + field(1, b"a"))), example(field(1, field(1, b"a"))),
    example(field(1, field(2, INTS))),
    example(field(1, b"")), example(field(1, field(1, b"a") * 2 + field(2, INTS))),
    example(field(1, field(1, b"a") + field(2, INTS) * 2)), example(entry(b"a", INTS), field(2, b"unknown")),
    example(entry(b"\xff", INTS)), example(entry(b"\xed\xa0\x80", INTS)), example(entry("é€😀".encode(), INTS)),
    example(entry(b"\xc0\xaf", b"")), example(entry(b"\xf4\x90\x80\x80", b"")), example(entry(b"zz", b"\x0a")),
    example(entry(b"zz", field(1, b"damaged within, but nobody asked"))), example(entry(b"", INTS)),
    field(2, b"") + example(entry(b"a", INTS)), b"\x0b\x0c", b"\x0a", b"garbage", b"\x0a\x80\x80\x80\x80\x80\x80\x01",
]  # fmt: skip


def parse(serialized, keys=("a", "b"), types=(INTEGERS, FLOATS), shape=(None,), sparse=()):
    """The columns of these features, dense ones with rows of any number, or of a shape."""
    defaults = [np.zeros((), dtype) if not dtype.hasobject else np.array(b"", object) for dtype in types]
    if shape != (None,):
        defaults = [np.zeros(0, dtype) for dtype in types]
    names = [f"example {place}" for place in range(len(serialized))]
    return parsing.columns(serialized, names, [key for key, _ in sparse], [dtype for _, dtype in sparse], keys, types,
                           [shape] * len(keys), defaults)


# ---- Examples

@pytest.mark.parametrize("dtype", [INTEGERS, FLOATS, STRINGS], ids=str)
def test_all_forms_of_lists(dtype):
    for value in LISTS:
        serialized = [example(entry(b"a", value)), example(entry(b"a", INTS)), example(entry(b"b", value))]
        for some in (serialized, serialized[:1], serialized[::2], serialized[:1] * 40):
            both(parse, some, ("a",), (dtype,))
            both(parse, some, ("a",), (dtype,), (3,))
            both(parse, some, (), (), (), [("a", dtype), ("b", dtype)])


def test_all_forms_of_examples():
    for odd in ODD_EXAMPLES:
        for some in ([odd], [example(entry(b"a", INTS)), odd], [odd] * 30):
            both(parse, some)
            both(parse, some, ("a",), (INTEGERS,), (4,))
            both(parse, some, (), (), (), [("a", INTEGERS), ("", FLOATS), ("é€😀", INTEGERS)])


def test_shapes_without_elements():
    serialized = [example(entry(b"a", field(3, b""))), example(entry(b"a", field(3, b"")))]
    for shape in ((0,), (0, 2), (2, 0)):
        assert both(parse, serialized, ("a",), (INTEGERS,), shape)[1][3][0].shape == (2, *shape)
        both(parse, [*serialized, b""], ("a",), (INTEGERS,), shape)


def test_sound_examples_are_not_declined():
    for value, kind in ((INTS, 3), (HALVES, 2), (TEXTS, 1), (UNPACKED[0], 3), (UNPACKED[1], 2)):
        assert native.files.examples((example(entry(b"a", value)),), (b"a",), bytes([kind])) is not None
    assert native.files.examples((ODD_EXAMPLES[4],), (b"a", b"b"), b"\x03\x02") is not None
    assert native.files.sequences((sequence([entry(b"a", INTS)], [entry(b"s", field(1, HALVES) * 3)]),),
                                  (b"a",), b"\x03", (b"s",), b"\x02") is not None


def test_keys_asked_for_twice_or_not_text():
    serialized = [example(entry(b"a", INTS))]
    assert both(parse, serialized, ("a", "a"), (INTEGERS, INTEGERS))[0] == "gave"
    assert both(parse, serialized, ("\udc80",), (INTEGERS,))[0] == "gave"
    assert both(parse, serialized, ("a", "a"), (INTEGERS, FLOATS))[0] is tf.errors.InvalidArgumentError


def test_many_features():
    keys = [f"feature {place}" for place in range(500)]
    generator = np.random.RandomState(0)
    serialized = []
    for place in range(20):
        chosen = generator.permutation(keys)[:400]
        serialized.append(example(*(entry(key.encode(), field(3, field(1, number(place)))) for key in chosen)))
    found, columns = both(parse, serialized, keys, [INTEGERS] * len(keys))
    assert found == "gave" and sum(column.sum() for column in columns[3]) == 400 * sum(range(20))


values = st.one_of(
    st.lists(st.integers(-1 << 63, (1 << 63) - 1), max_size=30).map(lambda v: ("int64_list", v)),
    st.lists(st.floats(width=32), max_size=30).map(lambda v: ("float_list", v)),
    st.lists(st.binary(max_size=200), max_size=5).map(lambda v: ("bytes_list", v)))
features = st.dictionaries(st.sampled_from(["a", "b", "c", "né", ""]), values, max_size=5)
edits = st.lists(st.tuples(st.floats(0, 1), st.sampled_from(["flip", "cut", "drop", "add"]), st.integers(0, 255)),
                 max_size=3)


def feature(value):
    lists = {"int64_list": tf.train.Int64List, "float_list": tf.train.FloatList, "bytes_list": tf.train.BytesList}
    return tf.train.Feature(**{value[0]: lists[value[0]](value=value[1])})


def edited(data, changes):
    for where, what, byte in changes:
        place = int(where * len(data))
        if what == "cut":
            data = data[:place]
        elif what == "add":
            data = data[:place] + bytes([byte]) + data[place:]
        else:
            data = data[:place] + (bytes([data[place] ^ (byte or 1)]) if what == "flip" and data[place:] else b"") + \
                data[place + 1:]
    return data


@MANY
@given(st.lists(st.tuples(features, edits), max_size=20), st.sampled_from([INTEGERS, FLOATS, STRINGS]))
def test_examples(given_features, dtype):
    serialized = []
    for each, changes in given_features:
        message = tf.train.Example(features=tf.train.Features(feature={k: feature(v) for k, v in each.items()}))
        serialized.append(edited(message.SerializeToString(), changes))
    both(parse, serialized, ("a",), (dtype,), (None,), [("b", FLOATS), ("né", INTEGERS)])
    both(parse, serialized, ("b",), (dtype,), (1,), [("c", STRINGS)])
    for one in serialized[:1]:
        both(parse, [one], ("a", "c"), (INTEGERS, dtype))


# ---- SequenceExamples

def parse_sequences(serialized, dtype, list_dtype, is_sparse=False, may_miss=True):
    keys = ([], ["a"], [], ["s"]) if not is_sparse else (["a"], [], ["s"], [])
    none = np.zeros(0, dtype) if not dtype.hasobject else np.array([], object)
    kinds = ([], [dtype], [(4,)], [none], [], [list_dtype], [(2,)]) if not is_sparse else (
        [dtype], [], [], [], [list_dtype], [], [])
    return sequence_parsing._parts_of(serialized, [f"example {i}" for i in range(len(serialized))], keys, kinds,
                                      {"s"} if may_miss else set())


@pytest.mark.parametrize("dtype", [INTEGERS, FLOATS, STRINGS], ids=str)
def test_all_forms_of_sequences(dtype):
    for value in LISTS:
        step = field(1, value)
        for lists in ([], [entry(b"s", b"")], [entry(b"s", step)], [entry(b"s", step * 3)], [entry(b"z", step)],
                      [entry(b"s", step), entry(b"s", step * 2)], [entry(b"s", field(2, b"new"))]):
            serialized = [sequence([entry(b"a", INTS)], lists)] * 2 + [sequence([entry(b"a", value)], [])]
            for some in (serialized[:2], serialized):
                for is_sparse in (False, True):
                    both(parse_sequences, some, INTEGERS, dtype, is_sparse, is_sparse)
                    both(parse_sequences, some, dtype, dtype, is_sparse)


@MANY
@given(st.lists(st.tuples(features, st.dictionaries(st.sampled_from(["s", "z"]), st.lists(values, max_size=4),
                                                    max_size=2), edits), max_size=6), st.booleans())
def test_sequences(given_sequences, is_sparse):
    serialized = []
    for context, lists, changes in given_sequences:
        message = tf.train.SequenceExample(
            context=tf.train.Features(feature={k: feature(v) for k, v in context.items()}),
            feature_lists=tf.train.FeatureLists(feature_list={
                k: tf.train.FeatureList(feature=[*map(feature, v)]) for k, v in lists.items()}))
        serialized.append(edited(message.SerializeToString(), changes))
    both(parse_sequences, serialized, INTEGERS, FLOATS, is_sparse)


# ---- indices

@MANY
@given(st.lists(st.integers(0, 7), max_size=40))
def test_indices(counts):
    both(examples.sparse_indices, np.array(counts, np.int64))


@pytest.mark.parametrize("counts", [[-1], [1 << 62], [1 << 60, 1 << 60], [(1 << 63) - 1] * 3])
def test_counts_of_no_values(counts):
    with pytest.raises(ValueError):
        native.files.indices(np.array(counts, np.int64))


# ---- records and checksums

@MANY
@given(st.binary(max_size=5000), st.integers(0, (1 << 32) - 1))
def test_checksums(data, before):
    both(checksum.crc32c, data, before)
    both(checksum.crc32c, memoryview(bytearray(data))[3:], before)


@pytest.mark.parametrize("size", [767, 768, 769, 40_000, 1_000_003])
def test_checksums_of_much(size):
    data = np.random.RandomState(size).bytes(size)
    both(checksum.crc32c, data)
    both(checksum.crc32c, memoryview(data)[1:], 12345)


@MANY
@given(st.lists(st.binary(max_size=300), max_size=6), edits, st.integers(0, 400))
def test_records(items, changes, at):
    block = edited(b"".join(map(records.framed, items)), changes)
    both(records.records_in, block, min(at, len(block)))
    both(records.records_in, block, 0)
    for item in items:
        both(records.framed, item)


def read(path):
    found = []
    try:
        found.extend(records.RecordReader(path))
    except tf.errors.OpError as error:
        found.append((type(error), str(error)))
    reader = records.RecordReader(path, buffer_size=50)
    for count in (0, 1, 2, 100):
        found.append(outcome(reader.take, count))
        found.append(reader.offset)
    return found


@settings(MANY, max_examples=50)
@given(st.lists(st.binary(max_size=300), max_size=6), edits)
def test_files_of_records(tmp_path_factory, items, changes):
    path = tmp_path_factory.getbasetemp() / "records"
    path.write_bytes(edited(b"".join(map(records.framed, items)), changes))
    both(read, path)


# ---- what strangers may call it with

@pytest.mark.parametrize("call", [
    lambda c: c.examples([b""], (b"a",), b"\x01"), lambda c: c.examples((b"", "text"), (b"a",), b"\x01"),
    lambda c: c.examples((b"",), (b"a",), b"\x00"), lambda c: c.examples((b"",), (b"a",), b""),
    lambda c: c.examples((b"",), ("a",), b"\x01"), lambda c: c.examples((b"",), (b"a",), "a"),
    lambda c: c.sequences((b"",), (b"a",), b"\x01", (b"a",), b"\x04"), lambda c: c.records(b"abc", 4),
    lambda c: c.records(b"abc", -1), lambda c: c.records(bytearray(5), 0), lambda c: c.framed("text"),
    lambda c: c.indices(bytes(7)), lambda c: c.indices("text"), lambda c: c.crc32c("text"),
    lambda c: c.crc32c(), lambda c: c.examples((), ()),
])  # fmt: skip
def test_wrong_calls_are_refused(call):
    with pytest.raises((TypeError, ValueError)):
        call(native.files)


def test_columns_can_be_written_to():
    column = examples.Batch([example(entry(b"a", INTS))], None, [("a", INTEGERS)]).column("a", INTEGERS, None)
    column.values[0] = 5


def test_the_environment_turns_it_off():
    code = "from evergraph import native; print(native.files)"
    environment = {**os.environ, "EVERGRAPH_NATIVE": "0"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "None"


# ---- loading

def seen_after(program):
    """The C modules that a program has loaded."""
    program += "\nimport sys; print(*[name for name in sys.modules if name.startswith('evergraph.native._')])"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()


def test_importing_evergraph_loads_no_module_in_c():
    assert seen_after("import evergraph") == []
    assert seen_after("import evergraph as tf; tf.constant([1.0, 2.0])") == []


def test_a_module_in_c_is_loaded_when_it_is_asked_for_and_then_an_attribute():
    program = "from evergraph import native; assert 'pairs' not in vars(native); native.pairs"
    assert seen_after(f"{program}; assert 'pairs' in vars(native)") == ["evergraph.native._pairs"]


def test_each_c_file_has_a_name_in_the_package_and_no_other_has():
    files = {file[: -len(".c")] for file in os.listdir(os.path.dirname(native.__file__)) if file.endswith(".c")}
    assert native.MODULES == files - {"threads"}
    with pytest.raises(AttributeError, match="no attribute 'peers'"):
        native.peers  # noqa: B018
