"""Training that was killed goes on at its last checkpoint; `make kills` kills it at many moments."""
import os
import random
import signal

import pytest

import evergraph as tf
from tests.estimator.models import batches, line
from tests.harness.endless import ended

KILLS = int(os.environ.get("EVERGRAPH_KILLS", "2"))


@pytest.mark.parametrize("number", range(KILLS))
def test_training_goes_on_after_a_kill(tmp_path, number):
    folder, chance = str(tmp_path), random.Random(number)
    how = (signal.SIGKILL, signal.SIGTERM)[number % 2]
    assert ended("tests.estimator.endless", folder, how, chance.uniform(0.0, 0.3)) == -how
    path = tf.train.latest_checkpoint(folder)
    step = int(tf.train.load_variable(folder, "global_step"))
    assert path == f"{folder}/model.ckpt-{step}"
    seen = [event.step for name in tf.gfile.Glob(f"{folder}/events*") for event in tf.train.summary_iterator(name)]
    assert max(seen) >= step - 2  # what was written before the checkpoint can be read
    estimator = tf.estimator.Estimator(line, folder, params={})
    assert estimator.train(batches, steps=3).get_variable_value("global_step") == step + 3
