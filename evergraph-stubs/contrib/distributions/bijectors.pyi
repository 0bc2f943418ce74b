# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.distributions.bijectors."""

from collections.abc import Callable, Sequence
from evergraph import TensorShape
from typing import Any

import sys
if sys.platform == "":
    del (
        affine, bijector, combined, elements, flows, matrices, vectors,
    )

class AbsoluteValue(Bijector):
    """y = |x|."""
    def __init__(self, validate_args: bool = False, name: str = 'absolute_value') -> None: ...

class Affine(Bijector):
    """y = scale @ x + shift, where scale is the sum of what is given: a multiple of the identity, a
    diagonal, a lower triangular matrix and an update V D V^T of low rank."""
    @property
    def shift(self) -> Any:
        """What is added, or None."""
    @property
    def scale(self) -> Any:
        """The scale as a LinearOperator, or the factor of the identity if there is nothing else."""
    def __init__(
        self, shift: Any = None, scale_identity_multiplier: Any = None, scale_diag: Any = None,
        scale_tril: Any = None, scale_perturb_factor: Any = None, scale_perturb_diag: Any = None,
        validate_args: bool = False, name: str = 'affine',
    ) -> None: ...

class AffineLinearOperator(Bijector):
    """y = scale @ x + shift, with a linear operator for the scale."""
    @property
    def shift(self) -> Any:
        """What is added, or None."""
    @property
    def scale(self) -> Any:
        """The linear operator, or None."""
    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False,
        name: str = 'affine_linear_operator',
    ) -> None: ...

class AffineScalar(Bijector):
    """y = shift + scale * x."""
    @property
    def shift(self) -> Any:
        """What is added, or None."""
    @property
    def scale(self) -> Any:
        """The factor, or None."""
    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False, name: str = 'affine_scalar',
    ) -> None: ...

class BatchNormalization(Bijector):
    """Batch normalization as a bijector, whose inverse normalizes (Dinh et al., 2017)."""
    def __init__(
        self, batchnorm_layer: Any = None, training: bool = True, validate_args: bool = False,
        name: str = 'batch_normalization',
    ) -> None: ...
    batchnorm: Any

class Bijector:
    """An invertible, differentiable function y = g(x), with the log of |det dy/dx|."""
    @property
    def graph_parents(self) -> Any:
        """Tensors that the function depends on."""
    @property
    def forward_min_event_ndims(self) -> Any:
        """The least rank of an x."""
    @property
    def inverse_min_event_ndims(self) -> Any:
        """The least rank of a y."""
    @property
    def is_constant_jacobian(self) -> Any:
        """Whether the Jacobian is the same everywhere."""
    @property
    def validate_args(self) -> Any:
        """Whether steps check arguments."""
    @property
    def dtype(self) -> Any:
        """The dtype of arguments, or None for any."""
    @property
    def name(self) -> Any:
        """The name of the operations."""
    def forward_event_shape(self, input_shape: Any) -> TensorShape:
        """The static shape of an event y, for that of x."""
    def inverse_event_shape(self, output_shape: Any) -> TensorShape:
        """The static shape of an event x, for that of y."""
    def forward_event_shape_tensor(self, input_shape: Any, name: str = 'forward_event_shape_tensor') -> Any:
        """The shape of an event y, for that of x, as an int32 tensor."""
    def inverse_event_shape_tensor(
        self, output_shape: Any, name: str = 'inverse_event_shape_tensor',
    ) -> Any:
        """The shape of an event x, for that of y, as an int32 tensor."""
    def forward(self, x: Any, name: str = 'forward') -> Any:
        """y = g(x)."""
    def inverse(self, y: Any, name: str = 'inverse') -> Any:
        """x with g(x) = y; a tuple of all of them where g is not injective."""
    def forward_log_det_jacobian(
        self, x: Any, event_ndims: Any, name: str = 'forward_log_det_jacobian',
    ) -> Any:
        """log |det dy/dx| at x, over the last `event_ndims` axes of x."""
    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: Any, name: str = 'inverse_log_det_jacobian',
    ) -> Any:
        """log |det dx/dy| at y, over the last `event_ndims` axes of y."""
    def __init__(
        self, graph_parents: Any = None, is_constant_jacobian: bool = False, validate_args: bool = False,
        dtype: Any = None, forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None, name: str | None = None,
    ) -> None: ...

class Chain(Bijector):
    """Several bijectors, the last one first: Chain([f, g]) is f(g(x))."""
    @property
    def bijectors(self) -> Any:
        """The bijectors, of which the last one is applied first."""
    def __init__(
        self, bijectors: Sequence[Bijector] | None = None, validate_args: bool = False, name: str | None = None,
    ) -> None: ...

class CholeskyOuterProduct(Bijector):
    """y = x x^T, of lower triangular matrices x with a positive diagonal; x is the Cholesky factor of y."""
    def __init__(self, validate_args: bool = False, name: str = 'cholesky_outer_product') -> None: ...

class ConditionalBijector(Bijector):
    """A bijector whose methods take further arguments by name, and give them to those of the subclass."""
    def forward(self, x: Any, name: str = 'forward', **condition_kwargs: Any) -> Any:
        """y = g(x)."""
    def inverse(self, y: Any, name: str = 'inverse', **condition_kwargs: Any) -> Any:
        """x with g(x) = y."""
    def forward_log_det_jacobian(
        self, x: Any, event_ndims: Any, name: str = 'forward_log_det_jacobian', **condition_kwargs: Any,
    ) -> Any:
        """log |det dy/dx| at x."""
    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: Any, name: str = 'inverse_log_det_jacobian', **condition_kwargs: Any,
    ) -> Any:
        """log |det dx/dy| at y."""

class Exp(PowerTransform):
    """The bijector y = exp(x), from all numbers to the positive ones."""
    def __init__(self, validate_args: bool = False, name: str = 'exp') -> None: ...

class FillTriangular(Bijector):
    """Vectors of n (n + 1) / 2 numbers to triangular matrices of n rows, as
    `tf.contrib.distributions.fill_triangular`."""
    def __init__(
        self, upper: bool = False, validate_args: bool = False, name: str = 'fill_triangular',
    ) -> None: ...

class Gumbel(Bijector):
    """y = exp(-exp(-(x - loc) / scale)): the cumulative distribution function of the Gumbel
    distribution."""
    @property
    def loc(self) -> Any:
        """The mode."""
    @property
    def scale(self) -> Any:
        """The scale."""
    def __init__(
        self, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool = False, name: str = 'gumbel',
    ) -> None: ...

class Identity(Bijector):
    """The bijector y = x, which changes nothing."""
    def __init__(self, validate_args: bool = False, name: str = 'identity') -> None: ...

class Inline(Bijector):
    """A bijector of given functions."""
    def __init__(
        self, forward_fn: Callable | None = None, inverse_fn: Callable | None = None,
        inverse_log_det_jacobian_fn: Callable | None = None,
        forward_log_det_jacobian_fn: Callable | None = None, forward_event_shape_fn: Callable | None = None,
        forward_event_shape_tensor_fn: Callable | None = None, inverse_event_shape_fn: Callable | None = None,
        inverse_event_shape_tensor_fn: Callable | None = None, is_constant_jacobian: bool = False,
        validate_args: bool = False, forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None, name: str = 'inline',
    ) -> None: ...

class Invert(Bijector):
    """The inverse of a bijector."""
    @property
    def bijector(self) -> Any:
        """The bijector of which this is the inverse."""
    def __init__(self, bijector: Bijector, validate_args: bool = False, name: str | None = None) -> None: ...

class Kumaraswamy(Bijector):
    """y = (1 - (1 - x)^(1 / b))^(1 / a): the quantile function of Kumaraswamy's distribution."""
    @property
    def concentration1(self) -> Any:
        """What draws y to 1."""
    @property
    def concentration0(self) -> Any:
        """What draws y to 0."""
    def __init__(
        self, concentration1: Any = None, concentration0: Any = None, validate_args: bool = False,
        name: str = 'kumaraswamy',
    ) -> None: ...

class MaskedAutoregressiveFlow(ConditionalBijector):
    """y[i] = x[i] * exp(log_scale[i]) + shift[i], where both depend on y[:i] (Papamakarios et al.,
    2017)."""
    def __init__(
        self, shift_and_log_scale_fn: Callable, is_constant_jacobian: bool = False, validate_args: bool = False,
        unroll_loop: bool = False, name: str | None = None,
    ) -> None: ...

class MatrixInverseTriL(Bijector):
    """y = x^-1, of lower triangular matrices."""
    def __init__(self, validate_args: bool = False, name: str = 'matrix_inverse_tril') -> None: ...

class Ordered(Bijector):
    """Increasing vectors to vectors of all numbers: y[0] = x[0], y[i] = log(x[i] - x[i - 1])."""
    def __init__(self, validate_args: bool = False, name: str = 'ordered') -> None: ...

class Permute(Bijector):
    """y[i] = x[permutation[i]], along the last axis."""
    @property
    def permutation(self) -> Any:
        """The element of x for each element of y."""
    def __init__(self, permutation: Any, validate_args: bool = False, name: str | None = None) -> None: ...

class PowerTransform(Bijector):
    """y = (1 + c x)^(1 / c) for x >= -1 / c, with c = `power`; exp(x) for c = 0."""
    @property
    def power(self) -> Any:
        """The exponent of the inverse."""
    def __init__(
        self, power: Any = 0.0, validate_args: bool = False, name: str = 'power_transform',
    ) -> None: ...

class RealNVP(ConditionalBijector):
    """y = [x0, x1 * exp(log_scale) + shift], where both depend on x0, the first elements of x (Dinh et al.,
    2017)."""
    def __init__(
        self, num_masked: int, shift_and_log_scale_fn: Callable, is_constant_jacobian: bool = False,
        validate_args: bool = False, name: str | None = None,
    ) -> None: ...

class Reshape(Bijector):
    """Events of another shape with the same elements."""
    def __init__(
        self, event_shape_out: Any, event_shape_in: Any = ..., validate_args: bool = False,
        name: str | None = None,
    ) -> None: ...

class ScaleTriL(Chain):
    """Vectors of n (n + 1) / 2 numbers to lower triangular matrices with a positive diagonal, such as
    scales."""
    def __init__(
        self, diag_bijector: Bijector | None = None, diag_shift: Any = 1e-05, validate_args: bool = False,
        name: str = 'scale_tril',
    ) -> None: ...

class Sigmoid(Bijector):
    """y = 1 / (1 + exp(-x))."""
    def __init__(self, validate_args: bool = False, name: str = 'sigmoid') -> None: ...

class SinhArcsinh(Bijector):
    """y = sinh((asinh(x) + skewness) * tailweight) (Jones and Pewsey, 2009)."""
    @property
    def skewness(self) -> Any:
        """What moves mass to the right."""
    @property
    def tailweight(self) -> Any:
        """What makes tails heavier."""
    def __init__(
        self, skewness: Any = None, tailweight: Any = None, validate_args: bool = False,
        name: str = 'SinhArcsinh',
    ) -> None: ...

class SoftmaxCentered(Bijector):
    """y = softmax([x, 0]): vectors of n numbers to n + 1 probabilities."""
    def __init__(self, validate_args: bool = False, name: str = 'softmax_centered') -> None: ...

class Softplus(Bijector):
    """y = c log(1 + exp(x / c)), with c = `hinge_softness`, 1 by default: the sign of y is that of c."""
    @property
    def hinge_softness(self) -> Any:
        """How soft the hinge is."""
    def __init__(
        self, hinge_softness: Any = None, validate_args: bool = False, name: str = 'softplus',
    ) -> None: ...

class Softsign(Bijector):
    """y = x / (1 + |x|), between -1 and 1."""
    def __init__(self, validate_args: bool = False, name: str = 'softsign') -> None: ...

class Square(Bijector):
    """y = x^2, of numbers that are not negative."""
    def __init__(self, validate_args: bool = False, name: str = 'square') -> None: ...

class Tanh(Bijector):
    """The bijector y = tanh(x), to numbers between -1 and 1."""
    def __init__(self, validate_args: bool = False, name: str = 'tanh') -> None: ...

class TransformDiagonal(Bijector):
    """Matrices with another bijector applied to their diagonals."""
    def __init__(
        self, diag_bijector: Bijector, validate_args: bool = False, name: str = 'transform_diagonal',
    ) -> None: ...

class Weibull(Bijector):
    """y = 1 - exp(-(x / scale)^concentration): the cumulative distribution function of the Weibull
    distribution."""
    @property
    def scale(self) -> Any:
        """The scale."""
    @property
    def concentration(self) -> Any:
        """The shape."""
    def __init__(
        self, scale: Any = 1.0, concentration: Any = 1.0, validate_args: bool = False, name: str = 'weibull',
    ) -> None: ...

def masked_autoregressive_default_template(
    hidden_layers: Sequence[int], shift_only: bool = False, activation: Any = ...,
    log_scale_min_clip: float = -5.0, log_scale_max_clip: float = 3.0,
    log_scale_clip_gradient: bool = False, name: str | None = None, *args: Any, **kwargs: Any,
) -> Any:
    """A function of x to (shift, log_scale) in which element i depends on elements before i, of masked
    dense layers."""

def masked_dense(
    inputs: Any, units: int, num_blocks: int | None = None, exclusive: bool = False,
    kernel_initializer: Any = None, reuse: bool | None = None, name: str | None = None, *args: Any,
    **kwargs: Any,
) -> Any:
    """A dense layer in which a block of outputs depends on the blocks of inputs before it (MADE; Germain et
    al., 2015)."""

def real_nvp_default_template(
    hidden_layers: Sequence[int], shift_only: bool = False, activation: Any = ..., name: str | None = None,
    *args: Any, **kwargs: Any,
) -> Any:
    """A function of x0 and a number of units to (shift, log_scale), of dense layers, for `RealNVP`."""
