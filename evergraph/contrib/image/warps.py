"""tf.contrib.image: warps by a flow, which splines interpolate from control points."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise
from evergraph.ops.math.linalg import matrix_solve

_SMALL = 1e-10


@export("contrib.image.dense_image_warp")
def dense_image_warp(image: Any, flow: Any, name: str = "dense_image_warp") -> Tensor:
    """Images read at other places: the pixel (row, column) of the result is that at (row, column) - flow.

    Args:
        image: [batch, height, width, channels].
        flow: [batch, height, width, 2], in pixels, as (rows, columns).
        name: a name for the operations.

    Returns:
        The images, mixed from four pixels each; places outside are those at the edge.

    Raises:
        ValueError: the images are smaller than two by two pixels.
    """
    with name_scope(name, None, [image, flow]):
        image, flow = convert_to_tensor(image), convert_to_tensor(flow)
        if any(size is not None and size < 2 for size in image.shape.as_list()[1:3]):
            raise ValueError(f"the images must have two by two pixels at least, the shape is {image.shape}")
        shape = array.shape(image)
        rows, columns = (math.cast(math.range(shape[at]), flow.dtype) for at in (1, 2))
        places = [rows[None, :, None] - flow[..., 0], columns[None, None, :] - flow[..., 1]]
        found = _clamped_mix(image, places)
        found.set_shape(image.shape)
        return found


def _clamped_mix(image: Tensor, places: list[Tensor]) -> Tensor:
    """The four pixels around each place, mixed; places outside are moved to the edge."""
    shape = array.shape(image)
    lows, shares = [], []
    for place, size in zip(places, (shape[1], shape[2])):
        last = math.cast(size - 2, place.dtype)
        low = elementwise.minimum(elementwise.maximum(elementwise.floor(place), 0.0), last)
        lows.append(math.cast(low, dtypes.int32))
        share = elementwise.minimum(elementwise.maximum(place - low, 0.0), 1.0)
        shares.append(math.cast(share, image.dtype)[..., None])
    number = math.range(shape[0])[:, None, None] + array.zeros_like(lows[0])

    def pixels(down: int, right: int) -> Tensor:
        return indexing.gather_nd(image, array.stack([number, lows[0] + down, lows[1] + right], -1))

    top = pixels(0, 0) + shares[1] * (pixels(0, 1) - pixels(0, 0))
    bottom = pixels(1, 0) + shares[1] * (pixels(1, 1) - pixels(1, 0))
    return top + shares[0] * (bottom - top)


@export("contrib.image.interpolate_spline")
def interpolate_spline(train_points: Any, train_values: Any, query_points: Any, order: int,
                       regularization_weight: float = 0.0, name: str = "interpolate_spline") -> Tensor:
    """Interpolates values at points by a polyharmonic spline.

    Args:
        train_points: [batch, n, dimensions].
        train_values: [batch, n, k], the values there.
        query_points: [batch, m, dimensions].
        order: of the spline; 1 is linear in distances, 2 is a thin plate.
        regularization_weight: how much smoothness counts; 0 goes through the values.
        name: a name for the operations.

    Returns:
        [batch, m, k], the values at the query points.
    """
    with name_scope(name, None, [train_points, train_values, query_points]):
        points, values, queries = (convert_to_tensor(each) for each in (train_points, train_values, query_points))
        kernel = _radial(_squared_distances(points, points), order)
        if regularization_weight > 0:
            places = math.range(array.shape(points)[1])
            same = math.cast(elementwise.equal(places[:, None], places[None, :]), points.dtype)
            kernel = kernel + regularization_weight * same[None]
        linear = _with_one(points)
        corner = array.zeros_like(matmul(linear, linear, transpose_a=True))
        upper = array.concat([kernel, linear], 2)
        lower = array.concat([array.transpose(linear, [0, 2, 1]), corner], 2)
        ends = array.zeros_like(matmul(linear, values, transpose_a=True))
        weights = matrix_solve(array.concat([upper, lower], 1), array.concat([values, ends], 1))
        terms = array.concat([_radial(_squared_distances(queries, points), order), _with_one(queries)], 2)
        return matmul(terms, weights)


def _with_one(points: Tensor) -> Tensor:
    return array.concat([points, array.ones_like(points[..., :1])], 2)


def _squared_distances(one: Tensor, two: Tensor) -> Tensor:
    return reduce_sum(elementwise.squared_difference(one[:, :, None, :], two[:, None, :, :]), 3)


def _radial(squared: Tensor, order: int) -> Tensor:
    """The radial function of a polyharmonic spline, of squared distances: r^k, times log r for even k."""
    squared = elementwise.maximum(squared, _SMALL)
    if order % 2:
        return squared ** (0.5 * order)
    return 0.5 * squared ** (0.5 * order) * elementwise.log(squared)


@export("contrib.image.sparse_image_warp")
def sparse_image_warp(image: Any, source_control_point_locations: Any, dest_control_point_locations: Any,
                      interpolation_order: int = 2, regularization_weight: float = 0.0, num_boundary_points: int = 0,
                      name: str = "sparse_image_warp") -> tuple[Tensor, Tensor]:
    """Warps images so that control points move; between them a spline interpolates how.

    Args:
        image: [batch, height, width, channels]; height and width must be known.
        source_control_point_locations: [batch, n, 2], as (row, column).
        dest_control_point_locations: where they go.
        interpolation_order: of the spline.
        regularization_weight: see `tf.contrib.image.interpolate_spline`.
        num_boundary_points: 1 keeps the corners where they are, n also n - 1 points on each edge; 0 keeps none.
        name: a name for the operations.

    Returns:
        (the images, the flow [batch, height, width, 2]).
    """
    with name_scope(name, None, [image]):
        image = convert_to_tensor(image)
        height, width = image.shape.as_list()[1:3]
        targets = convert_to_tensor(dest_control_point_locations, dtypes.float32)
        moves = targets - convert_to_tensor(source_control_point_locations, dtypes.float32)
        count = array.shape(image)[0]
        if num_boundary_points > 0:
            still = _repeated(_boundary(height, width, num_boundary_points), count)
            targets, moves = array.concat([targets, still], 1), array.concat([moves, array.zeros_like(still)], 1)
        grid = np.stack(np.meshgrid(np.arange(height), np.arange(width), indexing="ij"), -1).reshape(-1, 2)
        flow = interpolate_spline(targets, moves, _repeated(grid, count), interpolation_order, regularization_weight)
        flow = array.reshape(flow, array.stack([count, height, width, 2]))
        return dense_image_warp(image, flow), flow


def _repeated(points: np.ndarray, count: Any) -> Tensor:
    return array.zeros(array.stack([count, *points.shape]), dtypes.float32) + points.astype(np.float32)


def _boundary(height: int, width: int, points: int) -> np.ndarray:
    """The corners and `points` - 1 places on each edge."""
    rows, columns = np.linspace(0, height - 1, points + 1), np.linspace(0, width - 1, points + 1)
    grid = np.stack(np.meshgrid(rows, columns, indexing="ij"), -1).reshape(-1, 2)
    is_edge = np.isin(grid[:, 0], [0, height - 1]) | np.isin(grid[:, 1], [0, width - 1])
    return grid[is_edge]
