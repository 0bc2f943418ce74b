"""Adds watches to RunOptions: tensorflow.python.debug.lib.debug_utils, and the keys of runs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.debug.debugger.graphs import is_copy_node, is_debug_node
from evergraph.graph.graph import Graph
from evergraph.ops.debugging import DEBUG_IDENTITY
from evergraph.passes.state import with_inner

_Keeps = Callable[[str, str, str], bool]


def add_debug_tensor_watch(run_options: Any, node_name: str, output_slot: int = 0,
                           debug_ops: str | Sequence[str] = DEBUG_IDENTITY,
                           debug_urls: str | Sequence[str] | None = None,
                           tolerate_debug_op_creation_failures: bool = False, global_step: int = -1) -> None:
    """Adds a tensor to those that a run dumps.

    Args:
        run_options: the RunOptions.
        node_name: the node; "*" for the nodes that the runtime adds.
        output_slot: its output; -1 for all of them.
        debug_ops: what is made of the tensor: DebugIdentity, DebugNanCount, DebugNumericSummary(...).
        debug_urls: where the dumps go, such as file:///tmp/dumps.
        tolerate_debug_op_creation_failures: whether a debug op that cannot look at the tensor is left out.
        global_step: what the dumps say of the global step.
    """
    options = run_options.debug_options
    options.global_step = global_step
    options.debug_tensor_watch_opts.add(
        node_name=node_name, output_slot=output_slot, debug_ops=_as_list(debug_ops), debug_urls=_as_list(debug_urls),
        tolerate_debug_op_creation_failures=tolerate_debug_op_creation_failures)


def watch_graph(run_options: Any, graph: Graph, debug_ops: str | Sequence[str] = DEBUG_IDENTITY,
                debug_urls: str | Sequence[str] | None = None, node_name_regex_whitelist: str | None = None,
                op_type_regex_whitelist: str | None = None, tensor_dtype_regex_whitelist: str | None = None,
                tolerate_debug_op_creation_failures: bool = False, global_step: int = -1,
                reset_disk_byte_usage: bool = False) -> None:
    """Adds the tensors of a graph whose node, op and dtype match patterns; all of them without patterns.

    Args:
        run_options, debug_ops, debug_urls, tolerate_debug_op_creation_failures, global_step: see
            `add_debug_tensor_watch`.
        graph: the graph.
        node_name_regex_whitelist, op_type_regex_whitelist, tensor_dtype_regex_whitelist: the patterns, which match
            from the beginning.
        reset_disk_byte_usage: whether TensorFlow counts the bytes of dumps anew, of which there is no limit here.
    """
    patterns = _compiled(node_name_regex_whitelist, op_type_regex_whitelist, tensor_dtype_regex_whitelist)
    _watch(run_options, graph, debug_ops, debug_urls, tolerate_debug_op_creation_failures, global_step,
           reset_disk_byte_usage, lambda *words: all(
               pattern is None or pattern.match(word) for pattern, word in zip(patterns, words, strict=True)))
    if patterns == [None, None, None]:
        add_debug_tensor_watch(run_options, "*", -1, debug_ops, debug_urls, tolerate_debug_op_creation_failures,
                               global_step)


def watch_graph_with_blacklists(run_options: Any, graph: Graph, debug_ops: str | Sequence[str] = DEBUG_IDENTITY,
                                debug_urls: str | Sequence[str] | None = None,
                                node_name_regex_blacklist: str | None = None,
                                op_type_regex_blacklist: str | None = None,
                                tensor_dtype_regex_blacklist: str | None = None,
                                tolerate_debug_op_creation_failures: bool = False, global_step: int = -1,
                                reset_disk_byte_usage: bool = False) -> None:
    """Adds the tensors of a graph whose node, op and dtype match no pattern; see `watch_graph`."""
    patterns = _compiled(node_name_regex_blacklist, op_type_regex_blacklist, tensor_dtype_regex_blacklist)
    _watch(run_options, graph, debug_ops, debug_urls, tolerate_debug_op_creation_failures, global_step,
           reset_disk_byte_usage, lambda *words: not any(
               pattern is not None and pattern.match(word) for pattern, word in zip(patterns, words, strict=True)))


def _watch(run_options: Any, graph: Graph, debug_ops: Any, debug_urls: Any, tolerates: bool, global_step: int,
           resets: bool, keeps: _Keeps) -> None:
    run_options.debug_options.reset_disk_byte_usage = resets
    seen = set[str]()
    for operation in with_inner(graph.get_operations()):
        if operation.name in seen or is_copy_node(operation.name) or is_debug_node(operation.name):
            continue
        seen.add(operation.name)  # an argument of a loop's body is called as what it is given
        for slot, tensor in enumerate(operation.outputs):
            if keeps(operation.name, operation.type, tensor.dtype.name):
                add_debug_tensor_watch(run_options, operation.name, slot, debug_ops, debug_urls, tolerates, global_step)


def _compiled(*patterns: str | None) -> list[re.Pattern[str] | None]:
    return [re.compile(pattern) if pattern else None for pattern in patterns]


def _as_list(words: str | Sequence[str] | None) -> list[str]:
    return [] if words is None else [words] if isinstance(words, str) else list(words)


# ---- what a run is called


def get_graph_element_name(elem: Any) -> str:
    """The name of a tensor or operation; of anything else its text."""
    return elem.name if hasattr(elem, "name") else str(elem)


def get_flattened_names(feeds_or_fetches: Any) -> list[str]:
    """The names in a structure of feeds or fetches."""
    if feeds_or_fetches is None:
        return []
    if isinstance(feeds_or_fetches, dict):
        return [name for value in feeds_or_fetches.values() for name in get_flattened_names(value)]
    if isinstance(feeds_or_fetches, (list, tuple)):
        return [name for value in nest.flatten(feeds_or_fetches) for name in get_flattened_names(value)]
    return [get_graph_element_name(feeds_or_fetches)]


def get_run_key(feed_dict: Any, fetches: Any) -> str:
    """A text that is the same for runs with the same feeds and fetches."""
    feeds = [get_graph_element_name(key) if not isinstance(key, str) else _tensor_name(key, feed_dict[key])
             for key in feed_dict or {}]
    return json.dumps((sorted(feeds), sorted(get_flattened_names(fetches))))


def _tensor_name(key: str, value: Any) -> str:
    return get_graph_element_name(value) if hasattr(value, "name") else key
