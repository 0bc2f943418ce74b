"""Notebooks: run as programs, in Jupyter's kernel with the extension, and what they show."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import evergraph as tf
from evergraph.cli import main
from evergraph.cli.notebooks.cells import NoNotebook, cells, joined, place, python
from evergraph.cli.notebooks.drawing import boxed, layered, way
from evergraph.cli.notebooks.shown import HTML

ROOT = Path(__file__).parent.parent.parent


def written(path, *sources):
    held = [{"cell_type": "code", "id": f"cell{number}", "metadata": {}, "outputs": [], "execution_count": None,
             "source": source.splitlines(True)} for number, source in enumerate(sources)]  # fmt: skip
    path.write_text(json.dumps({"cells": held, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return path


def evergraph(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "evergraph", "run", *arguments], cwd=folder, capture_output=True, text=True
    )


def test_a_notebook_runs_as_a_program(tmp_path):
    written(tmp_path / "a.ipynb", "%matplotlib inline\nimport tensorflow as tf", "x = tf.constant(2)\nx.dtype",
            "%%bash\nls", "with tf.Session() as session:\n    y = session.run(x * 3)\nint(y)  # six", "y;")  # fmt: skip
    done = evergraph(tmp_path, "a.ipynb")
    assert done.stdout == "tf.int32\n6\n" and "cell 3 is not Python" in done.stderr


def test_its_errors_name_the_cell(tmp_path):
    written(tmp_path / "a.ipynb", "import tensorflow as tf", "w = tf.Variable(1.0)\ntf.Session().run(w)")
    done = evergraph(tmp_path, "a.ipynb")
    assert 'File "a.ipynb cell 2", line 2' in done.stderr and "tf.Session().run(w)" in done.stderr
    assert "global_variables_initializer" in done.stderr and done.returncode == 1
    (tmp_path / "b.ipynb").write_text("{}")
    assert "no notebook" in evergraph(tmp_path, "b.ipynb").stderr


@pytest.mark.parametrize("last, status", [("print('last')", 0), ("1 / 0", 1), ("raise SystemExit(3)", 3)])
def test_threads_that_it_leaves_behind_are_ended(tmp_path, last, status):
    written(tmp_path / "a.ipynb", "import atexit, threading, time\natexit.register(print, 'closed')",
            "threading.Thread(target=time.sleep, args=(1000,), name='waits').start()", last)  # fmt: skip
    done = evergraph(tmp_path, "a.ipynb")
    assert done.returncode == status and done.stdout.endswith("closed\n") and "were ended: waits" in done.stderr


def test_threads_that_end_are_waited_for(tmp_path):
    written(tmp_path / "a.ipynb", "import threading, time\nfrom concurrent.futures import ThreadPoolExecutor",
            "pool = ThreadPoolExecutor(1)\nint(pool.submit(int, '3').result())",
            "threading.Timer(0.5, print, ['late']).start()")  # fmt: skip
    done = evergraph(tmp_path, "a.ipynb")
    assert done.stdout == "3\nlate\n" and not done.stderr and done.returncode == 0


def test_places(tmp_path):
    held = cells(written(tmp_path / "a.ipynb", "a\nb", "c\nd\ne").read_text())
    assert joined(held).splitlines() == ["a", "b", "", "c", "d", "e"]
    assert [place(held, line) for line in (2, 4, 6)] == ["cell 1, line 2", "cell 2, line 1", "cell 2, line 3"]
    with pytest.raises(NoNotebook):
        cells("[1]")


@pytest.mark.parametrize("source, plain", [
    ("!ls", "pass  # !ls"), ("    %time f()", "    pass  # %time f()"), ("x = !ls", "x = None  # x = !ls"),
    ("f?", "pass  # f?"), ("a % b", "a % b"), ("%%time\nf()", "# %%time\nf()"), ("%%html\n<b>", "# %%html\n# <b>"),
    ("print ('%d) %s'\n  %(1, 2))\n%time f()", "print ('%d) %s'\n  %(1, 2))\npass  # %time f()"),
])  # fmt: skip
def test_what_only_ipython_knows(source, plain):
    assert python(source) == plain


# ---- what is shown


def shown(value):
    found = [show for (module, name), show in HTML.items()
             if any((each.__module__, each.__name__) == (module, name) for each in type(value).__mro__)]  # fmt: skip
    return found[0](value)


def test_pictures(tmp_path):
    x = tf.placeholder(tf.float32, [None, 2], name="x<y".replace("<", "_"))
    w = tf.get_variable("w", [2, 256])
    y = tf.matmul(x, w)
    assert "MatMul(x_y:0, w/read:0)" in shown(y) and "test_notebooks.py" in shown(y)
    assert "float32_ref" not in shown(w) and "(2, 256)" in shown(w)
    graph = shown(tf.get_default_graph())
    assert graph.count("<rect") == len(tf.get_default_graph().get_operations()) and "<svg" in graph
    with tf.Session() as session:
        assert "1, 2.0 KiB" in shown(session) and "CPU:0" in shown(session)
    assert "none yet" in shown(tf.Graph())
    assert "int64" in shown(tf.data.Dataset.range(3))
    model = tf.estimator.LinearClassifier([tf.feature_column.numeric_column("x")], model_dir=str(tmp_path))
    assert "LinearClassifier" in shown(model) and "none yet" in shown(model)


def test_large_graphs_are_drawn_by_scopes(graph):
    x = tf.placeholder(tf.float32, [None, 28, 28, 1], name="x")
    scores = tf.layers.dense(tf.layers.flatten(tf.layers.conv2d(x, 8, 3)), 10)
    tf.train.AdamOptimizer().minimize(tf.reduce_mean(scores, name="loss"))
    boxes = boxed(graph.get_operations())
    assert {"x", "conv2d", "flatten", "dense", "loss"} <= boxes.keys() and len(boxes) < 20
    rows = {name: row for row, names in enumerate(layered(boxes)) for name in names}
    assert rows["x"] < rows["conv2d"] < rows["flatten"] < rows["dense"] < rows["loss"]


def test_edges_pass_beside_boxes():
    """From the first row to the third: the box in the second stands in the way."""
    corners = [(100, 0), (100, 100), (100, 200)]
    (x, y), (beside, above), (below_x, below), (to_x, to_y) = way(corners[0], corners[2], corners)
    assert (x, to_x, to_y) == (175, 175, 200) and y < above == 100 < below < to_y
    assert beside == below_x and not 100 <= beside <= 250
    assert len(way(corners[0], corners[1], corners)) == 2


# ---- Jupyter


def test_the_kernel_is_installed_and_removed(tmp_path, capsys):
    pytest.importorskip("ipykernel")
    assert main(["kernel", "install", "--prefix", str(tmp_path)]) == 0
    spec = json.loads((tmp_path / "share/jupyter/kernels/evergraph/kernel.json").read_text())
    assert spec["argv"][0] == sys.executable and "--ext=evergraph" in spec["argv"]
    assert main(["kernel", "remove", "--prefix", str(tmp_path)]) == 0
    assert main(["kernel", "remove", "--prefix", str(tmp_path)]) == 1
    assert not (tmp_path / "share/jupyter/kernels/evergraph").exists()


@pytest.fixture
def executed(tmp_path, monkeypatch):
    """Executes a notebook in the evergraph kernel."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    main(["kernel", "install", "--prefix", str(tmp_path)])
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "share/jupyter"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]))

    def execute(path, **options):
        notebook = nbformat.read(str(path), 4)
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="evergraph", **options).execute()
        return [cell.get("outputs", []) for cell in notebook.cells]

    return execute


@pytest.mark.filterwarnings("ignore")
def test_the_tour(executed):
    outputs = executed(ROOT / "examples" / "tour.ipynb")
    pictures = [kind for each in outputs for output in each for kind in output.get("data", {})]
    assert pictures.count("text/html") >= 5 and "image/svg+xml" in pictures


@pytest.mark.filterwarnings("ignore")
def test_errors_in_a_notebook_are_short(executed, tmp_path):
    written(tmp_path / "a.ipynb", "import tensorflow as tf\ntf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))",
            "tf.Session().run(tf.Variable(1.0))", "%evergraph full-traceback\ntf.Session().run(tf.Variable(1.0))",
            "%evergraph legacy", "import numpy as np\nnp.float(3), int(np.array([3]))")  # fmt: skip
    outputs = executed(tmp_path / "a.ipynb", allow_errors=True)
    errors = ["\n".join(output["traceback"]) for each in outputs for output in each if output.output_type == "error"]
    assert "session.py" not in errors[1] and "global_variables_initializer" in errors[1]
    assert errors[0].count("\n") < 8 and "session.py" in errors[2] and len(errors) == 3
    assert outputs[4][0]["data"]["text/plain"] == "(3.0, 3)"


@pytest.mark.filterwarnings("ignore")
def test_a_notebook_for_colab(executed, tmp_path):
    written(tmp_path / "a.ipynb", "%tensorflow_version 1.x\nimport tensorflow as tf\ntf.__version__",
            "%tensorflow_version 2.x")  # fmt: skip
    first, second = executed(tmp_path / "a.ipynb")
    assert [output["data"]["text/plain"] for output in first] == ["'1.15.0'"]
    assert "tensorflow.compat.v2" in second[0]["text"]
