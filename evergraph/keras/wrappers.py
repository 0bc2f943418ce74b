"""tf.keras.layers: wrappers that apply a layer to each time step, or in both directions of time."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.keras import layers_by_name, objects, settings
from evergraph.keras.layer import Layer
from evergraph.keras.recurrent import call_arguments
from evergraph.layers import layer as base
from evergraph.layers.input_spec import InputSpec
from evergraph.ops.arrays import pad


@export("keras.layers.Wrapper")
class Wrapper(Layer):
    """A layer that wraps another one.

    Args:
        layer: the layer.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    def __init__(self, layer, **kwargs):
        if not isinstance(layer, base.Layer):
            raise AssertionError(f"A layer is wanted, got {layer}")
        super().__init__(**kwargs)
        self.layer = layer

    def build(self, input_shape=None):
        if not self.layer.built:
            of_inputs = self._dtype and dtypes.as_dtype(self._dtype)
            self.layer._dtype = self.layer._dtype or (
                self._dtype if not of_inputs or not of_inputs.is_integer else settings.floatx())
            self.layer.build(input_shape)
            self.layer.built = True
        self.built = True

    @property
    def activity_regularizer(self):
        """The wrapped layer's activity regularizer."""
        return getattr(self.layer, "activity_regularizer", None)

    def get_config(self):
        """The constructor's arguments, for `from_config`."""
        return {**super().get_config(), "layer": layers_by_name.serialize(self.layer)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """A layer with these arguments."""
        layer = layers_by_name.deserialize(config["layer"], custom_objects)
        return cls(layer, **{key: value for key, value in config.items() if key != "layer"})


@export("keras.layers.TimeDistributed")
class TimeDistributed(Wrapper):
    """Applies a layer to each time step of sequences [batch, time, ...].

    Args:
        layer: the layer.
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        ValueError: it is not a layer.
    """

    def __init__(self, layer, **kwargs):
        if not isinstance(layer, base.Layer):
            raise ValueError(f"TimeDistributed wraps a layer, got {layer}")
        super().__init__(layer, **kwargs)
        self.supports_masking = True

    @staticmethod
    def _of_step(input_shape):
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0], *sizes[2:]])

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        if len(sizes) < 3:
            raise ValueError(f"TimeDistributed needs inputs of rank 3 or more, got shape {sizes}")
        self.input_spec = InputSpec(shape=(None, None, *sizes[2:]))
        super().build(self._of_step(input_shape))

    def call(self, inputs, training=None, mask=None):
        """The layer's outputs [batch, time, ...].

        Args:
            inputs: a tensor [batch, time, ...].
            training: passed on to the layer, if it takes it.
            mask: bools [batch, time, ...], passed on to the layer, if it takes it.
        """
        options: dict[str, Any] = {} if training is None else {"training": training}
        if mask is not None and isinstance(self.layer, Layer) and "mask" in self.layer._call_parameters:
            options["mask"] = array.reshape(mask, [-1, *(-1 if size is None else size
                                                         for size in mask.shape.as_list()[2:])])
        sizes, dynamic = inputs.shape.as_list(), array.shape(inputs)
        known = [dynamic[axis] if size is None else size for axis, size in enumerate(sizes)]
        steps = array.reshape(inputs, [-1, *known[2:]])
        steps.set_shape([None if None in sizes[:2] else sizes[0] * sizes[1], *sizes[2:]])
        outputs = self.layer(steps, **options)

        def in_time(tensor):
            inner = tensor.shape.as_list()[1:]
            rest = [array.shape(tensor)[axis] if size is None else size for axis, size in enumerate(inner, 1)]
            result = array.reshape(tensor, [*known[:2], *rest])
            result.set_shape([*sizes[:2], *inner])
            return result
        return nest.map_structure(in_time, outputs)

    def compute_output_shape(self, input_shape):
        inner = TensorShape(self.layer.compute_output_shape(self._of_step(input_shape))).as_list()
        return TensorShape([*TensorShape(input_shape).as_list()[:2], *inner[1:]])


_MERGES = {
    "sum": lambda forward, backward: forward + backward,
    "mul": lambda forward, backward: forward * backward,
    "ave": lambda forward, backward: (forward + backward) / 2,
    "concat": lambda forward, backward: array.concat([forward, backward], -1),
}


@export("keras.layers.Bidirectional")
class Bidirectional(Wrapper):
    """A bidirectional recurrent layer (Schuster and Paliwal, 1997).

    Args:
        layer: the layer; a copy of it runs backward.
        merge_mode: how to combine the outputs: "concat", "sum", "mul", "ave", or None for a list of both.
        weights: arrays to assign to the variables once they are created, those of the forward layer first.
        backward_layer: the backward layer; by default a reversed copy.
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        ValueError: it is not a layer, the mode is unknown, or the two layers do not match.
    """

    def __init__(self, layer, merge_mode="concat", weights=None, backward_layer=None, **kwargs):
        if not isinstance(layer, Layer):
            raise ValueError(f"Bidirectional wraps a layer, got {layer}")
        if backward_layer is not None and not isinstance(backward_layer, Layer):
            raise ValueError(f"backward_layer must be a layer, got {backward_layer}")
        if merge_mode not in (*_MERGES, None):
            raise ValueError(f'merge_mode must be "sum", "mul", "ave", "concat" or None, got {merge_mode!r}')
        super().__init__(layer, **kwargs)
        given = backward_layer is not None
        self.forward_layer = _copy(layer)
        self.backward_layer = backward_layer if given else _copy(layer, backward=True)
        self._check_layers()
        self.forward_layer._name = f"forward_{self.forward_layer.name}"
        self.backward_layer._name = f"backward_{self.backward_layer.name}"
        self.merge_mode, self._given_backward = merge_mode, given
        if weights:
            half = len(weights) // 2
            self.forward_layer._options["weights"] = weights[:half]
            self.backward_layer._options["weights"] = weights[half:]
        self.stateful, self.return_sequences = layer.stateful, layer.return_sequences
        self.return_state, self.supports_masking, self.input_spec = layer.return_state, True, layer.input_spec

    def _check_layers(self):
        if self.forward_layer.go_backwards == self.backward_layer.go_backwards:
            raise ValueError("one of the two layers must go backwards, the other not")
        for name in ("stateful", "return_sequences", "return_state"):
            if getattr(self.forward_layer, name) != getattr(self.backward_layer, name):
                raise ValueError(f"the two layers differ in {name}")

    def _sublayers(self):
        return [self.forward_layer, self.backward_layer]  # not the layer that they were copied from

    def _checkpoint_children(self):
        """Both layers, and not the one that they were copied from."""
        return {name: child for name, child in super()._checkpoint_children().items() if name != "layer"}

    def build(self, input_shape):
        for layer in self._sublayers():
            layer._dtype = layer._dtype or self._dtype
            with name_scope(layer.name):
                if not layer.built:
                    layer.build(input_shape)
                    layer.built = True
                    if layer._options.get("weights") is not None:
                        layer.set_weights(layer._options["weights"])
        self.built = True

    def __call__(self, inputs, initial_state=None, constants=None, **kwargs):
        """Creates the variables at the first call, and computes the output; see `tf.keras.layers.RNN`."""
        return super().__call__(**call_arguments(inputs, initial_state, constants), **kwargs)

    def call(self, inputs, training=None, mask=None, initial_state=None, constants=None):
        """The combined outputs of both layers.

        Args:
            inputs: a tensor [batch, time, ...].
            training: passed on to the layers.
            mask: bools [batch, time]: masked steps are skipped.
            initial_state: the states of the forward layer, then of the backward layer.
            constants: tensors that are passed to each step.

        Raises:
            ValueError: the number of states is odd.
        """
        options = {"mask": mask, "training": training}
        if constants is not None:
            options["constants"] = constants
        forward_state = backward_state = None
        if initial_state is not None:
            if len(initial_state) % 2:
                raise ValueError("initial_state must be a list: the states of the layer forward, then those backward")
            half = len(initial_state) // 2
            forward_state, backward_state = initial_state[:half], initial_state[half:]
        forward = self._direction(self.forward_layer, inputs, forward_state, options)
        backward = self._direction(self.backward_layer, inputs, backward_state, options)
        states = []
        if self.return_state:
            states = [*forward[1:], *backward[1:]]
            forward, backward = forward[0], backward[0]
        if self.return_sequences:
            axis = 0 if getattr(self.forward_layer, "time_major", False) else 1
            backward = pad.reverse_v2(backward, [axis])
        outputs = [forward, backward] if self.merge_mode is None else _MERGES[self.merge_mode](forward, backward)
        if not self.return_state:
            return outputs
        return [*nest.flatten([outputs]), *states]

    @staticmethod
    def _direction(layer, inputs, state, options):
        given = {key: value for key, value in options.items() if value is not None}
        if state is not None:
            given["initial_state"] = state
        return layer(inputs, **given)

    def reset_states(self):
        """Resets the states of both layers to zero."""
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def compute_mask(self, inputs, mask):
        mask = mask[0] if isinstance(mask, list) else mask
        if not self.return_sequences:
            output = None
        else:
            output = [mask, mask] if self.merge_mode is None else mask
        if not self.return_state:
            return output
        count = len(nest.flatten(self.forward_layer.cell.state_size))
        return [*nest.flatten([output]), *[None] * (2 * count)]

    def compute_output_shape(self, input_shape):
        shape = self.forward_layer.compute_output_shape(input_shape)
        states = []
        if self.return_state:
            shape, *states = shape
        if self.merge_mode == "concat":
            sizes = shape.as_list()
            output = TensorShape([*sizes[:-1], sizes[-1] * 2])
        else:
            output = [shape, shape] if self.merge_mode is None else shape
        return [*nest.flatten([output]), *states, *states] if self.return_state else output

    def get_config(self):
        """The constructor's arguments, for `from_config`."""
        config = {**super().get_config(), "merge_mode": self.merge_mode}
        if self._given_backward:
            config["backward_layer"] = layers_by_name.serialize(self.backward_layer)
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """A layer with these arguments."""
        config = dict(config)
        if "backward_layer" in config:
            config["backward_layer"] = layers_by_name.deserialize(config["backward_layer"], custom_objects)
        return super().from_config(config, custom_objects)


def _copy(layer, backward=False):
    """A copy of a layer with its own variables, optionally reversed in time; cells may be of classes of programs."""
    config = layer.get_config()
    if backward:
        config["go_backwards"] = not config["go_backwards"]
    with objects.also({type(each).__name__: type(each) for each in layer.submodules}):
        return type(layer).from_config(config)
