"""tf.train.basic_train_loop."""

import contextlib

import pytest

import evergraph as tf


class Supervisor:
    """What the loop asks of a supervisor."""

    def __init__(self, steps):
        self.steps, self.sessions = steps, 0

    @contextlib.contextmanager
    def managed_session(self, master):
        self.sessions += 1
        yield f"session {self.sessions} of {master}"

    def should_stop(self):
        return self.steps <= 0


def test_until_stop():
    supervisor, calls = Supervisor(3), []

    def step(*args, **kwargs):
        supervisor.steps -= 1
        calls.append((args, kwargs))

    tf.train.basic_train_loop(supervisor, step, ("x",), {"y": 1}, master="here")
    assert calls == [(("session 1 of here", "x"), {"y": 1})] * 3


def test_a_lost_worker_means_a_new_session():
    supervisor = Supervisor(3)

    def step(session):
        supervisor.steps -= 1
        if supervisor.steps == 1:
            raise tf.errors.AbortedError(None, None, "lost")

    tf.train.basic_train_loop(supervisor, step)
    assert supervisor.sessions == 2


def test_other_errors_end_it():
    with pytest.raises(KeyError):
        tf.train.basic_train_loop(Supervisor(1), lambda session: {}["missing"])
