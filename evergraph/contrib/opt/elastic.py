"""Elastic averaging (Zhang, Choromanska and LeCun, 2015): workers explore around variables that they share."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.opt.centers import BeginWithCenters, CenterGetter, WorkerOptimizer, counted
from evergraph.frontend.blocks import control_dependencies, device
from evergraph.frontend.collections import global_variables
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.queues import FIFOQueue
from evergraph.frontend.math import add_n, cast
from evergraph.graph.node import Operation
from evergraph.ops.nn.activations import l2_loss
from evergraph.save.saver import Saver
from evergraph.train.optimizer import Optimizer
from evergraph.train.session_run_hook import SessionRunHook

_BETA = 0.9


@export("contrib.opt.ElasticAverageCustomGetter")
class ElasticAverageCustomGetter(CenterGetter):
    """Gives each trainable variable of a worker a copy that all workers share, "global_center_variable/<name>".

    Use it as the `custom_getter` of a `tf.variable_scope`, within a `tf.train.replica_device_setter`.

    Args:
        worker_device: where the worker's own variables are placed.
    """


@export("contrib.opt.ElasticAverageOptimizer")
class ElasticAverageOptimizer(WorkerOptimizer):
    """Steps on the worker's own variables, and now and then moves them and the shared ones towards each other.

    The global step counts these moves.

    Args:
        opt: the optimizer of the steps.
        num_worker: the number of workers.
        ea_custom_getter: the ElasticAverageCustomGetter that made the variables.
        communication_period: how many steps there are from one move to the next.
        moving_rate: the share of the difference by which both move; by default 0.9 divided by the period and the number
            of workers.
        rho: how much of the squared differences is added to the loss; by default `moving_rate` divided by the learning
            rate. The differences are those from the shared variables as they are.
        use_locking: has no effect: updates are atomic.
        synchronous: whether workers wait for each other before they move.
        name: a name for the operations.
    """

    def __init__(self, opt: Optimizer, num_worker: int, ea_custom_getter: CenterGetter, communication_period: int = 10,
                 moving_rate: Any = None, rho: Any = None, use_locking: bool = True, synchronous: bool = False,
                 name: str = "ElasticAverageOptimizer") -> None:
        super().__init__(opt, ea_custom_getter, communication_period, name, use_locking)
        self._num_worker, self._synchronous = num_worker, synchronous
        self._rate = _BETA / communication_period / num_worker if moving_rate is None else moving_rate
        self._rho = self._rate / _learning_rate(opt) if rho is None else rho
        self._task_index = 0

    def compute_gradients(self, loss: Any, var_list: Any = None, **kwargs: Any) -> Any:
        """Gradients of the loss with `rho` times half the squared differences from the shared variables."""
        pairs = [(own, center) for own, center in self._getter.pairs() if var_list is None or own in set(var_list)]
        if not isinstance(self._rho, (int, float)) or self._rho > 0:
            apart = [l2_loss(own - center) for own, center in pairs]
            loss = loss + cast(self._rho, loss.dtype.base_dtype) * add_n(apart) if apart else loss
        return self._optimizer.compute_gradients(loss, var_list=[own for own, _ in pairs], **kwargs)

    def _communicated(self, pairs: list[tuple[Any, Any]], global_step: Any) -> Operation:
        with control_dependencies(self._barrier() if self._synchronous else []):
            moves = [(own, center, self._rate * (own.read_value() - center.read_value()))
                     for _, own in pairs for center in [self._getter.center_of(own)]]
        with control_dependencies([move for _, _, move in moves]):
            return group(*(own.assign_sub(move) for own, _, move in moves),
                         *(center.assign_add(move) for _, center, move in moves), *counted(global_step))

    def _barrier(self) -> list[Operation]:
        """Tells all others, and waits for all of them."""
        with device("/job:ps/task:0"):
            queues = [FIFOQueue(self._num_worker * 2, [dtypes.bool], [[]], shared_name=f"elastic_sync_{number}")
                      for number in range(self._num_worker)]
        others = [queue.enqueue(True) for number, queue in enumerate(queues) if number != self._task_index]
        with control_dependencies(others):
            return [group(queues[self._task_index].dequeue_many(self._num_worker - 1))]

    def make_session_run_hook(self, is_chief: bool, task_index: int) -> SessionRunHook:
        """A hook that begins with variables equal to the shared ones; give it to the session of every worker.

        Args:
            is_chief: has no meaning here: the chief's session has given the shared variables their values by then.
            task_index: the number of the worker.
        """
        self._task_index = task_index
        return BeginWithCenters(self._getter)

    def swapping_saver(self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any) -> Saver:
        """A saver that saves the shared variables under the names of the workers'.

        Args:
            var_list: the variables to save, by name or as a list; by default all shared ones and other global ones.
            name: a name scope.
            kwargs: arguments for tf.train.Saver.
        """
        shared = {own.op.name: center for own, center in self._getter.pairs()}
        if isinstance(var_list, dict):
            return Saver({key: shared.get(each.op.name, each) for key, each in var_list.items()}, name=name, **kwargs)
        centers = {center.op.name for center in shared.values()}
        given = var_list or [*(own for own, _ in self._getter.pairs()),
                             *(v for v in global_variables() if v.op.name not in centers)]
        saved: dict[str, Any] = {}
        for variable in given:
            part, kept = variable._save_slice_info, shared.get(variable.op.name, variable)
            if part is None:
                saved[variable.op.name] = kept
            else:
                saved.setdefault(part.full_name, []).append(kept)
        return Saver(saved, name=name, **kwargs)


def _learning_rate(opt: Optimizer) -> Any:
    """The learning rate of an optimizer.

    Raises:
        ValueError: it keeps none.
    """
    for name in ("_learning_rate", "_lr"):
        if getattr(opt, name, None) is not None:
            return getattr(opt, name)
    raise ValueError(f"{type(opt).__name__} has no learning rate to take rho from: give rho")
