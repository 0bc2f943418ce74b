"""What NumPy has lost: functions, constants, methods of arrays and arguments."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.cli.legacy.ledger import lend

NINF = -np.inf
NZERO = -0.0
PZERO = 0.0
mat = np.asmatrix
safe_eval = ast.literal_eval

_KINDS = {"int": np.signedinteger, "uint": np.unsignedinteger, "float": np.floating, "complex": np.complexfloating}
sctypes = {name: [each for each in np.sctypeDict.values() if isinstance(each, type) and issubclass(each, kind)]
           for name, kind in _KINDS.items()}  # fmt: skip
sctypes = {name: sorted(set(kinds), key=lambda kind: np.dtype(kind).itemsize) for name, kinds in sctypes.items()}
sctypes["others"] = [bool, object, bytes, str, np.void]


class _Casts(dict[Any, Callable[[Any], Any]]):
    """`np.cast[dtype](x)`."""

    def __missing__(self, key: Any) -> Callable[[Any], Any]:
        return lambda values: np.asarray(values, key)


cast = _Casts()


def asfarray(a: Any, dtype: Any = np.float64) -> Any:
    """The array as floating-point numbers."""
    return np.asarray(a, dtype if np.issubdtype(dtype, np.inexact) else np.float64)


def asscalar(a: Any) -> Any:
    return a.item()


def find_common_type(array_types: Any, scalar_types: Any) -> Any:
    """The dtype of the arrays, or that of the scalars where it is of a higher kind."""
    arrays = np.result_type(*array_types) if array_types else None
    scalars = np.result_type(*scalar_types) if scalar_types else None
    if arrays is None or scalars is None:
        return scalars if arrays is None else arrays
    return scalars if "biufc".find(scalars.kind) > "biufc".find(arrays.kind) else arrays


def issubclass_(arg1: Any, arg2: Any) -> bool:
    return isinstance(arg1, type) and issubclass(arg1, arg2)


def issctype(rep: Any) -> bool:
    return isinstance(rep, np.dtype) or isinstance(rep, type) and issubclass(rep, np.generic)


def obj2sctype(rep: Any, default: Any = None) -> Any:
    try:
        return np.dtype(rep).type
    except TypeError:
        return default


def msort(a: Any) -> Any:
    return np.sort(a, axis=0)


def itemset(array: Any, *args: Any) -> None:
    """array.itemset(value), array.itemset(index, value)."""
    if len(args) == 1:
        array[(0,) * array.ndim] = args[0]
    elif isinstance(args[0], tuple):
        array[args[0]] = args[1]
    else:
        array.flat[args[0]] = args[1]


def newbyteorder(array: Any, new_order: str = "S") -> Any:
    return array.view(array.dtype.newbyteorder(new_order))


def ptp(array: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    return np.ptp(array, axis, out, keepdims)


def tostring(array: Any, order: Any = "C") -> bytes:
    return array.tobytes(order)


def number(kind: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """int(x), float(x) or complex(x), where x may be an array of one element."""
    if kind in (int, float, complex) and len(args) == 1 and _is_single(args[0]):
        lend(f"{kind.__name__}(array of one element)")
        return kind(args[0].item())
    return kind(*args, **kwargs)


def text(form: str, values: Any) -> str:
    """form % values, where the value for a number may be an array of one element."""
    try:
        return form % values
    except TypeError:
        listed = values if isinstance(values, tuple) else (values,)
        if not any(map(_is_single, listed)):
            raise
        lend("'%d' % array of one element")
        return form % tuple(x.item() if _is_single(x) else x for x in listed)


def _is_single(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.ndim > 0 and x.size == 1


def set_element(value: Any, owner: Any, key: Any) -> None:
    """owner[key] = value; of an array, where the value may be an array of one element or wrap around."""
    try:
        owner[key] = value
    except OverflowError:
        if not isinstance(owner, np.ndarray) or owner.dtype.kind not in "iu":
            raise
        lend("array[i] = integer out of range")
        owner[key] = np.asarray(value, np.int64).astype(owner.dtype)
    except ValueError as error:
        both = isinstance(owner, np.ndarray) and isinstance(value, np.ndarray)
        if not both or value.size != 1 or "only 0-dimensional" not in str(error.__cause__):
            raise
        lend("array[i] = array of one element")
        owner[key] = value.item()


def made(make: Callable[..., Any], value: Any, *args: Any, **kwargs: Any) -> Any:
    """np.array(value), which wraps integers around, copies if it must, and makes objects of rows of unequal lengths."""
    try:
        return make(value, *args, **kwargs)
    except OverflowError:
        dtype = np.dtype(args[0] if args else kwargs.get("dtype"))
        if dtype.kind not in "iu":
            raise
        lend(f"numpy.array(integers out of range, {dtype})")
        rest = (np.int64, *args[1:]) if args else ()
        return make(value, *rest, **(kwargs if args else {**kwargs, "dtype": np.int64})).astype(dtype)
    except ValueError as error:
        if "Unable to avoid copy" in str(error):
            lend("numpy.array(copy=False)")
            return make(value, *args, **{**kwargs, "copy": None})
        if "inhomogeneous" not in str(error) or args or kwargs.get("dtype") is not None:
            raise
        lend("numpy.array(rows of different lengths)")
        return make(value, **{**kwargs, "dtype": object})


def wrapped(kind: Callable[..., Any], *args: Any) -> Any:
    """np.uint8(value), which wraps an integer outside of the range around."""
    try:
        return kind(*args)
    except OverflowError:
        lend(f"numpy.{np.dtype(kind).name}(integer out of range)")
        return np.asarray(args[0], np.int64).astype(np.dtype(kind))[()]


def filled(make: Callable[..., Any], shape: Any, *args: Any, **kwargs: Any) -> Any:
    """np.zeros(shape) and its like, where None is the shape of a scalar."""
    if shape is None:
        lend(f"numpy.{make.__name__}(None)")
        shape = ()
    return make(shape, *args, **kwargs)


def full(make: Callable[..., Any], shape: Any, fill_value: Any, *args: Any, **kwargs: Any) -> Any:
    """np.full(shape, fill_value, dtype), likewise, whose integer wraps around."""
    try:
        return filled(make, shape, fill_value, *args, **kwargs)
    except OverflowError:
        lend("numpy.full(integer out of range)")
        return filled(make, shape, np.int64(fill_value), *args, **kwargs)


def reshape_by_newshape(reshape: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(reshape)
    def with_newshape(a: Any, *args: Any, **kwargs: Any) -> Any:
        if "newshape" in kwargs:
            lend("numpy.reshape(newshape=)")
            args = (kwargs.pop("newshape"), *args)  # by place, because NumPy 2.0 does not know it as `shape`
        return reshape(a, *args, **kwargs)

    return with_newshape


def load_with_pickles(load: Callable[..., Any]) -> Callable[..., Any]:
    """np.load, which reads pickled objects unless told otherwise, also those of Python 2."""

    @functools.wraps(load)
    def with_pickles(file: Any, mmap_mode: Any = None, allow_pickle: Any = None, *args: Any, **kwargs: Any) -> Any:
        if allow_pickle is not None:
            return load(file, mmap_mode, allow_pickle, *args, **kwargs)
        try:
            loaded = load(file, mmap_mode, False, *args, **kwargs)
        except ValueError:
            lend("numpy.load(allow_pickle=True)")
            getattr(file, "seek", lambda place: None)(0)
            return load(file, mmap_mode, True, *args, **{"encoding": "latin1", **kwargs})
        if hasattr(loaded, "allow_pickle"):  # an archive reads its arrays when they are asked for
            loaded.allow_pickle = True
        return loaded

    return with_pickles
