"""Control flow: conditionals, loops and functions over rows inside each other, with variables, feeds and gradients.

Values have one of five types. A block keeps the last statement with state in `last`, and the next one waits for it, so
that TensorFlow, too, has one order.
"""

import textwrap

from tests.random_graphs.maker import Dice

MOST = 2  # blocks inside each other
SHAPES = {"s": [], "v": [3], "m": [2, 3], "i": [], "b": []}

# type -> texts whose slots {s}, {v}, ... are values in reach
EXPRESSIONS = {
    "s": ["{s} + {s}", "tf.tanh({s} * {s})", "tf.reduce_sum({v})", "tf.reduce_max({v})", "{v}[{i} % 3]", "{s} - 0.5",
          "tf.cast({i}, {D}) * 0.25", "tf.reduce_mean({m})", "tf.tensordot({v}, {v}, 1)", "tf.sin({s})"],
    "v": ["{v} + {v}", "{v} * {s}", "tf.tanh({v} - {s})", "tf.reduce_sum({m}, 0)", "{m}[{i} % 2]", "{v}[::-1]",
          "tf.nn.softmax({v})", "tf.where({b3}, {v}, {v})", "tf.fill([3], {s})", "tf.sigmoid({v}) * {v}",
          "tf.cumsum({v}) * 0.5", "tf.stop_gradient({v}) * {v}", "tf.stack([{s}, {s}, 0.5])",
          "tf.reshape({m}, [-1])[:3]", "tf.squeeze(tf.matmul({v}[None], {m}, transpose_b=True))[0] + {v}",
          "tf.gather({v}, [2, 0, {i} % 3])", "tf.concat([{v}[1:], {v}[:1]], 0)", "tf.abs({v}) ** 1.5",
          "held(tf.py_func(lambda x: x * 2, [{v}], {D}), [3])"],
    "m": ["{m} + {m}", "{m} * {v}", "tf.tanh({m})", "tf.stack([{v}, {v}])", "tf.reverse({m}, [1])",
          "tf.tile({v}[None], [2, 1])", "tf.matmul({m}, {m}, transpose_b=True)[:, :1] * {m}", "{m} * {s} - 1.0"],
    "i": ["{i} + 1", "({i} * 3) % 5", "tf.cast({s} * 2.0, tf.int32) % 4", "tf.size({v}) - {i} % 3",
          "tf.cast({b}, tf.int32)", "tf.argmax({v}, output_type=tf.int32)"],
    "b": ["{s} > 0.137", "tf.reduce_any({v} > 0.411)", "{i} % 2 < 1", "tf.logical_not({b})", "{b} & ({s} < 0.613)",
          "tf.reduce_sum({m}) > -0.271"],
}  # fmt: skip
UPDATES = ["{0}.assign({1})", "{0}.assign_add({1})", "{0}.assign_sub({1} * 0.5)", "tf.assign({0}, {1})"]
ROW_UPDATES = ["tf.scatter_{kind}({0}, {at}, {1}[:2])", "tf.scatter_nd_{kind}({0}, [[{first}]], {1}[1:2])"]


class Block:
    """The statements of a function and the values that it may use.

    Attributes:
        reach: type -> names.
        calm: whether its calls may run side by side, so that nothing in it has state.
        portable: whether a file can hold it, so that it calls no Python.
    """

    def __init__(self, writer, outer=None, calm=False, portable=False):
        self.writer, self.dice, self.lines = writer, writer.dice, []
        self.depth = outer.depth + 1 if outer else 0
        self.calm = calm or bool(outer and outer.calm)
        self.portable = portable or bool(outer and outer.portable)
        self.reach = {kind: list(outer.reach[kind]) if outer else [] for kind in SHAPES}
        self.stateful = False

    def say(self, text):
        self.lines.append(text)

    def put(self, kind, text):
        """Gives the value of a text a name."""
        name = self.writer.fresh()
        self.say(f"{name} = {text}")
        self.reach[kind].append(name)
        return name

    def any(self, kind):
        """A value of a type, a recent one more often."""
        names = self.reach[kind]
        return self.dice.pick(names[-3:] if self.dice.chance(0.6) else names)

    def text(self, kind):
        """A random expression."""
        slots = {each: self.any(each) for each in SHAPES}
        slots["b3"] = f"({self.any('v')} > 0.193)"
        slots["D"] = self.writer.dtype
        texts = [text for text in EXPRESSIONS[kind] if not (self.portable and "py_func" in text)]
        return self.dice.pick(texts).format(**slots)

    def waiting(self, kind, text, waits="last"):
        """A value that is computed after the last statement with state."""
        name = self.writer.fresh()
        self.say(f"with tf.control_dependencies({waits}):\n    {name} = {text}")
        self.reach[kind].append(name)
        return name

    def ordered(self, kind, text):
        """A statement with state."""
        name = self.waiting(kind, text)
        self.say(f"last = [{name}]")
        self.stateful = True
        return name

    def function(self, parameters, make, calm=False):
        """Writes an inner function and returns its name; `make` is given its block and returns the texts of results.

        Args:
            parameters: [(type, name)].
        """
        inner, name = Block(self.writer, self, calm), self.writer.fresh("f")
        for kind, each in parameters:
            if kind in SHAPES:
                inner.reach[kind].append(each)
        results = make(inner)
        if inner.stateful:
            results = [f"after(last, {each})" for each in results]
        inner.say(f"return {', '.join(results)}")
        body = textwrap.indent("\n".join(["last = []", *inner.lines]), "    ")
        self.say(f"def {name}({', '.join(each for _, each in parameters)}):\n{body}")
        return name, inner.stateful

    def grow(self, low=1, high=2):
        for _ in range(self.dice.between(low, high)):
            self.dice.weighted(STATEMENTS)(self)


class Writer:
    """Counts names, and knows the program's dtype and variables.

    Attributes:
        variables: (name, type).
    """

    def __init__(self, seed):
        self.dice, self.variables, self._count = Dice(seed), [], 0
        self.dtype = self.dice.pick(["tf.float32", "tf.float64"])

    def fresh(self, letter="x"):
        self._count += 1
        return f"{letter}{self._count}"


# ---- statements


def plain(b):
    kind = b.dice.weighted([(2, "s"), (4, "v"), (2, "m"), (1, "i"), (1, "b")])
    b.put(kind, b.text(kind))


def kinds(b, most=2):
    return [b.dice.weighted([(2, "s"), (3, "v"), (1.5, "m"), (1, "i"), (0.5, "b")])
            for _ in range(b.dice.between(1, most))]


def grown(given, inner):
    inner.grow()
    return [inner.text(kind) if inner.dice.chance(0.5) else inner.any(kind) for kind in given]


def unpacked(b, given, text, stateful):
    """Names the results of a conditional or a loop."""
    names = [b.writer.fresh() for _ in given]
    b.say(f"{', '.join(names)} = {text}")
    for kind, name in zip(given, names):
        b.reach[kind].append(name)
    if stateful:
        b.stateful = True
        b.say(f"last = [{names[0]}]")


def cond(b):
    if b.depth >= MOST:
        return plain(b)
    given = kinds(b)
    flag = b.waiting("b", b.text("b"))
    made = [b.function([], lambda inner: grown(given, inner)) for _ in range(2)]
    (yes, first), (no, second) = made
    unpacked(b, given, f"tf.cond({flag}, {yes}, {no})", first or second)


def case(b):
    if b.depth >= MOST:
        return plain(b)
    given = kinds(b)
    made = [b.function([], lambda inner: grown(given, inner)) for _ in range(3)]
    first, second, other = [name for name, _ in made]
    flags = [b.waiting("b", b.text("b")) for _ in range(2)]
    index = b.waiting("i", b.text("i"))
    text = b.dice.pick([f"tf.case([({flags[0]}, {first}), ({flags[1]}, {second})], default={other})",
                        f"tf.switch_case({index}, [{first}, {second}, {other}])",
                        f"tf.switch_case(tf.abs({index}) % 2, {{0: {first}, 1: {second}}}, default={other})"])
    unpacked(b, given, text, any(stateful for _, stateful in made))


def loop(b):
    if b.depth >= MOST:
        return plain(b)
    given = kinds(b)
    starts = [b.any(kind) for kind in given]
    names = [b.writer.fresh("p") for _ in given]
    count = b.writer.fresh("n")
    begin = b.waiting("i", b.dice.pick(["tf.constant(0)", "tf.identity(0)", "tf.zeros([], tf.int32)"]))

    def turn(inner):
        inner.reach["i"].append(count)
        made = grown(given, inner)
        return [f"{count} + 1", *(f"held({text}, {SHAPES[kind]})" for kind, text in zip(given, made))]

    body, stateful = b.function([("", count), *zip(given, names)], turn)
    limit = b.dice.pick(["3", "2", "0", "1", f"({b.any('i')} % 4)"])
    more = b.dice.pick(["", "", ", parallel_iterations=1", ", maximum_iterations=2", ", back_prop=True"])
    if stateful:
        more = ", parallel_iterations=1"
    also = f" & tf.logical_not({names[given.index('b')]})" if "b" in given else ""
    unpacked(b, ["i", *given], f"tf.while_loop(lambda {', '.join([count, *names])}: ({count} < {limit}){also}, {body}, "
                               f"({', '.join([begin, *starts])}){more})", stateful)


def growing(b):
    """A loop whose vector becomes longer."""
    times = b.dice.pick(["2", "3", f"{b.any('i')} % 3"])
    start, more = b.any("v"), b.any("v")
    name = b.put("v", f"tf.while_loop(lambda n, x: n < {times}, "
                      f"lambda n, x: (n + 1, tf.concat([x * 0.9, {more}[:1]], 0)), [0, {start}], "
                      f"shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1][-3:]")
    b.say(f"{name}.set_shape([3])")


def rows(b):
    if b.depth >= MOST:
        return plain(b)
    name = b.writer.fresh("p")
    kind = b.dice.pick(["s", "v"])
    over = b.any({"s": "v", "v": "m"}[kind])
    result = b.dice.pick(["s", "v"])
    body, _ = b.function([(kind, name)], lambda inner: grown([result], inner), calm=True)
    text = f"tf.map_fn({body}, {over}, dtype={b.writer.dtype})"
    if result == "s":
        b.put("s", f"tf.reduce_sum({text})")
    else:
        b.put("m", f"held({text}[:2], [2, 3])")


def folded(b):
    if b.depth >= MOST:
        return plain(b)
    total, row = b.writer.fresh("p"), b.writer.fresh("p")
    start, over = b.any("v"), b.any("m")
    body, _ = b.function([("v", total), ("v", row)],
                         lambda inner: [f"tf.tanh(held({grown(['v'], inner)[0]}, [3]))"], calm=True)
    kind = b.dice.pick(["scan", "foldl", "foldr", "scan"])
    reverse = ", reverse=True" if kind == "scan" and b.dice.chance(0.3) else ""
    text = f"tf.{kind}({body}, {over}, initializer={start}{reverse})"
    b.put("m" if kind == "scan" else "v", text)


def arrays(b):
    """A loop that fills one TensorArray from another."""
    if b.depth >= MOST:
        return plain(b)
    count, target = b.writer.fresh("n"), b.writer.fresh("a")
    source = b.writer.fresh("a")
    over = b.any("m")
    b.say(f"{source} = tf.TensorArray({b.writer.dtype}, size=2, clear_after_read=False).unstack({over})")

    def turn(inner):
        inner.reach["i"].append(count)
        inner.put("v", f"{source}.read({count})")
        if inner.dice.chance(0.4):
            inner.put("v", f"{source}.read(1 - {count})")
        return [f"{count} + 1", f"{target}.write({count}, held({grown(['v'], inner)[0]}, [3]))"]

    body, _ = b.function([("", count), ("", target)], turn, calm=True)
    size = b.dice.pick(["size=2", "size=0, dynamic_size=True", "size=2, element_shape=[3]", "2, infer_shape=False"])
    end = b.dice.pick(["stack()", "stack()", "gather([1, 0])", "concat()"])
    text = (f"tf.while_loop(lambda {count}, {target}: {count} < 2, {body}, "
            f"[0, tf.TensorArray({b.writer.dtype}, {size})])[1].{end}")
    b.put("m", f"tf.reshape({text}, [2, 3])")


def read(b):
    name, kind = b.dice.pick(b.writer.variables)
    if b.calm:
        return plain(b)
    b.ordered(kind, f"{name}.read_value() + 0")


def update(b):
    name, kind = b.dice.pick(b.writer.variables)
    if b.calm:
        return plain(b)
    texts = UPDATES if kind != "i" else [text.replace(" * 0.5", "") for text in UPDATES]
    if kind == "v" and b.dice.chance(0.5):
        texts = ROW_UPDATES
    at = b.dice.pick(["[0, 2]", "[1, 1]", "[2, 0]"])
    text = b.dice.pick(texts).format(name, bounded(b, kind), kind=b.dice.pick(["update", "add", "sub"]), at=at,
                                     first=b.dice.below(3))
    b.ordered(kind, f"tf.identity({text}) + 0")


def bounded(b, kind):
    return f"tf.tanh({b.text(kind)})" if kind in "svm" else f"({b.text(kind)}) % 7"


def slope(b):
    """tf.gradients inside of a block."""
    kind = b.dice.pick("sv")
    x = b.put(kind, f"tf.identity({b.any(kind)})")
    inner = b.put("v", b.dice.pick(["tf.tanh({0}) * {1}", "{0} * {0} * {1}", "tf.sin({1} + {0}) * {0}"])
                  .format(x, b.any("v")))
    b.put(kind, f"tf.gradients({inner}, {x})[0]")


def drawn(b):
    """Random numbers with a seed; the stream goes on from call to call."""
    if b.calm:
        return plain(b)
    b.ordered("v", f"tf.random_uniform([3], -1, 1, {b.writer.dtype}, seed={b.dice.between(1, 99)})")


def asserted(b):
    if b.calm:
        return plain(b)
    value, limit = b.any("s"), b.dice.pick(["-1e6", "-1e6", "-1e6", "-2.0"])
    check = f"tf.Assert({value} > {limit}, [{value}])"
    b.waiting("s", f"tf.identity({value})", f"[{check}]")


def custom(b):
    """A function with a gradient of its own, which no file holds."""
    if b.portable:
        return plain(b)
    name, y = b.writer.fresh("f"), b.any("v")
    b.say(f"@tf.custom_gradient\ndef {name}(x):\n    return tf.sin(x), lambda dy: dy * 0.5 * x")
    b.put("v", f"{name}({y})")


STATEMENTS = [(4, plain), (3, cond), (1, case), (3, loop), (0.5, growing), (1, rows), (1, folded), (1, arrays),
              (1.5, read), (2, update), (0.7, slope), (0.5, drawn), (0.3, asserted), (0.3, custom)]

HELPERS = """def after(last, value):
    with tf.control_dependencies(last):
        return tf.identity(value)
def held(value, shape):
    return tf.ensure_shape(value, shape)"""

RUN = """for i in range(5):
    for fetches, feeds in lists:
        if not attempt(lambda: s.run(fetches, feeds)):
            return
show(s.run(tf.global_variables()))"""


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    w = Writer(seed)
    later = w.dice.chance(0.5)
    b = Block(w)
    begin(b, later)
    b.grow(3, 6)
    slopes(b, later)
    b.say("s = session()")
    b.say("s.run(tf.global_variables_initializer())")
    b.say(f"lists = [{', '.join(lists(b))}]")
    b.say(RUN)
    return b.lines


def begin(b, later):
    """Writes leaves and variables.

    Args:
        later: whether conditionals and loops are those of TensorFlow 2, which take no variables that are references.
    """
    w = b.writer
    b.say(f"tf.{'enable' if later else 'disable'}_control_flow_v2()")
    b.say(HELPERS)
    b.say("last = []")
    leaves(b)
    for at in range(w.dice.between(1, 3)):
        kind = w.dice.pick(["s", "v", "v", "m", "i"])
        dtype = "tf.int32" if kind == "i" else w.dtype
        value = "2" if kind == "i" else f"data({20 + at}, {SHAPES[kind]}, dtype={w.dtype}.name)"
        b.say(f"w{at} = tf.Variable(tf.constant({value}, {dtype}), use_resource={later or w.dice.chance(0.5)})")
        w.variables.append((f"w{at}", kind))


def leaves(b):
    dtype = b.writer.dtype
    b.put("v", f"tf.placeholder({dtype}, {b.dice.pick(['[3]', '[None]', '[3]'])}, name='p')")
    b.say(f"fed = {{{b.reach['v'][0]}: data(1, [3], dtype={dtype}.name)}}")
    shape = b.dice.pick(["[2, 3]", "[None, 3]"])
    b.put("m", f"tf.placeholder_with_default(data(2, [2, 3], dtype={dtype}.name), {shape})")
    b.put("s", f"tf.constant({b.dice.between(-9, 9) / 8}, {dtype})")
    b.put("i", f"tf.placeholder_with_default({b.dice.between(0, 3)}, [])")
    b.put("i", f"tf.constant({b.dice.between(0, 3)})")
    b.put("b", f"tf.placeholder_with_default({b.dice.chance(0.5)}, [])")


def slopes(b, later):
    """Gradients of what was computed, of leaves and of variables; second ones where TensorFlow has them."""
    if b.dice.chance(0.2):
        return
    xs = [b.reach["v"][0], b.reach["m"][0], b.reach["s"][0]]
    xs += [name for name, kind in b.writer.variables if kind != "i"]
    y = f"tf.reduce_sum({b.any('v')}) + tf.reduce_sum({b.any('m')}) + {b.any('s')}"
    b.say(f"grads = tf.gradients({y}, [{', '.join(xs)}], "
          "unconnected_gradients=tf.UnconnectedGradients.ZERO)")
    b.say("grads = [tf.convert_to_tensor(each) for each in grads]")
    if later and b.dice.chance(0.4):
        b.say(f"more = tf.gradients([tf.reduce_sum(each * each) for each in grads], [{', '.join(xs[:2])}], "
              "unconnected_gradients=tf.UnconnectedGradients.ZERO)")
        b.say("grads += more")


def lists(b):
    """Texts of (fetches, feeds): different ones, with feeds of intermediate tensors."""
    has_slopes = any(line.startswith("grads =") for line in b.lines)
    names = [name for each in b.reach.values() for name in each]
    found = []
    for at in range(b.dice.between(1, 3)):
        fetches = b.dice.some(names, b.dice.between(2, 4))
        if b.stateful and b.dice.chance(0.7):
            fetches.append("last")
        if has_slopes and (at == 0 or b.dice.chance(0.3)):
            fetches.append("grads")
        feeds = "fed"
        if at and b.dice.chance(0.5):
            kind = b.dice.pick("svi")
            value = "1" if kind == "i" else f"data({at + 30}, {SHAPES[kind]}, dtype={b.writer.dtype}.name)"
            feeds = f"{{**fed, {b.dice.pick(b.reach[kind])}: {value}}}"
        found.append(f"([{', '.join(fetches)}], {feeds})")
    return found
