"""Axes and sizes in another layout: evergraph/ops/arrays/layouts.py."""

from tests.harness import case, i32, i64, ints

IAE = "InvalidArgumentError"

CASES = [
    case("DataFormatDimMap", i32([0, 1, 2, 3, -1])),
    case("DataFormatDimMap", i64([[1], [-3]]), src_format="NCHW", dst_format="NHWC"),
    case("DataFormatDimMap", i32(3), src_format="NHWC", dst_format="HWNC"),
    case("DataFormatVecPermute", i32([5, 6, 7, 8])),
    case("DataFormatVecPermute", i64([5, 6, 7, 8]), src_format="NCHW", dst_format="NHWC"),
    case("DataFormatVecPermute", ints(4, 2), src_format="NHWC", dst_format="HWNC"),
    case("DataFormatVecPermute", i32([5, 6]), src_format="NHWC", dst_format="WHNC"),
    case("DataFormatVecPermute", ints(2, 2)),
    case("DataFormatVecPermute", i32([1, 2, 3])).fails(IAE),
    case("DataFormatVecPermute", i32([1, 2, 3, 4]), src_format="1233", dst_format="3321").fails(IAE),
    case("DataFormatVecPermute", i32([1, 2, 3]), src_format="NHW", dst_format="HWN").fails(IAE),
    case("DataFormatDimMap", i32([0]), src_format="12345678", dst_format="87654321").fails(IAE),
    case("DataFormatDimMap", i32([0]), src_format="1233", dst_format="3321").fails(IAE),
]
