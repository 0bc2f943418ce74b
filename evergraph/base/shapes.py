"""Static shapes: TensorShape and Dimension, either of which may be partially or fully unknown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from evergraph.base.export import export

if TYPE_CHECKING:
    from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto

Dims = tuple[int | None, ...] | None
"""A shape as plain data: None for a size or a rank that is not known."""


def _arithmetic(compute: Callable[[int, int], int], swapped: bool = False) -> Callable[[Dimension, Any], Dimension]:
    """Makes an arithmetic operator whose result is unknown if an operand is."""

    def operator(self: Dimension, other: Any) -> Dimension:
        try:
            x, y = self._value, _size(other)
        except (TypeError, ValueError):
            return NotImplemented
        if swapped:
            x, y = y, x
        return Dimension(None if x is None or y is None else compute(x, y))

    return operator


def _comparison(compare: Callable[[int, int], bool]) -> Callable[[Dimension, Any], bool | None]:
    """Makes an ordering operator whose result is None if an operand is unknown."""

    def operator(self: Dimension, other: Any) -> bool | None:
        size = _size(other)
        return None if self._value is None or size is None else compare(self._value, size)

    return operator


@export("Dimension")
class Dimension:
    """The size of one dimension of a shape, which may be unknown.

    It acts as an integer in arithmetic and as an index. With an unknown operand, arithmetic gives `Dimension(None)` and
    comparisons, including `==`, give `None`.

    Args:
        value: a non-negative integer or a value that converts to one exactly (`3.0`, `"3"`), a Dimension, or None.

    Raises:
        ValueError: the value is negative or not an integer.
        TypeError: the value is not a number.
    """

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = _size(value)

    @property
    def value(self) -> int | None:
        """The size, or None if it is unknown."""
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        """Whether the two sizes are equal or either is unknown."""
        size = _size(other)
        return self._value is None or size is None or self._value == size

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError unless the two sizes are equal or either is unknown."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: Any) -> Dimension:
        """The known one of two compatible sizes.

        Raises:
            ValueError: both are known and differ.
        """
        self.assert_is_compatible_with(other)
        return Dimension(other if self._value is None else self._value)

    __add__ = _arithmetic(lambda x, y: x + y)
    __radd__ = _arithmetic(lambda x, y: x + y, swapped=True)
    __sub__ = _arithmetic(lambda x, y: x - y)
    __rsub__ = _arithmetic(lambda x, y: x - y, swapped=True)
    __mul__ = _arithmetic(lambda x, y: x * y)
    __rmul__ = _arithmetic(lambda x, y: x * y, swapped=True)
    __floordiv__ = _arithmetic(lambda x, y: x // y)
    __rfloordiv__ = _arithmetic(lambda x, y: x // y, swapped=True)
    __mod__ = _arithmetic(lambda x, y: x % y)
    __rmod__ = _arithmetic(lambda x, y: x % y, swapped=True)

    __lt__ = _comparison(lambda x, y: x < y)
    __le__ = _comparison(lambda x, y: x <= y)
    __gt__ = _comparison(lambda x, y: x > y)
    __ge__ = _comparison(lambda x, y: x >= y)

    def __eq__(self, other: object) -> bool | None:  # type: ignore[override]
        try:
            size = _size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return None if self._value is None or size is None else self._value == size

    def __ne__(self, other: object) -> bool | None:  # type: ignore[override]
        try:
            size = _size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return None if self._value is None or size is None else self._value != size

    __hash__ = None  # type: ignore[assignment]

    def __truediv__(self, other: Any) -> Any:
        raise _no_true_division("Dimension", type(other).__name__)

    def __rtruediv__(self, other: Any) -> Any:
        raise _no_true_division(type(other).__name__, "Dimension")

    def __index__(self) -> int:
        if self._value is None:
            raise TypeError("Dimension(None) is unknown and has no integer value")
        return self._value

    def __int__(self) -> int:
        return self.__index__()

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __reduce__(self) -> tuple[Any, tuple[int | None]]:
        return Dimension, (self._value,)


def _no_true_division(left: str, right: str) -> TypeError:
    return TypeError(f"unsupported operand type(s) for /: '{left}' and '{right}', please use // instead")


def _size(value: Any) -> int | None:
    """Converts one size to int or None, common types first."""
    if value is None or (type(value) is int and value >= 0):
        return value
    if type(value) is Dimension:
        return value._value
    try:
        size = int(value)
    except TypeError:
        raise TypeError(f"A dimension is an integer or None, not {value!r}") from None
    if size != value and not isinstance(value, (str, bytes)):
        raise ValueError(f"Ambiguous dimension: {value} is not a whole number")
    if size < 0:
        raise ValueError(f"Dimension {size} must be >= 0")
    return size


def _dims(value: Any) -> Dims:
    """Converts any argument of TensorShape's constructor to a tuple of sizes."""
    if value is None:
        return None
    if type(value) is tuple or type(value) is list:
        return tuple([_size(item) for item in value])
    if isinstance(value, TensorShape):
        return value.tuple
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{value!r} is not a shape: put the sizes in a list or convert it to an int")
    if hasattr(value, "unknown_rank") and hasattr(value, "dim"):
        return None if value.unknown_rank else tuple(_size(None if d.size == -1 else d.size) for d in value.dim)
    try:
        items = iter(value)
    except TypeError:
        return (_size(value),)
    return tuple([_size(item) for item in items])


@export("TensorShape")
class TensorShape:
    """The static shape of a tensor, which may be partially or fully unknown.

    Iterating and indexing give Dimensions. `==` is true if both shapes know the same sizes; `is_compatible_with` tells
    whether one tensor could have both shapes.

    Args:
        dims: a sequence of sizes, a single size, a TensorShape, a TensorShapeProto, or None for an unknown rank.

    Attributes:
        tuple: the sizes as plain data, None for the unknown ones; None if the rank is unknown.

    >>> TensorShape([None, 3]).merge_with([2, None])
    TensorShape([Dimension(2), Dimension(3)])
    """

    __slots__ = ("tuple",)
    _v2_behavior = False  # TensorFlow's private name for whether elements are plain numbers, and no Dimensions

    tuple: Dims

    def __init__(self, dims: Any) -> None:
        self.tuple = _dims(dims)

    @property
    def dims(self) -> list[Dimension] | None:
        """The sizes as Dimensions, or None if the rank is unknown."""
        return None if self.tuple is None else [Dimension(size) for size in self.tuple]

    _dims = dims  # TensorFlow keeps them there, and programs look

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None if it is unknown."""
        return None if self.tuple is None else len(self.tuple)

    @property
    def ndims(self) -> int | None:
        """The same as `rank`."""
        return self.rank

    def as_list(self) -> list[int | None]:
        """The sizes as integers, None for the unknown ones.

        Raises:
            ValueError: the rank is unknown.
        """
        if self.tuple is None:
            raise ValueError("as_list() needs a known rank: it is not defined on an unknown TensorShape.")
        return list(self.tuple)

    def as_proto(self) -> TensorShapeProto:
        """This shape as a TensorShapeProto, with -1 for an unknown size."""
        from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto  # slow to import and rarely needed

        if self.tuple is None:
            return TensorShapeProto(unknown_rank=True)
        return TensorShapeProto(dim=[TensorShapeProto.Dim(size=-1 if n is None else n) for n in self.tuple])

    def num_elements(self) -> int | None:
        """The product of the sizes, or None unless all are known."""
        if self.tuple is None or None in self.tuple:
            return None
        return math.prod(self.tuple)  # type: ignore[arg-type]

    def is_fully_defined(self) -> bool:
        """Whether the rank and every size are known."""
        return self.tuple is not None and None not in self.tuple

    def is_compatible_with(self, other: Any) -> bool:
        """Whether one tensor could have both shapes."""
        mine, theirs = self.tuple, _dims(other)
        if mine is None or theirs is None:
            return True
        return len(mine) == len(theirs) and all(x is None or y is None or x == y for x, y in zip(mine, theirs))

    def merge_with(self, other: Any) -> TensorShape:
        """Combines the known sizes of two compatible shapes.

        Raises:
            ValueError: the shapes are incompatible.
        """
        other = as_shape(other)
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        if self.tuple is None or other.tuple is None:
            return other if self.tuple is None else self
        return TensorShape([y if x is None else x for x, y in zip(self.tuple, other.tuple)])

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """The most specific shape that is compatible with every shape that either of the two is compatible with."""
        mine, theirs = self.tuple, _dims(other)
        if mine is None or theirs is None or len(mine) != len(theirs):
            return TensorShape(None)
        return TensorShape([x if x == y else None for x, y in zip(mine, theirs)])

    def concatenate(self, other: Any) -> TensorShape:
        """The sizes of this shape followed by the other's; unknown if either rank is."""
        mine, theirs = self.tuple, _dims(other)
        return TensorShape(None if mine is None or theirs is None else mine + theirs)

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, or a shape of this rank with unknown sizes if the rank is unknown.

        Raises:
            ValueError: the rank is known and differs.
        """
        self.assert_has_rank(rank)
        return unknown_shape(rank) if self.tuple is None else self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape, if it has at least this rank or its rank is unknown.

        Raises:
            ValueError: the shape has fewer dimensions.
        """
        if self.tuple is not None and len(self.tuple) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape, if it has at most this rank or its rank is unknown.

        Raises:
            ValueError: the shape has more dimensions.
        """
        if self.tuple is not None and len(self.tuple) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def assert_has_rank(self, rank: int) -> None:
        """Raises ValueError if the rank is known and differs."""
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def assert_same_rank(self, other: Any) -> None:
        """Raises ValueError if both ranks are known and differ."""
        other = as_shape(other)
        if self.rank is not None and other.rank not in (None, self.rank):
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError if the two shapes are incompatible."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {as_shape(other)} are incompatible")

    def assert_is_fully_defined(self) -> None:
        """Raises ValueError unless the rank and every size are known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    __concat__ = __add__

    def __len__(self) -> int:
        if self.tuple is None:
            raise ValueError("a shape of unknown rank has no length")
        return len(self.tuple)

    def __bool__(self) -> bool:
        return self.tuple is not None

    def __iter__(self) -> Iterator[Any]:
        if self.tuple is None:
            raise ValueError("Cannot iterate over the dimensions of a TensorShape whose rank is unknown.")
        return iter(self.tuple if self._v2_behavior else [Dimension(size) for size in self.tuple])

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return _slice_unknown(key) if self.tuple is None else TensorShape(self.tuple[key])
        size = None if self.tuple is None else self.tuple[key]
        return size if self._v2_behavior else Dimension(size)

    def __eq__(self, other: object) -> bool:
        try:
            return self.tuple == _dims(other)
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.tuple)

    def __repr__(self) -> str:
        if self._v2_behavior:
            return f"TensorShape({None if self.tuple is None else list(self.tuple)})"
        return f"TensorShape({self.dims})"

    def __str__(self) -> str:
        if self.tuple is None:
            return "<unknown>"
        unknown = "None" if self._v2_behavior else "?"
        sizes = [unknown if size is None else str(size) for size in self.tuple]
        return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"

    def __reduce__(self) -> Any:
        return TensorShape, (self.dims,)


def _slice_unknown(key: slice) -> TensorShape:
    """A slice of a shape of unknown rank: the result's rank is known if both ends count from the front."""
    if key.step is not None:
        raise ValueError("A shape of unknown rank cannot be sliced with a step")
    start, stop = key.start or 0, key.stop
    if stop is None or start < 0 or stop < 0:
        return TensorShape(None)
    return unknown_shape(max(0, stop - start))


def as_shape(shape: Any) -> TensorShape:
    """Converts a value to a TensorShape."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def as_dimension(value: Any) -> Dimension:
    """Converts a value to a Dimension."""
    return value if isinstance(value, Dimension) else Dimension(value)


def unknown_shape(rank: int | None = None, ndims: int | None = None) -> TensorShape:
    """A shape with unknown sizes, and an unknown rank unless `rank` (or its alias `ndims`) is given."""
    rank = ndims if rank is None else rank
    return TensorShape(None if rank is None else (None,) * rank)


def scalar() -> TensorShape:
    """The shape of a scalar."""
    return TensorShape(())


def vector(length: Any) -> TensorShape:
    """The shape of a vector; the length may be None."""
    return TensorShape((length,))


def matrix(rows: Any, cols: Any) -> TensorShape:
    """The shape of a matrix; both sizes may be None."""
    return TensorShape((rows, cols))


@export("enable_v2_tensorshape")
def enable_v2_tensorshape() -> None:
    """Makes the elements of shapes plain numbers, None where a size is unknown, from now on."""
    TensorShape._v2_behavior = True


@export("disable_v2_tensorshape")
def disable_v2_tensorshape() -> None:
    """Makes the elements of shapes `tf.Dimension`s, as they are at first."""
    TensorShape._v2_behavior = False


@export("dimension_value", "compat.dimension_value")
def dimension_value(dimension: Any) -> Any:
    """The size in a Dimension; a value of another type is returned unchanged.

    >>> dimension_value(Dimension(3)), dimension_value(3), dimension_value(Dimension(None))
    (3, 3, None)
    """
    return dimension.value if isinstance(dimension, Dimension) else dimension


@export("dimension_at_index", "compat.dimension_at_index")
def dimension_at_index(shape: TensorShape, index: int) -> Dimension:
    """The Dimension at an index of a shape, unknown if the rank is."""
    return shape[index]


def text(shape: tuple[int | None, ...] | None) -> str:
    """A shape in the form of error messages: [?,3]."""
    return "<unknown>" if shape is None else f"[{','.join('?' if d is None else str(d) for d in shape)}]"
