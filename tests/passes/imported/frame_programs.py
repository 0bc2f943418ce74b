"""Programs whose loops TensorFlow 1 writes as frames, with tensor arrays and stacks: run in TensorFlow to be recorded.

A program gives (feeds, fetches): the values to feed in each step, by tensor name, and what a step computes, by a name
of ours. Of the fetches, "loss" is what an optimizer makes smaller.
"""

import numpy as np

PROGRAMS = {}


def trained_by(optimizer, *arguments, kept=PROGRAMS):
    """Keeps a program, and says with which of TensorFlow's optimizers it is trained."""

    def keep(program):
        program.optimizer = lambda tf: getattr(tf.train, f"{optimizer}Optimizer")(*arguments)
        kept[program.__name__] = program
        return program

    return keep


@trained_by("Adam", 0.05)
def lstm(tf):
    """A classifier of sequences of various lengths, trained with Adam."""
    x = tf.placeholder(tf.float32, [None, 7, 3], name="x")
    y, n = (tf.placeholder(tf.int32, [None], name=name) for name in "yn")
    cell = tf.nn.rnn_cell.LSTMCell(5, initializer=tf.glorot_uniform_initializer(seed=1))
    outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=n, dtype=tf.float32)
    w = tf.get_variable("w", [5, 2], initializer=tf.glorot_uniform_initializer(seed=2))
    logits = tf.matmul(state.h, w) + tf.reduce_mean(outputs, [1, 2])[:, None]
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    r = np.random.RandomState(0)
    return [{"x:0": r.randn(4, 7, 3).astype("f"), "y:0": r.randint(0, 2, 4), "n:0": r.randint(1, 8, 4)}
            for _ in range(3)], {"loss": loss}


@trained_by("GradientDescent", 0.5)
def unequal_steps(tf):
    """A network over sequences whose number of steps is only known when they are fed."""
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    with tf.variable_scope("net", initializer=tf.glorot_uniform_initializer(seed=1)):
        outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(4), x, dtype=tf.float32, time_major=True)
    loss = tf.reduce_mean(tf.square(outputs - 0.3))
    r = np.random.RandomState(0)
    return [{"x:0": r.randn(t, 2, 3).astype("f")} for t in (5, 3, 5)], {"loss": loss}


@trained_by("GradientDescent", 0.001)
def accumulated(tf):
    """A loop that writes to an array what it computes from a variable."""
    w = tf.get_variable("w", [3], initializer=tf.constant_initializer([0.5, -1.0, 0.25]))
    n = tf.placeholder(tf.int32, [], name="n")
    array = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False)

    def step(i, a, array):
        a = tf.tanh(a * w) + tf.cast(i, tf.float32)
        return i + 1, a, array.write(i, a * a)

    _, last, array = tf.while_loop(lambda i, *_: i < n, step, [0, tf.ones([3]), array])
    stacked = array.stack()
    loss = tf.reduce_sum(stacked) + tf.reduce_sum(last) + tf.reduce_sum(array.read(1)) * 2.0
    return [{"n:0": n} for n in (4, 6, 4)], {"loss": loss, "stacked": stacked}


@trained_by("GradientDescent", 0.01)
def recurrence(tf):
    """A loop that reads from an array what it has written to it."""
    w = tf.get_variable("w", [2], initializer=tf.constant_initializer([0.5, 0.8]))
    array = tf.TensorArray(tf.float32, 6, clear_after_read=False, element_shape=[2])
    array = array.write(0, w).write(1, w * w)

    def step(i, array):
        return i + 1, array.write(i, tf.sin(array.read(i - 1)) * w + array.read(i - 2))

    _, array = tf.while_loop(lambda i, _: i < 6, step, [2, array])
    loss = tf.reduce_sum(tf.square(array.stack()))
    return [{}, {}], {"loss": loss}


@trained_by("GradientDescent", 0.01)
def pieces(tf):
    """Arrays of pieces of different lengths, outside of the loop that uses them."""
    w = tf.get_variable("w", [4, 2], initializer=tf.constant_initializer(np.arange(8).reshape(4, 2) / 5))
    array = tf.TensorArray(tf.float32, 2, clear_after_read=False, infer_shape=False).split(w, [1, 3])
    sums = tf.map_fn(lambda i: tf.reduce_sum(tf.exp(array.read(i)), 0), tf.range(2), dtype=tf.float32)
    loss = tf.reduce_sum(sums * [1.0, 2.0]) + tf.reduce_sum(tf.square(array.concat()))
    return [{}, {}], {"loss": loss}


@trained_by("GradientDescent", 0.1)
def until_small(tf):
    """A loop that runs as often as its values tell."""
    w = tf.get_variable("w", initializer=0.7)
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.while_loop(lambda a: a > 0.1, lambda a: tf.sin(a) * w, [x])
    return [{"x:0": np.float32(v)} for v in (3.0, 0.05, 1.5, 80.0)], {"loss": y}


@trained_by("GradientDescent", 0.0001)
def many_steps(tf):
    """More iterations than there is room for at first, on a condition that is not known beforehand."""
    w = tf.get_variable("w", initializer=0.98)
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.while_loop(lambda a: a > 0.1, lambda a: tf.sin(a) * w + a * 0.01, [x])
    return [{"x:0": np.float32(v)} for v in (1.0, 1.5)], {"loss": y}


@trained_by("Momentum", 0.05, 0.9)
def mapped(tf):
    """map_fn, foldl, foldr and scan, one on the results of the other."""
    w = tf.get_variable("w", [3], initializer=tf.constant_initializer([0.5, -1.0, 0.25]))
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    a = tf.map_fn(lambda row: tf.tanh(row * w), x)
    b = tf.scan(lambda s, row: tf.sigmoid(s * w + row), a, tf.zeros([3]))
    c = tf.foldl(lambda s, row: s * 0.5 + row * w, b)
    d = tf.foldr(lambda s, row: tf.maximum(s, row) * w, b, tf.ones([3]))
    loss = tf.reduce_sum(tf.square(c + d - 1.0))
    r = np.random.RandomState(0)
    return [{"x:0": r.randn(4, 3).astype("f")} for _ in range(3)], {"loss": loss, "a": a, "b": b}


@trained_by("GradientDescent", 0.01)
def branches(tf):
    """Conditionals inside a loop, one of which keeps values for its gradient."""
    w = tf.get_variable("w", initializer=0.5)
    x = tf.placeholder(tf.float32, [], name="x")

    def step(i, a):
        odd = tf.equal(i % 2, 1)
        return i + 1, tf.cond(odd, lambda: tf.cond(a > 0.5, lambda: a - w, lambda: tf.exp(w) * a),
                              lambda: tf.tanh(a * w) * a)

    _, y = tf.while_loop(lambda i, _: i < 5, step, [0, x])
    return [{"x:0": np.float32(v)} for v in (2.0, -0.5)], {"loss": y}


@trained_by("GradientDescent", 0.01)
def nested(tf):
    """A loop in a loop."""
    w = tf.get_variable("w", initializer=0.5)
    x = tf.placeholder(tf.float32, [2], name="x")

    def outer(i, a):
        _, a = tf.while_loop(lambda j, _: j <= i, lambda j, b: (j + 1, tf.sin(b * w) + b), [0, a])
        return i + 1, tf.cos(a) * w

    _, y = tf.while_loop(lambda i, _: i < 3, outer, [0, x])
    loss = tf.reduce_sum(y * y)
    return [{"x:0": np.float32([2.0, v])} for v in (2.0, -0.5)], {"loss": loss}


@trained_by("GradientDescent", 0.01)
def nested_arrays(tf):
    """map_fn of map_fn."""
    w = tf.get_variable("w", initializer=0.5)
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    y = tf.map_fn(lambda row: tf.map_fn(lambda e: tf.sin(e * w), row) * row, x)
    loss = tf.reduce_sum(y * y)
    r = np.random.RandomState(0)
    return [{"x:0": r.randn(2, 3).astype("f")} for _ in range(2)], {"loss": loss}


@trained_by("GradientDescent", 0.1)
def embedded(tf):
    """A loop that takes rows from a table, as often as its values tell: the rows of the gradient grow with it."""
    table = tf.get_variable("table", [6, 3], initializer=tf.glorot_uniform_initializer(seed=1))
    start = tf.placeholder(tf.int64, [2], name="start")

    def step(i, token, state):
        state = state * 0.5 + tf.nn.embedding_lookup(table, token) + 0.2
        return [i + 1, tf.argmax(tf.matmul(state, table, transpose_b=True), 1), state]

    count, _, state = tf.while_loop(lambda i, _, state: tf.reduce_sum(state) < 1.5, step, [0, start, tf.zeros([2, 3])],
                                    maximum_iterations=10)
    loss = tf.reduce_sum(tf.square(state - 1.0))
    return [{"start:0": np.array(pair)} for pair in ([1, 2], [3, 0])], {"loss": loss, "count": count}


@trained_by("RMSProp", 0.01)
def chosen(tf):
    """A loop on one side of a conditional, over a variable that is a resource."""
    w = tf.get_variable("w", [3], initializer=tf.constant_initializer([0.5, -1.0, 0.25]), use_resource=True)
    x, p = tf.placeholder(tf.float32, [4, 3], name="x"), tf.placeholder(tf.bool, [], name="p")
    y = tf.cond(p, lambda: tf.scan(lambda a, b: tf.tanh(a * w + b), x, reverse=True)[0], lambda: w * w)
    r = np.random.RandomState(0)
    return [{"x:0": r.randn(4, 3).astype("f"), "p:0": p} for p in (True, False)], {"loss": tf.reduce_sum(y)}


@trained_by("Adam", 0.05)
def decoded(tf):
    """A decoder that looks at its input and writes to an array until every row is finished."""
    x = tf.placeholder(tf.float32, [2, 4, 3], name="x")
    query = tf.get_variable("query", [3, 3], initializer=tf.glorot_uniform_initializer(seed=2))

    def step(i, state, finished, outputs):
        seen = tf.nn.softmax(tf.reduce_sum(x * tf.matmul(state, query)[:, None], 2))
        output = tf.tanh(tf.reduce_sum(x * seen[:, :, None], 1) + state)
        done = tf.logical_or(finished, i >= tf.constant([2, 4]))
        return i + 1, tf.where(finished, state, output), done, outputs.write(i, output)

    start = [0, tf.ones([2, 3]), tf.constant([False, False]), tf.TensorArray(tf.float32, 0, dynamic_size=True)]
    _, state, _, outputs = tf.while_loop(lambda i, s, finished, o: tf.logical_not(tf.reduce_all(finished)), step, start)
    loss = tf.reduce_sum(tf.square(outputs.stack())) + tf.reduce_sum(state)
    r = np.random.RandomState(0)
    return [{"x:0": r.randn(2, 4, 3).astype("f")} for _ in range(2)], {"loss": loss}


@trained_by("GradientDescent", 0.01)
def nested_branches(tf):
    """Branches in branches that keep values for their gradients in some iterations of a loop."""
    w = tf.get_variable("w", initializer=0.5, use_resource=True)
    x, n = tf.placeholder(tf.float32, [3], name="x"), tf.placeholder(tf.int32, [], name="n")

    def step(i, a):
        return i + 1, tf.case([(tf.equal(i % 3, 0), lambda: a * w), (tf.equal(i % 3, 1), lambda: a * a)],
                              default=lambda: tf.sin(a) + w)

    _, y = tf.while_loop(lambda i, _: i < n, step, [0, x])
    return [{"x:0": np.float32([0.5, 1.0, 1.5]), "n:0": k} for k in (2, 4, 7)], {"loss": tf.reduce_sum(y)}


@trained_by("GradientDescent", 0.01)
def switched(tf):
    """A switch of functions in a loop, of which one has a loop: its gradient pops optional values from stacks."""
    w = tf.get_variable("w", initializer=0.5, use_resource=True)
    x, n = tf.placeholder(tf.float32, [3], name="x"), tf.placeholder(tf.int32, [], name="n")

    def power(a):
        return tf.while_loop(lambda j, _: j < 2, lambda j, b: (j + 1, b * a), [0, a])[1]

    def step(i, a):
        return i + 1, tf.switch_case(i % 3, [lambda: power(a), lambda: a * 0.5, lambda: tf.sin(a)]) + w

    _, y = tf.while_loop(lambda i, _: i < n, step, [0, x])
    return [{"x:0": np.float32([0.5, 1.0, 1.5]), "n:0": k} for k in (1, 3, 5)], {"loss": tf.reduce_sum(y)}


@trained_by("GradientDescent", 0.01)
def texts(tf):
    """A loop over numbers whose gradient is taken, and arrays of texts that it and another loop write."""
    w = tf.get_variable("w", initializer=0.5, use_resource=True)
    x, n = tf.placeholder(tf.float32, [3], name="x"), tf.placeholder(tf.int32, [], name="n")
    named = tf.map_fn(lambda e: tf.string_join([tf.as_string(tf.cast(e * 4, tf.int32)), "0"]), x, dtype=tf.string)

    def step(i, a, written):
        return i + 1, a * tf.sin(a * w), written.write(i, tf.as_string(i))

    start = tf.TensorArray(tf.string, 0, dynamic_size=True)
    _, y, written = tf.while_loop(lambda i, *_: i < n, step, [0, x, start])
    weights = tf.string_to_number(named) + tf.reduce_sum(tf.string_to_number(written.stack()))
    loss = tf.reduce_sum(y * weights)
    return [{"x:0": np.float32([0.5, 1.0, 1.5]), "n:0": k} for k in (1, 3, 5)], {"loss": loss}
