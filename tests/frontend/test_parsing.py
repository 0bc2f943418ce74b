"""tf.parse_example and its siblings, tf.decode_csv, tf.decode_json_example."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import errors
from tests.harness.session import run

train = tf.train
Fixed, Var, Sparse, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.SparseFeature, tf.FixedLenSequenceFeature


def feature(values):
    """A Feature whose kind follows from its values; None for one without a kind."""
    if values is None:
        return train.Feature()
    if not values or isinstance(values[0], float):
        return train.Feature(float_list=train.FloatList(value=values))
    if isinstance(values[0], bytes):
        return train.Feature(bytes_list=train.BytesList(value=values))
    return train.Feature(int64_list=train.Int64List(value=values))


def features(values):
    return train.Features(feature={key: feature(each) for key, each in values.items()})


def example(**values):
    return train.Example(features=features(values)).SerializeToString()


def sequence(context=(), **lists):
    steps = {key: train.FeatureList(feature=[feature(step) for step in each]) for key, each in lists.items()}
    return train.SequenceExample(context=features(dict(context)),
                                 feature_lists=train.FeatureLists(feature_list=steps)).SerializeToString()


def same(got, want):
    """Whether a fetched tensor, or (indices, values, shape) of a sparse one, is this."""
    if isinstance(got, tf.SparseTensorValue):
        return all(np.array_equal(*pair) for pair in zip(got, want))
    return np.array_equal(got, want) and got.shape == np.shape(want)


# ---- Examples

BATCH = [
    example(i=[1, -2], f=[0.5], b=[b"x", b"", b"\xff"], r=[1.0, 2.0]),
    example(i=[3, 1 << 62], b=[], r=[]),
    example(i=[-(1 << 63), 127], f=[2.5], r=[3.0, 4.0, 5.0, 6.0]),
]
FEATURES = {"i": Fixed([2], tf.int64), "f": Fixed([], tf.float32, -1.0), "b": Var(tf.string),
            "r": Rows([2], tf.float32, allow_missing=True)}


def test_a_batch():
    got = run(tf.parse_example(BATCH[:1] + BATCH[2:], FEATURES))
    assert same(got["i"], [[1, -2], [-(1 << 63), 127]]) and got["i"].dtype == np.int64
    assert same(got["f"], [0.5, 2.5]) and got["f"].dtype == np.float32
    assert same(got["b"], ([[0, 0], [0, 1], [0, 2]], [b"x", b"", b"\xff"], [2, 3]))
    assert same(got["r"], [[[1, 2], [0, 0]], [[3, 4], [5, 6]]])


def test_one_example_and_one_with_a_name():
    for names in (None, "it"):
        got = run(tf.parse_single_example(BATCH[0], FEATURES, example_names=names))
        assert same(got["i"], [1, -2]) and same(got["f"], np.float32(0.5)) and same(got["r"], [[1, 2]])
        assert same(got["b"], ([[0], [1], [2]], [b"x", b"", b"\xff"], [3]))


def test_missing_features():
    got = run(tf.parse_example([example(), example(i=[1, 2])], {
        "i": Fixed([2], tf.int64, [7, 8]), "s": Fixed([1, 1], tf.string, "no"), "v": Var(tf.int64),
        "r": Rows([2], tf.int64, True, 3)}))  # fmt: skip
    assert same(got["i"], [[7, 8], [1, 2]]) and same(got["s"], np.array([[[b"no"]], [[b"no"]]], object))
    assert same(got["v"], (np.zeros((0, 2)), [], [2, 0])) and got["r"].shape == (2, 0, 2)


def test_an_empty_batch():
    got = run(tf.parse_example(tf.zeros([0], tf.string), FEATURES))
    assert got["i"].shape == (0, 2) and got["r"].shape == (0, 0, 2) and same(got["b"], (np.zeros((0, 2)), [], [0, 0]))


def test_rows_are_filled_up():
    got = run(tf.parse_example([example(a=[1]), example(), example(a=[2, 3])], {"a": Rows([], tf.int64, True, -1)}))
    assert same(got["a"], [[1, -1], [-1, -1], [2, 3]])


def test_sparse_features():
    serialized = example(i=[5, 2], j=[0, 1], v=[1.0, 2.0])
    wanted = {"m": Sparse(["i", "j"], "v", tf.float32, [6, 2]), "s": Sparse("i", "v", tf.float32, 10),
              "u": Sparse("i", "v", tf.float32, 10, already_sorted=True), "v": Var(tf.float32)}
    got = run(tf.parse_single_example(serialized, wanted))
    assert set(got) == set(wanted)
    assert same(got["s"], ([[2], [5]], [2, 1], [10])) and same(got["u"], ([[5], [2]], [1, 2], [10]))
    assert same(got["m"], ([[2, 1], [5, 0]], [2, 1], [6, 2]))
    batch = run(tf.parse_example([serialized, example()], {"s": wanted["s"]}))
    assert same(batch["s"], ([[0, 2], [0, 5]], [2, 1], [2, 10]))


def test_static_shapes():
    wanted = {**FEATURES, "s": Sparse(["k", "j"], "v", tf.float32, [6, 2])}
    batch = tf.parse_example(tf.placeholder(tf.string, [None]), wanted)
    assert [batch[key].shape.as_list() for key in "ifr"] == [[None, 2], [None], [None, None, 2]]
    assert batch["s"].indices.shape.as_list() == [None, 3] and batch["s"].shape.as_list()[1:] == [6, 2]
    assert batch["b"].indices.shape.as_list() == [None, 2] and batch["b"].dense_shape.shape.as_list() == [2]
    single = tf.parse_single_example(tf.placeholder(tf.string, []), wanted)
    assert [single[key].shape.as_list() for key in "ifr"] == [[2], [], [None, 2]]
    assert tf.parse_example(tf.placeholder(tf.string, [4]), wanted)["i"].shape.as_list() == [4, 2]


def test_names_of_operations(graph):
    tf.parse_example(tf.placeholder(tf.string, [None], name="in"), {"a": Fixed([2], tf.int64, [1, 2])})
    tf.parse_single_example(tf.placeholder(tf.string, [], name="one"), {"a": Fixed([], tf.int64)})
    kinds = {node.name: node.type for node in graph.get_operations()}
    assert kinds["ParseExample/ParseExample"] == "ParseExample" and kinds["ParseExample/key_a"] == "Const"
    assert kinds["ParseExample/Reshape"] == "Reshape"
    assert kinds["ParseSingleExample/ParseSingleExample"] == "ParseSingleExample"


@pytest.mark.parametrize("serialized, wanted, message", [
    (example(), Fixed([2], tf.float32), r"Name: N, Feature: a \(data type: float\) is required but could not be found"),
    (example(a=None), Fixed([2], tf.float32), r"Name: N, Feature: a \(data type: float\) is required"),
    (example(a=[1]), Fixed([1], tf.string), "Name: N, Key: a, Index: 0.  Data types don't match. Data type: int64 but "
                                            "expected type: string"),
    (example(a=[1]), Var(tf.float32), "Name: N, Key: a, Index: 0.  Data types don't match. Expected type: float"),
    (example(a=[1.0]), Fixed([2, 2], tf.float32), r"Key: a, Index: 0.  Number of float values != expected.  Values "
                                                  r"size: 1 but output shape: \[2,2\]"),
    (example(a=[b"x"]), Fixed([2], tf.string), "Number of bytes values != expected"),
    (example(a=[]), Fixed([2], tf.float32, [1.0, 2.0]), "Number of float values != expected.  Values size: 0"),
    (example(a=[1.0] * 3), Rows([2], tf.float32, True), "Number of float values is not a multiple of stride length"),
    (example(a=[1.0])[:-1], Fixed([1], tf.float32), "Could not parse example input, value: "),
    (b"\n\x0c\n\n\n\x01a\x12\x05\x1a\x03\n\x01\xff", Var(tf.int64), "Could not parse example input, value: "),
])  # fmt: skip
def test_wrong_examples(serialized, wanted, message):
    with pytest.raises(errors.InvalidArgumentError, match=message):
        run(tf.parse_example([serialized], {"a": wanted}, example_names=["N"]))
    with pytest.raises(errors.InvalidArgumentError):
        run(tf.parse_single_example(serialized, {"a": wanted}))


@pytest.mark.parametrize("features, error, message", [
    ({}, ValueError, "Missing"), ({"a": 3}, ValueError, "Unsupported int 3"),
    ({"a": Var(None)}, ValueError, "Missing type for feature a"),
    ({"a": Fixed(None, tf.int64)}, ValueError, "Missing shape for feature a"),
    ({"a": Fixed([None, 2], tf.int64)}, ValueError, "First dimension of shape for feature a unknown"),
    ({"a": Fixed([1, None], tf.int64)}, ValueError, "FixedLenFeature 'a' needs a shape that is fully known"),
    ({"a": Fixed([2], tf.int64, [1, 2, 3])}, ValueError, "reshape"), ({"a": Fixed([], tf.int32)}, TypeError, "int32"),
    ({"a": Rows([], tf.int64)}, ValueError, "requires allow_missing to be True"),
    ({"a": Sparse("", "v", tf.int64, 3)}, ValueError, "Missing index_key"),
    ({"a": Sparse("i", "", tf.int64, 3)}, ValueError, "Missing value_key"),
    ({"a": Sparse("i", "v", tf.float32, 3), "v": Var(tf.int64)}, ValueError, "Conflicting type"),
    ({"i": Fixed([], tf.int64), "s": Sparse("i", "v", tf.float32, 3)}, ValueError, "must not intersect"),
])  # fmt: skip
def test_wrong_descriptions(features, error, message):
    for call in (lambda: tf.parse_example([b""], features), lambda: tf.parse_single_example(b"", features)):
        with pytest.raises(error, match=message):
            call()


def test_ranks():
    with pytest.raises(ValueError, match="must be a scalar"):
        tf.parse_single_example([b""], FEATURES)
    with pytest.raises(ValueError, match="rank 1"):
        tf.parse_example(b"", FEATURES)
    unknown = tf.placeholder(tf.string)
    fetched = tf.parse_single_example(unknown, {"a": Var(tf.int64)})
    with tf.Session() as session:
        assert session.run(fetched, {unknown: example(a=[4])})["a"].values.tolist() == [4]
        with pytest.raises(errors.InvalidArgumentError, match="must be a scalar"):
            session.run(fetched, {unknown: [b""]})


def test_many_integers_and_unusual_encodings():
    numbers = np.random.RandomState(0).randint(-(1 << 62), 1 << 62, 500).tolist() + [0, 1, -1, 127, 128, 1 << 62]
    got = run(tf.parse_example([example(a=numbers), example(a=[5]), example()], {"a": Var(tf.int64)}))["a"]
    assert got.values.tolist() == [*numbers, 5] and got.dense_shape.tolist() == [3, len(numbers)]
    # Not packed: each number is a field of its own, which older writers do.
    loose = b"\n\x0e\n\x0c\n\x01a\x12\x07\x1a\x05\x08\x07\x08\x96\x01"
    assert run(tf.parse_single_example(loose, {"a": Var(tf.int64)}))["a"].values.tolist() == [7, 150]
    floats = b"\n\x14\n\x12\n\x01a\x12\x0d\x12\x0b\x0d\0\0\x80\x3f\x0a\x04\0\0\0\x40"
    assert run(tf.parse_single_example(floats, {"a": Var(tf.float32)}))["a"].values.tolist() == [1.0, 2.0]


def test_of_two_features_of_one_name_the_last_counts():
    got = run(tf.parse_single_example(example(a=[1.0]) + example(a=[2.0]), {"a": Fixed([], tf.float32)}))
    assert got["a"] == 2.0


# ---- SequenceExamples

def test_one_sequence():
    serialized = sequence({"c": [1, 2], "d": [b"x"]}, a=[[1, 2], [3, 4]], v=[[1.0], None, [2.0, 3.0]])
    context, lists = run(tf.parse_single_sequence_example(
        serialized, {"c": Var(tf.int64), "d": Fixed([], tf.string), "e": Fixed([2], tf.float32, [1.0, 2.0])},
        {"a": Rows([2], tf.int64), "v": Var(tf.float32), "z": Rows([3], tf.float32, True)}))
    assert same(context["c"], ([[0], [1]], [1, 2], [2])) and context["d"] == b"x" and same(context["e"], [1, 2])
    assert same(lists["a"], [[1, 2], [3, 4]]) and lists["z"].shape == (0, 3)
    assert same(lists["v"], ([[0, 0], [2, 0], [2, 1]], [1, 2, 3], [3, 2]))


def test_a_batch_of_sequences():
    serialized = [sequence({"c": [1]}, a=[[1, 2], [3, 4]], v=[[1.0], [2.0, 3.0]]), sequence({"c": [2]}, a=[[5, 6]])]
    context, lists, lengths = run(tf.io.parse_sequence_example(
        serialized, {"c": Fixed([], tf.int64), "d": Var(tf.string)},
        {"a": Rows([2], tf.int64), "v": Var(tf.float32), "z": Rows([3], tf.float32, True)}))
    assert same(context["c"], [1, 2]) and same(context["d"], (np.zeros((0, 2)), [], [2, 0]))
    assert same(lists["a"], [[[1, 2], [3, 4]], [[5, 6], [0, 0]]]) and lists["z"].shape == (2, 0, 3)
    assert same(lists["v"], ([[0, 0, 0], [0, 1, 0], [0, 1, 1]], [1, 2, 3], [2, 2, 2]))
    assert same(lengths["a"], [2, 1]) and same(lengths["z"], [0, 0]) and set(lengths) == {"a", "z"}


@pytest.mark.parametrize("serialized, context, lists, message", [
    (sequence(), {"a": Fixed([], tf.int64)}, {}, "Name: N, Context feature 'a' is required but could not be found"),
    (sequence({"a": [1.0]}), {"a": Fixed([], tf.int64)}, {}, "Name: N, Context feature: a.  Data types don't match. "
                                                             "Expected type: int64  Feature is: float_list"),
    (sequence({"a": [1, 2]}), {"a": Fixed([], tf.int64)}, {}, "Name: N, Key: a, Index: 0.  Number of int64 values "),
    (sequence({"a": [1]}), {"a": Var(tf.string)}, {}, "Expected type: string"),
    (sequence(), {}, {"a": Rows([], tf.int64)}, "Name: N, Feature list 'a' is required, and this example lacks it"),
    (sequence(a=[[1], [2.0]]), {}, {"a": Rows([1], tf.int64)}, "Feature list: a, Index: 1.  Data types don't match"),
    (sequence(a=[[1], None]), {}, {"a": Rows([1], tf.int64)}, "Feature list: a, Index: 1.  Data types don't match"),
    (sequence(a=[[1], [2, 3]]), {}, {"a": Rows([1], tf.int64)}, "Name: N, Key: a, Index: 1.  Number of int64 values "
                                                                "!= expected.  values size: 2 but output shape"),
    (sequence(a=[[1], [2.0]]), {}, {"a": Var(tf.int64)}, "Index: 1.  Data types don't match"),
    (b"bogus!!", {"a": Var(tf.int64)}, {}, "Could not parse example input, value: 'bogus!!'"),
])  # fmt: skip
def test_wrong_sequences(serialized, context, lists, message):
    with pytest.raises(errors.InvalidArgumentError, match=message):
        run(tf.parse_single_sequence_example(serialized, context, lists, example_name="N"))
    with pytest.raises(errors.InvalidArgumentError, match=message):
        run(tf.io.parse_sequence_example([serialized], context, lists, example_names=["N"]))


@pytest.mark.parametrize("context, lists, message", [
    (None, None, "Missing features"), ({"a": Rows([], tf.int64)}, {}, "Unsupported FixedLenSequenceFeature"),
    ({}, {"a": Fixed([], tf.int64)}, "Unsupported FixedLenFeature"),
    ({}, {"a": Rows([], tf.int64, True, 3)}, r"feature_list_dense_defaults\[a\] must be None"),
])  # fmt: skip
def test_wrong_descriptions_of_sequences(context, lists, message):
    for call in (tf.parse_single_sequence_example, tf.io.parse_sequence_example):
        with pytest.raises(ValueError, match=message):
            call(b"" if call is tf.parse_single_sequence_example else [b""], context, lists)


# ---- JSON

def test_json():
    text = '{"features": {"feature": {"a": {"int64List": {"value": ["1"]}}}}}'
    assert run(tf.decode_json_example([[text]])).tolist() == [[example(a=[1])]]
    for wrong in ("{]", '{"x": 1}', b"\xff"):
        with pytest.raises(errors.InvalidArgumentError, match="Error while parsing JSON"):
            run(tf.decode_json_example(wrong))


# ---- comma-separated values

@pytest.mark.parametrize("records, defaults, options, wanted", [
    (["1,2.5,x", "3,,"], [[0], [7.0], ["d"]], {}, [[1, 3], [2.5, 7.0], [b"x", b"d"]]),
    ("1,2", [[0], [0]], {}, [1, 2]),
    ([["1,2"], ["3,4"]], [[0], [0]], {}, [[[1], [3]], [[2], [4]]]),
    (['"a,""b""",1'], [[""], [0]], {}, [[b'a,"b"'], [1]]),
    (['"a\nb"', '""'], [["d"]], {}, [[b"a\nb", b"d"]]),
    (['a"b,1'], [[""], [0]], {"use_quote_delim": False}, [[b'a"b'], [1]]),
    ([",", '"",'], [["d"], [1]], {}, [[b"d", b"d"], [1, 1]]),
    (["\n1,\n2"], [[0], [0]], {}, [[1], [2]]),
    (["NA,1", '"NA",NA'], [["d"], [5]], {"na_value": "NA"}, [[b"d", b"d"], [1, 5]]),
    (["1,2,3"], [[0], [0]], {"select_cols": [0, 2]}, [[1], [3]]),
    (['1,"2",x"y'], [[0]], {"select_cols": [1]}, [[2]]),
    (["1\t2"], [[0], [0]], {"field_delim": "\t"}, [[1], [2]]),
    ([".5", "1.", "1e3", "-inf", "0x10", " 1.5", "1e50"], [[0.0]], {}, [[0.5, 1, 1000, -np.inf, 16, 1.5, np.inf]]),
    (["5"], [0], {}, [[5]]),
])  # fmt: skip
def test_csv(records, defaults, options, wanted):
    columns = tf.decode_csv(records, defaults, **options)
    assert all(column.shape == np.shape(records) for column in columns)
    for got, want in zip(run(columns), wanted, strict=True):
        assert np.array_equal(got, np.array(want, got.dtype if isinstance(got, np.ndarray) else None))


@pytest.mark.parametrize("records, defaults, options, message", [
    (['a"b,1'], [[""], [0]], {}, "Unquoted fields cannot have quotes/CRLFs inside"),
    (["1,2\r\n"], [[0], [0]], {}, "Unquoted fields cannot have quotes/CRLFs inside"),
    (["a\nb"], [[""]], {"use_quote_delim": False}, "Unquoted fields cannot have quotes/CRLFs inside"),
    (['"a"x,1'], [[""], [0]], {}, "a quote in a quoted field is written as two quotes"),
    (['"a'], [[""]], {}, "a quoted field ends with a quote, then a delimiter or the end"),
    ([""], [["d"]], {}, "Expect 1 fields but have 0 in record 0"),
    (["a,\n"], [["d"], ["e"]], {}, "Expect 2 fields but have 1 in record 0"),
    (["1,2", "1"], [[0], [0]], {}, "Expect 2 fields but have 1 in record 1"),
    (["1,2,3"], [[0], [0]], {}, "Expect 2 fields but have 3 in record 0"),
    (["1,2"], [[0]], {"select_cols": [5]}, "Expect 1 fields but have 0 in record 0"),
    (["1", "a"], [[0]], {}, "Field 0 in record 1 is not a valid int32: a"),
    (["99999999999"], [[0]], {}, "is not a valid int32: 99999999999"),
    (["1.5f"], [[0.0]], {}, "Field 0 in record 0 is not a valid float: 1.5f"),
    (["1;;2"], [[0], [0]], {"field_delim": ";;"}, "field_delim should be only 1 char"),
])  # fmt: skip
def test_wrong_csv(records, defaults, options, message):
    with pytest.raises(errors.InvalidArgumentError, match=message):
        run(tf.decode_csv(records, defaults, **options))


def test_required_fields():
    with pytest.raises(errors.InvalidArgumentError, match="Field 1 is required but missing in record 1!"):
        run(tf.decode_csv(["1,2", "1,"], [[0], tf.constant([], tf.int32)]))


@pytest.mark.parametrize("defaults, columns, message", [
    ([[0], [0]], [2, 0], "not strictly increasing"), ([[0], [0]], [1, 1], "not strictly increasing"),
    ([[0]], [-1], "negative"), ([[0]], [0, 1], "do not match"), ([[[0]]], None, "at most rank 1"),
    ([[0, 1]], None, "length-0 or length-1 vector"),
])  # fmt: skip
def test_wrong_requests_of_csv(defaults, columns, message):
    with pytest.raises(ValueError, match=message):
        tf.decode_csv(["1,2,3"], defaults, select_cols=columns)


# ---- raw numbers

def test_raw_numbers_of_strings_of_different_lengths():
    from evergraph.python.ops import parsing_ops
    with tf.Graph().as_default(), tf.Session() as session:
        strings = tf.constant([b"\x01\x00\x02\x00", b"\x03", b"\x04\x00\x05\x00\x06\x00"])
        numbers = parsing_ops.decode_raw(strings, tf.uint16, fixed_length=4)
        assert numbers.shape.as_list() == [3, 2]
        assert session.run(numbers).tolist() == [[1, 2], [3, 0], [4, 5]]
        swapped = parsing_ops.decode_raw(strings, tf.uint16, little_endian=False, fixed_length=4)
        assert session.run(swapped).tolist() == [[256, 512], [768, 0], [1024, 1280]]
        assert session.run(parsing_ops.decode_raw([b"\x07\x00"], tf.int16)).tolist() == [[7]]
        for wrong in (3, -2, 0):
            with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
                session.run(parsing_ops.decode_raw(strings, tf.uint16, fixed_length=wrong))
