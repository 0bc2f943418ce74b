"""The examples learn what they say, as they do in TensorFlow, and their saved graphs go on where they stopped."""

import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import evergraph as tf
from evergraph.cli.plots.scalars import lines_of

EXAMPLES = Path(__file__).parents[2] / "examples"


class Program(NamedTuple):
    """What an example reaches at least.

    Where TensorFlow's run of the same program does not hang on the last digits of its numbers, `loss` is TensorFlow's.
    """

    name: str
    score: float
    loss: float
    is_tensorflows: bool = True

    def check(self, score, loss):
        assert score >= self.score
        if self.is_tensorflows:
            assert loss == pytest.approx(self.loss, rel=0.05)
        else:
            assert loss <= self.loss


PROGRAMS = [
    Program("mlp", score=0.98, loss=0.02916),
    Program("autoencoder", score=0.98, loss=0.0015095),
    Program("word2vec", score=0.9, loss=2.6182),
    Program("char_lstm", score=0.95, loss=0.11326),
    Program("bidirectional_rnn", score=0.95, loss=0.09623),
    Program("transformer", score=0.97, loss=0.07, is_tensorflows=False),  # TensorFlow: 0.055
    Program("lenet", score=0.98, loss=0.02218),
    Program("gan", score=0.7, loss=1.2, is_tensorflows=False),
    Program("seq2seq", score=0.95, loss=0.05, is_tensorflows=False),
]


@pytest.fixture(autouse=True)
def _examples_import(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))


def main_of(name):
    return importlib.import_module(name).main


def restored(path):
    """A session on the graph and the variables that were saved."""
    session = tf.Session(graph=tf.Graph())
    with session.graph.as_default():
        tf.train.import_meta_graph(path + ".meta").restore(session, path)
    return session


def nodes_of(graph):
    """The nodes of the MetaGraph, by name; their order is free where there are loops."""
    return {node.name: node for node in tf.train.export_meta_graph(graph=graph).graph_def.node}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_learns_and_survives_its_meta_graph(program, graph, tmp_path):
    score, loss, feeds = main_of(program.name)(str(tmp_path / "model"))
    program.check(score, loss)

    with restored(str(tmp_path / "model")) as session:
        assert session.run("loss:0", feeds) == pytest.approx(loss, rel=1e-5)
        if program.name == "seq2seq":  # its score is that of a beam search, another loop over the same variables
            assert session.run("accuracy:0", feeds) == pytest.approx(score)
        session.run(session.graph.get_collection(tf.GraphKeys.TRAIN_OP), feeds)
        after = session.run("loss:0", feeds)
        assert np.isfinite(after) and after != loss
        assert after < max(2 * loss, 0.1)  # a loss that is almost zero may double in a step
        assert nodes_of(session.graph) == nodes_of(graph)


def test_a_keras_model_learns_digits():
    loss, accuracy = main_of("keras_digits")()
    assert accuracy > 0.95 and loss < 0.2


def test_training_stops_and_resumes(tmp_path):
    resume = main_of("resume")
    score, loss, feeds, steps = resume(str(tmp_path))
    assert steps == 100
    assert loss == pytest.approx(0.28758, rel=0.05)

    with restored(tf.train.latest_checkpoint(str(tmp_path))) as session:
        assert session.run(["loss:0", "global_step:0"], feeds) == [pytest.approx(loss, rel=1e-5), 100]

    with tf.Graph().as_default():
        better, lower, _, steps = resume(str(tmp_path))
    assert steps == 200
    assert better > 0.95 > score
    assert lower < loss / 2
    # The rate of a step is that of the count before it.
    assert written_rates(tmp_path) == pytest.approx({25: 0.2, 50: 0.2, 75: 0.16, 100: 0.16, 125: 0.128, 150: 0.128,
                                                     175: 0.1024, 200: 0.1024})


def written_rates(directory):
    """The learning rates in the event files of a directory, by step."""
    return {event.step: value.simple_value for path in sorted(directory.glob("events.*"))
            for event in tf.train.summary_iterator(str(path)) for value in event.summary.value
            if value.tag == "learning_rate"}


def test_an_estimator_learns_iris_is_exported_and_served(tmp_path):
    """The demonstration: a program that imports tensorflow, in a process of its own."""
    done = subprocess.run([sys.executable, "-m", "evergraph", "run", str(EXAMPLES / "iris.py"), "--steps=300",
                           f"--model_dir={tmp_path}"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *guesses, served, last = done.stdout.splitlines()
    assert [guess.split()[0] for guess in guesses] == ["setosa", "versicolor", "virginica"]
    assert served == "served: setosa versicolor virginica"
    assert float(re.fullmatch(r"accuracy (\S+) after 300 steps, in .*", last).group(1)) > 0.93
    assert "INFO:tensorflow:Saving dict for global step 300" in done.stderr
    assert set(lines_of([str(tmp_path)])) >= {"loss", "accuracy"}  # what `evergraph plot` draws
