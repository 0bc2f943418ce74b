"""float64 stays float64, also in the first operation of a process."""

import subprocess
import sys

PROGRAM = """
import math
import evergraph as tf
with tf.Session(tier="numpy") as session:
    value = session.run(tf.erf(tf.constant(0.3, tf.float64)))
assert abs(value - math.erf(0.3)) < 1e-15, value
"""


def test_kernels_of_jax_on_the_numpy_tier():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
