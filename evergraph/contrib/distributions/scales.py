"""Scales of vectors as linear operators: diagonal, triangular, with an update of low rank; and shapes that follow."""

from __future__ import annotations

from typing import Any

from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.array import broadcast_dynamic_shape, broadcast_static_shape
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_none_equal, assert_positive
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.ordering import matrix_diag_part, matrix_set_diag
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg.diagonal import LinearOperatorDiag
from evergraph.linalg.full_matrix import LinearOperatorLowerTriangular
from evergraph.linalg.identity import LinearOperatorIdentity, LinearOperatorScaledIdentity
from evergraph.ops.arrays.diagonal import matrix_band_part


def make_diag_scale(loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
                    shape_hint: Any = None, validate_args: bool = False, assert_positive: bool = False,
                    name: str | None = None, dtype: Any = None) -> Any:
    """A diagonal scale: diag(scale_diag + scale_identity_multiplier), or a multiple of the identity.

    Args:
        loc: a location, [batch..., size], for the size where nothing else tells it.
        scale_diag: the diagonal, [batch..., size].
        scale_identity_multiplier: what is added to all of it, [batch...]; alone, a multiple of the identity.
        shape_hint: the size, instead of `loc`.
        validate_args: whether steps check the diagonal: it must be positive, or not zero.
        assert_positive: whether it must be positive.
        name: a name for the operations.
        dtype: the dtype where no argument tells it.

    Raises:
        ValueError: the size is not known.
    """
    with name_scope(name, "make_diag_scale", [loc, scale_diag, scale_identity_multiplier]):
        loc = _given(loc, "loc", dtype)
        diagonal = _given(scale_diag, "scale_diag", dtype)
        multiple = _given(scale_identity_multiplier, "scale_identity_multiplier", dtype)
        if diagonal is not None:
            diagonal = diagonal if multiple is None else diagonal + multiple[..., None]
            return LinearOperatorDiag(_checked(diagonal, validate_args, assert_positive), is_non_singular=True,
                                      is_self_adjoint=True, is_positive_definite=assert_positive or None)
        if loc is None and shape_hint is None:
            raise ValueError("the size of the scale follows from its diagonal, loc or shape_hint: one of them must be "
                             "given, and none is specified.")
        rows = array.shape(loc)[-1] if shape_hint is None else shape_hint
        if shape_hint is None and loc.shape.ndims and loc.shape.as_list()[-1] is not None:
            rows = loc.shape.as_list()[-1]
        if multiple is None:
            return LinearOperatorIdentity(rows, dtype=dtype if loc is None else loc.dtype.base_dtype,
                                          is_non_singular=True, is_self_adjoint=True, is_positive_definite=True,
                                          assert_proper_shapes=validate_args)
        return LinearOperatorScaledIdentity(rows, _checked(multiple, validate_args, assert_positive),
                                            is_non_singular=True, is_self_adjoint=True,
                                            is_positive_definite=assert_positive or None,
                                            assert_proper_shapes=validate_args)


def make_tril_scale(loc: Any = None, scale_tril: Any = None, scale_diag: Any = None,
                    scale_identity_multiplier: Any = None, shape_hint: Any = None, validate_args: bool = False,
                    assert_positive: bool = False, name: str | None = None, dtype: Any = None) -> Any:
    """A lower triangular scale, scale_tril + diag(scale_diag + scale_identity_multiplier); without `scale_tril`, a
    diagonal one. The arguments are those of `make_diag_scale`; of `scale_tril` what is above the diagonal is ignored.
    """
    if scale_tril is None:
        return make_diag_scale(loc, scale_diag, scale_identity_multiplier, shape_hint, validate_args, assert_positive,
                               name, dtype)
    with name_scope(name, "make_tril_scale", [scale_tril, scale_diag, scale_identity_multiplier]):
        lower = matrix_band_part(_given(scale_tril, "scale_tril", dtype), -1, 0)
        diagonal = matrix_diag_part(lower)
        if scale_diag is not None:
            diagonal += _given(scale_diag, "scale_diag", dtype)
        if scale_identity_multiplier is not None:
            diagonal += _given(scale_identity_multiplier, "scale_identity_multiplier", dtype)[..., None]
        diagonal = _checked(diagonal, validate_args, assert_positive)
        return LinearOperatorLowerTriangular(matrix_set_diag(lower, diagonal), is_non_singular=True,
                                             is_self_adjoint=False, is_positive_definite=assert_positive or None)


def _given(value: Any, name: str, dtype: Any) -> Any:
    return None if value is None else convert_to_tensor(value, dtype, name=name)


def _checked(diagonal: Any, validate_args: bool, positive: bool) -> Any:
    if not validate_args:
        return diagonal
    if positive:
        return with_dependencies([assert_positive(diagonal, message="diagonal part must be positive")], diagonal)
    zero = array.zeros_like(diagonal)
    return with_dependencies([assert_none_equal(diagonal, zero, message="diagonal part must be non-zero")], diagonal)


def shapes_from_loc_and_scale(loc: Any, scale: Any, name: str = "shapes_from_loc_and_scale") -> tuple[Any, Any]:
    """(batch shape, event shape) of vectors loc + scale @ noise: TensorShapes where they are known, else tensors.

    Raises:
        ValueError: the sizes of loc and scale do not agree.
    """
    if loc is not None and loc.shape.ndims == 0:
        loc = None  # a number for each element of each vector
    with name_scope(name, values=[loc, *scale.graph_parents]):
        known = scale.range_dimension
        event_shape: Any = TensorShape([known]) if known.value is not None else scale.range_dimension_tensor()[None]
        if loc is not None and loc.shape.ndims:
            size = loc.shape.as_list()[-1]
            if None not in (known.value, size) and size not in (1, known.value):
                raise ValueError(f"the event size {size} of loc could not be broadcast to that of scale, {known}")
        batch_shape: Any = scale.batch_shape
        if loc is not None:
            batch_shape = broadcast_static_shape(batch_shape, loc.shape[:-1])
        if batch_shape.is_fully_defined():
            return batch_shape, event_shape
        batch_shape = scale.batch_shape_tensor()
        if loc is not None:
            batch_shape = broadcast_dynamic_shape(batch_shape, array.shape(loc)[:-1])
        return batch_shape, event_shape


def get_broadcast_shape(*tensors: Any) -> Any:
    """The shape that tensors have together: a list of sizes where they are known, else a tensor."""
    known = TensorShape([])
    for each in tensors:
        known = broadcast_static_shape(known, each.shape)
    if known.is_fully_defined():
        return known.as_list()
    dynamic = array.shape(tensors[0])
    for each in tensors[1:]:
        dynamic = broadcast_dynamic_shape(dynamic, array.shape(each))
    return dynamic
