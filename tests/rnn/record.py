"""Records what TensorFlow's recurrent networks do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.rnn.record     writes tests/goldens/rnn.npz and rnn.json
"""

from tests.harness.judge import tf
from tests.harness.recorded import write
from tests.rnn.programs import PROGRAMS, recorded


def record(function):
    variables, results, values = recorded(tf, function)
    return values, [variables, results]


if __name__ == "__main__":
    write("rnn", {name: record(function) for name, function in PROGRAMS.items()})
