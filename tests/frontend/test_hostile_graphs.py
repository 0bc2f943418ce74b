"""Graphs, attrs and messages that make no sense get errors of TensorFlow's classes, whichever op they reach."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.graph.apply import MOST_TENSORS

ops = tf.raw_ops
DAMAGED = b"\xff\xfe"


def unknown(value):
    """A tensor whose value is not known while the graph is built."""
    return tf.placeholder_with_default(value, np.shape(value))


MANY = {
    "Split": lambda n: ops.Split(axis=0, value=tf.placeholder(tf.float32), num_split=n),
    "SplitV": lambda n: ops.SplitV(value=tf.placeholder(tf.float32), size_splits=[1], axis=0, num_split=n),
    "Unpack": lambda n: ops.Unpack(value=tf.placeholder(tf.float32), num=n),
    "DynamicPartition": lambda n: ops.DynamicPartition(data=tf.placeholder(tf.float32), partitions=[0],
                                                       num_partitions=n),
    "CTCBeamSearchDecoder": lambda n: ops.CTCBeamSearchDecoder(
        inputs=np.zeros([2, 1, 3], np.float32), sequence_length=[2], beam_width=4, top_paths=n),
}


@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize("number", [MOST_TENSORS + 1, 2**31 - 1])
def test_a_node_of_more_outputs_than_there_is_room_for(name, number):
    """A few bytes of a GraphDef must not cost gigabytes."""
    with pytest.raises(tf.errors.ResourceExhaustedError, match=f"list of {number} tensors"):
        MANY[name](number)


def test_an_imported_node_of_two_billion_outputs():
    with tf.Graph().as_default() as graph:
        tf.split(tf.placeholder(tf.float32), 3, name="split")
        definition = graph.as_graph_def()
    next(node for node in definition.node if node.op == "Split").attr["num_split"].i = 2**31 - 1
    with tf.Graph().as_default(), pytest.raises((tf.errors.ResourceExhaustedError, ValueError), match="2147483647"):
        tf.import_graph_def(definition, name="")


SETS = dict(set1_indices=[[0, 0]], set1_values=[1], set2_indices=[[0, 0]], set2_values=[1], set2_shape=[3, 3],
            set_operation="union")
UNFIT = {
    "SparseToSparseSetOperation": lambda: ops.SparseToSparseSetOperation(**SETS, set1_shape=3),
    "TileGrad": lambda: ops.TileGrad(input=[1.0], multiples=[0]),
}


@pytest.mark.parametrize("name", UNFIT)
def test_shapes_that_a_shape_function_cannot_use(name):
    with pytest.raises(ValueError, match=name):
        UNFIT[name]()


CONFIG = dict(dense_float_features=[[1.0]], sparse_float_feature_indices=[], sparse_float_feature_values=[],
              sparse_float_feature_shapes=[], example_weights=[[1.0]], sparse_config=[])
DAMAGED_MESSAGES = {
    "MergeSummary": lambda: ops.MergeSummary(inputs=[unknown(DAMAGED)]),
    "TensorSummaryV2": lambda: ops.TensorSummaryV2(tag="a", tensor=1.0, serialized_summary_metadata=unknown(DAMAGED)),
    "QuantileBuckets": lambda: ops.QuantileBuckets(**CONFIG, dense_config=[DAMAGED])[0],
}


@pytest.mark.parametrize("name", DAMAGED_MESSAGES)
def test_messages_that_are_none(name):
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="no serialized"):
        session.run(DAMAGED_MESSAGES[name]())


@pytest.mark.parametrize("rate", [0.0, -1.0, 2.0**33, 1e30, np.nan])
def test_clips_of_an_impossible_rate(rate):
    summary = ops.AudioSummaryV2(tag="a", tensor=np.zeros([1, 4], np.float32), sample_rate=unknown(np.float32(rate)))
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="sample_rate"):
        session.run(summary)


def test_a_rate_whose_bytes_a_second_do_not_fit():
    """TensorFlow lets them wrap around."""
    with tf.Session() as session:
        found = tf.Summary.FromString(session.run(
            ops.AudioSummaryV2(tag="a", tensor=np.zeros([1, 4], np.float32), sample_rate=2.0**31)))
    sound = found.value[0].audio.encoded_audio_string
    assert np.frombuffer(sound[24:32], "<u4").tolist() == [2**31, 0]


@pytest.mark.parametrize("tier", ["numpy", "xla"])
@pytest.mark.parametrize("use_resource", [False, True])
def test_a_variable_a_queue_and_a_table_of_one_name(tier, use_resource):
    """TensorFlow keeps the names of each kind of resource apart."""
    v = tf.get_variable("x", initializer=[1.0, 2.0], use_resource=use_resource)
    queue = tf.FIFOQueue(3, tf.float32, shared_name="x")
    table = ops.MutableHashTableV2(key_dtype=tf.string, value_dtype=tf.int64, shared_name="x")
    barrier = ops.Barrier(component_types=[tf.float32], shared_name="x")
    with tf.Session(tier=tier) as session:
        session.run(queue.enqueue(5.0))
        session.run(ops.LookupTableInsertV2(table_handle=table, keys=["a"], values=tf.constant([1], tf.int64)))
        session.run(v.initializer)
        assert session.run(v).tolist() == [1.0, 2.0] and session.run(queue.dequeue()) == 5.0
        assert session.run(ops.LookupTableSizeV2(table_handle=table)) == 1
        assert session.run(ops.BarrierReadySize(handle=barrier)) == 0


def test_a_sound_whose_format_is_cut_short():
    data = b"RIFF\x14\0\0\0WAVEfmt \x04\0\0\0\x01\0\x01\0data\0\0\0\0"
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="DecodeWav"):
        session.run(tf.audio.decode_wav(unknown(data)))


def test_a_sound_of_more_bytes_a_second_than_fit():
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="EncodeWav"):
        session.run(tf.audio.encode_wav(np.zeros([1, 4], np.float32), unknown(np.int32(2**31 - 1))))
