"""tf.contrib.slim.nets.inception: Inception v1, the GoogLeNet of Szegedy et al. (2014)."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export, names_in
from evergraph.contrib.framework.arg_scopes import Scope, arg_scope
from evergraph.contrib.layers.batch_normalization import batch_norm
from evergraph.contrib.layers.convolutions import conv2d
from evergraph.contrib.layers.dense import fully_connected
from evergraph.contrib.layers.pooling import max_pool2d
from evergraph.contrib.layers.shape import dropout, softmax
from evergraph.contrib.slim.inception_blocks import built, classified, depths, layer_arguments
from evergraph.frontend.variables.initializers import truncated_normal_initializer
from evergraph.frontend.variables.scope import variable_scope

_names = names_in("contrib.slim.nets.inception")


def _block(plain: int, middle: tuple[int, int], large: tuple[int, int], pooled: int,
           last: str = "Conv2d_0b_3x3") -> tuple[Any, ...]:
    """A block: a convolution, two with a smaller one before them, and one after a pooling."""
    return ((("Conv2d_0a_1x1", plain, "1x1"),),
            (("Conv2d_0a_1x1", middle[0], "1x1"), ("Conv2d_0b_3x3", middle[1], "3x3")),
            (("Conv2d_0a_1x1", large[0], "1x1"), (last, large[1], "3x3")),
            (("MaxPool_0a_3x3", None, "max3x3"), ("Conv2d_0b_1x1", pooled, "1x1")))


_PARTS = {
    "Conv2d_1a_7x7": (64, "7x7/2"), "MaxPool_2a_3x3": (None, "max3x3/2"), "Conv2d_2b_1x1": (64, "1x1"),
    "Conv2d_2c_3x3": (192, "3x3"), "MaxPool_3a_3x3": (None, "max3x3/2"),
    "Mixed_3b": _block(64, (96, 128), (16, 32), 32),
    "Mixed_3c": _block(128, (128, 192), (32, 96), 64),
    "MaxPool_4a_3x3": (None, "max3x3/2"),
    "Mixed_4b": _block(192, (96, 208), (16, 48), 64),
    "Mixed_4c": _block(160, (112, 224), (24, 64), 64),
    "Mixed_4d": _block(128, (128, 256), (24, 64), 64),
    "Mixed_4e": _block(112, (144, 288), (32, 64), 64),
    "Mixed_4f": _block(256, (160, 320), (32, 128), 128),
    "MaxPool_5a_2x2": (None, "max2x2/2"),
    "Mixed_5b": _block(256, (160, 320), (32, 128), 128, last="Conv2d_0a_3x3"),  # the name that checkpoints have
    "Mixed_5c": _block(384, (192, 384), (48, 128), 128),
}


@export(*_names("inception_v1_base"))
def inception_v1_base(inputs: Any, final_endpoint: str = "Mixed_5c",
                      scope: Any = "InceptionV1") -> tuple[Any, dict[str, Any]]:
    """The network up to its last convolutions.

    Args:
        inputs: images.
        final_endpoint: where to end: "Conv2d_1a_7x7", ..., "MaxPool_3a_3x3", "Mixed_3b", ..., "Mixed_5c".
        scope: the name of the network.

    Returns:
        (the output, a dictionary of what is on the way).

    Raises:
        ValueError: there is no such end.
    """
    with variable_scope(scope, "InceptionV1", [inputs]), \
            arg_scope([conv2d, fully_connected], weights_initializer=truncated_normal_initializer(0.0, 0.01)), \
            arg_scope([conv2d, max_pool2d], stride=1, padding="SAME"):
        return built(inputs, _PARTS, final_endpoint, depths(1.0, 1))


@export(*_names("inception_v1"))
def inception_v1(inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
                 prediction_fn: Any = softmax, spatial_squeeze: bool = True, reuse: Any = None,
                 scope: Any = "InceptionV1") -> tuple[Any, dict[str, Any]]:
    """The network with its classifier.

    Args:
        inputs: images, 224 x 224 by default.
        num_classes: the number of classes to predict.
        is_training: whether batch normalization and dropout train.
        dropout_keep_prob: the probability that an element is kept.
        prediction_fn: makes predictions of logits.
        spatial_squeeze: whether the logits are [batch, classes], without places.
        reuse: True to share the variables of an earlier network of the same `scope`.
        scope: the name of the network.

    Returns:
        (the logits, a dictionary of what is on the way).
    """
    with variable_scope(scope, "InceptionV1", [inputs, num_classes], reuse=reuse) as inner, \
            arg_scope([batch_norm, dropout], is_training=is_training):
        net, ends = inception_v1_base(inputs, scope=inner)
        # The pooling is an average, whatever its name says.
        return classified(net, ends, [7, 7], ("MaxPool_0a_7x7", "Dropout_0b", "Conv2d_0c_1x1"), num_classes,
                          dropout_keep_prob, prediction_fn, spatial_squeeze)


inception_v1.default_image_size = 224  # type: ignore[attr-defined]


@export(*_names("inception_v1_arg_scope"))
def inception_v1_arg_scope(weight_decay: float = 0.00004, use_batch_norm: bool = True,
                           batch_norm_var_collection: str = "moving_vars") -> Scope:
    """The arguments that the layers of the network have, for `arg_scope`.

    Args:
        weight_decay: of the penalty on weights.
        use_batch_norm: whether convolutions are normalized.
        batch_norm_var_collection: a collection for the moving averages.
    """
    return layer_arguments(weight_decay, batch_norm_var_collection, use_batch_norm=use_batch_norm)
