# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.distributions.bijectors."""

from collections.abc import Sequence
from evergraph import Tensor
from typing import Any

class AffineScalar:
    """y = shift + scale * x."""
    @property
    def shift(self) -> Any: ...
    @property
    def scale(self) -> Any: ...
    is_increasing: bool
    @property
    def name(self) -> Any: ...
    def forward(self, x: Any, name: str = 'forward') -> Any:
        """The function."""
    def inverse(self, y: Any, name: str = 'inverse') -> Any:
        """The inverse function."""
    def forward_log_det_jacobian(
        self, x: Any, event_ndims: int = 0, name: str = 'forward_log_det_jacobian',
    ) -> Tensor:
        """The logarithm of the slope at x, added up over the last `event_ndims` axes."""
    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: int = 0, name: str = 'inverse_log_det_jacobian',
    ) -> Any:
        """The logarithm of the slope of the inverse at y, added up over the last `event_ndims` axes."""
    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False, name: str = 'affine_scalar',
    ) -> None: ...

class Chain:
    """Several bijectors, the last one first: Chain([f, g]) is f(g(x))."""
    @property
    def bijectors(self) -> Any: ...
    is_increasing: bool
    @property
    def name(self) -> Any: ...
    def forward(self, x: Any, name: str = 'forward') -> Any:
        """The function."""
    def inverse(self, y: Any, name: str = 'inverse') -> Any:
        """The inverse function."""
    def forward_log_det_jacobian(
        self, x: Any, event_ndims: int = 0, name: str = 'forward_log_det_jacobian',
    ) -> Tensor:
        """The logarithm of the slope at x, added up over the last `event_ndims` axes."""
    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: int = 0, name: str = 'inverse_log_det_jacobian',
    ) -> Any:
        """The logarithm of the slope of the inverse at y, added up over the last `event_ndims` axes."""
    def __init__(
        self, bijectors: Sequence[Any] = ..., validate_args: bool = False, name: str | None = None,
    ) -> None: ...

class Exp:
    """y = exp(x)."""
    is_increasing: bool
    @property
    def name(self) -> Any: ...
    def forward(self, x: Any, name: str = 'forward') -> Any:
        """The function."""
    def inverse(self, y: Any, name: str = 'inverse') -> Any:
        """The inverse function."""
    def forward_log_det_jacobian(
        self, x: Any, event_ndims: int = 0, name: str = 'forward_log_det_jacobian',
    ) -> Tensor:
        """The logarithm of the slope at x, added up over the last `event_ndims` axes."""
    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: int = 0, name: str = 'inverse_log_det_jacobian',
    ) -> Any:
        """The logarithm of the slope of the inverse at y, added up over the last `event_ndims` axes."""
    def __init__(self, validate_args: bool = False, name: str = 'exp') -> None: ...

class Identity:
    """y = x."""
    is_increasing: bool
    @property
    def name(self) -> Any: ...
    def forward(self, x: Any, name: str = 'forward') -> Any:
        """The function."""
    def inverse(self, y: Any, name: str = 'inverse') -> Any:
        """The inverse function."""
    def forward_log_det_jacobian(
        self, x: Any, event_ndims: int = 0, name: str = 'forward_log_det_jacobian',
    ) -> Tensor:
        """The logarithm of the slope at x, added up over the last `event_ndims` axes."""
    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: int = 0, name: str = 'inverse_log_det_jacobian',
    ) -> Any:
        """The logarithm of the slope of the inverse at y, added up over the last `event_ndims` axes."""
    def __init__(self, validate_args: bool = False, name: str = 'identity') -> None: ...

class Invert:
    """The inverse of a bijector."""
    @property
    def bijector(self) -> Any: ...
    is_increasing: bool
    @property
    def name(self) -> Any: ...
    def forward(self, x: Any, name: str = 'forward') -> Any:
        """The function."""
    def inverse(self, y: Any, name: str = 'inverse') -> Any:
        """The inverse function."""
    def forward_log_det_jacobian(
        self, x: Any, event_ndims: int = 0, name: str = 'forward_log_det_jacobian',
    ) -> Tensor:
        """The logarithm of the slope at x, added up over the last `event_ndims` axes."""
    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: int = 0, name: str = 'inverse_log_det_jacobian',
    ) -> Any:
        """The logarithm of the slope of the inverse at y, added up over the last `event_ndims` axes."""
    def __init__(self, bijector: Any, validate_args: bool = False, name: str | None = None) -> None: ...

class Sigmoid:
    """y = 1 / (1 + exp(-x))."""
    is_increasing: bool
    @property
    def name(self) -> Any: ...
    def forward(self, x: Any, name: str = 'forward') -> Any:
        """The function."""
    def inverse(self, y: Any, name: str = 'inverse') -> Any:
        """The inverse function."""
    def forward_log_det_jacobian(
        self, x: Any, event_ndims: int = 0, name: str = 'forward_log_det_jacobian',
    ) -> Tensor:
        """The logarithm of the slope at x, added up over the last `event_ndims` axes."""
    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: int = 0, name: str = 'inverse_log_det_jacobian',
    ) -> Any:
        """The logarithm of the slope of the inverse at y, added up over the last `event_ndims` axes."""
    def __init__(self, validate_args: bool = False, name: str = 'sigmoid') -> None: ...

class Softplus:
    """y = c log(1 + exp(x / c)), with c = `hinge_softness`, 1 by default."""
    @property
    def hinge_softness(self) -> Any: ...
    is_increasing: bool
    @property
    def name(self) -> Any: ...
    def forward(self, x: Any, name: str = 'forward') -> Any:
        """The function."""
    def inverse(self, y: Any, name: str = 'inverse') -> Any:
        """The inverse function."""
    def forward_log_det_jacobian(
        self, x: Any, event_ndims: int = 0, name: str = 'forward_log_det_jacobian',
    ) -> Tensor:
        """The logarithm of the slope at x, added up over the last `event_ndims` axes."""
    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: int = 0, name: str = 'inverse_log_det_jacobian',
    ) -> Any:
        """The logarithm of the slope of the inverse at y, added up over the last `event_ndims` axes."""
    def __init__(
        self, hinge_softness: Any = None, validate_args: bool = False, name: str = 'softplus',
    ) -> None: ...

class Tanh:
    """y = tanh(x)."""
    is_increasing: bool
    @property
    def name(self) -> Any: ...
    def forward(self, x: Any, name: str = 'forward') -> Any:
        """The function."""
    def inverse(self, y: Any, name: str = 'inverse') -> Any:
        """The inverse function."""
    def forward_log_det_jacobian(
        self, x: Any, event_ndims: int = 0, name: str = 'forward_log_det_jacobian',
    ) -> Tensor:
        """The logarithm of the slope at x, added up over the last `event_ndims` axes."""
    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: int = 0, name: str = 'inverse_log_det_jacobian',
    ) -> Any:
        """The logarithm of the slope of the inverse at y, added up over the last `event_ndims` axes."""
    def __init__(self, validate_args: bool = False, name: str = 'tanh') -> None: ...
