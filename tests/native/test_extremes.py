"""Extreme sizes, strides, dilations, paddings and counts: right results or clear errors, never wrong memory.

`make sanitize` runs these with modules that check each address. The graphs' answers are TensorFlow's."""

import itertools
import os
import random

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.base import errors
from evergraph.kernel.foreign import available_now, call_now

HUGE = [2**20, 2**31 - 1, 2**31, 2**40, 2**62, -1, -(2**31), -(2**62), 0]
CLEAR = (ValueError, OverflowError, errors.InvalidArgumentError, errors.ResourceExhaustedError,
         errors.UnimplementedError)
WRONG = [2**12, *HUGE[1:]]  # kernels that are called with 2**20 where it fits take most of a minute to clear memory
EACH = int(os.environ.get("EVERGRAPH_FUZZ", 60))


def result(make, tier):
    """What a graph gives for arrays of ones, or the error."""
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        try:
            return session.run(make())
        except CLEAR as error:
            return error


def images(*shape):
    """A tensor that only the step knows."""
    return tf.identity(tf.reshape(tf.range(int(np.prod(shape)), dtype=tf.float32), shape))


def box(number):
    return [1, number, number, 1]


ops = tf.raw_ops
x, w, y = lambda: images(2, 5, 6, 2), lambda: images(3, 3, 2, 4), lambda: images(2, 5, 6, 4)
x3, w3 = lambda: images(1, 3, 4, 5, 2), lambda: images(3, 3, 3, 2, 2)
ONE, ONES = [1] * 4, [1] * 5
WINDOWS = {
    "Conv2D dilations": lambda n, p: ops.Conv2D(input=x(), filter=w(), strides=ONE, padding=p, dilations=box(n)),
    "Conv2D strides": lambda n, p: ops.Conv2D(input=x(), filter=w(), strides=box(n), padding=p),
    "Conv2DBackpropInput": lambda n, p: ops.Conv2DBackpropInput(
        input_sizes=[2, 5, 6, 2], filter=w(), out_backprop=y(), strides=ONE, padding=p, dilations=box(n)),
    "Conv2DBackpropFilter": lambda n, p: ops.Conv2DBackpropFilter(
        input=x(), filter_sizes=[3, 3, 2, 4], out_backprop=y(), strides=ONE, padding=p, dilations=box(n)),
    "Conv3D dilations": lambda n, p: ops.Conv3D(
        input=x3(), filter=w3(), strides=ONES, padding=p, dilations=[1, n, n, n, 1]),
    "Conv3D strides": lambda n, p: ops.Conv3D(input=x3(), filter=w3(), strides=[1, n, n, n, 1], padding=p),
    "DepthwiseConv2dNative": lambda n, p: ops.DepthwiseConv2dNative(
        input=x(), filter=images(3, 3, 2, 2), strides=ONE, padding=p, dilations=box(n)),
    "MaxPool": lambda n, p: ops.MaxPool(input=x(), ksize=box(n), strides=ONE, padding=p),
    "MaxPool strides": lambda n, p: ops.MaxPool(input=x(), ksize=box(2), strides=box(n), padding=p),
    "MaxPoolGrad": lambda n, p: ops.MaxPoolGrad(
        orig_input=x(), orig_output=x(), grad=x(), ksize=box(n), strides=ONE, padding=p),
    "AvgPool": lambda n, p: ops.AvgPool(value=x(), ksize=box(n), strides=ONE, padding=p),
    "AvgPoolGrad strides": lambda n, p: ops.AvgPoolGrad(
        orig_input_shape=[2, 5, 6, 2], grad=images(2, 1, 1, 2), ksize=box(2), strides=box(n), padding=p),
    "MaxPool3D": lambda n, p: ops.MaxPool3D(input=x3(), ksize=[1, n, n, n, 1], strides=ONES, padding=p),
    "Dilation2D": lambda n, p: ops.Dilation2D(input=x(), filter=images(3, 3, 2), strides=ONE, rates=box(n), padding=p),
    "Dilation2DBackpropFilter": lambda n, p: ops.Dilation2DBackpropFilter(
        input=x(), filter=images(3, 3, 2), out_backprop=x(), strides=ONE, rates=box(n), padding=p),
    "ExtractImagePatches": lambda n, p: ops.ExtractImagePatches(
        images=x(), ksizes=box(2), strides=ONE, rates=box(n), padding=p),
}


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_windows_of_any_numbers_give_a_result_or_a_clear_error(name, padding):
    for number in HUGE:
        found = result(lambda number=number: WINDOWS[name](number, padding), "numpy")
        if not 0 < number < 2**31:
            assert isinstance(found, CLEAR), (number, found)


# TensorFlow's, each number times its place modulo 7. "Conv3D strides" is missing: with SAME and a stride beyond the
# window TensorFlow's Conv3D, unlike its Conv2D, begins in the middle of the volume, for strides of any size.
TOTALS = {
    "Conv2D dilations": 3033696.0, "Conv2D strides": 840591.0, "Conv2DBackpropInput": 6138742.0,
    "Conv2DBackpropFilter": 14244980.0, "Conv3D dilations": 2304823.0,
    "DepthwiseConv2dNative": 747422.0, "MaxPool": 31863.0, "MaxPool strides": 388.0, "AvgPool": 21510.0,
    "AvgPoolGrad strides": 20.5,
}  # fmt: skip


@pytest.mark.parametrize("tier", ["numpy", "xla"])
@pytest.mark.parametrize("name", TOTALS)
def test_what_windows_see_beside_their_padding(name, tier):
    """Each element of a dilated window but the middle one lies a million places away from every image."""
    found = np.ravel(result(lambda: WINDOWS[name](2**20, "SAME"), tier)).astype(np.float64)
    assert np.isclose(np.sum(found * (np.arange(found.size) % 7)), TOTALS[name], rtol=1e-6)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_paddings_far_larger_than_images(tier):
    """Of nine places one sees the image; the others see padding alone."""
    paddings = [0, 0, 2**20, 2**20, 2**20, 2**20, 0, 0]
    found = result(lambda: ops.Conv2D(input=x(), filter=w(), strides=box(2**20), padding="EXPLICIT",
                                      explicit_paddings=paddings), tier)
    plain = result(lambda: ops.Conv2D(input=x(), filter=w(), strides=ONE, padding="VALID"), tier)
    assert found.shape == (2, 3, 3, 4) and np.array_equal(found[:, 1, 1], plain[:, 0, 0])
    assert np.count_nonzero(found) == np.count_nonzero(plain[:, 0, 0])


@pytest.mark.parametrize("stride, dilation, before", [(2**20, 2**20, 2**20), (2**31 - 1, 2**31 - 1, 2**31 - 1)])
def test_images_that_no_memory_has_room_for_with_their_padding(stride, dilation, before):
    """Two places see two different elements of a window, and all that is between is padding."""
    paddings = [0, 0, before, before, before, before, 0, 0]
    found = result(lambda: ops.Conv2D(input=images(1, 1, 1, 1), filter=images(2, 2, 1, 1), strides=box(stride),
                                      dilations=box(dilation), padding="EXPLICIT", explicit_paddings=paddings), "numpy")
    assert isinstance(found, errors.ResourceExhaustedError)


def test_an_imported_graph_with_a_dilation_beyond_32_bits_is_refused():
    with tf.Graph().as_default() as graph:
        ops.Conv2D(input=tf.placeholder(tf.float32, [2, 5, 6, 2]), filter=tf.placeholder(tf.float32, [3, 3, 2, 4]),
                   strides=ONE, padding="SAME", dilations=box(2), name="conv")
        definition = graph.as_graph_def()
    for node in definition.node:
        if node.name == "conv":
            node.attr["dilations"].list.i[:] = box(2**62)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="32 bits"):
        tf.import_graph_def(definition, name="")


# ---- other ops whose kernels are in C

VECTOR, MATRIX, SQUARES = lambda: images(12), lambda: images(3, 4), lambda: images(2, 3, 3) + tf.eye(3)
WORDS = lambda: tf.identity(tf.constant(["a b", "c,d", ""]))
TEXT = lambda number: tf.identity(tf.constant([str(number)]))
INTEGERS = lambda *numbers: tf.identity(tf.constant(numbers, tf.int64))
INDICES, VALUES, DENSE = lambda: INTEGERS(0, 1, 2, 3), lambda: images(4), lambda: INTEGERS(3, 4)
PLACES = lambda: tf.reshape(INTEGERS(0, 0, 1, 2), [2, 2])
SPARSE = lambda n: dict(indices=tf.reshape(INTEGERS(0, 0, 1, n), [2, 2]), values=images(2))
SIZES = {  # ops whose results have as many elements as the number says
    "RandomStandardNormal": lambda n: ops.RandomStandardNormal(shape=[n], dtype=tf.float32, seed=1),
    "TruncatedNormal": lambda n: ops.TruncatedNormal(shape=[n], dtype=tf.float32, seed=1),
    "RandomUniform": lambda n: ops.RandomUniform(shape=[n], dtype=tf.float32, seed=1),
    "RandomUniformInt": lambda n: ops.RandomUniformInt(shape=[n], minval=0, maxval=9, seed=1),
    "RandomGamma": lambda n: ops.RandomGamma(shape=[n], alpha=[1.0], seed=1),
    "RandomPoissonV2": lambda n: ops.RandomPoissonV2(shape=[n], rate=[1.0], seed=1),
    "StatelessRandomNormal": lambda n: ops.StatelessRandomNormal(shape=[n], seed=[1, 2]),
    "Multinomial": lambda n: ops.Multinomial(logits=MATRIX(), num_samples=n, seed=1),
    "ResizeBilinear": lambda n: ops.ResizeBilinear(images=x(), size=[n, 2]),
    "ResizeNearestNeighbor": lambda n: ops.ResizeNearestNeighbor(images=x(), size=[n, 2]),
    "ResizeBicubic": lambda n: ops.ResizeBicubic(images=x(), size=[n, 2]),
    "ResizeArea": lambda n: ops.ResizeArea(images=x(), size=[n, 2]),
    "CropAndResize": lambda n: ops.CropAndResize(image=x(), boxes=[[0.0] * 4], box_ind=[0], crop_size=[n, 2]),
    "UnsortedSegmentSum": lambda n: ops.UnsortedSegmentSum(data=images(4), segment_ids=[0, 1, 0, 1], num_segments=n),
    "UnsortedSegmentMax": lambda n: ops.UnsortedSegmentMax(data=images(4), segment_ids=[0, 1, 0, 1], num_segments=n),
    "SparseToDense": lambda n: ops.SparseToDense(
        sparse_indices=PLACES(), output_shape=INTEGERS(3, n), sparse_values=images(2), default_value=0.0),
    "Bincount": lambda n: ops.Bincount(arr=[1, 2], size=n, weights=[1.0, 2.0]),
    "Tile": lambda n: ops.Tile(input=VECTOR(), multiples=[n]),
}
NUMBERS = {  # ops that take the number as an attr, an index, a count or a place
    "RandomShuffle": lambda n: ops.RandomShuffle(value=INTEGERS(n, 1), seed=n),
    "TopKV2": lambda n: ops.TopKV2(input=MATRIX(), k=n),
    "NthElement": lambda n: ops.NthElement(input=MATRIX(), n=n),
    "InTopKV2": lambda n: ops.InTopKV2(predictions=MATRIX(), targets=INTEGERS(n, 0, 1), k=INTEGERS(2)[0]),
    "InTopK, k": lambda n: ops.InTopK(predictions=MATRIX(), targets=[0, 1, 2], k=n),
    "LowerBound": lambda n: ops.LowerBound(sorted_inputs=INTEGERS(0, 1)[None], values=INTEGERS(n)[None]),
    "Cumsum": lambda n: ops.Cumsum(x=MATRIX(), axis=n),
    "Cumprod": lambda n: ops.Cumprod(x=MATRIX(), axis=n),
    "ArgMax": lambda n: ops.ArgMax(input=MATRIX(), dimension=n),
    "Prod": lambda n: ops.Prod(input=MATRIX(), axis=[n]),
    "SegmentSum": lambda n: ops.SegmentSum(data=images(2), segment_ids=INTEGERS(0, min(n, 2**20))),
    "UnsortedSegmentSum, ids": lambda n: ops.UnsortedSegmentSum(
        data=images(2), segment_ids=INTEGERS(0, n), num_segments=3),
    "SparseSegmentSum": lambda n: ops.SparseSegmentSum(data=MATRIX(), indices=INTEGERS(0, n), segment_ids=[0, 1]),
    "GatherV2": lambda n: ops.GatherV2(params=MATRIX(), indices=INTEGERS(n), axis=0),
    "CropAndResize, boxes": lambda n: ops.CropAndResize(
        image=x(), boxes=[[0.0, 0.0, float(n), float(-n)]], box_ind=[0], crop_size=[2, 2]),
    "CropAndResizeGradImage": lambda n: ops.CropAndResizeGradImage(
        grads=images(1, 2, 2, 2), boxes=[[0.0, 0.0, n, 1.0]], box_ind=[0], image_size=[2, 5, 6, 2], T=tf.float32),
    "UniformCandidateSampler": lambda n: ops.UniformCandidateSampler(
        true_classes=INTEGERS(0)[None], num_true=1, num_sampled=2, unique=True, range_max=n, seed=1),
    "LogUniformCandidateSampler": lambda n: ops.LogUniformCandidateSampler(
        true_classes=INTEGERS(n)[None], num_true=1, num_sampled=2, unique=False, range_max=5, seed=1),
    "Sin": lambda n: ops.Sin(x=images(3) * n),
    "Igamma": lambda n: ops.Igamma(a=images(3) + 1.0, x=images(3) * n),
    "Igammac": lambda n: ops.Igammac(a=images(3) * n, x=images(3)),
    "Betainc": lambda n: ops.Betainc(a=images(3) * n, b=images(3) + 1.0, x=[0.5, 0.5, 0.5]),
    "Lgamma": lambda n: ops.Lgamma(x=images(3) * n),
    "Digamma": lambda n: ops.Digamma(x=images(3) * n),
    "MatrixSolve": lambda n: ops.MatrixSolve(matrix=SQUARES() * n, rhs=images(2, 3, 1)),
    "MatrixInverse": lambda n: ops.MatrixInverse(input=SQUARES() * n),
    "MatrixDeterminant": lambda n: ops.MatrixDeterminant(input=SQUARES() * n),
    "MatrixTriangularSolve": lambda n: ops.MatrixTriangularSolve(matrix=SQUARES() * n, rhs=images(2, 3, 1)),
    "Cholesky": lambda n: ops.Cholesky(input=tf.eye(3) * n),
    "SelfAdjointEigV2": lambda n: ops.SelfAdjointEigV2(input=SQUARES() * n),
    "Svd": lambda n: ops.Svd(input=SQUARES() * n),
    "FusedBatchNorm": lambda n: ops.FusedBatchNorm(
        x=x(), scale=[1.0, 1.0], offset=[0.0, 0.0], mean=[], variance=[], epsilon=float(abs(n)))[0],
    "Substr": lambda n: ops.Substr(input=WORDS(), pos=INTEGERS(n), len=INTEGERS(n)),
    "StringSplitV2": lambda n: ops.StringSplitV2(input=WORDS(), sep=" ", maxsplit=n)[1],
    "StringToHashBucketFast": lambda n: ops.StringToHashBucketFast(input=WORDS(), num_buckets=n),
    "StringToHashBucketStrong": lambda n: ops.StringToHashBucketStrong(input=WORDS(), num_buckets=n, key=[n, 1]),
    "StringToNumber": lambda n: ops.StringToNumber(string_tensor=TEXT(n * 2**40), out_type=tf.int64),
    "AsString": lambda n: ops.AsString(input=INTEGERS(n), width=min(n, 2**20)),
    "DecodeCSV": lambda n: ops.DecodeCSV(records=TEXT(n), record_defaults=[tf.zeros([1], tf.int32)])[0],
    "DecodeRaw": lambda n: ops.DecodeRaw(bytes=TEXT(abs(n) + 10**15), out_type=tf.int64),
    "UnicodeEncode": lambda n: ops.UnicodeEncode(
        input_values=tf.cast(INTEGERS(n), tf.int32), input_splits=INTEGERS(0, n), output_encoding="UTF-8"),
    "UnsortedSegmentJoin": lambda n: ops.UnsortedSegmentJoin(
        inputs=WORDS(), segment_ids=INTEGERS(0, n, 1), num_segments=2),
    "RegexReplace": lambda n: ops.RegexReplace(input=TEXT(n), pattern="[0-9]+", rewrite=r"\0\0"),
    "EditDistance": lambda n: ops.EditDistance(
        hypothesis_indices=PLACES(), hypothesis_values=INTEGERS(1, n), hypothesis_shape=INTEGERS(3, 4),
        truth_indices=PLACES(), truth_values=INTEGERS(1, 2), truth_shape=INTEGERS(3, min(max(n, 4), 2**20))),
    "SparseReorder": lambda n: ops.SparseReorder(
        input_indices=SPARSE(n)["indices"], input_values=images(2), input_shape=INTEGERS(3, n))[1],
    "SparseAdd": lambda n: ops.SparseAdd(
        a_indices=PLACES(), a_values=images(2), a_shape=INTEGERS(3, n), b_indices=SPARSE(n)["indices"],
        b_values=images(2), b_shape=INTEGERS(3, n), thresh=0.0)[1],
    "SparseSlice": lambda n: ops.SparseSlice(
        indices=PLACES(), values=images(2), shape=INTEGERS(3, 4), start=INTEGERS(0, n), size=INTEGERS(3, n))[1],
    "SparseFillEmptyRows": lambda n: ops.SparseFillEmptyRows(
        **SPARSE(n), dense_shape=INTEGERS(3, n), default_value=0.0)[1],
    "SparseTensorDenseMatMul": lambda n: ops.SparseTensorDenseMatMul(
        a_indices=SPARSE(n)["indices"], a_values=images(2), a_shape=INTEGERS(3, 4), b=images(4, 2)),
    "Unique": lambda n: ops.Unique(x=INTEGERS(n, 1, n))[0],
    "Range": lambda n: ops.Range(start=INTEGERS(0)[0], limit=INTEGERS(n)[0], delta=INTEGERS(n)[0]),
}  # fmt: skip


@pytest.mark.parametrize("name", [*SIZES, *NUMBERS])
def test_ops_of_any_numbers_give_a_result_or_a_clear_error(name):
    """A size is -1 or more than there is memory; other numbers may be any."""
    for number in [2**40, 2**62, -1, -(2**62), 0] if name in SIZES else HUGE:
        found = result(lambda number=number: (SIZES | NUMBERS)[name](number), "numpy")
        if name in SIZES and number:
            assert isinstance(found, CLEAR), (number, found)


# ---- kernels that are called with any numbers

F4, F8, I4, I8, U8 = np.float32, np.float64, np.int32, np.int64, np.uint64
GEOMETRY = [2, 3, 4, 1, 5, 6, 1, 3, 3, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 5, 6]
IMAGES, FILTER, RESULT = (2, 1, 5, 6, 3), (1, 3, 3, 3, 4), (2, 1, 5, 6, 4)
POOLED = [2, 3, 3, *GEOMETRY[3:]]
UPDATES = {"gradient_descent": 1, "momentum": 2, "adagrad": 2, "adam": 3, "ftrl": 3}
CALLS = [  # a kernel, (the shape and dtype of each operand), the same of results, and the numbers that fit them
    *((f"convolve{kind}.{name}", [(a, dtype), (b, dtype)], [(c, dtype)], GEOMETRY)
      for kind, dtype in (("", F4), ("64", F8), ("_512", F4), ("64_512", F8))
      for name, a, b, c in (("convolve", IMAGES, FILTER, RESULT), ("convolve_to_filter", IMAGES, RESULT, FILTER),
                            ("convolve_to_input", FILTER, RESULT, IMAGES))),
    *((f"windows{kind}.{name}", [(a, dtype), (b, dtype)], [(c, dtype)], [2, 3, 6, *GEOMETRY[3:]])
      for kind, dtype in (("", F4), ("64", F8))
      for name, a, b, c in (("depthwise", IMAGES, (1, 3, 3, 3, 2), (2, 1, 5, 6, 6)),
                            ("depthwise_to_filter", IMAGES, (2, 1, 5, 6, 6), (1, 3, 3, 3, 2)),
                            ("depthwise_to_input", (1, 3, 3, 3, 2), (2, 1, 5, 6, 6), IMAGES))),
    *((f"windows{kind}.max_pool", [(IMAGES, dtype)], [(IMAGES, dtype)], POOLED)
      for kind, dtype in (("", F4), ("64", F8))),
    *((f"windows{kind}.max_pool_gradient", [(IMAGES, dtype)] * 2, [(IMAGES, dtype)], POOLED)
      for kind, dtype in (("", F4), ("64", F8))),
    ("crops.crop", [((2, 5, 6, 3), F4), ((4, 3), F4), ((4, 2), F4), ((4,), I4)], [((4, 3, 2, 3), F4)],
     [2, 5, 6, 3, 4, 3, 2, 0]),
    ("crops.crop_to_image", [((4, 3, 2, 3), F4), ((4, 3), F4), ((4, 2), F4), ((4,), I4)], [((2, 5, 6, 3), F4)],
     [2, 5, 6, 3, 4, 3, 2, 0]),
    ("crops.resample", [((2, 5, 6, 3), F4), ((5,), I4), ((1,), I4), ((1,), F4), ((4,), I4), ((1,), I4), ((1,), F4)],
     [((2, 4, 3, 3), F4)], [2, 5, 6, 3, 4, 3]),
    ("draws.normal", [((3,), U8)], [((10,), F4)], [10]),
    ("draws.truncated_normal", [((3,), U8)], [((10,), F4)], [10]),
    ("draws.gamma", [((3,), U8), ((4,), F8)], [((5, 4), F8)], [5, 4]),
    ("draws.poisson", [((3,), U8), ((4,), F8)], [((5, 4), F8)], [5, 4]),
    ("draws.permutation", [((3,), U8)], [((10,), I4)], [10]),
    ("draws.candidates", [((3,), U8), ((2,), I8)], [((4,), I8), ((2,), F4), ((4,), F4)], [4, 9, 1, 2, 0]),
    ("draws.classes", [((3, 4), F8), ((3, 5), F8)], [((3, 5), I4)], [3, 4, 5]),
    ("ids.distinct", [((10,), I4)], [((10,), I4), ((10,), I4)], [10, 0]),
    *((f"reduce.{name}", [((2, 3, 4), F4)], [(shape, dtype)], [2, 3, 4, 0])
      for name, shape, dtype in (("products", (2, 4), F4), ("positions", (2, 4), I4), ("running", (2, 3, 4), F4))),
    ("reduce.segments", [((3, 4), F4), ((3,), I4)], [((5, 4), F4)], [5, 3, 4, 0]),
    *((f"rows{kind}.{name}", operands, [(shape, I4)], [3, 7, shape[1], 0])
      for kind, dtype in (("", F4), ("64", F8), ("_int", I4), ("_int64", I8))
      for name, operands, shape in (
          ("order", [((3, 7), dtype)], (3, 2)), ("places", [((3, 7), dtype), ((3, 2), dtype)], (3, 2)),
          ("nth", [((3, 7), dtype), ((), I4)], (3, 1)), ("ranks", [((3, 7), dtype), ((3,), I4)], (3, 1)))),
    ("waves.sine", [((10,), F4)], [((10,), F4)], [10, 0]),
    *((f"special.{name}", [((10,), F4)] * count, [((10,), F4)], [10, 0])
      for name, count in (("igamma", 2), ("igammac", 2), ("betainc", 3), ("lgamma", 1), ("digamma", 1))),
    ("lines.sums", [((4, 5), F4)], [((4,), F4)], [5]),
    ("lines.squares", [((20,), F4)], [((4,), F4)], [5]),
    *((f"lines.{name}", [((4, 5), F4)] * count, [((4, 5), F4)], [5])
      for name, count in (("shifted", 1), ("scaled", 1), ("softmax_gradient", 2))),
    *((f"elements{kind}.{name}", [((4, 5), dtype), ((5,), dtype)], [((4, 5), dtype)], [4, 5, 5, 1, 0, 1])
      for kind, dtype in (("", F4), ("64", F8))
      for name in ("add", "subtract", "multiply", "divide", "squared_difference")),
    *((f"elements{kind}.add_all", [((4, 5), dtype)] * 3, [((4, 5), dtype)], [])
      for kind, dtype in (("", F4), ("64", F8))),
    *((f"elements{kind}.choose", [((4, 5), bool), *[((4, 5), dtype)] * 2], [((4, 5), dtype)], [])
      for kind, dtype in (("", F4), ("64", F8))),
    *((f"channels{kind}.add", [((4, 5), dtype), ((5,), dtype)], [((4, 5), dtype)], [])
      for kind, dtype in (("", F4), ("64", F8))),
    *((f"updates.{name}", [((5,), F4), ((), bool), *[((6, 2), F4)] * (cells + 1)], [((6, 2), F4)] * cells, [0])
      for name, cells in UPDATES.items()),
    *((f"updates.{name}", [((5,), F4), ((), bool), *[((6, 2), F4)] * cells, ((3,), rows), ((3, 2), F4)],
       [((6, 2), F4)] * cells, [option])
      for name, cells in UPDATES.items() for rows, option in ((I4, 2), (I8, 4))),
    ("buffers.unset", [], [((4,), F4)], []),
    *((f"channels{kind}.{name}", [((4, 5), dtype)] * count, [(shape, dtype)], [])
      for kind, dtype in (("", F4), ("64", F8))
      for name, count, shape in (("rectify", 1, (4, 5)), ("rectify_gradient", 2, (4, 5)), ("sums", 1, (5,)))),
    ("norms.normalize_gradient", [*[((8, 3), F4)] * 2, *[((3,), F4)] * 3], [((8, 3), F4), *[((3,), F4)] * 2], [0]),
    ("norms.normalize", [((8, 3), F4), *[((3,), F4)] * 3], [((8, 3), F4), ((3,), F4)], [0]),
    *((f"products{kind}.multiply", [((4, 5), dtype), ((5, 3), dtype)], [((4, 3), dtype)], [0, 0])
      for kind, dtype in (("", F4), ("64", F8))),
    *((f"matrices{kind}.{name}", [(shape, dtype) for shape in given], [(shape, dtype) for shape in made], numbers)
      for kind, dtype in (("", F4), ("64", F8))
      for name, given, made, numbers in (
          ("solve", [(2, 3, 3), (2, 3, 4)], [(2, 3, 4)], [2, 3, 4, 0]),
          ("triangular", [(2, 3, 3), (2, 3, 4)], [(2, 3, 4)], [2, 3, 4, 0]),
          ("tridiagonal", [(2, 3, 3), (2, 3, 4)], [(2, 3, 4)], [2, 3, 4, 0]),
          ("inverse", [(2, 3, 3)], [(2, 3, 3)], [2, 3, 0, 0]),
          ("determinant", [(2, 3, 3)], [(2,), (2,)], [2, 3, 0, 0]),
          ("cholesky", [(2, 3, 3)], [(2, 3, 3)], [2, 3, 0, 0]),
          ("eigen", [(2, 3, 3)], [(2, 3), (2, 3, 3)], [2, 3, 0, 0]),
          ("singular", [(2, 4, 3)], [(2, 3), (2, 4, 3), (2, 3, 3)], [2, 3, 4, 0]))),
]  # fmt: skip


def called(kernel, operands, results, numbers):
    """The error of a call, or None: the results have the room that the shapes say, whatever the numbers say."""
    module, function = kernel.split(".")
    kernels = getattr(native, module)
    given = tuple(np.ones(shape, dtype) for shape, dtype in operands)
    made = tuple(np.empty(shape, dtype) for shape, dtype in results)
    try:
        kernels.call(getattr(kernels, function), given, made, np.asarray(numbers, np.int64).tobytes(), 2)
    except (ValueError, MemoryError) as error:
        return error
    return None


@pytest.mark.parametrize("kernel, operands, results, numbers", CALLS, ids=[call[0] for call in CALLS])
def test_kernels_refuse_numbers_that_do_not_fit_their_arrays(kernel, operands, results, numbers):
    if not available_now(kernel):
        pytest.skip("not for this machine")
    assert called(kernel, operands, results, numbers) is None
    draw = random.Random(kernel)
    sizes = len(numbers) - kernel.startswith(("ids.", "special."))  # their last number says the dtype, as modules do
    for at, number in itertools.product(range(sizes), WRONG):
        called(kernel, operands, results, [*numbers[:at], number, *numbers[at + 1 :]])
    for _ in range(EACH):
        drawn = [draw.choice([number, *WRONG]) for number in numbers[:sizes]]
        called(kernel, operands, results, [*drawn, *numbers[sizes:]])
    if numbers and not kernel.startswith(("norms.", "products", "updates.")):  # whose numbers are no sizes
        assert called(kernel, operands, results, [2**62] * len(numbers)) is not None
    smaller = [((*shape[:-1], max(shape[-1] - 1, 0)) if shape else (2,), dtype) for shape, dtype in operands]
    for at in range(len(operands)):
        called(kernel, [*operands[:at], smaller[at], *operands[at + 1 :]], results, numbers)
    for fewer in (operands[1:], [*operands, *operands[:1]]):
        called(kernel, fewer, results, numbers)
    for fewer in (numbers[1:], [*numbers, 0]):
        called(kernel, operands, results, fewer)


@pytest.mark.parametrize("kernel, operands, results, numbers", CALLS, ids=[call[0] for call in CALLS])
def test_kernels_refuse_arrays_of_another_width(kernel, operands, results, numbers):
    """Of as many elements, in half or twice the bytes; nor do they take arrays with strides of their own."""
    if not available_now(kernel):
        pytest.skip("not for this machine")
    for at, other in itertools.product(range(len(operands)), (np.float16, np.complex128)):
        wrong = [*operands[:at], (operands[at][0], other), *operands[at + 1 :]]
        assert isinstance(called(kernel, wrong, results, numbers), ValueError), (at, other)
    for at in range(len(results) if kernel != "buffers.unset" else 0):
        wrong = [*results[:at], (results[at][0], np.float16), *results[at + 1 :]]
        assert isinstance(called(kernel, operands, wrong, numbers), ValueError), at
    module, function = (getattr(native, kernel.split(".")[0]), kernel.split(".")[1])
    sparse = tuple(np.ones((*shape, 2), dtype)[..., 0] for shape, dtype in operands)
    if operands and not kernel.startswith("products"):
        with pytest.raises(ValueError, match="do not fit"):
            module.call_on_views(getattr(module, function), sparse, tuple(np.empty(*each) for each in results),
                                 np.asarray(numbers, np.int64).tobytes(), 2)


def test_every_kernel_is_called_here():
    """But the softmax, one of whose numbers is the address of a loop."""
    there = {f"{module}.{name}" for module in native.MODULES if hasattr(getattr(native, module), "call")
             for name, value in vars(getattr(native, module)).items() if type(value).__name__ == "PyCapsule"}
    assert {call[0] for call in CALLS if available_now(call[0])} | {"lines.softmax"} == there


def test_calls_through_foreign():
    """The way that ops take: an error of the kernel becomes an exception."""
    with pytest.raises(ValueError, match="do not fit"):
        call_now("lines.sums", [(4,)], (np.ones((4, 5), F4),), np.int64(2**62).tobytes(), 1)
