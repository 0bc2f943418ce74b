"""Which lines of a program made the nodes of a dumped run."""

from __future__ import annotations

import os
import pathlib
import re
from typing import Any

import numpy as np

from evergraph.debug.debugger import graphs
from evergraph.debug.debugger.profiling import AggregateProfile
from evergraph.passes.state import with_inner

_LIBRARY = str(pathlib.Path(__file__).resolve().parents[2])
UNCOMPILED_SOURCE_SUFFIXES, COMPILED_SOURCE_SUFFIXES = (".py",), (".pyc", ".pyo")


def is_extension_uncompiled_python_source(file_path: str) -> bool:
    """Whether a file is Python source."""
    return os.path.splitext(file_path)[1].lower() in UNCOMPILED_SOURCE_SUFFIXES


def is_extension_compiled_python_source(file_path: str) -> bool:
    """Whether a file is compiled Python."""
    return os.path.splitext(file_path)[1].lower() in COMPILED_SOURCE_SUFFIXES


def guess_is_tensorflow_py_library(py_file_path: str) -> bool:
    """Whether a file belongs to the library, and not to a program.

    Raises:
        ValueError: it is no Python file.
    """
    if not (is_extension_uncompiled_python_source(py_file_path) or is_extension_compiled_python_source(py_file_path)
            or py_file_path.startswith("<")):
        raise ValueError(f"Input file path ({py_file_path}) is not a Python source file.")
    path = os.path.realpath(py_file_path)
    return path.startswith(_LIBRARY + os.sep) and not path.endswith("_test.py")


def load_source(source_file_path: str) -> tuple[list[str], int]:
    """(the lines of a file, the digits of the last line's number).

    Raises:
        IOError: the file cannot be read.
    """
    with open(source_file_path, "rb") as file:
        text = file.read().decode("utf-8")
    lines = text.split("\n")
    return lines, int(np.ceil(np.log10(len(lines) + 1))) + 3


def annotate_source(dump: Any, source_file_path: str, do_dumped_tensors: bool = False, file_stack_top: bool = False,
                    min_line: int | None = None, max_line: int | None = None) -> dict[int, list[str]]:
    """Line -> the nodes, or the dumped tensors, that it made.

    Args:
        dump: a DebugDumpDir with a tf.Graph.
        source_file_path: the file.
        do_dumped_tensors: whether tensors are listed and not nodes.
        file_stack_top: whether only the innermost line of the file counts.
        min_line, max_line: the first line, and the one behind the last.

    Raises:
        ValueError: the dump has no graph.
    """
    graph = dump.python_graph
    if not graph:
        raise ValueError("the dump has no tf.Graph: call its set_python_graph")
    wanted = os.path.realpath(source_file_path)
    found: dict[int, list[str]] = {}
    for operation in with_inner(graph.get_operations()):
        for file, line, *_ in reversed(operation.traceback):
            if (min_line is not None and line < min_line) or (max_line is not None and line >= max_line):
                continue
            if os.path.realpath(file) != wanted:
                continue
            if do_dumped_tensors:
                keys = dump.debug_watch_keys(operation.name)
                items = list(dict.fromkeys(_tensor_name(key) for key in keys))
            else:
                items = [operation.name]
            if items:
                found.setdefault(line, []).extend(items)
            if file_stack_top:
                break
    return found


def _tensor_name(watch_key: str) -> str:
    return ":".join(watch_key.split(":")[:2])


def list_source_files_against_dump(dump: Any, path_regex_whitelist: str | None = None,
                                   node_name_regex_whitelist: str | None = None
                                   ) -> list[tuple[str, bool, int, int, int, int]]:
    """The files whose lines made nodes of a run.

    Returns:
        (path, whether it belongs to the library, nodes, tensors, dumps, first line) of each, by path.

    Raises:
        ValueError: the dump has no graph.
    """
    graph = dump.python_graph
    if not graph:
        raise ValueError("the dump has no tf.Graph: call its set_python_graph")
    path_pattern = re.compile(path_regex_whitelist) if path_regex_whitelist else None
    node_pattern = re.compile(node_name_regex_whitelist) if node_name_regex_whitelist else None
    nodes: dict[str, set[str]] = {}
    first: dict[str, int] = {}
    by_node = _dumps_by_node(dump)
    operations = list(with_inner(graph.get_operations()))
    for operation in operations:
        if node_pattern and not node_pattern.match(operation.name):
            continue
        for file, line, *_ in operation.traceback:
            if path_pattern and not path_pattern.match(file):
                continue
            path = os.path.realpath(file)
            nodes.setdefault(path, set()).add(operation.name)
            first[path] = min(first.get(path, line), line)
    outputs = {operation.name: len(operation.outputs) for operation in operations}
    return [(path, guess_is_tensorflow_py_library(path), len(names), sum(outputs[name] for name in names),
             sum(by_node.get(name, 0) for name in names), first[path]) for path, names in sorted(nodes.items())]


def _dumps_by_node(dump: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for datum in dump.dumped_tensor_data:
        found[datum.node_name] = found.get(datum.node_name, 0) + 1
    return found


def annotate_source_against_profile(profile_data: Any, source_file_path: str, node_name_filter: str | None = None,
                                    op_type_filter: str | None = None, min_line: int | None = None,
                                    max_line: int | None = None) -> dict[int, dict[str, Any]]:
    """Line -> node -> an AggregateProfile of the times of what the line made."""
    names = re.compile(node_name_filter) if node_name_filter else None
    types = re.compile(op_type_filter) if op_type_filter else None
    wanted = os.path.realpath(source_file_path)
    found: dict[int, dict[str, Any]] = {}
    for datum in profile_data:
        if not datum.file_path or os.path.realpath(datum.file_path) != wanted:
            continue
        line = datum.line_number
        if min_line is not None and line < min_line or max_line is not None and line >= max_line:
            continue
        name = graphs.get_node_name(datum.node_exec_stats.node_name)
        if names and not names.match(name) or types and not types.match(datum.op_type):
            continue
        at = found.setdefault(line, {})
        if name in at:
            at[name].add(datum)
        else:
            at[name] = AggregateProfile(datum)
    return found
