"""Random ops give TensorFlow's numbers, run after run, on both tiers."""

import numpy as np
import pytest

import evergraph.ops.math.random  # noqa: F401 - declares the ops
from evergraph.graph.graph import Graph
from evergraph.graph.registry import REGISTRY
from evergraph.run.session import Session
from tests.random import goldens
from tests.random.cases import CASES

GOLDENS = goldens.read()
EXACT = 0
CLOSE = 3  # units in the last place: normal numbers go through log, sin and cos; 2 on CPUs
# These go through several more functions.
TOLERANCE = {"float16": 2e-3, "float32": 2e-6, "float64": 1e-13}
LONG_WAY = ("RandomGamma", "ParameterizedTruncatedNormal")


def run(case, tier):
    """What the case gives in consecutive runs of one session."""
    with Graph().as_default() as graph:
        output = REGISTRY[case.op](**case.arguments)
        with Session(graph=graph, tier=tier) as session:
            values = np.stack([session.run(output) for _ in range(case.runs)])
        assert output.shape.as_list() == list(values.shape[1:])
    return values


def steps_apart(a, b):
    """The largest distance in units in the last place; of integers, the largest difference."""
    if a.dtype.kind == "f":
        a, b = (v.view(f"i{v.dtype.itemsize}").astype(object) for v in (a, b))
    return max(np.abs(a.astype(object) - b.astype(object)).ravel(), default=0)


def is_compiled(name):
    """Whether the case makes a program of its own: seeds are data, and bounded normal numbers are drawn on the host."""
    return "-seed" not in name and CASES[name].op != "ParameterizedTruncatedNormal"


@pytest.mark.parametrize(("name", "tier"), [(name, tier) for name in CASES for tier in ("numpy", "xla")
                                            if tier == "numpy" or is_compiled(name)])
def test_numbers(name, tier):
    case, wanted = CASES[name], GOLDENS[name]
    got = run(case, tier)
    if got.dtype.name == "bfloat16":
        got = got.view(np.uint16)
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
    if case.op in LONG_WAY:
        bound = TOLERANCE[got.dtype.name]
        np.testing.assert_allclose(got, wanted, rtol=bound, atol=bound)
    else:
        assert steps_apart(got, wanted) <= (CLOSE if "Normal" in case.op else EXACT)
