"""Windows: convolutions and pools of any sizes, strides, dilations and paddings, with their first and second gradients.

No value is infinite where there is padding: whether TensorFlow multiplies padding depends on the kernel that it
chooses.
"""

from tests.random_graphs.maker import Dice

DTYPES = [(6, "float32"), (3, "float64"), (0.7, "float16")]
RATES = [(5, 1), (2, 2), (1, 3)]
STRIDES = [(4, 1), (3, 2), (2, 3), (1, 4)]

SLOPES = """up = tf.placeholder(x.dtype, y.shape)
slopes = [each if each is None else tf.convert_to_tensor(each) for each in tf.gradients(y, xs, up)]
show([each is None for each in slopes])
more = [tf.gradients(each, [*xs, up]) for each in slopes if each is not None]
show([[each is None for each in part] for part in more])
fetches += [each for part in [slopes, *more] for each in part if each is not None]
feeds[up] = data(9, y.shape.as_list(), dtype=x.dtype.name)"""
RUN = """s = session()
for i in range(5):
    found = s.run(fetches, feeds)
    if i in (0, 4):
        show(found)"""


class Sizes:
    """The sizes of one window operation over some axes of space."""

    def __init__(self, dice, rank, dilated):
        self.dice, self.rank = dice, rank
        self.batch, self.depth, self.out = (dice.between(1, 3) for _ in range(3))
        self.space = [dice.between(1, 7) for _ in range(rank)]
        self.window = [dice.between(1, 4) for _ in range(rank)]
        self.strides = [dice.weighted(STRIDES)] * rank if dice.chance(0.6) else [
            dice.weighted(STRIDES) for _ in range(rank)]
        self.rates = [dice.weighted(RATES) for _ in range(rank)] if dilated else [1] * rank
        if dilated and max(self.rates) > 1 and dice.chance(0.7):
            self.strides = [1] * rank
        self.padding = dice.pick(["SAME", "VALID"])

    @property
    def input(self):
        return [self.batch, *self.space, self.depth]

    def around(self, steps):
        return [1, *steps, 1]


def begin(dice, shapes, dtype, special):
    """Statements that make placeholders and what is fed: x, w..."""
    is_open = len(shapes) > 1 and dice.chance(0.3)  # TensorFlow has no second gradient of pools of any number of images
    lines, names = [], [f"x{at}" if at else "x" for at in range(len(shapes))]
    for at, (name, shape) in enumerate(zip(names, shapes)):
        lines.append(f"{name} = tf.placeholder(tf.{dtype}, {[None, *shape[1:]] if not at and is_open else shape})")
    lines.append("xs = [" + ", ".join(names) + "]")
    lines.append("feeds = {" + ", ".join(f"{name}: data({at + 1}, {shape}, dtype='{dtype}')"
                                         for at, (name, shape) in enumerate(zip(names, shapes))) + "}")
    if special:
        value = dice.pick(["np.inf", "-np.inf", "np.nan"])
        lines.append(f"feeds[{dice.pick(names)}].flat[{dice.below(4)}:][:1] = {value}")
    return lines


def convolution(dice):
    rank = dice.pick([1, 2, 2, 2, 3])
    z = Sizes(dice, rank, dilated=rank < 3 and dice.chance(0.3))
    smooth = max(z.rates) == 1  # TensorFlow has no gradients of dilated convolutions on CPUs
    shapes, name = [z.input, [*z.window, z.depth, z.out]], {1: "conv1d", 2: "conv2d", 3: "conv3d"}[rank]
    if rank == 1:
        text = f"tf.nn.conv1d(x, x1, {z.strides[0]}, '{z.padding}')"
        smooth = True
    else:
        padding = f"'{z.padding}'"
        if rank == 2 and dice.chance(0.2):
            padding = str([[0, 0], *([dice.below(3), dice.below(3)] for _ in range(2)), [0, 0]])
        text = f"tf.nn.{name}(x, x1, {z.around(z.strides)}, {padding}, dilations={z.around(z.rates)})"
    return shapes, text, smooth, z.padding == "VALID" and "[[" not in text


def depthwise(dice):
    z = Sizes(dice, 2, dilated=dice.chance(0.3))
    z.strides = [z.strides[0]] * 2 if max(z.rates) == 1 else [1, 1]
    shapes = [z.input, [*z.window, z.depth, z.dice.between(1, 2)]]
    text = f"tf.nn.depthwise_conv2d(x, x1, {z.around(z.strides)}, '{z.padding}', rate={z.rates})"
    if dice.chance(0.3):
        shapes.append([1, 1, z.depth * shapes[1][3], z.out])
        text = text.replace("depthwise_conv2d(x, x1,", "separable_conv2d(x, x1, x2,")
    return shapes, text, True, z.padding == "VALID" and max(z.rates) == 1


def transposed(dice):
    z = Sizes(dice, 2, dilated=False)
    sizes = [z.batch, *(1 + (n - 1) * s + (0 if z.padding == "SAME" else k - 1) + dice.below(s)
                        for n, s, k in zip(z.space, z.strides, z.window)), z.out]
    text = f"tf.nn.conv2d_transpose(x, x1, {sizes}, {z.around(z.strides)}, '{z.padding}')"
    return [z.input, [*z.window, z.out, z.depth]], text, True, False


def pool(dice):
    rank = dice.pick([2, 2, 2, 3])
    z = Sizes(dice, rank, dilated=False)
    kind = dice.pick(["max", "avg"])
    name = f"{kind}_pool{'3d' if rank == 3 else ''}"
    text = f"tf.nn.{name}(x, {z.around(z.window)}, {z.around(z.strides)}, '{z.padding}')"
    return [z.input], text, True, kind == "avg" and z.padding == "VALID"


def general_pool(dice):
    z = Sizes(dice, 2, dilated=True)
    strides = [1, 1] if max(z.rates) > 1 else [min(pair) for pair in zip(z.strides, z.window)]  # TensorFlow's limit
    kind = dice.pick(["MAX", "AVG"])
    text = f"tf.nn.pool(x, {z.window}, '{kind}', '{z.padding}', dilation_rate={z.rates}, strides={strides})"
    return [z.input], text, True, False


def dilation(dice):
    z = Sizes(dice, 2, dilated=True)
    kind = dice.pick(["dilation2d", "erosion2d"])
    text = f"tf.nn.{kind}(x, x1, {z.around(z.strides)}, {z.around(z.rates)}, '{z.padding}')"
    return [z.input, [*z.window, z.depth]], text, False, False


def patches(dice):
    z = Sizes(dice, 2, dilated=True)
    text = (f"tf.image.extract_image_patches(x, {z.around(z.window)}, {z.around(z.strides)}, {z.around(z.rates)}, "
            f"'{z.padding}')")
    return [z.input], text, True, z.padding == "VALID"


def general(dice):
    """tf.nn.convolution, with dilations by moving space to the batch."""
    rank = dice.pick([1, 2])
    z = Sizes(dice, rank, dilated=True)
    strides = [1] * rank if max(z.rates) > 1 else z.strides
    text = f"tf.nn.convolution(x, x1, '{z.padding}', strides={strides}, dilation_rate={z.rates})"
    return [z.input, [*z.window, z.depth, z.out]], text, rank == 1 or max(z.rates) == 1, False


KINDS = [(5, convolution), (3, depthwise), (2, transposed), (3, pool), (1, general_pool), (1, dilation), (1, patches),
         (1, general)]


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    dice = Dice(seed)
    shapes, text, smooth, unpadded = dice.weighted(KINDS)(dice)
    dtype = dice.weighted(DTYPES)
    lines = begin(dice, shapes, dtype, special=unpadded and dice.chance(0.3))
    lines += [f"y = {text}", "show(y.shape)", "fetches = [y]"]
    if smooth and dice.chance(0.85):
        lines.append(SLOPES if all("None" not in line for line in lines) else SLOPES.replace(
            "y.shape)", "[None] * y.shape.ndims)").replace("y.shape.as_list()", "session().run(tf.shape(y), feeds)"))
    return [*lines, RUN]
