"""tf.keras.datasets: small sets of data, from the cache or from where they are published."""
from __future__ import annotations

import gzip
import os
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.keras import plain_pickles, settings
from evergraph.keras.cached_files import get_file

PUBLISHED = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
Pairs = tuple[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]], tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]


@export("keras.datasets.mnist.load_data")
def load_digits(path: str = "mnist.npz") -> Pairs:
    """MNIST: 60,000 and 10,000 images of digits, 28 x 28 bytes, with their labels.

    Args:
        path: where the file is, below the cache's folder `datasets`.

    Returns:
        (images, labels) for training and for tests.
    """
    where = get_file(path, f"{PUBLISHED}mnist.npz",
                     file_hash="731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1")
    with np.load(where, allow_pickle=False) as found:
        return (found["x_train"], found["y_train"]), (found["x_test"], found["y_test"])


@export("keras.datasets.fashion_mnist.load_data")
def load_clothes() -> Pairs:
    """Fashion-MNIST: 60,000 and 10,000 images of clothes in ten classes, 28 x 28 bytes, with their labels.

    Returns:
        (images, labels) for training and for tests.
    """
    parts = [_idx(f"{part}-{kind}-ubyte.gz") for part in ("train", "t10k") for kind in ("images-idx3", "labels-idx1")]
    return (parts[0], parts[1]), (parts[2], parts[3])


def _idx(name: str) -> np.ndarray[Any, Any]:
    """An array of bytes in the IDX format: four bytes, of which the last is the rank, the sizes, the values."""
    path = get_file(name, PUBLISHED + name, cache_subdir="datasets/fashion-mnist")
    with gzip.open(path, "rb") as file:
        content = file.read()
    start = 4 + 4 * content[3]
    return np.frombuffer(content, np.uint8, offset=start).reshape(np.frombuffer(content[4:start], ">i4"))


@export("keras.datasets.cifar10.load_data")
def load_cifar10() -> Pairs:
    """CIFAR-10: 50,000 and 10,000 images of ten classes, 32 x 32 bytes in three colours, with labels [images, 1].

    Returns:
        (images, labels) for training and for tests.
    """
    folder = get_file("cifar-10-batches-py", "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz", untar=True,
                      file_hash="6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce")
    parts = [_batch(os.path.join(folder, f"data_batch_{number}"), "labels") for number in range(1, 6)]
    trained = np.concatenate([images for images, _ in parts]), np.concatenate([labels for _, labels in parts])
    return trained, _batch(os.path.join(folder, "test_batch"), "labels")


@export("keras.datasets.cifar100.load_data")
def load_cifar100(label_mode: str = "fine") -> Pairs:
    """CIFAR-100: 50,000 and 10,000 images, 32 x 32 bytes in three colours, with labels [images, 1].

    Args:
        label_mode: "fine" for 100 classes, "coarse" for 20.

    Returns:
        (images, labels) for training and for tests.

    Raises:
        ValueError: there are no such labels.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError('`label_mode` must be one of "fine", "coarse".')
    folder = get_file("cifar-100-python", "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz", untar=True,
                      file_hash="85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7")
    return tuple(_batch(os.path.join(folder, part), f"{label_mode}_labels")
                 for part in ("train", "test"))  # type: ignore[return-value]


def _batch(path: str, labels: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The images and labels of one of CIFAR's files."""
    with open(path, "rb") as file:
        found = plain_pickles.load(file.read(), "latin1")
    images = np.asarray(found["data"], np.uint8).reshape(-1, 3, 32, 32)
    if settings.image_data_format() == "channels_last":
        images = images.transpose(0, 2, 3, 1)
    return images, np.asarray(found[labels], np.uint8).reshape(-1, 1)
