"""tf.distribute.Strategy: what programs say to a distribution strategy."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from evergraph.base.export import export
from evergraph.distribute.contexts import defaults, get_strategy, require_cross_replica
from evergraph.distribute.extended import StrategyExtended
from evergraph.distribute.input import InputReplicationMode
from evergraph.distribute.reductions import ReduceOp
from evergraph.distribute.values import local_values
from evergraph.frontend import replicas
from evergraph.frontend.control_flow import group


@export("distribute.Strategy", "contrib.distribute.DistributionStrategy")
class Strategy:
    """How a model is computed by several replicas, which share variables and divide batches among them.

    >>> strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    >>> with strategy.scope():
    ...     w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    >>> strategy.num_replicas_in_sync
    1

    Args:
        extended: the StrategyExtended that says how.
    """

    def __init__(self, extended: StrategyExtended) -> None:
        self._extended = extended
        self._scale_loss_for_estimator = False

    @property
    def extended(self) -> StrategyExtended:
        """What libraries that are made for strategies ask of one; see `tf.distribute.StrategyExtended`."""
        return self._extended

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas compute the gradients of a step; programs divide their batches by it."""
        return self._extended._num_replicas_in_sync

    def scope(self) -> Any:
        """A with-block whose variables belong to the strategy; `as` gives the strategy itself.

        Raises (at the begin of the block):
            RuntimeError: the scope of another strategy is open.
        """
        return self._extended._scope(self)

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A with-block whose variables are where another one is."""
        return self._extended.colocate_vars_with(colocate_with_variable)

    # ---- input

    def experimental_distribute_dataset(self, dataset: Any) -> Any:
        """The batches of a dataset, each divided among the replicas.

        A batch of 8 rows is four rows for each of two replicas; where it cannot be divided evenly, the last replicas
        get fewer rows. With one replica it is the dataset itself.
        """
        return self._extended._distributed_dataset(dataset)

    def experimental_distribute_datasets_from_function(self, dataset_fn: Callable[[Any], Any]) -> Any:
        """The elements of the dataset that a function returns, which takes a tf.distribute.InputContext.

        Each replica gets an element of its own, one after the other: batches are as large as for one replica.
        """
        return self._extended._dataset_from_function(dataset_fn)

    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays.

        Args:
            numpy_input: an array, or a structure of them.
            session: has no meaning here: the arrays are constants of the graph, and no session has to keep them.
        """
        return self._extended.experimental_make_numpy_dataset(numpy_input, session)

    def make_dataset_iterator(self, dataset: Any) -> Any:
        """The batches of a dataset, each divided among the replicas, for `experimental_run`.

        Run its `initialize()` first; with eager execution there is no need to.
        """
        return self._extended._make_dataset_iterator(dataset)

    def make_input_fn_iterator(self, input_fn: Callable[[Any], Any],
                               replication_mode: InputReplicationMode = InputReplicationMode.PER_WORKER) -> Any:
        """As `make_dataset_iterator`, for what a function returns: a dataset, or a function that returns tensors.

        Each replica gets an element of its own.

        Raises:
            ValueError: `replication_mode` is none of InputReplicationMode's.
        """
        if replication_mode is not InputReplicationMode.PER_WORKER:
            raise ValueError(f"Input replication mode not supported: {replication_mode!r}; it must be "
                             "InputReplicationMode.PER_WORKER")
        return self._extended._make_input_fn_iterator(input_fn)

    # ---- computing

    def experimental_run(self, fn: Callable[..., Any], input_iterator: Any = None) -> Any:
        """Calls a function for each replica; with an iterator, on its next elements."""
        with self.scope():
            return self._extended.call_for_each_replica(
                fn, () if input_iterator is None else (input_iterator.get_next(),))

    def experimental_run_v2(self, fn: Callable[..., Any], args: Sequence[Any] = (),
                            kwargs: Mapping[str, Any] | None = None) -> Any:
        """Calls a function for each replica, on the device of the replica.

        Args:
            fn: the function.
            args, kwargs: its arguments; of values with one for each replica, it gets that of its own.

        Returns:
            What the function returned, with one value for each replica where they differ.

        Raises:
            RuntimeError: it is called for one replica already.
        """
        with self.scope():
            return self._extended.call_for_each_replica(fn, args, kwargs)

    # ---- results

    def reduce(self, reduce_op: Any, value: Any, axis: int | None = None) -> Any:
        """The sum or the mean of the values of all replicas; with an axis, along this axis too.

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN.
            RuntimeError: it is called for one replica.
        """
        require_cross_replica(self)
        return self._extended._reduced(ReduceOp.of(reduce_op), value, axis)

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of all replicas, as a tuple."""
        return local_values(value)

    def unwrap(self, value: Any) -> tuple[Any, ...]:
        """The older name of `experimental_local_results`."""
        return self.experimental_local_results(value)

    def group(self, value: Any, name: str | None = None) -> Any:
        """An operation that is done when the values of all replicas are computed."""
        found = [each for each in local_values(value) if each is not None]
        return found[0] if len(found) == 1 and name is None else group(*found, name=name)

    # ---- sessions

    def configure(self, session_config: Any = None, cluster_spec: Any = None, task_type: str | None = None,
                  task_id: int | None = None) -> None:
        """Prepares for a task of a cluster, if there is one.

        Args:
            session_config: a tf.ConfigProto, which gets what the strategy needs.
            cluster_spec: a tf.train.ClusterSpec, or a dictionary of jobs.
            task_type: the job of this process.
            task_id: its number.

        Raises:
            UnimplementedError: there is a cluster, and the strategy is for one process.
        """
        self._extended._configure(cluster_spec, task_type, task_id)
        if session_config is not None:
            session_config.CopyFrom(self._extended._updated_config(session_config))

    def update_config_proto(self, config_proto: Any) -> Any:
        """A copy of a tf.ConfigProto with what the strategy needs."""
        copy = type(config_proto)()
        copy.CopyFrom(config_proto)
        return self._extended._updated_config(copy)

    def __deepcopy__(self, memo: Any) -> Strategy:
        return self  # the variables of a program know it

    def __copy__(self) -> Strategy:
        return self


class DefaultStrategy(Strategy):
    """The strategy outside of all scopes, which changes nothing."""


defaults.everywhere = DefaultStrategy(StrategyExtended(None, ("",)))
defaults.everywhere.extended._strategy = defaults.everywhere


@export("distribute.experimental_set_strategy")
def experimental_set_strategy(strategy: Strategy | None) -> None:
    """Opens the scope of a strategy for good, as `with strategy.scope()` around the rest of the program; None ends it.

    Raises:
        RuntimeError: a with-block of a strategy is open.
    """
    if defaults.chosen is not None:
        if replicas.current() is not None and get_strategy() is not defaults.chosen[0]:
            raise RuntimeError("Must not be called inside a strategy scope.")
        defaults.chosen[1].close()
        defaults.chosen = None
    elif replicas.current() is not None:
        raise RuntimeError("Must not be called inside a strategy scope.")
    if strategy is not None:
        blocks = contextlib.ExitStack()
        blocks.enter_context(strategy.scope())
        defaults.chosen = (strategy, blocks)


@export("contrib.distribute.DistributeConfig")
class DistributeConfig(NamedTuple):
    """The strategies of an Estimator, for `tf.estimator.RunConfig(experimental_distribute=...)`.

    Attributes:
        train_distribute: the strategy of training.
        eval_distribute: the strategy of evaluation.
        remote_cluster: a cluster in which others train; not supported.
    """

    train_distribute: Strategy | None = None
    eval_distribute: Strategy | None = None
    remote_cluster: Any = None


@export("distribute.get_loss_reduction", "contrib.distribute.get_loss_reduction")
def get_loss_reduction() -> ReduceOp:
    """How the losses of replicas are to be combined: SUM, except in an Estimator, whose losses are mostly means.

    There it is the mean, unless the last loss of `tf.losses` was a sum.
    """
    return ReduceOp.MEAN if replicas.scales_loss() else ReduceOp.SUM


@contextlib.contextmanager
def scaling_losses(strategy: Strategy) -> Iterator[None]:
    """A with-block of an Estimator, in which optimizers divide losses that are means by the number of replicas."""
    before, strategy._scale_loss_for_estimator = strategy._scale_loss_for_estimator, True
    try:
        yield
    finally:
        strategy._scale_loss_for_estimator = before
