"""Small files do not take memory without bound."""

import gzip
import io

import numpy as np
import PIL.Image
import pytest

import evergraph as tf
from evergraph.formats import png
from evergraph.ops.data import reading


def elements(dataset):
    element, found = dataset.make_one_shot_iterator().get_next(), []
    with tf.Session() as session:
        while True:
            try:
                found.append(session.run(element))
            except tf.errors.OutOfRangeError:
                return found


@pytest.mark.parametrize("compression", ["", "GZIP"])
@pytest.mark.parametrize("make", [
    lambda path, compression: tf.data.TextLineDataset(path, compression),
    lambda path, compression: tf.data.experimental.CsvDataset(path, [tf.string], compression_type=compression or None),
], ids=["text", "csv"])
def test_a_line_has_a_most_length(make, compression, tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_LINE", 1000)
    monkeypatch.setattr(reading, "_BUFFER", 512)
    path, write = str(tmp_path / "lines"), gzip.compress if compression else bytes
    with open(path, "wb") as file:
        file.write(write(b"a\n" + b"x" * 1000 + b"\nb\n"))
    assert len(elements(make(path, compression))) == 3
    with open(path, "wb") as file:
        file.write(write(b"a\nb\n" + b"0" * 10_000_000 + b"\nc\n"))
    element = make(path, compression).make_one_shot_iterator().get_next()
    with tf.Session() as session:
        assert [np.ravel(session.run(element)).tolist() for _ in range(2)] == [[b"a"], [b"b"]]
        with pytest.raises(tf.errors.ResourceExhaustedError, match="more than 1000 bytes"):
            session.run(element)
        with pytest.raises(tf.errors.OpError):  # nothing of the rest of that line comes as an element
            session.run(element)


def animation(count, size):
    frames, file = [PIL.Image.new("RGB", size, (60 * n, 0, 0)) for n in range(count)], io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], disposal=2)
    return file.getvalue()


def test_an_animation_has_a_most_size(session, monkeypatch):
    assert session.run(tf.image.decode_gif(animation(3, (5, 4)))).shape == (3, 4, 5, 3)
    monkeypatch.setattr(png, "MOST_SAMPLES", 3 * 4 * 5 * 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="GIF size too large"):
        session.run(tf.image.decode_gif(animation(3, (5, 4))))
