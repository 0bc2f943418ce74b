"""tf.contrib.tfprof.ProfileContext: profiles some of the steps of whatever sessions run in a with-block."""

from __future__ import annotations

import functools
import os
import random
import sys
import threading
from collections.abc import Collection
from typing import Any

from evergraph import proto
from evergraph.base import errors, whole_files
from evergraph.base.export import export
from evergraph.debug.profiler.profile import Profiler
from evergraph.graph.graph import default_graph
from evergraph.run.fetches import Fetches
from evergraph.run.session import BaseSession

MOST_TRACED = 100  # steps that a context traces, and the step at which it writes the profile unless told otherwise
WARM_UP = 10  # steps before a context chooses steps itself, because the first ones plan and compile
_VIEWS = {"graph": Profiler.profile_graph, "scope": Profiler.profile_name_scope, "op": Profiler.profile_operations,
          "code": Profiler.profile_python}


@export("contrib.tfprof.ProfileContext")
class ProfileContext:
    """Traces steps of the sessions that run in its with-block, and writes a ProfileProto to `profile_dir`/profile_N.

    >>> import tempfile
    >>> x = tf.constant(1.0) + 2.0
    >>> with tf.contrib.tfprof.ProfileContext(tempfile.mkdtemp(), trace_steps=[], dump_steps=[]) as context:
    ...     context.trace_next_step()
    ...     value = tf.Session().run(x)
    ...     options = tf.profiler.ProfileOptionBuilder.time_and_memory()
    ...     found = context.profiler.profile_operations({**options, "output": "none"})
    >>> found.total_exec_micros > 0
    True

    Args:
        profile_dir: the directory.
        trace_steps: the runs to trace, at most 100; the first run is 0. By default one of each list of fetches after
            ten runs, and some at random while less than half of the graph has run.
        dump_steps: the runs after which the profile is written; by default the hundredth.
        enabled: whether it does anything.
        debug: whether it also writes the RunMetadata of traced steps as text to `profile_dir`/run_meta_N, and says on
            standard error what it does.

    Raises:
        ValueError: there is no directory, or there are too many steps.
    """

    def __init__(self, profile_dir: str, trace_steps: Collection[int] | None = None,
                 dump_steps: Collection[int] | None = None, enabled: bool = True, debug: bool = False) -> None:
        self._enabled, self._debug = enabled, debug
        if not enabled:
            return
        if not profile_dir:
            raise ValueError("ProfileContext needs a directory for its profiles")
        if len(trace_steps or ()) > MOST_TRACED:
            raise ValueError(f"ProfileContext traces {MOST_TRACED} steps at most, not {len(trace_steps or ())}")
        self._folder, self._chooses = profile_dir, trace_steps is None
        self._trace_steps = set(trace_steps or ())
        self._dump_steps = {MOST_TRACED} if dump_steps is None else set(dump_steps)
        self._automatic: list[tuple[str, Any, set[int]]] = []
        self._views: dict[str, dict[int, Any]] = {}
        self._random, self._known = random.Random(0), set[Any]()
        self._traces_next = self._dumps_next = False
        self._step = self._traced = 0
        self._profiler: Profiler | None = None
        self._lock = threading.Lock()

    @property
    def profiler(self) -> Profiler | None:
        """The tf.profiler.Profiler with the traced steps; None in a context that is not enabled."""
        if not self._enabled:
            return None
        if self._profiler is None:
            self._profiler = Profiler(default_graph())
        return self._profiler

    def trace_next_step(self) -> None:
        """Has the next run traced."""
        self._traces_next = True

    def dump_next_step(self) -> None:
        """Has the profile written after the next run."""
        self._dumps_next = True

    def add_auto_profiling(self, cmd: str, options: Any, profile_steps: Collection[int]) -> None:
        """Shows a view after some runs.

        Args:
            cmd: "scope", "graph", "op" or "code".
            options: those of the view, see `tf.profiler.ProfileOptionBuilder`.
            profile_steps: the runs, which are also traced.

        Raises:
            ValueError: there is no such view.
        """
        if not self._enabled:
            return
        if cmd not in _VIEWS:
            raise ValueError(f"tf.profiler has no view {cmd!r}; there are {sorted(_VIEWS)}")
        self._automatic.append((cmd, options, set(profile_steps)))
        self._trace_steps |= set(profile_steps)

    def get_profiles(self, cmd: str) -> dict[int, Any]:
        """The messages of a view that `add_auto_profiling` asked for, by run.

        Raises:
            ValueError: it was not shown yet.
        """
        if cmd not in self._views:
            raise ValueError(f"no run has shown the view {cmd!r} yet; add_auto_profiling asks for it")
        return self._views[cmd]

    def __enter__(self) -> ProfileContext:
        if self._enabled:
            if getattr(BaseSession, "profile_context", None) is not None:
                raise errors.InternalError(None, None, "a ProfileContext is inside another one")
            self._plain_run = BaseSession.run
            BaseSession.run = self._watching(BaseSession.run)  # type: ignore[method-assign]
            BaseSession.profile_context = self  # type: ignore[attr-defined]
        return self

    def __exit__(self, *raised: Any) -> None:
        if self._enabled:
            BaseSession.run = self._plain_run  # type: ignore[method-assign]
            BaseSession.profile_context = None  # type: ignore[attr-defined]

    def _watching(self, run: Any) -> Any:
        @functools.wraps(run)
        def watched(session: Any, fetches: Any, feed_dict: Any = None, options: Any = None,
                    run_metadata: Any = None) -> Any:
            if not self._lock.acquire(blocking=False):  # another thread's step is being traced
                return run(session, fetches, feed_dict, options, run_metadata)
            try:
                with session.graph.as_default():
                    return self._watched(run, session, fetches, feed_dict, options, run_metadata)
            finally:
                self._step += 1
                self._traces_next = self._dumps_next = False
                self._lock.release()

        return watched

    def _watched(self, run: Any, session: Any, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        step, profiler = self._step, self.profiler
        if not self._is_traced(step, session.graph, fetches):
            results = run(session, fetches, feed_dict, options, run_metadata)
        else:
            self._traced += 1
            traced = proto.config_pb2.RunOptions()
            traced.CopyFrom(options or traced)
            traced.trace_level = traced.FULL_TRACE
            metadata = proto.config_pb2.RunMetadata() if run_metadata is None else run_metadata
            results = run(session, fetches, feed_dict, traced, metadata)
            profiler.add_step(step, metadata)  # type: ignore[union-attr]
            self._say(f"traced step {step}", f"run_meta_{step}", str(metadata))
        if step in self._dump_steps or self._dumps_next:
            self._write(f"profile_{step}", profiler.serialize_to_string())  # type: ignore[union-attr]
        for cmd, view, steps in self._automatic:
            if step in steps:
                self._views.setdefault(cmd, {})[step] = _VIEWS[cmd](profiler, view)  # type: ignore[arg-type]
        return results

    def _is_traced(self, step: int, graph: Any, fetches: Any) -> bool:
        if self._traces_next or step in self._trace_steps:
            return True
        if not self._chooses or step <= WARM_UP or self._traced > MOST_TRACED:
            return False
        elements = tuple(Fetches(graph, fetches).elements)
        if elements not in self._known:
            self._known.add(elements)
            return True
        return self._profiler is not None and self._profiler.coverage < 0.5 and self._random.random() < 0.2

    def _say(self, line: str, name: str, content: str) -> None:
        if self._debug:
            print(f"ProfileContext: {line}", file=sys.stderr)
            self._write(name, content)

    def _write(self, name: str, content: Any) -> None:
        os.makedirs(self._folder, exist_ok=True)
        whole_files.write_string_to_file(os.path.join(self._folder, name), content)
