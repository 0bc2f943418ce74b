"""tf.tpu: where accelerators are, and which of them compute. A session has one device, a mesh of a single core."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.proto.topology_pb2 import TopologyProto

_LOCAL_MESH = (1, 1, 1)  # x, y and core


@export("contrib.tpu.Topology")
class Topology:
    """The cores of a mesh, by the tasks that hold them.

    >>> topology = Topology(mesh_shape=[2, 1, 1], device_coordinates=[[[0, 0, 0], [1, 0, 0]]])
    >>> topology.tpu_device_name_at_coordinates([1, 0, 0])
    '/task:0/device:TPU:1'

    Args:
        serialized: what `tf.tpu.initialize_system` gave, in place of the other arguments.
        mesh_shape: the size of each dimension; the last counts the cores of a chip.
        device_coordinates: [tasks, devices of a task, dimensions]: the place of each device.

    Raises:
        ValueError: the arguments do not fit.
    """

    def __init__(self, serialized: bytes | None = None, mesh_shape: Sequence[int] | None = None,
                 device_coordinates: Any = None) -> None:
        if serialized is not None:
            proto = TopologyProto.FromString(serialized)
            mesh_shape = list(proto.mesh_shape)
            device_coordinates = np.reshape(proto.device_coordinates, (
                proto.num_tasks, proto.num_tpu_devices_per_task, len(mesh_shape)))
        elif mesh_shape is None or device_coordinates is None:
            raise ValueError("Topology needs serialized, or mesh_shape and device_coordinates")
        self._shape, self._coordinates = np.asarray(mesh_shape, np.int32), np.asarray(device_coordinates, np.int32)
        if self._shape.ndim != 1 or not len(self._shape) or (self._shape < 1).any():
            raise ValueError(f"mesh_shape must be a list of positive sizes, got {mesh_shape}")
        if self._coordinates.ndim != 3 or self._coordinates.shape[2] != len(self._shape):
            raise ValueError(f"device_coordinates must have the shape [tasks, devices, {len(self._shape)}], got "
                             f"{list(self._coordinates.shape)}")
        if (self._coordinates < 0).any() or (self._coordinates >= self._shape).any():
            raise ValueError(f"device_coordinates must be inside of the mesh {mesh_shape}, got "
                             f"{self._coordinates.tolist()}")

    @property
    def mesh_shape(self) -> np.ndarray:
        """The size of each dimension."""
        return self._shape

    @property
    def mesh_rank(self) -> int:
        """The number of dimensions."""
        return len(self._shape)

    @property
    def device_coordinates(self) -> np.ndarray:
        """[tasks, devices of a task, dimensions]: the place of each device."""
        return self._coordinates

    @property
    def num_tasks(self) -> int:
        """The number of tasks."""
        return self._coordinates.shape[0]

    @property
    def num_tpus_per_task(self) -> int:
        """The number of devices of each task."""
        return self._coordinates.shape[1]

    def _at(self, coordinates: Sequence[int]) -> tuple[int, int]:
        places = np.argwhere((self._coordinates == np.asarray(coordinates)).all(axis=2))
        if not len(places):
            raise ValueError(f"there is no device at {list(coordinates)} of the mesh {self._shape.tolist()}")
        return int(places[0][0]), int(places[0][1])

    def task_ordinal_at_coordinates(self, device_coordinates: Sequence[int]) -> int:
        """The number of the task that holds the device at these coordinates."""
        return self._at(device_coordinates)[0]

    def tpu_device_ordinal_at_coordinates(self, device_coordinates: Sequence[int]) -> int:
        """The number of the device at these coordinates, among those of its task."""
        return self._at(device_coordinates)[1]

    def cpu_device_name_at_coordinates(self, device_coordinates: Sequence[int], job: str | None = None) -> str:
        """The name of the CPU of the task that holds the device at these coordinates."""
        return f"{_job(job)}/task:{self._at(device_coordinates)[0]}/device:CPU:0"

    def tpu_device_name_at_coordinates(self, device_coordinates: Sequence[int], job: str | None = None) -> str:
        """The name of the device at these coordinates."""
        task, number = self._at(device_coordinates)
        return f"{_job(job)}/task:{task}/device:TPU:{number}"

    def serialized(self) -> bytes:
        """The topology as a TopologyProto."""
        return TopologyProto(mesh_shape=self._shape.tolist(), num_tasks=self.num_tasks,
                             num_tpu_devices_per_task=self.num_tpus_per_task,
                             device_coordinates=self._coordinates.reshape(-1).tolist()).SerializeToString()


def _job(job: str | None) -> str:
    return "" if job is None else f"/job:{job}"


@export("tpu.experimental.DeviceAssignment", "contrib.tpu.DeviceAssignment")
class DeviceAssignment:
    """Which cores of a mesh compute each replica.

    Args:
        topology: the mesh.
        core_assignment: [replicas, cores of a replica, dimensions]: the place of each core.

    Raises:
        ValueError: `topology` is no Topology, or the array does not fit it.
    """

    def __init__(self, topology: Topology, core_assignment: Any) -> None:
        if not isinstance(topology, Topology):
            raise ValueError(f"a DeviceAssignment needs a Topology, got {type(topology)}")
        cores = np.asarray(core_assignment, np.int32)
        if cores.ndim != 3:
            raise ValueError(f"core_assignment needs the axes replica, core and coordinate, got shape {cores.shape}")
        if cores.shape[2] != topology.mesh_rank:
            raise ValueError("the last axis of core_assignment has a coordinate for each of the topology's "
                             f"{topology.mesh_rank} axes; its shape is {cores.shape}")
        self._topology, self._cores = topology, cores
        self._tasks = np.array([[topology.task_ordinal_at_coordinates(core) for core in replica] for replica in cores])

    @property
    def topology(self) -> Topology:
        """The mesh."""
        return self._topology

    @property
    def core_assignment(self) -> np.ndarray:
        """[replicas, cores of a replica, dimensions]: the place of each core."""
        return self._cores

    @property
    def num_replicas(self) -> int:
        """The number of replicas."""
        return self._cores.shape[0]

    @property
    def num_cores_per_replica(self) -> int:
        """The number of cores that compute a replica together."""
        return self._cores.shape[1]

    def coordinates(self, replica: int, logical_core: int) -> tuple[int, ...]:
        """The place of a core of a replica."""
        return tuple(self._cores[replica, logical_core].tolist())

    def lookup_replicas(self, task_id: int, logical_core: int) -> list[int]:
        """The replicas whose core of this number a task holds.

        Raises:
            ValueError: there are none.
        """
        found = np.flatnonzero(self._tasks[:, logical_core] == task_id).tolist()
        if not found:
            raise ValueError(f"task {task_id} has no replica whose logical core {logical_core} it runs")
        return found

    def tpu_ordinal(self, replica: int = 0, logical_core: int = 0) -> int:
        """The number of the device of a core, among those of its task."""
        return self._topology.tpu_device_ordinal_at_coordinates(self.coordinates(replica, logical_core))

    def host_device(self, replica: int = 0, logical_core: int = 0, job: str | None = None) -> str:
        """The name of the CPU of the task that holds a core."""
        return self._topology.cpu_device_name_at_coordinates(self.coordinates(replica, logical_core), job)

    def tpu_device(self, replica: int = 0, logical_core: int = 0, job: str | None = None) -> str:
        """The name of the device of a core."""
        return self._topology.tpu_device_name_at_coordinates(self.coordinates(replica, logical_core), job)

    @staticmethod
    def build(topology: Topology, computation_shape: Sequence[int] | None = None,
              computation_stride: Sequence[int] | None = None, num_replicas: int = 1) -> DeviceAssignment:
        """Places replicas close to each other.

        Args:
            topology: the mesh.
            computation_shape: how many cores of each dimension compute a replica; by default one.
            computation_stride: how far these are apart in each dimension; by default they are next to each other.
            num_replicas: the number of replicas.

        Raises:
            ValueError: they do not fit into the mesh.
        """
        shape, stride = (_sizes(given, topology.mesh_rank, name) for given, name in (
            (computation_shape, "computation_shape"), (computation_stride, "computation_stride")))
        footprint = shape * stride
        if (footprint > topology.mesh_shape).any():
            raise ValueError(f"a replica takes {footprint} of the mesh, which is only {topology.mesh_shape}")
        counts = topology.mesh_shape // footprint * stride
        if num_replicas > counts.prod():
            raise ValueError(f"the mesh {topology.mesh_shape} has room for {counts.prod()} replicas of shape {shape} "
                             f"and stride {stride}, but num_replicas is {num_replicas}")
        places = _places(_block(counts.tolist(), num_replicas), num_replicas)
        offsets = places // stride * footprint + places % stride
        within = np.stack(np.meshgrid(*(np.arange(n) * by for n, by in zip(shape, stride)), indexing="ij"), -1)
        return DeviceAssignment(topology, offsets[:, None] + within.reshape(1, -1, topology.mesh_rank))


def _sizes(given: Sequence[int] | None, rank: int, name: str) -> np.ndarray:
    sizes = np.ones(rank, np.int32) if given is None else np.asarray(given, np.int32)
    if sizes.shape != (rank,):
        raise ValueError(f"{name} must have shape [{rank}]; got {sizes.shape}")
    if (sizes < 1).any():
        raise ValueError(f"{name} must be positive; got {name}={sizes}")
    return sizes


def _block(counts: list[int], replicas: int) -> list[int]:
    """The sides of a block of replicas that is near to a cube: the shortest dimension first, among equals the cores."""
    sides, left = [0] * len(counts), replicas
    order = sorted(range(len(counts)), key=lambda each: (counts[each], (each + 1) % len(counts)))
    for done, each in enumerate(order):
        sides[each] = min(math.ceil(left ** (1.0 / (len(counts) - done))), counts[each])
        left = math.ceil(left / sides[each])
    return sides


def _places(sides: list[int], replicas: int) -> np.ndarray:
    """The place of each replica in a block, where the cores of a chip come first, then x, then y."""
    numbers, found = np.arange(replicas), {}
    for each in (len(sides) - 1, *range(len(sides) - 1)):
        found[each] = numbers % sides[each]
        numbers = numbers // sides[each]
    return np.stack([found[each] for each in range(len(sides))], axis=1)


# ---- the device of this process

def local_topology() -> Topology:
    """The mesh of the one device that a session has."""
    return Topology(mesh_shape=_LOCAL_MESH, device_coordinates=np.zeros((1, 1, len(_LOCAL_MESH)), np.int32))


@export("tpu.initialize_system", "contrib.tpu.initialize_system")
def initialize_system(embedding_config: Any = None, job: str | None = None) -> Tensor:
    """A string tensor that describes the device of the session, as a serialized TopologyProto.

    JAX has the device ready when a session opens, so that there is nothing else to do.

    Args:
        embedding_config: tables of embeddings for TPUs to hold; only None.
        job: the job of the TPU workers; has no meaning for the device of this process.

    Raises:
        UnimplementedError: there is an `embedding_config`.
    """
    if embedding_config is not None:
        raise errors.UnimplementedError(None, None, "tf.tpu.initialize_system: embedding_config is not supported: use "
                                        "tf.feature_column.embedding_column")
    return array.constant(local_topology().serialized(), name="ConfigureDistributedTPU")


@export("tpu.shutdown_system", "contrib.tpu.shutdown_system")
def shutdown_system(job: str | None = None) -> Operation:
    """An operation at the end of programs for TPUs. The process keeps its device until it ends.

    Args:
        job: the job of the TPU workers; has no meaning for the device of this process.
    """
    with name_scope("shutdown_distributed_tpu"):
        return no_op(name="ShutdownDistributedTPU")


@export("tpu.experimental.initialize_tpu_system")
def initialize_tpu_system(cluster_resolver: Any = None) -> Topology:
    """The mesh of the device of this process, which JAX has ready.

    Args:
        cluster_resolver: a `tf.distribute.cluster_resolver.TPUClusterResolver` of this machine.

    Raises:
        UnimplementedError: the resolver names another machine.
    """
    if cluster_resolver is not None and cluster_resolver.master():
        raise errors.UnimplementedError(
            None, None, f"tf.tpu.experimental.initialize_tpu_system: {cluster_resolver.master()} is not this machine, "
            "whose devices JAX uses; run the program there")
    return local_topology()
