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
CLEAR = (ValueError, errors.InvalidArgumentError, errors.ResourceExhaustedError, errors.UnimplementedError)
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


# ---- kernels that are called with any numbers

F4, F8, I4, I8, U8 = np.float32, np.float64, np.int32, np.int64, np.uint64
GEOMETRY = [2, 3, 4, 1, 5, 6, 1, 3, 3, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 5, 6]
IMAGES, FILTER, RESULT = (2, 1, 5, 6, 3), (1, 3, 3, 3, 4), (2, 1, 5, 6, 4)
POOLED = [2, 3, 3, *GEOMETRY[3:]]
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
      for name, count in (("igamma", 2), ("betainc", 3), ("lgamma", 1), ("digamma", 1))),
    ("lines.sums", [((4, 5), F4)], [((4,), F4)], [5]),
    ("lines.squares", [((20,), F4)], [((4,), F4)], [5]),
    *((f"elements{kind}.add", [((4, 5), dtype), ((5,), dtype)], [((4, 5), dtype)], [4, 5, 5, 1, 0, 1])
      for kind, dtype in (("", F4), ("64", F8))),
    *((f"channels{kind}.{name}", [((4, 5), dtype)] * count, [(shape, dtype)], [])
      for kind, dtype in (("", F4), ("64", F8))
      for name, count, shape in (("rectify", 1, (4, 5)), ("rectify_gradient", 2, (4, 5)), ("sums", 1, (5,)))),
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
          ("cholesky", [(2, 3, 3)], [(2, 3, 3)], [2, 3, 0, 0]))),
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
    for at, number in itertools.product(range(sizes), HUGE):
        called(kernel, operands, results, [*numbers[:at], number, *numbers[at + 1 :]])
    for _ in range(EACH):
        drawn = [draw.choice([number, *HUGE]) for number in numbers[:sizes]]
        called(kernel, operands, results, [*drawn, *numbers[sizes:]])
    if numbers and not kernel.startswith(("norms.", "products")):  # whose numbers are no sizes
        assert called(kernel, operands, results, [2**62] * len(numbers)) is not None
    smaller = [((*shape[:-1], max(shape[-1] - 1, 0)) if shape else (2,), dtype) for shape, dtype in operands]
    for at in range(len(operands)):
        called(kernel, [*operands[:at], smaller[at], *operands[at + 1 :]], results, numbers)
    for fewer in (operands[1:], [*operands, operands[0]]):
        called(kernel, fewer, results, numbers)


def test_every_kernel_is_called_here():
    """Those without numbers but the sizes of their arrays, and those of pairs with others, stand for the rest."""
    rest = {"buffers", "updates"}
    assert {call[0].split(".")[0] for call in CALLS} | rest >= {
        name for name in native.MODULES if hasattr(getattr(native, name), "call")}


def test_calls_through_foreign():
    """The way that ops take: an error of the kernel becomes an exception."""
    with pytest.raises(ValueError, match="do not fit"):
        call_now("lines.sums", [(4,)], (np.ones((4, 5), F4),), np.int64(2**62).tobytes(), 1)
