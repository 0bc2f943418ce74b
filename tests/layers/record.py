"""Records what TensorFlow's layers do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.layers.record     writes tests/goldens/layers.npz and layers.json
"""

from tests.harness.judge import tf
from tests.harness.recorded import write
from tests.layers.programs import PROGRAMS, SAME_NODES, recorded


def record(name):
    nodes, texts, values = recorded(tf, name)
    return values, [texts, nodes if name in SAME_NODES else []]


if __name__ == "__main__":
    write("layers", {name: record(name) for name in PROGRAMS})
