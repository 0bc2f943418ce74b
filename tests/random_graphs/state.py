"""Variables: made at the start, read and updated in one order, trained at the end.

A read is a copy, and each step with state has a control dependency on the one before, so that TensorFlow too has one
order: its ref variables may share memory with what was read from them.
"""

from tests.random_graphs.control import squashed

KINDS = [(5, "float32"), (2, "float64"), (1, "float16"), (0.5, "bfloat16"), (2, "int32"), (1, "int64"),
         (0.7, "complex64")]

OPTIMIZERS = [
    "GradientDescentOptimizer(0.1)", "MomentumOptimizer(0.1, 0.9)", "MomentumOptimizer(0.1, 0.9, use_nesterov=True)",
    "AdamOptimizer(0.1)", "AdagradOptimizer(0.1)", "RMSPropOptimizer(0.1)", "RMSPropOptimizer(0.1, centered=True)",
    "FtrlOptimizer(0.1)", "AdadeltaOptimizer(0.1)",
    "FtrlOptimizer(0.1, l2_regularization_strength=0.1)",
]  # fmt: skip


def variable(maker, dtype, shape):
    name, resource = f"x{maker.fresh()}", maker.dice.chance(0.5)
    value = maker.literal(dtype, shape)
    number = maker.add(f"tf.get_variable({name!r}, initializer=tf.constant({value!r}, tf.{dtype}, {list(shape)}), "
                       f"use_resource={resource})")
    return number, dtype, shape


def plain_variable(maker):
    maker.variables.append(variable(maker, maker.dice.weighted(KINDS), maker.shape()))


def _follow(maker, text, inputs, **facts):
    """Adds a step with state behind the last one."""
    if "dtype" in facts:
        value = maker.emit(text, inputs, after=maker.last, seen=False, **facts)
        maker.last, maker.touched = value.number, True
        return value
    maker.last, maker.touched = maker.add(text, inputs, after=maker.last), True
    return maker.last


def read(maker):
    if not maker.variables or not maker.serial:
        return None
    number, dtype, shape = maker.dice.pick(maker.variables)
    copy = _follow(maker, "tf.add({0}.read_value(), 0)", [number], dtype=dtype, shape=shape, bound=50)
    return squashed(maker, copy)


def update(maker):
    """Assigns, adds, scatters; what is written is small, so that seven runs stay in range."""
    if not maker.variables or not maker.serial:
        return None
    number, dtype, shape = maker.dice.pick(maker.variables)
    value = maker.find((dtype,), where=lambda each: each.shape == shape)
    small = squashed(maker, value or maker.constant(dtype, shape))
    _follow(maker, _written(maker, shape) + ".op", [number, small])
    return small


def _written(maker, shape):
    whole = ["{0}.assign({1})", "{0}.assign_add({1})", "{0}.assign_sub({1})"]
    if not shape:
        return maker.dice.pick(whole)
    places = maker.dice.some(range(shape[0]), maker.dice.between(1, shape[0]))
    rows = f"{{1}}[:{len(places)}]"
    scatters = [f"tf.scatter_{kind}({{0}}, {places}, {rows})" for kind in ("update", "add", "sub")]
    nested = [f"tf.scatter_nd_{kind}({{0}}, {[[at] for at in places]}, {rows})" for kind in ("update", "add")]
    return maker.dice.pick([*whole, *scatters, *nested, f"{{0}}[{places[0]}].assign({{1}}[0])"])


def trained_variable(maker):
    """A variable for an optimizer, read as a whole or by rows; its gradient is then dense or sparse."""
    dtype = maker.dice.weighted([(4, "float32"), (2, "float64"), (0.5, "float16")])
    shape = maker.shape()
    number, *_ = variable(maker, dtype, shape)
    if shape and maker.dice.chance(0.4):
        places = [maker.dice.below(shape[0]) for _ in range(2)]
        copy = _follow(maker, f"tf.gather({{0}}, {places})", [number], dtype=dtype, shape=(2, *shape[1:]), bound=50)
    else:
        copy = _follow(maker, "tf.add({0}.read_value(), 0)", [number], dtype=dtype, shape=shape, bound=50)
    maker.trained = squashed(maker, copy), number


def train(maker):
    """One step of an optimizer, the last step with state.

    Only the update waits for the other steps: TensorFlow loses gradients of loops that control dependencies delay.
    """
    value, number = maker.trained
    optimizer = maker.add(f"tf.train.{maker.dice.pick(OPTIMIZERS)}")
    other = maker.find((value.dtype,)) or value
    loss = "tf.reduce_mean(tf.tanh({1})) + tf.reduce_sum(tf.square({2} - 0.7))"
    slopes = maker.add(f"{{0}}.compute_gradients({loss}, [{{3}}])", [optimizer, other, value, number])
    _follow(maker, "{0}.apply_gradients({1})", [optimizer, slopes])


def draw(maker):
    """Random numbers of an op seed, which TensorFlow gives every time; a stream goes on from run to run."""
    if not maker.serial:
        return None
    seed, shape = maker.dice.between(1, 99), maker.dice.pick([(), (2,), (3,), (2, 3)])
    dtype = maker.dice.pick(["float32", "float32", "float64", "float16"])
    kind = maker.dice.pick(["uniform", "normal", "whole", "truncated_normal", "shuffle"])
    if kind == "whole":
        dtype = maker.dice.pick(["int32", "int64"])
        return maker.emit(f"tf.random_uniform({list(shape)}, -3, 9, tf.{dtype}, seed={seed})", [], dtype, shape, 9)
    if kind == "shuffle":
        value = maker.find(("float32", "int32", "int64", "string"), ranks=(1, 2))
        return value and maker.emit(f"tf.random_shuffle({{0}}, seed={seed})", [value], value.dtype, value.shape,
                                    value.bound, value.grain)
    text = f"tf.random_{kind}({list(shape)}, dtype=tf.{dtype}, seed={seed})"
    if kind == "truncated_normal":
        text = text.replace("random_", "")
    return maker.emit(text, [], dtype, shape, 6)


OPS = [(2, read), (3, update)]
DRAWS = [(1, draw)]
