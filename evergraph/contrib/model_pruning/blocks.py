"""Blocks of a matrix: their average or largest element, and matrices made of blocks."""
from __future__ import annotations

from typing import Any

from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.nn.pool import pool
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.pad import tile


def factorized_pool(input_tensor: Any, window_shape: Any, pooling_type: str, strides: Any, padding: str,
                    name: str | None = None) -> Tensor:
    """The pooled windows of a matrix.

    Args:
        input_tensor: a matrix.
        window_shape: the height and width of a window.
        pooling_type: "AVG" or "MAX".
        strides: how far apart windows are.
        padding: "SAME" or "VALID".
        name: a name prefix for the operations.

    Raises:
        ValueError: the pooling is another.
    """
    if pooling_type not in ("AVG", "MAX"):
        raise ValueError(f"pooling_type is AVG or MAX, got {pooling_type!r}")
    with name_scope(name, "factorized_pool", [input_tensor]):
        matrix = convert_to_tensor(input_tensor)
        image = array.reshape(matrix, [1, *matrix.shape.as_list(), 1])
        return array.squeeze(pool(image, window_shape, pooling_type, padding, strides=strides), [0, 3])


def expand_tensor(tensor: Any, block_dims: Any) -> Tensor:
    """A matrix in which each element of another is a block of equal elements."""
    tensor = convert_to_tensor(tensor)
    height, width = (int(size) for size in block_dims)
    rows, columns = tensor.shape.as_list()
    tall = tile(array.reshape(tensor, [rows, 1, columns, 1]), [1, height, 1, width])
    return array.reshape(tall, [rows * height, columns * width])


def kronecker_product(mat1: Any, mat2: Any) -> Tensor:
    """The Kronecker product of two matrices: each element of the first, times the second."""
    mat1, mat2 = convert_to_tensor(mat1), convert_to_tensor(mat2)
    (rows1, columns1), (rows2, columns2) = mat1.shape.as_list(), mat2.shape.as_list()
    product = array.reshape(mat1, [rows1, 1, columns1, 1]) * array.reshape(mat2, [1, rows2, 1, columns2])
    return array.reshape(product, [rows1 * rows2, columns1 * columns2])
