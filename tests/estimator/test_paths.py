"""Where programs import estimators from, and what stands over tf.estimator in contrib."""
import subprocess
import sys

import pytest

import evergraph as tf
from tests.estimator.models import batches, line, serving

PROGRAM = """
import evergraph.as_tensorflow
import tensorflow as tf
from tensorflow_estimator.python.estimator import estimator, model_fn as model_fn_lib
from tensorflow_estimator.python.estimator.mode_keys import ModeKeys
from tensorflow_estimator.python.estimator.export import export_lib
from tensorflow.python.estimator import estimator as older
from tensorflow.python.estimator.run_config import RunConfig, TaskType
from tensorflow.contrib.learn import learn_runner
from tensorflow.contrib.estimator.python.estimator import early_stopping
assert estimator.Estimator is older.Estimator is tf.estimator.Estimator
assert model_fn_lib.EstimatorSpec is tf.estimator.EstimatorSpec and ModeKeys is tf.estimator.ModeKeys
assert export_lib.ServingInputReceiver is tf.estimator.export.ServingInputReceiver
assert RunConfig is tf.estimator.RunConfig and TaskType.CHIEF == "chief"
assert early_stopping.stop_if_lower_hook is tf.contrib.estimator.stop_if_lower_hook
"""


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "model")


def test_paths_inside_tensorflow():
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)


def test_predictor_from_an_estimator(folder):
    estimator = tf.estimator.Estimator(line, folder, params={"start": 3.0, "rate": 1e-9}).train(batches, steps=1)
    predict = tf.contrib.predictor.from_estimator(estimator, serving)
    assert predict({"x": [[2.0]]})["twice"] == pytest.approx(12.0)
    with pytest.raises(KeyError, match="other"):
        tf.contrib.predictor.from_estimator(estimator, serving, output_key="other")
    with pytest.raises(TypeError, match="Estimator"):
        tf.contrib.predictor.from_estimator(1, serving)


def test_an_experiment(folder):
    def experiment_fn(run_config, hparams):
        estimator = tf.estimator.Estimator(line, config=run_config, params=hparams)
        return tf.contrib.learn.Experiment(estimator, batches, lambda: batches(1), train_steps=3, eval_steps=None)

    config = tf.contrib.learn.RunConfig(model_dir=folder, save_checkpoints_steps=2, num_cores=1)
    assert config.tf_config.intra_op_parallelism_threads == 1
    hparams = tf.contrib.training.HParams()
    metrics, _ = tf.contrib.learn.learn_runner.run(experiment_fn, run_config=config, hparams=hparams)
    assert metrics["global_step"] == 3
    assert tf.contrib.learn.learn_runner.run(
        experiment_fn, run_config=config, hparams=hparams, schedule="evaluate")["global_step"] == 3
    with pytest.raises(ValueError, match="`output_dir` or `run_config`"):
        tf.contrib.learn.learn_runner.run(experiment_fn)
    with pytest.raises(ValueError, match="eval_metrics"):
        tf.contrib.learn.Experiment(tf.estimator.Estimator(line, folder), batches, batches, eval_metrics={})


def test_a_model_on_one_device(folder):
    def model_fn(features, labels, mode):
        spec = line(features, labels, mode)
        if mode != tf.estimator.ModeKeys.TRAIN:
            return spec
        optimizer = tf.contrib.estimator.TowerOptimizer(tf.train.GradientDescentOptimizer(0.01))
        return spec._replace(train_op=optimizer.minimize(spec.loss, tf.train.get_global_step()))

    estimator = tf.estimator.Estimator(tf.contrib.estimator.replicate_model_fn(model_fn), folder)
    assert estimator.train(batches, steps=2).get_variable_value("w") > 0.0
    with pytest.raises(tf.errors.UnimplementedError, match="several devices"):
        tf.contrib.estimator.replicate_model_fn(model_fn, devices=["/gpu:0", "/gpu:1"])
    with pytest.raises(ValueError, match="reduced"):
        tf.contrib.estimator.replicate_model_fn(model_fn, loss_reduction=tf.losses.Reduction.NONE)
