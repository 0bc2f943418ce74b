"""The replica that code runs for, and the strategy around it: tf.distribute.get_strategy and its siblings."""
from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.distribute.replica_threads import Replica
from evergraph.distribute.values import PerReplica
from evergraph.frontend import replicas
from evergraph.graph.convert import constant


@export("distribute.ReplicaContext", "contrib.distribute.ReplicaContext")
class ReplicaContext:
    """What a function that a strategy runs may ask about the replica that it is.

    Args:
        strategy: the strategy.
        replica_id_in_sync_group: the number of the replica, an integer or a tensor with one; None for `number`, as a
            tensor of the current graph.

    Attributes:
        strategy: the same.
    """

    def __init__(self, strategy: Any, replica_id_in_sync_group: Any, thread: Replica | None = None,
                 number: int = 0) -> None:
        self.strategy, self._id, self._thread = strategy, replica_id_in_sync_group, thread
        self.number = number
        self.shared: Any = None

    @property
    def replica_id_in_sync_group(self) -> Any:
        """The number of the replica, a tensor in the functions that a strategy calls."""
        number = self.strategy.extended._first_replica + self.number
        return constant(number, dtypes.int32) if self._id is None else self._id

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are."""
        return self.strategy.num_replicas_in_sync

    @property
    def devices(self) -> tuple[str, ...]:
        """The device that the replica computes on, as the only element."""
        require_replica_context(self)
        return (self.strategy.extended.worker_devices[self.number],)

    def merge_call(self, merge_fn: Callable[..., Any], args: Sequence[Any] = (),
                   kwargs: Mapping[str, Any] | None = None) -> Any:
        """Calls `merge_fn(strategy, *args, **kwargs)` once for all replicas, when all of them have come here.

        Arguments that differ between replicas are given as one value with those of each.

        Returns:
            What the function returns; of values with one for each replica, the one of this replica.

        Raises:
            RuntimeError: the call is inside of a condition, a loop or a function.
        """
        require_replica_context(self)
        if self._thread is not None:
            return self._thread.meet(merge_fn, args, dict(kwargs or {}))
        with replicas.entered.pushed(replicas.Entered(self.strategy)):
            return merge_fn(self.strategy, *args, **(kwargs or {}))

    def all_reduce(self, reduce_op: Any, value: Any) -> Any:
        """The sum or the mean of a value over the replicas.

        Args:
            reduce_op: a tf.distribute.ReduceOp, or its name.
            value: a tensor, or a structure of them.

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN.
        """
        def reduced(strategy: Any, *leaves: Any) -> list[Any]:
            return strategy.extended.batch_reduce_to(reduce_op, [(_spread(leaf, strategy), strategy.extended.
                                                                  worker_devices) for leaf in leaves])
        flat = nest.flatten(value)
        return nest.pack_sequence_as(value, self.merge_call(reduced, flat))

    def __enter__(self) -> None:
        replicas.entered.items.append(replicas.Entered(self.strategy, self))

    def __exit__(self, *error: object) -> None:
        replicas.entered.items.pop()


def _spread(value: Any, strategy: Any) -> Any:
    """A value that several replicas have in common, as that of each."""
    count = len(strategy.extended.worker_devices)
    return value if count == 1 or isinstance(value, PerReplica) else PerReplica([value] * count)


class _Defaults:
    """The strategy outside of all scopes, and the one that a program has chosen for them.

    Attributes:
        chosen: that of `experimental_set_strategy`.
    """

    chosen: Any = None
    _everywhere: Any = None

    @property
    def everywhere(self) -> Any:
        """The one that changes nothing; the module of strategies, which nobody may have needed yet, makes it."""
        if self._everywhere is None:
            importlib.import_module("evergraph.distribute.strategy")
        return self._everywhere

    @everywhere.setter
    def everywhere(self, strategy: Any) -> None:
        self._everywhere = strategy


defaults = _Defaults()


@export("distribute.get_strategy", "contrib.distribute.get_strategy", "contrib.distribute.get_distribution_strategy")
def get_strategy() -> Any:
    """The strategy whose scope is open; outside of all scopes one that changes nothing.

    >>> with tf.distribute.OneDeviceStrategy("/cpu:0").scope() as strategy:
    ...     tf.distribute.get_strategy() is strategy
    True
    """
    inside = replicas.current()
    return defaults.everywhere if inside is None else inside.strategy


@export("distribute.has_strategy", "contrib.distribute.has_strategy", "contrib.distribute.has_distribution_strategy")
def has_strategy() -> bool:
    """Whether the scope of a strategy is open."""
    return get_strategy() is not defaults.everywhere


@export("distribute.get_replica_context", "contrib.distribute.get_replica_context")
def get_replica_context() -> ReplicaContext | None:
    """The replica that the code runs for; None where it runs for all of them, as in the scope of a strategy."""
    inside = replicas.current()
    return ReplicaContext(defaults.everywhere, 0) if inside is None else inside.replica


@export("distribute.in_cross_replica_context", "contrib.distribute.in_cross_replica_context")
def in_cross_replica_context() -> bool:
    """Whether the code runs for all replicas together."""
    inside = replicas.current()
    return inside is not None and inside.replica is None


@export("contrib.distribute.get_cross_replica_context")
def get_cross_replica_context() -> Any:
    """The strategy where the code runs for all replicas together; None where it runs for one."""
    return get_strategy() if in_cross_replica_context() else None


@export("contrib.distribute.require_replica_context")
def require_replica_context(replica_ctx: ReplicaContext) -> None:
    """Checks that the code runs for a replica.

    Raises:
        RuntimeError: it does not.
    """
    inside = replicas.current()
    found = None if inside is None else inside.replica
    if found is not replica_ctx and not (inside is None and replica_ctx.strategy is defaults.everywhere):
        raise RuntimeError("Replica context required: this must be called in the function of a replica, "
                           + ("and the code runs for all replicas" if found is None else "and this is another one"))


def require_strategy_scope(strategy: Any) -> None:
    """Checks that the scope of a strategy is open.

    Raises:
        RuntimeError: it is not.
    """
    if replicas.current() is None and strategy is not defaults.everywhere:
        raise RuntimeError(f"{strategy} is used outside of its scope: open it by `with strategy.scope()`")
    if get_strategy() is not strategy:
        raise RuntimeError(f"Mixing different tf.distribute.Strategy objects: {strategy} inside of "
                           f"{get_strategy()}")


def require_cross_replica(strategy: Any) -> None:
    """Checks that the code runs for all replicas of a strategy together, or for none.

    Raises:
        RuntimeError: it runs for one replica.
    """
    inside = replicas.current()
    if inside is not None and inside.replica is not None and strategy is not defaults.everywhere:
        raise RuntimeError("this is for all replicas together, in cross-replica context, and the code runs for one of "
                           "them: call it in merge_call of tf.distribute.get_replica_context()")
