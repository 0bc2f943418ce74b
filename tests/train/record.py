"""Records what TensorFlow's optimizers do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.train.record     writes tests/goldens/optimizers.npz, optimizers.json and schedules.npz
"""

import json
import os
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow.compat.v1 as tf

from tests.train import programs, schedules

GOLDENS = Path(__file__).parents[1] / "goldens"


def main():
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    arrays, texts = {}, {}
    for case in programs.CASES:
        values, slots, nodes = programs.trained(tf, *case)
        arrays |= {f"{programs.key(*case)}|{name}": value for name, value in values.items()}
        texts[programs.key(*case)] = {"slots": slots, "nodes": nodes}
    np.savez_compressed(GOLDENS / "optimizers.npz", **arrays)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(text)}" for name, text in texts.items())
    (GOLDENS / "optimizers.json").write_text(f"{{\n{lines}\n}}\n")
    rates = {name: schedules.computed(tf, make) for name, make in schedules.SCHEDULES.items()}
    np.savez_compressed(GOLDENS / "schedules.npz", **rates)


if __name__ == "__main__":
    main()
