"""tf.contrib.specs: networks from expressions."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.specs.vocabulary import LAYERS, PARAMETERS
from tests.harness.session import interpreted as evaluated

specs = tf.contrib.specs.python
X = np.random.RandomState(3).rand(2, 8, 8, 3).astype(np.float32)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_layers_one_behind_the_other():
    net = specs.create_net("c_ = Cr([3, 3]); net = (c_(4) | Mp([2, 2])) ** depth | Flat | Fm(5)", X, {"depth": 2})
    found = evaluated(net)
    assert found.shape == (2, 5)
    np.testing.assert_allclose(found.sum(1), 1, rtol=1e-5)
    assert len(tf.trainable_variables()) == 6


def test_arguments_by_position_and_name():
    pool = LAYERS["Mp"](_1=2)([4, 4])
    assert pool.funcall(tf.constant(X)).shape == (2, 3, 3, 3)
    with pytest.raises(ValueError, match="_1 has no arguments before it"):
        LAYERS["Mp"](_1=2).funcall(tf.constant(X))
    with pytest.raises(ValueError, match="at least once"):
        LAYERS["Relu"] ** 0


def test_sums_shares_and_variables():
    x = tf.constant(X[:, 0, 0])
    both = specs.create_net("net = Id + Id(name='second')", x)
    np.testing.assert_allclose(evaluated(both), 2 * X[:, 0, 0])
    specs.create_net("f = Shared(Fr(3)); net = f | f | f", x)
    assert len(tf.trainable_variables()) == 2
    with_bias = specs.create_net("net = Conc(1, Id, Var('b', shape=[2, 1], initializer=ones)) | Relu", x,
                                 {"ones": tf.ones_initializer()})
    np.testing.assert_allclose(evaluated(with_bias)[:, 3], 1)
    imported = specs.create_net("net = Import('import numpy; f = lambda x: x * 3') | External('builtins', 'abs')", -x)
    np.testing.assert_allclose(evaluated(imported), 3 * X[:, 0, 0], rtol=1e-6)


def test_words_in_a_block():
    with specs.ops:
        net = Relu | Tanh  # noqa: F821
    assert "Relu" not in globals()
    np.testing.assert_allclose(evaluated(net.funcall(tf.constant([-1.0, 1.0]))), [0, np.tanh(1)], rtol=1e-6)


def test_other_statements():
    for text in ("import re; net = Relu", "net = (lambda x: x)"):
        with pytest.raises(ValueError, match="assignments"):
            specs.create_net(text, X)
    with pytest.raises(ValueError, match="names its network"):
        specs.create_net("other = Relu", X)


def test_parameters():
    found = specs.eval_params("a = Ui(2, 2); b = Lf(1, 100); c = Nt(0.0, 1.0); d = Li(5, 5); e = Uf(0, 1)")
    assert (found["a"], found["d"]) == (2, 5)
    assert 1 <= found["b"] <= 100 and abs(found["c"]) <= 3 and 0 <= found["e"] <= 1
    assert set(PARAMETERS) == {"Uf", "Ui", "Lf", "Li", "Nt"}


def test_summaries(capsys):
    assert specs.summaries.tf_spec_structure("net = Fs(2) + Fr(2)", input_shape=[1, 3]) == (
        "_ variablev2 dot variablev2 biasadd sig <> variablev2 dot variablev2 biasadd relu add")
    specs.summaries.tf_spec_summary("net = Cr(100, [3, 3]) | Flat | Fs(10)", input_shape=[17, 28, 28, 1])
    rows = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()]
    assert ["1000", "Conv", "[17, 28, 28, 100]"] in rows and ["784010", "fully_connected", "[17, 10]"] in rows
    specs.summaries.tf_spec_print("debug(); net = Relu; debug(False)", tf.constant(X))
    assert "Relu" in capsys.readouterr().out
    assert not tf.trainable_variables()
