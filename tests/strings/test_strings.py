"""What tf.strings does beyond single ops; values are in tests/cases."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import run


def nodes(graph):
    return [(node.name, node.type) for node in graph.get_operations()]


def test_patterns_that_are_known_make_static_nodes(graph):
    tf.strings.regex_replace("a", "a", "b")
    tf.strings.regex_full_match("a", tf.constant("a"))
    assert nodes(graph)[1::2] == [("StaticRegexReplace", "StaticRegexReplace"), ("RegexFullMatch/input", "Const")]


def test_names_of_nodes(graph):
    assert tf.strings.reduce_join(["a"], name="all").op.name == "ReduceJoin/all"
    assert tf.string_split(["a"]).values.op.name == "StringSplit/StringSplit"
    assert tf.strings.split(["a"]).values.op.name == "StringSplit_1/StringSplitV2"
    assert tf.strings.unicode_decode(["a"], "UTF-8").values.op.name == "UnicodeDecode/UnicodeDecode"
    assert tf.strings.substr("abc", 0, 1).op.inputs[1].op.name == "Substr/pos"


def test_functions_of_elements_keep_rows():
    rows = tf.ragged.constant([[" a", "b "], [], ["cc"]])
    assert run(tf.strings.strip(rows)).to_list() == [[b"a", b"b"], [], [b"cc"]]
    assert run(tf.strings.length(input=rows)).to_list() == [[2, 2], [], [2]]
    assert run(tf.strings.join([rows, "!", rows])).to_list() == [[b" a! a", b"b !b "], [], [b"cc!cc"]]
    assert run(tf.strings.to_number(tf.ragged.constant_value([["1"], ["2", "3"]], dtype=bytes))).to_list() == [
        [1.0], [2.0, 3.0]]
    assert run(tf.strings.ngrams(rows, 2)).to_list() == [[b" a b "], [], []]


def test_split_takes_any_rank():
    assert run(tf.strings.split("a b", result_type="RaggedTensor")).to_list() == [[b"a", b"b"]]
    rows = tf.strings.split(tf.ragged.constant([["a b"], ["c", ""]]), result_type="RaggedTensor")
    assert run(rows).to_list() == [[[b"a", b"b"]], [[b"c"], []]]
    assert run(tf.strings.split([["a b"]]).dense_shape).tolist() == [1, 1, 2]
    with pytest.raises(ValueError, match="result_type"):
        tf.strings.split(["a"], result_type="list")


def test_both_spellings_of_an_argument_are_one_too_many():
    with pytest.raises(ValueError, match="reduction_indices"):
        tf.strings.reduce_join(["a"], axis=0, reduction_indices=0)
    assert run(tf.string_to_number(input="4")) == 4.0
    with pytest.raises(TypeError, match="out_type"):
        tf.decode_raw("abc")


@pytest.mark.parametrize("arguments, error", [
    ({"ngram_width": 0}, ValueError), ({"ngram_width": "2"}, TypeError),
    ({"ngram_width": 2, "pad_values": 3}, TypeError),
    ({"ngram_width": 2, "pad_values": ("a",)}, TypeError), ({"ngram_width": 2, "padding_width": 0}, ValueError),
])  # fmt: skip
def test_wrong_ngrams(arguments, error):
    with pytest.raises(error):
        tf.strings.ngrams(["a", "b"], **arguments)


def test_format_counts_placeholders():
    with pytest.raises(ValueError, match=r"1 placeholder\(s\) in template does not match 2 tensor\(s\)"):
        tf.strings.format("{}", [1, 2])


@pytest.mark.parametrize("make", [
    lambda x: tf.strings.unicode_decode(x, "UTF-8"), tf.strings.bytes_split, lambda x: tf.strings.ngrams(x, 2),
])  # fmt: skip
def test_ranks_must_be_known(make):
    with pytest.raises(ValueError, match="[Rr]ank"):
        make(tf.placeholder(tf.string))


def test_messages_name_what_is_wrong():
    for made, message in [(tf.strings.substr("abc", 7, 1), "pos 7 out of range for string b'abc' at index 0"),
                          (tf.string_to_number("x1"), "could not correctly convert string: x1"),
                          (tf.strings.unicode_transcode("a", "klingon", "UTF-8"), "input encoding: klingon"),
                          (tf.strings.regex_replace("a", "(", ""), r"Invalid pattern: \(, error: missing \): \(")]:
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            run(made)


def test_numbers_that_are_not_finite_among_others_as_strings():
    x = np.float32([1.5, np.inf, -2.25])
    assert run(tf.as_string(x[::2], precision=2)).tolist() == [b"1.50", b"-2.25"]
    assert run(tf.as_string(x, precision=2)).tolist() == [b"1.50", b"inf", b"-2.25"]


@pytest.mark.parametrize("function", [
    tf.strings.length, tf.strings.lower, tf.strings.upper, tf.strings.strip, tf.strings.to_number, tf.encode_base64,
    lambda x: tf.string_to_hash_bucket(x, 9), lambda x: tf.strings.to_hash_bucket_fast(x, 9),
    lambda x: tf.strings.to_hash_bucket_strong(x, 9, [1, 2]), lambda x: tf.strings.regex_replace(x, "[0-9]", r"<\0>"),
    lambda x: tf.strings.regex_full_match(x, ".*1 *"), lambda x: tf.as_string(tf.strings.to_number(x)),
    lambda x: tf.decode_base64(tf.encode_base64(x)),
])  # fmt: skip
def test_functions_of_datasets_in_blocks(function):
    texts = ["1", " 21", "-3", "4e1 "]
    batch = tf.data.make_one_shot_iterator(tf.data.Dataset.from_tensor_slices(texts).map(function).batch(4)).get_next()
    assert run(batch).tolist() == run(function(tf.constant(texts))).tolist()
    pairs = tf.data.Dataset.from_tensor_slices([texts[:2], texts[2:]]).map(function).batch(2)
    assert run(tf.data.make_one_shot_iterator(pairs).get_next()).tolist() == run(
        function(tf.constant([texts[:2], texts[2:]]))).tolist()


@pytest.mark.parametrize("little_endian", [True, False])
@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64, np.float32, np.float64])
def test_numbers_that_were_decoded_are_written(dtype, little_endian):
    numbers = np.array([1, -2, 300], np.dtype(dtype).newbyteorder("<" if little_endian else ">"))
    decoded = tf.decode_raw(numbers.tobytes(), tf.as_dtype(np.dtype(dtype)), little_endian)
    wanted = [b"%d" % n if np.dtype(dtype).kind == "i" else b"%.6f" % n for n in numbers.tolist()]
    assert run(tf.as_string(decoded)).tolist() == wanted


@pytest.mark.parametrize("kind", ["<i4", ">i4", "i4"])
def test_numbers_in_any_form_may_be_fed(kind, session):
    x = tf.placeholder(tf.int32, [None])
    numbers = np.array([1, -2, 70000], kind)
    unaligned = np.frombuffer(b"x" + numbers.tobytes(), kind, offset=1)
    for fed in (numbers, unaligned, numbers.view(numbers.dtype.newbyteorder("S")).byteswap()):
        assert session.run(tf.as_string(x), {x: fed}).tolist() == [b"1", b"-2", b"70000"]


@pytest.mark.parametrize("shape", [[], [1, 1]])
def test_examples_to_parse_are_a_vector(session, shape):
    serialized = tf.placeholder(tf.string)
    parsed = tf.parse_example(serialized, {"x": tf.FixedLenFeature([], tf.float32, 1.0)})
    with pytest.raises(tf.errors.InvalidArgumentError, match="serialized to be a vector"):
        session.run(parsed, {serialized: np.full(shape, b"", object)})
    assert session.run(parsed, {serialized: [b"", b""]})["x"].tolist() == [1.0, 1.0]


def test_texts_stand_beside_bytes_that_are_none(session):
    mixed = ["a", b"\xf0\x9f", ["\u00e9", b"\xff"]]
    assert session.run(tf.constant(mixed[:2])).tolist() == [b"a", b"\xf0\x9f"]
    assert session.run(tf.constant([mixed[2], mixed[:2]])).tolist() == [[b"\xc3\xa9", b"\xff"], [b"a", b"\xf0\x9f"]]
