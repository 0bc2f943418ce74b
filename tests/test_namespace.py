"""`evergraph`, its namespaces, and the same under the name `tensorflow`."""

import importlib
import subprocess
import sys
from types import ModuleType

import pytest

import evergraph as tf
from evergraph.api import namespace
from evergraph.api.generate import import_all, modules
from evergraph.api.names import NAMES


def follow(root, dotted):
    for part in dotted.split("."):
        root = getattr(root, part)
    return root


def run(program):
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture
def names(monkeypatch):
    """Replaces the table by one of two names in a room that is made up: tf.house.door and tf.house.hall.lamp."""
    table = {"house.door": "evergraph.house.door:door", "house.hall.lamp": "evergraph.house.hall:lamp"}
    monkeypatch.setattr(namespace, "NAMES", table)
    namespace.children.cache_clear()
    yield
    namespace.children.cache_clear()


def test_every_name_is_its_object_whatever_was_imported():
    assert import_all(modules()) == set()  # now every room has bound its files on its package
    wrong = [name for name in NAMES if not name.startswith("__") and follow(tf, name) is not namespace.load(name)]
    assert wrong == []


def test_namespaces_are_modules():
    assert isinstance(tf.version, ModuleType)
    assert importlib.import_module("evergraph.version") is tf.version
    assert importlib.import_module("evergraph.compat.v1.version").VERSION == tf.version.VERSION
    assert "VERSION" in dir(tf.version)
    assert "version" in tf.__all__


def test_compat_v1_mirrors_the_root():
    assert tf.compat.v1.float32 is tf.float32
    assert dir(tf.compat.v1) == dir(tf)
    assert tf.compat.v1.compat.v1.float32 is tf.float32


def test_versions():
    assert tf.VERSION == tf.version.VERSION == tf.compat.v1.__version__ == "1.15.0"
    assert tf.__version__ != tf.VERSION


def test_a_room_is_its_namespace(names):
    """tf.house and evergraph/house/ are one module; the function tf.house.door wins over the file door.py."""
    package, file, hall = (ModuleType(f"evergraph.house{tail}") for tail in ("", ".door", ".hall"))
    file.door, hall.lamp = object(), object()
    package.hall = hall  # bound while the package itself was being imported
    try:
        sys.modules.update({module.__name__: module for module in (package, file, hall)})
        tf.house = package
        package.door = file
        assert tf.house is package
        assert package.door is file.door
        assert package.hall is hall and isinstance(hall, namespace.Namespace)
        assert dir(package) == ["door", "hall"]
    finally:
        vars(tf).pop("house", None)
        for module in (package, file, hall):
            del sys.modules[module.__name__]


def test_an_absent_name_says_whether_tensorflow_has_it(names):
    with pytest.raises(AttributeError, match=r"module 'evergraph' has no attribute 'nnn'$"):
        tf.nnn  # noqa: B018
    with pytest.raises(AttributeError, match="TensorFlow 1.15 has tf.contrib.tensorrt, evergraph does not"):
        tf.contrib.tensorrt  # noqa: B018
    with pytest.raises(ModuleNotFoundError, match="TensorFlow 1.15 has tf.contrib.tensorrt, evergraph does not"):
        from evergraph.contrib import tensorrt  # noqa: F401


def test_a_stale_table_says_so(names, monkeypatch):
    monkeypatch.setitem(namespace.NAMES, "gone", "evergraph.base.version:gone")
    with pytest.raises(ImportError, match="run python -m evergraph.api.generate"):
        tf.gone  # noqa: B018


def test_as_tensorflow():
    assert run(
        "import evergraph as eg, evergraph.as_tensorflow\n"
        "import tensorflow as tf, tensorflow.compat.v1 as v1, tensorflow.dtypes\n"
        "from tensorflow import version\n"
        "from tensorflow.compat.v1 import float32\n"
        "from tensorflow.dtypes import *\n"
        "print(tf.__version__, version.__name__, float32 is tf.dtypes.float32 is eg.float32 is v1.float32)\n"
        "print(as_dtype is eg.as_dtype)\n"
    ) == ["1.15.0", "tensorflow.version", "True", "True"]


def test_as_tensorflow_does_not_fool_tensorboard():
    assert run(
        "import evergraph.as_tensorflow\n"
        "from tensorboard.compat import tf\n"
        "print(tf.io.gfile.__name__)\n"
    ) == ["tensorboard.compat.tensorflow_stub.io.gfile"]


def test_as_tensorflow_refuses_when_tensorflow_is_there():
    assert run(
        "import sys, types\n"
        "sys.modules['tensorflow'] = types.ModuleType('tensorflow')\n"
        "try: import evergraph.as_tensorflow\n"
        "except ImportError as error: print('already imported' in str(error))\n"
    ) == ["True"]


def test_the_dictionary_of_a_namespace_has_its_names():
    importlib.import_module("evergraph.as_tensorflow")
    cells = importlib.import_module("tensorflow.contrib.rnn")
    assert cells.GRUCell in [each for each in cells.__dict__.values() if isinstance(each, type)]
    assert cells.UGRNNCell in vars(cells).values()
