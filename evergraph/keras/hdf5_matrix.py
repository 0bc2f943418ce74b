"""tf.keras.utils.HDF5Matrix: a dataset of an HDF5 file as an array, which is read as it is used."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.keras.hdf5 import h5py


@export("keras.utils.HDF5Matrix")
class HDF5Matrix:
    """Rows of a dataset in an HDF5 file, in place of an array.

    Args:
        datapath: the file.
        dataset: the name of the dataset.
        start: the first row.
        end: the row after the last one; by default all.
        normalizer: a function that is applied to what is read.

    Raises:
        ImportError: the package h5py is not installed.
    """

    refs: defaultdict[str, Any] = defaultdict(int)  # the open files by their names

    def __init__(self, datapath: str, dataset: str, start: int = 0, end: int | None = None,
                 normalizer: Callable[[Any], Any] | None = None) -> None:
        if datapath not in self.refs:
            self.refs[datapath] = h5py().File(datapath, "r")
        self.data = self.refs[datapath][dataset]
        self.start, self.end = start, self.data.shape[0] if end is None else end
        self.normalizer = normalizer
        first = self.normalizer(self.data[0:1]) if normalizer is not None else None
        self._base_shape = self.data.shape[1:] if first is None else first.shape[1:]
        self._base_dtype = self.data.dtype if first is None else first.dtype

    def __len__(self) -> int:
        return self.end - self.start

    def __getitem__(self, key: Any) -> Any:
        """Rows by a slice, a number, or an array or list of numbers.

        Raises:
            IndexError: there is no such row.
        """
        if isinstance(key, slice):
            first, last, step = key.indices(len(self))
            read = self.data[first + self.start:last + self.start:step]
        else:
            rows = np.asarray(key)
            if rows.size and (rows.max() >= len(self) or rows.min() < -len(self)):
                raise IndexError(f"there is no row {key}: the matrix has {len(self)}")
            rows = np.where(rows < 0, rows + len(self), rows) + self.start
            read = self.data[int(rows)] if rows.ndim == 0 else self._rows(rows)
        return read if self.normalizer is None else self.normalizer(read)

    def _rows(self, rows: Any) -> Any:
        """Rows in any order, any number of times: HDF5 wants each once, and sorted."""
        distinct, places = np.unique(rows, return_inverse=True)
        return self.data[distinct.tolist()][places] if rows.size else np.empty((0, *self.data.shape[1:]))

    shape = property(lambda self: (len(self), *self._base_shape), doc="The shape.")
    dtype = property(lambda self: self._base_dtype, doc="The dtype.")
    ndim = property(lambda self: self.data.ndim, doc="The rank.")
    size = property(lambda self: int(np.prod(self.shape)), doc="The number of elements.")
