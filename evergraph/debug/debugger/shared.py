"""What the commands of the debugger share: colors, sizes and times as words, introductions, tensors as lines."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.debug.debugger import formats, parser
from evergraph.debug.debugger.lines import (
    MAIN_MENU_KEY,
    Menu,
    MenuItem,
    RichLine,
    RichTextLines,
    get_tensorflow_version_lines,
    rich_text_lines_from_rich_line_list,
)
from evergraph.debug.debugger.watching import get_flattened_names, get_graph_element_name

COLOR_BLACK, COLOR_BLUE, COLOR_CYAN, COLOR_GRAY = "black", "blue", "cyan", "gray"
COLOR_GREEN, COLOR_MAGENTA, COLOR_RED, COLOR_WHITE, COLOR_YELLOW = "green", "magenta", "red", "white", "yellow"
TIME_UNIT_US, TIME_UNIT_MS, TIME_UNIT_S = "us", "ms", "s"
TIME_UNITS = [TIME_UNIT_US, TIME_UNIT_MS, TIME_UNIT_S]
DEFAULT_NDARRAY_DISPLAY_THRESHOLD = 2000
_LINE = "=" * 38
_LOGO = ["", "TTTTTT FFFF DDD  BBBB   GGG ", "  TT   F    D  D B   B G    ", "  TT   FFF  D  D BBBB  G  GG",
         "  TT   F    D  D B   B G   G", "  TT   F    DDD  BBBB   GGG ", ""]


def bytes_to_readable_str(num_bytes: int | None, include_b: bool = False) -> str:
    """12, 1.21k, 1.21M, 1.21G."""
    if num_bytes is None:
        return str(num_bytes)
    for size, unit in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "k")):
        if num_bytes >= size:
            return f"{num_bytes / size:.2f}{unit}" + ("B" if include_b else "")
    return f"{num_bytes}" + ("B" if include_b else "")


def time_to_readable_str(value_us: int | float | None, force_time_unit: str | None = None) -> str:
    """0, 12us, 1.2ms, 1.2s; in a unit of choice.

    Raises:
        ValueError: there is no such unit.
    """
    if not value_us:
        return "0"
    if force_time_unit:
        if force_time_unit not in TIME_UNITS:
            raise ValueError(f"Invalid time unit: {force_time_unit}")
        return f"{value_us / (1, 1e3, 1e6)[TIME_UNITS.index(force_time_unit)]:.10g}{force_time_unit}"
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if value_us >= size:
            return f"{value_us / size:.3g}{unit}"
    return f"{value_us:.3g}us"


def parse_ranges_highlight(ranges_string: str) -> formats.HighlightOptions | None:
    """The highlighting of elements in ranges."""
    if not ranges_string:
        return None
    ranges = parser.parse_ranges(ranges_string)
    return formats.HighlightOptions(parser.in_ranges(ranges), description=ranges_string)


def numpy_printoptions_from_screen_info(screen_info: Any) -> dict[str, Any]:
    """How NumPy prints arrays on the screen."""
    return {"linewidth": screen_info["cols"]} if screen_info and "cols" in screen_info else {}


def format_tensor(tensor: Any, tensor_name: str, np_printoptions: Any, print_all: bool = False,
                  tensor_slicing: str | None = None, highlight_options: Any = None,
                  include_numeric_summary: bool = False, write_path: str | None = None) -> RichTextLines:
    """A tensor, or a slice of it, as lines; with `write_path` it is saved there and not shown."""
    if tensor_slicing:
        value, label = parser.evaluate_tensor_slice(tensor, tensor_slicing), tensor_name + tensor_slicing
    else:
        value, label = tensor, tensor_name
    note = None
    if write_path:
        with open(write_path, "wb") as file:
            np.save(file, value)
            size = file.tell()
        note = f"Saved value to: {write_path} ({bytes_to_readable_str(size)}B)"
    # ranks of zero have no ellipses to show
    options = {**np_printoptions, "threshold": np.size(value) + 1 if print_all else DEFAULT_NDARRAY_DISPLAY_THRESHOLD}
    if note is not None:
        found = formats.format_tensor(value, label, include_metadata=True, np_printoptions=options)
        first = found.lines.index("") + 1 if "" in found.lines else len(found.lines)
        saved = found.slice(0, first)
        saved.append(note)
        return saved
    return formats.format_tensor(value, label, include_metadata=True, include_numeric_summary=include_numeric_summary,
                                 np_printoptions=options, highlight_options=highlight_options)


def error(msg: str) -> RichTextLines:
    """A line about a mistake."""
    line = f"ERROR: {msg}"
    return RichTextLines([line], font_attr_segs={0: [(0, len(line), COLOR_RED)]})


def recommend_command(command: str, description: str, indent: int = 2, create_link: bool = False) -> RichTextLines:
    """Lines about a command that the user may want next."""
    font: Any = [MenuItem("", command), "bold"] if create_link else "bold"
    return rich_text_lines_from_rich_line_list([
        RichLine(" " * indent) + RichLine(command, font) + ":", RichLine(" " * indent + "  " + description)])


def get_tfdbg_logo() -> RichTextLines:
    """The debugger's sign."""
    found = RichTextLines(list(_LOGO))
    found.extend(get_tensorflow_version_lines())
    return found


def _structure_lines(names: list[str], title: str, empty: str) -> list[str]:
    return [title, *(f"  {name}" for name in names or [empty])]


def get_run_start_intro(run_call_count: int, fetches: Any, feed_dict: Any, tensor_filters: Any,
                        is_callable_runner: bool = False) -> RichTextLines:
    """What the prompt says before a run."""
    lines = [_LINE]
    if is_callable_runner:
        lines.append("Running a runner returned by Session.make_callable()")
    else:
        lines += [f"Session.run() call #{run_call_count}:", "", "Fetch(es):",
                  *(f"  {name}" for name in get_flattened_names(fetches)), "", "Feed dict:",
                  *(f"  {get_graph_element_name(feed)}" for feed in feed_dict or ())]
        if not feed_dict:
            lines.append("  (Empty)")
    found = RichTextLines([*lines, _LINE, "", "Select one of the following commands to proceed ---->"])
    for command, description in (
            ("run", "Execute the run() call with debug tensor-watching"),
            ("run -n", "Execute the run() call without debug tensor-watching"),
            ("run -t <T>", "Execute run() calls (T - 1) times without debugging, then execute run() once more with "
             "debugging and drop back to the CLI"),
            ("run -f <filter_name>", "Keep executing run() calls until a dumped tensor passes a given, registered "
             "filter (conditional breakpoint mode)")):
        found.extend(recommend_command(command, description, create_link="<" not in command))
    found.append("    Registered filter(s):")
    for name in tensor_filters or ():
        found.append_rich_line(RichLine("        * ") + RichLine(name, [MenuItem(None, f"run -f {name}"), "bold"]))
    if not tensor_filters:
        found.append("        (None)")
    found.append("")
    found.append_rich_line(RichLine("For more details, see ") + RichLine("help.", ["bold", MenuItem("", "help")]) + ".")
    found.append("")
    menu = Menu()
    menu.append(MenuItem("run", "run"))
    menu.append(MenuItem("exit", "exit"))
    found.annotations[MAIN_MENU_KEY] = menu
    return found


def get_run_short_description(run_call_count: int, fetches: Any, feed_dict: Any,
                              is_callable_runner: bool = False) -> str:
    """A run in one line."""
    if is_callable_runner:
        return f"runner from make_callable() #{run_call_count}"
    names = get_flattened_names(fetches)
    text = f"run #{run_call_count}: "
    text += f"1 fetch ({names[0]}); " if len(names) == 1 else f"{len(names)} fetches; "
    if not feed_dict:
        return text + "0 feeds"
    if len(feed_dict) == 1:
        return text + f"1 feed ({get_graph_element_name(next(iter(feed_dict)))})"
    return text + f"{len(feed_dict)} feeds"


def get_error_intro(tf_error: Any) -> RichTextLines:
    """What the prompt says after a run that failed."""
    found = RichTextLines(["--------------------------------------", "!!! An error occurred during the run !!!", "",
                           "These commands look at it:"])
    name = getattr(getattr(tf_error, "op", None), "name", None)
    if isinstance(tf_error, errors.OpError) and name:
        for command, description in ((f"ni -a -d -t {name}", "Inspect information about the failing op."),
                                     (f"li -r {name}", "List inputs to the failing op, recursively."),
                                     ("lt", "List what the run has computed until then.")):
            found.extend(recommend_command(command, description, create_link=True))
        found.extend(RichTextLines(["", f"Op name:    {name}"]))
    else:
        found.extend(RichTextLines(["", "Which node has failed is not known."]))
    found.extend(RichTextLines([f"Error type: {type(tf_error)}", "", "Details:", str(tf_error), "",
                                "--------------------------------------", ""]))
    return found
