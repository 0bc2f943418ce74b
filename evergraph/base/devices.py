"""Device names such as "/job:worker/task:1/device:GPU:0": parsing, merging, canonical form; places."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from evergraph.base.export import export

# These types have the short form "/gpu:0"; every other type needs "/device:TYPE:0".
_SHORT_FORMS = ("CPU", "GPU", "TPU")
LOCAL = "/job:localhost/replica:0/task:0"
"""The task of sessions that have no server."""


def _device_type(value: str | None) -> str | None:
    """The device type in TensorFlow's spelling; an unknown type keeps its own."""
    return value.upper() if value is not None and value.upper() in _SHORT_FORMS else value


def _integer(value: Any) -> int | None:
    return None if value is None else int(value)


@export("DeviceSpec")
class DeviceSpec:
    """A full or partial device name; a field that is None is unspecified.

    Args:
        job: the name of a job in the cluster, such as "worker".
        replica: the number of a replica.
        task: the number of a task in the job.
        device_type: "CPU", "GPU" or another type.
        device_index: the number of the device among those of its type.

    >>> DeviceSpec(job="ps", device_type="CPU", device_index=0).to_string()
    '/job:ps/device:CPU:0'
    """

    def __init__(
        self,
        job: str | None = None,
        replica: int | None = None,
        task: int | None = None,
        device_type: str | None = None,
        device_index: int | None = None,
    ) -> None:
        self.job = job
        self.replica = replica
        self.task = task
        self.device_type = device_type
        self.device_index = device_index

    @property
    def job(self) -> str | None:
        """The name of the job."""
        return self._job

    @job.setter
    def job(self, job: Any) -> None:
        self._job = None if job is None else str(job)

    @property
    def replica(self) -> int | None:
        """The number of the replica."""
        return self._replica

    @replica.setter
    def replica(self, replica: Any) -> None:
        self._replica = _integer(replica)

    @property
    def task(self) -> int | None:
        """The number of the task."""
        return self._task

    @task.setter
    def task(self, task: Any) -> None:
        self._task = _integer(task)

    @property
    def device_type(self) -> str | None:
        """The type of the device: "CPU", "GPU", ..."""
        return self._device_type

    @device_type.setter
    def device_type(self, device_type: str | None) -> None:
        self._device_type = _device_type(device_type)

    @property
    def device_index(self) -> int | None:
        """The number of the device among those of its type."""
        return self._device_index

    @device_index.setter
    def device_index(self, device_index: Any) -> None:
        self._device_index = _integer(device_index)

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """Parses a name made of parts of "/job:<name>/replica:<n>/task:<n>/device:<type>:<n>", in any order.

        "/cpu:<n>", "/gpu:<n>" and "/tpu:<n>" are short forms of the last part; the index "*" means unspecified.

        Raises:
            ValueError: the name has an unknown part, two devices, or a part that should be a number and is not.
        """
        return cls(**_parse(spec))

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """Parses a device name into this spec, and returns the spec."""
        DeviceSpec.__init__(self, **_parse(spec))
        return self

    def merge_from(self, dev: DeviceSpec) -> None:
        """Overwrites the fields that the other spec specifies."""
        for field, value in dev._fields().items():
            if value is not None:
                setattr(self, field, value)

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """A new spec with the other spec's fields, and this spec's where the other leaves them unspecified."""
        merged = type(self)(**self._fields())
        merged.merge_from(dev)
        return merged

    def replace(self, **kwargs: Any) -> DeviceSpec:
        """A new spec with some fields changed; None makes a field unspecified.

        Raises:
            TypeError: there is no such field.
        """
        return type(self)(**{**self._fields(), **kwargs})

    def to_string(self) -> str:
        """The canonical name; "" if no field is specified."""
        place = {"job": self.job, "replica": self.replica, "task": self.task}
        parts = [f"/{key}:{value}" for key, value in place.items() if value is not None]
        if self.device_type is not None:
            parts.append(f"/device:{self.device_type}:{'*' if self.device_index is None else self.device_index}")
        return "".join(parts)

    def _fields(self) -> dict[str, Any]:
        return {
            "job": self._job,
            "replica": self._replica,
            "task": self._task,
            "device_type": self._device_type,
            "device_index": self._device_index,
        }

    def __eq__(self, other: object) -> bool:
        return self.to_string() == other.to_string() if isinstance(other, DeviceSpec) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __repr__(self) -> str:
        return f"DeviceSpec.from_string({self.to_string()!r})"


@export("compat.v2.DeviceSpec")
class FixedDeviceSpec(DeviceSpec):
    """A device name whose fields do not change; `replace` and `make_merged_spec` return a new one.

    >>> FixedDeviceSpec(job="ps", device_type="CPU", device_index=0).replace(job="worker").to_string()
    '/job:worker/device:CPU:0'
    """

    def __init__(
        self,
        job: str | None = None,
        replica: int | None = None,
        task: int | None = None,
        device_type: str | None = None,
        device_index: int | None = None,
    ) -> None:
        super().__init__(job, replica, task, device_type, device_index)
        self._is_fixed = True

    def __setattr__(self, name: str, value: Any) -> None:
        if getattr(self, "_is_fixed", False):
            raise AttributeError(f"a device name of TensorFlow 2 does not change: replace({name}=...) returns another")
        super().__setattr__(name, value)

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """A new spec from a device name."""
        return type(self).from_string(spec)

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """A new spec with the other spec's fields, and this spec's where the other leaves them unspecified."""
        given = {field: value for field, value in dev._fields().items() if value is not None}
        return type(self)(**{**self._fields(), **given})


def _parse(spec: str) -> dict[str, Any]:
    """Parses a device name into its fields."""
    fields: dict[str, Any] = {}
    for part in filter(None, spec.split("/")):
        found = _parse_part(part)
        if found is None:
            raise ValueError(f"Unknown attribute {part!r} in the device name {spec!r}")
        if "device_type" in found and "device_type" in fields:
            raise ValueError(f"Cannot specify multiple device types: {spec!r}")
        fields.update(found)
    return fields


def _parse_part(part: str) -> dict[str, Any] | None:
    key, *values = part.split(":")
    if key in ("job", "replica", "task") and len(values) == 1:
        return {key: values[0]}
    if key.upper() in _SHORT_FORMS and len(values) <= 1:
        key, values = "device", [key.upper(), *(values or "*")]
    if key == "device" and len(values) == 2:
        return {"device_type": values[0], "device_index": None if values[1] == "*" else values[1]}
    return None


def canonical_name(device: Any) -> str:
    """The canonical form of a device name or DeviceSpec; "" for None.

    >>> canonical_name("/gpu:1")
    '/device:GPU:1'
    """
    if device is None:
        return ""
    return device.to_string() if isinstance(device, DeviceSpec) else _canonical(device)


@functools.lru_cache(maxsize=1024)
def _canonical(name: str) -> str:
    return DeviceSpec.from_string(name).to_string()


def check_valid(spec: str) -> None:
    """Raises ValueError if a string is not a device name."""
    DeviceSpec.from_string(spec)


@functools.lru_cache(maxsize=1024)
def merge_names(outer: str, inner: str) -> str:
    """The device name for a request `inner` within a scope `outer`: fields of `inner` take precedence.

    >>> merge_names("/job:worker/cpu:0", "/gpu:1")
    '/job:worker/device:GPU:1'
    """
    return DeviceSpec.from_string(outer).make_merged_spec(DeviceSpec.from_string(inner)).to_string()


class MergeDevice:
    """A device function: returns a node's device, with unspecified fields filled in from a spec.

    Attributes:
        name: the canonical name of the spec.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, node: Any) -> DeviceSpec:
        return DeviceSpec.from_string(merge_names(self.name, node.device or ""))

    def __repr__(self) -> str:
        return f"merge_device({self.name!r})"


def merge_device(spec: Any) -> MergeDevice:
    """The device function for a scope: `with tf.device(merge_device("/gpu:0"))`.

    Args:
        spec: a device name, a DeviceSpec, None (no change), or an earlier result of this function.

    Raises:
        ValueError: the name is not valid.
    """
    return spec if isinstance(spec, MergeDevice) else _merge_device(canonical_name(spec))


@functools.lru_cache(maxsize=1024)
def _merge_device(name: str) -> MergeDevice:
    return MergeDevice(name)


@dataclass(frozen=True)
class Place:
    """Where a stage runs and its variables live: a device of a task.

    Attributes:
        task: the name of the task.
        device: the name of the device within its task, such as "CPU:1".

    >>> Place(device="CPU:1").name
    '/job:localhost/replica:0/task:0/device:CPU:1'
    """

    task: str = LOCAL
    device: str = "CPU:0"

    @property
    def platform(self) -> str:
        """What kind of device it is: "cpu", "gpu" or "tpu"."""
        return self.device.partition(":")[0].lower()

    @property
    def platform_if_known(self) -> str | None:
        """The same; None where JAX would have to be loaded to tell."""
        return self.platform

    @property
    def index(self) -> int:
        """The number of the device among those of its kind."""
        return int(self.device.partition(":")[2])

    @property
    def name(self) -> str:
        """The full name of the device."""
        return f"{self.task}/device:{self.platform.upper()}:{self.index}"

    @property
    def host(self) -> Place:
        """Where the task runs what needs Python: on its first CPU."""
        return Place(self.task)


def place_of(name: str) -> Place:
    """The place with the full name of a device.

    >>> place_of("/job:ps/replica:0/task:1/device:GPU:0")
    Place(task='/job:ps/replica:0/task:1', device='GPU:0')
    """
    task, _, device = name.partition("/device:")
    return Place(task, device)
