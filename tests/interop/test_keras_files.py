"""Files of Keras' models go both ways: each side loads what the other wrote, predicts the same and trains on."""

from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from tests.interop.judge import ask
from tests.keras.file_models import inputs, read, written

ROOT = str(Path(__file__).resolve().parents[2])
FORMS = ("h5", "weights", "checkpoint", "saved")


def tensorflow_writes(tf, root, name, where):
    import sys

    sys.path.insert(0, root)
    from tests.keras.file_models import written

    return written(tf, name, where)


def tensorflow_reads(tf, root, name, where, forms):
    import sys

    sys.path.insert(0, root)
    from tests.keras.file_models import read

    found = []
    for form in forms:
        tf.keras.backend.clear_session()
        found.append(read(tf, name, where, form))
    return found


def agree(found, wanted):
    for one, other in zip(found[0], wanted[0], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)
    if found[1] is not None:
        np.testing.assert_allclose(found[1], wanted[1], rtol=2e-4)


@pytest.mark.parametrize("name", ["shared", "pictures"])
def test_tensorflow_reads_our_files(tmp_path, name):
    wanted = written(tf, name, str(tmp_path))
    for found in ask(tensorflow_reads, tmp_path, root=ROOT, name=name, where=str(tmp_path), forms=FORMS):
        agree(found, wanted)


@pytest.mark.parametrize("name", ["shared", "pictures"])
def test_we_read_files_of_tensorflow(tmp_path, name):
    wanted = ask(tensorflow_writes, tmp_path, root=ROOT, name=name, where=str(tmp_path))
    for form in FORMS:
        with tf.Graph().as_default():
            agree(read(tf, name, str(tmp_path), form), wanted)


def tensorflow_serves(tf, where, feeds):
    """What a session of TensorFlow computes by the signature of a SavedModel."""
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.load(session, ["serve"], where).signature_def["serving_default"]
        outputs = {name: info.name for name, info in signature.outputs.items()}
        return session.run(outputs, {signature.inputs[name].name: value for name, value in feeds.items()})


def test_tensorflow_serves_our_saved_models(tmp_path):
    wanted, _ = written(tf, "shared", str(tmp_path))
    first, second = inputs("shared")[0]
    found = ask(tensorflow_serves, tmp_path, where=str(tmp_path / "shared_saved"),
                feeds={"first": first, "second": second})
    np.testing.assert_allclose(found["end"], wanted[0], atol=1e-5)
    np.testing.assert_allclose(found["joined"], wanted[1], atol=1e-5)


def tensorflow_writes_a_subclass(tf, where):
    import numpy as np

    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first, self.norm = tf.keras.layers.Dense(3), tf.keras.layers.BatchNormalization()

        def call(self, inputs, training=None):
            return self.norm(self.first(inputs), training=training)

    net, x = Net(), np.ones([2, 4], "float32")
    net.compile("adam", "mse")
    net.train_on_batch(x, np.ones([2, 3]))
    wanted = net.predict(x)
    net.save(where, save_format="tf")
    return wanted


def test_a_subclass_of_tensorflow_is_revived(tmp_path):
    wanted = ask(tensorflow_writes_a_subclass, tmp_path, where=str(tmp_path / "net"))
    model = tf.keras.models.load_model(tmp_path / "net")
    np.testing.assert_allclose(model.predict(np.ones([2, 4], "float32")), wanted, atol=1e-6)
    assert len(model.weights) == 6
