# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.config.experimental."""

from collections.abc import Sequence
from typing import Any, NamedTuple

class VirtualDeviceConfiguration(NamedTuple):
    """A part of a device's memory as a device of its own."""
    memory_limit: Any = None

def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Lets GPUs multiply float32 in TensorFloat-32, as they do at first, or has them keep to full
    precision."""

def get_device_policy() -> str:
    """What `set_device_policy` has set; "silent" at first."""

def get_memory_growth(device: Any) -> bool | None:
    """What `set_memory_growth` has set for a device; None if nothing has."""

def get_synchronous_execution() -> bool:
    """What `set_synchronous_execution` has set; True at first."""

def get_virtual_device_configuration(device: Any) -> Any:
    """What `set_virtual_device_configuration` has set for a device; None if nothing has."""

def get_visible_devices(device_type: str | None = None) -> list[tuple]:
    """The devices of this machine that `set_visible_devices` has not hidden."""

def list_logical_devices(device_type: str | None = None) -> list[tuple]:
    """The devices that ops can be placed on: the visible ones; with `device_type` only those of a type."""

def list_physical_devices(device_type: str | None = None) -> list[tuple]:
    """The devices of this machine, the CPU first; with `device_type` only those of a type, such as
    "GPU"."""

def set_device_policy(device_policy: str | None) -> None:
    """Notes what happens to tensors that are on another device than their op: here they are copied, without
    a word."""

def set_memory_growth(device: Any, enable: bool) -> None:
    """Notes whether a device should take its memory as it needs it."""

def set_synchronous_execution(enable: bool) -> None:
    """Notes whether a call may return before its op has run: here it never does."""

def set_virtual_device_configuration(device: Any, virtual_devices: Sequence[Any]) -> None:
    """Makes several devices of a CPU, which share its processors: sessions can place nodes on each of
    them."""

def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Hides the other devices from the lists here."""

def tensor_float_32_execution_enabled() -> bool:
    """Whether GPUs that have TensorFloat-32 may use it for products of float32."""
