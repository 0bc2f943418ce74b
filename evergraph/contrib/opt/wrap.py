"""tf.contrib.opt: optimizers that wrap another one, to average or clip variables."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.clip import clip_by_global_norm, clip_by_norm
from evergraph.frontend.collections import global_variables
from evergraph.frontend.control_flow import cond, group
from evergraph.frontend.indexing import gather
from evergraph.frontend.reduce import reduce_all
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math import elementwise
from evergraph.save.saver import Saver
from evergraph.train.global_step import get_or_create_global_step
from evergraph.train.moving_averages import ExponentialMovingAverage
from evergraph.train.optimizer import Optimizer


class WrappingOptimizer(Optimizer):
    """An optimizer that delegates gradients and slots to another one."""

    def __init__(self, opt: Optimizer, use_locking: bool, name: str) -> None:
        super().__init__(use_locking, name)
        self._optimizer = opt

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        return self._optimizer.compute_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        return self._optimizer.get_slot_names(*args, **kwargs)

    def variables(self) -> list[Any]:
        return self._optimizer.variables()


@export("contrib.opt.MovingAverageOptimizer")
class MovingAverageOptimizer(WrappingOptimizer):
    """Maintains moving averages of the variables (Polyak averaging), and a saver that swaps them in.

    >>> optimizer = tf.contrib.opt.MovingAverageOptimizer(tf.train.AdamOptimizer(0.01))
    >>> train = optimizer.minimize(loss)
    >>> saver = optimizer.swapping_saver()     # checkpoints have the averages under the variables' names

    Args:
        opt: the wrapped optimizer.
        average_decay: the decay rate of the averages.
        num_updates: the number of updates so far; makes the averages adapt faster at first.
        sequential_update: whether the averages use the variables after the step, or before it.
    """

    def __init__(self, opt: Optimizer, average_decay: Any = 0.9999, num_updates: Any = None,
                 sequential_update: bool = True) -> None:
        super().__init__(opt, opt._use_locking, opt._name)
        self._ema = ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._sequential_update = sequential_update
        self._twins: dict[str, str] | None = None  # name of a variable -> that of its average, and back

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Operation:
        """Applies the gradients, then updates the averages."""
        pairs = list(grads_and_vars)
        train = self._optimizer.apply_gradients(pairs, global_step=global_step, name=name)
        changed = [v for g, v in pairs if g is not None]
        with control_dependencies([train] if self._sequential_update else []):
            averaged = self._ema.apply(changed)
        names = {v.op.name: self._ema.average(v).op.name for v in changed}
        self._twins = names | {average: variable for variable, average in names.items()}
        return group(train, averaged, name="train_with_avg")

    def swapping_saver(self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any) -> Saver:
        """A saver that saves each average under its variable's name, and vice versa.

        Args:
            var_list: the variables to save, as for tf.train.Saver; by default all.
            name: a name scope.
            kwargs: arguments for tf.train.Saver.

        Raises:
            RuntimeError: `apply_gradients` was not called yet.
            ValueError: a variable is saved without its average.
        """
        if self._twins is None:
            raise RuntimeError("there are no averages to swap with before apply_gradients or minimize was called")
        given = global_variables() if var_list is None else var_list
        by_name = dict(given) if isinstance(given, Mapping) else {v.op.name: v for v in given}
        flat = {v.op.name: v for each in by_name.values() for v in (each if isinstance(each, list) else [each])}
        swapped = {key: [self._twin(flat, v) for v in each] if isinstance(each, list) else self._twin(flat, each)
                   for key, each in by_name.items()}
        if not isinstance(given, Mapping):
            return Saver(_renamed(swapped), name=name, **kwargs)
        return Saver(swapped, name=name, **kwargs)

    def _twin(self, known: dict[str, Any], variable: Any) -> Any:
        """The object that is saved in place of a variable."""
        name = self._twins.get(variable.op.name)
        if name is None:
            return variable
        if name not in known:
            raise ValueError(f"Variable to swap {name} is not in the list of what to save, but "
                             f"{variable.op.name} is")
        return known[name]


def _renamed(swapped: dict[str, Any]) -> dict[str, Any]:
    """Groups the parts of partitioned variables under the full name, each as a slice."""
    found: dict[str, Any] = {}
    for name, variable in swapped.items():
        part = variable._save_slice_info
        if part is None:
            found[name] = variable
        else:
            found.setdefault(_whole_of(name, swapped), []).append(variable)
    return found


def _whole_of(name: str, swapped: dict[str, Any]) -> str:
    """The name of the partitioned variable of which `name` is a part."""
    for variable in swapped.values():
        if variable.op.name == name:
            return variable._save_slice_info.full_name
    return name


@export("contrib.opt.VariableClippingOptimizer")
class VariableClippingOptimizer(WrappingOptimizer):
    """Clips the norms of variables after each step.

    Args:
        opt: the wrapped optimizer.
        vars_to_clip_dims: variable -> the axes over which to compute its norm.
        max_norm: the maximal norm.
        use_locking: has no effect: updates are atomic.
        colocate_clip_ops_with_vars: has no effect: clipping runs on the variable's device.
        name: the name of the operations.
    """

    def __init__(self, opt: Optimizer, vars_to_clip_dims: Mapping[Any, Sequence[int]], max_norm: float,
                 use_locking: bool = False, colocate_clip_ops_with_vars: bool = False,
                 name: str = "VariableClipping") -> None:
        super().__init__(opt, use_locking, name)
        self._vars_to_clip_dims, self._max_norm = vars_to_clip_dims, max_norm

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Operation:
        """Applies the gradients, then clips."""
        pairs = list(grads_and_vars)
        update = self._optimizer.apply_gradients(pairs, global_step=global_step)
        with control_dependencies([update]):
            clipped = [self._clipped(g, v) for g, v in pairs if v in self._vars_to_clip_dims]
        with control_dependencies(clipped):
            return group(update, *clipped, name=name)

    def _clipped(self, gradient: Any, variable: Any) -> Any:
        axes = self._vars_to_clip_dims[variable]
        if not isinstance(gradient, IndexedSlices) or 0 in axes:
            value = variable.read_value()
            return variable.assign_sub(value - clip_by_norm(value, self._max_norm, axes))
        rows = gather(variable.read_value(), gradient.indices)  # no other rows have changed
        excess = rows - clip_by_norm(rows, self._max_norm, axes)
        return variable.scatter_sub(IndexedSlices(excess, gradient.indices, gradient.dense_shape))


@export("contrib.opt.DropStaleGradientOptimizer")
class DropStaleGradientOptimizer(WrappingOptimizer):
    """Drops stale gradients, which are older than `staleness` steps, and counts them in the variable `stale_counter`.

    Args:
        opt: the wrapped optimizer.
        staleness: the maximal number of steps between reading the variables and applying the gradient.
        use_locking: has no effect: updates are atomic.
        name: the name of the operations.
    """

    def __init__(self, opt: Optimizer, staleness: int, use_locking: bool = False,
                 name: str = "DropStaleGradient") -> None:
        super().__init__(opt, use_locking, name)
        self._staleness, self._step_before = staleness, None

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """Computes gradients with the wrapped optimizer, after recording the global step."""
        step = get_or_create_global_step()
        with control_dependencies([loss]):
            self._step_before = step + 0
        return super().compute_gradients(loss, *args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Operation:
        """Applies the gradients unless they are stale.

        Raises:
            ValueError: there is no global step.
        """
        if global_step is None:
            raise ValueError("a global step is needed to tell which gradients are stale")
        pairs = list(grads_and_vars)
        stale = Variable(0.0, name="stale_counter", trainable=False)
        with name_scope(None, "cond") as scope:  # a branch cannot create the variables that it uses
            self._optimizer._create_slots([v for g, v in pairs if g is not None])
        with control_dependencies([self._step_before, *(g for g, _ in pairs if isinstance(g, Tensor))]):
            passed = global_step.read_value() - self._step_before
        apply = lambda: self._optimizer.apply_gradients(pairs, global_step=global_step, name=name)
        return group(cond(passed <= self._staleness, apply, lambda: group(stale.assign_add(1.0)), name=scope))


@export("contrib.opt.MultitaskOptimizerWrapper")
class MultitaskOptimizerWrapper:
    """Skips variables and slots whose gradient is all zero.

    In multi-task training, variables that a task does not use have zero gradients: momentum would still move them.

    Args:
        opt: the optimizer to modify.
    """

    _UPDATES = ("_apply_dense", "_resource_apply_dense", "_apply_sparse_duplicate_indices",
                "_resource_apply_sparse_duplicate_indices")

    def __init__(self, opt: Optimizer) -> None:
        if not isinstance(opt, Optimizer):
            raise TypeError(f"opt must be a tf.train.Optimizer, not {opt!r}")
        self._opt = opt
        for name in self._UPDATES:
            setattr(opt, name, _unless_zero(getattr(opt, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opt, name)


def _unless_zero(update: Any) -> Any:
    def apply(grad: Any, *args: Any) -> Operation:
        values = grad.values if isinstance(grad, IndexedSlices) else grad
        zero = reduce_all(elementwise.equal(values, array.zeros_like(values)))
        return group(cond(zero, no_op, lambda: group(update(grad, *args))))
    return apply


@export("contrib.opt.clip_gradients_by_global_norm")
def clip_gradients_by_global_norm(gradients_variables: Any, clip_norm: float = 20.0) -> tuple[list[Any], Tensor]:
    """Clips gradients of (gradient, variable) pairs to the global norm `clip_norm`; returns the pairs and the norm."""
    gradients, variables = zip(*gradients_variables)
    clipped, norm = clip_by_global_norm(gradients, clip_norm)
    return list(zip(clipped, variables)), norm
