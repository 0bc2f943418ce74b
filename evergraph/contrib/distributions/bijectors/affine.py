"""Bijectors of vectors that multiply by a matrix and add a vector."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.distributions.bijectors.bijector import Bijector
from evergraph.contrib.distributions.scales import make_tril_scale
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_none_equal
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.math import abs as absolute
from evergraph.frontend.math import cast
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg.algebra import LinearOperatorLowRankUpdate  # fills the tables of rules that it asks
from evergraph.linalg.operator import LinearOperator
from evergraph.ops.math.elementwise import log


@export("contrib.distributions.bijectors.AffineLinearOperator")
class AffineLinearOperator(Bijector):
    """y = scale @ x + shift, with a linear operator for the scale.

    Args:
        shift: what is added, [..., size], or None.
        scale: a LinearOperator that is not singular, or None for the identity.
        validate_args: whether steps check that the scale is not singular.
        name: a name for the operations.

    Raises:
        TypeError: the scale is no LinearOperator, or the dtypes differ.
        ValueError: the scale may be singular.
    """

    def __init__(self, shift: Any = None, scale: Any = None, validate_args: bool = False,
                 name: str = "affine_linear_operator") -> None:
        with name_scope(name, values=[shift]):
            self._shift = None if shift is None else convert_to_tensor(shift, name="shift")
        kind = None if self._shift is None else self._shift.dtype.base_dtype
        if scale is not None:
            if not isinstance(scale, LinearOperator):
                raise TypeError(f"scale is a LinearOperator, not {scale!r}")
            if kind is not None and scale.dtype != kind:
                raise TypeError(f"shift and scale have one dtype, not {kind.name} and {scale.dtype.name}")
            if not scale.is_non_singular:
                raise ValueError("scale must be non-singular: a LinearOperator with is_non_singular=True")
            kind = scale.dtype
        self._scale = scale
        parents = [] if self._shift is None else [self._shift]
        super().__init__(parents + (scale.graph_parents if scale is not None else []), True, validate_args, kind, 1,
                         name=name)

    shift = property(lambda self: self._shift, doc="What is added, or None.")
    scale = property(lambda self: self._scale, doc="The linear operator, or None.")

    def _forward(self, x: Any) -> Any:
        if self._scale is not None:
            with self._regular():
                x = self._scale.matvec(x)
        return array.identity(x) if self._shift is None else x + self._shift

    def _inverse(self, y: Any) -> Any:
        x = y if self._shift is None else y - self._shift
        if self._scale is None:
            return array.identity(x)
        with self._regular():
            return self._scale.solvevec(x)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if self._scale is None:
            return convert_to_tensor(0, x.dtype)
        with self._regular():
            return self._scale.log_abs_determinant()

    def _regular(self) -> Any:
        return control_dependencies([self._scale.assert_non_singular()] if self._validate_args else [])


@export("contrib.distributions.bijectors.Affine")
class Affine(Bijector):
    """y = scale @ x + shift, where scale is the sum of what is given: a multiple of the identity, a diagonal, a lower
    triangular matrix and an update V D V^T of low rank. It is the identity if nothing is given.

    Args:
        shift: what is added, [..., size], or None.
        scale_identity_multiplier: the multiple of the identity.
        scale_diag: the diagonal, [..., size].
        scale_tril: the lower triangular matrix, [..., size, size].
        scale_perturb_factor: V, [..., size, rank].
        scale_perturb_diag: the diagonal of D, [..., rank]; ones by default.
        validate_args: whether steps check that the scale is not singular.
        name: a name for the operations.

    Raises:
        ValueError: there is a D without a V, or the size of the matrices below an update is not known.
    """

    def __init__(self, shift: Any = None, scale_identity_multiplier: Any = None, scale_diag: Any = None,
                 scale_tril: Any = None, scale_perturb_factor: Any = None, scale_perturb_diag: Any = None,
                 validate_args: bool = False, name: str = "affine") -> None:
        matrices = [scale_diag, scale_tril, scale_perturb_factor, scale_perturb_diag]
        if scale_perturb_diag is not None and scale_perturb_factor is None:
            raise ValueError("with scale_perturb_diag, scale_perturb_factor must be specified.")
        with name_scope(name, values=[shift, scale_identity_multiplier, *matrices]):
            given = [convert_to_tensor(each) for each in (shift, scale_identity_multiplier, *matrices)
                     if each is not None]
            kinds = {each.dtype.base_dtype for each in given if each.dtype.is_floating}
            kind = kinds.pop() if kinds else dtypes.float32
            self._shift = None if shift is None else convert_to_tensor(shift, name="shift", preferred_dtype=kind)
            self._multiple, self._scale = None, None
            if all(each is None for each in matrices):
                multiple = 1 if scale_identity_multiplier is None else scale_identity_multiplier
                self._multiple = convert_to_tensor(multiple, kind, name="scale_identity_multiplier")
                if validate_args:
                    check = assert_none_equal(self._multiple, array.zeros_like(self._multiple),
                                              message="diagonal part must be non-zero")
                    self._multiple = with_dependencies([check], self._multiple)
            else:
                self._scale = _scale(scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_factor,
                                     scale_perturb_diag, validate_args, kind)
        super().__init__(given, True, validate_args, kind, 1, name=name)

    shift = property(lambda self: self._shift, doc="What is added, or None.")

    @property
    def scale(self) -> Any:
        """The scale as a LinearOperator, or the factor of the identity if there is nothing else."""
        return self._multiple if self._scale is None else self._scale

    def _forward(self, x: Any) -> Any:
        y = x * self._over_elements() if self._scale is None else self._scale.matvec(x)
        return y if self._shift is None else y + self._shift

    def _inverse(self, y: Any) -> Any:
        x = y if self._shift is None else y - self._shift
        return x / self._over_elements() if self._scale is None else self._scale.solvevec(x)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if self._scale is not None:
            return self._scale.log_abs_determinant()
        size = cast(array.shape(x)[-1], x.dtype)
        return log(absolute(self._multiple)) * size

    def _over_elements(self) -> Any:
        return self._multiple if self._multiple.shape.ndims == 0 else self._multiple[..., None]


def _scale(multiple: Any, diagonal: Any, tril: Any, factor: Any, factor_diagonal: Any, validate_args: bool,
           kind: Any) -> Any:
    factor = None if factor is None else convert_to_tensor(factor, kind, name="scale_perturb_factor")
    hint = None
    if factor is not None:
        hint = factor.shape.as_list()[-2] if factor.shape.ndims else None
        hint = array.shape(factor)[-2] if hint is None else hint
    base = make_tril_scale(None, tril, diagonal, multiple, hint, validate_args, dtype=kind)
    if factor is None:
        return base
    if factor_diagonal is not None:
        factor_diagonal = convert_to_tensor(factor_diagonal, kind, name="scale_perturb_diag")
    return LinearOperatorLowRankUpdate(base, factor, factor_diagonal,
                                       is_diag_update_positive=factor_diagonal is None or None,
                                       is_non_singular=True, is_self_adjoint=base.is_self_adjoint,
                                       is_positive_definite=None, is_square=True)
