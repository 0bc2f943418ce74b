"""Variables, their initializers, readers and updates stand in the graph under TensorFlow's names."""

import pytest

import evergraph as tf
from tests.harness.recorded import texts
from tests.variables.programs import PROGRAMS, nodes

GOLDENS = texts("variable_graphs")


def as_in_1_15(node):
    """What the recorded version names otherwise than 1.15: Add in random initializers, the shape of ones_like."""
    name, op, inputs, device, beside = node
    if op == "AddV2" and "Initializer/" in name:
        op = "Add"
    rename = lambda text: text.replace("ones_like/Shape/shape_as_tensor", "ones_like/Shape")
    return [rename(name), op, [rename(i) for i in inputs], device, beside]


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_nodes(name):
    assert nodes(tf, PROGRAMS[name]) == [as_in_1_15(node) for node in GOLDENS[name]]
