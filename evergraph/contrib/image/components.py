"""tf.contrib.image: connected components, bipartite matches, and distortions of colours in YIQ."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.image.pixels import convert_image_dtype
from evergraph.frontend.random import random_uniform
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.search import unique
from evergraph.ops.image import components as ops


@export("contrib.image.connected_components")
def connected_components(images: Any) -> Tensor:
    """Numbers of connected parts: 1, 2, ... in the order of their first pixels, and 0 for pixels that are zero.

    Pixels belong to one part if they have the same value and lie side by side, or one above the other.

    Args:
        images: [height, width] or [batch, height, width].

    Raises:
        ValueError: they have another rank.
    """
    with name_scope("connected_components"):
        images = convert_to_tensor(images)
        if images.shape.rank not in (2, 3):
            raise ValueError(f"images are [height, width] or [batch, height, width], and these are {images}")
        parts = ops.image_connected_components(images if images.shape.rank == 3 else array.expand_dims(images, 0))
        # With a zero in front, parts are numbered from 1.
        numbers = unique(array.concat([array.zeros([1], dtypes.int64), array.reshape(parts, [-1])], 0))[1][1:]
        return array.reshape(math.cast(numbers, dtypes.int64), array.shape(images))


@export("contrib.image.bipartite_match")
def bipartite_match(distance_mat: Any, num_valid_rows: Any, top_k: int = -1, name: str = "bipartite_match") -> Any:
    """Matches rows and columns greedily, the nearest pair first.

    Args:
        distance_mat: the distances, [rows, columns].
        num_valid_rows: how many rows, from the first one, may be matched; all if it is negative.
        top_k: how many pairs are matched; as many as there are if it is negative.
        name: a name for the operation.

    Returns:
        (the column of each row, the row of each column); -1 stands for none.
    """
    return ops.bipartite_match(distance_mat, math.cast(num_valid_rows, dtypes.float32), top_k=top_k, name=name)


@export("contrib.image.adjust_hsv_in_yiq")
def adjust_hsv_in_yiq(image: Any, delta_hue: Any = 0, saturation_scale: Any = 1, value_scale: Any = 1,
                      name: str | None = None) -> Tensor:
    """Turns the hue of RGB images, and scales their saturation and value, in YIQ.

    Args:
        image: [..., height, width, 3].
        delta_hue: the angle, in radians.
        saturation_scale: the factor of the saturation.
        value_scale: the factor of the value.
        name: a name for the operations.
    """
    with name_scope(name, "adjust_hsv_in_yiq", [image]):
        image = convert_to_tensor(image)
        changed = ops.adjust_hsv_in_yiq(convert_image_dtype(image, dtypes.float32), *(
            math.cast(each, dtypes.float32) for each in (delta_hue, saturation_scale, value_scale)))
        return convert_image_dtype(changed, image.dtype)


@export("contrib.image.random_hsv_in_yiq")
def random_hsv_in_yiq(image: Any, max_delta_hue: float = 0, lower_saturation: float = 1, upper_saturation: float = 1,
                      lower_value: float = 1, upper_value: float = 1, seed: int | None = None) -> Tensor:
    """`adjust_hsv_in_yiq` by random numbers between these bounds.

    Args:
        image: [..., height, width, 3].
        max_delta_hue: the greatest angle, to both sides.
        lower_saturation, upper_saturation: the bounds of the factor of the saturation.
        lower_value, upper_value: those of the factor of the value.
        seed: makes the choices reproducible; see `tf.set_random_seed`.

    Raises:
        ValueError: a bound is negative, or a lower one is above the upper one.
    """
    if max_delta_hue < 0:
        raise ValueError(f"max_delta_hue is negative: {max_delta_hue}")
    for name, lower, upper in (("saturation", lower_saturation, upper_saturation), ("value", lower_value, upper_value)):
        if not 0 <= lower <= upper:
            raise ValueError(f"the {name} is scaled by a number from {lower} to {upper}, which is no such range")
    delta, saturation, value = (
        low if low == high else random_uniform([], low, high, seed=seed)
        for low, high in ((-max_delta_hue, max_delta_hue), (lower_saturation, upper_saturation),
                          (lower_value, upper_value)))
    return adjust_hsv_in_yiq(image, delta, saturation, value)
