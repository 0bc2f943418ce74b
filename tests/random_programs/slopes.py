"""Slopes: functions of functions of everything, differentiated twice, by each input alone.

A gradient that does not exist is shown as such: it must be missing here where it is in TensorFlow, and nowhere else.
"""

from tests.random_graphs.maker import Dice

# kinds of values: m [2, 3], v [3], s a number, q [3, 3] far from singular, i [2] whole numbers of 0..2, c complex [3]
SMOOTH = [
    "tf.tanh({0})", "tf.sigmoid({0})", "tf.exp({0} * 0.5)", "tf.log(tf.abs({0}) + 0.5)", "tf.sqrt(tf.abs({0}) + 0.3)",
    "tf.rsqrt({0} * {0} + 0.5)", "tf.square({0})", "tf.sin({0})", "tf.cos({0})", "tf.tan({0} * 0.3)",
    "tf.asin(tf.tanh({0}) * 0.9)", "tf.acos(tf.tanh({0}) * 0.9)", "tf.atan({0})", "tf.sinh({0} * 0.5)",
    "tf.cosh({0} * 0.5)", "tf.asinh({0})", "tf.atanh(tf.tanh({0}) * 0.8)", "tf.acosh(tf.abs({0}) + 1.5)",
    "tf.erf({0})", "tf.erfc({0})", "tf.lgamma(tf.abs({0}) + 1)", "tf.digamma(tf.abs({0}) + 1)", "tf.nn.softplus({0})",
    "tf.nn.softsign({0})", "tf.nn.elu({0})", "tf.nn.selu({0})", "tf.nn.relu({0})", "tf.nn.relu6({0} * 4)",
    "tf.nn.leaky_relu({0})", "tf.log_sigmoid({0})", "tf.expm1({0} * 0.5)", "tf.log1p(tf.abs({0}))",
    "tf.reciprocal(tf.abs({0}) + 0.5)", "tf.floor({0} * 3)", "tf.ceil({0} * 3)", "tf.round({0} * 3)",
    "tf.rint({0} * 3)", "tf.sign({0})", "tf.abs({0})", "-{0}", "tf.stop_gradient({0})", "tf.identity({0})",
    "tf.zeros_like({0})", "tf.ones_like({0})", "tf.cast(tf.cast({0}, tf.float64) * 2, {0}.dtype)",
    "tf.cast(narrow({0}), {0}.dtype)", "tf.cast(tf.cast({0} * 9, tf.int32), {0}.dtype)", "tf.math.bessel_i0e({0})",
    "tf.math.bessel_i1e({0} + 0.1)", "{0} ** 3", "tf.clip_by_value({0}, -0.41, 0.53)", "tf.check_numerics({0}, '')",
    "tf.math.polyval([{0}, {0}, -{0}], {0})", "tf.nn.l2_loss({0}) * {0}", "tf.clip_by_norm({0}, 1.1)", "softly({0})",
    "called({0})", "defined({0})", "tf.cond(flag, lambda: {0} * 2, lambda: {0} * {0})",
    "tf.where({0} > 0.13, {0}, {0} * {0})",
    "tf.while_loop(lambda k, x: k < 2, lambda k, x: (k + 1, x * 0.5 + tf.sin(x)), [0, {0}])[1]",
    "tf.quantization.quantize_and_dequantize({0}, -2.0, 2.0)", "tf.ensure_shape({0}, {0}.shape)",
    "tf.grad_pass_through(tf.round)({0} * 2)", "tf.debugging.check_numerics({0}, 'x')",
    "tf.add_n([{0}, {0} * 2, {0}])", "tf.accumulate_n([{0}, {0} * 2])",
    "tf.math.zeta(tf.abs({0}) + 2, tf.abs({0}) + 1)", "tf.math.xlogy({0}, tf.abs({0}) + 1)",
    "tf.reverse({0}[None], [1])[0]", "tf.nn.tanh(tf.Print({0}, []))", "tf.broadcast_to({0}, {0}.shape)",
    "tf.identity_n([{0}, {0} * 2])[1]", "tf.tuple([{0}, {0} * 3])[1]",
]  # fmt: skip
PAIRS = [
    "{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / (tf.abs({1}) + 0.5)", "tf.maximum({0}, {1})", "tf.minimum({0}, {1})",
    "tf.pow(tf.abs({0}) + 0.3, {1})", "tf.atan2({0}, {1})", "tf.squared_difference({0}, {1})",
    "tf.div_no_nan({0}, {1})", "tf.math.multiply_no_nan({0}, {1})", "tf.floordiv({0}, tf.abs({1}) + 0.3)",
    "tf.floormod({0}, tf.abs({1}) + 0.3)", "tf.math.xdivy({0}, tf.abs({1}) + 1)",
    "tf.math.igamma(tf.abs({0}) + 0.5, tf.abs({1}) + 0.5)", "tf.math.igammac(tf.abs({0}) + 0.5, tf.abs({1}) + 0.5)",
    "tf.math.betainc(tf.abs({0}) + 1, tf.abs({0}) + 2, tf.sigmoid({1}))", "tf.where({0} > {1}, {0}, {1})",
    "tf.nn.sigmoid_cross_entropy_with_logits(labels={0}, logits={1})",
    "tf.nn.weighted_cross_entropy_with_logits(labels={0}, logits={1}, pos_weight=0.7)",
    "tf.cond(flag, lambda: {0}, lambda: {1} * 2)", "tf.lbeta(tf.abs(tf.stack([{0}, {1}], -1)) + 1)",
    "tf.case([(flag, lambda: {0} * {1})], lambda: {1})", "tf.math.nextafter({0}, {1})",
    "tf.truncatemod({0}, tf.abs({1}) + 0.3)", "tf.math.zeta(tf.abs({0}) + 2, tf.abs({1}) + 1)", "paired({0}, {1})",
    "tf.polygamma(tf.ones_like({0}), tf.abs({1}) + 1)", "tf.nn.relu({0}) * tf.stop_gradient({1})",
    "tf.switch_case(count, [lambda: {0}, lambda: {0} * {1}])",
]  # fmt: skip
TO = {
    "m": [
        ("m", "tf.nn.softmax({0})"), ("m", "tf.nn.log_softmax({0})"), ("m", "tf.nn.softmax({0}, axis=0)"),
        ("m", "tf.cumsum({0}, 1)"), ("m", "tf.cumprod({0}, 1, exclusive=True)"), ("m", "tf.nn.l2_normalize({0}, 1)"),
        ("m", "tf.reverse({0}, [1])"), ("m", "tf.roll({0}, 1, 1)"), ("m", "tf.gather({0}, i)"),
        ("m", "tf.gather_nd({0}, [[1], [0]])"), ("m", "{0}[::-1]"), ("m", "tf.reshape(tf.transpose({0}), [2, 3])"),
        ("m", "tf.pad({0}, [[1, 0], [0, 0]])[:2]"), ("m", "tf.pad({0}, [[0, 0], [1, 1]], 'REFLECT')[:, :3]"),
        ("m", "tf.pad({0}, [[1, 0], [0, 0]], 'SYMMETRIC')[:2]"), ("m", "tf.concat([{0}[:1], {0}[:1] * 2], 0)"),
        ("m", "tf.stack(tf.unstack({0})[::-1])"), ("m", "tf.split({0}, 2, 0)[1] * {0}"),
        ("m", "tf.tile({0}[:1], [2, 1])"), ("m", "tf.sort({0}, 1)"), ("m", "tf.nn.top_k({0}, 3)[0]"),
        ("v", "tf.reduce_sum({0}, 0)"), ("v", "tf.reduce_mean({0}, 0)"), ("v", "tf.reduce_max({0}, 0)"),
        ("v", "tf.reduce_min({0}, 0)"), ("v", "tf.reduce_prod({0}, 0)"), ("v", "tf.reduce_logsumexp({0}, 0)"),
        ("v", "tf.norm({0}, axis=0)"), ("v", "tf.math.reduce_variance({0}, 0)"), ("v", "tf.math.reduce_std({0}, 0)"),
        ("v", "tf.nn.moments({0}, [0])[1]"), ("v", "{0}[1]"), ("v", "tf.segment_sum({0}, [0, 0])[0]"),
        ("m", "tf.segment_mean({0}, [0, 1])"), ("v", "tf.segment_prod({0}, [0, 0])[0]"),
        ("v", "tf.segment_max({0}, [0, 0])[0]"), ("m", "tf.math.unsorted_segment_sum({0}, i, 3)[:2]"),
        ("v", "tf.math.unsorted_segment_prod({0}, [0, 0], 1)[0]"),
        ("m", "tf.sparse_segment_mean({0}, [0, 1, 1], [0, 0, 1])"), ("m", "tf.nn.embedding_lookup({0}, [1, 1])"),
        ("m", "tf.matmul({0}, tf.matmul({0}, {0}, transpose_a=True))"),
        ("m", "tf.einsum('ij,kj,kl->il', {0}, {0}, {0})"), ("s", "tf.reduce_sum({0} * {0})"),
        ("s", "tf.reduce_mean({0})"), ("s", "tf.nn.l2_loss({0})"), ("s", "tf.norm({0})"),
        ("v", "tf.boolean_mask({0}, [True, False])[0]"),
        ("m", "tf.dynamic_stitch([[1], [0]], tf.dynamic_partition({0}, [0, 1], 2))"),
        ("m", "tf.scatter_nd([[1], [0]], {0}, [2, 3])"), ("m", "tf.tensor_scatter_add({0}, [[1]], {0}[:1])"),
        ("m", "tf.tensor_scatter_update({0}, [[1]], {0}[:1] * 2)"), ("m", "tf.reverse_sequence({0}, [2, 3], 1)"),
        ("m", "tf.nn.batch_normalization({0}, {0} * 0.5, {0} * {0} + 1, None, 2.0, 0.1)"),
        ("q", "tf.matmul({0}, {0}, transpose_a=True) + far"),
        ("v", "tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(tf.transpose({0})), "
              "logits=tf.transpose({0}))"),
        ("v", "tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0, 1], logits=tf.transpose({0}))"),
        ("m", "tf.map_fn(lambda r: tf.tanh(r) * r, {0})"), ("m", "tf.scan(lambda a, r: a * 0.5 + r, {0})"),
        ("v", "tf.foldl(lambda a, r: tf.sin(a) + r, {0})"),
        ("v", "tf.RaggedTensor.from_row_lengths(tf.reshape({0}, [-1]), [2, 1, 3]).to_tensor()[:, 0]"),
        ("v", "tf.reduce_sum(tf.RaggedTensor.from_row_splits(tf.reshape({0}, [-1]), [0, 2, 2, 6]), 1)"),
        ("m", "tf.sparse.to_dense(tf.SparseTensor([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]], "
              "tf.reshape({0}, [-1]), [2, 3]))"),
        ("v", "tf.sparse_tensor_dense_matmul(tf.SparseTensor([[0, 1], [2, 0]], {0}[:, 0], [3, 2]), {0})[:, 1]"),
        ("m", "tf.image.resize_bilinear({0}[None, :, :, None], [3, 4])[0, 1:, 1:, 0]"),
        ("m", "tf.image.resize_bicubic({0}[None, :, :, None], [4, 5])[0, 1:3, 1:4, 0]"),
        ("m", "tf.image.crop_and_resize({0}[None, :, :, None], [[0.1, 0.2, 0.8, 0.9]], [0], [2, 3])[0, :, :, 0]"),
        ("m", "tf.nn.conv2d({0}[None, :, :, None], kernel, [1, 1, 1, 1], 'SAME')[0, :, :, 0]"),
        ("m", "tf.nn.depthwise_conv2d({0}[None, :, :, None], kernel, [1, 1, 1, 1], 'SAME')[0, :, :, 0]"),
        ("m", "tf.nn.avg_pool({0}[None, :, :, None], [1, 2, 2, 1], [1, 1, 1, 1], 'SAME')[0, :, :, 0]"),
        ("m", "tf.nn.max_pool({0}[None, :, :, None], [1, 2, 2, 1], [1, 1, 1, 1], 'SAME')[0, :, :, 0]"),
        ("m", "tf.nn.lrn({0}[None, None], bias=1.1)[0, 0]"), ("m", "tf.linalg.cross({0}, {0}[::-1])"),
        ("m", "tf.matrix_band_part({0}, 0, 1)"),
        ("m", "tf.nn.fused_batch_norm({0}[None, None], [1.0, 0.5, 2.0], [0.1, 0.2, 0.3])[0][0, 0]"),
        ("c", "tf.complex({0}[0], {0}[1])"),
        ("m", "tf.space_to_batch_nd({0}[:, :2], [1], [[0, 0]]) @ {0}[:, :2] @ {0}"),
        ("m", "tf.fake_quant_with_min_max_args({0})"), ("m", "tf.fake_quant_with_min_max_vars({0}, -1.0, 1.0)"),
        ("m", "tf.nn.dropout({0}, keep_prob=1.0)"), ("m", "tf.nn.relu_layer({0}, far, {0}[0])"),
        ("m", "tf.nn.xw_plus_b({0}, far, {0}[1])"), ("m", "tf.math.cumulative_logsumexp({0}, 1)"),
        ("m", "tf.TensorArray({0}.dtype, 2).unstack({0}).stack()"), ("s", "tf.losses.huber_loss({0}[0], {0}[1])"),
        ("s", "tf.losses.log_loss(tf.sigmoid({0}[0]), tf.sigmoid({0}[1]))"),
        ("s", "tf.losses.cosine_distance({0}[0], {0}[1], 0)"),
    ],
    "v": [
        ("m", "tf.stack([{0}, {0} * 2])"), ("m", "tf.tensordot(far[0, :2], {0}, 0)"), ("s", "tf.reduce_max({0})"),
        ("s", "{0}[1]"), ("v", "tf.gather({0}, [2, 0, 0])"), ("s", "tf.tensordot({0}, {0}, 1)"),
        ("q", "tf.matrix_diag({0}) + far"), ("c", "tf.cast({0}, far_complex.dtype) * far_complex"),
        ("v", "tf.cross({0}, tf.sin({0}))"), ("v", "tf.nn.softmax({0})"),
        ("v", "tf.sparse_softmax(tf.SparseTensor([[0, 0], [0, 2], [1, 1]], {0}, [2, 3])).values"),
        ("v", "tf.sparse_reduce_sum(tf.SparseTensor([[0, 0], [1, 2], [2, 1]], {0}, [3, 3]), 1)"),
        ("q", "tf.einsum('i,j->ij', {0}, {0}) * 0.1 + far"), ("v", "tf.map_fn(lambda e: e * e, {0})"),
        ("s", "tf.reduce_prod({0})"), ("m", "{0}[None] * [[1.0], [2.0]]"), ("v", "tf.linspace({0}[0], {0}[1], 3)"),
        ("v", "tf.fill([3], {0}[1])"), ("v", "tf.one_hot(1, 3, {0}[0], {0}[2])"),
    ],
    "s": [
        ("v", "{0} * [1.0, 0.5, -2.0]"), ("v", "tf.fill([3], {0})"), ("v", "tf.stack([{0}, {0} * {0}, tf.sin({0})])"),
        ("m", "tf.eye(2, 3, dtype={0}.dtype) * {0}"), ("v", "tf.range(3.0, dtype={0}.dtype) * {0}"),
    ],
    "q": [
        ("q", "tf.matrix_inverse({0}) + far"), ("s", "tf.matrix_determinant({0})"),
        ("s", "tf.linalg.logdet(tf.matmul({0}, {0}, transpose_a=True))"),
        ("q", "tf.cholesky(tf.matmul({0}, {0}, transpose_a=True))"),
        ("v", "tf.matrix_solve({0}, tf.diag_part({0})[:, None])[:, 0]"),
        ("v", "tf.matrix_triangular_solve({0}, tf.diag_part({0})[:, None])[:, 0]"), ("s", "tf.trace({0})"),
        ("v", "tf.matrix_diag_part({0})"), ("q", "tf.matrix_set_diag({0}, tf.diag_part({0}) + 1)"),
        ("v", "tf.self_adjoint_eigvals({0} + tf.transpose({0}))"), ("v", "tf.svd({0}, compute_uv=False)"),
        ("m", "{0}[:2]"), ("m", "tf.matmul({0}[:2], {0})"),
        ("v", "tf.linalg.LinearOperatorFullMatrix({0}).matvec({0}[0])"), ("s", "tf.linalg.slogdet({0})[1]"),
        ("v", "tf.linalg.matvec({0}, {0}[1])"),
    ],
    "c": [
        ("v", "tf.real({0})"), ("v", "tf.imag({0})"), ("v", "tf.abs({0})"), ("v", "tf.angle({0})"),
        ("c", "tf.conj({0}) * {0} * {0}"), ("c", "tf.fft({0})"), ("c", "tf.ifft({0}) * {0}"),
        ("c", "tf.exp({0} * 0.3)"), ("c", "{0} / ({0} + 3)"), ("c", "tf.square({0})"),
    ],
}  # fmt: skip

HEAD = """def narrow(x):
    return tf.cast(x, tf.float16 if x.dtype == tf.float32 else tf.float32) * 1
@tf.custom_gradient
def softly(x):
    return tf.sin(x), lambda dy: dy * 0.5 * x
@tf.function(autograph=False)
def called(x):
    return tf.tanh(x) * x + 1
@tf.function(autograph=False)
def paired(x, y):
    return tf.cond(tf.reduce_sum(x) > 0.1, lambda: x * y, lambda: tf.sin(x) - y)
defined = tf.sin"""
LEAVES = """m = tf.placeholder(tf.{dtype}, [2, 3])
n = tf.placeholder(tf.{dtype}, {open})
v = tf.Variable(data(3, [3], dtype='{dtype}'), use_resource=True)
s0 = tf.constant(data(4, [], dtype='{dtype}'))
i = tf.placeholder(tf.int32, [2])
count = tf.placeholder_with_default({count}, [])
flag = tf.placeholder_with_default({flag}, [])
far = tf.constant(3.0 * np.eye(3), tf.{dtype})
far_complex = tf.constant([1 + 1j, 2 - 0.5j, 0.3j], tf.{complex})
kernel = tf.constant(data(5, [2, 2, 1, 1], dtype='{dtype}'))
feeds = {{m: data(1, [2, 3], dtype='{dtype}'), n: data(2, [2, 3], dtype='{dtype}'), i: [1, 0]}}"""
SLOPES = """def slopes(y, xs):
    try:
        return [each if each is None else tf.convert_to_tensor(each) for each in tf.gradients(y, xs)]
    except (LookupError, NotImplementedError):
        return ['lacks'] * len(xs)
def missing(x):
    return x is None or isinstance(x, str)
firsts = [slopes(y, [x])[0] for y in ys for x in xs]
seconds = [[each] * len(xs) if missing(each) else slopes(each, xs) for each in firsts] if {again} else []
fetches = ys + firsts + [each for part in seconds for each in part]"""
RUN = """s = session()
s.run(tf.global_variables_initializer())
held = [each for each in fetches if not missing(each)]
for k in range(5):
    values = iter(s.run(held, feeds))
    if k in (0, 4):
        show([each if missing(each) else next(values) for each in fetches])"""


LOOPS = ("while_loop", "map_fn", "scan", "foldl", "TensorArray")  # TensorFlow differentiates these once


class Writer:
    """The statements so far, and the names of values by kind."""

    def __init__(self, dice):
        self.dice, self.lines, self.count = dice, [], 0
        self.known = {"m": ["m", "n"], "v": ["v"], "s": ["s0"], "q": [], "c": []}

    def put(self, kind, text):
        self.count += 1
        self.lines.append(f"t{self.count} = {text}")
        self.known[kind].append(f"t{self.count}")

    def value(self, kind):
        """A value of a kind, the last one more often."""
        names = self.known[kind]
        return names[-1] if self.dice.chance(0.5) else self.dice.pick(names)

    def grow(self):
        kind = self.dice.pick([each for each, names in self.known.items() if names])
        if kind in "mvs" and self.dice.chance(0.4):
            return self.put(kind, self.dice.pick(SMOOTH).format(self.value(kind)))
        if kind in "mvs" and self.dice.chance(0.3):
            return self.put(kind, self.dice.pick(PAIRS).format(self.value(kind), self.value(kind)))
        made, text = self.dice.pick(TO[kind])
        return self.put(made, text.format(self.value(kind)))


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    dice = Dice(seed)
    w, dtype = Writer(dice), dice.pick(["float32", "float32", "float64"])
    head = LEAVES.format(dtype=dtype, complex="complex64" if dtype == "float32" else "complex128",
                         open=dice.pick(["[2, 3]", "[None, 3]"]), count=dice.below(2), flag=dice.chance(0.5))
    for _ in range(dice.between(2, 6)):
        w.grow()
    again = not any(word in line for line in w.lines for word in LOOPS)
    ends = [name for kind in "mvsq" for name in w.known[kind] if name.startswith("t")] or ["m"]
    ys = dice.some(ends, 1 if dice.chance(0.7) else 2)
    inner = [name for kind in "mvsq" for name in w.known[kind] if name not in ys]
    xs = dice.some(["m", "n", "v", "s0"], 2) + dice.some(inner, 1 if dice.chance(0.3) else 0)
    return [HEAD, head, *w.lines, f"ys, xs = [{', '.join(ys)}], [{', '.join(dict.fromkeys(xs))}]",
            SLOPES.replace("{again}", str(again)), RUN]
