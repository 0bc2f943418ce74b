"""tf.keras.datasets: small sets of data, from the cache or from where they are published."""
from __future__ import annotations

import gzip
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.keras.cached_files import get_file

_PUBLISHED = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
Pairs = tuple[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]], tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]


@export("keras.datasets.mnist.load_data")
def load_digits(path: str = "mnist.npz") -> Pairs:
    """MNIST: 60,000 and 10,000 images of digits, 28 x 28 bytes, with their labels.

    Args:
        path: where the file is, below the cache's folder `datasets`.

    Returns:
        (images, labels) for training and for tests.
    """
    where = get_file(path, f"{_PUBLISHED}mnist.npz",
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
    path = get_file(name, _PUBLISHED + name, cache_subdir="datasets/fashion-mnist")
    with gzip.open(path, "rb") as file:
        content = file.read()
    start = 4 + 4 * content[3]
    return np.frombuffer(content, np.uint8, offset=start).reshape(np.frombuffer(content[4:start], ">i4"))
