"""tf.contrib.opt.ShampooOptimizer, and the powers of matrices that it takes."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, contract, indexing, linalg, math
from evergraph.frontend.control_flow import cond, group
from evergraph.frontend.matmul import matmul
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.assign import assign
from evergraph.frontend.variables.initializers import constant_initializer
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.gather import scatter_nd
from evergraph.ops.math.elementwise import equal, floor_mod, maximum, pow_
from evergraph.train.optimizer import Optimizer


def matrix_power(matrix: Any, alpha: float, ridge: float = 0.0) -> Tensor:
    """A power of a symmetric matrix without negative eigenvalues, once `ridge` was added to its diagonal."""
    matrix = convert_to_tensor(matrix)
    values, vectors = linalg.self_adjoint_eig(matrix)
    values = pow_(maximum(values, 0.0) + ridge, math.cast(alpha, matrix.dtype))
    return matmul(vectors * values, vectors, transpose_b=True)


def matrix_square_root(mat_a: Any, mat_a_size: Any, iter_count: int = 100, ridge_epsilon: float = 1e-4) -> Tensor:
    """The square root of a symmetric matrix, by its eigenvalues.

    Args:
        mat_a: the matrix.
        mat_a_size, iter_count, ridge_epsilon: have no effect: nothing is iterated, and eigenvalues below 0 count as 0.
    """
    del mat_a_size, iter_count, ridge_epsilon
    return matrix_power(mat_a, 0.5)


def matrix_inverse_pth_root(mat_g: Any, mat_g_size: Any, alpha: float, iter_count: int = 100, epsilon: float = 1e-6,
                            ridge_epsilon: float = 1e-6) -> Tensor:
    """A negative power of a symmetric matrix, by its eigenvalues.

    Args:
        mat_g: the matrix.
        mat_g_size, iter_count, epsilon: have no effect: nothing is iterated.
        alpha: the exponent.
        ridge_epsilon: added to the diagonal.
    """
    del mat_g_size, iter_count, epsilon
    return matrix_power(mat_g, alpha, ridge_epsilon)


@export("contrib.opt.ShampooOptimizer")
class ShampooOptimizer(Optimizer):
    """Shampoo (Gupta et al., 2018): gradients are preconditioned along each axis by a power of their second moments.

    Args:
        global_step: the number of steps so far, for the two intervals.
        max_matrix_size: axes longer than this have a diagonal for a matrix.
        gbar_decay, gbar_weight: those of the moving average of gradients, by default the gradient itself.
        mat_gbar_decay, mat_gbar_weight: those of the sums of second moments.
        learning_rate: the step size.
        svd_interval: how many steps there are between two computations of the powers.
        precond_update_interval: how many steps there are between two gradients that the second moments take in.
        epsilon: added to the diagonals of the matrices.
        alpha: the exponents of all axes add up to -alpha.
        use_iterative_root: has no effect: powers come from eigenvalues.
        use_locking: has no effect: updates are atomic.
        name: the name of the operations.
    """

    def __init__(self, global_step: Any = 0, max_matrix_size: int = 768, gbar_decay: Any = 0.0, gbar_weight: Any = 1.0,
                 mat_gbar_decay: Any = 1.0, mat_gbar_weight: Any = 1.0, learning_rate: Any = 1.0, svd_interval: int = 1,
                 precond_update_interval: int = 1, epsilon: float = 1e-4, alpha: float = 0.5,
                 use_iterative_root: bool = False, use_locking: bool = False, name: str = "Shampoo") -> None:
        super().__init__(use_locking, name)
        self._step, self._max_size = global_step, max_matrix_size
        self._gbar, self._mat = (gbar_decay, gbar_weight), (mat_gbar_decay, mat_gbar_weight)
        self._rate, self._epsilon, self._alpha = learning_rate, epsilon, alpha
        self._svd_interval, self._moments_interval = svd_interval, precond_update_interval

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            if self._gbar[0] != 0:
                self._zeros_slot(v, "gbar", self._name)
            for axis, size in enumerate(v.shape.as_list()):
                full = size <= self._max_size
                shape = [size, size] if full else [size]
                self._get_or_make_slot_with_initializer(v, constant_initializer(0.0), TensorShape(shape),
                                                        v.dtype.base_dtype, f"mat_g_{axis}", self._name)
                if full and self._svd_interval > 1:
                    self._get_or_make_slot(v, array.eye(size, dtype=v.dtype.base_dtype), f"mat_h_{axis}", self._name)

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        kind = var.dtype.base_dtype
        updates, step = [], grad
        if self._gbar[0] != 0:
            gbar = self.get_slot(var, "gbar")
            step = gbar * math.cast(self._gbar[0], kind) + grad * math.cast(self._gbar[1], kind)
            updates.append((gbar, step))
        rank = grad.shape.ndims
        for axis in range(rank):
            step = self._along(axis, rank, step, grad, var, updates)
        moved = var.assign_sub(math.cast(self._rate, kind) * step, use_locking=self._use_locking)
        return group(moved, *(assign(slot, value) for slot, value in updates))

    def _resource_apply_dense(self, grad: Tensor, var: Any) -> Any:
        return self._apply_dense(grad, var)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._apply_dense(convert_to_tensor(grad), var)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        shape = array.constant(var.shape.as_list(), dtype=indices.dtype)
        return self._apply_dense(scatter_nd(indices[:, None], grad, shape), var)

    def _along(self, axis: int, rank: int, step: Tensor, grad: Tensor, var: Any, updates: list[Any]) -> Tensor:
        """The step, preconditioned along one axis."""
        slot, kind = self.get_slot(var, f"mat_g_{axis}"), var.dtype.base_dtype
        size, others = grad.shape.as_list()[axis], [each for each in range(rank) if each != axis]
        full = slot.shape.ndims == 2
        now = contract.tensordot(grad, grad, axes=(others, others)) if full else reduce_sum(grad * grad, others)
        weight = math.cast(self._mat[1], kind) * (self._moments_interval / (size if full or rank > 1 else 1))
        moments = slot * math.cast(self._mat[0], kind) + now * weight
        if self._moments_interval > 1:
            moments = indexing.where(self._due(self._moments_interval), moments, slot + array.zeros_like(moments))
        updates.append((slot, moments))
        exponent = -self._alpha / rank
        if not full:
            scale = indexing.where(moments > 0, pow_(maximum(moments, 1e-30), exponent), array.zeros_like(moments))
            return step * array.reshape(scale, [size if each == axis else 1 for each in range(rank)])
        power = lambda: matrix_power(moments, exponent, self._epsilon)
        if self._svd_interval > 1:
            kept = self.get_slot(var, f"mat_h_{axis}")
            power_now = cond(self._due(self._svd_interval), power, lambda: array.identity(kept))
            updates.append((kept, power_now))
        else:
            power_now = power()
        turned = contract.tensordot(step, power_now, axes=([axis], [0]))
        order = [*range(axis), rank - 1, *range(axis, rank - 1)]
        return array.transpose(turned, order) if rank > 1 else turned

    def _due(self, interval: int) -> Tensor:
        """Whether this step is one of every `interval`."""
        step = math.cast(convert_to_tensor(self._step), dtypes.int64)
        return equal(floor_mod(step + 1, interval), 0)
