"""Records what TensorFlow's losses do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.losses.record     writes tests/goldens/losses.npz and losses.json
"""

from tests.harness.judge import tf
from tests.harness.recorded import write
from tests.losses.programs import PROGRAMS, VALUES_ONLY, recorded


def record(name):
    nodes, values, collected = recorded(tf, PROGRAMS[name])
    return values, [collected, [] if name in VALUES_ONLY else nodes]


if __name__ == "__main__":
    write("losses", {name: record(name) for name in PROGRAMS})
