"""Asks real TensorFlow what the programs give with eager execution: `python -m tests.eager.record`."""

from tests.eager.programs import PROGRAMS
from tests.harness.judge import tf
from tests.harness.recorded import keyed, write_numbers

if __name__ == "__main__":
    tf.enable_eager_execution()
    arrays = {}
    for name, build in PROGRAMS.items():
        tf.set_random_seed(1)
        values = [value.numpy() if hasattr(value, "numpy") else value for value in build(tf)]
        arrays |= keyed(name, values)
    write_numbers("eager_programs", arrays)
