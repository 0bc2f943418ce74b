"""The commands that look at a dumped run: lists of tensors and nodes, values, and the program's lines."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.debug.debugger import parser as parsing
from evergraph.debug.debugger import shared, source
from evergraph.debug.debugger.config import CLIConfig
from evergraph.debug.debugger.evaluator import ExpressionEvaluator
from evergraph.debug.debugger.graphs import get_node_name, parse_node_or_tensor_name
from evergraph.debug.debugger.lines import (
    INIT_SCROLL_POS_KEY,
    MAIN_MENU_KEY,
    Menu,
    MenuItem,
    RichLine,
    RichTextLines,
    rich_text_lines_from_rich_line_list,
)

HANG_UNFINISHED, HANG_FINISHED, HANG_SUFFIX = "|  ", "   ", "|- "
DEPTH_TEMPLATE, OP_TYPE_TEMPLATE, CTRL_LABEL, ELLIPSIS = "(%d) ", "[%s] ", "(Ctrl) ", "..."
SORT_TENSORS_BY_TIMESTAMP, SORT_TENSORS_BY_DUMP_SIZE = "timestamp", "dump_size"
SORT_TENSORS_BY_OP_TYPE, SORT_TENSORS_BY_TENSOR_NAME = "op_type", "tensor_name"
_HEADS = {SORT_TENSORS_BY_TIMESTAMP: "t (ms)", SORT_TENSORS_BY_DUMP_SIZE: "Size (B)",
          SORT_TENSORS_BY_OP_TYPE: "Op type", SORT_TENSORS_BY_TENSOR_NAME: "Tensor name"}


def _parser(description: str) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=description, usage=argparse.SUPPRESS)


def _add_main_menu(output: RichTextLines, node_name: str | None = None, enable_list_tensors: bool = True,
                   enable_node_info: bool = True, enable_print_tensor: bool = True, enable_list_inputs: bool = True,
                   enable_list_outputs: bool = True) -> None:
    """Adds the menu of commands that are near, which take the node."""
    menu = Menu()
    menu.append(MenuItem("list_tensors", "list_tensors", enabled=enable_list_tensors))
    for caption, command, is_enabled in (
            ("node_info", "node_info -a -d -t", enable_node_info),
            ("print_tensor", "print_tensor", enable_print_tensor),
            ("list_inputs", "list_inputs -c -r", enable_list_inputs),
            ("list_outputs", "list_outputs -c -r", enable_list_outputs)):
        menu.append(MenuItem(caption, f"{command} {node_name}", enabled=bool(node_name) and is_enabled))
    menu.append(MenuItem("run_info", "run_info"))
    menu.append(MenuItem("help", "help"))
    output.annotations[MAIN_MENU_KEY] = menu


class DebugAnalyzer:
    """Answers commands about a dumped run.

    Args:
        debug_dump: the DebugDumpDir.
        config: the settings of the prompt.
    """

    _TIMESTAMP_COLUMN_HEAD, _DUMP_SIZE_COLUMN_HEAD = "t (ms)", "Size (B)"
    _OP_TYPE_COLUMN_HEAD, _TENSOR_NAME_COLUMN_HEAD = "Op type", "Tensor name"

    def __init__(self, debug_dump: Any, config: CLIConfig) -> None:
        self._debug_dump, self._evaluator, self._config = debug_dump, ExpressionEvaluator(debug_dump), config
        self._tensor_filters: dict[str, Callable[[Any, Any], Any]] = {}
        self._arg_parsers = {}
        depth = config.get("graph_recursion_depth")
        for name, make in (("list_tensors", _list_tensors_parser), ("node_info", _node_info_parser),
                           ("print_tensor", lambda: parsing.get_print_tensor_argparser("Print the value of a dumped "
                                                                                      "tensor.")),
                           ("list_inputs", lambda: _neighbors_parser("input", depth)),
                           ("list_outputs", lambda: _neighbors_parser("output", depth)),
                           ("print_source", _print_source_parser), ("list_source", _list_source_parser),
                           ("eval", _eval_parser)):
            self._arg_parsers[name] = make()
        config.set_callback("graph_recursion_depth", self._set_depth)

    def _set_depth(self, config: CLIConfig) -> None:
        for name in ("list_inputs", "list_outputs"):
            self._arg_parsers[name] = _neighbors_parser(name.removeprefix("list_").removesuffix("s"),
                                                        config.get("graph_recursion_depth"))

    def get_help(self, handler_name: str) -> str:
        """What a command takes."""
        return self._arg_parsers[handler_name].format_help()

    def _node(self, name: str) -> str:
        return get_node_name(name)

    # ---- filters

    def add_tensor_filter(self, filter_name: str, filter_callable: Callable[[Any, Any], Any]) -> None:
        """Adds a filter: a function of a datum and its value.

        Raises:
            TypeError: an argument is of another type.
            ValueError: the name is empty.
        """
        if not isinstance(filter_name, str):
            raise TypeError("Input argument filter_name is expected to be str, but is not.")
        if not filter_name:
            raise ValueError("Input argument filter_name cannot be empty.")
        if not callable(filter_callable):
            raise TypeError("Input argument filter_callable is expected to be callable, but is not.")
        self._tensor_filters[filter_name] = filter_callable

    def get_tensor_filter(self, filter_name: str) -> Callable[[Any, Any], Any]:
        """A filter by name; ValueError if there is none."""
        if filter_name not in self._tensor_filters:
            raise ValueError(f'There is no tensor filter named "{filter_name}"')
        return self._tensor_filters[filter_name]

    # ---- list_tensors

    def list_tensors(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """The dumped tensors, filtered and sorted."""
        parsed = self._arg_parsers["list_tensors"].parse_args(args)
        output, found_filter = [], None
        node_pattern = re.compile(parsed.node_name_filter) if parsed.node_name_filter else None
        type_pattern = re.compile(parsed.op_type_filter) if parsed.op_type_filter else None
        if parsed.tensor_filter:
            try:
                found_filter = self.get_tensor_filter(parsed.tensor_filter)
            except ValueError:
                answer = shared.error(f'There is no tensor filter named "{parsed.tensor_filter}".')
                _add_main_menu(answer, node_name=None, enable_list_tensors=False)
                return answer
            data = self._debug_dump.find(found_filter, exclude_node_names=parsed.filter_exclude_node_names)
        else:
            if parsed.filter_exclude_node_names:
                raise ValueError("--filter_exclude_node_names needs a filter (-f) to exclude nodes from")
            data = self._debug_dump.dumped_tensor_data
        kept = [datum for datum in data if (not node_pattern or node_pattern.match(datum.node_name)) and (
            not type_pattern or type_pattern.match(self._debug_dump.node_op_type(datum.node_name)))]
        widths = self._measure_tensor_list_column_widths(data)
        title = f"{len(kept)} dumped tensor(s)"
        title += f' passing filter "{parsed.tensor_filter}":' if parsed.tensor_filter else ":"
        output.append(RichLine(title, shared.COLOR_GREEN if not parsed.tensor_filter or not kept else shared.COLOR_RED))
        if parsed.op_type_filter:
            output.append(RichLine(f'Op type regex filter: "{parsed.op_type_filter}"'))
        if parsed.node_name_filter:
            output.append(RichLine(f'Node name regex filter: "{parsed.node_name_filter}"'))
        output += [RichLine(""), self._tensor_heads(parsed, *widths)]
        output += [self._tensor_line(datum, *widths) for datum in self._sort_dump_data_by(
            kept, parsed.sort_by, parsed.reverse)]
        answer = rich_text_lines_from_rich_line_list(output)
        _add_main_menu(answer, node_name=None, enable_list_tensors=False)
        return answer

    def _measure_tensor_list_column_widths(self, data: Sequence[Any]) -> tuple[int, int, int]:
        """The widths of the columns of time, size and type."""
        start = self._debug_dump.t0 or 0
        times = [f"[{(datum.timestamp - start) / 1000:.3f}] " for datum in data]
        sizes = [shared.bytes_to_readable_str(datum.dump_size_bytes) for datum in data]
        types = [self._debug_dump.node_op_type(datum.node_name) for datum in data]
        return (max(map(len, [self._TIMESTAMP_COLUMN_HEAD, *times])) + 1,
                max(map(len, [self._DUMP_SIZE_COLUMN_HEAD, *sizes])) + 1,
                max(map(len, [self._OP_TYPE_COLUMN_HEAD, *types])) + 1)

    def _sort_dump_data_by(self, data: Sequence[Any], sort_by: str, reverse: bool) -> list[Any]:
        keys: dict[str, Callable[[Any], Any]] = {
            SORT_TENSORS_BY_TIMESTAMP: lambda datum: datum.timestamp,
            SORT_TENSORS_BY_DUMP_SIZE: lambda datum: datum.dump_size_bytes,
            SORT_TENSORS_BY_OP_TYPE: lambda datum: self._debug_dump.node_op_type(datum.node_name),
            SORT_TENSORS_BY_TENSOR_NAME: lambda datum: datum.tensor_name}
        if sort_by not in keys:
            raise ValueError(f"Unsupported key to sort tensors by: {sort_by}")
        return sorted(data, key=keys[sort_by], reverse=reverse)

    def _tensor_heads(self, parsed: Any, *widths: int) -> RichLine:
        base = "lt"
        for flag, value in (("-f", parsed.tensor_filter), ("-t", parsed.op_type_filter),
                            ("-n", parsed.node_name_filter)):
            base += f" {flag} {value}" if value else ""
        line, end = RichLine(""), 0
        for (key, head), width in zip(_HEADS.items(), (*widths, 0), strict=True):
            command = f"{base} -s {key}" + (" -r" if parsed.sort_by == key and not parsed.reverse else "")
            line += " " * (end - len(line))
            line += RichLine(head, [MenuItem(None, command), "bold"])
            end += width
        return line

    def _tensor_line(self, datum: Any, time_width: int, size_width: int, type_width: int) -> RichLine:
        time = f"[{(datum.timestamp - (self._debug_dump.t0 or 0)) / 1000:.3f}]"
        size = shared.bytes_to_readable_str(datum.dump_size_bytes)
        op_type = self._debug_dump.node_op_type(datum.node_name)
        link = MenuItem("", f"pt {datum.tensor_name} -n {self._number(datum)}" if self._count(datum) > 1
                        else f"pt {datum.tensor_name}")
        return RichLine(time.ljust(time_width) + size.ljust(size_width) + op_type.ljust(type_width)) + RichLine(
            datum.tensor_name, link)

    def _number(self, datum: Any) -> int:
        return [each.file_path for each in self._debug_dump.watch_key_to_data(datum.watch_key)].index(datum.file_path)

    def _count(self, datum: Any) -> int:
        return len(self._debug_dump.watch_key_to_data(datum.watch_key))

    # ---- node_info

    def node_info(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """A node: its type, device, inputs and recipients, and on request attrs, dumps and the lines that made it."""
        parsed = self._arg_parsers["node_info"].parse_args(args)
        node = self._node(parsed.node_name)
        if not self._debug_dump.node_exists(node):
            answer = shared.error(f'There is no node named "{node}" in the partition graphs')
            _add_main_menu(answer, node_name=None, enable_list_tensors=True, enable_node_info=False,
                           enable_list_inputs=False, enable_list_outputs=False)
            return answer
        lines = [RichLine("Node ") + RichLine(node, "bold"), RichLine(""),
                 RichLine(f"  Op: {self._debug_dump.node_op_type(node)}"),
                 RichLine(f"  Device: {self._debug_dump.node_device(node)}")]
        output = rich_text_lines_from_rich_line_list(lines)
        for kind, find in (("input", self._debug_dump.node_inputs), ("recipient", self._debug_dump.node_recipients)):
            output.append("")
            output.extend(self._neighbors(kind, find(node), find(node, is_control=True)))
        if parsed.attributes:
            output.append("")
            output.extend(self._attributes(node))
        if parsed.dumps:
            output.extend(self._dumps(node))
        if parsed.traceback:
            output.extend(self._traceback(node))
        _add_main_menu(output, node_name=node, enable_node_info=False)
        return output

    def _neighbors(self, kind: str, plain: list[str], control: list[str]) -> RichTextLines:
        found = RichTextLines([f"  {len(plain)} {kind}(s) + {len(control)} control {kind}(s):"])
        found.append(f"    {len(plain)} {kind}(s):")
        found.extend(self._neighbor_lines(plain))
        if control:
            found.append("")
            found.append(f"    {len(control)} control {kind}(s):")
            found.extend(self._neighbor_lines(control))
        return found

    def _neighbor_lines(self, names: list[str]) -> RichTextLines:
        return rich_text_lines_from_rich_line_list([
            RichLine(f"      [{self._type(name)}] ") + RichLine(name, MenuItem("", f"ni -a -d -t {name}"))
            for name in names])

    def _type(self, name: str) -> str:
        node = get_node_name(name)
        return self._debug_dump.node_op_type(node) if self._debug_dump.node_exists(node) else "?"

    def _attributes(self, node: str) -> RichTextLines:
        lines = ["Node attributes:"]
        for key, value in sorted(self._debug_dump.node_attributes(node).items()):
            text = repr(value).strip().replace("\n", " ")
            lines += [f"  {key}:", f"    {text if len(text) <= 140 else f'<{len(text)} characters>'}", ""]
        return RichTextLines(lines)

    def _dumps(self, node: str) -> RichTextLines:
        keys = self._debug_dump.debug_watch_keys(node)
        lines, start = [], self._debug_dump.t0 or 0
        for key in keys:
            for datum in self._debug_dump.watch_key_to_data(key):
                time = f"{(datum.timestamp - start) / 1000:.3f} ms"
                lines.append(f"  Slot {datum.output_slot} @ {datum.debug_op} @ {time}")
        return RichTextLines([f"{len(lines)} dumped tensor(s):", "", *lines])

    def _traceback(self, node: str) -> RichTextLines:
        found = RichTextLines(["", "", "Traceback of node construction:"], {2: [(0, 31, "bold")]})
        try:
            trace = self._debug_dump.node_traceback(node)
        except LookupError:
            found.append("(Unavailable because no Python graph has been loaded)")
            return found
        for depth, (file, line, function, text, *_) in enumerate(trace):
            found.append_rich_line(RichLine(f"{depth}: ") + RichLine(
                file, [MenuItem("", f"ps {file} -b {line}"), "bold"]))
            for each in (f"  Line:     {line}", f"  Function: {function}", f"  Text:     {text}", ""):
                found.append(each)
        return found

    # ---- list_inputs and list_outputs

    def list_inputs(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """The inputs of a node as a tree."""
        parsed = self._arg_parsers["list_inputs"].parse_args(args)
        return self._tree(parsed, False)

    def list_outputs(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """The recipients of a node as a tree."""
        parsed = self._arg_parsers["list_outputs"].parse_args(args)
        return self._tree(parsed, True)

    def _tree(self, parsed: Any, is_outputs: bool) -> RichTextLines:
        node = self._node(parsed.node_name)
        if not self._debug_dump.node_exists(node):
            answer = shared.error(f'There is no node named "{node}" in the partition graphs')
            _add_main_menu(answer, node_name=None, enable_list_tensors=True)
            return answer
        depth = parsed.depth if parsed.recursive else 1
        what, command = ("Recipients of", "lo -c -r") if is_outputs else ("Inputs to", "li -c -r")
        included = f", control {'recipients' if is_outputs else 'inputs'} included" if parsed.control else ""
        lines = [RichLine(f'{what} node "') + RichLine(node, "bold") + f'" (Depth limit = {depth}{included}):']
        below = self._branches(node, is_outputs, parsed, depth, 1, [], command)
        lines += below or [RichLine("  [None]")]
        lines += [RichLine(""), RichLine("Legend:"), RichLine("  (d): recursion depth = d.")]
        if parsed.control:
            lines.append(RichLine("  (Ctrl): Control input."))
        if parsed.op_type:
            lines.append(RichLine("  [Op]: Input node has op type Op."))
        answer = rich_text_lines_from_rich_line_list(lines)
        _add_main_menu(answer, node_name=node, enable_list_inputs=is_outputs, enable_list_outputs=not is_outputs)
        return answer

    def _branches(self, node: str, is_outputs: bool, parsed: Any, limit: int, depth: int, unfinished: list[bool],
                  command: str) -> list[RichLine]:
        find = self._debug_dump.node_recipients if is_outputs else self._debug_dump.node_inputs
        if not self._debug_dump.node_exists(node):
            return []
        plain, control = list(find(node)), list(find(node, is_control=True)) if parsed.control else []
        hang = "".join(HANG_UNFINISHED if more else HANG_FINISHED for more in unfinished)
        if depth > limit:
            return [RichLine(hang + HANG_SUFFIX + ELLIPSIS)] if plain or control else []
        lines: list[RichLine] = []
        everything = [(name, False) for name in plain] + [(name, True) for name in control]
        for at, (name, is_control) in enumerate(everything):
            mark = CTRL_LABEL if is_control else ""
            kind = OP_TYPE_TEMPLATE % self._type(name) if parsed.op_type else ""
            lines.append(RichLine(hang + HANG_SUFFIX + DEPTH_TEMPLATE % depth + mark + kind)
                         + RichLine(name, MenuItem("", f"{command} {name}")))
            more = at < len(everything) - 1
            lines += self._branches(get_node_name(name), is_outputs, parsed, limit, depth + 1, [*unfinished, more],
                                    command)
        return lines

    # ---- print_tensor and eval

    def print_tensor(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """The value of a dumped tensor."""
        parsed = self._arg_parsers["print_tensor"].parse_args(args)
        options = shared.numpy_printoptions_from_screen_info(screen_info)
        highlight = shared.parse_ranges_highlight(parsed.ranges)
        tensor_name, slicing = parsing.parse_tensor_name_with_slicing(parsed.tensor_name)
        node, slot = parse_node_or_tensor_name(tensor_name)
        if self._debug_dump.loaded_partition_graphs() and not self._debug_dump.node_exists(node):
            answer = shared.error(f'Node "{node}" does not exist in partition graphs')
            _add_main_menu(answer, node_name=None, enable_list_tensors=True, enable_print_tensor=False)
            return answer
        keys = self._debug_dump.debug_watch_keys(node)
        if slot is None:
            slots = list(dict.fromkeys(int(key.split(":")[1]) for key in keys))
            if len(slots) == 1:
                slot = slots[0]
            else:
                lines = [f'Node "{node}" generated debug dumps from {len(slots)} output slots:',
                         f"Please specify the output slot: {node}:x."]
                answer = RichTextLines(lines)
                _add_main_menu(answer, node_name=node, enable_print_tensor=False)
                return answer
        data = [datum for key in keys for datum in self._debug_dump.watch_key_to_data(key)
                if datum.output_slot == slot]
        answer = self._printed(parsed, f"{node}:{slot}", data, options, highlight, slicing)
        _add_main_menu(answer, node_name=node, enable_print_tensor=False)
        return answer

    def _printed(self, parsed: Any, name: str, data: list[Any], options: Any, highlight: Any,
                 slicing: str) -> RichTextLines:
        if not data:
            return shared.error(f'Tensor "{name}" did not generate any dumps.')
        if len(data) == 1 and parsed.number > 0:
            return shared.error(f"Invalid number ({parsed.number}) for tensor {name}, which generated one dump.")
        if len(data) > 1 and parsed.number < 0:
            lines = [f'Tensor "{name}" generated {len(data)} dumps:']
            found = RichTextLines(lines)
            start = self._debug_dump.t0 or 0
            for at, datum in enumerate(data):
                text = f"#{at} [{(datum.timestamp - start) / 1000:.3f} ms] {datum.watch_key}"
                found.append(text, [(0, len(text), [MenuItem(None, f"pt {name} -n {at}"), "bold"])])
            for line in ("", "You can use the -n (--number) flag to specify which dump to print.", "For example:",
                         f"  print_tensor {name} -n 0"):
                found.append(line)
            return found
        if parsed.number >= len(data):
            return shared.error(f"Specified number ({parsed.number}) exceeds the number of available dumps "
                                f"({len(data)}) for tensor {name}")
        datum = data[max(parsed.number, 0)]
        label = datum.watch_key + (f" (dump #{parsed.number})" if len(data) > 1 else "")
        return shared.format_tensor(datum.get_tensor(), label, options, print_all=parsed.print_all,
                                    tensor_slicing=slicing, highlight_options=highlight,
                                    include_numeric_summary=parsed.numeric_summary, write_path=parsed.write_path)

    def evaluate_expression(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """The value of an expression of dumped tensors."""
        parsed = self._arg_parsers["eval"].parse_args(args)
        value = self._evaluator.evaluate(parsed.expression)
        return shared.format_tensor(value, f"from eval of expression '{parsed.expression}'",
                                    shared.numpy_printoptions_from_screen_info(screen_info), print_all=parsed.print_all,
                                    include_numeric_summary=hasattr(value, "ndim") and value.ndim > 0,
                                    write_path=parsed.write_path)

    # ---- sources

    def print_source(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """A file of the program, with the nodes or tensors that its lines made."""
        parsed = self._arg_parsers["print_source"].parse_args(args)
        try:
            annotations = source.annotate_source(self._debug_dump, parsed.source_file_path,
                                                 do_dumped_tensors=parsed.tensors, min_line=parsed.line_begin)
            lines, width = source.load_source(parsed.source_file_path)
        except (OSError, ValueError) as error:
            return shared.error(str(error))
        output, first = [], None
        if parsed.line_begin > 1:
            output.append(RichLine(f"(... Omitted {parsed.line_begin - 1} source lines ...)"))
        for at in range(max(parsed.line_begin - 1, 0), len(lines)):
            label = RichLine(f"L{at + 1}".ljust(width), shared.COLOR_YELLOW)
            font = "bold" if at + 1 in annotations else None
            if font and first is None:
                first = len(output)
            output.append(label + RichLine(lines[at], font))
            names = sorted(dict.fromkeys(annotations.get(at + 1, ())))
            for name in names[:parsed.max_elements_per_line]:
                output.append(RichLine("    ") + RichLine(name, self._link(name)))
            if len(names) > parsed.max_elements_per_line:
                left, what = len(names) - parsed.max_elements_per_line, "Tensor" if parsed.tensors else "op"
                output.append(RichLine(f"    (... Omitted {left} of {len(names)} {what}(s) ...) ") + RichLine(
                    "+5", MenuItem(None, self._more(parsed, parsed.max_elements_per_line + 5))))
        found = rich_text_lines_from_rich_line_list(output, annotations={
            INIT_SCROLL_POS_KEY: parsed.line_begin - 1 if parsed.line_begin > 1 else first or 0})
        _add_main_menu(found, node_name=None)
        return found

    def _more(self, parsed: Any, count: int) -> str:
        tensors = " -t" if parsed.tensors else ""
        return f"ps {parsed.source_file_path}{tensors} -b {parsed.line_begin} -m {count}"

    def _link(self, name: str) -> Any:
        """What a click on a node or tensor does: it prints what was dumped, and is blue for what was not."""
        node, slot = parse_node_or_tensor_name(name)
        keys = self._debug_dump.debug_watch_keys(node) if self._debug_dump.node_exists(node) else []
        is_dumped = any(self._debug_dump.watch_key_to_data(key) for key in keys)
        if slot is None and not is_dumped:
            return shared.COLOR_BLUE
        return MenuItem("", f"pt {name}")

    def list_source(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """The files whose lines made the nodes of the run."""
        parsed = self._arg_parsers["list_source"].parse_args(args)
        found = source.list_source_files_against_dump(
            self._debug_dump, path_regex_whitelist=parsed.path_filter,
            node_name_regex_whitelist=parsed.node_name_filter)
        top = [RichLine("List of source files that created nodes in this run", "bold")]
        if parsed.path_filter:
            top.append(RichLine(f'File path regex filter: "{parsed.path_filter}"'))
        if parsed.node_name_filter:
            top.append(RichLine(f'Node name regex filter: "{parsed.node_name_filter}"'))
        output = rich_text_lines_from_rich_line_list([*top, RichLine("")])
        if not found:
            output.append("[No source file information.]")
            return output
        output.extend(self._files([item for item in found if not item[1]],
                                  "File(s) outside TensorFlow Python library:", shared.COLOR_WHITE))
        output.extend(self._files([item for item in found if item[1]], "TensorFlow Python library file(s):",
                                  shared.COLOR_GRAY))
        _add_main_menu(output, node_name=None)
        return output

    def _files(self, items: list[Any], title: str, color: str) -> RichTextLines:
        found = RichTextLines([])
        if not items:
            return found
        heads = ["Source file path", "#(nodes)", "#(tensors)", "#(tensor dumps)"]
        cells = [[item[0], *map(str, item[2:5])] for item in items]
        widths = [max(len(word) for word in column) + 1 for column in zip(heads, *cells, strict=True)]
        found.append(title, [(0, len(title), "bold")])
        found.append("".join(head.ljust(width) for head, width in zip(heads, widths)).rstrip())
        for item, row in zip(items, cells, strict=True):
            path = item[0]
            font = [color] if source.is_extension_compiled_python_source(path) else [
                color, MenuItem(None, f"ps {path} -b {item[5]}")]
            line = RichLine(path, font) + RichLine(" " * (widths[0] - len(path)) + "".join(
                word.ljust(width) for word, width in zip(row[1:], widths[1:])).rstrip(), color)
            found.append_rich_line(line)
        found.append("")
        return found

    # ---- the prompt

    def get_commands(self) -> list[tuple[str, Any, list[str]]]:
        """(command, handler, aliases) of all of them."""
        return [("list_tensors", self.list_tensors, ["lt"]), ("node_info", self.node_info, ["ni"]),
                ("list_inputs", self.list_inputs, ["li"]), ("list_outputs", self.list_outputs, ["lo"]),
                ("print_tensor", self.print_tensor, ["pt"]), ("print_source", self.print_source, ["ps"]),
                ("list_source", self.list_source, ["ls"]), ("eval", self.evaluate_expression, ["ev"])]


def add_commands(ui: Any, debug_dump: Any, tensor_filters: dict[str, Any], config: CLIConfig) -> None:
    """Adds to a prompt the commands that look at a dumped run, with the words that complete them."""
    analyzer = DebugAnalyzer(debug_dump, config)
    for name, function in tensor_filters.items():
        analyzer.add_tensor_filter(name, function)
    for command, handler, aliases in analyzer.get_commands():
        ui.register_command_handler(command, handler, analyzer.get_help(command), prefix_aliases=aliases)
    ui.register_tab_comp_context(["print_tensor", "pt"], [datum.tensor_name for datum in debug_dump.dumped_tensor_data])
    if debug_dump.loaded_partition_graphs():
        ui.register_tab_comp_context(["node_info", "ni", "list_inputs", "li", "list_outputs", "lo"], debug_dump.nodes())


# ---- parsers


def _list_tensors_parser() -> argparse.ArgumentParser:
    found = _parser("List dumped intermediate tensors.")
    found.add_argument("-f", "--tensor_filter", dest="tensor_filter", type=str, default="",
                       help="the name of a filter that tensors have to pass")
    found.add_argument("-fenn", "--filter_exclude_node_names", dest="filter_exclude_node_names", type=str, default="",
                       help="a pattern of nodes that the filter leaves out")
    found.add_argument("-n", "--node_name_filter", dest="node_name_filter", type=str, default="",
                       help="filter node name by regex.")
    found.add_argument("-t", "--op_type_filter", dest="op_type_filter", type=str, default="",
                       help="filter op type by regex.")
    found.add_argument("-s", "--sort_by", dest="sort_by", type=str, default=SORT_TENSORS_BY_TIMESTAMP,
                       help="the field to sort the data by: (timestamp | dump_size | op_type | tensor_name)")
    found.add_argument("-r", "--reverse", dest="reverse", action="store_true",
                       help="sort the data in reverse (descending) order")
    return found


def _node_info_parser() -> argparse.ArgumentParser:
    found = _parser("Show information about a node.")
    found.add_argument("node_name", type=str, help="a node or one of its tensors, such as layer/MatMul:0")
    found.add_argument("-a", "--attributes", dest="attributes", action="store_true",
                       help="Also list attributes of the node.")
    found.add_argument("-d", "--dumps", dest="dumps", action="store_true", help="Also list dumps available from the "
                       "node.")
    found.add_argument("-t", "--traceback", dest="traceback", action="store_true",
                       help="Also show the lines of the program that made the node.")
    return found


def _neighbors_parser(kind: str, depth: int) -> argparse.ArgumentParser:
    found = _parser(f"Show {kind}s {'to' if kind == 'input' else 'from'} a node.")
    found.add_argument("node_name", type=str, help="a node or one of its tensors, such as layer/MatMul:0")
    found.add_argument("-c", "--control", action="store_true", help=f"Include control {kind}s.")
    found.add_argument("-d", "--depth", dest="depth", type=int, default=depth,
                       help="how deep the tree is shown")
    found.add_argument("-r", "--recursive", dest="recursive", action="store_true",
                       help=f"Show {kind}s {'to' if kind == 'input' else 'from'} the node recursively.")
    found.add_argument("-t", "--op_type", action="store_true", help=f"Show op types of {kind} nodes.")
    return found


def _print_source_parser() -> argparse.ArgumentParser:
    found = _parser("Print a file of the program; below each line stand the nodes or tensors that it made.")
    found.add_argument("source_file_path", type=str, help="Path to the source file.")
    found.add_argument("-t", "--tensors", dest="tensors", action="store_true", help="show tensors that were dumped, "
                       "not nodes")
    found.add_argument("-m", "--max_elements_per_line", type=int, default=10,
                       help="how many nodes or tensors a line shows at most")
    found.add_argument("-b", "--line_begin", type=int, default=1, help="Print source beginning at line number "
                       "(1-based.)")
    return found


def _list_source_parser() -> argparse.ArgumentParser:
    found = _parser("List the files of the program that made the nodes of this run.")
    found.add_argument("-p", "--path_filter", type=str, default="", help="Regular expression filter for file path.")
    found.add_argument("-n", "--node_name_filter", type=str, default="",
                       help="Regular expression filter for node name.")
    return found


def _eval_parser() -> argparse.ArgumentParser:
    found = _parser("Evaluate an expression of NumPy, which is np, with tensors of this run between backticks: "
                    "eval 'np.sum(`Softmax:0`, axis=1)'.")
    found.add_argument("expression", type=str, help="Expression to be evaluated.")
    found.add_argument("-a", "--all", dest="print_all", action="store_true",
                       help="Print the tensor in its entirety, i.e., do not use ellipses.")
    found.add_argument("-w", "--write_path", type=str, default="", help="a file for the value, in NumPy's format")
    return found

