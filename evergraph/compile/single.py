"""Single ops as compiled programs, kept by signature: what eager execution does with heavy work."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.recent import RecentlyUsed
from evergraph.compile import backend
from evergraph.compile.aside import aside
from evergraph.compile.cache import HEAVY_ELEMENTS, HOT_RUNS, MOST_COUNTED
from evergraph.compile.contexts import TraceContext
from evergraph.graph.codec import NameAttrList
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.calling import call_kernel, static_places
from evergraph.kernel.context import message_with
from evergraph.kernel.reasons import NeedStatic, Reason
from evergraph.kernel.values import is_host_dtype, is_traced

MOST_PROGRAMS = 1024  # kept in all


class Programs:
    """The compiled programs of single ops, and how often each signature was asked for."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.kept: RecentlyUsed[Any] = RecentlyUsed(MOST_PROGRAMS)
        self.counts: dict[Any, int] = {}
        self.static: dict[Any, frozenset[int]] = {}  # an op's signature -> its inputs that have to be static
        self.refused: set[Any] = set()  # signatures that no program can serve


programs = Programs()


def pays(node: Operation) -> bool:
    """Whether a compiled program may be the better way to run the node."""
    opdef = node.opdef
    if opdef.kind is Kind.GRADIENT:
        return True
    if opdef.on == "host" or not opdef.is_pure or not node.outputs:
        return False
    if any(is_host_dtype(t._dtype) for t in (*node._inputs, *node.outputs)):
        return False
    if "lax" in opdef.wants:
        return True
    return _elements(node) >= HEAVY_ELEMENTS and _is_hot(node)


def _elements(node: Operation) -> int:
    count = 0
    for tensor in node._inputs:
        size = 1
        for length in tensor._shape or ():
            size *= length or 0
        count += size
    return count


def _is_hot(node: Operation) -> bool:
    """Counts the runs of a signature: one that keeps coming back is worth compiling."""
    key = _signature(node)
    with programs.lock:
        if len(programs.counts) >= MOST_COUNTED:
            programs.counts.clear()
        programs.counts[key] = count = programs.counts.get(key, 0) + 1
    return count > HOT_RUNS


def _signature(node: Operation) -> Any:
    """What a program depends on, apart from the values of static inputs."""
    attrs = tuple((name, _hashable(node, value)) for name, value in node.attrs.items())
    return node.type, attrs, tuple((t._dtype, t._shape) for t in node._inputs)


def _hashable(node: Operation, value: Any) -> Any:
    if isinstance(value, NameAttrList):
        return node.graph.function(value.name)
    if isinstance(value, list):
        return tuple(_hashable(node, each) for each in value)
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    return value


def run(node: Operation, values: Sequence[Any]) -> list[Any] | None:
    """The outputs of the node for these inputs; None if no compiled program can compute them.

    Raises:
        InvalidArgumentError: a check failed.
    """
    signature = _signature(node)
    if signature in programs.refused:
        return None
    static = programs.static.get(signature) or frozenset(static_places(node))
    while True:
        program = _program(node, signature, static, values)
        try:
            return program.run(values)
        except NeedStatic as need:
            place = program.place_of(need.tensor)
            if place is None or place in static:
                break
            programs.static[signature] = static = static | {place}
        except (Reason, backend.jax().errors.JAXTypeError):
            break
    programs.refused.add(signature)
    return None


def _program(node: Operation, signature: Any, static: frozenset[int], values: Sequence[Any]) -> Program:
    known = {i: np.asarray(values[i]) for i in static}
    key = (signature, tuple((i, v.tobytes()) for i, v in sorted(known.items())))
    with programs.lock:
        found = programs.kept.get(key)
        if found is None:
            found = Program(node, known)
            programs.kept.put(key, found)
    return found


def _bare(node: Operation) -> Operation:
    """The node without the values of its inputs, which a program that is kept must not keep alive."""
    bare = Operation(node.graph, node.opdef, node.name, [], node.attrs, 0)
    bare._inputs = [Tensor(bare, i, t._dtype, t._shape) for i, t in enumerate(node._inputs)]
    bare.outputs = [Tensor(bare, i, t._dtype, t._shape) for i, t in enumerate(node.outputs)]
    return bare


class Program:
    """One op, compiled for inputs of some shapes and dtypes, and for the values of its static inputs."""

    def __init__(self, node: Operation, static: dict[int, Any]) -> None:
        self._node, self._static = _bare(node), static
        self._dynamic = [i for i in range(len(node._inputs)) if i not in static]
        self._dtypes = [t._dtype.np for t in node.outputs]
        self._checks: list[str] = []
        self._known: list[Any] = []  # the outputs that are known at trace time, None for the others
        self._jitted: Any = None

    def place_of(self, tensor: Tensor) -> int | None:
        """The number of the input that a tensor of the trace is, if it is one."""
        return next((i for i, t in enumerate(self._node._inputs) if t is tensor), None)

    def run(self, values: Sequence[Any]) -> list[Any]:
        """The outputs for these inputs.

        Raises:
            InvalidArgumentError: a check failed.
        """
        dynamic = [values[i] for i in self._dynamic]
        if self._jitted is None:
            jitted = backend.jax().jit(self._trace, compiler_options=backend.compiler_options())
            failed, *found = aside(jitted, *dynamic)
            self._jitted = jitted
        else:
            failed, *found = self._jitted(*dynamic)
        if self._checks and (code := int(failed)):
            raise errors.InvalidArgumentError(None, None, self._checks[code - 1])
        computed = iter(found)
        return [next(computed) if known is None else known for known in self._known]

    def _trace(self, *dynamic: Any) -> list[Any]:
        """The function that XLA compiles: the code of the check that failed, then the outputs that it computes."""
        context = TraceContext(lambda key: None)
        given = self._static | dict(zip(self._dynamic, dynamic, strict=True))
        arguments = [given[i] for i in range(len(given))]
        results = [
            context.settle(value, dtype)
            for value, dtype in zip(call_kernel(context, self._node, arguments), self._dtypes, strict=True)
        ]
        self._checks = [message_with(message, ()) for _, message, _ in context.messages]
        self._known = [None if is_traced(value) else value for value in results]
        return [context.failed, *(value for value in results if is_traced(value))]
