"""First and second derivatives of every case by each output and input alone: TensorFlow's, and missing where its are.

The suite takes a sample of the cases, `EVERGRAPH_SECOND=all` all of them.
"""

import functools
import gzip
import json
import os
import zlib

import pytest

import evergraph as tf
from tests.harness import families
from tests.harness.checks import apply_op
from tests.harness.goldens import FOLDER
from tests.harness.second import derivatives, difference

EVERYTHING = os.environ.get("EVERGRAPH_SECOND") == "all"
ONE_IN = 12

# Where TensorFlow's are no numbers, or no derivatives.
EXCEPTIONS = {
    "segment": "TensorFlow divides by the number of rows of segments without rows, and by zeros of products",
    "circulant_complex": "TensorFlow differentiates conjugates in two ways, by the op that divides by them",
    "BesselI1e": "TensorFlow's slope of the slope at 0 is NaN",
    "second_derivative": "sums of numbers that cancel",
    "LinSpace": "TensorFlow 2 differentiates tf.linspace, not the op",
}


@functools.cache
def recorded():
    return json.loads(gzip.decompress((FOLDER / "second.json.gz").read_bytes()))


def _cases():
    for family, records in recorded().items():
        cases = families.load(family)
        for name, wanted in records.items():
            if EVERYTHING or zlib.crc32(f"{name} second".encode()) % ONE_IN == 0:
                yield pytest.param(family, cases.get(name), wanted, id=f"{family}-{name}")


@pytest.mark.parametrize("family, case, wanted", [*_cases()])
def test_derivatives(family, case, wanted):
    assert case is not None, f"the case is gone: run `.venv-tf/bin/python -m tests.record_second {family}`"
    found = derivatives(tf, apply_op, lambda graph: tf.Session(graph=graph, tier="numpy"), case)
    told = difference(found, wanted)
    if told and family not in EXCEPTIONS and case.op not in EXCEPTIONS:
        pytest.fail(f"{case}\n{told}", pytrace=False)


def test_a_missing_derivative_is_told():
    assert "is None" in difference({"0,0": None}, {"0,0": ["float32", 1.0, 0.0, 1.0]})
    assert "TensorFlow has None" in difference({"0,0": ["float32", 0.0, 0.0, 0.0]}, {"0,0": None})
    assert difference({"0,0": None}, {"0,0": "lacks"}) is None
