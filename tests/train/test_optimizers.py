"""Every optimizer does what TensorFlow's does: losses, variables, slots, names."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.recorded import numbers, texts
from tests.train import programs

ARRAYS, TEXTS = numbers("optimizers"), texts("optimizers")


@pytest.fixture(scope="module")
def results():
    """What each program gave, run once for all tests."""
    cache = {}
    def of(case):
        if case not in cache:
            cache[case] = programs.trained(tf, *case)
        return cache[case]
    return of


@pytest.mark.parametrize("case", programs.CASES, ids=lambda case: programs.key(*case))
def test_numbers(results, case):
    values, slots, _ = results(case)
    key = programs.key(*case)
    assert slots == TEXTS[key]["slots"]
    assert {f"{key}|{name}" for name in values} == {name for name in ARRAYS if name.startswith(f"{key}|")}
    for name, value in values.items():
        golden = ARRAYS[f"{key}|{name}"]
        assert value.dtype == golden.dtype
        np.testing.assert_allclose(value, golden, rtol=1e-5, atol=1e-5, err_msg=name)


# TensorFlow 1.15 has one more Identity behind a lookup in a resource variable than the version that was recorded, and
# the two name what comes with the gradients differently.
LOOKUP = "Gather"


def hidden(name):
    return name.startswith(("gradients/", LOOKUP)) or name == "Identity"


def comparable(nodes):
    shown = [node for node in nodes if not hidden(node[0])]
    return [[name, kind, ["..." if hidden(i) else i for i in inputs]] for name, kind, inputs in shown]


SAME_GRAPH = [case for case in programs.CASES if not case[0].startswith("Ftrl")]


@pytest.mark.parametrize("case", SAME_GRAPH, ids=lambda case: programs.key(*case))
def test_graph(results, case):
    _, _, nodes = results(case)
    assert comparable(nodes) == comparable(TEXTS[programs.key(*case)]["nodes"])


def test_graph_of_ftrl(results):
    """The recorded version has a further hyperparameter, so the names of 1.15 are written out here."""
    names = [name for name, _, _ in results(("Ftrl", "dense", False))[2]]
    start = names.index("Const_3")
    slot = lambda name: [name, f"{name}/Assign", f"{name}/read"]
    assert names[start:] == [
        "Const_3", *slot("layer/w/Ftrl"), "layer/w/Ftrl_1/Initializer/zeros", *slot("layer/w/Ftrl_1"),
        "Const_4", *slot("layer/b/Ftrl"), "layer/b/Ftrl_1/Initializer/zeros", *slot("layer/b/Ftrl_1"),
        *(f"Ftrl/{number}" for number in ("learning_rate", "l1_regularization_strength", "l2_regularization_strength",
                                          "l2_shrinkage_regularization_strength", "learning_rate_power")),
        "Ftrl/update_layer/w/ApplyFtrl", "Ftrl/update_layer/b/ApplyFtrl", "Ftrl/update", "Ftrl/value", "Ftrl"]
