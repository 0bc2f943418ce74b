# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.image."""

from evergraph import Tensor
from evergraph.raw_ops import _BipartiteMatch
from typing import Any

import sys
if sys.platform == "":
    del (
        components, transforms, warps,
    )

def adjust_hsv_in_yiq(
    image: Any, delta_hue: Any = 0, saturation_scale: Any = 1, value_scale: Any = 1,
    name: str | None = None,
) -> Tensor:
    """Turns the hue of RGB images, and scales their saturation and value, in YIQ."""

def angles_to_projective_transforms(
    angles: Any, image_height: Any, image_width: Any, name: str | None = None,
) -> Tensor:
    """The transforms, [n, 8], that rotate images of this size about their middle."""

def bipartite_match(
    distance_mat: Any, num_valid_rows: Any, top_k: int = -1, name: str = 'bipartite_match',
) -> _BipartiteMatch:
    """Matches rows and columns greedily, the nearest pair first."""

def compose_transforms(*transforms: Any) -> Tensor:
    """The transform that is the same as several, one after the other."""

def connected_components(images: Any) -> Tensor:
    """Numbers of connected parts: 1, 2, ... in the order of their first pixels, and 0 for pixels that are
    zero."""

def dense_image_warp(image: Any, flow: Any, name: str = 'dense_image_warp') -> Tensor:
    """Images read at other places: the pixel (row, column) of the result is that at (row, column) -
    flow."""

def flat_transforms_to_matrices(transforms: Any) -> Tensor:
    """Transforms, [8] or [n, 8], as matrices, [n, 3, 3]."""

def interpolate_spline(
    train_points: Any, train_values: Any, query_points: Any, order: int, regularization_weight: float = 0.0,
    name: str = 'interpolate_spline',
) -> Tensor:
    """Interpolates values at points by a polyharmonic spline."""

def matrices_to_flat_transforms(transform_matrices: Any) -> Tensor:
    """Matrices, [n, 3, 3], as transforms, [n, 8]: scaled so that the last number is 1."""

def random_hsv_in_yiq(
    image: Any, max_delta_hue: float = 0, lower_saturation: float = 1, upper_saturation: float = 1,
    lower_value: float = 1, upper_value: float = 1, seed: int | None = None,
) -> Tensor:
    """`adjust_hsv_in_yiq` by random numbers between these bounds."""

def rotate(images: Any, angles: Any, interpolation: str = 'NEAREST', name: str | None = None) -> Tensor:
    """Rotates images counterclockwise."""

def sparse_image_warp(
    image: Any, source_control_point_locations: Any, dest_control_point_locations: Any,
    interpolation_order: int = 2, regularization_weight: float = 0.0, num_boundary_points: int = 0,
    name: str = 'sparse_image_warp',
) -> tuple[Tensor, Tensor]:
    """Warps images so that control points move; between them a spline interpolates how."""

def transform(
    images: Any, transforms: Any, interpolation: str = 'NEAREST', output_shape: Any = None,
    name: str | None = None,
) -> Tensor:
    """Images read at other places: [a0, a1, a2, b0, b1, b2, c0, c1] say where each pixel comes from."""

def translate(
    images: Any, translations: Any, interpolation: str = 'NEAREST', name: str | None = None,
) -> Tensor:
    """Moves images by [dx, dy] pixels, to the right and down; what was outside is zero."""

def translations_to_projective_transforms(translations: Any, name: str | None = None) -> Tensor:
    """The transforms, [n, 8], that move images by [dx, dy] pixels."""
