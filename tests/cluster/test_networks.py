"""What tasks of two machines do when the network between them is cut."""

import contextlib
import json
import time

import pytest

from tests.cluster import networks
from tests.cluster.networks import HOSTS, Network

pytestmark = pytest.mark.skipif(not networks.can_be_made(), reason="this process may not make network namespaces")

RING = """
import sys, time
import numpy as np
import evergraph as tf
from evergraph.cluster.ring import Group

group = Group(int(sys.argv[1]), sys.argv[2].split(","), silence=2, gathering=60)
for _ in range(2):
    try:
        while True:
            assert group.all_reduce([np.ones(300_000, np.float32)])[0].sum() == 600_000
            print("sum", flush=True)
            time.sleep(0.05)
    except tf.errors.UnavailableError as error:
        print("raised", time.monotonic(), error.message, flush=True)
"""


def test_members_of_a_ring_lose_each_other_and_meet_again():
    addresses = ",".join(f"{host}:2222" for host in HOSTS)
    with Network() as network, contextlib.ExitStack() as stack:
        members = [stack.enter_context(network.process(side, ["-c", RING, str(side), addresses])) for side in (0, 1)]
        for member in members:
            member.wait_for("sum")
        network.cut()
        cut = time.monotonic()
        for member, other in zip(members, reversed(HOSTS)):
            line = member.wait_for("raised", timeout=30)
            assert other in line and float(line.split()[1]) - cut < 10
        seen = [len(member.lines) for member in members]
        network.mend()
        for member, after in zip(members, seen):
            member.wait_for("sum", after)


def test_a_parameter_server_is_cut_off_and_comes_back(tmp_path):
    """The worker goes on with the values that the server still has."""
    cluster = {"ps": [f"{HOSTS[0]}:2222"], "worker": [f"{HOSTS[1]}:2222"]}
    words = [json.dumps(cluster), str(tmp_path), "100000"]
    with Network() as network, contextlib.ExitStack() as stack:
        stack.enter_context(network.process(0, ["-m", "tests.cluster.training", "ps", "0", *words]))
        worker = stack.enter_context(network.process(1, ["-m", "tests.cluster.training", "worker", "0", *words]))
        worker.wait_for("step 20 ")
        network.cut()
        time.sleep(1)
        last, seen = worker.text.splitlines()[-1], len(worker.lines)
        time.sleep(4)
        assert len(worker.lines) == seen  # it stands still
        network.mend()
        line = worker.wait_for("step ", seen)
        assert int(line.split()[1]) > int(last.split()[1])
