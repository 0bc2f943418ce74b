"""What `ModelCheckpoint` saved last loads, however training ended; `make kills` ends it at many moments."""
import os
import random
import signal

import numpy as np
import pytest

import evergraph as tf
from tests.harness.endless import ended
from tests.keras.endless import small

KILLS = int(os.environ.get("EVERGRAPH_KILLS", "1"))


@pytest.mark.parametrize("number", range(KILLS))
def test_the_last_files_load(tmp_path, number):
    folder, chance = str(tmp_path), random.Random(number)
    how = (signal.SIGKILL, signal.SIGINT)[number % 2]
    status = ended("tests.keras.endless", folder, how, chance.uniform(0.0, 0.2))
    assert status == -how or (how, status) == (signal.SIGINT, 130)
    whole = tf.keras.models.load_model(f"{folder}/model.h5")
    steps = int(tf.keras.backend.get_value(whole.optimizer.iterations))
    assert steps >= 2 and steps % 2 == 0  # that of the end of an epoch
    weights = small()
    weights.load_weights(f"{folder}/weights").assert_existing_objects_matched()
    for model in (whole, weights):
        before = model.get_weights()[0]
        assert np.isfinite(model.train_on_batch(np.ones([64, 8]), np.ones([64, 1])))
        assert not np.array_equal(model.get_weights()[0], before)
