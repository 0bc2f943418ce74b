"""Asks real TensorFlow for the numbers of the cases: `python -m tests.random.record`, with TensorFlow installed.

One thread, because TensorFlow hands out the random words of Multinomial and ParameterizedTruncatedNormal by thread.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import tensorflow.compat.v1 as tf

from tests.random.cases import CASES
from tests.random.goldens import write

ONE_THREAD = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)


def record(case):
    """What the op gives in consecutive runs of one session."""
    with tf.Graph().as_default(), tf.Session(config=ONE_THREAD) as session:
        output = getattr(tf.raw_ops, case.op)(**case.arguments)
        return np.stack([session.run(output) for _ in range(case.runs)])


if __name__ == "__main__":
    tf.disable_v2_behavior()
    write({name: record(case) for name, case in CASES.items()})
