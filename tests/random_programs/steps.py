"""Steps: a session runs one graph many times, with feeds whose sizes change from step to step and come back.

A size is a tuple: what it is in each form of the feeds. Sizes 0 and 1 are among them, and there are feeds that are
views of other arrays, special values, results that are views of feeds and variables, faults, and several threads.
Programs write into every second result and into all feeds after a step, and show the other results at the end: nothing
may alias.
"""

import dataclasses
import math
import textwrap

from tests.random_graphs.maker import Dice
from tests.random_programs.saving import OPTIMIZERS

FORMS = 3
MOST = 2  # blocks inside each other
LARGEST = [(9, 60), (1, 3000)]  # elements of a value
SIZES, LONG = [0, 1, 2, 3, 4, 5, 3, 4], [1, 7, 33, 64, 257, 1000]
ONE, TWO, THREE = (1,) * FORMS, (2,) * FORMS, (3,) * FORMS
FLOATS, INTS = ("float32", "float64", "float16"), ("int32", "int64")
NUMBERS, ALL = FLOATS + INTS, (*FLOATS, *INTS, "bool")
LEAVES = [(6, "float32"), (2, "float64"), (1, "float16"), (2, "int32"), (1.5, "int64"), (1.2, "bool")]
DENORMAL = "denormal"  # the list of special values that are 0 for TensorFlow and XLA

UNARY = {
    FLOATS: ["tf.tanh({0})", "tf.sigmoid({0})", "-{0}", "tf.abs({0})", "tf.square({0})", "tf.nn.relu({0})",
             "tf.sin({0})", "tf.nn.softplus({0})", "tf.floor({0} * 3)", "tf.sqrt(tf.abs({0}))", "tf.log1p(tf.abs({0}))",
             "tf.sign({0})", "tf.nn.elu({0})", "tf.exp(-tf.abs({0}))", "1 / ({0} * {0} + 1)", "tf.nn.leaky_relu({0})",
             "{0} * {0} - {0}", "tf.clip_by_value({0}, -0.25, 0.5)", "tf.round({0} * 4)", "tf.stop_gradient({0})",
             "tf.identity({0})", "tf.zeros_like({0})", "tf.reciprocal(tf.abs({0}) + 0.5)",
             "tf.rsqrt(tf.square({0}) + 0.1)"],
    INTS: ["-{0}", "tf.abs({0})", "tf.square({0})", "tf.sign({0})", "{0} * 3 - 1", "{0} // 2", "{0} % 3", "{0} + {0}",
           "tf.ones_like({0})", "tf.identity({0})", "tf.bitwise.bitwise_xor({0}, {0} + 1)"],
    ("bool",): ["tf.logical_not({0})", "tf.identity({0})", "tf.logical_xor({0}, tf.logical_not({0}))"],
}  # fmt: skip
BINARY = {
    FLOATS: ["{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / ({1} * {1} + 0.5)", "tf.maximum({0}, {1})", "{0} / {1}",
             "{1} - {0} * 0.5", "tf.minimum({0}, {1})", "tf.squared_difference({0}, {1})", "tf.div_no_nan({0}, {1})",
             "tf.floordiv({0}, tf.abs({1}) + 0.3)", "tf.pow(tf.abs({0}) + 0.1, tf.tanh({1}))",
             "tf.floormod({0}, tf.abs({1}) + 0.3)"],
    INTS: ["{0} + {1}", "{0} - {1}", "{0} * {1}", "tf.maximum({0}, {1})", "tf.minimum({0}, {1})",
           "tf.floordiv({0}, tf.abs({1}) + 1)", "tf.floormod({0}, tf.abs({1} % 7) + 1)",
           "tf.truncatediv({0}, tf.abs({1}) + 1)"],
    ("bool",): ["tf.logical_and({0}, {1})", "tf.logical_or({0}, {1})", "tf.logical_xor({0}, {1})"],
}  # fmt: skip
COMPARED = ["{0} < {1}", "{0} >= {1}", "tf.equal({0}, {1})", "tf.not_equal({0}, {1})", "{0} > {1}", "{0} <= {1}"]
REDUCED = {
    FLOATS: ["reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "reduce_logsumexp", "reduce_sum"],
    INTS: ["reduce_sum", "reduce_max", "reduce_min", "reduce_prod"],
    ("bool",): ["reduce_any", "reduce_all"],
}  # fmt: skip
ALONG = ["tf.nn.softmax({0})", "tf.nn.log_softmax({0})", "tf.cumsum({0}, -1)", "tf.cumsum({0}, -1, True, True)",
         "tf.nn.l2_normalize({0}, -1)"]  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Value:
    """A tensor: its shape is a tuple of sizes."""

    name: str
    dtype: str
    shape: tuple

    @property
    def rank(self):
        return len(self.shape)

    @property
    def last(self):
        return self.shape[-1]


def static(shape):
    """The shape as the graph may know it."""
    return [size[0] if len(set(size)) == 1 else None for size in shape]


def joined(first, second):
    """The shape of two that are broadcast, or None."""
    rank = max(len(first), len(second))
    pairs = zip((ONE,) * (rank - len(first)) + first, (ONE,) * (rank - len(second)) + second)
    found = tuple(tuple(_joined(*sizes) for sizes in zip(*pair)) for pair in pairs)
    return None if any(None in size for size in found) else found


def _joined(a, b):
    return a if b in (1, a) else b if a == 1 else None


def fits(shape, largest):
    return len(shape) <= 4 and all(math.prod(sizes) <= largest for sizes in zip(*shape))


def of(table, dtype):
    """The row of a table whose keys are groups of dtypes."""
    return next(row for group, row in table.items() if dtype in group)


class Block:
    """The statements of a program or of a function in it, and the values that it may use.

    Attributes:
        calm: whether its calls may run side by side, so that nothing in it has state.
        sized: sizes of which leaves are made.
        largest: how many elements a value has at most.
    """

    def __init__(self, dice, outer=None, calm=False):
        self.dice, self.outer, self.lines, self.stateful = dice, outer, [], False
        self.depth = outer.depth + 1 if outer else 0
        self.calm = calm or bool(outer and outer.calm)
        self.reach = list(outer.reach) if outer else []
        self.sized = outer.sized if outer else [ONE, TWO, THREE]
        self.variables = outer.variables if outer else []
        self.count = outer.count if outer else [0]
        self.largest = outer.largest if outer else dice.weighted(LARGEST)

    def fresh(self, letter="x"):
        self.count[0] += 1
        return f"{letter}{self.count[0]}"

    def say(self, text):
        self.lines.append(text)

    def put(self, text, dtype, shape):
        """Names the value of a text; None, and no statement, if it has too many elements."""
        if not fits(shape, self.largest):
            return None
        value = Value(self.fresh(), dtype, tuple(shape))
        self.say(f"{value.name} = {text}")
        self.reach.append(value)
        return value

    def find(self, dtypes=ALL, where=lambda value: True):
        """A value that fits, a recent one more often, or None."""
        found = [each for each in self.reach if each.dtype in dtypes and where(each)]
        return self.dice.pick(found[-4:] if self.dice.chance(0.6) else found) if found else None

    def like(self, dtype, shape):
        """A value of that dtype and shape, the newest one mostly, or None."""
        found = [each for each in self.reach if (each.dtype, each.shape) == (dtype, shape)]
        return (found[-1] if self.dice.chance(0.7) else self.dice.pick(found)) if found else None

    def function(self, parameters, make, calm=False):
        """Writes an inner function; `make` is given its block and returns the texts of results."""
        inner, name = Block(self.dice, self, calm), self.fresh("f")
        inner.reach += [each for each in parameters if isinstance(each, Value)]
        results = make(inner)
        if inner.stateful:
            self.stateful = True
            results = [f"after(last, {each})" for each in results]
        inner.say(f"return {', '.join(results)}")
        names = ", ".join(each.name if isinstance(each, Value) else each for each in parameters)
        body = textwrap.indent("\n".join(["last = []", *inner.lines]), "    ")
        self.say(f"def {name}({names}):\n{body}")
        return name

    def grow(self, low, high):
        for _ in range(self.dice.between(low, high)):
            for _ in range(8):
                if self.dice.weighted(STATEMENTS if self.calm else [*STATEMENTS, *STATE])(self):
                    break


def has_denormals(text):
    """Whether a program feeds denormal numbers."""
    return f", {DENORMAL}))" in text


# ---- statements: each returns a true value if it wrote something


def unary(b):
    x = b.find()
    return b.put(b.dice.pick(of(UNARY, x.dtype)).format(x.name), x.dtype, x.shape)


def partner(b, x):
    """A value that broadcasts with another one: itself, too."""
    if b.dice.chance(0.15):
        return x
    return b.find((x.dtype,), lambda each: joined(x.shape, each.shape) is not None) or x


def binary(b):
    x = b.find()
    y = partner(b, x)
    if b.dice.chance(0.5):
        x, y = y, x
    return b.put(b.dice.pick(of(BINARY, x.dtype)).format(x.name, y.name), x.dtype, joined(x.shape, y.shape))


def compared(b):
    x = b.find(NUMBERS)
    y = x and partner(b, x)
    return x and b.put(b.dice.pick(COMPARED).format(x.name, y.name), "bool", joined(x.shape, y.shape))


def chosen(b):
    x = b.find()
    y = b.like(x.dtype, x.shape)
    flag = b.find(("bool",), lambda each: joined(each.shape, x.shape) == x.shape)
    if flag is None:
        return None
    return b.put(f"tf.where(tf.broadcast_to({flag.name}, tf.shape({x.name})), {x.name}, {y.name})", x.dtype, x.shape)


def cast(b):
    x, dtype = b.find(), b.dice.pick(ALL)
    if x.dtype in FLOATS and dtype in INTS:
        finite = f"tf.where(tf.is_finite({x.name}), {x.name}, tf.zeros_like({x.name}))"
        return b.put(f"tf.cast(tf.clip_by_value({finite}, -99, 99), tf.{dtype})", dtype, x.shape)
    if x.dtype in FLOATS and dtype in FLOATS:
        return b.put(f"tf.cast({x.name}, tf.{dtype}) * one('{x.dtype}', tf.{dtype})", dtype, x.shape)
    return b.put(f"tf.cast({x.name}, tf.{dtype})", dtype, x.shape)


def reduced(b):
    x = b.find()
    axes = b.dice.some(range(x.rank), b.dice.between(0, x.rank))
    keep = b.dice.chance(0.3)
    shape = [ONE if at in axes else size for at, size in enumerate(x.shape) if keep or at not in axes]
    kind = b.dice.pick(of(REDUCED, x.dtype))
    written = [b.dice.pick([at, at - x.rank]) for at in axes]
    if len(axes) == x.rank and b.dice.chance(0.5):
        written = None
    return b.put(f"tf.{kind}({x.name}, {written}, {keep})", x.dtype, shape)


def place(b):
    x = b.find(NUMBERS, lambda each: each.rank and min(each.last))
    dtype, kind = b.dice.pick(INTS), b.dice.pick(["max", "min"])
    return x and b.put(f"tf.arg{kind}({x.name}, -1, output_type=tf.{dtype})", dtype, x.shape[:-1])


def along(b):
    x = b.find(FLOATS, lambda each: each.rank)
    return x and b.put(b.dice.pick(ALONG).format(x.name), x.dtype, x.shape)


def product(b):
    x = b.find(FLOATS + ("int32",), lambda each: each.rank == 2)
    if x is None:
        return None
    left, right = b.dice.chance(0.4), b.dice.chance(0.4)
    inner = x.shape[0] if left else x.shape[1]
    y = b.find((x.dtype,), lambda each: each.rank == 2 and each.shape[1 if right else 0] == inner)
    if y is None:
        y, right = x, not left
    shape = x.shape[1 if left else 0], y.shape[0 if right else 1]
    return b.put(f"tf.matmul({x.name}, {y.name}, {left}, {right})", x.dtype, shape)


def products(b):
    """A product of several matrices each, or of vectors."""
    x = b.find(FLOATS, lambda each: each.rank == 3)
    if x is None:
        y = b.find(FLOATS, lambda each: each.rank == 1)
        return y and b.put(f"tf.tensordot({y.name}, {y.name}, 1)", y.dtype, ())
    return b.put(f"tf.matmul({x.name}, {x.name}, transpose_b=True)", x.dtype, (x.shape[0], x.shape[1], x.shape[1]))


def cut(b):
    """Python's indexing with all sorts of steps."""
    x = b.find(where=lambda each: each.rank)
    if x is None:
        return None
    words, shape = [], []
    for size in x.shape:
        word = b.dice.pick([":", ":", "1:", ":-1", "::-1", "::2", "::-2", "-2:", ":2", "2:0:-1", "0", "-1"])
        if word in ("0", "-1"):
            if min(size) == 0:
                return None
        else:
            span = slice(*(int(part) if part else None for part in word.split(":")))
            shape.append(tuple(len(range(each)[span]) for each in size))
        words.append(word)
    if b.dice.chance(0.15):
        words, shape = [*words, "None"], [*shape, ONE]
    return b.put(f"{x.name}[{', '.join(words)}]", x.dtype, shape)


def turned(b):
    x = b.find(where=lambda each: each.rank >= 2)
    order = x and b.dice.shuffled(range(x.rank))
    return x and b.put(f"tf.transpose({x.name}, {order})", x.dtype, [x.shape[at] for at in order])


def axis_of(b, where=lambda size: True):
    x = b.find(where=lambda each: any(map(where, each.shape)))
    return (x, b.dice.pick([at for at, size in enumerate(x.shape) if where(size)])) if x else (None, None)


def replaced(shape, axis, *sizes):
    return (*shape[:axis], *sizes, *shape[axis + 1:])


def moved(b):
    """The same elements in another order or shape."""
    x, axis = axis_of(b)
    if x is None:
        return None
    text, shape = b.dice.pick([
        (f"tf.reverse({x.name}, [{axis}])", x.shape),
        (f"tf.roll({x.name}, {b.dice.between(-2, 2)}, {axis})", x.shape),
        (f"tf.expand_dims({x.name}, {axis})", replaced(x.shape, axis, ONE, x.shape[axis])),
        (f"tf.reshape({x.name}, [-1])", [tuple(math.prod(sizes) for sizes in zip(*x.shape))]),
        (f"tf.reshape({x.name}, tf.concat([tf.shape({x.name}), [1]], 0))", (*x.shape, ONE)),
        (f"tf.tile({x.name}, {[2 if at == axis else 1 for at in range(x.rank)]})",
         replaced(x.shape, axis, tuple(2 * each for each in x.shape[axis]))),
        (f"tf.pad({x.name}, {[[at == axis, 0] for at in range(x.rank)]})".replace("True", "1").replace("False", "0"),
         replaced(x.shape, axis, tuple(each + 1 for each in x.shape[axis]))),
        (f"tf.broadcast_to({x.name}, tf.concat([[2], tf.shape({x.name})], 0))", (TWO, *x.shape))])
    return b.put(text, x.dtype, shape) if x.dtype != "bool" or "pad" not in text else None


def together(b):
    x, axis = axis_of(b)
    if x is None:
        return None
    if b.dice.chance(0.3):
        y = b.like(x.dtype, x.shape)
        return b.put(f"tf.stack([{x.name}, {y.name}, {x.name}], {axis})", x.dtype,
                     replaced(x.shape, axis, THREE, x.shape[axis]))
    others = [b.find((x.dtype,), lambda each: replaced(each.shape, axis) == replaced(x.shape, axis)
                     and each.rank == x.rank) or x for _ in range(b.dice.between(1, 2))]
    total = tuple(map(sum, zip(*(each.shape[axis] for each in (x, *others)))))
    names = ", ".join(each.name for each in (x, *others))
    return b.put(f"tf.concat([{names}], {axis})", x.dtype, replaced(x.shape, axis, total))


def apart(b):
    """Halves, and thirds, that are joined in another order."""
    x, axis = axis_of(b, lambda size: all(each % 2 == 0 for each in size) or all(each % 3 == 0 for each in size))
    if x is None:
        return None
    parts = 2 if all(each % 2 == 0 for each in x.shape[axis]) else 3
    names = [b.fresh() for _ in range(parts)]
    b.say(f"{', '.join(names)} = tf.split({x.name}, {parts}, {axis})")
    shape = replaced(x.shape, axis, tuple(each // parts for each in x.shape[axis]))
    b.reach += [Value(name, x.dtype, shape) for name in names]
    if b.dice.chance(0.5):
        b.put(f"tf.concat([{', '.join(reversed(names))}], {axis})", x.dtype, x.shape)
    return names


def taken(b):
    """Rows at places that the graph computes."""
    x, index = b.find(where=lambda each: each.rank), b.find(INTS, lambda each: each.rank < 3)
    if x is None or index is None or min(x.shape[0]) == 0:
        return None
    return b.put(f"tf.gather({x.name}, {index.name} % {'tf.cast' if index.dtype == 'int64' else ''}"
                 f"(tf.shape({x.name})[0]{', tf.int64' if index.dtype == 'int64' else ''}))", x.dtype,
                 (*index.shape, *x.shape[1:]))


def dynamic(b):
    """Sums of what has another size in every step, whatever the sizes of the feeds."""
    x = b.find(FLOATS, lambda each: each.rank and min(each.shape[0]))
    index = b.find(("int32",), lambda each: each.rank == 0)
    if x is None or index is None:
        return None
    text, shape = b.dice.pick([
        ("tf.reduce_sum(tf.boolean_mask({x}, {x} > 0))", ()),
        ("tf.reduce_sum(tf.tanh({x}[:tf.abs({i}) % 4]), 0)", x.shape[1:]),
        ("tf.reduce_max(tf.concat([{x}[tf.abs({i}) % 3:], {x}[:1]], 0), 0)", x.shape[1:]),
        ("tf.reduce_sum(tf.fill([tf.abs({i}) % 4 + 1], tf.reduce_mean({x})) * 2)", ()),
        ("tf.reduce_mean({x}) * tf.reduce_sum(tf.cast(tf.range(tf.abs({i}) % 5), {x}.dtype))", ()),
        ("tf.reduce_sum(tf.gather({x}, tf.where(tf.reduce_any(tf.abs({x}[..., None]) > 0.5, "
         f"{list(range(1, x.rank + 1))}))[:, 0]), 0)", x.shape[1:])])
    return b.put(text.format(x=x.name, i=index.name), x.dtype, shape)


def switched(b):
    """A conditional by hand: Switch and Merge, with a few operations between them."""
    if b.depth:
        return None
    x, no, yes = b.find(), b.fresh(), b.fresh()
    b.say(f"{no}, {yes} = tf.raw_ops.Switch(data={x.name}, pred={flag_of(b)})")
    for name in (no, yes):
        for _ in range(b.dice.between(1, 2)):
            b.say(f"{name} = {b.dice.pick(of(UNARY, x.dtype)).format(name)}")
    return b.put(f"held(tf.raw_ops.Merge(inputs=[{no}, {yes}]).output, {static(x.shape)})", x.dtype, x.shape)


def facts(b):
    x = b.find(where=lambda each: each.rank)
    return x and b.put(*b.dice.pick([
        (f"tf.shape({x.name})", "int32", [(x.rank,) * FORMS]), (f"tf.size({x.name})", "int32", ()),
        (f"tf.shape({x.name}, out_type=tf.int64)[-1]", "int64", ())]))


def one_hot(b):
    x = b.find(INTS, lambda each: each.rank < 3)
    return x and b.put(f"tf.one_hot({x.name} % 3, 3)", "float32", (*x.shape, THREE))


# ---- control flow


def result(b, x):
    """Adds statements and returns the text of a value of the dtype and shape of another one."""
    b.grow(1, 3)
    newest = b.reach[-1]
    if (newest.dtype, newest.shape) == (x.dtype, x.shape):
        return f"held({newest.name}, {static(x.shape)})"
    return f"held(mixed({b.like(x.dtype, x.shape).name}, {newest.name}), {static(x.shape)})"


def flag_of(b):
    """The text of a truth."""
    flag = b.find(("bool",), lambda each: each.rank == 0)
    if flag:
        return flag.name
    return f"tf.reduce_sum(narrow({b.find(NUMBERS).name})) > 0.25"


def unpacked(b, kinds, text):
    names = [b.fresh() for _ in kinds]
    b.say(f"{', '.join(names)} = {text}")
    b.reach += [Value(name, x.dtype, x.shape) for name, x in zip(names, kinds)]
    return names


def cond(b):
    if b.depth >= MOST:
        return None
    kinds = [b.find() for _ in range(b.dice.between(1, 2))]
    flag, stateful = b.fresh(), b.stateful
    b.say(f"with tf.control_dependencies(last):\n    {flag} = tf.identity({flag_of(b)})")
    b.stateful = False
    sides = [b.function([], lambda inner: [result(inner, x) for x in kinds]) for _ in range(2)]
    names = unpacked(b, kinds, f"tf.cond({flag}, {sides[0]}, {sides[1]})")
    return ordered(b, names[0], stateful)


def ordered(b, name, stateful):
    """Makes the next statement with state wait for what a conditional or loop gave, if that has state."""
    if b.stateful:
        b.say(f"last = [{name}]")
    b.stateful = b.stateful or stateful
    return name


def loop(b):
    if b.depth >= MOST:
        return None
    kinds = [b.find() for _ in range(b.dice.between(1, 2))]
    params = [Value(b.fresh("p"), x.dtype, x.shape) for x in kinds]
    count, stateful = Value(b.fresh("n"), "int32", ()), b.stateful
    b.stateful = False
    body = b.function([count, *params], lambda inner: [f"{count.name} + 1", *(result(inner, x) for x in params)])
    times = b.find(("int32",), lambda each: each.rank == 0)
    limit = f"{times.name} % 4" if times and b.dice.chance(0.5) else b.dice.pick("2340")
    more = ", parallel_iterations=1" if b.stateful else b.dice.pick(["", ", maximum_iterations=2"])
    begin = b.fresh()
    b.say(f"with tf.control_dependencies(last):\n    {begin} = tf.identity(0)")
    names = unpacked(b, [count, *kinds], f"tf.while_loop(lambda {count.name}, *_: {count.name} < {limit}, {body}, "
                                         f"({', '.join([begin, *(x.name for x in kinds)])}){more})")
    return ordered(b, names[0], stateful)


def with_rows(b, dtypes=ALL):
    """A value to loop over; TensorFlow 1.15 stacks no results where it has no row, so that this is rare."""
    none = b.dice.chance(0.1)
    return b.find(dtypes, lambda each: each.rank and (none or min(each.shape[0])))


def rows(b):
    """A function of every row."""
    x = with_rows(b)
    if x is None or b.depth >= MOST:
        return None
    row = Value(b.fresh("p"), x.dtype, x.shape[1:])
    results = []

    def make(inner):
        inner.grow(1, 3)
        results.append(inner.find(where=lambda each: each not in b.reach) or row)
        return [f"held({results[0].name}, {static(results[0].shape)})"]

    body = b.function([row], make, calm=True)
    found = results[0]
    return b.put(f"tf.map_fn({body}, {x.name}, tf.{found.dtype})", found.dtype, (x.shape[0], *found.shape))


def folded(b):
    x = with_rows(b, FLOATS)
    start = x and b.find(FLOATS)
    if start is None or b.depth >= MOST:
        return None
    total, row = Value(b.fresh("p"), start.dtype, start.shape), Value(b.fresh("p"), x.dtype, x.shape[1:])
    body = b.function([total, row], lambda inner: [f"tf.tanh({result(inner, total)})"], calm=True)
    kind = b.dice.pick(["scan", "scan", "foldl", "foldr"])
    shape = (x.shape[0], *start.shape) if kind == "scan" else start.shape
    return b.put(f"tf.{kind}({body}, {x.name}, {start.name})", start.dtype, shape)


def arrays(b):
    """A loop that fills one TensorArray from another, in another order."""
    x = with_rows(b, FLOATS + INTS)
    if x is None or b.depth >= MOST:
        return None
    count, source, target = Value(b.fresh("n"), "int32", ()), b.fresh("a"), b.fresh("a")
    row = Value(b.fresh("p"), x.dtype, x.shape[1:])
    size = f"tf.shape({x.name})[0]"
    b.say(f"{source} = tf.TensorArray(tf.{x.dtype}, {size}, clear_after_read=False).unstack({x.name})")

    def turn(inner):
        inner.say(f"{row.name} = {source}.read({size} - 1 - {count.name})")
        inner.reach.append(row)
        return [f"{count.name} + 1", f"{target}.write({count.name}, {result(inner, row)})"]

    body = b.function([count, target], turn, calm=True)
    end = b.dice.pick(["stack()", "stack()", f"gather(tf.range({size})[::-1])"])
    return b.put(f"held(tf.while_loop(lambda n, _: n < {size}, {body}, [0, tf.TensorArray(tf.{x.dtype}, {size}, "
                 f"element_shape={static(row.shape)})])[1].{end}, {static(x.shape)})", x.dtype, x.shape)


CELLS = ["BasicRNNCell(2)", "GRUCell(2, kernel_initializer=tf.constant_initializer(0.2))",
         "LSTMCell(2, use_peepholes=True)", "BasicLSTMCell(2)"]  # fmt: skip


def recurrent(b):
    x = b.find(("float32",), lambda each: each.rank == 3 and len(set(each.last)) == 1 and min(each.last))
    if x is None or b.depth:
        return None
    lengths = b.dice.chance(0.5) and f"tf.range(tf.shape({x.name})[0]) % (tf.shape({x.name})[1] + 1)"
    scope = b.fresh("scope")
    b.say(f"with tf.variable_scope('{scope}', initializer=tf.constant_initializer(0.3)):\n"
          f"    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.{b.dice.pick(CELLS)}, "
          f"held({x.name}, {static(x.shape)}), {lengths or None}, dtype=tf.float32)")
    return b.put("outputs", "float32", (*x.shape[:2], TWO))


# ---- state


def read(b):
    if b.calm:
        return None
    name, dtype, shape, resource = b.dice.pick(b.variables)
    return stated(b, f"{name}.read_value(){'' if resource else ' + 0'}", dtype, shape)


def stated(b, text, dtype, shape):
    """A statement with state, which waits for the last one."""
    value = Value(b.fresh(), dtype, shape)
    b.say(f"with tf.control_dependencies(last):\n    {value.name} = {text}\nlast = [{value.name}]")
    b.reach.append(value)
    b.stateful = True
    return value


def update(b):
    if b.calm:
        return None
    name, dtype, shape, _ = b.dice.pick(b.variables)
    x = b.find((dtype,), lambda each: joined(each.shape, shape) == shape)
    if x is None:
        return None
    held = f"tf.broadcast_to({x.name}, {static(shape)})"
    if x.shape == shape and b.dice.chance(0.5):
        return stated(b, f"tf.identity({name}.assign({x.name})) + 0", dtype, shape)
    bounded = f"tf.tanh({held})" if dtype in FLOATS else f"{held} % 9"
    verb = b.dice.pick(["assign", "assign", "assign_add", "assign_sub"])
    return stated(b, f"tf.identity({name}.{verb}({bounded})) + 0", dtype, shape)


def trained(b):
    """A step of an optimizer."""
    found = [each for each in b.variables if each[1] in FLOATS]
    if not found or b.calm or b.depth:
        return None
    name, dtype, shape, _ = b.dice.pick(found)
    x, loss, train = b.find(FLOATS), b.fresh(), b.fresh()
    given = f"tf.cast(tf.tanh(tf.reduce_mean({x.name})), tf.{dtype}) * one('{x.dtype}', tf.{dtype})"
    b.say(f"with tf.control_dependencies(last):\n    {loss} = tf.reduce_mean(tf.square({name} * 0.7 - {given}))\n"
          f"with tf.control_dependencies([{loss}]):\n"
          f"    {train} = tf.train.{b.dice.pick(OPTIMIZERS)}.minimize({loss}, var_list=[{name}])\n"
          f"last = [{train}]")
    return stated(b, f"{name}.read_value() + 0", dtype, shape)


STATEMENTS = [(4, unary), (6, binary), (1.5, compared), (1, chosen), (1.2, cast), (3, reduced), (0.6, place),
              (1, along), (2, product), (0.7, products), (3, cut), (1.5, turned), (3, moved), (2, together),
              (1.2, apart), (1, taken), (0.7, facts), (1, dynamic), (0.5, switched), (0.5, one_hot), (1, cond),
              (1.5, loop), (1, rows), (0.8, folded), (1, arrays), (0.7, recurrent)]  # fmt: skip
STATE = [(6, read), (8, update), (8, trained)]

# ---- programs

HELPERS = """import threading
def after(last, value):
    with tf.control_dependencies(last):
        return tf.identity(value)
def held(value, shape):
    return tf.ensure_shape(value, shape)
def loose(value):
    return tf.placeholder_with_default(value, [None] * value.shape.ndims)
def mixed(value, other):
    sign = tf.reduce_sum(narrow(other)) > 0.3
    if value.dtype == tf.bool:
        return tf.logical_xor(value, sign)
    return value + tf.cast(sign, value.dtype) if value.dtype.is_integer else value * 0.7 + tf.cast(
        tf.tanh(tf.reduce_mean(narrow(other))), value.dtype) * one('float32', value.dtype)
def one(rounded, dtype):
    return tf.cast(tf.constant(data(0, [], 1, 1, rounded)), dtype)
def narrow(value):
    return tf.cast(value, tf.float32) * one('float32', tf.float32)
special = [np.nan, np.inf, -np.inf, -0.0, 0.0, 6e-8, -1.0]
denormal = [1e-40, -1e-40, 0.0, -0.0, 5e-324, np.nan, 6e-8, 1e-30]
def fed(seed, shape, dtype, rare):
    count = int(np.prod(shape))
    if dtype in ('bool', 'int32', 'int64'):
        values = data(seed, [count], -5, 6, 'int64')
        values = values > 0 if dtype == 'bool' else values.astype(dtype)
    else:
        values = data(seed, [count], -2, 2, dtype)
        for at in range(seed % 3, count if rare else 0, 3):
            values[at] = rare[(at + seed) % len(rare)]
    values = values.reshape(shape)
    if seed % 5 == 1 and values.ndim:
        values = np.asfortranarray(values)
    if seed % 5 == 2 and values.ndim:
        values = np.repeat(values, 2, 0)[::2]
    if seed % 5 == 3 and values.ndim:
        values = np.ascontiguousarray(values[::-1])[::-1]
    if seed % 5 == 4:
        values.flags.writeable = False
    return values
def feeds(form, seed):
    return {p: fed(seed * 17 + at, shapes[form], dtype, rare)
            for at, (p, dtype, shapes, rare) in enumerate(leaves)}"""

RUN = """kept = []
for at, form in enumerate(forms):
    for number, fetches in enumerate(lists):
        given = feeds(form, at)
        def step():
            found = s.run(fetches, given)
            if (at + number) % 2:
                kept.append([np.array(each) for each in found])
                spoil(found)
            else:
                kept.append(found)
            spoil(given.values())
            return [each.shape for each in found]
        attempt(step)
show(kept, s.run(tf.global_variables()))"""

THREADS = """results = [None] * 9
def work(at):
    try:
        for again in range(3):
            results[at] = s.run(lists[0], feeds(at % 3, at))
    except Exception as error:
        results[at] = type(error).__name__
workers = [threading.Thread(target=work, args=[at]) for at in range(len(results))]
for each in workers:
    each.start()
for each in workers:
    each.join()
show(results)"""

FAULTS = [
    "tf.floordiv({i}, {i} - {i})", "tf.floormod({i}, {i} % 2)", "tf.gather({x}, {i} + 2)", "tf.gather({x}, [99])",
    "tf.reshape({x}, [5, 7])", "tf.check_numerics(1 / tf.reduce_sum({f} * 0), 'x')", "tf.gather_nd({x}, [[77]])",
    "{f} + tf.ones([tf.size({f}) + 2], {f}.dtype)", "tf.unstack({x}[:2], 2)[0]",
    "tf.while_loop(lambda n, y: n < 9, lambda n, y: (n + 1, tf.gather({f}, n)), [0, {f}[0]], "
    "[tf.TensorShape([]), tf.TensorShape(None)])[1]",
]  # fmt: skip


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    dice = Dice(seed)
    b = Block(dice)
    begin(b)
    b.calm = True
    b.grow(6, 14)
    lists = [texts(b) + slopes(b)]
    fault(b, lists)
    b.calm = False
    if dice.chance(0.7):
        b.grow(2, 6)
        lists.append(texts(b) + ["*last"])
    b.say("s = session()")
    b.say("s.run(tf.global_variables_initializer())")
    b.say(f"lists, forms = [{', '.join('[]' for _ in lists)}], []")
    for at, names in enumerate(lists):
        for name in names:
            b.say(f"lists[{at}] += [{name}]")
    for run in order(dice):
        b.say(f"forms += {run}")
    b.say(RUN)
    if dice.chance(0.3):
        b.say(THREADS)
    return b.lines


def order(dice):
    """Which form each step has: runs of one form, which come back, then any."""
    runs = [[form] * dice.between(1, 5) for form in (0, 1, 0, 2)]
    return [*runs, [dice.below(FORMS) for _ in range(dice.between(1, 4))]]


def begin(b):
    """Writes leaves and variables."""
    b.say(HELPERS)
    b.say("last, leaves = [], []")
    rare = b.dice.weighted([(6, []), (3, "special"), (1, DENORMAL)])
    for _ in range(2):
        b.sized.append(tuple(b.dice.pick(SIZES if b.largest < 100 else LONG) for _ in range(FORMS)))
    for _ in range(b.dice.between(2, 5)):
        leaf(b, b.dice.weighted(LEAVES), rare)
    leaf(b, "float32", rare)
    for at in range(b.dice.between(1, 2)):
        dtype = b.dice.pick(["float32", "float32", "float64", "int32", "int64"])
        shape = b.dice.pick([(), (THREE,), (TWO, THREE), (ONE,)])
        resource = b.dice.chance(0.5)
        value = f"fed({at + 40}, {static(shape)}, '{dtype}', [])"
        b.say(f"w{at} = tf.Variable({value}, use_resource={resource})")
        b.variables.append((f"w{at}", dtype, shape, resource))
        read(b)


def leaf(b, dtype, rare):
    shape = tuple(b.dice.pick(b.sized) for _ in range(b.dice.weighted([(1, 0), (3, 1), (4, 2), (1.5, 3)])))
    if not fits(shape, b.largest):
        return
    if None not in static(shape) and b.dice.chance(0.3):
        b.put(f"tf.constant(fed({b.fresh('')}, {static(shape)}, '{dtype}', []))", dtype, shape)
        return
    written = static(shape) if b.dice.chance(0.7) else [None] * len(shape)
    value = b.put(f"tf.placeholder(tf.{dtype}, {written})", dtype, shape)
    shapes = [list(sizes) for sizes in zip(*shape)] or [[]] * FORMS
    b.say(f"leaves.append(({value.name}, '{dtype}', {shapes}, {rare}))")


def texts(b):
    """Names of values to fetch: late ones, and some of any."""
    names = [each.name for each in b.reach]
    return list(dict.fromkeys([*names[-3:], *b.dice.some(names, 3)]))


def slopes(b):
    """Gradients of late values by leaves and variables; returns the text that fetches them."""
    ends = [each for each in b.reach if each.dtype in FLOATS][-4:]
    xs = [each.name for each in b.reach[:4] if each.dtype in FLOATS]
    xs += [name for name, dtype, _, _ in b.variables if dtype in FLOATS]
    if not xs or not ends or b.dice.chance(0.2):
        return [b.variables[0][0]]
    y = " + ".join(f"tf.reduce_sum(narrow({each.name}))" for each in ends)
    b.say(f"grads = tf.gradients({y}, [{', '.join(xs)}], unconnected_gradients=tf.UnconnectedGradients.ZERO)")
    b.say("grads = [tf.convert_to_tensor(each) for each in grads]")
    return ["*grads"]


def fault(b, lists):
    """A list whose steps may fail."""
    if not b.dice.chance(0.3):
        return
    found = {"i": b.find(INTS), "x": b.find(where=lambda each: each.rank), "f": b.find(FLOATS, lambda each: each.rank)}
    text = b.dice.pick(FAULTS)
    if all(each or "{" + letter + "}" not in text for letter, each in found.items()):
        name = b.fresh()
        b.say(f"{name} = {text.format(**{letter: each and f'loose({each.name})' for letter, each in found.items()})}")
        lists.append([name])
