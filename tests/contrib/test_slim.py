"""tf.contrib.slim beyond its layers: losses, training, evaluation, restoring, tools."""

import os

import numpy as np
import pytest

import evergraph as tf

slim = tf.contrib.slim
X = np.sin(np.arange(24) * 1.3).reshape(6, 4).astype(np.float32)
Y = (X @ np.array([1.0, -2.0, 0.5, 0.3]))[:, None].astype(np.float32)


def evaluated(*outputs):
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        values = session.run(outputs)
    return values[0] if len(values) == 1 else values


# ---- a network as programs write it

def network(x, is_training=True):
    with slim.arg_scope([slim.conv2d, slim.fully_connected], weights_regularizer=slim.l2_regularizer(0.01),
                        normalizer_fn=slim.batch_norm, normalizer_params={"is_training": is_training}), \
            tf.variable_scope("Net", "Net", [x]) as scope, \
            slim.arg_scope([slim.conv2d, slim.max_pool2d], outputs_collections="Net_end_points"):
        y = slim.repeat(x, 2, slim.conv2d, 4, [3, 3], scope="conv1")
        y = slim.max_pool2d(y, [2, 2], scope="pool1")
        y = slim.conv2d(y, 8, [1, 1], activation_fn=None, normalizer_fn=None, scope="fc8")
        ends = slim.utils.convert_collection_to_dict("Net_end_points")
        y = slim.flatten(slim.avg_pool2d(y, y.shape[1:3], scope="pool"))
        y = slim.dropout(y, 0.5, is_training=is_training, scope="drop")
        return slim.fully_connected(y, 3, activation_fn=None, normalizer_fn=None, scope="logits"), ends, scope


def test_a_network():
    logits, ends, scope = network(tf.zeros([2, 8, 8, 3]))
    assert list(ends) == ["Net/conv1/conv1_1", "Net/conv1/conv1_2", "Net/pool1", "Net/fc8"] and scope.name == "Net"
    assert [v.op.name for v in slim.get_model_variables()] == [
        "Net/conv1/conv1_1/weights", "Net/conv1/conv1_1/BatchNorm/beta", "Net/conv1/conv1_1/BatchNorm/moving_mean",
        "Net/conv1/conv1_1/BatchNorm/moving_variance", "Net/conv1/conv1_2/weights", "Net/conv1/conv1_2/BatchNorm/beta",
        "Net/conv1/conv1_2/BatchNorm/moving_mean", "Net/conv1/conv1_2/BatchNorm/moving_variance", "Net/fc8/weights",
        "Net/fc8/biases", "Net/logits/weights", "Net/logits/biases"]
    assert len(slim.losses.get_regularization_losses()) == 4 and len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)) == 4
    tf.get_variable_scope().reuse_variables()
    network(tf.zeros([2, 8, 8, 3]), is_training=False)
    assert len(slim.get_model_variables()) == 12
    assert len(slim.get_variables_to_restore(exclude=["Net/logits"])) == 10
    assert len(slim.get_variables_by_suffix("weights")) == 4 and len(slim.get_variables_by_name("weights")) == 4
    assert evaluated(logits).shape == (2, 3)


# ---- losses

def test_losses():
    predictions, labels = tf.constant(X), tf.constant(X[::-1].copy())
    values = evaluated(slim.losses.absolute_difference(predictions, labels),
                       slim.losses.mean_squared_error(predictions, labels, weights=tf.constant([1.0, 0, 0, 0, 0, 2.0])),
                       slim.losses.mean_pairwise_squared_error(predictions, labels),
                       slim.losses.cosine_distance(predictions, labels, axis=1),
                       slim.losses.get_total_loss())
    difference = X - X[::-1]
    squares = difference[[0, 5]] ** 2
    wanted = [np.abs(difference).mean(), (squares * np.array([[1.0], [2.0]])).sum() / 8,
              2 * (np.square(difference).mean(1) - difference.mean(1) ** 2).sum(), (1 - (X * X[::-1]).sum(1)).mean()]
    np.testing.assert_allclose(values, [*wanted, sum(wanted)], rtol=1e-4)
    with pytest.raises(ValueError):
        slim.losses.absolute_difference(predictions)
    with pytest.raises(ValueError):
        slim.losses.cosine_distance(predictions, labels)


def test_cross_entropies():
    logits, classes = tf.constant(X), tf.constant([[0], [1], [2], [3], [0], [1]])
    hot = tf.one_hot(classes[:, 0], 4)
    sparse, dense, both, hinge, log = evaluated(
        slim.losses.sparse_softmax_cross_entropy(logits, classes), slim.losses.softmax_cross_entropy(logits, hot),
        slim.losses.sigmoid_cross_entropy(logits, hot), slim.losses.hinge_loss(logits, hot),
        slim.losses.log_loss(tf.nn.sigmoid(logits), hot))
    power = np.exp(X) / np.exp(X).sum(1, keepdims=True)
    picked = -np.log(power[np.arange(6), [0, 1, 2, 3, 0, 1]]).mean()
    right = np.eye(4)[[0, 1, 2, 3, 0, 1]]
    binary = -(right * np.log(1 / (1 + np.exp(-X))) + (1 - right) * np.log(1 / (1 + np.exp(X)))).mean()
    np.testing.assert_allclose([sparse, dense, both, log], [picked, picked, binary, binary], rtol=1e-4)
    np.testing.assert_allclose(hinge, np.maximum(1 - (2 * right - 1) * X, 0), rtol=1e-5)
    assert len(tf.losses.get_losses()) == 4  # the hinge loss is not collected


# ---- training

def regression():
    loss = slim.losses.mean_squared_error(slim.fully_connected(tf.constant(X), 1, activation_fn=None), tf.constant(Y))
    return loss, slim.get_or_create_global_step()


def test_create_train_op():
    loss, step = regression()
    count = tf.get_variable("count", [], initializer=tf.zeros_initializer(), trainable=False)
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, count.assign_add(1.0))
    train_op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1), clip_gradient_norm=0.5,
                                             summarize_gradients=True,
                                             gradient_multipliers={"fully_connected/biases": 0.0})
    assert tf.get_collection(tf.GraphKeys.TRAIN_OP)[-1] is train_op
    assert [s.op.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)][:2] == [
        "summarize_grads/fully_connected/weights_gradient", "summarize_grads/fully_connected/weights_gradient_norm"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        weights, biases = session.run(tf.trainable_variables())
        session.run(train_op)
        new, same = session.run(tf.trainable_variables())
        assert session.run([count, step]) == [1.0, 1]
    assert np.linalg.norm(new - weights) <= 0.05 * 1.0001 and same == biases
    with pytest.raises(tf.errors.InvalidArgumentError, match="nan"), tf.Session() as session:
        bad = tf.contrib.training.create_train_op(loss * np.nan, tf.train.GradientDescentOptimizer(0.1), None)
        session.run(tf.global_variables_initializer())
        session.run(bad)


def test_gradients_that_are_refused():
    pairs = [(tf.constant(1.0), tf.Variable(1.0, name="v")), (None, tf.Variable(1.0, name="w"))]
    assert evaluated(slim.learning.multiply_gradients(pairs, {"v": 3.0})[0][0]) == 3.0
    assert slim.learning.clip_gradient_norms(pairs, 0.5)[1][0] is None
    for given, factors in ((tuple(pairs), {"v": 1}), (pairs, {}), (pairs, [1]), (pairs, {"w": 1.0})):
        with pytest.raises(ValueError):
            slim.learning.multiply_gradients(given, factors)


def test_train_and_evaluate(tmp_path):
    logdir = str(tmp_path / "train")
    for steps in (30, 60):  # the second time from the first's checkpoint
        with tf.Graph().as_default():
            loss, _ = regression()
            tf.summary.scalar("loss", loss)
            train_op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.3))
            final = slim.learning.train(train_op, logdir, number_of_steps=steps, log_every_n_steps=100)
            assert tf.train.latest_checkpoint(logdir).endswith(f"-{steps}")
    assert final < 0.05
    with tf.Graph().as_default():
        loss, _ = regression()
        mean, update = tf.metrics.mean(loss)
        tf.summary.scalar("eval", mean)
        path = tf.train.latest_checkpoint(logdir)
        value = slim.evaluation.evaluate_once("", path, str(tmp_path / "eval"), num_evals=2, eval_op=update,
                                              final_op=mean)
        assert value == pytest.approx(final, rel=0.3) and os.listdir(tmp_path / "eval")
        again = slim.evaluation.evaluation_loop("", logdir, str(tmp_path / "eval"), eval_op=update, final_op=mean,
                                                max_number_of_evaluations=1, eval_interval_secs=0)
        assert again == pytest.approx(value, rel=1e-5)
        seen = _Runs()
        for find in (lambda **options: slim.evaluation.evaluate_once("", path, str(tmp_path / "eval"), **options),
                     lambda **options: slim.evaluation.evaluation_loop(
                         "", logdir, str(tmp_path / "eval"), max_number_of_evaluations=1, eval_interval_secs=0,
                         **options)):
            found = find(eval_op=update, final_op=mean, hooks=[seen])
            assert found == pytest.approx(value, rel=1e-5)
        assert seen.runs == [*["run"] * 4, "end"] * 2  # the update, the value, the summaries, the step


class _Runs(tf.train.SessionRunHook):
    """Says what a session did."""

    def __init__(self):
        self.runs = []

    def after_run(self, run_context, run_values):
        self.runs.append("run")

    def end(self, session):
        self.runs.append("end")


def test_train_until_the_input_ends():
    queue = tf.train.input_producer(tf.constant(X), num_epochs=2, shuffle=False)
    loss = tf.reduce_sum(queue.dequeue() * tf.get_variable("w", [4], initializer=tf.ones_initializer()))
    train_op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.0))
    assert slim.learning.train(train_op, None, summary_op=None) == pytest.approx(X[-1].sum(), rel=1e-4)


def test_what_train_refuses():
    loss, _ = regression()
    train_op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1))
    for options in ({"number_of_steps": 0}, {"saver": tf.train.Saver()}):
        with pytest.raises(ValueError):
            slim.learning.train(train_op, None, **options)
    with pytest.raises(ValueError):
        slim.learning.train(None, None)
    for options in ({"sync_optimizer": 1}, {"is_chief": False}, {"trace_every_n_steps": 1}):
        with pytest.raises(tf.errors.UnimplementedError):
            slim.learning.train(train_op, None, **options)


# ---- restoring

def test_restoring(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("a/w", [2], initializer=tf.constant_initializer(3.0))
        tf.get_variable("b", [], initializer=tf.constant_initializer(4.0))
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
    w, b = tf.get_variable("a/w", [2]), tf.get_variable("mine", [], initializer=tf.zeros_initializer())
    missing = tf.get_variable("missing", [], initializer=tf.zeros_initializer())
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        slim.assign_from_checkpoint_fn(path, [w])(session)
        operation, feeds = slim.assign_from_checkpoint(path, {"b": b})
        session.run(operation, feeds)
        assert session.run(w).tolist() == [3.0, 3.0] and session.run(b) == 4.0
        slim.assign_from_checkpoint_fn(path, [w, missing], ignore_missing_vars=True)(session)
        assert slim.assign_from_checkpoint_fn(path, [missing], ignore_missing_vars=True) is None
        slim.assign_from_values_fn({"a/w": [5.0, 6.0]})(session)
        assert session.run(w).tolist() == [5.0, 6.0]
    for bad in ([missing], {"a/w": b}):
        with pytest.raises(ValueError):
            slim.assign_from_checkpoint(path, bad)
    with pytest.raises(ValueError):
        slim.assign_from_checkpoint_fn(path, [])


# ---- tools

def test_tools(capsys):
    w = tf.get_variable("w", [3, 4])
    assert slim.model_analyzer.analyze_vars([w], print_info=True) == (12, 48)
    assert "w:0 (float32_ref 3x4) [12, bytes: 48]" in capsys.readouterr().out
    assert slim.model_analyzer.analyze_ops(tf.get_default_graph()) > 12
    slim.summaries.add_scalar_summary(tf.constant(1.0), "a", "p")
    slim.summaries.add_scalar_summary(tf.constant(1.0), "b", print_summary=True)
    slim.summaries.add_histogram_summaries([w])
    slim.summaries.add_zero_fraction_summary(w, "z")
    slim.summaries.add_image_summary(tf.zeros([1, 2, 2, 1]), "i")
    assert len(tf.get_collection(tf.GraphKeys.SUMMARIES)) == 5
    assert tf.get_collection(tf.GraphKeys.SUMMARIES)[0].op.name == "p/a"


def test_data(tmp_path):
    with tf.Graph().as_default():
        encoded = tf.image.encode_png(tf.constant(np.arange(12, dtype=np.uint8).reshape(2, 2, 3))).eval(
            session=tf.Session())
    path = str(tmp_path / "data-00000")
    with tf.python_io.TFRecordWriter(path) as writer:
        for number in range(4):
            features = {"image/encoded": tf.train.Feature(bytes_list=tf.train.BytesList(value=[encoded])),
                        "image/format": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"png"])),
                        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[number])),
                        **{side: tf.train.Feature(float_list=tf.train.FloatList(value=[0.1 * place, 0.5]))
                           for place, side in enumerate(("box/ymin", "box/xmin", "box/ymax", "box/xmax"))}}
            writer.write(tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString())
    decoding = slim.tfexample_decoder
    decoder = decoding.TFExampleDecoder(
        {"image/encoded": tf.FixedLenFeature((), tf.string), "image/format": tf.FixedLenFeature((), tf.string, "png"),
         "label": tf.FixedLenFeature([], tf.int64),
         **{f"box/{side}": tf.VarLenFeature(tf.float32) for side in ("ymin", "xmin", "ymax", "xmax")}},
        {"image": decoding.Image(), "label": decoding.Tensor("label"), "boxes": decoding.BoundingBox(prefix="box/"),
         "twice": decoding.ItemHandlerCallback("label", lambda found: found["label"] * 2)})
    data = slim.dataset.Dataset(str(tmp_path / "data-*"), tf.TFRecordReader, decoder, 4, None, num_classes=4)
    provider = slim.dataset_data_provider.DatasetDataProvider(data, shuffle=False)  # again and again: two read it
    items = provider.get(["image", "label", "boxes", "twice", "record_key"])
    queue = slim.prefetch_queue.prefetch_queue(items[1:2])
    assert data.num_classes == 4 and provider.num_samples() == 4 and "boxes" in provider.list_items()
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        with slim.queues.QueueRunners(session):
            image, label, boxes, twice, key = session.run(items)
            assert image.shape == (2, 2, 3) and twice == 2 * label and key.startswith(path.encode())
            np.testing.assert_allclose(boxes, [[0.0, 0.1, 0.2, 0.3], [0.5] * 4], rtol=1e-5)
            assert session.run(queue.dequeue()) in range(4)
            with pytest.raises(slim.queues.NestedQueueRunnerError), slim.queues.QueueRunners(session):
                pass
    with pytest.raises(ValueError):
        provider.get(["nothing"])
    with pytest.raises(ValueError):
        slim.parallel_reader.get_data_files(str(tmp_path / "none-*"))


def test_metrics():
    guesses, right = tf.constant([1, 0, 1, 1]), tf.constant([1, 1, 0, 1])
    values, updates = slim.metrics.aggregate_metric_map({
        "accuracy": slim.metrics.streaming_accuracy(guesses, right),
        "precision": slim.metrics.streaming_precision(predictions=guesses, labels=right),
        "recall": slim.metrics.streaming_recall(guesses, right, tf.constant([1.0, 0.0, 1.0, 1.0])),
        "mean": slim.metrics.streaming_mean(tf.constant([1.0, 3.0])),
        "iou": slim.metrics.streaming_mean_iou(guesses, right, num_classes=2),
        "top": slim.metrics.streaming_recall_at_k(tf.constant([[0.1, 0.3, 0.6]]), tf.constant([1]), 2)})
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        session.run(list(updates.values()))
        found = session.run(values)
        batch, weighted = session.run([slim.metrics.accuracy(guesses, right),
                                       slim.metrics.accuracy(guesses, right, [1.0, 1.0, 0.0, 0.0])])
    wanted = {"accuracy": 0.5, "precision": 2 / 3, "recall": 1.0, "mean": 2.0, "iou": 0.25, "top": 1.0}
    assert found == {name: pytest.approx(value) for name, value in wanted.items()} and batch == weighted == 0.5
    assert slim.metrics.aggregate_metrics(("a", "b"), ("c", "d")) == (["a", "c"], ["b", "d"])
    for bad in (slim.metrics.aggregate_metrics, lambda: slim.metrics.accuracy(guesses, tf.constant([1.0]))):
        with pytest.raises(ValueError):
            bad()
