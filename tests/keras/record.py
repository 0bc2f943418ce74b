"""Records what tf.keras' layers do in TensorFlow. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.keras.record     writes tests/goldens/keras.npz and keras.json
"""

import json
import os
import warnings
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow.compat.v1 as tf

from tests.keras.backend_programs import EXPRESSIONS
from tests.keras.backend_programs import values as values_of
from tests.keras.programs import PROGRAMS, recorded

GOLDENS = Path(__file__).parents[1] / "goldens"


def main():
    warnings.simplefilter("ignore")
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    arrays, lines = {}, []
    for name in PROGRAMS:
        texts, values = recorded(tf, name)
        arrays |= {f"{name}|{number}": value for number, value in enumerate(values)}
        lines.append(f"{json.dumps(name)}: {json.dumps(texts)}")
    for name in EXPRESSIONS:
        arrays |= {f"{name}|{number}": value for number, value in enumerate(values_of(tf, name))}
    np.savez_compressed(GOLDENS / "keras.npz", **arrays)
    (GOLDENS / "keras.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
