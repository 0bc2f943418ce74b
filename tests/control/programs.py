"""Programs with control flow, written against whichever `tf` they are given: evergraph, or TensorFlow itself.

Each adds nodes to the default graph and returns what to fetch and what to feed.
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
        compiles: whether it can become an XLA program as a whole.
        named: whether the fetched tensors have TensorFlow's names.
    """

    build: object
    steps: int = 1
    compiles: bool = True
    named: bool = True


def program(**facets):
    def register(build):
        PROGRAMS[build.__name__] = Program(build, **facets)
        return build

    return register


def numbers(*shape, seed=0):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype(np.float32)


def both_ways(name, **facets):
    """Registers a program of (tf, flag) for both values of the flag."""
    def register(build):
        for flag in (True, False):
            PROGRAMS[f"{name}_{flag}".lower()] = Program(lambda tf, flag=flag: build(tf, flag), **facets)
        return build

    return register


# ---- conditionals


@both_ways("cond_values")
def _(tf, flag):
    x, p = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.bool, [])
    a, b = tf.cond(p, lambda: (x * 2.0, tf.constant(1)), lambda: (x - 1.0, tf.size(x)))
    return [a, b], {x: [1, 2, 3], p: flag}


@both_ways("cond_structures")
def _(tf, flag):
    p = tf.placeholder(tf.bool, [])
    result = tf.cond(p, lambda: {"a": 1.0, "b": [tf.constant([2]), (3, 4)]},
                     lambda: {"a": 5.0, "b": [tf.constant([6, 7]), (8, 9)]})
    return [result["a"], result["b"][0], result["b"][1][1]], {p: flag}


PROGRAMS["cond_structures_true"] = dataclasses.replace(PROGRAMS["cond_structures_true"], compiles=False)
PROGRAMS["cond_structures_false"] = dataclasses.replace(PROGRAMS["cond_structures_false"], compiles=False)


@both_ways("cond_singletons")
def _(tf, flag):
    p = tf.placeholder(tf.bool, [])
    one = tf.cond(p, lambda: [tf.constant(1.0)], lambda: [tf.constant(2.0)])
    (two,) = tf.cond(p, lambda: [tf.constant(1.0)], lambda: [tf.constant(2.0)], strict=True)
    return [one, two], {p: flag}


@both_ways("cond_of_operations", steps=3)
def _(tf, flag):
    p = tf.placeholder(tf.bool, [])
    v = tf.get_variable("v", initializer=1.0)
    done = tf.cond(p, lambda: v.assign_add(10.0).op, lambda: tf.no_op())
    with tf.control_dependencies([done]):
        return [done, v.read_value() if hasattr(v, "read_value") else tf.identity(v)], {p: flag}


@both_ways("cond_assigns_resource", steps=2)
def _(tf, flag):
    p = tf.placeholder(tf.bool, [])
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    done = tf.cond(p, lambda: tf.group(v.assign_add(10.0)), lambda: tf.group(v.assign(v * 2.0)))
    with tf.control_dependencies([done]):
        return [v.read_value()], {p: flag}


@both_ways("cond_gradient")
def _(tf, flag):
    x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [])
    z = tf.cond(y > 0, lambda: tf.exp(x * y) * x, lambda: tf.sin(x))
    return [z, *tf.gradients(z, [x])], {x: numbers(3), y: 1.5 if flag else -1.5}


@both_ways("cond_second_gradient")
def _(tf, flag):
    x = tf.placeholder(tf.float32, [])
    z = tf.cond(x > 0, lambda: tf.exp(x * 2.0) * x, lambda: tf.sin(x) * x)
    first = tf.gradients(z, x)[0]
    return [first, tf.gradients(first, x)[0]], {x: 0.7 if flag else -0.7}


@program()
def cond_in_cond(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(x > 0, lambda: tf.cond(x > 1, lambda: tf.exp(x), lambda: tf.sin(x) * x), lambda: x * x * x)
    first = tf.gradients(y, x)[0]
    return [y, first], {x: 0.5}


@program()
def cond_on_a_constant(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(tf.constant(True), lambda: x * x, lambda: tf.exp(x))
    return [y, tf.gradients(y, x)[0]], {x: 3.0}


@both_ways("cond_gradient_of_gather", named=False)
def _(tf, flag):
    table, p = tf.placeholder(tf.float32, [4, 2]), tf.placeholder(tf.bool, [])
    y = tf.cond(p, lambda: tf.gather(table, [1, 1, 3]) * 2.0, lambda: tf.gather(table, [0, 2, 2]))
    return [tf.convert_to_tensor(tf.gradients(y, table)[0])], {table: numbers(4, 2), p: flag}


@program(named=False)
def cases(tf):
    x = tf.placeholder(tf.float32, [])
    below, above = (x < 0, lambda: x * 10.0), (x > 1, lambda: x * 20.0)
    y = tf.case([below, above], default=lambda: x * 30.0, exclusive=True)
    return [y, tf.gradients(y, x)[0]], {x: 0.5}


@program(named=False)
def cases_without_default(tf):
    x = tf.placeholder(tf.float32, [])
    return [tf.case([(x < 0, lambda: x * 10.0), (x > 0, lambda: x * 20.0)])], {x: 0.5}


@program(named=False)
def switch_cases(tf):
    i = tf.placeholder(tf.int32, [])
    x = tf.placeholder(tf.float32, [])
    functions = [lambda: tf.sin(x), lambda: tf.cos(x), lambda: x * x]
    return [tf.switch_case(i + k, functions) for k in (-2, -1, 0, 1, 5)], {i: 1, x: 0.3}


@program(named=False)
def switch_case_default(tf):
    i = tf.placeholder(tf.int32, [])
    functions = {1: lambda: 10, 0: lambda: 20}
    return [tf.switch_case(i + k, functions, default=lambda: 30) for k in (-1, 0, 1, 2)], {i: 0}


# ---- loops


@program()
def count(tf):
    n = tf.placeholder(tf.int32, [])
    return [tf.while_loop(lambda i: i < n, lambda i: i + 1, [tf.constant(0)])], {n: 7}


@program()
def no_iteration(tf):
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [2])
    i, y = tf.while_loop(lambda i, _: i < n, lambda i, y: (i + 1, y * x), [0, x])
    return [i, y, tf.gradients(y, x)[0]], {n: 0, x: [1, 2]}


@program()
def loop_structures(tf):
    n = tf.placeholder(tf.int32, [])

    def body(i, rest):
        return i + 1, {"a": rest["a"] * 2.0, "b": (rest["b"][1], rest["b"][0] + i)}

    i, rest = tf.while_loop(lambda i, _: i < n, body, [0, {"a": 1.0, "b": (3, 4)}])
    return [i, rest["a"], *rest["b"]], {n: 5}


@program()
def maximum_iterations(tf):
    n = tf.placeholder(tf.int32, [])
    ends = [tf.while_loop(lambda i: i < n, lambda i: i + 1, [0], maximum_iterations=m) for m in (2, 100)]
    return ends, {n: 7}


@program()
def loop_in_loop(tf):
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [])

    def body(i, t):
        _, t = tf.while_loop(lambda j, _: j < i, lambda j, t: (j + 1, tf.sin(t) * x + 1.0), [0, t])
        return i + 1, t * x

    _, y = tf.while_loop(lambda i, _: i < n, body, [0, x])
    return [y, tf.gradients(y, x)[0]], {n: 4, x: 0.9}


@program()
def cond_in_loop(tf):
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [2])

    def body(i, y):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: y * x, lambda: tf.sin(y) + x)

    _, y = tf.while_loop(lambda i, _: i < n, body, [0, x])
    return [y, tf.gradients(y, x)[0]], {n: 5, x: [0.7, 0.2]}


@both_ways("loop_in_cond")
def _(tf, flag):
    p, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [])

    def powers():
        return tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, y * x), [0, x])[1]

    y = tf.cond(p, powers, lambda: tf.exp(x))
    return [y, tf.gradients(y, x)[0]], {p: flag, x: 1.2}


@program()
def power_gradients(tf):
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [])
    _, y = tf.while_loop(lambda i, _: i < n, lambda i, y: (i + 1, y * x), [0, 1.0])
    return [y, tf.gradients(y, x)[0]], {n: 5, x: 2.0}


@program()
def known_trips(tf):
    x = tf.placeholder(tf.float32, [3])
    _, y = tf.while_loop(lambda i, _: i < 4, lambda i, y: (i + 1, tf.tanh(y * x + 1.0)), [0, x])
    return [y, tf.gradients(y, x)[0]], {x: [0.1, 0.2, 0.3]}


@program()
def more_trips_than_room(tf):
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [])
    _, y = tf.while_loop(lambda i, _: i < n, lambda i, y: (i + 1, tf.sin(y) * x), [0, 1.0])
    return [y, tf.gradients(y, x)[0]], {n: 200, x: 1.01}


@program()
def trips_by_value(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.while_loop(lambda y: y < 100.0, lambda y: y * x + 1.0, [x])
    return [y, tf.gradients(y, x)[0]], {x: 1.5}


@program()
def loop_gradients_of_captures(tf):
    w = tf.get_variable("w", initializer=numbers(2, 2))
    b = tf.get_variable("b", initializer=numbers(2, seed=1), use_resource=True)
    x = tf.placeholder(tf.float32, [None, 2])
    shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]
    _, y = tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, tf.tanh(tf.matmul(y, w) + b)), [0, x], shapes)
    return [y, *tf.gradients(y, [w, b, x])], {x: numbers(3, 2, seed=2)}


@program()
def loop_gradient_with_grad_ys(tf):
    x = tf.placeholder(tf.float32, [2])
    _, y, z = tf.while_loop(lambda i, *_: i < 3, lambda i, y, z: (i + 1, y * z, z + x), [0, x, x])
    return [*tf.gradients([y, z], x, grad_ys=[tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])])], {x: [0.5, 2]}


@program(compiles=False)
def growing_variable(tf):
    x = tf.placeholder(tf.float32, [None])
    shapes = [tf.TensorShape([]), tf.TensorShape([None])]
    _, y = tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, tf.concat([y, x * tf.reduce_sum(y)], 0)), [0, x],
                         shape_invariants=shapes)
    return [y, tf.gradients(y, x)[0]], {x: [1, 2]}


@program(steps=2)
def loop_assigns(tf):
    n = tf.placeholder(tf.int32, [])
    v = tf.get_variable("v", initializer=1.0)
    w = tf.get_variable("w", initializer=2.0, use_resource=True)

    def body(i):
        with tf.control_dependencies([v.assign_add(2.0), w.assign_add(tf.cast(i, tf.float32))]):
            return i + 1

    i = tf.while_loop(lambda i: i < n, body, [0], parallel_iterations=1)
    with tf.control_dependencies([i]):
        return [i, tf.identity(v.read_value()), w.read_value()], {n: 3}


@program()
def shapes_from_outside(tf):
    x, k = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.int32, [])

    def body(i, y):
        return i + 1, tf.reshape(tf.reshape(y, [-1, k]) * 2.0, tf.shape(y))

    _, y = tf.while_loop(lambda i, _: i < 3, body, [0, x])
    return [y, tf.gradients(y, x)[0]], {x: numbers(2, 4), k: 2}


@program(named=False)
def sparse_loop_variable(tf):
    n = tf.placeholder(tf.int32, [])

    def body(i, s):
        return i + 1, tf.SparseTensor(s.indices, s.values * 2.0, s.dense_shape)

    _, s = tf.while_loop(lambda i, _: i < n, body, [0, tf.SparseTensor([[0, 1]], [2.0], [2, 2])])
    return [s.indices, s.values, s.dense_shape], {n: 3}


@program()
def random_in_loop(tf):
    x = tf.placeholder(tf.float32, [3])
    _, y = tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, y * tf.random_uniform([3], seed=3)), [0, x],
                         parallel_iterations=1)
    return [y, tf.gradients(y, x)[0]], {x: [1, 2, 3]}


@program(named=False)
def gather_in_loop(tf):
    table, n = tf.placeholder(tf.float32, [4, 3]), tf.placeholder(tf.int32, [])

    def body(i, total):
        return i + 1, total + tf.reduce_sum(tf.gather(table, [i % 4, 2])**2)

    _, y = tf.while_loop(lambda i, _: i < n, body, [0, 0.0])
    return [y, tf.convert_to_tensor(tf.gradients(y, table)[0])], {table: numbers(4, 3), n: 3}


@program()
def integer_and_bool_variables(tf):
    n = tf.placeholder(tf.int64, [])

    def body(i, even, total):
        return i + 1, tf.logical_not(even), total + tf.cast(i, tf.uint8)

    start = [tf.constant(0, tf.int64), True, tf.constant(250, tf.uint8)]
    i, even, total = tf.while_loop(lambda i, *_: i < n, body, start)
    return [i, even, total], {n: 5}


@program()
def python_in_loop(tf):
    n = tf.placeholder(tf.int32, [])

    def body(i, y):
        y = tf.py_func(lambda v: v * np.float32(2), [y], tf.float32)
        y.set_shape([2])
        return i + 1, y

    _, y = tf.while_loop(lambda i, _: i < n, body, [0, tf.constant([1.0, 2.0])])
    return [y], {n: 3}


# ---- ref variables that a loop or a branch reads and writes: a read from outside shares the variable's memory


def _counted(tf, body, turns=4):
    """Runs `body` on an index and a sum, `turns` times."""
    return tf.while_loop(lambda i, s: i < turns, body, [0, tf.zeros([2])], parallel_iterations=1)


def _added(tf, v):
    return tf.control_dependencies([v.assign_add([1.0, 2.0])])


@program(steps=2)
def loop_reads_what_it_adds_to(tf):
    v = tf.Variable([0.0, 1.0])

    def body(i, s):
        with _added(tf, v):
            return i + 1, s + v

    return _counted(tf, body), {}


@program(steps=2)
def loop_assigns_what_it_reads(tf):
    v = tf.Variable([0.0, 1.0])
    same = tf.identity(v)

    def body(i, s):
        with tf.control_dependencies([v.assign(v * 2.0 + 1.0)]):
            return i + 1, s + same

    return _counted(tf, body), {}


@program()
def loop_ends_by_what_it_writes(tf):
    v = tf.Variable([0.0, 1.0])

    def body(i, s):
        with _added(tf, v):
            return i + 1, s + 1.0

    return tf.while_loop(lambda i, s: tf.reduce_sum(v) < 8.0, body, [0, tf.zeros([2])], parallel_iterations=1), {}


@program(steps=2)
def loop_returns_what_it_writes(tf):
    v = tf.Variable([0.0, 1.0])

    def body(i, s):
        with _added(tf, v):
            return tf.identity(i + 1), v

    return _counted(tf, body), {}


@program(steps=2)
def branch_reads_what_it_writes(tf):
    v, p = tf.Variable([0.0, 1.0]), tf.placeholder(tf.bool, [])

    def true():
        with _added(tf, v):
            return v * 3.0

    return [tf.cond(p, true, lambda: v + 0.0)], {p: True}


@program()
def branch_in_a_loop_reads_what_the_loop_writes(tf):
    v = tf.Variable([0.0, 1.0])

    def body(i, s):
        with _added(tf, v):
            return i + 1, s + tf.cond(i < 2, lambda: v * 10.0, lambda: v + 0.0)

    return _counted(tf, body), {}


@program()
def branch_in_a_loop_writes_what_the_loop_reads(tf):
    v = tf.Variable([0.0, 1.0])

    def body(i, s):
        def true():
            with _added(tf, v):
                return v * 10.0

        return i + 1, s + tf.cond(i < 2, true, lambda: v + 0.0)

    return _counted(tf, body), {}


@program(named=False)
def training_in_a_loop(tf):
    v = tf.Variable([0.0, 1.0])

    def body(i, s):
        loss = tf.reduce_sum(tf.square(v - 3.0))
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
            return i + 1, s + loss

    return _counted(tf, body), {}


@program()
def rows_added_to_a_variable(tf):
    v = tf.Variable([0.0, 1.0])

    def row(x):
        with tf.control_dependencies([v.assign_add(x)]):
            return v * 2.0

    return [tf.map_fn(row, tf.constant([[1.0, 2.0], [3.0, 4.0]]), parallel_iterations=1)], {}


# ---- arrays


@program()
def array_unrolled(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    array = tf.TensorArray(tf.float32, size=3)
    for i in range(3):
        array = array.write(i, x * float(i + 1))
    y = array.stack()
    return [y, array.size(), *tf.gradients(y * y, x)], {x: [[1, 2]]}


@program()
def array_in_loop(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    n = tf.shape(x)[0]
    source = tf.TensorArray(tf.float32, size=n).unstack(x)

    def body(i, h, out):
        h = tf.tanh(h * 0.5 + source.read(i))
        return i + 1, h, out.write(i, h)

    _, h, out = tf.while_loop(lambda i, *_: i < n, body, [0, tf.zeros([2]), tf.TensorArray(tf.float32, size=n)])
    y = out.stack()
    return [y, h, *tf.gradients([y * y, h], x)], {x: numbers(4, 2)}


@program()
def array_that_grows(tf):
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [])
    array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)

    def body(i, array):
        return i + 1, array.write(i, x * tf.cast(i, tf.float32))

    _, array = tf.while_loop(lambda i, _: i < n, body, [0, array])
    y = array.stack()
    return [y, array.size(), *tf.gradients(y * y, x)], {n: 4, x: 3.0}


@program()
def array_read_twice(tf):
    x = tf.placeholder(tf.float32, [3, 2])
    array = tf.TensorArray(tf.float32, size=3, clear_after_read=False).unstack(x)
    y = array.read(1) * array.read(1) + array.read(2)
    return [y, *tf.gradients(y, x)], {x: numbers(3, 2)}


@both_ways("array_in_cond")
def _(tf, flag):
    x, p = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.bool, [])
    array = tf.TensorArray(tf.float32, size=2).write(0, x)
    array = tf.cond(p, lambda: array.write(1, x * x), lambda: array.write(1, x * 3.0))
    y = array.stack()
    return [y, *tf.gradients(y, x)], {x: [1, 2], p: flag}


@program()
def array_in_cond_in_loop(tf):
    x, n = tf.placeholder(tf.float32, [4, 2]), tf.placeholder(tf.int32, [])
    source = tf.TensorArray(tf.float32, size=4).unstack(x)

    def body(i, out):
        row = source.read(i)
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: out.write(i, row**2), lambda: out.write(i, tf.sin(row)))

    _, out = tf.while_loop(lambda i, _: i < n, body, [0, tf.TensorArray(tf.float32, size=4, element_shape=[2])])
    y = out.stack()
    return [y, *tf.gradients(y, x)], {x: numbers(4, 2), n: 4}


@program(named=False)
def array_pieces(tf):
    x = tf.placeholder(tf.float32, [5, 2])
    array = tf.TensorArray(tf.float32, size=2, infer_shape=False).split(x, [2, 3])
    y = array.concat()
    return [y, *tf.gradients(y * y, x)], {x: numbers(5, 2)}


@program(named=False)
def array_by_indices(tf):
    x = tf.placeholder(tf.float32, [3, 2])
    array = tf.TensorArray(tf.float32, size=5, clear_after_read=False, element_shape=[2]).scatter([4, 0, 2], x)
    y = array.gather([0, 4])
    return [y, *tf.gradients(y * y, x)], {x: numbers(3, 2)}


@program()
def array_inside_a_loop(tf):
    x = tf.placeholder(tf.float32, [3, 2])

    def outer(i, total):
        array = tf.TensorArray(tf.float32, size=3).unstack(x * total)
        _, s = tf.while_loop(lambda j, _: j < 3, lambda j, s: (j + 1, s + tf.reduce_sum(array.read(j)**2)), [0, 0.0])
        return i + 1, total * 0.5 + s * 0.01

    _, y = tf.while_loop(lambda i, _: i < 3, outer, [0, 1.0])
    return [y, *tf.gradients(y, x)], {x: numbers(3, 2)}


# ---- functions over rows


@program()
def mapped(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.map_fn(lambda row: tf.reduce_sum(row * row), x)
    return [y, *tf.gradients(y, x)], {x: numbers(3, 2)}


@program()
def mapped_structures(tf):
    x, k = tf.placeholder(tf.float32, [3, 2]), tf.placeholder(tf.int32, [3])
    a, b = tf.map_fn(lambda rows: (rows[0] * 2.0, rows[1] + 1), (x, k), dtype=(tf.float32, tf.int32))
    return [a, b], {x: numbers(3, 2), k: [1, 2, 3]}


@program()
def mapped_to_another_type(tf):
    x = tf.placeholder(tf.float32, [None])
    return [tf.map_fn(lambda v: tf.cast(v, tf.int64), x, dtype=tf.int64)], {x: [1.5, 2.5, -3.5]}


@program()
def scanned(tf):
    x = tf.placeholder(tf.float32, [None])
    y = tf.scan(lambda total, v: total * v, x)
    z = tf.scan(lambda total, v: total + v * 2.0, x, initializer=10.0, reverse=True)
    return [y, z, tf.gradients(y, x)[0], tf.gradients(z, x)[0]], {x: [1, 2, 3, 4]}


@program()
def scanned_structures(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    a, b = tf.scan(lambda state, row: (state[0] + row, state[1] + 1), x, initializer=(tf.zeros([2]), tf.constant(0)))
    return [a, b], {x: numbers(3, 2)}


@program()
def folded(tf):
    x = tf.placeholder(tf.float32, [None])
    left = tf.foldl(lambda a, v: a - v, x)
    right = tf.foldr(lambda a, v: a * 0.5 - v, x, initializer=1.0)
    return [left, right, tf.gradients(right, x)[0]], {x: [1, 2, 3, 4]}


# ---- Python, order


@program()
def python_functions(tf):
    x = tf.placeholder(tf.float32, [2])
    y = tf.py_func(np.sinh, [x], tf.float32)
    a, b = tf.py_func(lambda v, s: (v[0], s + b"!"), [x, tf.constant("a")], [tf.float32, tf.string], stateful=False)
    return [y, a, b], {x: [1, 2]}


@program(steps=2)
def grouped(tf):
    v, w = tf.get_variable("v", initializer=1.0), tf.get_variable("w", initializer=2.0)
    both = tf.group(v.assign_add(1.0), [w.assign_add(1.0)])
    with tf.control_dependencies([both]):
        return [tf.identity(v.read_value()), tf.identity(w.read_value())], {}


@program()
def tuples(tf):
    x = tf.placeholder(tf.float32, [2])
    a, none, b = tf.tuple([x * 2.0, None, x + 1.0])
    assert none is None
    return [a, b], {x: [1, 2]}


# ---- raw ops: lists, functions of the library


def _ends(tf, handle):
    """A list's length, element shape and elements."""
    raw = tf.raw_ops
    stacked = raw.TensorListStack(input_handle=handle, element_shape=[2], element_dtype=tf.float32)
    shape = raw.TensorListElementShape(input_handle=handle, shape_type=tf.int32)
    return [raw.TensorListLength(input_handle=handle), shape, stacked]


@program(named=False)
def list_of_pushes(tf):
    raw, x = tf.raw_ops, tf.placeholder(tf.float32, [2])
    handle = raw.EmptyTensorList(element_shape=[2], max_num_elements=-1, element_dtype=tf.float32)
    for k in range(3):
        handle = raw.TensorListPushBack(input_handle=handle, tensor=x * float(k + 1))
    rest, last = raw.TensorListPopBack(input_handle=handle, element_shape=[2], element_dtype=tf.float32)
    fetches = [*_ends(tf, handle), *_ends(tf, rest), last]
    return [*fetches, *tf.gradients([fetches[2], fetches[5] * 2.0, last], x)], {x: [1, 2]}


@program(named=False)
def list_of_rows(tf):
    raw, x, i = tf.raw_ops, tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.int32, [])
    handle = raw.TensorListFromTensor(tensor=x, element_shape=[2])
    item = raw.TensorListGetItem(input_handle=handle, index=i, element_shape=[2], element_dtype=tf.float32)
    other = raw.TensorListSetItem(input_handle=handle, index=i, item=item * 10.0)
    longer = raw.TensorListResize(input_handle=other, size=4)
    fetches = [item, *_ends(tf, handle), *_ends(tf, other), *_ends(tf, longer)]
    return [*fetches, *tf.gradients([fetches[3], fetches[6] * 2.0, fetches[9] * 3.0], x)], {x: numbers(3, 2), i: 1}


@program(named=False)
def list_of_scattered_rows(tf):
    raw, x = tf.raw_ops, tf.placeholder(tf.float32, [2, 2])
    handle = raw.TensorListScatterV2(tensor=x, indices=[3, 0], element_shape=[2], num_elements=5)
    some = raw.TensorListGather(input_handle=handle, indices=[0, 3, 1], element_shape=[2], element_dtype=tf.float32)
    into = raw.TensorListScatterIntoExistingList(input_handle=handle, tensor=x * 2.0, indices=[0, 1])
    fetches = [some, *_ends(tf, handle), *_ends(tf, into)]
    return [*fetches, *tf.gradients([some, fetches[6] * 3.0], x)], {x: numbers(2, 2)}


@program(named=False)
def list_of_pieces(tf):
    raw, x = tf.raw_ops, tf.placeholder(tf.float32, [5, 2])
    handle = raw.TensorListSplit(tensor=x, element_shape=[-1, 2], lengths=[2, 3])
    joined = raw.TensorListConcatLists(input_a=handle, input_b=handle, element_dtype=tf.float32)
    whole, lengths = raw.TensorListConcatV2(input_handle=handle, element_shape=[-1, 2], leading_dims=[],
                                            element_dtype=tf.float32)
    twice, more = raw.TensorListConcatV2(input_handle=joined, element_shape=[-1, 2], leading_dims=[],
                                         element_dtype=tf.float32)
    return [whole, lengths, twice, more, *tf.gradients(whole * whole, x)], {x: numbers(5, 2)}


@program(named=False)
def reserved_list(tf):
    raw = tf.raw_ops
    handle = raw.TensorListReserve(element_shape=[2], num_elements=3, element_dtype=tf.float32)
    handle = raw.TensorListSetItem(input_handle=handle, index=1, item=[1.0, 2.0])
    return _ends(tf, handle), {}
