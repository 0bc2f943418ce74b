"""Names of devices, completed by defaults and by the blocks around: TensorFlow's device_util."""
from __future__ import annotations

from evergraph.base.devices import LOCAL, DeviceSpec, canonical_name, merge_names
from evergraph.graph.graph import Graph, default_graph
from evergraph.ops.arrays.basic import no_op


def canonicalize(d: str, default: str | None = None) -> str:
    """A full name: what `d` leaves open is taken from `default`, and then the first replica, task and device.

    >>> canonicalize("/job:worker/cpu:0")
    '/job:worker/replica:0/task:0/device:CPU:0'
    """
    name = DeviceSpec.from_string(merge_names(canonical_name(default), canonical_name(d)))
    first = DeviceSpec(replica=0, task=0, device_type="CPU", device_index=0)
    found = first.make_merged_spec(name)
    if name.device_type is not None and name.device_index is None:
        found.device_index = 0
    return f"{LOCAL}/device:{found.device_type}:{found.device_index}" \
        if default_graph().is_eager and found.job is None else found.to_string()


def current() -> str:
    """The device that new operations get; with eager execution its full name."""
    graph = default_graph()
    with Graph().as_default() as aside:
        aside.scopes.devices = graph.scopes.devices
        found = no_op().device
    return canonicalize(found) if graph.is_eager else found


def resolve(d: str) -> str:
    """A full name: what `d` leaves open is that of the blocks around."""
    return canonicalize(d, default=current())
