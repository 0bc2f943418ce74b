"""Stages on several devices: see tests/run/two_devices.py, whose programs one process with three CPUs runs."""

import json
import subprocess
import sys

import pytest

from tests.run import two_devices

pytestmark = pytest.mark.cpus  # which are the best devices there


@pytest.fixture(scope="module")
def outcomes():
    done = subprocess.run([sys.executable, "-m", "tests.run.two_devices"], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", list(two_devices.programs()))
def test_two_devices(name, outcomes):
    assert outcomes[name] == ""


LATE = """
import numpy as np
import evergraph as tf
from evergraph.run.devices import session_devices

x = tf.placeholder(tf.float32, [])
tf.Session(tier="xla").run(x + 1.0, {x: 1.0})
config = tf.ConfigProto(device_count={"CPU": 2})
print(len(tf.Session(config=config).list_devices()))
with tf.device("/cpu:1"):
    y = x + 2.0
try:
    tf.Session(config=config).run(y, {x: 1.0})
except tf.errors.InvalidArgumentError as error:
    print("before" in error.message)
config.allow_soft_placement = True
print(tf.Session(config=config).run(y, {x: 1.0}))
try:
    [cpu] = tf.config.experimental.list_physical_devices("CPU")
    part = tf.config.experimental.VirtualDeviceConfiguration()
    tf.config.experimental.set_virtual_device_configuration(cpu, [part, part])
except RuntimeError as error:
    print("XLA has started" in str(error))
"""


def test_xla_has_started_with_one_cpu():
    done = subprocess.run([sys.executable, "-c", LATE], text=True, capture_output=True, check=True)
    assert done.stdout.split() == ["1", "True", "3.0", "True"]


VIRTUAL = """
import evergraph as tf

[cpu] = tf.config.experimental.list_physical_devices("CPU")
part = tf.config.experimental.VirtualDeviceConfiguration()
tf.config.experimental.set_virtual_device_configuration(cpu, [part, part])
print(len(tf.config.experimental.list_physical_devices("CPU")))
print(len(tf.config.experimental.list_logical_devices("CPU")))
with tf.device("/cpu:1"):
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
session = tf.Session(tier="xla")
session.run(w.initializer)
print(session.run(tf.assign_add(w, [1.0, 2.0])).sum())
print(*[device.id for device in session._store.get_all(["w"])[0].devices()])
"""


def test_virtual_devices():
    done = subprocess.run([sys.executable, "-c", VIRTUAL], text=True, capture_output=True, check=True)
    assert done.stdout.split() == ["1", "2", "5.0", "1"]


ONE = """
import os
import evergraph as tf
from evergraph.compile import backend

with tf.device("/cpu:0"):
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
session = tf.Session(tier="xla")
session.run(w.initializer)
session.run(tf.assign_add(w, [1.0, 2.0]))
value, = session._store.get_all(["w"])
print(len(backend.jax().devices()), "device_count" in os.environ["XLA_FLAGS"], value._committed)
"""


def test_a_process_that_asks_for_one_cpu_has_one():
    done = subprocess.run([sys.executable, "-c", ONE], text=True, capture_output=True, check=True)
    assert done.stdout.split() == ["1", "False", "False"]
