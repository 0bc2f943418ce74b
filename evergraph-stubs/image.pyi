# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.image."""

from evergraph import Tensor
from evergraph.raw_ops import _CombinedNonMaxSuppression, _NonMaxSuppressionV4, _SampleDistortedBoundingBoxV2
from typing import Any

class ResizeMethod:
    """The interpolation methods of `tf.image.resize_images`."""
    BILINEAR: int
    NEAREST_NEIGHBOR: int
    BICUBIC: int
    AREA: int

def adjust_brightness(image: Any, delta: Any) -> Any:
    """Adjusts the brightness of images: adds `delta` to all pixels."""

def adjust_contrast(images: Any, contrast_factor: Any) -> Any:
    """Adjusts the contrast of images: (x - mean) * contrast_factor + mean, with the mean per channel."""

def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Any:
    """Gamma correction: gain * image ** gamma, on images scaled to [0, 1]."""

def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Any:
    """Adjusts the hue of RGB images."""

def adjust_jpeg_quality(image: Any, jpeg_quality: Any, name: str | None = None) -> Any:
    """Applies JPEG compression of this quality to an image and decodes it again."""

def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Any:
    """Adjusts the saturation of RGB images: multiplies it by a factor."""

def central_crop(image: Any, central_fraction: Any) -> Any:
    """Crops images to their central region."""

def combined_non_max_suppression(
    boxes: Any, scores: Any, max_output_size_per_class: Any, max_total_size: Any, iou_threshold: Any = 0.5,
    score_threshold: Any = ..., pad_per_class: Any = False, clip_boxes: Any = True, name: str | None = None,
) -> _CombinedNonMaxSuppression:
    """Non-maximum suppression per class and image, then the best boxes over all classes."""

def convert_image_dtype(image: Any, dtype: Any, saturate: Any = False, name: str | None = None) -> Any:
    """Converts images to another dtype and scales the values to its range."""

def crop_and_resize(
    image: Any, boxes: Any, box_ind: Any = None, crop_size: Any = None, method: Any = 'bilinear',
    extrapolation_value: Any = 0, name: str | None = None, box_indices: Any = None,
) -> Tensor:
    """Crops boxes from images and resizes the crops to one size (bilinear or nearest-neighbour)."""

def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any,
) -> Any:
    """Crops images to a box."""

def decode_and_crop_jpeg(
    contents: Any, crop_window: Any, channels: Any = 0, ratio: Any = 1, fancy_upscaling: Any = True,
    try_recover_truncated: Any = False, acceptable_fraction: Any = 1, dct_method: Any = '',
    name: str | None = None,
) -> Tensor:
    """Decodes a part of a JPEG file."""

def decode_bmp(contents: Any, channels: Any = 0, name: str | None = None) -> Tensor:
    """Decodes a BMP file to a tensor [height, width, channels]."""

def decode_gif(contents: Any, name: str | None = None) -> Tensor:
    """Decodes the frames of a GIF file to a tensor [frames, height, width, 3]."""

def decode_image(
    contents: Any, channels: Any = None, dtype: Any = ..., name: str | None = None,
    expand_animations: Any = True,
) -> Any:
    """Decodes a JPEG, PNG, GIF or BMP file."""

def decode_jpeg(
    contents: Any, channels: Any = 0, ratio: Any = 1, fancy_upscaling: Any = True,
    try_recover_truncated: Any = False, acceptable_fraction: Any = 1, dct_method: Any = '',
    name: str | None = None,
) -> Tensor:
    """Decodes a JPEG file (or a PNG file)."""

def decode_png(contents: Any, channels: Any = 0, dtype: Any = ..., name: str | None = None) -> Tensor:
    """Decodes a PNG file (or a JPEG file) to a tensor [height, width, channels]."""

def draw_bounding_boxes(images: Any, boxes: Any, name: str | None = None, colors: Any = None) -> Tensor:
    """Draws bounding boxes on images."""

def encode_jpeg(
    image: Any, format: Any = '', quality: Any = 95, progressive: Any = False, optimize_size: Any = False,
    chroma_downsampling: Any = True, density_unit: Any = 'in', x_density: Any = 300, y_density: Any = 300,
    xmp_metadata: Any = '', name: str | None = None,
) -> Tensor:
    """Encodes an image as a JPEG file."""

def encode_png(image: Any, compression: Any = -1, name: str | None = None) -> Tensor:
    """Encodes an image as a PNG file."""

def extract_glimpse(
    input: Any, size: Any, offsets: Any, centered: Any = True, normalized: Any = True,
    uniform_noise: Any = True, name: str | None = None,
) -> Tensor:
    """Extracts a window around a given position from each image (a glimpse), with noise outside the
    image."""

from evergraph import extract_image_patches as extract_image_patches

def extract_jpeg_shape(contents: Any, output_type: Any = ..., name: str | None = None) -> Tensor:
    """The shape (height, width, channels) of a JPEG file, without decoding it."""

def extract_patches(
    images: Any, sizes: Any, strides: Any, rates: Any, padding: Any, name: str | None = None,
) -> Tensor:
    """Extracts patches of images, as `tf.image.extract_image_patches` does, with newer names."""

def flip_left_right(image: Any) -> Any:
    """Flips images horizontally (left to right)."""

def flip_up_down(image: Any) -> Any:
    """Flips images vertically (upside down)."""

def grayscale_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Converts grey-scale images to RGB: repeats the channel three times."""

def hsv_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Converts HSV images (hue, saturation, value) to RGB."""

def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """Image gradients (dy, dx): finite differences to the pixel below and to the right; 0 at the edge."""

def is_jpeg(contents: Any, name: str | None = None) -> Tensor:
    """Whether a file starts with the JPEG signature."""

def non_max_suppression(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = ...,
    name: str | None = None,
) -> Tensor:
    """Greedy non-maximum suppression: selects the best boxes that do not overlap a better one."""

def non_max_suppression_overlaps(
    overlaps: Any, scores: Any, max_output_size: Any, overlap_threshold: Any = 0.5,
    score_threshold: Any = ..., name: str | None = None,
) -> Tensor:
    """Greedy non-maximum suppression with a given matrix of pairwise overlaps."""

def non_max_suppression_padded(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = ...,
    pad_to_max_output_size: Any = False, name: str | None = None,
) -> _NonMaxSuppressionV4:
    """Greedy non-maximum suppression: selects the best boxes that do not overlap a better one; the result
    may have a fixed length."""

def non_max_suppression_with_scores(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = ...,
    soft_nms_sigma: Any = 0.0, name: str | None = None,
) -> tuple[Any, Any]:
    """Greedy non-maximum suppression: selects the best boxes that do not overlap a better one, with their
    scores."""

def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any,
) -> Any:
    """Pads images with zeros to a size."""

def per_image_standardization(image: Any) -> Tensor:
    """Standardizes each image to mean 0 and standard deviation 1; float32."""

def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Tensor:
    """The peak signal-to-noise ratio between images, in decibels."""

def random_brightness(image: Any, max_delta: Any, seed: Any = None) -> Any:
    """Randomly adjusts brightness: adds a number from [-max_delta, max_delta); see
    `tf.image.adjust_brightness`."""

def random_contrast(image: Any, lower: Any, upper: Any, seed: Any = None) -> Any:
    """Randomly adjusts contrast by a factor from [lower, upper); see `tf.image.adjust_contrast`."""

from evergraph import random_crop as random_crop

def random_flip_left_right(image: Any, seed: Any = None) -> Any:
    """Flips images horizontally with probability 1/2, independently for each image of a batch."""

def random_flip_up_down(image: Any, seed: Any = None) -> Any:
    """Flips images vertically with probability 1/2, independently for each image of a batch."""

def random_hue(image: Any, max_delta: Any, seed: Any = None) -> Any:
    """Randomly adjusts the hue of RGB images by a shift from [-max_delta, max_delta); see
    `tf.image.adjust_hue`."""

def random_jpeg_quality(
    image: Any, min_jpeg_quality: Any, max_jpeg_quality: Any, seed: Any = None,
) -> Any:
    """Applies JPEG compression of a random quality from [min, max); see `tf.image.adjust_jpeg_quality`."""

def random_saturation(image: Any, lower: Any, upper: Any, seed: Any = None) -> Any:
    """Randomly adjusts the saturation of RGB images by a factor from [lower, upper); see
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
    """Crops images centrally, or pads them evenly with zeros, to a size."""

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
    """Converts RGB images to grey-scale: the luma, with one channel."""

def rgb_to_hsv(images: Any, name: str | None = None) -> Tensor:
    """Converts RGB images to HSV (hue, saturation, value), all between 0 and 1 if the images are."""

def rgb_to_yiq(images: Any) -> Tensor:
    """Converts RGB images to YIQ (luma and two chroma channels)."""

def rgb_to_yuv(images: Any) -> Tensor:
    """Converts RGB images to YUV (luma and two chroma channels)."""

def rot90(image: Any, k: Any = 1, name: str | None = None) -> Any:
    """Rotates images counter-clockwise by 90 degrees, `k` times."""

def sample_distorted_bounding_box(
    image_size: Any, bounding_boxes: Any, seed: Any = None, seed2: Any = None,
    min_object_covered: Any = 0.1, aspect_ratio_range: Any = None, area_range: Any = None,
    max_attempts: Any = None, use_image_if_no_bounding_boxes: Any = None, name: str | None = None,
) -> _SampleDistortedBoundingBoxV2:
    """A random crop of an image that contains enough of one of its objects (for data augmentation)."""

def sobel_edges(image: Any) -> Tensor:
    """Sobel edge maps: the image gradients by Sobel's filter."""

def ssim(
    img1: Any, img2: Any, max_val: Any, filter_size: Any = 11, filter_sigma: Any = 1.5, k1: Any = 0.01,
    k2: Any = 0.03,
) -> Tensor:
    """The structural similarity index (SSIM; Wang et al., 2004) of images: at most 1, and 1 for equal
    images."""

def ssim_multiscale(
    img1: Any, img2: Any, max_val: Any, power_factors: Any = ..., filter_size: Any = 11,
    filter_sigma: Any = 1.5, k1: Any = 0.01, k2: Any = 0.03,
) -> Tensor:
    """The multi-scale structural similarity (MS-SSIM; Wang et al., 2003) of images."""

def total_variation(images: Any, name: str | None = None) -> Tensor:
    """The total variation of images: the sum of the absolute differences of neighbouring pixels."""

def transpose(image: Any, name: str | None = None) -> Any:
    """Transposes images: exchanges rows and columns."""

transpose_image = transpose

def yiq_to_rgb(images: Any) -> Tensor:
    """Converts YIQ images to RGB."""

def yuv_to_rgb(images: Any) -> Tensor:
    """Converts YUV images to RGB."""
