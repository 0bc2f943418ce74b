"""Python functions of arrays as operations: tf.py_func, tf.numpy_function."""
from __future__ import annotations

import traceback

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.export import export
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
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
    make = effects.py_func if stateful else effects.py_func_stateless
    return call_python(make, func, inp, Tout, name, _as_numpy, _exact)


@export("numpy_function")
def numpy_function(func, inp, Tout, name=None):
    """The same as `tf.py_func` with `stateful=True`."""
    return py_func(func, inp, Tout, stateful=True, name=name)


def require_callable(func):
    if not callable(func):
        raise ValueError(f"func must be callable, got {type(func)}")


def call_python(make, func, inp, kinds, name, argument, result, grad=None):
    """Adds a node that calls `func` with `argument(x)` for each input, and gives `result(node, i, value, dtype)`."""
    require_callable(func)
    listed = isinstance(kinds, (list, tuple))
    wanted = [dtypes.as_dtype(t) for t in (kinds if listed else [kinds])]

    def run(node, inputs):
        returned = guarded(func, [argument(x) for x in inputs])
        returned = checked_count(node.attrs["token"], returned, len(wanted))
        return [result(node, i, value, dtype) for i, (value, dtype) in enumerate(zip(returned, wanted))]

    script, graph = effects.Script(run, grad), default_graph()
    outputs = make(list(inp), token=effects.keep(graph, script), Tout=wanted, name=name)
    if not wanted and graph.is_eager:
        return None
    if not wanted and make is effects.py_func_stateless:
        return []  # as in TensorFlow: nothing can depend on a call without results or effects
    if not wanted:
        return outputs.op if isinstance(outputs, Tensor) else graph._nodes[-1]
    return list(outputs) if listed else outputs[0]


def checked_count(what, returned, count):
    """What a Python function returned, as a list of so many values.

    Raises:
        InvalidArgumentError: there are more or fewer.
    """
    if not isinstance(returned, (list, tuple)):
        returned = [] if returned is None else [returned]
    if len(returned) != count:
        raise errors.InvalidArgumentError(None, None, f"{what} returns {len(returned)} values, but expects to see "
                                                      f"{count} values.")
    return returned


def guarded(func, arguments):
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
