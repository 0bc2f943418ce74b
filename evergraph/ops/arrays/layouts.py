"""Conversion of axes and sizes between image layouts: ops that TensorFlow's layout optimizer adds to graphs."""

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op
from evergraph.graph.shaping import unchanged

_LAYOUTS = "T: index = int32, src_format: string = 'NHWC', dst_format: string = 'NCHW'"


def _check_lengths(src_format, dst_format):
    for which, layout in (("Source", src_format), ("Destination", dst_format)):
        if len(layout) not in (4, 5):
            raise invalid(f"{which} format must be of length 4 or 5, got {layout!r}")


def _order(src_format, dst_format):
    """For each axis of the destination layout, its index in the source layout."""
    if sorted(src_format) != sorted(dst_format) or len(set(src_format)) < len(src_format):
        raise invalid(f"Destination and source format must determine a permutation: {dst_format!r}, {src_format!r}")
    return [src_format.index(axis) for axis in dst_format]


@op(f"DataFormatDimMap(x: T, *, {_LAYOUTS}) -> y: T", shape=unchanged)
def data_format_dim_map(xp, x, check, src_format, dst_format):
    """Maps axis numbers of the source layout to the destination layout; negative numbers count from the end."""
    _check_lengths(src_format, dst_format)
    rank = len(src_format)
    check(xp.all((x >= -rank) & (x < rank)), f"axes of {src_format!r} are numbered from {-rank} to {rank - 1}")
    places = np.argsort(_order(src_format, dst_format)).astype(x.dtype)
    return xp.asarray(places)[x % rank]


@op(f"DataFormatVecPermute(x: T, *, {_LAYOUTS}) -> y: T", shape=unchanged)
def data_format_vec_permute(xp, x, src_format, dst_format):
    """Permutes per-axis values (one number or a pair per axis) from the source layout to the destination layout.

    If there are fewer values than axes, they belong to the spatial axes.
    """
    _check_lengths(src_format, dst_format)
    if x.ndim not in (1, 2) or x.ndim == 2 and x.shape[1] != 2:
        raise invalid(f"x must be a vector or have rows of 2, but its shape is {list(x.shape)}")
    if x.shape[0] == len(src_format) - 2:
        src_format, dst_format = (layout.replace("N", "").replace("C", "") for layout in (src_format, dst_format))
    order = _order(src_format, dst_format)
    if x.shape[0] != len(order):
        raise invalid(f"x must have a row for each of {src_format!r}, but its shape is {list(x.shape)}")
    return x[np.array(order)]
