"""Conditionals, loops, functions over rows and arrays of tensors, one in another; their bodies grow like programs."""

from tests.random_graphs.maker import COMPLEX, FLOATS, INEXACT, INTS, NUMBERS

MOST = 2  # bodies in bodies


def squashed(maker, value):
    """A value of the same type that is small whatever it was, so that loops and variables stay in range."""
    held = f"tf.ensure_shape({{0}}, {list(value.shape)})"
    if value.dtype in FLOATS:
        return maker.emit(f"tf.tanh({held})", [value], value.dtype, value.shape, 1)
    if value.dtype in COMPLEX:
        text = f"{held} / tf.cast(tf.abs({{0}} * 0.1 + 60.0), {{0}}.dtype)"
        return maker.emit(text, [value], value.dtype, value.shape, 50)
    if value.dtype in INTS:
        text = f"tf.bitwise.bitwise_and({held}, tf.constant(7, {{0}}.dtype))"
        return maker.emit(text, [value], value.dtype, value.shape, 7)
    return maker.emit(held, [value], value.dtype, value.shape, value.bound, value.grain)


def grown(maker, kind, fallback):
    """Adds steps and returns a value of that (dtype, shape), one of the new ones if there is one."""
    known = {each.number for each in maker.pool}
    maker.grow(maker.dice.between(1, 3))
    fits = [each for each in maker.pool if (each.dtype, each.shape) == kind]
    fresh = [each for each in fits if each.number not in known]
    return maker.dice.pick(fresh) if fresh else _mixed(maker, fallback)


def _mixed(maker, value):
    """Something made of `value` that has its type."""
    text = "tf.logical_not({0})" if value.dtype == "bool" else "{0} * 2 - {1}" if value.dtype in NUMBERS else "{0}"
    other = maker.like(value)
    return maker.emit(text, [value, other], value.dtype, value.shape, 2 * value.bound + other.bound) or value


def truth(maker):
    """A scalar that decides, after what was done to variables so far."""
    flag = maker.find(("bool",), ranks=(0,))
    if flag is None:
        number = maker.find(FLOATS + INTS, exact=True)
        if number is None:
            return None
        flag = maker.emit(f"tf.reduce_any({{0}} > {maker.dice.between(-1, 2)})", [number], "bool", ())
    return maker.emit("tf.identity({0})", [flag], "bool", (), after=maker.last, seen=False)


def closed(maker, value, touched):
    """Notes that the step behind `value` changed state, if it did, and returns it."""
    if touched and value is not None:
        maker.last = value.number
    return value


def conditional(maker):
    if maker.depth >= MOST:
        return None
    flag, target = truth(maker), maker.find()
    if flag is None:
        return None
    before, maker.touched = maker.touched, False
    chosen = []

    def branch():
        chosen.append(grown(maker, (target.dtype, target.shape), target))
        return [chosen[-1]]

    bodies = [maker.body([], branch) for _ in range(2)]
    grain = max(each.grain for each in chosen) if all(each.exact for each in chosen) else None
    value = maker.emit("tf.cond({0}, {f0}, {f1})", [flag], target.dtype, target.shape,
                       max(each.bound for each in chosen), grain, bodies=bodies)
    value, maker.touched = closed(maker, value, maker.touched), maker.touched or before
    return value


def loop(maker):
    if maker.depth >= MOST:
        return None
    starts = [maker.find(NUMBERS + ("bool",)) for _ in range(maker.dice.between(1, 2))]
    if None in starts:
        return None
    starts = [squashed(maker, each) for each in starts]
    limit, more = _trips(maker)
    counter = maker.emit("tf.identity(0)", [], "int32", (), 4, after=maker.last, seen=False)
    params = [maker.param(each.dtype, each.shape, each.bound, None) for each in starts]
    index = maker.param("int32", (), 4)

    def turn():
        made = [squashed(maker, grown(maker, (each.dtype, each.shape), each)) for each in params]
        return [maker.add("{0} + 1", [index], ("int32", ())), *made]

    before, maker.touched = maker.touched, False
    body = maker.body([index, *params], turn)
    inputs = [counter, *starts, *more]
    slots = ", ".join(f"{{{at}}}" for at in range(1 + len(starts)))
    whole = maker.add(f"tf.while_loop(lambda i, *_: i < {limit.format(more='{' + str(1 + len(starts)) + '}')}, {{f0}}, "
                      f"[{slots}], parallel_iterations=1)", inputs, bodies=[body])
    value = None
    for at, start in enumerate(starts):
        value = maker.emit(f"{{0}}[{at + 1}]", [whole], start.dtype, start.shape, start.bound, None)
    value, maker.touched = closed(maker, value, maker.touched), maker.touched or before
    return value


def _trips(maker):
    """How often a loop runs, a number or one that the graph computes: text, and the values that it names {more}."""
    number = maker.find(("int32",), ranks=(0,))
    if number is None or maker.dice.chance(0.5):
        return str(maker.dice.between(0, 3)), []
    return "tf.floormod({more}, 4)", [number]


def rows(maker):
    """map_fn over the rows of a value."""
    elems = maker.find(NUMBERS + ("bool",), ranks=(1, 2))
    if maker.depth >= MOST or elems is None:
        return None
    row = maker.param(elems.dtype, elems.shape[1:], elems.bound, elems.grain)
    given = []

    def turn():
        known = {each.number for each in maker.pool}
        maker.grow(maker.dice.between(1, 3))
        fresh = [each for each in maker.pool if each.number not in known and each.shape is not None and each.rank < 2]
        result = maker.dice.pick(fresh or [row])
        given.append(maker.emit(f"tf.ensure_shape({{0}}, {list(result.shape)})", [result], result.dtype, result.shape,
                                result.bound, result.grain))
        return given

    body = maker.unordered([row], turn)
    result = given[0]
    return maker.emit(f"tf.map_fn({{f0}}, {{0}}, dtype=tf.{result.dtype})", [elems], result.dtype,
                      (elems.shape[0], *result.shape), result.bound, result.grain, bodies=[body])


def folds(maker):
    """scan, foldl and foldr over the rows of a value."""
    elems, start = maker.find(NUMBERS, ranks=(1, 2)), maker.find(NUMBERS)
    if maker.depth >= MOST or elems is None or start is None:
        return None
    start = squashed(maker, start)
    row = maker.param(elems.dtype, elems.shape[1:], elems.bound, elems.grain)
    total = maker.param(start.dtype, start.shape, start.bound, None)
    body = maker.unordered([total, row], lambda: [squashed(maker, grown(maker, (total.dtype, total.shape), total))])
    name = maker.dice.pick(["scan", "foldl", "foldr"])
    shape = (elems.shape[0], *start.shape) if name == "scan" else start.shape
    options = ", reverse=True" if name == "scan" and maker.dice.chance(0.3) else ""
    return maker.emit(f"tf.{name}({{f0}}, {{0}}, initializer={{1}}{options})", [elems, start], start.dtype, shape,
                      start.bound, None, bodies=[body])


def array_loop(maker):
    """A loop that reads one TensorArray and writes another."""
    elems = maker.find(INEXACT + ("int32", "int64"), ranks=(1, 2))
    if maker.depth >= MOST or elems is None:
        return None
    count = elems.shape[0]
    source = maker.add(f"tf.TensorArray(tf.{elems.dtype}, size={count}).unstack({{0}})", [elems])
    target = maker.add(f"tf.TensorArray(tf.{elems.dtype}, size={count})")
    index, written = maker.param("int32", (), count), maker.fresh()
    given = []

    def turn():
        place = maker.dice.pick(["{1}", f"{count - 1} - {{1}}"])
        row = maker.emit(f"{{0}}.read({place})", [source, index], elems.dtype, elems.shape[1:], elems.bound,
                         elems.grain)
        given.append(squashed(maker, grown(maker, (row.dtype, row.shape), row)))
        return [maker.add("{0} + 1", [index], ("int32", ())),
                maker.add("{0}.write({1}, {2})", [written, index, given[0]])]

    body = maker.unordered([index, written], turn)
    whole = maker.add(f"tf.while_loop(lambda i, *_: i < {count}, {{f0}}, [0, {{0}}])", [target], bodies=[body])
    return maker.emit("{0}[1].stack()", [whole], elems.dtype, elems.shape, given[0].bound, None)


def cases(maker):
    """tf.case with a default."""
    first, second, value = truth(maker), truth(maker), maker.find(NUMBERS)
    if first is None or second is None or value is None or maker.depth >= MOST:
        return None
    other = maker.like(value)
    grain = max(value.grain, other.grain) if value.exact and other.exact else None
    return maker.emit("tf.case([({0}, lambda: {2} + 1), ({1}, lambda: {3} * 2)], default=lambda: {2} - {3})",
                      [first, second, value, other], value.dtype, value.shape, 2 * (value.bound + other.bound) + 1,
                      grain)


def pairs(maker):
    """A conditional with two results."""
    flag, value = truth(maker), maker.find(NUMBERS)
    if flag is None or value is None:
        return None
    other = maker.like(value)
    grain = max(value.grain, other.grain) if value.exact and other.exact else None
    return maker.emit(f"tf.cond({{0}}, lambda: ({{1}}, {{2}} * 2), lambda: ({{2}}, {{1}} - 1))[{maker.dice.below(2)}]",
                      [flag, value, other], value.dtype, value.shape, 2 * max(value.bound, other.bound) + 1, grain)


def switch(maker):
    index, value = maker.find(("int32",), ranks=(0,)), maker.find(NUMBERS)
    if index is None or value is None:
        return None
    text = "tf.switch_case(tf.floormod({0}, 4), [lambda: {1}, lambda: {1} + {2}, lambda: {2} * 2])"
    other = maker.like(value)
    grain = max(value.grain, other.grain) if value.exact and other.exact else None
    return maker.emit(text, [index, value, other], value.dtype, value.shape, 2 * (value.bound + other.bound), grain)


def growing(maker):
    """A loop whose variable gets longer."""
    value = maker.find(INEXACT + ("int32", "int64", "string"), ranks=(1, 2))
    if value is None:
        return None
    times, rest = maker.dice.between(1, 3), list(value.shape[1:])
    text = (f"tf.while_loop(lambda i, x: i < {times}, lambda i, x: (i + 1, tf.concat([x, x[:1]], 0)), "
            f"[0, tf.ensure_shape({{0}}, {list(value.shape)})], "
            f"[tf.TensorShape([]), tf.TensorShape({[None, *rest]})])[1]")
    return maker.emit(text, [value], value.dtype, (value.shape[0] + times, *rest), value.bound, value.grain)


def slopes_inside(maker):
    """tf.gradients inside of a branch or of a function over rows."""
    value, flag = maker.find(FLOATS, ranks=(0, 1, 2)), truth(maker)
    if value is None or flag is None:
        return None
    if value.rank and maker.dice.chance(0.5):
        return maker.emit("tf.map_fn(lambda x: tf.gradients(tf.tanh(x) * x, x)[0], {0})", [value], value.dtype,
                          value.shape, value.bound + 1)
    return maker.emit("tf.cond({1}, lambda: tf.gradients(tf.sin({0}) * {0}, {0})[0], lambda: {0} * 2)", [value, flag],
                      value.dtype, value.shape, 2 * value.bound + 1)


def array_parts(maker):
    """TensorArrays filled and emptied at once."""
    value = maker.find(INEXACT + ("int32", "string"), ranks=(1, 2))
    if value is None:
        return None
    count = value.shape[0]
    order = maker.dice.shuffled(range(count))
    make = f"tf.TensorArray(tf.{value.dtype}, size={count})"
    text = maker.dice.pick([f"{make}.scatter({order}, {{0}}).stack()", f"{make}.unstack({{0}}).gather({order})",
                            f"{make}.split(tf.reverse({{0}}, [0]), {[1] * count}).concat()"])
    return maker.emit(text, [value], value.dtype, value.shape, value.bound, value.grain)


def counted(maker):
    """A loop that its own values end."""
    value = maker.find(("int32", "int64"), ranks=(0, 1))
    if value is None:
        return None
    start = squashed(maker, value)
    text = "tf.while_loop(lambda x, n: tf.reduce_sum(x) < 40, lambda x, n: (x * 2 + 1, n + 1), [{0}, 0])"
    if maker.dice.chance(0.5):
        return maker.emit(f"{text}[1]", [start], "int32", (), 6)
    return maker.emit(f"{text}[0]", [start], start.dtype, start.shape, 100)


OPS = [(3, conditional), (2, loop), (1.2, rows), (1.2, folds), (1, array_loop), (0.5, cases), (0.5, pairs),
       (0.4, switch), (0.5, growing), (0.5, slopes_inside), (0.6, array_parts), (0.4, counted)]
