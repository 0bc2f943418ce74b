"""More rows of `make sweep`: ops of programs that no other row has, and common ops at odd sizes.

Prime sizes, a single row or column, many short rows, float64, integers, booleans and empty axes.
"""

import numpy as np

from benchmarks.fragments import add, as_number, bounded, ids, symmetric
from benchmarks.vocabulary import IMAGES, integers, of

# ---- elementwise ops and checks

for name in ("greater", "less_equal", "logical_and", "logical_or", "logical_xor"):
    def compared(tf, x, y, name=name):
        given = (x > 0.5, y > 0.5) if name.startswith("logical") else (x, y)
        return tf.cast(getattr(tf, name)(*given), tf.float32) + x
    add(f"{name} of 1,009 x 307", compared, (1009, 307), (1009, 307), gradient=False)
for name in ("mod", "truediv", "subtract", "div_no_nan", "squared_difference"):
    add(f"{name} of 1,009 x 307", lambda tf, x, y, name=name: getattr(tf, name, getattr(tf.math, name, None))(x, y),
        (1009, 307), (1009, 307), gradient=name != "mod")
add("is_finite and where", lambda tf, x: tf.where(tf.is_finite(x), x, tf.zeros_like(x)), (1009, 307))
add("check_numerics", lambda tf, x: tf.check_numerics(x, "x"), (1009, 307))
add("assert_less_equal", lambda tf, x: tf.identity(x) if tf.assert_less_equal(x, 5.0) is None else tf.square(x),
    (500, 307), gradient=False)
add("clip_by_norm of rows", lambda tf, x: tf.clip_by_norm(x, 1.0, [1]), (1009, 307))
add("saturate_cast to uint8", lambda tf, x: as_number(tf, tf.saturate_cast(x * 300, tf.uint8), x), (1009, 307),
    gradient=False)
integers("floormod of int64", lambda tf, a: tf.floormod(a, 17), ids(10000, 1009, 307))
integers("truncatediv of int32", lambda tf, a: tf.truncatediv(a, 7), ids(10000, 1009, 307).astype(np.int32))
integers("logical_not and count", lambda tf, a: tf.count_nonzero(tf.logical_not(a > 50), 1), ids(100, 1009, 307))
add("polynomial by Horner, float64", of("float64", lambda tf, x: ((x * 0.3 + 0.2) * x - 0.7) * x + 1.0), (1009, 307))
add("sqrt of complex128", lambda tf, x: tf.cast(tf.abs(tf.sqrt(tf.complex(*[tf.cast(x, tf.float64)] * 2))),
                                                tf.float32), (127, 307))
add("igamma gradient by a", lambda tf, a, x: tf.igamma(a + 1.0, x), (5003,), (5003,))
add("digamma of float64", of("float64", lambda tf, x: tf.digamma(x + 0.5)), (50021,))


# ---- reductions at odd sizes

for shape in ((1, 100003), (100003, 1), (100003, 3), (3, 100003), (7, 1, 14009), (100003, 0)):
    text = " x ".join(f"{size:,}" for size in shape)
    for name in ("reduce_sum", "reduce_max", "reduce_mean"):
        if 0 not in shape or name == "reduce_sum":
            add(f"{name} of rows of {text}", lambda tf, x, name=name: getattr(tf, name)(x, -1) + 1.0, shape)
    if 0 not in shape:
        add(f"softmax of {text}", lambda tf, x: tf.nn.softmax(x), shape)
add("reduce_logsumexp of columns", lambda tf, x: tf.reduce_logsumexp(x, 0), (5003, 31))
add("argmax of columns", lambda tf, x: as_number(tf, tf.argmax(x, 0), x), (5003, 31), gradient=False)
add("reduce_std of float64", of("float64", lambda tf, x: tf.math.reduce_std(x, 1)), (997, 211))
add("reduce_any of columns", lambda tf, x: as_number(tf, tf.reduce_any(x > 1.0, 0), x), (5003, 31), gradient=False)
integers("reduce_min of int64 over all", lambda tf, a: tf.reduce_min(a), ids(10**6, 1009, 307))
integers("reduce_prod of int32", lambda tf, a: tf.reduce_prod(a, 1), ids(3, 1009, 31).astype(np.int32))


# ---- products and layouts at odd sizes

for a, b in (((1, 1009), (1009, 307)), ((1009, 307), (307, 1)), ((20011, 7), (7, 5)), ((307, 1), (1, 307)),
             ((4001, 3, 3), (4001, 3, 1)), ((509, 13, 11), (509, 11, 17))):
    add(f"matmul {'x'.join(map(str, a))} by {'x'.join(map(str, b))}", lambda tf, x, y: tf.matmul(x, y), a, b)
add("matmul of float64, 127 x 131 x 137", of("float64", lambda tf, x, y: tf.matmul(x, y)), (127, 131), (131, 137))
add("matrix_transpose of many 3 x 5", lambda tf, x: tf.matrix_transpose(x), (20011, 3, 5))
add("transpose of 1,009 x 307", lambda tf, x: tf.transpose(x), (1009, 307))
add("concat of columns of 1", lambda tf, *xs: tf.concat(list(xs), 1), *[(20011, 1)] * 5)
add("stack of 7 vectors", lambda tf, *xs: tf.stack(list(xs), 1), *[(20011,)] * 7)
add("unstack of 7 columns", lambda tf, x: tf.add_n([each * at for at, each in enumerate(tf.unstack(x, axis=1))]),
    (20011, 7))
add("slices with a stride of 3", lambda tf, x: x[::3, 1::2], (3001, 307))
add("reverse of columns", lambda tf, x: tf.reverse(x, [1]), (1009, 307))
add("batch_to_space_nd with crops", lambda tf, x: tf.batch_to_space_nd(x, [3, 3], [[1, 1], [1, 1]]), (27, 11, 13, 7))
add("gather of columns", lambda tf, x: tf.gather(x, ids(307, 101), axis=1), (1009, 307))
add("gather of bool", lambda tf, x: as_number(tf, tf.gather(x > 0.5, ids(1009, 503)), x), (1009, 307), gradient=False)
add("boolean_mask of rows", lambda tf, x: tf.boolean_mask(x, ids(2, 5003) > 0), (5003, 31))
add("unsorted_segment_max of 31", lambda tf, x: tf.unsorted_segment_max(x, ids(31, 5003), 31), (5003, 17))
add("unsorted_segment_mean of 997", lambda tf, x: tf.math.unsorted_segment_mean(x, ids(997, 5003), 997), (5003, 17))
add("segment_min", lambda tf, x: tf.segment_min(x, bounded(499, 5003)), (5003, 17))
add("cumsum of 100,003 numbers", lambda tf, x: tf.cumsum(x), (100003,))
add("cumsum of float64 rows", of("float64", lambda tf, x: tf.cumsum(x, 1)), (997, 211))
add("sort of 3 columns", lambda tf, x: tf.sort(x, 1), (20011, 3))
add("top_k of 2 among 7", lambda tf, x: tf.nn.top_k(x, 2)[0], (20011, 7))
integers("unique of few classes", lambda tf, a: tf.unique(a)[1], ids(11, 50021))
integers("scatter_nd of int64", lambda tf, a: tf.scatter_nd(ids(1009, 5003, 1), a, [1009]), ids(100, 5003))
integers("one_hot of 997 x 13", lambda tf, a: tf.one_hot(a, 13), ids(13, 997))


# ---- networks

add("conv3d_transpose", lambda tf, x, w: tf.nn.conv3d_transpose(x, w, [2, 8, 16, 16, 8], [1, 2, 2, 2, 1]),
    (2, 4, 8, 8, 16), (3, 3, 3, 8, 16))
add("conv2d of 31 x 37, 5 to 7 channels", lambda tf, x, w: tf.nn.conv2d(x, w, [1, 1, 1, 1], "SAME"), (8, 31, 37, 5),
    (3, 3, 5, 7))
add("average_pooling2d 3x3 stride 2 of 31 x 37", lambda tf, x: tf.nn.avg_pool(
    x, [1, 3, 3, 1], [1, 2, 2, 1], "SAME"), (8, 31, 37, 13))
add("max_pool 5x1 of text", lambda tf, x: tf.nn.max_pool(x, [1, 5, 1, 1], [1, 1, 1, 1], "VALID"), (32, 53, 1, 31))
add("batch_norm_with_global_normalization", lambda tf, x, m, v, b, g: tf.nn.batch_norm_with_global_normalization(
    x, m, v, b, g, 0.001, True), (8, 31, 37, 13), *[(13,)] * 4)
add("sufficient_statistics", lambda tf, x: tf.add_n([tf.reduce_sum(each) for each in tf.nn.sufficient_statistics(
    x, [0])[1:3]]), (5003, 31))
add("relu_layer of 307", lambda tf, x, w, b: tf.nn.relu_layer(x, w, b), (101, 307), (307, 103), (103,))
add("hard_sigmoid", lambda tf, x: tf.clip_by_value(0.2 * x + 0.5, 0.0, 1.0), symmetric(1009, 307))
add("softmax_cross_entropy of 1 row", lambda tf, x: tf.nn.softmax_cross_entropy_with_logits_v2(
    labels=tf.one_hot(ids(10007, 1), 10007), logits=x), symmetric(1, 10007))
add("sparse softmax loss of 2 classes", lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(
    labels=ids(2, 20011), logits=x), symmetric(20011, 2))
add("image.crop_to_bounding_box", lambda tf, x: tf.image.crop_to_bounding_box(x, 5, 7, 31, 37), IMAGES)
add("image.central_crop and resize", lambda tf, x: tf.image.resize_bilinear(tf.image.central_crop(x, 0.7), [53, 59]),
    IMAGES)
add("qr of many 5 x 3", lambda tf, x: tf.abs(tf.qr(x)[1]), symmetric(503, 5, 3), gradient=False)
add("matrix_inverse of 1 of 61", lambda tf, x: tf.matrix_inverse(x + 61 * np.eye(61, dtype=np.float32)), (61, 61))
add("fft of 997 rows of 13", lambda tf, x: tf.abs(tf.fft(tf.complex(x, x))), (997, 13))
add("random.categorical of 3 classes", lambda tf, x: as_number(tf, tf.random.categorical(x, 7, seed=1), x),
    (5003, 3), gradient=False)
