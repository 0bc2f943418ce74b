"""Static shapes and nodes: functions of tensors whose shapes are known in part, the graph they make, and its values."""

from tests.random_graphs.maker import Dice

# {a}, {b} are floats of rank 2, {c} of rank 3, {d} of rank 4, {i} a vector of int32, {n} a scalar int32, {t} truths
# like {a}, {s} a vector of strings; each may be known in full, in part or not at all.
TEXTS = [
    "tf.concat([{a}, {b}], {axis})", "tf.stack([{a}, {a}], {axis})", "tf.unstack({c}, 2)[0]", "tf.reshape({a}, [-1])",
    "tf.reshape({a}, [{n}, -1])", "tf.reshape({c}, tf.shape({c}))", "tf.reshape({c}, [tf.shape({c})[0], -1])",
    "tf.expand_dims({a}, {axis})", "tf.squeeze({a}[:, :1], 1)", "tf.squeeze({c})", "tf.transpose({c}, [2, 0, 1])",
    "tf.transpose({a})", "tf.tile({a}, [2, 1])", "tf.tile({a}, [1, {n}])", "tf.pad({a}, [[1, 0], [0, 2]])",
    "tf.gather({a}, {i})", "tf.gather({a}, {i}, axis=1)", "tf.gather_nd({c}, tf.stack([{i}, {i}], 1))",
    "tf.boolean_mask({a}, {t})", "tf.where({t})", "tf.where({t}, {a}, {a})", "{a}[:, {n}:]", "{a}[:{n}]",
    "{a}[..., 0]", "{c}[1:, :, ::2]", "{c}[:, None, -1]", "{c}[{n}]", "tf.slice({a}, [0, 0], [-1, {n}])",
    "tf.slice({a}, [0, 1], [-1, 2])", "tf.strided_slice({c}, [0, 0], [1, 1], [1, 1], shrink_axis_mask=1)",
    "tf.split({c}, 2, 0)[1]", "tf.split({a}, [1, -1], 1)[1]", "tf.reduce_sum({c}, {axis})",
    "tf.reduce_mean({c}, [0, -1], keepdims=True)", "tf.reduce_max({a}, tf.stack([{n} - {n}]))",
    "tf.argmax({c}, {axis})", "tf.cumsum({a}, 1)", "tf.matmul({a}, {a}, transpose_b=True)",
    "tf.matmul({c}, {c}, adjoint_a=True)", "tf.tensordot({a}, {c}, [[1], [2]])", "{a} + {a}[:1]", "{a} * {c}[0]",
    "tf.maximum({a}, 0.5)", "tf.broadcast_to({a}[:1], tf.shape({a}))", "tf.add_n([{a}, {a}])",
    "tf.equal({a}, {a}[:, :1])", "tf.cast({a}, tf.int64)", "tf.one_hot({i}, 5)", "tf.one_hot({i}, {n}, axis=0)",
    "tf.range({n})", "tf.range(1, {n}, 2)", "tf.fill([{n}, 2], 1.0)", "tf.zeros(tf.shape({a}))", "tf.zeros_like({c})",
    "tf.ones([tf.shape({a})[0], 3])", "tf.eye({n})", "tf.eye(2, batch_shape=[{n}])", "tf.shape({c})", "tf.size({a})",
    "tf.rank({a})", "tf.shape_n([{a}, {c}])[1]", "tf.nn.softmax({a})", "tf.nn.relu({d})", "tf.nn.top_k({a}, 2)[1]",
    "tf.nn.in_top_k({a}, {i}[:tf.shape({a})[0]], 1)", "tf.nn.l2_normalize({a}, {axis})",
    "tf.nn.conv2d({d}, tf.ones([2, 2, 2, 3]), [1, 2, 2, 1], 'SAME')",
    "tf.nn.conv2d({d}, tf.ones([2, 2, 2, 3]), [1, 1, 1, 1], 'VALID')",
    "tf.nn.max_pool({d}, [1, 2, 2, 1], [1, 2, 2, 1], 'VALID')",
    "tf.nn.avg_pool({d}, [1, 2, 2, 1], [1, 1, 1, 1], 'SAME')",
    "tf.nn.depthwise_conv2d({d}, tf.ones([1, 2, 2, 2]), [1, 1, 1, 1], 'SAME')",
    "tf.nn.conv1d({c}, tf.ones([2, 4, 3]), 1, 'SAME')",
    "tf.nn.conv2d_transpose({d}, tf.ones([2, 2, 3, 2]), [2, 8, 8, 3], 2)", "tf.space_to_depth({d}, 2)",
    "tf.depth_to_space(tf.concat([{d}, {d}], 3), 2)", "tf.space_to_batch_nd({d}, [2, 2], [[0, 0], [0, 0]])",
    "tf.image.resize_bilinear({d}, [3, {n}])", "tf.image.flip_left_right({d})",
    "tf.image.crop_to_bounding_box({d}, 1, 0, 2, 2)", "tf.image.central_crop({d}, 0.5)",
    "tf.nn.bias_add({d}, [1.0, 2.0])", "tf.nn.moments({d}, [0, 1])[1]",
    "tf.nn.sparse_softmax_cross_entropy_with_logits(labels={i}[:2], logits={a}[:2])",
    "tf.nn.softmax_cross_entropy_with_logits(labels={a}, logits={a})", "tf.nn.embedding_lookup({a}, {i})",
    "tf.nn.dropout({a}, 1.0)", "tf.segment_sum({a}, tf.range(tf.shape({a})[0]))",
    "tf.unsorted_segment_max({a}, tf.range(tf.shape({a})[0]), {n})", "tf.unique({i})[1]",
    "tf.unique_with_counts({i})[2]", "tf.sequence_mask({i}, 4)", "tf.sequence_mask({i})", "tf.reverse({c}, [{axis}])",
    "tf.reverse_sequence({c}, tf.ones([tf.shape({c})[0]], tf.int32), 1)", "tf.roll({a}, {n}, 0)",
    "tf.scatter_nd({i}[:, None], {a}[:3, 0], [7])",
    "tf.dynamic_partition({a}, tf.zeros([tf.shape({a})[0]], tf.int32), 2)[0]",
    "tf.dynamic_stitch([{i}[:2]], [{a}[:2]])", "tf.meshgrid({i}, tf.range(2))[0]", "tf.matrix_band_part({a}, 0, -1)",
    "tf.matrix_diag({a})", "tf.matrix_diag_part({c})", "tf.diag({i})", "tf.trace({c})",
    "tf.linalg.det(tf.matmul({a}, {a}, transpose_b=True))", "tf.norm({a}, axis={axis})", "tf.clip_by_norm({a}, 1.0)",
    "tf.sort({a}, 1)", "tf.argsort({a})", "tf.histogram_fixed_width({a}, [0.0, 1.0], 3)",
    "tf.confusion_matrix({i}, {i}, 4)", "tf.string_join([{s}, {s}])", "tf.strings.length({s})",
    "tf.string_split({s}).values", "tf.string_to_hash_bucket_fast({s}, 7)", "tf.substr({s}, 0, 1)",
    "tf.strings.reduce_join({s}, 0)", "tf.as_string({a})", "tf.string_split({s}).dense_shape",
    "tf.regex_replace({s}, 'a', 'b')", "tf.random_normal([{n}, 2], seed=3)", "tf.multinomial({a}, 2, seed=4)",
    "tf.random_shuffle({a}, seed=2)", "tf.cond({n} > 2, lambda: {a}, lambda: {a}[:1])",
    "tf.cond({n} > 2, lambda: {a}[:, :1], lambda: {a})", "tf.case([({n} > 3, lambda: {a})], lambda: {b})",
    "tf.while_loop(lambda k, x: k < {n}, lambda k, x: (k + 1, x * 2), [0, {a}])[1]",
    "tf.while_loop(lambda k, x: k < 2, lambda k, x: (k + 1, tf.concat([x, x], 0)), [0, {a}], "
    "[tf.TensorShape([]), tf.TensorShape([None, {a}.shape[1]])])[1]",
    "tf.map_fn(lambda x: x[:1], {a})", "tf.map_fn(lambda x: (x, x[0]), {c}, (tf.float32, tf.float32))[1]",
    "tf.scan(lambda s, x: s + x, {a})", "tf.foldl(lambda s, x: s + x, {a})", "tf.ensure_shape({a}, [None, 3])",
    "tf.placeholder_with_default({a}, [None, 3])", "tf.identity({c})", "tf.stop_gradient({a})",
    "tf.py_func(lambda x: x, [{a}], tf.float32)",
    "tf.sparse_tensor_to_dense(tf.SparseTensor(tf.cast({i}[:1, None], tf.int64), [1.0], [6]))",
    "tf.sparse_to_dense({i}[:1], [{n}], 1.0)", "tf.expand_dims({i}, -1) + {i}", "tf.gradients({a} * {a}[:1], {a})[0]",
    "tf.gradients(tf.matmul({a}, {a}, transpose_b=True), {a})[0]", "tf.gradients(tf.nn.softmax({a}) * {a}, {a})[0]",
    "tf.extract_image_patches({d}, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], 'VALID')", "tf.nn.lrn({d})",
    "tf.batch_to_space({d}, [[0, 0], [0, 0]], 1)",
    "tf.nn.dilation2d({d}, tf.ones([2, 2, 2]), [1, 1, 1, 1], [1, 1, 1, 1], 'SAME')",
    "tf.nn.pool({d}, [2, 2], 'MAX', 'SAME')", "tf.nn.convolution({c}, tf.ones([2, 4, 3]), 'VALID')",
    "tf.nn.atrous_conv2d({d}, tf.ones([2, 2, 2, 3]), 2, 'SAME')",
    "tf.nn.separable_conv2d({d}, tf.ones([2, 2, 2, 1]), tf.ones([1, 1, 2, 3]), [1, 1, 1, 1], 'SAME')",
    "tf.repeat({i}, 2)", "tf.searchsorted([1, 3, 5], {i})", "tf.linalg.tensor_diag_part({c}[:3, :3, 0])",
]  # fmt: skip

SHAPES = {"a": (2, 3), "b": (2, 3), "c": (2, 3, 4), "d": (2, 4, 4, 2), "i": (3,), "n": (), "t": (2, 3), "s": (3,)}
MADE = {"a": "data(1, [2, 3])", "b": "data(2, [2, 3])", "c": "data(3, [2, 3, 4])", "d": "data(4, [2, 4, 4, 2])",
        "i": "[1, 0, 1]", "n": "3", "t": "data(5, [2, 3]) > 0", "s": "['a b', '', 'ca']"}
DTYPES = {"i": "int32", "n": "int32", "t": "bool", "s": "string"}


def _static(dice, shape):
    """A shape that is known in full, in part or not at all, as text; a scalar is known to be one."""
    if shape and dice.chance(0.12):
        return "None"
    return str([None if dice.chance(0.35) else size for size in shape])


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    dice, statements, feeds = Dice(seed), [], []
    for name, shape in SHAPES.items():
        dtype, static = DTYPES.get(name, "float32"), _static(dice, shape)
        statements.append(f"{name} = tf.placeholder(tf.{dtype}, {static}, name='{name}')")
        feeds.append(f"{name}: {MADE[name]}")
    statements.append("feeds = {" + ", ".join(feeds) + "}")
    statements.append("s = session()")
    names = {name: name for name in SHAPES}
    for _ in range(dice.between(2, 4)):
        text = dice.pick(TEXTS).format(**names, axis=dice.between(-1, 1))
        statements.append(f"""try:
    y = {text}
except (ValueError, TypeError) as error:
    show(type(error).__name__)
else:
    show(y.shape, y.dtype, y.name)
    attempt(lambda: s.run(y, feeds))""")
    return statements
