"""Converts Python values to tensors: registered conversion functions first, then constants."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import Dimension, TensorShape
from evergraph.formats import tensor_messages
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.primitives import CONST

Conversion = Callable[..., Any]

_conversions: dict[int, list[tuple[Any, Conversion]]] = {}
_by_type: dict[type, list[Conversion]] = {}
_PLAIN = frozenset({bool, int, float, complex, str, bytes, list, tuple})


@export("register_tensor_conversion_function")
def register_tensor_conversion_function(base_type: Any, conversion_func: Conversion, priority: int = 100) -> None:
    """Registers a function that converts values of `base_type` to tensors.

    Args:
        base_type: a type or a tuple of types.
        conversion_func: called with (value, dtype=, name=, as_ref=); returns a tensor, or NotImplemented to leave the
            value to the next function.
        priority: functions of a smaller priority are tried first.

    Raises:
        TypeError: `base_type` is not a type or tuple of types, or is one with a fixed conversion (Python numbers and
            strings, NumPy arrays), or `conversion_func` is not callable.
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not types or not all(isinstance(t, type) for t in types):
        raise TypeError(f"base_type must be a type or several, got {base_type!r}")
    if any(issubclass(t, (numbers.Number, str, bytes, bool)) and t in (int, float, str, bytes, bool, complex)
           or t in (np.ndarray, np.generic) for t in types):
        raise TypeError("the conversion of Python numbers and NumPy arrays is fixed")
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    _conversions.setdefault(priority, []).append((base_type, conversion_func))
    _by_type.clear()


def _functions_for(kind: type) -> list[Conversion]:
    found = _by_type.get(kind)
    if found is None:
        found = [f for priority in sorted(_conversions) for base, f in _conversions[priority] if issubclass(kind, base)]
        _by_type[kind] = found
    return found


def is_tensor_like(value: Any) -> bool:
    """Whether `value` is a tensor, or an object such as a variable that ops take as a tensor."""
    return isinstance(value, Tensor) or getattr(value, "_is_tensor_like", False)


def register_dense_tensor_like_type(tensor_type: type) -> None:
    """Lets objects of a class count as tensors; a conversion function, registered apart, makes tensors of them.

    Raises:
        TypeError: the class lacks the property `name` or `dtype`.
    """
    for wanted in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, wanted, None), property):
            raise TypeError(f"{tensor_type.__name__} must have the property {wanted} to count as a tensor")
    tensor_type._is_tensor_like = True  # type: ignore[attr-defined]


@export("contrib.framework.is_tensor", "is_tensor")
def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor, a sparse tensor, indexed slices or a variable."""
    return is_tensor_like(x) or hasattr(x, "_components")


def to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False, preferred_dtype: Any = None,
    wraps: bool = True,
) -> Any:
    """`value` as a tensor; see `convert_to_tensor`.

    Args:
        as_ref: converts a ref variable to its reference tensor rather than to its value.
        wraps: as for `as_array`.
    """
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if isinstance(value, Tensor):
        if dtype is not None and dtype.base_dtype is not value._dtype.base_dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype {value._dtype.name}: {value!r}")
        return value
    if value is None:
        raise ValueError("None values not supported.")
    for function in _functions_for(type(value)):
        result = NotImplemented
        if dtype is None and preferred_dtype is not None:
            result = _with_preferred_dtype(function, value, preferred_dtype, name, as_ref)
        if result is NotImplemented:
            result = function(value, dtype=dtype, name=name, as_ref=as_ref)
        if result is not NotImplemented:
            _check_converted(function, value, result, dtype)
            return result
    return _constant_for(value, dtype, preferred_dtype, name, wraps)


def sizes_to_tensor(value: Any, name: str | None = None) -> Tensor:
    """`value`, which are sizes, axes or counts, as an int32 tensor. A Python int that is too large raises an error."""
    found: Tensor = to_tensor(value, dtypes.int32, name, wraps=False)
    return found


def _with_preferred_dtype(
    function: Conversion, value: Any, preferred_dtype: Any, name: str | None, as_ref: bool
) -> Any:
    """`value` converted to the preferred dtype, or NotImplemented when the function cannot."""
    try:
        result = function(value, dtype=preferred_dtype, name=name, as_ref=as_ref)
    except (TypeError, ValueError):
        return NotImplemented
    preferred = dtypes.as_dtype(preferred_dtype)
    if isinstance(result, Tensor) and not preferred.is_compatible_with(result.dtype.base_dtype):
        raise TypeError(f"convert_to_tensor made {result.dtype.name} of the value where {preferred.name} was preferred")
    return result


def _check_converted(function: Conversion, value: Any, result: Any, dtype: dtypes.DType | None) -> None:
    """Raises RuntimeError for a conversion function that returns no tensor, or one of another dtype."""
    if not isinstance(result, Tensor):
        raise RuntimeError(f"Conversion function {function!r} for type {type(value)} returned non-Tensor: {result!r}")
    if dtype is not None and result.dtype.base_dtype is not dtype.base_dtype:
        raise RuntimeError(f"the conversion function {function!r}, registered for {type(value)}, gave "
                           f"{result.dtype.name} where {dtype.base_dtype.name} was asked for")


def _constant_for(
    value: Any, dtype: dtypes.DType | None, preferred_dtype: Any, name: str | None, wraps: bool
) -> Tensor:
    if isinstance(value, Operation):
        raise TypeError(f"Can't convert Operation '{value.name}' to Tensor (did you mean to use one of its outputs?)")
    if dtype is None and preferred_dtype is not None:
        try:
            return constant(value, preferred_dtype, name=name or CONST.name, wraps=wraps)
        except (TypeError, ValueError, OverflowError):
            pass  # the preferred dtype is optional: the value's own dtype decides
    return constant(value, dtype, name=name or CONST.name, wraps=wraps)


@export("convert_to_tensor")
def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None, dtype_hint: Any = None
) -> Tensor:
    """`value` as a tensor: returns a tensor itself, reads a variable, makes a constant of Python and NumPy values.

    Args:
        value: a tensor, a variable, a number, a string, a NumPy array, nested lists of these, or an object of a type
            that `tf.register_tensor_conversion_function` knows.
        dtype: the dtype of the tensor; by default it follows from `value`: float32 for Python floats, int32 for Python
            ints.
        name: the name of the constant, if one is created.
        preferred_dtype: the dtype to try first when `dtype` is None.
        dtype_hint: another name for `preferred_dtype`.

    Raises:
        TypeError: `value` cannot be converted to that dtype.
        ValueError: `value` is a tensor of another dtype, or None.
    """
    return to_tensor(value, dtype, name, preferred_dtype=dtype_hint if dtype_hint is not None else preferred_dtype)


def constant(
    value: Any, dtype: Any = None, shape: Any = None, name: str | None = CONST.name, verify_shape: bool = False,
    wraps: bool = True,
) -> Tensor:
    """A Const node that holds `value`; `tf.constant` is the public function, `as_array` explains `wraps`."""
    graph = default_graph()
    wanted = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    array = as_array(value, wanted, wraps)
    if shape is not None:
        array = shaped(array, [d or 0 for d in TensorShape(shape).as_list()], verify_shape)
    found = wanted or dtypes.as_dtype(array.dtype)
    node = graph.add_node(CONST.opdef, graph.claim_name(name or CONST.name), [], {"value": array, "dtype": found})
    return node.outputs[0]


def shaped(
    array: np.ndarray[Any, Any], shape: list[int], verify_shape: bool, may_repeat: bool = True
) -> np.ndarray[Any, Any]:
    """`array` reshaped to `shape`; where elements are missing, the last one is repeated (a single one as a view).

    Raises:
        TypeError: `verify_shape` is set and the array has another shape.
        ValueError: the array has too many elements, or too few and `may_repeat` is not set.
    """
    if verify_shape and list(array.shape) != shape:
        raise TypeError(f"Expected Tensor's shape: {tuple(shape)}, got {array.shape}.")
    size = math.prod(shape)
    if array.size == size:
        return array.reshape(shape)
    if size == 0 and array.ndim == 0:  # tf.zeros([0]): nothing to fill
        return np.empty(shape, array.dtype)
    if array.size > size:
        raise ValueError(f"Too many elements provided: {array.size} for a shape that holds {size}")
    if array.size == 0 and may_repeat:  # TensorFlow 1's message of it has no elements, which stands for zeros
        return np.full(shape, b"", object) if array.dtype == object else np.zeros(shape, array.dtype)
    if not may_repeat:
        raise ValueError(f"A tensor of shape {shape} needs {size} elements, but received {array.size}")
    if array.size == 1:
        return np.broadcast_to(array.reshape(()), shape)
    last = array.ravel()[-1:]  # as an array: of bytes alone, NumPy drops zeros at the end
    return np.concatenate([array.ravel(), np.full(size - array.size, last, array.dtype)]).reshape(shape)


def as_array(value: Any, dtype: dtypes.DType | None, wraps: bool = True) -> np.ndarray[Any, Any]:
    """`value` as the NumPy array of a constant.

    Without `dtype`, Python floats become float32, Python ints int32 (int64 if they are too large), strings bytes; NumPy
    values, and what tells NumPy its array, such as a column of pandas, keep their dtype.

    Args:
        value: what to convert.
        dtype: the dtype of the array.
        wraps: whether Python ints that are too large for `dtype` are cast as in C. A size would become another size.

    Raises:
        OverflowError: an integer is too large (with eager execution ValueError).
        TypeError: an element of `value` does not fit `dtype`, such as a float for int32.
        ValueError: `value` is a ragged list or a shape that is not fully known.
    """
    if isinstance(value, (TensorShape, Dimension)):
        return _of_shape(value, dtype)
    if _tells_its_array(value):
        value = np.asarray(value)
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind not in "OSU":
        array = np.array(value, dtype=None if dtype is None else dtype.np, order="C")
        if dtype is not None and dtype.np.hasobject:
            raise TypeError(f"Expected {dtype.name}, got {value!r} of type '{type(value).__name__}' instead.")
        if dtype is None:
            dtypes.as_dtype(array.dtype)  # raises TypeError for a NumPy dtype that tensors do not have
        return array
    if type(value).__name__ == "TensorProto":  # whose class nothing here has to load
        return as_array(tensor_messages.proto_to_array(value), dtype)
    if dtype is not None:
        _check_fits(value, dtype)
    if type(value) in (list, tuple) and any(isinstance(each, Dimension) for each in value):
        value = [each.value if isinstance(each, Dimension) else each for each in value]
    return _of_python(value, dtype, wraps)


def _tells_its_array(value: Any) -> bool:
    kind = type(value)
    return kind not in _PLAIN and not issubclass(kind, (np.ndarray, np.generic)) and (
        hasattr(kind, "__array__") or isinstance(getattr(value, "__array_interface__", None), dict))


def _of_shape(value: Any, dtype: dtypes.DType | None) -> np.ndarray[Any, Any]:
    if isinstance(value, Dimension):
        sizes: Any = value.value
        if sizes is None:
            raise ValueError("an unknown Dimension has no number, so it cannot become a tensor")
    else:
        if not value.is_fully_defined():
            raise ValueError(f"a partially known TensorShape is no tensor: {value}")
        sizes = value.as_list()
    if dtype is not None and dtype not in (dtypes.int32, dtypes.int64):
        raise TypeError(f"Cannot convert a TensorShape to dtype {dtype.name}")
    if dtype is None:
        return _of_python(sizes, dtypes.int32 if sizes == [] else None, wraps=False)
    try:
        return np.array(sizes, dtype.np)
    except OverflowError:
        raise ValueError(f"the shape {value} does not fit into {dtype.name}") from None


def _of_python(value: Any, dtype: dtypes.DType | None, wraps: bool) -> np.ndarray[Any, Any]:
    try:
        array = np.array(value, dtype=None if dtype is None or dtype.np.hasobject else dtype.np)
    except OverflowError as error:
        array = _wrapped(value, dtype, error, wraps)
    except UnicodeDecodeError:  # bytes that are no text, beside texts
        array = np.array(value, dtype=object)
    except ValueError as error:
        raise ValueError(f"a non-rectangular Python sequence is no tensor: {value!r} ({error})") from None
    if array.dtype.kind in "SUO" or dtype is not None and dtype.np.hasobject:
        return _of_text(value, array)
    if dtype is None:
        if array.dtype == np.float64:
            return array.astype(np.float32)
        if array.dtype == np.int64:
            small = array.astype(np.int32)
            return small if (small == array).all() else array
        dtypes.as_dtype(array.dtype)
    return array


def _wrapped(value: Any, dtype: dtypes.DType | None, error: OverflowError, wraps: bool) -> np.ndarray[Any, Any]:
    if dtype is None or not dtype.is_integer or not wraps:
        # Eager execution has ValueError for all integers that are too large, graphs what NumPy raises.
        kind = ValueError if default_graph().is_eager else OverflowError
        raise kind(f"{value!r} has an out-of-range integer for {dtype.name if dtype else 'any dtype'}") from error
    return wrapped(value, dtype)


def wrapped(value: Any, dtype: dtypes.DType) -> np.ndarray[Any, Any]:
    """Python integers cast to a smaller integer dtype as in C: -1 becomes the uint8 255.

    Raises:
        OverflowError: an integer does not fit into 64 bits.
    """
    wide = np.array(value, dtype=object)
    limits = np.iinfo(np.int64)
    top = 2**64 - 1 if dtype is dtypes.uint64 else limits.max
    if not all(isinstance(item, (int, np.integer)) and limits.min <= item <= top for item in wide.ravel()):
        raise OverflowError(f"{value!r} is out of range for {dtype.name}")
    return np.array(wide & (2**64 - 1), np.uint64).astype(dtype.np)


def _of_text(value: Any, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The strings of `value` as an object array of bytes; NumPy's S and U dtypes would drop trailing zero bytes."""
    array = np.array(value, dtype=object) if array.dtype.kind != "O" or not isinstance(value, np.ndarray) else array
    if isinstance(value, np.ndarray) and value.dtype.kind in "SU":
        array = value.astype(object)
    result = np.empty(array.shape, object)
    for index in np.ndindex(array.shape):
        item = array[index]
        if isinstance(item, str):
            item = item.encode("utf-8", "surrogateescape")
        if isinstance(item, (list, tuple)):
            raise ValueError(
                f"a nested list must be a dense tensor, with rows of one length: {value!r} has that only for "
                f"{list(array.shape)}")
        if isinstance(item, int) and item.bit_length() > 64 and default_graph().is_eager:
            raise ValueError(f"{value!r} has an out-of-range integer for any dtype")
        if not isinstance(item, (bytes, bytearray)):
            raise _refusal(value)(
                f"Failed to convert object of type {type(value)} to a tensor: no dtype fits the elements of {value!r}")
        result[index] = bytes(item)
    return result


def _refusal(value: Any) -> type[Exception]:
    """The class of the error that a value makes which no tensor can hold."""
    return ValueError if value is None or default_graph().is_eager else TypeError


def _check_fits(value: Any, dtype: dtypes.DType) -> None:
    """Raises TypeError for the first element that does not fit `dtype`, or what `_refusal` says if it fits none."""
    if type(value) is int and (dtype.is_floating or dtype.is_integer) or type(value) is float and dtype.is_floating:
        return
    fitting: tuple[type, ...]
    if dtype.is_integer or dtype.is_quantized:
        fitting = (numbers.Integral, np.integer, Dimension)
    elif dtype.is_floating:
        fitting = (numbers.Real, np.floating, np.integer, Dimension, dtypes.bfloat16.np.type)
    elif dtype.is_complex:
        fitting = (numbers.Complex, np.number)
    elif dtype.is_bool:
        fitting = (bool, np.bool_)
    elif dtype is dtypes.string:
        fitting = (str, bytes, bytearray)
    else:
        return
    for item in _leaves(value):
        if not isinstance(item, fitting):
            kind = TypeError if isinstance(item, (numbers.Number, np.generic, str, bytes)) else _refusal(value)
            raise kind(f"Expected {dtype.name}, got {item!r} of type '{type(item).__name__}' instead.")


def _leaves(value: Any) -> Any:
    if isinstance(value, (list, tuple, TensorShape)):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, np.ndarray):
        yield from value.ravel().tolist() if value.dtype.kind in "SU" else value.ravel()
    elif not isinstance(value, (str, bytes)) and hasattr(value, "__array__") and not isinstance(value, np.generic):
        yield from np.asarray(value).ravel()
    else:
        yield value
