"""Ops in `tf.device` blocks run where these say: what tensors tell is what TensorFlow 2.15's tell on three CPUs."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.cpus

HEAD = """
import evergraph as tf

tf.enable_eager_execution(tf.ConfigProto(device_count={"CPU": 3}))
x = tf.constant([1.0])
with tf.device("/cpu:1"):
    y, z, v, rows = tf.constant([2.0]), x + 1.0, tf.Variable([3.0]), tf.range(3)

@tf.function
def up(a):
    return a + 1.0
"""

CASES = {
    "x": (0, "[1.0]"),
    "y": (1, "[2.0]"),
    "z": (1, "[2.0]"),
    "rows": (1, "[0, 1, 2]"),
    "y * 2.0": (0, "[4.0]"),
    "y.cpu()": (0, "[2.0]"),
    "tf.identity(y)": (0, "[2.0]"),
    "v": (1, "[3.0]"),
    "v.read_value()": (0, "[3.0]"),
    "v.assign_add([1.0])": (1, "[4.0]"),
    "up(y)": (0, "[3.0]"),
    "inside('/cpu:2', lambda: up(y))": (2, "[3.0]"),
    "inside('/job:localhost/replica:0/task:0/device:CPU:2', lambda: x)": (0, "[1.0]"),
    "inside('/device:CPU:2', lambda: -x)": (2, "[-1.0]"),
    "inside('/device:CPU:*', lambda: -x)": (0, "[-1.0]"),
    "inside('/cpu:1', lambda: inside('/cpu:2', lambda: x + y))": (2, "[3.0]"),
    "inside('/cpu:1', lambda: inside(None, lambda: x + y))": (0, "[3.0]"),
}

BODY = """
def inside(name, make):
    with tf.device(name):
        return make()

for text in CASES:
    found = eval(text)
    assert found.device == getattr(found, "backing_device", found.device)
    print(text, found.device.rpartition("CPU:")[2], found.numpy().tolist())

with tf.GradientTape() as tape:
    tape.watch(x)
    with tf.device("/cpu:1"):
        w = x * x
print(w.device[-5:], tape.gradient(w, x).numpy().tolist())
for name in ("/gpu:0", "/cpu:3"):
    for soft in (False, True):
        tf.config.set_soft_device_placement(soft)
        try:
            print(name, inside(name, lambda: x + 1.0).device[-5:])
        except tf.errors.InvalidArgumentError as error:
            print(name, "there are" in error.message)
"""


def test_devices():
    program = f"CASES = {list(CASES)}\n{HEAD}{BODY}"
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=True)
    *lines, tape, hard_gpu, soft_gpu, hard_cpu, soft_cpu = done.stdout.splitlines()
    assert lines == [f"{text} {number} {value}" for text, (number, value) in CASES.items()]
    assert tape == "CPU:1 [2.0]"
    assert (hard_gpu, hard_cpu) == ("/gpu:0 True", "/cpu:3 True")
    assert (soft_gpu, soft_cpu) == ("/gpu:0 CPU:0", "/cpu:3 CPU:0")
