"""A line for each way in which an op is converted: the name of the case, and what it computes of a few inputs."""

import numpy as np

import evergraph as tf
from evergraph.base import dtypes

raw = tf.raw_ops
rng = np.random.RandomState(1)


def floats(*shape):
    return rng.uniform(-2, 2, shape).astype(np.float32)


INPUTS = {
    "x": floats(2, 3, 4), "y": floats(2, 3, 4), "positive": np.abs(floats(2, 3, 4)) + 0.5, "v": floats(4),
    "m": floats(3, 4), "image": floats(2, 6, 6, 4), "volume": floats(1, 4, 4, 4, 2),
    "i": rng.randint(1, 7, (2, 3)).astype(np.int32), "j": rng.randint(1, 7, (2, 3)).astype(np.int32),
    "b": rng.rand(2, 3) < 0.5, "c": rng.rand(2, 3) < 0.5, "ids": np.int32([0, 0, 1]), "index": np.int32([2, 0]),
    "wide": rng.randint(-9, 9, (2, 3)).astype(np.int64), "complex": (floats(3) + 1j * floats(3)).astype(np.complex64),
}
"""Name -> the value of an input."""

UNARY = "abs ceil cos exp floor negative round rsqrt sigmoid sign sin sqrt square tanh log1p expm1 reciprocal sinh cosh"
NN = "elu relu relu6 softplus softsign selu softmax log_softmax leaky_relu"
BINARY = "add subtract multiply divide maximum minimum squared_difference atan2 greater greater_equal less less_equal"


def elementwise(t):
    """Cases of arithmetic and comparisons."""
    x, y, positive, i, j, b, c = (t[name] for name in ("x", "y", "positive", "i", "j", "b", "c"))
    for name in UNARY.split():
        yield name, getattr(tf.math, name)(positive)
    for name in NN.split():
        yield name, getattr(tf.nn, name)(x)
    for name in BINARY.split():
        yield name, getattr(tf.math, name)(x, positive)
    yield "log", tf.log(positive)
    yield "tan", tf.tan(tf.minimum(x, 1.0) * 0.5)
    yield "rint", tf.rint(x)
    yield "zeros_like", raw.ZerosLike(x=x)
    yield "ones_like", raw.OnesLike(x=x)
    yield "pow", tf.pow(positive, y)
    yield "raw_add", raw.Add(x=x, y=y)
    yield "raw_div", raw.Div(x=x, y=positive)
    yield "inv", raw.Inv(x=positive)
    yield "floordiv", i // j
    yield "floormod", i % j
    yield "equal", tf.equal(i, j)
    yield "not_equal", tf.not_equal(i, j)
    yield "and", tf.logical_and(b, c)
    yield "or", tf.logical_or(b, c)
    yield "not", tf.logical_not(b)
    yield "xor", tf.bitwise.bitwise_xor(i, j)
    yield "shift", tf.bitwise.right_shift(i, j)
    yield "add_n", tf.add_n([x, y, positive])
    yield "one_add_n", tf.add_n([x]) + 1.0
    yield "accumulate_n", tf.accumulate_n([x, y])
    yield "broadcast", x + t["v"]
    yield "bias_add", tf.nn.bias_add(x, t["v"])
    yield "bias_add_v1", raw.BiasAddV1(value=x, bias=t["v"])
    yield "is_nan", tf.is_nan(x / tf.nn.relu(x))
    yield "is_inf", tf.is_inf(x / tf.nn.relu(y))
    yield "is_finite", tf.is_finite(x / tf.nn.relu(y))
    yield "div_no_nan", tf.div_no_nan(x, tf.nn.relu(y))
    yield "clip", raw.ClipByValue(t=x, clip_value_min=-0.5, clip_value_max=1.5)
    yield "fake_quant_args", tf.fake_quant_with_min_max_args(x, min=-1, max=1)
    yield "fake_quant_vars", tf.fake_quant_with_min_max_vars(x, -1.5, 1.0)
    yield "complex_abs", tf.abs(t["complex"])
    yield "real", tf.real(t["complex"])
    yield "imag", tf.imag(t["complex"])


def reductions(t):
    """Cases of reductions and matrix products."""
    x, i, b, m = t["x"], t["i"], t["b"], t["m"]
    for name in ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod"):
        yield name, getattr(tf, name)(x, [0, 2])
        yield f"{name}_kept", getattr(tf, name)(x, -1, keepdims=True)
    yield "any", tf.reduce_any(b, 1)
    yield "all", tf.reduce_all(b, 0, keepdims=True)
    yield "norm", raw.EuclideanNorm(input=x, axis=[1], keep_dims=True)
    yield "l2_loss", tf.nn.l2_loss(x)
    yield "argmax", tf.argmax(x, 2)
    yield "argmin", tf.argmin(x, 1, output_type=tf.int32)
    yield "cumsum", tf.cumsum(x, 1)
    yield "cumsum_back", tf.cumsum(x, 1, exclusive=True, reverse=True)
    weights = floats(4, 5)
    yield "dense", tf.matmul(m, weights)
    yield "dense_bias_relu", tf.nn.relu(tf.nn.bias_add(tf.matmul(m, weights), floats(5)))
    yield "dense_scaled", tf.matmul(m, weights) * floats(5) - 0.5
    yield "dense_transposed", tf.matmul(m, floats(3, 5), transpose_a=True)
    yield "dense_other", tf.matmul(m, floats(6, 4), transpose_b=True)
    yield "matmul", tf.matmul(m, m, transpose_b=True)
    yield "batch_matmul", tf.matmul(x, x, transpose_b=True)
    yield "batch_matmul_v1", raw.BatchMatMul(x=x, y=x, adj_x=True)
    yield "batch_matmul_v2", raw.BatchMatMulV2(x=x, y=m, adj_y=True)
    yield "tensordot", tf.tensordot(x, weights, 1)
    yield "segment_sum", tf.segment_sum(t["m"], t["ids"])
    for name in ("sum", "max", "min", "prod"):
        yield f"unsorted_{name}", getattr(tf, f"unsorted_segment_{name}")(t["m"], t["ids"], 2)
    yield "bucketize", raw.Bucketize(input=i, boundaries=[2, 5])


def arrays(t):
    """Cases that move elements."""
    x, i, m, v, image = t["x"], t["i"], t["m"], t["v"], t["image"]
    yield "reshape", tf.reshape(x, [4, -1])
    yield "flatten", tf.layers.flatten(x)
    yield "transpose", tf.transpose(x, [2, 0, 1])
    yield "squeeze", tf.squeeze(x[:, :1], [1])
    yield "expand_dims", tf.expand_dims(x, -2)
    yield "concat", tf.concat([x, t["y"]], 1)
    yield "concat_v1", raw.Concat(concat_dim=0, values=[x, t["y"]])
    yield "stack", tf.stack([m, m + 1.0], 1)
    for number, part in enumerate(tf.unstack(x, axis=1)):
        yield f"unstack_{number}", part
    for number, part in enumerate(tf.split(x, 2, 2)):
        yield f"split_{number}", part
    for number, part in enumerate(tf.split(x, [1, 2], 1)):
        yield f"split_v_{number}", part
    yield "slice", tf.slice(x, [0, 1, 1], [-1, 2, 2])
    yield "strided", x[:, ::-1, 1:4:2]
    yield "shrunk", x[0, :, -1]
    yield "ellipsis", x[..., 1]
    yield "new_axis", x[:, tf.newaxis, 1:]
    yield "pad", tf.pad(m, [[1, 0], [0, 2]])
    yield "pad_v2", tf.pad(m, [[1, 0], [0, 2]], constant_values=3.0)
    yield "reflect", tf.pad(m, [[1, 1], [2, 0]], "REFLECT")
    yield "symmetric", tf.pad(m, [[1, 1], [2, 0]], "SYMMETRIC")
    yield "tile", tf.tile(m, [2, 1])
    yield "reverse", tf.reverse(x, [1])
    yield "reverse_sequence", tf.reverse_sequence(x, tf.constant([2, 3]), seq_axis=1)
    yield "roll", tf.roll(x, [1, -1], [1, 2])
    yield "gather", tf.gather(x, t["index"], axis=2)
    yield "gather_v1", raw.Gather(params=m, indices=t["index"])
    yield "gather_batch", tf.gather(m, tf.constant([[1], [0], [3]]), batch_dims=1)
    yield "gather_nd", tf.gather_nd(x, [[0, 1], [1, 2]])
    yield "scatter_nd", tf.scatter_nd([[1], [3]], m[:2], [5, 4])
    yield "one_hot", tf.one_hot(t["ids"], 4, 2.0, -1.0)
    yield "select", tf.where(m > 0, m, -m)
    yield "select_rows", tf.where(v[:3] > 0, m, -m)
    yield "select_v2", tf.where_v2(m > 0, m, 0.0)
    yield "where", tf.where(m > 0)
    yield "cast", tf.cast(i, tf.float32)
    yield "cast_bool", tf.cast(t["b"], tf.int32)
    yield "cast_down", tf.cast(x, tf.int32)
    yield "top_k", tf.nn.top_k(x, 2)[0]
    yield "top_k_indices", tf.nn.top_k(x, 2)[1]
    yield "top_k_v1", raw.TopK(input=m, k=3)[0]
    yield "unique", tf.unique(t["ids"])[0]
    yield "unique_ids", tf.unique(t["ids"])[1]
    yield "fill", tf.fill(t["ids"][1:] + 2, 1.5)
    yield "range", tf.range(t["index"][1], 6, 2)
    yield "broadcast_to", tf.broadcast_to(v, [2, 3, 4])
    yield "diag", raw.MatrixDiag(diagonal=m)
    yield "set_diag", raw.MatrixSetDiag(input=m, diagonal=v[:3])
    yield "space_to_batch", tf.space_to_batch_nd(image, [2, 2], [[0, 0], [1, 1]])
    apart = tf.space_to_batch_nd(image, [2, 2], [[0, 0]] * 2)
    yield "batch_to_space", tf.batch_to_space_nd(apart, [2, 2], [[0, 1]] * 2)
    yield "space_to_depth", tf.space_to_depth(image, 2)
    yield "depth_to_space", tf.depth_to_space(image, 2)
    yield "sparse_to_dense", tf.sparse_to_dense(t["ids"][1:] * 2, [4], v[:2], 0.5)
    yield "identities", tf.identity_n([tf.stop_gradient(x) + 1.0, tf.identity(m) + 2.0])[1]
    yield "checked", tf.check_numerics(raw.PreventGradient(input=raw.Snapshot(input=x)), "no") * 2.0
    yield "ensured", tf.ensure_shape(raw.GuaranteeConst(input=x), [2, 3, 4]) * 3.0
    yield "default", tf.placeholder_with_default(x * 2.0, [2, 3, 4]) + 1.0
    flow = tf.strided_slice(tf.shape(tf.boolean_mask(m, v[:3] > 0)), [0], [1])
    yield "dynamic_shape", flow
    yield "dynamic_size", tf.size(tf.boolean_mask(m, v[:3] > 0))
    yield "dynamic_rank", raw.Rank(input=x)


def layers(t):
    """Cases of convolutions, pools, normalizations and images."""
    image = t["image"]
    filters, deep, vector = floats(3, 3, 4, 5), floats(3, 3, 4, 2), np.abs(floats(5)) + 0.5
    for padding in ("SAME", "VALID"):
        yield f"conv_{padding}", tf.nn.conv2d(image, filters, [1, 2, 2, 1], padding)
        yield f"depthwise_{padding}", tf.nn.depthwise_conv2d(image, deep, [1, 1, 1, 1], padding)
        yield f"max_pool_{padding}", tf.nn.max_pool(image, [1, 3, 2, 1], [1, 2, 1, 1], padding)
        yield f"avg_pool_{padding}", tf.nn.avg_pool(image, [1, 3, 2, 1], [1, 2, 1, 1], padding)
    yield "conv_explicit", tf.nn.conv2d(image, filters, 1, [[0, 0], [1, 2], [0, 1], [0, 0]])
    yield "conv_dilated", tf.nn.conv2d(image, filters, 1, "SAME", dilations=[1, 2, 2, 1])
    yield "max_pool_v2", raw.MaxPoolV2(input=image, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
    first = tf.transpose(image, [0, 3, 1, 2])
    yield "max_pool_nchw", tf.nn.max_pool(first, [1, 1, 2, 2], [1, 1, 2, 2], "VALID", data_format="NCHW")
    yield "bias_add_nchw", raw.BiasAdd(value=first, bias=t["v"], data_format="NCHW")
    yield "transposed", tf.nn.conv2d_transpose(image, floats(3, 3, 5, 4), [2, 12, 12, 5], [1, 2, 2, 1])
    yield "transposed_bias", tf.nn.conv2d_transpose(image, floats(3, 3, 5, 4), [2, 12, 12, 5], [1, 2, 2, 1]) + vector
    yield "conv3d", tf.nn.conv3d(t["volume"], floats(2, 2, 2, 2, 3), [1, 1, 1, 1, 1], "SAME")
    yield "conv3d_transposed", tf.nn.conv3d_transpose(
        t["volume"], floats(2, 2, 2, 3, 2), [1, 8, 8, 8, 3], [1, 2, 2, 2, 1])
    convolved = tf.nn.conv2d(image, filters, 1, "SAME")
    yield "conv_shared", convolved
    mean = np.zeros(5, np.float32) + 0.25
    for version, op in (("", raw.FusedBatchNorm), ("_v2", raw.FusedBatchNormV2), ("_v3", raw.FusedBatchNormV3)):
        yield f"batch_norm{version}", op(
            x=tf.nn.conv2d(image, filters, 1, "SAME"), scale=vector, offset=mean, mean=mean, variance=vector,
            is_training=False)[0]
    yield "batch_norm_nchw", raw.FusedBatchNorm(
        x=first, scale=vector[:4], offset=mean[:4], mean=mean[:4], variance=vector[:4], is_training=False,
        data_format="NCHW")[0]
    yield "batch_norm_old", raw.BatchNormWithGlobalNormalization(
        t=convolved, m=mean, v=vector, beta=mean, gamma=vector, variance_epsilon=0.01, scale_after_normalization=True)
    yield "lrn", tf.nn.local_response_normalization(image, 2, 1.0, 0.5, 0.75)
    yield "bilinear", tf.image.resize_bilinear(image, [9, 5])
    yield "bilinear_corners", tf.image.resize_bilinear(image, [9, 5], align_corners=True)
    yield "nearest", tf.image.resize_nearest_neighbor(image, [9, 5])
    boxes = np.float32([[0, 0, 1, 1], [0, 0, 0.9, 1], [0, 2, 1, 3]])
    scores = t["v"][:3]
    yield "suppression_v4", raw.NonMaxSuppressionV4(
        boxes=boxes, scores=scores, max_output_size=3, iou_threshold=0.5, score_threshold=-9.0,
        pad_to_max_output_size=True)[1]
    yield "suppression_v5", raw.NonMaxSuppressionV5(
        boxes=boxes, scores=scores, max_output_size=3, iou_threshold=0.5, score_threshold=-9.0, soft_nms_sigma=0.0,
        pad_to_max_output_size=True)[2]


def control(t):
    """Cases of branches, loops, calls and lists."""
    x, m = t["x"], t["m"]
    taken = tf.reduce_sum(m) > 0
    yield "cond", tf.cond(taken, lambda: m + 1.0, lambda: m * 2.0)
    yield "cond_known", tf.cond(tf.constant(True), lambda: m + 3.0, lambda: m)
    yield "while", tf.while_loop(lambda n, a: n < 4, lambda n, a: (n + 1, tf.nn.tanh(a) + x), [0, x])[1]
    yield "while_by_value", tf.while_loop(
        lambda a: tf.reduce_max(a) < 50.0, lambda a: a * 2.0, [tf.abs(m) + 1.0])[0]
    held = tf.TensorArray(tf.float32, 3, element_shape=[4])
    _, held = tf.while_loop(lambda n, a: n < 3, lambda n, a: (n + 1, a.write(n, m[n] * 2.0)), [0, held])
    yield "array", held.stack()
    yield "array_some", held.gather([2, 0])
    yield "map_fn", tf.map_fn(lambda row: row * tf.reduce_sum(row), m)
    yield "scan", tf.scan(lambda a, row: a + row, m)

    empty = raw.EmptyTensorList(element_shape=[4], max_num_elements=9, element_dtype=tf.float32)
    pushed = raw.TensorListPushBack(input_handle=raw.TensorListPushBack(input_handle=empty, tensor=m[0]), tensor=m[2])
    yield "pushed", raw.TensorListStack(input_handle=pushed, element_shape=[4], element_dtype=tf.float32)
    yield "length", raw.TensorListLength(input_handle=pushed)

    @tf.function
    def doubled(value):
        return value * 2.0

    yield "called", doubled(m) - 1.0


GROUPS = {each.__name__: each for each in (elementwise, reductions, arrays, layers, control)}


def built(group):
    """Inputs by name, and what the cases of a group compute of them by name, in the default graph."""
    inputs = {name: tf.placeholder(dtypes.as_dtype(value.dtype), value.shape, name=name)
              for name, value in INPUTS.items()}  # fmt: skip
    return inputs, {name: tf.identity(tensor, name=f"case_{name}") for name, tensor in GROUPS[group](inputs)}
