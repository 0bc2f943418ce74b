# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.image."""

from evergraph.image import resize_image_with_crop_or_pad
from typing import Any

class ResizeMethod:
    """The interpolation methods of `tf.compat.v2.image.resize`."""
    BILINEAR: str
    NEAREST_NEIGHBOR: str
    BICUBIC: str
    AREA: str
    LANCZOS3: str
    LANCZOS5: str
    GAUSSIAN: str
    MITCHELLCUBIC: str

from evergraph.image import adjust_brightness as adjust_brightness
from evergraph.image import adjust_contrast as adjust_contrast
from evergraph.image import adjust_gamma as adjust_gamma
from evergraph.image import adjust_hue as adjust_hue
from evergraph.image import adjust_jpeg_quality as adjust_jpeg_quality
from evergraph.image import adjust_saturation as adjust_saturation
from evergraph.image import central_crop as central_crop
from evergraph.image import combined_non_max_suppression as combined_non_max_suppression
from evergraph.image import convert_image_dtype as convert_image_dtype

def crop_and_resize(
    image: Any, boxes: Any, box_indices: Any, crop_size: Any, method: Any = 'bilinear',
    extrapolation_value: Any = 0, name: str | None = None,
) -> Any:
    """Crops boxes from images and resizes the crops to one size (bilinear or nearest-neighbour)."""

from evergraph.image import crop_to_bounding_box as crop_to_bounding_box
from evergraph.image import decode_and_crop_jpeg as decode_and_crop_jpeg
from evergraph.image import decode_bmp as decode_bmp
from evergraph.image import decode_gif as decode_gif
from evergraph.image import decode_image as decode_image
from evergraph.image import decode_jpeg as decode_jpeg
from evergraph.image import decode_png as decode_png

def draw_bounding_boxes(images: Any, boxes: Any, colors: Any, name: str | None = None) -> Any:
    """Draws bounding boxes on images."""

from evergraph.image import encode_jpeg as encode_jpeg
from evergraph.image import encode_png as encode_png
from evergraph.image import extract_jpeg_shape as extract_jpeg_shape
from evergraph.image import extract_patches as extract_patches
from evergraph.image import flip_left_right as flip_left_right
from evergraph.image import flip_up_down as flip_up_down
from evergraph.image import grayscale_to_rgb as grayscale_to_rgb
from evergraph.image import hsv_to_rgb as hsv_to_rgb
from evergraph.image import image_gradients as image_gradients
from evergraph.image import is_jpeg as is_jpeg
from evergraph.image import non_max_suppression as non_max_suppression
from evergraph.image import non_max_suppression_overlaps as non_max_suppression_overlaps
from evergraph.image import non_max_suppression_padded as non_max_suppression_padded
from evergraph.image import non_max_suppression_with_scores as non_max_suppression_with_scores
from evergraph.image import pad_to_bounding_box as pad_to_bounding_box
from evergraph.image import per_image_standardization as per_image_standardization
from evergraph.image import psnr as psnr
from evergraph.image import random_brightness as random_brightness
from evergraph.image import random_contrast as random_contrast
from evergraph import random_crop as random_crop
from evergraph.image import random_flip_left_right as random_flip_left_right
from evergraph.image import random_flip_up_down as random_flip_up_down
from evergraph.image import random_hue as random_hue
from evergraph.image import random_jpeg_quality as random_jpeg_quality
from evergraph.image import random_saturation as random_saturation

def resize(
    images: Any, size: Any, method: Any = 'bilinear', preserve_aspect_ratio: Any = False,
    antialias: Any = False, name: str | None = None,
) -> Any:
    """Resizes images by interpolation, with half-pixel centres."""

resize_with_crop_or_pad = resize_image_with_crop_or_pad

def resize_with_pad(
    image: Any, target_height: Any, target_width: Any, method: Any = 'bilinear', antialias: Any = False,
) -> Any:
    """Resizes images with their aspect ratio kept and pads them with zeros to a given size."""

from evergraph.image import rgb_to_grayscale as rgb_to_grayscale
from evergraph.image import rgb_to_hsv as rgb_to_hsv
from evergraph.image import rgb_to_yiq as rgb_to_yiq
from evergraph.image import rgb_to_yuv as rgb_to_yuv
from evergraph.image import rot90 as rot90
from evergraph.image import sobel_edges as sobel_edges
from evergraph.image import ssim as ssim
from evergraph.image import ssim_multiscale as ssim_multiscale
from evergraph.image import total_variation as total_variation
from evergraph.image import transpose as transpose
from evergraph.image import yiq_to_rgb as yiq_to_rgb
from evergraph.image import yuv_to_rgb as yuv_to_rgb
