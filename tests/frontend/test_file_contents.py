"""Ops on whole files."""

import pytest

import evergraph as tf
from evergraph.base import errors

pytestmark = pytest.mark.usefixtures("session")


def test_read_and_write(session, tmp_path):
    path = str(tmp_path / "a" / "b" / "f")
    content = tf.placeholder(tf.string, [])
    write, read = tf.write_file(path, content), tf.read_file(path)
    for each in (b"one", b"", b"\xff\0"):  # a file is read again in every step
        session.run(write, {content: each})
        assert session.run(read) == each
    assert read.shape == []


def test_missing_files(session, tmp_path):
    with pytest.raises(errors.NotFoundError, match="No such file"):
        session.run(tf.io.read_file(str(tmp_path / "none")))


def test_names_are_scalars(session):
    with pytest.raises(ValueError, match="rank 0"):
        tf.read_file(["a"])
    name = tf.placeholder(tf.string)
    with pytest.raises(errors.InvalidArgumentError, match=r"must be scalar, but had shape: \[1\]"):
        session.run(tf.read_file(name), {name: ["a"]})
    with pytest.raises(ValueError, match="at most rank 1"):
        tf.matching_files([["a"]])


def test_matching_files(session, tmp_path):
    for name in ("b1", "b2", "a1"):
        (tmp_path / name).touch()
    both = tf.matching_files([f"{tmp_path}/b*", f"{tmp_path}/a*"])
    assert session.run(both).tolist() == [f"{tmp_path}/{name}".encode() for name in ("a1", "b1", "b2")]
    assert session.run(tf.io.matching_files(f"{tmp_path}/z*")).tolist() == [] and both.shape.as_list() == [None]


def test_names_that_are_looked_up_once(session, tmp_path):
    names = tf.train.match_filenames_once(f"{tmp_path}/*", name="found")
    assert tf.local_variables() == [names] and tf.global_variables() == [] and names.op.name == "found"
    (tmp_path / "a").touch()
    session.run(tf.local_variables_initializer())
    (tmp_path / "b").touch()
    assert session.run(names).tolist() == [f"{tmp_path}/a".encode()]
