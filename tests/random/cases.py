"""What TensorFlow is asked for, and evergraph after it: random ops with their seeds, run several times in one session.

`CASES` maps a name to a `Case`. Dtypes are spelled by name, so that both libraries can read them.
"""

import dataclasses

import numpy as np

RUNS = 3


@dataclasses.dataclass(frozen=True)
class Case:
    """A raw op, its inputs and attrs by name."""

    op: str
    arguments: dict

    @property
    def runs(self):
        return 1 if self.op.startswith("Stateless") else RUNS


CASES = {}


def case(op, label, **arguments):
    """Adds a case; seeds are (3, 5) unless given."""
    if not op.startswith("Stateless"):
        arguments = {"seed": 3, "seed2": 5} | arguments
    name = f"{op}-{label}"
    assert name not in CASES, name
    CASES[name] = Case(op, arguments)


def ints(*values):
    return np.array(values, np.int32)


FLOATS = ("float16", "bfloat16", "float32", "float64")
SHAPES = ((), (1,), (5,), (3, 7), (0, 4), (2, 3, 67))
SEEDS = ((87654321, 0), (0, 9), (2**31 - 1, 2**31 - 2), (-7, 2**40))
STATELESS_SEEDS = (np.array([11, -13], np.int32), np.array([0, 0], np.int64), np.array([2**40 + 1, -(2**50)], np.int64))

for op, stateless in (("RandomUniform", "StatelessRandomUniform"), ("RandomStandardNormal", "StatelessRandomNormal"),
                      ("TruncatedNormal", "StatelessTruncatedNormal")):
    for dtype in FLOATS:
        for shape in SHAPES if dtype in ("float32", "float64") else ((5,), (2, 67)):
            case(op, f"{dtype}-{shape}", shape=ints(*shape), dtype=dtype)
        case(stateless, dtype, shape=ints(2, 67), seed=STATELESS_SEEDS[0], dtype=dtype)
    for seed, seed2 in SEEDS:
        case(op, f"seeds-{seed}-{seed2}", shape=ints(9), dtype="float32", seed=seed, seed2=seed2)
    for number, seed in enumerate(STATELESS_SEEDS):
        case(stateless, f"seed-{number}", shape=ints(9), seed=seed, dtype="float32")
    case(op, "int64-shape", shape=np.array([3], np.int64), dtype="float32")

for dtype in ("int32", "int64"):
    limits = np.iinfo(dtype)
    for low, high in ((0, 10), (-5, 1000003), (limits.min, limits.max), (limits.max - 1, limits.max)):
        bounds = {"minval": np.array(low, dtype), "maxval": np.array(high, dtype)}
        case("RandomUniformInt", f"{dtype}-{low}-{high}", shape=ints(3, 7), **bounds)
        case("StatelessRandomUniformInt", f"{dtype}-{low}-{high}", shape=ints(9), seed=STATELESS_SEEDS[0], **bounds)
    for shape in ((), (0,), (300,)):
        case("RandomUniformInt", f"{dtype}-{shape}", shape=ints(*shape), minval=np.array(-3, dtype),
             maxval=np.array(4, dtype))

LOGITS = np.linspace(-3, 2, 24).reshape(3, 8)
ODD_LOGITS = np.array([[0, np.inf, 1, -np.inf], [np.nan, -1, -1, 5], [-np.inf] * 4], np.float32)
for dtype in ("float16", "float32", "float64"):
    case("Multinomial", dtype, logits=LOGITS.astype(dtype), num_samples=np.array(7, np.int32))
for rows, samples in ((1, 1), (1, 9), (40, 1), (0, 3), (2, 0)):
    logits = np.arange(rows * 5, dtype=np.float32).reshape(rows, 5) % 7
    case("Multinomial", f"{rows}x{samples}", logits=logits, num_samples=np.array(samples, np.int32))
case("Multinomial", "not-finite", logits=ODD_LOGITS, num_samples=np.array(9, np.int32))
case("Multinomial", "int32-output", logits=LOGITS, num_samples=np.array(4, np.int32), output_dtype="int32")
case("StatelessMultinomial", "rows", logits=LOGITS, num_samples=np.array(5, np.int32), seed=STATELESS_SEEDS[0])
case("StatelessMultinomial", "int32-output", logits=LOGITS, num_samples=np.array(5, np.int32), seed=STATELESS_SEEDS[2],
     output_dtype="int32")

for size in (0, 1, 2, 3, 11, 300):
    case("RandomShuffle", f"{size}", value=np.arange(size, dtype=np.int64))
case("RandomShuffle", "matrix", value=np.arange(12, dtype=np.float32).reshape(4, 3))
case("RandomShuffle", "scalar", value=np.array(3, np.int32))

ALPHAS = (0.01, 0.3, 0.9, 1.0, 1.1, 2.5, 40.0, 3000.0)
for dtype in ("float16", "float32", "float64"):
    case("RandomGamma", dtype, shape=ints(6), alpha=np.array(ALPHAS, dtype))
case("RandomGamma", "scalar", shape=ints(), alpha=np.array(2.5, np.float32))
case("RandomGamma", "matrix", shape=ints(2, 3), alpha=np.array([[0.5, 1.0, 7.0], [3.0, 0.5, 1.0]], np.float32))
case("RandomGamma", "empty", shape=ints(0), alpha=np.array([2.5], np.float32))
case("RandomGamma", "many", shape=ints(300), alpha=np.array([0.7, 4.0], np.float64))

RATES = (0.0, 0.5, 3.0, 9.99, 10.0, 10.5, 50.0, 1000.0)
for rate in ("float16", "float32", "float64"):
    for dtype in ("float32", "int64"):
        case("RandomPoissonV2", f"{rate}-{dtype}", shape=ints(8), rate=np.array(RATES, rate), dtype=dtype)
for dtype in ("float16", "float64", "int32"):
    case("RandomPoissonV2", f"int32-{dtype}", shape=ints(8), rate=np.array([2, 30], np.int32), dtype=dtype)
case("RandomPoissonV2", "scalar", shape=ints(), rate=np.array(4.0, np.float32), dtype="int32")
case("RandomPoissonV2", "empty", shape=ints(3), rate=np.zeros((0,), np.float32), dtype="int32")
case("RandomPoissonV2", "many", shape=ints(300), rate=np.array([5.0, 12.0], np.float64), dtype="int64")


def bounded(label, shape, means, stdevs, minvals, maxvals, dtype="float32"):
    parameters = {"means": means, "stdevs": stdevs, "minvals": minvals, "maxvals": maxvals}
    case("ParameterizedTruncatedNormal", label, shape=ints(*shape),
         **{name: np.array(value, dtype) for name, value in parameters.items()})


inf = np.inf
for dtype in ("float32", "float64"):
    bounded(dtype, (6, 20), [0, 0, 1, 0, 0, 0], [1, 1, 2, 1, 1, 1], [-2, -0.5, -3, 3, 1, -inf],
            [2, 0.5, inf, inf, 1.5, -4], dtype)
    for low, high in ((-2, 2), (-0.5, 0.5), (1, 10), (-1.31, -0.1), (-5, -1), (-inf, 2), (0, 1.31)):
        bounded(f"{dtype}-{low}-{high}", (50,), 0, 1, low, high, dtype)
for shape in ((1,), (0,), (300,), (2, 50), (300, 7), (7, 300), (2, 3, 4), (1, 500), (500, 1), (110, 110)):
    bounded(f"scalars-{shape}", shape, 1, 2, -1, 3)
bounded("mixed", (3, 5), [0, 1, 2], 1, [-1], 3)
bounded("float16", (2, 9), [0, 1], [1, 1], [-2, -2], [2, 2], "float16")
