"""TensorFlow's client drives our server, and our sessions drive TensorFlow's: the same results, the same errors."""

import subprocess

import numpy as np
import pytest

import evergraph as tf
from tests.cluster import wire_programs
from tests.interop.judge import PYTHON, ask

SERVER = """
import sys
import tensorflow.compat.v1 as tf
server = tf.train.Server.create_local_server()
print(server.target, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def theirs():
    """The target of a server of TensorFlow's."""
    with subprocess.Popen([PYTHON, "-c", SERVER], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def all_outcomes(tf, targets):
    from tests.cluster.wire_programs import outcomes

    tf.disable_resource_variables()
    return [outcomes(tf, target) for target in targets]


@pytest.fixture(scope="module")
def as_client(theirs, tmp_path_factory):
    """What TensorFlow's client gets, of TensorFlow's server and of ours."""
    ours = tf.train.Server.create_local_server()
    return ask(all_outcomes, tmp_path_factory.mktemp("client"), targets=[theirs, ours.target])


@pytest.fixture(scope="module")
def as_server(theirs):
    """What our client gets of TensorFlow's server."""
    return wire_programs.outcomes(tf, theirs)


@pytest.mark.parametrize("program", [program.__name__ for program in wire_programs.PROGRAMS])
def test_tensorflows_client(as_client, program):
    assert_alike(as_client[1][program], as_client[0][program])


@pytest.mark.parametrize("program", [program.__name__ for program in wire_programs.PROGRAMS])
def test_tensorflows_server(as_client, as_server, program):
    assert_alike(as_server[program], as_client[0][program])


def assert_alike(found, wanted):
    if isinstance(wanted, list):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted):
            assert_alike(one, other)
    elif isinstance(wanted, (float, np.floating, np.ndarray)):
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)
    else:
        assert found == wanted
