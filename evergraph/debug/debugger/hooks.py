"""Hooks that watch the runs of monitored sessions."""

from __future__ import annotations

from typing import Any

from evergraph import proto
from evergraph.debug.debugger.local_cli import LocalCLIDebugWrapperSession
from evergraph.debug.debugger.sessions import (
    DumpingDebugWrapperSession,
    OnRunEndRequest,
    OnRunStartAction,
    OnRunStartRequest,
)
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


class WatchingHook(SessionRunHook):
    """Asks a wrapper session what to do with each run, and tells it the end."""

    _wrapper: Any = None

    def _wrapped(self, session: Any) -> Any:
        raise NotImplementedError

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        if self._wrapper is None:
            self._wrapper = self._wrapped(run_context.session)
        self._wrapper.increment_run_call_count()
        asked = run_context.original_args
        self._response = self._wrapper.on_run_start(OnRunStartRequest(
            asked.fetches, asked.feed_dict, None, None, self._wrapper.run_call_count))
        options = proto.config_pb2.RunOptions()
        if self._response.action == OnRunStartAction.DEBUG_RUN:
            self._wrapper._decorate_run_options_for_debug(options, self._response)
        elif self._response.action == OnRunStartAction.PROFILE_RUN:
            options.trace_level = options.FULL_TRACE
        return SessionRunArgs(None, feed_dict=None, options=options)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        self._wrapper.on_run_end(OnRunEndRequest(self._response.action, run_values.run_metadata))


class LocalCLIDebugHook(WatchingHook):
    """Asks at the terminal before and after runs; see LocalCLIDebugWrapperSession.

    Args:
        ui_type: "curses" or "readline".
        dump_root: a directory for the tensors of watched runs; None for a temporary one.
        thread_name_filter: a pattern of the threads whose runs are watched.
    """

    def __init__(self, ui_type: str = "curses", dump_root: str | None = None,
                 thread_name_filter: str | None = None) -> None:
        self._ui_type, self._dump_root, self._threads = ui_type, dump_root, thread_name_filter
        self._filters: dict[str, Any] = {}

    def add_tensor_filter(self, filter_name: str, tensor_filter: Any) -> None:
        """Adds a filter by name; see LocalCLIDebugWrapperSession."""
        self._filters[filter_name] = tensor_filter
        if self._wrapper is not None:
            self._wrapper.add_tensor_filter(filter_name, tensor_filter)

    def _wrapped(self, session: Any) -> LocalCLIDebugWrapperSession:
        found = LocalCLIDebugWrapperSession(session, dump_root=self._dump_root, ui_type=self._ui_type,
                                            thread_name_filter=self._threads)
        for name, function in self._filters.items():
            found.add_tensor_filter(name, function)
        return found


class DumpingDebugHook(WatchingHook):
    """Keeps the tensors of each run; see DumpingDebugWrapperSession.

    Args:
        session_root: the directory.
        watch_fn: says which tensors to keep.
        thread_name_filter: a pattern of the threads whose runs are kept.
        log_usage: whether TensorFlow logs the use of its debugger. There is no such log.
    """

    def __init__(self, session_root: str, watch_fn: Any = None, thread_name_filter: str | None = None,
                 log_usage: bool = True) -> None:
        self._root, self._watch_fn, self._threads = session_root, watch_fn, thread_name_filter

    def _wrapped(self, session: Any) -> DumpingDebugWrapperSession:
        return DumpingDebugWrapperSession(session, self._root, self._watch_fn, self._threads)
