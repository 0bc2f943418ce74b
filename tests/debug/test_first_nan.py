"""`evergraph run --first-nan` and `evergraph profile`: what they find out about a program that they do not change."""

import subprocess
import sys

import pytest

import evergraph as tf
from evergraph.debug.first_nan import FirstNan
from evergraph.debug.where_time_goes import WhereTimeGoes


def test_the_first_node_that_makes_a_nan(session, capsys):
    x = tf.placeholder(tf.float32, [2], name="x")
    mask = tf.constant([float("-inf"), 0.0], name="mask")
    hidden = tf.add(x, 1.0, name="hidden")
    total = tf.reduce_sum(tf.log(hidden, name="logs") + mask, name="total")
    with FirstNan():
        assert session.run(total, {x: [0.0, 1.0]}) == float("-inf")  # which the mask is, and no node has made
        with pytest.raises(SystemExit):
            session.run(total, {x: [-3.0, 1.0]})
    said = capsys.readouterr().err
    assert "run 2: logs (Log)" in said and "test_first_nan.py" in said and "gives logs:0: float32 [2], 1 of 2" in said
    assert "takes hidden:0: float32 [2], from -2 to 2" in said
    assert session.run(hidden, {x: [1.0, 1.0]}).tolist() == [2, 2]


def test_variables_keep_their_values_while_one_looks(session):
    v = tf.Variable(1.0)
    with FirstNan():
        session.run(v.initializer)
        assert session.run(tf.assign_add(v, 2.0)) == 3.0
    assert session.run(v) == 3.0


def test_where_the_time_goes(session):
    v = tf.Variable(tf.ones([50, 50]), name="v")
    step = tf.assign(v, tf.matmul(v, v, name="product") / 50.0)
    measured = WhereTimeGoes()
    with measured:
        session.run(v.initializer)
        for _ in range(7):
            session.run(step.op)
    lines = list(measured.report())
    assert "8 runs of 2 lists of fetches" in lines[0] and "planning" in lines[2] and "mean of 2 traced runs" in lines[5]
    assert any("product (MatMul)" in line for line in lines) and any("test_first_nan.py" in line for line in lines)
    seconds = [float(line.split()[0]) for line in lines[1:5]]
    assert sum(seconds) == pytest.approx(float(lines[0].split()[0]), abs=0.03)
    quick = WhereTimeGoes()
    with quick:
        session.run(step.op)
    assert list(quick.report())[-1].startswith("no list of fetches")


@pytest.mark.parametrize(("words", "wanted"), [
    (["run", "--first-nan"], "is the first node that makes an inf or NaN"),
    (["profile"], "1 runs of 1 lists of fetches")])
def test_the_commands(words, wanted):
    code = "import tensorflow as tf; tf.Session().run(tf.log(tf.placeholder_with_default(-1.0, []) * 2.0))"
    done = subprocess.run([sys.executable, "-m", "evergraph", *words, "-c", code], capture_output=True, text=True)
    assert wanted in done.stderr, done.stderr
