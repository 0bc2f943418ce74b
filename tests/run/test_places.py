"""Stages on several devices: the programs of tests/run/two_devices.py, on devices of JAX's and on a shared one."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

import evergraph as tf
from evergraph.compile import policy
from tests.run import two_devices

pytestmark = pytest.mark.cpus  # which are the best devices there


DEVICES = {"shared": "", "apart": "--xla_force_host_platform_device_count=3"}  # of JAX's, for the CPUs of sessions


@pytest.fixture(scope="module")
def outcomes():
    running = {name: subprocess.Popen([sys.executable, "-m", "tests.run.two_devices"], text=True,
                                      stdout=subprocess.PIPE, env=os.environ | {"XLA_FLAGS": flags})
               for name, flags in DEVICES.items()}
    return {name: json.loads(each.communicate()[0].splitlines()[-1]) for name, each in running.items()}


@pytest.mark.parametrize("name", list(two_devices.programs()))
@pytest.mark.parametrize("devices", DEVICES)
def test_two_devices(name, devices, outcomes):
    assert outcomes[devices][name] == ""


LATE = """
import evergraph as tf
from evergraph.compile import backend

x = tf.placeholder(tf.float32, [])
tf.Session(tier="xla").run(x + 1.0, {x: 1.0})
config = tf.ConfigProto(device_count={"CPU": 2})
with tf.device("/cpu:1"):
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    y = x + w
session = tf.Session(config=config, tier="xla")
session.run(w.initializer)
print(len(session.list_devices()), session.run(y, {x: 2.0}))
print(len(backend.jax().devices()), session._store.get_all(["w"])[0]._committed)
[cpu] = tf.config.experimental.list_physical_devices("CPU")
part = tf.config.experimental.VirtualDeviceConfiguration()
tf.config.experimental.set_virtual_device_configuration(cpu, [part, part, part])
print(len(tf.config.experimental.list_physical_devices("CPU")))
print(len(tf.config.experimental.list_logical_devices("CPU")), len(tf.Session().list_devices()))
"""


def test_cpus_may_be_asked_for_at_any_time_and_share_a_device_of_xla():
    done = subprocess.run([sys.executable, "-c", LATE], text=True, capture_output=True, check=True)
    assert done.stdout.split() == ["2", "3.0", "1", "False", "1", "3", "3"]


def test_what_writes_variables_of_compiled_stages_is_compiled_with_them(monkeypatch):
    """Their programs would otherwise take a copy of each variable in each step."""
    monkeypatch.setattr(policy, "CPU", replace(policy.CPU, load=0, flop=1.0, compile=50_000, start=0))
    monkeypatch.setattr(policy, "CPU_WITHOUT_C", policy.CPU)
    config, losses = tf.ConfigProto(device_count={"CPU": 2}), []
    for number in range(2):
        with tf.device(f"/cpu:{number}"):
            w = tf.get_variable(f"w_{number}", [64, 64], initializer=tf.ones_initializer(), use_resource=True)
            loss = tf.reduce_sum(tf.tanh(tf.matmul(w, w)))
            losses.append((w, tf.gradients(loss, w)[0]))
    mean = tf.add_n([gradient for _, gradient in losses])
    updates = []
    for number, (w, _) in enumerate(losses):
        with tf.device(f"/cpu:{number}"):
            updates.append(tf.assign_sub(w, 0.1 * mean))
    with tf.Session(config=config) as session:
        session.run(tf.global_variables_initializer())
        runners = session._find(updates, ())[0].plan.runners
        for _ in range(10):
            session.run(updates)
            compiled = [runner.leaves_interpreter for runner in runners]
            assert all(compiled) or not any(compiled)
    assert all(compiled) and len(runners) == 4
