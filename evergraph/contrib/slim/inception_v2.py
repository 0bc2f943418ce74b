"""tf.contrib.slim.nets.inception: Inception v2 of Ioffe and Szegedy (2015)."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export, names_in
from evergraph.contrib.framework.arg_scopes import Scope, arg_scope
from evergraph.contrib.layers.batch_normalization import batch_norm
from evergraph.contrib.layers.convolutions import conv2d, separable_convolution2d
from evergraph.contrib.layers.pooling import avg_pool2d, max_pool2d
from evergraph.contrib.layers.shape import dropout, softmax
from evergraph.contrib.slim.inception_blocks import at_most, built, classified, depths, layer_arguments
from evergraph.frontend.variables.initializers import truncated_normal_initializer
from evergraph.frontend.variables.scope import variable_scope

_names = names_in("contrib.slim.nets.inception")


def _block(plain: int, middle: tuple[int, int], double: tuple[int, int], pooled: int,
           pooling: tuple[Any, ...] = ("AvgPool_0a_3x3", None, "avg3x3")) -> tuple[Any, ...]:
    """A block: a convolution, one and two with a smaller one before them, and one after a pooling."""
    return ((("Conv2d_0a_1x1", plain, "1x1"),),
            (("Conv2d_0a_1x1", middle[0], "1x1", 0.09), ("Conv2d_0b_3x3", middle[1], "3x3")),
            (("Conv2d_0a_1x1", double[0], "1x1", 0.09), ("Conv2d_0b_3x3", double[1], "3x3"),
             ("Conv2d_0c_3x3", double[1], "3x3")),
            (pooling, ("Conv2d_0b_1x1", pooled, "1x1", 0.1)))


def _smaller(middle: tuple[int, int], double: tuple[int, int]) -> tuple[Any, ...]:
    """A block that halves height and width."""
    return ((("Conv2d_0a_1x1", middle[0], "1x1", 0.09), ("Conv2d_1a_3x3", middle[1], "3x3/2")),
            (("Conv2d_0a_1x1", double[0], "1x1", 0.09), ("Conv2d_0b_3x3", double[1], "3x3"),
             ("Conv2d_1a_3x3", double[1], "3x3/2")),
            (("MaxPool_1a_3x3", None, "max3x3/2"),))


_FIRST = "Conv2d_1a_7x7"
_PARTS = {
    "MaxPool_2a_3x3": (None, "max3x3/2"), "Conv2d_2b_1x1": (64, "1x1", 0.1), "Conv2d_2c_3x3": (192, "3x3"),
    "MaxPool_3a_3x3": (None, "max3x3/2"),
    "Mixed_3b": _block(64, (64, 64), (64, 96), 32),
    "Mixed_3c": _block(64, (64, 96), (64, 96), 64),
    "Mixed_4a": _smaller((128, 160), (64, 96)),
    "Mixed_4b": _block(224, (64, 96), (96, 128), 128),
    "Mixed_4c": _block(192, (96, 128), (96, 128), 128),
    "Mixed_4d": _block(160, (128, 160), (128, 160), 96),
    "Mixed_4e": _block(96, (128, 192), (160, 192), 96),
    "Mixed_5a": _smaller((128, 192), (192, 256)),
    "Mixed_5b": _block(352, (192, 320), (160, 224), 128),
    "Mixed_5c": _block(352, (192, 320), (192, 224), 128, pooling=("MaxPool_0a_3x3", None, "max3x3")),
}


@export(*_names("inception_v2_base"))
def inception_v2_base(inputs: Any, final_endpoint: str = "Mixed_5c", min_depth: int = 16, depth_multiplier: float = 1.0,
                      scope: Any = None) -> tuple[Any, dict[str, Any]]:
    """The network up to its last convolutions.

    Args:
        inputs: images.
        final_endpoint: where to end: "Conv2d_1a_7x7", ..., "MaxPool_3a_3x3", "Mixed_3b", ..., "Mixed_5c".
        min_depth: the least number of channels.
        depth_multiplier: what numbers of channels are multiplied with.
        scope: the name of the network.

    Returns:
        (the output, a dictionary of what is on the way).

    Raises:
        ValueError: a number is not positive, or there is no such end.
    """
    depth = depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV2", [inputs]), \
            arg_scope([conv2d, max_pool2d, avg_pool2d, separable_convolution2d], stride=1, padding="SAME"):
        channels = inputs.shape.as_list()[3]
        net = separable_convolution2d(inputs, depth(64), [7, 7], depth_multiplier=min(int(depth(64) / channels), 8),
                                      stride=2, weights_initializer=truncated_normal_initializer(0.0, 1.0),
                                      scope=_FIRST)
        return built(net, _PARTS, final_endpoint, depth, ends={_FIRST: net})


@export(*_names("inception_v2"))
def inception_v2(inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
                 min_depth: int = 16, depth_multiplier: float = 1.0, prediction_fn: Any = softmax,
                 spatial_squeeze: bool = True, reuse: Any = None,
                 scope: Any = "InceptionV2") -> tuple[Any, dict[str, Any]]:
    """The network with its classifier.

    Args:
        inputs: images, 224 x 224 by default.
        num_classes, is_training, dropout_keep_prob, min_depth, depth_multiplier, prediction_fn, spatial_squeeze, reuse,
            scope: see `inception_v3`.

    Returns:
        (the logits, a dictionary of what is on the way).
    """
    with variable_scope(scope, "InceptionV2", [inputs, num_classes], reuse=reuse) as inner, \
            arg_scope([batch_norm, dropout], is_training=is_training):
        net, ends = inception_v2_base(inputs, min_depth=min_depth, depth_multiplier=depth_multiplier, scope=inner)
        return classified(net, ends, at_most(net, 7), ("AvgPool_1a_{}x{}", "Dropout_1b", "Conv2d_1c_1x1"),
                          num_classes, dropout_keep_prob, prediction_fn, spatial_squeeze)


inception_v2.default_image_size = 224  # type: ignore[attr-defined]


@export(*_names("inception_v2_arg_scope"))
def inception_v2_arg_scope(weight_decay: float = 0.00004, batch_norm_var_collection: str = "moving_vars") -> Scope:
    """The arguments that the layers of the network have, for `arg_scope`.

    Args:
        weight_decay: of the penalty on weights.
        batch_norm_var_collection: a collection for the moving averages.
    """
    return layer_arguments(weight_decay, batch_norm_var_collection)
