"""Says which node an exception came from, in TensorFlow's error classes."""

from __future__ import annotations

import re
import struct
from types import TracebackType
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.compile.generated import LOWERED
from evergraph.graph.node import Operation
from evergraph.kernel.cells import UninitializedError


def node_behind(error: BaseException) -> Operation | None:
    """The node whose kernel raised: found by the innermost generated line in the traceback."""
    if isinstance(error, errors.OpError) and error.failed_node is not None:
        return error.failed_node
    found = None
    step: TracebackType | None = error.__traceback__
    while step is not None:
        lowered = LOWERED.get(step.tb_frame.f_code.co_filename)
        if lowered is not None:
            found = lowered.node_at(step.tb_lineno) or found
        step = step.tb_next
    return found


def explained(error: Exception) -> Exception:
    """The exception to raise to the program: TensorFlow's class, the node, and the user's line."""
    return raised_by(error, node_behind(error))


def raised_by(error: Exception, node: Operation | None) -> Exception:
    """The exception to raise to the program for one that the node's kernel raised."""
    if isinstance(error, errors.OpError):
        if error.op is not None or node is None:
            return error
        kind: Any = type(error)
        message = error.message
        if isinstance(error, UninitializedError):
            kind, message = _of_uninitialized(message, node)
    elif isinstance(error, MemoryError):
        kind, message = errors.ResourceExhaustedError, f"out of memory: {error}" if str(error) else "out of memory"
        if node is None:
            return kind(None, None, message)
    elif node is None or _is_python_fault(error, node):
        return error
    else:
        kind, message = errors.InvalidArgumentError, _in_tensorflows_words(str(error)) or type(error).__name__
    # What the error prints as ends with the user's line, which it takes from the node.
    return kind(None, node, f"{message}\n\t [[{{{{node {node.name}}}}}]] (op type {node.type})")


def _of_uninitialized(message: str, node: Operation) -> tuple[type[errors.OpError], str]:
    """To TensorFlow a resource variable without a value is a resource that does not exist; reads say otherwise."""
    if not any(t._dtype.base_dtype is dtypes.resource for t in node._inputs):
        return errors.FailedPreconditionError, message
    return errors.NotFoundError, f"Resource localhost/{message.rpartition(' ')[2]}/Var does not exist."


def _in_tensorflows_words(message: str) -> str:
    """What NumPy and JAX say of shapes that cannot be broadcast, as TensorFlow says it."""
    found = _BROADCAST.search(message)
    if found is None:
        return message
    shapes = [sizes.rstrip(",").replace(" ", "") for sizes in _SHAPE.findall(found.group(1))]
    return f"Incompatible shapes: {' vs. '.join(f'[{sizes}]' for sizes in shapes)}"


_BROADCAST = re.compile(r"(?:could not be broadcast together with shapes|incompatible shapes for broadcasting:)(.*)")
_SHAPE = re.compile(r"\(([0-9, ]*)\)")


def _is_python_fault(error: Exception, node: Operation) -> bool:
    """Errors that say something about evergraph or the machine rather than about the values."""
    return not isinstance(
        error, (ValueError, TypeError, IndexError, ZeroDivisionError, OverflowError, np.linalg.LinAlgError, KeyError,
                struct.error)
    )
