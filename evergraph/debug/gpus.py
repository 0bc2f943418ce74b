"""The GPU as tests ask for it: whether there is one, its name, and with-blocks that place operations on it or not.

`skip_devices`, `gpu_device_type` and what is about DML are additions of TensorFlow's DirectML fork, whose tests use
them: a type of device that is skipped does not count as a GPU, and evergraph is never built with DML.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Collection
from typing import Any

from evergraph.base.export import export
from evergraph.compile import backend
from evergraph.frontend.blocks import device as placed
from evergraph.run.devices import session_devices

CPU = "/device:CPU:0"


@export("test.gpu_device_name")
def gpu_device_name(skip_devices: Collection[str] = ()) -> str:
    """The name of the first GPU, or "".

    Args:
        skip_devices: types of devices, such as "GPU", that do not count. TensorFlow's DirectML fork has it.
    """
    found = [] if "GPU" in skip_devices else [name for name in session_devices() if "device:GPU" in name]
    return f"/device:{found[0].rpartition('device:')[2]}" if found else ""


def gpu_device_type(skip_devices: Collection[str] = ()) -> str:
    """The type of the first GPU, which is "GPU" here, or "" where there is none. TensorFlow's DirectML fork has it."""
    return "GPU" if gpu_device_name(skip_devices) else ""


@export("test.is_gpu_available")
def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None,
                     skip_devices: Collection[str] = ()) -> bool:
    """Whether there is a GPU.

    Args:
        cuda_only: whether only GPUs for CUDA count.
        min_cuda_compute_capability: the least (major, minor) version of CUDA's instructions that it must have.
        skip_devices: types of devices, such as "GPU", that do not count. TensorFlow's DirectML fork has it.
    """
    if not gpu_device_name(skip_devices) or cuda_only and not is_built_with_cuda():
        return False
    return min_cuda_compute_capability is None or _capability() >= tuple(min_cuda_compute_capability)


def _capability() -> tuple[int, ...]:
    """The version of CUDA's instructions that the first device has; (0, 0) if it is none of CUDA's."""
    said = getattr(backend.jax().devices()[0], "compute_capability", "0.0")
    return tuple(int(part) for part in str(said).split(".") if part.isdigit())


@export("test.is_built_with_cuda")
def is_built_with_cuda() -> bool:
    """Whether JAX's CUDA plugin is installed."""
    return _has_plugin("jax_cuda")


@export("test.is_built_with_rocm")
def is_built_with_rocm() -> bool:
    """Whether JAX's ROCm plugin is installed."""
    return _has_plugin("jax_rocm")


@export("test.is_built_with_gpu_support")
def is_built_with_gpu_support() -> bool:
    """Whether JAX can use a GPU, should there be one."""
    return is_built_with_cuda() or is_built_with_rocm()


def is_built_with_dml() -> bool:
    """False: DirectML is a device of a fork of TensorFlow. The fork has this function, and tests written for it ask."""
    return False


def should_skip_dml_device(device_pattern: str, driver_version: str | None = None) -> bool:
    """False: no GPU here is one of DirectML's, whatever its name and driver. TensorFlow's DirectML fork has it."""
    return False


def gpu_supports_half() -> bool:
    """Whether products and convolutions of float16 run on GPUs: where JAX can use one, XLA compiles them."""
    return is_built_with_gpu_support()


def _has_plugin(prefix: str) -> bool:
    return any(m.name.startswith(prefix) and m.name.endswith("plugin") for m in pkgutil.iter_modules())


def device(use_gpu: bool, skip_devices: Collection[str] = ()) -> Any:
    """A with-block whose operations ask for the first GPU if `use_gpu` and there is one, else for the CPU."""
    return placed((use_gpu and gpu_device_name(skip_devices)) or CPU)


def use_gpu(skip_devices: Collection[str] = ()) -> Any:
    """A with-block whose operations ask for the first GPU, or for the CPU where there is none."""
    return device(True, skip_devices)


def force_gpu(skip_devices: Collection[str] = ()) -> Any:
    """A with-block whose operations ask for the first GPU, also where there is none."""
    return placed(gpu_device_name(skip_devices) or "/device:GPU:0")


def force_cpu() -> Any:
    """A with-block whose operations ask for the CPU."""
    return placed(CPU)
