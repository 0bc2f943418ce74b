"""Training programs whose first step takes long, for `benchmarks.first_steps`: many layers, or large bodies of loops.

Each builds its graph and returns the steps to run, as (fetches, feeds). Images are small, so that it is the number of
nodes that costs time.
"""

import numpy as np

PROGRAMS = {}


def program(name):
    """Adds a program: the function builds a graph and returns the steps to run one after the other."""
    def decorate(build):
        PROGRAMS[name] = build
        return build
    return decorate


def normal(*shape):
    return np.random.RandomState(0).randn(*shape).astype(np.float32)


def normalized(tf, x, channels, size=3, stride=1, activation=None):
    """A convolution with batch normalization."""
    x = tf.layers.conv2d(x, channels, size, stride, "same", use_bias=False)
    x = tf.layers.batch_normalization(x, training=True)
    return x if activation is None else activation(x)


def updates(tf):
    return tf.get_collection(tf.GraphKeys.UPDATE_OPS)


# ---- convolutions

@program("Inception-ResNet tower, 100 convolutions")
def inception_resnet(tf, blocks=14):
    """Blocks of three branches beside a shortcut, moving averages of all weights (as face recognition trains them)."""
    x, y = tf.placeholder(tf.float32, [None, 32, 32, 3]), tf.placeholder(tf.int64, [None])
    hidden = normalized(tf, x, 32, 3, 2, tf.nn.relu)
    for at in range(blocks):
        if at in (blocks // 3, 2 * blocks // 3):
            hidden = tf.concat([normalized(tf, hidden, 32, 3, 2, tf.nn.relu),
                                tf.layers.max_pooling2d(hidden, 3, 2, "same")], 3)
        hidden = _inception_block(tf, hidden)
    embedding = tf.nn.l2_normalize(tf.layers.dense(tf.reduce_mean(hidden, [1, 2]), 64), 1)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(embedding, 10))
    with tf.control_dependencies(updates(tf)):
        train = tf.train.AdamOptimizer(1e-3).minimize(loss)
    with tf.control_dependencies([train]):
        average = tf.train.ExponentialMovingAverage(0.999).apply(tf.trainable_variables())
    return [([average, loss], {x: normal(4, 32, 32, 3), y: np.arange(4)})]


def _inception_block(tf, x):
    relu = tf.nn.relu
    first = normalized(tf, x, 16, 1, 1, relu)
    second = normalized(tf, normalized(tf, x, 16, 1, 1, relu), 16, 3, 1, relu)
    third = normalized(tf, normalized(tf, normalized(tf, x, 16, 1, 1, relu), 24, 3, 1, relu), 32, 3, 1, relu)
    up = tf.layers.conv2d(tf.concat([first, second, third], 3), int(x.shape[3]), 1)
    return relu(x + 0.17 * up)


@program("Inception-ResNet tower, 200 convolutions")
def inception_resnet_200(tf):
    return inception_resnet(tf, blocks=28)


@program("YOLO on a residual tower, three scales")
def yolo(tf, anchors=3, classes=5):
    def leaky(value):
        return tf.nn.leaky_relu(value, 0.1)

    x = tf.placeholder(tf.float32, [None, 64, 64, 3])
    targets, hidden, scales = [], normalized(tf, x, 8, 3, 1, leaky), []
    for channels, count in ((16, 1), (16, 2), (32, 8), (32, 8), (64, 4)):
        hidden = normalized(tf, hidden, channels, 3, 2, leaky)
        for _ in range(count):
            inner = normalized(tf, hidden, channels // 2, 1, 1, leaky)
            hidden = hidden + normalized(tf, inner, channels, 3, 1, leaky)
        scales.append(hidden)
    losses, coarse = [], None
    for hidden in reversed(scales[2:]):
        if coarse is not None:
            size = int(coarse.shape[1]) * 2
            coarse = tf.image.resize_nearest_neighbor(normalized(tf, coarse, 16, 1, 1, leaky), [size, size])
            hidden = tf.concat([coarse, hidden], 3)
        for _ in range(2):
            hidden = normalized(tf, normalized(tf, hidden, 16, 1, 1, leaky), 32, 3, 1, leaky)
        coarse = hidden
        found = tf.layers.conv2d(hidden, anchors * (5 + classes), 1)
        size = int(found.shape[1])
        targets.append(tf.placeholder(tf.float32, [None, size, size, anchors, 5 + classes]))
        losses.append(_yolo_loss(tf, tf.reshape(found, [-1, size, size, anchors, 5 + classes]), targets[-1]))
    loss = tf.add_n(losses)
    with tf.control_dependencies(updates(tf)):
        train = tf.train.MomentumOptimizer(1e-3, 0.9).minimize(loss)
    feeds = {target: np.abs(normal(2, *target.shape.as_list()[1:])) for target in targets}
    return [([train, loss], {x: normal(2, 64, 64, 3)} | feeds)]


def _yolo_loss(tf, found, target):
    """Places, sizes, presence and classes of boxes; boxes that overlap a true one enough are not punished."""
    present = tf.cast(target[..., 4:5] > 0.5, tf.float32)
    place, size = tf.sigmoid(found[..., 0:2]), tf.exp(tf.minimum(found[..., 2:4], 4.0))
    low = tf.maximum(place - size / 2, target[..., 0:2] - target[..., 2:4] / 2)
    high = tf.minimum(place + size / 2, target[..., 0:2] + target[..., 2:4] / 2)
    shared = tf.reduce_prod(tf.maximum(high - low, 0.0), -1, keepdims=True)
    union = tf.reduce_prod(size, -1, keepdims=True) + tf.reduce_prod(target[..., 2:4], -1, keepdims=True) - shared
    ignored = tf.cast(shared / (union + 1e-6) > 0.5, tf.float32)
    entropy = tf.nn.sigmoid_cross_entropy_with_logits
    presence = entropy(labels=present, logits=found[..., 4:5]) * (present + (1 - present) * (1 - ignored))
    kinds = present * entropy(labels=tf.cast(target[..., 5:] > 0.5, tf.float32), logits=found[..., 5:])
    boxes = present * (tf.square(place - target[..., 0:2]) + tf.square(tf.log(size) - target[..., 2:4]))
    return tf.reduce_sum(boxes) + tf.reduce_sum(presence) + tf.reduce_sum(kinds)


@program("CycleGAN, two generators and two discriminators")
def cycle_gan(tf, blocks=6):
    a, b = (tf.placeholder(tf.float32, [1, 32, 32, 3]) for _ in range(2))
    to_b, to_a = (tf.make_template(name, _generator, tf=tf, blocks=blocks) for name in ("to_b", "to_a"))
    judge_a, judge_b = (tf.make_template(name, _discriminator, tf=tf) for name in ("judge_a", "judge_b"))
    fake_a, fake_b = to_a(b), to_b(a)
    cycle = tf.reduce_mean(tf.abs(to_a(fake_b) - a)) + tf.reduce_mean(tf.abs(to_b(fake_a) - b))
    fooling = [tf.reduce_mean(tf.square(judge(fake) - 1)) for judge, fake in ((judge_a, fake_a), (judge_b, fake_b))]
    makers = [fooling[0] + 10 * cycle, fooling[1] + 10 * cycle]
    judges = [(tf.reduce_mean(tf.square(judge(real) - 1)) + tf.reduce_mean(tf.square(judge(fake)))) / 2
              for judge, real, fake in ((judge_a, a, fake_a), (judge_b, b, fake_b))]
    trains = []
    for scope, loss in zip(("to_a", "to_b", "judge_a", "judge_b"), (*makers, *judges)):
        own = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope)
        trains.append(tf.train.AdamOptimizer(2e-4, 0.5).minimize(loss, var_list=own))
    return [([*trains, makers[0]], {a: normal(1, 32, 32, 3), b: normal(1, 32, 32, 3)})]


def _instance_normalized(tf, x):
    mean, variance = tf.nn.moments(x, [1, 2], keep_dims=True)
    return (x - mean) * tf.rsqrt(variance + 1e-5)


def _generator(x, tf, blocks):
    hidden = tf.nn.relu(_instance_normalized(tf, tf.layers.conv2d(x, 8, 7, 1, "same")))
    for channels in (16, 32):
        hidden = tf.nn.relu(_instance_normalized(tf, tf.layers.conv2d(hidden, channels, 3, 2, "same")))
    for _ in range(blocks):
        inner = tf.pad(hidden, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT")
        inner = tf.nn.relu(_instance_normalized(tf, tf.layers.conv2d(inner, 32, 3)))
        inner = tf.pad(inner, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT")
        hidden = hidden + _instance_normalized(tf, tf.layers.conv2d(inner, 32, 3))
    for channels in (16, 8):
        hidden = tf.nn.relu(_instance_normalized(tf, tf.layers.conv2d_transpose(hidden, channels, 3, 2, "same")))
    return tf.tanh(tf.layers.conv2d(hidden, 3, 7, 1, "same"))


def _discriminator(x, tf):
    hidden = tf.nn.leaky_relu(tf.layers.conv2d(x, 8, 4, 2, "same"))
    for channels in (16, 32, 64):
        hidden = tf.nn.leaky_relu(_instance_normalized(tf, tf.layers.conv2d(hidden, channels, 4, 2, "same")))
    return tf.layers.conv2d(hidden, 1, 4, 1, "same")


@program("PixelCNN, gated layers in two streams")
def pixel_cnn(tf, layers=10, channels=16):
    """A stream of rows above and one of pixels before, weights normalized, dropout in every layer."""
    x = tf.placeholder(tf.float32, [4, 16, 16, 3])
    above = _weight_normalized(tf, _down(tf, x), channels, (2, 3), "above")
    before = above + _weight_normalized(tf, _right(tf, _down(tf, x)), channels, (2, 2), "before")
    for at in range(layers):
        above = _gated(tf, above, channels, (2, 3), f"above{at}")
        before = _gated(tf, before, channels, (2, 2), f"before{at}", above)
    out = _weight_normalized(tf, tf.nn.elu(before), 30, (1, 1), "out", pads=False)
    loss = _mixture_loss(tf, x, tf.reshape(out, [4, 16, 16, 3, 10]))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
    average = tf.train.ExponentialMovingAverage(0.999).apply(tf.trainable_variables())
    return [([train, average, loss], {x: np.tanh(normal(4, 16, 16, 3))})]


def _down(tf, x):
    return tf.concat([tf.zeros_like(x[:, :1]), x[:, :-1]], 1)


def _right(tf, x):
    return tf.concat([tf.zeros_like(x[:, :, :1]), x[:, :, :-1]], 2)


def _weight_normalized(tf, x, channels, size, name, pads=True):
    with tf.variable_scope(name):
        direction = tf.get_variable("v", [*size, int(x.shape[3]), channels])
        scale, bias = tf.get_variable("g", [channels]), tf.get_variable("b", [channels])
    weights = scale * tf.nn.l2_normalize(direction, [0, 1, 2])
    if pads:
        x = tf.pad(x, [[0, 0], [size[0] - 1, 0], [1, 1] if size[1] == 3 else [size[1] - 1, 0], [0, 0]])
    return tf.nn.bias_add(tf.nn.conv2d(x, weights, [1, 1, 1, 1], "VALID"), bias)


def _gated(tf, x, channels, size, name, beside=None):
    def both_signs(value):
        return tf.nn.elu(tf.concat([value, -value], 3))

    inner = _weight_normalized(tf, both_signs(x), channels, size, name + "/in")
    if beside is not None:
        inner += _weight_normalized(tf, both_signs(beside), channels, (1, 1), name + "/beside", pads=False)
    inner = tf.nn.dropout(both_signs(inner), 0.5)
    values, gates = tf.split(_weight_normalized(tf, inner, 2 * channels, size, name + "/out"), 2, 3)
    return x + values * tf.sigmoid(gates)


def _mixture_loss(tf, x, found):
    """The likelihood of levels of colour under mixtures of logistic distributions."""
    logits, means, scales = found[..., :3], found[..., 3:6], tf.maximum(found[..., 6:9], -7.0)
    centered, narrow = x[..., None] - means, tf.exp(-scales)
    upper, lower = (tf.sigmoid(narrow * (centered + edge)) for edge in (1 / 255, -1 / 255))
    inside = tf.log(tf.maximum(upper - lower, 1e-12))
    each = tf.where(tf.tile(x[..., None], [1, 1, 1, 1, 3]) < -0.999, tf.log(upper + 1e-12), inside)
    return -tf.reduce_mean(tf.reduce_logsumexp(each + tf.nn.log_softmax(logits), -1))


# ---- loops

@program("Tacotron, two lengths")
def tacotron(tf, width=64, bands=20):
    words, target = tf.placeholder(tf.int32, [4, None]), tf.placeholder(tf.float32, [4, None, bands])
    embedded = tf.nn.embedding_lookup(tf.get_variable("table", [50, width]), words)
    for size in (width, width // 2):
        embedded = tf.layers.dropout(tf.layers.dense(embedded, size, tf.nn.relu), 0.5, training=True)
    memory = _cbhg(tf, embedded, 8, width // 2, "encoder")
    steps = _decoded(tf, memory, target, width, bands)
    post = tf.layers.dense(_cbhg(tf, steps, 4, width // 2, "post"), 2 * bands)
    loss = tf.reduce_mean(tf.abs(steps - target)) + tf.reduce_mean(tf.abs(post - tf.concat([target, target], 2)))
    optimizer = tf.train.AdamOptimizer(1e-3)
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    with tf.control_dependencies(updates(tf)):
        train = optimizer.apply_gradients(zip(tf.clip_by_global_norm(gradients, 1.0)[0], variables))
    generator = np.random.RandomState(0)
    return [([train, loss], {words: generator.randint(0, 50, [4, length]), target: normal(4, 2 * length, bands)})
            for length in (12, 17)]


def _cbhg(tf, x, kernels, width, name):
    """A bank of convolutions, highway layers and a bidirectional GRU."""
    with tf.variable_scope(name):
        bank = tf.concat([_convolved(tf, x, width, size, tf.nn.relu) for size in range(1, kernels + 1)], 2)
        pooled = tf.layers.max_pooling1d(bank, 2, 1, "same")
        narrow = _convolved(tf, _convolved(tf, pooled, width, 3, tf.nn.relu), int(x.shape[2]), 3, None)
        hidden = tf.layers.dense(narrow + x, width)
        for _ in range(4):
            gate = tf.layers.dense(hidden, width, tf.sigmoid)
            hidden = tf.layers.dense(hidden, width, tf.nn.relu) * gate + hidden * (1 - gate)
        cells = [tf.nn.rnn_cell.GRUCell(width) for _ in range(2)]
        outputs, _ = tf.nn.bidirectional_dynamic_rnn(*cells, hidden, dtype=tf.float32)
    return tf.concat(outputs, 2)


def _convolved(tf, x, channels, size, activation):
    return tf.layers.batch_normalization(tf.layers.conv1d(x, channels, size, padding="same", activation=activation),
                                         training=True)


def _decoded(tf, memory, target, width, bands):
    """The frames that a decoder with attention predicts, each from the true one before."""
    keys = tf.layers.dense(memory, width, use_bias=False)
    attention, cells = tf.nn.rnn_cell.GRUCell(width), [tf.nn.rnn_cell.GRUCell(width) for _ in range(2)]
    score, count, batch = tf.get_variable("score", [width]), tf.shape(target)[1], 4
    given = tf.TensorArray(tf.float32, count).unstack(tf.transpose(target, [1, 0, 2]))

    def step(at, states, read, frames):
        before = tf.cond(at > 0, lambda: given.read(tf.maximum(at - 1, 0)), lambda: tf.zeros([batch, bands]))
        before = tf.layers.dense(before, width // 2, tf.nn.relu, name="before", reuse=tf.AUTO_REUSE)
        hidden, first = attention(tf.concat([before, read], 1), states[0])
        query = tf.layers.dense(hidden, width, use_bias=False, name="query", reuse=tf.AUTO_REUSE)
        weights = tf.nn.softmax(tf.reduce_sum(score * tf.tanh(keys + query[:, None]), 2))
        read = tf.reduce_sum(weights[..., None] * memory, 1)
        hidden = tf.layers.dense(tf.concat([hidden, read], 1), width, name="joined", reuse=tf.AUTO_REUSE)
        after = [first]
        for number, cell in enumerate(cells):
            with tf.variable_scope(f"cell{number}", reuse=tf.AUTO_REUSE):
                out, state = cell(hidden, states[number + 1])
            hidden, after = hidden + out, [*after, state]
        frame = tf.layers.dense(hidden, bands, name="frame", reuse=tf.AUTO_REUSE)
        return at + 1, tuple(after), read, frames.write(at, frame)

    start = (0, tuple(tf.zeros([batch, width]) for _ in range(3)), tf.zeros([batch, int(memory.shape[2])]),
             tf.TensorArray(tf.float32, count))
    frames = tf.while_loop(lambda at, *_: at < count, step, start)[-1].stack()
    frames.set_shape([None, batch, bands])
    return tf.transpose(frames, [1, 0, 2])


@program("DNC cell in dynamic_rnn")
def dnc(tf, cells=16, width=8, heads=2):
    """A controller with memory that it addresses by content, by usage, and by order of writing."""
    class Memory(tf.nn.rnn_cell.RNNCell):
        state_size = (32, 32, cells * width, cells, cells, cells * cells, cells, heads * cells, heads * width)
        output_size = 6
        controller = tf.nn.rnn_cell.LSTMCell(32)

        def call(self, inputs, states):
            c, h, memory, usage, order, links, wrote, looks, reads = states
            hidden, (c, h) = self.controller(tf.concat([inputs, reads], 1),
                                             tf.nn.rnn_cell.LSTMStateTuple(c, h))
            memory = tf.reshape(memory, [-1, cells, width])
            links = tf.reshape(links, [-1, cells, cells])
            looks = tf.reshape(looks, [-1, heads, cells])
            sizes = [width, width, width, 1, 1, 1, heads, heads * width, heads, 3 * heads]
            key, erased, added, strength, gate, share, free, keys, sharp, modes = tf.split(
                tf.layers.dense(hidden, sum(sizes), name="interface"), sizes, 1)
            kept = tf.reduce_prod(1 - tf.sigmoid(free)[..., None] * looks, 1)
            usage = (usage + wrote - usage * wrote) * kept
            wrote = self._written(memory, usage, key, strength, gate, share)
            memory = memory * (1 - wrote[..., None] * tf.sigmoid(erased)[:, None]) \
                + wrote[..., None] * tf.tanh(added)[:, None]
            links = (1 - wrote[:, :, None] - wrote[:, None]) * links + wrote[:, :, None] * order[:, None]
            links = links * (1 - tf.eye(cells))
            order = (1 - tf.reduce_sum(wrote, 1, keepdims=True)) * order + wrote
            looks = self._looked(memory, links, looks, keys, sharp, modes)
            reads = tf.matmul(looks, memory)
            flat = [tf.reshape(value, [-1, size]) for value, size in (
                (memory, cells * width), (links, cells * cells), (looks, heads * cells), (reads, heads * width))]
            out = tf.layers.dense(tf.concat([hidden, flat[3]], 1), 6, name="out")
            return out, (c, h, flat[0], usage, order, flat[1], wrote, flat[2], flat[3])

        def _written(self, memory, usage, key, strength, gate, share):
            by_content = self._found(memory, key[:, None], tf.nn.softplus(strength))[:, 0]
            descending, places = tf.nn.top_k(-usage, cells)
            by_usage = (1 + descending) * tf.cumprod(-descending, 1, exclusive=True)
            by_usage = tf.reduce_sum(tf.one_hot(places, cells) * by_usage[..., None], 1)
            share = tf.sigmoid(share)
            return tf.sigmoid(gate) * (share * by_usage + (1 - share) * by_content)

        def _looked(self, memory, links, looks, keys, sharp, modes):
            by_content = self._found(memory, tf.reshape(keys, [-1, heads, width]), tf.nn.softplus(sharp))
            after, before = tf.matmul(looks, links, transpose_b=True), tf.matmul(looks, links)
            modes = tf.nn.softmax(tf.reshape(modes, [-1, heads, 3]))
            return modes[..., 0:1] * before + modes[..., 1:2] * by_content + modes[..., 2:3] * after

        def _found(self, memory, keys, strengths):
            alike = tf.matmul(tf.nn.l2_normalize(keys, 2), tf.nn.l2_normalize(memory, 2), transpose_b=True)
            return tf.nn.softmax(alike * strengths[..., None])

    x, y = tf.placeholder(tf.float32, [8, 20, 6]), tf.placeholder(tf.float32, [8, 20, 6])
    cell = Memory()
    outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=outputs))
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 10.0)
    train = tf.train.RMSPropOptimizer(1e-4).apply_gradients(zip(gradients, variables))
    return [([train, loss], {x: normal(8, 20, 6), y: np.abs(normal(8, 20, 6))})]


@program("LFADS, unrolled over 40 steps")
def lfads(tf, steps=40, neurons=20, width=32):
    """Encoders in both directions, a controller and a generator, all unrolled; distributions, clipping, Adam."""
    x = tf.placeholder(tf.float32, [8, steps, neurons])
    inputs = tf.unstack(x, axis=1)

    def encoded(name, values):
        cell, state, states = tf.nn.rnn_cell.GRUCell(width, name=name), tf.zeros([8, width]), []
        for value in values:
            _, state = cell(tf.nn.dropout(value, 0.9), state)
            states.append(state)
        return states

    forward, backward = encoded("forward", inputs), encoded("backward", inputs[::-1])[::-1]
    mean, spread = tf.split(tf.layers.dense(tf.concat([forward[-1], backward[0]], 1), 32), 2, 1)
    divergence = [_divergence(tf, mean, spread)]
    state = tf.layers.dense(mean + tf.exp(0.5 * spread) * tf.random_normal([8, 16]), width)
    controller, generator = (tf.nn.rnn_cell.GRUCell(width, name=name) for name in ("controller", "generator"))
    control, factors, likelihood = tf.zeros([8, width]), tf.zeros([8, 6]), []
    for at in range(steps):
        _, control = controller(tf.concat([forward[at], backward[at], factors], 1), control)
        mean, spread = tf.split(tf.layers.dense(control, 8, name="inferred", reuse=tf.AUTO_REUSE), 2, 1)
        divergence.append(_divergence(tf, mean, spread))
        _, state = generator(mean + tf.exp(0.5 * spread) * tf.random_normal([8, 4]), state)
        factors = tf.layers.dense(state, 6, name="factors", reuse=tf.AUTO_REUSE)
        rates = tf.layers.dense(factors, neurons, name="rates", reuse=tf.AUTO_REUSE)
        likelihood.append(tf.reduce_sum(inputs[at] * rates - tf.exp(rates), 1))
    weight = tf.get_variable("weight", [], trainable=False)
    loss = tf.reduce_mean(weight * tf.add_n(divergence) - tf.add_n(likelihood))
    variables = tf.trainable_variables()
    gradients, norm = tf.clip_by_global_norm(tf.gradients(loss, variables), 200.0)
    train = tf.train.AdamOptimizer(1e-3).apply_gradients(zip(gradients, variables))
    return [([train, loss, norm], {x: np.abs(normal(8, steps, neurons))})]


def _divergence(tf, mean, spread):
    """Of a normal distribution from the standard one."""
    return 0.5 * tf.reduce_sum(tf.exp(spread) + tf.square(mean) - 1 - spread, 1)


@program("MAML, three fetch lists")
def maml(tf, updates_inside=3, width=16):
    """Gradients of losses after gradient steps, over a batch of tasks by map_fn (Finn et al., 2017)."""
    xs, ys = tf.placeholder(tf.float32, [4, 10, 8, 8, 1]), tf.placeholder(tf.float32, [4, 10, 5])
    weights = {f"conv{at}": tf.get_variable(f"conv{at}", [3, 3, 1 if at == 0 else width, width]) for at in range(3)}
    weights |= {f"bias{at}": tf.get_variable(f"bias{at}", [width]) for at in range(3)}
    weights |= {"out": tf.get_variable("out", [width, 5])}

    def forward(x, given):
        for at in range(3):
            x = tf.nn.conv2d(x, given[f"conv{at}"], [1, 2, 2, 1], "SAME") + given[f"bias{at}"]
            mean, variance = tf.nn.moments(x, [0, 1, 2])
            x = tf.nn.relu((x - mean) * tf.rsqrt(variance + 1e-3))
        return tf.matmul(tf.reduce_mean(x, [1, 2]), given["out"])

    def loss_of(x, y, given):
        return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=forward(x, given)))

    def task(given):
        x, y = given
        fast, losses = dict(weights), [loss_of(x[:5], y[:5], weights)]
        for _ in range(updates_inside):
            slopes = tf.gradients(loss_of(x[:5], y[:5], fast), list(fast.values()))
            fast = {name: fast[name] - 0.01 * slope for name, slope in zip(fast, slopes)}
            losses.append(loss_of(x[5:], y[5:], fast))
        return losses

    losses = [tf.reduce_mean(each) for each in tf.map_fn(task, (xs, ys), [tf.float32] * (1 + updates_inside),
                                                         parallel_iterations=4)]
    optimizer = tf.train.AdamOptimizer(1e-3)
    train = optimizer.apply_gradients([(tf.clip_by_value(slope, -10.0, 10.0), variable)
                                       for slope, variable in optimizer.compute_gradients(losses[-1])])
    summary = tf.summary.merge([tf.summary.scalar(f"loss{at}", each) for at, each in enumerate(losses)])
    feeds = {xs: normal(4, 10, 8, 8, 1), ys: np.eye(5, dtype=np.float32)[np.arange(40).reshape(4, 10) % 5]}
    return [([train], feeds), ([train, losses[0], losses[-1]], feeds), ([train, summary, losses[0], losses[-1]], feeds)]
