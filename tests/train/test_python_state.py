"""tf.train.experimental.PythonState in checkpoints of objects."""

import pytest

import evergraph as tf


class Position(tf.train.experimental.PythonState):
    """Where a program is in its data."""

    def __init__(self, epoch):
        self.epoch = epoch

    def serialize(self):
        return str(self.epoch)

    def deserialize(self, string_value):
        self.epoch = int(string_value)


def test_saved_and_restored(tmp_path):
    with tf.Graph().as_default(), tf.Session() as sess:
        position, v = Position(3), tf.Variable(2.0)
        checkpoint = tf.train.Checkpoint(position=position, v=v)
        sess.run(tf.global_variables_initializer())
        first = checkpoint.save(str(tmp_path / "one"))
        position.epoch = 8
        second = checkpoint.save(str(tmp_path / "two"))
        position.epoch = 0
        for path, epoch in ((first, 3), (second, 8)):
            checkpoint.restore(path).assert_consumed().run_restore_ops()
            assert position.epoch == epoch


def test_a_state_says_how_it_is_saved():
    state = tf.train.experimental.PythonState()
    with pytest.raises(NotImplementedError):
        state.serialize()
    with pytest.raises(NotImplementedError):
        state.deserialize(b"")
