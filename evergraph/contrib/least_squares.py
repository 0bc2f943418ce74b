"""tf.contrib.factorization.WALSModel: factors of a matrix by weighted alternating least squares."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, control_flow, math, reduce
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import boolean_mask, gather
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import unique
from evergraph.frontend.random import random_normal
from evergraph.frontend.variables.assign import assign, scatter_update
from evergraph.frontend.variables.initializers import constant_initializer
from evergraph.frontend.variables.scope import get_variable
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math import elementwise
from evergraph.ops.math.least_squares_sums import least_squares_sums
from evergraph.ops.math.linalg import matrix_solve


@dataclass(frozen=True)
class _Side:
    """The rows, or the columns, of the model.

    Attributes:
        size: how many there are.
        factors: the variables with their factors, one after the other.
        weights: the variables with their weights; None for equal weights of all entries.
        gramian: the variable with the sum of v v^T over all factors v.
    """

    size: int
    factors: list[Any]
    weights: list[Any] | None
    gramian: Any

    @property
    def all_factors(self) -> Tensor:
        return array.concat(self.factors, 0) if len(self.factors) > 1 else convert_to_tensor(self.factors[0])

    @property
    def all_weights(self) -> Tensor:
        assert self.weights is not None
        return array.concat(self.weights, 0) if len(self.weights) > 1 else convert_to_tensor(self.weights[0])


@export("contrib.factorization.WALSModel")
class WALSModel:
    """Factors of a matrix A by weighted alternating least squares (Hu, Koren and Volinsky, 2008).

    Minimizes the sum of w_ij (a_ij - u_i v_j)^2 and the squares of all factors times `regularization`. The weight w_ij
    is `unobserved_weight`, plus row_weights[i] * col_weights[j] where A has an entry.

    Args:
        input_rows: the number of rows of A.
        input_cols: the number of columns.
        n_components: the length of a factor.
        unobserved_weight: the weight of what A does not have, which counts as zero.
        regularization: the weight of the squares of factors; None for none.
        row_init: the first row factors: "random", or values, a list of them with several shards.
        col_init: the first column factors.
        num_row_shards: in how many variables row factors are.
        num_col_shards: in how many variables column factors are.
        row_weights: a number, a list, or a list of lists, one for each shard; None, for both, for equal weights.
        col_weights: the same for columns.
        use_factors_weights_cache: has no meaning: there is one process. Nor has `use_gramian_cache`.
        use_gramian_cache: see above.
        use_scoped_vars: whether the variables are in the current variable scope.

    Raises:
        ValueError: a list has another length than it must have, or one kind of weights is None and the other is not.
    """

    def __init__(self, input_rows: int, input_cols: int, n_components: int, unobserved_weight: float = 0.1,
                 regularization: float | None = None, row_init: Any = "random", col_init: Any = "random",
                 num_row_shards: int = 1, num_col_shards: int = 1, row_weights: Any = 1, col_weights: Any = 1,
                 use_factors_weights_cache: bool = True, use_gramian_cache: bool = True,
                 use_scoped_vars: bool = False) -> None:
        if (row_weights is None) != (col_weights is None):
            raise ValueError("row_weights and col_weights must both be None, or neither")
        self._input_rows, self._input_cols, self._n_components = input_rows, input_cols, n_components
        self._unobserved_weight, self._regularization = unobserved_weight, regularization
        self._is_scoped = use_scoped_vars
        self._rows = self._side("row", input_rows, num_row_shards, row_init, row_weights)
        self._cols = self._side("col", input_cols, num_col_shards, col_init, col_weights)

    def _side(self, name: str, size: int, shards: int, init: Any, weights: Any) -> _Side:
        sizes = [size // shards + (number < size % shards) for number in range(shards)]
        width = self._n_components
        factors = [self._variable(value, f"{name}_factors_shard_{number}") for number, value in enumerate(
            [random_normal([each, width]) for each in sizes] if isinstance(init, str) else _split(init, sizes, 2))]
        if isinstance(weights, numbers.Real):
            weights = np.full(size, weights)
        own = None if weights is None else [
            self._variable(value, f"{name}_weights_shard_{number}")
            for number, value in enumerate(_split(weights, sizes, 1))]
        return _Side(size, factors, own, self._variable(np.zeros([width, width]), f"{name}_gramian"))

    def _variable(self, value: Any, name: str) -> Any:
        first = value if isinstance(value, Tensor) else np.asarray(value, np.float32)
        if not self._is_scoped:
            return Variable(first, dtype=dtypes.float32, trainable=False, name=name)
        if isinstance(first, Tensor):
            return get_variable(name, initializer=first, trainable=False)
        return get_variable(name, first.shape, initializer=constant_initializer(first), trainable=False)

    row_factors = property(lambda self: self._rows.factors)
    col_factors = property(lambda self: self._cols.factors)
    row_weights = property(lambda self: self._rows.weights)
    col_weights = property(lambda self: self._cols.weights)
    _row_weights, _col_weights = row_weights, col_weights

    @property
    def initialize_op(self) -> Operation:
        """The operation that initializes the variables."""
        return control_flow.group(*(variable.initializer for side in (self._rows, self._cols)
                                    for variable in [*side.factors, *(side.weights or ()), side.gramian]),
                                  name="initialize_op")

    @property
    def worker_init(self) -> Operation:
        """An operation that does nothing: there are no caches of workers. The same holds for
        `initialize_row_update_op` and `initialize_col_update_op`."""
        return no_op(name="worker_init")

    @property
    def initialize_row_update_op(self) -> Operation:
        """See `worker_init`."""
        return no_op(name="initialize_row_update")

    @property
    def initialize_col_update_op(self) -> Operation:
        """See `worker_init`."""
        return no_op(name="initialize_col_update")

    @property
    def row_update_prep_gramian_op(self) -> Operation:
        """The operation to run before row factors are updated: it sums over the column factors."""
        return _prepared(self._cols)

    @property
    def col_update_prep_gramian_op(self) -> Operation:
        """The operation to run before column factors are updated: it sums over the row factors."""
        return _prepared(self._rows)

    def update_row_factors(self, sp_input: Any = None, transpose_input: bool = False) -> tuple[Any, ...]:
        """Updates the factors of the rows that a part of the matrix has.

        Args:
            sp_input: a sparse tensor with all entries of some rows.
            transpose_input: whether its rows are columns of the matrix.

        Returns:
            (new_values, update_op, unregularized_loss, regularization, sum_weights): the factors of the rows in the
            order in which the input first has them; the operation that stores them; the weighted squared errors, the
            squares of factors times the regularization and the weights, as if all rows were like these.
        """
        return self._updated(self._rows, self._cols, sp_input, transpose_input)

    def update_col_factors(self, sp_input: Any = None, transpose_input: bool = False) -> tuple[Any, ...]:
        """Updates the factors of columns; see `update_row_factors`."""
        return self._updated(self._cols, self._rows, sp_input, not transpose_input)

    def project_row_factors(self, sp_input: Any = None, transpose_input: bool = False,
                            projection_weights: Any = None) -> Tensor:
        """The factors that given rows would have.

        Args:
            sp_input: a sparse tensor with rows; their numbers have no meaning.
            transpose_input: whether its rows are columns.
            projection_weights: the weight of the rows, or of each; 1 by default.
        """
        return self._projected(self._cols, sp_input, transpose_input, projection_weights)

    def project_col_factors(self, sp_input: Any = None, transpose_input: bool = False,
                            projection_weights: Any = None) -> Tensor:
        """The factors that given columns would have; see `project_row_factors`."""
        return self._projected(self._rows, sp_input, not transpose_input, projection_weights)

    def _projected(self, fixed: _Side, sp_input: Any, transpose: bool, weights: Any) -> Tensor:
        with name_scope("wals_project"):
            given = convert_to_tensor(1.0 if weights is None else weights, dtypes.float32)
            return self._solved(_Entries.of(sp_input, transpose), fixed, given)[0]

    def _updated(self, side: _Side, fixed: _Side, sp_input: Any, transpose: bool) -> tuple[Any, ...]:
        with name_scope("wals_update"):
            entries = _Entries.of(sp_input, transpose)
            weights = None if side.weights is None else gather(side.all_weights, entries.names)
            new, observed = self._solved(entries, fixed, weights)
            update = control_flow.group(*_stored(side, entries.names, new), name="update")
            return new, update, *self._losses(entries, side, fixed, new, observed)

    def _solved(self, entries: _Entries, fixed: _Side, weights: Tensor | None) -> tuple[Tensor, Tensor]:
        """The factors of the rows that entries are in, and the weights of the entries beyond the unobserved weight."""
        if fixed.weights is None or weights is None:
            observed = array.zeros_like(entries.values)
        else:
            own = weights if weights.shape.ndims == 0 else gather(weights, entries.places)
            observed = own * gather(fixed.all_weights, entries.columns)
        matrices, vectors = least_squares_sums(
            fixed.all_factors, entries.columns, entries.places, observed,
            (observed + self._unobserved_weight) * entries.values, entries.count)
        shared = self._unobserved_weight * convert_to_tensor(fixed.gramian)
        if self._regularization is not None:
            shared += self._regularization * array.eye(self._n_components)
        solved = matrix_solve(matrices + shared, array.expand_dims(vectors, 2))
        new = array.squeeze(solved, [2])
        new.set_shape([None, self._n_components])
        return new, observed

    def _losses(self, entries: _Entries, side: _Side, fixed: _Side, new: Tensor,
                observed: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        low, count = self._unobserved_weight, math.cast(entries.count, dtypes.float32)
        scale = side.size / count
        predicted = reduce.reduce_sum(gather(new, entries.places) * gather(fixed.all_factors, entries.columns), 1)
        errors = (observed + low) * elementwise.squared_difference(entries.values, predicted) \
            - low * elementwise.square(predicted)
        gramian = convert_to_tensor(fixed.gramian)
        everywhere = low * reduce.reduce_sum(new * matmul(new, gramian))
        penalty = self._regularization or 0.0
        squares = penalty * reduce.reduce_sum(new * new) * scale \
            + penalty * reduce.reduce_sum(elementwise.square(fixed.all_factors))
        total = (reduce.reduce_sum(observed) + low * count * float(fixed.size)) * scale
        return (reduce.reduce_sum(errors) + everywhere) * scale, squares, total


@dataclass(frozen=True)
class _Entries:
    """The entries of a sparse matrix.

    Attributes:
        names: the numbers of the rows that have entries, in the order in which they come.
        places: for each entry, the position of its row in `names`.
        columns: the column of each entry.
        values: its value.
    """

    names: Tensor
    places: Tensor
    columns: Tensor
    values: Tensor

    @staticmethod
    def of(sparse: Any, transpose: bool) -> _Entries:
        """The entries of a sparse tensor, or of its transpose."""
        names, places = unique(sparse.indices[:, int(transpose)])
        return _Entries(names, places, sparse.indices[:, 1 - int(transpose)], math.cast(sparse.values, dtypes.float32))

    @property
    def count(self) -> Tensor:
        return array.size(self.names)


def _prepared(side: _Side) -> Operation:
    factors = side.all_factors
    return assign(side.gramian, matmul(factors, factors, transpose_a=True)).op


def _stored(side: _Side, names: Tensor, new: Tensor) -> list[Any]:
    """The updates of the variables that hold the factors of the given numbers."""
    if len(side.factors) == 1:
        return [scatter_update(side.factors[0], names, new)]
    updates, start = [], 0
    for shard in side.factors:
        end = start + shard.shape.as_list()[0]
        is_inside = elementwise.logical_and(elementwise.greater_equal(names, start), elementwise.less(names, end))
        updates.append(scatter_update(shard, boolean_mask(names, is_inside) - start, boolean_mask(new, is_inside)))
        start = end
    return updates


def _split(values: Any, sizes: list[int], rank: int) -> list[Any]:
    """Values for each shard: as they are given, or parts of one list."""
    if isinstance(values, Tensor):
        return array.split(values, sizes, 0)
    if isinstance(values, (list, tuple)) and len(values) == len(sizes) and all(
            np.ndim(each) == rank and len(each) == size for each, size in zip(values, sizes)):
        return list(values)
    whole = np.asarray(values, np.float32)
    if whole.ndim != rank or len(whole) != sum(sizes):
        raise ValueError(f"there must be values for shards of {sizes} rows, got {values!r}")
    return np.split(whole, np.cumsum(sizes)[:-1])
