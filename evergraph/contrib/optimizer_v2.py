"""tf.contrib.optimizer_v2: optimizers whose state is an object of its own, and those of tf.train in that form."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array, replicas
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import group
from evergraph.frontend.gradients import gradients
from evergraph.frontend.math import cast
from evergraph.frontend.variables.initializers import constant_initializer
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.train.adadelta import AdadeltaOptimizer as Adadelta
from evergraph.train.adagrad import AdagradOptimizer as Adagrad
from evergraph.train.adam import AdamOptimizer as Adam
from evergraph.train.gradient_descent import GradientDescentOptimizer as GradientDescent
from evergraph.train.momentum import MomentumOptimizer as Momentum
from evergraph.train.optimizer import Optimizer, added_up
from evergraph.train.rmsprop import RMSPropOptimizer as RMSProp


def _public(module: str, name: str) -> tuple[str, str]:
    return f"contrib.optimizer_v2.{name}", f"contrib.optimizer_v2.{module}.{name}"


class OptimizerState(Optimizer):
    """The state of an OptimizerV2: hyperparameters, slots and other variables, and what applies its updates.

    The methods of optimizers get it as `state`.
    """

    def __init__(self, optimizer: OptimizerV2, use_locking: bool, name: str) -> None:
        super().__init__(use_locking, name)
        self._optimizer = optimizer
        self._hyper: dict[str, Any] = {}

    # ---- what optimizers ask for

    def get_hyper(self, name: str, dtype: Any = None) -> Any:
        """A hyperparameter as a tensor."""
        value = self._hyper[name]
        return value if dtype is None else cast(value, dtype)

    def create_slot(self, var: Any, val: Any, slot_name: str, optional_op_name: str | None = None) -> Any:
        """The slot of a variable, made to start with the tensor `val`."""
        return self._get_or_make_slot(var, val, slot_name, optional_op_name or self._name)

    def create_slot_with_initializer(self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str,
                                     optional_op_name: str | None = None) -> Any:
        """The slot of a variable, made with an initializer."""
        return self._get_or_make_slot_with_initializer(var, initializer, shape, dtype, slot_name,
                                                       optional_op_name or self._name)

    def zeros_slot(self, var: Any, slot_name: str, optional_op_name: str | None = None) -> Any:
        """The slot of a variable, made to start with zeros."""
        return self._zeros_slot(var, slot_name, optional_op_name or self._name)

    def create_non_slot(self, initial_value: Any, name: str, colocate_with: Any = None) -> Any:
        """A variable of the optimizer as a whole."""
        return self._create_non_slot_variable(initial_value, name, colocate_with)

    def get_non_slot(self, name: str) -> Any:
        """The variable of the optimizer as a whole that has this name, or None."""
        return self._get_non_slot_variable(name, graph=default_graph())

    # ---- what applies updates, by the methods of the optimizer

    def _create_slots(self, var_list: list[Any]) -> None:
        self._optimizer._create_vars(var_list, self)

    def _prepare(self) -> None:
        self._hyper = {name: convert_to_tensor(self._call_if_callable(value), name=name)
                       for name, value in self._optimizer._hyper.items()}
        self._optimizer._prepare(self)

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        return self._optimizer._apply_dense(grad, var, self)

    def _resource_apply_dense(self, grad: Tensor, var: Any) -> Any:
        return self._optimizer._resource_apply_dense(grad, var, self)

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        return self._optimizer._apply_sparse_duplicate_indices(grad, var, self)

    def _resource_apply_sparse_duplicate_indices(self, grad: Tensor, var: Any, indices: Tensor) -> Any:
        return self._optimizer._resource_apply_sparse_duplicate_indices(grad, var, indices, self)

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        with control_dependencies(update_ops):
            last = self._optimizer._finish(self)
        return group(*update_ops, *([] if last is None else [last]), name=name_scope)


@export(*_public("optimizer_v2", "OptimizerV2"))
class OptimizerV2(Optimizer):
    """The base of optimizers whose state is an object of its own.

    A subclass gives numbers to `_set_hyper(name, value)`, makes its variables in `_create_vars(var_list, state)`, and
    updates variables in `_apply_dense(grad, var, state)`, `_resource_apply_dense(grad, handle, state)`,
    `_apply_sparse(grad, var, state)` and `_resource_apply_sparse(grad, handle, indices, state)`; `_prepare(state)` and
    `_finish(state)` come before and after all updates. `state` has `get_hyper`, `get_slot`, `create_slot`,
    `zeros_slot`, `create_slot_with_initializer`, `create_non_slot` and `get_non_slot`.

    Args:
        use_locking: has no effect on the updates; it is an attr of the update operations in the GraphDef.
        name: the name scope of the update operations and the name of the slot variables.

    Raises:
        RuntimeError: the subclass has a `_create_slots`, the method of tf.train.Optimizer.
    """

    def __init__(self, use_locking: bool, name: str) -> None:
        if type(self)._create_slots is not OptimizerV2._create_slots:
            raise RuntimeError("an OptimizerV2 makes its variables in _create_vars, not in _create_slots")
        super().__init__(use_locking, name)
        self._hyper: dict[str, Any] = {}
        self._state: Optimizer = OptimizerState(self, use_locking, name)

    def _set_hyper(self, name: str, value: Any) -> None:
        """Sets a hyperparameter: a number, a tensor, or a function without arguments that returns one."""
        self._hyper[name] = value

    def minimize(self, loss: Any, global_step: Any = None, var_list: Any = None,
                 gate_gradients: int = Optimizer.GATE_OP, aggregation_method: Any = None, name: str | None = None,
                 grad_loss: Any = None, stop_gradients: Any = None,
                 scale_loss_by_num_replicas: bool | None = None) -> Any:
        """Computes the gradients of `loss` and applies them.

        Args:
            loss: the tensor to minimize, or a function without arguments that returns it.
            global_step: a variable that every update increments by one.
            var_list: the variables to update; by default the collection of trainable variables.
            gate_gradients: see `tf.train.Optimizer.minimize`.
            aggregation_method: a tf.AggregationMethod, which says how gradients of one tensor are summed.
            name: the name of the returned operation.
            grad_loss: the gradient with respect to `loss`, from which the others are computed; by default 1.
            stop_gradients: tensors to take as constants.
            scale_loss_by_num_replicas: whether a replica's loss is divided by their number; by default it is where
                losses are means over batches.

        Raises:
            ValueError: no variable has a gradient.
        """
        pairs = self.compute_gradients(loss, var_list=var_list, gate_gradients=gate_gradients,
                                       aggregation_method=aggregation_method, grad_loss=grad_loss,
                                       stop_gradients=stop_gradients,
                                       scale_loss_by_num_replicas=scale_loss_by_num_replicas)
        if all(gradient is None for gradient, _ in pairs):
            raise ValueError(f"No gradients provided for any variable: {loss} does not depend on any of "
                             f"{[str(v) for _, v in pairs]}")
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(self, loss: Any, var_list: Any = None,  # type: ignore[override]
                          gate_gradients: int = Optimizer.GATE_OP, aggregation_method: Any = None,
                          grad_loss: Any = None, stop_gradients: Any = None,
                          scale_loss_by_num_replicas: bool | None = None) -> list[tuple[Any, Any]]:
        """The gradients of `loss`; the first half of `minimize`, with the same arguments.

        Raises:
            NotImplementedError: tensors are taken as constants with eager execution.
        """
        scaled = _scaled(loss, scale_loss_by_num_replicas)
        if stop_gradients is None:
            return super().compute_gradients(scaled, var_list, gate_gradients, aggregation_method,
                                             grad_loss=grad_loss)
        if default_graph().is_eager:
            raise NotImplementedError("stop_gradients are tensors of a graph: with eager execution use "
                                      "tf.stop_gradient in the loss")
        variables = self._to_optimize(var_list)
        targets = [v if isinstance(v, (ResourceVariable, Tensor)) else v._ref() for v in variables]
        found = gradients(scaled() if callable(scaled) else scaled, targets, grad_ys=grad_loss,
                          gate_gradients=gate_gradients == Optimizer.GATE_OP, aggregation_method=aggregation_method,
                          stop_gradients=stop_gradients)
        return list(zip(found, variables))

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Applies gradients to variables; the second half of `minimize`."""
        return self._state.apply_gradients(grads_and_vars, global_step, name or self._name)

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot variable called `name` of variable `var`; None if there is none."""
        return self._state.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        """The names of the slot variables that this optimizer has created, sorted."""
        return self._state.get_slot_names()

    def variables(self) -> list[Any]:
        """The variables of the optimizer's own state in the default graph."""
        return self._state.variables()

    def _checkpoint_children(self) -> dict[str, Any]:
        return self._state._checkpoint_children()

    # ---- what subclasses define

    def _create_vars(self, var_list: list[Any], state: Any) -> None:
        """Makes the slots and other variables."""

    def _prepare(self, state: Any) -> None:  # type: ignore[override]
        """Makes the tensors that all updates use."""

    def _finish(self, state: Any) -> Any:  # type: ignore[override]
        """What is done when all updates are."""

    def _apply_dense(self, grad: Tensor, var: Any, state: Any) -> Any:  # type: ignore[override]
        raise NotImplementedError(f"{type(self).__name__} does not update ref variables")

    def _resource_apply_dense(self, grad: Tensor, handle: Any, state: Any) -> Any:  # type: ignore[override]
        raise NotImplementedError(f"{type(self).__name__} does not update resource variables")

    def _apply_sparse(self, grad: IndexedSlices, var: Any, state: Any) -> Any:  # type: ignore[override]
        raise NotImplementedError(f"{type(self).__name__} does not update rows of ref variables")

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor,  # type: ignore[override]
                               state: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not update rows of resource variables")

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any,  # type: ignore[override]
                                        state: Any) -> Any:
        values, indices = added_up(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(values, indices, grad.dense_shape), var, state)

    def _resource_apply_sparse_duplicate_indices(self, grad: Tensor, handle: Any,  # type: ignore[override]
                                                 indices: Tensor, state: Any) -> Any:
        values, indices = added_up(grad, indices)
        return self._resource_apply_sparse(values, handle, indices, state)


def _scaled(loss: Any, wanted: bool | None) -> Any:
    """A loss, divided by the number of replicas as `wanted` says, where that differs from what optimizers do."""
    scales = replicas.scales_loss()
    if wanted is None or wanted == scales or not replicas.distributed():
        return loss
    if callable(loss):
        return lambda: _scaled(loss(), wanted)
    count = replicas.current().strategy.num_replicas_in_sync  # type: ignore[union-attr]
    return loss * convert_to_tensor(1.0 / count if wanted else float(count), loss.dtype)


@export(*_public("gradient_descent", "GradientDescentOptimizer"))
class GradientDescentOptimizer(OptimizerV2):
    """Gradient descent, as `tf.train.GradientDescentOptimizer`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations.
    """

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._state = GradientDescent(learning_rate, use_locking, name)


@export(*_public("adadelta", "AdadeltaOptimizer"))
class AdadeltaOptimizer(OptimizerV2):
    """Adadelta (Zeiler, 2012), as `tf.train.AdadeltaOptimizer`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one; so are the next two.
        rho: the decay rate of the running means.
        epsilon: added under the roots.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations and the name of the slot variables.
    """

    def __init__(self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-8, use_locking: bool = False,
                 name: str = "Adadelta") -> None:
        super().__init__(use_locking, name)
        self._state = Adadelta(learning_rate, rho, epsilon, use_locking, name)


@export(*_public("adagrad", "AdagradOptimizer"))
class AdagradOptimizer(OptimizerV2):
    """Adagrad (Duchi et al., 2011), as `tf.train.AdagradOptimizer`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one.
        initial_accumulator_value: what sums of squares start with, positive.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations and the name of the slot variables.
    """

    def __init__(self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
                 name: str = "Adagrad") -> None:
        super().__init__(use_locking, name)
        self._state = Adagrad(learning_rate, initial_accumulator_value, use_locking, name)


@export(*_public("adam", "AdamOptimizer"))
class AdamOptimizer(OptimizerV2):
    """Adam (Kingma and Ba, 2014), as `tf.train.AdamOptimizer`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one; so are the next three.
        beta1: the decay rate of the mean of gradients.
        beta2: the decay rate of the mean of squared gradients.
        epsilon: added to the denominator.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations and the name of the slot variables.
    """

    def __init__(self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-8,
                 use_locking: bool = False, name: str = "Adam") -> None:
        super().__init__(use_locking, name)
        self._state: Any = Adam(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        """The variables that hold the powers of beta1 and beta2."""
        return self._state._get_beta_accumulators()


@export(*_public("momentum", "MomentumOptimizer"))
class MomentumOptimizer(OptimizerV2):
    """Gradient descent with momentum, as `tf.train.MomentumOptimizer`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one; so is the next.
        momentum: the decay factor of earlier steps.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations and the name of the slot variables.
        use_nesterov: whether the gradient counts as that of a point ahead (Sutskever et al., 2013).
    """

    def __init__(self, learning_rate: Any, momentum: Any, use_locking: bool = False, name: str = "Momentum",
                 use_nesterov: bool = False) -> None:
        super().__init__(use_locking, name)
        self._state = Momentum(learning_rate, momentum, use_locking, name, use_nesterov)


@export(*_public("rmsprop", "RMSPropOptimizer"))
class RMSPropOptimizer(OptimizerV2):
    """RMSProp (Tieleman and Hinton, 2012), whose running mean of squares starts at epsilon.

    Each step computes

        mean_square = decay * mean_square + (1 - decay) * gradient ** 2
        mom = momentum * mom + learning_rate * gradient / sqrt(mean_square)
        var -= mom

    and with `centered` divides by `sqrt(mean_square - mean_gradient ** 2)`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one; so are the next two.
        decay: the decay rate of the running means.
        momentum: the decay factor of earlier steps.
        epsilon: what the running mean of squares starts with, a number.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        centered: whether to divide by the running standard deviation of the gradient; takes one more slot variable.
        name: the name scope of the update operations and the name of the slot variables.
    """

    def __init__(self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0, epsilon: float = 1e-10,
                 use_locking: bool = False, centered: bool = False, name: str = "RMSProp") -> None:
        super().__init__(use_locking, name)
        self._state = _FromEpsilon(learning_rate, decay, momentum, epsilon, use_locking, centered, name)


class _FromEpsilon(RMSProp):
    """RMSProp with epsilon at the start of the mean of squares, and not under the root."""

    def __init__(self, learning_rate: Any, decay: Any, momentum: Any, epsilon: float, use_locking: bool,
                 centered: bool, name: str) -> None:
        super().__init__(learning_rate, decay, momentum, 0.0, use_locking, centered, name)
        self._start = epsilon

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            shape, dtype = v.get_shape(), v.dtype.base_dtype
            if shape.is_fully_defined():
                self._get_or_make_slot_with_initializer(v, constant_initializer(self._start, dtype=dtype), shape, dtype,
                                                        "rms", self._name)
            else:
                self._get_or_make_slot(v, self._start * array.ones_like(v), "rms", self._name)
            if self._centered:
                self._zeros_slot(v, "mg", self._name)
            self._zeros_slot(v, "momentum", self._name)
