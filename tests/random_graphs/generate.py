"""The program of a seed."""

from tests.random_graphs import arrays, control, elementwise, faults, state, sums, texts
from tests.random_graphs.maker import FLOATS, INEXACT, Maker
from tests.random_graphs.program import Program, used, walk

FAULTY = 0.06
LOOPS = ("while_loop", "map_fn", "scan", "fold", "TensorArray")  # TensorFlow differentiates these once

# how often a program has leaves of a dtype
THEMES = [(6, "float32"), (3, "float64"), (1.3, "float16"), (1.2, "bfloat16"), (1.5, "complex64"), (1, "complex128"),
          (3, "int32"), (2, "int64"), (1, "int8"), (1, "int16"), (1, "uint8"), (0.7, "uint16"), (1.5, "bool"),
          (1.5, "string")]  # fmt: skip
FAMILIES = [(5, elementwise.OPS), (3.5, arrays.OPS), (3.5, sums.OPS), (1.2, control.OPS), (0.7, texts.OPS),
            (0.4, state.DRAWS)]


def generate(seed):
    """The same program for the same seed, always."""
    maker = Maker(seed)
    maker.vocabulary = _vocabulary(maker)
    _leaves(maker)
    maker.grow(maker.dice.between(4, 12))
    failing = faults.fault(maker) if maker.dice.chance(FAULTY) else None
    if maker.trained:
        state.train(maker)
    steps = tuple(maker.steps)
    gradients = _gradients(maker, steps)
    fetches = _fetches(maker, steps, failing)
    feeds = tuple(maker.feeds)
    return Program(steps, feeds, fetches, gradients)


def _vocabulary(maker):
    families = [*FAMILIES]
    if maker.dice.chance(0.5):
        for _ in range(maker.dice.between(1, 2)):
            state.plain_variable(maker)
        families.append((2.5, state.OPS))
    return [(share * weight / sum(each for each, _ in table), op) for share, table in families for weight, op in table]


def _leaves(maker):
    dtypes = [maker.dice.weighted(THEMES) for _ in range(maker.dice.between(1, 3))]
    if not any(dtype in FLOATS for dtype in dtypes) and maker.dice.chance(0.5):
        dtypes.append("float32")
    for dtype in dtypes:
        shape = maker.shape()
        maker.constant(dtype, shape)
        if maker.dice.chance(0.7):
            maker.constant(dtype, shape if maker.dice.chance(0.6) else maker.shape())
    if maker.dice.chance(0.3):
        state.trained_variable(maker)


def _fetches(maker, steps, failing):
    """Values that no step uses, and the last steps with state or faults."""
    taken = used(steps)
    held = [each.number for each in maker.pool if each.number not in taken]
    chosen = maker.dice.some(held, 5)
    return tuple(dict.fromkeys([*sorted(chosen), *(each for each in (maker.last, failing) if each is not None)]))


def _gradients(maker, steps):
    """(y, xs, whether twice) for up to two real values and what they depend on.

    Second gradients are those of leaves: for other values they depend on how the first ones were written.
    """
    found, leaves = [], {step.number for step in steps if not step.inputs and step.kind and step.kind[0] in FLOATS}
    ends = [each for each in maker.pool if each.dtype in FLOATS and each.shape is not None]
    for y in maker.dice.some(ends[-6:], 2 if maker.dice.chance(0.3) else 1) if maker.dice.chance(0.75) else ():
        behind, looped = _behind(steps, y.number)
        xs = [each.number for each in maker.pool if each.number in behind - {y.number} and each.dtype in INEXACT]
        twice = maker.dice.chance(0.45) and not looped
        if twice:
            xs = [number for number in xs if number in leaves]
        if xs:
            found.append((y.number, tuple(sorted({xs[0], *maker.dice.some(xs, 2)})), twice))
    return tuple(found)


def _behind(steps, number):
    """The numbers that a value depends on, and whether a loop is among them."""
    needed, looped = {number}, False
    for step in reversed(steps):
        if step.number in needed:
            needed |= used((step,))
            looped = looped or any(word in inner.text for inner in walk((step,)) for word in LOOPS)
    return needed, looped


