"""tf.contrib.slim.nets.vgg: the networks of Simonyan and Zisserman (2014)."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export, names_in
from evergraph.contrib.framework.arg_scopes import Scope, arg_scope
from evergraph.contrib.layers.convolutions import conv2d
from evergraph.contrib.layers.dense import fully_connected, repeat
from evergraph.contrib.layers.names import convert_collection_to_dict
from evergraph.contrib.layers.pooling import max_pool2d
from evergraph.contrib.layers.shape import dropout
from evergraph.frontend.array import squeeze
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.regularizers import l2_regularizer
from evergraph.frontend.variables.scope import variable_scope
from evergraph.ops.nn import activations

_CHANNELS = (64, 128, 256, 512, 512)

_names = names_in("contrib.slim.nets.vgg")


@export(*_names("vgg_arg_scope"))
def vgg_arg_scope(weight_decay: float = 0.0005) -> Scope:
    """The arguments that the layers of these networks have, for `arg_scope`.

    Args:
        weight_decay: of the penalty on weights.
    """
    with arg_scope([conv2d, fully_connected], activation_fn=activations.relu,
                   weights_regularizer=l2_regularizer(weight_decay), biases_initializer=zeros_initializer()), \
            arg_scope([conv2d], padding="SAME") as made:
        return made


def _network(name: str, repetitions: tuple[int, ...], layers: int) -> Any:
    """The network with so many convolutions before each pooling."""
    def function(inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
                 spatial_squeeze: bool = True, scope: Any = name) -> tuple[Any, dict[str, Any]]:
        with variable_scope(scope, name, [inputs]) as inner:
            collection = f"{inner.original_name_scope}_end_points"
            with arg_scope([conv2d, fully_connected, max_pool2d], outputs_collections=collection):
                net = inputs
                for number, (times, channels) in enumerate(zip(repetitions, _CHANNELS), 1):
                    net = repeat(net, times, conv2d, channels, [3, 3], scope=f"conv{number}")
                    net = max_pool2d(net, [2, 2], scope=f"pool{number}")
                net = conv2d(net, 4096, [7, 7], padding="VALID", scope="fc6")
                net = dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout6")
                net = conv2d(net, 4096, [1, 1], scope="fc7")
                net = dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout7")
                net = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="fc8")
            ends = convert_collection_to_dict(collection)
            if spatial_squeeze:
                net = squeeze(net, [1, 2], name="fc8/squeezed")
                ends[f"{inner.name}/fc8"] = net
            return net, ends

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""The network of {layers} layers.

    Args:
        inputs: images, 224 x 224 unless `spatial_squeeze` is False.
        num_classes: the number of classes to predict.
        is_training: whether dropout drops.
        dropout_keep_prob: the probability that an element is kept.
        spatial_squeeze: whether the outputs are [batch, classes], without places.
        scope: the name of the network.

    Returns:
        (the logits, a dictionary of what is on the way).
    """
    function.default_image_size = 224  # type: ignore[attr-defined]
    return export(*_names(name))(function)


vgg_a = _network("vgg_a", (1, 1, 2, 2, 2), 11)
vgg_16 = vgg_d = _network("vgg_16", (2, 2, 3, 3, 3), 16)
vgg_19 = vgg_e = _network("vgg_19", (2, 2, 4, 4, 4), 19)
export(*_names("vgg_d"))(vgg_d)
export(*_names("vgg_e"))(vgg_e)
