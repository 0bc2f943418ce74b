"""Sessions that watch their steps: one that dumps all tensors, one that asks at the terminal."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base import nest
from evergraph.debug.debugger import dumps
from evergraph.debug.debugger.prompt import Prompt
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor


class WrapperSession:
    """A session around another one, which sees every run.

    Args:
        sess: the session.
        thread_name_filter: a pattern; only runs of threads whose names match are watched.
    """

    def __init__(self, sess: Any, thread_name_filter: str | None = None) -> None:
        self._sess, self._threads = sess, thread_name_filter
        self._runs = 0

    graph = property(lambda self: self._sess.graph)
    graph_def = property(lambda self: self._sess.graph_def)
    sess_str = property(lambda self: self._sess.sess_str)
    session = property(lambda self: self._sess)

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Runs a step, watched."""
        self._runs += 1
        if not self._is_watched_thread():
            return self._sess.run(fetches, feed_dict, options, run_metadata)
        return self._watched(fetches, feed_dict, options, run_metadata)

    def _is_watched_thread(self) -> bool:
        return self._threads is None or re.match(self._threads, threading.current_thread().name) is not None

    def _watched(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        raise NotImplementedError

    def _run_with_tensors(self, fetches: Any, feed_dict: Any, options: Any,
                          run_metadata: Any) -> tuple[Any, list[Tensor], list[Any]]:
        """(the values of the fetches, all tensors behind them, their values) of one step."""
        tensors = behind(self._sess.graph, fetches, feed_dict)
        found, values = self._sess.run([fetches, tensors], feed_dict, options, run_metadata)
        return found, tensors, values

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sess, name)

    def __enter__(self) -> WrapperSession:
        self._sess.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._sess.__exit__(*error)


def behind(graph: Graph, fetches: Any, feed_dict: Any) -> list[Tensor]:
    """The tensors that a step computes and whose values are arrays, in the order of their nodes."""
    fed = {graph.as_graph_element(key) for key in feed_dict or () if not isinstance(key, tuple)}
    stack = [_operation(graph, each) for each in nest.flatten(fetches)]
    seen: set[Operation] = set()
    while stack:
        op = stack.pop()
        if op is None or op in seen:
            continue
        seen.add(op)
        stack += [t.op for t in op.inputs if t not in fed] + list(op.control_inputs)
    return [t for op in sorted(seen, key=lambda each: each.age) for t in op.outputs
            if t not in fed and _has_array(t) and graph.is_fetchable(t)]


def _operation(graph: Graph, fetch: Any) -> Operation | None:
    element = graph.as_graph_element(getattr(fetch, "op", fetch))
    return element.op if isinstance(element, Tensor) else element


def _has_array(tensor: Tensor) -> bool:
    return tensor.dtype.base_dtype.name not in ("resource", "variant") and not tensor.dtype.is_ref


class DumpingDebugWrapperSession(WrapperSession):
    """Keeps the values of all tensors of each step, in a directory of its own below `session_root`.

    Args:
        sess: the session.
        session_root: the directory; it must be empty or not exist.
        watch_fn: given fetches and feeds, returns an object with `node_name_regex_whitelist`, a pattern of the nodes to
            keep; None keeps all.
        thread_name_filter: a pattern of the threads whose runs are kept.
        pass_through_operrors: whether errors of steps are raised; they are.
        log_usage: whether TensorFlow logs the use of its debugger. There is no such log.

    Raises:
        ValueError: `session_root` is a file, or has something in it.
    """

    def __init__(self, sess: Any, session_root: str, watch_fn: Any = None, thread_name_filter: str | None = None,
                 pass_through_operrors: bool | None = None, log_usage: bool = True) -> None:
        super().__init__(sess, thread_name_filter)
        if os.path.isfile(session_root) or os.path.isdir(session_root) and os.listdir(session_root):
            raise ValueError(f"session_root must be a directory with nothing in it: {session_root}")
        self._root, self._watch_fn = session_root, watch_fn

    def _watched(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        found, tensors, values = self._run_with_tensors(fetches, feed_dict, options, run_metadata)
        keep_step(self._root, self._runs, self._watch_fn, fetches, feed_dict, tensors, values)
        return found


def keep_step(root: str, number: int, watch_fn: Any, fetches: Any, feed_dict: Any, tensors: list[Tensor],
              values: list[Any]) -> None:
    """Writes the dump of a step."""
    pattern = None
    if watch_fn is not None:
        pattern = getattr(watch_fn(fetches, feed_dict), "node_name_regex_whitelist", None)
    folder = os.path.join(root, f"run_{int(time.time() * 1e6)}_{number}")
    dumps.write(folder, [(t.op.name, t.value_index, np.asarray(v)) for t, v in zip(tensors, values)
                         if pattern is None or re.match(pattern, t.op.name)])


class WatchOptions:
    """Which tensors a DumpingDebugWrapperSession keeps.

    Args:
        debug_ops: only DebugIdentity, the value itself.
        node_name_regex_whitelist: a pattern of the names of nodes.
        op_type_regex_whitelist, tensor_dtype_regex_whitelist: must be None.
        tolerate_debug_op_creation_failures: has no meaning here.
    """

    def __init__(self, debug_ops: Any = None, node_name_regex_whitelist: str | None = None,
                 op_type_regex_whitelist: str | None = None, tensor_dtype_regex_whitelist: str | None = None,
                 tolerate_debug_op_creation_failures: bool = False) -> None:
        if op_type_regex_whitelist is not None or tensor_dtype_regex_whitelist is not None:
            raise NotImplementedError("WatchOptions selects tensors by the names of nodes")
        self.debug_ops = debug_ops or [dumps.DEBUG_OP]
        if [op.partition("(")[0] for op in self.debug_ops] != [dumps.DEBUG_OP]:
            raise NotImplementedError(f"WatchOptions keeps values ({dumps.DEBUG_OP}), not {self.debug_ops}")
        self.node_name_regex_whitelist = node_name_regex_whitelist


class LocalCLIDebugWrapperSession(WrapperSession):
    """Asks at the terminal before each step, and shows the tensors of steps: run, lt, pt; "help" lists the commands.

    Args:
        sess: the session.
        dump_root: a directory in which the tensors of watched steps are also kept as files; None for none.
        log_usage: whether TensorFlow logs the use of its debugger. There is no such log.
        ui_type: "readline" or "curses"; both are lines at a prompt here.
        thread_name_filter: a pattern of the threads whose runs are watched.
    """

    def __init__(self, sess: Any, dump_root: str | None = None, log_usage: bool = True, ui_type: str = "curses",
                 thread_name_filter: str | None = None) -> None:
        super().__init__(sess, thread_name_filter)
        self._prompt = Prompt(dump_root, ui_type)

    def add_tensor_filter(self, filter_name: str, tensor_filter: Callable[[Any, Any], Any]) -> None:
        """Adds a function of a datum and its value, by whose name `run -f` and `lt -f` find tensors."""
        self._prompt.filters[filter_name] = tensor_filter

    def _watched(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        if not self._prompt.wants_to_watch(f"run {self._runs}: {fetches!r}"):
            return self._sess.run(fetches, feed_dict, options, run_metadata)
        found, tensors, values = self._run_with_tensors(fetches, feed_dict, options, run_metadata)
        self._prompt.show(tensors, values)
        return found
