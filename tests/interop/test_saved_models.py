"""SavedModels go both ways: each side loads what the other wrote, and the answers agree."""

from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from tests.interop.judge import ask
from tests.interop.models import WRITERS, ask_model, run_frozen, write_frozen, write_models

ROOT = str(Path(__file__).resolve().parents[2])
OBJECTS = ("module", "convolution", "recurrent", "words", "functions")


def tensorflow_writes(tf, root, where):
    import sys

    sys.path.insert(0, root)
    from tests.interop.models import write_estimator, write_frozen, write_models

    return (write_models(tf, where), write_estimator(tf, f"{where}/estimator"),
            write_frozen(tf, f"{where}/frozen.pb"))  # fmt: skip


def tensorflow_writes_objects(tf, root, where):
    import sys

    sys.path.insert(0, root)
    from tests.interop.models import write_objects

    return write_objects(tf, where)


def tensorflow_asks(tf, root, where, asked, value):
    """What TensorFlow's loader for sessions says to questions about evergraph's models, and to the frozen graph."""
    import sys

    sys.path.insert(0, root)
    from tests.interop.models import ask_model, run_frozen

    return ([ask_model(tf, f"{where}/{name}", tags, key, feeds) for name, tags, key, feeds in asked],
            run_frozen(tf, f"{where}/frozen.pb", value))  # fmt: skip


def tensorflow_asks_objects(tf, where, asked):
    """What TensorFlow 2's loader says; None for sparse inputs, which it does not take."""
    tf.enable_v2_behavior()
    import tensorflow as tf2

    found = []
    for name, tags, key, feeds in asked:
        if any(isinstance(value, tuple) for value in feeds.values()):
            found.append(None)
            continue
        function = tf2.saved_model.load(f"{where}/{name}", tags=tags).signatures[key]
        result = function(**{feed: tf2.constant(value) for feed, value in feeds.items()})
        found.append({output: value.numpy() for output, value in result.items()})
    return found


def check(found, wanted):
    if None in wanted:  # a model with one output, under a name of its own
        (value,), (only,) = wanted.values(), found.values()
        found, wanted = {None: only}, {None: value}
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        value = np.array(value, object) if isinstance(value, bytes) else value
        if value.dtype == object:
            assert np.asarray(found[name], object).tolist() == value.tolist()
        else:
            assert found[name].dtype == value.dtype
            np.testing.assert_allclose(found[name], value, rtol=1e-4, atol=1e-5)


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("theirs")
    return folder, *ask(tensorflow_writes, folder, root=ROOT, where=str(folder))


@pytest.mark.parametrize("name", WRITERS)
def test_evergraph_loads_tensorflows(theirs, name):
    folder, asked, *_ = theirs
    for tags, key, feeds, wanted in asked[name]:
        check(ask_model(tf, f"{folder}/{name}", tags, key, feeds), wanted)


def test_evergraph_loads_an_estimators(theirs):
    path, asked = theirs[2]
    for tags, key, feeds, wanted in asked:
        check(ask_model(tf, path, tags, key, feeds), wanted)


def test_evergraph_runs_a_frozen_graph(theirs):
    value, wanted = theirs[3]
    np.testing.assert_allclose(run_frozen(tf, f"{theirs[0]}/frozen.pb", value), wanted, rtol=1e-5)


@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    folder = tmp_path_factory.mktemp("objects")
    return folder, ask(tensorflow_writes_objects, folder, root=ROOT, where=str(folder))


@pytest.mark.parametrize("name", OBJECTS)
def test_evergraph_loads_tensorflow_2s(objects, name):
    folder, asked = objects
    for tags, key, feeds, wanted in asked[name]:
        check(ask_model(tf, f"{folder}/{name}", tags, key, feeds), wanted)
        with tf.Graph().as_default(), tf.Session() as session:
            model = tf.saved_model.load_v2(f"{folder}/{name}")
            outputs = model.signatures[key](**{feed: tf.constant(value) for feed, value in feeds.items()})
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            check({name: np.asarray(value) for name, value in session.run(outputs).items()}, wanted)


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ours")
    asked = write_models(tf, folder)
    questions = [(name, *row[:3]) for name, rows in asked.items() for row in rows]
    value, result = write_frozen(tf, f"{folder}/frozen.pb")
    first, frozen = ask(tensorflow_asks, folder, root=ROOT, where=str(folder), asked=questions, value=value)
    second = ask(tensorflow_asks_objects, folder, where=str(folder), asked=questions)
    answers = iter(zip(first, second))
    found = {name: [(row[3], *next(answers)) for row in rows] for name, rows in asked.items()}
    return found | {"frozen": [({"y": result}, {"y": frozen}, None)]}


@pytest.mark.parametrize("name", [*WRITERS, "frozen"])
def test_tensorflow_loads_evergraphs(ours, name):
    for wanted, by_session, by_objects in ours[name]:
        check(by_session, wanted)
        if by_objects is not None:
            check(by_objects, wanted)
