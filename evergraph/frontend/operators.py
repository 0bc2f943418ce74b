"""Gives tensors their operators: `x + y`, `x[1:]`, `-x`, ... each named as TensorFlow names it."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.frontend import indexing, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise
from evergraph.ops.sparse.math import sparse_dense_cwise_div, sparse_dense_cwise_mul


def _scope(name, tensor, other):
    """The name scope of an operator's nodes, in the graph of its operands."""
    graph = default_graph()
    return graph.name_scope(name) if tensor.graph is graph else name_scope(None, name, [tensor, other])


# ---- two operands

def _install(symbol, name, function):
    """Installs `x symbol y` and its reflected form; nodes are called `name`."""
    def forward(x, y):
        if isinstance(y, Tensor):
            return function(x, y, name=name)
        with _scope(name, x, y) as scope:
            try:
                y = y if isinstance(y, SparseTensor) else to_tensor(y, name="y", preferred_dtype=x.dtype.base_dtype)
            except TypeError:
                if hasattr(type(y), f"__r{symbol}__"):  # its own operator knows better
                    return NotImplemented
                raise
            return function(x, y, name=scope)

    def reflected(y, x):
        with _scope(name, y, x) as scope:
            return function(to_tensor(x, y.dtype.base_dtype, name="x"), y, name=scope)

    forward.__name__, reflected.__name__ = f"__{symbol}__", f"__r{symbol}__"
    Tensor._override_operator(f"__{symbol}__", forward)
    Tensor._override_operator(f"__r{symbol}__", reflected)


def _multiply(x, y, name):
    if isinstance(y, SparseTensor):
        return _of_sparse(sparse_dense_cwise_mul, y, x, name)
    return elementwise.mul(x, y, name=name)


def _add(x, y, name):
    return (elementwise.add if x.dtype.base_dtype is dtypes.string else elementwise.add_v2)(x, y, name=name)


def _truediv(x, y, name):
    if x.dtype.is_floating and isinstance(y, Tensor):
        return elementwise.real_div(x, y, name=name)
    return math.truediv(x, y, name)


def _logical(on_flags, on_bits):
    """An operator that means one thing for booleans and another for integers."""
    def function(x, y, name):
        if x.dtype.base_dtype is dtypes.bool:
            return on_flags(x, y, name=name)
        with _scope(name, x, y):
            return on_bits(x, y)
    return function


def _xor(x, y, name):
    with _scope(name, x, y) as scope:
        return math.logical_xor(x, y, name=scope)


_install("add", "add", _add)
_install("sub", "sub", elementwise.sub)
_install("mul", "mul", _multiply)
_install("div", "div", math.div)
_install("truediv", "truediv", _truediv)
_install("floordiv", "floordiv", elementwise.floor_div)
_install("mod", "mod", elementwise.floor_mod)
_install("pow", "pow", elementwise.pow_)
_install("matmul", "matmul", matmul)
_install("and", "and", _logical(elementwise.logical_and, elementwise.bitwise_and))
_install("or", "or", _logical(elementwise.logical_or, elementwise.bitwise_or))
_install("xor", "xor", _logical(_xor, elementwise.bitwise_xor))


# ---- comparisons, one operand, indexing

def _invert(x):
    return elementwise.logical_not(x) if x.dtype.base_dtype is dtypes.bool else elementwise.invert(x)


Tensor._override_operator("__lt__", lambda x, y: elementwise.less(x, y))
Tensor._override_operator("__le__", lambda x, y: elementwise.less_equal(x, y))
Tensor._override_operator("__gt__", lambda x, y: elementwise.greater(x, y))
Tensor._override_operator("__ge__", lambda x, y: elementwise.greater_equal(x, y))
Tensor._override_operator("__neg__", lambda x: elementwise.neg(x))
Tensor._override_operator("__abs__", math.abs)
Tensor._override_operator("__invert__", _invert)
Tensor._override_operator("__getitem__", indexing.getitem)


# ---- a sparse tensor and a dense one that broadcasts to its shape

def _of_sparse(function, sparse, dense, name):
    values = function(sparse.indices, sparse.values, sparse.dense_shape, dense, name=name)
    return SparseTensor(sparse.indices, values, sparse.dense_shape)


def _install_sparse(symbol, name, function):
    def forward(sparse, dense):
        with _scope(name, sparse, dense) as scope:
            dense = to_tensor(dense, sparse.dtype.base_dtype, name="y")
            return _of_sparse(function, sparse, dense, scope)
    SparseTensor._override_operator(f"__{symbol}__", forward)


def _sparse_truediv(sparse, dense):
    """Integers are divided as floating point numbers, as `/` of dense tensors does."""
    kind = sparse.dtype.base_dtype
    with _scope("truediv", sparse, dense) as scope:
        dense = to_tensor(dense, kind, name="y")
        if not kind.is_floating and not kind.is_complex:
            wide = math.float_for(kind)
            sparse, dense = math.cast(sparse, wide), math.cast(dense, wide)
        return _of_sparse(sparse_dense_cwise_div, sparse, dense, scope)


_install_sparse("mul", "mul", sparse_dense_cwise_mul)
_install_sparse("div", "div", sparse_dense_cwise_div)
SparseTensor._override_operator("__truediv__", _sparse_truediv)
