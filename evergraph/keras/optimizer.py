"""tf.keras.optimizers.Optimizer: the base of Keras's optimizers."""
from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import math, replicas
from evergraph.frontend.blocks import control_dependencies, name_scope, root_graph
from evergraph.frontend.clip import clip_by_norm, clip_by_value
from evergraph.frontend.gradients import gradients
from evergraph.frontend.variables.base import VariableAggregation, VariableSynchronization
from evergraph.frontend.variables.variable import ResourceVariable, Variable
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.node import Operation
from evergraph.keras import initializers, session
from evergraph.ops.nn.updates import Rule
from evergraph.train.optimizer import added_up, slot_key

_OPTIONS = ("clipnorm", "clipvalue", "lr", "decay")


@dataclass
class _State:
    """What an optimizer has in one graph."""

    graph: Any = lambda: None
    iterations: Any = None
    hyper: dict[str, Any] = field(default_factory=dict)
    slots: dict[tuple[Any, str], Any] = field(default_factory=dict)
    weights: list[Any] = field(default_factory=list)


@export("keras.optimizers.Optimizer")
class Optimizer:
    """The base of Keras's optimizers: hyperparameters that are variables, slots for each variable, and a step count.

    A subclass sets its hyperparameters with `_set_hyper`, makes slots in `_create_slots` and updates a variable in
    `_apply_rule`'s terms or by `_resource_apply_dense` and `_resource_apply_sparse`.

    Args:
        name: the name of the optimizer.
        **kwargs: `clipnorm` and `clipvalue`, which bound each gradient; `decay`, by which the learning rate falls:
            learning_rate / (1 + decay * iterations); `lr`, another word for `learning_rate`.

    Raises:
        TypeError: a keyword is unknown.
        ValueError: a keyword is negative.
    """

    rule: Rule | None = None
    slot_names: tuple[str, ...] = ()

    def __init__(self, name: str, **kwargs: Any) -> None:
        for keyword, value in kwargs.items():
            if keyword not in _OPTIONS:
                raise TypeError(f"Unexpected keyword argument passed to optimizer: {keyword}")
            if value is not None and value < 0:
                raise ValueError(f"Expected {keyword} >= 0, received: {value}")
        self._name = name
        self._hyper: dict[str, Any] = {}
        self._state = _State()
        self._set_hyper("decay", kwargs.get("decay", 0.0))
        self._has_decay = bool(kwargs.get("decay"))
        self.clipnorm, self.clipvalue = kwargs.get("clipnorm"), kwargs.get("clipvalue")

    def _enter(self) -> None:
        """Forgets the variables of another graph than the current one."""
        if self._state.graph() is not root_graph():
            self._state = _State(weakref.ref(root_graph()))

    @property
    def _weights(self) -> list[Any]:
        return self._state.weights

    # ---- hyperparameters

    def _set_hyper(self, name: str, value: Any) -> None:
        self._hyper[name] = value

    def _get_hyper(self, name: str, dtype: Any = None) -> Any:
        value = self._state.hyper.get(name, self._hyper[name])
        value = value() if callable(value) else value
        return math.cast(value, dtype) if dtype is not None else value

    def _create_hypers(self) -> None:
        """Makes a variable of each hyperparameter that is a number, so that it can be changed while training."""
        for name, value in sorted(self._hyper.items()):
            if isinstance(value, (int, float)) and name not in self._state.hyper:
                self._state.hyper[name] = self.add_weight(
                    name, (), initializer=lambda shape, dtype=None, value=value: math.cast(value, dtype))

    def _decayed_lr(self, dtype: Any) -> Any:
        """The learning rate of this step."""
        rate = self._get_hyper("learning_rate", dtype)
        if not self._has_decay:
            return rate
        return rate / (1.0 + self._get_hyper("decay", dtype) * math.cast(self.iterations, dtype))

    # ---- variables

    @property
    def iterations(self) -> Any:
        """The number of steps made, a variable; it can be set to one, such as the global step, before the first."""
        if self._state.iterations is None:
            self._enter()
            self._state.iterations = self.add_weight("iter", (), dtypes.int64)
        return self._state.iterations

    @iterations.setter
    def iterations(self, variable: Any) -> None:
        self._enter()
        if self._state.iterations is not None:
            raise RuntimeError("iterations must be set before the optimizer makes its weights, and it has made them")
        self._state.iterations = variable
        self._weights.append(variable)

    def add_weight(self, name: str, shape: Any, dtype: Any = dtypes.float32, initializer: Any = "zeros",
                   trainable: bool = False, synchronization: Any = VariableSynchronization.AUTO,
                   aggregation: Any = VariableAggregation.NONE, use_resource: bool = True) -> Any:
        """Creates a variable of the optimizer."""
        make = initializers.get(initializer)
        variable = Variable(lambda: make(shape, dtype=dtypes.as_dtype(dtype)), trainable=trainable, name=name,
                            dtype=dtype, synchronization=synchronization, aggregation=aggregation,
                            use_resource=use_resource)
        self._weights.append(variable)
        return variable

    def add_slot(self, var: Any, slot_name: str, initializer: Any = "zeros") -> Any:
        """Creates a variable beside a variable, once."""
        key = slot_key(var), slot_name
        if key not in self._state.slots:
            self._state.slots[key] = self.add_weight(f"{var.op.name}/{slot_name}", var.shape, var.dtype.base_dtype,
                                                     initializer, use_resource=isinstance(var, ResourceVariable))
        return self._state.slots[key]

    def get_slot(self, var: Any, slot_name: str) -> Any:
        """The variable that was created beside a variable."""
        return self._state.slots[slot_key(var), slot_name]

    def get_slot_names(self) -> list[str]:
        """The names of the slots."""
        return list(self.slot_names)

    @property
    def weights(self) -> list[Any]:
        """The variables of the optimizer."""
        return self._weights

    def variables(self) -> list[Any]:
        """The variables of the optimizer."""
        return self._weights

    def get_weights(self) -> list[Any]:
        """The values of the variables, in the session of `tf.keras.backend.get_session`."""
        return session.batch_get_value(self._weights)

    def set_weights(self, weights: list[Any]) -> None:
        """Sets the variables, in the session of `tf.keras.backend.get_session`.

        Raises:
            ValueError: there are not as many arrays as variables.
        """
        if len(weights) != len(self._weights):
            raise ValueError(f"the optimizer has {len(self._weights)} weights, but {len(weights)} were given")
        session.batch_set_value(list(zip(self._weights, weights)))

    # ---- training

    def minimize(self, loss: Any, var_list: Any, grad_loss: Any = None, name: str | None = None) -> Operation:
        """The operation that makes a step: the gradients of a loss, applied to variables.

        Args:
            loss: a tensor, or a function without arguments that returns one.
            var_list: the variables, or a function without arguments that returns them.
            grad_loss: the gradient of the loss, 1 by default.
            name: a name for the operation.
        """
        loss = loss() if callable(loss) else loss
        variables = list(var_list() if callable(var_list) else var_list)
        return self.apply_gradients(zip(self._clipped(gradients(loss, variables, grad_loss)), variables), name)

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The gradients of a loss by variables, clipped.

        Raises:
            ValueError: the loss does not depend on one of them.
        """
        found = gradients(loss, list(params))
        for gradient, variable in zip(found, params):
            if gradient is None:
                raise ValueError(f"Variable {variable} has `None` for gradient: the loss does not depend on it")
        return self._clipped(found)

    def _clipped(self, found: list[Any]) -> list[Any]:
        if self.clipnorm is not None:
            found = [None if gradient is None else clip_by_norm(gradient, self.clipnorm) for gradient in found]
        if self.clipvalue is not None:
            found = [None if gradient is None else clip_by_value(gradient, -self.clipvalue, self.clipvalue)
                     for gradient in found]
        return found

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The operations that make a step."""
        return [self.apply_gradients(zip(self.get_gradients(loss, params), params))]

    def apply_gradients(self, grads_and_vars: Any, name: str | None = None) -> Operation:
        """The operation that applies gradients to variables and counts the step.

        Args:
            grads_and_vars: pairs of a gradient, which may be None, and its variable.
            name: a name for the operation.

        Raises:
            ValueError: no variable has a gradient.
        """
        self._enter()
        pairs = [(gradient, variable) for gradient, variable in grads_and_vars if gradient is not None]
        if not pairs:
            raise ValueError("No gradients provided for any variable.")
        if replicas.distributed():
            return replicas.merged(self._apply_sums, [gradient for gradient, _ in pairs],
                                   [replicas.whole(variable) for _, variable in pairs], name)
        iterations = self._prepared([variable for _, variable in pairs])
        with name_scope(name or f"{self._name}_updates"):
            done = [self._applied(gradient, variable) for gradient, variable in pairs]
            with control_dependencies(done):
                return iterations.assign_add(1).op

    def _prepared(self, variables: list[Any]) -> Any:
        """Makes the optimizer's own variables, and returns the one that counts steps."""
        iterations = self.iterations
        self._create_hypers()
        self._create_slots(variables)
        return iterations

    def _apply_sums(self, strategy: Any, gradients: list[Any], variables: list[Any], name: str | None) -> Any:
        """Applies the sums of the replicas' gradients, to the copy of each variable on each device."""
        extended = strategy.extended
        iterations = self._prepared(variables)
        sums = extended.batch_reduce_to("SUM", list(zip(gradients, variables)))
        with name_scope(name or f"{self._name}_updates"):
            done = [each for variable, gradient in zip(variables, sums)
                    for each in extended.update(variable, lambda v, g: self._applied(g, v), (gradient,), group=False)]
            with control_dependencies([] if root_graph().is_eager else done):
                return extended.update(iterations, lambda v: v.assign_add(1, read_value=False))

    def _applied(self, gradient: Any, variable: Any) -> Any:
        if isinstance(gradient, IndexedSlices):
            return self._apply_rows(gradient.values, variable, gradient.indices)
        return self._resource_apply_dense(gradient, variable)

    def _apply_rows(self, values: Any, variable: Any, indices: Any) -> Any:
        """Applies a gradient that may name rows more than once; their values are added up first."""
        values, indices = added_up(values, indices)
        return self._resource_apply_sparse(values, variable, indices)

    def _create_slots(self, var_list: list[Any]) -> None:
        """Makes the slots of variables, zeros by default."""
        for variable in var_list:
            for name in self.slot_names:
                self.add_slot(variable, name)

    def _rates(self, dtype: Any) -> dict[str, Any]:
        """The other inputs of the rule by name."""
        raise NotImplementedError

    def _flags(self) -> dict[str, bool]:
        return {}

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        return self._by_rule("resource_dense" if isinstance(var, ResourceVariable) else "dense", grad, var)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        return self._by_rule("resource_sparse" if isinstance(var, ResourceVariable) else "sparse", grad, var,
                             indices=indices)

    def _by_rule(self, form: str, grad: Any, var: Any, **rows: Any) -> Any:
        cells = [var, *(self.get_slot(var, name) for name in self.slot_names)]
        cells = [cell.handle if form.startswith("resource") else cell for cell in cells]
        operation = getattr(self.rule, form)
        return operation(*cells, **self._rates(var.dtype.base_dtype), grad=grad, **rows, **self._flags())

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        clips = {key: value for key, value in (("clipnorm", self.clipnorm), ("clipvalue", self.clipvalue)) if value}
        return {"name": self._name, **clips}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """An optimizer from what `get_config` returned."""
        return cls(**config)
