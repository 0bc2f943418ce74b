"""Records what TensorFlow's feature columns do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.feature.record     writes tests/goldens/feature.npz and feature.json
"""

from tests.feature.programs import PROGRAMS, recorded
from tests.harness.judge import tf
from tests.harness.recorded import write


def record(name):
    texts, values = recorded(tf, name)
    return values, texts


if __name__ == "__main__":
    write("feature", {name: record(name) for name in PROGRAMS})
