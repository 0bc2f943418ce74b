"""tf.keras.optimizers: SGD, Adagrad, Adam, RMSprop and Ftrl."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.graph.composite import IndexedSlices
from evergraph.keras import initializers
from evergraph.keras.optimizer import Optimizer
from evergraph.ops.arrays.segment import unsorted_segment_sum
from evergraph.ops.math import elementwise
from evergraph.ops.nn import updates

_EPSILON = 1e-7


@export("keras.optimizers.SGD")
class SGD(Optimizer):
    """Stochastic gradient descent, with momentum if wanted.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one.
        momentum: the share of the last step's movement that is added to the next, from 0 to 1.
        nesterov: whether the gradient counts as if the movement had been made already (Nesterov momentum).
        name: the name of the optimizer.
        **kwargs: as for `Optimizer`.
    """

    def __init__(self, learning_rate: Any = 0.01, momentum: Any = 0.0, nesterov: bool = False, name: str = "SGD",
                 **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._momentum = not isinstance(momentum, (int, float)) or momentum > 0
        if isinstance(momentum, (int, float)) and not 0 <= momentum <= 1:
            raise ValueError("`momentum` must be between [0, 1].")
        self._set_hyper("momentum", momentum)
        self.nesterov, self.rule = nesterov, updates.keras_momentum
        self.slot_names = ("momentum",) if self._momentum else ()

    def _rates(self, dtype: Any) -> dict[str, Any]:
        return {"lr": self._decayed_lr(dtype), "momentum": self._get_hyper("momentum", dtype)}

    def _flags(self) -> dict[str, bool]:
        return {"use_nesterov": self.nesterov}

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        if self._momentum:
            return super()._resource_apply_dense(grad, var)
        return var.assign_sub(self._decayed_lr(var.dtype.base_dtype) * grad)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        if self._momentum:
            return super()._resource_apply_sparse(grad, var, indices)
        return var.scatter_sub(IndexedSlices(self._decayed_lr(var.dtype.base_dtype) * grad, indices))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        return {**super().get_config(), "nesterov": self.nesterov}


@export("keras.optimizers.Adagrad")
class Adagrad(Optimizer):
    """The Adagrad optimizer (Duchi et al., 2011): a learning rate for each element, which falls with its gradients.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one.
        initial_accumulator_value: the initial sum of squared gradients; not negative.
        epsilon: a small number that keeps the quotient finite.
        name: the name of the optimizer.
        **kwargs: as for `Optimizer`.
    """

    rule, slot_names = updates.adagrad_v2, ("accumulator",)

    def __init__(self, learning_rate: Any = 0.001, initial_accumulator_value: float = 0.1, epsilon: float = _EPSILON,
                 name: str = "Adagrad", **kwargs: Any) -> None:
        if initial_accumulator_value < 0.0:
            raise ValueError(f"initial_accumulator_value must be at least 0, got {initial_accumulator_value}")
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    def _create_slots(self, var_list: list[Any]) -> None:
        for variable in var_list:
            self.add_slot(variable, "accumulator", initializers.get(
                {"class_name": "Constant", "config": {"value": self._initial_accumulator_value}}))

    def _rates(self, dtype: Any) -> dict[str, Any]:
        return {"lr": self._decayed_lr(dtype), "epsilon": math.cast(self.epsilon, dtype)}


@export("keras.optimizers.Adam")
class Adam(Optimizer):
    """The Adam optimizer (Kingma and Ba, 2014).

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one.
        beta_1: how much of the mean of gradients stays in each step.
        beta_2: how much of the mean of squared gradients stays in each step.
        epsilon: a small number that keeps the quotient finite.
        amsgrad: whether the largest mean of squared gradients so far counts (Reddi et al., 2018).
        name: the name of the optimizer.
        **kwargs: as for `Optimizer`.
    """

    def __init__(self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999, epsilon: float = _EPSILON,
                 amsgrad: bool = False, name: str = "Adam", **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)
        self.epsilon, self.amsgrad = epsilon, amsgrad
        self.rule = updates.adam_with_amsgrad if amsgrad else updates.adam
        self.slot_names = ("m", "v", "vhat") if amsgrad else ("m", "v")

    def _rates(self, dtype: Any) -> dict[str, Any]:
        step = math.cast(self.iterations + 1, dtype)
        beta_1, beta_2 = self._get_hyper("beta_1", dtype), self._get_hyper("beta_2", dtype)
        return {"beta1_power": elementwise.pow_(beta_1, step), "beta2_power": elementwise.pow_(beta_2, step),
                "lr": self._decayed_lr(dtype), "beta1": beta_1, "beta2": beta_2,
                "epsilon": math.cast(self.epsilon, dtype)}

    def _apply_rows(self, values: Any, variable: Any, indices: Any) -> Any:
        # The means of rows without a gradient fall too, so the gradient is a dense one with zeros.
        return self._resource_apply_dense(unsorted_segment_sum(values, indices, array.shape(variable)[0]), variable)


@export("keras.optimizers.RMSprop")
class RMSprop(Optimizer):
    """The RMSprop optimizer (Tieleman and Hinton, 2012): gradients divided by the root of their mean square.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one.
        rho: how much of the mean square stays in each step.
        momentum: the share of the last step's movement that is added to the next.
        epsilon: a small number that keeps the quotient finite.
        centered: whether the variance of the gradients counts in place of the mean square.
        name: the name of the optimizer.
        **kwargs: as for `Optimizer`.
    """

    def __init__(self, learning_rate: Any = 0.001, rho: Any = 0.9, momentum: Any = 0.0, epsilon: float = _EPSILON,
                 centered: bool = False, name: str = "RMSprop", **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("rho", rho)
        self._momentum = not isinstance(momentum, (int, float)) or momentum > 0
        self._set_hyper("momentum", momentum)
        self.epsilon, self.centered = epsilon, centered
        self.slot_names = ("rms", *(["momentum"] if self._momentum else []), *(["mg"] if centered else []))

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        dtype = var.dtype.base_dtype
        rho, rate = self._get_hyper("rho", dtype), self._decayed_lr(dtype)
        square = self._kept(var, "rms", rho, grad * grad)
        if self.centered:
            mean = self._kept(var, "mg", rho, grad)
            square = square - mean * mean
        if not self._momentum:
            return var.assign_sub(rate * grad / (elementwise.sqrt(square) + self.epsilon))
        movement = self.get_slot(var, "momentum")
        moved = movement.assign(self._get_hyper("momentum", dtype) * movement.read_value()
                                + rate * grad / elementwise.sqrt(square + self.epsilon))
        return var.assign_sub(moved)

    def _kept(self, var: Any, name: str, rho: Any, new: Any) -> Any:
        """The running mean in a slot, after this step."""
        slot = self.get_slot(var, name)
        return slot.assign(rho * slot.read_value() + (1.0 - rho) * new)

    def _apply_rows(self, values: Any, variable: Any, indices: Any) -> Any:
        return self._resource_apply_dense(unsorted_segment_sum(values, indices, array.shape(variable)[0]), variable)


@export("keras.optimizers.Ftrl")
class Ftrl(Optimizer):
    """The FTRL-Proximal optimizer (McMahan et al., 2013), follow the regularized leader; for wide sparse linear models.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one.
        learning_rate_power: not positive; 0 gives a fixed learning rate.
        initial_accumulator_value: the initial sum of squared gradients; not negative.
        l1_regularization_strength: not negative; sets small weights to zero.
        l2_regularization_strength: not negative.
        name: the name of the optimizer.
        l2_shrinkage_regularization_strength: not negative; a penalty on the size of weights with a gradient.
        **kwargs: as for `Optimizer`.

    Raises:
        ValueError: a number has the wrong sign.
    """

    slot_names = ("accumulator", "linear")

    def __init__(self, learning_rate: Any = 0.001, learning_rate_power: float = -0.5,
                 initial_accumulator_value: float = 0.1, l1_regularization_strength: float = 0.0,
                 l2_regularization_strength: float = 0.0, name: str = "Ftrl",
                 l2_shrinkage_regularization_strength: float = 0.0, **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        for what, value in (("initial_accumulator_value", initial_accumulator_value),
                            ("l1_regularization_strength", l1_regularization_strength),
                            ("l2_regularization_strength", l2_regularization_strength),
                            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength)):
            if value < 0.0:
                raise ValueError(f"{what} {value} needs to be positive or zero")
        if learning_rate_power > 0.0:
            raise ValueError(f"learning_rate_power must be at most 0, got {learning_rate_power}")
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("learning_rate_power", learning_rate_power)
        self._set_hyper("l1_regularization_strength", l1_regularization_strength)
        self._set_hyper("l2_regularization_strength", l2_regularization_strength)
        self._initial_accumulator_value = initial_accumulator_value
        self._shrinkage = l2_shrinkage_regularization_strength
        self.rule = updates.ftrl_v2 if self._shrinkage > 0 else updates.ftrl

    def _create_slots(self, var_list: list[Any]) -> None:
        start = initializers.get({"class_name": "Constant", "config": {"value": self._initial_accumulator_value}})
        for variable in var_list:
            self.add_slot(variable, "accumulator", start)
            self.add_slot(variable, "linear")

    def _rates(self, dtype: Any) -> dict[str, Any]:
        shrinkage = {"l2_shrinkage": math.cast(self._shrinkage, dtype)} if self._shrinkage > 0 else {}
        return {"lr": self._decayed_lr(dtype), "l1": self._get_hyper("l1_regularization_strength", dtype),
                "l2": self._get_hyper("l2_regularization_strength", dtype), **shrinkage,
                "lr_power": self._get_hyper("learning_rate_power", dtype)}


BY_NAME = {"sgd": SGD, "adagrad": Adagrad, "adam": Adam, "rmsprop": RMSprop, "ftrl": Ftrl}


@export("keras.optimizers.get")
def get(identifier: Any) -> Optimizer:
    """An optimizer from itself, its name, or what `tf.keras.optimizers.serialize` returned.

    Raises:
        ValueError: there is no such optimizer.
    """
    if isinstance(identifier, Optimizer):
        return identifier
    if isinstance(identifier, str) and identifier.lower() in BY_NAME:
        return BY_NAME[identifier.lower()]()
    if isinstance(identifier, dict) and str(identifier.get("class_name")).lower() in BY_NAME:
        return BY_NAME[identifier["class_name"].lower()].from_config(identifier.get("config", {}))
    raise ValueError(f"Could not interpret optimizer identifier: {identifier}")
