"""A view as text, to the letter as TensorFlow's profiler prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.debug.profiler.costs import input_shapes
from evergraph.debug.profiler.views import Place

_TIMES = ("micros", "accelerator_micros", "cpu_micros")
_CPU_DOC = ("cpu execution time: The time from the start to the end of the operation. It's the sum of actual cpu run "
            "time plus the time that it spends waiting if part of computation is launched asynchronously.")
_ACCELERATOR_DOC = ("accelerator execution time: Time spent executing on the accelerator. This is normally measured by "
                    "the actual hardware library.")
_BY_NAME = "scope: The nodes in the model graph are organized by their names, which is hierarchical like filesystem."
_VIEW_DOCS = {
    "scope": _BY_NAME,
    "graph": _BY_NAME,
    "op": "op: The nodes are operation kernel type, such as MatMul, Conv2D. Graph nodes belonging to the same type are "
          "aggregated together.",
    "code": "code: When python trace is available, the nodes are python lines and their are organized by the python "
            "call stack.",
}
_DOCS = {  # in the order in which they are printed
    "accelerator_micros": [_ACCELERATOR_DOC],
    "bytes": ["requested bytes: The memory requested by the operation, accumulatively."],
    "cpu_micros": [_CPU_DOC],
    "device": ["device: which device is placed on."],
    "float_ops": ["flops: Number of float operations. Note: Please read the implementation for the math behind it."],
    "input_shapes": ["input shape: The shape of input tensors"],
    "micros": ["total execution time: Sum of accelerator execution time and cpu execution time.", _CPU_DOC,
               _ACCELERATOR_DOC],
    "num_hidden_ops": [],  # a name of earlier versions, which has no column
    "occurrence": ["occurrence: The number of times it occurs"],
    "op_types": ["op_types: The attributes of the operation, includes the Kernel name device placed on and "
                 "user-defined strings."],
    "output_bytes": ["output bytes: The memory that is output from the operation (not necessarily allocated by the "
                     "operation)"],
    "params": ["param: Number of parameters (in the Variable)."],
    "peak_bytes": ["peak bytes: The peak amount of memory that the operation is holding at some point."],
    "residual_bytes": ["residual bytes: The memory not de-allocated after the operation finishes."],
    "tensor_value": ["tensor_value: Not supported now."],  # has no column in TensorFlow either
}
_HEADINGS = {
    "params": "# parameters", "float_ops": "# float_ops", "bytes": "requested bytes", "peak_bytes": "peak bytes",
    "residual_bytes": "residual bytes", "output_bytes": "output bytes", "micros": "total execution time",
    "accelerator_micros": "accelerator execution time", "cpu_micros": "cpu execution time",
    "device": "assigned devices", "op_types": "op types", "occurrence": "op count (run|defined)",
    "input_shapes": "input shapes",
}
_BYTES = ("bytes", "peak_bytes", "residual_bytes", "output_bytes")
_LAST = ("device", "op_types", "occurrence", "input_shapes")
_BY_ONE = ("params", "float_ops", *_BYTES, *_TIMES, *_LAST)  # the order of columns by scope and data flow
_BY_MANY = (*_BYTES, *_TIMES, "params", "float_ops", *_LAST)  # by type and line


def printed(root: Place, profile: Any, cmd: str, select: Sequence[str]) -> str:
    """What the columns mean, and the view as a table.

    Raises:
        InvalidArgumentError: there is no such column.
    """
    unknown = sorted(set(select) - set(_DOCS))
    if unknown:
        raise errors.InvalidArgumentError(None, None, f"tf.profiler has no {unknown}; there are {sorted(_DOCS)}")
    columns = [column for column in (_BY_MANY if cmd in ("op", "code") else _BY_ONE)
               if column in select or column in _TIMES and "micros" in select]
    docs = [line for column in sorted(set(select)) for line in _DOCS[column]]
    headings = {**_HEADINGS, "occurrence": "op occurrence (run|defined)"} if cmd == "op" else _HEADINGS
    body = _type_lines(root, profile, columns) if cmd == "op" else _tree_lines(root, profile, columns, 0)
    table = [" | ".join(["node name", *(headings[column] for column in columns)]), *body]
    return "\n".join(["", "Doc:", _VIEW_DOCS[cmd], *docs, "", "Profile:", *table, ""])


def with_options(text: str, options: Any) -> str:
    """The text between a list of the options and a line that ends it, as it is printed."""
    return "\n".join(["", "=========================Options=============================", *_option_lines(options), "",
                      "==================Model Analysis Report======================", text,
                      "======================End of Report=========================="])


def _option_lines(options: Any) -> Iterator[str]:
    for name in ("max_depth", "min_bytes", "min_peak_bytes", "min_residual_bytes", "min_output_bytes", "min_micros",
                 "min_accelerator_micros", "min_cpu_micros", "min_params", "min_float_ops", "min_occurrence", "step",
                 "order_by", "account_type_regexes", "start_name_regexes", "trim_name_regexes", "show_name_regexes",
                 "hide_name_regexes", "account_displayed_op_only", "select", "output"):
        value = options.get(name, 0)
        if name == "select":
            value = sorted(value)
        if name == "output":
            value = value if ":" in value else f"{value}:"
        text = ",".join(value) if isinstance(value, (list, tuple)) else str(value).lower() \
            if isinstance(value, bool) else str(value)
        yield f"-{name:<26} {text}"


# ---- trees


def _tree_lines(place: Place, profile: Any, columns: Sequence[str], depth: int) -> Iterator[str]:
    cells = [cell for column in columns for cell in _cells(place, profile, column)]
    yield f"{'  ' * depth}{place.name} ({', '.join(cells)})"
    for child in place.shown:
        yield from _tree_lines(child, profile, columns, depth + 1)


def _cells(place: Place, profile: Any, column: str) -> Iterator[str]:
    if column == "device":
        yield from ["|".join(place.devices)] if place.devices else []
    elif column == "op_types":
        yield "|".join(sorted(place.types))
    elif column == "occurrence":
        yield f"{_pair(place, 'run_count', str)}|{_pair(place, 'definition_count', str)}"
    elif column == "input_shapes":
        yield "|".join(_shapes(node, profile) for node in place.nodes)
    else:
        if column == "params" and place.trace is None and place.nodes and place.nodes[0].shape:
            yield "x".join(map(str, place.nodes[0].shape))
        yield _pair(place, column, _WORDS[column]) + {"params": " params", "float_ops": " flops"}.get(column, "")


def _pair(place: Place, cost: str, word: Any) -> str:
    return f"{word(place.own[cost]) if place.is_counted else '--'}/{word(place.total[cost])}"


def _shapes(node: Any, profile: Any) -> str:
    return "|".join(f"{at}:{'x'.join(map(str, sizes)) or 'unknown'}"
                    for at, sizes in input_shapes(node, profile.nodes).items())


# ---- chains of types


def _type_lines(root: Place, profile: Any, columns: Sequence[str]) -> Iterator[str]:
    """What the nodes of each type cost, its share with those that come after it, and its own share."""
    for place in root.shown:
        yield f"{place.name:<25}" + ", ".join(_type_cell(place, root, column) for column in columns
                                              if column != "input_shapes")
        if "input_shapes" in columns:
            yield from _type_shapes(place, profile)


def _type_cell(place: Place, root: Place, column: str) -> str:
    if column == "device":
        return "|".join(place.devices)
    if column == "op_types":
        return "|".join(sorted(place.types))
    if column == "occurrence":
        return f"{place.own['run_count']}|{len(place.nodes)}".rjust(10)
    unit = {"params": " params", "float_ops": " float_ops"}.get(column, "")
    own, whole = place.own[column], root.total[column]
    rest = place.total[column] if own else 0  # a type that has none of it does not say what comes after it
    return f"{_WORDS[column](own)}{unit} ({_share(rest, whole)}, {_share(own, whole)})".rjust(30)


def _type_shapes(place: Place, profile: Any) -> Iterator[str]:
    by_shape: dict[str, list[Any]] = {}
    for node in place.nodes:
        by_shape.setdefault(_shapes(node, profile), []).append(node)
    by_shape.pop("", None)
    for shape, nodes in by_shape.items():
        runs = sum(run.run_count for node in nodes for run in node.execs.values())
        yield f"input_type: {shape},\t(run*{runs}|defined*{len(nodes)})"
    if by_shape:
        yield ""


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole if whole else 0:.2f}%"


# ---- numbers


def number(value: int) -> str:
    """12, 1.20k, 1.20m, 1.20b."""
    return _scaled(value, "", ((10**9, "b"), (10**6, "m"), (10**3, "k")))


def time(micros: int) -> str:
    """12us, 1.20ms, 1.20sec."""
    return _scaled(micros, "us", ((10**6, "sec"), (10**3, "ms")))


def memory(size: int) -> str:
    """12B, 1.20KB, 1.20MB, 1.20GB."""
    return _scaled(size, "B", ((10**9, "GB"), (10**6, "MB"), (10**3, "KB")))


def _scaled(value: int, smallest: str, units: Sequence[tuple[int, str]]) -> str:
    for size, unit in units:
        if value >= size:
            return f"{value / size:.2f}{unit}"
    return f"{value}{smallest}"


_WORDS = {"params": number, "float_ops": number, **dict.fromkeys(_BYTES, memory), **dict.fromkeys(_TIMES, time)}
