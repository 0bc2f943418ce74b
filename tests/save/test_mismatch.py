"""What restoring says when a variable has another shape than its value in the checkpoint."""

import pytest

import evergraph as tf


@pytest.mark.parametrize("resource", [False, True], ids=["ref", "resource"])
def test_the_variable_is_named(resource, tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        session.run(tf.get_variable("layer/w", [3]).initializer)
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("layer/w", [4], use_resource=resource)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?s)4.*3") as caught:
            tf.train.Saver().restore(session, path)
    assert "Restoring from checkpoint failed" in str(caught.value) and "layer/w" in str(caught.value)
