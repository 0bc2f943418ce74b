"""The line that shows how far training is."""

import io
import os
import pty
import subprocess
import sys

import pytest
from rich.console import Console

import evergraph as tf
from evergraph.estimator import progress
from tests.estimator.models import batches, line


@pytest.fixture
def console():
    return Console(file=io.StringIO(), force_terminal=True, width=120)


def test_the_line_in_full():
    assert progress.line(600, 1000, 0.25, steps=300, examples=9600, seconds=3.0) == (
        "training  ━━━━━━────  step 600 of 1,000  loss 0.25  100 steps/s  4 s left  3,200 examples/s")


@pytest.mark.parametrize("arguments, wanted", [
    (dict(step=1, last=None, loss=2.0, steps=0, examples=0, seconds=0.0), "training  step 1  loss 2"),
    (dict(step=9, last=None, loss=2.0, steps=8, examples=0, seconds=16.0), "training  step 9  loss 2  0.5 steps/s"),
    (dict(step=9, last=9, loss=1.0, steps=8, examples=0, seconds=4000.0, has_ended=True),
     "trained  step 9  loss 1  0.002 steps/s  in 1:06:40"),
])
def test_what_is_not_known_is_left_out(arguments, wanted):
    assert progress.line(**arguments) == wanted


def test_training_shows_it(monkeypatch, tmp_path, console):
    monkeypatch.setattr(progress, "is_wanted", lambda: True)
    monkeypatch.setattr(progress, "_console", lambda: console)
    estimator = tf.estimator.Estimator(line, str(tmp_path))
    estimator.train(batches, steps=5)
    estimator.evaluate(batches, steps=1)
    shown = console.file.getvalue()
    assert "step 1 of 5" in shown and "trained  step 5" in shown and "evaluated  step 5" in shown
    assert "examples/s" in shown
    assert shown.count("\x1b[?25h") == shown.count("\x1b[?25l")  # the cursor is back


def test_training_that_fails_gives_the_terminal_back(monkeypatch, tmp_path, console):
    class Failing(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            raise OSError("disk")

    monkeypatch.setattr(progress, "is_wanted", lambda: True)
    monkeypatch.setattr(progress, "_console", lambda: console)
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN", 0)
    output = sys.stdout
    with pytest.raises(OSError, match="disk"):
        tf.estimator.Estimator(line, str(tmp_path)).train(batches, hooks=[Failing()], steps=5)
    assert console.file.getvalue().count("\x1b[?25h") == console.file.getvalue().count("\x1b[?25l")
    assert sys.stdout is output


PROGRAM = """
import logging
import sys

import evergraph as tf
from evergraph.estimator import progress

def main(_):
    print(progress.is_wanted())
    progress.take_over()
    tf.get_logger().addHandler(logging.StreamHandler(sys.stdout))
    tf.logging.info("of the program")
    tf.train.CheckpointSaverHook("/nowhere", save_steps=1)
    tf.logging.set_verbosity(tf.logging.INFO)
    print(progress.is_wanted())

tf.app.run(main)
"""


def test_it_is_wanted_in_terminals_where_nobody_has_asked_for_log_lines():
    leader, follower = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "TF_CPP_MIN_LOG_LEVEL"}

    def said(stderr, **variables):
        found = subprocess.run([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=stderr, text=True,
                               env={**environment, "PYTHONUNBUFFERED": "1", **variables}, check=True)
        return found.stdout.splitlines()

    saving = "Create CheckpointSaverHook."
    assert said(follower) == ["True", "of the program", "False"]
    assert said(follower, TF_CPP_MIN_LOG_LEVEL="0") == ["False", "of the program", saving, "False"]
    assert said(subprocess.DEVNULL) == ["False", "of the program", saving, "False"]
    os.close(leader)
    os.close(follower)
