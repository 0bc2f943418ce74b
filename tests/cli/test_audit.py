"""`evergraph audit`: what programs ask for, read without running them."""

import importlib
import json
import subprocess
import sys

import pytest

import evergraph.as_tensorflow  # noqa: F401
from evergraph.cli import main
from evergraph.cli.audits.audit import audit
from evergraph.cli.audits.names import missing, remedy
from evergraph.cli.audits.uses import read


def uses(text):
    return [use.path for use in read(text).uses]


def needs(text):
    return [use.path for use in read(text).uses if not use.guarded and missing(use.path)]


@pytest.mark.parametrize("text, last", [
    ("import tensorflow as tf\ntf.nn.relu(1)", "tensorflow.nn.relu"),
    ("import tensorflow.compat.v1 as tf\ntf.nn.relu(1)", "tensorflow.compat.v1.nn.relu"),
    ("import tensorflow\ntensorflow.nn.relu(1)", "tensorflow.nn.relu"),
    ("from tensorflow import nn as n\nn.relu(1)", "tensorflow.nn.relu"),
    ("import tensorflow as tf\nslim = tf.contrib.slim\nslim.conv2d(1)", "tensorflow.contrib.slim.conv2d"),
    ("from tensorflow.python.ops import array_ops", "tensorflow.python.ops.array_ops"),
    ("def f():\n    return tf.abs\nimport tensorflow as tf", "tensorflow.abs"),
    ("import tensorflow as tf\nclass A(tf.Module):\n    def f(self):\n        return tf.abs(1)", "tensorflow.abs"),
    ("import tensorflow as tf\nprint 1\nx = tf.mystery(2)", "tensorflow.mystery"),
    ("try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\ntf.abs(1)", "tensorflow.abs"),
])  # fmt: skip
def test_names_are_found_through_imports_and_aliases(text, last):
    assert uses(text)[-1] == last


@pytest.mark.parametrize("text", [
    "import tensorflow as tf\ndef f(tf):\n    return tf.mystery",
    "from tensorflow.contrib import layers\nlayers = make()\nlayers.mystery()",
    "import tensorflow as tf\ntf.mystery = 3",
    "try:\n    from tensorflow import mystery\nexcept ImportError:\n    mystery = None",
    "import tensorflow as tf\nif hasattr(tf, 'mystery'):\n    tf.mystery()",
    "import tensorflow as tf\nif 'mystery' in dir(tf):\n    tf.mystery()",
    "import tensorflow as tf\nif tf.__version__ > '1.3':\n    tf.mystery()",
    "import tensorflow as tf\ntf.app.flags.FLAGS.mystery",
])  # fmt: skip
def test_what_is_no_need(text):
    assert not needs(text)


@pytest.mark.parametrize("path", [
    "nn.relu", "compat.v1.nn.relu", "contrib.slim.conv2d", "python.ops.array_ops.concat", "core.framework.graph_pb2",
    "python.framework.ops.get_default_graph", "train", "__version__", "__name__", "nn.mystery", "mystery",
    "contrib.mystery", "python.mystery", "python.ops.array_ops.mystery", "examples.tutorials.mnist.input_data",
])  # fmt: skip
def test_a_name_resolves_exactly_when_it_can_be_loaded(path):
    value = importlib.import_module("tensorflow")
    try:
        for word in path.split("."):
            value = getattr(value, word)
        loads = True
    except (AttributeError, ImportError):
        loads = False
    assert (missing(f"tensorflow.{path}") is None) is loads


def test_remedies():
    assert "tf.multiply" in remedy("tensorflow.mul") and "--allow-removed-names" in remedy("tensorflow.mul")
    assert remedy("tensorflow.Saver") == "there is tf.train.Saver"
    assert remedy("tensorflow.nn.relu_") == "nearest is tf.nn.relu"
    assert "one device" in remedy("tensorflow.contrib.distribute.MirroredStrategy")


@pytest.mark.parametrize("text, what", [
    ("print 'a'", "syntax"), ("try:\n    f()\nexcept E, e:\n    g()", "syntax"), ("if a <> b: f()", "syntax"),
    ("if a:\n        f()\n\tg()\n", "syntax"),
    ("for i in xrange(3): f(i)", "xrange"), ("d.iteritems()", ".iteritems()"),
    ("import cPickle", "import cPickle"), ("import urllib\nurllib.urlretrieve('a')", "urllib.urlretrieve"),
    ("from itertools import izip", "itertools.izip"),
])  # fmt: skip
def test_python_2(text, what):
    assert read(text).old[0][0].startswith(what)


@pytest.mark.parametrize("text", [
    "from six.moves import xrange\nxrange(3)",
    "try:\n    import cPickle\nexcept ImportError:\n    import pickle",
    "if six.PY2:\n    unicode('a')",
    "six.iteritems(d)",
    "import six\ndef f(x):\n    return unicode(x)",
    "import urllib\nurllib.parse.quote('a')",
    "def f(reduce):\n    return reduce()",
])  # fmt: skip
def test_programs_for_both_pythons(text):
    assert not read(text).old


def test_what_no_python_can_parse():
    assert read("def f(:\n").broken.startswith("line 1")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/__init__.py").write_text("")
    model = "import tensorflow as tf\ny = tf.contrib.mystery.f(1)\ndef f():\n    return tf.mystery2\n"
    (tmp_path / "lib/model.py").write_text(model)
    (tmp_path / "good.py").write_text("import tensorflow as tf\nprint(tf.nn.relu(1))\n")
    (tmp_path / "uses_model.py").write_text("from lib import model\nif __name__ == '__main__':\n    model.run()\n")
    (tmp_path / "old.py").write_text("import numpy as np, tensorflow as tf\ntf.mul(np.float(1), 2)\n")
    (tmp_path / "python2.py").write_text("import tensorflow as tf\nprint tf.VERSION\n")
    (tmp_path / "other.py").write_text("print('no TensorFlow')\n")
    return tmp_path


def test_programs_with_what_they_import(folder):
    report = audit(str(folder))
    assert {program.path.rpartition("/")[2]: program.verdict for program in report.programs} == {
        "good.py": "runs", "old.py": "runs with options", "python2.py": "Python 2 first",
        "uses_model.py": "needs names",
    }  # fmt: skip
    (needing,) = [program for program in report.programs if program.verdict == "needs names"]
    assert [need.name for need in needing.needs] == ["tf.contrib.mystery", "tf.mystery2"]
    assert needing.needs[0].places == ((str(folder / "lib/model.py"), 2),)
    assert [need.at_once for need in needing.needs] == [True, False]
    (old,) = [program for program in report.programs if program.options]
    assert old.options == {"--allow-removed-names": ["tf.mul"], "--legacy": ["numpy.float"]}
    assert report.uses["contrib"] == (0, 1)


def test_the_command(folder, capsys):
    assert main(["audit", str(folder)]) == 1
    text = capsys.readouterr().out
    assert "good.py: runs\n" in text
    assert "old.py: runs with options: --allow-removed-names --legacy\n" in text
    assert "    tf.contrib.mystery (lib/model.py:2): " in text
    assert "7 files, 4 programs: 1 runs, 1 runs with options, 1 needs names, 1 Python 2 first" in text
    assert main(["audit", str(folder / "good.py")]) == 0
    assert main(["audit", str(folder / "none.py")]) == 2


def test_json(folder, capsys):
    assert main(["audit", str(folder), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["verdicts"]["needs names"] == 1 and report["missing"][0]["first"] == "lib/model.py:2"
    (need,) = [each for program in report["programs"] for each in program["needs"] if each["name"] == "tf.mystery2"]
    assert need["places"] == ["lib/model.py:4"] and need["at_once"] is False


def test_many_files_are_read_by_several_processes(tmp_path, monkeypatch):
    for number in range(12):
        (tmp_path / f"p{number}.py").write_text(f"import tensorflow as tf\ntf.mystery{number}\n")
    monkeypatch.setattr("evergraph.cli.audits.sources._MANY", 10)
    assert len(audit(str(tmp_path)).missing) == 12


def test_it_does_not_import_jax_or_numpy(folder):
    code = "import sys; from evergraph.cli import main; main(sys.argv[1:]); print({'jax', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code, "audit", folder], capture_output=True, text=True)
    assert done.stdout.endswith("set()\n"), done.stderr
