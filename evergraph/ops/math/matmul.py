"""Matrix multiplication, single and batched, and einsum."""

from __future__ import annotations

import string

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import VJP, op
from evergraph.graph.shaping import broadcast, merge_size, require_equal, with_rank
from evergraph.graph.traits import Memory
from evergraph.kernel import native_products, precision
from evergraph.ops.arrays.basic import broadcast_gradient_args, cast, range_, rank, shape
from evergraph.ops.arrays.index import strided_slice
from evergraph.ops.arrays.reshape import concat_v2, conjugate_transpose, reshape, transpose
from evergraph.ops.math.elementwise import conj_if_complex
from evergraph.ops.math.elementwise import sub as subtract
from evergraph.ops.math.reduce import sum_

_LARGE = 2**16  # elements of a matrix that does not fit the nearest cache


def product(xp, a, b, turn_a=False, turn_b=False):
    """The matrix product, of either side's transpose if asked, in the precision that the program has chosen."""
    if xp is not np and native_products.takes(a, b, turn_a, turn_b):
        return native_products.multiply(a, b, turn_a, turn_b)
    a, b = a.swapaxes(-1, -2) if turn_a else a, b.swapaxes(-1, -2) if turn_b else b
    return _on_numpy(a, b) if xp is np else xp.matmul(a, b, precision=precision.of_products(a.dtype))


def _on_numpy(a, b):
    """The matrix product of NumPy arrays."""
    if native_products.takes_now(a, b):
        return native_products.multiply_now(a, b)
    return np.matmul(a, b)


def full_product(xp, a, b):
    """The matrix product in full precision, for decompositions and solutions."""
    return xp.matmul(a, b) if xp is np else xp.matmul(a, b, precision=precision.FULL)


@op("MatMul(a: T, b: T, *, transpose_a: bool = False, transpose_b: bool = False, T: {inexact, index}) -> product: T",
    memory=Memory.STORED)
def mat_mul(xp, a, b, transpose_a, transpose_b):
    """Matrix multiplication, with either factor optionally transposed."""
    left, right = a.shape, b.shape
    if transpose_a:
        left = left[::-1]
    if transpose_b:
        right = right[::-1]
    if len(left) != 2 or len(right) != 2 or left[1] != right[0]:
        raise invalid(f"Matrix size-incompatible: a is {list(a.shape)}, b is {list(b.shape)}, transpose_a is "
                      f"{transpose_a}, transpose_b is {transpose_b}")
    if xp is np:
        a, b = a.T if transpose_a else a, b.T if transpose_b else b
        return _on_numpy(a, b)
    if transpose_a and right[1] == 1 and a.size >= _LARGE:  # XLA would read the matrix column by column
        return product(xp, b, a, turn_a=not transpose_b).T
    return product(xp, a, b, transpose_a, transpose_b)


@mat_mul.bind
def _(node, known):
    turn_a, turn_b = node.attrs["transpose_a"], node.attrs["transpose_b"]

    def multiplied(a, b):
        left, right = a.T if turn_a else a, b.T if turn_b else b
        if left.ndim != 2 or right.ndim != 2 or left.shape[1] != right.shape[0] \
                or turn_a and right.shape[1] == 1 and a.size >= _LARGE:
            return mat_mul.kernel(np, a, b, turn_a, turn_b)
        return _on_numpy(left, right)
    return multiplied


@mat_mul.shape
def _(a, b, transpose_a, transpose_b):
    a, b = with_rank(a, 2), with_rank(b, 2)
    rows, inner = reversed(a) if transpose_a else a
    inner_b, columns = reversed(b) if transpose_b else b
    require_equal(inner, inner_b)
    return (rows, columns)


@mat_mul.grad
def _(op, dy):
    a, b = map(conj_if_complex, op.inputs)
    match op.attrs["transpose_a"], op.attrs["transpose_b"]:
        case False, False:
            return mat_mul(dy, b, transpose_b=True), mat_mul(a, dy, transpose_a=True)
        case False, True:
            return mat_mul(dy, b), mat_mul(dy, a, transpose_a=True)
        case True, False:
            return mat_mul(b, dy, transpose_b=True), mat_mul(a, dy)
        case _:
            return (
                mat_mul(b, dy, transpose_a=True, transpose_b=True),
                mat_mul(dy, a, transpose_a=True, transpose_b=True),
            )


@op(
    "SparseMatMul(a: Ta, b: Tb, *, transpose_a: bool = False, transpose_b: bool = False, a_is_sparse: bool = False, "
    "b_is_sparse: bool = False, Ta: {bfloat16, float} = float, Tb: {bfloat16, float} = float) -> product: float",
    shape=mat_mul.shape_fn,
)
def sparse_mat_mul(xp, a, b, transpose_a, transpose_b):
    """The product of matrices with many zeros, as `tf.matmul`; `a_is_sparse` and `b_is_sparse` have no effect."""
    a, b = a.astype("float32"), b.astype("float32")
    return product(xp, a, b, transpose_a, transpose_b)


@sparse_mat_mul.grad
def _(op, dy):
    """The gradient of MatMul; passes on the sparsity hints, and marks the gradient of a relu as sparse."""
    a, b = op.inputs
    hints = {a: op.attrs["a_is_sparse"], b: op.attrs["b_is_sparse"], dy: dy.source.type == "ReluGrad"}

    def product(x, y, like, **turned):
        result = sparse_mat_mul(x, y, a_is_sparse=hints[x], b_is_sparse=hints[y], **turned)
        return result if like.dtype.base_dtype is result.dtype else cast(result, like.dtype.base_dtype)

    match op.attrs["transpose_a"], op.attrs["transpose_b"]:
        case False, False:
            return product(dy, b, a, transpose_b=True), product(a, dy, b, transpose_a=True)
        case False, True:
            return product(dy, b, a), product(dy, a, b, transpose_a=True)
        case True, False:
            return product(b, dy, a, transpose_b=True), product(a, dy, b)
        case _:
            return (
                product(b, dy, a, transpose_a=True, transpose_b=True),
                product(dy, a, b, transpose_a=True, transpose_b=True),
            )


def adjoint_product(xp, x, y, adj_x, adj_y):
    """The products of matrices in the last two axes, either side optionally adjoint."""
    if np.dtype(x.dtype).kind == "c":  # of real numbers NumPy would make a copy
        x, y = xp.conj(x) if adj_x else x, xp.conj(y) if adj_y else y
    return product(xp, x, y, adj_x, adj_y)


def _batched_shape(x, y, adj_x, adj_y):
    if x is None or y is None:
        return None
    if len(x) < 2 or len(y) < 2:
        raise ValueError(f"Shape must be at least rank 2 but is rank {min(len(x), len(y))}")
    rows, inner = x[-2:][::-1] if adj_x else x[-2:]
    inner_y, columns = y[-2:][::-1] if adj_y else y[-2:]
    require_equal(inner, inner_y)
    return (*broadcast(x[:-2], y[:-2]), rows, columns)


def _batched(name):
    """BatchMatMul requires equal batch dimensions, BatchMatMulV2 broadcasts them."""

    def kernel(xp, x, y, adj_x, adj_y):
        if x.ndim < 2 or y.ndim < 2:
            raise invalid(f"x and y must have 2 axes or more: x is {list(x.shape)}, y is {list(y.shape)}")
        return adjoint_product(xp, x, y, adj_x, adj_y)

    kernel.__doc__ = "Batched matrix multiplication over the last two axes, either factor optionally adjoint."
    declared = op(
        f"{name}(x: T, y: T, *, T: {{inexact, index}}, adj_x: bool = False, adj_y: bool = False) -> output: T",
        shape=_batched_shape,
        memory=Memory.STORED,
    )(kernel)

    def grad(op, dy):
        x, y = op.inputs
        match op.attrs["adj_x"], op.attrs["adj_y"]:
            case False, False:
                return declared(dy, y, adj_y=True), declared(x, dy, adj_x=True)
            case False, True:
                return declared(dy, y), declared(dy, x, adj_x=True)
            case True, False:
                return declared(y, dy, adj_y=True), declared(x, dy)
            case _:
                return declared(y, dy, adj_x=True, adj_y=True), declared(dy, x, adj_x=True, adj_y=True)

    return declared, grad


batch_mat_mul, _batch_grad = _batched("BatchMatMul")
batch_mat_mul.grad(_batch_grad)
batch_mat_mul_v2, _batch_grad_v2 = _batched("BatchMatMulV2")


@batch_mat_mul_v2.grad
def _(op, dy):
    """As for equal batch dimensions, then summed over the broadcast ones."""
    x, y = op.inputs
    gradients = _batch_grad_v2(op, dy)
    if (
        x.shape.ndims is not None
        and x.shape.ndims == y.shape.ndims
        and x.shape[:-2].is_fully_defined()
        and x.shape[:-2] == y.shape[:-2]
    ):
        return gradients
    shapes = [shape(x), shape(y)]
    axes = broadcast_gradient_args(*(strided_slice(s, [0], [-2], [1], begin_mask=1) for s in shapes))
    return [reshape(sum_(g, a), s) for g, a, s in zip(gradients, axes, shapes)]


# ---- einsum


@op("Einsum(inputs: N * T, *, equation: string, N: int >= 1, T: type) -> output: T", grad=VJP, multilinear=True,
    memory=Memory.STORED)
def einsum(xp, inputs, equation):
    """Einstein summation: sums of products in the notation `ij,jk->ik`."""
    for labels, x in zip(equation.partition("->")[0].replace(" ", "").split(","), inputs):
        if "..." not in labels and len(labels) != x.ndim:
            raise invalid(f"Expected rank {len(labels)} for {labels!r}, got {x.ndim}")
    equation, inputs = _each_label_once(xp, equation, inputs)
    if xp is np:
        return xp.einsum(equation, *inputs)
    return xp.einsum(equation, *inputs, precision=precision.of_products(inputs[0].dtype))


def _each_label_once(xp, equation, inputs):
    """A label that the result names twice stands for a diagonal: a product with an identity matrix."""
    operands, arrow, result = equation.replace(" ", "").partition("->")
    spare = (letter for letter in string.ascii_letters if letter not in equation)
    for place, letter in enumerate(result):
        if letter != "." and letter in result[:place]:
            name, size = next(spare), _size_of(letter, operands, inputs)
            result = result[:place] + name + result[place + 1:]
            operands, inputs = f"{operands},{letter}{name}", [*inputs, xp.eye(size, dtype=inputs[0].dtype)]
    return operands + arrow + result, inputs


def _size_of(letter, operands, inputs):
    """The size of the dimension that a label stands for, in the first operand that has it."""
    labels, x = next((labels, x) for labels, x in zip(operands.split(","), inputs) if letter in labels)
    before, _, after = labels.partition("...")
    return x.shape[before.index(letter)] if letter in before else x.shape[after.index(letter) - len(after)]


@einsum.shape
def _(inputs, equation):
    operands, _, result = equation.replace(" ", "").partition("->")
    sizes, broadcasting = {}, ()
    for labels, given in zip(operands.split(","), inputs):
        before, dots, after = labels.partition("...")
        if given is None:
            sizes.update({letter: sizes.get(letter) for letter in before + after})
            broadcasting = None if dots else broadcasting
            continue
        if len(given) < len(before + after) or not dots and len(given) != len(before):
            raise ValueError(f"Expected rank {len(before + after)} for {labels!r}, got {len(given)}")
        end = len(given) - len(after)
        for letter, size in zip(before + after, (*given[: len(before)], *given[end:])):
            sizes[letter] = merge_size(sizes.get(letter), size)
        broadcasting = broadcast(broadcasting, given[len(before) : end])
    before, dots, after = result.partition("...")
    if dots and broadcasting is None:
        return None
    return (*map(sizes.get, before), *(broadcasting if dots else ()), *map(sizes.get, after))


# ---- for gradients


def matrix_product(a, b, adjoint_a=False, adjoint_b=False):
    """The matrix product of two matrices, or of two batches, with the op for their rank."""
    if a.shape.rank == 2 and b.shape.rank == 2:
        a = conj_if_complex(a) if adjoint_a else a
        b = conj_if_complex(b) if adjoint_b else b
        return mat_mul(a, b, transpose_a=adjoint_a, transpose_b=adjoint_b)
    return batch_mat_mul_v2(a, b, adj_x=adjoint_a, adj_y=adjoint_b)


def adjoint(x):
    """The adjoint (conjugate transpose) of matrices."""
    turn = conjugate_transpose if x.dtype.is_complex else transpose
    count = x.shape.rank
    if count is not None:
        return turn(x, [*range(count - 2), count - 1, count - 2])
    count = rank(x)
    first, second = subtract(count, 2), subtract(count, 1)
    return turn(x, concat_v2([range_(0, first, 1), reshape(second, [1]), reshape(first, [1])], 0))
