"""Identity operators: tf.linalg.LinearOperatorIdentity and LinearOperatorScaledIdentity."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math, ordering
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.reduce import reduce_all
from evergraph.frontend.variables.base import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.shaping import static_value
from evergraph.linalg.batches import adjoint_if, common_shape, common_sizes, operand, spread
from evergraph.linalg.hints import always
from evergraph.linalg.operator import LinearOperator, static_shape
from evergraph.linalg.spectra import assert_no_zero, assert_positive_real, assert_real, log_abs
from evergraph.ops.arrays import basic
from evergraph.ops.control.effects import assert_
from evergraph.ops.math import elementwise


def size_argument(value, rank, what):
    """A size or shape argument of an operator: (as a tensor, as a NumPy array if static).

    Raises:
        TypeError: it is a variable or not an integer.
        ValueError: it has another rank or is negative.
    """
    if isinstance(value, Variable):
        raise TypeError(f"{what} cannot be reference type. Found: {value}")
    empty = isinstance(value, (list, tuple)) and not value
    tensor = convert_to_tensor(value, dtypes.int32 if empty else None, name=what)
    if not tensor.dtype.is_integer:
        raise TypeError(f"{what} must be integer type. Found: {tensor}")
    if tensor.shape.ndims not in (None, rank):
        raise ValueError(f"{what} must be a {rank}-D Tensor. Found: {tensor}")
    known = static_value(tensor)
    if known is not None and (known < 0).any():
        raise ValueError(f"{what} must be non-negative. Found: {known}")
    return math.cast(tensor, dtypes.int32), known


def checked(tensor, rank, what):
    """The tensor, with run-time checks of its rank and sign."""
    fits = assert_(elementwise.equal(basic.rank(tensor), rank), [f"{what} must be a {rank}-D Tensor."])
    with control_dependencies([fits]):
        positive = assert_(reduce_all(tensor >= 0), [f"{what} must be non-negative."])
    with control_dependencies([positive]):
        return array.identity(tensor)


class SizedOperator(LinearOperator):
    """The base of operators with a given number of rows: identities and zeros."""

    def _set_sizes(self, num_rows, batch_shape, assert_proper_shapes):
        self._assert_proper_shapes = assert_proper_shapes
        self._rows, self._known_rows = self._sized(num_rows, 0, "num_rows")
        self._batch, self._known_batch = None, []
        if batch_shape is not None:
            self._batch, self._known_batch = self._sized(batch_shape, 1, "batch_shape")

    def _sized(self, value, rank, what):
        tensor, known = size_argument(value, rank, what)
        return checked(tensor, rank, what) if self._assert_proper_shapes and known is None else tensor, known

    def _static_batch(self):
        """The requested static batch shape, [] by default."""
        if self._known_batch is None:
            return TensorShape([None] * self._batch.shape.tuple[0] if self._batch.shape.is_fully_defined() else None)
        return TensorShape([int(size) for size in self._known_batch])

    def _batch_sizes(self):
        """The batch shape as a tensor."""
        return array.constant([], dtypes.int32) if self._batch is None else self._batch

    def _shape(self):
        rows = None if self._known_rows is None else int(self._known_rows)
        return static_shape(self._static_batch(), rows, rows)

    def _shape_tensor(self):
        return array.concat([self._batch_sizes(), array.stack([self._rows, self._rows])], 0)

    def _spread(self, x):
        """`x` broadcast over the operator's batch dimensions."""
        if self._batch is None:
            return x
        static = self._static_batch()
        if static.is_fully_defined() and x.shape.ndims is not None and x.shape[:-2].is_fully_defined():
            return spread(x, common_shape([static, x.shape[:-2]]))
        return spread(x, common_sizes([self._batch_sizes(), array.shape(x)[:-2]]))

    def _check_rows(self, x, rows=None):
        """`x`, with a run-time check that it has the operator's number of rows."""
        if not self._assert_proper_shapes:
            return x
        same = assert_(elementwise.equal(array.shape(x)[-2], self._rows if rows is None else rows),
                       ["Dimensions of the operator and of its argument are not compatible."])
        with control_dependencies([same]):
            return array.identity(x)

    def _per_batch(self, value):
        """A number for each matrix of the batch."""
        return array.ones(self._sizes_for(self._static_batch(), self._batch_sizes()), dtype=self.dtype) * value

    @staticmethod
    def _sizes_for(static, tensor):
        return static if static.is_fully_defined() else tensor


class LinearOperatorIdentity(SizedOperator):
    """The identity matrix.

    Args:
        num_rows: the number of rows and columns.
        batch_shape: the batch dimensions; by default none.
        dtype: float32 by default.
        is_non_singular: always true, as the other hints.
        is_self_adjoint: see above.
        is_positive_definite: see above.
        is_square: see above.
        assert_proper_shapes: whether to check at run time what is not static.
        name: a name for the operator.

    Raises:
        ValueError: a hint is not True, or a size is negative or of another rank.
        TypeError: a size is not an integer, or is a variable.
    """

    def __init__(self, num_rows, batch_shape=None, dtype=None, is_non_singular=True, is_self_adjoint=True,
                 is_positive_definite=True, is_square=True, assert_proper_shapes=False, name="LinearOperatorIdentity"):
        for hint, what in ((is_self_adjoint, "self adjoint"), (is_non_singular, "non-singular"),
                           (is_positive_definite, "positive-definite"), (is_square, "square")):
            always(bool(hint), what, "An identity operator")
        with name_scope(name):
            super().__init__(dtype or dtypes.float32, None, True, True, True, True, name)
            self._set_sizes(num_rows, batch_shape, assert_proper_shapes)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._spread(self._check_rows(adjoint_if(adjoint_arg, x)))

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _determinant(self):
        return self._per_batch(1)

    def _log_abs_determinant(self):
        return self._per_batch(0)

    def _trace(self):
        return self._per_batch(1) * math.cast(self.domain_dimension_tensor(), self.dtype)

    def _diag_part(self):
        static = self.shape
        return array.ones(self._sizes_for(static[:-1], self.shape_tensor()[:-1]), dtype=self.dtype)

    def _add_to_tensor(self, x):
        x = self._spread(x)
        return ordering.matrix_set_diag(x, ordering.matrix_diag_part(x) + self._diag_part())

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """The identity plus `mat`, which must have its dtype and a shape that broadcasts with its own."""
        return super().add_to_tensor(mat, name)

    def _assert_non_singular(self):
        return basic.no_op()

    def _assert_positive_definite(self):
        return basic.no_op()

    def _assert_self_adjoint(self):
        return basic.no_op()


class LinearOperatorScaledIdentity(SizedOperator):
    """A scalar multiple of the identity.

    Args:
        num_rows: the number of rows and columns.
        multiplier: the scalars, [B1, ..., Bb].
        is_non_singular: see `tf.linalg.LinearOperator`, as the other hints.
        is_self_adjoint: always true for a real multiplier.
        is_positive_definite: see there.
        is_square: always true.
        assert_proper_shapes: whether to check at run time what is not static.
        name: a name for the operator.

    Raises:
        ValueError: a hint is impossible, or `num_rows` is negative or not a scalar.
        TypeError: `num_rows` is not an integer, or is a variable.
    """

    def __init__(self, num_rows, multiplier, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=True, assert_proper_shapes=False, name="LinearOperatorScaledIdentity"):
        with name_scope(name, values=[multiplier]):
            self._multiplier = operand(multiplier, name="multiplier")
            if not self._multiplier.dtype.is_complex:
                is_self_adjoint = always(is_self_adjoint, "self adjoint", "A real diagonal operator")
            always(bool(is_square), "square", "A ScaledIdentity operator")
            super().__init__(self._multiplier.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True,
                             name)
            self._set_sizes(num_rows, None, assert_proper_shapes)

    @property
    def multiplier(self):
        """The scalars."""
        return self._multiplier

    def _static_batch(self):
        return self._multiplier.shape

    def _batch_sizes(self):
        return array.shape(self._multiplier)

    def _factor(self, adjoint):
        """The multiplier with two more axes."""
        value = math.conj(self._multiplier) if adjoint else self._multiplier
        return array.expand_dims(array.expand_dims(value, -1), -1)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._check_rows(adjoint_if(adjoint_arg, x)) * self._factor(adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._check_rows(adjoint_if(adjoint_arg, rhs)) / self._factor(adjoint)

    def _size_number(self, dtype):
        return math.cast(self.domain_dimension_tensor(), dtype)

    def _determinant(self):
        return elementwise.pow_(convert_to_tensor(self._multiplier), self._size_number(self.dtype))

    def _log_abs_determinant(self):
        return self._size_number(self.dtype) * log_abs(self._multiplier, self.dtype)

    def _trace(self):
        return self._multiplier * self._size_number(self.dtype)

    def _diag_part(self):
        rows = self.domain_dimension
        ones = array.ones([rows.value] if rows.value is not None else array.reshape(self._rows, [1]), dtype=self.dtype)
        return array.expand_dims(self._multiplier, -1) * ones

    def _to_dense(self):
        return ordering.matrix_diag(self._diag_part())

    def _add_to_tensor(self, x):
        factor = array.expand_dims(self._multiplier, -1)
        batch = self._static_batch()
        if batch.ndims != 0:
            sizes = common_sizes([self._batch_sizes(), array.shape(x)[:-2]])
            known = batch.is_fully_defined() and x.shape.ndims is not None and x.shape[:-2].is_fully_defined()
            x = spread(x, common_shape([batch, x.shape[:-2]]) if known else sizes)
        return ordering.matrix_set_diag(x, ordering.matrix_diag_part(x) + factor)

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """The operator plus `mat`, which must have its dtype and a shape that broadcasts with its own."""
        return super().add_to_tensor(mat, name)

    def _assert_non_singular(self):
        return assert_no_zero(self._multiplier, "The multiplier contains zero: the operator was singular.")

    def _assert_positive_definite(self):
        return assert_positive_real(self._multiplier, "The multiplier has non-positive real parts: the operator is "
                                    "not positive definite.")

    def _assert_self_adjoint(self):
        return assert_real(self._multiplier, "The multiplier has imaginary parts: the operator is not self-adjoint.")
