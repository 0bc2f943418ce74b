"""Single ops as compiled programs, kept by signature: what eager execution does with heavy work, and with functions."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base.aside import aside
from evergraph.base.recent import RecentlyUsed
from evergraph.compile import backend
from evergraph.compile.contexts import StepContext, TraceContext
from evergraph.compile.policy import COMES_BACK, History, Work, decide, machine_for
from evergraph.compile.signatures import MOST_COUNTED
from evergraph.graph.codec import NameAttrList
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel import fused_updates
from evergraph.kernel.calling import call_kernel, static_places
from evergraph.kernel.cells import Cell
from evergraph.kernel.context import ErrorClass, message_with
from evergraph.kernel.reasons import NeedStatic, Reason
from evergraph.kernel.values import Hole, is_host_dtype, is_traced
from evergraph.passes.state import cell_key, with_inner

MOST_PROGRAMS = 1024  # kept in all
HEAVY_ELEMENTS = 1 << 18  # of the inputs of an op, from which on it is worth a program
MOST_READY = 16  # shapes of inputs for which repeated calls of one function find their program at once


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
    if opdef.kind is Kind.CALL:
        return _pays_to_call(node, node.graph.function(node.attrs["f"].name))
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


class Body:
    """What a function consists of, those that it calls included.

    Attributes:
        nodes: how many kernels run.
        is_compilable: whether no node needs Python.
        device_only: whether some kernel exists for XLA alone.
        streams: the nodes that draw random numbers.
    """

    def __init__(self, function: FuncGraph) -> None:
        inner = list(with_inner(function._nodes))
        self.nodes = sum(1 for n in inner if n.opdef.kind not in (Kind.CONSTANT, Kind.PLACEHOLDER))
        self.is_compilable = not any(map(_needs_python, inner)) and not any(
            is_host_dtype(t._dtype) for t in function.outputs)
        self.device_only = any(n.opdef.needs_xla or n.opdef.kind is Kind.GRADIENT for n in inner)
        self.streams = [n for n in inner if "rng" in n.opdef.wants]


def _needs_python(node: Operation) -> bool:
    if node.opdef.kind in (Kind.CONSTANT, Kind.PLACEHOLDER):
        return False
    cells = "cell" in node.opdef.wants  # state of a kernel that no program carries
    return node.opdef.on == "host" or "shared" in node.opdef.wants or cells


class _Bodies(dict[FuncGraph, Body]):
    """The one body of a function, found again until the function changes."""


def _body(function: FuncGraph) -> Body:
    known = function.cache(_Bodies)
    if function not in known:
        known[function] = Body(function)
    return known[function]


def _pays_to_call(node: Operation, function: FuncGraph) -> bool:
    body = _body(function)
    if not body.is_compilable or not node.outputs:
        return False
    variables = [t._handle_data.shape for t in node._inputs if t._handle_data is not None]
    elements = _elements(node._inputs) + sum(_size(shape) for shape in variables)
    work = Work(body.nodes, elements, state=elements, xla_only=body.device_only)
    return decide(machine_for("cpu"), work, History(_runs(node) - 1)).tier == "xla"  # sizes may change on accelerators


def _elements(tensors: Sequence[Tensor]) -> int:
    return sum(_size(tensor._shape) for tensor in tensors)


def _size(shape: Any) -> int:
    size = 1
    for length in shape or ():
        size *= length or 0
    return size


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
    if node.opdef.kind is Kind.CALL:  # its other attrs follow from the function
        return node.graph.function(node.attrs["f"].name), inputs
    return node.type, tuple([(name, _hashable(node, value)) for name, value in node.attrs.items()]), inputs


def _hashable(node: Operation, value: Any) -> Any:
    if isinstance(value, NameAttrList):
        return node.graph.function(value.name)
    if isinstance(value, list):
        return tuple(_hashable(node, each) for each in value)
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    return value


# ---- running


def run(context: StepContext, node: Operation, values: Sequence[Any]) -> list[Any] | None:
    """The outputs of the node for these inputs; None if no compiled program can compute them.

    Args:
        context: has the states of random streams inside of functions.
        node: the node.
        values: its inputs: arrays, and cells for the handles of variables.

    Raises:
        InvalidArgumentError: a check failed; variables keep their values.
    """
    cells = [v for v in values if isinstance(v, Cell)]
    if any(not cell.is_set for cell in cells) or len(set(map(id, cells))) < len(cells) or _has_holes(values):
        return None  # a list that only another branch would have made has no form
    signature = (_signature(node), tuple([_kind(cell.held()) for cell in cells]))
    if signature in programs.refused:
        return None
    static = programs.static.get(signature) or frozenset(static_places(node))
    while True:
        program = _program(node, signature, static, values)
        try:
            found = program.run(context, values)
            if node.opdef.kind is Kind.CALL and not static:
                _ready(node.graph.function(node.attrs["f"].name)).keep(program, node._inputs, cells)
            return found
        except NeedStatic as need:
            place = program.place_of(need.tensor)
            if place is None or place in static or isinstance(values[place], Cell):
                break
            programs.static[signature] = static = static | {place}
        except (Reason, backend.jax().errors.JAXTypeError):
            break
    programs.refused.add(signature)
    return None


def _has_holes(values: Sequence[Any]) -> bool:
    """Whether one is a list that only another branch has: a program has both branches, and would look into it."""
    return Hole in map(type, values)


def _kind(value: Any) -> Any:
    """What a program depends on in the value of a variable."""
    return (value.shape, value.dtype) if hasattr(value, "shape") else (np.shape(value), np.asarray(value).dtype)


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


# ---- running again


def run_again(context: StepContext, function: FuncGraph, inputs: Sequence[Any]) -> list[Any] | None:
    """The outputs of a function by the program of an earlier call; None if there is none that is sure to fit.

    Args:
        context: has the states of random streams inside of the function.
        function: the function.
        inputs: tensors that have values, captures last.
    """
    return _ready(function).run(context, inputs)


class Ready:
    """The programs that calls of a function have found, by the shapes of its inputs.

    A call that finds its program here adds no operation, and looks at the forms of variables alone. Their dtypes are
    those of the function, so that shapes tell the rest.
    """

    def __init__(self) -> None:
        self._kept: dict[Any, tuple[Program, list[Any]]] = {}
        self._distinct: list[int] = []  # the ids of cells that are known to be different ones

    def keep(self, program: Program, inputs: Sequence[Tensor], cells: Sequence[Cell]) -> None:
        """Notes the program that has run for inputs like these."""
        forms = _forms(cells)
        if None in forms:
            return
        if len(self._kept) >= MOST_READY:
            self._kept.clear()
        self._kept[tuple([t._shape for t in inputs])] = (program, forms)

    def run(self, context: StepContext, inputs: Sequence[Any]) -> list[Any] | None:
        """The outputs; None if no program is known for these inputs, or its check failed: then nothing has changed."""
        program, forms = self._kept.get(tuple([t._shape for t in inputs]), (None, ()))
        if program is None:
            return None
        values = [t.held for t in inputs]
        cells = [v for v in values if isinstance(v, Cell)]
        if _forms(cells) != forms or not self._are_distinct(cells) or _has_holes(values):
            return None
        return program.run_again(context, values)

    def _are_distinct(self, cells: Sequence[Cell]) -> bool:
        """Whether no variable is there twice. Most calls have the cells of the call before."""
        ids = list(map(id, cells))
        if ids != self._distinct:
            if len(set(ids)) < len(ids):
                return False
            self._distinct = ids
        return True


def _ready(function: FuncGraph) -> Ready:
    return function.cache(Ready)


def _forms(cells: Sequence[Cell]) -> list[Any]:
    """What a program depends on in the values of variables, quick to find and to compare; None for other values."""
    values = [cell.held() for cell in cells]
    return [(v.shape, v.dtype) if type(v) is np.ndarray else getattr(v, "aval", None) for v in values]


class Program:
    """One op, compiled for inputs of some shapes and dtypes, and for the values of its static inputs.

    The program takes the dynamic inputs, with the values of variables in the places of their handles, then the states
    of random streams. It returns the code of the check that failed, the new values of the cells that it has changed,
    and the outputs that are not known at trace time.
    """

    def __init__(self, node: Operation, static: dict[int, Any]) -> None:
        self._node, self._static = _bare(node), static
        self._dynamic = [i for i in range(len(node._inputs)) if i not in static]
        self._dtypes = [t._dtype.np for t in node.outputs]
        is_call = node.opdef.kind is Kind.CALL
        self._streams = _body(node.graph.function(node.attrs["f"].name)).streams if is_call else []
        self._checks: list[tuple[ErrorClass, str]] = []
        self._places: list[int] = []  # of the cells among the dynamic inputs and streams
        self._changed: list[int] = []  # those of the cells that the program changes
        self._known: list[Any] = []  # the outputs that are known at trace time, None for the others
        self._jitted: Any = None

    def place_of(self, tensor: Tensor) -> int | None:
        """The number of the input that a tensor of the trace is, if it is one."""
        return next((i for i, t in enumerate(self._node._inputs) if t is tensor), None)

    def run(self, context: StepContext, values: Sequence[Any]) -> list[Any]:
        """The outputs for these inputs; cells among them get their new values.

        Raises:
            InvalidArgumentError: a check failed.
        """
        dynamic = [values[i] for i in self._dynamic]
        dynamic += [context.rng(node).cell for node in self._streams]
        arrays = [v.held() if isinstance(v, Cell) else v for v in dynamic]
        if self._jitted is None:
            self._places = [place for place, v in enumerate(dynamic) if isinstance(v, Cell)]
            jitted = backend.jax().jit(self._trace, compiler_options=backend.compiler_options())
            found = aside(jitted, *arrays)
            self._jitted = jitted
        else:
            found = self._jitted(*arrays)
        if self._checks and (code := int(np.asarray(found[0]))):
            error, message = self._checks[code - 1]
            raise error(None, None, message)
        return self._finish(dynamic, found)

    def run_again(self, context: StepContext, values: list[Any]) -> list[Any] | None:
        """As `run`, for a program without static inputs that has run for inputs like these; None if a check failed.

        A list of another length is traced anew. None, too, if that fails.
        """
        values += [context.rng(node).cell for node in self._streams]
        arrays = list(values)
        for place in self._places:
            arrays[place] = values[place].held()
        try:
            found = self._jitted(*arrays)
        except (Reason, backend.jax().errors.JAXTypeError):
            return None
        if self._checks and np.asarray(found[0]):
            return None
        return self._finish(values, found)

    def _finish(self, dynamic: Sequence[Any], found: Sequence[Any]) -> list[Any]:
        """The outputs, after cells have got their new values, in what the program has returned."""
        for place, value in zip(self._changed, found[1:]):
            dynamic[place].assign(value)
        computed = iter(found[1 + len(self._changed):])
        return [next(computed) if known is None else known for known in self._known]

    def _trace(self, *given: Any) -> list[Any]:
        """The function that XLA compiles."""
        count = len(self._dynamic)
        keys = [cell_key(node) for node in self._streams]
        context = TraceContext(dict(zip(keys, given[count:], strict=True)).get)
        dynamic = list(given)
        for place in self._places:
            dynamic[place] = Cell(f"argument {place}", given[place]) if place < count \
                else context.cell(self._streams[place - count])
        by_place = self._static | dict(zip(self._dynamic, dynamic))
        found = call_kernel(context, self._node, [by_place[i] for i in range(len(by_place))])
        fused_updates.settle([dynamic[place] for place in self._places], True, reuses=False)
        results = [context.settle(value, dtype) for value, dtype in zip(found, self._dtypes, strict=True)]
        self._checks = [(error, message_with(message, ())) for _, error, message, _ in context.messages]
        self._changed = [place for place in self._places if dynamic[place].changed]
        self._known = [None if is_traced(value) else value for value in results]
        state = [backend.jax().numpy.asarray(dynamic[place].peek()) for place in self._changed]
        return [context.failed, *state, *(value for value in results if is_traced(value))]
