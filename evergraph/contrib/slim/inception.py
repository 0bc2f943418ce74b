"""tf.contrib.slim.nets.inception: Inception v3 of Szegedy et al. (2015)."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export, names_in
from evergraph.contrib.framework.arg_scopes import Scope, arg_scope
from evergraph.contrib.layers.batch_normalization import batch_norm
from evergraph.contrib.layers.convolutions import conv2d
from evergraph.contrib.layers.pooling import avg_pool2d, max_pool2d
from evergraph.contrib.layers.shape import dropout, softmax
from evergraph.contrib.slim.inception_blocks import at_most, built, classified, depths, layer_arguments
from evergraph.frontend.array import squeeze
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.variables.initializers import truncated_normal_initializer
from evergraph.frontend.variables.scope import variable_scope

_names = names_in("contrib.slim.nets.inception")


def _fives(pooled: int, first: str = "Conv2d_0a_1x1", second: str = "Conv2d_0b_5x5") -> tuple[Any, ...]:
    """A block of branches with filters up to 5 x 5."""
    return ((("Conv2d_0a_1x1", 64, "1x1"),),
            ((first, 48, "1x1"), (second, 64, "5x5")),
            (("Conv2d_0a_1x1", 64, "1x1"), ("Conv2d_0b_3x3", 96, "3x3"), ("Conv2d_0c_3x3", 96, "3x3")),
            (("AvgPool_0a_3x3", None, "avg3x3"), ("Conv2d_0b_1x1", pooled, "1x1")))


def _sevens(inner: int) -> tuple[Any, ...]:
    """A block of branches with filters up to 7 x 1."""
    return ((("Conv2d_0a_1x1", 192, "1x1"),),
            (("Conv2d_0a_1x1", inner, "1x1"), ("Conv2d_0b_1x7", inner, "1x7"), ("Conv2d_0c_7x1", 192, "7x1")),
            (("Conv2d_0a_1x1", inner, "1x1"), ("Conv2d_0b_7x1", inner, "7x1"), ("Conv2d_0c_1x7", inner, "1x7"),
             ("Conv2d_0d_7x1", inner, "7x1"), ("Conv2d_0e_1x7", 192, "1x7")),
            (("AvgPool_0a_3x3", None, "avg3x3"), ("Conv2d_0b_1x1", 192, "1x1")))


def _forked(second: str) -> tuple[Any, ...]:
    """A block whose branches end in two convolutions side by side."""
    return ((("Conv2d_0a_1x1", 320, "1x1"),),
            (("Conv2d_0a_1x1", 384, "1x1"), (("Conv2d_0b_1x3", 384, "1x3"), (second, 384, "3x1"))),
            (("Conv2d_0a_1x1", 448, "1x1"), ("Conv2d_0b_3x3", 384, "3x3"),
             (("Conv2d_0c_1x3", 384, "1x3"), ("Conv2d_0d_3x1", 384, "3x1"))),
            (("AvgPool_0a_3x3", None, "avg3x3"), ("Conv2d_0b_1x1", 192, "1x1")))


_PARTS = {
    "Conv2d_1a_3x3": (32, "3x3/2"), "Conv2d_2a_3x3": (32, "3x3valid"), "Conv2d_2b_3x3": (64, "3x3"),
    "MaxPool_3a_3x3": (None, "max3x3/2"), "Conv2d_3b_1x1": (80, "1x1valid"), "Conv2d_4a_3x3": (192, "3x3valid"),
    "MaxPool_5a_3x3": (None, "max3x3/2"),
    "Mixed_5b": _fives(32),
    "Mixed_5c": _fives(64, "Conv2d_0b_1x1", "Conv_1_0c_5x5"),
    "Mixed_5d": _fives(64),
    "Mixed_6a": ((("Conv2d_1a_1x1", 384, "3x3/2"),),
                 (("Conv2d_0a_1x1", 64, "1x1"), ("Conv2d_0b_3x3", 96, "3x3"), ("Conv2d_1a_1x1", 96, "3x3/2")),
                 (("MaxPool_1a_3x3", None, "max3x3/2"),)),
    "Mixed_6b": _sevens(128),
    "Mixed_6c": _sevens(160),
    "Mixed_6d": _sevens(160),
    "Mixed_6e": _sevens(192),
    "Mixed_7a": ((("Conv2d_0a_1x1", 192, "1x1"), ("Conv2d_1a_3x3", 320, "3x3/2")),
                 (("Conv2d_0a_1x1", 192, "1x1"), ("Conv2d_0b_1x7", 192, "1x7"), ("Conv2d_0c_7x1", 192, "7x1"),
                  ("Conv2d_1a_3x3", 192, "3x3/2")),
                 (("MaxPool_1a_3x3", None, "max3x3/2"),)),
    "Mixed_7b": _forked("Conv2d_0b_3x1"),
    "Mixed_7c": _forked("Conv2d_0c_3x1"),
}


@export(*_names("inception_v3_base"))
def inception_v3_base(inputs: Any, final_endpoint: str = "Mixed_7c", min_depth: int = 16, depth_multiplier: float = 1.0,
                      scope: Any = None) -> tuple[Any, dict[str, Any]]:
    """The network up to its last convolutions.

    Args:
        inputs: images.
        final_endpoint: where to end: "Conv2d_1a_3x3", ..., "MaxPool_5a_3x3", "Mixed_5b", ..., "Mixed_7c".
        min_depth: the least number of channels.
        depth_multiplier: what numbers of channels are multiplied with.
        scope: the name of the network.

    Returns:
        (the output, a dictionary of what is on the way).

    Raises:
        ValueError: a number is not positive, or there is no such end.
    """
    depth = depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV3", [inputs]), \
            arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="VALID"):
        return built(inputs, _PARTS, final_endpoint, depth, strided="VALID")


@export(*_names("inception_v3"))
def inception_v3(inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
                 min_depth: int = 16, depth_multiplier: float = 1.0, prediction_fn: Any = softmax,
                 spatial_squeeze: bool = True, reuse: Any = None,
                 scope: Any = "InceptionV3") -> tuple[Any, dict[str, Any]]:
    """The network with its classifier and the auxiliary one.

    Args:
        inputs: images, 299 x 299 by default.
        num_classes: the number of classes to predict.
        is_training: whether batch normalization and dropout train.
        dropout_keep_prob: the probability that an element is kept.
        min_depth: the least number of channels.
        depth_multiplier: what numbers of channels are multiplied with.
        prediction_fn: makes predictions of logits.
        spatial_squeeze: whether the logits are [batch, classes], without places.
        reuse: True to share the variables of an earlier network of the same `scope`.
        scope: the name of the network.

    Returns:
        (the logits, a dictionary of what is on the way).
    """
    depth = depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as inner, \
            arg_scope([batch_norm, dropout], is_training=is_training):
        net, ends = inception_v3_base(inputs, min_depth=min_depth, depth_multiplier=depth_multiplier, scope=inner)
        with arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"):
            ends["AuxLogits"] = _auxiliary(ends["Mixed_6e"], num_classes, depth, spatial_squeeze)
            return classified(net, ends, at_most(net, 8), ("AvgPool_1a_{}x{}", "Dropout_1b", "Conv2d_1c_1x1"),
                              num_classes, dropout_keep_prob, prediction_fn, spatial_squeeze)


inception_v3.default_image_size = 299  # type: ignore[attr-defined]


def _auxiliary(net: Any, num_classes: int, depth: Any, spatial_squeeze: bool) -> Any:
    with variable_scope("AuxLogits"):
        net = avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = conv2d(net, depth(128), [1, 1], scope="Conv2d_1b_1x1")
        size = at_most(net, 5)
        net = conv2d(net, depth(768), size, weights_initializer=truncated_normal_initializer(0.0, 0.01),
                     padding="VALID", scope=f"Conv2d_2a_{size[0]}x{size[1]}")
        net = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
                     weights_initializer=truncated_normal_initializer(0.0, 0.001), scope="Conv2d_2b_1x1")
        return squeeze(net, [1, 2], name="SpatialSqueeze") if spatial_squeeze else net


@export(*_names("inception_v3_arg_scope"))
def inception_v3_arg_scope(weight_decay: float = 0.00004, batch_norm_var_collection: str = "moving_vars",
                           batch_norm_decay: float = 0.9997, batch_norm_epsilon: float = 0.001,
                           updates_collections: Any = GraphKeys.UPDATE_OPS, use_fused_batchnorm: bool = True) -> Scope:
    """The arguments that the layers of the network have, for `arg_scope`.

    Args:
        weight_decay: of the penalty on weights.
        batch_norm_var_collection: a collection for the moving averages.
        batch_norm_decay, batch_norm_epsilon, updates_collections, use_fused_batchnorm: of the batch normalization.
    """
    return layer_arguments(weight_decay, batch_norm_var_collection, batch_norm_decay, batch_norm_epsilon,
                           updates_collections=updates_collections, fused=use_fused_batchnorm)
