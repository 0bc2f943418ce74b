"""Where a view goes: to the terminal, to a file, to Chrome's timeline, to pprof."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from typing import Any

from evergraph import proto
from evergraph.base import errors, whole_files
from evergraph.debug.profiler import text, views
from evergraph.debug.profiler.costs import COSTS, costs_of
from evergraph.debug.profiler.views import Place


def write(root: Place, profile: Any, cmd: str, options: Any) -> None:
    """Writes a view to where the option `output` says.

    Raises:
        InvalidArgumentError: there is no such output, or this view has none of that kind.
    """
    kind, _, rest = options["output"].partition(":")
    path = rest.removeprefix("outfile=")
    if kind == "stdout":
        print(text.with_options(text.printed(root, profile, cmd, options["select"]), options))
    elif kind == "file":
        whole_files.write_string_to_file(path, text.printed(root, profile, cmd, options["select"]))
    elif kind == "timeline":
        _write_timeline(root, profile, cmd, options["step"], path)
    elif kind == "pprof":
        _write_pprof(root, profile, cmd, options, path)
    elif kind != "none":
        raise errors.InvalidArgumentError(None, None, f"tf.profiler: output={options['output']!r} is none of stdout, "
                                          "file, timeline, pprof and none")


# ---- timelines


def _write_timeline(root: Place, profile: Any, cmd: str, step: int, path: str) -> None:
    if cmd == "op":
        raise errors.InvalidArgumentError(None, None, "tf.profiler: the view by type has no timeline")
    if cmd == "graph":
        step = max(profile.steps, default=0) if step < 0 else step
        events = list(_step_events(root, step))
    else:
        events = list(_tree_events(root, 0, 0, set()))
    file = f"{path}_{step}"
    trace = json.dumps({"traceEvents": events}, separators=(",", ":"), sort_keys=True)
    whole_files.write_string_to_file(file, trace)
    border = "*" * 54
    print(f"\n{border}\nTimeline file is written to {file}.\nOpen a Chrome browser, enter URL chrome://tracing and "
          f"load the timeline file.\n{border}")


def _process(name: str, number: int) -> dict[str, Any]:
    return {"args": {"name": name}, "name": "process_name", "ph": "M", "pid": number}


def _step_events(root: Place, step: int) -> Iterator[dict[str, Any]]:
    """The nodes of a step as they ran, in lanes of their devices."""
    by_device: dict[str, list[tuple[int, int, str]]] = {}
    for node in _nodes(root):
        run = node.execs.get(step)
        for execs, kind in ((run.cpu_execs, "scheduling"), (run.accelerator_execs, "execution")) if run else ():
            for device, times in execs.items():
                for time in times.times:
                    by_device.setdefault(f"Op {kind} threads: {device}", []).append((*time.int64_values, node.name))
    for process, (name, bars) in enumerate(sorted(by_device.items())):
        yield _process(name, process)
        for lane, inside in enumerate(_lanes(sorted(bars))):
            for start, micros, node in inside:
                yield {"args": {"name": node}, "cat": "Op", "dur": micros, "name": node, "ph": "X", "pid": process,
                       "tid": lane, "ts": start}


def _nodes(place: Place) -> Iterator[Any]:
    yield from place.nodes
    for child in place.shown:
        yield from _nodes(child)


def _lanes(bars: Sequence[tuple[int, int, str]]) -> list[list[tuple[int, int, str]]]:
    """Bars that do not overlap share a lane."""
    lanes: list[list[tuple[int, int, str]]] = []
    for bar in bars:
        free = next((lane for lane in lanes if lane[-1][0] + lane[-1][1] <= bar[0]), None)
        if free is None:
            lanes.append(free := [])
        free.append(bar)
    return lanes


def _tree_events(place: Place, depth: int, start: int, named: set[int]) -> Iterator[dict[str, Any]]:
    """The tree as a flame: a child stands below its parent, as long as what it costs."""
    if depth not in named:
        named.add(depth)
        yield _process(f"Scope:{depth}", depth)
    yield {"args": {"name": place.name, "op": place.name}, "cat": "Op", "dur": place.total["micros"],
           "name": place.name, "ph": "X", "pid": depth, "tid": 0, "ts": start}
    for child in place.shown:
        yield from _tree_events(child, depth + 1, start, named)
        start += child.total["micros"]


# ---- pprof

_UNITS = {"micros": "microseconds", "accelerator_micros": "microseconds", "cpu_micros": "microseconds",
          "bytes": "bytes", "peak_bytes": "bytes", "residual_bytes": "bytes", "output_bytes": "bytes"}


def _write_pprof(root: Place, profile: Any, cmd: str, options: Any, path: str) -> None:
    select = list(options["select"])
    if cmd != "code":
        raise errors.InvalidArgumentError(None, None, f"tf.profiler: pprof shows lines, the view 'code', not {cmd!r}")
    if len(select) != 1 or select[0] not in COSTS:
        print(f"tf.profiler writes nothing for pprof, which shows one number, not {select}")
        return
    message = _Pprof(profile, select[0], options["step"]).of(root)
    whole_files.write_string_to_file(path, gzip.compress(message.SerializeToString(deterministic=True)))


class _Pprof:
    """A profile for pprof: a sample for each node, with the lines that made it."""

    def __init__(self, profile: Any, cost: str, step: int) -> None:
        self._profile, self._cost, self._step = profile, cost, step
        self._message = proto.profile_pb2.Profile()
        self._words: dict[str, int] = {"": 0}
        self._functions: dict[tuple[str, str], int] = {}
        self._locations: dict[tuple[int, int], int] = {}

    def of(self, root: Place) -> Any:
        """The message of all that is shown below a place."""
        for child in root.shown:
            self._add(child, [])
        for name, unit in (("count", "count"), (self._cost, _UNITS.get(self._cost, "count"))):
            self._message.sample_type.add(type=self._word(name), unit=self._word(unit))
        self._message.comment.append(self._word("nodes of the graph, by the lines that made them"))
        self._message.string_table.extend(self._words)
        return self._message

    def _add(self, place: Place, above: list[int]) -> None:
        stack = [self._location(place), *above]
        for node in place.nodes:
            sample = self._message.sample.add(location_id=stack, value=[1, costs_of(node, self._step)[self._cost]])
            sample.label.add(key=self._word("graph node:"), str=self._word(node.name))
        for child in place.shown:
            self._add(child, stack)

    def _word(self, word: str) -> int:
        return self._words.setdefault(word, len(self._words))

    def _location(self, place: Place) -> int:
        words, trace = self._profile.id_to_string, place.trace
        file = words[trace.file_id]
        module = file.rpartition("/")[2].removesuffix(".py")
        name = f"{module}:{words[trace.function_id]}"
        if place.name.endswith(views.GRADIENT):
            name += views.GRADIENT
        if (file, name) not in self._functions:
            self._functions[file, name] = number = len(self._functions) + 1
            self._message.function.add(id=number, name=self._word(name), filename=self._word(file),
                                       start_line=trace.func_start_line)
        key = self._functions[file, name], trace.lineno
        if key not in self._locations:
            self._locations[key] = number = len(self._locations) + 1
            self._message.location.add(id=number).line.add(function_id=key[0], line=trace.lineno)
        return self._locations[key]
