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
    """

    def __init__(self, nodes: Callable[[], Mapping[str, Operation]], modules: Callable[[], Container[str]]) -> None:
        self._nodes, self._modules = nodes, modules
        self._programs: dict[tuple[int, int], _Program] = {}

    def watched(self, run: Callable[[], Sequence[Any]]) -> tuple[Sequence[Any], list[KernelTime] | None]:
        """(what `run` returns, the times of the nodes in the programs that it ran).

        The times are None where somebody else uses XLA's profiler at the moment, of which there is one in a process.
        """
        jax = backend.jax()
        options = jax.profiler.ProfileOptions()
        options.python_tracer_level = 0  # noting each call of a Python function takes longer than most steps
        session, found = _session(options), None
        try:
            outputs = run()
            jax.block_until_ready(list(outputs))  # compiled programs go on after they have returned
        finally:
            with contextlib.suppress(RuntimeError):  # there is another session
                found = session.stop()
        times = None if found is None else list(self.attributed(proto.xplane_pb2.XSpace.FromString(found)))
        return outputs, times

    def attributed(self, space: Any) -> Iterator[KernelTime]:
        """The times of nodes in an XSpace. The time of a fused kernel is divided among its nodes."""
        began = next((stat.uint64_value for plane in space.planes if plane.name == _ENVIRONMENT for stat in plane.stats
                      if plane.stat_metadata[stat.metadata_id].name == "profile_start_time"), 0)
        modules = self._modules()
        known = {number: read for number, content in _programs(space)
                 if (read := self._read(number, content)).module in modules}
        by_program: dict[int, list[tuple[int, int, str, str, bool]]] = {}
        for plane in space.planes:
            on_accelerator = plane.name.startswith("/device:")
            for line in plane.lines:
                if not on_accelerator or line.name.startswith(_KERNELS):
                    for start, own, number, name, kernel in _events(plane, line):
                        by_program.setdefault(number, []).append((start, own, name, kernel, on_accelerator))
        for number, events in by_program.items():
            program = _program(number, {name for _, _, name, _, _ in events}, known)
            if program is None:
                continue
            for start, own, name, kernel, on_accelerator in events:
                at, shares = began + start, program.shares(name) or program.shares(program.made_of(kernel))
                for node, part in shares.items():  # one after the other, though they are computed together
                    yield KernelTime(node, at, at := at + round(own * part), on_accelerator)

    def _read(self, number: int, content: bytes) -> _Program:
        """A program, which most steps have run before. XLA writes what is no list in another order each time."""
        key = number, len(content)
        if key not in self._programs:
            self._programs[key] = _Program(content, self._nodes())
        return self._programs[key]


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


def _events(plane: Any, line: Any) -> Iterator[tuple[int, int, int, str, str]]:
    """(start, own time, program, instruction, kernel) of each event on a line; that of a loop without its body."""
    names = {number: metadata.name for number, metadata in plane.stat_metadata.items()}
    operation_id = next((number for number, name in names.items() if name == "hlo_op"), -1)
    program_id = next((number for number, name in names.items() if name == "program_id"), -1)
    found = []
    for event in line.events:
        if not event.duration_ps:  # the mark of an end
            continue
        name, number = "", 0
        for stat in event.stats:
            if stat.metadata_id == operation_id:
                name = stat.str_value or names[stat.ref_value]
            elif stat.metadata_id == program_id:  # which GPUs do not tell
                number = stat.uint64_value or stat.int64_value
                if name:
                    break
        if name:
            kernel = plane.event_metadata[event.metadata_id].name
            found.append((event.offset_ps // 1000, event.duration_ps // 1000, number, name, kernel))
    found.sort(key=lambda each: (each[0], -each[1]))
    inside = [0] * len(found)  # the time of the events right below each
    open_: list[int] = []
    for at, (start, length, *_) in enumerate(found):
        while open_ and found[open_[-1]][0] + found[open_[-1]][1] <= start:
            open_.pop()
        if open_:
            inside[open_[-1]] += length
        open_.append(at)
    for below, (start, length, program, name, kernel) in zip(inside, found, strict=True):
        yield line.timestamp_ns + start, max(length - below, 0), program, name, kernel


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
