"""The state of eager execution, as programs find it in tensorflow.python.eager.context."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from evergraph.eager.config import (
    get_device_policy,
    get_soft_device_placement,
    get_synchronous_execution,
    num_gpus,
    set_device_policy,
    set_soft_device_placement,
    set_synchronous_execution,
)
from evergraph.eager.modes import ASYNC, SYNC
from evergraph.frontend.blocks import device as placed
from evergraph.frontend.modes import executing_eagerly
from evergraph.frontend.random import set_random_seed
from evergraph.graph.graph import default_graph
from evergraph.run.devices import session_devices

GRAPH_MODE = 0
EAGER_MODE = 1


class Context:
    """The one object of which programs ask in which mode they run, and on which devices.

    Attributes:
        execution_mode: SYNC or ASYNC, as set; ops always run before their call returns.
        device_policy: one of the words of `tf.config.experimental.set_device_policy`.
        soft_device_placement: see `tf.config.set_soft_device_placement`.
    """

    device_policy = property(lambda self: get_device_policy(), lambda self, policy: set_device_policy(policy))
    execution_mode = property(lambda self: SYNC if get_synchronous_execution() else ASYNC,
                              lambda self, mode: set_execution_mode(mode))
    soft_device_placement = property(lambda self: get_soft_device_placement(),
                                     lambda self, enable: set_soft_device_placement(enable))

    def executing_eagerly(self) -> bool:
        """Whether ops run when they are called."""
        return executing_eagerly()

    def ensure_initialized(self) -> None:
        """Returns at once: the devices are ready when JAX is imported."""

    def devices(self) -> list[str]:
        """Full names of the devices, accelerators first."""
        return session_devices()

    def num_gpus(self) -> int:
        """How many accelerators there are."""
        return num_gpus()

    @property
    def device_name(self) -> str:
        """The device of the innermost with-block around that names one, or ""."""
        return next((name for name in reversed(default_graph().scopes.devices) if isinstance(name, str)), "")

    @property
    def scope_name(self) -> str:
        """The name scope around, with a "/" at its end unless it is ""."""
        name = default_graph().scopes.name
        return f"{name}/" if name else ""

    def device(self, name: Any) -> Any:
        """A with-block whose ops are on a device; None is any."""
        return placed(name)


_context = Context()


def context() -> Context:
    """The state of eager execution in this process."""
    return _context


def ensure_initialized() -> None:
    """Returns at once: the devices are ready when JAX is imported."""


def device(name: Any) -> Any:
    """A with-block whose ops are on a device; None is any."""
    return placed(name)


def set_global_seed(seed: int) -> None:
    """The same as `tf.set_random_seed`."""
    set_random_seed(seed)


def global_seed() -> int | None:
    """What `tf.set_random_seed` has set."""
    return default_graph().seed


def is_async() -> bool:
    """Whether the program asked for calls that return before their ops have run; here they never do."""
    return not get_synchronous_execution()


def set_execution_mode(mode: int | None) -> None:
    """Notes SYNC or ASYNC; None is SYNC. Ops always run before their call returns.

    Raises:
        ValueError: it is neither.
    """
    if mode not in (None, SYNC, ASYNC):
        raise ValueError(f"the execution mode must be None, SYNC or ASYNC, got {mode}")
    set_synchronous_execution(mode != ASYNC)


@contextlib.contextmanager
def execution_mode(mode: int | None) -> Iterator[None]:
    """A with-block for which `set_execution_mode` holds."""
    before = _context.execution_mode
    set_execution_mode(mode)
    try:
        yield
    finally:
        set_execution_mode(before)
