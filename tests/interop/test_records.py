"""TFRecord files and Examples go both ways."""

import evergraph as tf
from tests.interop.judge import ask

COMPRESSIONS = ["", "ZLIB", "GZIP"]
RECORDS = [b"", b"one", b"x" * 300_000, bytes(range(256)) * 2000]


def read_and_write(tf, place, kinds, records, example):
    """TensorFlow's part: reads our files, writes its own, and takes an Example apart."""
    seen = {}
    for kind in kinds:
        options = tf.io.TFRecordOptions(kind)
        seen[kind] = list(tf.python_io.tf_record_iterator(f"{place}/ours{kind}", options))
        with tf.io.TFRecordWriter(f"{place}/theirs{kind}", options) as writer:
            for record in records:
                writer.write(record)
    features = tf.train.Example.FromString(example).features.feature
    parts = [list(features["ints"].int64_list.value), list(features["floats"].float_list.value),
             list(features["bytes"].bytes_list.value)]
    return seen, parts, tf.train.Example.FromString(example).SerializeToString(deterministic=True)


def test_both_ways(tmp_path):
    for kind in COMPRESSIONS:
        with tf.io.TFRecordWriter(f"{tmp_path}/ours{kind}", kind) as writer:
            for record in RECORDS:
                writer.write(record)
    train = tf.train
    example = train.Example(features=train.Features(feature={
        "ints": train.Feature(int64_list=train.Int64List(value=[1, -2])),
        "floats": train.Feature(float_list=train.FloatList(value=[0.5])),
        "bytes": train.Feature(bytes_list=train.BytesList(value=[b"a", b"\xff"])),
    }))  # fmt: skip
    seen, parts, same = ask(read_and_write, tmp_path, place=str(tmp_path), kinds=COMPRESSIONS, records=RECORDS,
                            example=example.SerializeToString())  # fmt: skip
    assert seen == {kind: RECORDS for kind in COMPRESSIONS}
    assert parts == [[1, -2], [0.5], [b"a", b"\xff"]]
    assert tf.train.Example.FromString(same) == example
    for kind in COMPRESSIONS:
        assert list(tf.python_io.tf_record_iterator(f"{tmp_path}/theirs{kind}", kind)) == RECORDS
    assert (tmp_path / "theirs").read_bytes() == (tmp_path / "ours").read_bytes()
