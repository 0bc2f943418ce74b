"""Ops of contrib's images: matches of rows and columns, connected components, and colours turned in YIQ."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, VJP, op
from evergraph.graph.shaping import at_least_rank, require_rank, unchanged, with_rank

# From RGB to YIQ, as the standard of the NTSC has it.
_TO_YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]])
_FROM_YIQ = np.linalg.inv(_TO_YIQ)


def _matched(distance_mat, num_valid_rows):
    require_rank(num_valid_rows, 0)
    rows, columns = with_rank(distance_mat, 2)
    return [(rows,), (columns,)]


@op("BipartiteMatch(distance_mat: float, num_valid_rows: float, *, top_k: int = -1) -> "
    "row_to_col_match_indices: int32, col_to_row_match_indices: int32", on="host", grad=STOP, shape=_matched)
def bipartite_match(distance_mat, num_valid_rows, top_k):
    """Matches rows and columns greedily, the nearest pair first; -1 stands for no match."""
    rows, columns = distance_mat.shape
    of_row, of_column = np.full(rows, -1, np.int32), np.full(columns, -1, np.int32)
    valid = rows if num_valid_rows < 0 else min(int(num_valid_rows), rows)
    count = min(valid, columns) if top_k < 0 else min(valid, columns, top_k)
    for place in np.argsort(distance_mat[:valid], axis=None, kind="stable"):
        row, column = divmod(int(place), columns)
        if not count:
            break
        if of_row[row] < 0 and of_column[column] < 0:
            of_row[row], of_column[column] = column, row
            count -= 1
    return of_row, of_column


@op("ImageConnectedComponents(image: dtype, *, dtype: {int64, int32, uint16, int16, uint8, int8, half, float, double, "
    "bool, string}) -> components: int64", on="host", grad=STOP, shape=lambda image: unchanged(image))
def image_connected_components(image):
    """Numbers for parts of images: 1 and the place of the first pixel of the part, or 0 for pixels that are zero.

    Pixels belong to one part if they have the same value and lie side by side, or one above the other.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if image.ndim != 3:
        raise invalid(f"images are [batch, height, width]; these have the shape {list(image.shape)}")
    places = np.arange(image.size).reshape(image.shape)
    is_part = image != (b"" if image.dtype == object else np.zeros((), image.dtype))
    pairs = []
    for one, other in ((np.s_[:, :, :-1], np.s_[:, :, 1:]), (np.s_[:, :-1], np.s_[:, 1:])):
        joined = (image[one] == image[other]) & is_part[one]
        pairs.append((places[one][joined], places[other][joined]))
    starts, ends = (np.concatenate(each) for each in zip(*pairs))
    graph = coo_array((np.ones(len(starts), bool), (starts, ends)), shape=(image.size, image.size))
    _, labels = connected_components(graph, directed=False)
    first = np.unique(labels, return_index=True)[1]
    return np.where(is_part, first[labels].reshape(image.shape) + 1, 0).astype(np.int64)


def _yiq_shape(images, delta_h, scale_s, scale_v):
    for each in (delta_h, scale_s, scale_v):
        require_rank(each, 0)
    return at_least_rank(images, 3)


@op("AdjustHsvInYiq(images: T, delta_h: float, scale_s: float, scale_v: float, *, T: {uint8, int8, int16, int32, "
    "int64, half, float, double}) -> output: T", grad=VJP, shape=_yiq_shape)
def adjust_hsv_in_yiq(xp, images, delta_h, scale_s, scale_v):
    """Turns the hue of colours by an angle, and scales their saturation and value, in YIQ."""
    if np.ndim(images) < 3 or np.shape(images)[-1] != 3:
        raise invalid(f"images are [..., height, width, 3]; these have the shape {list(np.shape(images))}")
    turned, up = xp.cos(delta_h) * scale_s, xp.sin(delta_h) * scale_s
    change = xp.stack([xp.stack([turned, -up]), xp.stack([up, turned])])
    to, back = _TO_YIQ.astype(np.float32), _FROM_YIQ.astype(np.float32)
    whole = scale_v * (xp.asarray(back[:, :1] * to[:1]) + xp.asarray(back[:, 1:]) @ change @ xp.asarray(to[1:]))
    return (images.astype(np.float32) @ whole.T).astype(images.dtype)
