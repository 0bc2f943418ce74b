"""A save streams: it takes little memory beside the variables, however large they are; a restore copies nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import evergraph as tf

PROGRAM = """
import gc, re, sys
import numpy as np
import evergraph as tf

SIZE = 160 << 20

def status(key):
    return int(re.search(key + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024

def grown_by(action):
    gc.collect()
    before = status("VmRSS")
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak starts anew
    action()
    return (status("VmHWM") - before) / SIZE

v = tf.get_variable("v", [SIZE // 4], initializer=tf.ones_initializer())
small = tf.get_variable("small", [10], initializer=tf.zeros_initializer())
saver, prefix = tf.train.Saver(), sys.argv[1]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    saver.save(session, prefix + "-small", write_meta_graph=False)  # loads what any save needs
    print(grown_by(lambda: saver.save(session, prefix, write_meta_graph=False)))
    saver.restore(session, prefix)
    print(grown_by(lambda: saver.restore(session, prefix)))
    assert session.run(v[7]) == 1
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="the system does not tell of peaks")
def test_saves_do_not_double_memory(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path / "model")], capture_output=True, text=True,
                          env=environment)  # fmt: skip
    assert done.returncode == 0, done.stderr
    saving, restoring = map(float, done.stdout.split())
    assert saving < 0.2
    assert restoring < 1.2  # the value that was read becomes that of the variable; the old one is still there


def test_restored_values_belong_to_their_variables(tmp_path):
    """One value read for two variables, and fetched as well, is three arrays in the end."""
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=tf.ones([70_000]))
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
        (value,) = tf.raw_ops.RestoreV2(prefix=path, tensor_names=["v"], shape_and_slices=[""], dtypes=[tf.float32])
        w = tf.get_variable("w", shape=[70_000])
        both = tf.group(tf.assign(v, value), tf.assign(w, value))
        session.run(both)
        session.run(tf.scatter_update(v, [3], [5.0]))
        _, fetched = session.run([tf.assign(w, value).op, value])
        if fetched.flags.writeable:
            fetched[:] = 7
        for _ in range(3):
            session.run(v.assign_add(v))
            assert session.run(w).min() == session.run(w).max() == 1
        assert session.run(v[3]) == 40 and session.run(v[4]) == 8
