# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.datasets.mnist."""

from evergraph.contrib.learn.datasets.base import Datasets
from typing import Any

class DataSet:
    """Images and labels that are handed out in batches, in a new order each epoch."""
    @property
    def images(self) -> Any:
        """All images, as given or as vectors."""
    @property
    def labels(self) -> Any:
        """The labels, one for each image."""
    @property
    def num_examples(self) -> Any:
        """How many images there are."""
    @property
    def epochs_completed(self) -> Any:
        """How often all images have been handed out."""
    def next_batch(self, batch_size: Any, fake_data: Any = False, shuffle: Any = True) -> Any:
        """The next examples; a batch that crosses the end of an epoch is filled up from the next one."""
    def __init__(
        self, images: Any, labels: Any, fake_data: Any = False, one_hot: Any = False, dtype: Any = ...,
        reshape: Any = True, seed: Any = None,
    ) -> None: ...

def dense_to_one_hot(labels_dense: Any, num_classes: Any) -> Any:
    """Rows of zeros with a one where the label is."""

def extract_images(f: Any) -> Any:
    """The images of an open .gz file, [count, rows, columns, 1] of uint8."""

def extract_labels(f: Any, one_hot: Any = False, num_classes: Any = 10) -> Any:
    """The labels of an open .gz file: uint8 numbers, or rows of float64 with a one each."""

def load_mnist(train_dir: Any = 'MNIST-data') -> Datasets:
    """The data sets in a folder, with the default options of `read_data_sets`."""

def read_data_sets(
    train_dir: Any, fake_data: Any = False, one_hot: Any = False, dtype: Any = ..., reshape: Any = True,
    validation_size: Any = 5000, seed: Any = None, source_url: Any = ...,
) -> Datasets:
    """The training, validation and test images with their labels."""
