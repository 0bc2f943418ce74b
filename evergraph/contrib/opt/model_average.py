"""Model averaging: workers train models of their own, which now and then all become their mean."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.opt.centers import BeginWithCenters, CenterGetter, WorkerOptimizer, counted
from evergraph.frontend import array
from evergraph.frontend.blocks import colocate_with, control_dependencies
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.accumulators import ConditionalAccumulator
from evergraph.frontend.input.queues import FIFOQueue
from evergraph.graph.node import Operation
from evergraph.train.optimizer import Optimizer
from evergraph.train.session_run_hook import SessionRunHook


@export("contrib.opt.ModelAverageCustomGetter")
class ModelAverageCustomGetter(CenterGetter):
    """Gives each trainable variable of a worker a copy that all workers share, "global_center_variable/<name>".

    Use it as the `custom_getter` of a `tf.variable_scope`, within a `tf.train.replica_device_setter`.

    Args:
        worker_device: where the worker's own variables are placed.
    """

    @property
    def _local_2_global(self) -> dict[Any, Any]:
        return self._global_map


@export("contrib.opt.ModelAverageOptimizer")
class ModelAverageOptimizer(WorkerOptimizer):
    """Steps on the worker's own variables; after a period, these and the shared ones become the mean of all workers'.

    Workers wait for each other to average. The global step counts these means.

    Args:
        opt: the optimizer of the steps.
        num_worker: the number of workers.
        is_chief: whether this worker takes the means.
        ma_custom_getter: the ModelAverageCustomGetter that made the variables.
        interval_steps: how many steps there are from one mean to the next.
        use_locking: has no effect: updates are atomic.
        name: a name for the operations.
    """

    def __init__(self, opt: Optimizer, num_worker: int, is_chief: bool, ma_custom_getter: CenterGetter,
                 interval_steps: int = 100, use_locking: bool = True, name: str = "ModelAverageOptimizer") -> None:
        super().__init__(opt, ma_custom_getter, interval_steps, name, use_locking)
        self._num_worker, self._is_chief = num_worker, is_chief

    def _communicated(self, pairs: list[tuple[Any, Any]], global_step: Any) -> Operation:
        owns = [(own, self._getter.center_of(own)) for _, own in pairs]
        sums = []
        for number, (own, center) in enumerate(owns):
            with colocate_with(center):
                sums.append(ConditionalAccumulator(own.dtype.base_dtype, own.shape,
                                                   shared_name=f"model_average_{number}"))
        with colocate_with(owns[0][1]):
            means = FIFOQueue(self._num_worker, [own.dtype.base_dtype for own, _ in owns],
                              [own.shape for own, _ in owns], shared_name="model_average_means")
        sent = [each.apply_grad(own.read_value(), local_step=dtypes.int64.max) for each, (own, _) in zip(sums, owns)]
        with control_dependencies(sent):
            taken = [self._taken(sums, [center for _, center in owns], means, global_step)] if self._is_chief else []
        with control_dependencies([*sent, *taken]):
            found = means.dequeue()
        return group(*(own.assign(mean) for (own, _), mean in zip(owns, found if len(owns) > 1 else [found])))

    def _taken(self, sums: list[Any], centers: list[Any], queue: FIFOQueue, global_step: Any) -> Operation:
        """Makes the shared variables the means, and gives these to all workers."""
        means = [each.take_grad(self._num_worker) for each in sums]
        with control_dependencies([*(center.assign(mean) for center, mean in zip(centers, means)),
                                   *counted(global_step)]):
            return queue.enqueue_many([array.stack([mean] * self._num_worker) for mean in means])

    def make_session_run_hook(self) -> SessionRunHook:
        """A hook that begins with variables equal to the shared ones; give it to the session of every worker."""
        return BeginWithCenters(self._getter)
