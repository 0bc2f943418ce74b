"""What Python hands to the C code of recorded kernels, lists, loops, cells, messages and pairs: it fits, or is refused.

`make sanitize` runs these with modules that check each address."""

import struct

import numpy as np
import pytest

from evergraph import native
from evergraph.kernel import recording
from evergraph.kernel.lists import items

pytestmark = pytest.mark.skipif(native.tape is None, reason="the C code was not built here, or is turned off")

HUGE = [2**20, 2**31, 2**40, 2**62, 2**63 - 1, -1, -(2**31), -(2**62), -(2**63), 0]
X = np.arange(6, dtype=np.float32)


# ---- tapes

def code(sizes=(), operands=((0, 0), (1, 0)), count=6, strides=(4, 4), loop="copy4"):
    """The numbers of a step that copies an input to a result; operands have a slot, an offset and outer strides."""
    flat = [number for operand in operands for number in operand]
    return [recording._own_loops()[loop], 0, len(operands), len(sizes), 1, len(strides), *sizes, *flat, count, *strides]


def tape(numbers, room=0, inputs=(X,), constants=()):
    assert recording.available()
    return native.tape.make(tuple(inputs), constants, (((6,), np.dtype(np.float32)),), room,
                            np.array(numbers, np.int64).tobytes(), False)


def test_a_tape_that_copies():
    replay = recording.player([None, tape(code())])
    assert np.array_equal(replay(None, X)[0], X)
    replay = recording.player([None, tape(code((2, 3), ((0, 20, -12, -4), (1, 0, 12, 4)), 1))])
    assert np.array_equal(replay(None, X)[0], X[::-1])


def test_a_tape_for_a_scalar():
    """Its shape has no sizes to copy or compare."""
    replay = recording.player([None, tape(code(count=1), inputs=(np.array(3, np.float32),))])
    assert replay(None, np.array(5, np.float32))[0][0] == 5


@pytest.mark.parametrize("number", HUGE)
@pytest.mark.parametrize("place", range(2, 13))
def test_steps_that_leave_their_memory_are_no_tape(place, number):
    numbers = code()
    if number == 0 and place in (3, 6, 7, 8, 9, 10, 11, 12):  # a slot; no axis, offset, element or stride
        return
    numbers[place] = number
    with pytest.raises(ValueError, match="no tape"):
        tape(numbers)


@pytest.mark.parametrize("sizes, strides", [
    ((2,), (2**62,)), ((2**62,), (4,)), ((0,), (4,)), ((-3,), (4,)), ((2,), (-4,)), ((2, 2), (12, 13)),
    ((2**31, 2**31), (2**31, 2**31)),
])
def test_axes_around_a_loop_stay_in_memory_too(sizes, strides):
    with pytest.raises(ValueError, match="no tape"):
        tape(code(sizes, ((0, 0, *strides), (1, 0, *[0] * len(sizes))), 1))


def test_other_things_than_arrays_are_no_tape():
    for inputs, constants, room in (((5,), (), 0), ((X,), ("x",), 0), ((X,), (), -1)):
        with pytest.raises(ValueError, match="no tape"):
            tape(code(), room, inputs, constants)
    with pytest.raises(ValueError, match="no tape"):
        tape(code()[:-1])


def test_loops_of_what_is_no_ufunc():
    assert recording.available()
    for ufunc, number in ((5, 0), (np.add, -1), (np.add, 10**6), (np.ndarray, 0)):
        with pytest.raises(ValueError, match="no ufunc"):
            native.tape.loop_of(ufunc, number)


# ---- loops

def test_registers_of_loops():
    one = np.array(True)
    line = (lambda context, value: (value,), (0,), (1,), False)
    make = native.loops.make
    native.loops.prepare(np.ndarray, np.dtype(bool))
    loop = make(1, 2, (), (), (0,), (line,), (1,))
    assert native.loops.repeat(loop, None, (one,), 3) == ((one,), 3, False)
    for variables, registers, results in ((1, 2**31 - 1, (1,)), (2**31 - 1, 2, (1,)), (-1, 2, (1,)), (1, -9, (1,)),
                                          (2, 3, (1,)), (1, 2, (2,)), (1, 2, (-1,)), (1, 2, ())):
        with pytest.raises(ValueError, match="no loop"):
            make(variables, registers, (), (), (0,), (line,), results)


def test_results_that_no_line_has_made():
    """An iteration that fails is left to Python, with the variables as they were."""
    native.loops.prepare(np.ndarray, np.dtype(bool))
    loop = native.loops.make(1, 3, (), (), (0,), (), (2,))
    assert native.loops.repeat(loop, None, (np.array(True),), 3) == ((np.array(True),), 0, False)


# ---- lists

def test_too_few_arguments_of_functions_of_lists():
    """Python's function gets them, whatever they are."""
    def given(*args):
        return len(args)
    lists = items.at_once
    known = given, X.dtype
    for function in (lists.getter(known), lists.setter(known[:1]), lists.adder(known[:1]), lists.popper(known)):
        assert [function(*[None] * count) for count in range(8)] == list(range(8))
    assert lists.pusher(given)(None, None) == 2


@pytest.mark.parametrize("number", HUGE)
def test_lengths_of_prefixes(number):
    prefix = items._Prefix.__new__(type("P", (items._Prefix,), {}))
    prefix._store, prefix.length, prefix.most = [X], 1, -1
    prefix._rows, prefix.element_dtype, prefix.element_shape = None, X.dtype, None
    other = prefix._prefix(number)
    get = items.at_once.getter((lambda *args: "declined", X.dtype))
    pop = items.at_once.popper((lambda *args: "declined", X.dtype))
    assert get(None, other, np.array(0, np.int32), None) == "declined" and pop(None, other) == "declined"
    assert get(None, prefix, np.array(max(min(number, 2**31 - 1), -(2**31)) or 1, np.int32), None) == "declined"


# ---- cells, messages, pairs

def test_a_key_whose_hash_changes_the_values_of_cells():
    class Key:
        def __hash__(self):
            values.clear()
            return 1
    values = []
    labels = {Key(): "", "a": ""}
    values += [1, 2]
    with pytest.raises(IndexError):
        native.cells.cells(type("C", (native.cells.Cell,), {}), labels, values)


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("number", [2**20, 2**31 - 1, -1, -(2**31)])
def test_types_of_messages_that_point_nowhere(place, number):
    """A field: number, type, whether a map, start and size of the name, target."""
    field = [1, 11, 1, 0, 1, 1]
    inner = [1, 9, 0, 0, 1, 0]
    starts = struct.pack("3i", 0, 1, 2), b"", struct.pack("i", 0)
    schema = lambda field: (struct.pack("12i", *field, *inner), *starts, b"n")
    content = b"\x0a\x03\x0a\x01k"
    assert native.messages.to_text(content, schema(field)) == b'n {\n  n: "k"\n}\n'
    field[place] = number
    try:
        native.messages.to_text(content, schema(field))
        assert place in (0, 1, 2)  # another number, type, or no map
    except ValueError as error:
        assert "no types" in str(error) and place in (1, 3, 4, 5)


def test_starts_of_sequences_that_do_not_ascend():
    items, out = np.arange(3), np.zeros(2, np.int64)
    for number in HUGE:
        if number < 0 or number > 3:
            with pytest.raises(ValueError):
                native.pairs.distances(items, np.array([0, number, 3]), items, np.array([0, 1, 3]), out)
