"""Inception networks as data, and what builds them.

A convolution is (name, channels, kernel), with a standard deviation behind it if its weights begin as normal numbers;
"/2" after the kernel is a stride of 2, "valid" no padding. "max3x3" and "avg3x3" are poolings. A tuple of convolutions
stands side by side. A branch is a tuple of these, and a block a tuple of branches, whose outputs are put together.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from evergraph.contrib.framework.arg_scopes import Scope, arg_scope
from evergraph.contrib.layers.batch_normalization import batch_norm
from evergraph.contrib.layers.convolutions import conv2d
from evergraph.contrib.layers.dense import fully_connected
from evergraph.contrib.layers.initializers import variance_scaling_initializer
from evergraph.contrib.layers.pooling import avg_pool2d, max_pool2d
from evergraph.contrib.layers.shape import dropout
from evergraph.frontend.array import concat, squeeze
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.variables.initializers import truncated_normal_initializer
from evergraph.frontend.variables.regularizers import l2_regularizer
from evergraph.frontend.variables.scope import variable_scope
from evergraph.ops.nn import activations

_KERNEL = re.compile(r"(max|avg)?(\d)x(\d)(/2)?(valid)?")


def depths(depth_multiplier: float, min_depth: int) -> Callable[[int], int]:
    """A function from the channels of a network to those of one that is thinner or wider.

    Raises:
        ValueError: the factor is not positive.
    """
    if depth_multiplier <= 0:
        raise ValueError(f"depth_multiplier must be positive, got {depth_multiplier}")
    return lambda channels: max(int(channels * depth_multiplier), min_depth)


def _layer(net: Any, depth: Any, strided: str, name: str, channels: int | None, kernel: str,
           deviation: float | None = None) -> Any:
    """One layer of the data; `strided` is the padding of those that have a stride."""
    pooling, height, width, stride, valid = _KERNEL.fullmatch(kernel).groups()
    padding = "VALID" if valid else strided if stride else "SAME"
    options = {"stride": 2 if stride else 1, "padding": padding, "scope": name}
    shape = [int(height), int(width)]
    if pooling:
        return (max_pool2d if pooling == "max" else avg_pool2d)(net, shape, **options)
    if deviation is not None:
        options["weights_initializer"] = truncated_normal_initializer(0.0, deviation)
    return conv2d(net, depth(channels), shape, **options)


def _branch(net: Any, layers: Any, depth: Any, strided: str) -> Any:
    for each in layers:
        if isinstance(each[0], tuple):
            net = concat([_layer(net, depth, strided, *side) for side in each], 3)
        else:
            net = _layer(net, depth, strided, *each)
    return net


def built(net: Any, parts: Mapping[str, Any], final_endpoint: str, depth: Any, strided: str = "SAME",
          ends: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
    """The network up to one of its ends.

    Args:
        net: its input.
        parts: the parts of the network in order: name -> a layer without its name, or a block.
        final_endpoint: the name of the last part.
        depth: see `depths`.
        strided: the padding of layers with a stride.
        ends: what is before.

    Returns:
        (the output, a dictionary of what is on the way).

    Raises:
        ValueError: there is no such end.
    """
    ends = {} if ends is None else ends
    if final_endpoint in ends:
        return net, ends
    for name, part in parts.items():
        if isinstance(part[0], tuple):
            with variable_scope(name):
                branches = []
                for number, layers in enumerate(part):
                    with variable_scope(f"Branch_{number}"):
                        branches.append(_branch(net, layers, depth, strided))
                net = ends[name] = concat(branches, 3)
        else:
            net = ends[name] = _layer(net, depth, strided, name, *part)
        if name == final_endpoint:
            return net, ends
    raise ValueError(f"the network has no end {final_endpoint}")


def at_most(net: Any, size: int) -> list[int]:
    """A kernel size that is not larger than the images, where that is known."""
    known = net.shape.as_list()[1:3]
    return [size, size] if None in known else [min(each, size) for each in known]


def classified(net: Any, ends: dict[str, Any], size: list[int], names: tuple[str, str, str], num_classes: int,
               dropout_keep_prob: float, prediction_fn: Any, spatial_squeeze: bool) -> tuple[Any, dict[str, Any]]:
    """The classifier: pooling over places, as many as `size` says, dropout, and a convolution, with these names.

    Returns:
        (the logits, the ends with what was added).
    """
    pool, drop, last = names
    with variable_scope("Logits"):
        net = avg_pool2d(net, size, stride=1, padding="VALID", scope=pool.format(*size))
        net = ends["PreLogits"] = dropout(net, keep_prob=dropout_keep_prob, scope=drop)
        logits = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope=last)
        logits = squeeze(logits, [1, 2], name="SpatialSqueeze") if spatial_squeeze else logits
    ends["Logits"], ends["Predictions"] = logits, prediction_fn(logits, scope="Predictions")
    return logits, ends


def layer_arguments(weight_decay: float, collection: str, decay: float = 0.9997, epsilon: float = 0.001,
                    use_batch_norm: bool = True, **options: Any) -> Scope:
    """The arguments that the layers of a network have, for `arg_scope`.

    Args:
        weight_decay: of the penalty on weights.
        collection: a collection for the moving averages of batch normalization.
        decay, epsilon, **options: of batch normalization.
        use_batch_norm: False for none.
    """
    norm = {"decay": decay, "epsilon": epsilon, "updates_collections": GraphKeys.UPDATE_OPS, **options,
            "variables_collections": {"beta": None, "gamma": None, "moving_mean": [collection],
                                      "moving_variance": [collection]}}
    with arg_scope([conv2d, fully_connected], weights_regularizer=l2_regularizer(weight_decay)), \
            arg_scope([conv2d], weights_initializer=variance_scaling_initializer(), activation_fn=activations.relu,
                      normalizer_fn=batch_norm if use_batch_norm else None,
                      normalizer_params=norm if use_batch_norm else {}) as made:
        return made
