"""Errors of programs under `evergraph run`: whose frames are shown, and the remedies."""

import subprocess
import sys
import traceback

import pytest

import evergraph as tf
from evergraph.cli.tracebacks import frames
from evergraph.cli.tracebacks.remedies import explain, remedy

MAPPED = """
import tensorflow as tf

def squared(x):
    return tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))

def main(_):
    tf.data.Dataset.range(3).map(squared)

tf.app.run(main)
"""


def evergraph(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "evergraph", "run", *arguments], cwd=folder, capture_output=True, text=True
    )


def shown(text):
    """(file, line) of the frames in a traceback."""
    lines = [line.split('"')[1:] for line in text.splitlines() if line.startswith("  File ")]
    return [(file.rpartition("/")[2], int(rest.split()[2].strip(","))) for file, rest in lines]


@pytest.mark.parametrize("how", [["program.py"], ["-m", "program"], ["--legacy", "program.py"]])
def test_only_the_programs_frames_are_shown(tmp_path, how):
    (tmp_path / "program.py").write_text(MAPPED)
    done = evergraph(tmp_path, *how)
    assert done.returncode == 1
    assert [line for _, line in shown(done.stderr)] == [10, 8, 5], done.stderr
    assert "Dimensions must be equal" in done.stderr and "evergraph run --full-traceback shows them" in done.stderr


def test_all_frames_on_request(tmp_path):
    (tmp_path / "program.py").write_text(MAPPED)
    done = evergraph(tmp_path, "--full-traceback", "program.py")
    assert len(shown(done.stderr)) > 15 and "are hidden" not in done.stderr


def test_an_error_in_the_programs_own_code(tmp_path):
    (tmp_path / "program.py").write_text("import tensorflow as tf\nint('a')\n")
    done = evergraph(tmp_path, "program.py")
    assert shown(done.stderr) == [("program.py", 2)] and "hidden" not in done.stderr


def test_a_program_that_cannot_be_parsed(tmp_path):
    (tmp_path / "program.py").write_text("x = (\n")
    done = evergraph(tmp_path, "program.py")
    assert shown(done.stderr) == [("program.py", 1)] and "SyntaxError" in done.stderr


def test_what_was_raised_in_a_py_func_stays(tmp_path):
    code = "import tensorflow as tf; tf.Session().run(tf.py_func(lambda x: 1 / 0, [1.0], tf.float32))"
    done = evergraph(tmp_path, "-c", code)
    assert "ZeroDivisionError" in done.stderr.split("The above exception")[0]


def test_threads(tmp_path):
    (tmp_path / "program.py").write_text(
        "import threading\nimport tensorflow as tf\n\ndef work():\n    tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))\n\n"
        "threading.Thread(target=work).start()\n")  # fmt: skip
    done = evergraph(tmp_path, "program.py")
    assert shown(done.stderr)[-1] == ("program.py", 5) and len(shown(done.stderr)) < 5 and "are hidden" in done.stderr


def test_frames_below_ours_are_hidden_too(tmp_path):
    """NumPy's own frames below evergraph's, and an error that only evergraph saw."""
    try:
        try:
            tf.compat.as_bytes(3)
        except TypeError as error:
            raise ValueError("later") from error
    except ValueError as error:
        assert frames.shorten(error) >= 1
        assert error.__cause__ is not None and not any(map(frames.is_ours, files_of(error.__cause__)))
    try:
        tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    except ValueError as error:
        frames.shorten(error)
        assert files_of(error) == [__file__]


def files_of(error):
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


def raised(action):
    with pytest.raises(Exception) as caught, tf.Session() as session:
        action(session)
    return caught.value


def built_twice(session):
    for _ in range(2):
        tf.get_variable("w", [1])


@pytest.mark.parametrize("action, said", [
    (lambda session: session.run(tf.Variable(1.0)), "tf.global_variables_initializer()"),
    (lambda session: session.run(tf.get_variable("w", [], use_resource=True)), "tf.global_variables_initializer()"),
    (lambda session: session.run(tf.placeholder(tf.float32, name="x")), "feed_dict={x: value}"),
    (lambda session: tf.constant(1) + tf.constant(1.0), "tf.cast(x, tf.int32)"),
    (lambda session: tf.ones([2])[0].numpy(), "session.run(tensor)"),
    (lambda session: tf.nn.softmax_cross_entropy_with_logits([[1.0]], [[1.0]]), "--allow-removed-names"),
    (lambda session: session.run(tf.contrib.lookup.index_table_from_tensor(["a"]).lookup(tf.constant(["a"]))),
     "tf.tables_initializer()"),
    (built_twice, "tf.reset_default_graph()"),
    (lambda session: tf.train.Saver([tf.Variable(1.0)]).restore(session, "nowhere"), "latest_checkpoint"),
    (lambda session: session.run(tf.placeholder(tf.float32, [1, 1], "y"), {"y:0": [1.0]}), "np.newaxis"),
])  # fmt: skip
def test_remedies(action, said):
    assert said in remedy(raised(action))


def test_other_errors_have_no_remedy():
    assert remedy(ValueError("mystery")) is None and remedy(KeyError("feed a value for placeholder tensor 'x'")) is None


def test_a_remedy_is_said_once():
    error = raised(lambda session: session.run(tf.Variable(1.0)))
    explain(error)
    explain(error)
    assert len(error.__notes__) == 1
