"""DecodeCSV: parses lines of comma-separated values (RFC 4180)."""

from __future__ import annotations

import numpy as np

from evergraph import native
from evergraph.base import dtypes
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import at_most_rank
from evergraph.kernel.rows import along_first
from evergraph.ops.strings.numbers import real_number, whole_number
from evergraph.ops.strings.walking import flat

_NEWLINES = b"\r\n"


@op("DecodeCSV(records: string, record_defaults: OUT_TYPE, *, "
    "OUT_TYPE: list({float, double, int32, int64, string}) >= 1, field_delim: string = ',', "
    "use_quote_delim: bool = True, na_value: string = '', select_cols: list(int) = []) -> output: OUT_TYPE",
    on="host", grad=STOP, in_batches=along_first)
def decode_csv(records, record_defaults, OUT_TYPE, field_delim, use_quote_delim, na_value, select_cols):
    """Parses lines of comma-separated values to one tensor per column."""
    delimiter = field_delim.encode()
    if len(delimiter) != 1:
        raise invalid("field_delim should be only 1 char")
    _check_defaults(record_defaults)
    _check_columns(select_cols, OUT_TYPE)
    lines = flat(records)
    missing = na_value.encode()
    found = columns_in_c(lines, record_defaults, OUT_TYPE, delimiter, use_quote_delim, missing, select_cols)
    if found is not None:
        return [column.reshape(np.shape(records)) for column in found]
    rows = [fields(line, delimiter, use_quote_delim, select_cols) for line in lines]
    for place, row in enumerate(rows):
        if len(row) != len(OUT_TYPE):
            raise invalid(f"Expect {len(OUT_TYPE)} fields but have {len(row)} in record {place}")
    columns = zip(*rows) if rows else [()] * len(OUT_TYPE)
    return [_column(number, column, np.ravel(np.asarray(default, dtype)), dtype, missing, np.shape(records))
            for number, (column, default, dtype) in enumerate(zip(columns, record_defaults, OUT_TYPE))]


@decode_csv.shape
def _(records, record_defaults):
    for default in record_defaults:
        at_most_rank(default, 1)
        if default and default[0] is not None and default[0] > 1:
            raise ValueError("a record default is one value or none: a scalar, or a length-0 or length-1 vector.")
    return [records] * len(record_defaults)


def _check_defaults(defaults):
    for place, default in enumerate(defaults):
        if np.ndim(default) > 1:
            raise invalid("Each record default should be at most rank 1")
        if np.size(default) > 1:
            raise invalid(f"a field has one default or none; field {place} has {np.size(default)}")


def _check_columns(columns, types):
    if columns and len(columns) != len(types):
        raise invalid(f"select_cols should match output size: {len(columns)} and {len(types)}")
    if any(here >= after for here, after in zip(columns, columns[1:])) or any(column < 0 for column in columns):
        raise invalid(f"select_cols should be non-negative and strictly increasing, not {list(columns)}")


_STRINGS, _REALS, _INTEGERS = range(1, 4)  # kinds of columns, as the C extension numbers them; 0 is one to skip
_MOST_COLUMNS = 1 << 16  # to which the C extension is asked to go for selected ones


def columns_in_c(lines, defaults, types, delimiter, has_quotes, missing, selected):
    """The columns of lines by the C extension; None if it is not there or declines."""
    if native.text is None or selected and selected[-1] >= _MOST_COLUMNS:
        return None
    kinds = bytearray(selected[-1] + 1 if selected else len(types))
    for column, dtype in zip(selected or range(len(types)), types):
        kinds[column] = _STRINGS if dtype.hasobject else _INTEGERS if dtype.kind == "i" else _REALS
    found = native.text.fields(tuple(lines), delimiter[0], has_quotes, bool(selected), bytes(kinds), missing)
    if found is None:
        return None
    found = list(filter(None, found))
    floats = _floats([values for (values, _), dtype in zip(found, types) if dtype == np.float32])
    if floats is None:
        return None
    columns = [_native_column(next(floats) if dtype == np.float32 else values, has, default, dtype)
               for (values, has), default, dtype in zip(found, defaults, types)]
    return None if any(column is None for column in columns) else columns


def _floats(columns):
    """Columns of doubles, as the C extension gives them, as floats; None where the twin has to round some of them.

    All at once, because NumPy takes longer to begin than it does for the numbers of a batch.
    """
    read = np.frombuffer(b"".join(columns)).reshape(len(columns), -1) if columns else np.empty((0, 0))
    if _may_round_twice(read):
        return None
    with np.errstate(over="ignore"):
        return iter(read.astype(np.float32))


def _native_column(values, has, default, dtype):
    """An array of what the C extension found for a column; None where the twin has to report an error."""
    if dtype.hasobject:
        column = np.empty(len(values), object)
        column[:] = values
    elif dtype == np.float32:
        column = values
    else:
        read = np.frombuffer(values, np.int64 if dtype.kind == "i" else np.float64)
        if dtype == np.int32 and read.size and (read.min() < -2**31 or read.max() >= 2**31):
            return None
        column = read.astype(dtype)
    if 0 in has:
        default = np.ravel(np.asarray(default, dtype))
        if not default.size:
            return None
        column[~np.frombuffer(has, np.bool_)] = default[0]
    return column


def _may_round_twice(doubles):
    """Whether some of these lie in the middle of two floats, or where floats have fewer digits."""
    is_middle = (doubles.view(np.int64) & 0x1FFFFFFF) == 0x10000000
    return bool((is_middle | (doubles != 0) & (np.abs(doubles) < 2.0**-126)).any())


def _column(number, texts, default, dtype, missing, shape):
    """Converts the fields of one column to values."""
    is_text = dtype.hasobject
    read = None if is_text else whole_number if dtype.kind == "i" else real_number
    values = np.empty(len(texts), object if is_text else dtype)
    for place, text in enumerate(texts):
        if not text or text == missing:
            if not default.size:
                raise invalid(f"Field {number} is required but missing in record {place}!")
            values[place] = default[0]
            continue
        value = text if is_text else read(text, dtype)
        if value is None:
            raise invalid(f"Field {number} in record {place} is not a valid "
                          f"{dtypes.short_name(dtypes.as_dtype(dtype))}: {text.decode(errors='replace')}")
        with np.errstate(over="ignore"):
            values[place] = value
    return values.reshape(shape)


def fields(line, delimiter, has_quotes, selected=()):
    """The fields of a line: of all columns, or of the selected ones."""
    if not (has_quotes and b'"' in line) and b"\n" not in line and b"\r" not in line:
        found = line.split(delimiter) if line else []
        return [found[column] for column in selected if column < len(found)] if selected else found
    found, at = [], 0
    while at < len(line) and (not selected or len(found) <= selected[-1]):
        if line[at] in _NEWLINES:
            at += 1
            continue
        read = _quoted_field if has_quotes and line[at] == ord('"') else _plain_field
        field, at = read(line, at, delimiter, has_quotes)
        found.append(field)
    if line.endswith(delimiter) and at == len(line):
        found.append(b"")
    return [found[column] for column in selected if column < len(found)] if selected else found


def _plain_field(line, start, delimiter, has_quotes):
    """(an unquoted field, the position of the next field)."""
    end = line.find(delimiter, start)
    field = line[start:] if end < 0 else line[start:end]
    if any(char in field for char in ((b'"', b"\n", b"\r") if has_quotes else (b"\n", b"\r"))):
        raise invalid("Unquoted fields cannot have quotes/CRLFs inside")
    return field, start + len(field) + 1 if end >= 0 else len(line)


def _quoted_field(line, start, delimiter, has_quotes):
    """(a quoted field, the position of the next field); two quotes inside it mean one."""
    pieces, at = [], start + 1
    while True:
        end = line.find(b'"', at)
        if end < 0:
            raise invalid("Quoted field has to end with quote followed at most by a delimiter")
        pieces.append(line[at:end])
        after = line[end + 1:end + 2]
        if after in (b"", delimiter):
            return b'"'.join(pieces), min(end + 2, len(line))
        if after != b'"':
            raise invalid("a quote in a quoted field is written as two quotes")
        at = end + 2
