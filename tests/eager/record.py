"""Asks real TensorFlow what the programs give with eager execution: `python -m tests.eager.record`."""

from tests.eager import more_programs  # noqa: F401 - adds to PROGRAMS
from tests.eager.programs import PROGRAMS
from tests.eager.traces import all_counts
from tests.harness.judge import tf
from tests.harness.recorded import keyed, write_numbers, write_texts

if __name__ == "__main__":
    tf.enable_eager_execution()
    arrays = {}
    for name, build in PROGRAMS.items():
        tf.set_random_seed(1)
        values = [value.numpy() if hasattr(value, "numpy") else value for value in build(tf)]
        arrays |= keyed(name, values)
    write_numbers("eager_programs", arrays)
    write_texts("eager_traces", all_counts(tf))
