"""Records what TensorFlow's datasets give. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.datasets.record     writes tests/goldens/datasets.json
"""

import pathlib
import tempfile

from tests.datasets import programs
from tests.harness.judge import tf
from tests.harness.recorded import write_texts


def record(name):
    make = programs.PROGRAMS[name]

    def plain(library, folder):
        # Later versions join shuffle and repeat, which gives another order than TensorFlow 1.15 had.
        options = tf.data.Options()
        options.experimental_optimization.apply_default_optimizations = False
        return make(library, folder).with_options(options)

    programs.PROGRAMS[name] = plain
    with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
        return programs.drawn(tf, name, pathlib.Path(folder))


if __name__ == "__main__":
    write_texts("datasets", {name: record(name) for name in list(programs.PROGRAMS)})
