"""What goes wrong while an estimator works is told as it is."""
import os

import pytest

import evergraph as tf
from tests.estimator.models import batches, line


class Mine(Exception):
    """An error of the user's own."""


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "model")


def made(folder, model_fn=line, **config):
    return tf.estimator.Estimator(model_fn, config=tf.estimator.RunConfig(model_dir=folder, **config))


def fail(*_, **__):
    raise Mine("told as it is")


class Hook(tf.train.SessionRunHook):
    def __init__(self, method):
        setattr(self, method, fail)


class Listener(tf.train.CheckpointSaverListener):
    def __init__(self, method):
        setattr(self, method, fail)


@pytest.mark.parametrize("method", ["begin", "after_create_session", "before_run", "after_run", "end"])
def test_an_error_in_a_hook(folder, method):
    with pytest.raises(Mine, match="^told as it is$"):
        made(folder).train(batches, steps=1, hooks=[Hook(method)])


@pytest.mark.parametrize("method", ["begin", "before_save", "after_save", "end"])
def test_an_error_in_a_listener(folder, method):
    with pytest.raises(Mine, match="^told as it is$"):
        made(folder).train(batches, steps=1, saving_listeners=[Listener(method)])


def test_an_error_in_input_or_model_function(folder):
    for run in (lambda: made(folder).train(fail), lambda: made(folder).evaluate(fail),
                lambda: next(made(folder).predict(fail))):
        with pytest.raises(Mine, match="^told as it is$"):
            run()
    with pytest.raises(Mine, match="^told as it is$"):
        made(folder, lambda features, labels: fail()).train(batches)


def test_an_error_keeps_the_last_checkpoint(folder):
    class Late(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            if run_context.session.run(tf.train.get_global_step()) == 3:
                fail()

    with pytest.raises(Mine):
        made(folder, save_checkpoints_steps=2).train(batches, hooks=[Late()])
    assert made(folder).get_variable_value("global_step") == 2


def test_a_loss_that_is_not_a_number(folder):
    def model_fn(features, labels, mode):
        spec = line(features, labels, mode)
        return spec._replace(loss=spec.loss * float("nan"))

    with pytest.raises(tf.train.NanLossDuringTrainingError):
        made(folder, model_fn).train(batches, steps=5)


def _truncate(path):
    with open(path, "r+b") as file:
        file.truncate(5)


@pytest.mark.parametrize("damage", [_truncate, os.remove])
@pytest.mark.parametrize("name", ["data-00000-of-00001", "index"])
def test_a_damaged_checkpoint_is_named_with_what_to_do(folder, damage, name):
    made(folder, save_checkpoints_steps=1).train(batches, steps=2)
    damage(f"{folder}/model.ckpt-2.{name}")
    with pytest.raises((tf.errors.OpError, ValueError)) as caught:
        made(folder).train(batches, steps=1)
    assert f"{folder}/model.ckpt-2 is damaged or incomplete" in str(caught.value)
    assert "model.ckpt-0, model.ckpt-1" in str(caught.value)


def test_another_model_does_not_fit_the_checkpoint(folder):
    made(folder).train(batches, steps=1)

    def model_fn(features, labels, mode):
        with tf.variable_scope("inner"):
            return line(features, labels, mode)

    with pytest.raises(tf.errors.NotFoundError, match="a mismatch between graph and checkpoint"):
        made(folder, model_fn).train(batches, steps=1)


def test_an_empty_input_makes_no_steps(folder, caplog):
    made(folder).train(lambda: batches().take(0))
    assert "took no step" in caplog.text
