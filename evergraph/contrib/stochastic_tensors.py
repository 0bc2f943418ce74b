"""tf.contrib.bayesflow.stochastic_tensor: distributions that stand for a value, as TensorFlow 1.0 to 1.3 had them."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope
from evergraph.graph.convert import convert_to_tensor, register_tensor_conversion_function
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.basic import stop_gradient

_HOME = "contrib.bayesflow.stochastic_tensor"
_current = threading.local()


class _ValueType:
    """What a distribution stands for."""

    def __init__(self, stop_gradient: bool = False) -> None:
        self._stop_gradient = stop_gradient

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients do not flow through the value."""
        return self._stop_gradient

    def of(self, distribution: Any) -> Tensor:
        """The value."""
        raise NotImplementedError


@export(f"{_HOME}.MeanValue")
class MeanValue(_ValueType):
    """A distribution stands for its mean.

    Args:
        stop_gradient: whether gradients do not flow through it.
    """

    def of(self, distribution: Any) -> Tensor:
        return distribution.mean()


@export(f"{_HOME}.SampleValue")
class SampleValue(_ValueType):
    """A distribution stands for samples.

    Args:
        shape: how many samples; by default a single one.
        stop_gradient: whether gradients do not flow through them.
    """

    def __init__(self, shape: Any = (), stop_gradient: bool = False) -> None:
        super().__init__(stop_gradient)
        self._shape = shape

    @property
    def shape(self) -> Any:
        """How many samples."""
        return self._shape

    def of(self, distribution: Any) -> Tensor:
        return distribution.sample(self._shape)


@export(f"{_HOME}.value_type")
@contextlib.contextmanager
def value_type(dist_value_type: _ValueType) -> Iterator[None]:
    """A with-block in which distributions stand for this.

    Args:
        dist_value_type: a SampleValue or a MeanValue.

    Raises:
        TypeError: it is neither.
    """
    if not isinstance(dist_value_type, _ValueType):
        raise TypeError(f"a value type is a SampleValue or a MeanValue, not {dist_value_type!r}")
    before = getattr(_current, "value", None)
    _current.value = dist_value_type
    try:
        yield
    finally:
        _current.value = before


@export(f"{_HOME}.get_current_value_type")
def get_current_value_type() -> _ValueType:
    """What distributions stand for in this place; a sample where nothing is said."""
    return getattr(_current, "value", None) or SampleValue()


def score_function(stochastic_tensor: StochasticTensor, value: Tensor, loss: Tensor) -> Tensor:
    """The surrogate of a loss whose gradient is the score function's (Williams, 1992): log_prob(value) * loss."""
    return stochastic_tensor.distribution.log_prob(stop_gradient(value)) * stop_gradient(loss)


@export(f"{_HOME}.StochasticTensor")
class StochasticTensor:
    """A distribution that operations take for a tensor: a sample, or its mean.

    Args:
        dist: the distribution.
        name: a name for the operations.
        dist_value_type: what it stands for; by default what `value_type` says.
        loss_fn: the surrogate of a loss, a function of (this, value, loss); None for none.
    """

    def __init__(self, dist: Any, name: str = "StochasticTensor", dist_value_type: _ValueType | None = None,
                 loss_fn: Callable[..., Any] | None = score_function) -> None:
        self._dist, self._loss_fn = dist, loss_fn
        self._value_type = get_current_value_type() if dist_value_type is None else dist_value_type
        with name_scope(name) as scope:
            self._name = scope
            value = self._value_type.of(dist)
            self._value = stop_gradient(value) if self._value_type.stop_gradient else value

    distribution = property(lambda self: self._dist, doc="The distribution.")
    name = property(lambda self: self._name, doc="The name scope of its operations.")
    dtype = property(lambda self: self._value.dtype, doc="The dtype of the value.")
    graph = property(lambda self: self._value.graph, doc="The graph of the value.")

    @property
    def value_type(self) -> _ValueType:
        """What the distribution stands for."""
        return self._value_type

    def value(self, name: str = "value") -> Tensor:
        """The value, which has its name already."""
        return self._value

    def loss(self, final_loss: Any, name: str = "Loss") -> Any:
        """What to add to a loss so that its gradient counts the choice of the sample; None if that needs nothing.

        Args:
            final_loss: the loss of the samples.
            name: a name for the operations.
        """
        if self._loss_fn is None or not self._value_type.stop_gradient:
            return None
        with name_scope(name):
            return self._loss_fn(self, self._value, convert_to_tensor(final_loss))


def _as_tensor(value: StochasticTensor, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    if dtype is not None and not dtype.is_compatible_with(value.dtype):
        raise ValueError(f"{value.name} is of dtype {value.dtype.name}, not {dtype.name}")
    return value.value()


register_tensor_conversion_function(StochasticTensor, _as_tensor)
