"""The rows of `make sweep`: ops and small fragments of models at the sizes that programs use them at.

A fragment computes one tensor from variables. It is measured forward and, where it has a gradient, with the gradients
of all of its variables. Inputs are shapes, filled with numbers between 0.1 and 1.1, or arrays.
"""

import dataclasses
import importlib
from collections.abc import Callable

import numpy as np

MODULES = ("benchmarks.fragments", "benchmarks.everyday", "benchmarks.texts", "benchmarks.vocabulary",
           "benchmarks.odd_sizes")


@dataclasses.dataclass(frozen=True)
class Fragment:
    """One line of the sweep: its name, the function of `tf` and of its variables, and the variables' values."""

    name: str
    build: Callable
    inputs: tuple
    has_gradient: bool

    def values(self):
        """The initial values of the variables, the same in every process."""
        generator = np.random.RandomState(0)
        return [each if isinstance(each, np.ndarray) else _between(generator, each) for each in self.inputs]


_fragments: dict[str, Fragment] = {}


def all_fragments():
    """Every fragment by name."""
    for module in MODULES:
        importlib.import_module(module)
    return _fragments


def add(name, build, *inputs, gradient=True):
    _fragments[name] = Fragment(name, build, inputs, gradient)


def _between(generator, shape):
    return (generator.rand(*shape) + 0.1).astype(np.float32)


def ids(below, *shape, seed=1):
    """Random integers."""
    return np.random.RandomState(seed).randint(0, below, shape)


def bounded(below, count, seed=1):
    """Random integers in order: the segments of rows."""
    return np.sort(ids(below, count, seed=seed))


def symmetric(*shape, seed=2):
    """Random numbers around zero."""
    return np.random.RandomState(seed).randn(*shape).astype(np.float32)


def as_number(tf, integers, like):
    """Integers or booleans as a float tensor that depends on a variable."""
    return tf.cast(integers, tf.float32) + 0.0 * tf.reduce_sum(tf.reshape(like, [-1])[:1])


def numbers(tf, like, integers):
    """Integers that depend on a variable. TensorFlow folds constants and products with zero, but no comparison."""
    return tf.cast(tf.reshape(like, [-1])[0] > 1e6, integers.dtype) + integers


# ---- convolutions


def convolution(name, images, filters, stride=1, padding="SAME", dilation=1):
    add(f"conv2d {name}", lambda tf, x, w: tf.nn.conv2d(
        x, w, [1, stride, stride, 1], padding, dilations=[1, dilation, dilation, 1]), images, filters,
        gradient=dilation == 1)  # TensorFlow has no gradient of dilated convolutions on CPUs


convolution("text 3x100 VALID", (50, 60, 100, 1), (3, 100, 1, 100), padding="VALID")
convolution("text 4x128 VALID", (64, 56, 128, 1), (4, 128, 1, 64), padding="VALID")
convolution("text 5x300 VALID", (32, 40, 300, 1), (5, 300, 1, 64), padding="VALID")
convolution("7x7 stride 2, 3 channels", (8, 96, 96, 3), (7, 7, 3, 64), 2)
convolution("3x3 stride 2, 3 channels", (8, 96, 96, 3), (3, 3, 3, 32), 2)
convolution("9x9, 3 channels", (2, 96, 96, 3), (9, 9, 3, 32))
convolution("11x11 stride 4, 3 channels", (8, 115, 115, 3), (11, 11, 3, 64), 4, "VALID")
convolution("3x3, 3 channels", (32, 32, 32, 3), (3, 3, 3, 16))
convolution("5x5, 1 channel", (64, 28, 28, 1), (5, 5, 1, 32))
convolution("5x5, 32 channels", (64, 14, 14, 32), (5, 5, 32, 64))
convolution("3x3, 16 channels", (32, 32, 32, 16), (3, 3, 16, 16))
convolution("3x3, 32 channels", (32, 16, 16, 32), (3, 3, 32, 32))
convolution("3x3, 64 channels", (32, 8, 8, 64), (3, 3, 64, 64))
convolution("3x3, 256 channels", (8, 14, 14, 256), (3, 3, 256, 256))
convolution("3x3, 512 to 1024 channels", (2, 13, 13, 512), (3, 3, 512, 1024))
convolution("3x3 stride 2, 64 channels", (16, 28, 28, 64), (3, 3, 64, 128), 2)
convolution("3x3 dilation 2", (8, 28, 28, 32), (3, 3, 32, 32), dilation=2)
convolution("3x3 VALID", (16, 30, 30, 32), (3, 3, 32, 64), padding="VALID")
convolution("3x3, 64 to 3 channels", (8, 64, 64, 64), (3, 3, 64, 3))
convolution("3x3, 32 to 1 channel", (8, 32, 32, 32), (3, 3, 32, 1))
convolution("3x3, 16 to 8 channels", (4, 50, 50, 16), (3, 3, 16, 8))
convolution("3x3, 5 to 7 channels", (8, 40, 40, 5), (3, 3, 5, 7))
convolution("1x1, 64 to 256", (16, 28, 28, 64), (1, 1, 64, 256))
convolution("1x1, 256 to 64", (16, 28, 28, 256), (1, 1, 256, 64))
convolution("1x1 stride 2", (16, 28, 28, 64), (1, 1, 64, 128), 2)
convolution("1x7", (16, 17, 17, 64), (1, 7, 64, 64))
convolution("8x8 stride 4, 4 channels", (32, 84, 84, 4), (8, 8, 4, 32), 4, "VALID")
convolution("4x4 stride 2, 32 channels", (32, 20, 20, 32), (4, 4, 32, 64), 2, "VALID")
convolution("5x5 stride 2, 64 channels", (32, 16, 16, 64), (5, 5, 64, 128), 2)

add("conv1d width 5", lambda tf, x, w: tf.nn.conv1d(x, w, 1, "SAME"), (32, 200, 64), (5, 64, 64))
add("conv1d dilation 4", lambda tf, x, w: tf.nn.convolution(x, w, "VALID", dilation_rate=[4]), (8, 500, 32),
    (2, 32, 32))
add("conv3d 3x3x3", lambda tf, x, w: tf.nn.conv3d(x, w, [1] * 5, "SAME"), (4, 8, 24, 24, 8), (3, 3, 3, 8, 16))
add("conv3d 3x3x3, 1 channel", lambda tf, x, w: tf.nn.conv3d(x, w, [1] * 5, "SAME"), (4, 16, 32, 32, 1),
    (3, 3, 3, 1, 32))
add("conv3d stride 2", lambda tf, x, w: tf.nn.conv3d(x, w, [1, 2, 2, 2, 1], "SAME"), (4, 8, 24, 24, 16),
    (3, 3, 3, 16, 32))
add("conv2d_transpose 5x5 stride 2", lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [32, 16, 16, 64], [1, 2, 2, 1]),
    (32, 8, 8, 128), (5, 5, 64, 128))
add("conv2d_transpose to 3 channels", lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [32, 64, 64, 3], [1, 2, 2, 1]),
    (32, 32, 32, 32), (5, 5, 3, 32))
add("conv2d_transpose 2x2 stride 2", lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [8, 64, 64, 32], [1, 2, 2, 1]),
    (8, 32, 32, 64), (2, 2, 32, 64))
for label, stride, size in (("", 1, 3), (" stride 2", 2, 3), (" 5x5", 1, 5)):
    add(f"depthwise_conv2d{label}", lambda tf, x, w, stride=stride: tf.nn.depthwise_conv2d(
        x, w, [1, stride, stride, 1], "SAME"), (8, 28, 28, 96), (size, size, 96, 1))
add("depthwise_conv2d multiplier 2", lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, [1] * 4, "SAME"), (8, 28, 28, 32),
    (3, 3, 32, 2))
add("separable_conv2d", lambda tf, x, d, p: tf.nn.separable_conv2d(x, d, p, [1] * 4, "SAME"), (8, 28, 28, 32),
    (3, 3, 32, 1), (1, 1, 32, 64))


# ---- pooling and normalization

for label, size, stride in (("2x2", 2, 2), ("3x3 stride 2", 3, 2), ("3x3 stride 1", 3, 1), ("5x5 stride 1", 5, 1)):
    add(f"max_pool {label}", lambda tf, x, size=size, stride=stride: tf.nn.max_pool(
        x, [1, size, size, 1], [1, stride, stride, 1], "SAME"), (16, 28, 28, 64))
for label, size, stride in (("2x2", 2, 2), ("3x3 stride 1", 3, 1), ("7x7 VALID", 7, 7)):
    add(f"avg_pool {label}", lambda tf, x, size=size, stride=stride: tf.nn.avg_pool(
        x, [1, size, size, 1], [1, stride, stride, 1], "SAME"), (16, 28, 28, 64))
add("max_pool of a column", lambda tf, x: tf.nn.max_pool(x, [1, 56, 1, 1], [1, 1, 1, 1], "VALID"), (64, 56, 1, 100))
add("max_pool of a whole image", lambda tf, x: tf.nn.max_pool(x, [1, 14, 14, 1], [1, 1, 1, 1], "VALID"),
    (16, 14, 14, 256))
add("max_pool3d", lambda tf, x: tf.nn.max_pool3d(x, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "SAME"), (4, 16, 32, 32, 16))
add("lrn", lambda tf, x: tf.nn.lrn(x, 4, 1.0, 0.001 / 9.0, 0.75), (32, 24, 24, 64))
add("fused_batch_norm", lambda tf, x, s, o: tf.nn.fused_batch_norm(x, s, o)[0], (32, 16, 16, 64), (64,), (64,))
add("batch_normalization", lambda tf, x, s, o: tf.nn.batch_normalization(x, *tf.nn.moments(x, [0, 1, 2]), o, s, 1e-3),
    (32, 16, 16, 64), (64,), (64,))
add("layer norm", lambda tf, x, s, o: tf.nn.batch_normalization(
    x, *tf.nn.moments(x, [-1], keep_dims=True), o, s, 1e-6), (1024, 512), (512,), (512,))
add("instance norm", lambda tf, x: tf.nn.batch_normalization(
    x, *tf.nn.moments(x, [1, 2], keep_dims=True), None, None, 1e-5), (4, 64, 64, 32))
add("l2_normalize", lambda tf, x: tf.nn.l2_normalize(x, 1), (2048, 128))


# ---- products

for label, left, right in (("256", (256, 256), (256, 256)), ("1024", (256, 1024), (1024, 1024)),
                           ("tall", (30000, 24), (24, 8)), ("a row", (1, 1024), (1024, 2048)),
                           ("a column", (2048, 1024), (1024, 1)), ("to a vocabulary", (256, 128), (128, 10000))):
    add(f"matmul {label}", lambda tf, a, b: tf.matmul(a, b), left, right)
for rows, depth, columns in ((32, 64, 64), (32, 784, 64), (128, 64, 64), (784, 32, 64), (1024, 128, 512),
                             (500, 500, 500), (4000, 16, 16), (16, 4000, 16), (1000, 100, 3), (2, 512, 512),
                             (16, 64, 1000), (17, 29, 13)):
    size = f"{rows} x {depth} x {columns}"
    add(f"matmul {size}", lambda tf, a, b: tf.matmul(a, b), (rows, depth), (depth, columns))
    add(f"matmul {size}, left turned", lambda tf, a, b: tf.matmul(a, b, transpose_a=True), (depth, rows),
        (depth, columns))
add("matmul both turned", lambda tf, a, b: tf.matmul(a, b, True, True), (256, 128), (64, 256))
for count, rows, depth, columns in ((512, 8, 8, 8), (64, 16, 64, 16), (64, 64, 32, 64), (4, 128, 64, 128)):
    add(f"matmul of {count} times {rows} x {depth} x {columns}, left turned",
        lambda tf, a, b: tf.matmul(a, b, transpose_a=True), (count, depth, rows), (count, depth, columns))
add("matmul of batches", lambda tf, a, b: tf.matmul(a, b), (48, 64, 64), (48, 64, 64))
add("matmul of heads", lambda tf, a, b: tf.matmul(a, b, transpose_b=True), (16, 8, 64, 32), (16, 8, 64, 32))
add("tensordot", lambda tf, a, b: tf.tensordot(a, b, [[2], [0]]), (32, 40, 128), (128, 96))
add("einsum", lambda tf, a, b: tf.einsum("bqhd,bkhd->bhqk", a, b), (8, 64, 4, 32), (8, 64, 4, 32))
add("dense layer", lambda tf, x, w, b: tf.nn.relu(tf.nn.xw_plus_b(x, w, b)), (128, 784), (784, 512), (512,))


# ---- elementwise

for name in ("exp", "log", "tanh", "sigmoid", "sqrt", "rsqrt", "square", "sin", "cos", "erf", "lgamma", "floor"):
    add(f"{name} of 1e6", lambda tf, x, name=name: getattr(tf, name)(x), (1000, 1000), gradient=name != "floor")
for name in ("relu", "elu", "selu", "softplus", "leaky_relu", "swish"):
    add(f"{name} of 1e6", lambda tf, x, name=name: getattr(tf.nn, name)(x), symmetric(1000, 1000))
for name in ("add", "multiply", "divide", "pow", "maximum", "squared_difference"):
    add(f"{name} of 1e6", lambda tf, a, b, name=name: getattr(tf, name)(a, b), (1000, 1000), (1000, 1000))
    add(f"{name} of rows", lambda tf, a, b, name=name: getattr(tf, name)(a, b), (1000, 1000), (1000,))
add("bias_add", lambda tf, x, b: tf.nn.bias_add(x, b), (32, 28, 28, 64), (64,))
add("where", lambda tf, a, b: tf.where(a > b, a, b), (1000, 1000), (1000, 1000))
add("clip_by_value", lambda tf, x: tf.clip_by_value(x, 0.3, 0.7), (1000, 1000))
add("clip_by_global_norm", lambda tf, *xs: tf.add_n(
    [tf.reduce_sum(x) for x in tf.clip_by_global_norm(list(xs), 1.0)[0]]), *[(256, 256)] * 8)
add("add_n", lambda tf, *xs: tf.add_n(list(xs)), *[(500, 500)] * 6)


# ---- reductions

for name in ("sum", "mean", "max", "prod"):
    for axis in (0, 1, None):
        add(f"reduce_{name} over {axis}", lambda tf, x, name=name, axis=axis: getattr(tf, f"reduce_{name}")(x, axis),
            (1000, 1000))
add("reduce_logsumexp", lambda tf, x: tf.reduce_logsumexp(x, 1), (1000, 1000))
add("reduce_any", lambda tf, x: as_number(tf, tf.reduce_any(x > 1.0, 1), x), (1000, 1000), gradient=False)
add("cumsum", lambda tf, x: tf.cumsum(x, 1), (500, 1000))
add("cumprod", lambda tf, x: tf.cumprod(x, 1), (256, 128))
add("argmax", lambda tf, x: as_number(tf, tf.argmax(x, 1), x), (1000, 1000), gradient=False)
add("argmax over rows", lambda tf, x: as_number(tf, tf.argmax(x, 0), x), (1000, 1000), gradient=False)
add("accuracy", lambda tf, x: tf.reduce_mean(as_number(tf, tf.equal(tf.argmax(x, 1), ids(10, 10000)), x)), (10000, 10),
    gradient=False)
add("global_norm", lambda tf, *xs: tf.global_norm(list(xs)), *[(500, 500)] * 4)


# ---- losses

add("softmax", lambda tf, x: tf.nn.softmax(x), (1000, 1000))
add("log_softmax", lambda tf, x: tf.nn.log_softmax(x), (1000, 1000))
add("softmax of heads", lambda tf, x: tf.nn.softmax(x), (16, 8, 64, 64))
add("cross entropy, 10 classes", lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(
    labels=ids(10, 4096), logits=x), (4096, 10))
add("cross entropy, 1e4 classes", lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(
    labels=ids(10000, 256), logits=x), (256, 10000))
add("cross entropy, one-hot labels", lambda tf, x: tf.nn.softmax_cross_entropy_with_logits_v2(
    labels=tf.one_hot(ids(1000, 512), 1000), logits=x), (512, 1000))
add("sigmoid cross entropy", lambda tf, x: tf.nn.sigmoid_cross_entropy_with_logits(
    labels=tf.ones_like(x), logits=x), symmetric(1000, 200))
add("ctc_loss", lambda tf, x: tf.nn.ctc_loss(tf.SparseTensor(
    np.argwhere(np.ones([8, 10])), ids(28, 80).astype(np.int32), [8, 10]), x, np.full(8, 80)), (80, 8, 30))
add("huber_loss", lambda tf, x, y: tf.losses.huber_loss(x, y), (500, 1000), (500, 1000))


# ---- arrays

add("transpose 0 2 1", lambda tf, x: tf.transpose(x, [0, 2, 1]), (64, 128, 128))
add("transpose 0 3 1 2", lambda tf, x: tf.transpose(x, [0, 3, 1, 2]), (16, 28, 28, 64))
add("concat", lambda tf, *xs: tf.concat(xs, 1), (512, 128), (512, 256), (512, 64))
add("split", lambda tf, x: tf.multiply(*tf.split(x, 2, 1)), (512, 1024))
add("stack", lambda tf, *xs: tf.stack(xs, 1), *[(512, 64)] * 8)
add("unstack", lambda tf, x: tf.add_n(tf.unstack(x, axis=1)), (64, 30, 64))
add("tile", lambda tf, x: tf.tile(x, [1, 16, 1]), (64, 4, 64))
add("pad", lambda tf, x: tf.pad(x, [[0, 0], [3, 3], [3, 3], [0, 0]]), (8, 56, 56, 32))
add("pad REFLECT", lambda tf, x: tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT"), (4, 64, 64, 32))
add("strided slice", lambda tf, x: x[:, 4:-4, ::2], (64, 64, 64))
add("reverse", lambda tf, x: tf.reverse(x, [1]), (64, 128, 64))
add("reverse_sequence", lambda tf, x: tf.reverse_sequence(x, ids(60, 64) + 1, seq_axis=1), (64, 60, 64))
add("sequence_mask", lambda tf, x: x * tf.sequence_mask(ids(60, 256), 60, tf.float32)[:, :, None], (256, 60, 32))
add("one_hot", lambda tf, x: tf.one_hot(ids(1000, 512), 1000) * x, (1000,))
add("matrix_band_part", lambda tf, x: tf.matrix_band_part(x, -1, 0), (64, 128, 128))
add("boolean_mask", lambda tf, x: tf.boolean_mask(x, ids(2, 4000) > 0), (4000, 64))
add("dynamic_partition", lambda tf, x, p: tf.dynamic_partition(x, p, 3)[1], (4000, 64), ids(3, 4000).astype(np.int32))
add("dynamic_partition by a constant", lambda tf, x: tf.dynamic_partition(x, ids(3, 4000), 3)[1], (4000, 64))
add("space_to_depth", lambda tf, x: tf.space_to_depth(x, 2), (8, 56, 56, 32))
add("depth_to_space", lambda tf, x: tf.depth_to_space(x, 2), (8, 28, 28, 64))


# ---- gathering and segments

add("gather of rows", lambda tf, x: tf.gather(x, ids(100000, 4096)), (100000, 64))
add("gather of columns", lambda tf, x: tf.gather(x, ids(512, 64), axis=1), (512, 512))
add("gather_nd", lambda tf, x: tf.gather_nd(x, ids(64, 4096, 2)), (64, 64, 32))
add("embedding_lookup", lambda tf, x: tf.nn.embedding_lookup(x, ids(20000, 64, 50)), (20000, 128))
add("scatter_nd", lambda tf, x: tf.scatter_nd(ids(5000, 4096, 1), x, [5000, 64]), (4096, 64))
for name in ("sum", "mean", "max"):
    add(f"segment_{name}", lambda tf, x, name=name: getattr(tf, f"segment_{name}")(x, bounded(500, 4096)), (4096, 64))
for name in ("sum", "mean", "max"):
    add(f"unsorted_segment_{name}", lambda tf, x, name=name: getattr(tf, f"unsorted_segment_{name}")(
        x, ids(500, 4096), 500), (4096, 64))
for name in ("sum", "mean"):
    add(f"sparse_segment_{name}", lambda tf, x, name=name: getattr(tf, f"sparse_segment_{name}")(
        x, ids(5000, 8192), bounded(500, 8192)), (5000, 64))
add("sparse times dense", lambda tf, x: tf.sparse_tensor_dense_matmul(_sparse_matrix(tf, 2000, 10), x), (2000, 64))
add("embedding_lookup_sparse", lambda tf, x: tf.nn.embedding_lookup_sparse(
    x, tf.SparseTensor(np.argwhere(np.ones([512, 8])), ids(20000, 4096), [512, 8]), None, combiner="mean"), (20000, 32))
add("sparse_reduce_sum", lambda tf, v: tf.sparse_reduce_sum(tf.SparseTensor(
    np.argwhere(np.ones([500, 20])), v, [500, 20]), 1), (10000,))


def _sparse_matrix(tf, size, each):
    """A square matrix with so many ones in each row."""
    places = np.unique(np.stack([np.repeat(np.arange(size), each), ids(size, size * each)], 1), axis=0)
    return tf.SparseTensor(places, np.ones(len(places), np.float32), [size, size])


# ---- order

add("top_k", lambda tf, x: tf.nn.top_k(x, 10)[0], (256, 10000))
add("top_k of all", lambda tf, x: tf.nn.top_k(x, 1000)[0], (128, 1000))
add("sort", lambda tf, x: tf.sort(x), (256, 2000))
add("argsort", lambda tf, x: as_number(tf, tf.argsort(x), x), (64, 2000), gradient=False)
add("unique", lambda tf, x: tf.cast(tf.unique(x)[0], tf.float32), ids(5000, 20000), gradient=False)
add("in_top_k", lambda tf, x: as_number(tf, tf.nn.in_top_k(x, ids(1000, 256), 5), x), (256, 1000), gradient=False)
add("nth_element", lambda tf, x: tf.contrib.nn.nth_element(x, 10) if hasattr(tf, "contrib") else
    tf.raw_ops.NthElement(input=x, n=10), (256, 2000))
add("setdiff1d", lambda tf, x, y: tf.cast(tf.setdiff1d(x, y)[0], tf.float32), ids(9000, 5000), ids(9000, 5000, seed=2),
    gradient=False)
add("searchsorted", lambda tf, x: as_number(tf, tf.searchsorted(x, np.full([64, 1000], 0.5, np.float32)), x),
    np.sort(symmetric(64, 1000)), gradient=False)
add("bincount", lambda tf, x: as_number(tf, tf.bincount(numbers(tf, x, ids(1000, 100000).astype(np.int32))), x), (4,),
    gradient=False)
add("histogram_fixed_width", lambda tf, x: as_number(tf, tf.histogram_fixed_width(x, [0.0, 1.0], 50), x), (100000,),
    gradient=False)


# ---- images

for name in ("bilinear", "bicubic", "nearest_neighbor"):
    add(f"resize_{name}", lambda tf, x, name=name: getattr(tf.image, f"resize_{name}")(x, [96, 96]), (4, 64, 64, 3))
add("resize_bilinear of features", lambda tf, x: tf.image.resize_bilinear(x, [56, 56]), (4, 28, 28, 64))
add("resize_area", lambda tf, x: tf.image.resize_area(x, [40, 40]), (4, 64, 64, 3), gradient=False)
add("crop_and_resize", lambda tf, x: tf.image.crop_and_resize(
    x, np.tile(np.float32([[0.1, 0.2, 0.8, 0.7]]), [64, 1]), ids(4, 64), [14, 14]), (4, 50, 50, 32))
add("non_max_suppression", lambda tf, x: as_number(tf, tf.image.non_max_suppression(
    tf.concat([x[:, :2] * 5, x[:, :2] * 5 + x[:, 2:]], 1), x[:, 0], 100), x), (2000, 4), gradient=False)
add("extract_image_patches", lambda tf, x: tf.extract_image_patches(
    x, [1, 5, 5, 1], [1, 1, 1, 1], [1, 1, 1, 1], "SAME"), (8, 28, 28, 8))
add("rgb_to_hsv", lambda tf, x: tf.image.rgb_to_hsv(x), (8, 64, 64, 3), gradient=False)
add("flip and adjust", lambda tf, x: tf.image.adjust_contrast(tf.image.flip_left_right(x), 1.5), (8, 64, 64, 3),
    gradient=False)
add("total_variation", lambda tf, x: tf.image.total_variation(x), (4, 128, 128, 3))
add("ssim", lambda tf, x, y: tf.image.ssim(x, y, 1.0), (2, 64, 64, 3), (2, 64, 64, 3))


# ---- random numbers

add("dropout", lambda tf, x: tf.nn.dropout(x, 0.5, seed=1), (1000, 1000))
for name in ("random_normal", "random_uniform", "truncated_normal"):
    add(name, lambda tf, x, name=name: x + getattr(tf, name)([1000, 1000], seed=1), (1000, 1000), gradient=False)
add("random_shuffle", lambda tf, x: tf.random_shuffle(x, seed=1), (10000, 16), gradient=False)
add("multinomial", lambda tf, x: as_number(tf, tf.multinomial(x, 1, seed=1), x), (256, 1000), gradient=False)


# ---- linear algebra and transforms


def _definite(tf, x):
    size = int(x.shape[-1])
    return tf.matmul(x, x, transpose_b=True) / size + np.eye(size, dtype=np.float32)


add("cholesky", lambda tf, x: tf.cholesky(_definite(tf, x)), (8, 96, 96))
add("matrix_inverse", lambda tf, x: tf.matrix_inverse(_definite(tf, x)), (8, 96, 96))
add("matrix_solve", lambda tf, x, b: tf.matrix_solve(_definite(tf, x), b), (16, 64, 64), (16, 64, 8))
add("matrix_triangular_solve", lambda tf, x, b: tf.matrix_triangular_solve(_definite(tf, x), b), (16, 64, 64),
    (16, 64, 8))
add("matrix_determinant", lambda tf, x: tf.matrix_determinant(_definite(tf, x)), (16, 48, 48))
add("qr", lambda tf, x: tf.qr(x)[0], symmetric(256, 128))
add("svd", lambda tf, x: tf.svd(x)[0], symmetric(128, 64))
add("self_adjoint_eigvals", lambda tf, x: tf.self_adjoint_eigvals(_definite(tf, x)), (64, 64))
add("fft", lambda tf, x: tf.abs(tf.fft(tf.complex(x, x))), (64, 1024))
add("rfft2d", lambda tf, x: tf.abs(tf.spectral.rfft2d(x)), (8, 128, 128))
add("stft", lambda tf, x: tf.abs(tf.signal.stft(x, 400, 160)), (4, 16000))


# ---- loops

add("while_loop of 100", lambda tf, x: tf.while_loop(
    lambda i, a: i < 100, lambda i, a: (i + 1, tf.tanh(a * 1.01)), [0, x])[1], (64, 64))
add("scan of 50", lambda tf, x: tf.scan(lambda a, e: tf.tanh(a + e), x), (50, 64, 64))
add("map_fn of 50", lambda tf, x: tf.map_fn(lambda e: tf.reduce_sum(e * e), x), (50, 64, 64))
add("LSTM of 30 steps", lambda tf, x: tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(96), x, dtype=tf.float32)[0],
    (32, 30, 64))
add("GRU of 30 steps", lambda tf, x: tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(96), x, dtype=tf.float32)[0],
    (32, 30, 64))
add("attention", lambda tf, q, k, v: tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * 0.2), v),
    *[(16, 4, 64, 32)] * 3)


# ---- pieces of models

add("gelu by erf", lambda tf, x: 0.5 * x * (1.0 + tf.erf(x / 1.4142135)), symmetric(512, 1024))
add("gelu by tanh", lambda tf, x: 0.5 * x * (1.0 + tf.tanh(0.79788456 * (x + 0.044715 * x * x * x))),
    symmetric(512, 1024))
add("highway layer", lambda tf, x, w, t: x + tf.sigmoid(tf.matmul(x, t)) * (tf.nn.relu(tf.matmul(x, w)) - x),
    symmetric(256, 256), symmetric(256, 256), symmetric(256, 256, seed=3))
add("squeeze and excitation", lambda tf, x, a, b: x * tf.sigmoid(tf.matmul(tf.nn.relu(tf.matmul(
    tf.reduce_mean(x, [1, 2]), a)), b))[:, None, None, :], (16, 28, 28, 64), (64, 8), (8, 64))
add("group norm", lambda tf, x: tf.reshape(tf.nn.batch_normalization(tf.reshape(x, [8, 28, 28, 8, 8]), *tf.nn.moments(
    tf.reshape(x, [8, 28, 28, 8, 8]), [1, 2, 4], keep_dims=True), None, None, 1e-5), [8, 28, 28, 64]), (8, 28, 28, 64))
add("pairwise distances", lambda tf, x, y: tf.sqrt(tf.reduce_sum(tf.squared_difference(x[:, None], y[None]), 2) + 1e-6),
    (200, 64), (200, 64))
add("cosine similarities", lambda tf, x, y: tf.matmul(tf.nn.l2_normalize(x, 1), tf.nn.l2_normalize(y, 1),
                                                      transpose_b=True), (512, 128), (512, 128))
add("factorization machine", lambda tf, x: 0.5 * tf.reduce_sum(
    tf.square(tf.reduce_sum(x, 1)) - tf.reduce_sum(tf.square(x), 1), 1), (1024, 26, 16))
add("positional encoding", lambda tf, x: x + tf.concat([tf.sin(tf.range(128.0)[:, None] * x[0, :1, :128]), tf.cos(
    tf.range(128.0)[:, None] * x[0, :1, :128])], 1), (16, 128, 256))
add("masked mean", lambda tf, x: tf.reduce_sum(x * tf.sequence_mask(ids(60, 128) + 1, 60, tf.float32)[:, :, None], 1)
    / tf.cast(ids(60, 128) + 1, tf.float32)[:, None], (128, 60, 64))
add("causal attention", lambda tf, q: tf.matmul(tf.nn.softmax(tf.matmul(q, q, transpose_b=True) * 0.2 + (
    1.0 - tf.matrix_band_part(tf.ones([128, 128]), -1, 0)) * -1e9), q), (16, 128, 32))
add("bidirectional RNN of 20 steps", lambda tf, x: tf.concat(tf.nn.bidirectional_dynamic_rnn(
    tf.nn.rnn_cell.GRUCell(64), tf.nn.rnn_cell.GRUCell(64), x, dtype=tf.float32)[0], 2), (32, 20, 64))
add("gram matrix", lambda tf, x: tf.matmul(
    tf.reshape(x, [4, 1024, 64]), tf.reshape(x, [4, 1024, 64]), transpose_a=True), (4, 32, 32, 64))
add("reparameterized sample", lambda tf, m, s: m + tf.exp(0.5 * s) * tf.random_normal([512, 256], seed=1), (512, 256),
    (512, 256))
add("atrous_conv2d", lambda tf, x, w: tf.nn.atrous_conv2d(x, w, 2, "SAME"), (4, 32, 32, 32), (3, 3, 32, 32))
add("avg_pool3d", lambda tf, x: tf.nn.avg_pool3d(x, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "SAME"), (4, 16, 32, 32, 16))
add("max_pool_with_argmax", lambda tf, x: tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")[0],
    (8, 28, 28, 32))
add("dilation2d", lambda tf, x, w: tf.nn.dilation2d(x, w, [1] * 4, [1] * 4, "SAME"), (4, 32, 32, 16), (3, 3, 16))


# ---- more losses and statistics

for name in ("absolute_difference", "cosine_distance", "hinge_loss", "log_loss", "mean_squared_error"):
    add(name, lambda tf, x, name=name: getattr(tf.losses, name)(
        tf.cast(ids(2, 1000, 200), tf.float32), x, **({"axis": 1} if name == "cosine_distance" else {})), (1000, 200))
add("weighted cross entropy", lambda tf, x: tf.nn.weighted_cross_entropy_with_logits(
    tf.cast(ids(2, 1000, 200), tf.float32), x, 3.0), symmetric(1000, 200))
add("l2_loss", lambda tf, x: tf.nn.l2_loss(x), (1000, 1000))
add("KL divergence", lambda tf, x, y: tf.reduce_sum(
    tf.nn.softmax(x) * (tf.nn.log_softmax(x) - tf.nn.log_softmax(y)), 1), (500, 1000), (500, 1000))
add("sampled_softmax_loss", lambda tf, w, b, x: tf.nn.sampled_softmax_loss(
    w, b, ids(20000, 128, 1), x, 64, 20000, seed=1), (20000, 64), (20000,), (128, 64))
add("moments", lambda tf, x: tf.add_n(tf.nn.moments(x, [0])), (10000, 100))
add("reduce_std", lambda tf, x: tf.math.reduce_std(x, 1), (1000, 1000))
add("reduce_min over 0", lambda tf, x: tf.reduce_min(x, 0), (1000, 1000))
add("reduce_all", lambda tf, x: as_number(tf, tf.reduce_all(x > 0.2, 0), x), (1000, 1000), gradient=False)
add("count_nonzero", lambda tf, x: as_number(tf, tf.count_nonzero(tf.nn.relu(x), 1), x), symmetric(1000, 1000),
    gradient=False)
add("argmin", lambda tf, x: as_number(tf, tf.argmin(x, 1), x), (1000, 1000), gradient=False)
add("confusion_matrix", lambda tf, x: as_number(tf, tf.confusion_matrix(
    numbers(tf, x, ids(20, 5000)), numbers(tf, x, ids(20, 5000, seed=2)), 20), x),
    (4,), gradient=False)
add("norm", lambda tf, x: tf.norm(x, axis=1), (1000, 1000))


# ---- more elementwise ops and arrays

for name in ("log1p", "expm1", "atan", "digamma", "reciprocal", "round"):
    add(f"{name} of 1e6", lambda tf, x, name=name: getattr(tf, name)(x), (1000, 1000), gradient=name != "round")
for name in ("atan2", "floormod", "minimum"):
    add(f"{name} of 1e6", lambda tf, a, b, name=name: getattr(tf, name)(a, b), (1000, 1000), (1000, 1000),
        gradient=name != "floormod")
add("relu6 of 1e6", lambda tf, x: tf.nn.relu6(x), symmetric(1000, 1000))
add("logical ops", lambda tf, x: tf.cast((x > 0.3) & (x < 0.8) | tf.is_nan(x), tf.float32), (1000, 1000),
    gradient=False)
add("roll", lambda tf, x: tf.roll(x, 3, 1), (64, 128, 64))
add("repeat by gather", lambda tf, x: tf.gather(x, np.repeat(np.arange(500), 8)), (500, 64))
add("matrix_diag", lambda tf, x: tf.matrix_diag(x), (128, 64))
add("space_to_batch", lambda tf, x: tf.space_to_batch(x, [[0, 0], [0, 0]], 2), (8, 56, 56, 16))
add("where of indices", lambda tf, x: as_number(tf, tf.where(x > 0.6), x), (300, 300), gradient=False)
add("dynamic_stitch", lambda tf, x, y: tf.dynamic_stitch([np.arange(0, 4000, 2), np.arange(1, 4000, 2)], [x, y]),
    (2000, 64), (2000, 64))
add("segment_prod", lambda tf, x: tf.segment_prod(x, bounded(500, 4096)), (4096, 64))
add("unsorted_segment_prod", lambda tf, x: tf.unsorted_segment_prod(x, ids(500, 4096), 500), (4096, 64))
add("sparse_to_dense", lambda tf, v: tf.sparse_to_dense(bounded(90000, 4000), [90000], v, validate_indices=False),
    (4000,), gradient=False)
add("sparse_softmax", lambda tf, v: tf.sparse_softmax(tf.SparseTensor(
    np.argwhere(np.ones([500, 20])), v, [500, 20])).values, (10000,))


# ---- more images and random numbers

add("rgb_to_grayscale", lambda tf, x: tf.image.rgb_to_grayscale(x), (8, 128, 128, 3))
add("adjust_hue", lambda tf, x: tf.image.adjust_hue(x, 0.1), (8, 64, 64, 3), gradient=False)
add("adjust_saturation", lambda tf, x: tf.image.adjust_saturation(x, 1.3), (8, 64, 64, 3), gradient=False)
add("sobel_edges", lambda tf, x: tf.image.sobel_edges(x), (4, 64, 64, 3))
add("image_gradients", lambda tf, x: tf.add_n(tf.image.image_gradients(x)), (4, 128, 128, 3))
add("standardization", lambda tf, x: tf.map_fn(tf.image.per_image_standardization, x), (16, 32, 32, 3), gradient=False)
add("random_gamma", lambda tf, x: x + tf.random_gamma([10000], 2.0, seed=1), (10000,), gradient=False)
add("random_poisson", lambda tf, x: x + tf.random_poisson(4.0, [10000], seed=1), (10000,), gradient=False)
add("random_crop", lambda tf, x: tf.random_crop(x, [8, 48, 48, 3], seed=1), (8, 64, 64, 3), gradient=False)
