"""tf.contrib.resampler: images read at any places."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.image import resampler as ops


@export("contrib.resampler.resampler")
def resampler(data, warp, name="resampler"):
    """The pixels of images at given places, mixed from the four around each.

    Args:
        data: [batch, height, width, channels].
        warp: [batch, ..., 2], the places as (x, y), counted in pixels from the middle of the first. Outside the image
            pixels are zero.
        name: a name for the operations.

    Returns:
        [batch, ..., channels].
    """
    with name_scope(name, "resampler", [data, warp]):
        return ops.resampler(convert_to_tensor(data, name="data"), convert_to_tensor(warp, name="warp"))
