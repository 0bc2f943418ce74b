"""Clusters whose processes show each other a token, or certificates."""

import shutil
import socket
import subprocess
import time

import pytest

import evergraph as tf
from evergraph.cluster import links
from tests.cluster.processes import tasks

NAMES = "EVERGRAPH_TOKEN", "EVERGRAPH_TLS_CERT", "EVERGRAPH_TLS_KEY", "EVERGRAPH_TLS_CA", "EVERGRAPH_SOCKETS"


@pytest.fixture
def files(tmp_path):
    """A certificate of localhost, signed by itself, and its key."""
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out",
                    "cert.pem", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1"], cwd=tmp_path, check=True, capture_output=True)
    cert = str(tmp_path / "cert.pem")
    return {"EVERGRAPH_TLS_CERT": cert, "EVERGRAPH_TLS_KEY": str(tmp_path / "key.pem"), "EVERGRAPH_TLS_CA": cert}


def set_to(monkeypatch, environment):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)


def trained(target):
    """What a session of a worker's server gets of a variable on the ps after two steps."""
    with tf.Graph().as_default(), tf.device("/job:ps/task:0"):
        v = tf.get_variable("v", initializer=1.0)
        with tf.device("/job:worker/task:0"):
            change = v * 2.0
        step = v.assign_add(change)
        with tf.Session(target, config=tf.ConfigProto(operation_timeout_in_ms=20_000)) as session:
            session.run(v.initializer)
            session.run(step)
            return session.run(step)


def refused(target, kind):
    with tf.Graph().as_default(), pytest.raises(kind):
        with tf.Session(target, config=tf.ConfigProto(operation_timeout_in_ms=1500)) as session:
            session.run(tf.constant(1.0))


@pytest.mark.parametrize("sockets", ["", "tcp"])
def test_a_token(monkeypatch, sockets):
    set_to(monkeypatch, {"EVERGRAPH_TOKEN": "secret", "EVERGRAPH_SOCKETS": sockets})
    with tasks(ps=1, worker=1) as (cluster, _):
        target = f"grpc://{cluster['worker'][0]}"
        assert trained(target) == 9.0
        for wrong in ({}, {"EVERGRAPH_TOKEN": "secreT"}):
            set_to(monkeypatch, wrong)
            refused(target, tf.errors.UnauthenticatedError)


def test_links_of_strangers_are_closed(monkeypatch):
    set_to(monkeypatch, {"EVERGRAPH_TOKEN": "secret"})
    door = links.Doorway("127.0.0.1", 0)
    address = f"localhost:{door.port}"
    friend = links.opened(address, {"from": 1})
    found = door.accepted(5)
    assert [hello for _, hello in found] == [{"from": 1}]
    set_to(monkeypatch, {"EVERGRAPH_TOKEN": "guess"})
    stranger = links.opened(address, {"from": 1})
    set_to(monkeypatch, {"EVERGRAPH_TOKEN": "secret"})
    assert door.accepted(5) == []
    stranger.settimeout(5)
    assert stranger.recv(1) == b""
    for link in (stranger, friend, *(link for link, _ in found)):
        link.close()
    door.close()


@pytest.mark.parametrize("sockets", ["", "tcp"])
def test_certificates(monkeypatch, files, sockets):
    """Between machines, which `tcp` plays, steps go by gRPC: links have no TLS, and nobody listens for them."""
    set_to(monkeypatch, {**files, "EVERGRAPH_SOCKETS": sockets})
    with tasks(ps=1, worker=1) as (cluster, _):
        target = f"grpc://{cluster['worker'][0]}"
        assert trained(target) == 9.0
        for wrong in ({}, {"EVERGRAPH_TLS_CA": files["EVERGRAPH_TLS_CA"]}):  # as a client without a certificate
            set_to(monkeypatch, wrong)
            refused(target, (tf.errors.UnavailableError, tf.errors.DeadlineExceededError))


def test_links_to_other_machines_have_no_tls(monkeypatch, files):
    set_to(monkeypatch, files)
    door = links.Doorway("127.0.0.1", 0)
    with pytest.raises(OSError), socket.create_connection(("127.0.0.1", door.port), timeout=5):
        time.sleep(0)
    with pytest.raises(tf.errors.UnimplementedError, match="TLS"):
        links.opened("192.0.2.9:1", {})
    door.close()


def test_a_server_without_a_certificate(monkeypatch, files):
    set_to(monkeypatch, {"EVERGRAPH_TLS_CA": files["EVERGRAPH_TLS_CA"]})
    with pytest.raises(tf.errors.InvalidArgumentError, match="EVERGRAPH_TLS_CERT"):
        tf.train.Server.create_local_server()
