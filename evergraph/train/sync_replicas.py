"""tf.train.SyncReplicasOptimizer: steps that wait for the gradients of several workers."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import colocate_with, control_dependencies, device, name_scope
from evergraph.frontend.collections import GraphKeys, global_variables
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.accumulators import ConditionalAccumulator, SparseConditionalAccumulator
from evergraph.frontend.input.queues import FIFOQueue
from evergraph.frontend.variables.assign import assign, report_uninitialized_variables
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.train.optimizer import Optimizer
from evergraph.train.queue_runner import QueueRunner
from evergraph.train.session_run_hook import SessionRunHook


@export("train.SyncReplicasOptimizer")
class SyncReplicasOptimizer(Optimizer):
    """Synchronous data parallel training: applies the mean of the gradients of several workers as one step.

    Each worker adds its gradients to accumulators and waits for a token. The chief takes the means when there are
    enough gradients, in a queue runner, applies them with the wrapped optimizer, and enqueues tokens that carry the new
    global step. Gradients that a worker computed for an older step are dropped as stale.

    Args:
        opt: the optimizer that applies the means.
        replicas_to_aggregate: the number of gradients in a mean.
        total_num_replicas: the number of workers; those beyond `replicas_to_aggregate` are backups.
        variable_averages: an ExponentialMovingAverage to update after each step.
        variables_to_average: the variables that it averages.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name of the operations.
    """

    def __init__(self, opt: Optimizer, replicas_to_aggregate: int, total_num_replicas: int | None = None,
                 variable_averages: Any = None, variables_to_average: Any = None, use_locking: bool = False,
                 name: str = "sync_replicas") -> None:
        super().__init__(use_locking, name)
        self._opt, self._replicas_to_aggregate = opt, replicas_to_aggregate
        self._total_num_replicas = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        self._tokens_per_step = max(self._total_num_replicas, replicas_to_aggregate)
        self._variable_averages, self._variables_to_average = variable_averages, variables_to_average
        self._gradients_applied = False
        self._global_step: Any = None
        self._sync_token_queue: FIFOQueue | None = None
        self._chief_queue_runner: QueueRunner | None = None
        self.local_step_init_op: Any = None
        self.chief_init_op: Any = None
        self.ready_for_local_init_op: Any = None

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Computes the gradients as the wrapped optimizer does; see `tf.train.Optimizer`."""
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Operation:
        """The training operation of a worker: adds its gradients to the accumulators and waits for the next token.

        Args:
            grads_and_vars: (gradient, variable) pairs.
            global_step: the global step variable, by which stale gradients are recognized.
            name: the name of the operations.

        Raises:
            ValueError: there are no gradients, or no global step.
        """
        if not grads_and_vars:
            raise ValueError("there must be at least one gradient to apply")
        if global_step is None:
            raise ValueError("a global step is needed to tell which gradients are stale")
        self._global_step = global_step
        pairs = list(grads_and_vars)
        counts = global_step.dtype.base_dtype
        with colocate_with(no_op()):  # where the worker is, and not on a parameter server, which all workers share
            local_step = Variable(0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], dtype=counts,
                                  use_resource=False, name="sync_rep_local_step")
        self.local_step_init_op = assign(local_step, global_step)
        self.ready_for_local_init_op = report_uninitialized_variables(global_variables())
        accumulators: list[Any] = []
        with name_scope(None, self._name):
            added, means = self._accumulated(pairs, local_step, accumulators)
            with device(global_step.device), name_scope(""):
                update = self._opt.apply_gradients(list(zip(means, [v for _, v in pairs])), global_step)
                self._sync_token_queue = FIFOQueue(-1, counts, shapes=(), name="sync_token_q",
                                                   shared_name="sync_token_q")
            with device(global_step.device), name_scope(""):
                with control_dependencies(added):
                    train = assign(local_step, self._sync_token_queue.dequeue())
                self._chief_queue_runner = QueueRunner(self._sync_token_queue,
                                                       [self._tokens_after(update, global_step)])
            known = [_move(accumulator, place, global_step) for accumulator, place in accumulators]
            self.chief_init_op = group(self.local_step_init_op, *known)
        self._gradients_applied = True
        return train

    def _accumulated(self, pairs: list[Any], local_step: Any, accumulators: list[Any]) -> tuple[list[Any], list[Any]]:
        """(operations that add the gradients, the means once there are enough of them)."""
        added, means = [], []
        for gradient, variable in pairs:
            if gradient is None:
                means.append(None)
                continue
            kind = SparseConditionalAccumulator if isinstance(gradient, IndexedSlices) else ConditionalAccumulator
            with device(variable.device):
                accumulator = kind(gradient.dtype, shape=() if kind is SparseConditionalAccumulator
                                   else variable.get_shape(), shared_name=f"{variable.name}/grad_accum")
                if kind is SparseConditionalAccumulator:
                    added.append(accumulator.apply_indexed_slices_grad(gradient, local_step=local_step))
                    means.append(accumulator.take_indexed_slices_grad(self._replicas_to_aggregate))
                else:
                    added.append(accumulator.apply_grad(gradient, local_step=local_step))
                    means.append(accumulator.take_grad(self._replicas_to_aggregate))
            accumulators.append((accumulator, variable.device))
        return added, means

    def _tokens_after(self, update: Operation, global_step: Any) -> Any:
        """The chief's operation: hands out tokens when the step is done."""
        with control_dependencies([update]):
            tokens = array.fill([self._tokens_per_step], global_step)
            done = self._sync_token_queue.enqueue_many((tokens,))
        if self._variable_averages is None:
            return done
        with control_dependencies([done]), name_scope(""):
            return self._variable_averages.apply(self._variables_to_average)

    def get_chief_queue_runner(self) -> QueueRunner:
        """The queue runner that the chief has to start.

        Raises:
            ValueError: `apply_gradients` was not called yet.
        """
        if not self._gradients_applied:
            raise ValueError("the chief's queue runner is made by apply_gradients, which was not called yet")
        return self._chief_queue_runner

    def get_init_tokens_op(self, num_tokens: int = -1) -> Operation:
        """An operation of the chief that hands out the first tokens.

        Args:
            num_tokens: how many; by default one for each worker.

        Raises:
            ValueError: `apply_gradients` was not called yet, or there are too few tokens to begin with.
        """
        if not self._gradients_applied:
            raise ValueError("tokens are for the queue that apply_gradients makes, which was not called yet")
        needed = self._replicas_to_aggregate - self._total_num_replicas
        if num_tokens == -1:
            num_tokens = self._replicas_to_aggregate
        elif num_tokens < needed:
            raise ValueError(f"{num_tokens} tokens are too few to begin with: {needed} are needed")
        if num_tokens <= 0:
            return no_op(name="no_init_tokens")
        with device(self._global_step.device), name_scope(""):
            return self._sync_token_queue.enqueue_many((array.fill([num_tokens], self._global_step),))

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> SessionRunHook:
        """A hook that starts what the chief, or a worker, has to start."""
        return _SyncReplicasHook(self, is_chief, num_tokens)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> list[Any]:
        return self._opt.variables()


def _move(accumulator: Any, place: str, global_step: Any) -> Operation:
    """An operation that moves an accumulator to the global step, so that it takes gradients of that step."""
    with device(place):
        return accumulator.set_global_step(global_step, name="SetGlobalStep")


class _SyncReplicasHook(SessionRunHook):
    """Initializes the local step; for the chief also hands out tokens and starts its queue runner."""

    def __init__(self, optimizer: SyncReplicasOptimizer, is_chief: bool, num_tokens: int) -> None:
        self._optimizer, self._is_chief, self._num_tokens = optimizer, is_chief, num_tokens

    def begin(self) -> None:
        if not self._optimizer._gradients_applied:
            raise ValueError("apply_gradient should be called before the hook of a SyncReplicasOptimizer begins")
        self._ready: Tensor = self._optimizer.ready_for_local_init_op
        self._local_init = self._optimizer.chief_init_op if self._is_chief else self._optimizer.local_step_init_op
        self._tokens = self._optimizer.get_init_tokens_op(self._num_tokens) if self._is_chief else None
        self._runner = self._optimizer.get_chief_queue_runner() if self._is_chief else None

    def after_create_session(self, session: Any, coord: Any) -> None:
        missing = session.run(self._ready)
        if len(missing):
            names = ", ".join(name.decode() for name in missing)
            raise RuntimeError(f"the local step cannot be initialized before these variables are: {names}")
        session.run(self._local_init)
        if self._tokens is not None:
            session.run(self._tokens)
            self._runner.create_threads(session, coord=coord, daemon=True, start=True)
