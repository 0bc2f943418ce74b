"""tf.contrib.opt.GGTOptimizer: full-matrix adaptive steps from a window of gradients."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, linalg, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import group
from evergraph.frontend.matmul import matmul
from evergraph.frontend.reduce import reduce_min
from evergraph.frontend.variables.assign import assign
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.math.elementwise import floor_mod, minimum, pow_, sqrt
from evergraph.train.optimizer import Optimizer


@export("contrib.opt.GGTOptimizer")
class GGTOptimizer(Optimizer):
    """GGT (Agarwal et al., 2018): full-matrix Adagrad with a low-rank preconditioner from a window of gradients.

    Args:
        learning_rate: a number, a tensor, or a function without arguments.
        beta1: the decay rate of the first moment.
        use_locking: has no effect: updates are atomic.
        name: the name of the operations.
        window: the number of gradients in the window.
        eps: directions outside the window are used too if the smallest singular value exceeds this.
        svd_eps: regularizes the decomposition.
        sigma_eps: added to the singular values before dividing.
    """

    def __init__(self, learning_rate: Any = 0.001, beta1: Any = 0.9, use_locking: bool = False, name: str = "GGT",
                 window: int = 10, eps: float = 1e-4, svd_eps: float = 1e-6, sigma_eps: float = 1e-2) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._beta1, self._window = learning_rate, beta1, window
        self._eps, self._svd_eps, self._sigma_eps = eps, svd_eps, sigma_eps
        self._gradients: list[tuple[Tensor, Any]] = []

    def _create_slots(self, var_list: list[Any]) -> None:
        first, dtype = min(var_list, key=lambda v: v.name), var_list[0].dtype.base_dtype
        total = sum(v.shape.num_elements() for v in var_list)
        for name, shape in (("moment1", [total]), ("grad_buffer", [self._window, total]), ("flat_grad", [total])):
            self._create_non_slot_variable(array.zeros(shape, dtype), name, colocate_with=first)
        self._create_non_slot_variable(array.zeros([], dtypes.int64), "global_step", colocate_with=first)

    def _own(self, name: str) -> Any:
        return self._get_non_slot_variable(name, graph=default_graph())

    def _get_moment1(self) -> Any:
        return self._own("moment1")

    def _get_grad_buffer(self) -> Any:
        return self._own("grad_buffer")

    def _get_flat_grad(self) -> Any:
        return self._own("flat_grad")

    def _prepare(self) -> None:
        self._gradients = []
        self._rate = convert_to_tensor(self._call_if_callable(self._learning_rate), name="learning_rate")
        self._decay = convert_to_tensor(self._call_if_callable(self._beta1), name="beta1")

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        """Records the gradient: there is one step for all variables, once all gradients are known."""
        self._gradients.append((grad, var))
        return group()

    def _resource_apply_dense(self, grad: Tensor, var: Any) -> Any:
        return self._apply_dense(grad, var)

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        flat = array.concat([array.reshape(g, [-1]) for g, _ in self._gradients], 0)
        decay, count = math.cast(self._decay, flat.dtype), self._own("global_step")
        place, number = floor_mod(count.read_value(), self._window), count.read_value() + 1
        mean = self._get_moment1() * decay + flat * (1 - decay)
        row = indexing.one_hot(place, self._window, dtype=flat.dtype)[:, None]
        kept = self._get_grad_buffer() * (1 - row) + row * mean
        step = self._step(mean, kept, math.cast(minimum(number, self._window), flat.dtype))
        with control_dependencies([step, kept, mean, number, flat]):
            own = [assign(self._get_moment1(), mean), assign(self._get_grad_buffer(), kept),
                   assign(self._get_flat_grad(), flat), assign(count, number)]
            step = step * math.cast(self._rate, flat.dtype)
            sizes = [v.shape.num_elements() for _, v in self._gradients]
            moved = [v.assign_sub(array.reshape(part, v.shape), use_locking=self._use_locking)
                     for part, (_, v) in zip(array.split(step, sizes), self._gradients)]
        return group(*update_ops, *own, *moved, name=name_scope)

    def _step(self, mean: Tensor, kept: Tensor, count: Tensor) -> Tensor:
        """The mean gradient, preconditioned in the span of the window."""
        rows = kept / sqrt(count)
        inner = matmul(rows, rows, transpose_b=True) + self._svd_eps * array.eye(self._window, dtype=mean.dtype)
        sigma, u, _ = linalg.svd(inner)
        seen = matmul(u, matmul(rows, mean[:, None]), transpose_a=True)
        back = lambda weights: matmul(rows, matmul(u, weights[:, None] * seen), transpose_a=True)[:, 0]
        step = back(pow_(sqrt(sigma) + self._sigma_eps, -3.0))
        least = reduce_min(sqrt(sigma))
        outside = (mean - back(1 / sigma)) / least
        return step + indexing.where(least > self._eps, outside, array.zeros_like(outside))
