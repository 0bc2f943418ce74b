"""Records what TensorFlow does. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.sparse.record     writes tests/goldens/sparse_programs.npz and sparse_programs.json
"""

import json
import os
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow.compat.v1 as tf

from tests.sparse.programs import PROGRAMS, VALUES_ONLY, recorded

GOLDENS = Path(__file__).parents[1] / "goldens"


def main():
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    arrays, lines = {}, []
    for name, build in PROGRAMS.items():
        nodes, values = recorded(tf, build)
        arrays |= {f"{name}|{number}": value for number, value in enumerate(values)}
        lines.append(f"{json.dumps(name)}: {json.dumps([] if name in VALUES_ONLY else nodes)}")
    np.savez_compressed(GOLDENS / "sparse_programs.npz", **arrays)
    (GOLDENS / "sparse_programs.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
