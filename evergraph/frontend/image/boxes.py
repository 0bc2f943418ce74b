"""tf.image: functions on boxes and windows in images."""
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
    """The contents of boxes, all resized to one size.

    Args:
        image: [batch, height, width, channels].
        boxes: float32 [boxes, 4]: y1, x1, y2, x2 as fractions of height and width. Corners that are exchanged flip
            the crop, corners beyond 0 and 1 reach outside of the image.
        box_ind: int32 [boxes]: the image of each box.
        crop_size: an int32 vector: the height and width of all crops.
        method: "bilinear" or "nearest".
        extrapolation_value: what is seen outside of the image.
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
        boxes: [boxes, 4]: y1, x1, y2, x2, in any unit; which corner comes first does not matter.
        scores: [boxes]: how good each box is.
        max_output_size: an int32 scalar: how many boxes to choose at most.
        iou_threshold: two boxes overlap if the area of their intersection is more than this fraction of their union's.
        score_threshold: boxes with this score or less are not chosen.{}
        name: a name scope.

    Returns:
        {}
    """
_INDICES = "int32: the indices of the chosen boxes, best first."
_FILL = "\n        pad_to_max_output_size: whether zeros fill the result up to `max_output_size`."


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


_WHAT = "Chooses the best boxes, without those that overlap a better one"
non_max_suppression.__doc__ = f"{_WHAT}." + _CHOICE.format("", _INDICES)
non_max_suppression_padded.__doc__ = f"{_WHAT}; the result may have a fixed length." + _CHOICE.format(
    _FILL, "(the indices of the chosen boxes, an int32 scalar: how many there are).")
non_max_suppression_with_scores.__doc__ = f"{_WHAT}, with their scores." + _CHOICE.format(
    "\n        soft_nms_sigma: if positive, boxes that overlap better ones are not left out: their score is multiplied"
    "\n            by exp(-overlap ** 2 / (2 * sigma)).",
    "(the indices of the chosen boxes, their scores).")


@export("image.non_max_suppression_overlaps")
def non_max_suppression_overlaps(overlaps, scores, max_output_size, overlap_threshold=0.5,
                                 score_threshold=float("-inf"), name=None):
    """Chooses the best of anything, without those that overlap a better one.

    Args:
        overlaps: float32 [n, n]: how much each overlaps each.
        scores: float32 [n]: how good each is.
        max_output_size: an int32 scalar: how many to choose at most.
        overlap_threshold: what overlaps a better one by more than this is left out.
        score_threshold: what has this score or less is not chosen.
        name: a name scope.
    """
    with name_scope(name, "non_max_suppression_overlaps"):
        limit = convert_to_tensor(overlap_threshold, dtypes.float32, name="overlap_threshold")
        return ops.non_max_suppression_with_overlaps(overlaps, scores, max_output_size, limit, score_threshold)


@export("image.combined_non_max_suppression")
def combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold=0.5,
                                 score_threshold=float("-inf"), pad_per_class=False, clip_boxes=True, name=None):
    """Chooses the best boxes of each class in each image, then the best over all classes.

    Args:
        boxes: float32 [batch, boxes, q, 4], where q is 1, or the number of classes if each has its own boxes.
        scores: float32 [batch, boxes, classes].
        max_output_size_per_class: an int32 scalar: how many boxes to choose for a class at most.
        max_total_size: an int32 scalar: how many to choose for an image at most.
        iou_threshold: how much two boxes of a class may overlap; see `tf.image.non_max_suppression`.
        score_threshold: boxes with this score or less are not chosen.
        pad_per_class: whether results are no longer than all classes can fill, rather than `max_total_size` always.
        clip_boxes: whether the boxes are cut to between 0 and 1.
        name: a name scope.

    Returns:
        (boxes [batch, n, 4], scores [batch, n], classes [batch, n] as floats, how many of the n are valid [batch]).
    """
    with name_scope(name, "combined_non_max_suppression"):
        iou_threshold, score_threshold = _thresholds(iou_threshold, score_threshold)
        return ops.combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size,
                                                iou_threshold, score_threshold, pad_per_class=pad_per_class,
                                                clip_boxes=clip_boxes)


# ---- drawing and sampling


@export("image.draw_bounding_boxes")
def draw_bounding_boxes(images, boxes, name=None, colors=None):
    """Images with the outlines of boxes.

    Args:
        images: float [batch, height, width, channels].
        boxes: float32 [batch, boxes, 4]: y1, x1, y2, x2 as fractions of height and width.
        name: a name for the operation.
        colors: [n, channels]: the colours that boxes get in turn; by default ten different ones.
    """
    if colors is None:
        return ops.draw_bounding_boxes(images, boxes, name=name)
    return ops.draw_bounding_boxes_v2(images, boxes, colors, name=name)


@export("image.sample_distorted_bounding_box")
def sample_distorted_bounding_box(image_size, bounding_boxes, seed=None, seed2=None, min_object_covered=0.1,
                                  aspect_ratio_range=None, area_range=None, max_attempts=None,
                                  use_image_if_no_bounding_boxes=None, name=None):
    """A random part of an image that shows enough of one of the objects in it.

    >>> begin, size, _ = tf.image.sample_distorted_bounding_box(tf.shape(image), boxes)
    >>> part = tf.slice(image, begin, size)

    Args:
        image_size: an integer vector: height, width and channels.
        bounding_boxes: float32 [batch, boxes, 4]: where the objects are.
        seed: makes the choice the same in every run.
        seed2: a second seed.
        min_object_covered: the fraction of an object that must be seen.
        aspect_ratio_range: the smallest and largest width / height of the part; by default [0.75, 1.33].
        area_range: the smallest and largest fraction of the image; by default [0.05, 1].
        max_attempts: after so many parts that do not fit, the whole image is taken; 100 by default.
        use_image_if_no_bounding_boxes: whether, without boxes, the whole image is the object, rather than an error.
        name: a name scope.

    Returns:
        (begin and size of the part for `tf.slice`, float32 [1, 1, 4]: the part as a box).
    """
    options = {"seed": seed, "seed2": seed2, "aspect_ratio_range": aspect_ratio_range, "area_range": area_range,
               "max_attempts": max_attempts, "use_image_if_no_bounding_boxes": use_image_if_no_bounding_boxes}
    given = {key: value for key, value in options.items() if value is not None}
    with name_scope(name, "sample_distorted_bounding_box"):
        return ops.sample_distorted_bounding_box_v2(image_size, bounding_boxes, min_object_covered, **given)


# ---- windows


@export("image.extract_image_patches", "extract_image_patches")
def extract_image_patches(images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None):
    """Windows of images, each laid out along the last axis.

    Args:
        images: [batch, height, width, channels].
        ksizes: the size of the windows, [1, height, width, 1].
        strides: how far apart they are, [1, down, across, 1].
        rates: how far apart the pixels in a window are, [1, down, across, 1].
        padding: "VALID" for windows inside of the image, "SAME" for zeros around it.
        name: a name for the operation.
        sizes: the newer name of `ksizes`.
    """
    ksizes = one_of(sizes, "sizes", ksizes, "ksizes")
    return windows.extract_image_patches(images, ksizes=ksizes, strides=strides, rates=rates, padding=padding,
                                         name=name)


@export("image.extract_patches")
def extract_patches(images, sizes, strides, rates, padding, name=None):
    """Windows of images: `tf.image.extract_image_patches` with newer names."""
    return windows.extract_image_patches(images, ksizes=sizes, strides=strides, rates=rates, padding=padding,
                                         name=name)


@export("image.extract_glimpse")
def extract_glimpse(input, size, offsets, centered=True, normalized=True, uniform_noise=True, name=None):
    """A window of each image around a place of its own, with noise where it is outside of the image.

    Args:
        input: float32 [batch, height, width, channels].
        size: an int32 vector: the height and width of the windows.
        offsets: float32 [batch, 2]: the row and column of the middle of each window.
        centered: whether offsets count from the middle of the image, which reaches from -1 to 1.
        normalized: whether offsets are fractions of the size of the image, rather than pixels.
        uniform_noise: has no meaning: the noise is uniform, between the darkest and brightest pixel of the image.
        name: a name for the operation.
    """
    return windows.extract_glimpse(input, size, offsets, centered=centered, normalized=normalized,
                                   uniform_noise=uniform_noise, name=name)
