"""tf.keras.utils.get_file and the sets of data that it gets."""

import gzip
import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

import evergraph as tf

get_file = tf.keras.utils.get_file


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source.txt"
    path.write_bytes(b"content")
    return path


def test_fetches_once(source, tmp_path):
    for origin in (str(source), source.as_uri()):
        cache = tmp_path / origin[:4].replace("/", "_")
        path = get_file("kept.txt", origin, cache_dir=str(cache))
        assert path == str(cache / "datasets" / "kept.txt") and Path(path).read_bytes() == b"content"
        assert get_file("kept.txt", "file:///nowhere", cache_dir=str(cache)) == path


def test_hashes(source, tmp_path):
    right = hashlib.md5(b"content").hexdigest()
    path = get_file("a", str(source), md5_hash=right, cache_dir=str(tmp_path))
    Path(path).write_bytes(b"damaged")
    assert Path(get_file("a", str(source), file_hash=right, cache_dir=str(tmp_path))).read_bytes() == b"content"
    with pytest.raises(ValueError, match="another hash"):
        get_file("b", str(source), file_hash="0" * 64, cache_dir=str(tmp_path))
    assert not (tmp_path / "datasets" / "b").exists()


def test_what_cannot_be_fetched_says_where_to_put_the_file(tmp_path):
    with pytest.raises(Exception, match=r"URL fetch failure on .*nothing.*put the file at .*datasets/x"):
        get_file("x", (tmp_path / "nothing").as_uri(), cache_dir=str(tmp_path))
    assert list((tmp_path / "datasets").iterdir()) == []


def test_archives(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("in_zip.txt", "z")
    with tarfile.open(tmp_path / "b.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo("b/in_tar.txt")
        entry.size = 1
        archive.addfile(entry, io.BytesIO(b"t"))
    cache = tmp_path / "cache"
    get_file("a.zip", str(tmp_path / "a.zip"), extract=True, cache_dir=str(cache))
    folder = get_file("b", str(tmp_path / "b.tar.gz"), untar=True, cache_dir=str(cache))
    assert (cache / "datasets" / "in_zip.txt").read_text() == "z"
    assert folder == str(cache / "datasets" / "b") and Path(folder, "in_tar.txt").read_text() == "t"


def test_an_archive_cannot_write_outside_of_its_folder(tmp_path):
    with tarfile.open(tmp_path / "evil.tar", "w") as archive:
        archive.addfile(tarfile.TarInfo("../../outside"), io.BytesIO())
    with pytest.raises(tarfile.OutsideDestinationError):
        get_file("evil.tar", str(tmp_path / "evil.tar"), extract=True, cache_dir=str(tmp_path / "cache"))
    assert not (tmp_path / "outside").exists()


def test_fashion_mnist_from_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".keras" / "datasets" / "fashion-mnist"
    folder.mkdir(parents=True)
    images, labels = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4), np.array([7, 9], np.uint8)
    for part in ("train", "t10k"):
        for kind, array in (("images-idx3", images), ("labels-idx1", labels)):
            head = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">i4").tobytes()
            (folder / f"{part}-{kind}-ubyte.gz").write_bytes(gzip.compress(head + array.tobytes()))
    (x, y), (test_x, test_y) = tf.keras.datasets.fashion_mnist.load_data()
    assert np.array_equal(x, images) and np.array_equal(test_y, labels) and y.dtype == np.uint8
    assert np.array_equal(test_x, images)


def test_mnist_is_taken_from_the_cache_when_it_is_the_published_file(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("evergraph.keras.datasets.PUBLISHED", f"file://{tmp_path}/nowhere/")
    (tmp_path / ".keras" / "datasets").mkdir(parents=True)
    np.savez(tmp_path / ".keras" / "datasets" / "mnist.npz", x_train=1, y_train=1, x_test=1, y_test=1)
    with pytest.raises(Exception, match="put the file at .*mnist.npz"):
        tf.keras.datasets.mnist.load_data()
