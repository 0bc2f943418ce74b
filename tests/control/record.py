"""Records what TensorFlow makes of the programs. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.control.record     writes tests/goldens/control.npz and control.json
"""

import numpy as np

from tests.control.failures import FAILURES
from tests.control.programs import PROGRAMS
from tests.harness.judge import tf
from tests.harness.recorded import keyed, write_numbers, write_texts


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
    arrays, facts = {}, {}
    for name, program in PROGRAMS.items():
        facts[name], values = recorded(program)
        arrays |= keyed(name, [np.asarray(v, dtype="S" if isinstance(v, bytes) else None) for v in values])
    facts["failures"] = {name: failing(build) for name, build in FAILURES.items()}
    write_numbers("control", arrays)
    write_texts("control", facts)


if __name__ == "__main__":
    main()
