"""Single ops as compiled programs, kept by signature: what eager execution does with heavy work."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base.aside import aside
from evergraph.base.recent import RecentlyUsed
from evergraph.compile import backend
from evergraph.compile.contexts import TraceContext
from evergraph.compile.policy import COMES_BACK
from evergraph.compile.signatures import MOST_COUNTED
from evergraph.graph.codec import NameAttrList
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.calling import call_kernel, static_places
from evergraph.kernel.cells import Cell
from evergraph.kernel.context import ErrorClass, message_with
from evergraph.kernel.reasons import NeedStatic, Reason
from evergraph.kernel.values import Hole, is_host_dtype, is_traced

MOST_PROGRAMS = 1024  # kept in all
HEAVY_ELEMENTS = 1 << 18  # of the inputs of an op, from which on it is worth a program


class Programs:
    """The compiled programs of single ops, and how often each signature was asked for."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.kept: RecentlyUsed[Any] = RecentlyUsed(MOST_PROGRAMS)
        self.counts: dict[Any, int] = {}
        self.static: dict[Any, frozenset[int]] = {}  # an op's signature -> its inputs that have to be static
        self.refused: set[Any] = set()  # signatures that no program can serve


programs = Programs()


# ---- when to compile


def pays(node: Operation) -> bool:
    """Whether a compiled program may be the better way to run the node."""
    opdef = node.opdef
    if opdef.kind is Kind.GRADIENT:
        return True
    needs_xla = opdef.needs_xla or opdef.slow_on_numpy is not None and opdef.slow_on_numpy(node)
    if not needs_xla and _elements(node._inputs) < HEAVY_ELEMENTS:
        return False
    if opdef.on == "host" or not opdef.is_pure or not node.outputs:
        return False
    if any(is_host_dtype(t._dtype) for t in (*node._inputs, *node.outputs)):
        return False
    return needs_xla or _runs(node) > COMES_BACK


def _elements(tensors: Sequence[Tensor]) -> int:
    total = 0
    for tensor in tensors:
        size = 1
        for length in tensor._shape or ():
            size *= length or 0
        total += size
    return total


def _runs(node: Operation) -> int:
    """Counts the runs of a signature: one that keeps coming back is worth compiling."""
    key = _signature(node)
    with programs.lock:
        if len(programs.counts) >= MOST_COUNTED:
            programs.counts.clear()
        programs.counts[key] = count = programs.counts.get(key, 0) + 1
    return count


def _signature(node: Operation) -> Any:
    """What a program depends on, apart from the values of static inputs."""
    inputs = tuple([(t._dtype, t._shape) for t in node._inputs])
    return node.type, tuple([(name, _hashable(value)) for name, value in node.attrs.items()]), inputs


def _hashable(value: Any) -> Any:
    if isinstance(value, NameAttrList):
        return value.name  # without the function, which a key must not keep alive; its name is never given again
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    return value


# ---- running


def run(node: Operation, values: Sequence[Any]) -> list[Any] | None:
    """The outputs of the node for these inputs; None if no compiled program can compute them.

    Raises:
        InvalidArgumentError: a check failed.
    """
    if not {Cell, Hole}.isdisjoint(kind for value in values for kind in type(value).__mro__):
        return None  # a list that only another branch would have made has no form
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
    """The node without the values of its inputs, and functions, which a program that is kept must not keep alive."""
    attrs = {name: dataclasses.replace(value, body=None) if isinstance(value, NameAttrList) else value
             for name, value in node.attrs.items()}
    bare = Operation(node.graph, node.opdef, node.name, [], attrs, 0)
    bare._inputs = [Tensor(bare, i, t._dtype, t._shape) for i, t in enumerate(node._inputs)]
    bare.outputs = [Tensor(bare, i, t._dtype, t._shape) for i, t in enumerate(node.outputs)]
    return bare


class Program:
    """One op, compiled for inputs of some shapes and dtypes, and for the values of its static inputs.

    The program takes the dynamic inputs. It returns the code of the check that failed, and the outputs that are not
    known at trace time.
    """

    def __init__(self, node: Operation, static: dict[int, Any]) -> None:
        self._node, self._static = _bare(node), static
        self._dynamic = [i for i in range(len(node._inputs)) if i not in static]
        self._dtypes = [t._dtype.np for t in node.outputs]
        self._checks: list[tuple[ErrorClass, str]] = []
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
        arrays = [values[i] for i in self._dynamic]
        if self._jitted is None:
            jitted = backend.jax().jit(self._trace, compiler_options=backend.compiler_options())
            found = aside(jitted, *arrays)
            self._jitted = jitted
        else:
            found = self._jitted(*arrays)
        if self._checks and (code := int(np.asarray(found[0]))):
            error, message = self._checks[code - 1]
            raise error(None, None, message)
        computed = iter(found[1:])
        return [next(computed) if known is None else known for known in self._known]

    def _trace(self, *given: Any) -> list[Any]:
        """The function that XLA compiles."""
        context = TraceContext(lambda key: None)
        by_place = self._static | dict(zip(self._dynamic, given))
        found = call_kernel(context, self._node, [by_place[i] for i in range(len(by_place))])
        results = [context.settle(value, dtype) for value, dtype in zip(found, self._dtypes, strict=True)]
        self._checks = [(error, message_with(message, ())) for _, error, message, _ in context.messages]
        self._known = [None if is_traced(value) else value for value in results]
        return [context.failed, *(value for value in results if is_traced(value))]
