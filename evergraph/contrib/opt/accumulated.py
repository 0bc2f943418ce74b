"""Accumulated gradient normalization (Hermans, 2017): workers send the mean of the gradients of several steps."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.opt.centers import BeginWithCenters, CenterGetter, WorkerOptimizer, counted, pulled
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, device
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation
from evergraph.train.optimizer import Optimizer
from evergraph.train.session_run_hook import SessionRunHook


@export("contrib.opt.AGNCustomGetter")
class AGNCustomGetter(CenterGetter):
    """Gives each trainable variable of a worker a copy that all workers share, "global_center_variable/<name>".

    Use it as the `custom_getter` of a `tf.variable_scope`, within a `tf.train.replica_device_setter`.

    Args:
        worker_device: where the worker's own variables are placed.
    """


@export("contrib.opt.AGNOptimizer")
class AGNOptimizer(WorkerOptimizer):
    """Steps on the worker's own variables; after a period, the mean gradient makes one step on the shared ones.

    Then the worker goes on from the shared variables. The global step counts their steps.

    Args:
        optimizer: the optimizer of both kinds of steps.
        num_worker: has no meaning here: workers do not wait for each other.
        custom_getter: the AGNCustomGetter that made the variables.
        communication_period: how many steps there are from one communication to the next.
        use_locking: has no effect: updates are atomic.
        name: a name for the operations.
    """

    def __init__(self, optimizer: Optimizer, num_worker: int, custom_getter: CenterGetter,
                 communication_period: int = 10, use_locking: bool = True, name: str = "AGNOptimizer") -> None:
        super().__init__(optimizer, custom_getter, communication_period, name, use_locking)
        self._sums: list[Any] = []

    def _prepare_communication(self, pairs: list[tuple[Any, Any]]) -> None:
        centers = [self._getter.center_of(own) for _, own in pairs]
        self._sums = []
        for _, own in pairs:
            with device(own.device):
                self._sums.append(Variable(array.zeros(own.shape, own.dtype.base_dtype), trainable=False,
                                           name="accumulated_gradient"))
        with device(None):  # a branch cannot create the variables that it uses
            self._optimizer._create_slots(centers)

    def _stepped(self, pairs: list[tuple[Any, Any]]) -> Operation:
        added = [total.assign_add(convert_to_tensor(gradient)) for total, (gradient, _) in zip(self._sums, pairs)]
        return group(*added, super()._stepped(pairs))

    def _communicated(self, pairs: list[tuple[Any, Any]], global_step: Any) -> Operation:
        centers = [self._getter.center_of(own) for _, own in pairs]
        means = [total.read_value() / self._period for total in self._sums]
        sent = self._optimizer.apply_gradients(zip(means, centers))
        with control_dependencies([sent]):
            cleared = [total.assign(array.zeros_like(total)) for total in self._sums]
            return group(pulled([(own, center) for (_, own), center in zip(pairs, centers)]), *cleared,
                         *counted(global_step))

    def make_session_run_hook(self, is_chief: bool, task_index: int) -> SessionRunHook:
        """A hook that begins with variables equal to the shared ones; give it to the session of every worker.

        Args:
            is_chief, task_index: have no meaning here: every worker begins in the same way.
        """
        return BeginWithCenters(self._getter)
