"""The handwritten digits of MNIST, read from the four files that are on this machine: `read_data_sets(folder)`.

Nothing is downloaded: the folder must hold the .gz files as they were published.
"""

from __future__ import annotations

import collections
import gzip
import os

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export, names_in
from evergraph.frontend.random import get_seed

FILES = (
    "train-images-idx3-ubyte.gz",
    "train-labels-idx1-ubyte.gz",
    "t10k-images-idx3-ubyte.gz",
    "t10k-labels-idx1-ubyte.gz",
)
SOURCE = "https://storage.googleapis.com/cvdf-datasets/mnist/"
IMAGES, LABELS = 2051, 2049  # the first four bytes of a file of images, and of one of labels
CLASSES = 10
FAKE_EXAMPLES = 10000

Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])
export("contrib.learn.datasets.base.Datasets")(Datasets)

# Where tutorials and where tf.contrib.learn have it.
_names = names_in("examples.tutorials.mnist.input_data", "contrib.learn.datasets.mnist")


@export(*_names("read_data_sets"))
def read_data_sets(train_dir, fake_data=False, one_hot=False, dtype=dtypes.float32, reshape=True,
                   validation_size=5000, seed=None, source_url=SOURCE):  # fmt: skip
    """The training, validation and test images with their labels.

    Args:
        train_dir: the folder of the four files.
        fake_data: makes data sets of constant examples, without any file.
        one_hot: whether labels are rows with a one among zeros rather than numbers.
        dtype: float32 for pixels from 0 to 1, uint8 for pixels as they are in the file.
        reshape: whether an image is a row of 784 pixels rather than [28, 28, 1].
        validation_size: how many of the first training images become the validation set.
        seed: of the order of the batches.
        source_url: named in the error when a file is missing; nothing is loaded from it.

    Returns:
        Datasets(train, validation, test), each a DataSet.

    Raises:
        FileNotFoundError: the folder lacks a file.
        ValueError: a file is not what its name says, or validation_size is more than there are images.
    """
    if fake_data:
        return Datasets(*(DataSet([], [], fake_data=True, one_hot=one_hot, dtype=dtype, seed=seed) for _ in range(3)))
    paths = [_present(train_dir, name, source_url) for name in FILES]
    images, test_images = (_opened(path, extract_images) for path in paths[::2])
    labels, test_labels = (_opened(path, extract_labels, one_hot) for path in paths[1::2])
    if not 0 <= validation_size <= len(images):
        raise ValueError(f"validation_size is {validation_size}; there are {len(images)} images")
    options = {"dtype": dtype, "reshape": reshape, "seed": seed}
    return Datasets(
        train=DataSet(images[validation_size:], labels[validation_size:], **options),
        validation=DataSet(images[:validation_size], labels[:validation_size], **options),
        test=DataSet(test_images, test_labels, **options),
    )


@export("contrib.learn.datasets.mnist.load_mnist")
def load_mnist(train_dir="MNIST-data"):
    """The data sets in a folder, with the default options of `read_data_sets`."""
    return read_data_sets(train_dir)


def _present(folder, name, source):
    """The path of a file, if it is there."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        raise FileNotFoundError(
            f"There is no {path}. MNIST is not downloaded here: get {', '.join(FILES)} from {source or SOURCE} "
            f"and put them into the folder {os.path.abspath(folder)}"
        )
    return path


def _opened(path, read, *options):
    with open(path, "rb") as file:
        return read(file, *options)


def _numbers(file, magic, dimensions):
    """The array of bytes in an idx file: four bytes of magic, four for each dimension, then the data."""
    with gzip.GzipFile(fileobj=file) as unpacked:
        content = unpacked.read()
    head = np.frombuffer(content[: 4 + 4 * dimensions], ">u4")
    name = getattr(file, "name", "the file")
    if not len(head) or head[0] != magic:
        raise ValueError(f"{name} is not MNIST: it begins with {head[:1].tolist()}, not with {magic}")
    shape = tuple(int(size) for size in head[1:])
    data = np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions)
    if len(shape) != dimensions or data.size < np.prod(shape):
        raise ValueError(f"{name} ends too early: it announces {list(shape)} and holds {data.size} numbers")
    return data[: int(np.prod(shape))].reshape(shape).copy()


@export(*_names("extract_images"))
def extract_images(f):
    """The images of an open .gz file, [count, rows, columns, 1] of uint8."""
    return _numbers(f, IMAGES, 3)[..., np.newaxis]


@export(*_names("extract_labels"))
def extract_labels(f, one_hot=False, num_classes=CLASSES):
    """The labels of an open .gz file: uint8 numbers, or rows of float64 with a one each."""
    labels = _numbers(f, LABELS, 1)
    return dense_to_one_hot(labels, num_classes) if one_hot else labels


@export(*_names("dense_to_one_hot"))
def dense_to_one_hot(labels_dense, num_classes):
    """Rows of zeros with a one where the label is."""
    return np.eye(num_classes)[np.ravel(labels_dense)]


@export(*_names("DataSet"))
class DataSet:
    """Images and labels that are handed out in batches, in a new order each epoch.

    The order comes from NumPy's global generator, which the data set seeds when it is made, as TensorFlow's does: a
    program that seeds it afterwards decides the order.

    Args:
        images: uint8 [count, height, width, 1].
        labels: one for each.
        fake_data: hands out made-up images instead.
        one_hot: whether made-up labels are vectors.
        dtype: uint8, or float32 for numbers from 0 to 1.
        reshape: whether images become vectors.
        seed: of the order.
    """

    def __init__(self, images, labels, fake_data=False, one_hot=False, dtype=dtypes.float32, reshape=True, seed=None):
        graph_seed, op_seed = get_seed(seed)
        np.random.seed(graph_seed if seed is None else op_seed)
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype not in (dtypes.uint8, dtypes.float32):
            raise TypeError(f"images of MNIST are uint8 or float32, not {dtype.name}")
        self._fake, self._one_hot = fake_data, one_hot
        self._epochs_completed, self._next = 0, 0
        if fake_data:
            self._num_examples = FAKE_EXAMPLES
        else:
            if len(images) != len(labels):
                raise ValueError(f"there are {len(images)} images and {len(labels)} labels")
            self._num_examples = len(images)
            images = images.reshape(len(images), int(np.prod(images.shape[1:]))) if reshape else images
            images = images.astype(np.float32) * np.float32(1.0 / 255.0) if dtype == dtypes.float32 else images
        self._images, self._labels = images, labels

    @property
    def images(self):
        """All images, as given or as vectors."""
        return self._images

    @property
    def labels(self):
        """The labels, one for each image."""
        return self._labels

    @property
    def num_examples(self):
        """How many images there are."""
        return self._num_examples

    @property
    def epochs_completed(self):
        """How often all images have been handed out."""
        return self._epochs_completed

    def next_batch(self, batch_size, fake_data=False, shuffle=True):
        """The next examples; a batch that crosses the end of an epoch is filled up from the next one.

        Returns:
            (images, labels)
        """
        if fake_data or self._fake:
            return self._made_up(batch_size)
        if shuffle and self._next == 0 and self._epochs_completed == 0:
            self._reorder()
        start, self._next = self._next, self._next + batch_size
        if self._next <= self._num_examples:
            return self._images[start : self._next], self._labels[start : self._next]
        rest = self._images[start:], self._labels[start:]
        self._epochs_completed += 1
        if shuffle:
            self._reorder()
        self._next -= self._num_examples
        first = self._images[: self._next], self._labels[: self._next]
        return tuple(np.concatenate(pair) for pair in zip(rest, first))

    def _reorder(self):
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]

    def _made_up(self, batch_size):
        label = [1] + [0] * (CLASSES - 1) if self._one_hot else 0
        return [[1] * 784 for _ in range(batch_size)], [label for _ in range(batch_size)]
