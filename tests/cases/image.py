"""Cases of the image ops: resizing, colours, boxes, patches."""

from tests.harness import case, f16, f64, floats, i32, i64, ints

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


CASES = [
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
]
