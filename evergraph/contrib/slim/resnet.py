"""tf.contrib.slim.nets.resnet_v1 and resnet_v2: residual networks of He et al. (2015, 2016)."""
from __future__ import annotations

import contextlib
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.framework.arg_scopes import Scope, add_arg_scope, arg_scope
from evergraph.contrib.layers.batch_normalization import batch_norm
from evergraph.contrib.layers.convolutions import conv2d
from evergraph.contrib.layers.initializers import variance_scaling_initializer
from evergraph.contrib.layers.names import collect_named_outputs, convert_collection_to_dict, last_dimension
from evergraph.contrib.layers.pooling import max_pool2d
from evergraph.contrib.layers.shape import softmax
from evergraph.frontend.reduce import reduce_mean
from evergraph.frontend.variables.regularizers import l2_regularizer
from evergraph.frontend.variables.scope import variable_scope
from evergraph.ops.arrays import pad
from evergraph.ops.nn import activations


def _names(name: str, *modules: str) -> tuple[str, ...]:
    return tuple(f"contrib.slim.nets.{module}.{name}" for module in modules)


Block = export(*_names("Block", "resnet_utils"))(namedtuple("Block", ["scope", "unit_fn", "args"]))
Block.__doc__ = "A part of a network: its name, the function of a unit, and for each unit its arguments by name."


@export(*_names("subsample", "resnet_utils"))
def subsample(inputs: Any, factor: int, scope: str | None = None) -> Any:
    """Every `factor`-th row and column of images."""
    return inputs if factor == 1 else max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


@export(*_names("conv2d_same", "resnet_utils"))
def conv2d_same(inputs: Any, num_outputs: int, kernel_size: int, stride: int, rate: int = 1,
                scope: str | None = None) -> Any:
    """A convolution with a stride whose padding does not depend on the size of the images.

    Args:
        inputs: images.
        num_outputs: the number of channels of the outputs.
        kernel_size: the size of the filters.
        stride: how far they move at a time.
        rate: how far apart their elements are.
        scope: the name of the layer.
    """
    if stride == 1:
        return conv2d(inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME", scope=scope)
    total = kernel_size + (kernel_size - 1) * (rate - 1) - 1
    sides = [total // 2, total - total // 2]
    padded = pad.pad(inputs, [[0, 0], sides, sides, [0, 0]])
    return conv2d(padded, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID", scope=scope)


@export(*_names("stack_blocks_dense", "resnet_utils"))
@add_arg_scope
def stack_blocks_dense(net: Any, blocks: Sequence[Any], output_stride: int | None = None,
                       outputs_collections: Any = None) -> Any:
    """Blocks one after the other; beyond `output_stride`, filters with holes take the place of strides.

    Args:
        net: images.
        blocks: a list of `Block`.
        output_stride: how many times smaller the output may be; None for as much as the blocks say.
        outputs_collections: collections for the outputs of blocks.

    Raises:
        ValueError: the strides of the blocks cannot make it.
    """
    stride, rate = 1, 1
    for block in blocks:
        with variable_scope(block.scope, "block", [net]) as inner:
            for number, unit in enumerate(block.args, 1):
                if output_stride is not None and stride > output_stride:
                    raise ValueError(f"the blocks cannot make an output_stride of {output_stride}")
                with variable_scope(f"unit_{number}", values=[net]):
                    if output_stride is not None and stride == output_stride:
                        net = block.unit_fn(net, rate=rate, **{**unit, "stride": 1})
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        stride *= unit.get("stride", 1)
            net = collect_named_outputs(outputs_collections, inner.name, net)
    if output_stride is not None and stride != output_stride:
        raise ValueError(f"the blocks cannot make an output_stride of {output_stride}")
    return net


@export(*_names("resnet_arg_scope", "resnet_utils", "resnet_v1", "resnet_v2", "resnet_v1.resnet_utils",
                "resnet_v2.resnet_utils"))
def resnet_arg_scope(weight_decay: float = 0.0001, batch_norm_decay: float = 0.997, batch_norm_epsilon: float = 1e-5,
                     batch_norm_scale: bool = True) -> Scope:
    """The arguments that the layers of these networks have, for `arg_scope`.

    Args:
        weight_decay: of the penalty on weights.
        batch_norm_decay, batch_norm_epsilon, batch_norm_scale: of the batch normalization.
    """
    norm = {"decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "scale": batch_norm_scale,
            "updates_collections": "update_ops"}
    with arg_scope([conv2d], weights_regularizer=l2_regularizer(weight_decay),
                   weights_initializer=variance_scaling_initializer(), activation_fn=activations.relu,
                   normalizer_fn=batch_norm, normalizer_params=norm), \
            arg_scope([batch_norm], **norm), arg_scope([max_pool2d], padding="SAME") as made:
        return made


# ---- units

@export(*_names("bottleneck", "resnet_v1"))
@add_arg_scope
def bottleneck_v1(inputs: Any, depth: int, depth_bottleneck: int, stride: int, rate: int = 1,
                  outputs_collections: Any = None, scope: Any = None) -> Any:
    """A unit: three convolutions around a narrow middle, plus the inputs, then a ReLU.

    Args:
        inputs: images.
        depth: the number of channels of the outputs.
        depth_bottleneck: that of the middle.
        stride: how many times smaller the outputs are.
        rate: how far apart the elements of the filters are.
        outputs_collections: collections for the outputs.
        scope: the name of the unit.
    """
    with variable_scope(scope, "bottleneck_v1", [inputs]) as inner:
        if depth == last_dimension(inputs.shape, min_rank=4):
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            shortcut = conv2d(inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut")
        residual = conv2d(inputs, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = conv2d(residual, depth, [1, 1], stride=1, activation_fn=None, scope="conv3")
        return collect_named_outputs(outputs_collections, inner.name, activations.relu(shortcut + residual))


@export(*_names("bottleneck", "resnet_v2"))
@add_arg_scope
def bottleneck_v2(inputs: Any, depth: int, depth_bottleneck: int, stride: int, rate: int = 1,
                  outputs_collections: Any = None, scope: Any = None) -> Any:
    """A unit: normalization and ReLU first, three convolutions around a narrow middle, plus the inputs.

    Args:
        inputs: images.
        depth: the number of channels of the outputs.
        depth_bottleneck: that of the middle.
        stride: how many times smaller the outputs are.
        rate: how far apart the elements of the filters are.
        outputs_collections: collections for the outputs.
        scope: the name of the unit.
    """
    with variable_scope(scope, "bottleneck_v2", [inputs]) as inner:
        before = batch_norm(inputs, activation_fn=activations.relu, scope="preact")
        if depth == last_dimension(inputs.shape, min_rank=4):
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            shortcut = conv2d(before, depth, [1, 1], stride=stride, normalizer_fn=None, activation_fn=None,
                              scope="shortcut")
        residual = conv2d(before, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = conv2d(residual, depth, [1, 1], stride=1, normalizer_fn=None, activation_fn=None, scope="conv3")
        return collect_named_outputs(outputs_collections, inner.name, shortcut + residual)


# ---- networks

_DOC = """A residual network.

    Args:
        inputs: images.
        blocks: a list of `Block`.
        num_classes: the number of classes to predict; None to end before.
        is_training: whether batch normalization trains.
        global_pool: whether the mean over places is taken before the classes are predicted.
        output_stride: how many times smaller the output may be; None for 32.
        include_root_block: whether it begins with a convolution and pooling.
        reuse: True to share the variables of an earlier network of the same `scope`.
        scope: the name of the network.

    Returns:
        (the output or the logits, a dictionary of what is on the way).

    Raises:
        ValueError: `output_stride` is no multiple of 4.
    """


@contextlib.contextmanager
def _network(scope: Any, default: str, inputs: Any, reuse: Any, is_training: Any,
             unit: Callable[..., Any]) -> Iterator[tuple[Any, str]]:
    """The scopes around a network; gives its variable scope and the collection of what is on the way."""
    with variable_scope(scope, default, [inputs], reuse=reuse) as inner:
        collection = f"{inner.original_name_scope}_end_points"
        with arg_scope([conv2d, unit, stack_blocks_dense], outputs_collections=collection), \
                arg_scope([batch_norm], is_training=is_training):
            yield inner, collection


def _rooted(net: Any, output_stride: int | None, root: bool, **options: Any) -> tuple[Any, int | None]:
    if not root:
        return net, output_stride
    if output_stride is not None:
        if output_stride % 4 != 0:
            raise ValueError(f"output_stride must be a multiple of 4, got {output_stride}")
        output_stride //= 4
    with arg_scope([conv2d], **options):
        net = conv2d_same(net, 64, 7, stride=2, scope="conv1")
    return max_pool2d(net, [3, 3], stride=2, scope="pool1"), output_stride


def _ended(net: Any, num_classes: int | None, global_pool: bool, collection: str) -> tuple[Any, dict[str, Any]]:
    if global_pool:
        net = reduce_mean(net, [1, 2], name="pool5", keepdims=True)
    if num_classes is not None:
        net = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits")
    ends = convert_collection_to_dict(collection)
    if num_classes is not None:
        ends["predictions"] = softmax(net, scope="predictions")
    return net, ends


@export(*_names("resnet_v1", "resnet_v1"))
def resnet_v1(inputs: Any, blocks: Sequence[Any], num_classes: int | None = None, is_training: Any = True,
              global_pool: bool = True, output_stride: int | None = None, include_root_block: bool = True,
              reuse: Any = None, scope: Any = None) -> tuple[Any, dict[str, Any]]:
    with _network(scope, "resnet_v1", inputs, reuse, is_training, bottleneck_v1) as (_, collection):
        net, stride = _rooted(inputs, output_stride, include_root_block)
        net = stack_blocks_dense(net, blocks, stride)
        return _ended(net, num_classes, global_pool, collection)


@export(*_names("resnet_v2", "resnet_v2"))
def resnet_v2(inputs: Any, blocks: Sequence[Any], num_classes: int | None = None, is_training: Any = True,
              global_pool: bool = True, output_stride: int | None = None, include_root_block: bool = True,
              reuse: Any = None, scope: Any = None) -> tuple[Any, dict[str, Any]]:
    with _network(scope, "resnet_v2", inputs, reuse, is_training, bottleneck_v2) as (_, collection):
        net, stride = _rooted(inputs, output_stride, include_root_block, activation_fn=None, normalizer_fn=None)
        net = stack_blocks_dense(net, blocks, stride)
        net = batch_norm(net, activation_fn=activations.relu, scope="postnorm")
        return _ended(net, num_classes, global_pool, collection)


resnet_v1.__doc__ = resnet_v2.__doc__ = _DOC
resnet_v1.default_image_size = resnet_v2.default_image_size = 224  # type: ignore[attr-defined]


def _block(scope: str, base_depth: int, num_units: int, stride: int, unit: Callable[..., Any]) -> Any:
    one = {"depth": base_depth * 4, "depth_bottleneck": base_depth}
    return Block(scope, unit, [{**one, "stride": 1}] * (num_units - 1) + [{**one, "stride": stride}])


@export(*_names("resnet_v1_block", "resnet_v1"))
def resnet_v1_block(scope: str, base_depth: int, num_units: int, stride: int) -> Any:
    """A `Block` of so many units; the last one has the stride."""
    return _block(scope, base_depth, num_units, stride, bottleneck_v1)


@export(*_names("resnet_v2_block", "resnet_v2"))
def resnet_v2_block(scope: str, base_depth: int, num_units: int, stride: int) -> Any:
    """A `Block` of so many units; the last one has the stride."""
    return _block(scope, base_depth, num_units, stride, bottleneck_v2)


_UNITS = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3), 200: (3, 24, 36, 3)}


def _of_depth(version: str, depth: int, network: Callable[..., Any], unit: Callable[..., Any]) -> Any:
    """The network with so many layers."""
    name = f"resnet_{version}_{depth}"
    blocks = [_block(f"block{number}", 32 << number, units, 1 if number == 4 else 2, unit)
              for number, units in enumerate(_UNITS[depth], 1)]

    def function(inputs: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
                 output_stride: int | None = None, reuse: Any = None, scope: Any = name) -> tuple[Any, dict[str, Any]]:
        return network(inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block=True,
                       reuse=reuse, scope=scope)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The network of {depth} layers; the arguments are those of `resnet_{version}`."
    function.default_image_size = 224  # type: ignore[attr-defined]
    return export(*_names(name, f"resnet_{version}"))(function)


resnet_v1_50 = _of_depth("v1", 50, resnet_v1, bottleneck_v1)
resnet_v1_101 = _of_depth("v1", 101, resnet_v1, bottleneck_v1)
resnet_v1_152 = _of_depth("v1", 152, resnet_v1, bottleneck_v1)
resnet_v1_200 = _of_depth("v1", 200, resnet_v1, bottleneck_v1)
resnet_v2_50 = _of_depth("v2", 50, resnet_v2, bottleneck_v2)
resnet_v2_101 = _of_depth("v2", 101, resnet_v2, bottleneck_v2)
resnet_v2_152 = _of_depth("v2", 152, resnet_v2, bottleneck_v2)
resnet_v2_200 = _of_depth("v2", 200, resnet_v2, bottleneck_v2)
