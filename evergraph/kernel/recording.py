"""Records what kernels do on NumPy arrays, to replay it in C without Python on others of the same form.

A kernel is called with `Recorded` values, which compute as arrays do. Whatever it asks of NumPy becomes a step of the
tape as well: a loop of a ufunc over all elements, mostly NumPy's own, so that a replay computes the same, to the bit if
the arguments are in order (native/tape.c). What only looks at memory in another way, as a slice does, is no step. An
array that a kernel makes without looking at its inputs is a constant of the tape.

A kernel may look at a few numbers, such as a shape, or whether all ids are valid: a replay finds out whether they are
what they were, and gives up if not. What looks at more, changes an array or calls anything else cannot be recorded.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph import native

Array = np.ndarray[Any, Any]

_MOST_AXES = 8  # that a step goes through around its loop
_FEW = 8  # numbers for which it is not worth to call a loop
_FEW_SEEN = 16  # numbers at which kernels may look
_LINE = 64  # bytes of a cache line
_MOST_NUMBERS = 1 << 22  # that the steps of a tape compute ...
_MOST_A_STEP = 1 << 14  # ... and on average, because otherwise they take far longer than Python's calls
_WORTH_RELEASING = 1 << 18  # of them, while which other threads may run Python


class Unrecordable(Exception):  # noqa: N818 (no error: the kernel is called in each run instead)
    """A kernel does something that no tape can do."""


class TooLarge(Unrecordable):
    """The steps compute so many elements that Python's calls do not matter."""


DECLINED = (Unrecordable, AttributeError, TypeError)
"""What tells that a kernel cannot be recorded. The last two: it wants an array, which `Recorded` values are not."""


@dataclass(eq=False)
class _Buffer:
    """Memory of a tape: an input, a constant, a result, or some that is used on the way.

    Attributes:
        like: an array with the memory that views of it are computed with.
        slot: the number of an input or a constant; None as long as it is open where the memory will be.
    """

    like: Array
    slot: tuple[str, int] | None = None

    @functools.cached_property
    def address(self) -> int:
        return _address(self.like)


@dataclass
class _Step:
    """One call of a loop.

    Attributes:
        loop: the addresses of the loop and its data.
        operands: the buffers, with offsets, that it goes through.
        outer: the sizes of the axes around the loop, with the strides of each operand.
        inner: the sizes and the strides that the loop gets.
        label: for whom it computes something, and the shape of that.
    """

    loop: tuple[int, int]
    operands: list[tuple[_Buffer, int]]
    outer: list[tuple[int, Sequence[int]]]
    inner: tuple[Sequence[int], Sequence[int]]
    label: tuple[int | None, tuple[int, ...]]


def _products(results: int, products: int) -> int:
    """As many numbers as take as long to compute as these results, which are sums of products."""
    return 4 * results + products // 16


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


class Recorder:
    """Collects the steps of one tape.

    Args:
        inputs: the arrays to record with; the tape is for others of the same shapes and dtypes.
        may_look: whether kernels may look at numbers, for which the tape is then.
        running: returns a number for whom something is computed; None if that is not known.

    Attributes:
        values: the inputs as kernels get them.
    """

    def __init__(self, inputs: Sequence[Array], may_look: bool = True,
                 running: Callable[[], int | None] = lambda: None) -> None:
        self._inputs = [x if x.flags.c_contiguous else x.copy() for x in inputs]
        self._may_look, self._running = may_look, running
        self.values = [Recorded(self, _Buffer(x, ("input", i)), x) for i, x in enumerate(self._inputs)]
        self._constants: dict[tuple[int, str], tuple[_Buffer, Any]] = {}
        self._steps: list[_Step] = []
        self._numbers = 0

    def look(self, value: Recorded) -> Array:
        """The numbers of a value, which a replay requires to be the same."""
        if value._buffer.slot is None or value._buffer.slot[0] != "constant":
            if not self._may_look or value.size > _FEW_SEEN:
                raise Unrecordable("a kernel looks at numbers")
            expected = self.known(value._like.copy())
            if value.size:
                whole = value if value._like.flags.c_contiguous else self.copied(value)
                self.step(_own("require"), [whole, expected], [], ((whole.nbytes,), (1, 1)), value.size)
        return value._like

    def new(self, like: Any) -> Recorded:
        """A value that steps are to compute; `like` are the numbers that it has now, in memory of their own."""
        array = np.asarray(like)
        return Recorded(self, _Buffer(array), array)

    def known(self, value: Any, dtype: Any = None) -> Recorded:
        """A constant as a value."""
        array = np.asarray(value, dtype)
        if array.dtype.hasobject:
            raise Unrecordable("objects are no numbers")
        key = id(value), array.dtype.str
        if key not in self._constants:
            buffer = _Buffer(np.array(array, order="C"), ("constant", len(self._constants)))
            self._constants[key] = buffer, value  # which keeps its id as long as it is kept
        buffer, _ = self._constants[key]
        return Recorded(self, buffer, buffer.like)

    def own(self, value: Any, dtype: Any = None) -> Recorded:
        """A value of this recorder, of a dtype."""
        if not isinstance(value, Recorded):
            return self.known(value, dtype)
        if value._recorder is not self:
            raise Unrecordable("a value of another tape")
        return value if dtype is None or value.dtype == dtype else self.cast(value, dtype)

    def each(self, loop: tuple[int, int], operands: Sequence[Recorded], shape: Sequence[int]) -> None:
        """Adds a step over all elements of a shape, to which the operands are broadcast, the last one changing."""
        if 0 in shape:
            return
        strides = [np.broadcast_to(each._like, shape).strides for each in operands[:-1]]
        strides.append(operands[-1]._like.strides)
        self._nest(loop, operands, list(zip(shape, zip(*strides))))

    def _nest(self, loop: tuple[int, int], operands: Sequence[Recorded], axes: list[tuple[int, Any]]) -> None:
        axes = _merged([axis for axis in axes if axis[0] != 1])
        if len(axes) > 1 and axes[-1][0] < _FEW:  # the loop takes the longest axis, unless it adds up in order
            longest = max(range(len(axes)), key=lambda at: axes[at][0])
            if all(each[1][-1] for each in axes):
                axes.append(axes.pop(longest))
        *outer, (size, strides) = axes or [(1, (0,) * len(operands))]
        self.step(loop, operands, outer, ((size,), strides), math.prod(size for size, _ in axes))

    def step(self, loop: tuple[int, int], operands: Sequence[Recorded], outer: list[tuple[int, Any]],
             inner: tuple[Sequence[int], Sequence[int]], numbers: int) -> None:
        """Adds a step.

        Args:
            loop: the addresses of the loop and its data.
            operands: what it goes through.
            outer: the axes around the loop: sizes, with the strides of each operand.
            inner: the sizes and strides that it gets.
            numbers: how many numbers it computes with.
        """
        self._numbers += numbers
        if self._numbers > _MOST_NUMBERS:
            raise TooLarge
        if len(outer) > _MOST_AXES:
            raise Unrecordable("so many axes")
        places = [(each._buffer, _address(each._like) - each._buffer.address) for each in operands]
        self._steps.append(_Step(loop, places, outer, inner, (self._running(), operands[-1].shape)))

    # ---- what is computed

    def cast(self, value: Recorded, dtype: Any) -> Recorded:
        result = self.new(value._like.astype(dtype))
        self.each(_own(f"cast_{_letter(value.dtype)}_{_letter(result.dtype)}"), [value, result], value.shape)
        return result

    def copy(self, value: Recorded, into: Recorded) -> None:
        """Copies numbers into a part of another value."""
        self.each(_own(f"copy{value.dtype.itemsize}"), [value, into], into.shape)

    def copied(self, value: Recorded) -> Recorded:
        result = self.new(value._like.copy())
        self.copy(value, result)
        return result

    def called(self, ufunc: Any, inputs: Sequence[Any]) -> Any:
        """The result of a ufunc."""
        if ufunc.signature is not None:
            return self._product(ufunc, *inputs)
        if ufunc.nout != 1:
            raise Unrecordable("several results")
        kinds = [_kind(x) for x in inputs]
        wanted = ufunc.resolve_dtypes((*kinds, *[None] * ufunc.nout))
        operands = [self.own(x, dtype) for x, dtype in zip(inputs, wanted)]
        shape = np.broadcast_shapes(*[x.shape for x in operands])
        result = self.new(ufunc(*[x._like for x in operands]))
        self.each(_loop(ufunc, wanted), [*operands, result], shape)
        return result

    def _product(self, ufunc: Any, a: Any, b: Any) -> Recorded:
        if ufunc is not np.matmul:
            raise Unrecordable(ufunc.__name__)
        a, b = self.own(a), self.own(b)
        if min(a.ndim, b.ndim) < 2 or a.dtype != b.dtype or a.shape[-1] != b.shape[-2]:
            raise Unrecordable("a product of vectors or of different dtypes")
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        (rows, inner), columns = a.shape[-2:], b.shape[-1]
        result = self.new(np.matmul(a._like, b._like))
        if not result.size:
            return result
        if not inner:
            return self.known(result._like)
        operands = [a, b, result]
        likes = [np.broadcast_to(x._like, (*batch, *x.shape[-2:])) for x in operands]
        axes = list(zip(batch, zip(*[x.strides for x in likes])))
        sides = [stride for x in likes for stride in x.strides[-2:]]
        *outer, (count, along) = _merged([axis for axis in axes if axis[0] != 1]) or [(1, (0, 0, 0))]
        self.step(_loop(ufunc, [a.dtype] * 3), operands, outer,
                  ((count, rows, inner, columns), (*along, *sides)), _products(result.size, result.size * inner))
        return result

    def reduced(self, ufunc: Any, value: Recorded, axis: Any, dtype: Any, keepdims: bool) -> Recorded:
        """A sum, product, maximum and the like along axes, as NumPy adds it up."""
        start = _STARTS.get(ufunc.__name__)
        if start is None:
            raise Unrecordable(f"{ufunc.__name__} along an axis")
        axes = range(value.ndim) if axis is None else np.lib.array_utils.normalize_axis_tuple(axis, value.ndim)
        if not value.size:
            return self.known(ufunc.reduce(value._like, tuple(axes), dtype=dtype, keepdims=keepdims))
        result = self.new(ufunc.reduce(value._like, tuple(axes), dtype=dtype, keepdims=True))
        value = self.own(value, result.dtype)
        first = value[tuple(slice(0, 1) if at in axes else slice(None) for at in range(value.ndim))]
        self.copy(first if start == "first" else self.known(np.asarray(start, result.dtype)), result)
        strides = [0 if at in axes else stride for at, stride in enumerate(result._like.strides)]
        around = [(size, (out, step, out)) for size, out, step in zip(value.shape, strides, value._like.strides)]
        around.sort(key=lambda each: -abs(each[1][1]))  # in the order of memory
        self._nest(_loop(ufunc, [result.dtype] * 3), [result, value, result], around)
        return result if keepdims else result.squeeze(tuple(axes))

    def chosen(self, test: Any, yes: Any, no: Any) -> Recorded:
        """numpy.where with three arguments."""
        dtype = np.result_type(*[_example(x) for x in (yes, no)])
        operands = [self.own(test, np.dtype(bool)), self.own(yes, dtype), self.own(no, dtype)]
        result = self.new(np.where(*[x._like for x in operands]))
        self.each(_own(f"select{dtype.itemsize}"), [*operands, result], result.shape)
        return result

    def joined(self, parts: Sequence[Any], axis: int = 0) -> Recorded:
        """numpy.concatenate."""
        dtype = np.result_type(*[_example(x) for x in parts])
        values = [self.own(x, dtype) for x in parts]
        result, start = self.new(np.concatenate([x._like for x in values], axis)), 0
        axis = axis % result.ndim
        for value in values:
            stop = start + value.shape[axis]
            self.copy(value, result[(slice(None),) * axis + (slice(start, stop),)])
            start = stop
        return result

    def taken(self, value: Recorded, ids: Any, axis: int = 0) -> Recorded:
        """The rows of a value along its first axis; the ids have to be valid."""
        if axis or not value.ndim or not value.shape[0]:
            raise Unrecordable("a part along another axis")
        ids = self.own(ids, np.dtype(np.int64))
        operands = [x if x._like.flags.c_contiguous else self.copied(x) for x in (value, ids)]
        result = self.new(value._like.take(ids._like, 0))
        if result.size:
            row = value.nbytes // value.shape[0]
            self.step(_own("take"), [*operands, result], [], ((ids.size, row, value.shape[0]), (0, 0, 0)), result.size)
        return result

    def foreign(self, kernel: Any, operands: Sequence[Any], results: Sequence[Array], numbers: bytes,
                threads: int, products: int) -> list[Any]:
        """The results of a kernel in C; see kernel/foreign.py.

        Args:
            kernel: a capsule.
            operands: what it takes.
            results: what it makes of these.
            numbers: the integers that it takes.
            threads: how many it may use.
            products: how many it computes.
        """
        values = [self.own(x) for x in operands]
        values = [x if x._like.flags.c_contiguous else self.copied(x) for x in values]
        made = [self.new(x) for x in results]
        given = np.frombuffer(numbers, np.int64)
        shapes = [size for x in (*values, *made) for size in (x.ndim, *x.shape)]
        data = self.known(np.array(
            [native.tape.address(kernel), len(values), len(made), len(given), threads, *given, *shapes]))
        strides = [0] * (len(values) + len(made))
        size = sum(x.size for x in made)
        self.step((_own("foreign")[0], _address(data._like)), [*values, *made], [], ((1,), strides),
                  min(sum(x.size for x in values) + size, _products(size, products)))
        return made

    # ---- the tape

    def tape(self, results: Sequence[Any]) -> Any:
        """The tape that computes these results.

        Raises:
            Unrecordable: a result is none of this recorder.
            TooLarge: what the steps compute takes far longer than Python's calls would.
        """
        if self._numbers > _MOST_A_STEP * len(self._steps):
            raise TooLarge
        outputs: list[_Buffer] = []
        made = []
        for value in map(self.own, results):
            if value._buffer.slot is not None or not value._is_whole:
                value = self.copied(value)
            value._buffer.slot = ("output", len(outputs))
            outputs.append(value._buffer)
            made.append((value.shape, value.dtype))
        constants = tuple(buffer.like for buffer, _ in self._constants.values())
        starts = {"input": 0, "constant": len(self._inputs), "output": len(self._inputs) + len(constants)}
        offsets, room = self._places()
        code: list[int] = []
        for step in self._steps:
            sizes, strides = step.inner
            code += [*step.loop, len(step.operands), len(step.outer), len(sizes), len(strides)]
            code += [size for size, _ in step.outer]
            for place, (buffer, offset) in enumerate(step.operands):
                if buffer.slot is None:
                    code += [starts["output"] + len(outputs), offset + offsets[buffer]]
                else:
                    kind, number = buffer.slot
                    code += [starts[kind] + number, offset]
                code += [along[place] for _, along in step.outer]
            code += [*sizes, *strides]
        return native.tape.make(tuple(self._inputs), constants, tuple(made), room,
                                np.array(code, np.int64).tobytes(), self._numbers >= _WORTH_RELEASING, self._label())

    def _label(self) -> tuple[tuple[int | None, tuple[int, ...], int], ...]:
        """For each part of the steps for whom they compute something, the shape of what comes last, and how many."""
        label: list[tuple[int | None, tuple[int, ...], int]] = []
        for running, shape in (step.label for step in self._steps):
            if label and running in (label[-1][0], None):  # what only hands on results belongs to those before
                label.append((label[-1][0], shape, label.pop()[2] + 1))
            else:
                label.append((running, shape, 1))
        return tuple(label)

    def _places(self) -> tuple[dict[_Buffer, int], int]:
        """Where in the memory of the tape each buffer is that is used on the way, and how many bytes there are.

        Two buffers share memory if no step needs both.
        """
        ends: dict[_Buffer, int] = {}
        for number, step in enumerate(self._steps):
            ends.update((buffer, number) for buffer, _ in step.operands if buffer.slot is None)
        offsets: dict[_Buffer, int] = {}
        living: list[_Buffer] = []
        room = 0
        for number, step in enumerate(self._steps):
            for buffer, _ in step.operands:
                if buffer.slot is None and buffer not in offsets:
                    living = [each for each in living if ends[each] >= number]
                    offsets[buffer] = _gap([(offsets[each], each.like.nbytes) for each in living], buffer.like.nbytes)
                    room = max(room, offsets[buffer] + buffer.like.nbytes)
                    living.append(buffer)
        return offsets, room


def _gap(taken: list[tuple[int, int]], size: int) -> int:
    """The first offset, on a cache line, with room for `size` bytes between parts that are taken."""
    start = 0
    for offset, length in sorted(taken):
        if offset - start >= size:
            break
        start = max(start, -(-(offset + length) // _LINE) * _LINE)
    return start


def _merged(axes: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """The axes, those taken as one that lie one behind the other in the memory of all operands."""
    result: list[tuple[int, Any]] = []
    for size, strides in axes:
        if result and all(outer == size * inner for outer, inner in zip(result[-1][1], strides)):
            size *= result.pop()[0]
        result.append((size, strides))
    return result


# ---- values


def plain(value: Any) -> Any:
    """The numbers of a recorded value, for those who record what they do with them; other values as they are."""
    return value._like if isinstance(value, Recorded) else value


def recorder_of(values: Sequence[Any]) -> Recorder | None:
    """The recorder that one of the values belongs to, if there is one."""
    return next((each._recorder for each in values if isinstance(each, Recorded)), None)


class Recorded(np.lib.mixins.NDArrayOperatorsMixin):
    """A value that a tape computes, for kernels to compute with as with an array.

    Its memory has the numbers of the arrays that it is recorded with.
    """

    __slots__ = ("_buffer", "_like", "_recorder")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, recorder: Recorder, buffer: _Buffer, like: Array) -> None:
        self._recorder, self._buffer, self._like = recorder, buffer, like

    shape = property(lambda self: self._like.shape)
    dtype = property(lambda self: self._like.dtype)
    ndim = property(lambda self: self._like.ndim)
    size = property(lambda self: self._like.size)
    nbytes = property(lambda self: self._like.nbytes)
    itemsize = property(lambda self: self._like.itemsize)
    flags = property(lambda self: self._like.flags)
    T = property(lambda self: self._viewed(self._like.T))

    @property
    def _is_whole(self) -> bool:
        """Whether it is all of its memory, in order."""
        return self.size == self._buffer.like.size and self._like.flags.c_contiguous

    def _viewed(self, like: Array) -> Recorded:
        """The same numbers in another shape; `like` is a view of the memory."""
        return Recorded(self._recorder, self._buffer, like)

    def _refuse(self, *given: Any, **named: Any) -> Any:
        raise Unrecordable("a kernel changes numbers, or looks at them in a way of its own")

    __complex__ = __contains__ = __setitem__ = __buffer__ = _refuse

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self._recorder.look(self), dtype)

    def __bool__(self) -> bool:
        return bool(self._recorder.look(self))

    def __int__(self) -> int:
        return int(self._recorder.look(self))

    def __float__(self) -> float:
        return float(self._recorder.look(self))

    def __index__(self) -> int:
        return int(self._recorder.look(self).__index__())

    def item(self, *place: Any) -> Any:
        return self._recorder.look(self).item(*place)

    def tolist(self) -> Any:
        return self._recorder.look(self).tolist()

    def tobytes(self) -> bytes:
        return self._recorder.look(self).tobytes()

    def __len__(self) -> int:
        return len(self._like)

    def __getitem__(self, key: Any) -> Recorded:
        parts = key if isinstance(key, tuple) else (key,)
        if not all(part is None or part is Ellipsis or isinstance(part, (int, np.integer, slice)) for part in parts) \
                or any(isinstance(part, (bool, np.bool_)) for part in parts):
            raise Unrecordable("elements by their numbers")
        if Ellipsis not in [part for part in parts if part is Ellipsis]:
            key = (*parts, Ellipsis)  # so that one element is an array as well
        return self._viewed(self._like[key])

    def __iter__(self) -> Any:
        return (self[at] for at in range(len(self)))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        if method == "reduce":
            return _reduce(ufunc, *inputs, **named)
        if method != "__call__" or named:
            raise Unrecordable(f"{ufunc.__name__}.{method} with {sorted(named)}")
        return self._recorder.called(ufunc, inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        known = _FUNCTIONS.get(function)
        if known is None:
            raise Unrecordable(function.__name__)
        return known(*args, **kwargs)

    def reshape(self, *shape: Any, order: str = "C") -> Recorded:
        if order != "C":
            raise Unrecordable("another order")
        sizes = shape[0] if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)) else shape
        try:
            return self._viewed(self._like.reshape(sizes, copy=False))
        except ValueError:
            copied = self._recorder.copied(self)
            return copied._viewed(copied._like.reshape(sizes))

    def ravel(self, order: str = "C") -> Recorded:
        return self.reshape(-1, order=order)

    flatten = ravel

    def transpose(self, *axes: Any) -> Recorded:
        return self._viewed(self._like.transpose(*axes))

    def swapaxes(self, one: int, other: int) -> Recorded:
        return self._viewed(self._like.swapaxes(one, other))

    def squeeze(self, axis: Any = None) -> Recorded:
        return self._viewed(self._like.squeeze(axis))

    def astype(self, dtype: Any, copy: bool = True) -> Recorded:
        """The numbers in another dtype. Nobody changes them, so that `copy` has no meaning here."""
        return self._recorder.own(self, np.dtype(dtype))

    def copy(self, order: str = "C") -> Recorded:
        """Itself: nobody changes it, and its order in memory is no matter of its numbers."""
        return self

    def dot(self, other: Any) -> Recorded:
        return self._recorder.called(np.matmul, (self, other))

    def take(self, indices: Any, axis: int = 0, mode: str = "raise") -> Recorded:
        """The rows of these ids. A replay gives up on ids that are not valid, for which alone there are modes."""
        return self._recorder.taken(self, indices, axis)

    def sum(self, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Recorded:
        return self._recorder.reduced(np.add, self, axis, dtype, keepdims)

    def prod(self, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Recorded:
        return self._recorder.reduced(np.multiply, self, axis, dtype, keepdims)

    def max(self, axis: Any = None, keepdims: bool = False) -> Recorded:
        return self._recorder.reduced(np.maximum, self, axis, None, keepdims)

    def min(self, axis: Any = None, keepdims: bool = False) -> Recorded:
        return self._recorder.reduced(np.minimum, self, axis, None, keepdims)

    def any(self, axis: Any = None, keepdims: bool = False) -> Recorded:
        return self._recorder.reduced(np.logical_or, self.astype(bool), axis, None, keepdims)

    def all(self, axis: Any = None, keepdims: bool = False) -> Recorded:
        return self._recorder.reduced(np.logical_and, self.astype(bool), axis, None, keepdims)

    def mean(self, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        if self.dtype.char not in "fd" or dtype is not None:
            raise Unrecordable("the mean of other numbers")
        total = self.sum(axis, keepdims=keepdims)
        return total / self.dtype.type(self.size // max(total.size, 1))

    def clip(self, low: Any, high: Any) -> Any:
        return np.clip(self, low, high)


ARRAYS = (np.ndarray, Recorded)
"""What a kernel in C takes that is called on NumPy: subclasses of arrays are left to NumPy."""


# ---- NumPy's functions


def _reduce(ufunc: Any, value: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False,
            **named: Any) -> Any:
    if not isinstance(value, Recorded) or out is not None or named:
        raise Unrecordable(f"{ufunc.__name__}.reduce with {sorted(named)}")
    return value._recorder.reduced(ufunc, value, axis, dtype, keepdims)


def _recorder_of(*values: Any) -> Recorder:
    found = recorder_of(values)
    assert found is not None  # NumPy asks because of a recorded value
    return found


def _as_method(name: str) -> Callable[..., Any]:
    def call(value: Any, *given: Any, **named: Any) -> Any:
        if not isinstance(value, Recorded):
            raise Unrecordable(name)
        return getattr(value, name)(*given, **named)
    return call


def _as_view(function: Any) -> Callable[..., Any]:
    """What gives views of an array, one or a list."""
    def call(value: Any, *given: Any, **named: Any) -> Any:
        if not isinstance(value, Recorded):
            raise Unrecordable(function.__name__)
        found = function(value._like, *given, **named)
        views = found if isinstance(found, list) else [found]
        if not all(np.may_share_memory(each, value._buffer.like) for each in views if each.size):
            raise Unrecordable(f"{function.__name__} copies")
        return [value._viewed(each) for each in views] if isinstance(found, list) else value._viewed(found)
    return call


def _as_constant(function: Any) -> Callable[..., Any]:
    """What makes an array of the shape of another."""
    def call(value: Any, *given: Any, **named: Any) -> Any:
        if any(isinstance(each, Recorded) for each in (*given, *named.values())):
            raise Unrecordable(function.__name__)
        return function(np.broadcast_to(np.zeros((), value.dtype), value.shape), *given, **named)
    return call


def _concatenate(parts: Any, axis: Any = 0) -> Any:
    if axis is None:
        raise Unrecordable("parts of any shape")
    return _recorder_of(*parts).joined(list(parts), axis)


def _stack(parts: Any, axis: int = 0) -> Any:
    values = [_recorder_of(*parts).own(x) for x in parts]
    return _concatenate([np.expand_dims(x, axis) for x in values], axis)


def _where(test: Any, *branches: Any) -> Any:
    if len(branches) != 2:
        raise Unrecordable("the places of numbers")
    return _recorder_of(test, *branches).chosen(test, *branches)


def _take_along_axis(value: Any, indices: Any, axis: int) -> Any:
    """One element of each row of a matrix."""
    if not isinstance(value, Recorded) or value.ndim != 2 or axis % 2 != 1 or indices.shape != (len(value), 1):
        raise Unrecordable("elements along an axis")
    starts = np.arange(0, value.size, value.shape[1])[:, None]
    return value.reshape(-1).take(indices + starts)


def _clip(value: Any, low: Any = None, high: Any = None) -> Any:
    recorder = _recorder_of(value, low, high)
    value = value if low is None else recorder.called(np.maximum, (value, low))
    return value if high is None else recorder.called(np.minimum, (value, high))


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.concatenate: _concatenate, np.stack: _stack, np.where: _where, np.clip: _clip, np.take: _as_method("take"),
    np.take_along_axis: _take_along_axis,
    np.sum: _as_method("sum"), np.prod: _as_method("prod"), np.mean: _as_method("mean"),
    np.max: _as_method("max"), np.min: _as_method("min"), np.amax: _as_method("max"), np.amin: _as_method("min"),
    np.any: _as_method("any"), np.all: _as_method("all"), np.reshape: _as_method("reshape"),
    np.ravel: _as_method("ravel"), np.dot: _as_method("dot"), np.copy: _as_method("copy"),
    **{function: _as_view(function) for function in (
        np.transpose, np.swapaxes, np.moveaxis, np.expand_dims, np.squeeze, np.broadcast_to, np.flip, np.split,
        np.array_split, np.atleast_1d, np.atleast_2d)},
    **{function: _as_constant(function) for function in (
        np.zeros_like, np.ones_like, np.full_like, np.shape, np.ndim, np.size)},
}  # fmt: skip

_STARTS: dict[str, Any] = {"add": 0, "multiply": 1, "maximum": "first", "minimum": "first", "logical_or": False,
                           "logical_and": True}
_LETTERS = {"?": "b", "B": "u1", "i": "i4", "l": "i8", "q": "i8", "f": "f4", "d": "f8"}


def _letter(dtype: np.dtype[Any]) -> str:
    if dtype.char not in _LETTERS or dtype.char == "l" and dtype.itemsize != 8:
        raise Unrecordable(f"a cast of {dtype}")
    return _LETTERS[dtype.char]


def _kind(value: Any) -> Any:
    """What NumPy's promotion goes by: the dtype, or the type of a Python number."""
    if type(value) in (int, float, complex):
        return type(value)
    dtype = value.dtype if hasattr(value, "dtype") else np.asarray(value).dtype
    if dtype.hasobject or not dtype.isnative:
        raise Unrecordable(f"numbers of {dtype}")
    return dtype


def _example(value: Any) -> Any:
    """Something that promotes as the value does."""
    return value if type(value) in (bool, int, float, complex) else _kind(value)


@functools.cache
def _own_loops() -> dict[str, int]:
    return dict(native.tape.own_loops())


def _own(name: str) -> tuple[int, int]:
    if name not in _own_loops():
        raise Unrecordable(name)
    return _own_loops()[name], 0


def _loop(ufunc: Any, dtypes: Sequence[Any]) -> tuple[int, int]:
    """The addresses of the loop for operands of these dtypes, and of its data."""
    chars = "".join(np.dtype(each).char for each in dtypes)
    return _loop_at(ufunc, f"{chars[:ufunc.nin]}->{chars[ufunc.nin:]}")


@functools.cache
def _loop_at(ufunc: Any, signature: str) -> tuple[int, int]:
    if signature not in ufunc.types:
        raise Unrecordable(f"{ufunc.__name__} of {signature}")
    address, data = native.tape.loop_of(ufunc, ufunc.types.index(signature))
    if not address:
        raise Unrecordable("a ufunc of another form")
    return address, data


@functools.cache
def loop_of(ufunc: Any, dtypes: tuple[Any, ...]) -> tuple[int, int] | None:
    """The addresses of NumPy's loop for operands of these dtypes, and of its data; None if they are not known."""
    try:
        return _loop(ufunc, dtypes) if available() else None
    except Unrecordable:
        return None


@functools.cache
def available() -> bool:
    """Whether tapes can be made: there is the C code, and a replay of NumPy's loops gives what NumPy does."""
    if native.tape is None:
        return False
    native.tape.prepare(np.ndarray, np.ufunc, np.empty)
    array = np.arange(24, dtype=np.float32).reshape(2, 3, 4).transpose(0, 2, 1)
    try:
        recorder = Recorder([array[0], array[1]])
        one, other = recorder.values
        tape = recorder.tape([np.matmul(one.T, np.tanh(other) + 1.0)])
    except (Unrecordable, ValueError):
        return False
    replay = player([_no_tape, tape])
    return bool((replay(None, array[0], array[1])[0] == array[0].T @ (np.tanh(array[1]) + np.float32(1))).all())


@contextlib.contextmanager
def timed_replays() -> Iterator[None]:
    """A with-block in which replays of this thread take the times of their steps; see `last_replay`."""
    if native.tape is None:
        yield
        return
    native.tape.take_times(True)
    try:
        yield
    finally:
        native.tape.take_times(False)


def last_replay() -> Iterator[tuple[int, tuple[int, ...], int, int]]:
    """The parts of the last replay: for whom they compute something, its shape, and from when to when, in nanoseconds.
    """
    found = native.tape.timed()
    if found is not None:
        label, ends = found
        times, at, begin = np.frombuffer(ends, np.int64).tolist(), 0, 0
        for running, shape, count in label:
            at += count
            if running is not None:  # unless all that it does is to hand on results
                yield running, shape, begin, times[at - 1]
            begin = times[at - 1]


def forget_replay() -> None:
    """Leaves nothing to `last_replay` until there is another replay."""
    native.tape.timed()


def player(tapes: list[Any]) -> Callable[..., Sequence[Any]]:
    """A function of a context and arrays that replays the first tape that is for them.

    Args:
        tapes: a function of the same arguments, which is called if there is no such tape, and the tapes behind it, to
            which others may be added later.
    """
    found: Callable[..., Sequence[Any]] = native.tape.player(tapes)
    return found


def _no_tape(*given: Any) -> Any:
    raise Unrecordable("no tape fits")
