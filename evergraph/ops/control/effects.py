"""Ops with side effects: assertions, printing, time stamps, and Python functions in graphs."""

import itertools
import sys
import time
import weakref

import numpy as np

from evergraph.base import errors, logging
from evergraph.graph.opdef import STOP, op
from evergraph.kernel.quiet import outside
from evergraph.kernel.rows import nothing_if
from evergraph.kernel.values import as_objects, is_traced

# ---- tensors as text


def element_text(value):
    """One element in TensorFlow's format: the shortest digits that identify a float, strings unquoted."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace").translate(_ESCAPES)
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    kind = value.dtype if isinstance(value, np.generic) else np.asarray(value).dtype
    if kind.kind in "iu":
        return str(int(value))
    if kind.kind == "c" or kind.kind not in "fV":
        return "?"
    number = float(value)
    if not np.isfinite(number):
        return "nan" if np.isnan(number) else "inf" if number > 0 else "-inf"
    short, exact = ("%.15g", "%.17g") if kind.itemsize == 8 else ("%.6g", "%.9g")
    text = short % number
    return text if kind.type(float(text)) == value else exact % number


def element_texts(elements):
    """The elements of a vector, each in the format of `element_text`."""
    if elements.dtype not in (np.float32, np.float64):
        return [element_text(element) for element in elements]
    short, exact = ("%.15g", "%.17g") if elements.itemsize == 8 else ("%.6g", "%.9g")
    numbers = elements.tolist()
    texts = [short % number for number in numbers]
    enough = np.array(list(map(float, texts))).astype(elements.dtype) == elements
    return [text if is_enough else exact % number for text, is_enough, number in zip(texts, enough.tolist(), numbers)]


_ESCAPES = {10: "\\n", 13: "\\r", 9: "\\t", 34: '\\"', 39: "\\'", 92: "\\\\",
            **{code: f"\\{code:03o}" for code in (*range(9), 11, 12, *range(14, 32), 127)}}


def summary(value, limit):
    """The first `limit` elements of a tensor in the format of Print and Assert: `1 2 3...`, `[1 2][3...]...`."""
    array = np.asarray(value)
    if limit < 0:
        limit = array.size
    texts = iter(element_texts(array.reshape(-1)[:limit]))
    left = min(limit, array.size)

    def rows(depth):
        nonlocal left
        if depth == array.ndim - 1:
            count = min(left, array.shape[-1])
            left -= count
            cut = "..." if count < array.shape[-1] and depth else ""
            return " ".join(itertools.islice(texts, count)) + cut
        shown = ""
        for _ in range(array.shape[depth]):
            shown += f"[{rows(depth + 1)}]" if left else ""
        return shown

    whole = rows(0) if array.ndim else next(texts, "")
    return whole + "..." * (array.size > limit)


# ---- assertions


class _Failure(str):
    """The message of a failed assertion; its tensors are formatted when it is raised."""

    summarize = 3

    def format(self, *data):
        return f"assertion failed: {' '.join(f'[{summary(d, self.summarize)}]' for d in data)}"


@op("Assert(condition: bool, data: T, *, T: list(type) >= 1, summarize: int = 3) -> ()", stateful=True, on="anywhere",
    shape=lambda: None, in_batches=nothing_if(np.all))
def assert_(check, condition, data, summarize):
    """Asserts that `condition` is true; fails the step with `data` in the message otherwise."""
    if not is_traced(condition) and np.all(condition):
        return
    known = [f"[{summary(d, summarize)}]" for d in data if isinstance(d, np.ndarray) and d.dtype == object]
    message = _Failure(f"assertion failed: {' '.join(known)}")
    message.summarize = summarize
    check(condition, message, *data)


@op("Abort(*, error_msg: string = '', exit_without_error: bool = False) -> ()", on="host", shape=lambda: None)
def abort(error_msg, exit_without_error):
    """Ends the process: quietly, or with an error of that message."""
    if exit_without_error:
        sys.exit(0)
    raise errors.AbortedError(None, None, error_msg)


@op("ControlTrigger() -> ()", shape=lambda: None)
def control_trigger():
    """Does nothing; control dependencies on it are satisfied even in branches not taken."""
    return ()


# ---- printing


@op("Print(input: T, data: U, *, T: type, U: list(type) >= 0, message: string = '', first_n: int = -1, "
    "summarize: int = 3) -> output: T", stateful=True, on="host", shape=lambda input: input, grad=None)
def print_(input, data, message, first_n, summarize, node):
    """Forwards `input`; prints `message` and `data` to stderr, at most `first_n` times."""
    seen = _printed.get(node, 0)
    _printed[node] = seen + 1
    if first_n < 0 or seen < first_n:
        line = message + "".join(f"[{summary(d, summarize)}]" for d in data)
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    return input


_printed = weakref.WeakKeyDictionary()


@print_.grad
def _(op, dy):
    return [dy] + [None] * (len(op.inputs) - 1)


_LEVELS = {"log(info)": logging.info, "log(warning)": logging.warning, "log(error)": logging.error}


@op("PrintV2(input: string, *, output_stream: string = 'stderr', end: string = '\\n') -> ()", stateful=True, on="host",
    shape=lambda: None, outside=lambda node: _file_of(node.attrs["output_stream"]) is not None)
def print_v2(input, output_stream, end):
    """Prints a string to stdout, stderr or a log, or appends it to the file `file://path`."""
    text = as_objects(input).item().decode("utf-8", "replace")
    if output_stream in _LEVELS:
        _LEVELS[output_stream](text)
    elif (path := _file_of(output_stream)) is not None:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text + end)
    elif output_stream in ("stdout", "stderr"):
        stream = getattr(sys, output_stream)
        stream.write(text + end)
        stream.flush()
    else:
        raise errors.InvalidArgumentError(None, None, f"Unknown output stream: {output_stream}")


def _file_of(output_stream):
    """The path of the file that is printed to; None for other streams."""
    return output_stream[len("file://"):] if output_stream.startswith("file://") else None


# ---- Python functions

FUNCTIONS = weakref.WeakValueDictionary()
"""Token -> the Python function that a node of that token calls; the graph that uses it keeps it alive."""

_tokens = itertools.count()


class _Functions(list):
    """The Python functions that a graph's nodes call; the graph keeps them alive."""


def keep(graph, function):
    """Registers `function` for the lifetime of `graph`, and returns its token."""
    token = f"pyfunc_{next(_tokens)}"
    FUNCTIONS[token] = function
    if not graph.is_eager:  # there the call is over before the caller lets go of the function
        graph.memo(_Functions).append(function)
    return token


class Script:
    """A Python function in a graph.

    Args:
        call: `call(node, inputs)` gives the outputs.
        grad: the gradient function of the node that calls it; None if it has none.

    Attributes:
        outputs: what it returned, if it is known to return that always.
    """

    def __init__(self, call, grad=None):
        self.call, self.grad, self.outputs = call, grad, None


def _script(token, node):
    script = FUNCTIONS.get(token)
    if script is None:
        raise errors.InvalidArgumentError(None, None, f"The Python function {token!r} of '{node.name}' does not exist "
                                                      "in this process: it cannot be saved with the graph")
    return script


def _called(token, input, node):
    return outside(_script(token, node).call, node, list(input))


_python = "Tin: list(type) >= 0, Tout: list(type) >= 0) -> output: Tout"


def _unknown(node):
    return [None] * len(node.outputs)


@op("Timestamp() -> ts: double", stateful=True, on="host", shape=lambda: (), grad=STOP, export=("timestamp",))
def timestamp():
    """The time of execution in seconds since 1970 (Unix time).

    >>> now = tf.timestamp()
    """
    return np.float64(time.time())


@op(f"PyFunc(input: Tin, *, token: string, {_python}", stateful=True, on="host", shape=_unknown, grad=STOP,
    worth_threads=True, outside=True)
def py_func(token, input, node):
    """Calls a Python function with NumPy arrays and returns its results as tensors."""
    return _called(token, input, node)


@op(f"PyFuncStateless(input: Tin, *, token: string, {_python}", on="host", shape=_unknown, grad=STOP,
    worth_threads=True, outside=True)
def py_func_stateless(token, input, node):
    """As PyFunc, for a function without side effects or state; one without arguments is called once."""
    if input:
        return _called(token, input, node)
    script = _script(token, node)
    if script.outputs is None:
        script.outputs = outside(script.call, node, [])
    return script.outputs


@op(f"EagerPyFunc(input: Tin, *, token: string, is_async: bool = False, {_python}", stateful=True, on="host",
    shape=_unknown, worth_threads=True, outside=True)
def eager_py_func(token, input, node):
    """Calls a Python function with eager tensors. `is_async` has no effect."""
    return _called(token, input, node)


@eager_py_func.grad
def _(op, *dys):
    script = FUNCTIONS.get(op.attrs["token"])
    if script is None or script.grad is None:
        raise LookupError(f"No gradient defined for operation '{op.name}' (op type: {op.type})")
    return script.grad(op, *dys)
