"""Steps that move elements: slices, gathers, scatters, joins, orders."""

from tests.random_graphs.maker import ALL, FLOATS, INEXACT, INTS, NUMBERS


def keeping(maker, text, values, shape, dtype=None, bound=None):
    """A step whose result holds the elements of its inputs, perhaps with zeros."""
    grain = max(each.grain for each in values) if all(each.exact for each in values) else None
    bound = bound or max(each.bound for each in values)
    return maker.emit(text, values, dtype or values[0].dtype, shape, bound, grain)


def axis_of(maker, value):
    """An axis, counted from the start and as it is written, which may be from the end."""
    axis = maker.dice.below(value.rank)
    return axis, axis - value.rank if maker.dice.chance(0.4) else axis


def replaced(shape, axis, *sizes):
    return (*shape[:axis], *sizes, *shape[axis + 1:])


def with_axis(maker, dtypes=ALL, **facts):
    value = maker.find(dtypes, ranks=(1, 2, 3), **facts)
    return (value, *axis_of(maker, value)) if value else (None, None, None)


def reshape(maker):
    value = maker.find()
    shapes = [shape for shape in [(value.size,), (1, value.size), (value.size, 1), (2, value.size // 2),
                                  (value.size // 3, 3), (1, value.size, 1)] if _product(shape) == value.size]
    shape = maker.dice.pick(shapes)
    written = list(shape)
    if maker.dice.chance(0.3) and value.size:
        written[maker.dice.below(len(written))] = -1
    return keeping(maker, f"tf.reshape({{0}}, {written})", [value], shape)


def _product(shape):
    size = 1
    for each in shape:
        size *= each
    return size


def transpose(maker):
    value = maker.find(ranks=(2, 3, 4))
    if value is None:
        return None
    order = maker.dice.shuffled(range(value.rank))
    return keeping(maker, f"tf.transpose({{0}}, {order})", [value], [value.shape[axis] for axis in order])


def expand(maker):
    value = maker.find(ranks=(0, 1, 2))
    if value is None:
        return None
    axis = maker.dice.below(value.rank + 1)
    return keeping(maker, f"tf.expand_dims({{0}}, {axis})", [value], (*value.shape[:axis], 1, *value.shape[axis:]))


def squeeze(maker):
    value = maker.find(where=lambda each: 1 in each.shape)
    if value is None:
        return None
    axis = value.shape.index(1)
    return keeping(maker, f"tf.squeeze({{0}}, [{axis}])", [value], replaced(value.shape, axis))


def tile(maker):
    value = maker.find(ranks=(1, 2))
    if value is None:
        return None
    times = [maker.dice.between(1, 2) for _ in value.shape]
    return keeping(maker, f"tf.tile({{0}}, {times})", [value], [size * n for size, n in zip(value.shape, times)])


def slices(maker):
    """Python's indexing: ranges, steps, single places, new axes."""
    value = maker.find(ranks=(1, 2, 3))
    if value is None:
        return None
    words, shape = [], []
    for size in value.shape:
        word, left = maker.dice.pick(_cuts(maker, size))
        words.append(word)
        shape += left
    if maker.dice.chance(0.2):
        words.insert(0, "tf.newaxis")
        shape.insert(0, 1)
    return keeping(maker, f"{{0}}[{', '.join(words)}]", [value], shape)


def _cuts(maker, size):
    """Ways to index an axis, each with the sizes that are left."""
    start = maker.dice.below(size)
    return [(":", [size]), (f"{start}:", [size - start]), ("::-1", [size]), (f"-{size}:", [size]),
            ("::2", [(size + 1) // 2]), (f"{start}", []), ("-1", []), (f":{start + 1}", [start + 1])]


def slice_sizes(maker):
    value = maker.find(ranks=(1, 2, 3))
    if value is None:
        return None
    begin = [maker.dice.below(size) for size in value.shape]
    sizes = [maker.dice.between(1, size - start) for size, start in zip(value.shape, begin)]
    return keeping(maker, f"tf.slice({{0}}, {begin}, {sizes})", [value], sizes)


def gather(maker):
    value, axis, _ = with_axis(maker)
    if value is None:
        return None
    places = [maker.dice.below(value.shape[axis]) for _ in range(maker.dice.between(1, 3))]
    kind = maker.dice.pick(["int32", "int64"])
    return keeping(maker, f"tf.gather({{0}}, tf.constant({places}, tf.{kind}), axis={axis})", [value],
                   replaced(value.shape, axis, len(places)))


def gather_by_value(maker):
    """Places that the graph computes: any whole numbers, brought into range."""
    value, axis, _ = with_axis(maker)
    index = maker.find(("int32", "int64"), ranks=(0, 1))
    if value is None or index is None:
        return None
    return keeping(maker, f"tf.gather({{0}}, tf.floormod({{1}}, {value.shape[axis]}), axis={axis})", [value, index],
                   replaced(value.shape, axis, *index.shape), bound=value.bound)


def gather_nd(maker):
    value = maker.find(ranks=(2, 3))
    if value is None:
        return None
    depth = maker.dice.between(1, value.rank)
    rows = [[maker.dice.below(size) for size in value.shape[:depth]] for _ in range(maker.dice.between(1, 2))]
    return keeping(maker, f"tf.gather_nd({{0}}, {rows})", [value], (len(rows), *value.shape[depth:]))


def scatter_nd(maker):
    value = maker.find(NUMBERS, ranks=(1, 2))
    if value is None:
        return None
    count = value.shape[0] + maker.dice.between(0, 1)
    rows = [[maker.dice.below(count)] for _ in range(value.shape[0])]
    return keeping(maker, f"tf.scatter_nd({rows}, {{0}}, {[count, *value.shape[1:]]})", [value],
                   (count, *value.shape[1:]), bound=value.bound * value.shape[0])


def tensor_scatter(maker):
    value = maker.find(NUMBERS, ranks=(1, 2))
    if value is None:
        return None
    kind = maker.dice.pick(["update", "add", "sub"])
    count = maker.dice.between(1, value.shape[0])
    places = maker.dice.some(range(value.shape[0]), count)
    updates = maker.like(value)
    return keeping(maker, f"tf.tensor_scatter_nd_{kind}({{0}}, {[[at] for at in places]}, {{1}}[:{count}])",
                   [value, updates], value.shape, bound=value.bound + updates.bound)


def concat(maker):
    value, axis, written = with_axis(maker)
    if value is None:
        return None
    other = maker.like(value)
    return keeping(maker, f"tf.concat([{{0}}, {{1}}], {written})", [value, other],
                   replaced(value.shape, axis, 2 * value.shape[axis]))


def stack(maker):
    value = maker.find(ranks=(0, 1, 2))
    if value is None:
        return None
    axis = maker.dice.below(value.rank + 1)
    return keeping(maker, f"tf.stack([{{0}}, {{1}}], {axis})", [value, maker.like(value)],
                   (*value.shape[:axis], 2, *value.shape[axis:]))


def split(maker):
    value, axis, written = with_axis(maker, where=lambda each: each.size > 1)
    if value is None or value.shape[axis] < 2:
        return None
    first = maker.dice.between(1, value.shape[axis] - 1)
    sizes = [first, value.shape[axis] - first]
    at = maker.dice.below(2)
    return keeping(maker, f"tf.split({{0}}, {sizes}, {written})[{at}]", [value], replaced(value.shape, axis, sizes[at]))


def split_evenly(maker):
    value, axis, written = with_axis(maker)
    if value is None:
        return None
    parts = maker.dice.pick([n for n in (1, 2, 3) if value.shape[axis] % n == 0])
    return keeping(maker, f"tf.split({{0}}, {parts}, {written})[{maker.dice.below(parts)}]", [value],
                   replaced(value.shape, axis, value.shape[axis] // parts))


def unstack(maker):
    value, axis, written = with_axis(maker)
    if value is None:
        return None
    count = value.shape[axis]
    return keeping(maker, f"tf.unstack({{0}}, {count}, {written})[{maker.dice.below(count)}]", [value],
                   replaced(value.shape, axis))


def reverse(maker):
    value, _, written = with_axis(maker)
    return value and keeping(maker, f"tf.reverse({{0}}, [{written}])", [value], value.shape)


def roll(maker):
    value, _, written = with_axis(maker)
    return value and keeping(maker, f"tf.roll({{0}}, {maker.dice.between(-2, 3)}, {written})", [value], value.shape)


def reverse_sequence(maker):
    value = maker.find(NUMBERS, ranks=(2, 3))
    if value is None:
        return None
    lengths = [maker.dice.between(0, value.shape[1]) for _ in range(value.shape[0])]
    return keeping(maker, f"tf.reverse_sequence({{0}}, {lengths}, seq_axis=1, batch_axis=0)", [value], value.shape)


def pad(maker):
    value = maker.find(FLOATS + ("int32", "int64"), ranks=(1, 2))
    if value is None:
        return None
    mode = maker.dice.pick(["CONSTANT", "CONSTANT", "REFLECT", "SYMMETRIC"])
    most = 1 if mode == "CONSTANT" or min(value.shape) > 1 else 0
    sides = [[maker.dice.between(0, most), maker.dice.between(0, most)] for _ in value.shape]
    return keeping(maker, f"tf.pad({{0}}, {sides}, {mode!r})", [value],
                   [size + sum(side) for size, side in zip(value.shape, sides)])


def broadcast(maker):
    value = maker.find(NUMBERS + ("bool",), ranks=(0, 1, 2))
    if value is None:
        return None
    shape = (2, *value.shape)
    return keeping(maker, f"tf.broadcast_to({{0}}, {list(shape)})", [value], shape)


def one_hot(maker):
    index = maker.find(("int32", "int64", "uint8"), ranks=(0, 1))
    if index is None:
        return None
    dtype = maker.dice.pick(["float32", "float64", "int32", "float16", "complex64"])
    return maker.emit(f"tf.one_hot({{0}}, 3, dtype=tf.{dtype})", [index], dtype, (*index.shape, 3), 1, 0)


def facts_of(maker):
    """Shape, size and rank as tensors."""
    value = maker.find(ranks=(1, 2, 3, 4))
    if value is None:
        return None
    kind, shape = maker.dice.pick([("shape", (value.rank,)), ("size", ()), ("rank", ())])
    return maker.emit(f"tf.{kind}({{0}})", [value], "int32", shape, 12, 0)


def ordered(maker):
    """Sorts and the places of sorts, of exact values, whose ties have one order."""
    value = maker.find(("float32", "float64", "int32", "int64"), ranks=(1, 2), exact=True)
    if value is None:
        return None
    text = maker.dice.pick(["tf.sort({0})", "tf.sort({0}, direction='DESCENDING')", "tf.argsort({0}, stable=True)",
                            "tf.nn.top_k({0}, 1).values", "tf.nn.top_k({0}, 1).indices",
                            f"tf.nn.top_k({{0}}, {value.shape[-1]})[0]", f"tf.nn.top_k({{0}}, {value.shape[-1]})[1]"])
    places = "arg" in text or "indices" in text or text.endswith("[1]")
    shape = (*value.shape[:-1], 1) if ", 1)." in text else value.shape
    return keeping(maker, text, [value], shape, "int32" if places else None, 12 if places else None)


def filtered(maker):
    """Results whose length the values decide; only sums and elementwise steps use them."""
    value = maker.find(FLOATS + ("int32", "int64"), ranks=(1,), exact=True)
    if value is None:
        return None
    text = maker.dice.pick(["tf.boolean_mask({0}, {0} > 0)", "tf.unique({0})[0]", "tf.gather({0}, tf.unique({0})[1])",
                            "tf.setdiff1d({0}, {0}[:1])[0]", "tf.boolean_mask({0}, {0} < 1) * 2"])
    if maker.dice.chance(0.6):
        return keeping(maker, f"tf.reduce_sum({text})", [value], (), bound=value.bound * 2 * value.size)
    keeping(maker, text, [value], None, bound=2 * value.bound)
    return None


def where_true(maker):
    value = maker.find(("bool",), ranks=(1, 2))
    if value is None:
        return None
    return maker.emit("tf.reduce_sum(tf.where({0}), axis=0)", [value], "int64", (value.rank,), 200, 0)


def partition(maker):
    """dynamic_partition, and dynamic_stitch back."""
    value = maker.find(FLOATS + ("int32", "complex64"), ranks=(1, 2))
    if value is None:
        return None
    sides = [maker.dice.below(2) for _ in range(value.shape[0])]
    places = f"tf.dynamic_partition(list(range({value.shape[0]})), {sides}, 2)"
    return keeping(maker, f"tf.dynamic_stitch({places}, tf.dynamic_partition({{0}}, {sides}, 2))", [value], value.shape)


def sequence_mask(maker):
    value = maker.find(("int32", "int64"), ranks=(0, 1))
    return value and maker.emit("tf.sequence_mask({0}, 3)", [value], "bool", (*value.shape, 3))


def ranges(maker):
    start, count = maker.dice.between(-3, 3), maker.dice.between(1, 4)
    dtype = maker.dice.pick(["int32", "int64", "float32", "float64"])
    return maker.emit(f"tf.range({start}, {start + 2 * count}, 2, dtype=tf.{dtype})", [], dtype, (count,), 12, 0)


def eye(maker):
    dtype = maker.dice.pick([*INEXACT, "int32"])
    return maker.emit(f"tf.eye(2, 3, dtype=tf.{dtype})", [], dtype, (2, 3), 1, 0)


def searchsorted(maker):
    value = maker.find(("float32", "float64", "int32", "int64"), ranks=(1,), exact=True)
    if value is None:
        return None
    side = maker.dice.pick(["left", "right"])
    return maker.emit(f"tf.searchsorted(tf.constant([-1, 0, 1, 3], {{0}}.dtype), {{0}}, {side!r})", [value], "int32",
                      value.shape, 4, 0)


def blocks(maker):
    value = maker.find(("float32", "int32", "float16", "float64"), ranks=(3,),
                       where=lambda each: each.shape == (2, 2, 2))
    if value is None:
        return None
    return keeping(maker, "tf.space_to_depth(tf.expand_dims({0}, 0), 2)[0]", [value], (1, 1, 8))


def count_values(maker):
    value = maker.find(INTS[2:4], ranks=(1, 2))
    return value and maker.emit("tf.bincount(tf.cast(tf.floormod({0}, 3), tf.int32), minlength=3)", [value],
                                "int32", (3,), 12, 0)


OPS = [(2, reshape), (2, transpose), (1, expand), (1, squeeze), (1, tile), (3, slices), (1, slice_sizes), (2, gather),
       (2, gather_by_value), (1, gather_nd), (1, scatter_nd), (2, tensor_scatter), (2, concat), (2, stack), (1, split),
       (1, split_evenly), (1, unstack), (1, reverse), (0.6, roll), (0.6, reverse_sequence), (1, pad), (1, broadcast),
       (1, one_hot), (0.6, facts_of), (1.2, ordered), (1.2, filtered), (0.4, where_true), (0.6, partition),
       (0.4, sequence_mask), (0.3, ranges), (0.3, eye), (0.4, searchsorted), (0.3, blocks), (0.3, count_values)]
