"""TFRecord files: what is written is read, and what is damaged is told."""

import struct
import zlib

import pytest

import evergraph as tf
from evergraph.base import errors
from evergraph.formats import records
from evergraph.formats.checksum import masked_crc32c

RECORDS = [b"", b"one", b"x" * 100_000, bytes(range(256)) * 5000, b"last"]
COMPRESSIONS = ["", "ZLIB", "GZIP"]


def write(path, items=RECORDS, options=None):
    with tf.python_io.TFRecordWriter(path, options) as writer:
        for item in items:
            writer.write(item)
    return path


def read(path, options=None):
    return list(tf.python_io.tf_record_iterator(path, options))


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("place", ["file", "memory://records"])
def test_round_trip(tmp_path, monkeypatch, compression, place):
    monkeypatch.chdir(tmp_path)
    assert read(write(place, options=compression), compression) == RECORDS


@pytest.mark.parametrize("size", [1, 12, 13, 100, 1 << 20])
@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_any_buffer_will_do(tmp_path, compression, size):
    path = write(tmp_path / "r", options=compression)
    assert list(records.RecordReader(path, compression, size)) == RECORDS


def test_the_bytes_of_a_record():
    length, record = struct.pack("<Q", 3), b"abc"
    assert records.framed(record) == b"".join(
        [length, struct.pack("<I", masked_crc32c(length)), record, struct.pack("<I", masked_crc32c(record))])
    assert records.framed(b"")[8:12] == bytes.fromhex("29039807")


def test_text_is_encoded(tmp_path):
    assert read(write(tmp_path / "r", ["é"])) == ["é".encode()]
    with pytest.raises(TypeError):
        write(tmp_path / "r", [3])


# ---- damage

@pytest.mark.parametrize("kept", [0, 1, 11])
def test_a_header_that_is_cut_off_is_the_end(tmp_path, kept):
    whole = records.framed(b"text")
    (tmp_path / "r").write_bytes(whole + whole[:kept])
    assert read(tmp_path / "r") == [b"text"]


@pytest.mark.parametrize("kept", [12, 14, 19])
def test_records_that_are_cut_off(tmp_path, kept):
    whole = records.framed(b"text")
    (tmp_path / "r").write_bytes(whole + whole[:kept])
    reader = tf.io.tf_record_iterator(tmp_path / "r")
    assert next(reader) == b"text"
    with pytest.raises(errors.DataLossError, match="truncated record at 20"):
        next(reader)


@pytest.mark.parametrize("place, message", [(0, "at 0 "), (8, "at 0 "), (12, "at 12"), (19, "at 12")])
def test_damaged_bytes(tmp_path, place, message):
    damaged = bytearray(records.framed(b"text"))
    damaged[place] ^= 1
    (tmp_path / "r").write_bytes(damaged)
    with pytest.raises(errors.DataLossError, match=f"corrupted record {message}"):
        read(tmp_path / "r")


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("place", ["file", "memory://absurd"])
def test_absurd_lengths_take_no_memory(tmp_path, monkeypatch, compression, place):
    monkeypatch.chdir(tmp_path)
    length = struct.pack("<Q", 1 << 60)
    data = length + struct.pack("<I", masked_crc32c(length)) + b"short"
    bits = {"": 0, "ZLIB": zlib.MAX_WBITS, "GZIP": zlib.MAX_WBITS | 16}[compression]
    packer = zlib.compressobj(wbits=bits) if compression else None
    with tf.gfile.GFile(place, "wb") as file:
        file.write(packer.compress(data) + packer.flush() if packer else data)
    with pytest.raises(errors.DataLossError, match="truncated record at 0"):
        read(place, compression)


@pytest.mark.parametrize("size", [20, 1 << 18])
def test_records_before_the_damage_are_taken(tmp_path, size):
    whole = records.framed(b"text")
    (tmp_path / "r").write_bytes(whole * 5 + b"x" + whole)
    reader = records.RecordReader(tmp_path / "r", buffer_size=size)
    assert reader.take(2) == [b"text"] * 2
    assert reader.take(10) == [b"text"] * 3
    for _ in range(2):
        with pytest.raises(errors.DataLossError, match="corrupted record at 100"):
            reader.take(10)
    (tmp_path / "r").write_bytes(whole * 3)
    assert [records.RecordReader(tmp_path / "r", buffer_size=size).take(count) for count in (0, 3, 9)] == [
        [], [b"text"] * 3, [b"text"] * 3]


@pytest.mark.parametrize("compression", ["ZLIB", "GZIP"])
def test_compressed_files_that_are_not(tmp_path, compression):
    (tmp_path / "r").write_bytes(b"garbage, not compressed")
    with pytest.raises(errors.DataLossError, match="incorrect header check"):
        read(tmp_path / "r", compression)
    (tmp_path / "r").write_bytes(b"")
    assert read(tmp_path / "r", compression) == []


def test_missing_files_are_told_at_once(tmp_path):
    with pytest.raises(errors.NotFoundError):
        tf.python_io.tf_record_iterator(tmp_path / "none")
    with pytest.raises(errors.NotFoundError):
        tf.python_io.TFRecordWriter(tmp_path / "none" / "r")
    with pytest.raises(errors.FailedPreconditionError):
        tf.python_io.TFRecordWriter(tmp_path)


def test_gzip_files_in_a_row(tmp_path):
    data = write(tmp_path / "r", [b"abc"], "GZIP").read_bytes()
    (tmp_path / "r").write_bytes(data + data)
    assert read(tmp_path / "r", "GZIP") == [b"abc", b"abc"]


# ---- the writer

@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_flushed_records_are_there(tmp_path, compression):
    writer = tf.io.TFRecordWriter(tmp_path / "r", compression)
    for count in (1, 2):
        writer.write(b"abc")
        writer.flush()
        assert read(tmp_path / "r", compression) == [b"abc"] * count
    writer.close()
    writer.close()
    for call in (writer.flush, lambda: writer.write(b"abc")):
        with pytest.raises(errors.FailedPreconditionError, match="Writer is closed"):
            call()


def size_with(path, **settings):
    options = tf.io.TFRecordOptions("ZLIB", **settings)
    items = [b"%d %d " % (i * i, i % 7) * 40 for i in range(2000)]
    assert read(write(path, items, options), options) == items
    return path.stat().st_size


def test_settings_of_zlib_act(tmp_path):
    path = tmp_path / "r"
    usual = size_with(path)
    assert size_with(path, compression_level=6) == size_with(path, mem_level=9) == usual
    assert size_with(path, flush_mode=zlib.Z_NO_FLUSH, output_buffer_size=4096, input_buffer_size=4096) == usual
    for settings in ({"compression_level": 1}, {"window_bits": 9}, {"compression_strategy": zlib.Z_HUFFMAN_ONLY},
                     {"flush_mode": zlib.Z_FULL_FLUSH, "input_buffer_size": 4096}):
        assert size_with(path, **settings) > usual, settings


@pytest.mark.parametrize("settings", [{"compression_level": 99}, {"window_bits": 99}, {"compression_method": 3}])
def test_wrong_settings(tmp_path, settings):
    with pytest.raises(errors.InvalidArgumentError):
        tf.io.TFRecordWriter(tmp_path / "r", tf.io.TFRecordOptions("GZIP", **settings))


def test_names_of_compressions():
    name = tf.io.TFRecordOptions.get_compression_type_string
    kinds = tf.io.TFRecordCompressionType
    assert [name(kind) for kind in (None, "", 0, kinds.ZLIB, "GZIP")] == ["", "", "", "ZLIB", "GZIP"]
    assert name(tf.io.TFRecordOptions(tf.io.TFRecordOptions(kinds.GZIP))) == "GZIP"
    for wrong in (5, "BZ2"):
        with pytest.raises(ValueError, match="Not a valid compression_type"):
            tf.io.TFRecordOptions(wrong)


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_readers_go_on_where_another_stopped(tmp_path, compression):
    path = write(tmp_path / "r", options=compression)
    reader = records.RecordReader(path, compression)
    for place in range(len(RECORDS)):
        other = records.RecordReader(path, compression)
        other.seek(reader.offset)
        assert list(other) == RECORDS[place:]
        next(reader)
