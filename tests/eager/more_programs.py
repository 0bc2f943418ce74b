"""More programs with eager execution that run in TensorFlow as here; see programs.py."""

import numpy as np

from tests.eager.programs import program


def _bowl(tf):
    """A variable, and a loss of it."""
    w = tf.Variable([[0.5, -1.0], [2.0, 0.25]])
    return w, lambda: tf.reduce_sum(tf.square(tf.matmul(w, [[1.0], [-2.0]]) - [[1.0], [3.0]]))


def _minimized(tf, optimizer, steps=3):
    w, loss = _bowl(tf)
    found = []
    for _ in range(steps):
        optimizer.minimize(loss, var_list=[w])
        found += [w.numpy(), loss()]
    return found


def _rows(tf, optimizer):
    """Steps on rows of a table."""
    table = tf.Variable(np.arange(12.0).reshape(4, 3).astype("f"))
    for ids in ([0, 2], [2, 2], [3, 0]):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, ids) ** 2.0)
        optimizer.apply_gradients([(tape.gradient(loss, table), table)])
    return [table.numpy()]


# ---- tensors


@program
def comparisons_and_logic(tf):
    x, y = tf.constant([1, 2, 3]), tf.constant([3, 2, 1])
    return [x < y, x <= y, tf.equal(x, y), tf.not_equal(x, y), tf.logical_and(x > 1, y > 1), tf.reduce_any(x > 2),
            tf.reduce_all(x > 0), tf.where(x > 1, x, y), tf.where(x > 1), bool(tf.reduce_any(tf.equal(x, y)))]


@program
def casts(tf):
    x = tf.constant([1.7, -2.3, 300.0])
    return [tf.cast(x, kind) for kind in (tf.int32, tf.int64, tf.float64, tf.bool, tf.float16)] + [
        tf.saturate_cast(x, tf.uint8), tf.bitcast(x, tf.int32), tf.cast(tf.constant([True, False]), tf.float32)]


@program
def python_values_of_tensors(tf):
    x = tf.constant([[1.5, 2.5]])
    return [float(x[0, 0]), int(tf.constant(7)), [0, 1, 2, 3][tf.constant(2)], len(x), x.shape.as_list(), x.ndim,
            float(sum(x[0])), list(map(float, x[0])), max(float(v) for v in x[0]), round(float(x[0, 1]), 1),
            f"{x[0, 0]:.2f}" == "1.50", x.numpy().tolist(), tf.constant(b"ab").numpy() == b"ab"]


@program
def gathered_and_scattered(tf):
    x = tf.reshape(tf.range(12.0), [3, 4])
    return [tf.gather(x, [2, 0]), tf.gather(x, [1, 3], axis=1), tf.gather_nd(x, [[0, 1], [2, 3]]),
            tf.scatter_nd([[1], [3]], [5.0, 6.0], [5]), tf.tensor_scatter_add(x, [[0]], [[1.0] * 4]),
            tf.boolean_mask(x, [True, False, True]), tf.one_hot([1, 0], 3), tf.unsorted_segment_sum(x, [1, 0, 1], 2)]


@program
def reductions(tf):
    x = tf.constant([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]])
    return [tf.reduce_mean(x, 0), tf.reduce_max(x, 1, keepdims=True), tf.reduce_prod(x), tf.argmax(x, 1),
            tf.cumsum(x, 1), tf.nn.moments(x, [0])[1], tf.reduce_logsumexp(x), tf.norm(x), tf.math.top_k(x, 2)[0],
            tf.math.l2_normalize(x, 1), tf.math.reduce_std(x)]


@program
def strings(tf):
    words = tf.constant(["apple pie", "banana", ""])
    return [tf.strings.length(words), tf.strings.to_hash_bucket_fast(words, 100), tf.string_split(words).dense_shape,
            tf.strings.to_number(["1", "2.5"]), tf.strings.regex_full_match(words, ".*an.*"),
            tf.cast(tf.equal(tf.strings.substr(words, 0, 1), ["a", "b", ""]), tf.int32)]


@program
def linear_algebra(tf):
    m = tf.constant([[4.0, 1.0], [1.0, 3.0]])
    return [tf.linalg.inv(m), tf.linalg.det(m), tf.cholesky(m), tf.matrix_solve(m, [[1.0], [2.0]]), tf.trace(m),
            tf.linalg.eigvalsh(m),
            tf.einsum("ij,kj->ik", m, m), tf.tensordot(m, m, 1), tf.matrix_band_part(m, 0, 0), tf.eye(2)]


@program
def ragged_tensors(tf):
    rows = tf.ragged.constant([[1.0], [], [2.0, 3.0]])
    return [rows.to_tensor(), rows.row_lengths(), tf.reduce_sum(rows, axis=1), (rows * 2.0).flat_values,
            tf.concat([rows, rows], 1).to_tensor(), rows[2], tf.gather(rows, [2, 0]).to_tensor()]


@program
def images(tf):
    image = tf.reshape(tf.range(48.0), [4, 4, 3]) / 48.0
    return [tf.image.flip_left_right(image), tf.image.rgb_to_grayscale(image), tf.image.central_crop(image, 0.5),
            tf.image.adjust_brightness(image, 0.1), tf.image.resize_bilinear(image[None], [2, 2]),
            tf.image.per_image_standardization(image), tf.image.pad_to_bounding_box(image, 1, 0, 6, 4)]


@program
def convolutions(tf):
    x, kernel = tf.reshape(tf.range(32.0), [1, 4, 4, 2]) * 0.1, tf.reshape(tf.range(36.0), [3, 3, 2, 2]) * 0.01
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, kernel])
        y = tf.nn.conv2d(x, kernel, [1, 1, 1, 1], "SAME")
        z = tf.nn.max_pool(y, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    return [y, z, *tape.gradient(z, [x, kernel]), tape.gradient(tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID"),
                                                                kernel) is None]


# ---- random numbers


@program
def random_distributions(tf):
    tf.set_random_seed(11)
    return [tf.random_normal([2, 2], 1.0, 3.0), tf.random.uniform([3], -1.0, 1.0), tf.random_poisson(3.0, [4], seed=2),
            tf.random.categorical([[0.2, 0.5, 0.3]], 6), tf.random.stateless_normal([3], [1, 2]),
            tf.random.stateless_uniform([2], [3, 4], 0, 10, tf.int32), tf.random.truncated_normal([4], stddev=2.0)]


@program
def random_seeds_start_anew(tf):
    found = []
    for seed in (1, 2, 1):
        tf.set_random_seed(seed)
        found += [tf.random_uniform([2]), tf.random_uniform([2]), tf.random_normal([2], seed=9)]
    return found


@program
def dropout_and_shuffles(tf):
    tf.set_random_seed(6)
    x = tf.ones([4, 5])
    return [tf.nn.dropout(x, rate=0.4), tf.nn.dropout(x, rate=0.4), tf.random_shuffle(tf.range(10)),
            tf.random_crop(tf.reshape(tf.range(16), [4, 4]), [2, 2]), tf.nn.dropout(x, rate=0.0)]


@program
def initializers(tf):
    tf.set_random_seed(21)
    made = [tf.glorot_uniform_initializer(seed=1), tf.truncated_normal_initializer(seed=2), tf.zeros_initializer(),
            tf.variance_scaling_initializer(seed=3), tf.random_uniform_initializer(-1, 1, seed=4),
            tf.orthogonal_initializer(seed=5), tf.constant_initializer(2.5), tf.initializers.identity()]
    return [each([3, 3], tf.float32) for each in made]


# ---- gradients


@program
def gradients_of_norms(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        targets = [tf.norm(x), tf.linalg.det(x), tf.reduce_sum(tf.linalg.inv(x)), tf.reduce_logsumexp(x),
                   tf.reduce_sum(tf.cumsum(x, 0) ** 2), tf.reduce_sum(tf.nn.softplus(x)), tf.reduce_sum(tf.erf(x))]
    return [tape.gradient(target, x) for target in targets]


@program
def gradients_by_structures(tf):
    parts = {"a": tf.Variable(2.0), "b": [tf.Variable([1.0, 3.0]), tf.Variable(0.5)]}
    with tf.GradientTape() as tape:
        loss = parts["a"] * tf.reduce_sum(parts["b"][0]) + parts["b"][1] ** 3.0
    found = tape.gradient(loss, parts)
    return [found["a"], *found["b"]]


@program
def tapes_that_are_reset(tf):
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        tape.watch(x)
        z = x * x * x
    return [tape.gradient(z, x), float(tape.gradient(y, x) is None)]


@program
def tapes_without_variables(tf):
    v, w = tf.Variable(2.0), tf.Variable(5.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(v)
        y = v * w
    return [tape.gradient(y, v), len(tape.watched_variables())]


@program
def hessian_by_tapes(tf):
    x = tf.Variable([1.0, 2.0, 0.5])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(x ** 3.0) + x[0] * x[1] * x[2]
        slope = inner.gradient(y, x)
    return [slope, outer.jacobian(slope, x)]


@program
def jacobians_of_layers(tf):
    layer = tf.keras.layers.Dense(2, activation="tanh", kernel_initializer=tf.ones_initializer())
    x = tf.constant([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = layer(x)
    return [tape.batch_jacobian(y, x), tape.jacobian(y, layer.kernel)]


@program
def directional_derivatives(tf):
    x, direction = tf.constant([1.0, 2.0]), tf.constant([0.5, -1.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(tf.exp(x) * x[::-1])
        slope = tf.reduce_sum(inner.gradient(y, x) * direction)
    return [slope, outer.gradient(slope, x)]


@program
def gradients_are_clipped(tf):
    w = tf.Variable([3.0, -4.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w ** 2)
    (gradient,) = tape.gradient(loss, [w])
    clipped, norm = tf.clip_by_global_norm([gradient, tf.constant([1.0])], 5.0)
    return [*clipped, norm, tf.clip_by_norm(gradient, 2.0), tf.clip_by_value(gradient, -1.0, 1.0)]


@program
def custom_gradients_with_variables(tf):
    scale = tf.Variable(2.0, use_resource=True)

    @tf.custom_gradient
    def scaled(x):
        result = x * scale

        def backward(dy, variables=None):
            return dy * 10.0, [tf.reduce_sum(dy * x) * 100.0 for _ in variables]

        return result, backward

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = scaled(x)
    return tape.gradient(y, [x, scale])


@program
def custom_gradients_of_custom_gradients(tf):
    @tf.custom_gradient
    def cubed(x):
        def backward(dy):
            return dy * 3.0 * x * x

        return x ** 3.0, backward

    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = cubed(x)
        slope = inner.gradient(y, x)
    return [y, slope, outer.gradient(slope, x)]


@program
def gradients_of_python_functions(tf):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.py_function(lambda a: a * a * a, [x], tf.float32)
        a, b = tf.py_function(lambda a: [a + 1.0, tf.exp(a)], [x], [tf.float32, tf.float32])
        z = a * b
    return [tape.gradient(y, x), tape.gradient(z, x)]


@program
def gradients_of_gathers_in_loops(tf):
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        total = tf.constant(0.0)
        for place in (0, 2, 0):
            total += tf.reduce_sum(tf.nn.embedding_lookup(table, [place]) ** 2.0)
    return [tf.convert_to_tensor(tape.gradient(total, table))]


@program
def gradients_of_scans(tf):
    x = tf.constant([0.5, 1.5, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.scan(lambda a, b: a * b + 1.0, x)
        z = tf.foldl(lambda a, b: tf.sin(a) + b, x)
    return [tape.gradient(y, x), tape.gradient(z, x)]


@program
def complex_gradients(tf):
    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.abs(tf.signal.rfft(x)) ** 2.0)
    return [y, tape.gradient(y, x)]


# ---- variables


@program
def scattered_assignments(tf):
    v = tf.Variable([1.0, 2.0, 3.0, 4.0])
    slices = tf.IndexedSlices(tf.constant([10.0, 20.0]), tf.constant([0, 2]))
    found = []
    for method in (v.scatter_add, v.scatter_sub, v.scatter_update, v.scatter_mul, v.scatter_max, v.scatter_min):
        method(slices)
        found.append(v.numpy())
    v.scatter_nd_add([[1]], [5.0])
    v[1:3].assign([0.0, 0.5])
    return [*found, v.numpy(), v.sparse_read([3, 0])]


@program
def variables_in_expressions(tf):
    v, i = tf.Variable([1.0, 2.0]), tf.Variable(3)
    total = v.assign_add([1.0, 1.0])
    return [v + 1.0, 2.0 * v, -v, v[0], v ** 2.0, tf.reduce_sum(v), total.read_value(), i + 1, v.shape.as_list(),
            float(v[1]), int(i), tf.stack([v, v]), tf.matmul([v], [[1.0], [1.0]])]


@program
def counters(tf):
    step = tf.train.get_or_create_global_step()
    step.assign(0)
    found = []
    for _ in range(3):
        step.assign_add(2)
        found.append(step.numpy())
    return found


@program
def moving_averages(tf):
    v, average = tf.Variable(1.0), tf.train.ExponentialMovingAverage(0.9)
    average.apply([v])
    found = []
    for value in (2.0, 4.0):
        v.assign(value)
        average.apply([v])
        found.append(average.average(v).numpy())
    return found


@program
def modules(tf):
    class Affine(tf.Module):
        def __init__(self, name=None):
            super().__init__(name=name)
            self.w, self.b = tf.Variable([[2.0]], name="w"), tf.Variable([1.0], name="b", trainable=False)
            self.inside = []

        def __call__(self, x):
            return tf.matmul(x, self.w) + self.b

    outer = Affine()
    outer.inside = [Affine("one"), {"x": Affine("two")}]
    return [len(outer.variables), len(outer.trainable_variables), len(outer.submodules), outer([[3.0]]),
            [v.name for v in outer.variables].index("w:0")]


# ---- training


@program
def adadelta(tf):
    return _minimized(tf, tf.train.AdadeltaOptimizer(1.0))


@program
def proximal(tf):
    return _minimized(tf, tf.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.01))


@program
def proximal_descent(tf):
    return _minimized(tf, tf.train.ProximalGradientDescentOptimizer(0.01, l2_regularization_strength=0.1))


@program
def nesterov(tf):
    return _minimized(tf, tf.train.MomentumOptimizer(0.01, 0.9, use_nesterov=True))


@program
def centered_rmsprop(tf):
    return _minimized(tf, tf.train.RMSPropOptimizer(0.05, momentum=0.5, centered=True))


@program
def adam_on_rows(tf):
    return _rows(tf, tf.train.AdamOptimizer(0.1))


@program
def momentum_on_rows(tf):
    return _rows(tf, tf.train.MomentumOptimizer(0.1, 0.9))


@program
def adagrad_on_rows(tf):
    return _rows(tf, tf.train.AdagradOptimizer(0.1))


@program
def keras_optimizers(tf):
    found = []
    for made in (tf.keras.optimizers.SGD(0.01, momentum=0.9), tf.keras.optimizers.Adam(0.1),
                 tf.keras.optimizers.RMSprop(0.05), tf.keras.optimizers.Adagrad(0.1)):
        w, loss = _bowl(tf)
        for _ in range(3):
            with tf.GradientTape() as tape:
                value = loss()
            made.apply_gradients([(tape.gradient(value, w), w)])
        found.append(w.numpy())
    return found


@program
def schedules(tf):
    step = tf.Variable(0)
    made = [tf.train.piecewise_constant(step, [2, 4], [1.0, 0.5, 0.1]), tf.train.cosine_decay(0.1, step, 5),
            tf.train.polynomial_decay(0.1, step, 5), tf.train.inverse_time_decay(0.1, step, 2, 0.5),
            tf.train.natural_exp_decay(0.1, step, 2, 0.5)]
    found = []
    for value in (0, 2, 3, 6):
        step.assign(value)
        found += [each() for each in made]
    return found


@program
def regularized_layers(tf):
    layer = tf.keras.layers.Dense(2, kernel_regularizer=tf.keras.regularizers.l2(0.1),
                                  kernel_initializer=tf.ones_initializer())
    x = tf.ones([2, 3])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(x)) + tf.add_n(layer.losses)
    return [loss, *tape.gradient(loss, layer.trainable_variables)]


# ---- layers and models


def _filled(tf, value=0.1):
    return tf.constant_initializer(value)


@program
def more_layers(tf):
    x = tf.reshape(tf.range(48.0), [2, 4, 3, 2]) * 0.1
    return [tf.layers.Flatten()(x), tf.layers.MaxPooling2D(2, 1)(x), tf.layers.AveragePooling2D(2, 2)(x),
            tf.layers.Conv2DTranspose(3, 2, kernel_initializer=_filled(tf))(x),
            tf.layers.SeparableConv2D(3, 2, depthwise_initializer=_filled(tf), pointwise_initializer=_filled(tf))(x),
            tf.layers.Conv1D(2, 2, kernel_initializer=_filled(tf))(x[:, 0]), tf.layers.Dropout(0.5)(x, training=False)]


@program
def keras_layers(tf):
    keras = tf.keras.layers
    x = tf.reshape(tf.range(24.0), [2, 4, 3]) * 0.1
    return [keras.GlobalAveragePooling1D()(x), keras.Permute([2, 1])(x), keras.Reshape([6, 2])(x),
            keras.RepeatVector(2)(x[:, 0]), keras.Add()([x, x]), keras.Concatenate()([x, x]), keras.Dot(2)([x, x]),
            keras.LeakyReLU(0.1)(x - 1.0), keras.ELU()(x - 1.0), keras.Softmax()(x), keras.ZeroPadding1D(1)(x),
            keras.Embedding(4, 2, embeddings_initializer=_filled(tf))(tf.constant([[1, 3]])),
            keras.TimeDistributed(keras.Dense(2, kernel_initializer=_filled(tf)))(x)]


@program
def keras_recurrent_layers(tf):
    keras = tf.keras.layers
    x = tf.reshape(tf.range(12.0), [2, 3, 2]) * 0.1
    given = {"kernel_initializer": _filled(tf), "recurrent_initializer": _filled(tf, 0.2)}
    found = []
    for made in (keras.SimpleRNN(3, **given), keras.LSTM(3, **given), keras.GRU(3, return_sequences=True, **given)):
        with tf.GradientTape() as tape:
            y = made(x)
            loss = tf.reduce_sum(y ** 2)
        found += [y, tape.gradient(loss, made.trainable_variables[0])]
    return found


@program
def normalizations(tf):
    x = tf.reshape(tf.range(12.0), [4, 3])
    norm = tf.keras.layers.BatchNormalization()
    found = [norm(x, training=True), norm(x, training=False)]
    return [*found, norm.moving_mean.numpy(), norm.moving_variance.numpy(), tf.keras.layers.LayerNormalization()(x),
            tf.nn.local_response_normalization(tf.reshape(x, [1, 2, 2, 3]))]


@program
def cells_by_hand(tf):
    x = tf.constant([[0.1, 0.2], [0.3, -0.4]])
    found = []
    for made in (tf.nn.rnn_cell.BasicLSTMCell(2), tf.nn.rnn_cell.GRUCell(2), tf.nn.rnn_cell.BasicRNNCell(2)):
        state = made.zero_state(2, tf.float32)
        y, state = made(x, state)
        for v in made.variables:
            v.assign(tf.ones_like(v) * 0.1)
        for _ in range(2):
            y, state = made(x, state)
        found.append(y)
    return found


@program
def stacked_cells(tf):
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(2), tf.nn.rnn_cell.GRUCell(2)])
    x = tf.reshape(tf.range(12.0), [2, 3, 2]) * 0.1
    cell(x[:, 0], cell.zero_state(2, tf.float32))
    for v in cell.variables:
        v.assign(tf.ones_like(v) * 0.2)
    state = cell.zero_state(2, tf.float32)
    with tf.GradientTape() as tape:
        for step in range(3):
            y, state = cell(x[:, step], state)
        loss = tf.reduce_sum(y)
    return [y, *tape.gradient(loss, cell.trainable_variables)]


@program
def keras_metrics(tf):
    accuracy, mean = tf.keras.metrics.SparseCategoricalAccuracy(), tf.keras.metrics.Mean()
    found = []
    for labels, scores in (([1, 0], [[0.1, 0.9], [0.8, 0.2]]), ([1, 1], [[0.6, 0.4], [0.2, 0.8]])):
        accuracy.update_state(tf.constant(labels), tf.constant(scores))
        mean.update_state(tf.constant(scores))
        found += [accuracy.result(), mean.result()]
    mean.reset_states()
    squares = tf.keras.metrics.MeanSquaredError()
    return [*found, mean.result(), squares(tf.constant([1.0, 2.0]), tf.constant([1.5, 2.0])),
            tf.keras.metrics.AUC(num_thresholds=20)(tf.constant([0, 1, 1]), tf.constant([0.2, 0.6, 0.3])),
            tf.keras.metrics.Precision()(tf.constant([0, 1, 1]), tf.constant([0.9, 0.6, 0.3]))]


@program
def keras_losses(tf):
    labels, scores = tf.constant([[0.0, 1.0], [1.0, 0.0]]), tf.constant([[0.2, 0.7], [0.6, 0.3]])
    made = [tf.keras.losses.MeanSquaredError(), tf.keras.losses.BinaryCrossentropy(), tf.keras.losses.Huber(),
            tf.keras.losses.CategoricalCrossentropy(), tf.keras.losses.MeanAbsoluteError(), tf.keras.losses.Hinge(),
            tf.keras.losses.KLDivergence(), tf.keras.losses.CosineSimilarity(), tf.keras.losses.Poisson()]
    return [each(labels, scores) for each in made]


@program
def templates(tf):
    def scaled(x):
        w = tf.get_variable("w", shape=[2], initializer=tf.constant_initializer(3.0))
        return x * w

    shared = tf.make_template("shared_scale", scaled)
    first = shared(tf.constant([1.0, 2.0]))
    shared.variables[0].assign([1.0, -1.0])
    return [first, shared(tf.constant([1.0, 2.0])), len(shared.trainable_variables)]


# ---- data, files


@program
def pipelines(tf):
    numbers = tf.data.Dataset.range(10)
    made = [numbers.filter(lambda x: x % 3 > 0).batch(2), numbers.window(4, drop_remainder=True).flat_map(
        lambda w: w.batch(4)), numbers.take(3).interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(2), 2),
        numbers.skip(7).batch(2), numbers.enumerate().take(2).map(lambda i, x: i * x), numbers.shard(3, 1),
        numbers.batch(4).unbatch().take(2)]
    return [element for each in made for element in each] + [
        numbers.reduce(tf.constant(0, tf.int64), lambda a, b: a + b)]


@program
def generators(tf):
    def elements():
        for i in range(3):
            yield i, [float(i)] * i

    shapes = (tf.TensorShape([]), tf.TensorShape([None]))
    made = tf.data.Dataset.from_generator(elements, (tf.int32, tf.float32), shapes)
    return [part for element in made.padded_batch(3, ([], [None])) for part in element]


@program
def checkpoints(tf):
    import tempfile

    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(2, kernel_initializer=_filled(tf, 0.3))

        def call(self, inputs):
            return self.dense(inputs)

    x, net, optimizer = tf.ones([1, 2]), Net(), tf.train.AdamOptimizer(0.1)
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(net(x) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    path = tf.train.Checkpoint(net=net, optimizer=optimizer).save(f"{tempfile.mkdtemp()}/c")
    again, other = Net(), tf.train.AdamOptimizer(0.1)
    tf.train.Checkpoint(net=again, optimizer=other).restore(path)
    found = [net(x), again(x)]
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(again(x) ** 2)
    other.apply_gradients(zip(tape.gradient(loss, again.trainable_variables), again.trainable_variables))
    return [*found, *(v.numpy() for v in again.trainable_variables)]


@program
def checkpoints_of_lists(tf):
    import tempfile

    made = tf.train.Checkpoint(parts=[tf.Variable(1.0), {"k": tf.Variable([2.0, 3.0])}])
    path = made.write(f"{tempfile.mkdtemp()}/c")
    made.parts[0].assign(9.0)
    made.parts[1]["k"].assign([9.0, 9.0])
    made.restore(path)
    return [made.parts[0].numpy(), made.parts[1]["k"].numpy(), len(tf.train.list_variables(path))]


@program
def records(tf):
    import tempfile

    path = f"{tempfile.mkdtemp()}/r"
    with tf.io.TFRecordWriter(path) as writer:
        for i in range(3):
            feature = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=[i, i + 0.5]))}
            writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
    spec = {"x": tf.io.FixedLenFeature([2], tf.float32)}
    return list(tf.data.TFRecordDataset(path).map(lambda r: tf.io.parse_single_example(r, spec)["x"]).batch(2))


@program
def lookup_tables(tf):
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    words = tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64)), 2)
    return [table.lookup(tf.constant(["b", "z"])), table.size(), words.lookup(tf.constant(["a", "z", "q"]))]


# ---- functions


@program
def functions_of_modules(tf):
    class Scale(tf.Module):
        def __init__(self, by):
            super().__init__()
            self.by = tf.Variable(by)

        @tf.function(autograph=False)
        def __call__(self, x):
            return x * self.by

    two, three = Scale(2.0), Scale(3.0)
    x = tf.constant(4.0)
    with tf.GradientTape() as tape:
        y = two(x) * three(x)
    two.by.assign(10.0)
    return [y, *tape.gradient(y, [two.by, three.by]), two(x)]


@program
def functions_of_variables(tf):
    @tf.function(autograph=False)
    def swapped(a, b):
        kept = a.read_value()
        a.assign(b)
        b.assign(kept)
        return a * 2.0 + b

    one, two = tf.Variable(1.0), tf.Variable(5.0)
    with tf.GradientTape() as tape:
        y = swapped(one, two)
    found = tape.gradient(y, [one, two])
    return [y, one.numpy(), two.numpy(), swapped(two, one), *(float(g is not None) for g in found)]


@program
def functions_of_sparse_tensors(tf):
    @tf.function(autograph=False)
    def doubled(s):
        return tf.SparseTensor(s.indices, s.values * 2.0, s.dense_shape), tf.sparse.reduce_sum(s)

    made, total = doubled(tf.SparseTensor([[0, 1]], [3.0], [2, 2]))
    return [tf.sparse.to_dense(made), total]


@program
def recursive_functions(tf):
    @tf.function(autograph=False)
    def power(x, n):
        return x * power(x, n - 1) if n else tf.ones_like(x)

    x = tf.constant(1.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = power(x, 4)
    return [y, tape.gradient(y, x), power(x, 2)]


@program
def structured_functions(tf):
    @tf.function(autograph=False)
    def both(parts, scale=2.0):
        return {"sum": parts["a"] + parts["b"][0], "scaled": [p * scale for p in parts["b"]], "none": None}

    found = both({"a": tf.constant(1.0), "b": (tf.constant(2.0), tf.constant(3.0))})
    concrete = both.get_concrete_function({"a": tf.TensorSpec([]), "b": (tf.TensorSpec([None]), tf.TensorSpec([]))})
    return [found["sum"], *found["scaled"], float(found["none"] is None), len(concrete.inputs), len(concrete.outputs)]


@program
def random_numbers_in_functions(tf):
    @tf.function(autograph=False)
    def draw():
        return tf.random_uniform([2], seed=3), tf.random.stateless_normal([2], [1, 2])

    tf.set_random_seed(4)
    return [*draw(), *draw()]


@program
def persistent_tapes_over_functions(tf):
    w = tf.Variable([1.0, 2.0])
    f = tf.function(lambda x: (tf.reduce_sum(w * x), tf.reduce_prod(w)), autograph=False)
    with tf.GradientTape(persistent=True) as tape:
        a, b = f(tf.constant([3.0, 4.0]))
        c = a * b
    return [tape.gradient(a, w), tape.gradient(b, w), tape.gradient(c, w)]


@program
def jacobians_of_functions(tf):
    f = tf.function(lambda x: tf.stack([x[0] * x[1], x[0] ** 2.0, tf.exp(x[1])]), autograph=False)
    x = tf.constant([2.0, 0.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return [tape.jacobian(y, x)]


@program
def functions_over_datasets(tf):
    total = tf.Variable(0, dtype=tf.int64)

    @tf.function(autograph=False)
    def add(x):
        total.assign_add(tf.reduce_sum(x))
        return total.read_value()

    return [add(x) for x in tf.data.Dataset.range(6).batch(2)]


@program
def generators_with_state(tf):
    made = tf.random.experimental.Generator.from_seed(7)
    found = [made.normal([3], 1.0, 2.0), made.uniform([3]), made.uniform([2], 0, 10, tf.int32), made.state.numpy(),
             made.truncated_normal([2]), made.uniform_full_int([2], tf.int32), made.uniform([2], -1.0, 1.0, tf.float64)]
    made.skip(5)
    found += [made.state.numpy(), made.make_seeds(2), *(each.normal([2]) for each in made.split(2)), made.state.numpy()]
    made.reset_from_key_counter(5, [6, 7])
    again = tf.random.experimental.Generator(copy_from=made)
    draw = tf.function(lambda: made.uniform([2]), autograph=False)
    return [*found, draw(), draw(), again.uniform([2]), made.state.numpy(), made.key,
            tf.random.experimental.create_rng_state([1, 2], 1)]
