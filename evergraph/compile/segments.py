"""Segments: nodes of a function for NumPy whose kernels are recorded, and then replayed by one call of C code.

A segment runs its kernels as Python a few times on arrays of the same shapes and dtypes, its signature, then records
them (kernel/recording.py). For another signature it runs them as Python again, until that has come as often. A node
that cannot be recorded divides its segment in two. What is replayed is computed by the loops that Python would call: it
differs in the last bits at most, where an argument that is not in order is copied and then added up in another order.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.compile import backend
from evergraph.compile.generated import Call, Expression, Line, Local, generated, inputs_of, locals_in, new_name
from evergraph.graph.node import Operation
from evergraph.graph.traits import Kind
from evergraph.kernel import recording
from evergraph.kernel.calling import OF_SESSIONS
from evergraph.kernel.values import Hole

RUNS_BEFORE = 8  # of the same signature before the first tape is made, twice as many before the second ...
_MOST_TIMES = 4  # ... and at most so many times as many
_LEAST_LINES = 2  # that are worth a tape
_MOST_TAPES = 64  # of a segment
_MOST_SEEN = 4  # tapes of the same signature, which differ in the elements at which kernels look
_MOST_SIGNATURES = 1024  # of a segment that are counted
_WANTED = frozenset({"lax", *OF_SESSIONS})  # what no recorded kernel may ask for
_NO_VALUES = (Kind.CONSTANT, Kind.PLACEHOLDER, Kind.VARIABLE, Kind.NO_OP, Kind.IF, Kind.CASE, Kind.CALL, Kind.WHILE,
              Kind.GRADIENT)  # fmt: skip

_OF_VALUES = (errors.OpError, ValueError, IndexError, ArithmeticError)
"""What kernels raise for wrong values. The run as Python, which follows, raises it again."""

_refused: set[Any] = set()
"""The ops that turned out not to be recorded, each with the dtypes of its inputs."""


def with_segments(lines: Sequence[Line], results: Sequence[Expression], scope: dict[str, Any]) -> list[Line]:
    """The lines of a function that returns `results`, with one line for each segment, which its globals `scope` get.

    A segment takes lines together that others stand between, if these can run before or after it.
    """
    if not any(line.recordable for line in lines) or not recording.available():
        return list(lines)
    backend.memory_is_kept()  # a segment frees what it needs on the way before the step is over
    found: list[Line] = []
    wanted = set(locals_in(results))
    for part in reversed(_parts(lines)):
        writes = tuple(name for line in part for name in line.writes)
        if len(part) < _LEAST_LINES or not part[0].recordable or wanted.isdisjoint(writes):
            found += reversed(part)
        else:
            found.append(_segment_line(part, tuple(name for name in writes if name in wanted), scope))
        wanted.update(*(line.names for line in part))
    return found[::-1]


def may_be_recorded(node: Operation) -> bool:
    """Whether the kernel of a node may be recorded, as far as its op tells: it computes arrays of arrays."""
    opdef = node.opdef
    tensors = (*node._inputs, *node.outputs)
    return opdef.on == "device" and opdef.is_pure and opdef.kind not in _NO_VALUES and bool(node._inputs) \
        and _WANTED.isdisjoint(opdef.wants) and _of(node) not in _refused \
        and all(not t._dtype.is_ref and t._dtype.np.kind in "biuf" for t in tensors)


def _of(node: Operation) -> Any:
    return node.opdef, tuple([t._dtype for t in node._inputs])


def _parts(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines in an order that is as good, in parts: recordable ones together, and others.

    What has an effect keeps its place behind all that stood before it and among its like. What has none may run before
    a segment that it does not depend on. Nothing runs before a check that stood before it.
    """
    parts: list[list[Line]] = []
    before: list[Line] = []
    segment: list[Line] = []
    after: list[Line] = []
    made: set[str] = set()  # in the segment
    waiting: set[str] = set()  # made behind it
    for line in lines:
        names, is_check = line.names, line.is_check
        if is_check and names & made or (is_check or line.recordable) and names & waiting:
            parts += [before, segment, after]
            before, segment, after, made, waiting = [], [], [], set(), set()
        if is_check:
            before.append(line)
        elif line.recordable:
            segment.append(line)
            made.update(line.writes)
        elif names & (made | waiting) or (segment or after) and line.has_effect or after and line.reads_variables:
            after.append(line)
            waiting.update(line.writes)
        else:
            before.append(line)
    return [part for part in [*parts, before, segment, after] if part]


def _segment_line(lines: Sequence[Line], results: tuple[Local, ...], scope: dict[str, Any]) -> Line:
    """The line that runs a segment; `results` are the names of what later lines use."""
    inputs = inputs_of(lines)
    player = new_name("s", scope)
    scope[player] = Segment(lines, inputs, results, scope).player
    nodes = tuple(node for line in lines for node in line.nodes)
    return Line(nodes, results, Call(player, ("context", *inputs)), unpacks=True, in_c=True, replays=True)


class Segment:
    """Lines that are recorded together.

    Args:
        lines: the lines.
        inputs: the names of the values that they use.
        results: the names of those that they make for others.
        scope: their globals.

    Attributes:
        player: the function that stands for the lines: of a context and the inputs.
    """

    def __init__(
        self, lines: Sequence[Line], inputs: Sequence[Local], results: Sequence[Local], scope: dict[str, Any]
    ) -> None:
        self._lines, self._inputs, self._results, self._scope = lines, inputs, results, scope
        self._lowered = generated(lines, inputs, results, scope)
        self._places = {node: place for place, node in enumerate(node for line in lines for node in line.nodes)}
        self._counts: dict[Any, int] | None = {}  # runs by signature; None if nothing is to be recorded any more
        self._recorded: Counter[Any] = Counter()  # tapes by signature
        self._tapes: list[Any] = [self._run]
        self.player: Callable[..., Sequence[Any]] = recording.player(self._tapes)

    def _run(self, context: Any, *values: Any) -> Sequence[Any]:
        """Runs the lines as Python."""
        counts = self._counts
        if counts is not None and all([type(value) is np.ndarray for value in values]):
            signature = tuple([(value.shape, value.dtype.char) for value in values])
            count = counts[signature] = counts.get(signature, 0) + 1
            if count >= RUNS_BEFORE * min(len(self._tapes), _MOST_TIMES):
                counts[signature] = 0
                self._record(values, signature)
            elif len(counts) > _MOST_SIGNATURES:
                counts.clear()
        if context.watcher is None:
            return self._lowered.call(context, *values)
        results = self._lowered.timed.call(context, *values)
        recording.forget_replay()  # which was that of a function that a kernel has called
        return results

    def _record(self, values: Sequence[Any], signature: Any) -> None:
        may_look = self._recorded[signature] < _MOST_SEEN
        try:
            recorder = recording.Recorder(values, may_look, self._running)
            with np.errstate(all="ignore"):
                tape = recorder.tape(self._lowered.call(_RecordingContext, *recorder.values))
        except recording.TooLarge:
            self._counts = None
        except recording.DECLINED as error:
            self._divide(error, refuses=may_look and all(value.size for value in values))
        except _OF_VALUES as error:
            self._divide(error, refuses=False)
        except MemoryError:
            pass  # a recorder keeps all that kernels compute: the lines need less when they run, which they do next
        else:
            self._recorded[signature] += 1
            self._tapes.insert(1, tape)
            del self._tapes[1 + _MOST_TAPES:]

    def _running(self) -> int | None:
        """The place among the nodes of the one that runs; no node itself, because nobody sees what a tape refers to."""
        node = self._lowered.running()
        return None if node is None else self._places.get(node)

    def _divide(self, error: Exception, refuses: bool) -> None:
        """Has the node that raised the error run by itself from now on; if it `refuses`, others of its op, too."""
        node = self._lowered.node_behind(error)
        self._counts = None
        del self._tapes[1:]
        if node is not None:
            if refuses:
                _refused.add(_of(node))
            lines = [dataclasses.replace(line, recordable=node not in line.nodes) for line in self._lines]
            lines = with_segments(lines, self._results, self._scope)
            self._lowered = generated(lines, self._inputs, self._results, self._scope)


class _RecordingContext:
    """What generated lines ask of a context while they are recorded."""

    @staticmethod
    def settle(value: Any, dtype: np.dtype[Any]) -> Any:
        """A result of a kernel, of exactly this dtype."""
        if isinstance(value, recording.Recorded):
            return value if value.dtype == dtype else value.astype(dtype)
        if isinstance(value, Hole) or dtype.hasobject:
            raise recording.Unrecordable("no array of numbers")
        return np.asarray(value, dtype)
