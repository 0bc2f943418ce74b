"""What `ModelCheckpoint` saved last loads, however training ended; `make kills` ends it at many moments."""
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import evergraph as tf
from tests.keras.endless import small

KILLS = int(os.environ.get("EVERGRAPH_KILLS", "1"))


def _ended(folder, how, seconds):
    """Trains in another process, which it sends a signal some time after the first epoch."""
    child = subprocess.Popen([sys.executable, "-m", "tests.keras.endless", folder], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
    try:
        assert child.stdout.readline() == b"epoch\n"
        time.sleep(seconds)
        child.send_signal(how)
        child.communicate(timeout=60)
        assert child.returncode in (-how, 130 if how == signal.SIGINT else -how)
    finally:
        child.kill()
        child.stdout.close()
        child.wait()


@pytest.mark.parametrize("number", range(KILLS))
def test_the_last_files_load(tmp_path, number):
    folder, chance = str(tmp_path), random.Random(number)
    _ended(folder, (signal.SIGKILL, signal.SIGINT)[number % 2], chance.uniform(0.0, 0.2))
    whole = tf.keras.models.load_model(f"{folder}/model.h5")
    steps = int(tf.keras.backend.get_value(whole.optimizer.iterations))
    assert steps >= 2 and steps % 2 == 0  # that of the end of an epoch
    weights = small()
    weights.load_weights(f"{folder}/weights").assert_existing_objects_matched()
    for model in (whole, weights):
        before = model.get_weights()[0]
        assert np.isfinite(model.train_on_batch(np.ones([64, 8]), np.ones([64, 1])))
        assert not np.array_equal(model.get_weights()[0], before)
