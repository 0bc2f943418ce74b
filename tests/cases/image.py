"""Cases of the image ops: resizing, colours, boxes, patches."""

from tests.harness import array, case, f16, f64, floats, i32, i64, ints, program, strings
from tests.image import files

img = floats(2, 4, 5, 3)
small = floats(1, 3, 4, 2)
pixels = ints(2, 4, 5, 3, low=0, high=256, dtype="uint8")
unit = floats(2, 3, 4, 3, low=0.05, high=0.95)

NEAR = dict(rtol=1e-5, atol=1e-5)  # TensorFlow adds the taps in another order


def modes(op, image, size, **tolerance):
    """The three ways to place the pixels."""
    made = [case(op, image, size), case(op, image, size, align_corners=True),
            case(op, image, size, half_pixel_centers=True)]
    return [each.tolerance(**tolerance) for each in made] if tolerance else made


boxes = array([[0, 0, 1, 1], [0.1, 0.2, 0.7, 0.9], [0.9, 0.8, 0.2, 0.1], [-0.3, 0.5, 0.4, 1.2], [0.33, 0.1, 0.35, 0.9]],
              "float32")
spread = array([[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1], [0, 100, 1, 101],
                [1, 101, 0, 100.2], [3, 3, 3, 3]], "float32")
scores = array([0.9, 0.75, 0.6, 0.95, 0.5, 0.3, 0.3, 0.1], "float32")
objects = array([[[0.2, 0.3, 0.5, 0.6], [0.1, 0.7, 0.3, 0.9]]], "float32")

CASES = [
    *[case("ScaleAndTranslate", floats(1, 5, 4, 2), [4, 6], [0.7, 1.5], [0.3, -1.2], kernel_type=kernel,
           antialias=antialias)
      for kernel in ("lanczos1", "lanczos3", "box", "triangle", "keyscubic", "gaussian")
      for antialias in (True, False)],
    case("ScaleAndTranslate", floats(1, 5, 4, 2), [4, 6], [-1.0, 1.5], [0.3, -1.2]).fails("InvalidArgumentError"),
    # ---- resize
    *[each for size in ([8, 9], [2, 3], [4, 5], [1, 1], [7, 2]) for each in modes("ResizeBilinear", img, size, **NEAR)],
    case("ResizeBilinear", pixels, i32([6, 3])),
    case("ResizeBilinear", f16(small), [5, 5]).tolerance(1e-3),
    case("ResizeBilinear", f64(small), [5, 5]).tolerance(1e-6),
    case("ResizeBilinear", floats(0, 3, 4, 2), [5, 5]),
    case("ResizeBilinear", small, [0, 5]).fails("InvalidArgumentError"),
    case("ResizeBilinear", small, i32([0, 5])).fails("InvalidArgumentError"),
    case("ResizeBilinear", small, [5, 5, 5]).fails("ValueError"),
    case("ResizeBilinear", small[0], [5, 5]).fails("ValueError"),
    case("ResizeBilinear", small, [5, 5], align_corners=True, half_pixel_centers=True).fails("InvalidArgumentError"),
    *modes("ResizeBilinearGrad", floats(1, 5, 7, 2), small, **NEAR),
    *[each for size in ([8, 9], [2, 3], [1, 1], [7, 2]) for each in modes("ResizeNearestNeighbor", img, size, **NEAR)],
    *modes("ResizeNearestNeighbor", pixels, i32([3, 11])),
    case("ResizeNearestNeighbor", i64(ints(1, 3, 2, 1)), [4, 4]),
    *modes("ResizeNearestNeighborGrad", floats(1, 5, 7, 2), [3, 4], **NEAR),
    case("ResizeNearestNeighborGrad", ints(1, 5, 7, 2), i32([2, 2])),
    *[each for size in ([8, 9], [2, 3], [4, 5], [1, 1]) for each in modes("ResizeBicubic", img, size, **NEAR)],
    case("ResizeBicubic", pixels, i32([6, 3])).tolerance(1e-5, atol=1e-3),
    *modes("ResizeBicubicGrad", floats(1, 5, 7, 2), small, **NEAR),
    *[case("ResizeArea", img, size, align_corners=aligned).tolerance(**NEAR)
      for size in ([2, 3], [8, 9], [4, 5], [3, 2]) for aligned in (False, True)],
    case("ResizeArea", pixels, i32([2, 3])).tolerance(1e-5),

    # ---- colours
    case("AdjustContrastv2", img, 1.5).tolerance(**NEAR),
    case("AdjustContrastv2", img[0], array(-0.5, "float32")).tolerance(**NEAR),
    case("AdjustContrastv2", img[0, 0], 1.5).fails("ValueError"),
    case("RGBToHSV", unit).tolerance(**NEAR),
    case("RGBToHSV", f64(unit)),
    case("RGBToHSV", array([[0.5, 0.5, 0.5], [0, 0, 0], [1, 1, 0.2], [0, 1, 1]], "float32")).no_grad("ties"),
    case("RGBToHSV", floats(3, 4)).fails("ValueError"),
    case("HSVToRGB", unit).tolerance(**NEAR),
    case("HSVToRGB", f64(unit)),
    case("AdjustHue", unit, 0.3).tolerance(**NEAR),
    case("AdjustHue", unit, array(-0.7, "float32")).tolerance(**NEAR),
    case("AdjustHue", img, 0.1).tolerance(**NEAR),
    case("AdjustSaturation", unit, 0.5).tolerance(**NEAR),
    case("AdjustSaturation", unit, array(3.0, "float32")).tolerance(**NEAR),

    # ---- files
    *[case("DecodePng", getattr(files, name), channels=channels)
      for name in ("PNG", "GRAY_PNG", "RGBA_PNG", "PALETTE_PNG", "CLEAR_PALETTE_PNG", "BIT_PNG", "GRAY_ALPHA_PNG")
      for channels in (0, 1, 3, 4)],
    case("DecodePng", strings(files.PNG), dtype="uint16"),
    case("DecodePng", files.BMP).fails("InvalidArgumentError"),
    case("DecodePng", files.PNG[:60]).fails("InvalidArgumentError"),
    case("DecodePng", files.PNG, channels=2).fails("InvalidArgumentError"),
    case("DecodePng", "what is this?").fails("InvalidArgumentError"),
    case("DecodePng", strings([files.PNG])).fails("ValueError"),
    *[case("DecodeJpeg", getattr(files, name), channels=channels, dct_method="INTEGER_ACCURATE")
      for name in ("JPEG", "GRAY_JPEG") for channels in (0, 1, 3)],
    case("DecodeJpeg", strings(files.JPEG), ratio=2, dct_method="INTEGER_ACCURATE"),
    case("DecodeJpeg", files.PNG),
    case("DecodeJpeg", files.STILL_GIF),
    case("DecodeJpeg", files.GIF).fails("InvalidArgumentError"),
    case("DecodeJpeg", files.JPEG[:400]).fails("InvalidArgumentError"),
    case("DecodeJpeg", files.JPEG, ratio=3).fails("InvalidArgumentError"),
    case("DecodeAndCropJpeg", files.JPEG, [2, 3, 5, 6], dct_method="INTEGER_ACCURATE"),
    case("DecodeAndCropJpeg", files.JPEG, i32([2, 3, 5, 16])).fails("InvalidArgumentError"),
    case("ExtractJpegShape", files.JPEG),
    case("ExtractJpegShape", files.GRAY_JPEG, output_type="int64"),
    case("ExtractJpegShape", files.PNG).fails("InvalidArgumentError"),
    case("DecodeGif", files.GIF),
    case("DecodeGif", strings(files.STILL_GIF)),
    case("DecodeBmp", files.BMP),
    case("DecodeBmp", files.BMP, channels=3),
    case("DecodeBmp", files.BMP[:100]).fails("InvalidArgumentError"),
    case("EncodePng", ints(3, 4, 5, dtype="uint8")).fails("InvalidArgumentError"),
    case("EncodeJpeg", ints(3, 4, 2, dtype="uint8")).fails("InvalidArgumentError"),
    case("EncodeJpeg", ints(3, 4, 3, dtype="uint8"), quality=101).fails("InvalidArgumentError"),

    # ---- boxes
    *[case("CropAndResize", image, boxes, i32([0, 1, 1, 0, 1]), size, method=method, extrapolation_value=0.5)
      .tolerance(1e-5, atol=2e-5).no_differences("single precision")
      for image in (img, pixels) for size in ([3, 4], [1, 1], i32([2, 1])) for method in ("bilinear", "nearest")],
    case("CropAndResize", f64(img), boxes, i32([0, 1, 1, 0, 1]), [3, 2]).tolerance(1e-5),
    case("CropAndResize", img, floats(0, 4), ints(0), [3, 2]),
    case("CropAndResize", img, boxes, i32([0, 1]), [3, 2]).fails("ValueError"),
    case("CropAndResize", img, boxes, i32([0, 1, 1, 0, 1]), i32([0, 2])).fails("InvalidArgumentError"),
    case("CropAndResizeGradImage", floats(5, 3, 2, 3), boxes, i32([0, 1, 1, 0, 1]), [2, 4, 5, 3], T="float32")
    .tolerance(**NEAR),
    case("CropAndResizeGradBoxes", floats(5, 3, 2, 3), img, boxes, i32([0, 1, 1, 0, 1])).tolerance(**NEAR),
    case("NonMaxSuppression", spread, scores, 3, iou_threshold=0.4),
    *[case("NonMaxSuppressionV2", spread, scores, 8, limit) for limit in (0.1, 0.5, 0.9, 1.0)],
    case("NonMaxSuppressionV2", spread, scores, 8, 1.5).fails("InvalidArgumentError"),
    case("NonMaxSuppressionV2", spread, scores[:3], 8, 0.5).fails("ValueError"),
    *[case("NonMaxSuppressionV3", spread, scores, i32(count), 0.5, 0.4) for count in (0, 2, 8)],
    case("NonMaxSuppressionV3", f16(spread), f16(scores), 8, 0.5, 0.4),
    *[case("NonMaxSuppressionV4", spread, scores, 6, 0.5, 0.2, pad_to_max_output_size=fill) for fill in (False, True)],
    *[case("NonMaxSuppressionV5", spread, scores, 6, 0.5, least, sigma, pad_to_max_output_size=fill)
      for least in (-1.0, 0.2) for sigma in (0.0, 0.5) for fill in (False, True)],
    case("NonMaxSuppressionWithOverlaps", floats(8, 8, low=0, high=1), scores, 5, 0.5, 0.2),
    *[case("CombinedNonMaxSuppression", floats(2, 7, classes, 4, low=-0.2, high=1.2), floats(2, 7, 3, low=0, high=1),
           2, 5, 0.3, 0.2, pad_per_class=fill, clip_boxes=clip)
      for classes in (1, 3) for fill in (False, True) for clip in (False, True)],
    case("DrawBoundingBoxes", floats(2, 9, 9, 3), floats(2, 12, 4, low=-0.3, high=1.3)),
    case("DrawBoundingBoxes", floats(1, 9, 9, 1), floats(1, 4, 4, low=0, high=1)),
    case("DrawBoundingBoxes", f16(floats(1, 9, 9, 4)), boxes[None]),
    case("DrawBoundingBoxesV2", floats(1, 9, 9, 3), boxes[None], floats(2, 3, low=0, high=1)),
    *[case("SampleDistortedBoundingBoxV2", [20 * size, 30 * size, 3], objects, covered, seed=3, seed2=size)
      .repeated(4) for size in (1, 2, 7, 16) for covered in (0.1, 0.9)],
    case("SampleDistortedBoundingBoxV2", i64([200, 100, 3]), objects, 0.5, seed=3, seed2=9, area_range=[0.2, 0.4],
         aspect_ratio_range=[0.3, 3.0], max_attempts=3).repeated(5),
    case("SampleDistortedBoundingBoxV2", i32([200, 100, 3]), floats(1, 0, 4), 0.5, seed=3, seed2=9,
         use_image_if_no_bounding_boxes=True).repeated(3),
    case("SampleDistortedBoundingBoxV2", i32([200, 100, 3]), floats(1, 0, 4), 0.5).fails("InvalidArgumentError"),
    case("SampleDistortedBoundingBox", [200, 100, 3], objects, seed=5, seed2=6, min_object_covered=0.5).repeated(3),

    # ---- patches
    *[case("ExtractImagePatches", image, ksizes=[1, 2, 3, 1], strides=[1, 1, 2, 1], rates=rates, padding=padding)
      for image in (img, pixels) for rates in ([1, 1, 1, 1], [1, 2, 1, 1]) for padding in ("SAME", "VALID")],
    case("ExtractImagePatches", small, ksizes=[1, 5, 5, 1], strides=[1, 3, 3, 1], rates=[1, 1, 1, 1], padding="SAME"),
    case("ExtractImagePatches", small, ksizes=[1, 2, 2, 1], strides=[1, 3, 3, 1], rates=[1, 1, 1, 1], padding="SAME"),
    *[case("ExtractGlimpse", img, [2, 3], array([[0, 0], [0.9, -0.8]], "float32"), uniform_noise=False, noise="zero",
           centered=centered) for centered in (True, False)],
    case("ExtractGlimpse", img, [2, 3], array([[1, 2], [-1, 9]], "float32"), uniform_noise=False, noise="zero",
         normalized=False),
    case("ExtractGlimpse", img, i32([9, 3]), array([[1, 2], [-1, 9]], "float32")).any_value("noise"),
]


@program(img)
def resize_images(tf, x):
    return [tf.image.resize_images(x, [3, 7]), tf.image.resize_images(x, [4, 5]),
            tf.image.resize_images(x, [3, 7], align_corners=True),
            tf.image.resize_images(x, [4, 9], preserve_aspect_ratio=True),
            *[tf.image.resize_images(x, [2, 3], method=method) for method in range(4)],
            tf.image.resize_bilinear(x, [3, 3], half_pixel_centers=True)]


@program(pixels)
def resize_pixels(tf, x):
    return [tf.image.resize_images(x, [3, 7], tf.image.ResizeMethod.NEAREST_NEIGHBOR),
            tf.image.resize_image_with_pad(x, 6, 6), tf.image.resize_image_with_pad(x, 3, 9)]


@program(img[0])
def flips(tf, x):
    return [tf.image.flip_left_right(x), tf.image.flip_up_down(x), tf.image.transpose_image(x)]


@program(img)
def flips_of_a_batch(tf, x):
    return [tf.image.flip_left_right(x), tf.image.flip_up_down(x), tf.image.transpose_image(x)]


@program(img[0], img, i32(5))
def turns(tf, x, batch, k):
    return [*[tf.image.rot90(x, times) for times in range(4)], tf.image.rot90(batch, 3),
            tf.image.rot90(x[:4, :4], k), tf.image.rot90(batch[:, :4, :4], k)]


turns = turns.no_grad("TensorFlow's branches have other shapes than their gradients")


@program(img[0])
def crops(tf, x):
    return [tf.image.crop_to_bounding_box(x, 1, 2, 3, 2), tf.image.pad_to_bounding_box(x, 1, 2, 8, 9),
            tf.image.central_crop(x, 0.5), tf.image.central_crop(x, 0.9),
            *[tf.image.resize_image_with_crop_or_pad(x, height, width)
              for height, width in ((2, 2), (7, 8), (3, 9), (4, 5))]]


@program(pixels)
def crops_of_a_batch(tf, x):
    return [tf.image.crop_to_bounding_box(x, 1, 2, 3, 2), tf.image.pad_to_bounding_box(x, 1, 2, 8, 9),
            tf.image.central_crop(x, 0.5), tf.image.resize_image_with_crop_or_pad(x, 3, 8)]


@program(pixels, floats(3, 4, low=-0.5, high=1.5), ints(3, 4, low=-2000000000, high=2000000000))
def convert_image_dtype(tf, x, y, z):
    convert = tf.image.convert_image_dtype
    return [convert(x, tf.float32), convert(x, tf.float16), convert(x, tf.int32), convert(x, tf.int16),
            convert(y, tf.uint8, saturate=True), convert(y, tf.int16, saturate=True), convert(y, tf.float64),
            convert(z, tf.uint8, saturate=True), convert(z, tf.int16), convert(z, tf.float32)]


@program(ints(5, 4, 3, high=256, dtype="uint8"), ints(5, 4, 2, high=256, dtype="uint8"),
         ints(5, 4, 4, high=65536, dtype="uint16"))
def png_round_trip(tf, rgb, gray, deep):
    decoded = [tf.image.decode_png(tf.image.encode_png(x)) for x in (rgb, gray)]
    return [*decoded, *[tf.image.decode_png(tf.image.encode_png(deep, compression=2), channels=channels, dtype=dtype)
                        for channels in (0, 1, 3) for dtype in (tf.uint8, tf.uint16)]]


@program(strings(files.JPEG), strings(files.GRAY_PNG), strings(files.BMP), strings(files.GIF))
def decode_any(tf, jpeg, png, bmp, gif):
    decode = tf.image.decode_image
    return [tf.image.is_jpeg(jpeg), tf.image.is_jpeg(png), tf.shape(decode(jpeg)), decode(png), decode(bmp),
            decode(gif), decode(gif, expand_animations=False), decode(png, channels=3, dtype=tf.float32),
            decode(png, dtype=tf.uint16)]


@program(img, pixels, 0.3)
def colours(tf, x, y, amount):
    return [tf.image.adjust_brightness(x, amount), tf.image.adjust_brightness(y, -0.2),
            tf.image.adjust_contrast(x, amount), tf.image.adjust_contrast(y, 2.0),
            tf.image.adjust_gamma(tf.abs(x), 0.5, 2), tf.image.adjust_gamma(y, amount),
            tf.image.per_image_standardization(x), tf.image.per_image_standardization(y),
            tf.image.rgb_to_yiq(x), tf.image.yiq_to_rgb(x), tf.image.rgb_to_yuv(x), tf.image.yuv_to_rgb(x),
            tf.image.rgb_to_grayscale(x), tf.image.grayscale_to_rgb(x[..., :1])]


colours = colours.tolerance(1e-5, atol=1e-5).no_grad("the kinks of abs and saturation")


@program(pixels, unit)
def hues(tf, y, x):
    return [tf.image.adjust_hue(y, 0.2), tf.image.adjust_saturation(y, 0.4), tf.image.adjust_hue(x, -0.2),
            tf.image.adjust_saturation(x, 1.4), tf.image.rgb_to_grayscale(y)]


hues = hues.tolerance(1e-5, atol=1).no_grad("TensorFlow has none")


@program(img[0], img, pixels)
def random_images(tf, x, batch, y):
    return [*[flip(image, seed=seed) for flip in (tf.image.random_flip_left_right, tf.image.random_flip_up_down)
              for image in (x, batch, y) for seed in (1, 2, 3)],
            tf.image.random_brightness(x, 0.3, seed=4), tf.image.random_brightness(y, 0.3, seed=4),
            tf.image.random_contrast(x, 0.5, 2.0, seed=5), tf.image.random_hue(y, 0.3, seed=6),
            tf.image.random_saturation(y, 0.5, 2.0, seed=7)]


random_images = random_images.tolerance(1e-5, atol=1e-5).no_grad("TensorFlow has none of the last ones").repeated(2)


@program(img, boxes, spread, scores, objects, floats(2, 3, 4, low=0, high=1))
def boxes_in_images(tf, x, some, wide, quality, things, lines):
    image = tf.image
    return [image.crop_and_resize(x, some, [0, 1, 1, 0, 1], [3, 2], extrapolation_value=-1),
            image.crop_and_resize(x, some, box_indices=[0, 1, 1, 0, 1], crop_size=[3, 2], method="nearest"),
            image.non_max_suppression(wide, quality, 3), image.non_max_suppression(wide, quality, 8, 0.9, 0.4),
            *image.non_max_suppression_padded(wide[:6], quality[:6], 6, pad_to_max_output_size=True),
            *image.non_max_suppression_with_scores(wide, quality, 6, soft_nms_sigma=0.4),
            image.non_max_suppression_overlaps(tf.matmul(wide, wide, transpose_b=True), quality, 6, 3.0),
            *image.combined_non_max_suppression(wide[None, :, None], quality[None, :, None], 3, 5),
            image.draw_bounding_boxes(x, lines), image.draw_bounding_boxes(x, lines, colors=[[1.0, 0.0, 0.5]]),
            *image.sample_distorted_bounding_box([40, 50, 3], things, seed=1, seed2=2, area_range=[0.3, 0.6]),
            image.extract_image_patches(x, [1, 2, 2, 1], [1, 1, 2, 1], [1, 1, 1, 1], "VALID"),
            image.extract_patches(x, [1, 2, 2, 1], [1, 1, 2, 1], [1, 1, 1, 1], "SAME")]


boxes_in_images = boxes_in_images.tolerance(1e-5, atol=2e-5).no_grad("the cases have it")

noisy, clean = floats(2, 14, 15, 3, low=0, high=1), floats(2, 14, 15, 3, low=0, high=1, seed=1)


@program(noisy, clean)
def alike(tf, x, y):
    near = 0.9 * x + 0.1 * y
    levels = tf.cast(x * 255.0, tf.uint8), tf.cast(near * 255.0, tf.uint8)
    return [tf.image.psnr(x, near, 1.0), tf.image.psnr(*levels, 255), tf.image.ssim(x, near, 1.0),
            tf.image.ssim(*levels, 255, filter_size=5, filter_sigma=1.0), tf.image.ssim(x[0], near[0], max_val=1.0),
            tf.image.ssim_multiscale(x, near, 1.0, power_factors=(0.4, 0.6), filter_size=7)]


alike = alike.tolerance(1e-4, atol=1e-5)


@program(img)
def edges(tf, x):
    return [tf.image.total_variation(x), tf.image.total_variation(x[0]), *tf.image.image_gradients(x),
            tf.image.sobel_edges(x)]


edges = edges.tolerance(1e-5, atol=1e-5)


@program(floats(1, 6, 5, 2), ints(1, 4, 4, 1, low=0, high=255).astype("uint8"))
def sizes_of_tensorflow_2(tf, x, pixels):
    resize = tf.compat.v2.image.resize
    return [resize(x, [3, 9], method=method, antialias=antialias)
            for method in ("bilinear", "bicubic", "lanczos3", "lanczos5", "gaussian", "mitchellcubic")
            for antialias in (False, True)] + [
        resize(pixels, [3, 5], method="nearest"), resize(pixels, [3, 5], method="area"),
        resize(pixels, [8, 3], preserve_aspect_ratio=True), tf.compat.v2.image.resize_with_pad(pixels, 7, 4)]


sizes_of_tensorflow_2 = sizes_of_tensorflow_2.no_differences("in single precision")
