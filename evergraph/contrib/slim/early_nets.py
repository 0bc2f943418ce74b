"""tf.contrib.slim.nets.alexnet and overfeat: networks of Krizhevsky (2014) and of Sermanet et al. (2013)."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.framework.arg_scopes import Scope, arg_scope
from evergraph.contrib.layers.convolutions import conv2d
from evergraph.contrib.layers.dense import fully_connected
from evergraph.contrib.layers.names import convert_collection_to_dict
from evergraph.contrib.layers.pooling import max_pool2d
from evergraph.contrib.layers.shape import dropout
from evergraph.frontend.array import squeeze
from evergraph.frontend.variables.initializers import (
    constant_initializer,
    truncated_normal_initializer,
    zeros_initializer,
)
from evergraph.frontend.variables.regularizers import l2_regularizer
from evergraph.frontend.variables.scope import variable_scope
from evergraph.ops.nn import activations

# A layer is (name, channels, size, stride, padding); a pooling has no channels.
_ALEXNET = (("conv1", 64, 11, 4, "VALID"), ("pool1", None, 3, 2, "VALID"), ("conv2", 192, 5, 1, "SAME"),
            ("pool2", None, 3, 2, "VALID"), ("conv3", 384, 3, 1, "SAME"), ("conv4", 384, 3, 1, "SAME"),
            ("conv5", 256, 3, 1, "SAME"), ("pool5", None, 3, 2, "VALID"), ("fc6", 4096, 5, 1, "VALID"))
_OVERFEAT = (("conv1", 64, 11, 4, "VALID"), ("pool1", None, 2, 2, "VALID"), ("conv2", 256, 5, 1, "VALID"),
             ("pool2", None, 2, 2, "VALID"), ("conv3", 512, 3, 1, "SAME"), ("conv4", 1024, 3, 1, "SAME"),
             ("conv5", 1024, 3, 1, "SAME"), ("pool5", None, 2, 2, "VALID"), ("fc6", 3072, 6, 1, "VALID"))


def _arguments(weight_decay: float, biases_initializer: Any) -> Scope:
    with arg_scope([conv2d, fully_connected], activation_fn=activations.relu, biases_initializer=biases_initializer,
                   weights_regularizer=l2_regularizer(weight_decay)), \
            arg_scope([conv2d], padding="SAME"), arg_scope([max_pool2d], padding="VALID") as made:
        return made


@export("contrib.slim.nets.alexnet.alexnet_v2_arg_scope")
def alexnet_v2_arg_scope(weight_decay: float = 0.0005) -> Scope:
    """The arguments that the layers of `alexnet_v2` have, for `arg_scope`.

    Args:
        weight_decay: of the penalty on weights.
    """
    return _arguments(weight_decay, constant_initializer(0.1))


@export("contrib.slim.nets.overfeat.overfeat_arg_scope")
def overfeat_arg_scope(weight_decay: float = 0.0005) -> Scope:
    """The arguments that the layers of `overfeat` have, for `arg_scope`.

    Args:
        weight_decay: of the penalty on weights.
    """
    return _arguments(weight_decay, zeros_initializer())


def _built(net: Any, layers: Any, num_classes: int, is_training: Any, keep: float, squeezes: bool, scope: Any,
           name: str) -> tuple[Any, dict[str, Any]]:
    """The network of these layers, with its classifier of convolutions."""
    normal = truncated_normal_initializer(0.0, 0.005)
    with variable_scope(scope, name, [net]) as inner:
        collection = f"{inner.original_name_scope}_end_points"
        with arg_scope([conv2d, fully_connected, max_pool2d], outputs_collections=[collection]):
            for layer, channels, size, stride, padding in layers:
                if channels is None:
                    net = max_pool2d(net, [size, size], stride, padding=padding, scope=layer)
                else:
                    started = {"weights_initializer": normal, "biases_initializer": constant_initializer(0.1)} \
                        if layer == "fc6" else {}
                    net = conv2d(net, channels, [size, size], stride, padding=padding, scope=layer, **started)
            net = dropout(net, keep, is_training=is_training, scope="dropout6")
            net = conv2d(net, 4096, [1, 1], scope="fc7", weights_initializer=normal,
                         biases_initializer=constant_initializer(0.1))
            net = dropout(net, keep, is_training=is_training, scope="dropout7")
            net = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, weights_initializer=normal,
                         biases_initializer=zeros_initializer(), scope="fc8")
        ends = convert_collection_to_dict(collection)
        if squeezes:
            net = ends[f"{inner.name}/fc8"] = squeeze(net, [1, 2], name="fc8/squeezed")
        return net, ends


@export("contrib.slim.nets.alexnet.alexnet_v2")
def alexnet_v2(inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
               spatial_squeeze: bool = True, scope: Any = "alexnet_v2") -> tuple[Any, dict[str, Any]]:
    """AlexNet in the second version (Krizhevsky, 2014), on one device, without local response normalization.

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
    return _built(inputs, _ALEXNET, num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope, "alexnet_v2")


@export("contrib.slim.nets.overfeat.overfeat")
def overfeat(inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
             spatial_squeeze: bool = True, scope: Any = "overfeat") -> tuple[Any, dict[str, Any]]:
    """OverFeat (Sermanet et al., 2013).

    Args:
        inputs: images, 231 x 231 unless `spatial_squeeze` is False.
        num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope: see `alexnet_v2`.

    Returns:
        (the logits, a dictionary of what is on the way).
    """
    return _built(inputs, _OVERFEAT, num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope, "overfeat")


alexnet_v2.default_image_size = 224  # type: ignore[attr-defined]
overfeat.default_image_size = 231  # type: ignore[attr-defined]
