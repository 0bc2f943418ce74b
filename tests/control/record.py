"""Records what TensorFlow makes of the programs. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.control.record     writes tests/goldens/control.npz and control.json
"""

import json
import os
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow.compat.v1 as tf

from tests.control.programs import FAILURES, PROGRAMS

GOLDENS = Path(__file__).parents[1] / "goldens"


def recorded(program):
    """([name and static shape of each fetch], values of all steps)."""
    with tf.Graph().as_default() as graph, tf.Session(graph=graph) as session:
        fetches, feeds = program.build(tf)
        session.run(tf.global_variables_initializer())
        values = [v for _ in range(program.steps) for v in session.run(fetches, feeds)]
        shapes = [None if f.shape.ndims is None else f.shape.as_list() for f in fetches]
        return [[f.name, s] for f, s in zip(fetches, shapes)], values


def failing(build):
    with tf.Graph().as_default():
        try:
            build(tf)
        except Exception as error:
            return type(error).__name__
    return None


def main():
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    arrays, facts = {}, {}
    for name, program in PROGRAMS.items():
        facts[name], values = recorded(program)
        arrays |= {f"{name}|{number}": np.asarray(v, dtype=None if not isinstance(v, bytes) else "S")
                   for number, v in enumerate(values)}
    facts["failures"] = {name: failing(build) for name, build in FAILURES.items()}
    np.savez_compressed(GOLDENS / "control.npz", **arrays)
    lines = [f"{json.dumps(name)}: {json.dumps(fact)}" for name, fact in facts.items()]
    (GOLDENS / "control.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
