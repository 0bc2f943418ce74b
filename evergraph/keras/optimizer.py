"""tf.keras.optimizers.Optimizer: the base of Keras's optimizers."""
from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evergraph.base import dtypes, logging
from evergraph.base.export import export
from evergraph.eager.tape import GradientTape
from evergraph.frontend import math, replicas
from evergraph.frontend.blocks import control_dependencies, init_scope, name_scope, root_graph
from evergraph.frontend.clip import clip_by_norm, clip_by_value
from evergraph.frontend.gradients import gradients
from evergraph.frontend.variables.base import VariableAggregation, VariableSynchronization
from evergraph.frontend.variables.deferred import waiting
from evergraph.frontend.variables.variable import ResourceVariable, Variable
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.keras import initializers, session
from evergraph.keras.schedules import LearningRateSchedule, deserialize, serialize
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
    others: dict[str, Any] = field(default_factory=dict)
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
            if isinstance(value, (int, float)) and value < 0:
                raise ValueError(f"Expected {keyword} >= 0, received: {value}")
        vars(self)["_hyper"] = {}
        self._name = name
        self._state = _State()
        self._rates_of_step: dict[Any, dict[str, Any]] = {}
        self._set_hyper("decay", kwargs.get("decay", 0.0))
        self._initial_decay = kwargs.get("decay", 0.0)
        self.clipnorm, self.clipvalue = kwargs.get("clipnorm"), kwargs.get("clipvalue")

    def _enter(self) -> None:
        """Forgets the variables of another graph than the current one."""
        if self._state.graph() is not root_graph():
            self._state = _State(weakref.ref(root_graph()))

    @property
    def _weights(self) -> list[Any]:
        return self._state.weights

    # ---- hyperparameters

    def __getattr__(self, name: str) -> Any:
        """Hyperparameters are attributes: variables, so that training follows their changes."""
        name = "learning_rate" if name == "lr" else name
        if name in vars(self).get("_hyper", ()):
            return self._get_hyper(name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        name = "learning_rate" if name == "lr" else name
        if name in vars(self).get("_hyper", ()):
            self._set_hyper(name, value)
        else:
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._hyper, *(["lr"] if "learning_rate" in self._hyper else [])})

    def _set_hyper(self, name: str, value: Any) -> None:
        """Sets a hyperparameter; if it is a variable already, assigns to it."""
        made = self._state.hyper.get(name) if "_state" in vars(self) else None
        self._hyper[name] = value
        if made is None:
            return
        if isinstance(value, (Tensor, LearningRateSchedule)) or callable(value):
            del self._state.hyper[name]
        else:
            session.set_value(made, value)

    def _get_hyper(self, name: str, dtype: Any = None) -> Any:
        self._enter()
        if name not in self._state.hyper:
            with init_scope():
                self._create_hypers()
        value = self._state.hyper.get(name, self._hyper[name])
        if isinstance(value, LearningRateSchedule):
            return value
        value = value() if callable(value) else value
        return math.cast(convert_to_tensor(value), dtype) if dtype is not None else value

    def _create_hypers(self) -> None:
        """Makes a variable of each hyperparameter that is a number, so that it can be changed while training."""
        for name, value in sorted(self._hyper.items()):
            if isinstance(value, (int, float, np.number)) and name not in self._state.hyper:
                self._state.hyper[name] = self.add_weight(
                    name, (), initializer=lambda shape, dtype=None, value=value: math.cast(value, dtype))

    def _decayed_lr(self, dtype: Any) -> Any:
        """The learning rate of this step."""
        rate = self._get_hyper("learning_rate", dtype)
        if isinstance(rate, LearningRateSchedule):
            rate = math.cast(rate(math.cast(self.iterations, dtype)), dtype)
        if not self._initial_decay:
            return rate
        return rate / (1.0 + self._get_hyper("decay", dtype) * math.cast(self.iterations, dtype))

    def _serialize_hyperparameter(self, name: str) -> Any:
        """The current value of a hyperparameter, for a configuration."""
        self._enter()
        value = self._state.hyper.get(name, self._hyper[name])
        if isinstance(value, LearningRateSchedule):
            return serialize(value)
        value = value() if callable(value) else value
        return session.get_value(value) if isinstance(value, (Tensor, Variable)) else value

    # ---- variables

    @property
    def iterations(self) -> Any:
        """The number of steps made, a variable; it can be set to one, such as the global step, before the first."""
        # Read from another graph, it stays the variable of the last training, whose name is asked for.
        if self._state.iterations is None:
            self._enter()
            with init_scope():
                self._state.iterations = self.add_weight("iter", (), dtypes.int64)
            self._weights.append(self._state.iterations)
        return self._state.iterations

    @iterations.setter
    def iterations(self, variable: Any) -> None:
        self._enter()
        if self._state.iterations is not None:
            raise RuntimeError("iterations must be set before the optimizer makes its weights, and it has made them")
        self._state.iterations = variable
        self._weights.append(variable)

    def add_weight(self, name: str, shape: Any, dtype: Any = None, initializer: Any = "zeros",
                   trainable: bool | None = None, synchronization: Any = VariableSynchronization.AUTO,
                   aggregation: Any = VariableAggregation.NONE, use_resource: bool = True) -> Any:
        """Creates a variable of the optimizer, float32 by default, that is not trainable by default."""
        dtype = dtypes.as_dtype(dtype or dtypes.float32)
        make = initializers.get(initializer) if isinstance(initializer, str) or callable(initializer) else \
            lambda shape, dtype: math.cast(initializer, dtype)
        return Variable(lambda: make(shape, dtype=dtype), trainable=bool(trainable), name=name, dtype=dtype,
                        synchronization=synchronization, aggregation=aggregation, use_resource=use_resource)

    def add_slot(self, var: Any, slot_name: str, initializer: Any = "zeros") -> Any:
        """Creates a variable beside a variable, once."""
        key = slot_key(var), slot_name
        if key not in self._state.slots:
            self._state.slots[key] = self.add_weight(f"{var.op.name}/{slot_name}", var.shape, var.dtype.base_dtype,
                                                     initializer, use_resource=isinstance(var, ResourceVariable))
            self._weights.append(self._state.slots[key])
        return self._state.slots[key]

    def get_slot(self, var: Any, slot_name: str) -> Any:
        """The variable that was created beside a variable; None if there is none."""
        return self._state.slots.get((slot_key(var), slot_name))

    def get_slot_names(self) -> list[str]:
        """The names of the slots."""
        return list(self.slot_names)

    @property
    def weights(self) -> list[Any]:
        """The variables of the optimizer: the number of steps, then the slots."""
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
            ValueError: there are not as many arrays as variables, or a shape differs.
        """
        if len(weights) != len(self._weights):
            raise ValueError(f"the optimizer {self._name} has {len(self._weights)} weights, but {len(weights)} were "
                             f"given: You called `set_weights(weights)` before its variables were made, or with others")
        for variable, value in zip(self._weights, weights):
            if tuple(variable.shape.as_list()) != np.shape(value):
                raise ValueError(f"{variable.name} has the shape {variable.shape}, the weight given for it "
                                 f"{np.shape(value)}")
        session.batch_set_value(list(zip(self._weights, weights)))

    def _checkpoint_children(self) -> dict[str, Any]:
        """What tf.train.Checkpoint finds below it: the number of steps and the hyperparameters."""
        iterations = {} if self._state.iterations is None else {"iter": self._state.iterations}
        return iterations | self._state.hyper

    # ---- training

    def minimize(self, loss: Any, var_list: Any, grad_loss: Any = None, name: str | None = None) -> Operation:
        """The operation that makes a step: the gradients of a loss, applied to variables.

        Args:
            loss: a tensor, or a function without arguments that returns one.
            var_list: the variables, or a function without arguments that returns them.
            grad_loss: the gradient of the loss, 1 by default.
            name: a name for the operation.
        """
        found, variables = self._computed(loss, var_list, grad_loss)
        return self.apply_gradients(zip(found, variables), name)

    def _computed(self, loss: Any, var_list: Any, grad_loss: Any) -> tuple[list[Any], list[Any]]:
        """The clipped gradients, and the variables."""
        if callable(loss):
            with GradientTape() as tape:
                loss = loss()
                variables = list(var_list() if callable(var_list) else var_list)
            with name_scope(f"{self._name}/gradients"):
                return self._clipped(tape.gradient(loss, variables, grad_loss)), variables
        variables = list(var_list() if callable(var_list) else var_list)
        return self._clipped(gradients(loss, variables, grad_loss)), variables

    def _compute_gradients(self, loss: Any, var_list: Any, grad_loss: Any = None) -> list[tuple[Any, Any]]:
        """Pairs of a clipped gradient and its variable."""
        return list(zip(*self._computed(loss, var_list, grad_loss)))

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The gradients of a loss by variables, clipped.

        Raises:
            ValueError: the loss does not depend on one of them.
        """
        with name_scope(f"{self._name}/gradients"):
            found = gradients(loss, list(params))
        for gradient, variable in zip(found, params):
            if gradient is None:
                raise ValueError(f"Variable {variable} has `None` for gradient: the loss does not depend on it, or "
                                 f"through an operation without a gradient, such as argmax or round")
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
        given = list(grads_and_vars)
        pairs = [(gradient, variable) for gradient, variable in given if gradient is not None]
        if given and not pairs:
            raise ValueError(f"No gradients provided for any variable: {[variable.name for _, variable in given]}")
        if len(pairs) < len(given):
            logging.warning("The loss has no gradient for %s: they are not changed.",
                            [variable.name for gradient, variable in given if gradient is None])
        if replicas.distributed():
            return replicas.merged(self._apply_sums, [gradient for gradient, _ in pairs],
                                   [replicas.whole(variable) for _, variable in pairs], name)
        variables = [variable for _, variable in pairs]
        self._rates_of_step.clear()
        with name_scope(self._name):
            self.create_weights(variables)
            iterations = self.iterations
            done = list(self._prepare(variables) or ())  # a subclass of the program's own returns nothing
            for gradient, variable in pairs:
                with name_scope(f"update_{variable.op.name}"):
                    done.append(self._applied(gradient, variable))
            with name_scope(name), control_dependencies([] if default_graph().is_eager else done):
                counted = iterations.assign_add(1)
        return counted if default_graph().is_eager else counted.op

    def create_weights(self, var_list: list[Any]) -> None:
        """Creates the number of steps, the hyperparameters and the slots of variables, unless they exist."""
        self._enter()
        with init_scope():
            self.iterations  # noqa: B018 - creates it, before the slots
            self._create_hypers()
            self._create_slots(var_list)
            if waiting:
                waiting.settle()

    def _apply_sums(self, strategy: Any, gradients: list[Any], variables: list[Any], name: str | None) -> Any:
        """Applies the sums of the replicas' gradients, to the copy of each variable on each device."""
        extended = strategy.extended
        sums = extended.batch_reduce_to("SUM", list(zip(gradients, variables)))
        self._rates_of_step.clear()
        with name_scope(self._name):
            self.create_weights(variables)
            iterations = self.iterations
            done = list(self._prepare(variables) or ())  # a subclass of the program's own returns nothing
            for variable, gradient in zip(variables, sums):
                done += extended.update(variable, lambda v, g: self._applied(g, v), (gradient,), group=False)
            with name_scope(name), control_dependencies([] if root_graph().is_eager else done):
                return extended.update(iterations, lambda v: v.assign_add(1, read_value=False))

    def _applied(self, gradient: Any, variable: Any) -> Any:
        """Updates a variable, and applies its constraint."""
        done = self._apply_rows(gradient.values, variable, gradient.indices) if isinstance(gradient, IndexedSlices) \
            else self._resource_apply_dense(gradient, variable)
        if getattr(variable, "constraint", None) is None:
            return done
        with control_dependencies([] if default_graph().is_eager else [done]):
            return variable.assign(variable.constraint(variable.read_value()))

    def _prepare(self, var_list: list[Any]) -> list[Any]:
        """Computes what the updates of all variables share; returns its own updates."""
        return []

    def _apply_rows(self, values: Any, variable: Any, indices: Any) -> Any:
        """Applies a gradient that may name rows more than once; their values are added up first."""
        values, indices = added_up(values, indices)
        return self._resource_apply_sparse(values, variable, indices)

    def _create_slots(self, var_list: list[Any]) -> None:
        """Makes the slots of variables, zeros by default."""
        for name in self.slot_names:
            for variable in var_list:
                self.add_slot(variable, name)

    @property
    def cell_names(self) -> tuple[str, ...]:
        """The slots in the order of the rule."""
        return self.slot_names

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
        cells = [var, *(self.get_slot(var, name) for name in self.cell_names)]
        cells = [cell.handle if form.startswith("resource") else cell for cell in cells]
        operation = getattr(self.rule, form)
        return operation(*cells, **self._shared_rates(var.dtype.base_dtype), grad=grad, **rows, **self._flags())

    def _shared_rates(self, dtype: Any) -> dict[str, Any]:
        """The rates of this step, computed once for all variables of a dtype."""
        if dtype not in self._rates_of_step:
            self._rates_of_step[dtype] = self._rates(dtype)
        return self._rates_of_step[dtype]

    hypers: tuple[str, ...] = ("learning_rate", "decay")  # the hyperparameters in the configuration
    options: tuple[str, ...] = ()  # the other arguments in it

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one, with the current values of its hyperparameters."""
        clips = {key: getattr(self, key) for key in ("clipnorm", "clipvalue") if getattr(self, key) is not None}
        return {"name": self._name, **clips, **{name: self._serialize_hyperparameter(name) for name in self.hypers},
                **{name: getattr(self, name) for name in self.options}}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """An optimizer from what `get_config` returned."""
        config = dict(config)
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        if isinstance(config.get("learning_rate"), dict):
            config["learning_rate"] = deserialize(config["learning_rate"], custom_objects)
        return cls(**config)
