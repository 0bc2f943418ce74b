"""Hooks that watch the steps of monitored sessions: they fetch every tensor together with what the step fetches."""

from __future__ import annotations

from typing import Any

from evergraph.debug.debugger.prompt import Prompt
from evergraph.debug.debugger.sessions import behind, keep_step
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


class LocalCLIDebugHook(SessionRunHook):
    """Asks at the terminal before each step; see LocalCLIDebugWrapperSession.

    Args:
        ui_type: "readline" or "curses"; both are lines at a prompt.
        dump_root: a directory in which the tensors of watched steps are also kept; None for none.
        thread_name_filter: must be None: a hook sees the steps of its own session.
    """

    def __init__(self, ui_type: str = "curses", dump_root: str | None = None,
                 thread_name_filter: str | None = None) -> None:
        if thread_name_filter is not None:
            raise NotImplementedError("LocalCLIDebugHook watches all steps of its session: thread_name_filter")
        self._prompt = Prompt(dump_root, ui_type)
        self._runs = 0

    def add_tensor_filter(self, filter_name: str, tensor_filter: Any) -> None:
        """Adds a filter by name; see LocalCLIDebugWrapperSession."""
        self._prompt.filters[filter_name] = tensor_filter

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        self._runs += 1
        asked = run_context.original_args
        self._tensors = None
        if not self._prompt.wants_to_watch(f"run {self._runs}: {asked.fetches!r}"):
            return None
        self._tensors = behind(run_context.session.graph, asked.fetches, asked.feed_dict)
        return SessionRunArgs(self._tensors)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._tensors is not None:
            self._prompt.show(self._tensors, run_values.results)


class DumpingDebugHook(SessionRunHook):
    """Keeps the values of all tensors of each step; see DumpingDebugWrapperSession.

    Args:
        session_root: the directory.
        watch_fn: says which tensors to keep.
        thread_name_filter: must be None: a hook sees the steps of its own session.
        log_usage: whether TensorFlow logs the use of its debugger. There is no such log.
    """

    def __init__(self, session_root: str, watch_fn: Any = None, thread_name_filter: str | None = None,
                 log_usage: bool = True) -> None:
        if thread_name_filter is not None:
            raise NotImplementedError("DumpingDebugHook keeps all steps of its session: thread_name_filter")
        self._root, self._watch_fn = session_root, watch_fn
        self._runs = 0

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        self._runs += 1
        asked = run_context.original_args
        self._tensors = behind(run_context.session.graph, asked.fetches, asked.feed_dict)
        return SessionRunArgs(self._tensors)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        asked = run_context.original_args
        keep_step(self._root, self._runs, self._watch_fn, asked.fetches, asked.feed_dict, self._tensors,
                  run_values.results)
