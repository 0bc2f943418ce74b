"""Eager execution: functions that AutoGraph converts, called with several kinds of arguments, under tapes."""

import textwrap

from tests.random_graphs.maker import Dice

MOST = 2  # blocks inside each other
# what a function has: a, s numbers; c, x vectors of three; k, n whole numbers; flag; w, u, count variables
NUMBERS = ["a + s", "a * 0.5 - s", "tf.reduce_sum(c)", "tf.tanh(a)", "c[k % 3]", "tf.cast(k, tf.float32) * 0.25",
           "tf.reduce_max(x)", "u + a", "tf.reduce_sum(w * x)", "tf.sin(s) * a", "tf.cast(count, tf.float32) * 0.1",
           "tf.tensordot(c, x, 1)"]  # fmt: skip
VECTORS = ["c + x", "c * a", "tf.tanh(c - s)", "w * c", "x[::-1]", "tf.nn.softmax(c)", "tf.where(c > 0.193, c, x)",
           "tf.fill([3], a)", "tf.stack([a, s, u])", "tf.gather(c, [2, 0, k % 3])", "tf.sigmoid(c) * x",
           "tf.concat([c[1:], x[:1]], 0)", "tf.stop_gradient(c) * x", "twice(c)", "odd(c) - x"]  # fmt: skip
WHOLE = ["k + 1", "(k * 3) % 5", "n - k", "tf.size(c) - k", "count % 4", "tf.argmax(c, output_type=tf.int32)"]
TRUTHS = ["a > 0.137", "tf.reduce_any(c > 0.411)", "k % 2 == 0", "flag", "not flag", "a > 0.1 and k < 3",
          "tf.reduce_sum(x) < 0.2 or flag", "n > 1", "u < 0.6", "k in (1, 2)" ]  # fmt: skip
UPDATES = ["u.assign(tf.tanh({0}))", "u.assign_add(tf.sin({0}) * 0.3)", "w.assign(tf.tanh({1}))",
           "w.assign_sub(tf.tanh({1}) * 0.1)", "w.scatter_nd_update([[1]], tf.tanh({1})[:1])", "count.assign_add(1)",
           "w[1].assign(tf.tanh({0}))"]  # fmt: skip


class Body:
    """Writes the lines of a function.

    Attributes:
        calls: names of functions that it may call.
    """

    def __init__(self, dice, calls):
        self.dice, self.calls, self.count, self.left = dice, calls, 0, 4

    def number(self):
        return self.dice.pick(NUMBERS)

    def vector(self):
        return self.dice.pick(VECTORS)

    def block(self, depth, in_loop):
        lines = []
        for _ in range(self.dice.between(1, 3)):
            lines += self.statement(depth, in_loop)
        return lines

    def statement(self, depth, in_loop):
        self.left -= 1
        table = PLAIN if depth >= MOST or self.left < 0 else PLAIN + NESTED
        return self.dice.weighted(table + (JUMPS if in_loop else []))(self, depth, in_loop)

    def inside(self, depth, in_loop):
        return ["    " + line for line in self.block(depth + 1, in_loop)]

    def name(self):
        self.count += 1
        return f"i{self.count}"


# ---- statements: each gives lines


def scalar(b, depth, in_loop):
    return [f"a {b.dice.pick(['=', '=', '+=', '-='])} tf.tanh({b.number()})"]


def vector(b, depth, in_loop):
    return [f"c = tf.tanh({b.vector()})" if b.dice.chance(0.5) else f"c, a = tf.sin({b.vector()}), {b.number()}"]


def whole(b, depth, in_loop):
    return [f"k = ({b.dice.pick(WHOLE)}) % 5"]


def update(b, depth, in_loop):
    return [b.dice.pick(UPDATES).format(b.number(), b.vector())]


def call(b, depth, in_loop):
    if not b.calls:
        return scalar(b, depth, in_loop)
    return [f"c = tf.tanh({b.dice.pick(b.calls)}(c, k % 3, flag)[0])"]


def if_(b, depth, in_loop):
    lines = [f"if {b.dice.pick(TRUTHS)}:", *b.inside(depth, in_loop)]
    if b.dice.chance(0.3):
        lines += [f"elif {b.dice.pick(TRUTHS)}:", *b.inside(depth, in_loop)]
    if b.dice.chance(0.6):
        lines += ["else:", *b.inside(depth, in_loop)]
    return lines


def early(b, depth, in_loop):
    """A return; TensorFlow lets tensors decide about those alone that are outside of other blocks."""
    if depth:
        return scalar(b, depth, in_loop)
    return [f"if {b.dice.pick(TRUTHS)}:", f"    return c * 2.0, a, k + {b.dice.below(3)}"]


def for_range(b, depth, in_loop):
    over = b.dice.pick(["tf.range(n)", "tf.range(3)", "range(2)", "tf.range(1, n + 1)", "tf.range(k % 3)"])
    name = b.name()
    return [f"for {name} in {over}:", *b.inside(depth, True), f"    a += tf.cast({name}, tf.float32) * 0.1"]


def for_rows(b, depth, in_loop):
    name = b.name()
    return [f"for {name} in {b.dice.pick(['x', 'tf.stack([x, c])', 'tf.tanh(c)'])}:", *b.inside(depth, True),
            f"    a = a * 0.5 + tf.reduce_sum({name})"]


def for_data(b, depth, in_loop):
    name = b.name()
    return [f"for {name} in tf.data.Dataset.range(3):", *b.inside(depth, True),
            f"    a -= tf.cast({name}, tf.float32) * 0.2"]


def while_(b, depth, in_loop):
    name = b.name()
    limit, also = b.dice.pick(["n", "3", "k"]), b.dice.pick(["", " and a < 3.3"])
    return [f"{name} = tf.constant(0)", f"while {name} < {limit}{also}:", f"    {name} += 1", *b.inside(depth, True)]


def array(b, depth, in_loop):
    name = b.name()
    size, kept = b.dice.pick(["3", "0, dynamic_size=True"]), b.dice.pick(["a", "s * 0.5", f"c[{name}]"])
    return [f"kept{name} = tf.TensorArray(tf.float32, {size})", f"for {name} in tf.range(3):",
            f"    kept{name} = kept{name}.write({name}, {kept} + x[{name}])",
            *b.inside(depth, False), f"c = kept{name}.stack()"]


def jump(b, depth, in_loop):
    return [f"if {b.dice.pick(TRUTHS)}:", f"    {b.dice.pick(['break', 'continue'])}"]


PLAIN = [(3, scalar), (3, vector), (1, whole), (2, update), (1, call)]
NESTED = [(4, if_), (1, early), (2, for_range), (1, for_rows), (0.5, for_data), (2, while_), (0.7, array)]
JUMPS = [(2, jump)]

SETUP = """w = tf.Variable(data(1, [3]), name='w')
u = tf.Variable(0.25, name='u')
count = tf.Variable(1, name='count')
traces = []"""
HELPERS = """@tf.custom_gradient
def odd(x):
    return tf.sin(x), lambda dy: dy * 0.5 * x
def twice(x):
    return tf.ensure_shape(tf.py_function(lambda y: y * 2.0, [x], tf.float32), [3])"""

DECORATORS = [
    "@tf.function", "@tf.function", "@tf.function", "@tf.function(autograph=True)", "",
    "@tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.int32), "
    "tf.TensorSpec([], tf.bool)])", "@tf.function(experimental_relax_shapes=True)",
]


def function(dice, name, calls):
    body = Body(dice, calls)
    lines = ["traces.append(1)", "a, s, c = tf.constant(0.3), tf.reduce_sum(x) * 0.2, x * 0.7",
             f"k = n % {dice.between(2, 4)}",
             *(line for _ in range(dice.between(2, 4)) for line in body.statement(0, False)), "return c, a, k"]
    head = dice.pick(DECORATORS)
    return f"{head}\ndef {name}(x, n, flag):\n".lstrip() + textwrap.indent("\n".join(lines), "    ")


def arguments(dice):
    x = dice.pick(["tf.constant(data({0}, [3]))", "tf.constant(data({0}, [3]))", "data({0}, [3])", "w"])
    n = dice.pick(["tf.constant({0})", "{0}"]).format(dice.below(4))
    flag = dice.pick(["tf.constant({0})", "{0}"]).format(dice.chance(0.5))
    return x.format(dice.between(2, 5)), n, flag


SOURCES = "[x, w, u]"
TAPES = [
    """with tf.GradientTape() as t:
    t.watch(x)
    y = {f}(x, {n}, {flag})
show(y, t.gradient(y[0], {sources}, unconnected_gradients='zero'))""",
    """with tf.GradientTape(persistent=True) as t:
    t.watch(x)
    y = {f}(x, {n}, {flag})
    z = tf.reduce_sum(y[0] * y[0]) + y[1]
show(y, t.gradient(z, {sources}, unconnected_gradients='zero'))
show(t.gradient(y[1], {sources}, unconnected_gradients='zero'))
del t""",
    """with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.reduce_sum({f}(x, {n}, {flag})[0])
    slope = t.gradient(y, x, unconnected_gradients='zero')
    z = tf.reduce_sum(slope * slope)
show(y, slope, outer.gradient(z, {sources}, unconnected_gradients='zero'))""",
    """@tf.function
def step{at}(x):
    with tf.GradientTape() as t:
        t.watch(x)
        y = {f}(x, {n}, {flag})
        z = tf.reduce_sum(y[0]) + y[1]
    slopes = t.gradient(z, {sources}, unconnected_gradients='zero')
    w.assign_sub(0.1 * slopes[1])
    return z, slopes
for i in range(3):
    show(step{at}(x))""",
    """with tf.GradientTape(persistent=True) as t:
    t.watch(x)
    y = {f}(x, {n}, {flag})[0]
show(t.jacobian(y, x, unconnected_gradients='zero', experimental_use_pfor=False))""",
]  # fmt: skip


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    dice = Dice(seed)
    statements, names = ["eager()", SETUP, HELPERS], []
    for at in range(dice.between(1, 2)):
        statements.append(function(dice, f"f{at}", list(names)))
        names.append(f"f{at}")
    for at in range(dice.between(2, 4)):
        f, (x, n, flag) = dice.pick(names), arguments(dice)
        if dice.chance(0.5):
            statements.append(f"attempt(lambda: {f}({x}, {n}, {flag}))")
        else:
            statements.append(f"x = tf.constant(data({dice.between(2, 5)}, [3]))")
            statements.append(dice.pick(TAPES).format(f=f, n=n, flag=flag, at=at, sources=SOURCES))
        statements.append("show(w.numpy(), u.numpy(), count.numpy(), len(traces))")
    return statements
