"""Whether all sessions log where their nodes are: tf.debugging.set_log_device_placement."""

from __future__ import annotations

from evergraph.base.export import export


class _Logging:
    """What the program asked for."""

    is_on = False


@export("debugging.set_log_device_placement")
def set_log_device_placement(enabled: bool) -> None:
    """Makes sessions log the device of each node before they first run it, as ConfigProto.log_device_placement does."""
    _Logging.is_on = bool(enabled)


@export("debugging.get_log_device_placement")
def get_log_device_placement() -> bool:
    """Whether `tf.debugging.set_log_device_placement` has turned the log on."""
    return _Logging.is_on
