"""Rules for sums, products and functions of linear operators, and the family's public names."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend import linalg as frontend
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import matrix_diag_part
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.overloads import overload
from evergraph.linalg import rules
from evergraph.linalg.circulant import (
    Circulant,
    LinearOperatorCirculant,
    LinearOperatorCirculant2D,
    LinearOperatorCirculant3D,
)
from evergraph.linalg.derived import LinearOperatorAdjoint, LinearOperatorInversion
from evergraph.linalg.diagonal import LinearOperatorDiag
from evergraph.linalg.full_matrix import LinearOperatorFullMatrix, LinearOperatorLowerTriangular
from evergraph.linalg.hints import copied, of_commuting_product, of_product
from evergraph.linalg.householder import LinearOperatorHouseholder
from evergraph.linalg.identity import LinearOperatorIdentity, LinearOperatorScaledIdentity
from evergraph.linalg.low_rank import LinearOperatorLowRankUpdate
from evergraph.linalg.operator import LinearOperator
from evergraph.linalg.several import LinearOperatorBlockDiag, LinearOperatorComposition, LinearOperatorKronecker
from evergraph.linalg.toeplitz import LinearOperatorToeplitz
from evergraph.linalg.zeros import LinearOperatorZeros
from evergraph.ops.math import elementwise, linalg

for _kind in (LinearOperator, LinearOperatorAdjoint, LinearOperatorBlockDiag, LinearOperatorCirculant,
              LinearOperatorCirculant2D, LinearOperatorCirculant3D, LinearOperatorComposition, LinearOperatorDiag,
              LinearOperatorFullMatrix, LinearOperatorHouseholder, LinearOperatorIdentity, LinearOperatorInversion,
              LinearOperatorKronecker, LinearOperatorLowRankUpdate, LinearOperatorLowerTriangular,
              LinearOperatorScaledIdentity, LinearOperatorToeplitz, LinearOperatorZeros):
    export(f"linalg.{_kind.__name__}")(_kind)


# ---- adjoint

@rules.adjoint.case(LinearOperator)
def _adjoint(operator):
    return LinearOperatorAdjoint(operator, **copied(operator))


@rules.adjoint.case(LinearOperatorAdjoint)
def _adjoint_of_adjoint(operator):
    return operator.operator


@rules.adjoint.case(LinearOperatorScaledIdentity)
def _adjoint_of_scaled_identity(operator):
    return LinearOperatorScaledIdentity(_rows(operator), math.conj(operator.multiplier), **copied(operator))


@rules.adjoint.case(LinearOperatorDiag)
def _adjoint_of_diag(operator):
    return LinearOperatorDiag(math.conj(operator.diag), **copied(operator))


@rules.adjoint.case(Circulant)
def _adjoint_of_circulant(operator):
    return type(operator)(math.conj(operator.spectrum), input_output_dtype=operator.dtype, **copied(operator))


@rules.adjoint.case(LinearOperatorBlockDiag)
@rules.adjoint.case(LinearOperatorKronecker)
def _adjoint_of_parts(operator):
    return type(operator)([each.adjoint() for each in operator.operators], **copied(operator))


def _rows(operator):
    """The number of rows of an operator, as an int if static."""
    known = operator.domain_dimension.value
    return operator.domain_dimension_tensor() if known is None else known


# ---- inverse

def _of_inverse(operator):
    """The hints of an inverse: the operator's own, and non-singularity."""
    return copied(operator) | {"is_non_singular": operator.is_non_singular, "is_square": True}


@rules.inverse.case(LinearOperator)
def _inverse(operator):
    return LinearOperatorInversion(operator, **_of_inverse(operator))


@rules.inverse.case(LinearOperatorInversion)
def _inverse_of_inverse(operator):
    return operator.operator


@rules.inverse.case(LinearOperatorIdentity)
@rules.inverse.case(LinearOperatorHouseholder)
@rules.cholesky.case(LinearOperatorIdentity)
def _the_same(operator):
    return operator


@rules.inverse.case(LinearOperatorScaledIdentity)
def _inverse_of_scaled_identity(operator):
    return LinearOperatorScaledIdentity(_rows(operator), 1.0 / operator.multiplier, **_of_inverse(operator))


@rules.inverse.case(LinearOperatorDiag)
def _inverse_of_diag(operator):
    return LinearOperatorDiag(1.0 / operator.diag, **_of_inverse(operator))


@rules.inverse.case(Circulant)
def _inverse_of_circulant(operator):
    return type(operator)(1.0 / operator.spectrum, input_output_dtype=operator.dtype, **_of_inverse(operator))


@rules.inverse.case(LinearOperatorBlockDiag)
@rules.inverse.case(LinearOperatorKronecker)
def _inverse_of_parts(operator):
    return type(operator)([each.inverse() for each in operator.operators], **_of_inverse(operator))


# ---- Cholesky factors

@rules.cholesky.case(LinearOperator)
def _cholesky(operator):
    factor = linalg.cholesky(operator.to_dense())
    return LinearOperatorLowerTriangular(factor, is_non_singular=True, is_self_adjoint=False, is_square=True)


@rules.cholesky.case(LinearOperatorDiag)
def _cholesky_of_diag(operator):
    return LinearOperatorDiag(elementwise.sqrt(convert_to_tensor(operator.diag)), is_non_singular=True,
                              is_self_adjoint=True, is_positive_definite=True, is_square=True)


@rules.cholesky.case(LinearOperatorScaledIdentity)
def _cholesky_of_scaled_identity(operator):
    return LinearOperatorScaledIdentity(_rows(operator), elementwise.sqrt(convert_to_tensor(operator.multiplier)),
                                        is_non_singular=True, is_self_adjoint=True, is_positive_definite=True)


@rules.cholesky.case(LinearOperatorBlockDiag)
@rules.cholesky.case(LinearOperatorKronecker)
def _cholesky_of_parts(operator):
    return type(operator)([each.cholesky() for each in operator.operators], is_non_singular=True,
                          is_self_adjoint=None, is_square=True)


# ---- products

@rules.product.case(LinearOperator, LinearOperator)
def _product(a, b):
    return LinearOperatorComposition([a, b], **of_product(a, b))


@rules.product.case(LinearOperatorIdentity, LinearOperator)
@rules.quotient.case(LinearOperatorIdentity, LinearOperator)
def _right(identity, b):
    return b


@rules.product.case(LinearOperator, LinearOperatorIdentity)
def _left(a, identity):
    return a


@rules.product.case(LinearOperatorIdentity, LinearOperatorIdentity)
@rules.quotient.case(LinearOperatorIdentity, LinearOperatorIdentity)
def _either(a, b):
    return b


@rules.product.case(LinearOperatorZeros, LinearOperator)
@rules.product.case(LinearOperatorZeros, LinearOperatorIdentity)
@rules.product.case(LinearOperatorZeros, LinearOperatorZeros)
def _zeros_left(zeros, b):
    return _zeros(zeros, b, zeros)


@rules.product.case(LinearOperator, LinearOperatorZeros)
@rules.product.case(LinearOperatorIdentity, LinearOperatorZeros)
def _zeros_right(a, zeros):
    return _zeros(a, zeros, zeros)


def _zeros(a, b, zeros):
    """The product of zeros with another operator: zeros of the product's shape."""
    if a.is_square and b.is_square:
        return zeros
    product = LinearOperatorComposition([a, b])
    if product.shape.is_fully_defined():
        *batch, rows, columns = product.shape.as_list()
        square = rows == columns
        return LinearOperatorZeros(rows, columns, batch_shape=batch, dtype=zeros.dtype, is_square=square,
                                   is_self_adjoint=square)
    return product


def _scaled(a, b, multiplier):
    return LinearOperatorScaledIdentity(_rows(a), multiplier, **of_commuting_product(a, b))


def _diag(a, b, diag):
    return LinearOperatorDiag(diag, **of_commuting_product(a, b))


def _lower(a, b, tril):
    return LinearOperatorLowerTriangular(tril, is_non_singular=of_product(a, b)["is_non_singular"], is_square=True)


def _spread_multiplier(operator):
    """The multiplier as a factor of a diagonal."""
    return array.expand_dims(operator.multiplier, -1)


@rules.product.case(LinearOperatorScaledIdentity, LinearOperatorScaledIdentity)
def _scaled_scaled(a, b):
    return _scaled(a, b, a.multiplier * b.multiplier)


@rules.product.case(LinearOperatorDiag, LinearOperatorDiag)
def _diag_diag(a, b):
    return _diag(a, b, a.diag * b.diag)


@rules.product.case(LinearOperatorDiag, LinearOperatorScaledIdentity)
def _diag_scaled(a, b):
    return _diag(a, b, a.diag * _spread_multiplier(b))


@rules.product.case(LinearOperatorScaledIdentity, LinearOperatorDiag)
def _scaled_diag(a, b):
    return _diag(a, b, _spread_multiplier(a) * b.diag)


@rules.product.case(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _diag_lower(a, b):
    return _lower(a, b, a.matmul(b.to_dense()))


@rules.product.case(LinearOperatorLowerTriangular, LinearOperatorDiag)
def _lower_diag(a, b):
    return _lower(a, b, a.to_dense() * array.expand_dims(b.diag, -2))


@rules.product.case(LinearOperatorCirculant, LinearOperatorCirculant)
@rules.product.case(LinearOperatorCirculant2D, LinearOperatorCirculant2D)
@rules.product.case(LinearOperatorCirculant3D, LinearOperatorCirculant3D)
def _circulant_circulant(a, b):
    return type(a)(a.spectrum * b.spectrum, input_output_dtype=a.dtype, **of_commuting_product(a, b))


@rules.product.case(LinearOperatorBlockDiag, LinearOperatorBlockDiag)
def _blocks_blocks(a, b):
    return _block_by_block(a, b, rules.product, LinearOperatorComposition([a, b], **of_product(a, b)))


def _block_by_block(a, b, rule, otherwise):
    """Combines two block operators block by block, if their blocks have equal sizes."""
    pairs = list(zip(a.operators, b.operators))
    same = len(a.operators) == len(b.operators) and all(
        None not in (x.domain_dimension.value, y.range_dimension.value) and
        x.domain_dimension.value == y.range_dimension.value for x, y in pairs)
    return LinearOperatorBlockDiag([rule(x, y) for x, y in pairs]) if same else otherwise


# ---- left division

@rules.quotient.case(LinearOperator, LinearOperator)
def _quotient(a, b):
    inverse = LinearOperatorInversion(a)
    return LinearOperatorComposition([inverse, b], **of_product(inverse, b))


@rules.quotient.case(LinearOperator, LinearOperatorIdentity)
def _inverse_itself(a, identity):
    return a.inverse()


@rules.quotient.case(LinearOperatorInversion, LinearOperator)
@rules.quotient.case(LinearOperatorInversion, LinearOperatorIdentity)
def _by_inverse(a, b):
    return a.operator.matmul(b)


@rules.quotient.case(LinearOperatorScaledIdentity, LinearOperatorScaledIdentity)
def _scaled_by_scaled(a, b):
    return _scaled(a, b, b.multiplier / a.multiplier)


@rules.quotient.case(LinearOperatorDiag, LinearOperatorDiag)
def _diag_by_diag(a, b):
    return _diag(a, b, b.diag / a.diag)


@rules.quotient.case(LinearOperatorDiag, LinearOperatorScaledIdentity)
def _scaled_by_diag(a, b):
    return _diag(a, b, _spread_multiplier(b) / a.diag)


@rules.quotient.case(LinearOperatorScaledIdentity, LinearOperatorDiag)
def _diag_by_scaled(a, b):
    return _diag(a, b, b.diag / _spread_multiplier(a))


@rules.quotient.case(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _lower_by_diag(a, b):
    return _lower(a, b, a.solve(b.to_dense()))


@rules.quotient.case(LinearOperatorCirculant, LinearOperatorCirculant)
@rules.quotient.case(LinearOperatorCirculant2D, LinearOperatorCirculant2D)
@rules.quotient.case(LinearOperatorCirculant3D, LinearOperatorCirculant3D)
def _circulant_by_circulant(a, b):
    return type(a)(b.spectrum / a.spectrum, input_output_dtype=a.dtype, **of_commuting_product(a, b))


@rules.quotient.case(LinearOperatorBlockDiag, LinearOperatorBlockDiag)
def _blocks_by_blocks(a, b):
    return _block_by_block(a, b, rules.quotient, _quotient(a, b))


# ---- matrix functions

@overload(frontend.adjoint, LinearOperator)
def _(matrix, name=None):
    return matrix.adjoint(name or "adjoint")


@overload(frontend.trace, LinearOperator)
def _(x, name=None):
    return x.trace(name or "trace")


@overload(frontend.logdet, LinearOperator)
def _(matrix, name=None):
    if not (matrix.is_positive_definite and matrix.is_self_adjoint):
        raise ValueError("logdet of an operator that is not known to be positive definite and self adjoint")
    return matrix.log_abs_determinant(name or "logdet")


@overload(matrix_diag_part, LinearOperator)
def _(input, name="diag_part", k=0, padding_value=0):
    if not isinstance(k, int) or k:
        raise ValueError(f"of a LinearOperator only the main diagonal is to be had, not {k}")
    return input.diag_part(name)


@overload(linalg.cholesky, LinearOperator)
def _(input, name=None):
    return input.cholesky(name or "cholesky")


@overload(linalg.matrix_determinant, LinearOperator)
def _(input, name=None):
    return input.determinant(name or "det")


@overload(linalg.matrix_inverse, LinearOperator)
def _(input, adjoint=False, name=None):
    inverse = input.inverse(name or "inverse")
    return inverse.adjoint() if adjoint else inverse


@overload(linalg.matrix_solve, LinearOperator)
def _(matrix, rhs, adjoint=False, name=None):
    if not isinstance(matrix, LinearOperator):
        raise ValueError("equations whose matrix is a tensor take no LinearOperator on their right-hand side")
    return matrix.solve(rhs, adjoint=adjoint, name=name or "solve")


@overload(matmul, LinearOperator)
def _(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False,
      b_is_sparse=False, name=None):
    if transpose_a or transpose_b or a_is_sparse or b_is_sparse:
        raise ValueError("a product with a LinearOperator takes adjoints, but nothing transposed or sparse")
    name = name or "matmul"
    if isinstance(a, LinearOperator):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b, name=name)
    # a b = (b^H a^H)^H.
    return frontend.adjoint(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a, name=name))
