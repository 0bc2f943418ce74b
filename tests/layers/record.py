"""Records what TensorFlow's layers do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.layers.record     writes tests/goldens/layers.npz and layers.json
"""

import json
import os
import warnings
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow.compat.v1 as tf

from tests.layers.programs import PROGRAMS, SAME_NODES, recorded

GOLDENS = Path(__file__).parents[1] / "goldens"


def main():
    warnings.simplefilter("ignore")
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    arrays, lines = {}, []
    for name in PROGRAMS:
        nodes, texts, values = recorded(tf, name)
        arrays |= {f"{name}|{number}": value for number, value in enumerate(values)}
        lines.append(f"{json.dumps(name)}: {json.dumps([texts, nodes if name in SAME_NODES else []])}")
    np.savez_compressed(GOLDENS / "layers.npz", **arrays)
    (GOLDENS / "layers.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
