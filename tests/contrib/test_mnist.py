"""MNIST from local files: what is read, how batches are made, and what is said when there are no files."""

import gzip
import struct

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.learn.python.learn.datasets import mnist
from evergraph.contrib.learn.python.learn.monitored_session import MonitoredSession

read = tf.examples.tutorials.mnist.input_data.read_data_sets


def write(path, array):
    with gzip.open(path, "wb") as file:
        file.write(bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes())


@pytest.fixture
def folder(tmp_path):
    """12 training images, each with all pixels equal to its number, and 3 test images."""
    for name, count in (("train", 12), ("t10k", 3)):
        numbers = np.arange(count, dtype=np.uint8)
        write(tmp_path / f"{name}-images-idx3-ubyte.gz", np.tile(numbers[:, None, None], (1, 28, 28)))
        write(tmp_path / f"{name}-labels-idx1-ubyte.gz", numbers % 10)
    return tmp_path


def test_sizes_and_types(folder):
    data = read(str(folder), validation_size=4, one_hot=True)
    assert (data.train.num_examples, data.validation.num_examples, data.test.num_examples) == (8, 4, 3)
    assert data.train.images.shape == (8, 784) and data.train.images.dtype == np.float32
    np.testing.assert_array_equal(data.train.images[0], np.float32(4) * np.float32(1 / 255))
    assert data.test.labels.dtype == np.float64
    np.testing.assert_array_equal(data.test.labels, np.eye(10)[:3])


def test_names_inside_tensorflow(folder):
    with pytest.raises(ValueError, match="validation_size is 5000; there are 12 images"):
        mnist.load_mnist(str(folder))
    assert mnist.read_data_sets is read and MonitoredSession is tf.train.MonitoredSession


def test_images_and_labels_as_they_are(folder):
    data = read(str(folder), reshape=False, dtype=tf.uint8, validation_size=0)
    assert data.train.images.shape == (12, 28, 28, 1) and data.train.images.dtype == np.uint8
    assert data.train.labels.dtype == np.uint8 and data.train.labels.tolist() == [*range(10), 0, 1]
    assert data is not None and tf.contrib.learn.datasets.mnist.read_data_sets is read


def test_an_epoch_has_each_image_once_and_a_batch_crosses_its_end(folder):
    train = read(str(folder), reshape=False, dtype=tf.uint8, validation_size=2, seed=1).train
    batches = [train.next_batch(4)[0][:, 0, 0, 0] for _ in range(5)]
    assert train.epochs_completed == 1
    numbers = np.concatenate(batches)
    assert sorted(numbers[:10]) == sorted(numbers[10:]) == list(range(2, 12))
    assert list(numbers[:10]) != list(numbers[10:])


def test_the_order_is_that_of_numpys_generator(folder):
    train = read(str(folder), validation_size=0).train
    np.random.seed(7)
    _, labels = train.next_batch(12)
    order = np.random.RandomState(7).permutation(12)
    assert labels.tolist() == (order % 10).tolist()


def test_without_shuffling_the_order_is_that_of_the_file(folder):
    train = read(str(folder), validation_size=0).train
    assert train.next_batch(5, shuffle=False)[1].tolist() == [0, 1, 2, 3, 4]


def test_fake_data():
    train = read("nowhere", fake_data=True, one_hot=True).train
    images, labels = train.next_batch(2)
    assert images == [[1] * 784] * 2 and labels == [[1] + [0] * 9] * 2 and train.num_examples == 10000


def test_what_is_missing_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"train-images-idx3-ubyte\.gz.*not downloaded"):
        read(str(tmp_path))


def test_refusals(folder):
    with pytest.raises(ValueError, match="validation_size is 13"):
        read(str(folder), validation_size=13)
    with pytest.raises(TypeError, match="int32"):
        read(str(folder), dtype=tf.int32, validation_size=0)
    (folder / "train-images-idx3-ubyte.gz").write_bytes((folder / "train-labels-idx1-ubyte.gz").read_bytes())
    with pytest.raises(ValueError, match="is not MNIST"):
        read(str(folder))


def test_the_network_of_the_tutorials_learns(session):
    """Digits that are told by one pixel; the variables have the tutorial's names."""
    network = tf.examples.tutorials.mnist.mnist
    images, labels = tf.placeholder(tf.float32, [None, network.IMAGE_PIXELS]), tf.placeholder(tf.int32, [None])
    tf.set_random_seed(1)
    logits = network.inference(images, 16, 12)
    loss = network.loss(logits, labels)
    train, right = network.training(loss, 0.5), network.evaluation(logits, labels)
    assert [variable.op.name for variable in tf.trainable_variables()] == [
        f"{layer}/{part}" for layer in ("hidden1", "hidden2", "softmax_linear") for part in ("weights", "biases")]
    session.run(tf.global_variables_initializer())
    feeds = {images: 3 * np.eye(10, 784, dtype=np.float32), labels: np.arange(10)}
    before = session.run(loss, feeds)
    for _ in range(60):
        session.run(train, feeds)
    assert session.run(right, feeds) == 10 and session.run(loss, feeds) < before / 2
    assert session.run("global_step:0") == 60
