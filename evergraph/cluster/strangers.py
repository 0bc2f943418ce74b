"""What graphs from other processes may not do."""

from __future__ import annotations

from collections.abc import Iterable

from evergraph.base import errors
from evergraph.graph.node import Operation
from evergraph.ops.control import effects
from evergraph.passes.state import with_inner

_PYTHON = frozenset((effects.py_func, effects.py_func_stateless, effects.eager_py_func))


def refuse_python(nodes: Iterable[Operation]) -> None:
    """Raises for nodes that call functions of this process, which their number alone would choose.

    Raises:
        InvalidArgumentError: there is one.
    """
    for node in with_inner(nodes):
        if node.opdef in _PYTHON:
            raise errors.InvalidArgumentError(
                None, node, f"{node.name} calls a Python function, which this process does not have: tf.py_func runs "
                "where its session's server is in the same process")
