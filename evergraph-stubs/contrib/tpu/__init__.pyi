# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tpu."""

from collections.abc import Callable, Sequence
from evergraph import Operation
from evergraph.raw_ops import (
    InfeedDequeue, InfeedDequeueTuple, InfeedEnqueue, InfeedEnqueueTuple, OutfeedDequeue,
    OutfeedDequeueTuple, OutfeedEnqueue, OutfeedEnqueueTuple,
)
from numpy import ndarray
from typing import Any
from evergraph.contrib.tpu import proto as proto

from evergraph.tpu import CrossShardOptimizer as CrossShardOptimizer
from evergraph.tpu.experimental import DeviceAssignment as DeviceAssignment

class InfeedQueue:
    """What a tuple of tensors for TPU cores consists of: their types, shapes and how each is cut."""
    @property
    def number_of_tuple_elements(self) -> int:
        """How many tensors there are."""
    @property
    def tuple_types(self) -> Any: ...
    @property
    def tuple_shapes(self) -> Any: ...
    @property
    def sharding_policies(self) -> Any: ...
    @property
    def shard_dimensions(self) -> Any: ...
    @property
    def number_of_shards(self) -> Any: ...
    def set_tuple_types(self, tuple_types: Sequence[Any]) -> None:
        """Sets the types of all tensors."""
    def set_tuple_shapes(self, tuple_shapes: Sequence[Any]) -> None:
        """Sets the shapes of all tensors."""
    def set_shard_dimensions(self, shard_dimensions: Sequence[int]) -> None:
        """Sets along which dimension each tensor is cut."""
    def set_number_of_shards(self, number_of_shards: int) -> None:
        """Sets into how many parts all tensors are cut."""
    def set_configuration_from_input_tensors(self, input_tensors: Sequence[Any]) -> None:
        """Takes types and shapes from tensors."""
    def set_configuration_from_sharded_input_tensors(self, input_tensors: Sequence[Sequence[Any]]) -> None:
        """Takes types and shapes from the tensors of all parts, a list for each."""
    def freeze(self) -> None:
        """Forbids changes."""
    def generate_dequeue_op(self, tpu_device: int = 0) -> list[Any]:
        """What a replica takes from the queue of its device: tensors of a part's types and shapes."""
    def generate_enqueue_ops(
        self, sharded_inputs: Sequence[Sequence[Any]], tpu_ordinal_function: Callable[[int], int] | None = None,
        placement_function: Callable[[int], str] | None = None,
    ) -> list[Operation]:
        """The operations that put parts into the queues of the replicas' devices."""
    def split_inputs_and_generate_enqueue_ops(
        self, inputs: Sequence[Any], device_assignment: Any = None,
        placement_function: Callable[[int], str] | None = None,
        tpu_ordinal_function: Callable[[int], int] | None = None,
    ) -> list[Operation]:
        """The operations that cut tensors into parts and put them into the queues of the replicas' devices."""
    def __init__(
        self, number_of_tuple_elements: int | None = None, tuple_types: Sequence[Any] | None = None,
        tuple_shapes: Sequence[Any] | None = None, shard_dimensions: Sequence[int] | None = None,
        name: str | None = None,
    ) -> None: ...
    name: Any

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
