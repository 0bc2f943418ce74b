"""Queues into and out of accelerators: their ops, InfeedQueue, and computations that take from it."""

import threading

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import evaluated

tpu = tf.contrib.tpu
InfeedQueue = tpu.python.tpu.tpu_feed.InfeedQueue


def test_tensors_come_out_in_the_order_in_which_they_went_in(session):
    fed = tf.placeholder(tf.float32, [2])
    put = tpu.infeed_enqueue_tuple([fed, tf.constant(7)], shapes=[[2], []], device_ordinal=0)
    pair = tpu.infeed_dequeue_tuple(dtypes=[tf.float32, tf.int32], shapes=[[2], []])
    assert [each.shape.as_list() for each in pair] == [[2], []]
    for value in ([1, 2], [3, 4]):
        session.run(put, {fed: value})
    found = [session.run(pair) for _ in range(2)]
    assert [first.tolist() for first, _ in found] == [[1, 2], [3, 4]] and found[0][1] == 7


@pytest.fixture
def placed():
    """A session that puts what asks for an accelerator elsewhere, where there is none."""
    return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


def test_queues_of_devices_are_apart_as_are_directions(placed):
    for ordinal, value in ((1, 10.0), (0, 20.0)):
        placed.run(tpu.infeed_enqueue(tf.constant(value), shape=[], device_ordinal=ordinal))
    placed.run(tpu.outfeed_enqueue(tf.constant(30.0)))
    with tf.device("/device:TPU:1"):
        second = tpu.infeed_dequeue(dtype=tf.float32, shape=[])
    first = tpu.infeed_dequeue(dtype=tf.float32, shape=[])
    out = tpu.outfeed_dequeue(dtype=tf.float32, shape=[], device_ordinal=0)
    assert placed.run(second) == 10 and placed.run(first) == 20 and placed.run(out) == 30


def test_an_empty_queue_is_waited_for(session):
    taken = tpu.outfeed_dequeue_tuple(dtypes=[tf.float32], shapes=[[]])
    put = tpu.outfeed_enqueue_tuple([tf.constant(5.0)])
    found = []
    thread = threading.Thread(target=lambda: found.append(session.run(taken)))
    thread.start()
    session.run(put)
    thread.join(timeout=60)
    assert found == [[5.0]]


def test_a_tensor_of_another_shape_is_refused(session):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"'InfeedEnqueue' must have the shape \(3,\)"):
        session.run(tpu.infeed_enqueue(tf.zeros([2]), shape=[3]))


def test_a_computation_takes_from_its_queue_in_every_turn(session):
    """The batches of a training loop are put beforehand; each turn adds its own."""
    queue = InfeedQueue(tuple_types=[tf.float32, tf.float32], tuple_shapes=[[4, 2], [4]])
    total = tf.get_variable("total", [2], initializer=tf.zeros_initializer())

    def step(rows, weights):
        return tf.assign_add(total, tf.tensordot(weights, rows, 1)).op

    trained = tpu.rewrite(lambda: tpu.repeat(3, step, infeed_queue=queue))
    fed = tf.placeholder(tf.float32, [4, 2])
    puts = queue.split_inputs_and_generate_enqueue_ops([fed, tf.constant([1.0, 0.0, 0.0, 2.0])])
    session.run(total.initializer)
    for number in range(3):
        session.run(puts, {fed: np.full([4, 2], number)})
    session.run(trained)
    assert session.run(total).tolist() == [9, 9]
    doubled = tpu.rewrite(lambda x, rows, weights: x + tf.reduce_sum(rows), [tf.constant(1.0)], infeed_queue=queue)
    session.run(puts, {fed: np.ones([4, 2])})
    assert session.run(doubled) == (9.0,)


def test_parts_go_to_the_devices_of_their_replicas(placed):
    queue = InfeedQueue(tuple_types=[tf.int32], tuple_shapes=[[6]])
    queue.set_number_of_shards(3)
    puts = queue.split_inputs_and_generate_enqueue_ops([tf.range(6)], tpu_ordinal_function=lambda index: 2 - index)
    parts = []
    for ordinal in range(3):
        with tf.device(f"/device:TPU:{ordinal}"):
            parts.append(tpu.infeed_dequeue_tuple(dtypes=[tf.int32], shapes=[[2]]))
    placed.run(puts)
    assert [placed.run(part)[0].tolist() for part in parts] == [[4, 5], [2, 3], [0, 1]]
    apart = InfeedQueue(number_of_tuple_elements=1)
    placed.run(apart.generate_enqueue_ops([[tf.constant([1])], [tf.constant([2])]]))
    assert apart.tuple_shapes == [[2]] and placed.run(tpu.infeed_dequeue(dtype=tf.int32, shape=[1])).tolist() == [1]


def test_operations_say_to_which_computation_they_belong():
    module = tpu.python.tpu.tpu
    inside = []
    tpu.rewrite(lambda x: inside.append((tf.square(x, name="unread"), x + 1)) or inside[0][1], [tf.constant(2.0)])
    unread, added = (each.op for each in inside[0])
    assert unread.get_attr(module._TPU_REPLICATE_ATTR) == added.get_attr(module._TPU_REPLICATE_ATTR) == b"cluster"
    module.prune_unconnected_ops_from_xla(tf.get_default_graph())
    with pytest.raises(ValueError, match="no attr named '_tpu_replicate'"):
        unread.get_attr(module._TPU_REPLICATE_ATTR)


def test_inference_reads_variables_once():
    found = tpu.python.tpu.tpu.rewrite_for_inference(lambda x: x * tf.get_variable("w", initializer=3.0),
                                                     [tf.constant(2.0)])
    assert evaluated(found) == (6.0,)
    assert [op.type for op in tf.get_default_graph().get_operations()].count("GuaranteeConst") == 1


def test_what_compiling_said_is_a_message():
    result = tpu.proto.compilation_result_pb2.CompilationResultProto(status_code=3, status_error_message="no")
    assert result.SerializeToString() == b"\x08\x03\x12\x02no"


def test_requests_share_the_batches_of_a_model():
    inside = tpu.python.tpu.tpu_estimator

    def model_fn(features, labels, mode, params):
        assert mode == "infer" and params["use_tpu"]
        scores = features["x"] * tf.get_variable("w", initializer=2.0)
        classes = tf.as_string(tf.cast(scores, tf.int32))
        return tf.estimator.EstimatorSpec(mode, {"scores": scores}, export_outputs={
            "serving_default": tf.estimator.export.PredictOutput({"scores": scores}),
            "classes": tf.estimator.export.ClassificationOutput(scores, classes)})

    config = inside.BatchConfig(1, max_batch_size=4, batch_timeout_micros=100, allowed_batch_sizes=[4])
    features = {"x": tf.constant([[1.0], [2.0]])}
    alone = inside.model_fn_inference_on_tpu(model_fn, features, params={})
    with tf.variable_scope("", reuse=True):
        batched = inside.model_fn_inference_on_tpu(model_fn, features, params={}, batch_config=config)
    for spec in (alone, batched):
        found = evaluated([spec.predictions["scores"], spec.export_outputs["classes"].classes,
                         spec.export_outputs["serving_default"].outputs["scores"]])
        assert [each.ravel().tolist() for each in found] == [[2, 4], [b"2", b"4"], [2, 4]]


def test_iterators_of_all_hosts_start_with_the_session():
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(3))
    hook = tpu.python.tpu.util.MultiHostDatasetInitializerHook([iterator.initializer])
    first = iterator.get_next()
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        assert session.run(first) == 0
