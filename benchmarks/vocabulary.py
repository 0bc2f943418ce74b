"""More rows of `make sweep`: ops that no other row has, family by family, and common ops of other dtypes."""

import numpy as np

from benchmarks.fragments import add, as_number, bounded, ids, numbers, symmetric


def integers(name, build, *arrays):
    """A row of integer tensors, each of which depends on a variable."""
    add(name, lambda tf, x: as_number(tf, build(tf, *[numbers(tf, x, each) for each in arrays]), x), (4,),
        gradient=False)


def of(dtype, build):
    """What `build` makes of its tensors in `dtype`, as float32."""
    return lambda tf, *xs: tf.cast(build(tf, *[tf.cast(x, dtype) for x in xs]), tf.float32)


def _entries(tf, values, rows, each, step=1, wide=None):
    """A sparse matrix of so many columns with so many entries in each row, at every `step`-th column."""
    return tf.SparseTensor(np.argwhere(np.ones([rows, each])) * [1, step], values, [rows, wide or each * step])


PIXELS = ids(256, 8, 64, 64, 3).astype(np.uint8)
IMAGES = np.random.RandomState(0).rand(8, 64, 64, 3).astype(np.float32)


# ---- sparse tensors

add("sparse_reshape", lambda tf, v: tf.sparse_reshape(_entries(tf, v, 500, 20), [250, 40]).values, (10000,))
add("sparse_split", lambda tf, v: tf.add_n([tf.reduce_sum(each.values) for each in tf.sparse_split(
    sp_input=_entries(tf, v, 500, 20), num_split=4, axis=1)]), (10000,), gradient=False)
add("sparse_mask", lambda tf, x: tf.sparse_mask(tf.IndexedSlices(x, np.arange(500)), np.arange(0, 500, 3)).values,
    (500, 64), gradient=False)
add("sparse_reset_shape", lambda tf, v: tf.sparse_reset_shape(_entries(tf, v, 500, 20), [600, 30]).values, (10000,))
add("sparse_fill_empty_rows", lambda tf, v: tf.sparse_fill_empty_rows(tf.SparseTensor(
    np.argwhere(np.ones([500, 20])) * [2, 1], v, [1000, 20]), 0.0)[0].values, (10000,))
add("sparse_maximum", lambda tf, v, w: tf.sparse_maximum(
    _entries(tf, v, 500, 20, wide=40), _entries(tf, w, 500, 20, 2)).values, (10000,), (10000,), gradient=False)
add("sparse_add of a dense matrix", lambda tf, v, x: tf.sparse_add(_entries(tf, v, 500, 20), x), (10000,), (500, 20))
add("sparse times a row", lambda tf, v, x: (_entries(tf, v, 500, 20) * x).values, (10000,), (20,))
add("sparse_reduce_max", lambda tf, v: tf.sparse_reduce_max(_entries(tf, v, 500, 20), 1), (10000,), gradient=False)
add("sparse_reduce_sum_sparse", lambda tf, v: tf.sparse_reduce_sum_sparse(_entries(tf, v, 500, 20), 1).values,
    (10000,), gradient=False)
add("sparse_to_indicator", lambda tf, x: as_number(tf, tf.sparse_to_indicator(_entries(
    tf, numbers(tf, x, ids(200, 5000)), 500, 10), 200), x), (4,), gradient=False)
add("sparse_merge", lambda tf, v: tf.sparse_merge(_entries(tf, tf.constant(ids(200, 5000)), 500, 10), _entries(
    tf, v, 500, 10), 200).values, (5000,), gradient=False)
add("sparse matmul of dense matrices", lambda tf, x, y: tf.sparse_matmul(x, y, a_is_sparse=True),
    np.where(ids(10, 256, 256) == 0, 1, 0).astype(np.float32), (256, 128))
add("from a dense matrix to sparse", lambda tf, x: tf.contrib.layers.dense_to_sparse(x).values if hasattr(
    tf, "contrib") else tf.sparse.from_dense(x).values, (500, 40))
add("sparse weights' dense product", lambda tf, v, x: tf.sparse_tensor_dense_matmul(_entries(tf, v, 2000, 10, 20), x),
    (20000,), (200, 64))
add("sparse_segment_sqrt_n", lambda tf, x: tf.sparse_segment_sqrt_n(x, ids(5000, 8192), bounded(500, 8192)), (5000, 64))
for name in ("intersection", "union", "difference"):
    integers(f"sets.set_{name}", lambda tf, a, b, name=name: getattr(tf.sets, f"set_{name}")(a, b).values,
             ids(100, 256, 20), ids(100, 256, 20, seed=2))
integers("sets.set_size", lambda tf, a: tf.sets.set_size(_entries(tf, a, 256, 20)), ids(100, 5120))


# ---- ragged tensors

LENGTHS = ids(30, 256)


def ragged(name, build, gradient=True):
    add(f"ragged {name}", lambda tf, v: build(tf, tf.RaggedTensor.from_row_lengths(v, LENGTHS)),
        (int(LENGTHS.sum()), 16), gradient=gradient)


ragged("to_tensor", lambda tf, r: r.to_tensor())
ragged("reduce_sum", lambda tf, r: tf.reduce_sum(r, 1))
ragged("reduce_mean", lambda tf, r: tf.reduce_mean(r, 1))
ragged("reduce_max", lambda tf, r: tf.reduce_max(r, 1))
ragged("times a number", lambda tf, r: (r * 2.0).flat_values)
ragged("gather", lambda tf, r: tf.gather(r, ids(256, 100)).flat_values)
ragged("concat", lambda tf, r: tf.concat([r, r], 1).flat_values)
ragged("slices of rows", lambda tf, r: r[:, :5].flat_values)
ragged("to_sparse", lambda tf, r: tf.cast(tf.RaggedTensor.from_row_splits(
    tf.reduce_sum(r.flat_values, 1), r.row_splits).to_sparse().indices, tf.float32), gradient=False)
integers("ragged range", lambda tf, limits: tf.ragged.range(limits).flat_values, ids(40, 500))
integers("ragged from value_rowids", lambda tf, rows: tf.RaggedTensor.from_value_rowids(
    tf.range(5000), rows, 500).row_splits, bounded(500, 5000))
add("ragged boolean_mask", lambda tf, x: tf.ragged.boolean_mask(x, x > 0.6).flat_values, (200, 100))


# ---- scatters, gathers and layouts

add("tensor_scatter_update", lambda tf, x, u: tf.tensor_scatter_update(x, np.arange(0, 4096, 2)[:, None], u),
    (5000, 32), (2048, 32))
add("tensor_scatter_sub", lambda tf, x, u: tf.tensor_scatter_sub(x, ids(5000, 2048, 1), u), (5000, 32), (2048, 32))
add("tensor_scatter_add of numbers", lambda tf, x, u: tf.tensor_scatter_add(x, ids(200, 8192, 2), u), (200, 200),
    (8192,))
add("scatter_nd of numbers", lambda tf, x: tf.scatter_nd(ids(200, 8192, 2), x, [200, 200]), (8192,))
add("gather_nd of numbers", lambda tf, x: tf.gather_nd(x, ids(200, 8192, 2)), (200, 200))
add("gather of numbers", lambda tf, x: tf.gather(x, ids(10000, 64, 500)), (10000,))
for name in ("scatter_add", "scatter_update", "scatter_max"):
    def scatter(tf, u, name=name):
        state = tf.get_variable("state", initializer=np.zeros([5000, 32], np.float32), use_resource=False)
        return getattr(tf, name)(state, ids(5000, 2048), u)[:4]
    add(f"{name} of a variable", scatter, (2048, 32), gradient=False)
add("batch_to_space", lambda tf, x: tf.batch_to_space(x, [[0, 0], [0, 0]], 2), (32, 28, 28, 16))
add("space_to_batch_nd with padding", lambda tf, x: tf.space_to_batch_nd(x, [3, 3], [[1, 1], [1, 1]]), (8, 28, 28, 16))
add("roll over two axes", lambda tf, x: tf.roll(x, [5, -3], [0, 2]), (64, 128, 64))
add("diag", lambda tf, x: tf.diag(x), (800,))
add("diag_part", lambda tf, x: tf.diag_part(x), (800, 800))
add("matrix_diag_part", lambda tf, x: tf.matrix_diag_part(x), (128, 64, 64))
add("matrix_set_diag", lambda tf, x, d: tf.matrix_set_diag(x, d), (128, 64, 64), (128, 64))
add("trace", lambda tf, x: tf.trace(x), (128, 64, 64))
add("invert_permutation", lambda tf, x: as_number(tf, tf.invert_permutation(numbers(tf, x, np.random.RandomState(
    0).permutation(50000).astype(np.int32))), x), (4,), gradient=False)
add("transpose 3 2 1 0", lambda tf, x: tf.transpose(x), (16, 28, 28, 64))
add("transpose 2 0 1", lambda tf, x: tf.transpose(x, [2, 0, 1]), (128, 128, 32))
add("pad SYMMETRIC", lambda tf, x: tf.pad(x, [[0, 0], [2, 2], [2, 2], [0, 0]], "SYMMETRIC"), (8, 56, 56, 16))
add("repeat", lambda tf, x: tf.repeat(x, ids(8, 500), 0), (500, 64))
add("slice by a tensor", lambda tf, x, s: tf.slice(x, [s[0], 0], [100, 64]), (500, 64), np.int32([7]))
add("assignment to a slice", lambda tf, x: tf.tensor_scatter_update(x, np.arange(64)[:, None], x[64:128]), (512, 256))
add("eye and ones", lambda tf, x: tf.eye(500) * x + tf.ones([500, 500]), (500,))
add("linspace", lambda tf, x: tf.linspace(x[0], x[1] + 1, 100000), (4,), gradient=False)
add("broadcast_to", lambda tf, x: tf.broadcast_to(x, [64, 100, 128]), (100, 1))
add("expand and tile", lambda tf, x: tf.tile(x[:, None, :], [1, 50, 1]), (128, 64))
add("split of unequal parts", lambda tf, x: tf.concat(tf.split(x, [100, 300, 112], 1)[::-1], 1), (512, 512))
add("parallel_stack", lambda tf, x: tf.parallel_stack([x, x * 2, x * 3]), (256, 256), gradient=False)


# ---- counts, order and cumulative ops

integers("unique_with_counts", lambda tf, a: tf.unique_with_counts(a)[2], ids(5000, 20000))
integers("bincount with weights", lambda tf, a: tf.bincount(a, tf.ones([100000])), ids(1000, 100000).astype(np.int32))
add("confusion_matrix with weights", lambda tf, x: tf.confusion_matrix(
    tf.constant(ids(20, 5000)), ids(20, 5000, seed=2), 20, weights=x), (5000,), gradient=False)
add("cumprod of rows", lambda tf, x: tf.cumprod(x, 0), (256, 500))
add("cumulative_logsumexp", lambda tf, x: tf.math.cumulative_logsumexp(x, 1), symmetric(256, 256))
add("cumsum reversed over 2", lambda tf, x: tf.cumsum(x, 2, reverse=True), (32, 20, 100))
integers("cumsum of integers", lambda tf, a: tf.cumsum(a, 1), ids(100, 500, 500))
add("argsort of integers", lambda tf, x: as_number(tf, tf.argsort(numbers(tf, x, ids(100000, 64, 2000))), x), (4,),
    gradient=False)
add("sort descending over 0", lambda tf, x: tf.sort(x, 0, "DESCENDING"), (2000, 64))
integers("top_k of integers", lambda tf, a: tf.nn.top_k(a, 5)[0], ids(100000, 256, 1000).astype(np.int32))
integers("searchsorted of integers", lambda tf, a: tf.searchsorted(a, ids(9000, 64, 500)), np.sort(
    ids(9000, 64, 1000)))
add("bucketize", lambda tf, x: as_number(tf, tf.raw_ops.Bucketize(
    input=x, boundaries=[0.1 * each for each in range(1, 10)]), x), (500, 500), gradient=False)
add("percentile by sort", lambda tf, x: tf.sort(x, 1)[:, 500], (256, 1000))
add("reduce_euclidean_norm", lambda tf, x: tf.math.reduce_euclidean_norm(x, 1), (1000, 1000))
add("reduce_variance over 0", lambda tf, x: tf.math.reduce_variance(x, 0), (1000, 1000))
add("zero_fraction", lambda tf, x: tf.nn.zero_fraction(tf.nn.relu(x)), symmetric(1000, 1000), gradient=False)
add("accumulate_n", lambda tf, *xs: tf.accumulate_n(list(xs)), *[(500, 500)] * 5)


# ---- elementwise functions and bits

for name in ("acos", "acosh", "asin", "asinh", "atanh", "cosh", "sinh", "tan", "erfc", "sign", "abs", "ceil", "rint",
             "bessel_i0e", "bessel_i1e"):
    add(f"{name} of 250,000", lambda tf, x, name=name: getattr(tf.math, name)(x),
        np.random.RandomState(0).uniform(*((1.1, 3) if name == "acosh" else (0.1, 0.9)), (500, 500)).astype(np.float32),
        gradient=name not in ("sign", "ceil", "rint"))
for name in ("igamma", "igammac", "zeta", "polygamma", "floordiv", "xdivy", "xlogy"):
    values = np.random.RandomState(0).rand(300, 300).astype(np.float32) + 1.5
    add(f"{name} of 90,000", lambda tf, a, b, name=name: getattr(tf.math, name)(
        tf.round(a) if name == "polygamma" else a, b), values, values[::-1] + 0.25,
        gradient=name not in ("igamma", "igammac", "zeta", "polygamma", "floordiv"))
add("betainc of 10,000", lambda tf, a, b, x: tf.betainc(a, b, x), (10000,), (10000,),
    np.random.RandomState(0).rand(10000).astype(np.float32), gradient=False)
add("lbeta", lambda tf, x: tf.lbeta(x), (1000, 50))
for name in ("softsign", "crelu", "relu6", "log_sigmoid"):
    add(f"nn.{name}", lambda tf, x, name=name: getattr(tf, name, getattr(tf.nn, name, None))(x) if name != "log_sigmoid"
        else tf.log_sigmoid(x), symmetric(512, 512))
for name in ("bitwise_and", "bitwise_xor", "left_shift", "right_shift"):
    integers(f"bitwise.{name}", lambda tf, a, b, name=name: getattr(tf.bitwise, name)(a, b), ids(1000, 500, 500),
             ids(20, 500, 500, seed=2))
integers("bitwise.invert", lambda tf, a: tf.bitwise.invert(a), ids(1000, 500, 500))
integers("population_count", lambda tf, a: tf.raw_ops.PopulationCount(x=a), ids(1000, 500, 500))
integers("bitcast", lambda tf, a: tf.bitcast(a, tf.int32), ids(1000, 500, 500))
for dtype in ("int32", "int64", "uint8"):
    array = ids(100, 500, 500).astype(dtype)
    integers(f"products of {dtype}", lambda tf, a: a * a, array)
    integers(f"quotients of {dtype}", lambda tf, a: a // 7, array)
    integers(f"reduce_max of {dtype}", lambda tf, a: tf.reduce_max(a, 1), array)
    integers(f"reduce_sum over 0 of {dtype}", lambda tf, a: tf.reduce_sum(tf.cast(a, tf.int32), 0), array)
    integers(f"argmax of {dtype}", lambda tf, a: tf.argmax(a, 1), array)
    integers(f"minimum of {dtype}", lambda tf, a: tf.where(a < a[::-1], a, a[::-1]), array)
integers("matmul of int32", lambda tf, a: tf.matmul(a, a), ids(100, 128, 128).astype(np.int32))
integers("pow of int32", lambda tf, a: tf.pow(a, 3), ids(50, 300, 300).astype(np.int32))
for dtype in ("float16", "bfloat16", "float64"):
    add(f"tanh of {dtype}", of(dtype, lambda tf, x: tf.tanh(x)), (500, 500))
    add(f"layer norm of {dtype}", of(dtype, lambda tf, x: (x - tf.reduce_mean(x, -1, keepdims=True)) * tf.rsqrt(
        tf.reduce_mean(tf.square(x), -1, keepdims=True) + 1)), (256, 512))
    add(f"reduce_max of {dtype}", of(dtype, lambda tf, x: tf.reduce_max(x, 1)), (500, 500))
    add(f"bias_add and relu of {dtype}", of(dtype, lambda tf, x, b: tf.nn.relu(tf.nn.bias_add(x, b))), (256, 512),
        (512,))
    add(f"gather of {dtype}", of(dtype, lambda tf, x: tf.gather(x, ids(5000, 4096))), (5000, 64))
    add(f"max_pool of {dtype}", of(dtype, lambda tf, x: tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")),
        (8, 28, 28, 32))
for name in ("sort", "cumprod", "unsorted_segment_sum", "depthwise_conv2d", "erf", "sin", "lgamma", "conv3d",
             "conv2d_transpose", "avg_pool", "cholesky"):
    shapes = {"depthwise_conv2d": [(8, 28, 28, 16), (3, 3, 16, 1)], "avg_pool": [(8, 28, 28, 16)],
              "conv3d": [(2, 8, 16, 16, 8), (3, 3, 3, 8, 8)], "conv2d_transpose": [(8, 14, 14, 16), (3, 3, 8, 16)],
              "cholesky": [(96, 96)]}.get(name, [(500, 500)])
    add(f"{name} of float64", of("float64", {
        "unsorted_segment_sum": lambda tf, x: tf.unsorted_segment_sum(x, ids(50, 500), 50),
        "depthwise_conv2d": lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, [1] * 4, "SAME"),
        "conv3d": lambda tf, x, w: tf.nn.conv3d(x, w, [1] * 5, "SAME"),
        "conv2d_transpose": lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [8, 28, 28, 8], [1, 2, 2, 1]),
        "avg_pool": lambda tf, x: tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
        "cholesky": lambda tf, x: tf.cholesky(tf.matmul(x, x, transpose_b=True) + 96 * np.eye(96)),
    }.get(name, lambda tf, x, name=name: getattr(tf, name)(x))), *shapes)
for name in ("abs", "angle", "exp", "sqrt", "multiply", "matmul", "reduce_sum"):
    def on_complex(tf, x, y, name=name):
        z = tf.complex(x, y)
        return tf.abs(getattr(tf, name)(*([z, z] if name in ("multiply", "matmul") else [z])))
    add(f"{name} of complex numbers", on_complex, (256, 256), (256, 256))


# ---- linear algebra

add("matrix_solve of small matrices", lambda tf, x, b: tf.matrix_solve(x + 3.0 * np.eye(4, dtype=np.float32), b),
    (1000, 4, 4), (1000, 4, 1))
add("cholesky of small matrices", lambda tf, x: tf.cholesky(tf.matmul(x, x, transpose_b=True) + np.eye(
    4, dtype=np.float32)), (1000, 4, 4))
add("cholesky_solve", lambda tf, x, b: tf.cholesky_solve(tf.matrix_band_part(x, -1, 0) + np.eye(
    32, dtype=np.float32), b), (32, 32, 32), (32, 32, 4))
add("triangular_solve of small matrices", lambda tf, x, b: tf.matrix_triangular_solve(x + np.eye(
    4, dtype=np.float32), b), (1000, 4, 4), (1000, 4, 1))
add("matrix_determinant of 10 x 10", lambda tf, x: tf.matrix_determinant(x), symmetric(500, 10, 10))
add("log_matrix_determinant", lambda tf, x: tf.linalg.slogdet(x)[1], symmetric(500, 6, 6))
add("logdet", lambda tf, x: tf.linalg.logdet(tf.matmul(x, x, transpose_b=True) + 64 * np.eye(64, dtype=np.float32)),
    (16, 64, 64))
add("matrix_solve_ls", lambda tf, x, b: tf.matrix_solve_ls(x, b), symmetric(50, 20, 6), (50, 20, 2))
add("pinv", lambda tf, x: tf.linalg.pinv(x), symmetric(50, 8, 6))
add("expm", lambda tf, x: tf.linalg.expm(x * 0.1), (16, 32, 32), gradient=False)
add("sqrtm", lambda tf, x: tf.linalg.sqrtm(tf.matmul(x, x, transpose_b=True) + 16 * np.eye(16, dtype=np.float32)),
    (16, 16), gradient=False)
add("tridiagonal_solve", lambda tf, x, b: tf.linalg.tridiagonal_solve(x + [[[0.0]], [[4.0]], [[0.0]]][0][0], b),
    (64, 3, 50), (64, 50, 1), gradient=False)
add("lu", lambda tf, x: tf.linalg.lu(x)[0], symmetric(16, 48, 48), gradient=False)
add("self_adjoint_eig, eigenvectors of small matrices", lambda tf, x: tf.abs(tf.self_adjoint_eig(
    x + tf.transpose(x, [0, 2, 1]))[1]), symmetric(500, 3, 3))
add("svd, vectors of small matrices", lambda tf, x: tf.abs(tf.svd(x)[1]), symmetric(500, 3, 3))
add("matvec", lambda tf, x, y: tf.linalg.matvec(x, y), (64, 64, 64), (64, 64))
add("cross", lambda tf, x, y: tf.cross(x, y), (50000, 3), (50000, 3))
add("normalize", lambda tf, x: tf.linalg.normalize(x, axis=1)[0], (1000, 256))
for form, shapes in (("ij,jk,kl->il", [(128, 128)] * 3), ("bhwc,cd->bhwd", [(8, 14, 14, 64), (64, 64)]),
                     ("bij->bji", [(64, 64, 64)]), ("bi,bi->b", [(2048, 256)] * 2),
                     ("abc,abd->cd", [(16, 64, 64)] * 2), ("bth,hnd->btnd", [(8, 64, 128), (128, 4, 32)])):
    add(f"einsum {form}", lambda tf, *xs, form=form: tf.einsum(form, *xs), *shapes)
add("tensordot over two axes", lambda tf, x, y: tf.tensordot(x, y, [[1, 2], [0, 1]]), (64, 16, 32), (16, 32, 64))


# ---- signals

add("ifft", lambda tf, x: tf.abs(tf.ifft(tf.complex(x, x))), (64, 1024))
add("fft2d", lambda tf, x: tf.abs(tf.fft2d(tf.complex(x, x))), (8, 96, 96))
add("fft3d", lambda tf, x: tf.abs(tf.fft3d(tf.complex(x, x))), (4, 16, 16, 16))
add("rfft", lambda tf, x: tf.abs(tf.spectral.rfft(x)), (64, 1024))
add("idct", lambda tf, x: tf.spectral.idct(x), (64, 512))
add("dct type 3", lambda tf, x: tf.spectral.dct(x, 3), (64, 512))
add("inverse_stft", lambda tf, x: tf.signal.inverse_stft(tf.signal.stft(x, 400, 160), 400, 160), (4, 8000))
add("overlap_and_add", lambda tf, x: tf.signal.overlap_and_add(x, 160), (8, 100, 400))
add("hann_window", lambda tf, x: tf.signal.hann_window(400) * x, (200, 400))
add("mfcc op", lambda tf, x: tf.raw_ops.Mfcc(spectrogram=x, sample_rate=16000), (2, 50, 257), gradient=False)
add("audio_spectrogram op", lambda tf, x: tf.raw_ops.AudioSpectrogram(input=x, window_size=400, stride=160), (16000, 1),
    gradient=False)


# ---- quantization

add("fake_quant with arguments", lambda tf, x: tf.fake_quant_with_min_max_args(x, -1.0, 1.0), symmetric(500, 500))
add("fake_quant with variables", lambda tf, x, a, b: tf.fake_quant_with_min_max_vars(x, a, b), symmetric(500, 500),
    np.array(-1.0, np.float32), np.array(1.0, np.float32))
add("fake_quant of channels", lambda tf, x, a, b: tf.fake_quant_with_min_max_vars_per_channel(x, a, b),
    symmetric(500, 64), np.full([64], -1.0, np.float32), np.full([64], 1.0, np.float32))
add("quantize", lambda tf, x: as_number(tf, tf.quantize(x, -3.0, 3.0, tf.quint8)[0], x), symmetric(500, 500),
    gradient=False)
add("quantize and dequantize", lambda tf, x: tf.quantization.quantize_and_dequantize(x, -3.0, 3.0, range_given=True),
    symmetric(500, 500))
add("dequantize", lambda tf, x: tf.dequantize(tf.quantize(x, -3.0, 3.0, tf.qint8)[0], -3.0, 3.0), symmetric(500, 500),
    gradient=False)


# ---- images

for name in ("flip_left_right", "flip_up_down", "rot90", "rgb_to_yuv", "rgb_to_yiq", "yuv_to_rgb", "grayscale_to_rgb",
             "per_image_standardization", "rgb_to_hsv", "hsv_to_rgb"):
    add(f"image.{name}", lambda tf, x, name=name: getattr(tf.image, name)(x),
        IMAGES[..., :1].copy() if name == "grayscale_to_rgb" else IMAGES, gradient=name not in ("hsv_to_rgb",
                                                                                               "rgb_to_hsv"))
add("image.adjust_contrast", lambda tf, x: tf.image.adjust_contrast(x, 1.4), IMAGES, gradient=False)
add("image.adjust_gamma", lambda tf, x: tf.image.adjust_gamma(x, 1.4), IMAGES)
add("image.resize_nearest of pixels", lambda tf, x: tf.image.resize_nearest_neighbor(
    numbers(tf, x, PIXELS), [96, 96]), (4,), gradient=False)
add("image.flip of pixels", lambda tf, x: tf.image.flip_left_right(numbers(tf, x, PIXELS)), (4,), gradient=False)
add("image.resize_bicubic down", lambda tf, x: tf.image.resize_bicubic(x, [40, 40]), IMAGES)
add("image.resize_bilinear, corners aligned", lambda tf, x: tf.image.resize_bilinear(x, [96, 96], True), IMAGES)
add("image.resize with antialias", lambda tf, x: tf.raw_ops.ScaleAndTranslate(
    images=x, size=[32, 32], scale=[0.5, 0.5], translation=[0.0, 0.0], kernel_type="triangle", antialias=True), IMAGES)
add("image.pad_to_bounding_box", lambda tf, x: tf.image.pad_to_bounding_box(x, 4, 4, 80, 80), IMAGES)
add("image.extract_glimpse", lambda tf, x: tf.image.extract_glimpse(x, [24, 24], symmetric(8, 2) * 0.3), IMAGES,
    gradient=False)
add("image.ssim_multiscale", lambda tf, x, y: tf.image.ssim_multiscale(x, y, 1.0), (2, 192, 192, 1), (2, 192, 192, 1),
    gradient=False)
add("image.random_brightness and contrast", lambda tf, x: tf.image.random_contrast(
    tf.image.random_brightness(x, 0.2, seed=1), 0.5, 1.5, seed=2), IMAGES, gradient=False)
add("image.random_hue and saturation", lambda tf, x: tf.image.random_saturation(
    tf.image.random_hue(x, 0.1, seed=1), 0.5, 1.5, seed=2), IMAGES, gradient=False)
add("image.sample_distorted_bounding_box", lambda tf, x: as_number(tf, tf.image.sample_distorted_bounding_box(
    [200, 200, 3], [[[0.1, 0.2, 0.8, 0.7]]], seed=1, min_object_covered=0.5)[0], x), (4,), gradient=False)
add("image.combined_non_max_suppression", lambda tf, x: tf.image.combined_non_max_suppression(tf.concat(
    [x[:, :2] * 5, x[:, :2] * 5 + x[:, 2:]], 1)[None, :, None], tf.stack([x[:, 0], x[:, 1]], 1)[None], 20, 50)[0],
    (500, 4), gradient=False)
add("image.encode_png", lambda tf, x: as_number(tf, tf.strings.length(tf.image.encode_png(
    numbers(tf, x, PIXELS[0]))), x), (4,), gradient=False)
add("image.encode_jpeg", lambda tf, x: as_number(tf, tf.strings.length(tf.image.encode_jpeg(
    numbers(tf, x, PIXELS[0]))), x), (4,), gradient=False)
add("erosion2d", lambda tf, x, w: tf.nn.erosion2d(x, w, [1] * 4, [1] * 4, "SAME"), (4, 32, 32, 16), (3, 3, 16))
add("fractional_max_pool", lambda tf, x: tf.nn.fractional_max_pool(
    x, [1, 1.4, 1.4, 1], deterministic=True, seed=1, seed2=2)[0], (8, 28, 28, 16))
add("extract_volume_patches", lambda tf, x: tf.extract_volume_patches(x, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "VALID"),
    (4, 16, 16, 16, 8))
add("pool of averages, width 3", lambda tf, x: tf.nn.pool(x, [3], "AVG", "SAME"), (32, 100, 64))


# ---- random numbers

for dtype in ("float64", "float16", "int32", "int64"):
    add(f"random_uniform of {dtype}", lambda tf, x, dtype=dtype: x + tf.cast(tf.random_uniform(
        [500, 500], maxval=1000, dtype=dtype, seed=1), tf.float32), (500, 500), gradient=False)
for dtype in ("float64", "float16"):
    add(f"random_normal of {dtype}", lambda tf, x, dtype=dtype: x + tf.cast(tf.random_normal(
        [500, 500], dtype=dtype, seed=1), tf.float32), (500, 500), gradient=False)
for name in ("uniform", "normal", "truncated_normal"):
    add(f"stateless_random_{name}", lambda tf, x, name=name: x + getattr(tf.random, f"stateless_{name}")(
        [500, 500], seed=[1, 2]), (500, 500), gradient=False)
add("stateless_multinomial", lambda tf, x: as_number(tf, tf.random.stateless_multinomial(x, 5, seed=[1, 2]), x),
    (256, 500), gradient=False)
add("random_gamma of many shapes", lambda tf, x: tf.random_gamma([20], x, seed=1), (500,))
add("random_poisson of many rates", lambda tf, x: tf.random_poisson(x * 10, [20], seed=1), (500,), gradient=False)
add("random exponential", lambda tf, x: -tf.log(tf.random_uniform([500, 500], 1e-6, seed=1)) * x, (500, 500))
add("uniform_candidate_sampler", lambda tf, x: as_number(tf, tf.random.uniform_candidate_sampler(
    ids(5000, 64, 1), 1, 100, True, 5000, seed=1)[0], x), (4,), gradient=False)
add("learned_unigram sampler", lambda tf, x: as_number(tf, tf.random.learned_unigram_candidate_sampler(
    ids(5000, 64, 1), 1, 100, True, 5000, seed=1)[0], x), (4,), gradient=False)
add("fixed_unigram sampler", lambda tf, x: as_number(tf, tf.random.fixed_unigram_candidate_sampler(
    ids(5000, 64, 1), 1, 100, True, 5000, unigrams=list(range(1, 5001)), seed=1)[0], x), (4,), gradient=False)
add("distributions.Beta samples", lambda tf, x: tf.distributions.Beta(x + 1, x + 2).sample(10, seed=1), (1000,),
    gradient=False)
add("distributions.Normal log_prob", lambda tf, x, m: tf.distributions.Normal(m, 1.5).log_prob(x), (500, 500), (500,))
add("distributions.Dirichlet log_prob", lambda tf, x: tf.distributions.Dirichlet([1.5] * 10).log_prob(
    tf.nn.softmax(x)), (2000, 10))
add("distributions.StudentT log_prob", lambda tf, x: tf.distributions.StudentT(3.0, 0.0, 1.0).log_prob(x), (500, 500))


# ---- optimizers


def optimizer(name, make):
    """A step on a matrix and a vector."""
    def step(tf, x, w, b):
        train = make(tf.train).minimize(tf.reduce_sum(tf.square(tf.matmul(x, w) + b)) * 1e-3, var_list=[w, b])
        with tf.control_dependencies([train]):
            return tf.identity(x[:1])
    add(f"optimizer {name}", step, (16, 256), (256, 512), (512,), gradient=False)


optimizer("Ftrl", lambda train: train.FtrlOptimizer(0.01, l1_regularization_strength=0.01))
optimizer("Adadelta", lambda train: train.AdadeltaOptimizer(0.1))
optimizer("ProximalAdagrad", lambda train: train.ProximalAdagradOptimizer(0.01, l1_regularization_strength=0.01))
optimizer("ProximalGradientDescent", lambda train: train.ProximalGradientDescentOptimizer(
    0.01, l2_regularization_strength=0.01))
optimizer("RMSProp", lambda train: train.RMSPropOptimizer(0.01, momentum=0.9))
optimizer("RMSProp centered", lambda train: train.RMSPropOptimizer(0.01, centered=True))
optimizer("Momentum of Nesterov", lambda train: train.MomentumOptimizer(0.01, 0.9, use_nesterov=True))
optimizer("Adam", lambda train: train.AdamOptimizer())


def by_hand(name, update):
    """A step that a program writes itself: a new value of the weights and a slot, from its gradient."""
    def step(tf, x, w):
        slot = tf.get_variable("slot", initializer=np.zeros([256, 512], np.float32))
        gradient = tf.gradients(tf.reduce_sum(tf.square(tf.matmul(x, w))) * 1e-3, w)[0]
        value, slot_value = update(tf, w, slot, gradient)
        with tf.control_dependencies([tf.assign(w, value), tf.assign(slot, slot_value)]):
            return tf.identity(x[:1])
    add(f"optimizer {name}", step, (16, 256), (256, 512), gradient=False)


by_hand("LARS", lambda tf, w, slot, g: (w - (0.9 * slot + tf.norm(w) / (tf.norm(g) + 1e-6) * g * 1e-3),
                                        0.9 * slot + tf.norm(w) / (tf.norm(g) + 1e-6) * g * 1e-3))
by_hand("AdamW", lambda tf, w, slot, g: (w * 0.999 - 0.001 * g / (tf.sqrt(0.999 * slot + 0.001 * g * g) + 1e-8),
                                         0.999 * slot + 0.001 * g * g))
by_hand("Lion", lambda tf, w, slot, g: (w - 1e-4 * tf.sign(0.9 * slot + 0.1 * g), 0.99 * slot + 0.01 * g))


# ---- metrics and losses

LABELS = ids(2, 2000)
for name in ("recall", "true_positives", "false_negatives", "mean_absolute_error", "root_mean_squared_error",
             "recall_at_thresholds", "precision_at_thresholds", "sensitivity_at_specificity", "mean",
             "mean_cosine_distance", "mean_per_class_accuracy", "percentage_below", "mean_relative_error"):
    more = {"recall_at_thresholds": [[0.2, 0.5, 0.8]], "precision_at_thresholds": [[0.2, 0.5, 0.8]],
            "sensitivity_at_specificity": [0.5], "mean_cosine_distance": [0], "mean_per_class_accuracy": [2],
            "mean_relative_error": [np.ones([2000], np.float32)]}.get(name, [])

    def metric(tf, x, name=name, more=more):
        x = tf.minimum(x, 1.0)
        given = ([x] + ([0.5] if name == "percentage_below" else []) if name in ("mean", "percentage_below")
                 else [LABELS > 0, x > 0.6] if name in ("recall", "true_positives", "false_negatives")
                 else [LABELS > 0, x] if name.endswith(("thresholds", "specificity"))
                 else [LABELS, tf.cast(x > 0.6, tf.int64)] if name == "mean_per_class_accuracy"
                 else [tf.cast(LABELS, tf.float32), x])
        return x[0] * tf.cast(getattr(tf.metrics, name)(*given, *more)[1], tf.float32)
    add(f"metrics.{name}", metric, (2000,), gradient=False)
add("metrics.recall_at_k", lambda tf, x: x[0, 0] * tf.cast(tf.metrics.recall_at_k(
    ids(100, 256, 1), x, 5)[1], tf.float32), (256, 100), gradient=False)
add("metrics.average_precision_at_k", lambda tf, x: x[0, 0] * tf.cast(tf.metrics.average_precision_at_k(
    ids(100, 256, 1), x, 5)[1], tf.float32), (256, 100), gradient=False)
for name in ("mean_pairwise_squared_error", "sigmoid_cross_entropy", "softmax_cross_entropy"):
    add(f"losses.{name}", lambda tf, x, name=name: getattr(tf.losses, name)(
        tf.one_hot(ids(200, 500), 200), x), (500, 200))
add("losses with weights and masks", lambda tf, x: tf.losses.mean_squared_error(
    tf.zeros([500, 200]), x, weights=tf.cast(ids(2, 500, 1), tf.float32)), (500, 200))
add("nce_loss", lambda tf, w, b, x: tf.nn.nce_loss(w, b, ids(20000, 128, 1), x, 64, 20000), (20000, 64), (20000,),
    (128, 64))
add("log_poisson_loss", lambda tf, x: tf.nn.log_poisson_loss(tf.cast(ids(5, 500, 200), tf.float32), x, True),
    (500, 200))


# ---- sequences

add("Viterbi decoding", lambda tf, x, t: tf.scan(lambda s, e: tf.reduce_max(s[:, :, None] + t, 1) + e, x),
    symmetric(30, 32, 12), symmetric(12, 12))
add("CRF score of tags", lambda tf, x, t: tf.reduce_sum(tf.batch_gather(x, ids(12, 32, 30, 1))[:, :, 0], 1)
    + tf.reduce_sum(tf.gather_nd(t, np.stack([ids(12, 32, 29), ids(12, 32, 29, seed=2)], 2)), 1),
    symmetric(32, 30, 12), symmetric(12, 12))
add("Luong attention step", lambda tf, q, m, w: tf.tanh(tf.matmul(tf.concat([q, tf.squeeze(tf.matmul(tf.nn.softmax(
    tf.matmul(q[:, None], m, transpose_b=True)), m), 1)], 1), w)), (64, 128), (64, 40, 128), (256, 128))
add("decoder with attention, 20 steps", lambda tf, x, m, w: tf.scan(lambda s, e: tf.tanh(e + tf.matmul(
    s + tf.reduce_sum(tf.nn.softmax(tf.reduce_sum(s[:, None] * m, 2))[:, :, None] * m, 1), w)), x),
    (20, 32, 64), (32, 15, 64), symmetric(64, 64) * 0.1)
add("greedy decoding of 20 tokens", lambda tf, e, w: tf.while_loop(lambda i, s, t: i < 20, lambda i, s, t: (
    i + 1, tf.tanh(s + tf.gather(e, t)), tf.argmax(tf.matmul(s, w), 1)),
    [0, tf.zeros([16, 64]), tf.zeros([16], tf.int64)])[1], symmetric(500, 64), symmetric(64, 500), gradient=False)
for cell in ("BasicRNNCell", "BasicLSTMCell"):
    add(f"static_rnn of 10 {cell}", lambda tf, x, cell=cell: tf.concat(tf.nn.static_rnn(getattr(
        tf.nn.rnn_cell, cell)(64), tf.unstack(x, axis=1), dtype=tf.float32)[0], 1), (32, 10, 64))
add("raw_rnn-like gather of last outputs", lambda tf, x: tf.gather_nd(x, np.stack(
    [np.arange(64), ids(30, 64)], 1)), (64, 30, 128))
add("padding mask and softmax", lambda tf, x: tf.nn.softmax(tf.where(np.tile(
    ids(2, 16, 1, 1, 64) > 0, [1, 4, 64, 1]), x, tf.fill([16, 4, 64, 64], -1e9))), symmetric(16, 4, 64, 64))
