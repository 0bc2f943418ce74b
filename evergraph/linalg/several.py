"""Composite operators: tf.linalg.LinearOperatorComposition, LinearOperatorBlockDiag, LinearOperatorKronecker."""
from __future__ import annotations

import functools
import math

from evergraph.frontend import array
from evergraph.frontend.checks import assert_proper_iterable
from evergraph.frontend.control_flow import group
from evergraph.frontend.math import cast
from evergraph.linalg.batches import adjoint_if, common_shape, common_sizes, with_equal_batches
from evergraph.linalg.hints import all_true, always
from evergraph.linalg.operator import LinearOperator, static_shape


class _CompositeOperator(LinearOperator):
    """An operator composed of others of one dtype."""

    separator = None
    least = "a non-empty list of operators"

    def __init__(self, operators, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name):
        assert_proper_iterable(operators)
        operators = list(operators)
        if not operators:
            raise ValueError(f"Expected {self.least}. Found: {operators}")
        for each in operators:
            if each.dtype != operators[0].dtype:
                listed = ", ".join(f"{other.name}: {other.dtype.name}" for other in operators)
                raise TypeError(f"the operators have different dtypes: {listed}")
        self._operators = operators
        if all_true(operators, "is_non_singular"):
            is_non_singular = always(is_non_singular, "non-singular", f"{self.described} of non-singular operators")
        parents = [parent for each in operators for parent in each.graph_parents]
        super().__init__(operators[0].dtype, parents, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                         name or self.separator.join(each.name for each in operators))

    @property
    def operators(self):
        """The constituent operators."""
        return self._operators

    def _static_batch(self):
        if any(each.shape.ndims is None for each in self._operators):
            return None
        return common_shape([each.batch_shape for each in self._operators])

    def _batch_sizes(self):
        return common_sizes([each.batch_shape_tensor() for each in self._operators])

    def _multiplied(self, numbers):
        return functools.reduce(lambda a, b: a * b, numbers)

    def _added(self, numbers):
        return functools.reduce(lambda a, b: a + b, numbers)

    def _assert_all(self, name):
        """Asserts a property of every constituent operator."""
        return group(*(getattr(each, name)() for each in self._operators))


class LinearOperatorComposition(_CompositeOperator):
    """The composition (matrix product) of operators: the last one is applied first.

    Args:
        operators: the factors; the columns of each match the rows of the next.
        is_non_singular: true if all are; see `tf.linalg.LinearOperator`.
        is_self_adjoint: see there, as the hints below.
        is_positive_definite: see above.
        is_square: see above.
        name: by default the operators' names, with "_o_" between them.

    Raises:
        TypeError: the dtypes differ.
        ValueError: there are no operators, their shapes do not match, or a hint is impossible.
    """

    separator, described = "_o_", "The composition"

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name=None):
        super().__init__(operators, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)
        self._shape()  # raises at once if the shapes do not match

    def _shape(self):
        for left, right in zip(self._operators, self._operators[1:]):
            left.domain_dimension.assert_is_compatible_with(right.range_dimension)
        return static_shape(self._static_batch(), self._operators[0].range_dimension,
                            self._operators[-1].domain_dimension)

    def _shape_tensor(self):
        last = array.stack([self._operators[0].range_dimension_tensor(), self._operators[-1].domain_dimension_tensor()])
        return array.concat([self._batch_sizes(), last], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        for each in self._operators if adjoint else reversed(self._operators):
            x, adjoint_arg = each.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg), False
        return x

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        for each in reversed(self._operators) if adjoint else self._operators:
            rhs, adjoint_arg = each.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg), False
        return rhs

    def _determinant(self):
        return self._multiplied(each.determinant() for each in self._operators)

    def _log_abs_determinant(self):
        return self._added(each.log_abs_determinant() for each in self._operators)

    def _assert_non_singular(self):
        if all(each.is_square for each in self._operators):
            return self._assert_all("assert_non_singular")
        return super()._assert_non_singular()


class LinearOperatorBlockDiag(_CompositeOperator):
    """A block-diagonal operator with square blocks.

    Args:
        operators: the blocks.
        is_non_singular: true if all are; see `tf.linalg.LinearOperator`.
        is_self_adjoint: the same.
        is_positive_definite: the same.
        is_square: always true.
        name: by default the operators' names, with "_ds_" between them.

    Raises:
        TypeError: the dtypes differ.
        ValueError: there are no operators, one is not square, or a hint is impossible.
    """

    separator, described = "_ds_", "The direct sum"

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=True,
                 name=None):
        if is_square is False or any(each.is_square is False for each in operators):
            raise ValueError("Only operators of square matrices stand on a diagonal.")
        if operators and is_self_adjoint is None:
            is_self_adjoint = all_true(operators, "is_self_adjoint")
        if operators and is_positive_definite is None:
            is_positive_definite = all_true(operators, "is_positive_definite")
        super().__init__(operators, is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    def _shape(self):
        sizes = [each.range_dimension.value for each in self._operators]
        size = None if None in sizes else sum(sizes)
        return static_shape(self._static_batch(), size, size)

    def _shape_tensor(self):
        size = self._added(each.range_dimension_tensor() for each in self._operators)
        return array.concat([self._batch_sizes(), array.stack([size, size])], 0)

    def _by_block(self, x, adjoint_arg, apply):
        """Applies each block to its rows of `x`, and concatenates the results."""
        x = adjoint_if(adjoint_arg, x)
        sizes = [each.domain_dimension.value for each in self._operators]
        if None in sizes:
            sizes = array.stack([each.domain_dimension_tensor() for each in self._operators])
        rows = array.split(x, sizes, axis=-2, num=len(self._operators))
        done = with_equal_batches(*(apply(each, part) for each, part in zip(self._operators, rows)))
        result = array.concat(done, axis=-2)
        if x.shape.ndims is not None and self.shape.ndims is not None:
            result.set_shape(common_shape([x.shape[:-2], self.batch_shape]).concatenate(
                [self.range_dimension, x.shape.dims[-1]]))
        return result

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._by_block(x, adjoint_arg, lambda each, part: each.matmul(part, adjoint=adjoint))

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._by_block(rhs, adjoint_arg, lambda each, part: each.solve(part, adjoint=adjoint))

    def _determinant(self):
        return self._multiplied(each.determinant() for each in self._operators)

    def _log_abs_determinant(self):
        return self._added(each.log_abs_determinant() for each in self._operators)

    def _trace(self):
        return self._added(each.trace() for each in self._operators)

    def _diag_part(self):
        parts = with_equal_batches(*(each.diag_part() for each in self._operators), axes=1)
        result = array.concat(parts, axis=-1)
        result.set_shape(self.shape[:-1])
        return result

    def _to_dense(self):
        dense = with_equal_batches(*(each.to_dense() for each in self._operators))
        whole, before, rows = self.domain_dimension_tensor(), 0, []
        for block in dense:
            sizes = array.shape(block)
            after = whole - before - sizes[-1]
            beside = [array.zeros(array.concat([sizes[:-1], array.reshape(count, [1])], 0), dtype=block.dtype)
                      for count in (before, after)]
            rows.append(array.concat([beside[0], block, beside[1]], axis=-1))
            before = before + sizes[-1]
        return array.concat(rows, axis=-2)

    def _assert_non_singular(self):
        return self._assert_all("assert_non_singular")

    def _assert_positive_definite(self):
        return self._assert_all("assert_positive_definite")

    def _assert_self_adjoint(self):
        return self._assert_all("assert_self_adjoint")


class LinearOperatorKronecker(_CompositeOperator):
    """The Kronecker product of operators.

    Args:
        operators: one or more factors.
        is_non_singular: true if all are; see `tf.linalg.LinearOperator`.
        is_self_adjoint: the same.
        is_positive_definite: the same.
        is_square: the same.
        name: by default the operators' names, with "_x_" between them.

    Raises:
        TypeError: the dtypes differ.
        ValueError: there are no operators, or a hint is impossible.
    """

    separator, described, least = "_x_", "The Kronecker product", "a list of >=1 operators"

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name=None):
        if operators and all_true(operators, "is_square"):
            is_square = always(is_square, "square", "The Kronecker product of square operators")
        if operators and all_true(operators, "is_self_adjoint"):
            is_self_adjoint = always(is_self_adjoint, "self-adjoint", "The Kronecker product of self-adjoint operators")
        if operators and is_positive_definite is None:
            is_positive_definite = all_true(operators, "is_positive_definite")
        super().__init__(operators, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)

    def _shape(self):
        rows, columns = ([getattr(each, name).value for each in self._operators]
                         for name in ("range_dimension", "domain_dimension"))
        sizes = [None if None in each else math.prod(each) for each in (rows, columns)]
        return static_shape(self._static_batch(), *sizes)

    def _shape_tensor(self):
        rows = self._multiplied(each.range_dimension_tensor() for each in self._operators)
        columns = self._multiplied(each.domain_dimension_tensor() for each in self._operators)
        return array.concat([self._batch_sizes(), array.stack([rows, columns])], 0)

    def _by_factor(self, x, adjoint_arg, rows, apply):
        """Applies each factor along its own axis of the rows.

        The rows of `x` are reshaped to one axis per factor, (n1, n2, ..., columns). The first axis is multiplied and
        moved to the end, until every factor was applied and the columns are first.
        """
        x = adjoint_if(adjoint_arg, x)
        columns = array.shape(x)[-1]
        for each in self._operators:
            x = apply(each, _folded(x, rows(each)))
            x = array.matrix_transpose(x)
        return array.matrix_transpose(_folded(x, columns))

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        def rows(each):
            return each.range_dimension_tensor() if adjoint else each.domain_dimension_tensor()
        result = self._by_factor(x, adjoint_arg, rows, lambda each, part: each.matmul(part, adjoint=adjoint))
        return self._with_shape(result, x, adjoint, adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        def rows(each):
            return each.domain_dimension_tensor() if adjoint else each.range_dimension_tensor()
        result = self._by_factor(rhs, adjoint_arg, rows, lambda each, part: each.solve(part, adjoint=adjoint))
        return self._with_shape(result, rhs, not adjoint, adjoint_arg)

    def _with_shape(self, result, x, adjoint, adjoint_arg):
        if x.shape.ndims is not None and self.shape.ndims is not None:
            size = self.domain_dimension if adjoint else self.range_dimension
            columns = x.shape.dims[-2 if adjoint_arg else -1]
            result.set_shape(common_shape([x.shape[:-2], self.batch_shape]).concatenate([size, columns]))
        return result

    def _powers(self, number):
        """(number(factor), exponent) of each factor."""
        whole = self.domain_dimension_tensor()
        for each in self._operators:
            value = number(each)
            yield value, cast(whole // each.domain_dimension_tensor(), value.dtype)

    def _determinant(self):
        return self._multiplied(value ** times for value, times in self._powers(lambda each: each.determinant()))

    def _log_abs_determinant(self):
        return self._added(value * times for value, times in self._powers(lambda each: each.log_abs_determinant()))

    def _trace(self):
        return self._multiplied(each.trace() for each in self._operators)

    def _diag_part(self):
        parts = with_equal_batches(*(each.diag_part() for each in self._operators), axes=1)
        result = functools.reduce(_outer_vectors, parts)
        if self.is_square:
            result.set_shape(self.shape[:-1])
        return result

    def _to_dense(self):
        return functools.reduce(_outer_matrices, with_equal_batches(*(each.to_dense() for each in self._operators)))

    def _assert_non_singular(self):
        if all(each.is_square for each in self._operators):
            return self._assert_all("assert_non_singular")
        raise NotImplementedError("assert_non_singular of a Kronecker product whose factors may not be square.")

    def _assert_self_adjoint(self):
        if all(each.is_square for each in self._operators):
            return self._assert_all("assert_self_adjoint")
        raise NotImplementedError("assert_self_adjoint of a Kronecker product whose factors may not be square.")


def _folded(x, rows):
    """`x` with its last two axes reshaped to [rows, rest]."""
    return array.reshape(x, array.concat([array.shape(x)[:-2], array.stack([rows, -1])], 0))


def _outer_vectors(a, b):
    outer = array.expand_dims(a, -1) * array.expand_dims(b, -2)
    return array.reshape(outer, array.concat([array.shape(outer)[:-2], [-1]], 0))


def _outer_matrices(a, b):
    outer = a[..., :, None, :, None] * b[..., None, :, None, :]
    sizes = array.shape(outer)
    return array.reshape(outer, array.concat([sizes[:-4], array.stack([sizes[-4] * sizes[-3], -1])], 0))
