"""Datasets on devices: copy_to_device, prefetch_to_device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.data.dataset import AUTOTUNE
from evergraph.frontend.blocks import device as on_device
from evergraph.ops.arrays import basic


@export("data.experimental.copy_to_device", "contrib.data.copy_to_device")
def copy_to_device(target_device: Any, source_device: Any = "/cpu:0") -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same elements, for a device.

    Pipelines run on the host, and an element is copied to the device of the operations that use it; so this places
    the node of the dataset there, and nothing else.

    Args:
        target_device: the name of a device.
        source_device: where the dataset is computed: on the host.
    """
    def apply(dataset: Any) -> Any:
        with on_device(source_device):
            given = basic.identity(dataset._variant_tensor)
        with on_device(target_device):
            return dataset._made(basic.identity(given), dataset.element_spec, dataset)

    return apply


@export("data.experimental.prefetch_to_device", "contrib.data.prefetch_to_device")
def prefetch_to_device(device: Any, buffer_size: Any = None) -> Callable[[Any], Any]:
    """For `Dataset.apply`, as the last transformation: the same elements, computed ahead, for a device.

    Args:
        device: the name of a device; see `copy_to_device`.
        buffer_size: how many elements are computed ahead.
    """
    size = AUTOTUNE if buffer_size is None else buffer_size
    return lambda dataset: dataset.apply(copy_to_device(device)).prefetch(size)
