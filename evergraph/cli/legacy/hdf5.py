"""HDF5 files as h5py 2 opened them, and their attributes as it read them: texts in ASCII as bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.cli.legacy.ledger import lend


def attributes_as_bytes(manager: Any) -> Any:
    """h5py's class of attributes, whose values are bytes where the file says ASCII; those in UTF-8 remain texts."""
    read = manager.__getitem__

    def getitem(self: Any, name: str) -> Any:
        value = read(self, name)
        if isinstance(value, np.ndarray) and value.shape == (0,):
            return np.zeros(0, "S1")  # a list of names that is empty, which NumPy does not take for False today
        is_text = isinstance(value, str) or isinstance(value, np.ndarray) and value.dtype.kind == "O"
        if not is_text or not _is_ascii(self, name):
            return value
        lend("h5py.AttributeManager")
        # h5py 2 wrote lists of bytes with a fixed length, and read them so.
        return value.encode() if isinstance(value, str) else np.array([_as_bytes(item) for item in value.flat],
                                                                      "S").reshape(value.shape)

    manager.__getitem__ = getitem
    return manager


def file_that_may_be_new(file: Any) -> Any:
    """h5py's class of files, which are opened to be changed, or made, where no mode says otherwise."""
    begin = file.__init__

    def init(self: Any, name: Any, mode: str | None = None, *args: Any, **kwargs: Any) -> None:
        if mode is not None:
            begin(self, name, mode, *args, **kwargs)
            return
        lend("h5py.File")
        try:
            begin(self, name, "a", *args, **kwargs)
        except PermissionError:
            begin(self, name, "r", *args, **kwargs)

    file.__init__ = init
    file.fid = property(lambda self: self.id)
    return file


def _is_ascii(manager: Any, name: str) -> bool:
    from h5py import h5t

    kind = manager.get_id(name).get_type()
    return isinstance(kind, h5t.TypeStringID) and kind.get_cset() == h5t.CSET_ASCII


def _as_bytes(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value
