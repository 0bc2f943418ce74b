"""tf.random builds TensorFlow's nodes, with TensorFlow's seeds."""

import numpy as np
import pytest

from evergraph.base import dtypes, errors
from evergraph.frontend import random
from evergraph.frontend.gradients import gradients
from evergraph.graph.convert import constant
from evergraph.graph.registry import lookup
from evergraph.run.session import Session
from tests.harness.session import TIERS


def nodes(graph):
    """Each node as "name = Op(inputs)", in the order of creation."""
    return [f"{n.name} = {n.type}({', '.join(t.op.name for t in n.inputs)})" for n in graph.get_operations()]


def run(*fetches, tier="numpy", times=1):
    with Session(tier=tier) as session:
        values = [session.run(fetches if len(fetches) > 1 else fetches[0]) for _ in range(times)]
    return values if times > 1 else values[0]


# ---- seeds


@pytest.mark.parametrize(("graph_seed", "op_seed", "seeds"), [
    (None, None, (None, None)),
    (None, 0, (87654321, 0)),
    (None, 5, (87654321, 5)),
    (None, -3, (87654321, 2147483644)),
    (0, 0, (0, 2147483647)),
    (0, 5, (0, 5)),
    (5, 0, (5, 0)),
    (-3, 2**40, (2147483644, 512)),
    (2**31 - 1, 2**31 - 1, (0, 2147483647)),
])
def test_get_seed(graph_seed, op_seed, seeds):
    if graph_seed is not None:
        random.set_random_seed(graph_seed)
    assert random.get_seed(op_seed) == seeds


def test_a_missing_op_seed_counts_the_operations():
    random.set_random_seed(7)
    assert random.get_seed(None) == (7, 0)
    constant(1.0)
    assert random.get_seed(None) == (7, 1)
    first = random.random_uniform([2])  # after its shape, minimum and maximum
    node = next(n for n in first.graph.get_operations() if n.type == "RandomUniform")
    assert (node.attrs["seed"], node.attrs["seed2"]) == (7, 4)


@TIERS
def test_streams(tier):
    """A stream goes on from run to run, whatever else is fetched, and begins again in a new session."""
    x, y = random.random_uniform([3], seed=1), random.random_uniform([3], seed=2)
    with Session(tier=tier) as session:
        first, second = session.run(x), session.run([x, y])[0]
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(run(x, tier=tier, times=2), [first, second])


@TIERS
def test_no_seed_means_other_numbers_each_time(tier):
    x, y = random.random_uniform([8]), random.random_uniform([8])
    (a, b), (c, d) = run(x, y, tier=tier), run(x, y, tier=tier)
    assert len({v.tobytes() for v in (a, b, c, d)}) == 4


# ---- nodes


def test_uniform_nodes(graph):
    random.random_uniform([2, 3], -1, 1, seed=1)
    assert nodes(graph) == [
        "random_uniform/shape = Const()",
        "random_uniform/min = Const()",
        "random_uniform/max = Const()",
        "random_uniform/RandomUniform = RandomUniform(random_uniform/shape)",
        "random_uniform/sub = Sub(random_uniform/max, random_uniform/min)",
        "random_uniform/mul = Mul(random_uniform/RandomUniform, random_uniform/sub)",
        "random_uniform = Add(random_uniform/mul, random_uniform/min)",
    ]


def test_uniform_integer_nodes(graph):
    random.random_uniform([2], 0, 10, dtype=dtypes.int32, name="dice")
    assert nodes(graph)[-1] == "dice = RandomUniformInt(dice/shape, dice/min, dice/max)"


@pytest.mark.parametrize(("make", "name", "op"), [
    (random.random_normal, "random_normal", "RandomStandardNormal"),
    (random.truncated_normal, "truncated_normal", "TruncatedNormal"),
])
def test_normal_nodes(graph, make, name, op):
    make([2, 3], 1, 2, seed=1)
    assert nodes(graph) == [
        f"{name}/shape = Const()",
        f"{name}/mean = Const()",
        f"{name}/stddev = Const()",
        f"{name}/{op} = {op}({name}/shape)",
        f"{name}/mul = Mul({name}/{op}, {name}/stddev)",
        f"{name} = Add({name}/mul, {name}/mean)",
    ]


def test_other_nodes(graph):
    random.random_shuffle([2, 3])
    random.multinomial([[1.0, 2.0]], 3)
    random.categorical([[1.0, 2.0]], 3)
    random.random_poisson([1.0], [2])
    random.stateless_categorical([[1.0, 2.0]], 3, [1, 2])
    random.parameterized_truncated_normal([4])
    assert [line for line in nodes(graph) if "Const()" not in line] == [
        "RandomShuffle = RandomShuffle(RandomShuffle/value)",
        "multinomial/Multinomial = Multinomial(multinomial/logits, multinomial/Multinomial/num_samples)",
        "categorical/Multinomial = Multinomial(categorical/logits, categorical/Multinomial/num_samples)",
        "random_poisson/RandomPoissonV2 = RandomPoissonV2(random_poisson/shape, random_poisson/RandomPoissonV2/rate)",
        "stateless_categorical/StatelessMultinomial = StatelessMultinomial(stateless_categorical/logits, "
        "stateless_categorical/StatelessMultinomial/num_samples, stateless_categorical/StatelessMultinomial/seed)",
        "parameterized_truncated_normal/ParameterizedTruncatedNormal = ParameterizedTruncatedNormal("
        "parameterized_truncated_normal/shape, parameterized_truncated_normal/means, "
        "parameterized_truncated_normal/stddevs, parameterized_truncated_normal/minvals, "
        "parameterized_truncated_normal/maxvals)",
    ]


def test_gamma_nodes(graph):
    random.random_gamma([2], [1.0, 2.0], beta=[[3.0], [4.0]])
    assert [line.replace("random_gamma/", "") for line in nodes(graph) if "Const()" not in line] == [
        "BroadcastArgs = BroadcastArgs(Shape_1, Shape_2)",
        "BroadcastTo = BroadcastTo(alpha, BroadcastArgs)",
        "RandomGamma = RandomGamma(shape, BroadcastTo)",
        "truediv = RealDiv(RandomGamma, beta)",
        "Maximum = Maximum(Maximum/x, truediv)",
    ]


def test_crop_nodes(graph):
    random.random_crop(np.zeros([4, 4, 3], np.float32), [2, 2, 3], seed=1)
    assert [line.replace("random_crop/", "") for line in nodes(graph) if "Const()" not in line] == [
        "GreaterEqual = GreaterEqual(Shape, size)",
        "All = All(GreaterEqual, Const)",
        "Assert/Assert = Assert(All, Assert/Assert/data_0, Shape, size)",
        "control_dependency = Identity(Shape)",
        "sub = Sub(control_dependency, size)",
        "add = AddV2(sub, add/y)",
        "random_uniform = RandomUniformInt(Shape_1, random_uniform/min, random_uniform/max)",
        "mod = FloorMod(random_uniform, add)",
        "random_crop = Slice(value, mod, size)",
    ]


# ---- values


@TIERS
def test_crop(tier):
    image = np.arange(60).reshape(5, 4, 3)
    pieces = run(random.random_crop(image, [2, 2, 3], seed=1), tier=tier, times=20)
    assert all(np.array_equal(p - p.min(), image[:2, :2] - image.min()) for p in pieces)
    assert len({int(p.min()) for p in pieces}) > 4
    with pytest.raises(errors.InvalidArgumentError, match="Need value.shape >= size"):
        run(random.random_crop(lookup("PlaceholderWithDefault")(image, None), [9, 2, 3]), tier=tier)


@TIERS
def test_scaled_numbers(tier):
    shape = [20000]
    uniform, normal, cut = run(random.random_uniform(shape, 3, 5, seed=1), random.random_normal(shape, 1, 2, seed=1),
                               random.truncated_normal(shape, 1, 2, seed=1), tier=tier)
    assert 3 <= uniform.min() < 3.01 and 4.99 < uniform.max() < 5
    assert abs(normal.mean() - 1) < 0.05 and abs(normal.std() - 2) < 0.05
    assert -3 <= cut.min() < -2.9 and 4.9 < cut.max() <= 5


@TIERS
def test_stateless_numbers_follow_from_the_seed(tier):
    seed = lookup("PlaceholderWithDefault")(np.array([3, 4]), [2])
    draws = [random.stateless_uniform([4], seed), random.stateless_normal([4], seed),
             random.stateless_truncated_normal([4], seed), random.stateless_multinomial([[0.0, 1.0]], 4, seed),
             random.stateless_uniform([4], seed, 0, 99, dtypes.int32)]
    with Session(tier=tier) as session:
        first, second, other = session.run(draws), session.run(draws), session.run(draws, {seed: [3, 5]})
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a, b)
    assert not np.array_equal(first[0], other[0])


@TIERS
def test_gamma_gradient(tier):
    alpha, beta = constant([0.3, 2.5]), constant([3.0])
    samples = random.random_gamma([400], alpha, beta, seed=1)
    by_alpha, by_beta = run(*gradients(samples, [alpha, beta]), tier=tier)
    # The mean is alpha / beta, so the gradients of its 400-fold estimate are near these.
    np.testing.assert_allclose(by_alpha, 400 / np.array([3.0, 3.0]), rtol=0.3)
    np.testing.assert_allclose(by_beta, [-400 * (0.3 + 2.5) / 9], rtol=0.2)


@TIERS
def test_gamma_gradient_values(tier):
    # From TensorFlow, in float64.
    alpha, sample = [0.3, 1.0, 2.5, 40.0, 1000.0, 0.3, 5.0], [0.2, 1.5, 2.0, 37.0, 1010.0, 1e-5, 0.1]
    wanted = [1.21203726, 1.43093744, 0.953462703, 0.965540694, 1.00515093, 3.78127592e-04, 0.0815866755]
    for dtype, rtol in ((np.float32, 1e-4), (np.float64, 1e-7)):
        got = run(lookup("RandomGammaGrad")(np.array(alpha, dtype), np.array(sample, dtype)), tier=tier)
        np.testing.assert_allclose(got, wanted, rtol=rtol)


@TIERS
def test_poisson_of_version_one_is_that_of_two(tier):
    rate = np.array([3.0, 30.0], np.float32)
    one, two = run(lookup("RandomPoisson")([5], rate, seed=3, seed2=5),
                   lookup("RandomPoissonV2")([5], rate, seed=3, seed2=5, dtype=dtypes.float32), tier=tier)
    np.testing.assert_array_equal(one, two)


@TIERS
def test_shuffled_strings(tier):
    value = np.array([b"a", b"b", b"c", b"d"], object)
    assert sorted(run(random.random_shuffle(value, seed=4), tier=tier)) == sorted(value)


@TIERS
def test_shape_from_a_placeholder(tier):
    shape = lookup("Placeholder")(dtype=dtypes.int32, shape=[2])
    drawn = random.random_uniform(shape, seed=1)
    assert drawn.shape.as_list() == [None, None]
    with Session(tier=tier) as session:
        assert session.run(drawn, {shape: [2, 3]}).shape == (2, 3)
        assert session.run(drawn, {shape: [4, 1]}).shape == (4, 1)


# ---- errors


def default(value):
    return lookup("PlaceholderWithDefault")(value, None)


@TIERS
@pytest.mark.parametrize(("make", "message"), [
    (lambda: random.random_uniform([3], default(5), 5, dtypes.int32), "Need minval < maxval, got 5 >= 5"),
    (lambda: random.stateless_uniform([3], [1, 2], default(5), 5, dtypes.int32), "Need minval < maxval"),
    (lambda: random.random_uniform(default([-1])), "Dimension -1 must be >= 0"),
    (lambda: random.random_uniform(default([[1]])), "shape must be a vector"),
    (lambda: random.multinomial(default([1.0]), 2), "logits should be a matrix"),
    (lambda: random.multinomial([[1.0]], default(-2)), "num_samples should be nonnegative, got -2"),
    (lambda: random.multinomial(np.zeros((2, 0), np.float32), 2), "num_classes should be positive"),
    (lambda: random.stateless_uniform([3], default([1, 2, 3])), r"seed must have shape \[2\]"),
    (lambda: random.parameterized_truncated_normal([3], minvals=2.0, maxvals=-2.0), "Invalid parameters"),
    (lambda: random.parameterized_truncated_normal([3], stddevs=-1.0), "Invalid parameters"),
    (lambda: random.parameterized_truncated_normal([5], means=[0.0, 1.0]), "one of means for all rows"),
])
def test_what_cannot_be_drawn(make, message, tier):
    with pytest.raises(errors.InvalidArgumentError, match=message):
        run(make(), tier=tier)


def test_parameters_that_are_not_numbers():
    with pytest.raises(errors.InternalError):
        run(random.parameterized_truncated_normal([3], means=np.nan))
    assert np.isnan(run(lookup("RandomGamma")([2], np.array([-1.0, np.nan], np.float32)))).all()


def test_what_is_refused_at_once():
    with pytest.raises(ValueError, match="Must specify maxval"):
        random.random_uniform([2], dtype=dtypes.int32)
    for dtype in (dtypes.complex64, dtypes.int16):
        with pytest.raises(ValueError, match="dtype"):
            random.random_uniform([2], 0, 3, dtype=dtype)
    with pytest.raises(TypeError):
        random.random_normal([2], 1, 2, dtype=dtypes.int32)
    with pytest.raises(ValueError, match="must be rank 1"):
        random.random_uniform([[1]])
