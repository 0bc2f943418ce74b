"""Loss scales: factors that keep small gradients in half precision from vanishing."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.control_flow import cond, group
from evergraph.frontend.modes import executing_eagerly
from evergraph.frontend.reduce import reduce_all
from evergraph.frontend.variables.assign import assign
from evergraph.frontend.variables.base import VariableAggregation
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math import elementwise


@export("train.experimental.LossScale")
class LossScale:
    """The base class of loss scales: factors that keep small gradients of half precision training from underflowing.

    Calling a loss scale returns the current factor. A subclass defines that, `update` and `get_config`.
    """

    def __init__(self) -> None:
        self._weights: dict[str, Any] = {}

    def __call__(self) -> Tensor:
        """The factor, a float32 scalar."""
        raise NotImplementedError

    def update(self, grads: Any) -> tuple[Any, Any]:
        """Updates the loss scale after a step.

        Args:
            grads: the unscaled gradients of the step.

        Returns:
            (an operation that updates the loss scale, whether to apply the gradients: a bool or a scalar bool tensor).
        """
        raise NotImplementedError

    def _add_weight(self, name: str, initial_value: Any, dtype: Any = None) -> Any:
        """A variable of the loss scale."""
        if name in self._weights:
            raise RuntimeError(f"there is a variable {name} of this loss scale already")
        self._weights[name] = Variable(initial_value, name=name, dtype=dtype, trainable=False, use_resource=True,
                                       aggregation=VariableAggregation.MEAN)
        return self._weights[name]

    def _checkpoint_children(self) -> dict[str, Any]:
        """What tf.train.Checkpoint finds below it."""
        return dict(sorted(self._weights.items()))

    def get_config(self) -> dict[str, Any]:
        """The constructor arguments, as a dict for `from_config`."""
        raise NotImplementedError

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> LossScale:
        """A loss scale of what `get_config` returned."""
        return cls(**config)


@export("train.experimental.FixedLossScale")
class FixedLossScale(LossScale):
    """A constant loss scale.

    Args:
        loss_scale_value: the factor, a number of at least 1.

    Raises:
        ValueError: it is no number, or less than 1.
    """

    def __init__(self, loss_scale_value: float) -> None:
        super().__init__()
        if not isinstance(loss_scale_value, (int, float)):
            raise ValueError(f"loss_scale_value must be a number, not {loss_scale_value!r}")
        if loss_scale_value < 1:
            raise ValueError(f"loss_scale_value must be at least 1, not {loss_scale_value}")
        self._loss_scale_value = float(loss_scale_value)
        self._tensor_loss_scale = convert_to_tensor(self._loss_scale_value, dtype=dtypes.float32)

    def __call__(self) -> Tensor:
        return self._tensor_loss_scale

    def update(self, grads: Any) -> tuple[Any, bool]:
        return no_op(), True

    def __repr__(self) -> str:
        return f"FixedLossScale({self._loss_scale_value})"

    def get_config(self) -> dict[str, Any]:
        return {"loss_scale_value": self._loss_scale_value}


@export("train.experimental.DynamicLossScale")
class DynamicLossScale(LossScale):
    """A loss scale that is raised while gradients are finite and lowered when they overflow.

    Args:
        initial_loss_scale: the initial factor.
        increment_period: how many steps in a row must have finite gradients before the factor is raised.
        multiplier: what the factor is multiplied by to raise it, and divided by to lower it; it is never below 1.
    """

    def __init__(self, initial_loss_scale: float = 2 ** 15, increment_period: int = 2000,
                 multiplier: float = 2.0) -> None:
        super().__init__()
        self._initial_loss_scale, self._multiplier = float(initial_loss_scale), float(multiplier)
        self._increment_period = int(increment_period)
        self._current_loss_scale = self._add_weight("current_loss_scale", self._initial_loss_scale, dtypes.float32)
        self._num_good_steps = self._add_weight("good_steps", 0, dtypes.int64)

    initial_loss_scale = property(lambda self: self._initial_loss_scale)
    increment_period = property(lambda self: self._increment_period)
    multiplier = property(lambda self: self._multiplier)

    def __call__(self) -> Tensor:
        return convert_to_tensor(self._current_loss_scale)

    def update(self, grads: Any) -> tuple[Any, Tensor]:
        finite = all_finite(grads)
        return cond(finite, self._after_good_step, self._after_bad_step), finite

    def _after_good_step(self) -> Any:
        return cond(self._num_good_steps + 1 >= self._increment_period, self._grown,
                    lambda: group(self._num_good_steps.assign_add(1)))

    def _grown(self) -> Any:
        larger = self._current_loss_scale * self._multiplier
        kept = cond(elementwise.is_finite(larger), lambda: group(assign(self._current_loss_scale, larger)), no_op)
        return group(kept, assign(self._num_good_steps, array.constant(0, dtypes.int64)))

    def _after_bad_step(self) -> Any:
        smaller = elementwise.maximum(self._current_loss_scale / self._multiplier, 1.0)
        return group(assign(self._num_good_steps, array.constant(0, dtypes.int64)),
                     assign(self._current_loss_scale, smaller))

    def __repr__(self) -> str:
        state = ""
        if executing_eagerly():
            state = (f"current_loss_scale={self._current_loss_scale.numpy()}, "
                     f"num_good_steps={self._num_good_steps.numpy()}, ")
        return (f"DynamicLossScale({state}initial_loss_scale={self._initial_loss_scale}, "
                f"increment_period={self._increment_period}, multiplier={self._multiplier})")

    def get_config(self) -> dict[str, Any]:
        return {"initial_loss_scale": self._initial_loss_scale, "increment_period": self._increment_period,
                "multiplier": self._multiplier}


def all_finite(grads: Any) -> Tensor:
    """Whether all gradients are finite, those of rows included."""
    values = [g.values if isinstance(g, IndexedSlices) else convert_to_tensor(g)
              for g in nest.flatten(grads) if g is not None]
    if not values:
        return array.constant(True)
    return reduce_all(array.stack([reduce_all(elementwise.is_finite(math.cast(v, v.dtype.base_dtype)))
                                   for v in values]))


def as_loss_scale(identifier: Any) -> LossScale | None:
    """The loss scale that a number or "dynamic" stands for.

    Raises:
        ValueError: it stands for none.
    """
    if isinstance(identifier, (int, float)) and not isinstance(identifier, bool):
        return FixedLossScale(identifier)
    if identifier == "dynamic":
        return DynamicLossScale()
    if identifier is None or isinstance(identifier, LossScale):
        return identifier
    raise ValueError(f"no loss scale is called {identifier!r}: give a number, 'dynamic' or a LossScale")
