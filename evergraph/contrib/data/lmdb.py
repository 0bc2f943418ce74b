"""LMDB files: `tf.contrib.data.LMDBDataset`."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.data import specs
from evergraph.data.dataset import DatasetV1, DatasetV2
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.data.key_values import lmdb_dataset


@export("contrib.data.LMDBDataset")
class LMDBDataset(DatasetV1):
    """A dataset of the keys and values in LMDB files, as pairs of strings in the order of keys.

    Args:
        filenames: the name of a file, or several.
    """

    def __init__(self, filenames: Any) -> None:
        text = specs.TensorSpec([], dtypes.string)
        self._spec = text, text
        names = convert_to_tensor(filenames, dtypes.string, name="filenames")
        DatasetV2.__init__(self, lmdb_dataset(names, **specs.attrs_of(self._spec)))
