"""CSV files: CsvDataset, make_csv_dataset."""

from __future__ import annotations

import collections
import csv
import gzip
import itertools
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, files
from evergraph.base.export import export
from evergraph.data import specs
from evergraph.data.arguments import flag, number, text
from evergraph.data.dataset import AUTOTUNE, DatasetV1, DatasetV2
from evergraph.data.experimental.interleaving import parallel_interleave
from evergraph.data.experimental.transforming import ignore_errors as without_errors
from evergraph.data.experimental.transforming import shuffle_and_repeat
from evergraph.frontend import array
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.data.csv_files import csv_dataset

_BUFFER = 4 * 1024 * 1024
_ACCEPTED = dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string


@export("data.experimental.CsvDataset", "contrib.data.CsvDataset")
class CsvDataset(DatasetV1):
    """A dataset of the rows of CSV files: tuples of scalars, one for each column.

    >>> rows = tf.data.experimental.CsvDataset("data.csv", [tf.float32, [0.0], tf.string], header=True)

    Args:
        filenames: the name of a file, or several.
        record_defaults: for each column the dtype, if it must not be empty, or a list with the value that stands for
            an empty field. Columns are tf.string, tf.int32, tf.int64, tf.float32 or tf.float64.
        compression_type: None or "", "ZLIB" or "GZIP".
        buffer_size: how many bytes are read at once.
        header: whether the first line of a file has the names of columns.
        field_delim: what stands between fields.
        use_quote_delim: whether a field may be in double quotes.
        na_value: a text that stands for an empty field, too.
        select_cols: the numbers of the columns to read, in order; all by default.
    """

    def __init__(self, filenames: Any, record_defaults: Sequence[Any], compression_type: Any = None,
                 buffer_size: Any = None, header: Any = False, field_delim: Any = ",", use_quote_delim: Any = True,
                 na_value: Any = "", select_cols: Any = None) -> None:
        defaults = [_default(value) for value in record_defaults]
        self._spec = tuple(specs.TensorSpec([], value.dtype) for value in defaults)
        names = convert_to_tensor(filenames, dtypes.string, name="filenames")
        columns = convert_to_tensor([] if select_cols is None else select_cols, dtypes.int64, name="select_cols")
        DatasetV2.__init__(self, csv_dataset(
            names, text(compression_type, "compression_type"),
            number(_BUFFER if buffer_size is None else buffer_size, "buffer_size"), flag(header, "header"),
            text(field_delim, "field_delim"), flag(use_quote_delim, "use_quote_delim"), text(na_value, "na_value"),
            columns, defaults, output_shapes=specs.components(self._spec)[1]))


def _default(value: Any) -> Tensor:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, dtypes.DType) or isinstance(value, type) and value is not list:
        kind = dtypes.as_dtype(value)
        return array.constant(np.zeros(0, object if kind is dtypes.string else kind.np), kind)
    # A list without values has a dtype all the same: NumPy's and TensorFlow's for an empty list.
    return convert_to_tensor(value, dtypes.float32 if isinstance(value, (list, tuple)) and not value else None)


@export("data.experimental.make_csv_dataset", "contrib.data.make_csv_dataset")
def make_csv_dataset(file_pattern: Any, batch_size: Any, column_names: Sequence[str] | None = None,
                     column_defaults: Sequence[Any] | None = None, label_name: str | None = None,
                     select_columns: Sequence[Any] | None = None, field_delim: str = ",", use_quote_delim: bool = True,
                     na_value: str = "", header: bool = True, num_epochs: Any = None, shuffle: bool = True,
                     shuffle_buffer_size: Any = 10000, shuffle_seed: Any = None, prefetch_buffer_size: Any = None,
                     num_parallel_reads: Any = None, sloppy: bool = False, num_rows_for_inference: int | None = 100,
                     compression_type: str | None = None, ignore_errors: bool = False) -> Any:
    """A dataset of batches of the rows of CSV files: dicts from a column's name to its values.

    >>> batches = tf.data.experimental.make_csv_dataset("data/*.csv", 32, label_name="price", num_epochs=1)

    Args:
        file_pattern: patterns of the names of files.
        batch_size: how many rows make a batch.
        column_names: of all columns, in order; those in the first line of the files if it is not given.
        column_defaults: for each column that is read its dtype or the value of an empty field, as for `CsvDataset`;
            dtypes that fit the first rows, and zeros or "", if it is not given.
        label_name: the column with labels: with it, an element is a pair of the dict of the others and the labels.
        select_columns: numbers or names of the columns to read; all by default.
        field_delim, use_quote_delim, na_value, header, compression_type: as for `CsvDataset`.
        num_epochs: how often the rows come; for ever if it is None.
        shuffle: whether files and rows come in random order.
        shuffle_buffer_size, shuffle_seed: how they are shuffled.
        prefetch_buffer_size: how many batches are computed ahead.
        num_parallel_reads: how many files are read at a time.
        sloppy: allows another order, which is not made use of.
        num_rows_for_inference: how many rows tell the dtypes of columns; all rows if it is None.
        ignore_errors: whether rows that cannot be read are left out.

    Raises:
        ValueError: no file matches, or the names of columns, the defaults and the selection do not fit.
    """
    names = _matching(file_pattern)
    style = dict(delimiter=field_delim, quoting=csv.QUOTE_MINIMAL if use_quote_delim else csv.QUOTE_NONE)
    if column_names is None:
        if not header:
            raise ValueError("`column_names` is missing: pass the names of the columns, or header=True where the "
                             "files begin with them")
        column_names = _names_in_headers(names, style, compression_type)
    if len(column_names) != len(set(column_names)):
        raise ValueError(f"`column_names` must differ from each other, got {list(column_names)}")
    columns = None if select_columns is None else _numbers_of(select_columns, column_names)
    if column_defaults is not None:
        defaults = [_default(value) for value in column_defaults]
    else:
        defaults = _inferred(names, column_names, columns, style, na_value, header, num_rows_for_inference,
                             compression_type)
    kept = list(column_names) if columns is None else [column_names[i] for i in columns]
    if len(defaults) != len(kept):
        raise ValueError(f"`column_defaults` has {len(defaults)} values, expected one for each of the "
                         f"{len(kept)} columns read")
    if label_name is not None and label_name not in kept:
        raise ValueError(f"`label_name` {label_name!r} is none of the columns {kept}")

    def rows(filename: Tensor) -> Any:
        found = CsvDataset(filename, defaults, field_delim=field_delim, use_quote_delim=use_quote_delim,
                           na_value=na_value, select_cols=columns, header=header, compression_type=compression_type)
        return found.apply(without_errors()) if ignore_errors else found

    def named(*values: Tensor) -> Any:
        features = collections.OrderedDict(zip(kept, values, strict=True))
        if label_name is None:
            return features
        label = features.pop(label_name)
        return features, label

    dataset = DatasetV1.from_tensor_slices(names)
    if shuffle:
        dataset = dataset.shuffle(len(names), shuffle_seed)
    dataset = dataset.apply(parallel_interleave(rows, num_parallel_reads or 1, sloppy=sloppy))
    dataset = shuffled_and_repeated(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    # Without an end every batch is full, and its size is known.
    dataset = dataset.batch(batch_size, drop_remainder=num_epochs is None).map(named)
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def shuffled_and_repeated(dataset: Any, num_epochs: Any, shuffle: bool, buffer_size: Any, seed: Any) -> Any:
    """The elements in random order, as often as wanted."""
    if not shuffle:
        return dataset if num_epochs == 1 else dataset.repeat(num_epochs)
    if num_epochs == 1:
        return dataset.shuffle(buffer_size, seed)
    return dataset.apply(shuffle_and_repeat(buffer_size, num_epochs, seed))


# ---- what files tell of their columns


def _matching(file_pattern: Any) -> list[str]:
    """The names of the files, in order."""
    patterns = file_pattern if isinstance(file_pattern, (list, tuple)) else [file_pattern]
    if not patterns:
        raise ValueError("File pattern is empty.")
    found = sorted(os.fsdecode(name) for pattern in patterns for name in files.glob(pattern))
    if not found:
        raise ValueError(f"No files match {file_pattern}.")
    return found


def _rows_of(name: str, style: dict[str, Any], compression: str | None) -> Any:
    """The rows of a file, as lists of texts."""
    if compression not in (None, "", "GZIP"):
        raise ValueError(f"compression_type '{compression}' is not supported where names or types come from the files; "
                         "use 'GZIP', or pass both `column_names` and `column_defaults`")
    content = files.read_file(name)
    lines = (gzip.decompress(content) if compression else content).decode(errors="replace").splitlines(keepends=True)
    return csv.reader(lines, **style)


def _names_in_headers(names: list[str], style: dict[str, Any], compression: str | None) -> list[str]:
    first = next(_rows_of(names[0], style, compression))
    for name in names[1:]:
        if next(_rows_of(name, style, compression)) != first:
            raise ValueError("CSV files that are read together need one header: the column names of this file are "
                             "others.")
    return first


def _numbers_of(selected: Sequence[Any], column_names: Sequence[str]) -> list[int]:
    """The numbers of the selected columns, in order."""
    if all(isinstance(each, int) for each in selected):
        found = sorted(set(selected))
        if found and not 0 <= found[0] <= found[-1] < len(column_names):
            raise ValueError(f"select_columns has a number that is none of a column: {selected}")
    elif all(isinstance(each, str) for each in selected):
        unknown = [each for each in selected if each not in column_names]
        if unknown:
            raise ValueError(f"The selected columns {unknown} are not among the columns.")
        found = sorted({list(column_names).index(each) for each in selected})
    else:
        raise ValueError("select_columns must be all numbers or all names.")
    if len(found) != len(selected):
        raise ValueError("select_columns has a column twice.")
    return found


_ORDER = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string]


def _inferred(names: list[str], column_names: Sequence[str], columns: list[int] | None, style: dict[str, Any],
              missing: str, header: bool, most: int | None, compression: str | None) -> list[Tensor]:
    """The default of each column: zero or "", of the narrowest dtype that holds what the first rows have."""
    wanted = range(len(column_names)) if columns is None else columns
    kinds = [0] * len(wanted)
    rows = itertools.chain.from_iterable(
        itertools.islice(_rows_of(name, style, compression), int(header), None) for name in names)
    for row in itertools.islice(rows, most):
        if len(row) != len(column_names):
            raise ValueError(f"Cannot infer the types of columns: a row has {len(row)} fields, expected "
                             f"{len(column_names)}")
        kinds = [_widest(kind, row[column], missing) for kind, column in zip(kinds, wanted, strict=True)]
    return [array.constant([""] if _ORDER[kind] is dtypes.string else [0], _ORDER[kind]) for kind in kinds]


def _widest(kind: int, field: str, missing: str) -> int:
    """The number of the narrowest dtype, no narrower than `kind`, that holds a field."""
    if field in ("", missing):
        return kind
    return next(place for place in range(kind, len(_ORDER)) if _holds(_ORDER[place], field))


def _holds(kind: dtypes.DType, field: str) -> bool:
    if kind is dtypes.string:
        return True
    try:
        value = int(field) if kind.is_integer else float(field)
    except ValueError:
        return False
    return bool(kind.min <= value <= kind.max)
