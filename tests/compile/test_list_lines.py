"""Lists that are pushed to, and popped from, many with one call: the elements and errors are those of single calls."""

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.compile import list_lines
from evergraph.kernel.lists.items import Items
from evergraph.ops.control.lists import (
    empty_tensor_list,
    shape_input,
    tensor_list_get_item,
    tensor_list_pop_back,
    tensor_list_push_back,
    tensor_list_stack,
)

pytestmark = pytest.mark.skipif(native.lists is None, reason="needs the C code")

NUMBERS = shape_input((2,))


def empty(most=-1, shape=NUMBERS, dtype=tf.float32):
    return empty_tensor_list(shape, most, dtype)


def pushed(*items, handle=None):
    handle = empty() if handle is None else handle
    for item in items:
        handle = tensor_list_push_back(handle, item)
    return handle


def stacked(handle):
    return tensor_list_stack(handle, NUMBERS, tf.float32)


def run(fetches, feeds):
    with tf.Session(tier="numpy") as session:
        return [session.run(fetches, feeds) for _ in range(3)][-1]


def repeated(times, body, lists):
    """The lists after a loop whose body takes them, and returns them changed."""
    _, *lists = tf.while_loop(lambda at, *_: at < times, lambda at, *lists: [at + 1, *body(at, *lists)], [0, *lists])
    return lists


@pytest.fixture
def together(monkeypatch):
    """The number of lists in each line that changes many."""
    found = []
    in_c = list_lines._in_c

    def counted(lines, *rest, **named):
        found.extend([len(lines)] if len(lines) > 1 else [])
        return in_c(lines, *rest, **named)
    monkeypatch.setattr(list_lines, "_in_c", counted)
    return found


def test_pushes_to_several_lists_are_one_call(together):
    x = tf.placeholder(tf.float32, [2])
    lists = repeated(3, lambda at, *lists: [pushed(x * float(n), handle=each) for n, each in enumerate(lists)],
                     [empty() for _ in range(5)])
    found = run([stacked(each) for each in lists], {x: [1, 2]})
    assert together == [5]
    np.testing.assert_array_equal(found, [[[n, 2 * n]] * 3 for n in range(5)])


def test_one_list_may_be_pushed_to_twice_and_keeps_its_elements(together):
    x = tf.placeholder(tf.float32, [2])

    def body(at, base, one, other):
        return base, pushed(x + 1.0, handle=base), pushed(x + 2.0, handle=base)

    lists = repeated(2, body, [pushed(x)] * 3)
    found = run([stacked(each) for each in lists], {x: [0, 0]})
    assert together == [2]
    for each, expected in zip(found, ([[0, 0]], [[0, 0], [1, 1]], [[0, 0], [2, 2]])):
        np.testing.assert_array_equal(each, expected)


def test_a_list_that_is_pushed_to_twice_in_a_row_has_both_elements(together):
    x = tf.placeholder(tf.float32, [2])
    lists = repeated(2, lambda at, one, other: [pushed(x, x + 1.0, handle=one), pushed(x, handle=other)],
                     [empty(), empty()])
    found = run([stacked(each) for each in lists], {x: [0, 0]})
    np.testing.assert_array_equal(found[0], [[0, 0], [1, 1]] * 2)
    np.testing.assert_array_equal(found[1], [[0, 0]] * 2)


def test_pops_from_several_lists_are_one_call(together):
    x = tf.placeholder(tf.float32, [2])

    def body(at, total, *lists):
        popped = [tensor_list_pop_back(each, NUMBERS, tf.float32) for each in lists]
        return [total + tf.add_n([item for _, item in popped]), *(handle for handle, _ in popped)]

    total, *lists = repeated(2, body, [x, *(pushed(x, x, x * float(n)) for n in range(5))])
    found = run([total, *map(stacked, lists)], {x: [1, 2]})
    assert together[-1] == 5
    np.testing.assert_array_equal(found[0], [1 + 10 + 5, 2 + 20 + 10])
    np.testing.assert_array_equal(found[1:], [[[1, 2]]] * 5)


def test_a_full_list_among_others_is_an_error_of_its_own_node(together):
    x = tf.placeholder(tf.float32, [2])

    def body(at, one, full, other):
        with tf.name_scope("too_many"):
            full = pushed(x, handle=full)
        return pushed(x, handle=one), full, pushed(x, handle=other)

    lists = repeated(3, body, [empty(), empty(most=2), empty()])
    with pytest.raises(tf.errors.InvalidArgumentError, match="the list is full") as caught:
        run([stacked(each) for each in lists], {x: [1, 2]})
    assert together == [3]
    assert "too_many" in caught.value.op.name


def test_an_empty_list_among_others_is_an_error_of_its_own_node(together):
    x = tf.placeholder(tf.float32, [2])

    def body(at, *lists):
        popped = [tensor_list_pop_back(each, NUMBERS, tf.float32)[0] for each in lists[:2]]
        with tf.name_scope("too_few"):
            return [*popped, tensor_list_pop_back(lists[2], NUMBERS, tf.float32)[0]]

    lists = repeated(2, body, [pushed(x, x), pushed(x, x), pushed(x)])
    with pytest.raises(tf.errors.InvalidArgumentError, match="empty list") as caught:
        run([stacked(each) for each in lists], {x: [1, 2]})
    assert together[-1] == 3
    assert "too_few" in caught.value.op.name


def test_nothing_moves_to_the_other_side_of_an_assertion(together):
    x, limit = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, [])

    def body(at, one, other):
        one = tensor_list_pop_back(one, NUMBERS, tf.float32)[0]
        with tf.control_dependencies([tf.Assert(at < limit, ["too far"])]):
            return one, tensor_list_pop_back(tf.identity(other), NUMBERS, tf.float32)[0]

    lists = repeated(2, body, [pushed(x, x), pushed(x)])
    with pytest.raises(tf.errors.InvalidArgumentError, match="too far"):
        run([stacked(each) for each in lists], {x: [1, 2], limit: 1})
    with pytest.raises(tf.errors.InvalidArgumentError, match="empty list"):
        run([stacked(each) for each in lists], {x: [1, 2], limit: 2})


def test_lists_of_lists_and_of_other_dtypes_pop_together():
    x, y = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.string, [2])
    texts = tensor_list_push_back(empty(dtype=tf.string), y)
    nested = tensor_list_push_back(empty(shape=shape_input(()), dtype=tf.variant), pushed(x))
    numbers = pushed(x)
    inner = tensor_list_pop_back(nested, shape_input(()), tf.variant)[1]
    found = run([tensor_list_pop_back(texts, NUMBERS, tf.string)[1], stacked(inner),
                 tensor_list_pop_back(numbers, NUMBERS, tf.float32)[1]], {x: [1, 2], y: ["a", "b"]})
    assert found[0].tolist() == [b"a", b"b"]
    np.testing.assert_array_equal(found[1], [[1, 2]])
    np.testing.assert_array_equal(found[2], [1, 2])


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_gradients_of_elements_that_are_read_several_times(tier):
    x = tf.placeholder(tf.float32, [4, 2])
    array = tf.TensorArray(tf.float32, 4, clear_after_read=False).unstack(x)

    def body(at, total):
        element = array.read(at % 3)
        return at + 1, total + tf.reduce_sum(element * element) * tf.cast(at + 1, tf.float32)

    _, total = tf.while_loop(lambda at, _: at < 7, body, [0, 0.0])
    (slope,) = tf.gradients(total, x)
    given = np.arange(8, dtype=np.float32).reshape(4, 2)
    weights = np.array([1 + 4 + 7, 2 + 5, 3 + 6, 0], np.float32)
    with tf.Session(tier=tier) as session:
        for _ in range(3):
            np.testing.assert_allclose(session.run(slope, {x: given}), 2 * given * weights[:, None], rtol=1e-6)


def test_reading_an_element_that_is_not_there_names_it():
    x, place = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, [])
    item = tensor_list_get_item(pushed(x), place, NUMBERS, tf.float32)
    assert run([item], {x: [1, 2], place: 0})[0].tolist() == [1, 2]
    for wrong in (1, -1):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"element {wrong} in a list with 1"):
            run([item], {x: [1, 2], place: wrong})


def test_prefixes_share_elements_and_nothing_else():
    first = Items([np.zeros(2)], np.dtype(float), (2,))
    second = first.push(np.ones(2))
    third = first.push(np.full(2, 2.0))
    assert [len(each.items) for each in (first, second, third)] == [1, 2, 2]
    assert second.items[1][0] == 1 and third.items[1][0] == 2
    assert second._prefix(1).items[0] is first.items[0]
    with pytest.raises(TypeError):
        first._prefix("two")


def test_damaged_calls_are_errors():
    push = native.lists.pusher(lambda *given: given)
    pop = native.lists.popper((lambda *given: given, np.dtype(float)))
    assert push(None, 1, 2) == (None, 1, 2)
    assert pop(None, 3) == (None, 3)
    assert pop(None) == (None,)
    for wrong in ((), (len,), [len, 1], (len, *range(100))):
        with pytest.raises(TypeError):
            native.lists.popper(wrong)
