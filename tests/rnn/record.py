"""Records what TensorFlow's recurrent networks do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.rnn.record     writes tests/goldens/rnn.npz and rnn.json
"""

import json
import os
import warnings
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow.compat.v1 as tf

from tests.rnn.programs import PROGRAMS, recorded

GOLDENS = Path(__file__).parents[1] / "goldens"


def main():
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    warnings.simplefilter("ignore")
    arrays, lines = {}, []
    for name, function in PROGRAMS.items():
        variables, results, values = recorded(tf, function)
        arrays |= {f"{name}|{number}": value for number, value in enumerate(values)}
        lines.append(f"{json.dumps(name)}: {json.dumps([variables, results])}")
    np.savez_compressed(GOLDENS / "rnn.npz", **arrays)
    (GOLDENS / "rnn.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
