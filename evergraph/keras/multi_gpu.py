"""tf.keras.utils.multi_gpu_model: a model that gives each accelerator a part of the batch."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import device, name_scope
from evergraph.frontend.indexing import getitem
from evergraph.keras.cloning import clone_model
from evergraph.keras.core import Lambda
from evergraph.keras.merge import concatenate
from evergraph.keras.model import Model
from evergraph.run.device_lib import list_local_devices


def available_devices() -> list[str]:
    """The names of the devices: /cpu:0, /gpu:0, ..."""
    return [short_name(item.name) for item in list_local_devices()]


def short_name(name: str) -> str:
    """/gpu:0 of /device:GPU:0 and its like."""
    return "/{}:{}".format(*name.lower().replace("device:", "").rpartition("/")[2].split(":")[-2:])


@export("keras.utils.multi_gpu_model")
def multi_gpu_model(model: Any, gpus: Any, cpu_merge: bool = True, cpu_relocation: bool = False) -> Any:
    """A model with the same variables that computes each part of a batch on an accelerator of its own.

    Args:
        model: the model.
        gpus: the number of accelerators, or a list of their numbers.
        cpu_merge: whether to concatenate the parts on the CPU.
        cpu_relocation: whether to make the variables anew on the CPU.

    Raises:
        ValueError: fewer than two are asked for, or the machine has fewer.
    """
    numbers = list(range(gpus)) if isinstance(gpus, int) else [int(number) for number in gpus]
    if len(numbers) < 2:
        raise ValueError(f"multi_gpu_model shares a batch among two accelerators or more, got gpus={gpus}: with one, "
                         f"use the model as it is")
    there = available_devices()
    missing = [f"/gpu:{number}" for number in numbers if f"/gpu:{number}" not in there]
    if missing:
        raise ValueError(f"multi_gpu_model with gpus={gpus} needs the devices {missing}, and this machine has {there}: "
                         f"use the model as it is, or fewer parts")
    if cpu_relocation:
        with device("/cpu:0"):
            model = clone_model(model)
    parts: list[list[Any]] = [[] for _ in model.outputs]
    for place, number in enumerate(numbers):
        with device(f"/gpu:{number}"), name_scope(f"replica_{number}"):
            given = [Lambda(_part, arguments={"place": place, "count": len(numbers)})(tensor)
                     for tensor in model.inputs]
            found = model(given if len(given) > 1 else given[0])
            for part, tensor in zip(parts, found if isinstance(found, list) else [found]):
                part.append(tensor)
    with device("/cpu:0" if cpu_merge else f"/gpu:{numbers[0]}"):
        merged = [concatenate(part, axis=0, name=name) for name, part in zip(model.output_names, parts)]
        return Model(model.inputs, merged)


def _part(data: Any, place: int, count: int) -> Any:
    """One of `count` parts of a batch; the last one has what is left."""
    size = getitem(array.shape(data), 0) // count
    end = getitem(array.shape(data), 0) if place == count - 1 else (place + 1) * size
    return getitem(data, (slice(place * size, end),))
