"""The devices of eager execution: an op in a `tf.device` block runs on the device that it names, and its results stay.

The CPUs of a process share its memory: there a device is no more than what tensors tell of themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evergraph.base.devices import Place
from evergraph.compile import backend
from evergraph.eager.tensor import EagerTensor
from evergraph.graph.node import Operation
from evergraph.kernel.values import is_host_dtype, is_traced
from evergraph.passes.place import place_for
from evergraph.run.devices import logical, placement_of


@dataclass
class Placing:
    """How ops are placed.

    Attributes:
        soft: whether another device replaces one that is not there.
    """

    soft: bool = False


placing = Placing()
_known: dict[Any, tuple[Place, str]] = {}


def run_placed(node: Operation, run: Callable[[], None]) -> None:
    """Runs an operation that names a device.

    Raises:
        InvalidArgumentError: there is no such device.
    """
    place, name = _place(node)
    device = None if backend.has_only_cpus() else backend.device(place)
    with backend.at(device):
        run()
        for tensor in node.outputs:
            assert isinstance(tensor, EagerTensor)
            tensor.keep_on(name, _moved(tensor, place))


def _place(node: Operation) -> tuple[Place, str]:
    """The place that an operation asks for, and its full name."""
    key = node._device, placing.soft, logical.soft, logical.cpus
    found = _known.get(key)
    if found is None:
        placement = placement_of(None)
        place = place_for(node, replace(placement, soft=placement.soft or placing.soft))
        name = placement.devices()[0] if place == placement.best else place.name
        found = _known[key] = place, name
    return found


def _moved(tensor: EagerTensor, place: Place) -> Any:
    """The value of a tensor at a place, where JAX computes now."""
    held = tensor.held
    if is_host_dtype(tensor._dtype):
        return held
    if place.platform == "cpu":
        return np.asarray(held) if is_traced(held) else held
    return held if is_traced(held) else backend.jax().device_put(held)
