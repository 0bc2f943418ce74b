"""A model function under a distribution strategy: called for each replica, with one EstimatorSpec as the result."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.data.dataset import DatasetV2
from evergraph.distribute.strategy import DistributeConfig, Strategy, get_loss_reduction, scaling_losses
from evergraph.distribute.values import flat_values, local_values, selected
from evergraph.estimator.export.outputs import metric_pair
from evergraph.estimator.input_result import IteratorInitializer, features_and_labels
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.frontend.control_flow import group
from evergraph.metrics.means import mean
from evergraph.train.scaffold import Scaffold
from evergraph.train.session_run_hook import SessionRunHook

LOSS = "loss"
"""The name of the mean loss among an Estimator's metrics."""


def scope_of(strategy: Strategy | None) -> contextlib.AbstractContextManager[Any]:
    """The scope of a strategy, if there is one, in which optimizers treat losses as the Estimator does."""
    blocks = contextlib.ExitStack()
    if strategy is not None:
        blocks.enter_context(scaling_losses(strategy))
        blocks.enter_context(strategy.scope())
    return blocks


def works_in_step(strategy: Any) -> bool:
    """Whether a strategy adds up the gradients of several workers, each of which trains by itself otherwise."""
    return isinstance(strategy, Strategy) and bool(strategy.extended._in_multi_worker_mode())


def worker_of(strategy: Any) -> contextlib.AbstractContextManager[Any]:
    """The context of this worker, if there are several that train together."""
    return strategy.extended._worker_context if works_in_step(strategy) else contextlib.nullcontext()


def check_strategy(name: str, value: Any) -> None:
    """Raises for a setting of RunConfig that is no strategy."""
    if not isinstance(value, Strategy):
        raise errors.UnimplementedError(
            None, None, f"RunConfig({name}=...) takes a strategy of tf.distribute, not {value!r}")


def strategies(config: Any, train: Any, evaluation: Any) -> tuple[Any, Any]:
    """The strategies of training and evaluation: those of a DistributeConfig, or else those that are given.

    Raises:
        ValueError: a strategy is given in both ways.
        UnimplementedError: the config is none, or it names a cluster.
    """
    if not isinstance(config, DistributeConfig):
        raise errors.UnimplementedError(
            None, None, f"RunConfig(experimental_distribute=...) takes a tf.contrib.distribute.DistributeConfig, not "
            f"{config!r}")
    if config.remote_cluster:
        raise errors.UnimplementedError(None, None, "DistributeConfig(remote_cluster=...): Estimators train in the "
                                        "processes of a cluster themselves")
    for name, own, other in (("train_distribute", config.train_distribute, train),
                             ("eval_distribute", config.eval_distribute, evaluation)):
        if own is not None and other is not None:
            raise ValueError(f"Either `{name}` or `experimental_distribute.{name}` can be set, not both")
    return config.train_distribute or train, config.eval_distribute or evaluation


def input_of(strategy: Strategy, input_fn: Callable[[Any], Any]) -> tuple[Any, Any, list[SessionRunHook]]:
    """(features, labels, hooks) of an input function, which is given an InputContext; each replica gets a batch.

    Raises:
        ValueError: there are several replicas, and the function returns no dataset.
    """
    count = strategy.num_replicas_in_sync
    results: list[Any] = []

    def kept(context: Any) -> Any:
        results.append(input_fn(context))
        if not isinstance(results[0], DatasetV2) and count > 1:
            raise ValueError(f"dataset_fn() must return a tf.data.Dataset when using a tf.distribute.Strategy: it is "
                             f"shared by {count} replicas, got {results[0]!r}")
        return results[0] if isinstance(results[0], DatasetV2) else lambda: results[0]

    iterator = strategy.make_input_fn_iterator(kept)
    features, labels, _ = features_and_labels(iterator.get_next())
    return features, labels, [IteratorInitializer(iterator)] if isinstance(results[0], DatasetV2) else []


def spec_of(strategy: Strategy, call: Callable[[Any, Any], EstimatorSpec], features: Any,
            labels: Any) -> tuple[EstimatorSpec, dict[str, Any]]:
    """The EstimatorSpec of all replicas: the loss and the metrics of all of them, and one operation that trains.

    With several replicas and for evaluation, the second result is a dictionary with the metric of their losses.

    Args:
        strategy: the strategy, whose scope is open.
        call: the model function, of features and labels.
        features, labels: the input, with a part for each replica.
    """
    def replica(features: Any, labels: Any) -> Any:
        spec = call(features, labels)
        metrics = {name: metric_pair(metric) for name, metric in sorted((spec.eval_metric_ops or {}).items())}
        loss = {LOSS: mean(spec.loss)} if spec.mode == ModeKeys.EVAL and count > 1 else {}
        return spec._replace(eval_metric_ops=metrics), loss

    count = strategy.num_replicas_in_sync
    spec, loss = strategy.extended.call_for_each_replica(replica, (features, labels))
    if count == 1:
        return spec, {}
    first = selected(0, spec)
    metrics = {name: combined_metric(value, update) for name, (value, update) in spec.eval_metric_ops.items()}
    changes: dict[str, Any] = {"eval_metric_ops": metrics, "scaffold": combined_scaffold(local_values(spec.scaffold))}
    if spec.loss is not None:
        changes["loss"] = strategy.reduce(get_loss_reduction(), spec.loss)
    if spec.train_op is not None:
        changes["train_op"] = strategy.group(spec.train_op)
    return first._replace(**changes), {name: combined_metric(*pair) for name, pair in loss.items()}


def combined_metric(value: Any, update: Any) -> tuple[Any, Any]:
    """(value, update) of a metric: all replicas have the same value, and all are updated."""
    return local_values(value)[0], group(*flat_values(update))


def combined_scaffold(scaffolds: Sequence[Scaffold]) -> Scaffold:
    """One scaffold of those of the replicas.

    The first one says what the session needs; initializers and functions of the others run too.
    """
    if len(scaffolds) == 1:
        return scaffolds[0]
    pieces = {name: _together([getattr(scaffold, name) for scaffold in scaffolds])
              for name in ("init_op", "local_init_op")}
    calls = [scaffold._pieces["user_init_fn"] for scaffold in scaffolds if scaffold._pieces["user_init_fn"]]

    def init(scaffold: Scaffold, session: Any) -> None:
        for call in calls:
            call(scaffold, session)

    return Scaffold(**pieces, init_fn=init if calls else None, copy_from_scaffold=scaffolds[0])


def _together(operations: Sequence[Any]) -> Any:
    found = [operation for operation in operations if operation is not None]
    return group(*found) if found else None
