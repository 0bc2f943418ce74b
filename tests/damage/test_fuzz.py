"""Inputs made up by a machine: messages and tables that are well-formed, yet make no sense; and bytes that are nothing.

As many as EVERGRAPH_FUZZ says, else a few.
"""

import struct
import zlib

import numpy as np
import pytest
from google.protobuf.message import DecodeError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import evergraph as tf
from evergraph import proto
from evergraph.formats import records, table
from evergraph.formats.checksum import masked_crc32c
from tests.damage import kinds
from tests.damage.harness import EFFORT, Tally, bounded

FUZZ = settings(max_examples=EFFORT or 40, deadline=None, suppress_health_check=list(HealthCheck), database=None)


def survives(read, allowed, is_right=lambda value: True):
    tally = Tally(allowed)
    with bounded():
        tally.attempt("it was made up", read, is_right)
    assert not tally.wrong, "\n".join(tally.wrong.values())


# ---- GraphDefs

with tf.Graph().as_default() as graph:
    kinds.build()
    x = tf.placeholder(tf.float32, [None, 4, 4, 1])
    tf.layers.conv2d(x, 2, 3)
    tf.reshape(tf.range(tf.size(x)), tf.shape(x))
    tf.strided_slice(x, [0, 1], [1, 3])
    tf.split(x, 2, axis=1)
    tf.py_func(lambda v: v, [x], tf.float32)
NODES = list(graph.as_graph_def().node)
LIBRARY = list(graph.as_graph_def().library.function)
NAMES = [node.name for node in NODES] + ["", ":", "^", "a:b", "a:0:1", "^a:0", "\x7f", "a" * 1000, "_", "é"]
INPUTS = st.sampled_from([*NAMES, *(f"{name}:1" for name in NAMES), *(f"^{name}" for name in NAMES)])
OPS = st.sampled_from([*(node.op for node in NODES), "NoSuchOp", "", "Placeholder", "Merge", "NextIteration", "While",
                       "If", "Const", "Fill", "Range", "Reshape", "IdentityN", "Pack", "ConcatV2", "Split",
                       "SymbolicGradient",
                       "StatefulPartitionedCall", "TensorArrayV3", "Cast", "VariableV2", "Assign"])  # fmt: skip
NUMBERS = st.one_of(st.integers(-3, 40), st.sampled_from([1 << 31, 1 << 40, (1 << 63) - 1, -(1 << 63), 1 << 20]))


@st.composite
def attr_values(draw, kind):
    """The value of an attr: of the kind it should have, or of any; sense or none."""
    if kind is None or draw(st.integers(0, 3)) == 0:
        kind = draw(st.sampled_from(
            ["type", "shape", "i", "list", "tensor", "func", "s", "f", "b", "placeholder", "none"]))
    value = proto.attr_value_pb2.AttrValue()
    if kind == "type":
        value.type = draw(st.integers(0, 130))
    elif kind == "shape":
        draw_shape(draw, value.shape)
    elif kind == "i":
        value.i = draw(NUMBERS)
    elif kind == "list":
        value.list.i.extend(draw(st.lists(NUMBERS, max_size=4)))
        value.list.type.extend(draw(st.lists(st.integers(0, 130), max_size=3)))
        for _ in range(draw(st.integers(0, 2))):
            draw_shape(draw, value.list.shape.add())
    elif kind == "tensor":
        draw_tensor(draw, value.tensor)
    elif kind == "func":
        value.func.name = draw(st.sampled_from([*(f.signature.name for f in LIBRARY), "none", ""]))
    elif kind != "none":
        setattr(value, kind, draw({"s": st.binary(max_size=8), "f": st.floats(), "b": st.booleans(),
                                   "placeholder": st.just("T")}[kind]))  # fmt: skip
    return value


def draw_shape(draw, shape):
    shape.unknown_rank = draw(st.integers(0, 5)) == 0
    for size in draw(st.lists(NUMBERS, max_size=4)):
        shape.dim.add(size=size)


def draw_tensor(draw, tensor, dtype=None):
    tensor.Clear()
    tensor.dtype = draw(st.integers(0, 25)) if dtype is None else dtype
    draw_shape(draw, tensor.tensor_shape)
    tensor.tensor_content = draw(st.binary(max_size=20))
    tensor.float_val.extend(draw(st.lists(st.floats(width=32), max_size=3)))
    tensor.int_val.extend(draw(st.lists(st.sampled_from([-5, -1, 0, 1, 2, 7, 1 << 20, (1 << 31) - 1]), max_size=3)))
    tensor.string_val.extend(draw(st.lists(st.binary(max_size=5), max_size=3)))


@st.composite
def graph_defs(draw):
    """A graph whose nodes, inputs, attrs and functions have been mixed up."""
    message = proto.graph_pb2.GraphDef(node=NODES[:draw(st.integers(1, len(NODES)))])
    message.library.function.extend(LIBRARY)
    for _ in range(draw(st.integers(1, 3))):
        node = message.node[draw(st.integers(0, len(message.node) - 1))]
        change = draw(st.sampled_from(
            ["op", "name", "input", "number", "more", "attr", "attr", "drop", "twice", "device"]))
        if change == "op":
            node.op = draw(OPS)
        elif change == "name":
            node.name = draw(st.sampled_from(NAMES))
        elif change == "input" and node.input:
            node.input[draw(st.integers(0, len(node.input) - 1))] = draw(INPUTS)
        elif change == "more":
            node.input.append(draw(INPUTS))
        elif change == "number" and "value" in node.attr:
            draw_tensor(draw, node.attr["value"].tensor, node.attr["dtype"].type)
        elif change == "attr":
            key = draw(st.sampled_from([*node.attr, "_output_shapes", "_class"]))
            node.attr[key].CopyFrom(draw(attr_values(node.attr[key].WhichOneof("value"))))
        elif change == "drop" and node.attr:
            del node.attr[draw(st.sampled_from(sorted(node.attr)))]
        elif change == "twice":
            message.node.add().CopyFrom(node)
        else:
            node.device = draw(st.sampled_from(["/cpu:0", "/job:", "nowhere", "/gpu:" + "9" * 30]))
    for function in message.library.function:
        if draw(st.integers(0, 20)) == 0 and function.node_def:
            function.node_def[0].input.append(draw(INPUTS))
            function.ret["more"] = draw(INPUTS)
    return message


@FUZZ
@given(graph_defs())
def test_graphs_that_make_no_sense(message):
    survives(lambda: kinds.import_graph(message), kinds.GRAPH_ERRORS)


@FUZZ
@given(st.binary(max_size=300))
def test_bytes_that_are_no_graph(data):
    survives(lambda: kinds.import_graph(tf.GraphDef.FromString(data)), kinds.GRAPH_ERRORS)


def node(name, op, inputs=(), **attrs):
    made = proto.node_def_pb2.NodeDef(name=name, op=op, input=inputs)
    for key, value in attrs.items():
        made.attr[key].CopyFrom(value)
    return made


def const(name, values, shape=None, dtype=3):
    attr = proto.attr_value_pb2.AttrValue()
    attr.tensor.dtype = dtype
    attr.tensor.int_val.extend(values)
    for size in [len(values)] if shape is None else shape:
        attr.tensor.tensor_shape.dim.add(size=size)
    return node(name, "Const", value=attr, dtype=proto.attr_value_pb2.AttrValue(type=dtype))


INT = proto.attr_value_pb2.AttrValue(type=3)
FLOAT = proto.attr_value_pb2.AttrValue(type=1)
MANY = (1 << 31) - 1
BOMBS = {
    "a constant of terabytes, filled up": [const("c", [1], [1 << 40])],
    "a constant of no bytes": [const("c", [], [1 << 40])],
    "sizes whose product is too large": [const("c", [1], [1 << 40, 1 << 40])],
    "a negative size": [const("c", [1], [-5])],
    "a shape that is worked out": [
        const("n", [MANY]), const("v", [1], []), node("f", "Fill", ["n", "v"], T=INT, index_type=INT),
        node("x", "Placeholder", dtype=FLOAT), node("r", "Reshape", ["x", "f"], T=FLOAT, Tshape=INT)],
    "a range that is worked out": [
        const("a", [0], []), const("b", [MANY], []), const("d", [1], []), node("f", "Range", ["a", "b", "d"], Tidx=INT),
        node("x", "Placeholder", dtype=FLOAT), node("r", "Reshape", ["x", "f"], T=FLOAT, Tshape=INT)],
    "a shape of many axes": [
        const("n", [1] * 1000), node("x", "Placeholder", dtype=FLOAT),
        node("r", "Reshape", ["x", "n"], T=FLOAT, Tshape=INT)],
    "a long chain": [const("0", [1])] + [node(str(i + 1), "Identity", [str(i)], T=INT) for i in range(5000)],
    "a ring": [node("a", "Identity", ["b"], T=INT), node("b", "Identity", ["a"], T=INT)],
    "a node that is its own input": [node("a", "AddV2", ["a", "a"], T=INT)],
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_graphs_that_want_too_much(name):
    survives(lambda: kinds.import_graph(proto.graph_pb2.GraphDef(node=BOMBS[name])), kinds.GRAPH_ERRORS)


def test_functions_that_call_themselves():
    function = proto.function_pb2.FunctionDef()
    function.signature.name = "f"
    function.signature.input_arg.add(name="x", type=3)
    function.signature.output_arg.add(name="y", type=3)
    call = function.node_def.add(name="call", op="StatefulPartitionedCall", input=["x"])
    call.attr["f"].func.name = "f"
    for key in ("Tin", "Tout"):
        call.attr[key].list.type.append(3)
    function.ret["y"] = "call:output:0"
    message = proto.graph_pb2.GraphDef()
    message.node.add().CopyFrom(const("c", [1]))
    outer = message.node.add()
    outer.CopyFrom(call)
    outer.input[0] = "c"
    message.library.function.append(function)

    def run():
        with tf.Graph().as_default(), tf.Session() as session:
            (y,) = tf.import_graph_def(message, return_elements=["call:0"])
            session.run(y)
    survives(run, (*kinds.GRAPH_ERRORS, RecursionError))


# ---- text, MetaGraphs, SavedModels

@FUZZ
@given(graph_defs(), st.binary(max_size=40), st.integers(0, 500))
def test_meta_graphs(tmp_path_factory, graph_def, noise, at):
    message = proto.meta_graph_pb2.MetaGraphDef(graph_def=graph_def)
    message.collection_def["variables"].bytes_list.value.append(noise)
    message.collection_def["train_op"].node_list.value.append(noise.decode("latin-1"))
    message.saver_def.restore_op_name = "save/restore_all"
    message.meta_info_def.stripped_op_list.op.add(name="Const")
    path = tmp_path_factory.getbasetemp() / "made_up.meta"
    data = message.SerializeToString()
    path.write_bytes(data[:at] + noise + data[at:] if at % 2 else data)
    survives(lambda: kinds.import_meta_graph(path), kinds.META_GRAPH_ERRORS)


@FUZZ
@given(st.binary(max_size=60), graph_defs(), st.booleans())
def test_saved_models(tmp_path_factory, noise, graph_def, as_noise):
    folder = tmp_path_factory.getbasetemp() / "made_up"
    folder.mkdir(exist_ok=True)
    message = proto.saved_model_pb2.SavedModel(saved_model_schema_version=1)
    meta_graph = message.meta_graphs.add()
    meta_graph.graph_def.CopyFrom(graph_def)
    meta_graph.meta_info_def.tags.append("serve")
    signature = meta_graph.signature_def["serving_default"]
    signature.inputs["x"].name = noise.decode("latin-1")
    (folder / "saved_model.pb").write_bytes(noise if as_noise else message.SerializeToString())

    def load():
        with tf.Graph().as_default(), tf.Session() as session:
            tf.saved_model.loader.load(session, ["serve"], str(folder))
    survives(load, (*kinds.META_GRAPH_ERRORS, RuntimeError, TypeError))


@FUZZ
@given(st.text(max_size=200))
def test_text_that_is_no_graph(text):
    from evergraph.proto.text import from_bytes_or_text
    data = text.encode("utf-8", "surrogatepass")
    survives(lambda: from_bytes_or_text(data, tf.GraphDef()), (ValueError, DecodeError))


def test_text_nested_without_end():
    from evergraph.proto.text import from_text
    deep = "node { attr { key: 'a' value { func { name: 'f' attr { key: 'b' value { " * 20_000
    survives(lambda: from_text(deep, tf.GraphDef()), (ValueError, RecursionError))


# ---- Examples and records

@FUZZ
@given(st.lists(st.binary(max_size=60), max_size=4))
def test_bytes_that_are_no_examples(serialized):
    survives(lambda: kinds.parse_examples(serialized), (tf.errors.InvalidArgumentError,))


@FUZZ
@given(st.binary(max_size=400), st.sampled_from(["", "GZIP", "ZLIB"]), st.booleans())
def test_bytes_that_are_no_records(tmp_path_factory, data, compression, is_packed):
    path = tmp_path_factory.getbasetemp() / "made_up.records"
    bits = {"GZIP": 31, "ZLIB": 15}.get(compression)
    if bits and is_packed:
        packer = zlib.compressobj(wbits=bits)
        data = packer.compress(data) + packer.flush()
    path.write_bytes(data)
    survives(lambda: list(tf.python_io.tf_record_iterator(path, compression)), (tf.errors.DataLossError,),
             lambda found: not found or data)


@FUZZ
@given(st.lists(st.one_of(st.binary(max_size=30), st.integers(0, (1 << 64) - 1)), max_size=6), st.integers(0, 400))
def test_records_with_sound_checksums(tmp_path_factory, items, end):
    """Lengths that are nothing like those of the records, with checksums that match."""
    data = b""
    for item in items:
        if isinstance(item, int):
            length = struct.pack("<Q", item)
            data += length + struct.pack("<I", masked_crc32c(length)) + b"some bytes"
        else:
            data += records.framed(item)
    path = tmp_path_factory.getbasetemp() / "made_up.records"
    path.write_bytes(data[:end])
    survives(lambda: list(tf.python_io.tf_record_iterator(path)), (tf.errors.DataLossError,))


@pytest.mark.parametrize("compression, bits", [("GZIP", 31), ("ZLIB", 15)])
@pytest.mark.parametrize("length, wanted", [(1 << 62, tf.errors.DataLossError),
                                            (1 << 28, tf.errors.ResourceExhaustedError)])
def test_little_that_unpacks_to_much(tmp_path, compression, bits, length, wanted):
    """A file of some hundred kilobytes that unpacks to a quarter of a gigabyte, in one record."""
    packer = zlib.compressobj(9, wbits=bits)
    with open(tmp_path / "bomb", "wb") as file:
        header = struct.pack("<Q", length)
        file.write(packer.compress(header + struct.pack("<I", masked_crc32c(header))))
        for _ in range(17):
            file.write(packer.compress(bytes(1 << 24)))
        file.write(packer.flush())
    reader = tf.python_io.tf_record_iterator(tmp_path / "bomb", compression)
    with bounded(memory=1 << 27), pytest.raises(wanted):
        next(reader)


# ---- text that becomes tensors

@FUZZ
@given(st.lists(st.one_of(st.binary(max_size=30), st.text('",\\n\\r 1a.e-', max_size=12).map(str.encode)), max_size=4))
def test_text_that_is_no_table(lines):
    def decode():
        with tf.Graph().as_default(), tf.Session() as session:
            session.run(tf.decode_csv(tf.constant(lines, tf.string), [[1], [0.5], [""]]))
    survives(decode, (tf.errors.InvalidArgumentError,))


@FUZZ
@given(st.one_of(st.binary(max_size=60), st.sampled_from([b"[" * 100_000, b'{"features":' * 10_000]),
                 st.text('{}[]:,"features0123int64Listvalue', max_size=60).map(str.encode)))
def test_text_that_is_no_example(text):
    def decode():
        with tf.Graph().as_default(), tf.Session() as session:
            session.run(tf.decode_json_example([text]))
    survives(decode, (tf.errors.InvalidArgumentError,))


@FUZZ
@given(st.lists(st.binary(max_size=40), min_size=1, max_size=3), st.sampled_from(["binary", "text"]), st.booleans())
def test_bytes_that_are_no_message(messages, message_format, sanitize):
    def decode():
        with tf.Graph().as_default(), tf.Session() as session:
            session.run(tf.io.decode_proto(
                messages, "tensorflow.Feature", ["bytes_list", "int64_list"], [tf.string, tf.string],
                message_format=message_format, sanitize=sanitize))
    survives(decode, (tf.errors.DataLossError,))


# ---- tables

@st.composite
def tables(draw):
    """Tables whose blocks have sound checksums over entries, handles and footers of any kind."""
    def block(content):
        return content + b"\0" + struct.pack("<I", masked_crc32c(content + b"\0"))

    number = st.one_of(st.integers(0, 40), st.sampled_from([1 << 31, (1 << 64) - 1, 1 << 63])).map(table.write_varint)
    entry = st.tuples(number, number, number, st.binary(max_size=12)).map(b"".join)
    tail = st.one_of(st.just((0, 1)), st.tuples(st.integers(0, (1 << 32) - 1))).map(
        lambda numbers: struct.pack(f"<{len(numbers)}I", *numbers))
    first = draw(st.lists(entry, max_size=4).map(b"".join)) + draw(tail)
    sound = table.write_varint(0) + table.write_varint(len(first))
    handle = sound if draw(st.booleans()) else draw(number) + draw(number)
    key = draw(st.binary(max_size=3))
    index = table.write_varint(0) + table.write_varint(len(key)) + table.write_varint(len(handle)) + key + handle
    index += draw(st.sampled_from([b"", index, draw(entry)])) + draw(tail)
    out = block(first)
    sound = table.write_varint(len(out)) + table.write_varint(len(index))
    place = sound if draw(st.integers(0, 5)) else draw(number) * 2
    footer = (table.write_varint(0) * 2 + place).ljust(table.FOOTER - 8, b"\0")[:table.FOOTER - 8]
    return out + block(index) + footer + struct.pack("<Q", table.MAGIC)


@FUZZ
@given(st.one_of(tables(), st.binary(max_size=200).map(lambda data: data + struct.pack("<Q", table.MAGIC))))
def test_tables_that_make_no_sense(data):
    survives(lambda: list(table.read_table(data, "made up")), (tf.errors.DataLossError, tf.errors.UnimplementedError))


@FUZZ
@given(st.lists(st.tuples(st.sampled_from(["v", "w", "x/y"]), st.integers(0, 130), st.lists(NUMBERS, max_size=3),
                          NUMBERS, NUMBERS, NUMBERS, st.integers(0, (1 << 32) - 1), st.booleans()), max_size=3),
       NUMBERS)
def test_indexes_that_make_no_sense(tmp_path_factory, given_entries, shards):
    """A sound table of entries that say anything of the data."""
    messages = proto.tensor_bundle_pb2
    header = messages.BundleHeaderProto(num_shards=int(np.int32(shards & 0x7FFFFFFF)))
    entries = {b"": header.SerializeToString()}
    for name, dtype, sizes, shard, offset, size, checksum, has_slice in given_entries:
        entry = messages.BundleEntryProto(shard_id=int(np.int64(shard).astype(np.int32)), offset=offset, size=size,
                                          crc32c=checksum, dtype=dtype)
        for each in sizes:
            entry.shape.dim.add(size=each)
        if has_slice:
            entry.slices.add().extent.add(start=sizes[0] if sizes else 0)
        entries[name.encode()] = entry.SerializeToString()
    folder = tmp_path_factory.getbasetemp()
    (folder / "model.index").write_bytes(table.table_bytes(sorted(entries.items())))
    (folder / "model.data-00000-of-00001").write_bytes(bytes(100))
    survives(lambda: kinds.read_checkpoint(str(folder / "model")),
             (tf.errors.DataLossError, tf.errors.OutOfRangeError, tf.errors.NotFoundError, tf.errors.UnimplementedError,
              tf.errors.InvalidArgumentError))
