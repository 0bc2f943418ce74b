# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.distribute."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from evergraph.distribute import InputContext, InputReplicationMode
from typing import Any

class MirroredStrategy:
    """Data parallelism over one device, with the arguments of tf.contrib."""
    num_replicas_in_sync: int
    def scope(self) -> AbstractContextManager[None]:
        """Places operations and variables on the device, where one is named."""
    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A with-block whose variables are where another one is."""
    def experimental_distribute_dataset(self, dataset: Any) -> Any:
        """The dataset itself: the only replica gets all of it."""
    def experimental_distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], Any],
    ) -> Any:
        """The dataset that a function returns for the only worker."""
    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays; they are constants of the graph, so that no session has to keep
        them."""
    def make_dataset_iterator(self, dataset: Any) -> Any:
        """The elements of a dataset for `experimental_run`; run its `initialize()` first."""
    def make_input_fn_iterator(
        self, input_fn: Callable[[InputContext], Any], replication_mode: InputReplicationMode = ...,
    ) -> Any:
        """As `make_dataset_iterator`, for a dataset that a function returns."""
    def experimental_run(self, fn: Callable[..., Any], input_iterator: Any = None) -> Any:
        """Calls a function on the device, with the next element of an iterator if one is given."""
    def experimental_run_v2(
        self, fn: Callable[..., Any], args: Sequence[Any] = ..., kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls a function on the device and returns its result."""
    def reduce(self, reduce_op: Any, value: Any, axis: int | None = None) -> Any:
        """The value of the only replica; with an axis, the sum or the mean along it."""
    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of all replicas, which are one."""
    def unwrap(self, value: Any) -> tuple[Any, ...]:
        """The older name of `experimental_local_results`."""
    def group(self, value: Any, name: str | None = None) -> Any:
        """An operation that is done when the value is computed."""
    def configure(
        self, session_config: Any = None, cluster_spec: Any = None, task_type: str | None = None,
        task_id: int | None = None,
    ) -> None:
        """Prepares for a cluster."""
    def update_config_proto(self, config_proto: Any) -> Any:
        """A copy of a tf.ConfigProto, in which one device needs no changes."""
    def __init__(
        self, devices: Sequence[str] | None = None, num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None, cross_device_ops: Any = None, auto_shard_dataset: bool = False,
        cross_tower_ops: Any = None,
    ) -> None: ...

from evergraph.distribute import OneDeviceStrategy as OneDeviceStrategy
