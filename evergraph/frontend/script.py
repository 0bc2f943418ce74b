"""Python functions as operations: tf.py_func, tf.numpy_function, tf.py_function."""
from __future__ import annotations

import traceback

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.graph.convert import constant, is_tensor_like, register_tensor_conversion_function
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.calling import evaluate
from evergraph.kernel.values import as_objects
from evergraph.ops.control import effects


@export("py_func")
def py_func(func, inp, Tout, stateful=True, name=None):
    """Wraps a Python function of NumPy arrays as a node, which calls it in every run.

    >>> y = tf.py_func(np.sinh, [tf.constant(1.0)], tf.float32)

    The function runs in the process of the session, is not saved with the graph, and has no gradient.

    Args:
        func: takes NumPy arrays (scalars for shape (), bytes for strings) and returns arrays or numbers.
        inp: a list of tensors.
        Tout: the dtype of the result, or a list of dtypes; [] for a function without result.
        stateful: False when equal inputs give equal results, so that the call may be left out.
        name: a name for the operation.

    Returns:
        A tensor, a list of tensors for a list `Tout`, or the operation when that is empty; [] when not `stateful`.
    """
    return _call(effects.py_func if stateful else effects.py_func_stateless, func, inp, Tout, name, _as_numpy, _exact)


@export("numpy_function")
def numpy_function(func, inp, Tout, name=None):
    """The same as `tf.py_func` with `stateful=True`."""
    return py_func(func, inp, Tout, stateful=True, name=name)


@export("py_function", "contrib.eager.py_func")
def py_function(func, inp, Tout, name=None):
    """Calls a Python function of tensors that have values when the graph runs.

    Args:
        func: takes values with `.numpy()`, `.dtype`, `.shape` and Python's operators, which tf functions accept too,
            and returns such values, arrays, numbers or tensors; None for no result.
        inp: a list of tensors.
        Tout: the dtype of the result, or a list of dtypes; results are converted to them.
        name: a name for the operation.

    Returns:
        A tensor, a list of tensors for a list `Tout`, or the operation when that is empty.
    """
    _require_callable(func)

    def call(*args):
        with Graph().as_default():
            result = func(*args)
            return [_evaluated(r) for r in result] if isinstance(result, (list, tuple)) else _evaluated(result)

    return _call(effects.eager_py_func, call, inp, Tout, name, Value, _converted)


def _require_callable(func):
    if not callable(func):
        raise ValueError(f"func must be callable, got {type(func)}")


def _call(make, func, inp, kinds, name, argument, result):
    _require_callable(func)
    listed = isinstance(kinds, (list, tuple))
    wanted = [dtypes.as_dtype(t) for t in (kinds if listed else [kinds])]

    def run(node, inputs):
        returned = _guarded(func, [argument(x) for x in inputs])
        if not isinstance(returned, (list, tuple)):
            returned = [] if returned is None else [returned]
        if len(returned) != len(wanted):
            raise errors.InvalidArgumentError(None, None, f"{node.attrs['token']} returns {len(returned)} values, but "
                                                          f"expects to see {len(wanted)} values.")
        return [result(node, i, value, dtype) for i, (value, dtype) in enumerate(zip(returned, wanted))]

    script = effects.Script(run)
    outputs = make(list(inp), token=effects.keep(default_graph(), script), Tout=wanted, name=name)
    if not wanted and make is effects.py_func_stateless:
        return []  # as in TensorFlow: nothing can depend on a call without results or effects
    if not wanted:
        return outputs.op if isinstance(outputs, Tensor) else default_graph()._nodes[-1]
    return list(outputs) if listed else outputs[0]


def _guarded(func, arguments):
    """Calls the function; what it raises becomes TensorFlow's error for it."""
    try:
        return func(*arguments)
    except Exception as error:
        kind = next((k for raised, k in _KINDS if isinstance(error, raised)), errors.UnknownError)
        text = "".join(traceback.format_exception(error))
        raise kind(None, None, f"{type(error).__name__}: {error}\n{text}") from error


_KINDS = (
    (errors.OpError, errors.UnknownError),
    ((ValueError, TypeError), errors.InvalidArgumentError),
    (StopIteration, errors.OutOfRangeError),
    (MemoryError, errors.ResourceExhaustedError),
    (NotImplementedError, errors.UnimplementedError),
)


def _as_numpy(value):
    return value if np.ndim(value) else np.asarray(value)[()]


def _exact(node, position, value, dtype):
    """A result in the dtype declared for it.

    Raises:
        InvalidArgumentError: it has another one.
    """
    if type(value) is np.ndarray and value.dtype == dtype.np and not value.dtype.hasobject:
        return value
    plain = np.asarray(value)
    if plain.dtype.kind == "V" and plain.dtype.names or plain.dtype.kind == "M":
        raise errors.InternalError(None, None, f"Unsupported numpy data type {plain.dtype}")
    if plain.dtype == object and not all(isinstance(e, (bytes, str)) for e in plain.ravel()):
        raise errors.InternalError(None, None, f"Unsupported object type {type(plain.ravel()[0]).__name__}")
    array = as_objects(plain.tolist() if plain.dtype == object else value) if dtype is dtypes.string else plain
    if dtype is dtypes.string and not all(isinstance(e, bytes) for e in array.ravel()) or array.dtype != dtype.np:
        found = dtypes.short_name(dtypes.as_dtype(np.asarray(value).dtype))
        raise errors.InvalidArgumentError(None, None, f"{position}-th value returned by {node.attrs['token']} is "
                                                      f"{found}, but expects {dtypes.short_name(dtype)}")
    return array


def _converted(node, position, value, dtype):
    value = value.numpy() if isinstance(value, Value) else value
    return as_objects(value) if dtype is dtypes.string else np.asarray(value, dtype.np)


class Value(np.lib.mixins.NDArrayOperatorsMixin):
    """A tensor with a value: what functions given to `tf.py_function` work on."""

    _is_tensor_like = True

    def __init__(self, array):
        self._array = array if isinstance(array, np.ndarray) else np.asarray(array)

    def numpy(self):
        """The value, as an array of its own or a scalar."""
        return np.array(self._array) if self._array.ndim else self._array[()]

    @property
    def dtype(self):
        return dtypes.string if self._array.dtype == object else dtypes.as_dtype(self._array.dtype)

    @property
    def shape(self):
        return TensorShape(self._array.shape)

    def get_shape(self):
        """The shape."""
        return self.shape

    def __array__(self, dtype=None, copy=None):
        return np.array(self._array, dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if any(isinstance(x, Tensor) for x in inputs):
            return NotImplemented
        plain = [x._array if isinstance(x, Value) else np.asarray(x, self._array.dtype) if isinstance(x, (int, float))
                 else x for x in inputs]
        return Value(getattr(ufunc, method)(*plain, **kwargs))

    def __getitem__(self, index):
        return Value(self._array[index])

    def __len__(self):
        return len(self._array)

    def __iter__(self):
        return (Value(row) for row in self._array)

    def __bool__(self):
        return bool(self._array)

    def __int__(self):
        return int(self._array)

    def __float__(self):
        return float(self._array)

    def __index__(self):
        return self._array.__index__()

    def __repr__(self):
        return f"<Value shape={self.shape} dtype={self.dtype.name} numpy={self._array!r}>"


def _to_constant(value, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
        return NotImplemented
    return constant(value.numpy(), value.dtype, name=name or "Const")


register_tensor_conversion_function(Value, _to_constant)


def _evaluated(result):
    """The value of a tensor that a function built from values."""
    if not is_tensor_like(result) or isinstance(result, Value):
        return result
    known = {}

    def value(tensor):
        if tensor not in known:
            node = tensor.op
            if node.opdef.kind is Kind.CONSTANT:
                known[tensor] = node.attrs["value"]
            elif node.opdef.is_foldable:
                known.update(zip(node.outputs, evaluate(node, [value(t) for t in node._inputs])))
            else:
                raise errors.UnimplementedError(None, None, f"{node.type} inside tf.py_function")
        return known[tensor]

    return value(result)
