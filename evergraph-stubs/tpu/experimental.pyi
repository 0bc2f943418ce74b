# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.tpu.experimental."""

from collections.abc import Callable, Sequence
from evergraph.contrib.tpu import Topology
from numpy import ndarray
from typing import Any

class AdagradParameters:
    """Adagrad for the embedding tables of a TPU."""
    initial_accumulator: float
    use_gradient_accumulation: bool
    clip_weight_min: float | None
    clip_weight_max: float | None
    def __delattr__(self, name: str) -> None: ...
    def __eq__(self, other: Any) -> Any: ...
    def __hash__(self) -> int: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(
        self, learning_rate: float, initial_accumulator: float = 0.1, use_gradient_accumulation: bool = True,
        clip_weight_min: float | None = None, clip_weight_max: float | None = None,
    ) -> None: ...
    learning_rate: float

class AdamParameters:
    """Adam for the embedding tables of a TPU."""
    beta1: float
    beta2: float
    epsilon: float
    lazy_adam: bool
    sum_inside_sqrt: bool
    use_gradient_accumulation: bool
    clip_weight_min: float | None
    clip_weight_max: float | None
    def __delattr__(self, name: str) -> None: ...
    def __eq__(self, other: Any) -> Any: ...
    def __hash__(self) -> int: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(
        self, learning_rate: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08,
        lazy_adam: bool = True, sum_inside_sqrt: bool = True, use_gradient_accumulation: bool = True,
        clip_weight_min: float | None = None, clip_weight_max: float | None = None,
    ) -> None: ...
    learning_rate: float

class DeviceAssignment:
    """Which cores of a mesh compute each replica."""
    @property
    def topology(self) -> Topology:
        """The mesh."""
    @property
    def core_assignment(self) -> ndarray:
        """[replicas, cores of a replica, dimensions]: the place of each core."""
    @property
    def num_replicas(self) -> int:
        """The number of replicas."""
    @property
    def num_cores_per_replica(self) -> int:
        """The number of cores that compute a replica together."""
    def coordinates(self, replica: int, logical_core: int) -> tuple[int, ...]:
        """The place of a core of a replica."""
    def lookup_replicas(self, task_id: int, logical_core: int) -> list[int]:
        """The replicas whose core of this number a task holds."""
    def tpu_ordinal(self, replica: int = 0, logical_core: int = 0) -> int:
        """The number of the device of a core, among those of its task."""
    def host_device(self, replica: int = 0, logical_core: int = 0, job: str | None = None) -> str:
        """The name of the CPU of the task that holds a core."""
    def tpu_device(self, replica: int = 0, logical_core: int = 0, job: str | None = None) -> str:
        """The name of the device of a core."""
    @staticmethod
    def build(
        topology: Topology, computation_shape: Sequence[int] | None = None,
        computation_stride: Sequence[int] | None = None, num_replicas: int = 1,
    ) -> DeviceAssignment:
        """Places replicas close to each other."""
    def __init__(self, topology: Topology, core_assignment: Any) -> None: ...

class StochasticGradientDescentParameters:
    """Gradient descent for the embedding tables of a TPU."""
    clip_weight_min: float | None
    clip_weight_max: float | None
    def __delattr__(self, name: str) -> None: ...
    def __eq__(self, other: Any) -> Any: ...
    def __hash__(self) -> int: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(
        self, learning_rate: float, clip_weight_min: float | None = None, clip_weight_max: float | None = None,
    ) -> None: ...
    learning_rate: float

def embedding_column(
    categorical_column: Any, dimension: int, combiner: str = 'mean', initializer: Any = None,
    max_sequence_length: int = 0, learning_rate_fn: Callable[..., Any] | None = None,
) -> tuple:
    """An embedding column for programs that TPUs run too; see `tf.feature_column.embedding_column`."""

def initialize_tpu_system(cluster_resolver: Any = None) -> Topology:
    """The mesh of the device of this process, which JAX has ready."""

def shared_embedding_columns(
    categorical_columns: Sequence[Any], dimension: int, combiner: str = 'mean', initializer: Any = None,
    shared_embedding_collection_name: str | None = None, max_sequence_lengths: Sequence[int] | None = None,
    learning_rate_fn: Callable[..., Any] | None = None,
) -> list[Any]:
    """Embedding columns with one table, for programs that TPUs run too; see `embedding_column`."""
