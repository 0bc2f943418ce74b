"""tf.gfile and tf.io.gfile: the same behaviour on the operating system's files and on fsspec's."""

import os
import pathlib
import uuid

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import errors, files

gfile = tf.io.gfile


@pytest.fixture(params=["local", "memory", "ram"])
def folder(request, tmp_path):
    """An empty folder on each kind of file system."""
    if request.param == "local":
        return str(tmp_path)
    path = f"{request.param}://{uuid.uuid4().hex}"
    gfile.makedirs(path)
    return path


def put(path, content="testing"):
    with tf.gfile.GFile(path, "w") as file:
        file.write(content)
    return path


# ---- one file

def test_text_and_bytes(folder):
    path = put(f"{folder}/f", "héllo\nline2\n\nend")
    assert gfile.GFile(path).read() == "héllo\nline2\n\nend"
    assert gfile.GFile(path, "rb").read(3) == b"h\xc3\xa9"
    assert gfile.GFile(path).readlines() == list(gfile.GFile(path)) == ["héllo\n", "line2\n", "\n", "end"]
    assert gfile.GFile(path, "rb").readline() == "héllo\n".encode()
    assert gfile.GFile(path).size() == 17


def test_writing_takes_text_and_bytes_in_either_mode(folder):
    path = f"{folder}/f"
    with gfile.GFile(path, "wb") as file:
        assert file.write("a") is None
        file.write(b"b")
        assert file.tell() == 2
    with gfile.GFile(path, "a") as file:
        file.write(b"c")
    assert gfile.GFile(path).read() == "abc"
    with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
        gfile.GFile(path, "a").write(3)


def test_places(folder):
    file = gfile.GFile(put(f"{folder}/f", "abc\ndefXYZ"))
    assert file.readline() == "abc\n" and file.tell() == 4
    file.seek(2)
    file.seek(1, 1)
    assert file.tell() == 3 and file.read(2) == "\nd"
    file.seek(-2, 2)
    assert file.read() == "YZ"
    file.seek(position=1)
    assert file.read(1) == "b" and file.seekable()


@pytest.mark.parametrize("arguments, error", [
    ({}, TypeError), ({"offset": 1, "position": 1}, TypeError), ({"offset": -1}, errors.InvalidArgumentError),
    ({"offset": 0, "whence": 3}, errors.InvalidArgumentError), ({"offset": 99}, errors.OutOfRangeError),
])  # fmt: skip
def test_wrong_places(tmp_path, arguments, error):
    with pytest.raises(error):
        gfile.GFile(put(f"{tmp_path}/f")).seek(**arguments)


def test_reading_what_was_written_needs_a_flush(tmp_path):
    for mode in ("w+", "r+", "a+"):
        file = gfile.GFile(f"{tmp_path}/{mode}", mode)
        file.write("one\ntwo")
        file.flush()
        assert file.read() == "one\ntwo" and file.tell() == 7
        file.close()


def test_plus_modes_make_the_file_anew(tmp_path):
    path = put(f"{tmp_path}/f", "a long text")
    with gfile.GFile(path, "r+") as file:
        file.write("ab")
    assert gfile.GFile(path).read() == "ab"


def test_nothing_is_opened_before_it_is_used(tmp_path):
    gfile.GFile(f"{tmp_path}/f", "w").close()
    assert not gfile.exists(f"{tmp_path}/f")
    missing = gfile.GFile(f"{tmp_path}/f")
    with pytest.raises(errors.NotFoundError, match="No such file"):
        missing.read()


def test_a_closed_file_opens_again(tmp_path):
    file = gfile.GFile(put(f"{tmp_path}/f"))
    file.read(3)
    file.close()
    assert file.read() == "testing"


@pytest.mark.parametrize("mode", ["q", "rw", "x", "rt", ""])
def test_wrong_modes(mode):
    with pytest.raises(errors.InvalidArgumentError, match="mode is not 'r' or 'w' or 'a'"):
        gfile.GFile("f", mode)


def test_what_a_mode_does_not_allow(tmp_path):
    path = put(f"{tmp_path}/f")
    with pytest.raises(errors.PermissionDeniedError, match="reading"):
        gfile.GFile(path, "w").read()
    with pytest.raises(errors.PermissionDeniedError, match="writing"):
        gfile.GFile(path).write("x")


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(errors.FailedPreconditionError, match="Is a directory"):
        gfile.GFile(str(tmp_path)).read()
    with pytest.raises(errors.FailedPreconditionError):
        gfile.GFile(str(tmp_path), "w").write("a")
    with pytest.raises(errors.NotFoundError):
        gfile.GFile(f"{tmp_path}/a/b", "w").write("a")
    with pytest.raises(errors.NotFoundError):
        gfile.GFile("").read()


def test_numpy_reads_archives(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.arange(3))
    with gfile.GFile(tmp_path / "a.npz", "rb") as file:
        assert np.load(file)["x"].tolist() == [0, 1, 2]


def test_names_are_kept(tmp_path):
    path = pathlib.Path(put(f"{tmp_path}/f"))
    assert gfile.GFile(path, "rb").name is path and gfile.GFile(path, "rb").mode == "rb"
    assert tf.gfile.Open is tf.gfile.FastGFile is tf.gfile.GFile is gfile.GFile


# ---- paths

def test_exists_and_stat(folder):
    path = put(f"{folder}/f")
    assert gfile.exists(path) and not gfile.exists(f"{folder}/g") and not gfile.exists("")
    assert gfile.stat(path).length == 7 and not gfile.stat(path).is_directory
    assert gfile.stat(folder).is_directory and gfile.isdir(folder) and not gfile.isdir(path)
    assert not gfile.isdir(f"{folder}/none")
    with pytest.raises(errors.NotFoundError):
        gfile.stat(f"{folder}/none")


def test_the_time_of_a_change(tmp_path):
    path = put(f"{tmp_path}/f")
    assert tf.gfile.Stat(path).mtime_nsec == os.stat(path).st_mtime_ns
    assert files.stat("memory://" + put("memory://times")[9:]).mtime_nsec > 1e18


def test_every_kind_of_path_is_taken(tmp_path):
    path = put(f"{tmp_path}/f")
    assert all(gfile.exists(each) for each in (path, path.encode(), pathlib.Path(path), f"file://{path}"))
    with pytest.raises(TypeError):
        gfile.exists(None)


def test_directories(folder):
    gfile.makedirs(f"{folder}/x/y")
    gfile.makedirs(f"{folder}/x/y")
    gfile.mkdir(f"{folder}/x")
    put(f"{folder}/f"), put(f"{folder}/x/g")
    assert gfile.listdir(folder) == ["f", "x"]
    assert list(gfile.walk(folder)) == [
        (folder, ["x"], ["f"]), (f"{folder}/x", ["y"], ["g"]), (f"{folder}/x/y", [], [])]  # fmt: skip
    assert [top for top, _, _ in tf.gfile.Walk(folder, in_order=False)] == [f"{folder}/x/y", f"{folder}/x", folder]
    gfile.rmtree(f"{folder}/x")
    assert gfile.listdir(folder) == ["f"]


def test_directories_that_are_wrong(folder):
    path = put(f"{folder}/f")
    for call in (gfile.listdir, gfile.remove, gfile.rmtree, gfile.stat):
        with pytest.raises(errors.NotFoundError):
            call(f"{folder}/none")
    with pytest.raises(errors.NotFoundError):
        gfile.listdir(path)
    with pytest.raises(errors.FailedPreconditionError):
        gfile.remove(folder)
    assert list(gfile.walk(f"{folder}/none")) == []
    seen = []
    assert list(gfile.walk(f"{folder}/none", onerror=seen.append)) == [] and len(seen) == 1


def test_directories_that_cannot_be_made(tmp_path):
    path = put(f"{tmp_path}/f")
    with pytest.raises(errors.NotFoundError):
        gfile.mkdir(f"{tmp_path}/x/y")
    for wrong in (path, f"{path}/x"):
        with pytest.raises(errors.FailedPreconditionError):
            gfile.makedirs(wrong)


def test_deleting_a_tree_spares_what_links_point_to(tmp_path):
    put(f"{tmp_path}/kept")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "link").symlink_to(tmp_path)
    tf.gfile.DeleteRecursively(str(tmp_path / "tree"))
    assert gfile.listdir(tmp_path) == ["kept"]


def test_copy_and_rename(folder):
    one, two = put(f"{folder}/one", "1"), put(f"{folder}/two", "2")
    for call in (gfile.copy, gfile.rename):
        with pytest.raises(errors.AlreadyExistsError):
            call(one, two)
        with pytest.raises(errors.NotFoundError):
            call(f"{folder}/none", two, overwrite=True)
    gfile.copy(one, two, overwrite=True)
    assert gfile.GFile(two).read() == "1" and gfile.exists(one)
    tf.gfile.Rename(one, f"{folder}/three")
    assert gfile.listdir(folder) == ["three", "two"]
    with pytest.raises(errors.InvalidArgumentError):
        gfile.copy(folder, f"{folder}/four")


def test_copies_between_file_systems(tmp_path):
    path = put(f"{tmp_path}/f", "abc")
    there = f"memory://{uuid.uuid4().hex}"
    gfile.copy(path, there)
    gfile.remove(path)
    gfile.rename(there, path)
    assert gfile.GFile(path).read() == "abc" and not gfile.exists(there)


def test_unknown_schemes():
    with pytest.raises(errors.UnimplementedError, match="File system scheme 'foo' not implemented"):
        gfile.exists("foo://x/y")


def test_atomic_writes(tmp_path):
    files.write_file_atomically(tmp_path / "f", "old", overwrite=False)
    with pytest.raises(errors.AlreadyExistsError):
        files.write_file_atomically(tmp_path / "f", "new", overwrite=False)
    assert files.read_file(tmp_path / "f") == b"old" and gfile.listdir(tmp_path) == ["f"]
    files.write_file(tmp_path / "empty", "")
    assert files.read_file(tmp_path / "empty") == b""


# ---- patterns

@pytest.mark.parametrize("pattern, names", [
    ("*", [".h", "a[1]", "f1", "f2", "x"]), ("f?", ["f1", "f2"]), ("f[12]", ["f1", "f2"]), ("f[^1]", ["f2"]),
    ("f[!1]", ["f2"]), ("*/y", ["x/y"]), ("x/*", ["x/y"]), ("z*", []), ("z/*", []), ("f1", ["f1"]), ("none", []),
    (r"\f1", ["f1"]), ("**", [".h", "a[1]", "f1", "f2", "x"]), ("{f1,f2}", []), (r"a\[1\]", ["a[1]"]), ("f1/*", []),
])  # fmt: skip
def test_patterns(folder, pattern, names):
    for name in ("f1", "f2", ".h", "a[1]"):
        put(f"{folder}/{name}")
    gfile.makedirs(f"{folder}/x/y")
    assert gfile.glob(f"{folder}/{pattern}") == [f"{folder}/{name}" for name in names]


def test_several_patterns(folder):
    paths = [put(f"{folder}/{name}") for name in ("b", "a")]
    assert tf.gfile.Glob(paths) == paths and tf.gfile.Glob(()) == []


def test_relative_patterns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    put("f1"), gfile.mkdir("d"), put("d/f2")
    assert gfile.glob("f*") == ["f1"] and gfile.glob("*/f2") == ["d/f2"]
