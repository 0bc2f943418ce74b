"""train_and_evaluate, its specs and exporters, early stopping, and evaluation in memory."""
import json
import os

import pytest

import evergraph as tf
from evergraph.estimator.eval_files import write_metrics
from evergraph.estimator.training import TrainingExecutor
from tests.estimator.models import batches, line, serving


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "model")


def made(folder, **config):
    return tf.estimator.Estimator(line, config=tf.estimator.RunConfig(model_dir=folder, **config), params={})


class Recorder(tf.estimator.Exporter):
    name = "recorder"

    def __init__(self):
        self.steps, self.last = [], []

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        self.steps.append(int(eval_result["global_step"]))
        self.last.append(is_the_final_export)
        return export_path


# ---- the local loop


def test_every_checkpoint_is_evaluated(folder):
    recorder = Recorder()
    metrics, exported = tf.estimator.train_and_evaluate(
        made(folder, save_checkpoints_steps=2), tf.estimator.TrainSpec(batches, max_steps=5),
        tf.estimator.EvalSpec(lambda: batches(1), steps=None, throttle_secs=0, exporters=recorder))
    assert metrics["global_step"] == 5 and exported == [f"{folder}/export/recorder"]
    assert recorder.steps == [2, 4, 5] and recorder.last == [False, False, True]


def test_evaluations_are_throttled(folder):
    recorder = Recorder()
    tf.estimator.train_and_evaluate(
        made(folder, save_checkpoints_steps=1), tf.estimator.TrainSpec(batches, max_steps=4),
        tf.estimator.EvalSpec(batches, steps=1, throttle_secs=1000, exporters=[recorder]))
    assert recorder.steps == [1, 4]


def test_a_later_call_goes_on(folder):
    spec = tf.estimator.EvalSpec(batches, steps=1, throttle_secs=0)
    for steps in (2, 4):
        train_spec = tf.estimator.TrainSpec(batches, max_steps=steps)
        metrics, _ = tf.estimator.train_and_evaluate(made(folder), train_spec, spec)
        assert metrics["global_step"] == steps


@pytest.mark.parametrize(("make", "error", "told"), [
    (lambda: tf.estimator.TrainSpec(1), TypeError, "input_fn"),
    (lambda: tf.estimator.TrainSpec(batches, max_steps=0), ValueError, "max_steps > 0"),
    (lambda: tf.estimator.TrainSpec(batches, hooks=[1]), TypeError, "SessionRunHook"),
    (lambda: tf.estimator.EvalSpec(batches, steps=0), ValueError, "steps > 0"),
    (lambda: tf.estimator.EvalSpec(batches, name=1), TypeError, "name"),
    (lambda: tf.estimator.EvalSpec(batches, throttle_secs=-1), ValueError, "throttle_secs"),
    (lambda: tf.estimator.EvalSpec(batches, exporters=1), TypeError, "Exporter"),
    (lambda: tf.estimator.EvalSpec(batches, exporters=[Recorder(), Recorder()]), ValueError, "unique"),
    (lambda: tf.estimator.train_and_evaluate(1, 2, 3), TypeError, "Estimator"),
])
def test_wrong_specs(make, error, told):
    with pytest.raises(error, match=told):
        make()


# ---- tasks of a cluster


def test_an_evaluator_evaluates_what_others_train(folder, monkeypatch):
    made(folder).train(batches, steps=3)
    cluster = {"cluster": {"chief": ["a:1"]}, "task": {"type": "evaluator", "index": 0}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(cluster))
    recorder = Recorder()
    tf.estimator.train_and_evaluate(
        made(folder), tf.estimator.TrainSpec(batches, max_steps=3),
        tf.estimator.EvalSpec(batches, steps=1, start_delay_secs=0, throttle_secs=0, exporters=recorder))
    assert recorder.steps == [3] and recorder.last == [True]


def test_a_cluster_of_one_task_needs_no_server(folder, monkeypatch):
    specs = tf.estimator.TrainSpec(batches, max_steps=1), tf.estimator.EvalSpec(batches)
    cluster = {"cluster": {"chief": ["a:1"]}, "task": {"type": "chief", "index": 0}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(cluster))
    TrainingExecutor(made(folder), *specs).run()
    assert made(folder).get_variable_value("global_step") == 1


# ---- exporters


def test_final_and_latest_exporters(folder):
    latest = tf.estimator.LatestExporter("latest", serving, exports_to_keep=1)
    final = tf.estimator.FinalExporter("final", serving, as_text=True)
    estimator = made(folder).train(batches, steps=1)
    for is_last in (False, True):
        exporters = [(latest, f"{folder}/latest"), (final, f"{folder}/final")]
        paths = [exporter.export(estimator, path, None, {}, is_last) for exporter, path in exporters]
    assert os.listdir(f"{folder}/latest") == [os.path.basename(paths[0]).decode()]
    assert os.path.exists(os.path.join(paths[1].decode(), "saved_model.pbtxt"))
    assert len(os.listdir(f"{folder}/final")) == 1
    with pytest.raises(ValueError, match="positive"):
        tf.estimator.LatestExporter("latest", serving, exports_to_keep=0)


class Exported:
    """Stands for an Estimator that has been exported."""

    def __init__(self, model_dir):
        self.model_dir = model_dir

    def export_saved_model(self, path, *_, checkpoint_path, **__):
        return checkpoint_path


def test_the_best_exporter_knows_what_was_before(folder):
    write_metrics(f"{folder}/eval", {"loss": 5.0}, 1)
    exporter = tf.estimator.BestExporter(serving_input_receiver_fn=serving)
    exported = [exporter.export(Exported(folder), f"{folder}/best", str(loss), {"loss": loss}, False)
                for loss in (6.0, 4.0, 4.5)]
    assert exported == [None, "4.0", None]
    with pytest.raises(ValueError, match="compare_fn"):
        tf.estimator.BestExporter(compare_fn=lambda best, current: True)


def test_the_steps_exporter(folder):
    exporter = tf.contrib.estimator.StepsExporter([1, 5, 8], serving_input_receiver_fn=serving)
    exported = [exporter.export(Exported(folder), folder, str(step), {"global_step": step}, False)
                for step in (1, 2, 6, 7, 9, 10)]
    assert exported == ["1", None, "6", None, "9", None]


# ---- early stopping


@pytest.mark.parametrize(("name", "arguments", "stops"), [
    ("higher", ("accuracy", 0.8), False), ("higher", ("accuracy", 0.6), True),
    ("lower", ("loss", 0.3), False), ("lower", ("loss", 0.5), True),
    ("no_increase", ("accuracy", 1500), False), ("no_increase", ("accuracy", 500), True),
    ("no_decrease", ("loss", 1500), False), ("no_decrease", ("loss", 500), True),
])
def test_early_stopping(folder, name, arguments, stops):
    estimator = made(folder)
    for step, loss, accuracy in ((1000, 0.8, 0.5), (2000, 0.7, 0.6), (3000, 0.4, 0.7), (3500, 0.41, 0.68)):
        write_metrics(estimator.eval_dir(), {"loss": loss, "accuracy": accuracy}, step)
    make = getattr(tf.estimator.experimental, f"stop_if_{name}_hook")
    for min_steps, expected in ((0, stops), (4000, False)):
        hook = make(estimator, *arguments, min_steps=min_steps)
        with tf.Graph().as_default():
            tf.train.create_global_step()
            with tf.train.SingularMonitoredSession(hooks=[hook]) as session:
                session.run(tf.get_default_graph().get_operations()[0])
                assert session.should_stop() == expected


def test_early_stopping_stops_training(folder):
    estimator = made(folder)
    hook = tf.estimator.experimental.make_early_stopping_hook(
        estimator, lambda: True, run_every_secs=None, run_every_steps=1)
    assert estimator.train(batches, steps=5, hooks=[hook]).get_variable_value("global_step") == 1
    assert estimator.get_variable_value("signal_early_stopping/STOP")
    with pytest.raises(ValueError, match="exclude each other"):
        tf.estimator.experimental.make_early_stopping_hook(estimator, lambda: True, run_every_steps=1)


def test_stopping_at_the_step_of_a_checkpoint(folder):
    class Worker(tf.estimator.RunConfig):
        is_chief = False

    made(folder).train(batches, steps=4)
    hook = tf.estimator.experimental.make_stop_at_checkpoint_step_hook(
        tf.estimator.Estimator(line, folder, Worker()), 2, wait_after_file_check_secs=0)
    with tf.Graph().as_default():
        step = tf.train.create_global_step()
        count = tf.assign_add(step, 1)
        with tf.train.SingularMonitoredSession(hooks=[hook]) as session:
            session.run(count)
            assert not session.should_stop()
            session.run(count)
            assert session.should_stop()


# ---- in memory


def test_evaluation_in_memory(folder):
    estimator = made(folder)
    hook = tf.estimator.experimental.InMemoryEvaluatorHook(estimator, lambda: batches(1), name="now", every_n_iter=2)
    estimator.train(batches, steps=3, hooks=[hook])
    found = tf.contrib.estimator.read_eval_metrics(estimator.eval_dir("now"))
    assert list(found) == [0, 2, 3]
    assert found[3]["mae"] == pytest.approx(estimator.evaluate(lambda: batches(1))["mae"])
    assert found[0]["mae"] > found[3]["mae"]


def test_evaluation_in_memory_wants_the_variables_alone(folder):
    def model_fn(features, labels, mode):
        return line(features, labels, mode)._replace(scaffold=tf.train.Scaffold(init_fn=lambda *_: None))

    hook = tf.estimator.experimental.InMemoryEvaluatorHook(tf.estimator.Estimator(model_fn, folder), batches)
    with pytest.raises(ValueError, match="custom init_fn"):
        hook.begin()
    with pytest.raises(ValueError, match="every_n_iter"):
        tf.estimator.experimental.InMemoryEvaluatorHook(made(folder), batches, every_n_iter=0)


# ---- estimators made from estimators


def test_added_metrics(folder):
    def metric_fn(features, predictions):
        return {"mean_x": tf.metrics.mean(features["x"]), "mae": tf.metrics.mean(predictions["y"] * 0.0)}

    results = tf.estimator.add_metrics(made(folder), metric_fn).evaluate(lambda: batches(1))
    assert (results["mean_x"], results["mae"]) == (3.5, 0.0)
    with pytest.raises(ValueError, match="other"):
        tf.estimator.add_metrics(made(folder), lambda other: {})


def test_forwarded_features(folder):
    estimator = tf.contrib.estimator.forward_features(made(folder), "x")
    assert set(next(estimator.predict(batches))) == {"y", "twice", "x"}
    path = estimator.train(batches, steps=1).export_saved_model(f"{folder}/export", serving)
    assert set(tf.contrib.predictor.from_saved_model(path).fetch_tensors) == {"y", "twice", "x"}
    with pytest.raises(ValueError, match="not found"):
        next(tf.contrib.estimator.forward_features(made(folder), "z").predict(batches))
    with pytest.raises(TypeError, match="keys should be"):
        tf.contrib.estimator.forward_features(made(folder), 1)


def test_forwarded_sparse_features(folder):
    def features():
        words = tf.SparseTensor([[0, 0]], ["a"], [2, 1])
        return tf.data.Dataset.from_tensors({"x": [[1.0], [2.0]], "words": words})

    forwarding = tf.contrib.estimator.forward_features(made(folder), "words", {"words": "none"})
    assert [row["words"].tolist() for row in forwarding.predict(features)] == [[b"a"], [b"none"]]
    with pytest.raises(ValueError, match="words should be a Tensor"):
        next(tf.contrib.estimator.forward_features(made(folder)).predict(features))
    with pytest.raises(ValueError, match="x is expected to be a `SparseTensor`"):
        next(tf.contrib.estimator.forward_features(made(folder), "x", {"x": 0.0}).predict(features))


def test_clipped_gradients():
    x = tf.Variable([3.0, 4.0])
    optimizer = tf.contrib.estimator.clip_gradients_by_norm(tf.train.GradientDescentOptimizer(1.0), 1.0)
    step = optimizer.minimize(tf.reduce_sum(x * [3.0, 4.0]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert session.run(x).tolist() == pytest.approx([2.4, 3.2])
