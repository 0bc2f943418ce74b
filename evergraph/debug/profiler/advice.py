"""What tf.profiler.advise says of a profile: idle accelerators, slow layouts, and what takes the time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from evergraph import proto
from evergraph.base import errors
from evergraph.debug.profiler import text
from evergraph.debug.profiler.options import ProfileOptionBuilder
from evergraph.debug.profiler.views import Place, viewed
from evergraph.ops.nn import conv

_IDLE = 0.5  # an accelerator that computes for less than this part of a step is reported, as in TensorFlow
_LONG = 1000  # microseconds of a line that is worth a line of the report, as in TensorFlow


def advised(profile: Any, options: Any) -> Any:
    """An AdviceProto.

    Args:
        profile: the ProfileProto.
        options: a dict whose keys are the checkers to run.

    Raises:
        InvalidArgumentError: there is no such checker.
    """
    advice = proto.tfprof_output_pb2.AdviceProto()
    for checker in options:
        if checker not in _CHECKERS:
            raise errors.InvalidArgumentError(None, None, f"tf.profiler.advise knows no {checker!r}; there are "
                                              f"{sorted(_CHECKERS)}")
        check = _CHECKERS[checker]
        if check is not None:
            advice.checkers[checker].reports.extend(check(profile))
            print(f"\n{checker}:", *advice.checkers[checker].reports, sep="\n")
    return advice


def _idle_accelerators(profile: Any) -> Iterator[str]:
    spans: dict[str, list[int]] = {}
    for node in profile.nodes.values():
        for run in node.execs.values():
            for device, execs in run.accelerator_execs.items():
                for time in execs.times:
                    start, micros = time.int64_values
                    first, last, busy = spans.get(device, [start, start, 0])
                    spans[device] = [min(first, start), max(last, start + micros), busy + micros]
    for device, (first, last, busy) in sorted(spans.items()):
        part = busy / max(last - first, 1)
        if part < _IDLE:
            yield f"device: {device} low utilization: {part:.2f}"


def _slow_layouts(profile: Any) -> Iterator[str]:
    slow = [node.name for node in profile.nodes.values() if node.op == conv.conv2d.name
            and node.attrs["data_format"].s == b"NHWC" and "gpu" in node.canonical_device]
    if slow:
        yield f"NCHW is the faster layout on GPUs; {len(slow)} convolutions have NHWC, such as {min(slow)}"


def _expensive(profile: Any) -> Iterator[str]:
    view = {**ProfileOptionBuilder.time_and_memory(0, 0), "select": ["micros"]}
    types = viewed(profile, "op", view)
    whole = types.total["micros"]
    yield "\n".join(f"top {at} operation type: {place.name}, {_times(place.own)} "
                    f"({100 * place.own['micros'] / whole if whole else 0:.2f}%)"
                    for at, place in enumerate(types.shown[:3], 1))
    scopes = viewed(profile, "scope", {**view, "max_depth": 2})
    yield "\n".join(f"top {at} graph node: {place.name}, {_times(place.own)}"
                    for at, place in enumerate(scopes.shown[:3], 1))
    lines = viewed(profile, "code", view)
    while len(lines.shown) == 1:  # what is called from one line alone, such as main, says nothing
        lines = lines.shown[0]
    report = "\n".join(_long_lines(lines, 0))
    if report:
        yield report


def _long_lines(place: Place, depth: int) -> Iterator[str]:
    if len(place.shown) <= 1 or depth > 3:
        return
    for child in place.shown[:10]:
        if child.total["micros"] >= _LONG:
            yield f"{'  ' * depth}{child.name}, {_times(child.total)}"
            yield from _long_lines(child, depth + 1)


def _times(costs: dict[str, int]) -> str:
    return (f"cpu: {text.time(costs['cpu_micros'])}, accelerator: {text.time(costs['accelerator_micros'])}, "
            f"total: {text.time(costs['micros'])}")


_CHECKERS: dict[str, Callable[[Any], Iterator[str]] | None] = {
    "AcceleratorUtilizationChecker": _idle_accelerators,
    "OperationChecker": _slow_layouts,
    "ExpensiveOperationChecker": _expensive,
    "JobChecker": None,  # TensorFlow's has nothing to report either
}
ALL_ADVICE: dict[str, Any] = {checker: {} for checker in _CHECKERS}
