"""tf.config: the devices of this process, and settings of TensorFlow's runtime, most of which have one value here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.eager.function import execution
from evergraph.eager.placing import placing
from evergraph.kernel import precision
from evergraph.run import mixed_precision
from evergraph.run.devices import logical, session_devices

_POLICIES = ("silent", "silent_for_int32", "explicit", "warn")


class PhysicalDevice(NamedTuple):
    """A device of the machine: its name and "CPU", "GPU" or "TPU"."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device that ops can be placed on: its name and "CPU", "GPU" or "TPU"."""

    name: str
    device_type: str


@export("config.experimental.VirtualDeviceConfiguration")
class VirtualDeviceConfiguration(NamedTuple):
    """A part of a device's memory as a device of its own.

    Attributes:
        memory_limit: its memory in megabytes.
    """

    memory_limit: int | None = None


@dataclass
class Settings:
    """What a program has set."""

    hidden: set[PhysicalDevice] = field(default_factory=set)
    growth: dict[PhysicalDevice, bool] = field(default_factory=dict)
    split: dict[PhysicalDevice, list[Any]] = field(default_factory=dict)
    policy: str = "silent"
    is_synchronous: bool = True
    jit: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    threads: dict[str, int] = field(default_factory=lambda: {"inter": 0, "intra": 0})


settings = Settings()


# ---- devices


@export("config.experimental.list_physical_devices")
def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices of this machine, the CPU first; with `device_type` only those of a type, such as "GPU"."""
    parts = [name.rpartition("device:")[2] for name in session_devices()]
    found = [PhysicalDevice(f"/physical_device:{part}", part.partition(":")[0]) for part in parts
             if part.startswith("CPU:0") or not part.startswith("CPU")]
    found.sort(key=lambda device: device.device_type != "CPU")
    return [device for device in found if device_type in (None, device.device_type)]


@export("config.experimental.list_logical_devices")
def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices that ops can be placed on: the visible ones; with `device_type` only those of a type."""
    counts: dict[str, int] = {}
    for device in get_visible_devices(device_type):
        parts = len(settings.split.get(device, ())) or 1
        counts[device.device_type] = counts.get(device.device_type, 0) + parts
    return [LogicalDevice(f"/job:localhost/replica:0/task:0/device:{kind}:{number}", kind)
            for kind, count in counts.items() for number in range(count)]


@export("config.experimental_list_devices", "contrib.eager.list_devices")
def experimental_list_devices() -> list[str]:
    """The names of the devices that ops can be placed on."""
    return [device.name for device in list_logical_devices()]


@export("contrib.eager.num_gpus")
def num_gpus() -> int:
    """How many accelerators ops can be placed on."""
    return len([name for name in experimental_list_devices() if "CPU" not in name])


@export("config.experimental.get_visible_devices")
def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices of this machine that `set_visible_devices` has not hidden."""
    return [device for device in list_physical_devices(device_type) if device not in settings.hidden]


@export("config.experimental.set_visible_devices")
def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Hides the other devices from the lists here. XLA itself chooses by JAX_PLATFORMS and CUDA_VISIBLE_DEVICES.

    Args:
        devices: a device, or a list of them, that `list_physical_devices` returned.
        device_type: leaves devices of other types as they are.

    Raises:
        ValueError: a device does not exist, or is of another type.
    """
    wanted = [devices] if isinstance(devices, PhysicalDevice) else list(devices or ())
    existing = list_physical_devices()
    for device in wanted:
        if device not in existing:
            raise ValueError(f"Unrecognized device: {device!r}")
        if device_type not in (None, device.device_type):
            raise ValueError(f"Unrecognized device: {device!r} is no {device_type}")
    for device in existing:
        if device_type in (None, device.device_type):
            (settings.hidden.discard if device in wanted else settings.hidden.add)(device)


def _checked(device: Any) -> PhysicalDevice:
    if device not in list_physical_devices():
        raise ValueError(f"Unrecognized device: {device!r}")
    return device


@export("config.experimental.get_memory_growth")
def get_memory_growth(device: Any) -> bool | None:
    """What `set_memory_growth` has set for a device; None if nothing has.

    Raises:
        ValueError: there is no such device.
    """
    return settings.growth.get(_checked(device))


@export("config.experimental.set_memory_growth")
def set_memory_growth(device: Any, enable: bool) -> None:
    """Notes whether a device should take its memory as it needs it. JAX does as XLA_PYTHON_CLIENT_PREALLOCATE says.

    Raises:
        ValueError: there is no such device, or it is a CPU, which has no such setting.
    """
    if _checked(device).device_type == "CPU":
        raise ValueError(f"memory growth is a setting of GPUs, got the non-GPU device {device.name}")
    settings.growth[device] = bool(enable)


@export("config.experimental.get_virtual_device_configuration")
def get_virtual_device_configuration(device: Any) -> Any:
    """What `set_virtual_device_configuration` has set for a device; None if nothing has.

    Raises:
        ValueError: there is no such device.
    """
    return settings.split.get(_checked(device))


@export("config.experimental.set_virtual_device_configuration")
def set_virtual_device_configuration(device: Any, virtual_devices: Sequence[Any]) -> None:
    """Makes several devices of a CPU, which share its processors: sessions can place nodes on each of them.

    Args:
        device: a device that `list_physical_devices` returned.
        virtual_devices: a VirtualDeviceConfiguration for each device, without a limit of memory.

    Raises:
        ValueError: there is no such device, or a CPU is to have a limit of memory.
        UnimplementedError: the device is an accelerator.
    """
    if _checked(device).device_type != "CPU":
        raise errors.UnimplementedError(None, None, f"splitting {device.name} into {len(virtual_devices)} devices")
    if any(each.memory_limit is not None for each in virtual_devices):
        raise ValueError(f"virtual devices of a CPU take no memory limit, got {virtual_devices}")
    settings.split[device], logical.cpus = list(virtual_devices), max(1, len(virtual_devices))


@export("config.experimental_connect_to_host")
def experimental_connect_to_host(remote_host: Any = None, job_name: str = "worker") -> None:
    """Raises UnimplementedError for any `remote_host` and `job_name`: ops run in this process."""
    raise errors.UnimplementedError(None, None, f"ops on {remote_host} of job {job_name}")


@export("config.experimental_connect_to_cluster")
def experimental_connect_to_cluster(cluster_spec_or_resolver: Any, job_name: str = "localhost", task_index: int = 0,
                                    protocol: str | None = None) -> None:
    """Raises UnimplementedError, whatever the cluster, job, task and protocol are: ops run in this process.

    Args:
        cluster_spec_or_resolver: a cluster.
        job_name: the job of this process in it.
        task_index: its task.
        protocol: of the connection.
    """
    raise errors.UnimplementedError(
        None, None, f"ops on {cluster_spec_or_resolver} as task {task_index} of job {job_name} by {protocol or 'grpc'}")


# ---- how ops run


@export("config.experimental_run_functions_eagerly")
def experimental_run_functions_eagerly(run_eagerly: bool) -> None:
    """With True, functions of `tf.function` run as plain Python, which a debugger can follow."""
    execution.functions_eagerly = bool(run_eagerly)


@export("config.experimental.enable_tensor_float_32_execution")
def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Lets GPUs multiply float32 in TensorFloat-32, as they do at first, or has them keep to full precision.

    Acts on steps that are compiled afterwards: call it before the first. NVIDIA_TF32_OVERRIDE=0 in the environment is
    the same as calling it with False.
    """
    precision.setting.uses_tf32 = bool(enabled)


@export("config.experimental.tensor_float_32_execution_enabled")
def tensor_float_32_execution_enabled() -> bool:
    """Whether GPUs that have TensorFloat-32 may use it for products of float32."""
    return precision.setting.uses_tf32


@export("config.experimental.get_device_policy")
def get_device_policy() -> str:
    """What `set_device_policy` has set; "silent" at first."""
    return settings.policy


@export("config.experimental.set_device_policy")
def set_device_policy(device_policy: str | None) -> None:
    """Notes what happens to tensors that are on another device than their op: here they are copied, without a word.

    Raises:
        ValueError: there is no such policy.
    """
    if device_policy is not None and device_policy not in _POLICIES:
        raise ValueError(f"a device policy is one of {', '.join(_POLICIES)}, got {device_policy!r}")
    settings.policy = device_policy or "silent"


@export("config.experimental.get_synchronous_execution")
def get_synchronous_execution() -> bool:
    """What `set_synchronous_execution` has set; True at first."""
    return settings.is_synchronous


@export("config.experimental.set_synchronous_execution")
def set_synchronous_execution(enable: bool) -> None:
    """Notes whether a call may return before its op has run: here it never does."""
    settings.is_synchronous = bool(enable)


@export("config.get_soft_device_placement")
def get_soft_device_placement() -> bool:
    """What `set_soft_device_placement` has set; False at first."""
    return placing.soft


@export("config.set_soft_device_placement")
def set_soft_device_placement(enabled: bool) -> None:
    """With True, ops that name a device which is not there run on another one; with eager execution it is an error
    otherwise. Sessions have `allow_soft_placement` for that."""
    placing.soft = bool(enabled)


@export("config.optimizer.get_jit")
def get_jit() -> bool:
    """What `set_jit` has set; False at first."""
    return settings.jit


@export("config.optimizer.set_jit")
def set_jit(enabled: bool) -> None:
    """Notes whether XLA should compile: here it compiles what is worth it in any case."""
    settings.jit = bool(enabled)


@export("config.optimizer.get_experimental_options")
def get_experimental_options() -> dict[str, Any]:
    """What `set_experimental_options` has set, and whether new sessions compute in mixed precision, if anyone said."""
    has_said = mixed_precision.setting.is_on or "auto_mixed_precision" in settings.options
    return settings.options | ({"auto_mixed_precision": mixed_precision.setting.is_on} if has_said else {})


@export("config.optimizer.set_experimental_options")
def set_experimental_options(options: dict[str, Any]) -> None:
    """Sets options of TensorFlow's graph optimizer.

    `auto_mixed_precision` says whether new sessions compute in mixed precision. The others are only noted: XLA
    optimizes.
    """
    settings.options.update(options)
    if "auto_mixed_precision" in options:
        mixed_precision.setting.is_on = bool(options["auto_mixed_precision"])


@export("config.threading.get_inter_op_parallelism_threads")
def get_inter_op_parallelism_threads() -> int:
    """What `set_inter_op_parallelism_threads` has set; 0, for the runtime's choice, at first."""
    return settings.threads["inter"]


@export("config.threading.set_inter_op_parallelism_threads")
def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Notes how many ops may run at a time: with eager execution here it is one for each thread of the program."""
    settings.threads["inter"] = int(num_threads)


@export("config.threading.get_intra_op_parallelism_threads")
def get_intra_op_parallelism_threads() -> int:
    """What `set_intra_op_parallelism_threads` has set; 0, for the runtime's choice, at first."""
    return settings.threads["intra"]


@export("config.threading.set_intra_op_parallelism_threads")
def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Notes how many threads one op may use. XLA decides for itself, NumPy by OMP_NUM_THREADS and its siblings."""
    settings.threads["intra"] = int(num_threads)
