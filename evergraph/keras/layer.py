"""tf.keras.layers.Layer."""
from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.base.no_dependency import left_out, tracked_attributes
from evergraph.base.shapes import TensorShape
from evergraph.frontend import replicas
from evergraph.frontend.array import placeholder
from evergraph.frontend.blocks import init_scope, name_scope, root_graph
from evergraph.frontend.variables import regularizers
from evergraph.frontend.variables.base import Variable, VariableAggregation, VariableSynchronization
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph
from evergraph.keras import (
    activations,
    constraints,
    history,
    initializers,
    layers_by_name,
    objects,
    session,
    settings,
)
from evergraph.keras.policy import layer_dtype
from evergraph.layers import connections, layer
from evergraph.ops.arrays import basic

_OPTIONS = ("collections", "experimental_autocast", "caching_device", "getter")


def resolved(arguments: dict[str, Any]) -> dict[str, Any]:
    """A layer's arguments, given as locals(), with names resolved to functions."""
    found = {}
    for name, value in arguments.items():
        if name in ("self", "__class__", "kwargs"):
            continue
        get = next((get for ending, get in _GETTERS.items() if name.endswith(ending)), None)
        found[name] = value if get is None else get(value)
    return found


_GETTERS = {"initializer": initializers.get, "regularizer": regularizers.get, "constraint": constraints.get,
            "activation": activations.get}


@export("keras.layers.Layer")
class Layer(layer.Layer):
    """The base of Keras layers: a subclass creates its variables in `build` and computes in `call`.

    A layer owns its variables: to share them, call the layer again. Its losses and updates are in `layer.losses` and
    `layer.updates`, not in collections.

    >>> class Scale(tf.keras.layers.Layer):
    ...     def build(self, input_shape):
    ...         self.factor = self.add_weight("factor", input_shape[-1:], initializer="ones")
    ...         super().build(input_shape)
    ...     def call(self, inputs):
    ...         return inputs * self.factor
    >>> scale = Scale()
    >>> y = scale(tf.zeros([2, 3]))
    >>> scale.weights[0].name
    'scale/factor:0'

    Args:
        trainable: whether the variables are trainable.
        name: the name of the layer; by default that of the class, made unique.
        dtype: the dtype of the variables; by default that of the first input.
        dynamic: whether the layer can only run eagerly: it has a `compute_output_shape`, and models that hold it run
            their steps as Python.
        **kwargs: `activity_regularizer`, a penalty on the output, divided by the batch size, which is added to the
            losses; `weights`, arrays to assign to the variables once they are created; `input_shape`,
            `batch_input_shape` and `batch_size`, the shape of the inputs if the layer is the first of a model;
            `autocast` and `experimental_autocast` have no effect: layers never cast.

    Raises:
        TypeError: a keyword is unknown.
    """

    to_themselves, collects_losses = True, False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__module__.startswith(f"{__package__}."):
            layers_by_name.KNOWN[cls.__name__] = cls

    def __init__(self, trainable: bool = True, name: str | None = None, dtype: Any = None, dynamic: bool = False,
                 **kwargs: Any) -> None:
        if "activity_regularizer" in kwargs:
            kwargs["activity_regularizer"] = regularizers.get(kwargs["activity_regularizer"])
        for keyword in ("autocast", "experimental_autocast"):
            kwargs.pop(keyword, None)
        self.keras_nodes: list[history.Node] = []
        self.keras_outbound: list[history.Node] = []
        super().__init__(trainable=trainable, name=name, dtype=layer_dtype(dtype), **kwargs)
        self._dynamic = dynamic
        self._note_input_shape()
        self._named_weights: dict[str, Any] = {}
        self._metrics: list[Any] = []
        self._of_the_base = frozenset(vars(self)) | {"_of_the_base", "_call_parameters"}

    def _note_input_shape(self) -> None:
        """Combines the three options that give the shape of the input."""
        if self._options.get("batch_input_shape") is None and self._options.get("input_shape") is not None:
            self._options["batch_input_shape"] = (self._options.get("batch_size"), *self._options["input_shape"])
        if self._options.get("batch_input_shape") is not None:
            self._batch_input_shape = tuple(self._options["batch_input_shape"])

    def _set_name(self, name: Any) -> None:
        self._name = self._base_name = name or session.unique_object_name(layer.snake_case(type(self).__name__))

    @property
    def dynamic(self) -> bool:
        """Whether the layer, or one inside, can only run eagerly."""
        return self._dynamic or any(each.dynamic for each in self._sublayers())

    # ---- calls

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Creates the variables at the first call, and computes the output.

        Args:
            inputs: a tensor, an array, or a structure of them.
            *args: passed on to `call`.
            **kwargs: passed on to `call`; `mask` and `training` are filled in if `call` has them.

        Raises:
            ValueError: the inputs do not match the layer's input spec.
        """
        with history.symbolic_for([inputs, list(args), kwargs]):
            return self._call_on(inputs, args, kwargs)

    def _call_on(self, inputs: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        inputs = nest.map_structure(layer.as_tensor, inputs)
        functional = self._with_history([inputs, list(args), kwargs])
        given, masks = dict(kwargs), masks_of(inputs)
        if self._takes("mask") and not self._was_given("mask", args, kwargs) and _any(masks):
            kwargs["mask"] = masks
        training = self._settle_training(args, kwargs)
        with history.calling(training), name_scope(self._name_scope(), values=nest.flatten(inputs)):
            outputs = self._called(inputs, args, kwargs)
            if functional:
                outputs = _never_the_same(outputs, nest.flatten(inputs))
            self._set_masks(inputs, outputs, masks if masks is not None else self._mask_given(args, kwargs))
        if functional:
            history.record(self, inputs, outputs, args, given)
        elif not self.keras_nodes and not default_graph().is_eager:  # calls of a model's layers do not count
            self._inbound_nodes.append(connections.Call(inputs, outputs))
        return outputs

    def _called(self, inputs: Any, args: Any, kwargs: Any) -> Any:
        """The outputs; what only runs eagerly is described by placeholders of the shape of its output."""
        if not self._dynamic or default_graph().is_eager:
            return super()._called(inputs, args, kwargs)
        if not root_graph().is_eager:
            raise ValueError(f"layer {self.name} can only run eagerly (dynamic=True): enable eager execution")
        self._build_once(inputs)
        shapes = self.compute_output_shape(nest.map_structure(lambda tensor: tensor.shape, inputs))
        dtype = nest.flatten(inputs)[0].dtype
        return nest.map_structure(lambda shape: placeholder(dtype, shape), _as_shapes(shapes))

    def _with_history(self, arguments: Any) -> bool:
        """Whether the call belongs to a functional model; if so, wraps operations between layers as layers."""
        if not history.may_have_history() or history.inside_a_layer():
            return False
        known: dict[Any, bool] = {}
        tensors = [item for item in nest.flatten(arguments) if history.is_symbolic_tensor(item)]
        found = [tensor for tensor in tensors if history.comes_from_input(tensor, known)]
        for tensor in found:
            OperationLayer.give_history(tensor)
        return bool(found)

    @functools.cached_property
    def _call_parameters(self) -> Mapping[str, inspect.Parameter]:
        """The parameters of `call`, by name."""
        return inspect.signature(self.call).parameters

    def _takes(self, name: str) -> bool:
        """Whether `call` has this parameter, or `**kwargs`."""
        parameters = self._call_parameters
        return name in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())

    def _was_given(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        names = list(self._call_parameters)
        return name in kwargs or (name in names and names.index(name) - 1 < len(args))

    def _mask_given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The `mask` that the layer was called with, by name or by position; None for none."""
        names = list(self._call_parameters)
        place = names.index("mask") - 1 if "mask" in names else len(args)
        return args[place] if place < len(args) else kwargs.get("mask")

    def _settle_training(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The `training` flag of this call, if set anywhere; passes it to `call` if it has the parameter."""
        names = list(self._call_parameters)
        if "training" in kwargs:
            value = kwargs["training"] if self._takes("training") else kwargs.pop("training")
        elif "training" in names and names.index("training") - 1 < len(args):
            value = args[names.index("training") - 1]
        else:
            value = None
        if value is None:
            value = history.training_around()
            if value is None and (isinstance(settings.learning_phase_if_any(), int) or history.described_around()):
                value = settings.learning_phase()
            if value is not None and self._takes("training"):
                kwargs["training"] = value
        return value

    def _set_masks(self, inputs: Any, outputs: Any, masks: Any) -> None:
        flat = nest.flatten(outputs)
        if self.computes_masks_itself or all(connections.mask_of(tensor) is not None for tensor in flat):
            return
        default = type(self).compute_mask is layer.Layer.compute_mask
        found = None if default and not self.supports_masking else self.compute_mask(inputs, masks)
        found = [None] * len(flat) if found is None else nest.flatten(found)
        for tensor, mask in zip(flat, found):
            if mask is not None or connections.mask_of(tensor) is not None:
                connections.set_mask(tensor, mask)

    computes_masks_itself = False  # whether `call` sets the masks of its outputs

    def _keeps_updates(self) -> bool:
        return not root_graph().is_eager or history.described_around() is not None

    # ---- variables

    def add_weight(self, name: str | None = None, shape: Any = None, dtype: Any = None, initializer: Any = None,
                   regularizer: Any = None, trainable: bool | None = None, constraint: Any = None,
                   partitioner: Any = None, use_resource: bool | None = None,
                   synchronization: Any = VariableSynchronization.AUTO, aggregation: Any = VariableAggregation.NONE,
                   **kwargs: Any) -> Any:
        """Creates a variable of the layer.

        Args:
            name: its name within the layer's scope.
            shape: its shape; by default a scalar's.
            dtype: the dtype; by default the layer's.
            initializer: its initializer; by default Glorot uniform, zeros for integers and bools.
            regularizer: a penalty on the variable, added to the losses.
            trainable: whether it is trainable, if the layer is; True unless `synchronization` is ON_READ.
            constraint: a projection of it that optimizers apply after each step.
            partitioner: not supported.
            use_resource: False for a reference variable.
            synchronization, aggregation: as for `tf.get_variable`.
            **kwargs: `collections`, to add the variable to; `getter`, which is called with the name, the shape and the
                other arguments, and returns the variable: a new one, or one that exists; `experimental_autocast` has
                no effect: layers never cast; `caching_device` has no effect either: variables are read where they
                are used.

        Raises:
            TypeError: a keyword is unknown.
        """
        for keyword in kwargs:
            if keyword not in _OPTIONS:
                raise TypeError("Unknown keyword argument:", keyword)
        self._collections, self._getter = kwargs.get("collections"), kwargs.get("getter")
        try:
            variable = super().add_weight(
                name, () if shape is None else shape, dtype=dtype, initializer=initializers.get(initializer),
                regularizer=regularizers.get(regularizer), trainable=trainable, constraint=constraints.get(constraint),
                use_resource=use_resource, synchronization=synchronization, aggregation=aggregation,
                partitioner=partitioner)
        finally:
            self._collections = self._getter = None
        self._named_weights[name or "Variable"] = variable
        return variable

    _collections: Any = None
    _getter: Any = None

    def _own_variable(self, name: Any, shape: Any, initializer: Any, use_resource: Any, partitioner: Any,
                      options: dict[str, Any]) -> Any:
        if self._collections is not None:
            options = {**options, "collections": self._collections}
        if self._getter is not None:
            return self._getter(name=name, shape=TensorShape(shape), initializer=initializer, use_resource=use_resource,
                                partitioner=partitioner, **options)
        return super()._own_variable(name, shape, initializer, use_resource, partitioner, options)

    def get_weights(self) -> list[Any]:
        """The values of the variables, in the session of `tf.keras.backend.get_session`."""
        return session.batch_get_value(self.weights)

    def set_weights(self, weights: list[Any]) -> None:
        """Sets the variables, in the session of `tf.keras.backend.get_session`.

        Raises:
            ValueError: the number of arrays or a shape differs.
        """
        if len(weights) != len(self.weights):
            raise ValueError(f"layer {self.name} has {len(self.weights)} weights, but {len(weights)} were given")
        for variable, value in zip(self.weights, weights):
            if not variable.shape.is_compatible_with(np.shape(value)):
                raise ValueError(f"{variable.name} has shape {variable.shape}, the array for it {np.shape(value)}")
        session.batch_set_value(list(zip(self.weights, weights)))

    # ---- losses and metrics

    def add_metric(self, value: Any, aggregation: str | None = None, name: str | None = None) -> None:
        """Adds a metric, whose value `fit` and `evaluate` report.

        Args:
            value: the tensor whose mean is reported; or what calling a `tf.keras.metrics.Metric` returned.
            aggregation: "mean", unless `value` is of a metric.
            name: the name of the metric, unless `value` is of one.

        Raises:
            ValueError: the name is missing, or the aggregation is another.
        """
        if aggregation is not None and aggregation != "mean":
            raise ValueError(f"the values of a metric are aggregated by `mean` alone, got {aggregation!r}")
        found = getattr(value, "_metric_obj", None)
        if name is None and found is None:
            raise ValueError("Please provide a name for your metric like name='size' in "
                             "`self.add_metric(tf.norm(x), 'mean', name='size')`")
        if found is None and aggregation is None:
            raise ValueError("Only what a `Metric` object returned is added without `aggregation`: for another "
                             "tensor, say aggregation='mean'")
        if found is None:
            found = next((each for each in self._metrics if each.name == name), None) or \
                importlib.import_module("evergraph.keras.metrics").Mean(name)  # metrics are layers, and come after them
            found(value)
        if all(each is not found for each in self._metrics):
            self._metrics.append(found)

    is_metric = False  # whether the layer is a tf.keras.metrics.Metric

    def _layer_metrics(self) -> list[Any]:
        """The metrics of the layer and of those inside."""
        inside = [each for each in self._sublayers() if isinstance(each, Layer)]
        own = self._metrics + [each for each in inside if each.is_metric]
        return list(dict.fromkeys(own + [metric for each in inside for metric in each._layer_metrics()]))

    def _sublayers(self) -> list[layer.Layer]:
        """The layers that this one holds as attributes; metrics that it added are none of them."""
        held = {name: value for name, value in tracked_attributes(self).items() if name != "_metrics"}
        return list(dict.fromkeys(layer.held_in(held, layer.Layer)))

    metrics = property(_layer_metrics, doc="The metrics of the layer and of those inside.")

    def _build_once(self, inputs: Any) -> None:
        """Creates the variables; with eager execution, what `build` computes has a value, also in a function."""
        with init_scope() if root_graph().is_eager and not self.built else contextlib.nullcontext():
            super()._build_once(inputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape; with eager execution, that of a call is found.

        Raises:
            NotImplementedError: in a graph, unless the layer defines it.
        """
        try:
            return super().compute_output_shape(input_shape)
        except NotImplementedError:
            if not root_graph().is_eager:
                raise
        shapes = _as_shapes(input_shape)
        with FuncGraph("shapes").as_default():
            inputs = nest.map_structure(lambda shape: placeholder(self.dtype or settings.floatx(), shape), shapes)
            flag = {"training": False} if "training" in self._call_parameters else {}
            return nest.map_structure(lambda output: output.shape, self(inputs, **flag))

    def _forget_earlier_calls(self) -> None:
        """With eager execution, and in functions that it calls, losses are those of the last outermost call."""
        if history.is_outermost() and root_graph().is_eager and not history.in_symbolic_graph():
            self._forget_losses()

    def _regularize(self, name: str, variable: Any, regularizer: Any) -> None:
        inside = replicas.current()
        if inside is not None and inside.strategy.num_replicas_in_sync > 1:
            self._penalties.append(functools.partial(regularizer, variable))  # each replica has that of its own copy
        else:
            super()._regularize(name, variable, regularizer)

    def _forget_losses(self) -> None:
        """Forgets the losses of earlier calls, also in the layers inside."""
        self._own_losses = []
        for each in self._sublayers():
            if isinstance(each, Layer):
                each._forget_losses()

    # ---- nodes

    @property
    def inbound_nodes(self) -> list[Any]:
        """The calls of this layer."""
        return self.keras_nodes or self._inbound_nodes

    @property
    def outbound_nodes(self) -> list[Any]:
        """The calls of other layers on its outputs."""
        return self.keras_outbound

    def _shape(self, shapes: Any) -> Any:
        return nest.map_structure(lambda shape: tuple(shape.as_list()), shapes)

    input_shape = property(lambda self: self._shape(self._only_shape("input")),
                           doc="The shape of the input; AttributeError unless it was the same in all calls.")
    output_shape = property(lambda self: self._shape(self._only_shape("output")),
                            doc="The shape of the output; AttributeError unless it was the same in all calls.")

    def get_input_shape_at(self, node_index: int) -> Any:
        """The shape of the inputs of a call; raises as `get_input_at` does."""
        return self._shape(super().get_input_shape_at(node_index))

    def get_output_shape_at(self, node_index: int) -> Any:
        """The shape of the outputs of a call; raises as `get_input_at` does."""
        return self._shape(super().get_output_shape_at(node_index))

    # ---- checkpoints and configurations

    def _checkpoint_children(self) -> dict[str, Any]:
        """The layer's children for `tf.train.Checkpoint`: its variables by name, and its attributes."""
        others = self._of_the_base | left_out(self)
        held = {name: value for name, value in vars(self).items()
                if name not in others and layer.held_in(value, (Variable, layer.Layer))}
        return {**self._named_weights, **held}

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        config = {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}
        if getattr(self, "_batch_input_shape", None) is not None:
            config["batch_input_shape"] = self._batch_input_shape
        return {**config, **{field: described(getattr(self, field)) for field in self.fields}}


def _as_shapes(shape: Any) -> Any:
    """Shapes in their structure: a tuple or list of sizes is one."""
    if isinstance(shape, dict):
        return {key: _as_shapes(each) for key, each in shape.items()}
    if isinstance(shape, (list, tuple)) and any(isinstance(each, (list, tuple, TensorShape)) for each in shape):
        return [_as_shapes(each) for each in shape]
    return TensorShape(shape)


def described(value: Any) -> Any:
    """The serialized form of a function or an object in a configuration; other values unchanged."""
    if hasattr(value, "get_config"):
        return initializers.serialize(value)
    return objects.serialize_keras_object(value) if callable(value) else value


def _any(masks: Any) -> bool:
    return any(mask is not None for mask in nest.flatten(masks))


def masks_of(inputs: Any) -> Any:
    """The masks of the inputs, in their structure; None if none has one."""
    masks = connections.masks_of(inputs)
    return masks if _any(masks) else None


def _never_the_same(outputs: Any, inputs: list[Any]) -> Any:
    """The outputs, copied if they are an input: each tensor has only one producer."""
    return nest.map_structure(
        lambda output: basic.identity(output) if any(output is each for each in inputs) else output, outputs)


class Elementwise(Layer):
    """The base of layers that keep shape and mask."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def compute_output_shape(self, input_shape: Any) -> Any:
        return TensorShape(input_shape)


class OperationLayer(Layer):
    """An operation between the layers of a functional model, which is repeated when the model is called."""

    def __init__(self, operation: Any, **kwargs: Any) -> None:
        super().__init__(name=f"tf_op_layer_{operation.name}", **kwargs)
        self.operation, self.built = operation, True
        known: dict[Any, bool] = {}
        self.places = [place for place, tensor in enumerate(operation.inputs)
                       if history.comes_from_input(tensor, known)]

    @classmethod
    def give_history(cls, tensor: Any) -> None:
        """Gives a history to a tensor that depends on a model's input."""
        waiting = [tensor]
        while waiting:
            current = waiting[-1]
            if history.history(current) is not None:
                waiting.pop()
                continue
            made = cls(current.op)
            sources = [current.op.inputs[place] for place in made.places]
            later = [each for each in sources if history.history(each) is None]
            if later:
                waiting += later
                continue
            waiting.pop()
            outputs = list(current.op.outputs)
            history.record(made, sources if len(sources) > 1 else sources[0],
                           outputs if len(outputs) > 1 else outputs[0])

    def call(self, inputs: Any) -> Any:
        given = list(self.operation.inputs)
        for place, tensor in zip(self.places, nest.flatten(inputs)):
            given[place] = tensor
        node = _repeated(self.operation, given)
        return node.outputs[0] if len(node.outputs) == 1 else list(node.outputs)


def _repeated(operation: Any, inputs: list[Any]) -> Any:
    """The same operation in the default graph, on other inputs."""
    graph = default_graph()
    given = [_in_default_graph(tensor) for tensor in inputs]
    return graph.add_node(operation.opdef, graph.claim_name(operation.name.rpartition("/")[2]), given,
                          dict(operation.attrs))


def _in_default_graph(tensor: Any) -> Any:
    """A tensor in the default graph; what a model's description computes without inputs is computed again."""
    graph, described = default_graph(), tensor.graph
    if described is graph:
        return tensor
    if not described.is_description:
        return graph.capture(tensor)
    outside = next((outer for outer, inner in described.captures.items() if inner is tensor), None)
    if outside is not None:
        return outside if graph.is_eager else graph.capture(outside)
    return _repeated(tensor.op, list(tensor.op.inputs)).outputs[tensor.value_index]
