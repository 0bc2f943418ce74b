"""tf.image: bounding boxes and patches of images."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.array import one_of
from evergraph.frontend.blocks import name_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.image import boxes as ops
from evergraph.ops.image import colours as windows

extract_volume_patches = export("extract_volume_patches")(windows.extract_volume_patches)


@export("image.crop_and_resize")
def crop_and_resize(image, boxes, box_ind=None, crop_size=None, method="bilinear", extrapolation_value=0, name=None,
                    box_indices=None):
    """Crops boxes from images and resizes the crops to one size (bilinear or nearest-neighbour).

    Args:
        image: [batch, height, width, channels].
        boxes: float32 [boxes, 4]: y1, x1, y2, x2 as fractions of height and width. Exchanged corners flip the crop;
            corners beyond 0 and 1 extend outside the image.
        box_ind: int32 [boxes]: the index of each box's image.
        crop_size: an int32 vector: the height and width of all crops.
        method: "bilinear" or "nearest".
        extrapolation_value: the value of pixels outside the image.
        name: a name for the operation.
        box_indices: the newer name of `box_ind`.

    Returns:
        float32 [boxes, crop height, crop width, channels].
    """
    which = one_of(box_indices, "box_indices", box_ind, "box_ind")
    return ops.crop_and_resize(image, boxes, which, crop_size, method=method, extrapolation_value=extrapolation_value,
                               name=name)


# ---- non-maximum suppression

_CHOICE = """

    Args:
        boxes: [boxes, 4]: y1, x1, y2, x2, in any unit; the order of the corners does not matter.
        scores: [boxes].
        max_output_size: an int32 scalar: the maximal number of selected boxes.
        iou_threshold: boxes whose intersection over union with a better box exceeds this are suppressed.
        score_threshold: boxes with this score or less are not selected.{}
        name: a name scope.

    Returns:
        {}
    """
_INDICES = "int32: the indices of the selected boxes, best first."
_FILL = "\n        pad_to_max_output_size: whether to pad the result with zeros to `max_output_size`."


@export("image.non_max_suppression")
def non_max_suppression(boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"), name=None):
    with name_scope(name, "non_max_suppression"):
        iou_threshold, score_threshold = _thresholds(iou_threshold, score_threshold)
        return ops.non_max_suppression_v3(boxes, scores, max_output_size, iou_threshold, score_threshold)


def _thresholds(iou_threshold, score_threshold):
    return (convert_to_tensor(iou_threshold, dtypes.float32, name="iou_threshold"),
            convert_to_tensor(score_threshold, dtypes.float32, name="score_threshold"))


@export("image.non_max_suppression_padded")
def non_max_suppression_padded(boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"),
                               pad_to_max_output_size=False, name=None):
    with name_scope(name, "non_max_suppression_padded"):
        iou_threshold, score_threshold = _thresholds(iou_threshold, score_threshold)
        return ops.non_max_suppression_v4(boxes, scores, max_output_size, iou_threshold, score_threshold,
                                          pad_to_max_output_size=pad_to_max_output_size)


@export("image.non_max_suppression_with_scores")
def non_max_suppression_with_scores(boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"),
                                    soft_nms_sigma=0.0, name=None):
    with name_scope(name, "non_max_suppression_with_scores"):
        iou_threshold, score_threshold = _thresholds(iou_threshold, score_threshold)
        sigma = convert_to_tensor(soft_nms_sigma, dtypes.float32, name="soft_nms_sigma")
        chosen, kept, _ = ops.non_max_suppression_v5(boxes, scores, max_output_size, iou_threshold, score_threshold,
                                                     sigma, pad_to_max_output_size=False)
        return chosen, kept


_WHAT = "Greedy non-maximum suppression: selects the best boxes that do not overlap a better one"
non_max_suppression.__doc__ = f"{_WHAT}." + _CHOICE.format("", _INDICES)
non_max_suppression_padded.__doc__ = f"{_WHAT}; the result may have a fixed length." + _CHOICE.format(
    _FILL, "(the indices of the selected boxes, their number as an int32 scalar).")
non_max_suppression_with_scores.__doc__ = f"{_WHAT}, with their scores." + _CHOICE.format(
    "\n        soft_nms_sigma: if positive, overlapping boxes are not suppressed (Soft-NMS): their score is multiplied"
    "\n            by exp(-overlap ** 2 / (2 * sigma)).",
    "(the indices of the selected boxes, their scores).")


@export("image.non_max_suppression_overlaps")
def non_max_suppression_overlaps(overlaps, scores, max_output_size, overlap_threshold=0.5,
                                 score_threshold=float("-inf"), name=None):
    """Greedy non-maximum suppression with a given matrix of pairwise overlaps.

    Args:
        overlaps: float32 [n, n]: the overlap of each pair.
        scores: float32 [n].
        max_output_size: an int32 scalar: the maximal number of selected indices.
        overlap_threshold: candidates whose overlap with a selected one exceeds this are suppressed.
        score_threshold: candidates with this score or less are not selected.
        name: a name scope.
    """
    with name_scope(name, "non_max_suppression_overlaps"):
        limit = convert_to_tensor(overlap_threshold, dtypes.float32, name="overlap_threshold")
        return ops.non_max_suppression_with_overlaps(overlaps, scores, max_output_size, limit, score_threshold)


@export("image.combined_non_max_suppression")
def combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold=0.5,
                                 score_threshold=float("-inf"), pad_per_class=False, clip_boxes=True, name=None):
    """Non-maximum suppression per class and image, then the best boxes over all classes.

    Args:
        boxes: float32 [batch, boxes, q, 4], where q is 1, or the number of classes if each has its own boxes.
        scores: float32 [batch, boxes, classes].
        max_output_size_per_class: an int32 scalar: the maximal number of boxes per class.
        max_total_size: an int32 scalar: the maximal number of boxes per image.
        iou_threshold: the maximal intersection over union of two boxes of a class; see `tf.image.non_max_suppression`.
        score_threshold: boxes with this score or less are not selected.
        pad_per_class: whether to pad results only to the total of all classes, instead of `max_total_size`.
        clip_boxes: whether to clip the boxes to [0, 1].
        name: a name scope.

    Returns:
        (boxes [batch, n, 4], scores [batch, n], classes [batch, n] as floats, number of valid boxes [batch]).
    """
    with name_scope(name, "combined_non_max_suppression"):
        iou_threshold, score_threshold = _thresholds(iou_threshold, score_threshold)
        return ops.combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size,
                                                iou_threshold, score_threshold, pad_per_class=pad_per_class,
                                                clip_boxes=clip_boxes)


# ---- drawing and sampling


@export("image.draw_bounding_boxes")
def draw_bounding_boxes(images, boxes, name=None, colors=None):
    """Draws bounding boxes on images.

    Args:
        images: float [batch, height, width, channels].
        boxes: float32 [batch, boxes, 4]: y1, x1, y2, x2 as fractions of height and width.
        name: a name for the operation.
        colors: [n, channels]: the colours, used in turn; by default ten different ones.
    """
    if colors is None:
        return ops.draw_bounding_boxes(images, boxes, name=name)
    return ops.draw_bounding_boxes_v2(images, boxes, colors, name=name)


@export("image.sample_distorted_bounding_box")
def sample_distorted_bounding_box(image_size, bounding_boxes, seed=None, seed2=None, min_object_covered=0.1,
                                  aspect_ratio_range=None, area_range=None, max_attempts=None,
                                  use_image_if_no_bounding_boxes=None, name=None):
    """A random crop of an image that contains enough of one of its objects (for data augmentation).

    >>> begin, size, _ = tf.image.sample_distorted_bounding_box(tf.shape(image), boxes)
    >>> part = tf.slice(image, begin, size)

    Args:
        image_size: an integer vector: height, width and channels.
        bounding_boxes: float32 [batch, boxes, 4]: the objects' boxes.
        seed: makes the choice reproducible.
        seed2: a second seed.
        min_object_covered: the minimal fraction of an object inside the crop.
        aspect_ratio_range: the smallest and largest width / height of the crop; by default [0.75, 1.33].
        area_range: the smallest and largest area of the crop, as fractions of the image; by default [0.05, 1].
        max_attempts: the number of attempts before the whole image is returned; 100 by default.
        use_image_if_no_bounding_boxes: whether, without boxes, the whole image is the object instead of an error.
        name: a name scope.

    Returns:
        (begin and size of the crop for `tf.slice`, float32 [1, 1, 4]: the crop as a box).
    """
    options = {"seed": seed, "seed2": seed2, "aspect_ratio_range": aspect_ratio_range, "area_range": area_range,
               "max_attempts": max_attempts, "use_image_if_no_bounding_boxes": use_image_if_no_bounding_boxes}
    given = {key: value for key, value in options.items() if value is not None}
    with name_scope(name, "sample_distorted_bounding_box"):
        return ops.sample_distorted_bounding_box_v2(image_size, bounding_boxes, min_object_covered, **given)


# ---- patches


@export("image.extract_image_patches", "extract_image_patches")
def extract_image_patches(images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None):
    """Extracts patches of images (im2col): each window, flattened into the last axis.

    Args:
        images: [batch, height, width, channels].
        ksizes: the size of the windows, [1, height, width, 1].
        strides: the distance between windows, [1, rows, columns, 1].
        rates: the distance between the pixels of a window, [1, rows, columns, 1].
        padding: "VALID" for windows inside the image, "SAME" to pad with zeros.
        name: a name for the operation.
        sizes: the newer name of `ksizes`.
    """
    ksizes = one_of(sizes, "sizes", ksizes, "ksizes")
    return windows.extract_image_patches(images, ksizes=ksizes, strides=strides, rates=rates, padding=padding,
                                         name=name)


@export("image.extract_patches")
def extract_patches(images, sizes, strides, rates, padding, name=None):
    """Extracts patches of images, as `tf.image.extract_image_patches` does, with newer names."""
    return windows.extract_image_patches(images, ksizes=sizes, strides=strides, rates=rates, padding=padding,
                                         name=name)


@export("image.extract_glimpse")
def extract_glimpse(input, size, offsets, centered=True, normalized=True, uniform_noise=True, name=None):
    """Extracts a window around a given position from each image (a glimpse), with noise outside the image.

    Args:
        input: float32 [batch, height, width, channels].
        size: an int32 vector: the height and width of the windows.
        offsets: float32 [batch, 2]: the row and column of each window's centre.
        centered: whether offsets are relative to the image's centre, with coordinates from -1 to 1.
        normalized: whether offsets are fractions of the image's size instead of pixels.
        uniform_noise: has no effect: the noise is uniform, between the image's minimum and maximum.
        name: a name for the operation.
    """
    return windows.extract_glimpse(input, size, offsets, centered=centered, normalized=normalized,
                                   uniform_noise=uniform_noise, name=name)
