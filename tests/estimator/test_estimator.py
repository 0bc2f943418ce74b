"""Estimator trains, evaluates and predicts, and goes on from its checkpoints."""
import functools

import numpy as np
import pytest

import evergraph as tf
from tests.estimator.models import X, batches, line


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "model")


def made(folder, model_fn=line, params=None, **config):
    config = tf.estimator.RunConfig(model_dir=folder, **config)
    return tf.estimator.Estimator(model_fn, config=config, params={} if params is None else params)


# ---- training


def test_training_goes_on_from_the_checkpoint(folder):
    assert made(folder).latest_checkpoint() is None
    assert made(folder).train(batches, steps=3).latest_checkpoint() == f"{folder}/model.ckpt-3"
    made(folder).train(batches, steps=2)
    estimator = made(folder)
    assert estimator.get_variable_value("global_step") == 5
    assert estimator.get_variable_names() == ["b", "global_step", "w"]


def test_max_steps_counts_from_the_beginning(folder):
    estimator = made(folder)
    estimator.train(batches, max_steps=3).train(batches, max_steps=3).train(batches, max_steps=2)
    assert estimator.get_variable_value("global_step") == 3


def test_training_ends_with_the_input(folder):
    assert made(folder).train(lambda: batches(3)).get_variable_value("global_step") == 6


def test_state_file_has_relative_paths_and_keeps_so_many(folder):
    made(folder, save_checkpoints_steps=1, keep_checkpoint_max=2).train(batches, steps=4)
    assert tf.gfile.GFile(f"{folder}/checkpoint").read().splitlines() == [
        'model_checkpoint_path: "model.ckpt-4"', 'all_model_checkpoint_paths: "model.ckpt-3"',
        'all_model_checkpoint_paths: "model.ckpt-4"']


@pytest.mark.parametrize(("wrong", "told"), [({"steps": 0}, "steps > 0"), ({"max_steps": -1}, "max_steps > 0"),
                                             ({"steps": 1, "max_steps": 1}, "exclude each other")])
def test_wrong_steps(folder, wrong, told):
    with pytest.raises(ValueError, match=told):
        made(folder).train(batches, **wrong)


def test_hooks_and_listeners_are_checked(folder):
    with pytest.raises(TypeError, match="SessionRunHook"):
        made(folder).train(batches, hooks=[1])
    with pytest.raises(TypeError, match="CheckpointSaverListener"):
        made(folder).train(batches, saving_listeners=[1])
    with pytest.raises(ValueError, match="CheckpointSaverHook"):
        made(folder, save_checkpoints_secs=None).train(
            batches, steps=1, saving_listeners=[tf.train.CheckpointSaverListener()])


def test_all_hooks_take_part_and_the_graph_is_finalized(folder):
    seen = []

    class Hook(tf.train.SessionRunHook):
        def __init__(self, name):
            self.name = name

        def before_run(self, run_context):
            assert run_context.session.graph.finalized
            seen.append(self.name)

    def model_fn(features, labels, mode):
        return line(features, labels, mode)._replace(training_hooks=[Hook("all")], training_chief_hooks=[Hook("chief")])

    tf.estimator.Estimator(model_fn, folder).train(batches, steps=1, hooks=[Hook("mine")])
    assert seen == ["chief", "mine", "all"]


def test_listeners_hear_of_checkpoints(folder):
    heard = []

    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            heard.append(int(global_step_value))

    made(folder, save_checkpoints_steps=2).train(batches, steps=5, saving_listeners=[Listener()])
    assert heard == [0, 2, 4, 5]


def test_a_restored_model_is_not_initialized_again(folder):
    called = []

    def model_fn(features, labels, mode):
        spec = line(features, labels, mode)
        init_op = tf.group(tf.global_variables_initializer(), tf.py_func(lambda: called.append("op"), [], []))
        local_init = tf.group(tf.local_variables_initializer(), tf.py_func(lambda: called.append("local"), [], []))
        return spec._replace(scaffold=tf.train.Scaffold(
            init_op=init_op, init_fn=lambda *_: called.append("fn"), local_init_op=local_init))

    estimator = tf.estimator.Estimator(model_fn, folder)
    estimator.train(batches, steps=1)
    assert called == ["op", "fn", "local"]
    estimator.train(batches, steps=1)
    assert called == ["op", "fn", "local", "local"]


# ---- what model and input functions are called with


def test_functions_get_what_they_declare(folder):
    got = {}

    def input_fn(mode, params, config):
        got["input"] = (mode, params, config.tf_random_seed)
        return batches()

    def model_fn(config, params, mode, labels, features):
        got["model"] = (mode, params, config.tf_random_seed, tf.get_default_graph().seed)
        return line(features, labels, mode)

    made(folder, model_fn, {"a": 1}, tf_random_seed=7).train(input_fn, steps=1)
    assert got == {"input": ("train", {"a": 1}, 7), "model": ("train", {"a": 1}, 7, 7)}


@pytest.mark.parametrize(("result", "told"), [((1, 2, 3), "len 2 tuple"), (({"x": X}, X), "does not take labels")])
def test_wrong_inputs(folder, result, told):
    with pytest.raises(ValueError, match=told):
        tf.estimator.Estimator(lambda features: None, folder).train(lambda: result, steps=1)


@pytest.mark.parametrize(("model_fn", "params", "told"), [
    (None, None, "must be a function"), (lambda labels: None, None, "features"),
    (lambda features: None, {"a": 1}, "params"), (lambda features, other: None, None, "other"),
])
def test_wrong_model_functions(folder, model_fn, params, told):
    with pytest.raises(ValueError, match=told):
        tf.estimator.Estimator(model_fn, folder, params=params)


def test_model_functions_of_other_kinds(folder):
    class Model:
        def __call__(self, features, labels, mode):
            return line(features, labels, mode)

    for model_fn in (Model(), functools.partial(line, params={"rate": 0.1}), Model().__call__):
        tf.estimator.Estimator(model_fn, folder).train(batches, steps=1)
    with pytest.raises(ValueError, match="EstimatorSpec"):
        tf.estimator.Estimator(lambda features, labels: 1, folder).train(batches, steps=1)


def test_public_model_fn_binds_params(folder):
    estimator = made(folder, params={"start": 3.0})
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.create_global_step()
        spec = estimator.model_fn({"x": tf.constant([[1.0]])}, None, "infer", estimator.config)
        session.run(tf.global_variables_initializer())
        assert session.run(spec.predictions["y"]) == 3.0


def test_subclasses_do_not_override(folder):
    class Mine(tf.estimator.Estimator):
        def predict(self):
            return None

    with pytest.raises(ValueError, match="cannot override.*predict"):
        Mine(line, folder)


def test_libraries_put_their_own_check_in_the_place_of_that(folder, monkeypatch):
    class Allowed(tf.estimator.Estimator):
        _assert_members_are_not_overridden = staticmethod(lambda self: None)

        def predict(self):
            return 1

    class Mine(tf.estimator.Estimator):
        def predict(self):
            return 2

    assert Allowed(line, folder).predict() == 1
    monkeypatch.setattr(tf.estimator.Estimator, "_assert_members_are_not_overridden", staticmethod(lambda self: None))
    assert Mine(line, folder).predict() == 2


def test_directories(folder, tmp_path):
    with pytest.raises(ValueError, match="different values"):
        tf.estimator.Estimator(line, folder, tf.estimator.RunConfig(model_dir=str(tmp_path)))
    with pytest.raises(ValueError, match="instance of `RunConfig`"):
        tf.estimator.Estimator(line, config="no")
    assert tf.estimator.Estimator(line, tmp_path).model_dir == str(tmp_path)
    assert made(folder).eval_dir("other") == f"{folder}/eval_other"
    with pytest.raises(ValueError, match="not find trained model"):
        made(folder).get_variable_names()


# ---- evaluation


def test_evaluation_gives_means_over_batches_and_writes_them(folder):
    estimator = made(folder, params={"start": 2.0, "rate": 1e-9}).train(batches, steps=1)
    results = estimator.evaluate(lambda: batches(1), name="held")
    assert results == {"loss": pytest.approx(1.0), "mae": pytest.approx(1.0), "global_step": 1}
    (path,) = tf.gfile.Glob(f"{folder}/eval_held/events*")
    values = {value.tag: value for event in tf.train.summary_iterator(path) for value in event.summary.value}
    assert values["mae"].simple_value == pytest.approx(1.0)
    assert values["checkpoint_path"].tensor.string_val[0].decode() == f"{folder}/model.ckpt-1"


def test_evaluation_of_so_many_batches(folder):
    estimator = made(folder, params={"start": 0.0})
    assert estimator.evaluate(batches, steps=1)["mae"] == pytest.approx(np.mean(2 * X[:4] + 1))
    with pytest.raises(ValueError, match="steps > 0"):
        estimator.evaluate(batches, steps=0)


def test_evaluation_of_an_older_checkpoint(folder):
    made(folder, save_checkpoints_steps=1).train(batches, steps=3)
    assert made(folder).evaluate(batches, 1, checkpoint_path=f"{folder}/model.ckpt-1")["global_step"] == 1


@pytest.mark.parametrize("name", ["loss", "global_step"])
def test_metrics_with_reserved_names(folder, name):
    def model_fn(features, labels, mode):
        return line(features, labels, mode)._replace(eval_metric_ops={name: tf.metrics.mean(features["x"])})

    with pytest.raises(ValueError, match="not allowed"):
        tf.estimator.Estimator(model_fn, folder).evaluate(batches, 1)


# ---- prediction


def test_predictions(folder):
    estimator = made(folder, params={"start": 3.0})
    found = list(estimator.predict(lambda: batches(1)))
    assert [float(each["twice"][0]) for each in found] == (6.0 * X[:, 0]).tolist()
    only = list(estimator.predict(lambda: batches(1), predict_keys=["y"], yield_single_examples=False))
    assert [batch["y"].shape for batch in only] == [(4, 1), (4, 1)] and set(only[0]) == {"y"}
    with pytest.raises(ValueError, match="at least one output"):
        next(estimator.predict(batches, predict_keys=["z"]))


def test_predictions_leave_the_default_graph_alone(folder):
    graph = tf.get_default_graph()
    for _ in made(folder).predict(lambda: batches(1)):
        assert tf.get_default_graph() is graph
    unfinished = made(folder).predict(batches)
    next(unfinished)
    unfinished.close()
    assert tf.get_default_graph() is graph


def test_predictions_of_different_lengths(folder):
    def model_fn(features):
        return tf.estimator.EstimatorSpec("infer", predictions={"a": tf.zeros([2]), "b": tf.zeros([3])})

    with pytest.raises(ValueError, match="Batch length"):
        next(tf.estimator.Estimator(model_fn, folder).predict(lambda: {"x": tf.constant([1.0])}))
