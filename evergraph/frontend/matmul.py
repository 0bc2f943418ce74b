"""tf.matmul: products of matrices and of stacks of them."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.graph.overloads import overloadable
from evergraph.ops.arrays.basic import cast
from evergraph.ops.math import matmul as products
from evergraph.ops.math.elementwise import conj_if_complex

SPARSE_TYPES = (dtypes.bfloat16, dtypes.float32)


@export("matmul", "linalg.matmul")
@overloadable
def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False,
           b_is_sparse=False, name=None):
    """The matrix product of `a` and `b` over their last two axes; the axes before them broadcast.

    Args:
        a: a tensor of rank 2 or more.
        b: a tensor of the same dtype, or of the other of bfloat16 and float32; the product of both is float32.
        transpose_a: take `a` transposed.
        transpose_b: take `b` transposed.
        adjoint_a: take `a` conjugated and transposed.
        adjoint_b: take `b` conjugated and transposed.
        a_is_sparse: says that `a` has many zeros, which changes nothing but the op used.
        b_is_sparse: the same of `b`.
        name: a name for the operation.

    Raises:
        ValueError: an argument is to be transposed as well as adjoint.

    >>> tf.Session().run(tf.matmul([[1.0, 2.0]], [[3.0], [4.0]]))
    array([[11.]], dtype=float32)
    """
    if transpose_a and adjoint_a:
        raise ValueError("transpose_a and adjoint_a exclude each other")
    if transpose_b and adjoint_b:
        raise ValueError("transpose_b and adjoint_b exclude each other")
    options = (transpose_a, transpose_b, adjoint_a, adjoint_b, a_is_sparse, b_is_sparse)
    graph = default_graph()
    if graph.is_eager and isinstance(a, Tensor) and isinstance(b, Tensor):  # nothing to convert, and no names
        return _product(a, b, *options, name)
    with graph.name_scope(name or "MatMul") as scope:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, name="b", preferred_dtype=a.dtype.base_dtype)
        return _product(a, b, *options, scope)


def _product(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, a_is_sparse, b_is_sparse, name):
    types = a.dtype.base_dtype, b.dtype.base_dtype
    if (a_is_sparse or b_is_sparse or types[0] is not types[1]) and all(each in SPARSE_TYPES for each in types):
        result = products.sparse_mat_mul(a, b, transpose_a=transpose_a or adjoint_a, a_is_sparse=a_is_sparse,
                                         transpose_b=transpose_b or adjoint_b, b_is_sparse=b_is_sparse, name=name)
        return result if dtypes.float32 in types else cast(result, dtypes.bfloat16)
    if _in_batches(a, b):
        a, adjoint_a = _as_adjoint(a, transpose_a, adjoint_a)
        b, adjoint_b = _as_adjoint(b, transpose_b, adjoint_b)
        return products.batch_mat_mul_v2(a, b, adj_x=adjoint_a, adj_y=adjoint_b, name=name)
    a = conj_if_complex(a) if adjoint_a else a
    b = conj_if_complex(b) if adjoint_b else b
    return products.mat_mul(a, b, transpose_a or adjoint_a, transpose_b or adjoint_b, name=name)


def batch_matmul(x, y, adj_x=None, adj_y=None, name=None):
    """The products of stacks of matrices, as programs before TensorFlow 1.0 ask for them."""
    return matmul(x, y, adjoint_a=bool(adj_x), adjoint_b=bool(adj_y), name=name)


def _in_batches(a, b):
    """Whether either argument may hold more than one matrix."""
    return a._shape is None or b._shape is None or len(a._shape) > 2 or len(b._shape) > 2


def _as_adjoint(x, transpose, adjoint):
    """(x, whether to take its adjoint): a plain transpose is the adjoint of the conjugate."""
    return (conj_if_complex(x), True) if transpose else (x, adjoint)
