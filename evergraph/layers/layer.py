"""tf.layers.Layer: a function with variables, made when it is first called and shared by all its calls.

The variables are those of `tf.get_variable` in a variable scope of the layer's name, so the scopes around a layer
decide about names, sharing, initializers, partitioners and custom getters as they do for variables made by hand.
"""
from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from evergraph.autograph.runtime import converted
from evergraph.base import dtypes, errors, nest
from evergraph.base.export import export
from evergraph.base.no_dependency import tracked_attributes
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math, replicas
from evergraph.frontend.blocks import colocate_with, init_scope, name_scope, root_graph
from evergraph.frontend.collections import (
    GraphKeys,
    get_collection_ref,
    global_variables,
    trainable_variables,
)
from evergraph.frontend.specs import TensorSpec
from evergraph.frontend.variables.base import Variable, VariableAggregation, VariableSynchronization
from evergraph.frontend.variables.module import Module
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.frontend.variables.scope import VariableScope, default_initializer, get_variable, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.layers import identifiers
from evergraph.layers.connections import Call, Connected
from evergraph.layers.input_spec import check_inputs
from evergraph.layers.style import keras_style

_OPTIONS = ("input_shape", "batch_input_shape", "batch_size", "weights", "activity_regularizer")


def snake_case(name: str) -> str:
    """The name of a class as that of a layer: "BatchNormalization" -> "batch_normalization", "Conv2D" -> "conv2d"."""
    words = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", words).lower()
    return f"private{words}" if words.startswith("_") else words


class _NameCounts(Counter[str]):
    """How many layers of each name a graph has."""


def name_counts() -> Counter[str]:
    """How many layers of each name the default graph has."""
    return root_graph().as_plain().memo(_NameCounts)


def unique_name(base: str) -> str:
    """`base` with a number, the next one in this graph."""
    counts = name_counts()
    counts[base] += 1
    return f"{base}_{counts[base]}"


def add_new_to_collection(items: Iterable[Any], key: str) -> None:
    """Appends those of the items that are not in the collection yet."""
    collection = get_collection_ref(key)
    for item in items:
        if not any(item is known for known in collection):
            collection.append(item)


@export("layers.Layer")
class Layer(Module, Connected):
    """The base of layers: a subclass makes its variables in `build` and computes in `call`.

    >>> class Scale(tf.layers.Layer):
    ...     def build(self, input_shape):
    ...         self.factor = self.add_weight("factor", input_shape[-1:], initializer=tf.ones_initializer())
    ...         super().build(input_shape)
    ...     def call(self, inputs):
    ...         return inputs * self.factor
    >>> scale = Scale()
    >>> y = scale(tf.zeros([2, 3]))
    >>> scale.variables
    [<tf.Variable 'scale/factor:0' shape=(3,) dtype=float32_ref>]

    Args:
        trainable: whether the variables are.
        name: the name of the layer, or a variable scope; by default the name of the class.
        dtype: the dtype of the variables; by default that of the first input.
        **kwargs: `activity_regularizer`, a function of the output whose result, divided by the size of the batch, joins
            the losses; `weights`, the arrays that the variables are set to in the default session once they are made;
            `input_shape`, `batch_input_shape` and `batch_size`, which only the configuration remembers.

    Raises:
        TypeError: there is another keyword.
    """

    _TF_MODULE_IGNORED_PROPERTIES = frozenset({  # variables by other names, and other layers in the same graph of calls
        "_call_inputs", "_inbound_nodes", "_named_weights", "_outbound_nodes", "keras_nodes", "keras_outbound"})
    to_themselves = False  # whether layers of this class always keep their variables to themselves
    collects_losses = True  # whether losses join the REGULARIZATION_LOSSES of the graph

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        Connected.__init__(self)  # not Module's: a layer has scopes of its own
        scope, self._reuse = kwargs.pop("_scope", None), kwargs.pop("_reuse", None)
        self._keras_style = self.to_themselves or keras_style()
        self._refuse(scope=scope, reuse=self._reuse)
        for keyword in kwargs:
            if keyword not in _OPTIONS:
                raise TypeError("Keyword argument not understood:", keyword)
        self._options = kwargs
        self._trainable, self.built, self.stateful, self.supports_masking = trainable, False, False, False
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype.name
        self._set_name(name)
        self._activity_regularizer = kwargs.get("activity_regularizer")
        self._input_spec: Any = None
        self._graph = default_graph()
        self._trainable_weights: list[Any] = []
        self._non_trainable_weights: list[Any] = []
        self._own_losses: list[tuple[Any, Any]] = []
        self._penalties: list[Callable[[], Any]] = []  # on weights, with eager execution: computed when asked for
        self._own_updates: list[tuple[Any, Any]] = []
        self._call_inputs: Any = None
        self._scope: VariableScope | None = None
        self._current_scope: VariableScope | None = None
        if scope:
            with variable_scope(scope) as captured:
                self._scope = captured

    def _refuse(self, **arguments: Any) -> None:
        """Raises ValueError for arguments that a layer of Keras' style cannot have."""
        for name, value in arguments.items():
            if self._keras_style and value is not None:
                raise ValueError(f"layers in Keras style take no {name}, got {value}")

    def _set_name(self, name: Any) -> None:
        """The layer's own name, and the one that its variable scope begins with."""
        default = snake_case(type(self).__name__)
        if isinstance(name, VariableScope):
            self._name, self._base_name = unique_name(default), name.name
        else:
            self._name, self._base_name = (name, name) if name else (unique_name(default), default)

    # ---- what subclasses define

    def build(self, input_shape: Any) -> None:
        """Makes the variables; called once, before the first call.

        Args:
            input_shape: the shape of the input, or a list of shapes.
        """
        self.built = True

    def call(self, inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes.

        Args:
            inputs: a tensor, or a structure of them.
            **kwargs: whatever else the layer was called with.
        """
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape."""
        raise NotImplementedError

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the output: that of the input.

        Raises:
            TypeError: the layer does not know what to do with a mask.
        """
        if not self.supports_masking and any(each is not None for each in nest.flatten(mask)):
            raise TypeError(f"layer {self.name} takes no mask, got {mask}")
        return mask if self.supports_masking else None

    def compute_output_signature(self, input_signature: Any) -> Any:
        """The shape and dtype of the output, as a TensorSpec, for an input of this TensorSpec."""
        shapes = self.compute_output_shape(nest.map_structure(lambda spec: spec.shape, input_signature))
        dtype = self.dtype or nest.flatten(input_signature)[0].dtype
        return nest.map_structure(lambda shape: TensorSpec(shape, dtype), shapes)

    # ---- calling

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Makes the variables, the first time, and the output.

        Args:
            inputs: a tensor, an array, or a structure of them.
            *args: passed on to `call`.
            **kwargs: passed on to `call`; but for `scope`, a variable scope for a layer that has none yet.

        Raises:
            ValueError: the inputs are not what the layer expects.
        """
        scope = kwargs.pop("scope", None)
        self._refuse(scope=scope)
        inputs = nest.map_structure(as_tensor, inputs)
        with self._entered(scope, self.built or self._reuse) as current:
            if "scope" in inspect.signature(self.call).parameters:
                kwargs["scope"] = current
            with name_scope(self._name_scope(), values=nest.flatten(inputs)):
                outputs = self._called(inputs, args, kwargs)
        if default_graph().is_eager:
            return outputs
        self._inbound_nodes.append(Call(inputs, outputs))
        if not self._keras_style:
            add_new_to_collection(self.updates, GraphKeys.UPDATE_OPS)
        return outputs

    @contextlib.contextmanager
    def _entered(self, scope: Any, reuse: Any) -> Iterator[VariableScope | None]:
        """Makes the layer's variable scope the one in force; a layer of Keras' style has none."""
        if self._keras_style:
            yield None
            return
        self._set_scope(scope)
        with variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False) as current:
            self._current_scope = current
            yield current

    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The same as calling the layer."""
        return self(inputs, *args, **kwargs)

    def _called(self, inputs: Any, args: Any, kwargs: Any) -> Any:
        before, self._call_inputs = self._call_inputs, inputs
        self._forget_earlier_calls()
        try:
            self._build_once(inputs)
            check_inputs(self.input_spec, inputs, self.name)
            call = self.call if default_graph().is_eager else converted(self.call)
            outputs = call(inputs, *args, **kwargs)
            if outputs is None:
                raise ValueError(f"`call` of layer {self.name} must return a tensor or several, got None")
            self._regularize_activity(inputs, outputs)
        finally:
            self._call_inputs = before
        return outputs

    def _forget_earlier_calls(self) -> None:
        """With eager execution, losses and updates of earlier calls are over."""
        if default_graph().is_eager:
            self._own_losses, self._own_updates = [], []

    def _build_once(self, inputs: Any) -> None:
        if self.built:
            return
        check_inputs(self.input_spec, inputs, self.name)
        leaves = nest.flatten(inputs)
        if self._dtype is None and leaves and hasattr(leaves[0], "dtype"):
            self._dtype = leaves[0].dtype.base_dtype.name
        self.build(nest.map_structure(lambda tensor: TensorShape(tensor.shape), inputs))
        self.built = True
        if self._options.get("weights") is not None:
            self.set_weights(self._options["weights"])

    def _regularize_activity(self, inputs: Any, outputs: Any) -> None:
        if not self._activity_regularizer:
            return
        with name_scope("ActivityRegularizer"):
            for output in nest.flatten(outputs):
                loss = self._activity_regularizer(output)
                if loss is not None:
                    self.add_loss(loss / math.cast(array.shape(output)[0], loss.dtype.base_dtype), inputs=inputs)

    def _set_scope(self, scope: Any = None) -> None:
        """Opens the layer's variable scope the first time it is needed."""
        if self._scope is not None:
            return
        if self._reuse:
            opened = variable_scope(self._base_name if scope is None else scope)
        else:
            opened = variable_scope(scope, default_name=self._base_name)
        with opened as captured:
            self._scope = captured

    def _name_scope(self) -> str:
        """The name scope of the layer's operations."""
        return self.name if self._keras_style else self._current_scope.original_name_scope

    # ---- variables

    def add_weight(self, name: str, shape: Any, dtype: Any = None, initializer: Any = None, regularizer: Any = None,
                   trainable: bool | None = None, constraint: Any = None, use_resource: bool | None = None,
                   synchronization: Any = VariableSynchronization.AUTO, aggregation: Any = VariableAggregation.NONE,
                   partitioner: Any = None, **kwargs: Any) -> Any:
        """A variable of the layer, made by `tf.get_variable` in the layer's scope.

        Args:
            name: the name in the scope.
            shape: the shape.
            dtype: the dtype; by default the layer's. A layer without one takes that of its first variable.
            initializer: what it starts with; by default what the scope says, or Glorot's uniform numbers.
            regularizer: a penalty on the variable, added to the losses.
            trainable: whether it is, where the layer is; True unless `synchronization` is ON_READ.
            constraint, use_resource, synchronization, aggregation, partitioner: as for `tf.get_variable`.
            **kwargs: `experimental_autocast` has no meaning here: layers never cast.

        Raises:
            TypeError: there is another keyword.
            ValueError: `trainable` and `synchronization` contradict each other.
        """
        for keyword in kwargs:
            if keyword != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", keyword)
        wanted = _settled_trainable(trainable, synchronization) and self.trainable
        kind = dtypes.as_dtype(dtype or self._dtype or dtypes.float32)
        self._dtype = self._dtype or kind.base_dtype.name  # of a layer that is built before its first call
        options = {"dtype": kind, "trainable": wanted,
                   "constraint": constraint, "synchronization": synchronization, "aggregation": aggregation}
        if self._keras_style:
            variable = self._own_variable(name, shape, initializer, use_resource, partitioner, options)
            self._keep(variable, wanted)
            if regularizer:
                self._regularize(name, variable, regularizer)
            return variable
        before = set(global_variables())
        with self._entered(None, self.built or self._reuse) as scope, name_scope(self._name_scope()):
            variable = get_variable(name, shape=TensorShape(shape), initializer=initializer or scope.initializer,
                                    partitioner=partitioner, use_resource=use_resource or scope.use_resource, **options)
            self._keep(variable, wanted)
            if regularizer and not any(part in before for part in _parts(variable)):
                self._regularize(name, variable, regularizer)
        return variable

    def _own_variable(self, name: str, shape: Any, initializer: Any, use_resource: bool | None, partitioner: Any,
                      options: dict[str, Any]) -> Any:
        """A variable that no other layer can share."""
        if partitioner is not None:
            raise errors.UnimplementedError(None, None, "a partitioner for a layer of Keras' style")
        dtype = options["dtype"].base_dtype
        start = initializer or default_initializer(name, dtype)
        return Variable(lambda: start(TensorShape(shape).as_list(), dtype=dtype), name=name,
                        use_resource=use_resource is not False, **{**options, "dtype": dtype})

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """The older name of `add_weight`."""
        return self.add_weight(*args, **kwargs)

    def _keep(self, variable: Any, trainable: bool) -> None:
        """Lists a new variable; a custom getter may have decided that it is not trainable after all."""
        if root_graph().is_eager or self._keras_style:
            trainable = all(part.trainable for part in _parts(variable))
        elif trainable:
            with root_graph().as_default_if_needed():
                known = trainable_variables()
            trainable = all(any(part is each for each in known) for part in _parts(variable))
        weights = self._trainable_weights if trainable else self._non_trainable_weights
        weights += [part for part in _parts(variable) if not any(part is known for known in weights)]

    def _regularize(self, name: str, variable: Any, regularizer: Callable[[Any], Any]) -> None:
        if root_graph().is_eager:
            self._penalties += [functools.partial(regularizer, part) for part in _parts(variable)]
            return
        # A penalty on a variable that the body of a loop or branch makes is still one of the whole graph.
        outside = init_scope if default_graph() is not root_graph() else contextlib.nullcontext
        for part in _parts(variable):
            with outside(), colocate_with(part.op), name_scope(f"{name}/Regularizer"):
                loss = regularizer(part)
            if loss is not None:
                self.add_loss(loss)

    def _sublayers(self) -> list[Layer]:
        """The layers that this one holds as attributes, alone or in lists and dictionaries."""
        return list(dict.fromkeys(held_in(tracked_attributes(self), Layer)))

    def _attribute_variables(self) -> list[Any]:
        """The variables that were made outside of `add_weight` and are attributes of the layer."""
        own = self._trainable_weights + self._non_trainable_weights
        attributes = tracked_attributes(self)
        held = [part for variable in held_in(attributes, (Variable, PartitionedVariable)) for part in _parts(variable)]
        return [v for v in dict.fromkeys(held) if not any(v is known for known in own)]

    @property
    def trainable(self) -> bool:
        """Whether the variables are trainable; setting it sets it for the layers inside too."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value
        for layer in self._sublayers():
            layer.trainable = value

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables that training changes; none when the layer is not trainable."""
        if not self.trainable:
            return []
        own = self._trainable_weights + [v for v in self._attribute_variables() if v.trainable]
        return _distinct(own + [v for layer in self._sublayers() for v in layer.trainable_weights])

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables."""
        inner = [v for layer in self._sublayers() for v in
                 (layer.non_trainable_weights if self.trainable else layer.weights)]
        held = self._attribute_variables()
        if not self.trainable:
            return _distinct(self._trainable_weights + self._non_trainable_weights + held + inner)
        return _distinct(self._non_trainable_weights + [v for v in held if not v.trainable] + inner)

    @property
    def weights(self) -> list[Any]:
        """All variables, the trainable ones first."""
        return _distinct(self.trainable_weights + self.non_trainable_weights)

    variables = property(lambda self: self.weights, doc="All variables, the trainable ones first.")
    trainable_variables = property(lambda self: self.trainable_weights, doc="The variables that training changes.")
    non_trainable_variables = property(lambda self: self.non_trainable_weights, doc="The other variables.")

    def count_params(self) -> int:
        """How many numbers the variables hold.

        Raises:
            ValueError: the layer is not built.
        """
        if not self.built:
            raise ValueError(f"layer {self.name} has no weights to count before it is built: call it, or its build()")
        return sum(int(np.prod(weight.shape.as_list())) for weight in self.weights)

    def get_weights(self) -> list[Any]:
        """The values of the variables in the default session."""
        return [weight.numpy() if weight.graph.is_eager else weight.eval() for weight in self.weights]

    def set_weights(self, weights: list[Any]) -> None:
        """Sets the variables in the default session.

        Raises:
            ValueError: there are more or fewer arrays than variables, or a shape differs.
        """
        if len(weights) != len(self.weights):
            raise ValueError(f"set_weights of layer {self.name!r} got {len(weights)} arrays, but the layer was "
                             f"expecting {len(self.weights)} weights")
        for variable, value in zip(self.weights, weights):
            if not variable.shape.is_compatible_with(np.shape(value)):
                raise ValueError(f"a weight of shape {np.shape(value)} was given for {variable.shape}: not "
                                 "compatible with provided weight shape")
            variable.load(value)

    # ---- losses and updates

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds losses to those of the layer and, but for tf.keras, to the REGULARIZATION_LOSSES of the graph.

        Args:
            losses: a scalar tensor, a function without arguments that gives one, or a list of these.
            inputs: the inputs that they depend on; None for losses that depend on none, such as penalties on weights.
        """
        for loss in nest.flatten(losses):
            if callable(loss) and root_graph().is_eager:
                self._penalties.append(loss)
                continue
            loss = loss() if callable(loss) else loss
            if loss is not None:
                loss = convert_to_tensor(loss)
                self._own_losses.append((loss, inputs))
                if self.collects_losses and not default_graph().is_eager:
                    add_new_to_collection([loss], GraphKeys.REGULARIZATION_LOSSES)

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds operations that are to run with each training step, such as updates of moving averages.

        They join the UPDATE_OPS of the graph when the layer has been called. Functions are not called where a model is
        only described for all replicas of a strategy, and no batch comes.

        Args:
            updates: an operation, a tensor, a function without arguments that gives one, or a list of these.
            inputs: the inputs that they depend on; by default those of the call that is under way.
        """
        inputs = self._call_inputs if inputs is None else inputs
        for update in nest.flatten(updates):
            if callable(update):
                update = None if replicas.together() else update()
            if update is not None and self._keeps_updates():
                self._own_updates.append((_as_operation(update), inputs))

    def _keeps_updates(self) -> bool:
        """Whether somebody runs the updates later; with eager execution they have run already."""
        return not default_graph().is_eager

    def add_metric(self, value: Any, aggregation: str | None = None, name: str | None = None) -> None:
        """Metrics of layers belong to tf.keras: raises UnimplementedError."""
        raise errors.UnimplementedError(None, None, "tf.layers.Layer.add_metric: use tf.metrics")

    @property
    def losses(self) -> list[Any]:
        """The losses of the layer and of those inside."""
        penalties = [loss for loss in (penalty() for penalty in self._penalties) if loss is not None]
        inner = [loss for layer in self._sublayers() for loss in layer.losses]
        return [loss for loss, _ in self._own_losses] + penalties + inner

    @property
    def updates(self) -> list[Any]:
        """The updates of the layer and of those inside; none when the layer is not trainable."""
        if not self.trainable and not self.stateful:
            return []
        inner = [update for layer in self._sublayers() for update in layer._updates_of_all_calls()]
        return [update for update, _ in self._own_updates] + inner

    def _updates_of_all_calls(self) -> list[Any]:
        """The updates that a layer around this one takes its own from."""
        return self.updates

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on these inputs; for None, those that depend on no input."""
        if inputs is None:
            known = {id(loss) for loss, given in self._own_losses if given is not None}
            return [loss for loss in self.losses if id(loss) not in known]
        wanted = nest.flatten(inputs)
        return [loss for loss, given in self._own_losses if given is not None and depends_on(loss, wanted)]

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The updates that depend on these inputs; for None, those that depend on no input."""
        if not self.updates:
            return []
        if inputs is None:
            return [update for update, given in self._own_updates if not depends_on(update, nest.flatten(given))]
        return [update for update, _ in self._own_updates if depends_on(update, nest.flatten(inputs))]

    metrics = property(lambda self: [], doc="The metrics of the layer: none, they belong to tf.keras.")

    # ---- facts

    name = property(lambda self: self._name, doc="The name of the layer.")
    dtype = property(lambda self: self._dtype, doc="The name of the dtype of the variables.")
    dynamic = property(lambda self: False, doc="Whether the layer can only run eagerly.")
    graph = property(lambda self: self._graph, doc="The graph that the layer was made in.")

    @property
    def input_spec(self) -> Any:
        """What the layer expects of its inputs: an InputSpec, a list of them, or None."""
        return self._input_spec

    @input_spec.setter
    def input_spec(self, value: Any) -> None:
        self._input_spec = value

    @property
    def activity_regularizer(self) -> Any:
        """The function of the output whose result joins the losses."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Any) -> None:
        self._activity_regularizer = regularizer

    @property
    def scope_name(self) -> str:
        """The name of the layer's variable scope.

        Raises:
            ValueError: the layer was not used yet, and has none.
        """
        if self._scope is None:
            raise ValueError(f"layer {self._name} has no scope_name before its first call")
        return self._scope.name

    @property
    def name_scope(self) -> Any:
        """A name scope of the layer's name."""
        return name_scope(self.name)

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """The method, its operations named under the layer's name."""
        def within(self: Layer, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)
        within.__name__, within.__doc__ = method.__name__, method.__doc__
        return within

    @property
    def submodules(self) -> tuple[Layer, ...]:
        """The layers inside, and those inside them."""
        found = []
        for layer in self._sublayers():
            found += [layer, *layer.submodules]
        return tuple(dict.fromkeys(found))

    # ---- configurations

    fields: tuple[str, ...] = ()  # the arguments of a subclass that its configuration holds

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        config = {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}
        if self._options.get("batch_input_shape") is not None:
            config["batch_input_shape"] = self._options["batch_input_shape"]
        return {**config, **{field: identifiers.described(getattr(self, field)) for field in self.fields}}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Layer:
        """A layer with these arguments."""
        return cls(**config)

    def __deepcopy__(self, memo: dict[int, Any]) -> Layer:
        """A copy that shares the graph and its variables."""
        result = memo[id(self)] = type(self).__new__(type(self))
        shared = (Variable, PartitionedVariable, VariableScope, Tensor, Operation, type(self._graph))
        for item in held_in(vars(self), shared):
            memo[id(item)] = item
        memo[id(self._graph)] = self._graph
        for key, value in vars(self).items():
            vars(result)[key] = value if isinstance(value, shared) else copy.deepcopy(value, memo)
        return result


def as_tensor(value: Any) -> Any:
    """Arrays and numbers as tensors; other inputs as they are."""
    return convert_to_tensor(value) if isinstance(value, (np.ndarray, np.generic, float, int)) else value


def _as_operation(update: Any) -> Operation:
    return update if isinstance(update, Operation) else update.op


def _parts(variable: Any) -> list[Any]:
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


def _distinct(variables: list[Any]) -> list[Any]:
    return list(dict.fromkeys(variables))


def held_in(value: Any, kind: Any) -> list[Any]:
    """The items of this kind in nested lists and dictionaries."""
    if isinstance(value, kind):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in held_in(item, kind)]
    return []


def _settled_trainable(trainable: bool | None, synchronization: Any) -> bool:
    if synchronization is VariableSynchronization.ON_READ:
        if trainable:
            raise ValueError("a weight that is synchronized when it is read (ON_READ) cannot be trainable")
        return False
    return True if trainable is None else trainable


def depends_on(result: Any, inputs: list[Any]) -> bool:
    """Whether the result is computed from one of the inputs."""
    wanted = {each.op for each in inputs if isinstance(each, (Tensor, Variable))}
    waiting, seen = [result if isinstance(result, Operation) else result.op], set()
    while waiting:
        node = waiting.pop()
        if node in wanted:
            return True
        if node not in seen:
            seen.add(node)
            waiting += [tensor.op for tensor in node.inputs] + list(node.control_inputs)
    return False
