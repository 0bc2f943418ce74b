"""Ops that extract, set or construct diagonals and bands of matrices.

Several diagonals are stored as rows, the uppermost first; `k` is (lowest, highest) or one number: 0 is the main
diagonal, positive numbers are superdiagonals. A row that is longer than its diagonal is padded on the right, or on the
left where `align` says so: "RIGHT_LEFT" aligns superdiagonals to the right of their rows, subdiagonals to the left. The
V2 ops always use "LEFT_LEFT".
"""
import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op
from evergraph.graph.shaping import at_least_rank, merge_size, same_as
from evergraph.ops.arrays import basic

# ---- the main diagonal

_DIAGONAL_TYPES = "{bfloat16, half, float, double, int32, int64, complex64, complex128}"


@op(f"Diag(diagonal: T, *, T: {_DIAGONAL_TYPES}) -> output: T", export=("diag", "linalg.tensor_diag"))
def diag(xp, diagonal):
    """A diagonal tensor of twice the rank: zero except where both halves of the index agree."""
    if not np.ndim(diagonal):
        raise invalid("Input must be at least rank 1, got 0")
    shape = np.shape(diagonal)
    return xp.reshape(xp.diag(xp.reshape(diagonal, [-1])), shape + shape)


@diag.shape
def _(diagonal):
    at_least_rank(diagonal, 1)
    return None if diagonal is None else diagonal + diagonal


@diag.grad
def _(op, dy):
    return diag_part(dy)


@op(f"DiagPart(input: T, *, T: {_DIAGONAL_TYPES}) -> diagonal: T", export=("diag_part", "linalg.tensor_diag_part"))
def diag_part(xp, input):
    """The diagonal of a tensor of even rank: the elements where both halves of the index agree."""
    shape = np.shape(input)
    half = shape[:len(shape) // 2]
    if not shape or half + half != shape:
        raise invalid(f"The rank of the tensor must be even and positive and both halves of its shape equal: got "
                      f"{list(shape)}")
    size = int(np.prod(half, dtype=np.int64))
    return xp.reshape(xp.diagonal(xp.reshape(input, [size, size])), half)


@diag_part.shape
def _(input):
    if input is None:
        return None
    if not input or len(input) % 2:
        raise ValueError(f"tensor_diag_part takes an even rank above 0, got {len(input)}")
    half = len(input) // 2
    return tuple(merge_size(a, b) for a, b in zip(input[:half], input[half:], strict=True))


@diag_part.grad
def _(op, dy):
    return diag(dy)


def _matrix_diag(xp, diagonal):
    at_least_vector(diagonal)
    size = np.shape(diagonal)[-1]
    return xp.where(np.eye(size, dtype=bool), xp.expand_dims(diagonal, -1), np.zeros((), diagonal.dtype))


def at_least_vector(diagonal):
    if not np.ndim(diagonal):
        raise invalid("diagonal must be at least 1-dim, received a scalar")


def at_least_matrix(input):
    if np.ndim(input) < 2:
        raise invalid(f"input must be at least 2-dim; its shape is {list(np.shape(input))}")


def _with_diag(xp, input, diagonal):
    at_least_matrix(input)
    shape = np.shape(input)
    at_least_vector(diagonal)
    wanted = (*shape[:-2], min(shape[-2:]))
    if np.shape(diagonal)[:-1] != wanted[:-1]:
        raise invalid(f"the first dimensions of diagonal don't match: diagonal {list(np.shape(diagonal))}, input "
                      f"{list(shape)}")
    if np.shape(diagonal) != wanted:
        raise invalid(f"must have diagonal.shape {list(wanted)} for input.shape {list(shape)}, but it is "
                      f"{list(np.shape(diagonal))}")
    # Beyond the end of the diagonal the mask is false, and the value is irrelevant.
    rows = xp.pad(diagonal, [(0, 0)] * (len(shape) - 2) + [(0, shape[-2] - wanted[-1])])
    return xp.where(np.eye(*shape[-2:], dtype=bool), xp.expand_dims(rows, -1), input)


def _diag_shape(diagonal):
    at_least_rank(diagonal, 1)
    return None if diagonal is None else (*diagonal, diagonal[-1])


def _diag_part_shape(input):
    at_least_rank(input, 2)
    return None if input is None else (*input[:-2], None if None in input[-2:] else min(input[-2:]))


def _set_diag_shape(input, diagonal):
    at_least_rank(input, 2)
    at_least_rank(diagonal, 1)
    if input is None or diagonal is None:
        return input if input is not None else None if diagonal is None else (*diagonal[:-1], None, None)
    if len(diagonal) != len(input) - 1:
        raise ValueError(f"Shape must be rank {len(input) - 1} but is rank {len(diagonal)}")
    merge_size(_diag_part_shape(input)[-1], diagonal[-1])
    return (*(merge_size(a, b) for a, b in zip(input[:-2], diagonal[:-1], strict=True)), *input[-2:])


@op("MatrixDiag(diagonal: T, *, T: type) -> output: T", shape=_diag_shape)
def matrix_diag(xp, diagonal):
    """Diagonal matrices with the last axis of `diagonal` as their main diagonals."""
    return _matrix_diag(xp, diagonal)


@op("MatrixDiagPart(input: T, *, T: type) -> diagonal: T", shape=_diag_part_shape)
def matrix_diag_part(xp, input):
    """The main diagonals of a batch of matrices."""
    at_least_matrix(input)
    return xp.diagonal(input, axis1=-2, axis2=-1)


@op("MatrixSetDiag(input: T, diagonal: T, *, T: type) -> output: T", shape=_set_diag_shape)
def matrix_set_diag(xp, input, diagonal):
    """A batch of matrices with their main diagonals replaced."""
    return _with_diag(xp, input, diagonal)


@op("BatchMatrixDiag(diagonal: T, *, T: type) -> output: T", shape=_diag_shape)
def batch_matrix_diag(xp, diagonal):
    """The deprecated name of MatrixDiag."""
    return _matrix_diag(xp, diagonal)


@op("BatchMatrixDiagPart(input: T, *, T: type) -> diagonal: T", shape=_diag_part_shape)
def batch_matrix_diag_part(xp, input):
    """The deprecated name of MatrixDiagPart."""
    at_least_matrix(input)
    return xp.diagonal(input, axis1=-2, axis2=-1)


@op("BatchMatrixSetDiag(input: T, diagonal: T, *, T: type) -> output: T", shape=_set_diag_shape)
def batch_matrix_set_diag(xp, input, diagonal):
    """The deprecated name of MatrixSetDiag."""
    return _with_diag(xp, input, diagonal)


def _diag_gradient(op, dy):
    return matrix_diag_part(dy)


def _diag_part_gradient(op, dy):
    shape = op.inputs[0]._shape
    if shape is not None and shape[-2] is not None and shape[-2] == shape[-1]:
        return matrix_diag(dy)
    return matrix_set_diag(basic.zeros_like(op.inputs[0]), dy)


def _set_diag_gradient(op, dy):
    return [matrix_set_diag(dy, basic.zeros_like(op.inputs[1])), matrix_diag_part(dy)]


for _made, _read, _written in ((matrix_diag, matrix_diag_part, matrix_set_diag),
                               (batch_matrix_diag, batch_matrix_diag_part, batch_matrix_set_diag)):
    _made.grad(_diag_gradient)
    _read.grad(_diag_part_gradient)
    _written.grad(_set_diag_gradient)


# ---- arbitrary diagonals

def _bounds(k):
    """(lowest, highest) of a static `k`."""
    found = [int(item) for item in np.ravel(k)]
    if np.ndim(k) > 1 or len(found) not in (1, 2) or found[0] > found[-1]:
        raise ValueError(f"k must be one number, or two of which the first is not larger: got {np.asarray(k).tolist()}")
    return found[0], found[-1]


def _checked_bounds(k, rows, columns):
    try:
        lowest, highest = _bounds(k)
    except ValueError as error:
        raise invalid(str(error)) from None
    if not (-rows < lowest < columns or lowest == 0) or not (-rows < highest < columns or highest == 0):
        raise invalid(f"k {lowest, highest} has diagonals outside of a matrix of {rows} rows and {columns} columns")
    return lowest, highest


def _longest(rows, columns, lowest, highest):
    """The length of the longest of these diagonals."""
    return min(rows + min(highest, 0), columns + min(-lowest, 0))


def _starts(number, rows, columns, longest, align):
    """The start of each diagonal in its row of length `longest`."""
    above, _, below = align.partition("_")
    left = (number >= 0) & (above == "LEFT") | (number <= 0) & (below == "LEFT")
    return np.where(left, 0, longest - np.minimum(rows + np.minimum(number, 0), columns - np.maximum(number, 0)))


def _layout(rows, columns, lowest, highest, align):
    """For each matrix element: whether it is on a diagonal, the diagonal's number, and the position in its row."""
    row, column = np.indices((rows, columns))
    number = column - row
    inside = (lowest <= number) & (number <= highest)
    start = _starts(number, rows, columns, _longest(rows, columns, lowest, highest), align)
    return inside, np.where(inside, highest - number, 0), np.where(inside, np.minimum(row, column) + start, 0)


def _as_rows(xp, diagonal, lowest, highest):
    """The diagonals with an axis that enumerates them, even if there is only one."""
    if lowest == highest:
        return xp.expand_dims(diagonal, -2)
    if np.ndim(diagonal) < 2 or np.shape(diagonal)[-2] != highest - lowest + 1:
        raise invalid(f"diagonal of shape {list(np.shape(diagonal))} must have a row for each of {lowest} to {highest}")
    return diagonal


def _inferred_sizes(rows, columns, length, lowest, highest, error):
    """The size of the matrix with diagonals of this length; -1 means the smallest possible."""
    least_rows, least_columns = length - min(highest, 0), length + max(lowest, 0)
    if rows == -1 and columns == -1:
        rows = columns = max(least_rows, least_columns)
    rows, columns = least_rows if rows == -1 else rows, least_columns if columns == -1 else columns
    if rows < least_rows or columns < least_columns or (rows != least_rows and columns != least_columns):
        raise error(f"a matrix of {rows} rows and {columns} columns does not fit diagonals {lowest} to {highest}, the "
                    f"longest of length {length}")
    return rows, columns


def _made(xp, diagonal, k, num_rows, num_cols, padding_value, align):
    at_least_vector(diagonal)
    lowest, highest = _checked_bounds(k, np.inf, np.inf)
    rows, columns = _inferred_sizes(int(num_rows), int(num_cols), np.shape(diagonal)[-1], lowest, highest, invalid)
    _checked_bounds(k, rows, columns)
    inside, number, place = _layout(rows, columns, lowest, highest, align)
    return xp.where(inside, _as_rows(xp, diagonal, lowest, highest)[..., number, place], padding_value)


def _made_shape(diagonal, value_of):
    at_least_rank(diagonal, 1)
    k, rows, columns = value_of("k"), value_of("num_rows"), value_of("num_cols")
    if diagonal is None or k is None:
        return None
    lowest, highest = _bounds(k)
    if lowest < highest:
        at_least_rank(diagonal, 2)
        merge_size(diagonal[-2], highest - lowest + 1)
    batch = diagonal[:-1] if lowest == highest else diagonal[:-2]
    if diagonal[-1] is None or rows is None or columns is None:
        known = [None if size is None or size < 0 else int(size) for size in (rows, columns)]
        return (*batch, *known)
    return (*batch, *_inferred_sizes(int(rows), int(columns), diagonal[-1], lowest, highest, ValueError))


def _zero(like):
    dtype = like.dtype.base_dtype
    return basic.const(value=np.zeros((), dtype.np), dtype=dtype)


def _read(xp, input, k, padding_value, align):
    at_least_matrix(input)
    rows, columns = np.shape(input)[-2:]
    lowest, highest = _checked_bounds(k, rows, columns)
    number, longest = np.arange(highest, lowest - 1, -1)[:, None], _longest(rows, columns, lowest, highest)
    place = np.arange(longest) - _starts(number, rows, columns, longest, align)
    row, column = place + np.maximum(-number, 0), place + np.maximum(number, 0)
    inside = (place >= 0) & (row < rows) & (column < columns)
    found = xp.where(inside, input[..., np.where(inside, row, 0), np.where(inside, column, 0)], padding_value)
    return found[..., 0, :] if lowest == highest else found


def _read_shape(input, value_of):
    at_least_rank(input, 2)
    k = value_of("k")
    if input is None or k is None:
        return None
    lowest, highest = _bounds(k)
    length = None if None in input[-2:] else _longest(*input[-2:], lowest, highest)
    count = () if lowest == highest else (highest - lowest + 1,)
    return (*input[:-2], *count, length)


def _written(xp, input, diagonal, k, align):
    at_least_matrix(input)
    rows, columns = np.shape(input)[-2:]
    lowest, highest = _checked_bounds(k, rows, columns)
    length = _longest(rows, columns, lowest, highest)
    lines = _as_rows(xp, diagonal, lowest, highest)
    if np.shape(lines) != (*np.shape(input)[:-2], highest - lowest + 1, length):
        raise invalid(f"diagonal of shape {list(np.shape(diagonal))} does not fit diagonals {lowest} to {highest} of "
                      f"input {list(np.shape(input))}, the longest of length {length}")
    inside, number, place = _layout(rows, columns, lowest, highest, align)
    return xp.where(inside, lines[..., number, place], input)


def _written_shape(input, diagonal, value_of):
    at_least_rank(input, 2)
    at_least_rank(diagonal, 1)
    k = value_of("k")
    if input is None or k is None:
        return input
    lowest, highest = _bounds(k)
    if diagonal is not None and len(diagonal) != len(input) - (lowest == highest):
        raise ValueError(f"Shape must be rank {len(input) - (lowest == highest)} but is rank {len(diagonal)}")
    batch = input[:-2] if diagonal is None else \
        tuple(merge_size(a, b) for a, b in zip(input[:-2], diagonal, strict=False))
    return (*batch, *input[-2:])


@op("MatrixDiagV2(diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T, *, T: type) -> output: T",
    static=("k", "num_rows", "num_cols"), shape=_made_shape)
def matrix_diag_v2(xp, diagonal, k, num_rows, num_cols, padding_value):
    """Matrices filled with `padding_value`, with the rows of `diagonal` on their diagonals `k`."""
    return _made(xp, diagonal, k, num_rows, num_cols, padding_value, "LEFT_LEFT")


@op("MatrixDiagPartV2(input: T, k: int32, padding_value: T, *, T: type) -> diagonal: T", static=("k",),
    shape=_read_shape)
def matrix_diag_part_v2(xp, input, k, padding_value):
    """The diagonals `k` of matrices as rows, padded with `padding_value`."""
    return _read(xp, input, k, padding_value, "LEFT_LEFT")


@op("MatrixSetDiagV2(input: T, diagonal: T, k: int32, *, T: type) -> output: T", static=("k",), shape=_written_shape)
def matrix_set_diag_v2(xp, input, diagonal, k):
    """A batch of matrices with their diagonals `k` replaced."""
    return _written(xp, input, diagonal, k, "LEFT_LEFT")


_ALIGN = "align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = 'RIGHT_LEFT'"


@op("MatrixDiagV3(diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T, *, T: type, "
    f"{_ALIGN}) -> output: T", static=("k", "num_rows", "num_cols"), shape=_made_shape)
def matrix_diag_v3(xp, diagonal, k, num_rows, num_cols, padding_value, align):
    """Matrices filled with `padding_value`, with the rows of `diagonal` on their diagonals `k`."""
    return _made(xp, diagonal, k, num_rows, num_cols, padding_value, align)


@op(f"MatrixDiagPartV3(input: T, k: int32, padding_value: T, *, T: type, {_ALIGN}) -> diagonal: T", static=("k",),
    shape=_read_shape)
def matrix_diag_part_v3(xp, input, k, padding_value, align):
    """The diagonals `k` of matrices as rows, padded with `padding_value`."""
    return _read(xp, input, k, padding_value, align)


@op(f"MatrixSetDiagV3(input: T, diagonal: T, k: int32, *, T: type, {_ALIGN}) -> output: T", static=("k",),
    shape=_written_shape)
def matrix_set_diag_v3(xp, input, diagonal, k, align):
    """A batch of matrices with their diagonals `k` replaced."""
    return _written(xp, input, diagonal, k, align)


def _with_gradients(made, read, written):
    """Defines the gradients of the three ops in terms of one another."""
    def same(op):
        return {"align": op.attrs["align"]} if "align" in op.attrs else {}

    @made.grad
    def _(op, dy):
        return [read(dy, op.inputs[1], _zero(dy), **same(op)), None, None, None, None]

    @read.grad
    def _(op, dy):
        x, k, _ = op.inputs
        return [written(basic.zeros_like(x), dy, k, **same(op)), None, None]

    @written.grad
    def _(op, dy):
        k = op.inputs[2]
        return [written(dy, basic.zeros_like(op.inputs[1]), k, **same(op)), read(dy, k, _zero(dy), **same(op)), None]


_with_gradients(matrix_diag_v2, matrix_diag_part_v2, matrix_set_diag_v2)
_with_gradients(matrix_diag_v3, matrix_diag_part_v3, matrix_set_diag_v3)


# ---- bands

def _band(xp, input, num_lower, num_upper, check):
    at_least_matrix(input)
    rows, columns = np.shape(input)[-2:]
    if np.ndim(num_lower) or np.ndim(num_upper):
        raise invalid("num_lower and num_upper must be scalars")
    check(num_lower <= rows, f"num_lower is negative, for all, or at most the {rows} rows")
    check(num_upper <= columns, f"num_upper is negative, for all, or at most the {columns} columns")
    row, column = np.indices((rows, columns))
    inside = ((num_lower < 0) | (row - column <= num_lower)) & ((num_upper < 0) | (column - row <= num_upper))
    return xp.where(inside, input, np.zeros((), input.dtype))


@op("MatrixBandPart(input: T, num_lower: Tindex, num_upper: Tindex, *, T: type, Tindex: index = int64) -> band: T",
    shape=same_as("input"), export=("matrix_band_part", "linalg.band_part"))
def matrix_band_part(xp, input, num_lower, num_upper, check):
    """The central band of matrices: keeps `num_lower` subdiagonals and `num_upper` superdiagonals (all if negative)."""
    return _band(xp, input, num_lower, num_upper, check)


@matrix_band_part.grad
def _(op, dy):
    return [matrix_band_part(dy, op.inputs[1], op.inputs[2]), None, None]


@op("BatchMatrixBandPart(input: T, num_lower: int64, num_upper: int64, *, T: type) -> band: T", shape=same_as("input"))
def batch_matrix_band_part(xp, input, num_lower, num_upper, check):
    """The deprecated name of MatrixBandPart."""
    return _band(xp, input, num_lower, num_upper, check)


@batch_matrix_band_part.grad
def _(op, dy):
    return [batch_matrix_band_part(dy, op.inputs[1], op.inputs[2]), None, None]
