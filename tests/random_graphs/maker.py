"""Makes steps one after another, and knows of every value its dtype, shape, largest magnitude and whether it is exact.

A value is exact while it is a multiple of a power of two that its dtype holds without rounding. Ops that jump, or whose
slopes do (floor, max, comparisons, sort), are given exact values alone: there two right implementations agree.
"""

import contextlib
import dataclasses
import math
import random

from tests.random_graphs.program import Body, Step

FLOATS = ("float32", "float64", "float16", "bfloat16")
WIDE = ("float32", "float64")
COMPLEX = ("complex64", "complex128")
INEXACT = FLOATS + COMPLEX
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16")
INTS = SIGNED + UNSIGNED
NUMBERS = (*INEXACT, *SIGNED, "uint8")  # those of TensorFlow 1.15's arithmetic
ALL = (*INEXACT, *INTS, "bool", "string")

DIGITS = {"float32": 24, "float64": 53, "float16": 11, "bfloat16": 8, "complex64": 24, "complex128": 53}
LARGEST = {"float32": 2e3, "float64": 2e3, "float16": 60, "bfloat16": 200, "complex64": 500, "complex128": 500}
TOP = {"int8": 127, "int16": 2**15 - 1, "int32": 2**31 - 1, "int64": 2**31, "uint8": 255, "uint16": 2**16 - 1}


@dataclasses.dataclass(frozen=True)
class Value:
    """What is known of a tensor: values are at most `bound`, and multiples of 2**-grain unless grain is None."""

    number: int
    dtype: str
    shape: tuple | None
    bound: float
    grain: int | None

    @property
    def exact(self):
        return self.grain is not None

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def rank(self):
        return len(self.shape)


class Dice:
    """A source of choices; it uses random() of a seeded generator alone, whose sequence Python promises to keep."""

    def __init__(self, seed):
        self._random = random.Random(seed).random

    def below(self, count):
        return int(self._random() * count)

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def chance(self, share):
        return self._random() < share

    def pick(self, items):
        return items[self.below(len(items))]

    def some(self, items, count):
        """That many different items, in a random order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]

    def shuffled(self, items):
        return self.some(items, len(items))

    def weighted(self, table):
        """An item of a table of (weight, item)."""
        at = self._random() * sum(weight for weight, _ in table)
        for weight, item in table:
            at -= weight
            if at < 0:
                return item
        return table[-1][1]


class Maker:
    """The program so far: steps of the innermost body, the values that it may use, the order of its state.

    Attributes:
        dice: the source of choices.
        pool: values in reach.
        steps: of the innermost body.
        feeds: (placeholder, value).
        variables: (number, dtype, shape, whether it is a resource) of those that steps update.
        last: the step that the next one with state must follow, or None.
        depth: how many bodies are open.
        serial: whether steps run in one order, so that they may have state.
        vocabulary: (weight, function that adds a step) for `grow`.
        trained: the value of the variable that an optimizer changes, and its number; or None.
    """

    def __init__(self, seed):
        self.dice = Dice(seed)
        self.pool, self.steps, self.feeds, self.variables = [], [], [], []
        self.vocabulary, self.trained, self.serial = [], None, True
        self.last, self.touched, self.depth, self._numbers = None, False, 0, 0

    # ---- steps

    def fresh(self):
        self._numbers += 1
        return self._numbers - 1

    def add(self, text, inputs=(), kind=None, after=None, bodies=(), rounds=False):
        """Adds a step and returns its number."""
        number = self.fresh()
        self.steps.append(Step(number, text, _numbers(inputs), kind, after, tuple(bodies), rounds))
        return number

    def emit(self, text, inputs, dtype, shape, bound=1.0, grain=None, after=None, bodies=(), seen=True):
        """Adds a step that gives a tensor; None, and no step, if its values may grow too large.

        Args:
            seen: whether later steps may use it.
        """
        bound, grain = self._limits(dtype, float(bound), grain)
        if bound is None:
            return None
        shape = None if shape is None else tuple(shape)
        if shape is not None and (math.prod(shape) > 12 or len(shape) > 4):
            return None
        number = self.add(text, inputs, (dtype, shape), after, bodies, dtype in INEXACT and grain is None)
        value = Value(number, dtype, shape, bound, grain)
        if seen:
            self.pool.append(value)
        return value

    def grow(self, count):
        """Adds that many steps of any sort, or fewer where nothing fits."""
        for _ in range(count):
            for _ in range(8):
                if self.dice.weighted(self.vocabulary)(self) is not None:
                    break

    def _limits(self, dtype, bound, grain):
        if dtype in INEXACT:
            if bound > LARGEST[dtype]:
                return None, None
            held = grain is not None and bound * 2**grain <= 2 ** DIGITS[dtype]
            return bound, grain if held else None
        if dtype == "int64" and bound > TOP[dtype]:
            return None, None  # the recorded numbers hold 34 bits
        return min(bound, TOP.get(dtype, 1)), 0

    # ---- choices

    def find(self, dtypes=ALL, ranks=None, exact=False, where=None):
        """A random value that fits, recent ones more often; None if there is none."""
        fits = [each for each in self.pool if each.dtype in dtypes and each.shape is not None
                and (ranks is None or each.rank in ranks) and (each.exact or not exact)
                and (where is None or where(each))]
        if not fits:
            return None
        return self.dice.pick(fits[-4:] if self.dice.chance(0.5) else fits)

    def like(self, value, exact=False):
        """A value of the same dtype and shape: itself, if there is no other."""
        return self.find((value.dtype,), exact=exact, where=lambda each: each.shape == value.shape) or value

    # ---- leaves

    def literal(self, dtype, shape):
        """Nested lists of random numbers."""
        if shape:
            return [self.literal(dtype, shape[1:]) for _ in range(shape[0])]
        return self._number(dtype)

    def _number(self, dtype):
        if dtype in FLOATS:
            return self.dice.between(-16, 16) / 8
        if dtype in COMPLEX:
            return complex(self.dice.between(-8, 8) / 4, self.dice.between(-8, 8) / 4)
        if dtype == "bool":
            return self.dice.chance(0.5)
        if dtype == "string":
            return "".join(self.dice.pick("abcXY 01é-") for _ in range(self.dice.between(0, 5)))
        return self.dice.between(0 if dtype in UNSIGNED else -5, 9)

    def constant(self, dtype, shape):
        """A leaf: a constant, or outside of bodies a placeholder, whose shape the graph may not know in full."""
        value, bound, grain = self.literal(dtype, shape), 9.0, 3 if dtype in INEXACT else 0
        if dtype in INEXACT:
            bound = 3.0
        if self.depth or dtype == "string" or self.dice.chance(0.5):
            return self.emit(f"tf.constant({value!r}, tf.{dtype}, {list(shape)})", (), dtype, shape, bound, grain)
        static = [None if self.dice.chance(0.2) else size for size in shape]
        leaf = self.emit(f"tf.placeholder(tf.{dtype}, {static})", (), dtype, shape, bound, grain)
        self.feeds.append((leaf.number, value))
        return leaf

    def shape(self):
        return self.dice.weighted([(2, ()), (3, (3,)), (2, (4,)), (3, (2, 3)), (1, (3, 2)), (1, (2, 2)), (1, (1, 3)),
                                   (1, (3, 1)), (1, (2, 1, 3)), (1, (2, 2, 2)), (0.3, (1,)), (0.5, (3, 3))])

    # ---- bodies

    @contextlib.contextmanager
    def _inside(self, params):
        saved = self.steps, self.pool, self.last, self.touched
        self.steps, self.pool, self.last, self.touched = [], [*self.pool, *params], None, False
        self.depth += 1
        yield
        touched = self.touched
        self.steps, self.pool, self.last, self.touched = saved
        self.touched = self.touched or touched
        self.depth -= 1

    def body(self, params, make):
        """A function of a branch or a loop; `make` adds its steps and returns the values that it gives.

        Results wait for the last step with state, so that whoever has them knows that the state was changed.
        """
        with self._inside([each for each in params if isinstance(each, Value)]):
            results = make()
            if self.last is not None:
                results = [self.passed(each) for each in results]
            steps = tuple(self.steps)
        return Body(self.fresh(), _numbers(params), steps, _numbers(results))

    def unordered(self, params, make):
        """A body whose calls TensorFlow may run side by side: no state inside."""
        before, self.serial = self.serial, False
        body = self.body(params, make)
        self.serial = before
        return body

    def passed(self, value):
        """The value once the last step with state has run."""
        if not isinstance(value, Value):
            return self.add("tf.identity({0})", (value,), after=self.last)
        return self.emit("tf.identity({0})", (value,), value.dtype, value.shape, value.bound, value.grain, self.last,
                         seen=False)

    def param(self, dtype, shape, bound, grain=None):
        """A parameter of a body."""
        return Value(self.fresh(), dtype, tuple(shape), bound, grain if dtype in INEXACT else 0)


def _numbers(items):
    """The numbers of values and of steps that give no tensor."""
    return tuple(each.number if isinstance(each, Value) else each for each in items)
