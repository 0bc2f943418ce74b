# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tfprof."""

from collections.abc import Collection
from evergraph.profiler import Profiler
from typing import Any
from evergraph.contrib.tfprof import model_analyzer as model_analyzer, tfprof_logger as tfprof_logger

class ProfileContext:
    """Traces steps of the sessions that run in its with-block, and writes a ProfileProto to
    `profile_dir`/profile_N."""
    @property
    def profiler(self) -> Profiler | None:
        """The tf.profiler.Profiler with the traced steps; None in a context that is not enabled."""
    def trace_next_step(self) -> None:
        """Has the next run traced."""
    def dump_next_step(self) -> None:
        """Has the profile written after the next run."""
    def add_auto_profiling(self, cmd: str, options: Any, profile_steps: Collection[int]) -> None:
        """Shows a view after some runs."""
    def get_profiles(self, cmd: str) -> dict[int, Any]:
        """The messages of a view that `add_auto_profiling` asked for, by run."""
    def __enter__(self) -> ProfileContext: ...
    def __exit__(self, *raised: Any) -> None: ...
    def __init__(
        self, profile_dir: str, trace_steps: Collection[int] | None = None,
        dump_steps: Collection[int] | None = None, enabled: bool = True, debug: bool = False,
    ) -> None: ...

from evergraph.profiler import ProfileOptionBuilder as ProfileOptionBuilder
