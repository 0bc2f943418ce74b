# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.bayesflow.stochastic_tensor."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from evergraph import Tensor
from typing import Any

class MeanValue:
    """A distribution stands for its mean."""
    def of(self, distribution: Any) -> Tensor: ...
    @property
    def stop_gradient(self) -> bool:
        """Whether gradients do not flow through the value."""
    def __init__(self, stop_gradient: bool = False) -> None: ...

class SampleValue:
    """A distribution stands for samples."""
    @property
    def shape(self) -> Any:
        """How many samples."""
    def of(self, distribution: Any) -> Tensor: ...
    @property
    def stop_gradient(self) -> bool:
        """Whether gradients do not flow through the value."""
    def __init__(self, shape: Any = ..., stop_gradient: bool = False) -> None: ...

class StochasticTensor:
    """A distribution that operations take for a tensor: a sample, or its mean."""
    @property
    def distribution(self) -> Any:
        """The distribution."""
    @property
    def name(self) -> Any:
        """The name scope of its operations."""
    @property
    def dtype(self) -> Any:
        """The dtype of the value."""
    @property
    def graph(self) -> Any:
        """The graph of the value."""
    @property
    def value_type(self) -> Any:
        """What the distribution stands for."""
    def value(self, name: str = 'value') -> Tensor:
        """The value, which has its name already."""
    def loss(self, final_loss: Any, name: str = 'Loss') -> Any:
        """What to add to a loss so that its gradient counts the choice of the sample; None if that needs
        nothing."""
    def __init__(
        self, dist: Any, name: str = 'StochasticTensor', dist_value_type: Any = None,
        loss_fn: Callable[..., Any] | None = ...,
    ) -> None: ...

def get_current_value_type() -> Any:
    """What distributions stand for in this place; a sample where nothing is said."""

def value_type(dist_value_type: Any) -> AbstractContextManager[None]:
    """A with-block in which distributions stand for this."""
