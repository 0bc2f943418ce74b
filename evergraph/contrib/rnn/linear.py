"""Building blocks of cells: linear maps, sharded kernels, and layer normalization."""
from __future__ import annotations

from typing import Any

from evergraph.frontend import array
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.nn.normalize import batch_normalization, moments
from evergraph.frontend.variables.initializers import constant_initializer, zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.node import Tensor


def linear(args: Any, output_size: Any, bias: bool = True, bias_initializer: Any = None,
           kernel_initializer: Any = None) -> Tensor:
    """`[x, y, ...] * kernel + bias`, with variables in the current scope.

    Args:
        args: a tensor of shape [batch, size], or a list of them.
        output_size: the size of the result.
        bias: whether to add a bias.
        bias_initializer: the initializer of the bias; by default zeros.
        kernel_initializer: the kernel initializer; by default the scope's.

    Raises:
        ValueError: there are no arguments, or a size is not static.
    """
    args = list(args) if isinstance(args, (list, tuple)) else [args]
    if not args or any(x.shape.ndims != 2 or x.shape.as_list()[1] is None for x in args):
        raise ValueError(f"a matrix is multiplied with matrices of known sizes, not {[x.shape for x in args]}")
    rows, kind = sum(x.shape.as_list()[1] for x in args), args[0].dtype
    kernel = get_variable("kernel", [rows, output_size], dtype=kind, initializer=kernel_initializer)
    result = matmul(args[0] if len(args) == 1 else array.concat(args, 1), kernel)
    if not bias:
        return result
    start = zeros_initializer(dtype=kind) if bias_initializer is None else bias_initializer
    return activations.bias_add(result, get_variable("bias", [output_size], dtype=kind, initializer=start))


def old_linear(args: Any, output_size: Any, bias: bool = True, bias_start: Any = 0.0, scope: Any = None,
               bias_initializer: Any = None, kernel_initializer: Any = None) -> Tensor:
    """`linear` as before TensorFlow 1.1: with a scope of its own, and a number that the bias starts from."""
    start = bias_start if isinstance(bias_start, (int, float)) else 0.0
    given = bias_initializer or (None if start is bias_start else bias_start)
    with variable_scope(scope or "Linear"):
        return linear(args, output_size, bias, given or constant_initializer(start), kernel_initializer)


def sharded(name: str, shape: list[int], dtype: Any, count: int, initializer: Any = None) -> Any:
    """A matrix stored as `count` variables, `name_0`, `name_1` and so on; the first ones may have one row more.

    Raises:
        ValueError: the matrix has fewer rows.
    """
    if count > shape[0]:
        raise ValueError(f"a matrix of shape {shape} cannot be stored in {count} parts")
    rows, more = divmod(shape[0], count)
    parts = [get_variable(f"{name}_{i}", [rows + (i < more), *shape[1:]], dtype=dtype, initializer=initializer)
             for i in range(count)]
    return parts[0] if count == 1 else array.concat(parts, 0, name=f"{name}/concat")


def layer_normalized(value: Tensor, scope: str, gain: float, shift: float) -> Tensor:
    """Layer normalization, with variables gamma and beta in a scope of their own."""
    size = value.shape.as_list()[-1:]
    with variable_scope(scope):
        gamma = get_variable("gamma", size, initializer=constant_initializer(gain), dtype=value.dtype)
        beta = get_variable("beta", size, initializer=constant_initializer(shift), dtype=value.dtype)
        mean, variance = moments(value, [-1], keep_dims=True)
        result = batch_normalization(value, mean, variance, offset=beta, scale=gamma, variance_epsilon=1e-12)
    result.set_shape(value.shape)
    return result
