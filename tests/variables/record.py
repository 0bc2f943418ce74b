"""Records the graphs that TensorFlow makes of the programs. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.variables.record     writes tests/goldens/variable_graphs.json and initializers.npz
"""

import json
import os
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow.compat.v1 as tf

from tests.variables.initializers import INITIALIZERS, started
from tests.variables.programs import PROGRAMS, nodes

GOLDENS = Path(__file__).parents[1] / "goldens"


def main():
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    lines = [f"{json.dumps(name)}: {json.dumps(nodes(tf, function))}" for name, function in PROGRAMS.items()]
    (GOLDENS / "variable_graphs.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    np.savez_compressed(GOLDENS / "initializers.npz", **{name: started(tf, name) for name in INITIALIZERS})


if __name__ == "__main__":
    main()
