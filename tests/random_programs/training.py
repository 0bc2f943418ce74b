"""Training: a random network, loss and optimizer; losses over several steps, then all variables and their names."""

from tests.random_graphs.maker import Dice

STEPS = 8  # the default policy compiles a stage at its fourth run
ACTIVATIONS = [
    "None", "tf.nn.relu", "tf.tanh", "tf.sigmoid", "tf.nn.elu", "tf.nn.softplus", "tf.nn.selu", "tf.nn.relu6",
    "tf.nn.leaky_relu", "tf.nn.softsign",
]
INITIALIZERS = [
    "tf.glorot_uniform_initializer(seed={0})", "tf.truncated_normal_initializer(stddev=0.3, seed={0})",
    "tf.random_uniform_initializer(-0.5, 0.5, seed={0})", "tf.random_normal_initializer(stddev=0.2, seed={0})",
    "tf.variance_scaling_initializer(2.0, 'fan_out', 'uniform', seed={0})", "tf.initializers.he_normal(seed={0})",
    "tf.initializers.lecun_uniform(seed={0})", "tf.constant_initializer(0.{0})",
    "tf.orthogonal_initializer(0.7, seed={0})",
]
REGULARIZERS = [
    "tf.keras.regularizers.l2(0.01)", "tf.keras.regularizers.l1(0.003)",
    "lambda w: 0.01 * tf.reduce_sum(tf.square(w))", "tf.keras.regularizers.l1_l2(0.002, 0.004)",
]


APART = (", depthwise_initializer=tf.constant_initializer(0.2), "
         "pointwise_initializer=tf.constant_initializer(0.3)")


class Network:
    """The statements so far; `h` is what the network has computed, [batch, width]."""

    def __init__(self, seed):
        self.dice, self.statements, self.width = Dice(seed), [], 6

    def say(self, text):
        self.statements.append(text)

    def number(self, low, high, digits=3):
        return round(low + (high - low) * self.dice.below(1000) / 1000, digits)

    def initializer(self):
        return self.dice.pick(INITIALIZERS).format(self.dice.between(1, 9))

    def options(self, **more):
        """Keyword arguments of a layer, some of the time."""
        chosen = {"kernel_initializer": self.initializer(), **more}
        if self.dice.chance(0.3):
            chosen["kernel_regularizer"] = self.dice.pick(REGULARIZERS)
        if self.dice.chance(0.2):
            chosen["use_bias"] = "False"
        elif self.dice.chance(0.2):
            chosen["bias_initializer"] = "tf.constant_initializer(0.1)"
        if self.dice.chance(0.15):
            chosen["kernel_constraint"] = "lambda w: tf.clip_by_norm(w, 1.5)"
        return "".join(f", {name}={value}" for name, value in chosen.items())


# ---- layers


def dense(n):
    width = n.dice.between(2, 6)
    name = f", name='d{n.dice.below(3)}'" if n.dice.chance(0.2) else ""
    if name and any(name in each for each in n.statements):
        name = ""
    n.say(f"h = tf.layers.dense(h, {width}, {n.dice.pick(ACTIVATIONS)}{n.options()}{name})")
    n.width = width


def batch_normalization(n):
    extra = n.dice.pick(["", ", momentum=0.8", ", epsilon=0.01, center=False", ", scale=False", ", renorm=True",
                         ", momentum=0.5, gamma_initializer=tf.constant_initializer(0.7)"])
    n.say(f"h = tf.layers.batch_normalization(h, training={n.dice.pick(['True', 'True', 'False', 'training'])}{extra})")


def dropout(n):
    n.say(f"h = tf.layers.dropout(h, {n.number(0.1, 0.6, 1)}, seed={n.dice.between(1, 9)}, "
          f"training={n.dice.pick(['True', 'training'])})")


def conv1d(n):
    filters, size = n.dice.between(1, 3), n.dice.between(1, 3)
    n.say(f"h = tf.layers.conv1d(tf.expand_dims(h, 2), {filters}, {size}, strides={n.dice.between(1, 2)}, "
          f"padding='same', activation={n.dice.pick(ACTIVATIONS)}{n.options()})")
    pool = n.dice.pick([None, "max_pooling1d", "average_pooling1d"])
    if pool:
        n.say(f"h = tf.layers.{pool}(h, 2, 1, padding='same')")
    n.say("h = tf.layers.flatten(h)")


def conv2d(n):
    n.say(f"h = tf.reshape(tf.layers.dense(h, 12, kernel_initializer={n.initializer()}), [-1, 3, 4, 1])")
    kind = n.dice.pick(["conv2d", "separable_conv2d", "conv2d_transpose", "conv2d"])
    shared = n.options() if kind != "separable_conv2d" else APART
    padding = n.dice.pick(["same", "valid"])
    n.say(f"h = tf.layers.{kind}(h, {n.dice.between(1, 3)}, 2, strides={n.dice.between(1, 2)}, padding='{padding}', "
          f"activation={n.dice.pick(ACTIVATIONS)}{shared})")
    if n.dice.chance(0.5):
        n.say("h = tf.layers.max_pooling2d(h, 2, 1, padding='same')")
    if n.dice.chance(0.4):
        batch_normalization(n)
    n.say("h = tf.reduce_mean(h, [1, 2])")


def embedding(n):
    rows, width = n.dice.between(4, 7), n.dice.between(2, 4)
    partitioner = f", partitioner=tf.fixed_size_partitioner({n.dice.between(2, 3)})" if n.dice.chance(0.5) else ""
    name = f"table{len(n.statements)}"
    n.say(f"table = tf.get_variable('{name}', [{rows}, {width}], initializer={n.initializer()}{partitioner})")
    strategy = f", partition_strategy='{n.dice.pick(['div', 'mod'])}'" if partitioner else ""
    if n.dice.chance(0.5):
        n.say(f"e = tf.nn.embedding_lookup(table, words % {rows}{strategy})")
        n.say(f"h = tf.concat([h, tf.reduce_{n.dice.pick(['sum', 'mean', 'max'])}(e, 1)], 1)")
    else:
        n.say("marks = tf.where(words >= 0)")
        n.say(f"bag = tf.SparseTensor(marks, tf.gather_nd(words, marks) % {rows}, tf.shape(words, out_type=tf.int64))")
        combiner = n.dice.pick(["sum", "mean", "sqrtn"])
        n.say(f"e = tf.nn.embedding_lookup_sparse(table, bag, None, combiner='{combiner}'{strategy})")
        n.say("h = tf.concat([h, e], 1)")


CELLS = [
    "tf.nn.rnn_cell.BasicRNNCell({0})", "tf.nn.rnn_cell.GRUCell({0})", "tf.nn.rnn_cell.BasicLSTMCell({0})",
    "tf.nn.rnn_cell.LSTMCell({0}, use_peepholes=True)", "tf.nn.rnn_cell.LSTMCell({0}, num_proj=2, cell_clip=0.5)",
    "tf.nn.rnn_cell.LSTMCell({0}, forget_bias=0.3, state_is_tuple=False)",
    "tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(3), tf.nn.rnn_cell.BasicLSTMCell({0})])",
    "tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(2))",
    "tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell({0}), 0.7, 0.8, seed=4)",
]


def recurrent(n):
    scope = f"rnn{len(n.statements)}"
    cell = n.dice.pick(CELLS).format(n.dice.between(2, 4))
    n.say(f"h = tf.reshape(tf.layers.dense(h, 6, kernel_initializer={n.initializer()}), [-1, 3, 2])")
    n.say(f"with tf.variable_scope('{scope}', initializer={n.initializer()}):\n    cell = {cell}")
    way = n.dice.below(3)
    lengths = ", sequence_length=tf.reduce_sum(tf.cast(words >= 2, tf.int32), 1)" if n.dice.chance(0.5) else ""
    # docs/differences.md says which random numbers of a loop, or of steps that nothing reaches, are others.
    one = ", parallel_iterations=1" if "Dropout" in cell else ""
    lengths = "" if one and way == 1 else lengths
    if way == 0:
        n.say(f"with tf.variable_scope('{scope}', initializer={n.initializer()}):\n"
              f"    out, last = tf.nn.dynamic_rnn(cell, h, dtype=tf.float32{lengths}{one})")
        n.say("h = tf.reduce_sum(out, 1)")
    elif way == 1:
        n.say(f"with tf.variable_scope('{scope}', initializer={n.initializer()}):\n"
              f"    out, last = tf.nn.static_rnn(cell, tf.unstack(h, 3, 1), dtype=tf.float32{lengths})")
        n.say("h = tf.add_n(out)")
    else:
        n.say(f"with tf.variable_scope('{scope}', initializer={n.initializer()}):\n"
              f"    out, last = tf.nn.bidirectional_dynamic_rnn(cell, tf.nn.rnn_cell.BasicRNNCell(2), h, "
              f"dtype=tf.float32{lengths}{one})")
        n.say("h = tf.concat([tf.reduce_max(out[0], 1), tf.reduce_mean(out[1], 1)], 1)")


def scoped(n):
    """Variables by get_variable in a scope, used twice."""
    name, width = f"s{len(n.statements)}", n.dice.between(2, 5)
    more = n.dice.pick(["", ", partitioner=tf.fixed_size_partitioner(2)", ", use_resource=True", ", dtype=tf.float32"])
    regularizer = f", regularizer={n.dice.pick(REGULARIZERS)}" if n.dice.chance(0.4) else ""
    n.say(f"""def layer(x):
    with tf.variable_scope('{name}', reuse=tf.AUTO_REUSE, initializer={n.initializer()}{more}{regularizer}):
        w = tf.get_variable('w', [{width}, {width}])
        b = tf.get_variable('b', [{width}], initializer=tf.zeros_initializer())
        return tf.nn.{n.dice.pick(['relu', 'tanh', 'sigmoid'])}(tf.nn.xw_plus_b(x, w, b))""")
    n.say(f"h = tf.layers.dense(h, {width}, name='{name}/in', kernel_initializer={n.initializer()})")
    n.say("h = layer(layer(h))")


def normalized(n):
    n.say(n.dice.pick([
        "h = tf.nn.l2_normalize(h, 1)", "h = h - tf.reduce_mean(h, 1, keepdims=True)", "h = tf.nn.softmax(h)",
        "h = tf.nn.lrn(tf.reshape(h, [-1, 1, 1, h.shape[1]]))[:, 0, 0, :]", "h = tf.nn.crelu(h)",
        "h = tf.reshape(tf.nn.moments(h, [1])[1], [-1, 1]) + h", "h = tf.clip_by_value(h, -0.9, 0.9)",
        "h = tf.cond(tf.reduce_sum(h) > 0, lambda: h * 0.5, lambda: h + 0.1)",
        "h = tf.map_fn(lambda row: row * tf.reduce_sum(row), h)",
        "h = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.tanh(a) + h), [0, h])[1]"]))


LAYERS = [(4, dense), (2, batch_normalization), (1.2, dropout), (1.5, conv1d), (1.5, conv2d), (2, embedding),
          (2, recurrent), (2, scoped), (1.5, normalized)]  # fmt: skip

# ---- losses

LOSSES = [
    "tf.losses.mean_squared_error(target, out{0})", "tf.losses.absolute_difference(target, out{0})",
    "tf.losses.huber_loss(target, out{0}, delta=0.4)", "tf.losses.log_loss(tf.abs(target), tf.sigmoid(out){0})",
    "tf.losses.sigmoid_cross_entropy(tf.abs(target), out{0}, label_smoothing=0.1)",
    "tf.losses.softmax_cross_entropy(tf.nn.softmax(target), out{1})",
    "tf.losses.sparse_softmax_cross_entropy(words[:, 0] % 3, out{1})",
    "tf.losses.hinge_loss(tf.round(tf.abs(target)), out{0})",
    "tf.losses.cosine_distance(tf.nn.l2_normalize(target, 1), tf.nn.l2_normalize(out, 1), axis=1{2})",
    "tf.losses.mean_pairwise_squared_error(target, out)",
]


def loss(n):
    reduction = n.dice.pick(["", ", reduction=tf.losses.Reduction.SUM", ", reduction=tf.losses.Reduction.MEAN",
                             ", reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE"])
    weights = [n.dice.pick(["", ", weights=0.5", f", weights={shape}"]) + reduction
               for shape in ("tf.abs(target[:, :1])", "tf.abs(target[:, 0])", "tf.abs(target[:, :1])")]
    n.say(f"out = tf.layers.dense(h, 3{n.options()})")
    for _ in range(n.dice.between(1, 2)):
        n.say(n.dice.pick(LOSSES).format(*weights))
    n.say("loss = tf.losses.get_total_loss()")
    n.say("show(tf.get_collection(tf.GraphKeys.LOSSES), len(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)))")


# ---- optimizers

OPTIMIZERS = [
    "tf.train.GradientDescentOptimizer(rate)", "tf.train.MomentumOptimizer(rate, {0})",
    "tf.train.MomentumOptimizer(rate, {0}, use_nesterov=True)", "tf.train.AdamOptimizer(rate, {0}, 0.{1}9, 1e-3)",
    "tf.train.AdagradOptimizer(rate, {0})", "tf.train.AdadeltaOptimizer(rate, {0}, 1e-3)",
    "tf.train.RMSPropOptimizer(rate, {0}, 0.{1}, 1e-3)",
    "tf.train.RMSPropOptimizer(rate, {0}, 0.{1}, 1e-3, centered=True)",
    "tf.train.FtrlOptimizer(rate, -0.{1}, {0}, 0.00{1}, 0.0{1})",
    "tf.train.FtrlOptimizer(rate, -0.5, {0}, 0.0, 0.0, l2_shrinkage_regularization_strength=0.0{1})",
    "tf.train.ProximalGradientDescentOptimizer(rate, 0.0{1}, 0.00{1})",
    "tf.train.ProximalAdagradOptimizer(rate, {0}, 0.0{1}, 0.00{1})",
    "tf.train.AdagradDAOptimizer(rate, step, {0}, 0.0{1}, 0.00{1})",
]
RATES = [
    "{0}", "tf.train.exponential_decay({0}, step, 3, 0.7{1})", "tf.train.inverse_time_decay({0}, step, 2, 0.5{1})",
    "tf.train.natural_exp_decay({0}, step, 4, 0.3{1})", "tf.train.polynomial_decay({0}, step, 5, 0.001, 2.0)",
    "tf.train.piecewise_constant(step, [2, 5], [{0}, 0.01, 0.02])", "tf.train.cosine_decay({0}, step, 6, 0.1)",
    "tf.train.cosine_decay_restarts({0}, step, 3, 1.5)", "tf.train.linear_cosine_decay({0}, step, 6)",
    "tf.train.polynomial_decay({0}, step, 3, 0.001, cycle=True)",
]
CLIPS = [
    None, None, "tf.clip_by_value(g, -0.1, 0.1)", "tf.clip_by_norm(g, 0.2)", "tf.clip_by_average_norm(g, 0.05)",
    "global",
]


def _optimizer(n, name):
    n.say(f"rate = {n.dice.pick(RATES).format(n.number(0.01, 0.2), n.dice.pick(['', ', staircase=True']))}")
    n.say(f"{name} = {n.dice.pick(OPTIMIZERS).format(n.number(0.2, 0.9, 1), n.dice.between(1, 8))}")


def train(n):
    n.say("step = tf.train.get_or_create_global_step()")
    _optimizer(n, "opt")
    clip = n.dice.pick(CLIPS)
    if n.dice.chance(0.25):
        _optimizer(n, "other")
        n.say("variables = tf.trainable_variables()")
        n.say("first = opt.minimize(loss, var_list=variables[::2])")
        n.say("with tf.control_dependencies([first]):\n"
              "    second = other.minimize(loss, step, var_list=variables[1::2]) "
              "if variables[1:] else tf.assign_add(step, 1)")
        n.say("train = tf.group(first, second)")
    elif clip is None:
        n.say("train = opt.minimize(loss, step)")
    else:
        n.say("pairs = [(g, v) for g, v in opt.compute_gradients(loss) if g is not None]")
        if clip == "global":
            n.say("clipped, norm = tf.clip_by_global_norm([g for g, _ in pairs], 0.3)")
            n.say("train = opt.apply_gradients(list(zip(clipped, [v for _, v in pairs])), step)")
        else:
            n.say(f"train = opt.apply_gradients([({clip}, v) for g, v in pairs], step)")
    n.say("train = tf.group(train, *tf.get_collection(tf.GraphKeys.UPDATE_OPS))")
    if n.dice.chance(0.3):
        decay, more = n.number(0.5, 0.99, 2), n.dice.pick(["", ", step", ", zero_debias=True"])
        n.say(f"ema = tf.train.ExponentialMovingAverage({decay}{more})")
        n.say("with tf.control_dependencies([train]):\n    train = ema.apply(tf.trainable_variables())")


RUN = """for i in range({steps}):
    n = 3 + i // 4
    feed = {{x: data({seed} + i, [n, 6]), target: data(50 + i, [n, 3]), words: data(90 + i, [n, 3], 0, 9, 'int64'),
            training: i % 3 != 2}}
    s.run(train, feed)
    show(s.run(loss, feed))"""


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    n = Network(seed)
    n.say("x, target = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.float32, [None, 3])")
    n.say("words, training = tf.placeholder(tf.int64, [None, 3]), tf.placeholder(tf.bool, [])")
    n.say("h = x")
    for _ in range(n.dice.between(1, 4)):
        n.dice.weighted(LAYERS)(n)
    loss(n)
    train(n)
    n.say("show(tf.global_variables(), tf.trainable_variables(), [v.shape for v in tf.global_variables()])")
    n.say("s = session()")
    n.say("s.run(tf.global_variables_initializer())")
    n.say(RUN.format(steps=STEPS, seed=n.dice.between(1, 40)))
    n.say("show(s.run(tf.global_variables()))")
    return n.statements
