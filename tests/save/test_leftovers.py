"""What a killed writer left is removed by the next save; what others are still writing stays."""

import os
import subprocess
import sys

import numpy as np
import pytest

import evergraph as tf
from evergraph.formats import replace


@pytest.fixture
def gone():
    """The number of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def save(folder, step=1, **options):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("w", initializer=np.ones(3, "float32"))
        session.run(tf.global_variables_initializer())
        return tf.train.Saver(**options).save(session, str(folder / "model"), global_step=step)


def left(folder, name, machine=None, process=1):
    path = folder / f"{name}.tmp-{machine or replace._machine()}-{process}-7"
    path.write_bytes(b"half")
    return path


@pytest.mark.parametrize("sharded", [False, True])
def test_the_next_save_removes_what_a_killed_one_left(tmp_path, gone, sharded):
    names = ("model-1.data", "model-1.index", "checkpoint", "model-1.meta")
    forgotten = [left(tmp_path, name, process=gone) for name in names]
    save(tmp_path, 2, sharded=sharded)
    assert not [path for path in forgotten if path.exists()]
    assert not [name for name in os.listdir(tmp_path) if ".tmp" in name or "_temp_" in name]


def test_files_that_others_write_stay(tmp_path, gone):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as running:
        kept = [left(tmp_path, "a", process=running.pid), left(tmp_path, "b", process=os.getpid()),
                left(tmp_path, "c", machine="0" * 8, process=gone)]
        (tmp_path / "notes.tmp").write_text("mine")
        save(tmp_path)
        running.communicate(b"\n")
    assert all(path.exists() for path in kept) and (tmp_path / "notes.tmp").exists()


def test_shards_are_removed_when_nobody_touched_them_for_a_day(tmp_path):
    old, new = (tmp_path / f"model_temp_{digit * 32}" for digit in "0f")
    for folder in (old, new):
        folder.mkdir()
        (folder / "part-00000").write_bytes(b"half")
    for path in (old / "part-00000", old):
        os.utime(path, (1, 1))
    save(tmp_path)
    assert not old.exists() and new.exists()


def test_the_first_save_after_a_kill(tmp_path):
    program = ("import os, signal, numpy as np, evergraph.formats.bundle as bundle\n"
               "bundle._publish = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
               f"bundle.write_bundle({str(tmp_path / 'model-1')!r}, [])\n")
    assert subprocess.run([sys.executable, "-c", program], cwd=os.getcwd()).returncode == -9
    assert [name for name in os.listdir(tmp_path) if ".tmp-" in name]
    save(tmp_path)
    assert not [name for name in os.listdir(tmp_path) if ".tmp" in name]
