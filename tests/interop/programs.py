"""Small programs written against whichever `tf` they are given: evergraph, or TensorFlow itself.

Each adds nodes to the default graph and returns what to fetch and what to feed. Random ops have op seeds, because graph
seeds depend on how many nodes an implementation has made.
"""

import dataclasses

import numpy as np

PROGRAMS = {}


@dataclasses.dataclass(frozen=True)
class Program:
    """One program.

    Attributes:
        build: adds the nodes; returns (fetches, feeds).
        steps: how often the fetches run, one after another.
        by: "both", or "tensorflow" when evergraph only has to read what TensorFlow made of it.
        functional: whether TensorFlow also writes it with functional control flow.
        tolerance: relative, against the largest value.
    """

    name: str
    build: object
    steps: int = 1
    by: str = "both"
    functional: bool = False
    tolerance: float = 1e-5


def program(**facets):
    def register(build):
        PROGRAMS[build.__name__] = Program(build.__name__, build, **facets)
        return build

    return register


def numbers(*shape, seed=0):
    return np.random.RandomState(seed).uniform(-2, 2, shape).astype(np.float32)


# ---- values


@program()
def arithmetic(tf):
    x, y = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [2, 3])
    z = (x + y) * x - y / (x * x + 1.0) + tf.exp(-tf.abs(x)) + tf.maximum(x, y) + tf.pow(tf.abs(x) + 0.5, y)
    return [z, tf.tanh(z), tf.sigmoid(z), tf.floordiv(x, 0.3), tf.square(z)], \
        {x: numbers(2, 3), y: numbers(2, 3, seed=1)}  # fmt: skip


@program()
def integers(tf):
    a, b = tf.placeholder(tf.int32, [None]), tf.constant([3, -3, 7, 2])
    wide = tf.cast(a, tf.int64) * 3000000000
    return [a // b, a % b, a * b, tf.truediv(a, b), wide, tf.bitwise.bitwise_xor(a, b)], {a: np.array([7, 8, -9, -10])}


@program()
def broadcasting(tf):
    x, y = tf.placeholder(tf.float32, [None, 1, 3]), tf.placeholder(tf.float32, [4, 1])
    return [x * y, x - y, tf.less(x, y), tf.where(tf.greater(x + 0 * y, y), x + 0 * y, 0 * x + y)], \
        {x: numbers(2, 1, 3), y: numbers(4, 1, seed=1)}  # fmt: skip


@program()
def slices(tf):
    x = tf.placeholder(tf.float32, [4, 5, None])
    return [x[1], x[1:3, ::2], x[..., -1], x[:, tf.newaxis, 2], x[::-1, 1:-1], tf.slice(x, [1, 0, 2], [2, -1, 3])], \
        {x: numbers(4, 5, 6)}  # fmt: skip


@program()
def gathers(tf):
    x, i = tf.placeholder(tf.float32, [5, 3]), tf.constant([[4, 0], [2, 2]])
    return [tf.gather(x, i), tf.gather(x, [2, 0], axis=1), tf.gather_nd(x, i % 3),
            tf.scatter_nd([[1], [3], [1]], [1.0, 2.0, 4.0], [5])], {x: numbers(5, 3)}  # fmt: skip


@program()
def reductions(tf):
    x = tf.placeholder(tf.float32, [None, 4, 3])
    return [tf.reduce_sum(x), tf.reduce_mean(x, axis=1), tf.reduce_max(x, axis=[0, 2], keepdims=True),
            tf.reduce_prod(x, -1), tf.reduce_any(x > 1.9), tf.argmax(x, axis=2), tf.reduce_logsumexp(x, 0)], \
        {x: numbers(2, 4, 3)}  # fmt: skip


@program()
def products(tf):
    a, b = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [4, 3])
    batch = tf.placeholder(tf.float32, [2, 3, 5])
    return [tf.matmul(a, b, transpose_b=True), tf.matmul(batch, batch, transpose_a=True)], \
        {a: numbers(2, 3), b: numbers(4, 3, seed=1), batch: numbers(2, 3, 5, seed=2)}  # fmt: skip


@program()
def joining_and_splitting(tf):
    x = tf.placeholder(tf.float32, [4, 6])
    left, right = tf.split(x, [2, 4], axis=1)
    rows = tf.unstack(x)
    return [tf.concat([right, left], 1), tf.stack(rows[::-1], axis=1), *tf.split(x, 3, axis=1),
            tf.tile(left, [1, 2])], {x: numbers(4, 6)}  # fmt: skip


@program()
def shapes(tf):
    x = tf.placeholder(tf.float32, [None, None, 2])
    size = tf.shape(x)
    flat = tf.reshape(x, [size[0] * size[1], -1])
    return [flat, size, tf.transpose(x, [2, 0, 1]), tf.pad(flat, [[1, 0], [0, 2]]), tf.expand_dims(x, 1),
            tf.squeeze(x[:1], [0]), tf.reverse(x, [1]), tf.zeros_like(x), tf.fill(size[:2], 3.0)], \
        {x: numbers(3, 2, 2)}  # fmt: skip


@program()
def casts(tf):
    x = tf.placeholder(tf.float32, [6])
    values = np.array([-3.7, -0.5, 0.0, 0.49, 2.5, 100.9], np.float32)
    return [tf.cast(x, t) for t in (tf.int32, tf.int8, tf.bool, tf.float64, tf.float16)], {x: values}


@program()
def making(tf):
    n = tf.placeholder(tf.int32, [])
    return [tf.range(n), tf.range(0.0, 1.0, 0.25), tf.one_hot(tf.range(n), 3), tf.linspace(0.0, 2.0, 5),
            tf.ones([2, n]), tf.sequence_mask([1, n], 4)], {n: np.int32(3)}  # fmt: skip


@program()
def segments(tf):
    x, ids = tf.placeholder(tf.float32, [None, 2]), tf.constant([0, 0, 1, 3])
    return [tf.segment_sum(x, ids), tf.segment_mean(x, ids), tf.segment_max(x, ids),
            tf.unsorted_segment_sum(x, [2, 0, 2, 1], 4)], {x: numbers(4, 2)}  # fmt: skip


@program()
def ordering(tf):
    x = tf.placeholder(tf.float32, [3, 5])
    top = tf.nn.top_k(x, 2)
    return [top.values, top.indices, tf.cumsum(x, 1, exclusive=True), tf.where(x > 0.5), tf.boolean_mask(x, x > 0)], \
        {x: numbers(3, 5)}  # fmt: skip


@program()
def other_precision(tf):
    x = tf.placeholder(tf.float64, [3, 3])
    return [tf.matmul(x, x) + 1e-9, tf.reduce_mean(x * x), tf.sqrt(tf.abs(x))], {x: numbers(3, 3).astype(np.float64)}


@program()
def waiting(tf):
    v = tf.Variable(1.0)
    with tf.control_dependencies([tf.assign_add(v, 2.0).op]):
        after = tf.identity(v.read_value())
    default = tf.placeholder_with_default(tf.constant([1.0, 2.0]), [None])
    return [after, default * 2.0], {}


# ---- random numbers


@program(steps=3)
def random_numbers(tf):
    return [tf.random_uniform([7], seed=1), tf.random_normal([3, 3], stddev=2.0, seed=2),
            tf.truncated_normal([20], seed=3), tf.random_uniform([9], 5, 90, tf.int32, seed=4),
            tf.random_uniform([4], dtype=tf.float64, seed=5)], {}  # fmt: skip


# ---- variables and training


@program(steps=3)
def reference_variables(tf):
    v = tf.Variable(numbers(2, 2), name="v")
    count = tf.Variable(0, trainable=False, name="count")
    return [tf.assign_add(v, numbers(2, 2, seed=1)), tf.assign_sub(count, 3)], {}


@program(steps=3)
def resource_variables(tf):
    v = tf.get_variable("v", initializer=numbers(2, 2), use_resource=True)
    step = v.assign_add(numbers(2, 2, seed=1))
    with tf.control_dependencies([step]):
        return [tf.identity(v.read_value()) * 2.0], {}


@program(steps=2)
def rows_of_variables(tf):
    v = tf.get_variable("v", initializer=numbers(4, 2))
    return [tf.scatter_add(v, [1, 3, 1], np.ones([3, 2], np.float32)), tf.gather(v, [0, 1])][:1], {}


@program()
def derivatives(tf):
    x, w = tf.placeholder(tf.float32, [None, 3]), tf.constant(numbers(3, 2, seed=1))
    y = tf.reduce_sum(tf.square(tf.nn.relu(tf.matmul(x, w)) - tf.sigmoid(x[:, :2]))) + tf.reduce_mean(tf.exp(x[0]))
    (dx,) = tf.gradients(y, [x])
    (ddx,) = tf.gradients(tf.reduce_sum(dx * dx), [x])
    return [y, dx, ddx], {x: numbers(4, 3)}


def regression(tf):
    """A layer and its squared error, over variables `w` and `b`."""
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 2])
    w, b = tf.Variable(numbers(3, 2, seed=2), name="w"), tf.Variable(tf.zeros([2]), name="b")
    loss = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, w) + b) - y))
    return loss, w, b, {x: numbers(8, 3), y: numbers(8, 2, seed=1)}


@program(steps=10)
def gradient_descent(tf):
    loss, w, b, feeds = regression(tf)
    return [loss, tf.train.GradientDescentOptimizer(0.3).minimize(loss)], feeds


@program(steps=10, tolerance=1e-4)
def adam(tf):
    loss, w, b, feeds = regression(tf)
    return [loss, tf.train.AdamOptimizer(0.05).minimize(loss)], feeds


@program(steps=10, tolerance=1e-4)
def momentum(tf):
    loss, w, b, feeds = regression(tf)
    return [loss, tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)], feeds


@program(steps=10)
def embedding(tf):
    table = tf.get_variable("table", initializer=numbers(6, 3))
    ids = tf.constant([1, 4, 1])
    loss = tf.reduce_sum(tf.square(tf.gather(table, ids) - 1.0))
    return [loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss)], {}


# ---- branches


def both_ways(tf, build):
    """A conditional by a placeholder, twice, once for each side."""
    yes, no = tf.placeholder_with_default(True, []), tf.placeholder_with_default(False, [])
    return [result for predicate in (yes, no) for result in build(predicate)]


@program(functional=True)
def branches(tf):
    x = tf.placeholder(tf.float32, [3])
    return both_ways(tf, lambda p: [*tf.cond(p, lambda: (x * 2.0, x), lambda: (x - 1.0, x + 5.0)),
                                    tf.cond(p, lambda: tf.constant(1.0), lambda: x[0])]), {x: numbers(3)}  # fmt: skip


@program(functional=True)
def nested_branches(tf):
    x = tf.placeholder(tf.float32, [])

    def choose(p):
        inner = lambda: tf.cond(x > 0.0, lambda: x * 10.0, lambda: tf.cond(p, lambda: x - 7.0, lambda: x))
        return [tf.cond(p, inner, lambda: tf.cond(x < 1.0, lambda: x * x, lambda: -x) + 1.0)]

    return both_ways(tf, choose), {x: np.float32(-0.75)}


@program(functional=True)
def derivatives_of_branches(tf):
    x = tf.placeholder(tf.float32, [3])

    def build(p):
        y = tf.cond(p, lambda: tf.exp(x) * x, lambda: tf.cond(x[0] > 0.0, lambda: tf.sin(x), lambda: x * x * x))
        return [y, *tf.gradients(y * 2.0, [x])]

    return both_ways(tf, build), {x: numbers(3)}


def changing_branches(tf, v):
    """Conditionals that assign to a variable, one after another."""
    first, second = both_ways(
        tf, lambda p: [tf.cond(p, lambda: tf.assign_add(v, 10.0) + 0.0, lambda: tf.assign_sub(v, 1.0) + 0.0)]
    )
    with tf.control_dependencies([first, second]):
        return [tf.cond(v.read_value() > 5.0, lambda: tf.assign_add(v, 2.0) + 0.0, lambda: v.read_value() * 3.0)], {}


@program(steps=2)
def branches_with_effects(tf):
    return changing_branches(tf, tf.get_variable("v", initializer=1.0, use_resource=True))


@program(steps=2)
def branches_that_change_references(tf):
    return changing_branches(tf, tf.get_variable("v", initializer=1.0, use_resource=False))


@program(steps=2)
def dropout_in_a_branch(tf):
    x = tf.placeholder(tf.float32, [2, 4])
    w = tf.Variable(numbers(4, 2), name="w")
    training = tf.placeholder_with_default(True, [])
    hidden = tf.cond(training, lambda: x * tf.floor(tf.random_uniform([2, 4], seed=7) + 0.5), lambda: x * 0.5)
    loss = tf.reduce_sum(tf.square(tf.matmul(hidden * hidden, w)))
    gradients = tf.gradients(loss, [w, x])
    with tf.control_dependencies([loss, *gradients]):  # TensorFlow would read w before or after it changes
        return [loss, gradients, tf.assign_sub(w, gradients[0] * 0.01).op], {x: numbers(2, 4)}


@program(functional=True)
def cases(tf):
    n = tf.placeholder(tf.int32, [])
    pick = lambda m: tf.case([(tf.equal(m, 0), lambda: m + 10), (tf.equal(m, 1), lambda: m * 20)], default=lambda: -m)
    return [pick(n), pick(n + 1), pick(n + 2)], {n: np.int32(0)}


# ---- loops


@program(functional=True)
def loops(tf):
    x, n = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, [])
    result = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a * x + tf.cast(i, tf.float32)), [0, x])
    total = tf.while_loop(lambda s: s < 100.0, lambda s: s * 1.5 + 1.0, [tf.reduce_sum(x)])
    return [*result, total], {x: numbers(2), n: np.int32(5)}


@program(functional=True)
def nested_loops(tf):
    n = tf.placeholder(tf.int32, [])

    def outer(i, total):
        inner = tf.while_loop(lambda j, s: j < i, lambda j, s: (j + 1, s + i * j), [0, total])
        return i + 1, inner[1]

    return [*tf.while_loop(lambda i, total: i < n, outer, [0, 0])], {n: np.int32(6)}


@program(functional=True)
def derivatives_of_loops(tf):
    x = tf.placeholder(tf.float32, [3])
    w = tf.constant([0.5, -1.5, 1.1])
    _, y = tf.while_loop(lambda i, a: i < 4, lambda i, a: (i + 1, tf.tanh(a * w + x) + a), [0, x])
    return [y, *tf.gradients(y, [x, w])], {x: numbers(3)}


@program(functional=True)
def derivatives_of_nested_loops(tf):
    x = tf.placeholder(tf.float32, [])

    def outer(i, a):
        _, b = tf.while_loop(lambda j, s: j < 3, lambda j, s: (j + 1, s * x + a), [0, a])
        return i + 1, tf.sin(b)

    _, y = tf.while_loop(lambda i, a: i < 3, outer, [0, x * 2.0])
    return [y, *tf.gradients(y, [x])], {x: np.float32(0.7)}


@program(functional=True)
def branches_in_loops(tf):
    x = tf.placeholder(tf.float32, [])

    def body(i, a):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: a * x, lambda: a + x)

    _, y = tf.while_loop(lambda i, a: i < 6, body, [0, x])
    return [y, *tf.gradients(y, [x])], {x: np.float32(1.3)}


@program(functional=True)
def loops_in_branches(tf):
    x = tf.placeholder(tf.float32, [])

    def repeat():
        return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, x])[1]

    def build(p):
        y = tf.cond(p, repeat, lambda: x + 1.0)
        return [y, *tf.gradients(y, [x])]

    return both_ways(tf, build), {x: np.float32(1.3)}


@program(steps=5, functional=True, tolerance=1e-4)
def training_through_a_loop(tf):
    x = tf.placeholder(tf.float32, [4, 3])
    w = tf.get_variable("w", initializer=numbers(3, 3) * 0.3)
    _, state = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.tanh(tf.matmul(s, w) + x)), [0, x])
    loss = tf.reduce_mean(tf.square(state - 0.5))
    return [loss, tf.train.GradientDescentOptimizer(0.2).minimize(loss)], {x: numbers(4, 3)}


@program(steps=2)
def loops_with_effects(tf):
    v = tf.get_variable("v", initializer=0.0, use_resource=True)

    def body(i):
        with tf.control_dependencies([v.assign_add(tf.cast(i, tf.float32))]):
            return i + 1

    done = tf.while_loop(lambda i: i < 4, body, [0])
    with tf.control_dependencies([done]):
        return [v.read_value() + 0.0], {}


@program(steps=2)
def loops_that_change_references(tf):
    v = tf.get_variable("v", initializer=0.0, use_resource=False)

    def body(i, total):
        step = tf.cond(tf.equal(i % 2, 0), lambda: tf.assign_add(v, tf.cast(i, tf.float32)) + 0.0, lambda: total)
        with tf.control_dependencies([step]):
            return i + 1, total + tf.assign_add(v, 1.0)

    return [*tf.while_loop(lambda i, total: i < 5, body, [0, 0.0], parallel_iterations=1)], {}


@program(functional=True)
def arrays(tf):
    x = tf.placeholder(tf.float32, [5, 2])
    parts = tf.TensorArray(tf.float32, 5).unstack(x)

    def body(i, s, out):
        s = s * 0.5 + parts.read(i)
        return i + 1, s, out.write(i, s)

    _, last, out = tf.while_loop(lambda i, s, out: i < 5, body, [0, tf.zeros([2]), tf.TensorArray(tf.float32, 5)])
    y = out.stack()
    return [last, y, *tf.gradients(tf.reduce_sum(y * y), [x])], {x: numbers(5, 2)}


@program(functional=True)
def mapped(tf):
    x = tf.placeholder(tf.float32, [4])
    return [tf.map_fn(lambda v: v * v + 1.0, x), tf.scan(lambda a, v: a + v, x),
            tf.foldl(lambda a, v: a * 2.0 + v, x)], {x: numbers(4)}  # fmt: skip


# ---- text


@program()
def text(tf):
    words = tf.constant(["a", "bc", "déf"])
    return [tf.string_join([words, words], "-"), tf.as_string(tf.constant([1, 22])),
            tf.string_to_number(["1.5", "2"])], {}  # fmt: skip


# ---- functions, as TensorFlow makes them


@program(by="tensorflow")
def functions(tf):
    x = tf.placeholder(tf.float32, [3])

    @tf.function
    def inner(a, b):
        return a * b + 1.0, tf.reduce_sum(a)

    @tf.function
    def outer(a):
        product, total = inner(a, a - 1.0)
        return tf.exp(-product) * total

    return [outer(x), inner(x, 2.0)[0]], {x: numbers(3)}


@program(by="tensorflow", steps=2)
def functions_with_variables(tf):
    v = tf.get_variable("v", initializer=2.0, use_resource=True)

    @tf.function
    def step(a):
        v.assign_add(a)
        return v.read_value() * a

    return [step(tf.constant(3.0))], {}


@program(by="tensorflow")
def functions_of_the_old_kind(tf):
    from tensorflow.python.framework import function

    x = tf.placeholder(tf.float32, [3])

    @function.Defun(tf.float32, tf.float32)
    def weighted(a, b):
        return a * b + 1.0, tf.reduce_sum(a * a)

    product, total = weighted(x, x + 2.0)
    return [product, total, *tf.gradients(total, [x])], {x: numbers(3)}


@program(by="tensorflow", functional=True)
def control_flow_in_functions(tf):
    x = tf.placeholder(tf.float32, [])

    @tf.function
    def steps(a):
        return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.cond(s > 1.0, lambda: s * a, lambda: s + a)),
                             [0, a])[1]  # fmt: skip

    return [steps(x)], {x: np.float32(0.8)}
