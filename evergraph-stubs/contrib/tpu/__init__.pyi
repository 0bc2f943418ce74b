# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tpu."""

from collections.abc import Callable, Sequence
from evergraph.raw_ops import (
    InfeedDequeue, InfeedDequeueTuple, InfeedEnqueue, InfeedEnqueueTuple, OutfeedDequeue,
    OutfeedDequeueTuple, OutfeedEnqueue, OutfeedEnqueueTuple,
)
from numpy import ndarray
from typing import Any
from evergraph.contrib.tpu import proto as proto

from evergraph.tpu import CrossShardOptimizer as CrossShardOptimizer
from evergraph.tpu.experimental import DeviceAssignment as DeviceAssignment
from evergraph.estimator.tpu import InputPipelineConfig as InputPipelineConfig
from evergraph.estimator.tpu import RunConfig as RunConfig
from evergraph.estimator.tpu import TPUConfig as TPUConfig
from evergraph.estimator.tpu import TPUEstimator as TPUEstimator
from evergraph.estimator.tpu import TPUEstimatorSpec as TPUEstimatorSpec

class Topology:
    """The cores of a mesh, by the tasks that hold them."""
    @property
    def mesh_shape(self) -> ndarray:
        """The size of each dimension."""
    @property
    def mesh_rank(self) -> int:
        """The number of dimensions."""
    @property
    def device_coordinates(self) -> ndarray:
        """[tasks, devices of a task, dimensions]: the place of each device."""
    @property
    def num_tasks(self) -> int:
        """The number of tasks."""
    @property
    def num_tpus_per_task(self) -> int:
        """The number of devices of each task."""
    def task_ordinal_at_coordinates(self, device_coordinates: Sequence[int]) -> int:
        """The number of the task that holds the device at these coordinates."""
    def tpu_device_ordinal_at_coordinates(self, device_coordinates: Sequence[int]) -> int:
        """The number of the device at these coordinates, among those of its task."""
    def cpu_device_name_at_coordinates(
        self, device_coordinates: Sequence[int], job: str | None = None,
    ) -> str:
        """The name of the CPU of the task that holds the device at these coordinates."""
    def tpu_device_name_at_coordinates(
        self, device_coordinates: Sequence[int], job: str | None = None,
    ) -> str:
        """The name of the device at these coordinates."""
    def serialized(self) -> bytes:
        """The topology as a TopologyProto."""
    def __init__(
        self, serialized: bytes | None = None, mesh_shape: Sequence[int] | None = None,
        device_coordinates: Any = None,
    ) -> None: ...

from evergraph.tpu import batch_parallel as batch_parallel
from evergraph.tpu import bfloat16_scope as bfloat16_scope
from evergraph.tpu import core as core
from evergraph.tpu import cross_replica_sum as cross_replica_sum
infeed_dequeue = InfeedDequeue
infeed_dequeue_tuple = InfeedDequeueTuple
infeed_enqueue = InfeedEnqueue
infeed_enqueue_tuple = InfeedEnqueueTuple
from evergraph.tpu import initialize_system as initialize_system
outfeed_dequeue = OutfeedDequeue
outfeed_dequeue_tuple = OutfeedDequeueTuple
outfeed_enqueue = OutfeedEnqueue
outfeed_enqueue_tuple = OutfeedEnqueueTuple
from evergraph.tpu import outside_compilation as outside_compilation

def repeat(
    n: Any, body: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None, name: str | None = None,
) -> Any:
    """A loop of so many turns; see `tf.contrib.tpu.while_loop`."""

from evergraph.tpu import replicate as replicate
from evergraph.tpu import rewrite as rewrite
from evergraph.tpu import shard as shard
from evergraph.tpu import shutdown_system as shutdown_system

def while_loop(
    condition: Callable[..., Any], body: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
    name: str | None = None,
) -> Any:
    """A loop whose body returns tensors and operations: the tensors are the next inputs."""
