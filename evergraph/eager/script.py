"""tf.py_function: a Python function of tensors with values, as an operation of a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors, nest
from evergraph.base.export import export
from evergraph.eager.graph import EAGER, tensor_of
from evergraph.frontend.recording import Recording
from evergraph.frontend.script import call_python, checked_count, guarded, require_callable
from evergraph.frontend.variables.base import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.differentiate import dense_of, trainable
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.kernel.values import as_objects
from evergraph.ops.arrays.basic import zeros_like
from evergraph.ops.control import effects


@export("py_function", "contrib.eager.py_func")
def py_function(func: Callable[..., Any], inp: Sequence[Any], Tout: Any, name: str | None = None) -> Any:  # noqa: N803
    """Calls a Python function of tensors that have values when the graph runs. It has a gradient.

    >>> y = tf.py_function(lambda x: x * x if x > 0 else -x, [tf.constant(3.0)], tf.float32)

    Args:
        func: takes tensors as eager execution has them, with `.numpy()` and Python's operators, and returns tensors,
            arrays or numbers; None for no result. Ops in it run when they are called. The gradient calls it again.
        inp: a list of tensors.
        Tout: the dtype of the result, or a list of dtypes; results are converted to them.
        name: a name for the operation.

    Returns:
        A tensor, a list of tensors for a list `Tout`, or the operation when that is empty; [] with eager execution.
    """
    require_callable(func)
    if default_graph().is_eager:
        return _called_now(func, [convert_to_tensor(x) for x in inp], Tout)
    return call_python(effects.eager_py_func, _evaluated(func), inp, Tout, name, _eager, _converted,
                       lambda op, *dys: _gradient(func, op, dys))


def _called_now(func: Callable[..., Any], inputs: list[Tensor], wanted: Any) -> Any:
    """What the function gives, in the dtypes wanted; the tapes record what it does."""
    listed = isinstance(wanted, (list, tuple))
    kinds = [dtypes.as_dtype(dtype) for dtype in (wanted if listed else [wanted])]
    found = checked_count("the function of a py_function", guarded(func, inputs), len(kinds))
    tensors = [_tensor(place, value, dtype) for place, (value, dtype) in enumerate(zip(found, kinds, strict=True))]
    return tensors if listed else tensors[0]


def _tensor(place: int, value: Any, dtype: dtypes.DType) -> Tensor:
    _require_no_variable(value)
    if isinstance(value, Tensor) and value.dtype.base_dtype is dtype:
        return value
    return tensor_of(_in_dtype("the function of a py_function", place, value, dtype), dtype)


def _eager(array: Any) -> Tensor:
    """An input of the node as a tensor with a value."""
    array = np.asarray(array)
    return tensor_of(array, dtypes.string if array.dtype == object else dtypes.as_dtype(array.dtype))


def _evaluated(func: Callable[..., Any]) -> Callable[..., Any]:
    """The function of eager tensors, called with eager execution."""

    def call(*tensors: Tensor) -> Any:
        with EAGER.as_default():
            result = func(*tensors)
            for each in result if isinstance(result, (list, tuple)) else [result]:
                _require_no_variable(each)
            return result

    return call


def _require_no_variable(result: Any) -> None:
    if isinstance(result, Variable):
        raise errors.UnknownError(
            None, None, "Attempting to return a variable from a py_function: return its value, which `.read_value()` "
            f"gives, instead of {result}")


def _converted(node: Any, position: int, value: Any, dtype: dtypes.DType) -> Any:
    return _in_dtype(node.attrs["token"], position, value, dtype)


_WIDER = {"b": "biufcV", "u": "biufcV", "i": "biufcV", "f": "fcV", "V": "fcV", "c": "c"}
"""The kinds of dtypes that numbers of a kind may become; V is that of bfloat16."""


def _in_dtype(what: str, place: int, value: Any, dtype: dtypes.DType) -> np.ndarray[Any, Any]:
    """A result as an array of the dtype that was declared for it.

    Raises:
        InvalidArgumentError: it is a tensor of another dtype, or something that this dtype cannot hold.
    """
    if isinstance(value, Tensor):
        if value.dtype.base_dtype is not dtype:
            raise _mismatch(what, place, value.dtype.name, dtype)
        value = value.numpy()
    try:
        array = as_objects(value) if dtype is dtypes.string else np.asarray(value)
    except ValueError:
        raise _mismatch(what, place, "a list whose rows have different lengths", dtype) from None
    if dtype is dtypes.string:
        if not all(isinstance(each, bytes) for each in array.ravel().tolist()):
            raise _mismatch(what, place, f"{value!r}", dtype)
        return array
    if dtype.np.kind not in _WIDER.get(array.dtype.kind, "") or dtype.np.kind == "b" and array.dtype.kind != "b":
        raise _mismatch(what, place, f"{value!r}", dtype)
    return array.astype(dtype.np, copy=False)


def _mismatch(what: str, place: int, got: str, dtype: dtypes.DType) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(
        None, None, f"{place}-th value returned by {what} is {got}, but expects {dtypes.short_name(dtype)}")


# ---- gradients


def _gradient(func: Callable[..., Any], op: Any, dys: Sequence[Any]) -> list[Any]:
    """Adds a node that calls the function again on a tape, and gives the gradients of its inputs."""
    inputs = list(op.inputs)
    places = [i for i, t in enumerate(inputs) if trainable(t)]
    dense = [zeros_like(t) if dy is None else dense_of(dy) for dy, t in zip(dys, op.outputs, strict=True)]

    def backward(*given: Tensor) -> list[Tensor]:
        arguments = given[: len(inputs)]
        recording = Recording()
        with recording.recorded():
            for i in places:
                recording.watch(arguments[i])
            results = [convert_to_tensor(r) for r in nest.flatten(func(*arguments))]
        sources = [arguments[i] for i in places]
        found = recording.gradients(results, sources, list(given[len(inputs) :]))
        return [zeros_like(x) if g is None else dense_of(g) for g, x in zip(found, sources, strict=True)]

    found = iter(py_function(backward, [*inputs, *dense], [inputs[i].dtype.base_dtype for i in places]))
    return [next(found) if i in places else None for i in range(len(inputs))]
