"""Losses under MirroredStrategy on 1, 2 and 4 devices: TensorFlow's, of tests/distribute/models.py."""

import json
import subprocess
import sys

import numpy as np
import pytest

from tests.distribute.models import COUNTS, MODELS
from tests.distribute.record import FILE

pytestmark = pytest.mark.cpus


@pytest.fixture(scope="module")
def losses():
    done = subprocess.run([sys.executable, "-m", "tests.distribute.replicas"], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", MODELS)
def test_losses_are_those_of_tensorflow(name, count, losses):
    recorded = json.loads(FILE.read_text())[f"{name} {count}"]
    np.testing.assert_allclose(losses[f"{name} {count}"], recorded, atol=1e-4)
