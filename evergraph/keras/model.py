"""tf.keras.Model: a model of layers, functional or subclassed."""
from __future__ import annotations

import copy
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend.array import placeholder
from evergraph.frontend.blocks import root_graph
from evergraph.frontend.variables.base import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.keras import history, model_saving, model_text, network, saved_model_writing, session, weight_files
from evergraph.keras.added_layers import AddLoss, AddMetric, added_to
from evergraph.keras.layer import Layer, OperationLayer
from evergraph.keras.model_order import distinct, ordered, origins
from evergraph.keras.objects import also
from evergraph.keras.outline import printed
from evergraph.keras.training import Training
from evergraph.layers import layer as base
from evergraph.layers.connections import set_mask


class _Layers(list[Any]):
    """The layers of a model; what is appended becomes one of them."""

    def __init__(self, model: Model) -> None:
        super().__init__(model.layers)
        self._model = model

    def append(self, layer: Any) -> None:
        """Gives the model a further layer."""
        super().append(layer)
        self._model._appended.append(layer)


@export("keras.Model", "keras.models.Model")
class Model(Training, Layer):
    """A model: a graph of layers that acts as one layer.

    Either functional, from inputs and outputs:

    >>> x = tf.keras.Input([3])
    >>> model = tf.keras.Model(inputs=x, outputs=tf.keras.layers.Dense(2)(x))

    or subclassed, with a `call` that uses the layers in its attributes:

    >>> class Net(tf.keras.Model):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.dense = tf.keras.layers.Dense(2)
    ...     def call(self, inputs):
    ...         return self.dense(inputs)

    A model is called on tensors, in a model function for example, and has `weights`, `losses` and `updates`; or it is
    trained by `compile` and `fit`.

    Args:
        *args, **kwargs: `inputs` and `outputs`, tensors or structures of them, `name` and `trainable`.
    """

    computes_masks_itself = True
    _is_graph_network = property(lambda self: self._functional, doc="TensorFlow's name, which programs read.")
    _weights_checkpoint: Any = None  # what saves and loads its weights as a checkpoint

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        inputs, outputs, options = _given(args, kwargs)
        super().__init__(**options)
        self._functional = outputs is not None
        self._appended: list[Any] = []
        self.inputs: Any = None
        self.outputs: Any = None
        if self._functional:
            self._connect(inputs, outputs)

    def __setattr__(self, name: str, value: Any) -> None:
        if "keras_nodes" not in vars(self) and base.held_in(value, (Variable, base.Layer)):
            raise RuntimeError(f"{type(self).__name__} was given the attribute {name} before it was a model: it seems "
                               f"that you forgot to call `super().__init__()` first")
        super().__setattr__(name, value)

    # ---- functional models

    def _connect(self, inputs: Any, outputs: Any) -> None:
        """Finds the layers between inputs and outputs."""
        self._nested_inputs, self._nested_outputs = _unpacked(inputs), _unpacked(outputs)
        self.inputs, self.outputs = nest.flatten(inputs), nest.flatten(outputs)
        for tensor in self.inputs:
            if history.history(tensor) is None:
                raise ValueError(f"the inputs of a model must be made by tf.keras.Input: {tensor} is not")
        known: dict[Any, bool] = {}
        for tensor in self.outputs:
            if not history.comes_from_input(tensor, known):
                raise ValueError(f"the outputs of a model must follow from its inputs: {tensor} does not")
            OperationLayer.give_history(tensor)
        self._nodes, self._ordered = ordered(self.inputs, self.outputs + nest.flatten(self._ends))
        self.input_names = [history.history(tensor).layer.name for tensor in self.inputs]
        self.output_names = distinct([history.history(tensor).layer.name for tensor in self.outputs])
        self.built = True

    def _run(self, inputs: Any) -> Any:
        """The outputs for new inputs: repeats each recorded call."""
        given = nest.flatten(inputs)
        if len(given) != len(self.inputs):
            raise ValueError(f"model {self.name} has {len(self.inputs)} inputs, got {len(given)}")
        made = {id(own): convert_to_tensor(new) if not hasattr(new, "dtype") else new
                for own, new in zip(self.inputs, given)}
        swap = lambda item: made.get(id(item), item)
        for node in self._nodes:
            if all(id(tensor) in made for tensor in nest.flatten(node.outputs)):
                continue
            results = node.layer(nest.map_structure(swap, node.inputs), *nest.map_structure(swap, list(node.args)),
                                 **nest.map_structure(swap, node.kwargs))
            made.update({id(own): new for own, new in zip(nest.flatten(node.outputs), nest.flatten(results))})
        return nest.map_structure(lambda tensor: made[id(tensor)], self._nested_outputs)

    # ---- calls

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The outputs for these inputs; see `tf.keras.layers.Layer`. `load_weights` before it sets new variables."""
        outputs = super().__call__(inputs, *args, **kwargs)
        session.settle_if_awaited()
        return outputs

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The model's computation.

        Args:
            inputs: a tensor, or a structure of them.
            training: the `training` argument of the layers.
            mask: masks of the inputs, in their structure.

        Raises:
            NotImplementedError: the model is not functional, and its class has no `call`.
        """
        if not self._functional:
            raise NotImplementedError("the model has neither inputs and outputs nor a `call` of its own")
        if mask is not None:
            for tensor, each in zip(nest.flatten(inputs), nest.flatten(mask)):
                if each is not None:
                    set_mask(tensor, each)
        return self._run(inputs)

    def _build_once(self, inputs: Any) -> None:
        """Layers create their variables when they are called; only an overridden `build` is used."""
        if not self.built and type(self).build is not Model.build and not isinstance(self, _Deferred):
            super()._build_once(inputs)
        self.built = True

    def build(self, input_shape: Any) -> None:
        """Creates the variables, by calling the model on placeholders of this shape.

        Args:
            input_shape: the shape with the batch, or a list of shapes.

        Raises:
            ValueError: it is no shape, or `call` needs more than inputs.
        """
        if not self._functional:
            if not isinstance(input_shape, (tuple, list, TensorShape)):
                raise ValueError(f"The input shape is not one of the valid types (tuple, list, TensorShape): it is a "
                                 f"{type(input_shape).__name__}")
            self._refuse_positional("`build` cannot build your model if it has positional arguments in `call`, "
                                    "besides the inputs, without a default")
            many = isinstance(input_shape, list) and input_shape and \
                isinstance(input_shape[0], (list, tuple, TensorShape))
            shapes = [TensorShape(shape) for shape in input_shape] if many else TensorShape(input_shape)
            with history.symbolic():
                given = nest.map_structure(lambda shape: placeholder(self.dtype or "float32", shape), shapes)
                self._try_call(given, **({"training": False} if "training" in self._call_parameters else {}))
        self.built = True

    def _try_call(self, inputs: Any, **options: Any) -> None:
        try:
            self.call(inputs, **options)
        except TypeError as error:
            raise ValueError("`build` calls the model on floats, which fails if your layers do not support float type "
                             "inputs: call the model itself, on tensors of its dtypes") from error

    def _refuse_positional(self, message: str) -> None:
        """Raises ValueError if `call` has further arguments without defaults."""
        more = [name for name, each in list(self._call_parameters.items())[1:]
                if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
                and name not in ("training", "mask")]
        if more:
            raise ValueError(f"{message}: {more}")

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape."""
        if not self._functional:
            return super().compute_output_shape(input_shape)
        shapes = {id(own): TensorShape(shape) for own, shape in zip(self.inputs, _shapes(input_shape))}
        for node in self._nodes:
            if all(id(tensor) in shapes for tensor in nest.flatten(node.outputs)):
                continue
            given = nest.map_structure(lambda tensor: shapes.get(id(tensor), tensor.shape), node.inputs)
            found = node.outputs.op.outputs[0].shape if isinstance(node.layer, OperationLayer) else \
                node.layer.compute_output_shape(given)
            shapes.update({id(own): TensorShape(shape)
                           for own, shape in zip(nest.flatten(node.outputs), _shapes(found))})
        return nest.map_structure(lambda tensor: shapes[id(tensor)], self._nested_outputs)

    # ---- losses, updates and metrics

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds losses to those that training minimizes.

        Args:
            losses: a scalar tensor, a function without arguments that gives one, or a list of these.
            inputs: the inputs that they depend on, in `call`.
        """
        for loss in nest.flatten(losses):
            if self._extends(loss):
                self._extend(AddLoss(), loss)
            else:
                super().add_loss(loss, inputs)

    def add_metric(self, value: Any, aggregation: str | None = None, name: str | None = None) -> None:
        """Adds a metric, whose value `fit` and `evaluate` report; see `tf.keras.layers.Layer.add_metric`."""
        if self._extends(value) and aggregation == "mean" and name is not None:
            self._extend(AddMetric(aggregation, name), value)
            return
        if self._functional and not history.inside_a_layer() and hasattr(value, "_metric_obj"):
            raise ValueError("Using the result of calling a `Metric` object as a metric of a functional model is not "
                             "possible: give add_metric the tensor that it measures")
        super().add_metric(value, aggregation, name)

    def _extends(self, value: Any) -> bool:
        """Whether a tensor follows from the inputs of this functional model, outside of calls."""
        return self._functional and not history.inside_a_layer() and history.is_symbolic_tensor(value) and \
            history.comes_from_input(value, {})

    def _extend(self, layer: Layer, value: Any) -> None:
        """Has calls of the model call a layer on a tensor, too."""
        with history.symbolic_for(value):
            OperationLayer.give_history(value)
            self._ends = [*self._ends, layer(value)]
        self._connect(self._nested_inputs, self._nested_outputs)

    _ends: list[Any] = []  # tensors that calls of the model compute besides its outputs

    @property
    def updates(self) -> list[Any]:
        """The updates of the layers; in a graph, those that follow from the inputs of the model, or from none."""
        if not self.trainable and not self.stateful:
            return []
        return self._reachable(self._updates_of_all_calls())

    def _updates_of_all_calls(self) -> list[Any]:
        """The updates of calls on any inputs: a model around this one calls it on those of its own."""
        return super().updates

    def _relevant_losses(self) -> list[Any]:
        """The losses that training minimizes: in a graph, those of calls on other inputs are none of them."""
        if root_graph().is_eager or self.inputs is None:
            return self.losses
        of_calls = {id(loss) for each in (self, *self.submodules) for loss, inputs in each._own_losses
                    if inputs is not None}
        reached = {id(loss) for loss in self._reachable([loss for loss in self.losses if id(loss) in of_calls])}
        return [loss for loss in self.losses if id(loss) not in of_calls or id(loss) in reached]

    def _reachable(self, found: list[Any]) -> list[Any]:
        """Those that the inputs lead to, or that depend on no placeholder."""
        if root_graph().is_eager or self.inputs is None or not found:
            return found
        fed = {tensor.op for tensor in self.inputs if isinstance(tensor, Tensor)}
        return [each for each, (is_reached, is_fed) in zip(found, origins(found, fed)) if is_reached or not is_fed]

    # ---- layers and variables

    def _sublayers(self) -> list[Any]:
        return self._ordered if self._functional else super()._sublayers()

    def _checkpoint_children(self) -> dict[str, Any]:
        """The model's children for `tf.train.Checkpoint`: its layers by index, and its attributes."""
        trained_by = {"optimizer": self.optimizer} if hasattr(self.optimizer, "_checkpoint_children") else {}
        if not self._functional and type(self).layers is Model.layers:
            return super()._checkpoint_children() | trained_by
        found, weighted = {}, 0
        for place, each in enumerate(self.layers):
            if each.built and each.weights:
                found[f"layer_with_weights-{weighted}"] = each
                weighted += 1
            found[f"layer-{place}"] = each
        hidden = ("_appended", "_nested_inputs", "_nested_outputs", "_nodes", "_ordered", "_stack", "_path", "inputs",
                  "outputs")
        own = {name: value for name, value in super()._checkpoint_children().items() if name not in hidden}
        return found | own | trained_by

    @property
    def layers(self) -> list[Any]:
        """The layers, from inputs to outputs; in a subclass, in the order of assignment to attributes."""
        return list(self._sublayers())

    @property
    def _layers(self) -> list[Any]:
        """The layers, by TensorFlow's private name, to which classes of programs append theirs."""
        return _Layers(self)

    @_layers.setter
    def _layers(self, layers: list[Any]) -> None:
        self._appended = list(layers)

    @property
    def weights(self) -> list[Any]:
        """All variables: those of the layers, one layer after the other, then the model's own.

        Raises:
            ValueError: the class has a `build` of its own, which was not called yet.
        """
        self._check_weights()
        inner = [variable for each in self._sublayers() for variable in each.weights]
        own = self._trainable_weights + self._non_trainable_weights + self._attribute_variables()
        return list(dict.fromkeys(inner + own))

    def _check_weights(self) -> None:
        if type(self) is not Model and "build" in vars(type(self)) and not self.built:
            raise ValueError(f"Weights for model {self.name}, a {type(self).__name__}, have not yet been created: call "
                             f"the model, or its `build` with a shape")

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables that training changes; raises as `weights` does."""
        self._check_weights()
        own = self._trainable_weights + [each for each in self._attribute_variables() if each.trainable]
        inner = [each for layer in self._sublayers() for each in layer.trainable_weights]
        return list(dict.fromkeys(inner + own)) if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables; raises as `weights` does."""
        self._check_weights()
        trained = {id(each) for each in self.trainable_weights}
        return [each for each in self.weights if id(each) not in trained]

    def _attribute_variables(self) -> list[Any]:
        return [] if self._functional else super()._attribute_variables()

    @property
    def state_updates(self) -> list[Any]:
        """The state updates of stateful layers."""
        return [update for each in self.layers if getattr(each, "stateful", False) for update in each.updates]

    def reset_states(self) -> None:
        """Resets the states of stateful layers to zero."""
        for each in self.layers:
            if hasattr(each, "reset_states") and getattr(each, "stateful", False):
                each.reset_states()

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses of the layers that depend on these inputs; for None, those that depend on no input."""
        found = [loss for each in (self, *self.submodules) for loss in base.Layer.get_losses_for(each, inputs)] \
            if inputs is not None else [loss for loss in self.losses if all(
                id(loss) != id(own) for each in (self, *self.submodules) for own, given in each._own_losses
                if given is not None)]
        return list(dict.fromkeys(found))

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The updates of the layers that depend on these inputs; for None, those that depend on no input."""
        every = [pair for each in (self, *self.submodules) for pair in each._own_updates]
        if inputs is None:
            return [update for update, given in every if not base.depends_on(update, nest.flatten(given))]
        return [update for update, _ in every if base.depends_on(update, nest.flatten(inputs))]

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """A layer by name or index.

        Raises:
            ValueError: there is no such layer.
        """
        if index is not None:
            if index >= len(self.layers):
                raise ValueError(f"there is no layer {index}: the model has {len(self.layers)}")
            return self.layers[index]
        if not name:
            raise ValueError("a layer is found by its name or its index: give one")
        for each in self.layers:
            if each.name == name:
                return each
        raise ValueError(f"the model has no layer called {name}")

    @property
    def input(self) -> Any:
        """The inputs of a functional model; else those of the model's call."""
        return self._nested_inputs if self._functional else self._only_call("input").inputs

    @property
    def output(self) -> Any:
        """The outputs of a functional model; else those of the model's call."""
        return self._nested_outputs if self._functional else self._only_call("output").outputs

    input_shape = property(lambda self: nest.map_structure(lambda tensor: tuple(tensor.shape.as_list()), self.input),
                           doc="The shape of the inputs.")
    output_shape = property(lambda self: nest.map_structure(lambda tensor: tuple(tensor.shape.as_list()), self.output),
                            doc="The shape of the outputs.")

    def summary(self, line_length: int | None = None, positions: Any = None, print_fn: Any = None) -> None:
        """Prints the layers with their output shapes and numbers of parameters.

        Args:
            line_length: the width of the lines.
            positions: the ends of the columns, as fractions of the width.
            print_fn: the function to print each line with.

        Raises:
            ValueError: the variables are not created yet.
        """
        if not self.built:
            raise ValueError(f"model {self.name} has no variables yet: call it, or its `build`")
        for line in printed(self, line_length, positions):
            (print_fn or print)(line)

    # ---- configurations and files

    def get_config(self) -> dict[str, Any]:
        """The layers and their connections, for `from_config`.

        Raises:
            NotImplementedError: the model is subclassed: its class has to describe it.
        """
        if not self._functional:
            raise NotImplementedError(f"{type(self).__name__} is a subclassed model: give it a get_config of its own")
        return copy.deepcopy(network.described(self))

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
        """A model from its configuration, with new variables.

        Args:
            config: what `get_config` returned.
            custom_objects: additional classes and functions by name.
        """
        with also(custom_objects):
            if "input_layers" not in config:
                return cls(**config)
            inputs, outputs = network.connected(config, custom_objects)
            model = cls(inputs=inputs, outputs=outputs, name=config.get("name"))
            model._ends = added_to(model.layers)
            model._connect(model._nested_inputs, model._nested_outputs)
            return model

    def to_json(self, **kwargs: Any) -> str:
        """The model's configuration as JSON, for `tf.keras.models.model_from_json`.

        Args:
            **kwargs: passed on to `json.dumps`.
        """
        return model_text.to_json(self, **kwargs)

    def to_yaml(self, **kwargs: Any) -> str:
        """The model's configuration as YAML, for `tf.keras.models.model_from_yaml`.

        Args:
            **kwargs: passed on to `yaml.dump`.
        """
        return model_text.to_yaml(self, **kwargs)

    def save(self, filepath: Any, overwrite: bool = True, include_optimizer: bool = True,
             save_format: str | None = None, signatures: Any = None) -> None:
        """Saves the model to a file or folder; see `tf.keras.models.save_model`."""
        model_saving.save_model(self, filepath, overwrite, include_optimizer, save_format, signatures)

    def save_weights(self, filepath: Any, overwrite: bool = True, save_format: str | None = None) -> None:
        """Saves the values of the variables.

        Args:
            filepath: the HDF5 file, or the prefix of a checkpoint's files.
            overwrite: False asks before it replaces a file.
            save_format: "h5" for HDF5 or "tf" for a checkpoint; by default "h5" if the name ends with .h5 or .keras.
        """
        weight_files.save(self, filepath, overwrite, save_format)

    def _parts_to_save(self) -> dict[str, Any]:
        """What a SavedModel of this model has besides its layers."""
        return saved_model_writing.parts(self)

    def load_weights(self, filepath: Any, by_name: bool = False) -> Any:
        """Sets the variables from an HDF5 file or a checkpoint.

        Args:
            filepath: the HDF5 file, or the prefix of a checkpoint's files.
            by_name: whether layers are found by their names, for HDF5 alone: others keep their values.

        Returns:
            For a checkpoint a status, as `tf.train.Checkpoint.restore` returns it.
        """
        return weight_files.load(self, filepath, by_name)


class _Deferred:
    """Marks models that create their variables without a `build` of the program's."""


def _unpacked(structure: Any) -> Any:
    """The tensor of a list of one; other structures as they are."""
    return structure[0] if isinstance(structure, list) and len(structure) == 1 else structure


def _given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """(inputs, outputs, other options) of a model; None for a subclassed one."""
    options = dict(kwargs)
    inputs, outputs = options.pop("inputs", None), options.pop("outputs", None)
    rest = list(args)
    if rest and inputs is None:
        inputs = rest.pop(0)
    if rest and outputs is None:
        outputs = rest.pop(0)
    if rest:
        options["name"] = rest.pop(0)
    if (inputs is None) != (outputs is None):
        raise TypeError("A functional model needs both inputs and outputs.")
    return inputs, outputs, options


def _shapes(shape: Any) -> list[Any]:
    if isinstance(shape, dict):
        return [shape[name] for name in sorted(shape)]
    if isinstance(shape, list) and shape and not isinstance(shape[0], (int, type(None))):
        return shape
    return [shape]
