# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.tpu."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from evergraph import Operation, Tensor
from evergraph.train import Optimizer
from typing import Any
from evergraph.tpu import experimental as experimental

class CrossShardOptimizer(Optimizer):
    """Wraps an optimizer so that it applies gradients summed over all devices."""
    def compute_gradients(self, loss: Any, var_list: Any = None, **kwargs: Any) -> Any:
        """Computes the gradients as the wrapped optimizer does: the loss of one device is the loss."""
    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Applies the gradients, summed over the devices."""
    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the wrapped optimizer."""
    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        """The names of the wrapped optimizer's slots."""
    def variables(self) -> list[Any]:
        """The variables of the wrapped optimizer."""
    def __init__(
        self, opt: Optimizer, reduction: str = 'weighted_mean', name: str = 'CrossShardOptimizer',
        group_assignment: Any = None,
    ) -> None: ...

def batch_parallel(
    computation: Callable[..., Any], inputs: Sequence[Any] | None = None, num_shards: int = 1,
    infeed_queue: Any = None, device_assignment: Any = None, name: str | None = None,
) -> Any:
    """Splits a batch along its first axis among shards; see `tf.tpu.shard`."""

def bfloat16_scope(name: str | None = None) -> AbstractContextManager[Any]:
    """A variable scope in which variables are kept as float32 and used as bfloat16."""

def core(num: int) -> str:
    """The name of the device that stands for a core of each replica."""

def cross_replica_sum(x: Any, group_assignment: Any = None, name: str | None = None) -> Tensor:
    """The sum of a tensor over the replicas of a group, of which there is one."""

def initialize_system(embedding_config: Any = None, job: str | None = None) -> Tensor:
    """A string tensor that describes the device of the session, as a serialized TopologyProto."""

def outside_compilation(computation: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Builds a part of a computation that need not run on the device; a session finds out by itself which
    does."""

def replicate(
    computation: Callable[..., Any], inputs: Sequence[Sequence[Any]] | None = None,
    infeed_queue: Any = None, device_assignment: Any = None, name: str | None = None,
    maximum_shapes: Any = None,
) -> list[Any]:
    """Builds a computation for each replica, of which there is one."""

def rewrite(
    computation: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
    device_assignment: Any = None, name: str | None = None,
) -> Any:
    """Builds a computation for the device; a session compiles it as everything else."""

def shard(
    computation: Callable[..., Any], inputs: Sequence[Any] | None = None, num_shards: int = 1,
    input_shard_axes: Sequence[int] | None = None, outputs_from_all_shards: Any = True,
    output_shard_axes: Sequence[int] | None = None, infeed_queue: Any = None, device_assignment: Any = None,
    name: str | None = None,
) -> Any:
    """Splits inputs among shards and joins their outputs: with one shard, the computation itself."""

def shutdown_system(job: str | None = None) -> Operation:
    """An operation at the end of programs for TPUs."""
