"""tf.keras.optimizers.schedules: learning rates as functions of the step, by the formulas of tf.train."""
from __future__ import annotations

import abc
from typing import Any

from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import objects
from evergraph.train import schedules


@export("keras.optimizers.schedules.LearningRateSchedule")
class LearningRateSchedule(abc.ABC):
    """The base of learning rate schedules: a subclass computes the rate of a step when it is called with its number."""

    _fields: tuple[str, ...] = ()  # the constructor's arguments

    @abc.abstractmethod
    def __call__(self, step: Any) -> Any:
        """The learning rate of a step."""

    def _keep(self, arguments: dict[str, Any]) -> None:
        """Keeps the arguments of the constructor, given as locals(), as attributes."""
        self._fields = tuple(name for name in arguments if name not in ("self", "__class__"))
        vars(self).update({name: arguments[name] for name in self._fields})

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {name: getattr(self, name) for name in self._fields}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A schedule with these arguments."""
        return cls(**config)


class _Decay(LearningRateSchedule):
    """The base of schedules that tf.train has as functions of the first rate, the step and further arguments."""

    formula: Any = None

    def __call__(self, step: Any) -> Any:
        """The learning rate of a step."""
        first, *others = self._fields
        rate = self.formula(getattr(self, first), step, **{name: getattr(self, name) for name in others})
        return rate() if callable(rate) else rate


@export("keras.optimizers.schedules.ExponentialDecay")
class ExponentialDecay(_Decay):
    """Exponential decay: initial_learning_rate * decay_rate ** (step / decay_steps).

    >>> optimizer = tf.keras.optimizers.SGD(tf.keras.optimizers.schedules.ExponentialDecay(0.1, 1000, 0.9))

    Args:
        initial_learning_rate: the rate of step 0.
        decay_steps: the number of steps after which the rate has changed by the factor `decay_rate`.
        decay_rate: that factor.
        staircase: whether the rate changes only at multiples of `decay_steps`.
        name: a name for the operations.
    """

    formula = staticmethod(schedules.exponential_decay)

    def __init__(self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
                 name: str | None = None) -> None:
        self._keep(locals())


@export("keras.optimizers.schedules.InverseTimeDecay")
class InverseTimeDecay(_Decay):
    """Inverse time decay: initial_learning_rate / (1 + decay_rate * step / decay_steps).

    Args:
        initial_learning_rate: the rate of step 0.
        decay_steps: the number of steps that count as one.
        decay_rate: how fast the rate falls.
        staircase: whether the rate changes only at multiples of `decay_steps`.
        name: a name for the operations.
    """

    formula = staticmethod(schedules.inverse_time_decay)

    def __init__(self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
                 name: str | None = None) -> None:
        self._keep(locals())


@export("keras.optimizers.schedules.PolynomialDecay")
class PolynomialDecay(_Decay):
    """Polynomial decay from one rate to another within a number of steps.

    Args:
        initial_learning_rate: the rate of step 0.
        decay_steps: the number of steps.
        end_learning_rate: the rate afterwards.
        power: the power of the polynomial; 1 for a straight line.
        cycle: whether the decay starts again from a higher rate when the steps are over, and lasts longer.
        name: a name for the operations.
    """

    formula = staticmethod(schedules.polynomial_decay)

    def __init__(self, initial_learning_rate: Any, decay_steps: Any, end_learning_rate: Any = 0.0001, power: Any = 1.0,
                 cycle: bool = False, name: str | None = None) -> None:
        self._keep(locals())


@export("keras.experimental.CosineDecay")
class CosineDecay(_Decay):
    """Cosine decay (Loshchilov and Hutter, 2016).

    Args:
        initial_learning_rate: the rate of step 0.
        decay_steps: the number of steps.
        alpha: the final rate, as a fraction of the first.
        name: a name for the operations.
    """

    formula = staticmethod(schedules.cosine_decay)

    def __init__(self, initial_learning_rate: Any, decay_steps: Any, alpha: float = 0.0,
                 name: str | None = None) -> None:
        self._keep(locals())


@export("keras.experimental.CosineDecayRestarts")
class CosineDecayRestarts(_Decay):
    """Cosine decay with warm restarts (Loshchilov and Hutter, 2016).

    Args:
        initial_learning_rate: the rate of step 0.
        first_decay_steps: the number of steps of the first period.
        t_mul: each period is as many times as long as the one before it.
        m_mul: each period starts at this fraction of the rate of the one before it.
        alpha: the final rate of a period, as a fraction of the first.
        name: a name for the operations.
    """

    formula = staticmethod(schedules.cosine_decay_restarts)

    def __init__(self, initial_learning_rate: Any, first_decay_steps: Any, t_mul: float = 2.0, m_mul: float = 1.0,
                 alpha: float = 0.0, name: str | None = None) -> None:
        self._keep(locals())


@export("keras.experimental.LinearCosineDecay")
class LinearCosineDecay(_Decay):
    """Linear cosine decay (Bello et al., 2017): (alpha + linear) * cosine + beta, times the first rate.

    Args:
        initial_learning_rate: the rate of step 0.
        decay_steps: the number of steps.
        num_periods: the number of periods of the cosine.
        alpha: is added to the linear part.
        beta: is added to the product.
        name: a name for the operations.
    """

    formula = staticmethod(schedules.linear_cosine_decay)

    def __init__(self, initial_learning_rate: Any, decay_steps: Any, num_periods: float = 0.5, alpha: float = 0.0,
                 beta: float = 0.001, name: str | None = None) -> None:
        self._keep(locals())


@export("keras.experimental.NoisyLinearCosineDecay")
class NoisyLinearCosineDecay(_Decay):
    """Linear cosine decay with normal noise on the linear part, whose variance falls with the steps.

    Args:
        initial_learning_rate: the rate of step 0.
        decay_steps: the number of steps.
        initial_variance: the variance of the noise at step 0.
        variance_decay: the power of 1 + step that it is divided by.
        num_periods: the number of periods of the cosine.
        alpha: is added to the linear part.
        beta: is added to the product.
        name: a name for the operations.
    """

    formula = staticmethod(schedules.noisy_linear_cosine_decay)

    def __init__(self, initial_learning_rate: Any, decay_steps: Any, initial_variance: float = 1.0,
                 variance_decay: float = 0.55, num_periods: float = 0.5, alpha: float = 0.0, beta: float = 0.001,
                 name: str | None = None) -> None:
        self._keep(locals())


@export("keras.optimizers.schedules.PiecewiseConstantDecay")
class PiecewiseConstantDecay(LearningRateSchedule):
    """A rate that is constant between boundaries.

    Args:
        boundaries: increasing step numbers; up to and including each, the rate of its place in `values` applies.
        values: the rates, one more than boundaries.
        name: a name for the operations.

    Raises:
        ValueError: there is not one value more than boundaries.
    """

    def __init__(self, boundaries: Any, values: Any, name: str | None = None) -> None:
        if len(boundaries) != len(values) - 1:
            raise ValueError(f"values need a boundary between each two of them: got "
                             f"{len(boundaries)} boundaries and {len(values)} values")
        self._keep(locals())

    def __call__(self, step: Any) -> Any:
        """The learning rate of a step."""
        step = convert_to_tensor(step)
        ends = [math.cast(end, step.dtype.base_dtype) for end in self.boundaries]
        rate = schedules.piecewise_constant(step, ends, self.values, self.name)
        return rate() if callable(rate) else rate


_BY_NAME = {kind.__name__: kind for kind in (
    ExponentialDecay, InverseTimeDecay, PolynomialDecay, PiecewiseConstantDecay, CosineDecay, CosineDecayRestarts,
    LinearCosineDecay, NoisyLinearCosineDecay)}


@export("keras.optimizers.schedules.serialize")
def serialize(learning_rate_schedule: LearningRateSchedule) -> dict[str, Any]:
    """The name of a schedule's class and its configuration."""
    return objects.serialize_keras_object(learning_rate_schedule)


@export("keras.optimizers.schedules.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> LearningRateSchedule:
    """The schedule of a serialized configuration.

    Raises:
        ValueError: the class is unknown.
    """
    return objects.deserialize_keras_object(config, _BY_NAME, custom_objects, "decay")
