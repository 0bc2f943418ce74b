"""Records what TensorFlow does. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.sparse.record     writes tests/goldens/sparse_programs.npz and sparse_programs.json
"""

from tests.harness.judge import tf
from tests.harness.recorded import write
from tests.sparse.programs import PROGRAMS, VALUES_ONLY, recorded


def record(name):
    nodes, values = recorded(tf, PROGRAMS[name])
    return values, [] if name in VALUES_ONLY else nodes


if __name__ == "__main__":
    write("sparse_programs", {name: record(name) for name in PROGRAMS})
