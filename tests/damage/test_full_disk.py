"""A disk that is full, or that may not be written to: TensorFlow's error, what was there stays, no scraps are left."""

import builtins
import contextlib
import errno
import io
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import evergraph as tf

ROOM = 1 << 18


class Disk:
    """A folder on a disk that can be full."""

    def __init__(self, folder):
        self.folder = folder

    @contextlib.contextmanager
    def full(self):
        """For the length of the block there is room for a little, not for all."""
        raise NotImplementedError

    def names(self):
        """All files and folders on the disk, but for what fills it."""
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.name != "filler"}


class RealDisk(Disk):
    """A file system in memory of a few megabytes."""

    @contextlib.contextmanager
    def full(self):
        free = os.statvfs(self.folder)
        filler = self.folder / "filler"
        filler.write_bytes(bytes(free.f_bavail * free.f_bsize - ROOM))
        try:
            yield
        finally:
            filler.unlink()


class PretendedDisk(Disk):
    """A folder whose files, once it is full, take so many bytes more, and then fail."""

    left = None

    @contextlib.contextmanager
    def full(self):
        self.left = ROOM
        try:
            yield
        finally:
            self.left = None

    def take(self, size):
        """How much of so many bytes there is room for."""
        if self.left is not None:
            size = min(size, self.left)
            self.left -= size
        if not size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return size

    def install(self, monkeypatch):
        disk, plain = self, builtins.open

        class Limited(io.FileIO):
            def write(self, data):
                data = memoryview(data).cast("B")
                return super().write(data[:disk.take(len(data))]) if len(data) else 0

        def limited(path, mode="r", buffering=-1, **options):
            if str(path).startswith(str(self.folder)) and "w" in mode and "b" in mode:
                file = Limited(path, mode.replace("b", ""))
                return file if buffering == 0 else io.BufferedWriter(file)
            return plain(path, mode, buffering, **options)
        monkeypatch.setattr(builtins, "open", limited)
        monkeypatch.setattr(shutil, "_USE_CP_SENDFILE", False)  # which copies past all this


@pytest.fixture(params=[RealDisk, PretendedDisk])
def disk(request, tmp_path, monkeypatch):
    if request.param is PretendedDisk:
        pretended = PretendedDisk(tmp_path)
        pretended.install(monkeypatch)
        yield pretended
        return
    mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM * 16}", "tmpfs", str(tmp_path)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a file system cannot be mounted here")
    yield RealDisk(tmp_path)
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("a", initializer=np.zeros(ROOM // 8, np.float32))
        tf.get_variable("b", initializer=np.ones(ROOM // 8, np.float32))
        tf.get_variable("c", initializer=np.ones(ROOM // 8, np.float32))
        session.run(tf.global_variables_initializer())
        yield session


def is_full():
    return pytest.raises(tf.errors.ResourceExhaustedError, match="No space left on device")


@pytest.mark.parametrize("options", [{}, {"sharded": True}, {"write_version": 1}], ids=str)
@pytest.mark.parametrize("same_name", [False, True])
def test_saves(disk, session, options, same_name):
    saver, prefix = tf.train.Saver(**options), str(disk.folder / "model")
    first = saver.save(session, prefix, global_step=None if same_name else 1)
    before = disk.names()
    session.run([v.assign_add(tf.ones_like(v)) for v in tf.global_variables()])
    values = session.run(tf.global_variables())
    with disk.full(), is_full():
        saver.save(session, prefix, global_step=None if same_name else 2)
    assert disk.names() == before
    assert tf.train.latest_checkpoint(str(disk.folder)) == first
    for now, wanted in zip(session.run(tf.global_variables()), values):
        np.testing.assert_array_equal(now, wanted)
    saver.restore(session, first)
    assert [value[0] for value in session.run(tf.global_variables())] == [0, 1, 1]
    saver.save(session, prefix, global_step=None if same_name else 3)  # there is room again


def test_saves_whose_index_does_not_fit(disk, session, monkeypatch):
    """The data file is written, and then comes the error."""
    saver, prefix = tf.train.Saver(), str(disk.folder / "model")
    first = saver.save(session, prefix)
    before, replace = disk.names(), os.replace

    def refuse(source, target):
        if str(target).endswith(".index"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(source, target)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with is_full():
            saver.save(session, prefix)
    assert disk.names() == before
    saver.restore(session, first)


@pytest.mark.parametrize("compression", ["", "GZIP"])
def test_records_go_on_when_there_is_room(disk, compression):
    generator = np.random.RandomState(0)
    items = [generator.bytes(size) for size in (10, 70_000, 300_000, 5, 90_000, 400_000, 20, 30)]
    path = disk.folder / "records"
    writer = tf.io.TFRecordWriter(path, compression)
    written, refused = [], 0
    with disk.full():
        for item in items:
            try:
                writer.write(item)
                written.append(item)
            except tf.errors.ResourceExhaustedError:
                refused += 1
    assert refused
    for item in items:
        writer.write(item)
    writer.close()
    assert list(tf.io.tf_record_iterator(path, compression)) == written + items


def test_records_that_do_not_fit_at_the_end(disk):
    writer = tf.io.TFRecordWriter(disk.folder / "records")
    writer.write(b"one")
    writer.flush()
    writer.write(bytes(2 * ROOM))
    with disk.full():
        with is_full():
            writer.close()
        writer.close()
    reader = tf.io.tf_record_iterator(disk.folder / "records")
    assert next(reader) == b"one"
    with pytest.raises(tf.errors.DataLossError):
        next(reader)


def summary(step):
    return tf.Summary(value=[tf.Summary.Value(tag="x" * 40_000, simple_value=step)])


def test_events_go_on_when_there_is_room(disk):
    writer = tf.summary.FileWriter(str(disk.folder), max_queue=0)
    with disk.full(), is_full():
        for step in range(100):
            writer.add_summary(summary(step), step)
    writer.add_summary(summary(-1), 1000)
    writer.close()
    (path,) = disk.folder.glob("events*")
    steps = [event.step for event in tf.train.summary_iterator(str(path))][1:]
    assert steps == [*range(len(steps) - 1), 1000]


def test_whole_files(disk):
    """Files that appear at once, or not at all."""
    with tf.Graph().as_default() as graph:
        tf.constant(np.arange(ROOM, dtype=np.int32))
        with disk.full():
            for as_text in (False, True):
                with is_full():
                    tf.train.write_graph(graph, str(disk.folder), "graph", as_text)
            with is_full():
                tf.train.export_meta_graph(str(disk.folder / "model.meta"))
        assert disk.names() == set()


def test_saved_models(disk, session):
    v = tf.global_variables()[0]
    with disk.full(), is_full():
        tf.saved_model.simple_save(session, str(disk.folder / "saved"), {"v": v}, {"v": v})
    assert not [path for path in disk.folder.rglob("*") if path.is_file() and path.name != "filler"]
    assert not [name for name in disk.names() if "temp" in name]


def test_gfile(disk):
    with disk.full(), is_full(), tf.gfile.GFile(disk.folder / "file", "w") as file:
        file.write("x" * ROOM * 2)
    (disk.folder / "file").unlink()
    with tf.gfile.GFile(disk.folder / "source", "wb") as file:
        file.write(bytes(ROOM * 2))
    (disk.folder / "copy").write_text("before")
    with disk.full(), is_full():
        tf.gfile.Copy(str(disk.folder / "source"), str(disk.folder / "copy"), overwrite=True)
    assert disk.names() == {"source", "copy"} and (disk.folder / "copy").read_text() == "before"


def test_write_file(disk):
    with tf.Graph().as_default(), tf.Session() as session:
        with disk.full(), is_full():
            session.run(tf.io.write_file(str(disk.folder / "file"), b"x" * ROOM * 2))


# ---- may not write

@pytest.fixture
def locked(tmp_path, monkeypatch):
    """A folder that nobody may write to: not even root, who would not be stopped by its mode."""
    plain, make = builtins.open, os.mkdir

    def refuse(path):
        if str(path).startswith(str(tmp_path)):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    monkeypatch.setattr(builtins, "open", lambda path, mode="r", *args, **options: (
        refuse(path) if set(mode) & set("wa") else None, plain(path, mode, *args, **options))[1])
    monkeypatch.setattr(os, "mkdir", lambda path, *args, **options: (refuse(path), make(path, *args, **options))[1])
    return tmp_path


@pytest.mark.parametrize("write", [
    lambda folder, session: tf.train.Saver().save(session, str(folder / "model")),
    lambda folder, session: tf.train.Saver().save(session, str(folder / "new" / "model")),
    lambda folder, session: tf.train.Saver(sharded=True).save(session, str(folder / "model")),
    lambda folder, session: tf.train.Saver(write_version=1).save(session, str(folder / "model")),
    lambda folder, session: tf.io.TFRecordWriter(folder / "records"),
    lambda folder, session: tf.summary.FileWriter(str(folder)),
    lambda folder, session: tf.summary.FileWriter(str(folder / "new")),
    lambda folder, session: tf.train.write_graph(session.graph, str(folder), "graph"),
    lambda folder, session: tf.train.update_checkpoint_state(str(folder), str(folder / "model")),
    lambda folder, session: tf.gfile.GFile(folder / "file", "w").write("text"),
    lambda folder, session: tf.gfile.MakeDirs(str(folder / "new")),
    lambda folder, session: session.run(tf.io.write_file(str(folder / "file"), b"text")),
    lambda folder, session: tf.saved_model.Builder(str(folder / "saved")),
])  # fmt: skip
def test_refused(locked, session, write):
    with pytest.raises(tf.errors.PermissionDeniedError, match="Permission denied"):
        write(locked, session)
    assert list(Path(locked).iterdir()) == []


def test_an_estimator_goes_on_when_there_is_room(disk):
    def model_fn(features, labels, mode):
        large = tf.get_variable("large", [ROOM // 3], initializer=tf.zeros_initializer())
        step = tf.train.get_global_step().assign_add(1)
        return tf.estimator.EstimatorSpec(mode, loss=tf.reduce_sum(large), train_op=step)

    class Fill(tf.train.SessionRunHook):
        """Fills the disk after the first step."""

        def after_run(self, run_context, run_values):
            if not is_filled:
                is_filled.append(filled.enter_context(disk.full()))

    is_filled, config = [], tf.estimator.RunConfig(model_dir=str(disk.folder / "model"), save_checkpoints_steps=2)
    estimator = tf.estimator.Estimator(model_fn, config=config)
    estimator.train(lambda: tf.data.Dataset.range(9), steps=1)
    with contextlib.ExitStack() as filled, is_full():
        estimator.train(lambda: tf.data.Dataset.range(9), hooks=[Fill()])
    assert estimator.get_variable_value("global_step") == 1
    estimator.train(lambda: tf.data.Dataset.range(9), steps=2)
    assert estimator.get_variable_value("global_step") == 3
