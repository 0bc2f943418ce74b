"""Tapes compute what the recorded kernels compute, to the bit, and give up on numbers for which they are not."""

import numpy as np
import pytest

from evergraph import native
from evergraph.kernel import recording
from evergraph.kernel.recording import Recorded, Recorder, Unrecordable
from evergraph.ops.math import lines

pytestmark = pytest.mark.skipif(not recording.available(), reason="needs the C code")

F, D, I, L, B = np.float32, np.float64, np.int32, np.int64, np.bool_  # noqa: E741
OTHERS = object()


def numbers(*shape, dtype=F, seed=0):
    generator = np.random.RandomState(seed)
    if np.dtype(dtype).kind == "f":
        return np.asarray(generator.randn(*shape), dtype)
    return generator.randint(0, 2 if dtype is B else 9, shape).astype(dtype)


def player_of(function, *examples):
    """A function that replays the recorded one; it returns OTHERS where no tape fits."""
    recorder = Recorder(examples)
    results = function(*recorder.values)
    tape = recorder.tape(results if isinstance(results, (list, tuple)) else [results])
    return lambda *given: native.tape.player([lambda *_: OTHERS, tape])(None, *given)


def assert_replays(function, *examples):
    """The tape that is recorded with some numbers computes the same as the function on others."""
    player = player_of(function, *examples)
    for seed in (1, 2):
        given = [numbers(*x.shape, dtype=x.dtype.type, seed=seed) for x in examples]
        expected = function(*given)
        expected = expected if isinstance(expected, (list, tuple)) else [expected]
        for one, other in zip(player(*given), expected, strict=True):
            other = np.asarray(other)
            assert one.dtype == other.dtype and one.shape == other.shape
            assert one.tobytes() == np.ascontiguousarray(other).tobytes()


@pytest.mark.parametrize("function", [
    lambda x: np.tanh(x) + 1.0, lambda x: np.exp(-x) / 3, lambda x: x.T * 2, lambda x: x[::2, ::-1] - x[0],
    lambda x: x.sum(), lambda x: x.sum(0), lambda x: x.sum(1), lambda x: x.sum((0, 2), keepdims=True),
    lambda x: x.max(-1), lambda x: x.min(1), lambda x: x.mean(), lambda x: x.mean(2), lambda x: x.prod(0),
    lambda x: x.transpose(2, 0, 1).sum(0), lambda x: (x > 0).any(1), lambda x: (x > 0).all(),
    lambda x: np.where(x > 0, x, 0), lambda x: np.where(x[:, :1] > 0, x, -x), lambda x: (x > 0).astype(F),
    lambda x: x.astype(I) + 1, lambda x: x.astype(D).sum(), lambda x: np.clip(x, -0.5, 0.5),
    lambda x: np.concatenate([x, x * 2], 1), lambda x: np.stack([x, -x], -1), lambda x: x.reshape(-1) + 1,
    lambda x: x.transpose(1, 0, 2).reshape(5, -1), lambda x: np.broadcast_to(x[:, :, :1], x.shape) * x,
    lambda x: [np.matmul(x, x.swapaxes(1, 2)), x], lambda x: [x, x, x + 0], lambda x: x[1], lambda x: x[..., 0],
    lambda x: np.split(x, 2, 2), lambda x: np.maximum(x, 0) * np.ones_like(x), lambda x: np.zeros_like(x),
    lambda x: np.flip(x, 1) - np.squeeze(x[:1], 0), lambda x: x ** 2, lambda x: np.isnan(x), lambda x: -x % 3,
])  # fmt: skip
def test_a_tape_computes_what_numpy_does(function):
    assert_replays(function, numbers(4, 5, 6))


@pytest.mark.parametrize("dtype", [F, D, I, L, B])
def test_dtypes_and_their_promotion(dtype):
    x = numbers(3, 4, dtype=dtype)
    assert_replays(lambda x: [x + x, x * np.float64(2), x == 1, x.astype(L).sum(0), x.astype(B), x & x
                              if x.dtype.kind != "f" else x / 2], x)


@pytest.mark.parametrize("shapes", [((3, 4), (4,)), ((3, 1), (1, 4)), ((), (3, 4)), ((2, 1, 4), (3, 1)), ((1,), (5,)),
                                    ((0, 4), (4,)), ((3, 4), ()), ((70, 3), (3,)), ((2, 3), (2, 3))])  # fmt: skip
def test_broadcasting(shapes):
    assert_replays(lambda x, y: [x + y, x < y, np.where(x > y, x, y)], *[numbers(*shape) for shape in shapes])


@pytest.mark.parametrize("shapes", [((3, 4), (4, 5)), ((7, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 5)),
                                    ((2, 1, 3, 4), (5, 4, 2)), ((1, 4), (4, 1)), ((0, 4), (4, 5))])  # fmt: skip
@pytest.mark.parametrize("dtype", [F, D, I])
def test_products(shapes, dtype):
    assert_replays(lambda a, b: [a @ b, b.swapaxes(-1, -2) @ a.swapaxes(-1, -2)],
                   *[numbers(*shape, dtype=dtype) for shape in shapes])


def test_sums_and_products_of_nothing():
    assert_replays(lambda x: [x.sum(0) + 1, x.sum(), x.prod(0), x.sum(1, keepdims=True)], numbers(0, 3))
    assert_replays(lambda x, y: np.matmul(x, y) + 1, numbers(2, 0), numbers(0, 3))


def test_arguments_need_not_be_in_order():
    x = numbers(6, 8)
    player = player_of(lambda x: [x.sum(0), x * 2], x[:4, :4])
    for given in (x[1:5, ::2], x.T[:4, :4], x[:4, 3::-1]):
        one, other = player(given)
        np.testing.assert_array_equal(one, np.ascontiguousarray(given).sum(0))
        np.testing.assert_array_equal(other, given * 2)


def test_other_shapes_and_dtypes_do_not_fit():
    player = player_of(lambda x: x + 1, numbers(3, 4))
    assert player(numbers(3, 4)) is not OTHERS
    for other in (numbers(4, 3), numbers(12), numbers(3, 4, dtype=D), 1.0, None, numbers(3, 4).astype(">f4")):
        assert player(other) is OTHERS


def test_results_share_no_memory():
    player = player_of(lambda x, y: [x, x[1:], x + y, y], numbers(3, 4), numbers(3, 4))
    x, y = numbers(3, 4), numbers(3, 4)
    first, second = player(x, y), player(x, y)
    arrays = [x, y, *first, *second]
    assert not any(np.shares_memory(a, b) for n, a in enumerate(arrays) for b in arrays[:n])
    assert all(each.flags.owndata and each.flags.writeable for each in first)


def test_a_tape_is_for_the_numbers_that_kernels_look_at():
    def kernel(x, shape):
        return x.reshape(shape.tolist()) * (2 if (x >= 0).all() else 3)

    x, shape = np.ones(6, F), np.array([2, 3])
    player = player_of(kernel, x, shape)
    np.testing.assert_array_equal(player(x + 1, shape)[0], np.full((2, 3), 4))
    assert player(x, np.array([3, 2])) is OTHERS
    assert player(-x, shape) is OTHERS


def test_the_next_tape_is_tried_where_one_gives_up():
    def kernel(x):
        return x * 2 if bool((x > 0).all()) else x - 1

    tapes = []
    for example in (np.ones(3, F), -np.ones(3, F)):
        recorder = Recorder([example])
        tapes.append(recorder.tape([kernel(*recorder.values)]))
    player = native.tape.player([lambda *_: OTHERS, *tapes])
    for x in (np.full(3, 5, F), np.full(3, -5, F), np.full(3, 2, F)):
        np.testing.assert_array_equal(player(None, x)[0], kernel(x))


def test_rows_by_ids():
    table, ids = numbers(5, 3), np.array([[4, 0], [2, 2]], I)
    player = player_of(lambda table, ids: table.take(ids, 0), table, ids)
    np.testing.assert_array_equal(player(table, ids)[0], table[ids])
    for wrong in (5, -1):
        assert player(table, np.full((2, 2), wrong, I)) is OTHERS


def test_one_element_of_each_row():
    x, ids = numbers(4, 3), np.array([0, 2, 1, 1])
    player = player_of(lambda x, ids: np.take_along_axis(x, ids[:, None], 1), x, ids)
    np.testing.assert_array_equal(player(x, ids)[0], np.take_along_axis(x, ids[:, None], 1))


@pytest.mark.parametrize("size", [1, 7, 8, 9, 128, 300])
def test_lines(size):
    assert lines.takes(numbers(20, size))
    assert_replays(lambda x: [lines.sums(x, True), lines.shifted(x), lines.scaled(np.exp(x))], numbers(20, size))


@pytest.mark.parametrize("kernel", [
    lambda x: x.tolist(), lambda x: float(x.sum()) and x.tolist(), lambda x: np.sort(x), lambda x: np.cumsum(x),
    lambda x: memoryview(x), lambda x: x[x > 0], lambda x: np.add.accumulate(x), lambda x: x.__setitem__(0, 1),
    lambda x: np.add(x, 1, out=np.empty(40, F)), lambda x: np.divmod(x, 2), lambda x: x.nothing, lambda x: np.array(x),
    lambda x: np.add(x, x, where=np.ones(40, B)), lambda x: native.sparse.are_below([x], [3]),
])  # fmt: skip
def test_what_cannot_be_recorded_raises(kernel):
    recorder = Recorder([numbers(40)])
    with pytest.raises((Unrecordable, TypeError, AttributeError)):
        recorder.tape([kernel(*recorder.values)])


def test_kernels_may_be_forbidden_to_look():
    recorder = Recorder([np.array([2, 3])], may_look=False)
    with pytest.raises(Unrecordable):
        recorder.values[0].tolist()


def test_values_of_another_recorder_are_refused():
    one, other = Recorder([numbers(3)]), Recorder([numbers(3)])
    with pytest.raises(Unrecordable):
        one.values[0] + other.values[0]


def test_constants_are_kept_as_they_were():
    constant = np.arange(4, dtype=F)
    player = player_of(lambda x: [x + constant, constant, x * np.float32(3)], numbers(4))
    constant[:] = -1
    x = numbers(4, seed=3)
    first, second, third = player(x)
    np.testing.assert_array_equal(first, x + np.arange(4, dtype=F))
    np.testing.assert_array_equal(second, np.arange(4))
    second[:] = 7
    np.testing.assert_array_equal(player(x)[1], np.arange(4))
    np.testing.assert_array_equal(third, x * 3)


def test_special_numbers():
    x = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-45, 3e38], F)
    function = lambda x: [x * 2, x + 1, np.maximum(x, 0), x.max(), x.sum(), np.exp(x), np.where(x == x, x, 1), x > 0]
    player = player_of(function, np.ones(7, F))
    with np.errstate(all="ignore"):
        for one, other in zip(player(x), function(x), strict=True):
            assert one.tobytes() == np.asarray(other).tobytes()


def test_a_long_chain_reuses_memory():
    """Memory for one number after another: two buffers are enough, whatever the length of the chain."""
    recorder = Recorder([numbers(1000)])
    value = recorder.values[0]
    for _ in range(50):
        value = value + 1
    _, room = recorder._places()
    assert room <= 3 * 4096
    assert isinstance(value, Recorded)
    x = numbers(1000)
    found, = native.tape.player([None, recorder.tape([value])])(None, x)
    expected = x
    for _ in range(50):
        expected = expected + 1
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("arguments", [
    ((1,), (), (), 0, b"", False), ((), (), (), -1, b"", False),
    ((), (), (), 0, np.zeros(6, np.int64).tobytes(), False), ((), (), (), 0, b"12345678", False),
    ((), (), (), 0, np.array([1, 0, 1, 0, 1, 1, 9, 0, 1, 1], np.int64).tobytes(), False),
    ((), (), (), 0, np.array([1, 0, 5, 0, 1, 5], np.int64).tobytes(), False),
])  # fmt: skip
def test_what_is_no_tape_is_refused(arguments):
    with pytest.raises((ValueError, TypeError)):
        native.tape.make(*arguments)


def test_a_tape_of_nothing():
    assert native.tape.player([None, native.tape.make((), (), (), 0, b"", False)])(None) == ()
