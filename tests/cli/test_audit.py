"""`evergraph audit`: what programs ask for, read without running them."""

import importlib
import json
import os
import re
import subprocess
import sys

import pytest

import evergraph as tf
import evergraph.as_tensorflow  # noqa: F401
from evergraph.cli import main
from evergraph.cli.audits.audit import audit
from evergraph.cli.audits.names import missing, remedy
from evergraph.cli.audits.programs import Place
from evergraph.cli.audits.reach import closures
from evergraph.cli.audits.refusals import refused
from evergraph.cli.audits.show import lines
from evergraph.cli.audits.uses import read
from tests.verdicts import main as hold_verdicts


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
    "import tensorflow as tf\n[tf.mystery for tf in ()]",
    "import tensorflow as tf\ndef f():\n    tf.mystery()\n    tf = make()",
    "import tensorflow as tf\ny = tf.mystery() if hasattr(tf, 'mystery') else 3",
    "import tensorflow as tf\nhasattr(tf, 'mystery') and tf.mystery()",
    "import tensorflow as tf\ndef f():\n    if tf.__version__ < '2':\n        return 3\n    return tf.mystery()",
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
    assert "TPUs" in remedy("tensorflow.distribute.TPUStrategy")
    assert remedy("tensorflow.sorcery") == "no name of TensorFlow 1.15"


def test_what_raises_when_called_is_found_in_evergraphs_sources():
    assert refused("tensorflow.load_op_library") == "function" and refused("tensorflow.lite.OpHint") == "class"
    assert refused("tensorflow.nn.relu") is refused("tensorflow.train.Saver") is None
    with pytest.raises(tf.errors.UnimplementedError):
        tf.sysconfig.get_include()
    assert refused("tensorflow.sysconfig.get_include")


@pytest.mark.parametrize("text, what", [
    ("print 'a'", "syntax"), ("try:\n    f()\nexcept E, e:\n    g()", "syntax"), ("if a <> b: f()", "syntax"),
    ("if a:\n        f()\n\tg()\n", "syntax"),
    ("for i in xrange(3): f(i)", "xrange"), ("d.iteritems()", ".iteritems()"),
    ("import cPickle", "import cPickle"), ("import urllib\nurllib.urlretrieve('a')", "urllib.urlretrieve"),
    ("from itertools import izip", "itertools.izip"),
])  # fmt: skip
def test_python_2(text, what):
    assert read(text).old[0].what.startswith(what)


@pytest.mark.parametrize("text", [
    "from six.moves import xrange\nxrange(3)",
    "try:\n    import cPickle\nexcept ImportError:\n    import pickle",
    "if six.PY2:\n    unicode('a')",
    "six.iteritems(d)",
    "import six\ndef f(x):\n    return unicode(x)",
    "import urllib\nurllib.parse.quote('a')",
    "def f(reduce):\n    return reduce()",
    "import six as s\ndef f(x):\n    return long(x)",
    "from builtins import range\ndef f(x):\n    return unicode(x)",
    "import sys\nif sys.version_info[0] == 2:\n    integers = (int, long)\nelse:\n    integers = (int,)",
    "import sys\nintegers = (int, long) if sys.version[0] == '2' else (int,)",
    "items = d.iteritems() if hasattr(d, 'iteritems') else d.items()",
    "def f(d):\n    if hasattr(d, 'items2'):\n        return 0\n    return d.iteritems()",
    "try:\n    text = unicode\nexcept NameError:\n    text = str",
])  # fmt: skip
def test_programs_for_both_pythons(text):
    assert not read(text).old


def test_what_no_python_can_parse():
    assert read("x = [1, , 2]\n" + "y = 1\n" * 9 + "print 'a'\n").broken.startswith("line 1")
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
    assert needing.needs[0].place == Place(str(folder / "lib/model.py"), 2)
    assert [need.at_once for need in needing.needs] == [True, False]
    (old,) = [program for program in report.programs if program.options]
    assert old.options == {"--allow-removed-names": ["tf.mul"], "--legacy": ["numpy.float"]}
    assert report.uses["contrib"] == (0, 1)


def test_arguments_that_have_to_be_named_today(tmp_path):
    start = "import tensorflow as tf\nloss = tf.nn.softmax_cross_entropy_with_logits\n"
    (tmp_path / "old.py").write_text(f"{start}loss(1, 2)")
    (tmp_path / "new.py").write_text(f"{start}loss(labels=1, logits=2)")
    (tmp_path / "python2.py").write_text("import tensorflow as tf\nprint tf.nn.softmax_cross_entropy_with_logits(1, 2)")
    new, old, python2 = audit(str(tmp_path)).programs
    name = "tf.nn.softmax_cross_entropy_with_logits as before 1.0"
    assert not new.options and old.options == python2.options == {"--allow-removed-names": [name]}


@pytest.mark.parametrize("call, is_old", [
    ("concat(0, [a, b])", True), ("concat([a, b], 0)", False), ("concat(-1, values)", True),
    ("concat(values, 1)", False),
    ("concat(concat_dim=0, values=x)", True), ("concat(values=x, axis=0)", False), ("concat(dim, [a, b])", True),
    ("split(1, 3, x)", True), ("split(x, 3, 1)", False), ("split(split_dim=0, num_split=2, value=x)", True),
    ("reverse(x, [True, False])", True), ("reverse(x, [1])", False), ("reverse(x, dims=d)", True),
    ("image.resize_images(x, 32, 32)", True), ("image.resize_images(x, [32, 32])", False),
    ("nn.nce_loss(w, b, embed, train_labels, 5, 9)", True), ("nn.nce_loss(w, b, train_labels, embed, 5, 9)", False),
    ("nn.sampled_softmax_loss(w, b, x, self.targets, 5, 9)", True), ("nn.nce_loss(w, b, x, y, 5, 9)", False),
    ("nn.ctc_loss(logits, labels, lengths)", True), ("nn.ctc_loss(labels, logits, lengths)", False),
    ("nn.sigmoid_cross_entropy_with_logits(logits, targets=y)", True), ("nn.relu(0, [a])", False),
])  # fmt: skip
def test_the_order_of_arguments_before_tensorflow_1_0_is_told_by_the_call(call, is_old):
    assert bool(read(f"import tensorflow as tf\ntf.{call}").old_calls) is is_old
    assert bool(read(f"import tensorflow as tf\nprint tf.{call}").old_calls) is is_old


@pytest.mark.parametrize("text, names", [
    ("from tensorflow.python.ops.rnn import bidirectional_rnn", ["tensorflow.python.ops.rnn.bidirectional_rnn"]),
    ("from tensorflow.python.ops import rnn\nrnn.rnn(1, 2)", ["tensorflow.python.ops.rnn.rnn"]),
    ("from tensorflow.python.ops import math_ops\nmath_ops.mul(1, 2)", None),
    ("from tensorflow.python.ops import seq2seq\nseq2seq.sequence_loss(1)", ["tensorflow.python.ops.seq2seq"]),
    ("from tensorflow.python.ops import array_ops\narray_ops.concat(1, [a, b])",
     ["tensorflow.python.ops.array_ops.concat as before 1.0"]),
    ("from tensorflow.python.ops.rnn_cell import _linear\n_linear(x, 3, True, bias_start=1.0)",
     ["tensorflow.python.ops.rnn_cell._linear as before 1.0"]),
    ("from tensorflow.python.ops.rnn_cell import _linear\n_linear(x, 3, True)", None),
])  # fmt: skip
def test_what_modules_inside_tensorflow_lost(tmp_path, text, names):
    (tmp_path / "a.py").write_text(f"import tensorflow as tf\n{text}\n")
    (program,) = audit(str(tmp_path)).programs
    assert not program.needs and program.options.get("--allow-removed-names") == names


_EAGER = "import tensorflow as tf\nds = tf.data.Dataset.range(3).batch(1)\n"


@pytest.mark.parametrize("text, found", [
    ("for x in ds: f(x)", [("for x in dataset: Dataset.__iter__", 3, True)]),
    ("for i, x in enumerate(ds.take(2)): f(x)", [("for x in dataset: Dataset.__iter__", 3, True)]),
    ("b = ds.map(g)\ny = [x for x in b]", [("for x in dataset: Dataset.__iter__", 4, True)]),
    ("def f():\n    for x in ds.prefetch(1): pass", [("for x in dataset: Dataset.__iter__", 4, False)]),
    ("print(model(x).numpy())", [("tensor.numpy()", 3, True)]),
    ("def f(x):\n    return x.numpy()", [("tensor.numpy()", 4, False)]),
    ("def f(x):\n    return x.numpy()\ny = tf.py_function(f, [x], tf.int64)", []),
    ("@tf.function\ndef f():\n    for x in ds: pass", []),
    ("it = ds.make_one_shot_iterator()\nfor x in it: f(x)", []),
    ("for x in [1, 2]: f(x)", []), ("for x in ds.as_numpy_iterator(): f(x)", []), ("ds = [1]\nfor x in ds: f(x)", []),
    ("v = tf.Variable(1.0)\nwith tf.GradientTape() as t: y = v * v\nopt.apply_gradients(t.gradient(y, v))",
     [("a tape's optimizer.apply_gradients", 5, True)]),
    ("opt.apply_gradients(g)\ntf.Variable(1.0)", []),
    ("import torch\nx.numpy()", []), ("if tf.executing_eagerly():\n    x.numpy()", []),
    ("try:\n    x.numpy()\nexcept AttributeError:\n    pass", []), ("x.numpy(3)", []),
])  # fmt: skip
def test_what_needs_eager_execution(text, found):
    assert read(_EAGER + text).eager == found


@pytest.mark.parametrize("call, wrong", [
    ("saved_model.load('model')", "no tags, export_dir"), ("summary.scalar('a', 1.0, step=3)", "no argument step"),
    ("placeholder(tf.float32, names='x')", "no argument names"), ("abs(1, 'a', 2)", "3 arguments, it takes 2"),
    ("saved_model.load(*given)", None), ("saved_model.load('model', **given)", None), ("abs(x=1)", None),
    ("concat(0, [a, b])", None), ("mystery(1)", None), ("Session(1, 2, 3, 4)", None), ("nn.relu(1, 2, 3)", None),
])  # fmt: skip
def test_arguments_that_no_function_of_tensorflow_1_takes(call, wrong, tmp_path):
    assert [what for _, what, _, _ in read(f"import tensorflow as tf\ntf.{call}").unfit] == ([wrong] if wrong else [])
    if wrong:
        (tmp_path / "a.py").write_text(f"import tensorflow as tf\ndef f():\n    tf.{call}")
        (program,) = audit(str(tmp_path)).programs
        assert program.verdict == "raises when called" and wrong in program.needs[0].remedy


def test_a_program_for_tensorflow_2_needs_eager_execution_unless_it_says_how_it_executes(tmp_path):
    assert verdicts(
        tmp_path, two="import tensorflow as tf\nprint(tf.abs(1).numpy())",
        later="import tensorflow as tf\ndef f(x):\n    return x.numpy()",
        asks="import tensorflow as tf\ntf.enable_eager_execution()\nprint(tf.abs(1).numpy())",
        library="import tensorflow as tf\ntf.enable_eager_execution()",
        by_library="import tensorflow as tf\nimport library\nprint(tf.abs(1).numpy())",
        session="import tensorflow as tf\ndef f(x):\n    return x.numpy()\ntf.Session()",
    ) == {"two.py": "needs names", "later.py": "raises when called", "asks.py": "runs", "by_library.py": "runs",
          "session.py": "runs"}  # fmt: skip
    two = next(program for program in audit(str(tmp_path)).programs if program.path.endswith("two.py"))
    assert "tf.enable_v2_behavior()" in two.needs[0].remedy
    assert remedy("tensorflow.random.set_seed") == "TensorFlow 2's name, here tf.compat.v2.random.set_seed"


def verdicts(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return {os.path.basename(program.path): program.verdict for program in audit(str(folder)).programs}


@pytest.mark.parametrize("text, verdict", [
    ("import tensorflow as tf\ndef f():\n    tf.mystery()", "raises when called"),
    ("import tensorflow as tf\ndef f():\n    tf.load_op_library('a.so')", "raises when called"),
    ("import tensorflow as tf\ntf.load_op_library('a.so')", "needs names"),
    ("from tensorflow import load_op_library", "runs"),
    ("from tensorflow import load_op_library\ndef f():\n    load_op_library('a.so')", "raises when called"),
    ("import tensorflow as tf\ndef f():\n    import library\n    library.go()", "raises when called"),
    ("import tensorflow as tf\nimport library", "needs names"),
    ("import tensorflow as tf\nimport patches\ntf.patched()", "runs"),
    ("import tensorflow as tf\nimport old_library", "raises when called"),
    ("import tensorflow as tf\nimport iterates", "runs"),
    ("import tensorflow as tf\nimport numpy as np\nnp.reshape(x, newshape=[2])", "runs with options"),
    ("import tensorflow as tf\nwith tf.device('/gpu:1'):\n    x = 1", "runs with options"),
    ("import tensorflow as tf\ndef f(i):\n    return tf.device('/gpu:%d' % i)", "runs with options"),
    ("import tensorflow as tf\ntf.device('/gpu:1')\ntf.ConfigProto(allow_soft_placement=True)", "runs"),
    ("import tensorflow as tf\nwith open('a') as f:\nx = '<>'", "cannot be parsed"),
])  # fmt: skip
def test_verdicts(tmp_path, text, verdict):
    made = verdicts(
        tmp_path, program=f"{text}\nif __name__ == '__main__':\n    pass\n",
        library="import tensorflow as tf\ntf.mystery\n",
        patches="import tensorflow as tf\ntf.patched = print\n", old_library="def f(x):\n    return unicode(x)\n",
        iterates="class A:\n    def iteritems(self): pass\ndef f(a):\n    return a.iteritems()\n")  # fmt: skip
    assert made["program.py"] == verdict


def test_sources_that_import_each_other(tmp_path):
    """The names of a connected code base are told once, however many programs meet them."""
    for number in range(300):
        (tmp_path / f"p{number}.py").write_text(
            f"import tensorflow as tf\nimport p{(number + 1) % 300}\ntf.mystery{number}\n"
            "if __name__ == '__main__':\n    pass\n")  # fmt: skip
    report = audit(str(tmp_path))
    assert len(report.programs) == len(report.missing) == 300
    assert {len(program.needs) + program.more for program in report.programs} == {300}
    assert sum(map(len, lines(report))) < 300 * 600


def test_closures():
    assert closures([[1], [2], [1], []], [1, 2, 4, 8]) == [7, 6, 6, 8]


def notebook(path, *cells):
    cells = [{"cell_type": "code", "source": cell.splitlines(True)} for cell in cells]
    path.write_text(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}))


def test_a_notebook(tmp_path, capsys):
    notebook(tmp_path / "a.ipynb", "%matplotlib inline\nimport tensorflow as tf\n!pip install x",
             "files = !ls\nx = 1\ntf.mystery()", "%%bash\nls | nothing (python")  # fmt: skip
    assert main(["audit", str(tmp_path)]) == 1
    assert "a.ipynb: needs tf.mystery (a.ipynb:cell 2, line 3)" in capsys.readouterr().out


def test_the_command(folder, capsys):
    assert main(["audit", str(folder)]) == 1
    text = capsys.readouterr().out
    assert "good.py: runs\n" in text
    assert "old.py: runs with --allow-removed-names --legacy: tf.mul; numpy.float\n" in text
    assert "uses_model.py: needs tf.contrib.mystery (lib/model.py:2): " in text
    assert "    at lib/model.py:4 when called: tf.mystery2: " in text
    assert "tf.mystery2: 1 uses in 1 files; " in text
    assert "7 files, 4 programs: 1 runs, 1 runs with options, 1 needs names, 1 Python 2 first" in text
    assert main(["audit", str(folder / "good.py")]) == 0
    assert main(["audit", str(folder / "none.py")]) == 2


def test_json(folder, capsys):
    assert main(["audit", str(folder), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["verdicts"]["needs names"] == 1 and report["missing"][0]["places"] == ["lib/model.py:2"]
    (need,) = [each for program in report["programs"] for each in program["needs"] if each["name"] == "tf.mystery2"]
    assert need["place"] == "lib/model.py:4" and need["at_once"] is False


def test_html(folder, capsys):
    (folder / "lib" / "a&b.py").write_text("import tensorflow as tf\ntf.mystery2\n")
    assert main(["audit", str(folder), "--html", str(folder / "report.html")]) == 1
    text = (folder / "report.html").read_text()
    assert "a&amp;b.py" in text and "tf.contrib.mystery" in text and "lib/model.py:4" in text


def test_many_files_are_read_by_several_processes(tmp_path, monkeypatch):
    for number in range(12):
        (tmp_path / f"p{number}.py").write_text(f"import tensorflow as tf\ntf.mystery{number}\n")
    monkeypatch.setattr("evergraph.cli.audits.sources._MANY", 10)
    assert len(audit(str(tmp_path)).missing) == 12


def test_it_does_not_import_jax_or_numpy(folder):
    code = "import sys; from evergraph.cli import main; main(sys.argv[1:]); print({'jax', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code, "audit", folder], capture_output=True, text=True)
    assert done.stdout.endswith("set()\n"), done.stderr


# ---- verdicts held against runs


def test_verdicts_are_held_against_runs(tmp_path, capsys):
    base = tmp_path / "base"
    base.mkdir()
    (base / "good.py").write_text("import tensorflow as tf\nprint(tf.Session().run(tf.constant(1)))")
    (base / "lacks.py").write_text("import tensorflow as tf\ntf.contrib.mystery()")
    (base / "data.py").write_text("import tensorflow as tf\nopen('none.csv')")
    (base / "wrong.py").write_text("import tensorflow as tf\ntf.constant(1) + None")
    assert hold_verdicts([str(tmp_path), "--seconds", "60"]) == 1
    said = capsys.readouterr().out
    assert "| base | 4 | 4 |" in said
    assert said.endswith("\n") and sorted(said.splitlines()[-1].split(", ")) == [
        "1 ran", "1 stopped as the audit said", "1 stopped for data", "1 wrong"]
    assert re.search(r"wrong +base/wrong.py: runs; ValueError", said)
