"""Graphs with datasets and iterators go both ways between TensorFlow and evergraph, and give the same elements."""

from pathlib import Path

import pytest

import evergraph as tf
from tests.datasets.programs import PROGRAMS, drawn_from, written
from tests.harness.recorded import texts
from tests.interop.judge import ask

ROOT = str(Path(__file__).parents[2])
RECORDED = texts("datasets")
OF_PYTHON = {"generator", "generator_with_argument", "generator_twice", "map_python"}  # functions stay in their process
BY_HANDLE = {"copy_to_device", "prefetch_to_device"}  # TensorFlow looks up an iterator that nothing but a string holds
REWRITTEN = {"shuffle_shared"}  # TensorFlow 2 joins the two datasets into one
RESEEDED = {"shuffle_and_repeat", "shuffle_and_repeat_forever"}  # TensorFlow 2 draws other seeds from the given ones
NAMES = [name for name in PROGRAMS if name not in OF_PYTHON]


def tensorflow_writes(tf, root, parent, names):
    import pathlib
    import sys

    sys.path.insert(0, root)
    from tests.datasets.programs import written
    found = {}
    for name in names:
        place = pathlib.Path(parent) / name
        place.mkdir()
        found[name] = written(tf, name, place)
    return found


def tensorflow_reads(tf, root, graphs):
    import sys

    sys.path.insert(0, root)
    from tests.datasets.programs import drawn_from
    return {name: drawn_from(tf, *graph) for name, graph in graphs.items()}


@pytest.fixture(scope="module")
def of_tensorflow(tmp_path_factory):
    """The graphs of all programs as TensorFlow writes them."""
    folder = tmp_path_factory.mktemp("programs")
    names = [name for name in NAMES if name not in BY_HANDLE]
    return ask(tensorflow_writes, tmp_path_factory.mktemp("judge"), root=ROOT, parent=str(folder), names=names)


def leaves(value):
    """The arrays in a recorded element."""
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key])]
    if len(value) == 3 and isinstance(value[0], str):
        return [value]
    return [leaf for each in value for leaf in leaves(each)]


def recorded(name):
    return [leaves(element) for element in RECORDED[name][0]]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in BY_HANDLE])
def test_what_tensorflow_wrote(of_tensorflow, name):
    assert drawn_from(tf, *of_tensorflow[name]) == recorded(name)


def test_what_evergraph_wrote(tmp_path):
    graphs = {}
    for name in NAMES:
        (tmp_path / name).mkdir()
        with tf.Graph().as_default():
            graphs[name] = written(tf, name, tmp_path / name)
    found = ask(tensorflow_reads, tmp_path, root=ROOT, graphs=graphs)
    alike = [name for name in NAMES if name not in REWRITTEN | RESEEDED]
    assert {name: found[name] for name in alike} == {name: recorded(name) for name in alike}
