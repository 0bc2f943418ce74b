"""A program killed at any moment of a save leaves a checkpoint that is whole: the one before, or the new one."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from evergraph.formats import bundle
from evergraph.formats.bundle import read_all

# Saves four times in a process of its own for each point: one that dies without warning when it is about to touch the
# disk for that time. Prints how many saves each had finished.
PARENT = """
import builtins, os, signal, sys
import evergraph as tf
touched, kill_at, armed = 0, 0, False
builtin_open = builtins.open

def touch(before_death=lambda: None):
    global touched
    touched += armed
    if armed and touched == kill_at:
        before_death()
        os.kill(os.getpid(), signal.SIGKILL)

def counted(function):
    def call(*args, **kwargs):
        touch()
        return function(*args, **kwargs)
    return call

class Halting:
    def __init__(self, file):
        self.file = file
    def write(self, data):
        touch(lambda: (self.file.write(bytes(data)[:len(data) // 2]), self.file.flush()))
        return self.file.write(data)
    def __enter__(self):
        return self
    def __exit__(self, *error):
        self.file.close()
    def __getattr__(self, name):
        return getattr(self.file, name)

def open_halting(path, mode="r", *args, **kwargs):
    if not armed or "w" not in mode:
        return builtin_open(path, mode, *args, **kwargs)
    touch()
    return Halting(builtin_open(path, mode, *args, **kwargs))

builtins.open = open_halting
for name in ("replace", "link", "remove", "rename", "unlink", "mkdir", "rmdir"):
    setattr(os, name, counted(getattr(os, name)))
os.fsync = counted(lambda descriptor: None)  # a killed process loses nothing that it has written

def save_four_times(folder, kind, log):
    global armed
    os.mkdir(folder)
    tf.reset_default_graph()
    step = tf.get_variable("step", initializer=0)
    big = tf.get_variable("big", initializer=tf.zeros([500]))
    text = tf.get_variable("text", initializer=tf.constant(["0"]))
    saver = tf.train.Saver(max_to_keep=2, sharded=kind == "sharded")
    with tf.Session() as sess:
        for i in range(1, 5):
            for variable, value in ((step, i), (big, [float(i)] * 500), (text, [str(i)])):
                variable.load(value, sess)
            armed = i > 1
            saver.save(sess, os.path.join(folder, "m"), global_step=None if kind == "same" else i)
            armed = False
            os.write(log, bytes([i]))

def save_model(folder, log):
    global armed
    os.mkdir(folder)
    with open(os.path.join(folder, "words.txt"), "w") as file:
        file.write("word " * 100)
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [], name="x")
    y = x * tf.get_variable("w", initializer=2.0)
    asset = tf.constant(os.path.join(folder, "words.txt"))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        signature = tf.saved_model.predict_signature_def({"x": x}, {"y": y})
        armed = True
        builder = tf.saved_model.Builder(os.path.join(folder, "model"))
        builder.add_meta_graph_and_variables(sess, ["serve"], {"serving_default": signature}, [asset])
        builder.save()
        armed = False
        os.write(log, bytes([1]))

def work(folder, kind, log):
    if kind == "model":
        save_model(folder, log)
    else:
        save_four_times(folder, kind, log)

def one(folder, kind, point):
    global kill_at
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            kill_at = point
            work(folder, kind, writer)
            os.write(writer, bytes([100 + touched % 100, 100 + touched // 100]))
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    os.close(writer)
    return os.waitstatus_to_exitcode(status), os.read(reader, 100)

folder, kind = sys.argv[1:]
work(os.path.join(folder, "first"), kind, os.open(os.devnull, os.O_WRONLY))  # imports what all need
touched = 0
status, log = one(os.path.join(folder, "0"), kind, 0)
assert status == 0
points = log[-2] - 100 + 100 * (log[-1] - 100)
for point in range(1, points + 1):
    status, log = one(os.path.join(folder, str(point)), kind, point)
    assert status == -signal.SIGKILL, (point, status)
    print(point, log[-1] if log else 0)
"""


def killed(folder, kind):
    """(point, finished saves) for each point, each with a folder named after it."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-c", PARENT, str(folder), kind], capture_output=True, text=True,
                          env=environment)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


def content(folder):
    """The step of the latest checkpoint, after checking that all its tensors are of that step."""
    path = tf.train.latest_checkpoint(str(folder))
    assert path is not None
    values = dict(read_all(path))
    step = int(values["step"])
    np.testing.assert_array_equal(values["big"], np.full(500, step, np.float32))
    assert values["text"].tolist() == [str(step).encode()]
    assert tf.MetaGraphDef.FromString(Path(f"{path}.meta").read_bytes()).saver_def.save_tensor_name
    return step


@pytest.mark.parametrize("kind", ["numbered", "same", "sharded"])
def test_kill_at_every_point(kind, tmp_path):
    points = killed(tmp_path, kind)
    assert len(points) >= 60
    for point, finished in points:
        assert content(tmp_path / str(point)) in (finished, finished + 1), f"killed at {point}"


def test_kill_while_a_model_is_written(tmp_path):
    """A directory is a SavedModel once all of it is there."""
    points = killed(tmp_path, "model")
    models = [tmp_path / str(point) / "model" for point, finished in points if not finished]
    assert len(models) >= 15
    for model in models:
        if tf.saved_model.contains_saved_model(model):
            assert tf.contrib.predictor.from_saved_model(model)({"x": 3.0}) == {"y": 6.0}
            assert (model / "assets" / "words.txt").read_text() == "word " * 100
    assert not tf.saved_model.contains_saved_model(models[-5])


@pytest.mark.parametrize("sharded", [False, True])
@pytest.mark.parametrize("publishings", [1, 2])
def test_an_interrupt_after_the_index_is_there_keeps_its_data(sharded, publishings, tmp_path, monkeypatch):
    """Saving to the path of an existing checkpoint writes two indexes: one for other names of the data files first."""
    written = bundle.replace_file
    left = publishings

    def interrupted(path, *rest):
        nonlocal left
        written(path, *rest)
        left -= "_temp_" not in path
        if not left:
            raise KeyboardInterrupt

    v = tf.Variable([1.0, 2.0])
    saver = tf.train.Saver(sharded=sharded)
    with tf.Session() as session:
        session.run(v.initializer)
        path = saver.save(session, str(tmp_path / "model"))
        session.run(v.assign([3.0, 4.0]))
        monkeypatch.setattr(bundle, "replace_file", interrupted)
        with pytest.raises(KeyboardInterrupt):
            saver.save(session, str(tmp_path / "model"))
        saver.restore(session, path)
        assert session.run(v).tolist() == [3.0, 4.0]
