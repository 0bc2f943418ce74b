"""What feature columns refuse, restore, take from users and leave behind."""

import copy

import numpy as np
import pytest

import evergraph as tf
from evergraph.feature.column import DenseTensorColumn, IdsColumn
from evergraph.feature.kinds import deserialize_feature_columns, serialize_feature_columns
from evergraph.feature.serial import deserialize_feature_column
from evergraph.keras.feature_layers import LayerState
from tests.harness.session import evaluated, started

fc = tf.feature_column


def ids(key="id", count=3):
    return fc.categorical_column_with_identity(key, count)


@pytest.mark.parametrize("make, error, text", [
    (lambda: fc.numeric_column(("a",)), ValueError, "key must be a string"),
    (lambda: fc.numeric_column("a", shape=[1.5]), TypeError, "must be integer"),
    (lambda: fc.numeric_column("a", shape=[0]), ValueError, "greater than 0"),
    (lambda: fc.numeric_column("a", dtype=tf.string), ValueError, "convertible to float"),
    (lambda: fc.numeric_column("a", default_value="x"), TypeError, "compatible with dtype"),
    (lambda: fc.numeric_column("a", default_value=[1.0, 2.0]), ValueError, "shape of default_value"),
    (lambda: fc.numeric_column("a", normalizer_fn=3), TypeError, "must be a callable"),
    (lambda: fc.bucketized_column(ids(), [0]), ValueError, "numeric_column"),
    (lambda: fc.bucketized_column(fc.numeric_column("a", shape=(2, 3)), [0]), ValueError, "one-dimensional"),
    (lambda: fc.bucketized_column(fc.numeric_column("a"), [1, 0]), ValueError, "sorted list"),
    (lambda: fc.bucketized_column(fc.numeric_column("a"), []), ValueError, "must not be empty"),
    (lambda: fc.categorical_column_with_identity("a", 0), ValueError, "num_buckets 0 < 1"),
    (lambda: fc.categorical_column_with_identity("a", 3, 3), ValueError, "not in range"),
    (lambda: fc.categorical_column_with_hash_bucket("a", None), ValueError, "must be set"),
    (lambda: fc.categorical_column_with_hash_bucket("a", 0), ValueError, "at least 1"),
    (lambda: fc.categorical_column_with_hash_bucket("a", 5, tf.float32), ValueError, "string or integer"),
    (lambda: fc.categorical_column_with_vocabulary_list("a", []), ValueError, "non-empty"),
    (lambda: fc.categorical_column_with_vocabulary_list("a", ["x", "x"]), ValueError, "Duplicate keys"),
    (lambda: fc.categorical_column_with_vocabulary_list("a", ["x"], default_value=0, num_oov_buckets=1), ValueError,
     "both num_oov_buckets and default_value"),
    (lambda: fc.categorical_column_with_vocabulary_list("a", [1], dtype=tf.string), ValueError, "do not match"),
    (lambda: fc.categorical_column_with_vocabulary_file("a", ""), ValueError, "Missing vocabulary_file"),
    (lambda: fc.categorical_column_with_vocabulary_file("a", "f", vocabulary_size=0), ValueError, "vocabulary_size"),
    (lambda: fc.crossed_column(["a"], 5), ValueError, "length > 1"),
    (lambda: fc.crossed_column(["a", fc.numeric_column("b")], 5), ValueError, "Unsupported key type"),
    (lambda: fc.crossed_column(["a", fc.categorical_column_with_hash_bucket("b", 3)], 5), ValueError, "hash_bucket"),
    (lambda: fc.crossed_column(["a", "b"], 0), ValueError, "hash_bucket_size must be > 1"),
    (lambda: fc.weighted_categorical_column(ids(), "w", tf.string), ValueError, "not convertible to float"),
    (lambda: fc.embedding_column(ids(), 0), ValueError, "Invalid dimension"),
    (lambda: fc.embedding_column(ids(), 2, initializer=1), ValueError, "must be callable"),
    (lambda: fc.embedding_column(ids(), 2, ckpt_to_load_from="x"), ValueError, "tensor_name_in_ckpt"),
    (lambda: fc.shared_embedding_columns([ids(), ids("j", 4)], 2), ValueError, "number of buckets"),
    (lambda: fc.shared_embedding_columns([ids(), fc.categorical_column_with_hash_bucket("b", 3)], 2), ValueError,
     "same type"),
    (lambda: fc.input_layer({"id": [[0]]}, [ids()]), ValueError, "must be a _DenseColumn"),
    (lambda: fc.input_layer({"a": [[0.0]]}, []), ValueError, "must not be empty"),
    (lambda: fc.input_layer({"a": [[0.0]]}, {"a": fc.numeric_column("a")}), ValueError, "found dict"),
    (lambda: fc.input_layer({"a": [[0.0]]}, [fc.numeric_column("a")] * 2), ValueError, "Duplicate feature column"),
    (lambda: fc.input_layer({"b": [[0.0]]}, [fc.numeric_column("a")]), ValueError, "not in features dictionary"),
    (lambda: fc.input_layer({"a": 1.0}, [fc.numeric_column("a")]), ValueError, "cannot have rank 0"),
    (lambda: fc.input_layer({"a": [[1.0]], "b": [[1.0], [2.0]]}, [fc.numeric_column("a"), fc.numeric_column("b")]),
     ValueError, "Batch size"),
    (lambda: fc.input_layer({"id": [[0]]}, [fc.embedding_column(fc.sequence_categorical_column_with_identity("id", 3),
                                                                2)]), ValueError, "must not be of type"),
    (lambda: fc.linear_model({"a": [[0.0]]}, ["a"]), ValueError, "must be a _FeatureColumn"),
    (lambda: fc.make_parse_example_spec(["a"]), ValueError, "must be _FeatureColumn"),
    (lambda: fc.make_parse_example_spec([fc.numeric_column("a"), fc.numeric_column("a", shape=2)]), ValueError,
     "different parse_spec"),
])
def test_errors(make, error, text):
    with pytest.raises(error, match=text):
        make()


@pytest.mark.parametrize("value, text", [(3, "exceeds number of buckets"), (-2, "Negative bucket index")])
def test_ids_out_of_range_fail_the_step(value, text):
    fed = tf.placeholder(tf.int64, [None, 1])
    layer = fc.input_layer({"id": fed}, [fc.indicator_column(ids())])
    assert evaluated(layer, {fed: [[0], [2]]}).tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        evaluated(layer, {fed: [[0], [value]]})


COLUMNS = [
    fc.numeric_column("a", shape=2, default_value=1.0), fc.bucketized_column(fc.numeric_column("b"), [0, 1]),
    fc.indicator_column(fc.crossed_column(["c", ids()], 9)),
    fc.embedding_column(fc.categorical_column_with_vocabulary_list("d", ["x", "y"]), 2),
    fc.indicator_column(fc.weighted_categorical_column(fc.categorical_column_with_hash_bucket("e", 5), "w")),
    fc.sequence_numeric_column("f"), fc.indicator_column(fc.sequence_categorical_column_with_identity("g", 3)),
    fc.categorical_column_with_vocabulary_file("h", "words.txt", 3),
]


def test_configurations():
    configs = serialize_feature_columns(COLUMNS)
    again = deserialize_feature_columns(configs)
    assert serialize_feature_columns(again) == configs
    assert again[0] == COLUMNS[0] and again[2].name == "c_X_id_indicator"
    with pytest.raises(ValueError, match="Unknown feature_column_v2"):
        deserialize_feature_column({"class_name": "Other", "config": {}})
    with pytest.raises(ValueError, match="expected keys"):
        deserialize_feature_column({"class_name": "NumericColumn", "config": {"key": "a"}})


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: type(column).__name__)
def test_copies(column):
    assert copy.deepcopy(column).name == column.name


# ---- columns of users


class Doubled(DenseTensorColumn):
    """A dense column written by a user: twice a feature."""

    name = "doubled"
    _parse_example_spec = {"x": tf.FixedLenFeature([1], tf.float32)}
    _variable_shape = tf.TensorShape([1])

    def _transform_feature(self, inputs):
        return inputs.get("x") * 2.0

    def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        return inputs.get(self)


class Parity(IdsColumn):
    """A categorical column written by a user: 0 for even, 1 for odd numbers."""

    name = "parity"
    _parse_example_spec = {"n": tf.VarLenFeature(tf.int64)}
    _num_buckets = 2

    def _transform_feature(self, inputs):
        return tf.sparse.from_dense(inputs.get("n") % 2 + 2)

    def _get_sparse_tensors(self, inputs, weight_collections=None, trainable=None):
        found = inputs.get(self)
        return self.IdWeightPair(tf.SparseTensor(found.indices, found.values - 2, found.dense_shape), None)


def test_columns_of_users():
    features = {"x": [[1.0], [2.0]], "n": tf.constant([[3], [4]], tf.int64)}
    columns = [Doubled(), fc.indicator_column(Parity())]
    layer = fc.input_layer(features, columns)
    model = fc.linear_model(features, [Doubled(), Parity()])
    assert sorted(fc.make_parse_example_spec(columns)) == ["n", "x"]
    layer, model = evaluated([layer, model])
    assert layer.tolist() == [[2.0, 0.0, 1.0], [4.0, 1.0, 0.0]] and model.tolist() == [[0.0], [0.0]]


# ---- files


def test_an_embedding_starts_from_a_checkpoint(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("table", initializer=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
    column = fc.embedding_column(ids(), 2, ckpt_to_load_from=path, tensor_name_in_ckpt="table")
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(3)):
        parts = fc.input_layer({"id": [[2], [0]]}, [column])
    whole = fc.input_layer({"id": [[2], [0]]}, [column])
    for found in evaluated([whole, parts]):
        assert found.tolist() == [[5.0, 6.0], [1.0, 2.0]]


def test_an_exported_model_parses_and_predicts(tmp_path):
    columns = [fc.numeric_column("x"), fc.embedding_column(fc.categorical_column_with_hash_bucket("c", 7), 2),
               fc.indicator_column(fc.categorical_column_with_vocabulary_list("v", ["a", "b"]))]
    example = tf.train.Example(features=tf.train.Features(feature={
        "x": tf.train.Feature(float_list=tf.train.FloatList(value=[1.5])),
        "c": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"red"])),
        "v": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"b"]))})).SerializeToString()
    with tf.Graph().as_default(), tf.Session() as session:
        serialized = tf.placeholder(tf.string, [None], name="examples")
        layer = fc.input_layer(tf.parse_example(serialized, fc.make_parse_example_spec(columns)), columns)
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        wanted = session.run(layer, {serialized: [example]})
        tf.saved_model.simple_save(session, str(tmp_path / "model"), {"examples": serialized}, {"layer": layer},
                                   legacy_init_op=tf.tables_initializer())
    with tf.Graph().as_default(), tf.Session() as session:
        tf.saved_model.load(session, ["serve"], str(tmp_path / "model"))
        found = session.run(layer.name, {"examples:0": [example]})
    np.testing.assert_array_equal(found, wanted)


# ---- cost


def test_the_gradient_of_a_table_is_sparse():
    column = fc.categorical_column_with_hash_bucket("id", 10**6, tf.int64)
    features = {"id": tf.constant([[2], [7], [2]], tf.int64)}
    total = tf.reduce_sum(fc.input_layer(features, [fc.embedding_column(column, 4)]))
    total += tf.reduce_sum(fc.linear_model(features, [column]))
    for slope in tf.gradients(total, [v for v in tf.trainable_variables() if "bias" not in v.name]):
        assert isinstance(slope, tf.IndexedSlices)
    with started() as session:
        assert session.run(slope).values.shape[0] <= 3


def test_a_state_manager_keeps_resources_of_columns():
    column, state = tf.feature_column.numeric_column("x"), LayerState(None, trainable=False)
    assert not state.has_resource(column, "table")
    with pytest.raises(ValueError, match="Resource does not exist: table of column x"):
        state.get_resource(column, "table")
    state.add_resource(column, "table", 7)
    assert state.has_resource(column, "table") and state.get_resource(column, "table") == 7
