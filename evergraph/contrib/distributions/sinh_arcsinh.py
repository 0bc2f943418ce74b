"""Scalars with skewness and tails of any weight, and parameters that softplus makes positive."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.distributions.bijectors.combined import Chain
from evergraph.contrib.distributions.bijectors.elements import AffineScalar
from evergraph.contrib.distributions.bijectors.elements import SinhArcsinh as SinhArcsinhBijector
from evergraph.contrib.distributions.multivariate import tail_stretch
from evergraph.contrib.distributions.scales import get_broadcast_shape
from evergraph.contrib.distributions.transformed import TransformedDistribution
from evergraph.distributions.continuous import Laplace, Normal, StudentT
from evergraph.distributions.parameters import one_dtype, own
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.math import abs as absolute
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math.elementwise import floor
from evergraph.ops.nn.activations import softplus


@export("contrib.distributions.SinhArcsinh")
class SinhArcsinh(TransformedDistribution):
    """The distribution of loc + scale * F(Z) * 2 / F0(2), F(z) = sinh((asinh(z) + skewness) * tailweight).

    F0 is F without skewness, so that a sample is near two scales with about the same probability for all tails (Jones
    and Pewsey, 2009).

    Args:
        loc: the location.
        scale: the scale.
        skewness: 0 by default; larger numbers move mass to the right.
        tailweight: 1 by default; larger numbers make tails heavier.
        distribution: that of Z; the standard normal one by default.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any, scale: Any, skewness: Any = None, tailweight: Any = None, distribution: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True, name: str = "SinhArcsinh") -> None:
        parameters = own(locals())
        with name_scope(name, values=[loc, scale, skewness, tailweight]) as scope:
            self._loc = convert_to_tensor(loc, name="loc")
            kind = self._loc.dtype.base_dtype
            self._scale = convert_to_tensor(scale, kind, name="scale")
            self._skewness = convert_to_tensor(0.0 if skewness is None else skewness, kind, name="skewness")
            self._tailweight = convert_to_tensor(1.0 if tailweight is None else tailweight, kind, name="tailweight")
            one_dtype(self._loc, self._scale, self._skewness, self._tailweight)
            bent = SinhArcsinhBijector(self._skewness, self._tailweight, validate_args)
            stretch = tail_stretch(SinhArcsinhBijector(None, self._tailweight), kind)
            affine = AffineScalar(self._loc, self._scale * stretch, validate_args)
            distribution = distribution or Normal(loc=array.zeros([], kind), scale=array.ones([], kind))
            batch_shape = None
            if distribution.batch_shape.ndims == 0:
                batch_shape = get_broadcast_shape(self._loc, self._scale, self._skewness, self._tailweight)
        super().__init__(distribution, Chain([affine, bent]), batch_shape, None, validate_args, scope)
        self._parameters, self._allow_nan_stats = parameters, allow_nan_stats

    loc = property(lambda self: self._loc, doc="The location.")
    scale = property(lambda self: self._scale, doc="The scale.")
    skewness = property(lambda self: self._skewness, doc="What moves mass to the right.")
    tailweight = property(lambda self: self._tailweight, doc="What makes tails heavier.")


@export("contrib.distributions.LaplaceWithSoftplusScale")
class LaplaceWithSoftplusScale(Laplace):
    """The Laplace distribution with scale softplus(scale).

    Args:
        loc: the mean.
        scale: what softplus makes the scale of.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "LaplaceWithSoftplusScale") -> None:
        parameters = own(locals())
        with name_scope(name, values=[loc, scale]) as scope:
            super().__init__(loc, softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, scope)
        self._parameters = parameters


@export("contrib.distributions.StudentTWithAbsDfSoftplusScale")
class StudentTWithAbsDfSoftplusScale(StudentT):
    """Student's t-distribution with floor(|df|) degrees of freedom and scale softplus(scale).

    Args:
        df: what the degrees of freedom are made of.
        loc: the location.
        scale: what softplus makes the scale of.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, df: Any, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "StudentTWithAbsDfSoftplusScale") -> None:
        parameters = own(locals())
        with name_scope(name, values=[df, scale]) as scope:
            super().__init__(floor(absolute(convert_to_tensor(df))), loc, softplus(scale, name="softplus_scale"),
                             validate_args, allow_nan_stats, scope)
        self._parameters = parameters
