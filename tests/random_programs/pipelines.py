"""tf.data: a random source, five to ten transformations, and the elements that several iterators give."""

from tests.random_graphs.maker import Dice

MOST = 40  # elements that are drawn from an iterator
NAMES = "uvw"


class Pipeline:
    """The statements so far and what is known of the dataset's elements.

    Attributes:
        dice: the source of choices.
        statements: those that were written; the dataset is `d`.
        form: "one", "tuple" or "dict".
        parts: (dtype, shape) of each component, shape None for sparse ones.
        grown: how many elements there may be.
    """

    def __init__(self, seed):
        self.dice, self.statements, self.form, self.parts, self.grown = Dice(seed), [], "one", [], 0

    def say(self, text):
        self.statements.append(text)

    def then(self, text):
        self.say(f"d = d.{text}")
        return True

    @property
    def parameters(self):
        return {"one": "x", "tuple": ", ".join(NAMES[:len(self.parts)]), "dict": "e"}[self.form]

    def reads(self):
        """The expressions that read the components."""
        if self.form == "one":
            return ["x"]
        return [f"e['{name}']" if self.form == "dict" else name for name, _ in zip(NAMES, self.parts)]

    def built(self, expressions):
        """The element that the expressions make, in the form that elements have now."""
        if self.form == "one":
            return expressions[0]
        if self.form == "tuple":
            return f"({', '.join(expressions)},)"
        return "{" + ", ".join(f"'{name}': {each}" for name, each in zip(NAMES, expressions)) + "}"

    def number(self):
        """The place of a component that is one integer, or None."""
        return next((at for at, part in enumerate(self.parts) if part == ("int64", ())), None)

    def mapped(self, at, expression):
        """`lambda ...` that replaces the component at a place; the expression may use {0}."""
        reads = self.reads()
        reads[at] = expression.format(reads[at])
        return f"lambda {self.parameters}: {self.built(reads)}"

    def of_number(self, expression):
        """`lambda ...` that gives the expression of the integer component, written {0}."""
        return f"lambda {self.parameters}: {expression.format(self.reads()[self.number()])}"


# ---- sources


def source_range(p):
    low, count, step = p.dice.between(0, 3), p.dice.between(0, 14), p.dice.between(1, 2)
    p.say(f"d = tf.data.Dataset.range({low}, {low + count * step}, {step})")
    p.parts, p.grown = [("int64", ())], count


def source_slices(p):
    count, width = p.dice.between(1, 9), p.dice.between(0, 3)
    arrays = ["np.arange({n}, dtype=np.int64) * 3 % 7", "np.arange({n} * {w}, dtype=np.float32).reshape({n}, {w})",
              "np.array([b'a' * (i % 3) for i in range({n})], object)"]
    kinds = [("int64", ()), ("float32", (width,)), ("string", ())]
    chosen = [0, *p.dice.some([1, 2], p.dice.between(0, 2))]
    texts = [arrays[each].format(n=count, w=width) for each in chosen]
    p.parts, p.grown = [kinds[each] for each in chosen], count
    p.form = "one" if len(chosen) == 1 else p.dice.pick(["tuple", "dict"])
    p.say(f"d = tf.data.Dataset.from_tensor_slices({p.built(texts)})")


def source_generator(p):
    count = p.dice.between(0, 8)
    p.say(f"""def rows():
    for i in range({count}):
        yield i * 5 % 11, [float(i)] * (i % 4)""")
    p.say("d = tf.data.Dataset.from_generator(rows, (tf.int64, tf.float32), ([], [None]))")
    p.form, p.parts, p.grown = "tuple", [("int64", ()), ("float32", (None,))], count


def source_sparse(p):
    count = p.dice.between(2, 6)
    p.say(f"s = tf.SparseTensor([[i, i * 2 % 3] for i in range({count}) if i != 1], "
          f"[i * 7 for i in range({count}) if i != 1], [{count}, 3])")
    p.say(f"d = tf.data.Dataset.from_tensor_slices((tf.range({count}, dtype=tf.int64), s))")
    p.form, p.parts, p.grown = "tuple", [("int64", ()), ("int32", None)], count


SOURCES = [(3, source_range), (4, source_slices), (1.5, source_generator), (1.5, source_sparse)]


# ---- transformations that keep the elements as they are


def shuffle(p):
    return p.then(f"shuffle({p.dice.between(1, 12)}, seed={p.dice.between(0, 9)}, "
                  f"reshuffle_each_iteration={p.dice.chance(0.5)})")


def repeat(p):
    times = p.dice.between(1, 3)
    if p.grown * times > 3 * MOST:
        return False
    p.grown *= times
    return p.then(f"repeat({times})")


def take(p):
    return p.then(f"take({p.dice.between(-1, 9)})")


def skip(p):
    return p.then(f"skip({p.dice.between(0, 3)})")


def shard(p):
    count = p.dice.between(1, 3)
    return p.then(f"shard({count}, {p.dice.below(count)})")


def cache(p):
    return p.then("cache()")


def prefetch(p):
    return p.then(f"prefetch({p.dice.between(0, 3)})")


def concatenate(p):
    p.grown *= 2
    return p.then(f"concatenate(d.take({p.dice.between(0, 3)}))")


def ignore_errors(p):
    return p.then("apply(tf.data.experimental.ignore_errors())")


def sample(p):
    p.grown *= 2
    return p.say(f"d = tf.data.experimental.sample_from_datasets([d, d.take(3)], "
                 f"weights=[{p.dice.between(1, 9) / 10}, 0.5], seed={p.dice.between(0, 9)})") or True


def choose(p):
    p.say(f"choice = tf.data.Dataset.range({p.dice.between(1, 9)}).map(lambda i: i % 2)")
    p.grown *= 2
    return p.say("d = tf.data.experimental.choose_from_datasets([d, d.skip(1)], choice)") or True


def options(p):
    p.say("o = tf.data.Options()")
    name = p.dice.pick(["map_and_batch_fusion", "noop_elimination", "map_fusion", "filter_fusion",
                        "map_parallelization"])
    p.say(f"o.experimental_optimization.{name} = True")
    return p.then("with_options(o)")


def repeat_each(p):
    inner = "tf.data.Dataset.from_tensors(a[0] if len(a) == 1 else a)"
    return p.then(f"flat_map(lambda *a: {inner}.repeat({p.dice.between(0, 2)}))")


KEEPING = [(3, shuffle), (2, repeat), (2, take), (1.5, skip), (1, shard), (1.5, cache),
           (1, prefetch), (1.5, concatenate), (0.8, ignore_errors), (1, sample), (1, choose), (0.7, options),
           (1, repeat_each)]  # fmt: skip


# ---- transformations by the integer component

SUMS = ["{0} * 3 + 1", "{0} // 2", "tf.cast(tf.cast({0}, tf.int32) + 1, tf.int64)", "({0} - 4) * ({0} % 3)",
        "tf.cond({0} > 3, lambda: {0} - 3, lambda: {0} * 2)", "tf.where({0} < 2, {0} + 20, {0})",
        "{0} + tf.random_uniform([], 0, 50, tf.int64, seed=3)",
        "tf.reshape(tf.py_func(lambda i: i + 7, [{0}], tf.int64, stateful=False), [])",
        "12 // ({0} - 3)", "tf.gather(tf.constant([5, 1, 8, 2, 9], tf.int64), {0})",
        "tf.while_loop(lambda i: i % 5 != 0, lambda i: i + 1, [{0}])[0]"]  # fmt: skip


def map_number(p):
    if p.number() is None:
        return False
    text = p.dice.pick(SUMS)
    ordered = "random_uniform" not in text
    parallel = f", num_parallel_calls={p.dice.between(1, 3)}" if ordered and p.dice.chance(0.3) else ""
    return p.then(f"map({p.mapped(p.number(), text)}{parallel})")


def filter_number(p):
    if p.number() is None:
        return False
    text = p.dice.pick(["{0} % 3 != 0", "{0} > 1", "tf.logical_or({0} < 2, {0} > 5)"])
    return p.then(f"filter({p.of_number(text)})")


def take_while(p):
    return p.number() is not None and p.then(f"apply(tf.data.experimental.take_while({p.of_number('{0} < 15')}))")


def _as_one(p, shape=()):
    p.form, p.parts = "one", [("int64", shape)]


def flat_map(p):
    if p.number() is None:
        return False
    text = p.dice.pick(["tf.data.Dataset.range({0} % 4)", "tf.data.Dataset.range({0}, {0} + 2).repeat(2)",
                        "tf.data.Dataset.from_tensors({0}).concatenate(tf.data.Dataset.range(1))"])
    p.then(f"flat_map({p.of_number(text)})")
    p.grown *= 3
    _as_one(p)
    return True


def interleave(p):
    if p.number() is None:
        return False
    inner = p.of_number("tf.data.Dataset.range({0}, {0} + {0} % 4)")
    cycle, block = p.dice.between(1, 4), p.dice.between(1, 3)
    parallel = f", num_parallel_calls={p.dice.between(1, 2)}" if p.dice.chance(0.3) else ""
    p.then(f"interleave({inner}, cycle_length={cycle}, block_length={block}{parallel})")
    p.grown *= 2
    _as_one(p)
    return True


def window(p):
    size, shift, stride = p.dice.between(1, 4), p.dice.between(1, 3), p.dice.between(1, 2)
    drop = p.dice.chance(0.4)
    text = f"window({size}, {shift}, {stride}, {drop})"
    if p.form != "one" or p.parts[0] != ("int64", ()):
        return False
    p.then(f"{text}.flat_map(lambda w: w.batch({size}))")
    p.grown *= 2
    _as_one(p, (None,))
    return True


def group_by_window(p):
    if p.form != "one" or p.number() is None:
        return False
    size = p.dice.between(1, 4)
    key = p.of_number("{0} % 3")
    p.then(f"apply(tf.data.experimental.group_by_window({key}, lambda k, w: w.batch({size}), {size}))")
    _as_one(p, (None,))
    return True


def group_by_reducer(p):
    if p.form != "one" or p.number() is None:
        return False
    p.say("sums = tf.data.experimental.Reducer(lambda k: k * 100, lambda s, x: s + x, lambda s: s + 1)")
    return p.then(f"apply(tf.data.experimental.group_by_reducer({p.of_number('{0} % 3')}, sums))")


def scan(p):
    if p.form != "one" or p.number() is None:
        return False
    return p.then("apply(tf.data.experimental.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s * 2 + x)))")


def unique(p):
    return p.form == "one" and p.number() is not None and p.then("apply(tf.data.experimental.unique())")


def as_pair(p):
    if p.form != "one" or p.number() is None:
        return False
    extra, kind = p.dice.pick([("tf.fill([x % 4], x)", ("int64", (None,))), ("tf.as_string(x)", ("string", ())),
                               ("tf.cast(x, tf.float32) * [1.0, 0.5]", ("float32", (2,))),
                               ("tf.SparseTensor([[x % 3]], [x], [4])", ("int64", None))])
    form = p.dice.pick(["tuple", "dict"])
    p.form, p.parts = form, [("int64", ()), kind]
    return p.then(f"map(lambda x: {p.built(['x', extra])})")


def zipped(p):
    if p.form != "one":
        return False
    p.say(f"d = tf.data.Dataset.zip((d, d.skip({p.dice.between(0, 2)})))")
    p.form, p.parts = "tuple", [*p.parts, *p.parts]
    return True


def enumerated(p):
    if p.form != "one" or None in p.parts[0]:
        return False
    p.form, p.parts = "tuple", [("int64", ()), *p.parts]
    return p.then(f"apply(tf.data.experimental.enumerate_dataset({p.dice.between(0, 5)}))")


def first_part(p):
    if p.form == "one" or p.number() is None:
        return False
    p.then(f"map({p.of_number('{0}')})")
    _as_one(p)
    return True


BY_NUMBER = [(4, map_number), (2, filter_number), (0.7, take_while), (1.2, flat_map), (1.5, interleave), (1.2, window),
             (1.2, group_by_window), (0.7, group_by_reducer), (1, scan), (0.7, unique), (2, as_pair), (1, zipped),
             (0.8, enumerated), (1.2, first_part)]  # fmt: skip


# ---- batches


def batch(p):
    size, drop = p.dice.between(1, 4), p.dice.chance(0.3)
    if any(shape is not None and (None in shape or len(shape) > 2) for _, shape in p.parts):
        return False
    p.then(f"batch({size}, drop_remainder={drop})")
    p.parts = [(dtype, None if shape is None else (size if drop else None, *shape)) for dtype, shape in p.parts]
    return True


def padded_batch(p):
    if any(shape is None or len(shape) > 2 for _, shape in p.parts):
        return False
    sizes = lambda shape: [-1 if size is None or p.dice.chance(0.3) else size + p.dice.below(2) for size in shape]
    shapes = [str(sizes(shape)) for _, shape in p.parts]
    fill = {"string": "'z'", "int64": "np.int64(-1)", "float32": "0.5", "int32": "np.int32(4)"}
    values = f", padding_values={p.built([fill[dtype] for dtype, _ in p.parts])}" if p.dice.chance(0.5) else ""
    p.then(f"padded_batch({p.dice.between(1, 4)}, padded_shapes={p.built(shapes)}{values})")
    p.parts = [(dtype, (None,) * (1 + len(shape))) for dtype, shape in p.parts]
    return True


def unbatch(p):
    if not all(shape for _, shape in p.parts):
        return False
    p.then("apply(tf.data.experimental.unbatch())")
    p.grown *= 3
    p.parts = [(dtype, shape[1:]) for dtype, shape in p.parts]
    return True


def map_and_batch(p):
    if p.number() is None or any(shape is None or None in shape for _, shape in p.parts):
        return False
    size, drop = p.dice.between(1, 4), p.dice.chance(0.3)
    function = p.mapped(p.number(), p.dice.pick(SUMS[:5]))
    p.then(f"apply(tf.data.experimental.map_and_batch({function}, {size}, drop_remainder={drop}))")
    p.parts = [(dtype, (size if drop else None, *shape)) for dtype, shape in p.parts]
    return True


def to_sparse_batch(p):
    if p.form != "one" or p.parts[0][1] is None or len(p.parts[0][1]) != 1 or p.parts[0][0] != "int64":
        return False
    p.then(f"apply(tf.data.experimental.dense_to_sparse_batch({p.dice.between(1, 3)}, [{p.dice.between(4, 9)}]))")
    p.parts = [("int64", None)]
    return True


def bucket(p):
    if p.form != "one" or p.parts[0] != ("int64", (None,)):
        return False
    p.then("apply(tf.data.experimental.bucket_by_sequence_length(lambda x: tf.size(x), [2, 3], "
           f"[{p.dice.between(1, 3)}, 2, {p.dice.between(1, 3)}]))")
    p.parts = [("int64", (None, None))]
    return True


def summed(p):
    if p.form != "one" or p.parts[0][0] not in ("int64", "float32") or not p.parts[0][1]:
        return False
    p.then("map(lambda x: tf.reduce_sum(tf.cast(x, tf.int64)))")
    _as_one(p)
    return True


BATCHES = [(3, batch), (2, padded_batch), (2, unbatch), (1, map_and_batch), (1, to_sparse_batch), (1, bucket),
           (1.5, summed)]  # fmt: skip

# ---- ends


def draw(p):
    """Draws elements from an iterator: of one use, or made again, or saved and restored."""
    p.say("show(d.output_types, d.output_classes)")
    if all(shape is not None for _, shape in p.parts):  # TensorFlow 2 knows more of the shapes of sparse tensors
        p.say("show(d.output_shapes)")
    p.dice.weighted([(3, _one_shot), (3, _initializable), (2, _restored), (1, _reduced)])(p)


LOOP = """for _ in range({count}):
    if not attempt(lambda: s.run(element)):
        misses += 1
    if misses > {misses}:
        break"""


def _on_host(p):
    """Whether Python or random numbers take part, whose state TensorFlow neither copies nor saves."""
    return any(word in each for each in p.statements for word in ("py_func", "from_generator", "random_uniform"))


def _one_shot(p):
    if _on_host(p):
        return _initializable(p)
    p.say("element = tf.data.make_one_shot_iterator(d).get_next()")
    p.say("misses = 0")
    p.say("s = session()")
    p.say(LOOP.format(count=MOST, misses=3))
    return None


def _initializable(p):
    p.say("iterator = tf.data.make_initializable_iterator(d)")
    p.say("element = iterator.get_next()")
    p.say("s = session()")
    for count in (p.dice.between(1, MOST), MOST):
        p.say("s.run(iterator.initializer)")
        p.say("misses = 0")
        p.say(LOOP.format(count=count, misses=3))


def _forgets(p):
    """Whether there are seeds of shuffles that TensorFlow does not save: those of datasets that are not open."""
    return all(any(word in each for each in p.statements) for word in ("reshuffle_each_iteration=True", "concatenate"))


def _restored(p):
    if _on_host(p) or _forgets(p):
        return _initializable(p)
    p.say("iterator = tf.data.make_initializable_iterator(d)")
    p.say("element = iterator.get_next()")
    p.say("saveable = tf.data.experimental.make_saveable_from_iterator(iterator)")
    p.say("import tempfile")
    p.say("saver, s = tf.train.Saver([saveable]), session()")
    p.say("s.run(iterator.initializer)")
    p.say("misses = 0")
    p.say(LOOP.format(count=p.dice.between(0, 12), misses=0))
    p.say("path = saver.save(s, tempfile.mkdtemp() + '/state')")
    p.say(LOOP.format(count=p.dice.between(0, 12), misses=0))
    p.say("saver.restore(s, path)")
    p.say("misses = 0")
    p.say(LOOP.format(count=MOST, misses=0))
    return None


def _reduced(p):
    if p.form == "one" and p.parts[0] == ("int64", ()):
        p.say("attempt(lambda: session().run(d.reduce(tf.constant(1, tf.int64), lambda s, x: s * 2 % 1001 + x)))")
    else:
        p.say("attempt(lambda: session().run(tf.data.experimental.get_single_element(d.take(1))))")


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    p = Pipeline(seed)
    p.dice.weighted(SOURCES)(p)
    families = [(4, KEEPING), (5, BY_NUMBER), (3, BATCHES)]
    left = p.dice.between(4, 9)
    while left:
        if p.dice.weighted(p.dice.weighted(families))(p):
            left -= 1
        if p.grown > 4 * MOST:
            p.then(f"take({MOST})")
            p.grown = MOST
    draw(p)
    return p.statements
