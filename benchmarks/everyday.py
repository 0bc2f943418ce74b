"""More rows of `make sweep`: text, sparse tensors, sequences, images, signals and other dtypes at sizes of programs."""

import numpy as np

from benchmarks.fragments import add, as_number, bounded, ids, numbers, symmetric


def _words(tf, like, texts):
    """Strings that depend on a variable, so that neither package folds what is made of them."""
    return tf.gather(tf.constant(np.array(texts, object)), numbers(tf, like, np.arange(len(texts))))


def _entries(tf, values, rows, each):
    """A sparse matrix with so many entries in each row."""
    return tf.SparseTensor(np.argwhere(np.ones([rows, each])), values, [rows, each])


# ---- text

SENTENCES = [" ".join(f"word{word}" for word in line) for line in ids(5000, 256, 12)]
NUMBERS = [f"{number / 7:.4f}" for number in ids(100000, 4096)]


def text(name, build, texts):
    add(name, lambda tf, x: as_number(tf, build(tf, _words(tf, x, texts)), x), (4,), gradient=False)


text("string_split", lambda tf, s: tf.string_split(s).indices, SENTENCES)
text("substr", lambda tf, s: tf.strings.length(tf.substr(s, 2, 10)), SENTENCES)
text("string_join", lambda tf, s: tf.strings.length(tf.string_join([s, s], "-")), SENTENCES)
text("regex_replace", lambda tf, s: tf.strings.length(tf.regex_replace(s, "[0-9]+", "#")), SENTENCES)
text("reduce_join", lambda tf, s: tf.strings.length(tf.reduce_join(tf.reshape(s, [32, 8]), 1)), SENTENCES)
text("string_to_number", lambda tf, s: tf.string_to_number(s), NUMBERS)
text("string_to_hash_bucket_fast", lambda tf, s: tf.string_to_hash_bucket_fast(s, 1000), NUMBERS)
text("decode_csv", lambda tf, s: tf.add_n(tf.decode_csv(s, [[0.0]] * 8)), [
    ",".join(f"{number / 7:.3f}" for number in row) for row in ids(10000, 512, 8)])
text("decode_raw", lambda tf, s: tf.decode_raw(s, tf.uint8), [bytes(row.astype(np.uint8)) for row in ids(256, 64, 784)])
add("as_string", lambda tf, x: as_number(tf, tf.strings.length(tf.as_string(x)), x), (4096,), gradient=False)


# ---- sparse tensors

add("sparse_tensor_to_dense", lambda tf, v: tf.sparse_tensor_to_dense(_entries(tf, v, 500, 20)), (10000,))
add("sparse_add", lambda tf, v, w: tf.sparse_add(_entries(tf, v, 500, 20), _entries(tf, w, 500, 20)).values, (10000,),
    (10000,))
add("sparse_reorder", lambda tf, v: tf.sparse_reorder(tf.SparseTensor(
    np.argwhere(np.ones([500, 20]))[::-1].copy(), v, [500, 20])).values, (10000,))
add("sparse_transpose", lambda tf, v: tf.sparse_transpose(_entries(tf, v, 500, 20)).values, (10000,))
add("sparse_concat", lambda tf, v, w: tf.sparse_concat(
    1, [_entries(tf, v, 500, 20), _entries(tf, w, 500, 20)]).values, (10000,), (10000,))
add("sparse_retain", lambda tf, v: tf.sparse_retain(_entries(tf, v, 500, 20), v > 0.6).values, (10000,))
add("sparse_slice", lambda tf, v: tf.sparse_slice(_entries(tf, v, 500, 20), [100, 5], [300, 10]).values, (10000,),
    gradient=False)
add("edit_distance", lambda tf, x: x[0] * tf.edit_distance(
    _entries(tf, numbers(tf, x, ids(30, 64 * 20)), 64, 20), _entries(tf, ids(30, 64 * 20, seed=2), 64, 20)), (4,),
    gradient=False)
add("one_hot times a matrix", lambda tf, x: tf.matmul(tf.one_hot(numbers(tf, x, ids(500, 2048)), 500), x), (500, 64))


# ---- sequences

add("ctc_greedy_decoder", lambda tf, x: as_number(tf, tf.nn.ctc_greedy_decoder(x, [50] * 32)[0][0].values, x),
    symmetric(50, 32, 30), gradient=False)
add("ctc_beam_search_decoder", lambda tf, x: tf.nn.ctc_beam_search_decoder(x, [30] * 8, beam_width=10)[1],
    symmetric(30, 8, 20), gradient=False)
add("foldl of 50", lambda tf, x: tf.foldl(lambda a, e: tf.tanh(a + e), x), (50, 64, 64))
add("TensorArray of 50", lambda tf, x: tf.while_loop(
    lambda i, _: i < 50, lambda i, kept: (i + 1, kept.write(i, tf.tanh(x[i]))),
    [0, tf.TensorArray(tf.float32, 50)])[1].stack(), (50, 32, 32))
add("while_loop of 1000 numbers", lambda tf, x: tf.while_loop(
    lambda i, a: i < 1000, lambda i, a: (i + 1, a * 0.999 + 0.001), [0, x])[1], (4,))
add("cond", lambda tf, x: tf.cond(tf.reduce_sum(x) > 0, lambda: tf.tanh(x), lambda: x * 2), (256, 256))
add("case", lambda tf, x: tf.case([(x[0, 0] > 9, lambda: x * 3), (x[0, 0] > 0, lambda: x * x)], lambda: -x), (256, 256))
add("py_func", lambda tf, x: tf.py_func(lambda a: a * 2, [x], tf.float32), (256, 256), gradient=False)
add("multi-layer LSTM", lambda tf, x: tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(
    [tf.nn.rnn_cell.LSTMCell(64), tf.nn.rnn_cell.LSTMCell(64)]), x, ids(20, 32) + 1, dtype=tf.float32)[0], (32, 20, 32))
add("additive attention", lambda tf, m, q, v: tf.reduce_sum(tf.nn.softmax(tf.reduce_sum(
    tf.tanh(m + q[:, None]) * v, 2))[:, :, None] * m, 1), (64, 40, 128), (64, 128), (128,))
add("beam search step", lambda tf, x, s: tf.nn.top_k(tf.reshape(
    s[:, :, None] + tf.nn.log_softmax(x), [16, 20000]), 4)[0], symmetric(16, 4, 5000), (16, 4))
add("sequence loss", lambda tf, x: tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(
    labels=ids(2000, 32, 20), logits=x) * tf.sequence_mask(ids(20, 32) + 1, 20, tf.float32)), symmetric(32, 20, 2000))
add("CRF's forward step", lambda tf, a, t: tf.scan(lambda s, e: tf.reduce_logsumexp(s[:, :, None] + t, 1) + e, a),
    symmetric(30, 32, 12), symmetric(12, 12))


# ---- images

add("hsv_to_rgb", lambda tf, x: tf.image.hsv_to_rgb(x), np.random.RandomState(0).rand(8, 64, 64, 3).astype(np.float32),
    gradient=False)
add("central_crop", lambda tf, x: tf.image.central_crop(x, 0.5), (8, 128, 128, 3))
add("rot90", lambda tf, x: tf.image.rot90(x), (8, 64, 64, 3))
add("transpose_image", lambda tf, x: tf.image.transpose_image(x), (8, 64, 64, 3))
add("draw_bounding_boxes", lambda tf, x: tf.image.draw_bounding_boxes(
    x, np.tile(np.float32([[[0.1, 0.2, 0.8, 0.7], [0.3, 0.3, 0.5, 0.9]]]), [4, 1, 1])), (4, 128, 128, 3),
    gradient=False)
add("psnr", lambda tf, x, y: tf.image.psnr(x, y, 1.0), (4, 128, 128, 3), (4, 128, 128, 3))
add("adjust_brightness of pixels", lambda tf, x: tf.image.adjust_brightness(
    numbers(tf, x, ids(256, 8, 64, 64, 3).astype(np.uint8)), 0.2), (4,), gradient=False)
add("convert_image_dtype", lambda tf, x: tf.image.convert_image_dtype(
    numbers(tf, x, ids(256, 8, 128, 128, 3).astype(np.uint8)), tf.float32), (4,), gradient=False)
add("resize with crop or pad", lambda tf, x: tf.image.resize_image_with_crop_or_pad(x, 72, 56), (8, 64, 64, 3))
add("resize_bilinear of pixels", lambda tf, x: tf.image.resize_bilinear(
    numbers(tf, x, ids(256, 4, 240, 320, 3).astype(np.uint8)), [224, 224]), (4,), gradient=False)
add("random flips and crops", lambda tf, x: tf.map_fn(lambda image: tf.random_crop(
    tf.image.random_flip_left_right(image, seed=1), [28, 28, 3], seed=2), x), (16, 32, 32, 3), gradient=False)
add("extract_image_patches stride 8", lambda tf, x: tf.extract_image_patches(
    x, [1, 8, 8, 1], [1, 8, 8, 1], [1, 1, 1, 1], "VALID"), (8, 128, 128, 3))
add("box overlaps", lambda tf, a, b: tf.reduce_prod(tf.maximum(tf.minimum(a[:, None, 2:] + 1, b[None, :, 2:] + 1)
    - tf.maximum(a[:, None, :2], b[None, :, :2]), 0), 2), (1000, 4), (100, 4))
add("patches of vision transformers", lambda tf, x: tf.reshape(tf.transpose(tf.reshape(
    x, [8, 14, 16, 14, 16, 3]), [0, 1, 3, 2, 4, 5]), [8, 196, 768]), (8, 224, 224, 3))
add("pixel shuffle of 3 channels", lambda tf, x: tf.depth_to_space(x, 4), (4, 32, 32, 48))
add("upsampling by tile", lambda tf, x: tf.reshape(tf.tile(x[:, :, None, :, None], [1, 1, 2, 1, 2, 1]),
                                                    [8, 56, 56, 32]), (8, 28, 28, 32))


# ---- signals and linear algebra

for size in (1000, 1021):
    add(f"fft of {size}", lambda tf, x: tf.abs(tf.fft(tf.complex(x, x))), (64, size))
add("irfft", lambda tf, x: tf.spectral.irfft(tf.complex(x, x)), (64, 513))
add("dct", lambda tf, x: tf.spectral.dct(x), (64, 512))
add("mfccs", lambda tf, x: tf.signal.mfccs_from_log_mel_spectrograms(tf.log(tf.tensordot(
    tf.abs(tf.signal.stft(x, 512, 256)), tf.signal.linear_to_mel_weight_matrix(40, 257, 16000), 1) + 1e-6)), (4, 16000))
add("frame", lambda tf, x: tf.signal.frame(x, 400, 160), (8, 16000))
add("svd of small matrices", lambda tf, x: tf.svd(x, compute_uv=False), symmetric(200, 6, 6))
add("self_adjoint_eig of small matrices", lambda tf, x: tf.self_adjoint_eig(
    x + tf.transpose(x, [0, 2, 1]))[0], symmetric(200, 6, 6))
add("qr of small matrices", lambda tf, x: tf.qr(x)[1], symmetric(200, 8, 6))
add("matrix_inverse of small matrices", lambda tf, x: tf.matrix_inverse(x + 3.0 * np.eye(4, dtype=np.float32)),
    (1000, 4, 4))
add("matrix_determinant of small matrices", lambda tf, x: tf.matrix_determinant(x), symmetric(1000, 3, 3))
add("cholesky of 256", lambda tf, x: tf.cholesky(tf.matmul(x, x, transpose_b=True) + 256 * np.eye(
    256, dtype=np.float32)), (256, 256))
add("outer product", lambda tf, x, y: x[:, None] * y[None, :], (1500,), (1000,))
for form in ("bij,bkj->bik", "bhid,bhjd->bhij", "bi,bj,ijk->bk", "ijk->kji"):
    shapes = {"bij,bkj->bik": [(16, 64, 64)] * 2, "bhid,bhjd->bhij": [(8, 4, 64, 32)] * 2, "ijk->kji": [(64, 64, 64)],
              "bi,bj,ijk->bk": [(64, 32), (64, 32), (32, 32, 16)]}[form]
    add(f"einsum {form}", lambda tf, *xs, form=form: tf.einsum(form, *xs), *shapes)


# ---- counts, order and metrics

add("cumsum over short rows", lambda tf, x: tf.cumsum(x, 1), (20000, 10))
add("cumsum over 0", lambda tf, x: tf.cumsum(x, 0), (500, 500))
add("cumsum exclusive of a vector", lambda tf, x: tf.cumsum(x, exclusive=True, reverse=True), (200000,))
add("top_k of short rows", lambda tf, x: tf.nn.top_k(x, 3)[0], (10000, 20))
add("top_k of a long vector", lambda tf, x: tf.nn.top_k(x, 100)[0], (200000,))
add("one_hot of a batch of texts", lambda tf, x: tf.one_hot(numbers(tf, x, ids(5000, 32, 20)), 5000), (4,),
    gradient=False)
add("argmax of short rows", lambda tf, x: as_number(tf, tf.argmax(x, 1), x), (50000, 10), gradient=False)
add("reduce_max over 1 of 3", lambda tf, x: tf.reduce_max(x, 1), (128, 50, 64))
add("reduce_sum over 0 of 3", lambda tf, x: tf.reduce_sum(x, 0), (16, 128, 256))
add("reduce_mean over 1 and 2", lambda tf, x: tf.reduce_mean(x, [1, 2]), (32, 14, 14, 256))
add("reduce_mean over the last of 4", lambda tf, x: tf.reduce_mean(x, -1), (8, 64, 64, 32))
for name in ("auc", "precision", "accuracy", "mean_squared_error"):
    add(f"metrics.{name}", lambda tf, x, name=name: x[0] * getattr(tf.metrics, name)(
        tf.cast(ids(2, 2000), tf.float32) if name != "auc" else ids(2, 2000) > 0,
        tf.cast(x > 0.6, tf.float32) if name in ("precision", "accuracy") else tf.minimum(x, 1.0))[1], (2000,),
        gradient=False)
add("metrics.mean_iou", lambda tf, x: as_number(tf, tf.metrics.mean_iou(
    tf.constant(ids(21, 20000)), numbers(tf, x, ids(21, 20000, seed=2)), 21)[1], x), (4,), gradient=False)
add("unsorted counts by one_hot", lambda tf, x: tf.reduce_sum(tf.one_hot(numbers(tf, x, ids(50, 5000)), 50), 0), (4,),
    gradient=False)
add("gather of tokens", lambda tf, x: tf.batch_gather(x, ids(128, 32, 20)), (32, 128, 64))
add("gather_nd of rows", lambda tf, x: tf.gather_nd(x, np.stack([np.arange(512), ids(50, 512)], 1)), (512, 50, 32))
add("where of three", lambda tf, x, y: tf.where(x > y, x * 2, y), (1000, 1000), (1000, 1000))
add("meshgrid", lambda tf, x, y: tf.add_n(tf.meshgrid(x, y)), (800,), (600,))
add("accumulate by scatter_nd_add", lambda tf, x: tf.tensor_scatter_add(
    x, ids(5000, 2048, 1), tf.ones([2048, 32])), (5000, 32))
add("Polyak averages", lambda tf, *xs: tf.add_n([tf.reduce_sum(0.99 * x + 0.01 * x * x) for x in xs]), *[(64, 64)] * 20)


# ---- normalization and losses

add("weight norm", lambda tf, x, v, g: tf.matmul(x, v * (g / tf.norm(v, axis=0))), (256, 256), (256, 256), (256,))
add("layer norm of tokens", lambda tf, x, g, b: (x - tf.reduce_mean(x, -1, keepdims=True)) * tf.rsqrt(tf.reduce_mean(
    tf.squared_difference(x, tf.reduce_mean(x, -1, keepdims=True)), -1, keepdims=True) + 1e-12) * g + b,
    (16, 128, 256), (256,), (256,))
add("spectral norm", lambda tf, w, u: w / tf.reduce_sum(tf.matmul(tf.nn.l2_normalize(tf.matmul(
    tf.nn.l2_normalize(tf.matmul(u, w, transpose_b=True)), w)), w, transpose_b=True)), (512, 256), (1, 256))
add("focal loss", lambda tf, x: tf.reduce_mean(-tf.pow(1 - tf.sigmoid(x), 2.0) * tf.log_sigmoid(x)),
    symmetric(1000, 200))
add("dice loss", lambda tf, x: 1 - 2 * tf.reduce_sum(tf.sigmoid(x), [1, 2]) / (tf.reduce_sum(x * x, [1, 2]) + 1),
    symmetric(8, 128, 128))
add("triplet loss", lambda tf, a, p, n: tf.maximum(tf.reduce_sum(tf.square(a - p) - tf.square(a - n), 1) + 0.2, 0),
    *[(512, 128)] * 3)
add("contrastive loss", lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=np.arange(
    256), logits=tf.matmul(tf.nn.l2_normalize(x, 1), tf.nn.l2_normalize(x, 1), transpose_b=True) * 10), (256, 128))
add("gaussian log likelihood", lambda tf, x, m, s: -0.5 * tf.reduce_sum(
    tf.square((x - m) / s) + 2 * tf.log(s) + 1.837877, 1), *[(1000, 100)] * 3)
add("mixture density", lambda tf, x, m: tf.reduce_logsumexp(-0.5 * tf.reduce_sum(tf.square(
    x[:, None] - m[None]), 2), 1), (1000, 16), (32, 16))
add("policy gradient", lambda tf, x: -tf.reduce_mean(tf.reduce_sum(tf.one_hot(
    ids(6, 2048), 6) * tf.nn.log_softmax(x), 1)), symmetric(2048, 6))
add("maxout", lambda tf, x: tf.reduce_max(tf.reshape(x, [256, 128, 4]), 2), symmetric(256, 512))
add("swish and softplus", lambda tf, x: x * tf.sigmoid(x) + tf.nn.softplus(x), symmetric(1000, 500))
add("prelu", lambda tf, x, a: tf.maximum(x, 0.0) + a * tf.minimum(x, 0.0), symmetric(32, 28, 28, 32), (32,))
add("noise layer", lambda tf, x: x + tf.random_normal(tf.shape(x), stddev=0.1, seed=1), (256, 512))


# ---- other dtypes


def of_dtype(dtype):
    """Rows of a dtype in which programs compute now and then."""
    cast = lambda tf, x: tf.cast(x, dtype)
    add(f"matmul of {dtype}", lambda tf, x, y: tf.cast(tf.matmul(cast(tf, x), cast(tf, y)), tf.float32), (256, 256),
        (256, 256))
    add(f"softmax of {dtype}", lambda tf, x: tf.cast(tf.nn.softmax(cast(tf, x)), tf.float32), (256, 1000))
    add(f"sums of {dtype}", lambda tf, x: tf.cast(tf.reduce_sum(cast(tf, x) * 2, 1), tf.float32), (1000, 1000))


for name in ("float16", "bfloat16", "float64"):
    of_dtype(name)
add("conv2d of float64", lambda tf, x, w: tf.cast(tf.nn.conv2d(
    tf.cast(x, tf.float64), tf.cast(w, tf.float64), [1] * 4, "SAME"), tf.float32), (8, 28, 28, 16), (3, 3, 16, 16))
add("conv2d of float16", lambda tf, x, w: tf.cast(tf.nn.conv2d(
    tf.cast(x, tf.float16), tf.cast(w, tf.float16), [1] * 4, "SAME"), tf.float32), (8, 28, 28, 16), (3, 3, 16, 16))
add("integer arithmetic", lambda tf, x: as_number(tf, (numbers(tf, x, ids(1000, 1000, 1000)) * 3 + 1) % 7, x), (4,),
    gradient=False)
add("integer comparisons", lambda tf, x: as_number(tf, tf.equal(numbers(tf, x, ids(10, 1000, 1000)), 3), x), (4,),
    gradient=False)
add("integer sums", lambda tf, x: as_number(tf, tf.reduce_sum(numbers(tf, x, ids(10, 1000, 1000)), 1), x), (4,),
    gradient=False)
add("cumsum of float64", lambda tf, x: tf.cast(tf.cumsum(tf.cast(x, tf.float64), 1), tf.float32), (500, 500))
add("sort of integers", lambda tf, x: as_number(tf, tf.sort(numbers(tf, x, ids(100000, 64, 2000))), x), (4,),
    gradient=False)
add("segment_sum of float64", lambda tf, x: tf.cast(tf.segment_sum(
    tf.cast(x, tf.float64), bounded(500, 4096)), tf.float32), (4096, 64))
add("argmax of float64", lambda tf, x: as_number(tf, tf.argmax(tf.cast(x, tf.float64), 1), x), (1000, 1000),
    gradient=False)
