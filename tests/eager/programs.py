"""Programs with eager execution that run in TensorFlow as here: each takes the package and gives tensors or numbers.

more_programs.py has more of them.
"""

import numpy as np

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


# ---- tensors

@program
def operators(tf):
    x, y = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[2.0, 0.5], [1.0, -1.0]])
    i, j = tf.constant([7, -7, 5]), tf.constant([2, 2, -3])
    return [x + y, x - y, x * y, x / y, x ** 2.0, x @ y, -x, abs(y), x > y, i // j, i % j, i / j, 3 - i, 2.0 ** x,
            tf.constant([True, False]) & tf.constant([True, True]), ~tf.constant([True, False])]


@program
def slices(tf):
    x = tf.reshape(tf.range(24), [2, 3, 4])
    return [x[0], x[:, 1], x[..., -1], x[1, ::-1, 1:3], x[:, tf.newaxis, 0], x[tf.constant(1), 2], *list(x[0]),
            len(x), int(x[1, 2, 3]), float(x[0, 0, 1]), bool(x[0, 0, 0] > 3), list(range(5))[x[0, 0, 2]]]


@program
def arrays_both_ways(tf):
    x = tf.constant(np.arange(6.0).reshape(2, 3))
    return [np.asarray(x) + 1.0, np.sum(x), x + np.ones(3), np.float64(2.0) * x, tf.reduce_sum(np.ones([2, 2])),
            x.numpy()[0], tf.constant(x, tf.float64)]


@program
def strings_and_sparse(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [3.0, 4.0], [2, 2])
    return [tf.strings.length(["a", "bcd"]), tf.sparse.to_dense(sparse), tf.sparse.reduce_sum(sparse, 1),
            tf.sparse_tensor_dense_matmul(sparse, [[1.0], [2.0]]), tf.string_to_number(["1.5", "2"])]


@program
def random_numbers(tf):
    tf.set_random_seed(7)
    first = [tf.random_uniform([3]), tf.random_normal([2]), tf.random_uniform([2], 0, 100, tf.int32),
             tf.random_normal([2], seed=5), tf.random_normal([2], seed=5), tf.truncated_normal([3]),
             tf.multinomial([[0.1, 0.9]], 5), tf.random_shuffle([1, 2, 3, 4, 5])]
    tf.set_random_seed(7)
    return [*first, tf.random_uniform([3]), tf.random_normal([2])]


@program
def random_numbers_of_op_seeds(tf):
    tf.set_random_seed(3)
    draw = lambda: tf.random_uniform([2], seed=11)
    return [draw(), draw(), tf.nn.dropout(tf.ones([8]), rate=0.5, seed=2), tf.random_gamma([2], 2.0, seed=4)]


@program
def control_flow_in_python(tf):
    x = tf.constant(2.0)
    steps = tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s * x), [0, tf.constant(1.0)])
    limited = tf.while_loop(lambda i: True, lambda i: i + 2, [0], maximum_iterations=3)
    chosen = tf.case([(x > 3.0, lambda: x), (x > 1.0, lambda: x * 10.0)], default=lambda: x - 1.0)
    return [tf.cond(x > 1.0, lambda: x + 1.0, lambda: x - 1.0), *steps, limited, chosen,
            tf.map_fn(lambda row: row * row, tf.constant([1.0, 2.0, 3.0])),
            tf.scan(lambda a, b: a * b, tf.constant([1.0, 2.0, 3.0])),
            tf.foldl(lambda a, b: a - b, tf.constant([1.0, 2.0, 3.0]))]


@program
def tensor_arrays(tf):
    array = tf.TensorArray(tf.float32, size=3)
    for i in range(3):
        array = array.write(i, float(i * i))
    return [array.stack(), array.size(), array.gather([2, 0]), array.read(2)]


# ---- gradients

@program
def gradients_of_functions(tf):
    x, w = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[0.5, -0.5], [0.25, 1.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, w])
        y = tf.nn.softmax(tf.nn.relu(x @ w))
        z = tf.reduce_mean(tf.log(y + 1.0)) + tf.reduce_sum(tf.gather(x, [0, 0]))
        total = tf.reduce_max(x) * tf.reduce_prod(w)
    return [*tape.gradient(z, [x, w]), *tape.gradient([z, total], [x, w]), tape.gradient(y, w),
            tape.gradient(y, w, output_gradients=tf.constant([[1.0, 0.0], [0.0, 2.0]]))]


@program
def higher_derivatives(tf):
    x = tf.constant([0.3, 0.7])
    with tf.GradientTape() as third:
        third.watch(x)
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                y = tf.sin(x) * tf.exp(x)
            dy = first.gradient(y, x)
        ddy = second.gradient(dy, x)
    return [dy, ddy, third.gradient(ddy, x)]


@program
def jacobians(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.square(x) @ tf.constant([[1.0], [2.0]])
        z = tf.square(x)
    return [tape.jacobian(y, x), tape.batch_jacobian(z, x)]


@program
def gradients_that_are_not_there(tf):
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        z = x * x
        with tape.stop_recording():
            hidden = x * y
        stopped = tf.stop_gradient(x) * y
    zero = tf.UnconnectedGradients.ZERO
    return [float(tape.gradient(z, y) is None), float(tape.gradient(hidden, x) is None),
            float(tape.gradient(stopped, x) is None), tape.gradient(z, y, unconnected_gradients=zero),
            tape.gradient(stopped, y)]


@program
def gradients_of_loops(tf):
    x = tf.Variable(1.5)
    with tf.GradientTape(persistent=True) as tape:
        y = x
        for _ in range(3):
            y = y * x if float(y) < 3.0 else y + x
        loop = tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s * x), [0, tf.constant(1.0)])[1]
        mapped = tf.reduce_sum(tf.map_fn(lambda row: row * x, tf.constant([1.0, 2.0])))
        array = tf.TensorArray(tf.float32, 2).write(0, x * x).write(1, x).stack()
    return [tape.gradient(target, x) for target in (y, loop, mapped, array)]


@program
def custom_gradients(tf):
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)
        return tf.log(1.0 + e), lambda dy: dy * (1.0 - 1.0 / (1.0 + e))

    scale = tf.Variable(2.0)

    @tf.custom_gradient
    def scaled(x):
        def grad(dy, variables=None):
            return dy * 100.0, [dy * 7.0 for _ in variables]
        return x * scale, grad

    x = tf.constant(100.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = log1pexp(x)
        z = scaled(x)
    return [y, tape.gradient(y, x), z, tape.gradient(z, x), tape.gradient(z, scale)]


@program
def gradients_of_rows(tf):
    table = tf.Variable(np.arange(8.0, dtype=np.float32).reshape(4, 2))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.embedding_lookup(table, [1, 3, 1]) ** 2.0)
    slices = tape.gradient(loss, table)
    return [slices.values, slices.indices, tf.convert_to_tensor(slices)]


@program
def watched_variables(tf):
    a, b, c = (tf.Variable(float(i), trainable=i != 2) for i in range(3))
    with tf.GradientTape() as tape:
        y = b * c + a
    with tf.GradientTape(watch_accessed_variables=False) as chosen:
        chosen.watch(b)
        z = a * b
    return [len(tape.watched_variables()), float(tape.watched_variables()[0] is a), y, *chosen.gradient(z, [b]),
            len(chosen.watched_variables())]


# ---- variables

@program
def assignments(tf):
    v = tf.Variable([1.0, 2.0, 3.0])
    found = [v.assign([4.0, 5.0, 6.0]).numpy(), v.assign_add([1.0, 1.0, 1.0]).numpy(), v.assign_sub([2.0] * 3).numpy()]
    v.scatter_add(tf.IndexedSlices(tf.constant([10.0]), tf.constant([1])))
    v.scatter_update(tf.IndexedSlices(tf.constant([-1.0]), tf.constant([2])))
    found += [v.numpy(), v[1], v.sparse_read([0, 2]), v.read_value() * 2.0, v + v]
    v[0:1].assign([9.0])
    count = tf.Variable(0, dtype=tf.int64)
    count.assign_add(3)
    return [*found, v.numpy(), count.numpy(), tf.assign(count, 5).numpy()]


@program
def variables_of_scopes(tf):
    with tf.variable_scope("a"):
        first = tf.get_variable("w", [2], initializer=tf.ones_initializer())
        second = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
    return [first, second, float(first is second), float(first.name == "a/w:0")]


# ---- training

def _trained(tf, optimizer, steps=4):
    w = tf.Variable([1.0, -2.0, 3.0])
    rows = tf.Variable(np.ones([3, 2], np.float32))
    step = tf.Variable(0, trainable=False, dtype=tf.int64)
    for _ in range(steps):
        optimizer.minimize(lambda: tf.reduce_sum(w ** 4.0) + tf.reduce_sum(tf.gather(rows, [0, 2, 0]) ** 2.0),
                           global_step=step)
    return [w.numpy(), rows.numpy(), step.numpy()]


@program
def descent(tf):
    return _trained(tf, tf.train.GradientDescentOptimizer(0.01))


@program
def momentum(tf):
    return _trained(tf, tf.train.MomentumOptimizer(0.01, 0.9, use_nesterov=True))


@program
def adam(tf):
    return _trained(tf, tf.train.AdamOptimizer(0.1))


@program
def adagrad(tf):
    return _trained(tf, tf.train.AdagradOptimizer(0.1))


@program
def rmsprop(tf):
    return _trained(tf, tf.train.RMSPropOptimizer(0.1, momentum=0.5))


@program
def ftrl(tf):
    return _trained(tf, tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.1))


@program
def applied_gradients(tf):
    w, b = tf.Variable([[1.0], [2.0]]), tf.Variable(0.5)
    x, y = tf.constant([[1.0, 0.0], [0.5, 2.0]]), tf.constant([[2.0], [1.0]])
    optimizer = tf.train.AdamOptimizer(0.05)
    losses = []
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.losses.mean_squared_error(y, x @ w + b)
        gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, [w, b]), 1.0)
        optimizer.apply_gradients(zip(gradients, [w, b]))
        losses.append(loss)
    return [*losses, w.numpy(), b.numpy(), float(len(optimizer.variables()))]


@program
def learning_rates_are_functions(tf):
    step = tf.Variable(0, dtype=tf.int64)
    rate = tf.train.exponential_decay(0.5, step, 2, 0.5)
    pieces = tf.train.piecewise_constant(step, [1, 2], [1.0, 0.5, 0.1])
    found = []
    for _ in range(4):
        found += [rate(), pieces()]
        step.assign_add(1)
    return found


@program
def layers(tf):
    dense = tf.layers.Dense(3, activation=tf.nn.tanh, kernel_initializer=tf.constant_initializer(0.1),
                            kernel_regularizer=lambda w: 0.01 * tf.reduce_sum(w ** 2))
    convolution = tf.layers.Conv2D(2, 3, padding="same", kernel_initializer=tf.constant_initializer(0.05))
    image = tf.constant(np.arange(32.0, dtype=np.float32).reshape(2, 4, 4, 1))
    x = tf.constant([[1.0, -1.0], [0.5, 2.0]])
    with tf.GradientTape() as tape:
        y = dense(x)
        z = tf.layers.Flatten()(tf.layers.MaxPooling2D(2, 2)(convolution(image)))
        loss = tf.reduce_sum(y ** 2) + tf.reduce_mean(z) + tf.add_n(dense.losses)
    return [y, z, loss, *tape.gradient(loss, dense.trainable_variables + convolution.trainable_variables),
            float(len(dense.losses)), float(len(dense.variables))]


@program
def batch_normalization(tf):
    layer = tf.layers.BatchNormalization(momentum=0.9)
    x = tf.constant(np.arange(8.0, dtype=np.float32).reshape(4, 2))
    return [layer(x, training=True), layer(x, training=True), layer(x, training=False), *layer.variables]


@program
def losses(tf):
    labels, logits = tf.constant([[0.0, 1.0], [1.0, 0.0]]), tf.constant([[0.2, -0.4], [1.5, 0.3]])
    return [tf.losses.softmax_cross_entropy(labels, logits), tf.losses.sigmoid_cross_entropy(labels, logits),
            tf.losses.sparse_softmax_cross_entropy([1, 0], logits), tf.losses.huber_loss(labels, logits),
            tf.losses.absolute_difference(labels, logits, weights=[[2.0], [0.0]])]


@program
def cells(tf):
    cell = tf.nn.rnn_cell.LSTMCell(2, initializer=tf.constant_initializer(0.3))
    state = cell.zero_state(2, tf.float32)
    x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
    with tf.GradientTape() as tape:
        for _ in range(3):
            output, state = cell(x, state)
        loss = tf.reduce_sum(output)
    return [output, state.c, *tape.gradient(loss, cell.trainable_variables)]


@program
def keras_models(tf):
    constant = tf.keras.initializers.Constant
    inputs = tf.keras.Input([3])
    hidden = tf.keras.layers.Dense(2, activation="relu", kernel_initializer=constant(0.2))(inputs)
    functional = tf.keras.Model(inputs, tf.keras.layers.Dense(1, kernel_initializer=constant(0.5))(hidden))
    stack = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_initializer=constant(0.1)),
                                 tf.keras.layers.LayerNormalization()])
    x = tf.constant([[1.0, 2.0, 3.0], [0.0, -1.0, 5.0]])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(functional(x) ** 2) + tf.reduce_sum(stack(x))
    return [functional(x), stack(x), *tape.gradient(loss, functional.trainable_variables)]


@program
def keras_subclass(tf):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first = tf.keras.layers.Dense(2, activation="tanh", kernel_initializer=tf.ones_initializer())
            self.second = tf.keras.layers.Dense(2, kernel_initializer=tf.keras.initializers.Constant(0.5))

        def call(self, inputs):
            return self.second(self.first(inputs))

    net, optimizer = Net(), tf.train.MomentumOptimizer(0.1, 0.9)
    x, y = tf.constant([[1.0], [0.5], [-1.0]]), tf.constant([0, 1, 1])
    found = []
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.losses.sparse_softmax_cross_entropy(y, net(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        found.append(loss)
    return [*found, *(v.numpy() for v in net.trainable_variables)]


# ---- data

@program
def datasets(tf):
    doubled = tf.data.Dataset.range(7).map(lambda x: x * 2).batch(3)
    pairs = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3], "b": [[1.0], [2.0], [3.0]]})
    pairs = pairs.repeat(2).shuffle(4, seed=3)
    offset = tf.Variable(10, dtype=tf.int64)
    added = tf.data.Dataset.range(3).map(lambda x: x + offset)
    found = [*doubled, *(part for element in pairs for part in (element["a"], element["b"])), *added]
    iterator = tf.data.make_one_shot_iterator(doubled)
    zipped = tf.data.Dataset.zip((tf.data.Dataset.range(2), doubled)).make_one_shot_iterator()
    return [*found, iterator.get_next(), *zipped.get_next()]


@program
def random_datasets(tf):
    tf.set_random_seed(5)
    return list(tf.data.Dataset.range(6).shuffle(6).concatenate(tf.data.Dataset.range(4).shuffle(4, seed=1)))


@program
def functions_of_python(tf):
    x = tf.constant([1.0, 2.0])
    return [tf.py_func(lambda a: a + 1.0, [x], tf.float32), tf.py_function(lambda a: a * a, [x], tf.float32),
            tf.numpy_function(np.cumsum, [x], tf.float32)]


# ---- functions

def _counted(tf, calls):
    """The number of traces after each call of a function with these arguments."""
    traces = []

    @tf.function(autograph=False)
    def traced(*args, **kwargs):
        traces.append(1)
        return tf.constant(0)

    found = []
    for args, kwargs in calls:
        traced(*args, **kwargs)
        found.append(len(traces))
    return found


@program
def traces_by_arguments(tf):
    vector, longer = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])
    variable = tf.Variable(1.0)
    calls = [((vector,), {}), ((vector + 1.0,), {}), ((longer,), {}), ((tf.constant([1, 2]),), {}), ((1,), {}),
             ((1,), {}), ((2,), {}), ((1.0,), {}), ((True,), {}), (("a",), {}), ((vector, 1), {}), ((), {"a": vector}),
             ((), {"b": vector}), ((), {"a": vector, "b": 1}), (([vector, vector],), {}), (([vector],), {}),
             (((vector, vector),), {}), (({"x": vector},), {}), (({"x": vector, "y": 1},), {}),
             ((np.array([1.0, 2.0], np.float32),), {}), ((np.float32(1.0),), {}), ((tf.constant(1.0),), {}),
             ((None,), {}), ((variable,), {}), ((variable,), {})]
    return _counted(tf, calls)


@program
def signatures(tf):
    traces = []

    @tf.function(autograph=False, input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.int32)])
    def scaled(x, by):
        traces.append(1)
        return x * tf.cast(by, tf.float32)

    found = [scaled(tf.ones([2]), tf.constant(3)), scaled([1.0, 2.0, 3.0], 2), len(traces)]
    for wrong in ((tf.ones([2, 2]), tf.constant(1)), (tf.ones([2]),), (tf.constant([1, 2]), tf.constant(1))):
        try:
            scaled(*wrong)
            found.append(0)
        except (ValueError, TypeError):
            found.append(1)
    return found


@program
def effects_in_order(tf):
    v = tf.Variable(1.0)

    @tf.function(autograph=False)
    def changed(x):
        before = v.read_value()
        v.assign_add(x)
        between = v * 10.0
        v.assign(v * 2.0)
        return before, between, v.read_value()

    return [*changed(tf.constant(3.0)), *changed(tf.constant(1.0)), v.numpy()]


@program
def functions_make_variables_once(tf):
    class Model:
        def __init__(self):
            self.w = None

        @tf.function(autograph=False)
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones([2]) * 3.0)
            return tf.reduce_sum(self.w * x)

    @tf.function(autograph=False)
    def always(x):
        return tf.Variable(1.0) * x

    model, found = Model(), []
    try:
        always(tf.constant(1.0))
        found.append(0)
    except ValueError:
        found.append(1)
    return [*found, model(tf.constant([1.0, 2.0])), model(tf.constant([2.0, 2.0])), Model()(tf.ones([2]))]


@program
def gradients_through_functions(tf):
    w, table = tf.Variable([[1.0, -1.0], [0.5, 2.0]]), tf.Variable(np.arange(6.0, dtype=np.float32).reshape(3, 2))

    @tf.function(autograph=False)
    def inner(x):
        return tf.tanh(x @ w), tf.gather(table, [0, 2, 0])

    @tf.function(autograph=False)
    def outer(x):
        y, rows = inner(x)
        return {"loss": tf.reduce_sum(y ** 2.0) + tf.reduce_sum(rows ** 2.0), "extra": x * 2.0, "count": tf.shape(x)[0]}

    x = tf.constant([[0.1, 0.2], [0.3, -0.1]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        result = outer(x)
        twice = outer(result["extra"])["loss"]
    rows = tape.gradient(result["loss"], table)
    return [result["loss"], result["count"], *tape.gradient(result["loss"], [x, w]), tf.convert_to_tensor(rows),
            *tape.gradient(twice, [x, w]), len(tape.watched_variables())]


@program
def higher_derivatives_of_functions(tf):
    @tf.function(autograph=False)
    def f(x):
        return tf.sin(x) * tf.exp(x * 0.5)

    @tf.function(autograph=False)
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    x = tf.constant([0.3, 0.7])
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape() as first:
            first.watch(x)
            y = f(x)
        dy = first.gradient(y, x)
    with tf.GradientTape() as of_slope:
        of_slope.watch(x)
        s = slope(x)
    return [dy, second.gradient(dy, x), s, of_slope.gradient(s, x)]


@program
def loops_and_branches_in_functions(tf):
    w = tf.Variable(1.1)

    @tf.function(autograph=False)
    def f(x):
        y = tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s * w + x), [0, x])[1]
        return tf.cond(y > 3.0, lambda: y * w, lambda: y - 1.0)

    found = []
    for value in (0.1, 2.0):
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        found += [y, *tape.gradient(y, [x, w])]
    return found


@program
def training_in_functions(tf):
    layer = tf.layers.Dense(2, kernel_initializer=tf.constant_initializer(0.3))
    optimizer, step = tf.train.AdamOptimizer(0.1), tf.Variable(0, dtype=tf.int64, trainable=False)
    x = tf.constant([[1.0, 2.0], [0.0, 1.0]])

    @tf.function(autograph=False)
    def train(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((layer(x) - 1.0) ** 2.0)
        gradients = tape.gradient(loss, layer.trainable_variables)
        optimizer.apply_gradients(zip(gradients, layer.trainable_variables), global_step=step)
        return loss

    return [*(train(x) for _ in range(4)), layer.kernel.numpy(), step.numpy()]


@program
def concrete_functions(tf):
    @tf.function(autograph=False)
    def f(x, y, by=2.0):
        return {"sum": x + y, "product": x * by}

    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.float32))
    result = concrete(tf.constant([1.0, 2.0]), tf.constant(3.0))
    named = concrete(x=tf.constant([1.0]), y=tf.constant(1.0))
    return [result["sum"], result["product"], named["sum"], len(concrete.inputs), len(concrete.outputs)]
