"""tf.contrib.layers: pooling."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.framework.arg_scopes import add_arg_scope
from evergraph.contrib.layers.names import collect_named_outputs, everywhere, n_positive_integers
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.nn.pool import pool as pool_any
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.nn import pool as ops

_ARGUMENTS = """

    Args:
        inputs: a tensor of rank {rank}.
        kernel_size: the size of the windows: an integer, or {count}.
        stride: the strides of the windows: an integer, or {count}.
        padding: "VALID" or "SAME".
        data_format: "{last}", or "{first}" for channels after the batch.
        outputs_collections: collections for the outputs.
        scope: the name of the layer.

    Raises:
        ValueError: the layout is unknown, or an integer is not positive.
    """


def _pooled(op: Any, default: str, layouts: tuple[str, str], inputs: Any, kernel_size: Any, stride: Any, padding: str,
            data_format: str, outputs_collections: Any, scope: Any) -> Any:
    last, first = layouts
    if data_format not in layouts:
        raise ValueError(f"data_format must be {last} or {first}, got {data_format!r}")
    with name_scope(scope, default, [inputs]) as inner:
        count = len(last) - 2
        ends = lambda values: [1, *values, 1] if data_format == last else [1, 1, *values]
        outputs = op(convert_to_tensor(inputs), ksize=ends(n_positive_integers(count, kernel_size)),
                     strides=ends(n_positive_integers(count, stride)), padding=padding, data_format=data_format)
        return collect_named_outputs(outputs_collections, inner, outputs)


def _layer(name: str, op: Any, default: str, what: str, layouts: tuple[str, str]) -> Any:
    """The pooling function of this name."""
    def function(inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = "VALID",
                 data_format: str = layouts[0], outputs_collections: Any = None, scope: Any = None) -> Any:
        return _pooled(op, default, layouts, inputs, kernel_size, stride, padding, data_format, outputs_collections,
                       scope)

    rank = len(layouts[0])
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{what} pooling over windows." + _ARGUMENTS.format(
        rank=rank, count={4: "two", 5: "three"}[rank], last=layouts[0], first=layouts[1])
    return export(*everywhere(name))(add_arg_scope(function))


_IMAGES, _VOLUMES = ("NHWC", "NCHW"), ("NDHWC", "NCDHW")
max_pool2d = _layer("max_pool2d", ops.max_pool, "MaxPool2D", "Max", _IMAGES)
avg_pool2d = _layer("avg_pool2d", ops.avg_pool, "AvgPool2D", "Average", _IMAGES)
max_pool3d = _layer("max_pool3d", ops.max_pool3d, "MaxPool3D", "Max", _VOLUMES)
avg_pool3d = _layer("avg_pool3d", ops.avg_pool3d, "AvgPool3D", "Average", _VOLUMES)


@export(*everywhere("pool"))
@add_arg_scope
def pool(inputs: Any, kernel_size: Any, pooling_type: str, padding: str = "VALID", data_format: Any = None,
         dilation_rate: Any = 1, stride: Any = 1, outputs_collections: Any = None, scope: Any = None) -> Any:
    """Max or average pooling over windows, by the rank of the inputs.

    Args:
        inputs: a tensor of rank 3, 4 or 5.
        kernel_size: the size of the windows: an integer, or one for each axis.
        pooling_type: "MAX" or "AVG".
        padding: "VALID" or "SAME".
        data_format: None for channels last; a format that begins with "NC" for channels after the batch.
        dilation_rate: the dilation of the windows: an integer, or one for each axis.
        stride: the strides of the windows: an integer, or one for each axis.
        outputs_collections: collections for the outputs.
        scope: the name of the layer.

    Raises:
        ValueError: the rank of the inputs is unknown.
    """
    with name_scope(scope, f"{pooling_type.lower()}_pool", [inputs]) as inner:
        inputs = convert_to_tensor(inputs)
        if inputs.shape.rank is None:
            raise ValueError("the rank of the inputs is not known")
        if inputs.shape.rank < 3:
            raise ValueError("the inputs must have three axes or more")
        count = inputs.shape.rank - 2
        outputs = pool_any(
            inputs, window_shape=n_positive_integers(count, kernel_size), pooling_type=pooling_type, padding=padding,
            data_format=data_format, dilation_rate=n_positive_integers(count, dilation_rate),
            strides=n_positive_integers(count, stride), name=inner)
        return collect_named_outputs(outputs_collections, inner, outputs)
