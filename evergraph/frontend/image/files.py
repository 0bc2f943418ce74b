"""tf.image: functions that decode and encode image files."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, checks, control_flow, strings
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.image.pixels import convert_image_dtype
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.image import files as ops
from evergraph.ops.math import elementwise

_JPEG = """

    Args:
        contents: a string scalar: the file.{}
        channels: 0 for those of the file, 1 for grey-scale, 3 for RGB.
        ratio: 1, 2, 4 or 8: the factor by which to downscale.
        fancy_upscaling: has no effect: the chroma is always upscaled smoothly, as True asks.
        try_recover_truncated: whether to decode the readable part of a truncated file, instead of failing.
        acceptable_fraction: has no effect: with `try_recover_truncated` any part of the image is acceptable.
        dct_method: "", "INTEGER_FAST" or "INTEGER_ACCURATE": all are computed accurately.
        name: a name for the operation.

    Returns:
        uint8 [height, width, channels].
    """


@export("image.decode_jpeg", "io.decode_jpeg")
def decode_jpeg(contents, channels=0, ratio=1, fancy_upscaling=True, try_recover_truncated=False,
                acceptable_fraction=1, dct_method="", name=None):
    return ops.decode_jpeg(contents, channels=channels, ratio=ratio, fancy_upscaling=fancy_upscaling,
                           try_recover_truncated=try_recover_truncated, acceptable_fraction=acceptable_fraction,
                           dct_method=dct_method, name=name)


@export("image.decode_and_crop_jpeg", "io.decode_and_crop_jpeg")
def decode_and_crop_jpeg(contents, crop_window, channels=0, ratio=1, fancy_upscaling=True,
                         try_recover_truncated=False, acceptable_fraction=1, dct_method="", name=None):
    return ops.decode_and_crop_jpeg(
        contents, crop_window, channels=channels, ratio=ratio, fancy_upscaling=fancy_upscaling,
        try_recover_truncated=try_recover_truncated, acceptable_fraction=acceptable_fraction, dct_method=dct_method,
        name=name)


decode_jpeg.__doc__ = "Decodes a JPEG file (or a PNG file)." + _JPEG.format("")
decode_and_crop_jpeg.__doc__ = "Decodes a part of a JPEG file." + _JPEG.format(
    "\n        crop_window: an int32 vector: top row, left column, height and width of the part.")


@export("image.encode_jpeg", "io.encode_jpeg")
def encode_jpeg(image, format="", quality=95, progressive=False, optimize_size=False, chroma_downsampling=True,
                density_unit="in", x_density=300, y_density=300, xmp_metadata="", name=None):
    """Encodes an image as a JPEG file.

    Args:
        image: uint8 [height, width, channels] with 1 or 3 channels.
        format: "grayscale", "rgb", or "" to infer it from the channels.
        quality: 0 to 100.
        progressive: whether to write a progressive JPEG.
        optimize_size: whether to spend more time for a smaller file.
        chroma_downsampling: whether to store the chroma at half the resolution.
        density_unit: the unit of the densities, "in" or "cm".
        x_density: horizontal pixels per unit.
        y_density: vertical pixels per unit.
        xmp_metadata: XMP metadata to embed.
        name: a name for the operation.
    """
    return ops.encode_jpeg(image, format=format, quality=quality, progressive=progressive, optimize_size=optimize_size,
                           chroma_downsampling=chroma_downsampling, density_unit=density_unit, x_density=x_density,
                           y_density=y_density, xmp_metadata=xmp_metadata, name=name)


@export("image.extract_jpeg_shape", "io.extract_jpeg_shape")
def extract_jpeg_shape(contents, output_type=dtypes.int32, name=None):
    """The shape (height, width, channels) of a JPEG file, without decoding it.

    Args:
        contents: a string scalar: the file.
        output_type: int32 or int64.
        name: a name for the operation.
    """
    return ops.extract_jpeg_shape(contents, output_type=output_type, name=name)


@export("image.decode_png", "io.decode_png")
def decode_png(contents, channels=0, dtype=dtypes.uint8, name=None):
    """Decodes a PNG file (or a JPEG file) to a tensor [height, width, channels].

    Args:
        contents: a string scalar: the file.
        channels: 0 for those of the file, 1 for grey-scale, 3 for RGB, 4 for RGBA.
        dtype: uint8 or uint16.
        name: a name for the operation.
    """
    return ops.decode_png(contents, channels=channels, dtype=dtype, name=name)


@export("image.encode_png")
def encode_png(image, compression=-1, name=None):
    """Encodes an image as a PNG file.

    Args:
        image: uint8 or uint16 [height, width, channels] with 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA) channels.
        compression: zlib's level, 0 (none) to 9 (smallest); -1 is zlib's default.
        name: a name for the operation.
    """
    # Converted here, because the op would infer its default dtype for an array.
    return ops.encode_png(convert_to_tensor(image), compression=compression, name=name)


@export("image.decode_bmp", "io.decode_bmp")
def decode_bmp(contents, channels=0, name=None):
    """Decodes a BMP file to a tensor [height, width, channels].

    Args:
        contents: a string scalar: the file.
        channels: the number of channels that the file must have: 1, 3 or 4; 0 for any.
        name: a name for the operation.
    """
    return ops.decode_bmp(contents, channels=channels, name=name)


@export("image.decode_gif", "io.decode_gif")
def decode_gif(contents, name=None):
    """Decodes the frames of a GIF file to a tensor [frames, height, width, 3].

    Args:
        contents: a string scalar: the file.
        name: a name for the operation.
    """
    return ops.decode_gif(contents, name=name)


def _starts_with(contents, magic):
    return elementwise.equal(strings.substr(contents, 0, len(magic)), magic)


@export("image.is_jpeg", "io.is_jpeg")
def is_jpeg(contents, name=None):
    """Whether a file starts with the JPEG signature.

    Args:
        contents: a string scalar: the file.
        name: a name scope.
    """
    with name_scope(name, "is_jpeg"):
        return _starts_with(convert_to_tensor(contents, name="contents"), b"\xff\xd8\xff")


@export("image.decode_image", "io.decode_image")
def decode_image(contents, channels=None, dtype=dtypes.uint8, name=None, expand_animations=True):
    """Decodes a JPEG, PNG, GIF or BMP file.

    Args:
        contents: a string scalar: the file.
        channels: 0 or None for those of the file, 1 for grey-scale, 3 for RGB, 4 for RGBA; depends on the format.
        dtype: the dtype of the result; see `tf.image.convert_image_dtype`.
        name: a name scope.
        expand_animations: whether to decode all frames of a GIF file, [frames, height, width, 3]; False decodes the
            first, so that the result always has rank 3.

    Raises:
        ValueError: the number of channels is invalid.
    """
    with name_scope(name, "decode_image"):
        if channels not in (None, 0, 1, 3, 4):
            raise ValueError("channels must be in (None, 0, 1, 3, 4)")
        contents = convert_to_tensor(contents, name="contents")
        wanted, bits = channels or 0, dtypes.uint8 if dtype == dtypes.uint8 else dtypes.uint16

        def png():
            return convert_image_dtype(decode_png(contents, wanted, bits), dtype)

        def jpeg():
            return _after(wanted != 4, "a JPEG image has 1 or 3 channels",
                          lambda: convert_image_dtype(decode_jpeg(contents, wanted), dtype))

        def gif():
            frames = _after(wanted not in (1, 4), "a GIF image has 3 channels",
                            lambda: convert_image_dtype(decode_gif(contents), dtype))
            return frames if expand_animations else frames[0]

        def bmp():
            known = _starts_with(contents, b"BM")
            return _after(known, "the bytes are no JPEG, PNG, GIF or BMP image",
                          lambda: convert_image_dtype(decode_bmp(contents, wanted), dtype))

        def other():
            return control_flow.cond(_starts_with(contents, b"GIF"), gif, bmp, name="cond_gif")

        def not_jpeg():
            return control_flow.cond(_starts_with(contents, b"\x89PN"), png, other, name="cond_png")

        image = control_flow.cond(is_jpeg(contents), jpeg, not_jpeg, name="cond_jpeg")
        if not expand_animations:
            image.set_shape([None, None, channels or None])
        return image


def _after(condition, message, build):
    """The result of `build`, under a control dependency on the condition."""
    with control_dependencies([checks.Assert(array.identity(condition), [message])]):
        return build()
