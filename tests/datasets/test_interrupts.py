"""An interrupt at any moment leaves an iterator between two elements, whatever makes them."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from tests.datasets.interrupted import TRANSFORMATIONS

ROOT = pathlib.Path(__file__).parent.parent.parent
MOMENTS = int(os.environ.get("EVERGRAPH_INTERRUPTS", "6"))  # of each transformation


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    done = subprocess.run(
        [sys.executable, "-m", "tests.datasets.interrupted", "7", str(MOMENTS), str(tmp_path_factory.mktemp("files"))],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        timeout=600 + 60 * MOMENTS)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_an_interrupted_iterator_goes_on_with_the_next_element(name, faults):
    assert faults[name] is None
