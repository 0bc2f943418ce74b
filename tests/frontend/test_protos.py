"""Fields of messages as tensors and back, as TensorFlow does it (protos.json; see record_protos.py)."""

import json
from pathlib import Path

import pytest

import evergraph as tf
from tests.frontend import proto_cases

RECORDED = json.loads(Path(__file__).with_name("protos.json").read_text())


@pytest.mark.parametrize("case", RECORDED)
def test_as_tensorflow(case):
    assert proto_cases.outcome(tf, case) == RECORDED[case]


def test_a_description_in_a_file(tmp_path):
    (tmp_path / "p.pb").write_bytes(proto_cases.FILES.SerializeToString())
    sizes, values = proto_cases.decoded(tf, [proto_cases.SOME], ["r_int32"], source=str(tmp_path / "p.pb"))
    assert sizes.tolist() == [[1]] and values.tolist() == [[5]]


def test_what_went_wrong_is_told():
    for case, message in (("an unknown field", "Unknown field: nothing in message type p.M"),
                          ("an unknown message", "No descriptor found for message type p.Nothing"),
                          ("encode float64 as r_int32", "Incompatible type for field r_int32"),
                          ("decode r_int32 as string", "Unexpected output type for p.M.r_int32")):  # fmt: skip
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            proto_cases.CASES[case](tf)


def test_shapes():
    with tf.Graph().as_default():
        sizes, values = tf.io.decode_proto(tf.placeholder(tf.string, [None, 3]), "p.M", ["r_int32", "o_int32"],
                                           [tf.int32, tf.int32], descriptor_source=proto_cases.SOURCE)
        assert sizes.shape.as_list() == [None, 3, 2]
        assert [value.shape.as_list() for value in values] == [[None, 3, None]] * 2
        again = tf.io.encode_proto(sizes, values, ["r_int32", "o_int32"], "p.M", proto_cases.SOURCE)
        assert again.shape.as_list() == [None, 3]


def test_groups_without_end():
    for data in (b"\x0b" * 1000, b"\x0b" * 100_000):
        with pytest.raises(tf.errors.DataLossError):
            proto_cases.decoded(tf, [data], ["r_int32"])
