"""tf.keras.optimizers: SGD, Adagrad, Adadelta, Adam, RMSprop and Ftrl."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import initializers, settings
from evergraph.keras.optimizer import Optimizer
from evergraph.ops.arrays.segment import unsorted_segment_sum
from evergraph.ops.math import elementwise
from evergraph.ops.nn import updates

_EPSILON = 1e-7


def _constant(value: float) -> Any:
    return initializers.get({"class_name": "Constant", "config": {"value": value}})


def spread_out(values: Any, indices: Any, variable: Any) -> Any:
    """A gradient of rows as one of the whole variable, with zeros elsewhere."""
    return unsorted_segment_sum(values, indices, array.shape(variable)[0])


@export("keras.optimizers.SGD")
class SGD(Optimizer):
    """Stochastic gradient descent, with momentum if wanted.

    Args:
        learning_rate: a number, a tensor, a schedule, or a function without arguments that returns one.
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
        return var.assign_sub(self._shared_rates(var.dtype.base_dtype)["lr"] * grad)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        if self._momentum:
            return super()._resource_apply_sparse(grad, var, indices)
        return var.scatter_sub(IndexedSlices(self._shared_rates(var.dtype.base_dtype)["lr"] * grad, indices))

    hypers, options = ("learning_rate", "decay", "momentum"), ("nesterov",)


@export("keras.optimizers.Adagrad")
class Adagrad(Optimizer):
    """The Adagrad optimizer (Duchi et al., 2011): a learning rate for each element, which falls with its gradients.

    Args:
        learning_rate: a number, a tensor, a schedule, or a function without arguments that returns one.
        initial_accumulator_value: the initial sum of squared gradients; not negative.
        epsilon: a small number that keeps the quotient finite.
        name: the name of the optimizer.
        **kwargs: as for `Optimizer`.
    """

    rule, slot_names = updates.adagrad_v2, ("accumulator",)
    options = ("initial_accumulator_value", "epsilon")

    def __init__(self, learning_rate: Any = 0.001, initial_accumulator_value: float = 0.1, epsilon: float = _EPSILON,
                 name: str = "Adagrad", **kwargs: Any) -> None:
        if initial_accumulator_value < 0.0:
            raise ValueError(f"initial_accumulator_value must be at least 0, got {initial_accumulator_value}")
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon or settings.epsilon()

    initial_accumulator_value = property(lambda self: self._initial_accumulator_value, doc="What sums begin with.")

    def _create_slots(self, var_list: list[Any]) -> None:
        for variable in var_list:
            self.add_slot(variable, "accumulator", _constant(self._initial_accumulator_value))

    def _rates(self, dtype: Any) -> dict[str, Any]:
        return {"lr": self._decayed_lr(dtype), "epsilon": math.cast(self.epsilon, dtype)}


@export("keras.optimizers.Adadelta")
class Adadelta(Optimizer):
    """The Adadelta optimizer (Zeiler, 2012): steps are scaled by the RMS of earlier ones over that of the gradients.

    Args:
        learning_rate: a number, a tensor, a schedule, or a function without arguments that returns one.
        rho: how much of the mean squares stays in each step.
        epsilon: a small number that keeps the quotient finite.
        name: the name of the optimizer.
        **kwargs: as for `Optimizer`.
    """

    rule, slot_names = updates.adadelta, ("accum_grad", "accum_var")
    hypers, options = ("learning_rate", "decay", "rho"), ("epsilon",)

    def __init__(self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: float = _EPSILON, name: str = "Adadelta",
                 **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("rho", rho)
        self.epsilon = epsilon or settings.epsilon()

    def _rates(self, dtype: Any) -> dict[str, Any]:
        return {"lr": self._decayed_lr(dtype), "rho": self._get_hyper("rho", dtype),
                "epsilon": math.cast(self.epsilon, dtype)}


@export("keras.optimizers.Adam")
class Adam(Optimizer):
    """The Adam optimizer (Kingma and Ba, 2014).

    Args:
        learning_rate: a number, a tensor, a schedule, or a function without arguments that returns one.
        beta_1: how much of the mean of gradients stays in each step.
        beta_2: how much of the mean of squared gradients stays in each step.
        epsilon: a small number that keeps the quotient finite.
        amsgrad: whether the largest mean of squared gradients so far counts (Reddi et al., 2018).
        name: the name of the optimizer.
        **kwargs: as for `Optimizer`.
    """

    hypers, options = ("learning_rate", "decay", "beta_1", "beta_2"), ("epsilon", "amsgrad")

    def __init__(self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999, epsilon: float = _EPSILON,
                 amsgrad: bool = False, name: str = "Adam", **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)
        self.epsilon, self.amsgrad = epsilon or settings.epsilon(), amsgrad
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
        return self._resource_apply_dense(spread_out(values, indices, variable), variable)

    def set_weights(self, weights: list[Any]) -> None:
        """Sets the variables; an older form, which also had the largest means without AMSGrad, is understood."""
        slots = (len(self.weights) - 1) // 2
        if not self.amsgrad and len(weights) == 3 * slots + 1:
            weights = weights[:len(self.weights)]
        super().set_weights(weights)


@export("keras.optimizers.RMSprop")
class RMSprop(Optimizer):
    """The RMSprop optimizer (Tieleman and Hinton, 2012): gradients divided by the root of their mean square.

    Args:
        learning_rate: a number, a tensor, a schedule, or a function without arguments that returns one.
        rho: how much of the mean square stays in each step.
        momentum: the share of the last step's movement that is added to the next.
        epsilon: a small number that keeps the quotient finite.
        centered: whether the variance of the gradients counts in place of the mean square.
        name: the name of the optimizer.
        **kwargs: as for `Optimizer`.
    """

    hypers, options = ("learning_rate", "decay", "rho", "momentum"), ("epsilon", "centered")

    def __init__(self, learning_rate: Any = 0.001, rho: Any = 0.9, momentum: Any = 0.0, epsilon: float = _EPSILON,
                 centered: bool = False, name: str = "RMSprop", **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        if isinstance(momentum, (int, float)) and not 0 <= momentum <= 1:
            raise ValueError(f"`momentum` must be between [0, 1], got {momentum}")
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("rho", rho)
        self._momentum = not isinstance(momentum, (int, float)) or momentum > 0
        self._set_hyper("momentum", momentum)
        self.epsilon, self.centered = epsilon or settings.epsilon(), centered
        self.rule = updates.centered_rms_prop if centered else updates.rms_prop
        self.slot_names = ("rms", *(["momentum"] if self._momentum else []), *(["mg"] if centered else []))

    @property
    def cell_names(self) -> tuple[str, ...]:
        """The slots in the order of the rule."""
        return ("mg", "rms", "momentum") if self.centered else ("rms", "momentum")

    def _rates(self, dtype: Any) -> dict[str, Any]:
        return {"lr": self._decayed_lr(dtype), "rho": self._get_hyper("rho", dtype),
                "momentum": self._get_hyper("momentum", dtype), "epsilon": math.cast(self.epsilon, dtype)}

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        if self._momentum:
            return super()._resource_apply_dense(grad, var)
        rates = self._shared_rates(var.dtype.base_dtype)
        square = self._kept(var, "rms", rates["rho"], grad * grad)
        if self.centered:
            mean = self._kept(var, "mg", rates["rho"], grad)
            square = square - mean * mean
        return var.assign_sub(rates["lr"] * grad / (elementwise.sqrt(square) + rates["epsilon"]))

    def _kept(self, var: Any, name: str, rho: Any, new: Any) -> Any:
        """The running mean in a slot, after this step."""
        slot = self.get_slot(var, name)
        return convert_to_tensor(slot.assign(rho * slot.read_value() + (1.0 - rho) * new))

    def _apply_rows(self, values: Any, variable: Any, indices: Any) -> Any:
        if self._momentum:
            return super()._apply_rows(values, variable, indices)
        return self._resource_apply_dense(spread_out(values, indices, variable), variable)


@export("keras.optimizers.Ftrl")
class Ftrl(Optimizer):
    """The FTRL-Proximal optimizer (McMahan et al., 2013), follow the regularized leader; for wide sparse linear models.

    Args:
        learning_rate: a number, a tensor, a schedule, or a function without arguments that returns one.
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
    hypers = ("learning_rate", "decay", "learning_rate_power", "l1_regularization_strength",
              "l2_regularization_strength")
    options = ("initial_accumulator_value", "l2_shrinkage_regularization_strength")

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

    initial_accumulator_value = property(lambda self: self._initial_accumulator_value, doc="What sums begin with.")
    l2_shrinkage_regularization_strength = property(lambda self: self._shrinkage, doc="The penalty on large weights.")

    def _create_slots(self, var_list: list[Any]) -> None:
        for variable in var_list:
            self.add_slot(variable, "accumulator", _constant(self._initial_accumulator_value))
            self.add_slot(variable, "linear")

    def _rates(self, dtype: Any) -> dict[str, Any]:
        shrinkage = {"l2_shrinkage": math.cast(self._shrinkage, dtype)} if self._shrinkage > 0 else {}
        return {"lr": self._decayed_lr(dtype), "l1": self._get_hyper("l1_regularization_strength", dtype),
                "l2": self._get_hyper("l2_regularization_strength", dtype), **shrinkage,
                "lr_power": self._get_hyper("learning_rate_power", dtype)}
