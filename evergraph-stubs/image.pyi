# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.image."""

from evergraph import Tensor
from evergraph.raw_ops import _CombinedNonMaxSuppression, _NonMaxSuppressionV4, _SampleDistortedBoundingBoxV2
from typing import Any

class ResizeMethod:
    """How `tf.image.resize_images` computes pixels."""
    BILINEAR: int
    NEAREST_NEIGHBOR: int
    BICUBIC: int
    AREA: int

def adjust_brightness(image: Any, delta: Any) -> Any:
    """Images with a number added to all pixels."""

def adjust_contrast(images: Any, contrast_factor: Any) -> Any:
    """Images whose pixels are moved away from the mean of their channel, by a factor."""

def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Any:
    """gain * image ** gamma, computed on images with brightness between 0 and 1."""

def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Any:
    """RGB images with their hue moved."""

def adjust_jpeg_quality(image: Any, jpeg_quality: Any, name: str | None = None) -> Any:
    """Images as they look when they were written as JPEG files of this quality."""

def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Any:
    """RGB images with their saturation multiplied."""

def central_crop(image: Any, central_fraction: Any) -> Any:
    """The middle of images."""

def combined_non_max_suppression(
    boxes: Any, scores: Any, max_output_size_per_class: Any, max_total_size: Any, iou_threshold: Any = 0.5,
    score_threshold: Any = ..., pad_per_class: Any = False, clip_boxes: Any = True, name: str | None = None,
) -> _CombinedNonMaxSuppression:
    """Chooses the best boxes of each class in each image, then the best over all classes."""

def convert_image_dtype(image: Any, dtype: Any, saturate: Any = False, name: str | None = None) -> Any:
    """Images in another dtype, with brightness in that dtype's range."""

def crop_and_resize(
    image: Any, boxes: Any, box_ind: Any = None, crop_size: Any = None, method: Any = 'bilinear',
    extrapolation_value: Any = 0, name: str | None = None, box_indices: Any = None,
) -> Tensor:
    """The contents of boxes, all resized to one size."""

def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any,
) -> Any:
    """The part of images inside a box."""

def decode_and_crop_jpeg(
    contents: Any, crop_window: Any, channels: Any = 0, ratio: Any = 1, fancy_upscaling: Any = True,
    try_recover_truncated: Any = False, acceptable_fraction: Any = 1, dct_method: Any = '',
    name: str | None = None,
) -> Tensor:
    """A part of the pixels of a JPEG file."""

def decode_bmp(contents: Any, channels: Any = 0, name: str | None = None) -> Tensor:
    """The pixels of a BMP file."""

def decode_gif(contents: Any, name: str | None = None) -> Tensor:
    """The frames of a GIF file, [frames, height, width, 3]."""

def decode_image(
    contents: Any, channels: Any = None, dtype: Any = ..., name: str | None = None,
    expand_animations: Any = True,
) -> Any:
    """The pixels of a JPEG, PNG, GIF or BMP file."""

def decode_jpeg(
    contents: Any, channels: Any = 0, ratio: Any = 1, fancy_upscaling: Any = True,
    try_recover_truncated: Any = False, acceptable_fraction: Any = 1, dct_method: Any = '',
    name: str | None = None,
) -> Tensor:
    """The pixels of a JPEG file (or a PNG file)."""

def decode_png(contents: Any, channels: Any = 0, dtype: Any = ..., name: str | None = None) -> Tensor:
    """The pixels of a PNG file (or a JPEG file)."""

def draw_bounding_boxes(images: Any, boxes: Any, name: str | None = None, colors: Any = None) -> Tensor:
    """Images with the outlines of boxes."""

def encode_jpeg(
    image: Any, format: Any = '', quality: Any = 95, progressive: Any = False, optimize_size: Any = False,
    chroma_downsampling: Any = True, density_unit: Any = 'in', x_density: Any = 300, y_density: Any = 300,
    xmp_metadata: Any = '', name: str | None = None,
) -> Tensor:
    """A JPEG file of an image."""

def encode_png(image: Any, compression: Any = -1, name: str | None = None) -> Tensor:
    """A PNG file of an image."""

def extract_glimpse(
    input: Any, size: Any, offsets: Any, centered: Any = True, normalized: Any = True,
    uniform_noise: Any = True, name: str | None = None,
) -> Tensor:
    """A window of each image around a place of its own, with noise where it is outside of the image."""

from evergraph import extract_image_patches as extract_image_patches

def extract_jpeg_shape(contents: Any, output_type: Any = ..., name: str | None = None) -> Tensor:
    """Height, width and channels of a JPEG file, without decoding it."""

def extract_patches(
    images: Any, sizes: Any, strides: Any, rates: Any, padding: Any, name: str | None = None,
) -> Tensor:
    """Windows of images: `tf.image.extract_image_patches` with newer names."""

def flip_left_right(image: Any) -> Any:
    """Images seen in a mirror: the order of their columns reversed."""

def flip_up_down(image: Any) -> Any:
    """Images upside down: the order of their rows reversed."""

def grayscale_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Images of one channel with that channel three times."""

def hsv_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Converts HSV images (hue, saturation, value) to RGB."""

def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """(dy, dx): the difference of each pixel to the one below it, and to the one right of it; 0 at the
    edge."""

def is_jpeg(contents: Any, name: str | None = None) -> Tensor:
    """Whether a file begins as JPEG files do."""

def non_max_suppression(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = ...,
    name: str | None = None,
) -> Tensor:
    """Chooses the best boxes, without those that overlap a better one."""

def non_max_suppression_overlaps(
    overlaps: Any, scores: Any, max_output_size: Any, overlap_threshold: Any = 0.5,
    score_threshold: Any = ..., name: str | None = None,
) -> Tensor:
    """Chooses the best of anything, without those that overlap a better one."""

def non_max_suppression_padded(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = ...,
    pad_to_max_output_size: Any = False, name: str | None = None,
) -> _NonMaxSuppressionV4:
    """Chooses the best boxes, without those that overlap a better one; the result may have a fixed
    length."""

def non_max_suppression_with_scores(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = ...,
    soft_nms_sigma: Any = 0.0, name: str | None = None,
) -> tuple[Any, Any]:
    """Chooses the best boxes, without those that overlap a better one, with their scores."""

def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any,
) -> Any:
    """Images in a frame of zeros."""

def per_image_standardization(image: Any) -> Tensor:
    """Images shifted and scaled to mean 0 and deviation 1, each on its own; float32."""

def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Tensor:
    """The peak signal-to-noise ratio between images, in decibels."""

def random_brightness(image: Any, max_delta: Any, seed: Any = None) -> Any:
    """Images with a number from [-max_delta, max_delta) added; see `tf.image.adjust_brightness`."""

def random_contrast(image: Any, lower: Any, upper: Any, seed: Any = None) -> Any:
    """Images with a contrast from [lower, upper) times their own; see `tf.image.adjust_contrast`."""

from evergraph import random_crop as random_crop

def random_flip_left_right(image: Any, seed: Any = None) -> Any:
    """Images seen in a mirror with probability one half; each image of a batch on its own."""

def random_flip_up_down(image: Any, seed: Any = None) -> Any:
    """Images upside down with probability one half; each image of a batch on its own."""

def random_hue(image: Any, max_delta: Any, seed: Any = None) -> Any:
    """RGB images with their hue moved by a number from [-max_delta, max_delta); see
    `tf.image.adjust_hue`."""

def random_jpeg_quality(
    image: Any, min_jpeg_quality: Any, max_jpeg_quality: Any, seed: Any = None,
) -> Any:
    """Images as they look when written as JPEG with a quality from [min, max); see
    `tf.image.adjust_jpeg_quality`."""

def random_saturation(image: Any, lower: Any, upper: Any, seed: Any = None) -> Any:
    """RGB images with a saturation from [lower, upper) times their own; see
    `tf.image.adjust_saturation`."""

resize = resize_images

def resize_area(images: Any, size: Any, align_corners: bool = False, name: str | None = None) -> Tensor:
    """Resizes images by area interpolation: each pixel is the mean over the area that it covers."""

def resize_bicubic(
    images: Any, size: Any, align_corners: Any = False, name: str | None = None,
    half_pixel_centers: Any = False,
) -> Tensor:
    """Resizes images by bicubic interpolation (Keys, 1981), to float32."""

def resize_bilinear(
    images: Any, size: Any, align_corners: Any = False, name: str | None = None,
    half_pixel_centers: Any = False,
) -> Tensor:
    """Resizes images by bilinear interpolation, to float32."""

def resize_image_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Any:
    """Images cut in their middle, or put in the middle of a frame of zeros, to have this size."""

def resize_image_with_pad(
    image: Any, target_height: Any, target_width: Any, method: Any = 0, align_corners: Any = False,
) -> Any:
    """Resizes images with their aspect ratio kept and pads them with zeros to a given size."""

def resize_images(
    images: Any, size: Any, method: Any = 0, align_corners: Any = False, preserve_aspect_ratio: Any = False,
    name: str | None = None,
) -> Any:
    """Resizes images to a new height and width by interpolation."""

def resize_nearest_neighbor(
    images: Any, size: Any, align_corners: Any = False, name: str | None = None,
    half_pixel_centers: Any = False,
) -> Tensor:
    """Resizes images by nearest-neighbor interpolation; the dtype stays."""

resize_with_crop_or_pad = resize_image_with_crop_or_pad

def rgb_to_grayscale(images: Any, name: str | None = None) -> Any:
    """The brightness of RGB images, with one channel."""

def rgb_to_hsv(images: Any, name: str | None = None) -> Tensor:
    """Converts RGB images to HSV (hue, saturation, value), all between 0 and 1 if the images are."""

def rgb_to_yiq(images: Any) -> Tensor:
    """RGB images as luma and the two chroma channels I and Q."""

def rgb_to_yuv(images: Any) -> Tensor:
    """RGB images as luma and the two chroma channels U and V."""

def rot90(image: Any, k: Any = 1, name: str | None = None) -> Any:
    """Images turned by 90 degrees against the clock, `k` times."""

def sample_distorted_bounding_box(
    image_size: Any, bounding_boxes: Any, seed: Any = None, seed2: Any = None,
    min_object_covered: Any = 0.1, aspect_ratio_range: Any = None, area_range: Any = None,
    max_attempts: Any = None, use_image_if_no_bounding_boxes: Any = None, name: str | None = None,
) -> _SampleDistortedBoundingBoxV2:
    """A random part of an image that shows enough of one of the objects in it."""

def sobel_edges(image: Any) -> Tensor:
    """The slopes of images by Sobel's filter."""

def ssim(
    img1: Any, img2: Any, max_val: Any, filter_size: Any = 11, filter_sigma: Any = 1.5, k1: Any = 0.01,
    k2: Any = 0.03,
) -> Tensor:
    """The structural similarity of images: 1 for equal ones, less the more they differ to the eye."""

def ssim_multiscale(
    img1: Any, img2: Any, max_val: Any, power_factors: Any = ..., filter_size: Any = 11,
    filter_sigma: Any = 1.5, k1: Any = 0.01, k2: Any = 0.03,
) -> Tensor:
    """The structural similarity of images seen from several distances."""

def total_variation(images: Any, name: str | None = None) -> Tensor:
    """How rough images are: the sum of the absolute differences of neighbouring pixels."""

def transpose(image: Any, name: str | None = None) -> Any:
    """Images whose rows are the columns of the given ones."""

transpose_image = transpose

def yiq_to_rgb(images: Any) -> Tensor:
    """RGB images from luma and the chroma channels I and Q."""

def yuv_to_rgb(images: Any) -> Tensor:
    """RGB images from luma and the chroma channels U and V."""
