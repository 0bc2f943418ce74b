"""Functions of TensorFlow 2, by families, whose graphs hold ops and attrs that are younger than TensorFlow 1.15.

Only TensorFlow runs this file. Each family is a signature of one SavedModel, on one matrix.
"""


def families(tf):
    """Name -> function from a 3 x 4 matrix to a list of tensors."""
    def sparse(x):
        s = tf.sparse.from_dense(x * tf.cast(x > 0, tf.float32))
        ids = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([1, -2], tf.int64), [3, 1])
        return [tf.sparse.to_dense(s), tf.sparse.reduce_sum(s, 1), tf.sparse.sparse_dense_matmul(s, tf.transpose(x)),
                tf.sparse.to_dense(tf.sparse.softmax(s)), tf.nn.safe_embedding_lookup_sparse(tf.ones([5, 2]), ids),
                tf.nn.embedding_lookup_sparse(tf.ones([5, 2]), tf.sparse.retain(ids, [True, False]), None)]  # fmt: skip

    def ragged(x):
        r = tf.RaggedTensor.from_row_lengths(x[0], [1, 0, 3])
        return [r.to_tensor(), tf.reduce_sum(r, 1), r.row_lengths(), tf.concat([r, r], 1).to_tensor(),
                tf.gather(r, [1, 2]).to_tensor(), (r * 2.0)[:, :1].to_tensor(), tf.strings.reduce_join(
                    tf.strings.as_string(r, precision=2), -1)]  # fmt: skip

    def words(x):
        s = tf.constant(["Hello World", "banana split"])
        return [tf.strings.lower(s), tf.strings.split(s).to_tensor(), tf.strings.regex_replace(s, "[aeiou]", "_"),
                tf.strings.to_hash_bucket_strong(s, 10, [1, 2]), tf.strings.unicode_decode(s, "UTF-8").to_tensor(),
                tf.strings.ngrams(tf.strings.split(s[0]), 2), tf.strings.format("{}", s)]  # fmt: skip

    def loops(x):
        total, rows = tf.constant(0.0), tf.TensorArray(tf.float32, 0, dynamic_size=True)
        for row in x:
            if tf.reduce_sum(row) > 0.0:
                total += tf.reduce_sum(row)
            rows = rows.write(rows.size(), row * total)
        return [total, rows.stack(), tf.map_fn(lambda r: r * 2.0, x), tf.scan(lambda a, b: a + b, x),
                tf.vectorized_map(lambda r: tf.reduce_sum(r) * r, x), tf.switch_case(
                    tf.constant(1), [lambda: x, lambda: x + 1.0, lambda: x - 1.0])]  # fmt: skip

    def random(x):
        return [tf.random.stateless_uniform([3], [1, 2]), tf.random.stateless_normal(tf.shape(x), [1, 2]),
                tf.random.stateless_uniform([3], [1, 2], 0, 10, tf.int32),
                tf.random.stateless_truncated_normal([3], [1, 2])]  # fmt: skip

    def matrices(x):
        m = tf.matmul(x, x, transpose_b=True) + 4.0 * tf.eye(3)
        return [tf.linalg.inv(m), tf.linalg.cholesky(m), tf.linalg.diag(x), tf.linalg.diag_part(x, k=1),
                tf.linalg.set_diag(m, m[0]), tf.einsum("ij,kj->ik", x, x), tf.linalg.svd(m, compute_uv=False),
                tf.tensor_scatter_nd_max(x, [[0, 0]], [9.0]), tf.gather(x, [[1], [0], [2]], batch_dims=1)]  # fmt: skip

    def pictures(x):
        image = tf.abs(x)[None, :, :, None] * tf.ones([1, 1, 1, 3])
        return [tf.image.resize(image, [5, 7]), tf.image.resize(image, [5, 7], "bicubic", antialias=True),
                tf.image.adjust_saturation(image, 0.5), tf.nn.conv2d(image, tf.ones([2, 2, 3, 2]), 1, [
                    [0, 0], [1, 0], [0, 1], [0, 0]]), tf.nn.max_pool2d(image, 2, 1, "SAME"),
                tf.io.decode_image(tf.io.encode_png(tf.cast(image[0] * 255.0, tf.uint8)))]  # fmt: skip

    def counts(x):
        return [tf.math.bincount([[1, 2, 2]], axis=-1), tf.math.bincount([1, 2, 2], weights=[0.5, 1.0, 2.0]),
                tf.math.unsorted_segment_mean(x, [1, 0, 1], 3), tf.sort(x, direction="DESCENDING"), tf.where(x > 0.0),
                tf.unique(tf.cast(x[0] * 10.0, tf.int32))[0], tf.math.erfinv(x * 0.4), tf.math.xlog1py(x, x * 0.4),
                tf.math.top_k(x, 2)[1], tf.abs(tf.signal.rfft(x))]  # fmt: skip

    def derivatives(x):
        return tf.gradients(tf.reduce_sum(tf.nn.softmax(tf.matmul(x, x, transpose_b=True)) ** 2), x)

    return {each.__name__: each for each in (sparse, ragged, words, loops, random, matrices, pictures, counts,
                                             derivatives)}  # fmt: skip


def numbered(function):
    return lambda x: {f"{place:02}": value for place, value in enumerate(function(x))}


def save(tf, folder, x):
    """Writes the model; gives back the questions to it with TensorFlow's answers."""
    module, signatures, asked = tf.Module(), {}, []
    for name, function in families(tf).items():
        signatures[name] = tf.function(numbered(function), input_signature=[tf.TensorSpec(x.shape, name="x")])
        found = {key: value.numpy() for key, value in signatures[name](x).items()}
        asked.append((["serve"], name, {"x": x}, found))
    module.functions = list(signatures.values())
    tf.saved_model.save(module, folder, signatures=signatures)
    return asked
