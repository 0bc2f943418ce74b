"""How long the nodes of a compiled program took: XLA's profiler tells it of kernels, and kernels know their nodes."""

from __future__ import annotations

import contextlib
import functools
import math
import pathlib
import tempfile
from collections.abc import Callable, Container, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from evergraph import proto
from evergraph.compile import backend
from evergraph.graph.node import Operation

_METADATA, _ENVIRONMENT = "/host:metadata", "Task Environment"  # planes of the profiler
_ACCELERATOR = "/device:"  # begins the names of its planes
_END = "end: "  # begins the names of events that mark the end of another one
_UNKNOWN = (-1, -1, -1)
_KERNELS = "Stream"  # begins the names of the lines of an accelerator on which its kernels are
_FREE = frozenset(("parameter", "constant", "tuple", "get-tuple-element", "broadcast", "bitcast"))


class KernelTime(NamedTuple):
    """A part of a kernel's time that belongs to a node, in nanoseconds since the epoch."""

    node: Operation
    start: int
    stop: int
    on_accelerator: bool


class Kernels:
    """The kernels of the programs of a stage.

    Args:
        nodes: returns the nodes that the programs may be made of, also those inside of loops, by their names there.
        modules: returns what XLA calls the programs.
        count: returns how many programs there have been.
    """

    def __init__(self, nodes: Callable[[], Mapping[str, Operation]], modules: Callable[[], Container[str]],
                 count: Callable[[], int]) -> None:
        self._nodes, self._modules, self._count = nodes, modules, count
        self._programs: dict[int, _Program] = {}  # by their numbers
        self._asked: int | None = None  # how many programs there were when XLA was asked about their instructions

    def watched(self, run: Callable[[], Sequence[Any]]) -> tuple[Sequence[Any], list[KernelTime] | None]:
        """(what `run` returns, the times of the nodes in the programs that it ran).

        The times are None where somebody else uses XLA's profiler, of which there is one in a process, and where a
        program is new whose instructions it was not asked about: to tell those takes longer than most steps.
        """
        jax, count = backend.jax(), self._count()
        options = jax.profiler.ProfileOptions()
        options.python_tracer_level = 0  # noting each call of a Python function takes longer than most steps
        options.enable_hlo_proto = asks = count != self._asked
        session, found = _session(options), None
        try:
            outputs = run()
            jax.block_until_ready(list(outputs))  # compiled programs go on after they have returned
        finally:
            with contextlib.suppress(RuntimeError):  # there is another session
                found = session.stop()
        if found is None or not asks and self._count() != count:
            return outputs, None
        self._asked = self._count()
        return outputs, self.attributed(proto.xplane_pb2.XSpace.FromString(found))

    def attributed(self, space: Any) -> list[KernelTime]:
        """The times of nodes in an XSpace. The time of a fused kernel is divided among its nodes."""
        self._read(space)
        began = next((stat.uint64_value for plane in space.planes if plane.name == _ENVIRONMENT for stat in plane.stats
                      if plane.stat_metadata[stat.metadata_id].name == "profile_start_time"), 0)
        lines = [(plane.name.startswith(_ACCELERATOR), began + line.timestamp_ns, _events(plane, line))
                 for plane in space.planes for line in plane.lines
                 if not plane.name.startswith(_ACCELERATOR) or line.name.startswith(_KERNELS)]
        names: dict[int, set[str]] = {}
        for number, name in {event[2:4] for _, _, events in lines for event in events}:
            names.setdefault(number, set()).add(name)
        programs = {number: _program(number, used, self._programs) for number, used in names.items()}
        known: dict[Any, list[tuple[Operation, float]]] = {}
        times: list[KernelTime] = []
        for on_accelerator, began, events in lines:
            for (start, _, number, name, kernel), own in zip(
                    events, own_times([each[:2] for each in events]), strict=True):
                at, parts = began + start, known.get((number, name, kernel))
                if parts is None:
                    parts = known[number, name, kernel] = _parts(programs[number], name, kernel)
                for node, part in parts:  # one after the other, though they are computed together
                    times.append(KernelTime(node, at, at := at + round(own * part), on_accelerator))
        return times

    def _read(self, space: Any) -> None:
        """Learns the programs of which a space tells."""
        modules = self._modules()
        for number, content in _programs(space):
            program = _Program(content, self._nodes())
            if program.module in modules:
                self._programs.pop(number, None)  # the latest is the last one
                self._programs[number] = program


def _session(options: Any) -> Any:
    """A session of XLA's profiler, whose method `stop` returns the bytes of an XSpace, or raises a RuntimeError if
    there is another session."""
    try:
        from jax._src.lib import _profiler

        make = _profiler.ProfilerSession
    except (ImportError, AttributeError):  # another version of JAX
        make = _WrittenSession
    return make(options)


class _WrittenSession:
    """A session by the functions that JAX documents, which write files: that takes ten times as long."""

    def __init__(self, options: Any) -> None:
        self._folder, self._has_begun = tempfile.TemporaryDirectory(), False
        with contextlib.suppress(RuntimeError):
            backend.jax().profiler.start_trace(self._folder.name, profiler_options=options)
            self._has_begun = True

    def stop(self) -> bytes:
        with self._folder as folder:
            if not self._has_begun:
                raise RuntimeError("there is another session of XLA's profiler")
            backend.jax().profiler.stop_trace()
            (file,) = pathlib.Path(folder).glob("**/*.xplane.pb")
            return file.read_bytes()


def _program(number: int, names: Set[str], known: Mapping[int, _Program]) -> _Program | None:
    """The program with most of these instructions: that of the number, unless it was read from the disk.

    A GPU also runs what has no instruction, such as the clearing of memory.
    """
    candidates = [known[number]] if number in known else []
    candidates += list(known.values())[::-1]
    found = max(candidates, key=lambda program: program.count(names), default=None)
    return found if found is not None and found.count(names) else None


def _programs(space: Any) -> Iterator[tuple[int, bytes]]:
    for plane in space.planes:
        if plane.name == _METADATA:
            for event in plane.event_metadata.values():
                found = {plane.stat_metadata[stat.metadata_id].name: stat for stat in event.stats}
                if "program_id" in found and "Hlo Proto" in found:
                    yield found["program_id"].uint64_value, found["Hlo Proto"].bytes_value


def _parts(program: _Program | None, name: str, kernel: str) -> list[tuple[Operation, float]]:
    """The nodes of a program that an instruction computes, or else a kernel, each with its part of the time."""
    return [] if program is None else list((program.shares(name) or program.shares(program.made_of(kernel))).items())


def _events(plane: Any, line: Any) -> list[tuple[int, int, int, str, str]]:
    """(start, length, program, instruction, kernel) of each event on a line, those inside of another one behind it."""
    wanted = {"hlo_op": -1, "program_id": -1}
    known = ((metadata.name, number) for number, metadata in plane.stat_metadata.items())
    wanted.update((name, number) for name, number in known if name in wanted)
    names, kernels = _Names(plane.stat_metadata), _Names(plane.event_metadata)
    found, places = [], dict[int, tuple[int, int, int]]()
    for event in line.events:
        kernel = event.metadata_id
        count, at, program_at = places.get(kernel, _UNKNOWN)
        if not count:
            continue
        stats = event.stats
        if len(stats) != count:
            order = [] if kernels[kernel].startswith(_END) else [stat.metadata_id for stat in stats]
            at, program_at = (order.index(each) if each in order else -1 for each in wanted.values())
            places[kernel] = len(order), at, program_at
        if at >= 0 and (length := event.duration_ps):  # the mark of an end has none
            stat, program = stats[at], stats[program_at] if program_at >= 0 else None  # which GPUs do not tell
            found.append((event.offset_ps // 1000, length // 1000,
                          program and (program.int64_value or program.uint64_value) or 0,
                          stat.str_value or names[stat.ref_value], kernels[kernel]))
    found.sort(key=lambda each: (each[0], -each[1]))
    return found


class _Names(dict[int, str]):
    """Those of a plane's metadata by number, as far as somebody asked."""

    def __init__(self, metadata: Any) -> None:
        self._metadata = metadata

    def __missing__(self, number: int) -> str:
        found = self[number] = self._metadata[number].name
        return found


def own_times(events: Sequence[tuple[int, int]]) -> list[int]:
    """How long events took without those inside, such as loops without their bodies.

    Args:
        events: the start and the length of each, those inside of another one behind it.
    """
    own = [length for _, length in events]
    open_: list[tuple[int, int]] = []  # where an event ends, and which it is
    for at, (start, length) in enumerate(events):
        while open_ and open_[-1][0] <= start:
            open_.pop()
        if open_:
            own[open_[-1][1]] -= length
        open_.append((start + length, at))
    return [max(each, 0) for each in own]


class _Program:
    """A program of XLA's.

    Args:
        content: its serialized HloProto.
        nodes: the nodes that it may have been made of, by name.
    """

    def __init__(self, content: bytes, nodes: Mapping[str, Operation]) -> None:
        self._content, self._nodes = content, nodes
        self._shares: dict[str, dict[Operation, float]] = {}

    @functools.cached_property
    def _module(self) -> Any:
        return proto.hlo_pb2.HloProto.FromString(self._content).hlo_module

    @property
    def module(self) -> str:
        """What XLA calls it."""
        return self._module.name

    @functools.cached_property
    def _computations(self) -> dict[int, Any]:
        return {computation.id: computation for computation in self._module.computations}

    @functools.cached_property
    def _instructions(self) -> dict[str, tuple[Any, Mapping[int, Any]]]:
        """Instruction -> (itself, those of its computation by number)."""
        around = {number: {each.id: each for each in computation.instructions}
                  for number, computation in self._computations.items()}
        return {each.name: (each, found) for found in around.values() for each in found.values()}

    def count(self, names: Set[str]) -> int:
        """How many of these names are those of its instructions."""
        return len(names & self._instructions.keys())

    def made_of(self, kernel: str) -> str:
        """The instruction that a kernel has its name of; "" if none. In a graph of CUDA's, kernels know no more."""
        return self._kernels.get(kernel, "")

    @functools.cached_property
    def _kernels(self) -> dict[str, str]:
        return {name.replace(".", "_").replace("-", "_"): name for name in self._instructions}

    def shares(self, name: str) -> dict[Operation, float]:
        """The nodes that an instruction computes, each with its part of the time: by the numbers that it makes."""
        if name not in self._shares:
            self._shares[name] = self._found_shares(name)
        return self._shares[name]

    def _found_shares(self, name: str) -> dict[Operation, float]:
        if name not in self._instructions:
            return {}
        instruction, around = self._instructions[name]
        weights: dict[Operation, int] = {}
        for inner in self._inside(instruction):
            node = self._node(inner)
            if node is not None:
                weights[node] = weights.get(node, 0) + _elements(inner.shape)
        while not weights and instruction is not None:  # a copy belongs to what it copies
            node = self._node(instruction)
            if node is not None:
                weights[node] = 1
            instruction = around.get(instruction.operand_ids[0]) if instruction.operand_ids else None
        whole = sum(weights.values())
        return {node: weight / whole for node, weight in weights.items()}

    def _inside(self, instruction: Any) -> Iterator[Any]:
        """The instructions of a fused kernel. What a loop runs has times of its own."""
        if instruction.opcode not in ("fusion", "call"):
            return
        for number in instruction.called_computation_ids:
            for inner in self._computations[number].instructions:
                if inner.opcode not in _FREE:
                    yield inner
                yield from self._inside(inner)

    def _node(self, instruction: Any) -> Operation | None:
        """The innermost node by whose name an instruction is called; the last word is JAX's own."""
        words = instruction.metadata.op_name.split("/")[:-1]
        for end in range(len(words), 0, -1):
            for start in range(end):
                node = self._nodes.get("/".join(words[start:end]))
                if node is not None:
                    return node
        return None


def _elements(shape: Any) -> int:
    return max(1, math.prod(shape.dimensions)) if not shape.tuple_shapes else sum(map(_elements, shape.tuple_shapes))
