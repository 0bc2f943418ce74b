"""Ops on bounding boxes in images: cropping, non-maximum suppression, drawing, sampling.

A box is (y1, x1, y2, x2): two opposite corners, as fractions of height and width.
"""
from __future__ import annotations

import heapq
import math

import numpy as np

from evergraph import native
from evergraph.base import dtypes, errors
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge_size, same_as, with_rank
from evergraph.kernel.foreign import available, available_now, call, call_now, with_gradient_of
from evergraph.ops.arrays.casting import as_dtype
from evergraph.ops.arrays.reshape import shape_tensor
from evergraph.ops.math.draws import unit
from evergraph.ops.nn.candidates import Words

_F = np.float32


# ---- crop and resize


def _places(xp, start, end, size, count):
    """The positions of the `count` rows of each crop in the `size` rows of the image: [boxes, count]."""
    nowhere = xp.isnan(start) | xp.isnan(end)
    start, end = (xp.where(nowhere, _F(-1), each) for each in (start, end))
    if count == 1:
        return (_F(0.5) * (start + end) * _F(size - 1))[:, None]
    step = (end - start) * _F(size - 1) / _F(count - 1)
    return start[:, None] * _F(size - 1) + np.arange(count).astype(_F) * step[:, None]


def _grid(xp, boxes, size, count):
    """Rows and columns of the pixels of all crops, and which of the pixels are inside the image.

    Returns:
        rows [boxes, count, 1], columns [boxes, 1, count], inside [boxes, count, count].
    """
    rows = _places(xp, boxes[:, 0], boxes[:, 2], size[0], count[0])[:, :, None]
    columns = _places(xp, boxes[:, 1], boxes[:, 3], size[1], count[1])[:, None, :]
    inside = (rows >= 0) & (rows <= size[0] - 1) & (columns >= 0) & (columns <= size[1] - 1)
    return rows, columns, inside


def _bounds(xp, places, size):
    """The pixels before and after each position, and the fraction of the way between them."""
    before = xp.floor(places)
    lower, upper = (xp.clip(each, 0, size - 1).astype(np.int32) for each in (before, xp.ceil(places)))
    return lower, upper, places - before


def _rounded(xp, places, size):
    """The nearest pixel to each position, halves away from zero."""
    return xp.clip(xp.floor(places + _F(0.5)), 0, size - 1).astype(np.int32)


def _checked_boxes(xp, boxes, box_ind, batch, check):
    if np.ndim(boxes) != 2 or np.shape(boxes)[1] != 4:
        raise invalid(f"boxes must have 4 columns, got shape {list(np.shape(boxes))}")
    if np.shape(box_ind) != np.shape(boxes)[:1]:
        raise invalid(f"box_index has incompatible shape {list(np.shape(box_ind))}")
    message = f"box_index has values outside [0, {batch})"
    if batch == 0 and len(boxes):
        raise errors.OutOfRangeError(None, None, message)
    check((box_ind >= 0) & (box_ind < batch), message, error=errors.OutOfRangeError)
    return box_ind[:, None, None]


def _pair(crop_size):
    if np.shape(crop_size) != (2,):
        raise invalid(f"crop_size must have two elements, got shape {list(np.shape(crop_size))}")
    height, width = crop_size.tolist()
    if height <= 0 or width <= 0:
        raise invalid(f"crop dimensions must be positive, got {height} and {width}")
    return height, width


_method = "method: {'bilinear', 'nearest'} = 'bilinear'"
_pixels = "{index, uint8, uint16, int8, int16, half, float, double}"


@op(f"CropAndResize(image: T, boxes: float, box_ind: int32, crop_size: int32, *, T: {_pixels}, {_method}, "
    "extrapolation_value: float = 0.0) -> crops: float", static=("crop_size",))
def crop_and_resize(xp, image, boxes, box_ind, crop_size, method, extrapolation_value, check):
    """Crops boxes from images and resizes the crops to one size; outside the image is `extrapolation_value`."""
    count = _pair(crop_size)
    if np.ndim(image) != 4 or 0 in np.shape(image)[1:3]:
        raise invalid(f"image must be 4-D and not empty, got shape {list(np.shape(image))}")
    which = _checked_boxes(xp, boxes, box_ind, np.shape(image)[0], check)
    slow = lambda image, boxes: _crops(xp, image, boxes, which, count, method, _F(extrapolation_value))
    if method == "bilinear" and _is_cropped_in_c(xp, image, boxes):
        quick = lambda image, boxes: _crop_in_c(xp, image, boxes, box_ind, count, _F(extrapolation_value))
        return quick(image, boxes) if xp is np else with_gradient_of(slow, quick)(image, boxes)
    return slow(image, boxes)


def _crops(xp, image, boxes, which, count, method, outside):
    size = np.shape(image)[1:3]
    rows, columns, inside = _grid(xp, boxes, size, count)
    if method == "nearest":
        crops = xp.asarray(image)[which, _rounded(xp, rows, size[0]), _rounded(xp, columns, size[1])].astype(_F)
    else:
        crops = _interpolated(xp, image, which, _bounds(xp, rows, size[0]), _bounds(xp, columns, size[1]))
    return xp.where(inside[..., None], crops, outside)


def _is_cropped_in_c(xp, pixels, boxes):
    """Whether native/crops.c, which programs for CPUs call too, computes with such images or gradients of crops."""
    is_there = available_now if xp is np else available
    return np.dtype(pixels.dtype) == _F and 0 not in np.shape(pixels) and len(boxes) > 0 \
        and is_there("crops.crop") and is_there("crops.crop_to_image")


def _called(xp, kernel, shape, operands, numbers):
    if xp is not np:
        return call(kernel, shape, _F, operands, numbers)
    products = 4 * math.prod(np.shape(operands[0])) + 4 * math.prod(shape)
    return call_now(kernel, [shape], operands, np.asarray(numbers, np.int64).tobytes(), products)[0]


def _crop_in_c(xp, image, boxes, box_ind, count, outside):
    rows, columns, _ = _grid(xp, boxes, image.shape[1:3], count)
    numbers = [*image.shape, len(box_ind), *count, int(outside.view(np.uint32))]
    operands = [image, rows[:, :, 0], columns[:, 0, :], box_ind]
    return _called(xp, "crops.crop", (len(box_ind), *count, image.shape[3]), operands, numbers)


def _crop_to_image_in_c(xp, grads, boxes, box_ind, image_size):
    count = grads.shape[1:3]
    rows, columns, _ = _grid(xp, boxes, image_size[1:3], count)
    operands = [grads, rows[:, :, 0], columns[:, 0, :], box_ind]
    return _called(xp, "crops.crop_to_image", image_size, operands, [*image_size, len(box_ind), *count, 0])


def _corners(xp, image, which, rows, columns):
    """The four pixels around each position, as float32: top left, top right, bottom left, bottom right."""
    return [xp.asarray(image)[which, row, column].astype(_F) for row in rows[:2] for column in columns[:2]]


def _interpolated(xp, image, which, rows, columns):
    top_left, top_right, bottom_left, bottom_right = _corners(xp, image, which, rows, columns)
    down, across = rows[2][..., None], columns[2][..., None]
    top = top_left + (top_right - top_left) * across
    bottom = bottom_left + (bottom_right - bottom_left) * across
    return top + (bottom - top) * down


def _boxes_rank(boxes, box_ind):
    boxes = with_rank(boxes, 2)
    if boxes[1] not in (None, 4):
        raise ValueError(f"Dimension must be 4 but is {boxes[1]}")
    return merge_size(boxes[0], with_rank(box_ind, 1)[0])


@crop_and_resize.shape
def _(image, boxes, box_ind, shape_of):
    image = with_rank(image, 4)
    height, width = with_rank(shape_of("crop_size"), 2)
    return (_boxes_rank(boxes, box_ind), height, width, image[3])


@crop_and_resize.grad
def _(op, dy):
    image, boxes, box_ind, _ = op.inputs
    to_image = None
    if image.dtype.base_dtype in (dtypes.float16, dtypes.float32, dtypes.float64):
        sizes = image._shape
        known = sizes is not None and None not in sizes
        size = np.array(sizes, np.int32) if known else shape_tensor(image, dtypes.int32)
        to_image = crop_and_resize_grad_image(dy, boxes, box_ind, size, T=image.dtype.base_dtype,
                                              method=op.get_attr("method"))
    return [to_image, crop_and_resize_grad_boxes(dy, image, boxes, box_ind), None, None]


def _added_at(xp, target, index, values):
    """`target` with values added at these indices, which may repeat."""
    if xp is not np:
        return target.at[index].add(values)
    np.add.at(target, index, values)
    return target


@op("CropAndResizeGradImage(grads: float, boxes: float, box_ind: int32, image_size: int32, *, "
    f"T: {{float, half, double}}, {_method}) -> output: T", static=("image_size",))
def crop_and_resize_grad_image(xp, grads, boxes, box_ind, image_size, method, check):
    """The gradient of CropAndResize with respect to the images."""
    if np.shape(image_size) != (4,):
        raise invalid(f"image_size must have four elements, got shape {list(np.shape(image_size))}")
    sizes = image_size.tolist()
    which = _checked_boxes(xp, boxes, box_ind, sizes[0], check)
    slow = lambda grads, boxes: _crops_to_image(xp, grads, boxes, which, sizes, method)
    if method == "bilinear" and 0 not in sizes and _is_cropped_in_c(xp, grads, boxes):
        quick = lambda grads, boxes: _crop_to_image_in_c(xp, grads, boxes, box_ind, sizes)
        return quick(grads, boxes) if xp is np else with_gradient_of(slow, quick)(grads, boxes)
    return slow(grads, boxes)


def _crops_to_image(xp, grads, boxes, which, sizes, method):
    size = sizes[1:3]
    rows, columns, inside = _grid(xp, boxes, size, np.shape(grads)[1:3])
    grads = xp.where(inside[..., None], grads, _F(0))
    result = xp.zeros(sizes, _F)
    if method == "nearest":
        return _added_at(xp, result, (which, _rounded(xp, rows, size[0]), _rounded(xp, columns, size[1])), grads)
    top, bottom, down = _bounds(xp, rows, size[0])
    left, right, across = _bounds(xp, columns, size[1])
    for row, tall in ((top, 1 - down), (bottom, down)):
        for column, wide in ((left, 1 - across), (right, across)):
            result = _added_at(xp, result, (which, row, column), grads * (tall * wide)[..., None])
    return result


@crop_and_resize_grad_image.shape
def _(grads, boxes, box_ind, shape_of):
    with_rank(grads, 4)
    _boxes_rank(boxes, box_ind)
    return with_rank(shape_of("image_size"), 4)


@op(f"CropAndResizeGradBoxes(grads: float, image: T, boxes: float, box_ind: int32, *, T: {_pixels}, "
    "method: {'bilinear'} = 'bilinear') -> output: float")
def crop_and_resize_grad_boxes(xp, grads, image, boxes, box_ind, check):
    """The gradient of CropAndResize with respect to the boxes."""
    batch, *size = np.shape(image)[:3]
    count = np.shape(grads)[1:3]
    which = _checked_boxes(xp, boxes, box_ind, batch, check)
    places = _grid(xp, boxes, size, count)
    rows, columns = (_bounds(xp, place, side) for place, side in zip(places, size))
    top_left, top_right, bottom_left, bottom_right = _corners(xp, image, which, rows, columns)
    down, across = rows[2][..., None], columns[2][..., None]
    grads = xp.where(places[2][..., None], grads, _F(0))
    slopes = ((1 - across) * (bottom_left - top_left) + across * (bottom_right - top_right),
              (1 - down) * (top_right - top_left) + down * (bottom_right - bottom_left))
    parts = [_towards_ends(xp, xp.sum(slope * grads, axis=(3, 2 - axis)), size[axis], count[axis])
             for axis, slope in enumerate(slopes)]
    return xp.stack([parts[0][0], parts[1][0], parts[0][1], parts[1][1]], axis=1)


def _towards_ends(xp, slopes, size, count):
    """The gradients of the two ends of a box from those of the positions of `_places` [boxes, count]."""
    if count == 1:
        both = _F(0.5 * (size - 1)) * slopes[:, 0]
        return both, both
    share = np.arange(count).astype(_F) * (_F(size - 1) / _F(count - 1))
    return xp.sum(slopes * (_F(size - 1) - share), axis=1), xp.sum(slopes * share, axis=1)


@crop_and_resize_grad_boxes.shape
def _(grads, image, boxes, box_ind):
    with_rank(grads, 4)
    with_rank(image, 4)
    return (_boxes_rank(boxes, box_ind), 4)


# ---- non-maximum suppression


def _sorted_corners(boxes):
    """(y1, x1, y2, x2) as four float32 vectors, the smaller of each two first."""
    boxes = boxes.astype(_F)
    return (np.minimum(boxes[:, 0], boxes[:, 2]), np.minimum(boxes[:, 1], boxes[:, 3]),
            np.maximum(boxes[:, 0], boxes[:, 2]), np.maximum(boxes[:, 1], boxes[:, 3]))


class _Overlaps:
    """The intersection over union (IoU) of pairs of boxes."""

    def __init__(self, boxes):
        self._top, self._left, self._bottom, self._right = _sorted_corners(boxes)
        self._area = (self._bottom - self._top) * (self._right - self._left)

    def __call__(self, box, others):
        tall = np.minimum(self._bottom[box], self._bottom[others]) - np.maximum(self._top[box], self._top[others])
        wide = np.minimum(self._right[box], self._right[others]) - np.maximum(self._left[box], self._left[others])
        shared = np.maximum(tall, 0) * np.maximum(wide, 0)
        whole = self._area[box] + self._area[others] - shared
        proper = (self._area[box] > 0) & (self._area[others] > 0)
        return np.where(proper, shared / np.where(whole > 0, whole, 1), _F(0))

    def choose(self, order, count, limit):
        """The boxes that overlap every earlier chosen one by at most `limit`; by the C extension, or None."""
        corners = np.stack([self._top, self._left, self._bottom, self._right, self._area])
        if native.images is None or not np.isfinite(corners).all():
            return None
        chosen = np.empty(min(count, len(order)), np.int32)
        return chosen[: native.images.choose(corners, order.astype(np.int64), float(limit), chosen)]


def _chosen(overlaps, scores, count, limit, least):
    """Greedy non-maximum suppression: the best boxes whose IoU with every better one is at most `limit`."""
    left = np.flatnonzero(scores > least)
    left = left[np.argsort(-scores[left].astype(np.float64), kind="stable")]
    found = overlaps.choose(left, count, limit) if isinstance(overlaps, _Overlaps) else None
    if found is not None:
        return found
    chosen = []
    while len(left) and len(chosen) < count:
        best, left = left[0], left[1:]
        chosen.append(best)
        left = left[overlaps(best, left) <= limit]
    return np.array(chosen, np.int32)


def _softly_chosen(overlaps, scores, count, least, sigma):
    """Soft-NMS (Bodla et al., 2017): (selected boxes, their scores), where overlap with a better box lowers a score."""
    queue = [(-_F(score), box, 0) for box, score in enumerate(scores) if score > least]
    heapq.heapify(queue)
    scale = _F(-0.5) / _F(sigma)
    chosen, kept = [], []
    while queue and len(chosen) < count:
        key, box, seen = heapq.heappop(queue)
        score = -key
        for other in reversed(chosen[seen:]):
            score = _F(score * np.exp(scale * overlaps(box, other) ** 2))
            if score <= least:
                break
        if score == -key:
            chosen.append(box)
            kept.append(score)
        elif score > least:
            heapq.heappush(queue, (-score, box, len(chosen)))
    return np.array(chosen, np.int32), np.array(kept, _F)


def _checked_scores(boxes, scores, max_output_size, iou_threshold=0.5):
    if np.ndim(boxes) != 2 or np.shape(boxes)[1] != 4:
        raise invalid(f"boxes must have 4 columns, got shape {list(np.shape(boxes))}")
    if np.shape(scores) != np.shape(boxes)[:1]:
        raise invalid(f"scores has incompatible shape {list(np.shape(scores))}")
    if np.ndim(max_output_size):
        raise invalid(f"max_output_size must be 0-D, got shape {list(np.shape(max_output_size))}")
    if not 0 <= iou_threshold <= 1:
        raise invalid("iou_threshold must be in [0, 1]")
    return max(int(max_output_size), 0)


def _scores_shape(boxes, scores, *scalars):
    for each in scalars:
        with_rank(each, 0)
    count, corners = with_rank(boxes, 2)
    if corners not in (None, 4):
        raise ValueError(f"Dimension must be 4 but is {corners}")
    merge_size(count, with_rank(scores, 1)[0])


def _some(boxes, scores, max_output_size):
    _scores_shape(boxes, scores, max_output_size)
    return (None,)


def _some_above(boxes, scores, max_output_size, iou_threshold):
    _scores_shape(boxes, scores, max_output_size, iou_threshold)
    return (None,)


def _some_scored_above(boxes, scores, max_output_size, iou_threshold, score_threshold):
    _scores_shape(boxes, scores, max_output_size, iou_threshold, score_threshold)
    return (None,)


_threshold = "T: {half, float} = float, T_threshold: {half, float} = float"
_choice = dict(on="host", grad=STOP)


@op("NonMaxSuppression(boxes: float, scores: float, max_output_size: int32, *, iou_threshold: float = 0.5) -> "
    "selected_indices: int32", shape=_some, **_choice)
def non_max_suppression(boxes, scores, max_output_size, iou_threshold):
    """Greedy non-maximum suppression: selects boxes by score, skipping those that overlap a selected box too much."""
    count = _checked_scores(boxes, scores, max_output_size, iou_threshold)
    return _chosen(_Overlaps(boxes), scores, count, iou_threshold, -math.inf)


@op("NonMaxSuppressionV2(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, *, "
    f"{_threshold}) -> selected_indices: int32", shape=_some_above, **_choice)
def non_max_suppression_v2(boxes, scores, max_output_size, iou_threshold):
    """NonMaxSuppression with the threshold as a tensor."""
    count = _checked_scores(boxes, scores, max_output_size, iou_threshold)
    return _chosen(_Overlaps(boxes), scores, count, iou_threshold, -math.inf)


@op("NonMaxSuppressionV3(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, "
    f"score_threshold: T_threshold, *, {_threshold}) -> selected_indices: int32", shape=_some_scored_above, **_choice)
def non_max_suppression_v3(boxes, scores, max_output_size, iou_threshold, score_threshold):
    """NonMaxSuppressionV2 of the boxes with a score above `score_threshold`."""
    count = _checked_scores(boxes, scores, max_output_size, iou_threshold)
    return _chosen(_Overlaps(boxes), scores, count, iou_threshold, score_threshold)


def _filled(values, count, wanted):
    """The values, padded with zeros to `wanted` if a fixed length is requested."""
    return np.pad(values, (0, count - len(values))) if wanted else values


def _length(value_of, wanted):
    size = value_of("max_output_size")
    return (max(int(size), 0),) if wanted and size is not None else (None,)


@op("NonMaxSuppressionV4(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, "
    f"score_threshold: T_threshold, *, {_threshold}, pad_to_max_output_size: bool = False) -> "
    "selected_indices: int32, valid_outputs: int32", **_choice)
def non_max_suppression_v4(boxes, scores, max_output_size, iou_threshold, score_threshold, pad_to_max_output_size):
    """NonMaxSuppressionV3 with the number of selected boxes; the indices may be padded with zeros."""
    count = _checked_scores(boxes, scores, max_output_size, iou_threshold)
    chosen = _chosen(_Overlaps(boxes), scores, count, iou_threshold, score_threshold)
    return _filled(chosen, count, pad_to_max_output_size), np.int32(len(chosen))


@non_max_suppression_v4.shape
def _(boxes, scores, max_output_size, iou_threshold, score_threshold, pad_to_max_output_size, value_of):
    _scores_shape(boxes, scores, max_output_size, iou_threshold, score_threshold)
    return [_length(value_of, pad_to_max_output_size), ()]


@op("NonMaxSuppressionV5(boxes: T, scores: T, max_output_size: int32, iou_threshold: T, score_threshold: T, "
    "soft_nms_sigma: T, *, T: {half, float} = float, pad_to_max_output_size: bool = False) -> "
    "selected_indices: int32, selected_scores: T, valid_outputs: int32", **_choice)
def non_max_suppression_v5(boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma,
                           pad_to_max_output_size):
    """NonMaxSuppressionV4 with the scores; a positive sigma selects Soft-NMS (Bodla et al., 2017)."""
    count = _checked_scores(boxes, scores, max_output_size, iou_threshold)
    if soft_nms_sigma < 0:
        raise invalid("soft_nms_sigma must be >= 0")
    if soft_nms_sigma > 0:
        chosen, kept = _softly_chosen(_Overlaps(boxes), scores, count, score_threshold, soft_nms_sigma)
    else:
        chosen = _chosen(_Overlaps(boxes), scores, count, iou_threshold, score_threshold)
        kept = scores[chosen]
    fill = pad_to_max_output_size
    return _filled(chosen, count, fill), _filled(kept, count, fill).astype(scores.dtype), np.int32(len(chosen))


@non_max_suppression_v5.shape
def _(boxes, scores, max_output_size, iou_threshold, score_threshold, pad_to_max_output_size, value_of):
    _scores_shape(boxes, scores, max_output_size, iou_threshold, score_threshold)
    length = _length(value_of, pad_to_max_output_size)
    return [length, length, ()]


@op("NonMaxSuppressionWithOverlaps(overlaps: float, scores: float, max_output_size: int32, overlap_threshold: float, "
    "score_threshold: float) -> selected_indices: int32", **_choice)
def non_max_suppression_with_overlaps(overlaps, scores, max_output_size, overlap_threshold, score_threshold):
    """NonMaxSuppressionV3 with a given matrix of pairwise overlaps."""
    if np.ndim(overlaps) != 2 or len(overlaps) != np.shape(overlaps)[1]:
        raise invalid(f"overlaps must be square, got shape {list(np.shape(overlaps))}")
    if np.shape(scores) != np.shape(overlaps)[:1]:
        raise invalid(f"scores has incompatible shape {list(np.shape(scores))}")
    return _chosen(lambda box, others: overlaps[box, others], scores, max(int(max_output_size), 0),
                   overlap_threshold, score_threshold)


@non_max_suppression_with_overlaps.shape
def _(overlaps, scores):
    rows, columns = with_rank(overlaps, 2)
    merge_size(merge_size(rows, columns), with_rank(scores, 1)[0])
    return (None,)


@op("CombinedNonMaxSuppression(boxes: float, scores: float, max_output_size_per_class: int32, max_total_size: int32, "
    "iou_threshold: float, score_threshold: float, *, pad_per_class: bool = False, clip_boxes: bool = True) -> "
    "nmsed_boxes: float, nmsed_scores: float, nmsed_classes: float, valid_detections: int32", **_choice)
def combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold,
                                 score_threshold, pad_per_class, clip_boxes):
    """Non-maximum suppression per class and image of a batch, then the best boxes over all classes."""
    if np.ndim(boxes) != 4 or np.shape(boxes)[3] != 4 or np.ndim(scores) != 3:
        raise invalid("boxes must be [batch, boxes, classes or 1, 4] and scores [batch, boxes, classes], not "
                      f"{list(np.shape(boxes))} and {list(np.shape(scores))}")
    classes = scores.shape[2]
    if boxes.shape[2] not in (1, classes) or boxes.shape[:2] != scores.shape[:2]:
        raise invalid(f"boxes are the same for all classes or there is one for each, got shape {list(boxes.shape)}")
    each, total = int(max_output_size_per_class), int(max_total_size)
    if each <= 0 or total <= 0:
        raise invalid("max_size_per_class and max_total_size must be > 0")
    size = min(total, each * classes) if pad_per_class else total
    found = [_best_of_image(boxes[at], scores[at], each, iou_threshold, score_threshold, size)
             for at in range(len(boxes))]
    results = np.zeros((len(boxes), size, 6), _F)
    for at, rows in enumerate(found):
        results[at, :len(rows)] = rows
    chosen = np.clip(results[..., :4], 0, 1) if clip_boxes else results[..., :4]
    return chosen, results[..., 4], results[..., 5], np.array([len(rows) for rows in found], np.int32)


def _best_of_image(boxes, scores, each, limit, least, size):
    """Rows of box, score and class: the best boxes of one image."""
    rows = []
    for number in range(scores.shape[1]):
        of_class = boxes[:, number if boxes.shape[1] > 1 else 0]
        chosen = _chosen(_Overlaps(of_class), scores[:, number], each, limit, least)
        own = scores[chosen, number]
        rows.append(np.column_stack([of_class[chosen], own, np.full(len(chosen), number, _F)]))
    rows = np.concatenate(rows) if rows else np.zeros((0, 6), _F)
    return rows[np.argsort(-rows[:, 4], kind="stable")][:size]


@combined_non_max_suppression.shape
def _(boxes, scores, pad_per_class, value_of):
    boxes, scores = with_rank(boxes, 4), with_rank(scores, 3)
    batch, classes = merge_size(boxes[0], scores[0]), scores[2]
    each, total = value_of("max_output_size_per_class"), value_of("max_total_size")
    size = None if total is None else int(total)
    if pad_per_class:
        size = None if size is None or each is None or classes is None else min(size, int(each) * classes)
    return [(batch, size, 4), (batch, size), (batch, size), (batch,)]


# ---- drawing

_COLOURS = np.array([
    [1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0.5, 1], [0.5, 0.5, 0, 1], [0.5, 0, 0, 1],
    [0, 0, 0.5, 1], [0, 1, 1, 1], [1, 0, 1, 1]], _F)


def _drawn(images, boxes, colours):
    """Copies of the images with the outlines of boxes; the colours are cycled through."""
    if np.ndim(images) != 4 or np.shape(images)[3] not in (1, 3, 4):
        raise invalid(f"images must be 4-D with 1, 3 or 4 channels, got shape {list(np.shape(images))}")
    if np.ndim(boxes) != 3 or np.shape(boxes)[2] != 4 or len(boxes) != len(images):
        raise invalid(f"boxes must be [batch, boxes, 4], got shape {list(np.shape(boxes))}")
    images = images.copy()
    depth = images.shape[3]
    if depth == 1:
        colours = np.ones((len(colours), 1), _F)  # gray images get white lines
    if colours.ndim != 2 or colours.shape[1] < depth:
        raise invalid(f"colors must have as many columns as channels, {depth}, got shape {list(colours.shape)}")
    for image, own in zip(images, boxes):
        for number, box in enumerate(own):
            _outline(image, box, colours[number % len(colours), :depth])
    return images


def _outline(image, box, colour):
    """Draws the outline of one box, whose edges may be outside the image."""
    height, width = image.shape[:2]
    far = np.array([height - 1, width - 1, height - 1, width - 1], _F)
    if not np.all(np.isfinite(box)):
        return
    top, left, bottom, right = as_dtype(np, box * far, np.int64).tolist()
    if top > bottom or left > right or top >= height or bottom < 0 or left >= width or right < 0:
        return
    rows, columns = slice(max(top, 0), bottom + 1), slice(max(left, 0), right + 1)
    for row in (top, bottom):
        if 0 <= row < height:
            image[row, columns] = colour
    for column in (left, right):
        if 0 <= column < width:
            image[rows, column] = colour


@op("DrawBoundingBoxes(images: T, boxes: float, *, T: {float, half} = float) -> output: T", on="host", grad=STOP,
    shape=same_as("images"))
def draw_bounding_boxes(images, boxes):
    """Draws bounding boxes on images, cycling through ten colours."""
    return _drawn(images, boxes, _COLOURS)


@op("DrawBoundingBoxesV2(images: T, boxes: float, colors: float, *, T: {float, half} = float) -> output: T", on="host",
    grad=STOP, shape=same_as("images"))
def draw_bounding_boxes_v2(images, boxes, colors):
    """Draws bounding boxes on images, cycling through the given colours, or through ten default ones."""
    return _drawn(images, boxes, colors if np.size(colors) else _COLOURS)


# ---- random crops that contain objects


def _sides(image, low, high, ratio, words):
    """The height and width of a random crop of this aspect ratio (width over height); None if there is none.

    All sides are integers, computed in float32 as TensorFlow does.
    """
    height, width = image
    least, most = _F(low) * _F(width) * _F(height), _F(high) * _F(width) * _F(height)
    if most <= 0 or ratio <= 0 or low > high:
        return None
    tall, tallest = (int(np.rint(np.sqrt(area / ratio))) for area in (least, most))
    if _wide(tallest, ratio) > width:
        tallest = int((width + 0.5 - 1e-7) / float(ratio))
        tallest -= _wide(tallest, ratio) > width
    tallest = min(tallest, height)
    tall = min(tall, tallest)
    if tall < tallest:
        tall += int(words.below(tallest - tall + 1, 1)[0])
    # One row more or less may compensate for the rounding of the area.
    tall += tall * _wide(tall, ratio) < least
    tall -= tall * _wide(tall, ratio) > most
    wide = _wide(tall, ratio)
    fits = least <= tall * wide <= most and 0 < wide <= width and 0 < tall <= height
    return (tall, wide) if fits else None


def _wide(tall, ratio):
    return int(np.rint(_F(tall) * ratio))


def _crop(state, image, objects, covered, ratios, areas, attempts):
    """A random crop (top, left, height, width) that contains enough of an object; None if no attempt finds one."""
    if native.random is not None and max(image) < 2**31:
        objects = np.require(objects, requirements=["C", "A"])
        return native.random.crop(np.ascontiguousarray(state), image, objects, covered, tuple(ratios), tuple(areas),
                                  attempts)
    words = Words(state)
    for _ in range(attempts):
        crop = _attempt(image, objects.tolist(), _F(covered), ratios, areas, words)
        if crop is not None:
            return crop
    return None


def _attempt(image, objects, covered, ratios, areas, words):
    """One random crop (top, left, height, width) that contains enough of an object; None otherwise."""
    first, last = _F(ratios[0]), _F(ratios[1])
    ratio = unit([words.take(1)], _F)[0] * (last - first) + first
    sides = _sides(image, *areas, ratio, words)
    if sides is None:
        return None
    place = [int(words.below(whole - part, 1)[0]) if part < whole else 0 for whole, part in zip(image, sides)]
    return (*place, *sides) if _shows(place, sides, objects, covered) else None


def _shows(place, sides, objects, covered):
    """Whether a crop contains at least the fraction `covered` of one of the objects (boxes in pixels)."""
    for top, left, bottom, right in objects:
        area = _F((bottom - top) * (right - left))
        tall = min(bottom, place[0] + sides[0]) - max(top, place[0])
        wide = min(right, place[1] + sides[1]) - max(left, place[1])
        shared = tall * wide if tall > 0 and wide > 0 else 0
        if area >= 1 and _F(shared) / area >= covered:
            return True
    return False


def _objects(image_size, bounding_boxes, use_image):
    """((height, width), the boxes in pixels)."""
    if np.shape(image_size) != (3,):
        raise invalid(f"image_size must contain 3 elements: got shape {list(np.shape(image_size))}")
    height, width = (int(each) for each in image_size[:2])
    if height <= 0 or width <= 0:
        raise invalid(f"Image height and width must be positive, got {height} and {width}")
    if np.ndim(bounding_boxes) != 3 or np.shape(bounding_boxes)[2] != 4:
        raise invalid(f"bounding boxes must have shape [batch, boxes, 4], got {list(np.shape(bounding_boxes))}")
    boxes = bounding_boxes.reshape(-1, 4)
    if np.any((boxes < 0) | (boxes > 1)):
        raise invalid("a box reaches beyond the image: its coordinates are within [0.0, 1.0]")
    objects = (boxes * np.array([height, width, height, width], _F)).astype(np.int32)
    if not len(objects):
        if not use_image:
            raise invalid("there is no box: with use_image_if_no_bounding_boxes=True the whole image takes its place")
        objects = np.array([[0, 0, height, width]], np.int32)
    return (height, width), objects


def _checked_ranges(ratios, areas, covered):
    if len(ratios) != 2 or min(ratios) <= 0:
        raise invalid(f"Aspect ratio range must be two positive numbers, not {list(ratios)}")
    if len(areas) != 2 or min(areas) <= 0 or max(areas) > 1:
        raise invalid(f"Area range must be two numbers in (0, 1], not {list(areas)}")
    if not 0 <= covered <= 1:
        raise invalid(f"Min object covered must be in [0.0, 1.0], got : {covered}")


def _distorted(rng, image_size, bounding_boxes, covered, ratios, areas, attempts, use_image):
    _checked_ranges(ratios, areas, covered)
    image, objects = _objects(image_size, bounding_boxes, use_image)
    crop = _crop(rng.take(attempts), image, objects, float(covered), ratios, areas, attempts)
    top, left, tall, wide = crop or (0, 0, *image)
    height, width = (_F(each) for each in image)
    box = np.array([top / height, left / width, (top + tall) / height, (left + wide) / width], _F)
    kind = image_size.dtype
    return np.array([top, left, 0], kind), np.array([tall, wide, -1], kind), box.reshape(1, 1, 4)


def _distorted_shapes(image_size, bounding_boxes):
    with_rank(image_size, 1)
    with_rank(bounding_boxes, 3)
    return [(3,), (3,), (1, 1, 4)]


_ranges = ("aspect_ratio_range: list(float) = [0.75, 1.33], area_range: list(float) = [0.05, 1.0], "
           "max_attempts: int = 100, use_image_if_no_bounding_boxes: bool = False) -> begin: T, size: T, bboxes: float")


@op("SampleDistortedBoundingBox(image_size: T, bounding_boxes: float, *, T: {uint8, int8, int16, int32, int64}, "
    f"seed: int = 0, seed2: int = 0, min_object_covered: float = 0.1, {_ranges}", stateful=True, on="host", grad=STOP,
    shape=_distorted_shapes)
def sample_distorted_bounding_box(rng, image_size, bounding_boxes, min_object_covered, aspect_ratio_range, area_range,
                                  max_attempts, use_image_if_no_bounding_boxes):
    """A random crop that contains enough of one of the image's objects; the whole image if none is found."""
    return _distorted(rng, image_size, bounding_boxes, min_object_covered, aspect_ratio_range, area_range,
                      max_attempts, use_image_if_no_bounding_boxes)


@op("SampleDistortedBoundingBoxV2(image_size: T, bounding_boxes: float, min_object_covered: float, *, "
    f"T: {{uint8, int8, int16, int32, int64}}, seed: int = 0, seed2: int = 0, {_ranges}", stateful=True, on="host",
    grad=STOP, shape=_distorted_shapes)
def sample_distorted_bounding_box_v2(rng, image_size, bounding_boxes, min_object_covered, aspect_ratio_range,
                                     area_range, max_attempts, use_image_if_no_bounding_boxes):
    """SampleDistortedBoundingBox with the minimal covered fraction as a tensor."""
    return _distorted(rng, image_size, bounding_boxes, min_object_covered, aspect_ratio_range, area_range,
                      max_attempts, use_image_if_no_bounding_boxes)
