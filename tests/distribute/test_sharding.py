"""A dataset divided among workers: by files where it reads some, else by elements."""

import pytest

import evergraph as tf
from evergraph.distribute.input import shard_automatically


@pytest.fixture
def files(tmp_path):
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text("".join(f"{number}{line}\n" for line in "abc"))
    return [str(tmp_path / f"{number}.txt") for number in range(4)]


def elements(dataset, index=1):
    found, got = shard_automatically(dataset, 2, index).make_one_shot_iterator().get_next(), []
    with tf.Session() as session:
        while True:
            try:
                got.append(session.run(found))
            except tf.errors.OutOfRangeError:
                return got


def test_files_are_divided(files):
    second = [b"1a", b"1b", b"1c", b"3a", b"3b", b"3c"]
    names = tf.data.Dataset.from_tensor_slices(files)
    assert elements(tf.data.TextLineDataset(files)) == second
    assert elements(tf.data.TextLineDataset(files).map(tf.identity).prefetch(2)) == second
    assert elements(names.flat_map(tf.data.TextLineDataset)) == second
    assert sorted(elements(names.shuffle(9).repeat(2).flat_map(tf.data.TextLineDataset))) == sorted(second * 2)
    assert elements(tf.data.Dataset.zip((tf.data.TextLineDataset(files), names.flat_map(tf.data.TextLineDataset)))) == [
        (line, line) for line in second]


def test_elements_are_divided_where_there_are_no_files():
    assert elements(tf.data.Dataset.range(5)) == [1, 3] and elements(tf.data.Dataset.range(5), index=0) == [0, 2, 4]
    with pytest.raises(tf.errors.InvalidArgumentError, match="index must be >= 0"):
        elements(tf.data.Dataset.range(5), index=2)
