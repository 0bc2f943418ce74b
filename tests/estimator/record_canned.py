"""Records what TensorFlow's canned models do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.estimator.record_canned     writes tests/goldens/canned.npz
"""

import tempfile

from tests.estimator.canned_programs import PROGRAMS, trained
from tests.harness.judge import tf
from tests.harness.recorded import write_numbers


def record(name):
    with tempfile.TemporaryDirectory() as folder:
        return trained(tf, name, folder)


if __name__ == "__main__":
    write_numbers("canned", {f"{name}|{key}": value for name in PROGRAMS for key, value in record(name).items()})
