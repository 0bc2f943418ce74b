"""The commands that look at the times of a run: lists of nodes, and the program's lines with bars."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.debug.debugger import parser as parsing
from evergraph.debug.debugger import shared, source
from evergraph.debug.debugger.lines import (
    INIT_SCROLL_POS_KEY,
    MenuItem,
    RichLine,
    RichTextLines,
    rich_text_lines_from_rich_line_list,
)
from evergraph.debug.debugger.profiling import AggregateProfile, ProfileDatum
from evergraph.graph.graph import Graph
from evergraph.passes.state import with_inner

_SORTS: dict[str, Callable[[ProfileDatum], Any]] = {
    "node": lambda datum: datum.node_exec_stats.node_name, "op_type": lambda datum: datum.op_type,
    "op_time": lambda datum: datum.op_time, "exec_time": lambda datum: datum.exec_time,
    "start_time": lambda datum: datum.start_time,
    "line": lambda datum: (datum.file_path or "", datum.line_number or 0)}
_HEADS = ["Node", "Op Type", "Start Time (us)", "Op Time (us)", "Exec Time (us)", "Filename:Lineno(function)"]
_BAR = 20  # characters of the longest bar


class ProfileAnalyzer:
    """Answers commands about the times of a run.

    Args:
        graph: the tf.Graph.
        run_metadata: the RunMetadata of a run with RunOptions.FULL_TRACE.
    """

    def __init__(self, graph: Any, run_metadata: Any) -> None:
        self._graph, self._run_metadata = graph, run_metadata
        self._arg_parsers = {"list_profile": _list_parser(), "print_source": _source_parser()}

    def get_help(self, handler_name: str) -> str:
        """What a command takes."""
        return self._arg_parsers[handler_name].format_help()

    def get_commands(self) -> list[tuple[str, Any, list[str]]]:
        """(command, handler, aliases) of all of them."""
        return [("list_profile", self.list_profile, ["lp"]), ("print_source", self.print_source, ["ps"])]

    def _data(self) -> dict[str, list[ProfileDatum]]:
        """Device -> the times of its nodes."""
        made = self._made()
        found: dict[str, list[ProfileDatum]] = {}
        for device in self._run_metadata.step_stats.dev_stats:
            data = found.setdefault(device.device, [])
            for stats in device.node_stats:
                name = stats.node_name
                operation = made.get(name) or made.get(name.partition(":")[0])
                where = (operation.traceback[-1] if operation is not None and operation.traceback else (None, 0, ""))
                data.append(ProfileDatum(device.device, stats, where[0], where[1], where[2],
                                         operation.type if operation is not None else ""))
        return found

    def _made(self) -> dict[str, Any]:
        """The operations by name, also those of loops and functions, whose arguments are called as what they get."""
        operations = self._graph.get_operations()
        inner = list(with_inner(operations)) if isinstance(self._graph, Graph) else []
        return {operation.name: operation for operation in (*inner, *operations)}

    def list_profile(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """The nodes and their times, by device."""
        parsed = self._arg_parsers["list_profile"].parse_args(args)
        unit = parsed.time_unit
        keeps = _filter(parsed)
        output, devices = [], self._data()
        for at, (device, data) in enumerate(devices.items(), 1):
            if parsed.device_name_filter and not re.match(parsed.device_name_filter, device):
                continue
            kept = sorted((datum for datum in data if keeps(datum)), key=_SORTS[parsed.sort_by], reverse=parsed.reverse)
            output.append(RichLine(f"Device {at} of {len(devices)}: {device}", "bold"))
            output += [RichLine(""), *_table(kept, data, unit), RichLine("")]
        return rich_text_lines_from_rich_line_list(output) if output else RichTextLines([""])

    def print_source(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """A file of the program with a bar for the time of each line."""
        parsed = self._arg_parsers["print_source"].parse_args(args)
        devices = self._data()
        if parsed.device_name_filter:
            pattern = re.compile(parsed.device_name_filter)
            devices = {name: data for name, data in devices.items() if pattern.match(name)}
        data = [datum for each in devices.values() for datum in each]
        lines = self._lines_with_traces(data)
        annotations = source.annotate_source_against_profile(
            lines, parsed.source_file_path, node_name_filter=parsed.node_name_filter or None,
            op_type_filter=parsed.op_type_filter or None)
        if not annotations:
            return RichTextLines([f"The source file {parsed.source_file_path} does not contain any profile information "
                                  "for the previous Session run under the following filters:",
                                  f"  --node_name_filter: {parsed.node_name_filter}",
                                  f"  --op_type_filter: {parsed.op_type_filter}",
                                  f"  --device_name_filter: {parsed.device_name_filter}"],
                                 {0: [(0, 10, shared.COLOR_RED)]})
        texts, _ = source.load_source(parsed.source_file_path)
        return self._annotated(parsed, texts, annotations)

    def _lines_with_traces(self, data: list[ProfileDatum]) -> list[ProfileDatum]:
        """Each node at every line of the program that took part in making it."""
        made = self._made()
        found = []
        for datum in data:
            operation = made.get(datum.node_exec_stats.node_name.partition(":")[0])
            for file, line, function, *_ in operation.traceback if operation is not None else ():
                found.append(ProfileDatum(datum.device_name, datum.node_exec_stats, file, line, function,
                                          datum.op_type))
        return found

    def _annotated(self, parsed: Any, texts: list[str], annotations: dict[int, dict[str, AggregateProfile]]
                   ) -> RichTextLines:
        totals = {line: sum(each.total_exec_time if parsed.cost_type == "exec_time" else each.total_op_time
                            for each in nodes.values()) for line, nodes in annotations.items()}
        longest = max(totals.values()) or 1
        heads = ["Bar".ljust(_BAR + 3), "Time".ljust(11), "#nodes(#runs)".ljust(12), "Line"]
        output, first = [RichLine("".join(heads).rstrip(), "bold"), RichLine("")], None
        for at, text in enumerate(texts, 1):
            label = RichLine(f"L{at} ", shared.COLOR_YELLOW)
            nodes = annotations.get(at)
            if nodes is None:
                output.append(RichLine(" " * (_BAR + 25)) + label + text)
                continue
            first = len(output) if first is None else first
            bar = max(1, math.ceil(_BAR * totals[at] / longest))
            time = shared.time_to_readable_str(totals[at], force_time_unit=parsed.time_unit)
            runs = sum(each.node_exec_count for each in nodes.values())
            command = f"lp --file_path_filter {parsed.source_file_path} --min_lineno {at} --max_lineno {at + 1}"
            for flag, value in (("node_name_filter", parsed.node_name_filter),
                                ("op_type_filter", parsed.op_type_filter)):
                command += f" --{flag} {value}" if value else ""
            line = RichLine(f"[{'|' * bar}{' ' * (_BAR - bar)}] ")
            line += RichLine(time.ljust(10), [shared.COLOR_BLUE, MenuItem("", command)])
            output.append(line + f" {len(nodes)}({runs}) ".ljust(12) + label + text)
        return rich_text_lines_from_rich_line_list(output, annotations={
            INIT_SCROLL_POS_KEY: parsed.init_line + 1 if parsed.init_line else first or 0})


def _table(data: list[ProfileDatum], everything: list[ProfileDatum], unit: str | None) -> list[RichLine]:
    start = min((datum.start_time for datum in everything), default=0)
    words = lambda micros: shared.time_to_readable_str(micros, force_time_unit=unit)
    heads = [head.replace("(us)", f"({unit})") if unit and head != "Start Time (us)" else head for head in _HEADS]
    rows = [[datum.node_exec_stats.node_name, datum.op_type, str(datum.start_time - start), words(datum.op_time),
             words(datum.exec_time), datum.file_line_func] for datum in data]
    total = ["Device Total", "", "", words(sum(d.op_time for d in data)), words(sum(d.exec_time for d in data)), ""]
    widths = [max(len(word) for word in column) + 1 for column in zip(heads, *rows, total, strict=True)]
    lines = []
    for row, font in ((heads, "bold"), *((row, None) for row in rows), (total, "bold")):
        lines.append(RichLine("".join(word.ljust(width) for word, width in zip(row, widths)).rstrip(), font))
    return lines


def _filter(parsed: Any) -> Callable[[ProfileDatum], bool]:
    exec_time = parsing.parse_time_interval(parsed.execution_time) if parsed.execution_time else None
    op_time = parsing.parse_time_interval(parsed.op_time) if parsed.op_time else None

    def keeps(datum: ProfileDatum) -> bool:
        for pattern, word in ((parsed.node_name_filter, datum.node_exec_stats.node_name),
                              (parsed.op_type_filter, datum.op_type), (parsed.file_path_filter, datum.file_path or "")):
            if pattern and not re.match(pattern, word):
                return False
        if parsed.min_lineno > 0 and datum.line_number < parsed.min_lineno:
            return False
        if parsed.max_lineno > 0 and datum.line_number >= parsed.max_lineno:
            return False
        return (exec_time is None or exec_time.contains(datum.exec_time)) and (
            op_time is None or op_time.contains(datum.op_time))

    return keeps


def _list_parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description="List nodes profile information.", usage=argparse.SUPPRESS)
    for short, name, text in (("-d", "device_name", "device name"), ("-n", "node_name", "node name"),
                              ("-t", "op_type", "op type"), ("-f", "file_path", "file path")):
        found.add_argument(short, f"--{name}_filter", dest=f"{name}_filter", type=str, default="",
                           help=f"filter {text} by regex.")
    found.add_argument("--min_lineno", dest="min_lineno", type=int, default=-1,
                       help="the first line; 0 for any")
    found.add_argument("--max_lineno", dest="max_lineno", type=int, default=-1,
                       help="the line behind the last; 0 for any")
    found.add_argument("-e", "--execution_time", dest="execution_time", type=str, default="",
                       help="an interval of the whole time of a node, such as '[1us, 2ms)' or '>5'")
    found.add_argument("-o", "--op_time", dest="op_time", type=str, default="",
                       help="an interval of the time of its computation alone")
    found.add_argument("-s", "--sort_by", dest="sort_by", type=str, default="start_time", choices=sorted(_SORTS),
                       help="the field to sort the data by: (node | op_type | op_time | exec_time | start_time | line)")
    found.add_argument("-r", "--reverse", dest="reverse", action="store_true",
                       help="sort the data in reverse (descending) order")
    found.add_argument("--time_unit", dest="time_unit", type=str, default="", choices=["", *shared.TIME_UNITS],
                       help="Time unit (us, ms, s)")
    return found


def _source_parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description="Print a file of the program with the time of what each line made",
                                    usage=argparse.SUPPRESS)
    found.add_argument("source_file_path", type=str, help="Path to the source file.")
    found.add_argument("--cost_type", type=str, choices=["exec_time", "op_time"], default="exec_time",
                       help="Type of cost to display")
    found.add_argument("--time_unit", type=str, default="us", choices=shared.TIME_UNITS, help="Time unit (us, ms, s)")
    for short, name, text in (("-d", "device_name", "device name"), ("-n", "node_name", "node name"),
                              ("-t", "op_type", "op type")):
        found.add_argument(short, f"--{name}_filter", dest=f"{name}_filter", type=str, default="",
                           help=f"Filter {text} by regex.")
    found.add_argument("--init_line", dest="init_line", type=int, default=0,
                       help="the line to begin at")
    return found
