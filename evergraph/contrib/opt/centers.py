"""Variables of workers, each with a copy in the middle that all workers share."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from evergraph.base import dtypes
from evergraph.contrib.opt.wrap import WrappingOptimizer
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, device
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.control_flow import cond, group
from evergraph.frontend.variables.base import variable_creator_scope
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.node import Operation
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math import elementwise
from evergraph.train.optimizer import Optimizer
from evergraph.train.session_run_hook import SessionRunHook

GLOBAL_VARIABLE_NAME = "global_center_variable"


class CenterGetter:
    """A custom getter: trainable variables live on the worker, and their copies where variables live otherwise.

    Args:
        worker_device: where the worker's own variables are placed.
    """

    def __init__(self, worker_device: str) -> None:
        self._worker_device = worker_device
        self._global_map: dict[Any, Any] = {}

    def __call__(self, getter: Callable[..., Any], name: str, trainable: bool, collections: Any, *args: Any,
                 **kwargs: Any) -> Any:
        if not trainable:
            return getter(name, *args, trainable=trainable, collections=collections, **kwargs)
        with device(self._worker_device):
            own = getter(name, *args, trainable=True, collections=[GraphKeys.LOCAL_VARIABLES], **kwargs)
        center = getter(f"{GLOBAL_VARIABLE_NAME}/{name}", *args, trainable=False,
                        collections=[GraphKeys.GLOBAL_VARIABLES], **kwargs)
        self._global_map.update(zip(_parts(own), _parts(center), strict=True))
        return own

    def center_of(self, variable: Any) -> Any:
        """The shared copy of a worker's variable.

        Raises:
            ValueError: the variable was made without this getter.
        """
        if variable not in self._global_map:
            raise ValueError(f"{variable.op.name} has no copy that workers share: make it by tf.get_variable within "
                             f"tf.variable_scope(..., custom_getter=<the {type(self).__name__} of the optimizer>)")
        return self._global_map[variable]

    def pairs(self) -> list[tuple[Any, Any]]:
        """(a worker's variable, its copy) of all variables."""
        return list(self._global_map.items())


def _parts(variable: Any) -> list[Any]:
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


@contextmanager
def of_the_worker() -> Iterator[None]:
    """Lets optimizers make what belongs to a worker's variables as variables of the worker."""
    def creator(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        if GLOBAL_VARIABLE_NAME not in (kwargs.get("name") or ""):
            kwargs["collections"] = [GraphKeys.LOCAL_VARIABLES]
        return next_creator(**kwargs)

    with variable_creator_scope(creator):
        yield


def pulled(pairs: Any) -> Operation:
    """Gives each worker's variable the value of its copy."""
    return group(*(own.assign(center.read_value()) for own, center in pairs))


def counted(global_step: Any) -> list[Operation]:
    """Adds 1 to the global step, if there is one."""
    return [] if global_step is None else [global_step.assign_add(1)]


class WorkerOptimizer(WrappingOptimizer):
    """Makes the steps of another optimizer on a worker's variables, and communicates after every so many of them.

    Args:
        opt: the other optimizer.
        getter: what made the variables.
        period: how many steps there are from one communication to the next.
        name: a name for the operations.
        use_locking: has no effect: updates are atomic.
    """

    def __init__(self, opt: Optimizer, getter: CenterGetter, period: int, name: str, use_locking: bool) -> None:
        super().__init__(opt, use_locking, name)
        self._getter, self._period = getter, period

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Operation:
        """Makes a step; the global step counts communications."""
        pairs = [(gradient, variable) for gradient, variable in grads_and_vars if gradient is not None]
        owns = [variable for _, variable in pairs]
        with of_the_worker(), device(owns[0].device):
            steps = Variable(0, trainable=False, name="local_step", dtype=dtypes.int64)
            self._prepare_communication(pairs)
        with of_the_worker():
            stepped = self._stepped(pairs)
        with control_dependencies([stepped]):
            done = steps.assign_add(1)
        with control_dependencies([done]):
            is_due = elementwise.equal(elementwise.floor_mod(array.identity(done), self._period), 0)
            communicate = lambda: group(self._communicated(pairs, global_step))
            return cond(is_due, communicate, no_op, name=name or self._name).op

    def _prepare_communication(self, pairs: list[tuple[Any, Any]]) -> None:
        """Makes the variables that a communication needs."""

    def _stepped(self, pairs: list[tuple[Any, Any]]) -> Operation:
        """A step on the worker's own variables."""
        return self._optimizer.apply_gradients(pairs)

    def _communicated(self, pairs: list[tuple[Any, Any]], global_step: Any) -> Operation:
        """What is done with the shared variables."""
        raise NotImplementedError


class BeginWithCenters(SessionRunHook):
    """Gives a worker's variables the values of the shared ones when a session begins."""

    def __init__(self, getter: CenterGetter) -> None:
        self._getter = getter
        self._begin: Any = None

    def begin(self) -> None:
        self._begin = pulled(self._getter.pairs())

    def after_create_session(self, session: Any, coord: Any) -> None:
        session.run(self._begin)
