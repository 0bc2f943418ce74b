"""Sessions around sessions that watch their runs: tensorflow.python.debug.wrappers."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

from evergraph import proto
from evergraph.base import errors, nest
from evergraph.debug.debugger.watching import watch_graph
from evergraph.formats.debug_files import (
    FEED_KEYS_INFO_FILE_TAG,
    FETCHES_INFO_FILE_TAG,
    METADATA_FILE_PREFIX,
    log_event,
)
from evergraph.graph import scopes


class OnSessionInitAction:
    """What to do when a session is wrapped."""

    PROCEED, REMOTE_INSTR_LOOP = "proceed", "remote_instr_loop"


class OnRunStartAction:
    """What to do with a run."""

    DEBUG_RUN, PROFILE_RUN, NON_DEBUG_RUN = "debug_run", "profile_run", "non_debug_run"


class OnSessionInitRequest:
    """A session that is being wrapped."""

    def __init__(self, sess: Any) -> None:
        self.session = sess


class OnSessionInitResponse:
    """What to do with it: an OnSessionInitAction."""

    def __init__(self, action: str) -> None:
        self.action = action


class OnRunStartRequest:
    """A run that is about to begin: what `Session.run` was called with, and the number of the call."""

    def __init__(self, fetches: Any, feed_dict: Any, run_options: Any, run_metadata: Any, run_call_count: int,
                 is_callable_runner: bool = False) -> None:
        self.fetches, self.feed_dict = fetches, feed_dict
        self.run_options, self.run_metadata = run_options, run_metadata
        self.run_call_count, self.is_callable_runner = run_call_count, is_callable_runner


class OnRunStartResponse:
    """What to do with it: an OnRunStartAction, where dumps go, and which tensors they are of."""

    def __init__(self, action: str, debug_urls: list[str], debug_ops: Any = "DebugIdentity",
                 node_name_regex_whitelist: str | None = None, op_type_regex_whitelist: str | None = None,
                 tensor_dtype_regex_whitelist: str | None = None,
                 tolerate_debug_op_creation_failures: bool = False) -> None:
        self.action, self.debug_urls, self.debug_ops = action, debug_urls, debug_ops
        self.node_name_regex_whitelist = node_name_regex_whitelist
        self.op_type_regex_whitelist = op_type_regex_whitelist
        self.tensor_dtype_regex_whitelist = tensor_dtype_regex_whitelist
        self.tolerate_debug_op_creation_failures = tolerate_debug_op_creation_failures


class OnRunEndRequest:
    """A run that is over: what was done with it, its metadata, and the error that it ended with."""

    def __init__(self, performed_action: str, run_metadata: Any = None, client_graph_def: Any = None,
                 tf_error: Any = None) -> None:
        self.performed_action, self.run_metadata = performed_action, run_metadata
        self.client_graph_def, self.tf_error = client_graph_def, tf_error


class OnRunEndResponse:
    """There is nothing to say."""


class WatchOptions:
    """Which tensors a NonInteractiveDebugWrapperSession dumps, and what debug ops make of them."""

    def __init__(self, debug_ops: Any = None, node_name_regex_whitelist: str | None = None,
                 op_type_regex_whitelist: str | None = None, tensor_dtype_regex_whitelist: str | None = None,
                 tolerate_debug_op_creation_failures: bool = False) -> None:
        self.debug_ops = debug_ops or ["DebugIdentity"]
        self.node_name_regex_whitelist = node_name_regex_whitelist
        self.op_type_regex_whitelist = op_type_regex_whitelist
        self.tensor_dtype_regex_whitelist = tensor_dtype_regex_whitelist
        self.tolerate_debug_op_creation_failures = tolerate_debug_op_creation_failures

    def __repr__(self) -> str:
        return f"WatchOptions({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


class BaseDebugWrapperSession:
    """A session around another one, which is asked before and told after each run.

    Subclasses say what to do in `on_session_init`, `on_run_start` and `on_run_end`.

    Args:
        sess: the session.
        thread_name_filter: a pattern of the threads whose runs are looked at; None for all.
        pass_through_operrors: whether the errors of watched runs are raised, and not only told.

    Raises:
        TypeError: `sess` is no session.
        ValueError: `on_session_init` has asked for something else than to proceed.
    """

    def __init__(self, sess: Any, thread_name_filter: str | None = None, pass_through_operrors: bool = False) -> None:
        if not callable(getattr(sess, "run", None)):
            raise TypeError(f"Expected type {BaseDebugWrapperSession}; got type {type(sess)}")
        self._sess, self._pass_through_operrors = sess, pass_through_operrors
        self._thread_name_filter_pattern = re.compile(thread_name_filter) if thread_name_filter else None
        self._run_call_count = 0
        self._default_session_context_manager: Any = None
        self._cached_callables_from_options: dict[int, Any] = {}
        response = self.on_session_init(OnSessionInitRequest(sess))
        if not isinstance(response, OnSessionInitResponse):
            raise TypeError(f"Expected type {OnSessionInitResponse}; got type {type(response)}")
        if response.action == OnSessionInitAction.REMOTE_INSTR_LOOP:
            raise NotImplementedError("OnSessionInitAction REMOTE_INSTR_LOOP has not been implemented.")
        if response.action != OnSessionInitAction.PROCEED:
            raise ValueError(f"Invalid OnSessionInitAction value: {response.action}")

    graph = property(lambda self: self._sess.graph)
    graph_def = property(lambda self: self._sess.graph_def)
    sess_str = property(lambda self: self._sess.sess_str)
    session = property(lambda self: self._sess)
    run_call_count = property(lambda self: self._run_call_count)

    def on_session_init(self, request: OnSessionInitRequest) -> OnSessionInitResponse:
        """Is asked when the session is wrapped."""
        raise NotImplementedError(f"{type(self).__name__} has no on_session_init")

    def on_run_start(self, request: OnRunStartRequest) -> OnRunStartResponse:
        """Is asked before a run."""
        raise NotImplementedError(f"{type(self).__name__} has no on_run_start")

    def on_run_end(self, request: OnRunEndRequest) -> OnRunEndResponse:
        """Is told after a run."""
        raise NotImplementedError(f"{type(self).__name__} has no on_run_end")

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None,
            callable_runner: Any = None, callable_runner_args: Any = None, callable_options: Any = None) -> Any:
        """Runs as the session does, watched if that is asked for.

        Args:
            fetches, feed_dict, options, run_metadata: those of `Session.run`.
            callable_runner, callable_runner_args: a function of `make_callable`, and its arguments, in their place.
            callable_options: a CallableOptions in their place.
        """
        if callable_runner is not None and (fetches is not None or feed_dict is not None):
            raise ValueError("callable_runner and fetches/feed_dict are mutually exclusive")
        fetches, feed_dict = self._asked(fetches, feed_dict, callable_options, callable_runner_args)
        self.increment_run_call_count()
        if not self._is_thread_watched() or callable_runner is None and not _has_elements(fetches):
            return self._plain(fetches, feed_dict, options, run_metadata, callable_runner, callable_runner_args)
        response = self.on_run_start(OnRunStartRequest(
            fetches, feed_dict, options, run_metadata, self._run_call_count,
            is_callable_runner=bool(callable_runner)))
        if not isinstance(response, OnRunStartResponse):
            raise TypeError(f"Expected type {OnRunStartResponse}; got type {type(response)}")
        if callable_options is not None and options is None:
            options = callable_options.run_options
        if response.action == OnRunStartAction.NON_DEBUG_RUN:
            return self._plain(fetches, feed_dict, options, run_metadata, callable_runner, callable_runner_args)
        if response.action not in (OnRunStartAction.DEBUG_RUN, OnRunStartAction.PROFILE_RUN):
            raise ValueError(f"Invalid OnRunStartAction value: {response.action}")
        return self._looked_at(response, fetches, feed_dict, options, run_metadata, callable_runner,
                               callable_runner_args)

    def _looked_at(self, response: OnRunStartResponse, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any,
                   callable_runner: Any, arguments: Any) -> Any:
        chosen = proto.config_pb2.RunOptions()
        chosen.CopyFrom(options or chosen)
        metadata = proto.config_pb2.RunMetadata() if run_metadata is None else run_metadata
        if response.action == OnRunStartAction.DEBUG_RUN:
            self._decorate_run_options_for_debug(chosen, response)
        else:
            chosen.trace_level = chosen.FULL_TRACE
        results, found = None, None
        try:
            results = self._plain(fetches, feed_dict, chosen, metadata, callable_runner, arguments)
        except errors.OpError as error:
            if self._pass_through_operrors or not self._has_dumps(response):
                raise
            found = error
        self.on_run_end(OnRunEndRequest(response.action, metadata, self._sess.graph.as_graph_def(), found))
        return results

    def _has_dumps(self, response: OnRunStartResponse) -> bool:
        """Whether the run has begun: errors from before that are the program's own."""
        return any(os.path.isdir(url.removeprefix("file://")) for url in response.debug_urls)

    def _plain(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any, callable_runner: Any,
               arguments: Any) -> Any:
        if callable_runner is not None:
            return callable_runner(*(arguments or ()), options=options, run_metadata=run_metadata)
        return self._sess.run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)

    def _asked(self, fetches: Any, feed_dict: Any, callable_options: Any, arguments: Any) -> tuple[Any, Any]:
        if callable_options is None:
            return fetches, feed_dict
        names = [name if ":" in name else f"{name}:0" for name in callable_options.fetch]
        feeds = [name if ":" in name else f"{name}:0" for name in callable_options.feed]
        return [*names, *callable_options.target], dict(zip(feeds, arguments or (), strict=True))

    def _is_thread_watched(self) -> bool:
        return self._thread_name_filter_pattern is None or bool(
            self._thread_name_filter_pattern.match(threading.current_thread().name))

    def _decorate_run_options_for_debug(self, run_options: Any, response: OnRunStartResponse) -> None:
        run_options.output_partition_graphs = True
        watch_graph(run_options, self._sess.graph, debug_ops=response.debug_ops, debug_urls=response.debug_urls,
                    node_name_regex_whitelist=response.node_name_regex_whitelist,
                    op_type_regex_whitelist=response.op_type_regex_whitelist,
                    tensor_dtype_regex_whitelist=response.tensor_dtype_regex_whitelist,
                    tolerate_debug_op_creation_failures=response.tolerate_debug_op_creation_failures)

    def increment_run_call_count(self) -> None:
        """Counts a run."""
        self._run_call_count += 1

    def run_step_fn(self, step_fn: Callable[[Any], Any]) -> Any:
        """Calls a function with a context whose `session.run` is watched."""
        return step_fn(_StepContext(self))

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> Any:
        """Partial runs are not watched: raises NotImplementedError."""
        raise NotImplementedError("partial runs cannot be watched: partial_run_setup")

    def partial_run(self, handle: Any, fetches: Any, feed_dict: Any = None) -> Any:
        """Partial runs are not watched: raises NotImplementedError."""
        raise NotImplementedError("partial runs cannot be watched: partial_run")

    def list_devices(self, *args: Any, **kwargs: Any) -> Any:
        """The devices of the session."""
        return self._sess.list_devices(*args, **kwargs)

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        """Resets the session."""
        return self._sess.reset(*args, **kwargs)

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable[..., Any]:
        """A function that runs `fetches`, watched."""
        runner = self._sess.make_callable(fetches, feed_list=feed_list, accept_options=True)

        def call(*arguments: Any, **keywords: Any) -> Any:
            return self.run(None, options=keywords.get("options"), run_metadata=keywords.get("run_metadata"),
                            callable_runner=runner, callable_runner_args=arguments)

        return call

    def _make_callable_from_options(self, callable_options: Any) -> Callable[..., Any]:
        def call(*values: Any, run_metadata: Any = None) -> Any:
            return self.run(None, run_metadata=run_metadata, callable_options=callable_options,
                            callable_runner_args=values)

        return call

    def as_default(self) -> Any:
        """A with-block in which this is the default session."""
        return scopes.sessions.pushed(self)

    def __enter__(self) -> BaseDebugWrapperSession:
        self._default_session_context_manager = self._default_session_context_manager or self.as_default()
        self._default_session_context_manager.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._default_session_context_manager.__exit__(*raised)

    def close(self) -> None:
        """Closes the session."""
        self._sess.close()

    def should_stop(self) -> bool:
        """Whether a monitored session is to stop; ValueError around another one."""
        if not hasattr(self._sess, "should_stop"):
            raise ValueError(f"The wrapped session {self._sess!r} does not have a method 'should_stop', as monitored "
                             "ones have")
        return self._sess.should_stop()


class _StepContext:
    def __init__(self, session: BaseDebugWrapperSession) -> None:
        self.session = session

    def request_stop(self) -> None:
        raise StopIteration("step_fn has requested the iterations to stop.")


def _has_elements(fetches: Any) -> bool:
    return bool(nest.flatten(fetches)) if isinstance(fetches, (list, tuple, dict)) else fetches is not None


class NonInteractiveDebugWrapperSession(BaseDebugWrapperSession):
    """Watches every run as a function says.

    Args:
        sess, thread_name_filter, pass_through_operrors: see BaseDebugWrapperSession.
        watch_fn: a function of fetches and feeds that returns WatchOptions; None watches everything.

    Raises:
        TypeError: `watch_fn` cannot be called.
    """

    def __init__(self, sess: Any, watch_fn: Any = None, thread_name_filter: str | None = None,
                 pass_through_operrors: bool = False) -> None:
        super().__init__(sess, thread_name_filter, pass_through_operrors)
        if watch_fn is not None and not callable(watch_fn):
            raise TypeError("watch_fn is not callable")
        self._watch_fn = watch_fn

    def on_session_init(self, request: OnSessionInitRequest) -> OnSessionInitResponse:
        return OnSessionInitResponse(OnSessionInitAction.PROCEED)

    def prepare_run_debug_urls(self, fetches: Any, feed_dict: Any) -> Any:
        """Where the dumps of a run go."""
        raise NotImplementedError(f"{type(self).__name__} has no prepare_run_debug_urls")

    def on_run_start(self, request: OnRunStartRequest) -> OnRunStartResponse:
        urls = self.prepare_run_debug_urls(request.fetches, request.feed_dict)
        options = self._watch_options(request.fetches, request.feed_dict)
        return OnRunStartResponse(
            OnRunStartAction.DEBUG_RUN, [urls] if isinstance(urls, str) else urls, debug_ops=options.debug_ops,
            node_name_regex_whitelist=options.node_name_regex_whitelist,
            op_type_regex_whitelist=options.op_type_regex_whitelist,
            tensor_dtype_regex_whitelist=options.tensor_dtype_regex_whitelist,
            tolerate_debug_op_creation_failures=options.tolerate_debug_op_creation_failures)

    def _watch_options(self, fetches: Any, feed_dict: Any) -> WatchOptions:
        if self._watch_fn is None:
            return WatchOptions()
        found = self._watch_fn(fetches, feed_dict)
        if isinstance(found, tuple):  # what such functions returned before there were WatchOptions
            return WatchOptions(*found)
        return found

    def on_run_end(self, request: OnRunEndRequest) -> OnRunEndResponse:
        return OnRunEndResponse()


class DumpingDebugWrapperSession(NonInteractiveDebugWrapperSession):
    """Keeps the tensors of each run, in a directory of its own below `session_root`.

    Args:
        sess: the session.
        session_root: the directory; it must be empty or not exist.
        watch_fn: given fetches and feeds, returns WatchOptions; None keeps everything.
        thread_name_filter: a pattern of the threads whose runs are kept.
        pass_through_operrors: whether errors of runs are raised.
        log_usage: whether TensorFlow logs the use of its debugger. There is no such log.

    Raises:
        ValueError: `session_root` is a file, or has something in it.
    """

    def __init__(self, sess: Any, session_root: str, watch_fn: Any = None, thread_name_filter: str | None = None,
                 pass_through_operrors: bool | None = None, log_usage: bool = True) -> None:
        super().__init__(sess, watch_fn, thread_name_filter, bool(pass_through_operrors))
        session_root = os.path.expanduser(session_root)
        if os.path.exists(session_root):
            if not os.path.isdir(session_root):
                raise ValueError(f"session_root path points to a file: {session_root}")
            if os.listdir(session_root):
                raise ValueError(f"session_root path points to a non-empty directory: {session_root}")
        else:
            os.makedirs(session_root)
        self._session_root, self._run_counter, self._lock = session_root, 0, threading.Lock()

    def prepare_run_debug_urls(self, fetches: Any, feed_dict: Any) -> str:
        with self._lock:
            folder = os.path.join(self._session_root, f"run_{int(time.time() * 1e6)}_{self._run_counter}")
            self._run_counter += 1
        os.makedirs(folder)
        for tag, content in ((FETCHES_INFO_FILE_TAG, repr(fetches)),
                             (FEED_KEYS_INFO_FILE_TAG, repr(feed_dict.keys()) if feed_dict else repr(None))):
            with open(os.path.join(folder, METADATA_FILE_PREFIX + tag), "wb") as file:
                file.write(log_event(content).SerializeToString())
        return f"file://{folder}"


def new_dump_root() -> str:
    """A directory for dumps that nobody keeps; it does not exist yet."""
    return tempfile.mktemp(prefix="tfdbg_")


def remove_dumps(dump_root: str) -> None:
    """Removes a directory of dumps."""
    if os.path.isdir(dump_root):
        shutil.rmtree(dump_root)

