"""Records what TensorFlow's metrics do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.metrics.record     writes tests/goldens/metrics.npz and metrics.json
"""

import json
import os
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow.compat.v1 as tf

from tests.metrics.programs import CASES, recorded

GOLDENS = Path(__file__).parents[1] / "goldens"


def main():
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    arrays, lines = {}, []
    for name, case in CASES.items():
        nodes, variables, results = recorded(tf, case)
        arrays |= {f"{name}|{number}": result for number, result in enumerate(results)}
        lines.append(f"{json.dumps(name)}: {json.dumps([variables, nodes if case.compare_nodes else []])}")
    np.savez_compressed(GOLDENS / "metrics.npz", **arrays)
    (GOLDENS / "metrics.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
