"""Records what TensorFlow's datasets give. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.datasets.record     writes tests/goldens/datasets.json
"""

import pathlib
import tempfile

from tests.datasets import programs
from tests.harness.judge import tf
from tests.harness.recorded import write_texts


def shuffle_and_repeat(buffer_size, count=None, seed=None):
    """As in TensorFlow 1.15, where all iterators begin with the same order. Epochs after the first differ since."""
    def apply(dataset):
        first, second = tf.get_seed(seed)
        variant = tf.raw_ops.ShuffleAndRepeatDataset(
            input_dataset=tf.data.experimental.to_variant(dataset), buffer_size=buffer_size, seed=first, seed2=second,
            count=-1 if count is None else count, output_types=[tf.data.get_output_types(dataset)],
            output_shapes=[tf.data.get_output_shapes(dataset)], reshuffle_each_iteration=False)
        return tf.data.experimental.from_variant(variant, tf.data.experimental.get_structure(dataset))
    return apply


tf.data.experimental.shuffle_and_repeat = shuffle_and_repeat


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
