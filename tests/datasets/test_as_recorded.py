"""Datasets give TensorFlow's elements, one by one; an iterator that is saved and restored goes on as if it were not."""

import pytest

import evergraph as tf
from tests.datasets.programs import PROGRAMS, drawn, rest, told
from tests.harness.recorded import texts

RECORDED = texts("datasets")
WRITES_FILES = {"cache_in_file"}  # only one iterator at a time may write a cache


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_recorded(name, tmp_path):
    assert drawn(tf, name, tmp_path) == RECORDED[name]


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in WRITES_FILES])
def test_saved_and_restored(name, tmp_path):
    dataset = PROGRAMS[name](tf, tmp_path)
    first, second = (tf.data.make_initializable_iterator(dataset) for _ in range(2))
    states = tf.raw_ops.SerializeIterator(resource_handle=first._iterator_resource)
    moved = tf.raw_ops.DeserializeIterator(resource_handle=second._iterator_resource, serialized=states)
    element, other = first.get_next(), second.get_next()
    wanted = RECORDED[name][0]
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        session.run(first.initializer)
        for place in range(len(wanted) + 1):
            if place % 3 == 0 or place == len(wanted):
                session.run(second.initializer)
                session.run(moved)
                assert rest(tf, session, None, other) == wanted[place:], place
            if place < len(wanted):
                assert told(session.run(element)) == wanted[place]
