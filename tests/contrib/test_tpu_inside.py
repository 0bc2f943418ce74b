"""What programs use of TensorFlow's TPU code beside its public names: loops, split compilation, errors, contexts."""

import sys

import pytest

import evergraph as tf

tpu = tf.contrib.tpu


def test_loops_of_tensors_and_operations(session):
    count = tf.get_variable("count", [], initializer=tf.zeros_initializer())
    step = lambda: tf.assign_add(count, 1.0).op
    doubled = tpu.repeat(3, lambda x: [x * 2, step()], [tf.constant(1.0)])
    pair = tpu.while_loop(lambda x, y: x < 5, lambda x, y: (x + 1, y * 2), [tf.constant(0), tf.constant(1)])
    alone = tpu.repeat(4, step)
    session.run(count.initializer)
    assert session.run(doubled) == 8 and session.run(count) == 3
    assert session.run(pair) == [5, 32]
    assert isinstance(alone, tf.Operation)
    session.run(alone)
    assert session.run(count) == 7
    with pytest.raises(ValueError, match="2 tensors and returns 1"):
        tpu.while_loop(lambda x, y: x < 5, lambda x, y: x, [tf.constant(0), tf.constant(1)])


def test_compilation_apart_from_the_run(session):
    compiled, found = tpu.python.tpu.tpu.split_compile_and_shard(lambda x: x + 1.0, [tf.constant([1.0, 2.0])])
    assert session.run(compiled) == b"" and session.run(found)[0].tolist() == [2, 3]


def test_the_error_that_explains_the_others_is_raised():
    meeting = tpu.python.tpu.error_handling.ErrorRendezvous(3)
    with meeting.catch_errors("outfeed"):
        raise tf.errors.CancelledError(None, None, "the session was closed")
    with meeting.catch_errors("infeed"):
        raise ValueError("no file")
    meeting.record_done("training")
    with pytest.raises(ValueError, match="no file"):
        meeting.raise_errors(timeout_sec=60)
    closed = []
    session = type("Session", (), {"close": lambda self: closed.append(True)})()
    try:
        raise KeyError("lost")
    except KeyError:
        meeting.record_error("late", sys.exc_info(), session)
    assert closed == [True]
    tpu.python.tpu.error_handling.ErrorRendezvous(1).raise_errors()


@pytest.mark.parametrize("params", [None, {"rate": 0.1}, tf.contrib.training.HParams(rate=0.1)])
def test_input_and_model_functions_have_a_context(tmp_path, params):
    seen = {}

    def input_fn(params):
        seen["input"] = params["context"] if isinstance(params, dict) else params.context
        return tf.data.Dataset.from_tensors((tf.ones([params["batch_size"] if isinstance(params, dict) else
                                                      params.batch_size, 1]), tf.ones([4, 1]))).repeat()

    def model_fn(features, labels, mode, params):
        seen["model"] = params["context"] if isinstance(params, dict) else params.context
        loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 1))
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=step)

    tpu.TPUEstimator(model_fn, str(tmp_path), tpu.RunConfig(), params, train_batch_size=4).train(input_fn, max_steps=1)
    context = seen["input"]
    assert context.current_input_fn_deployment() == ("/cpu:0", 0, 1, 1)
    assert (context.num_replicas, context.num_hosts, context.current_host) == (1, 1, 0)
    assert seen["model"].num_hosts == 1
    with pytest.raises(RuntimeError, match="model function"):
        seen["model"].current_input_fn_deployment()
    with pytest.raises(RuntimeError, match="one replica"):
        context.device_for_replica(1)
