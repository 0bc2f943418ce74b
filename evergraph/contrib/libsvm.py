"""tf.contrib.libsvm: lines in the format of LIBSVM."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.graph.composite import SparseTensor
from evergraph.graph.node import Tensor
from evergraph.ops.contrib import libsvm as ops


@export("contrib.libsvm.decode_libsvm")
def decode_libsvm(content: Any, num_features: int, dtype: Any = None,
                  label_dtype: Any = None) -> tuple[SparseTensor, Tensor]:
    """Features and labels from lines such as `1 3:0.5 7:2`: a label, then numbers of features with their values.

    Args:
        content: strings of any shape.
        num_features: how many features there are; they are numbered from 0.
        dtype: that of the values, float32 by default.
        label_dtype: that of the labels, int64 by default.

    Returns:
        (the features: a sparse tensor of the shape of `content` with an axis of features at its end, the labels).
    """
    labels, indices, values, shape = ops.decode_libsvm(
        content, num_features=num_features, dtype=dtypes.as_dtype(dtype or dtypes.float32),
        label_dtype=dtypes.as_dtype(label_dtype or dtypes.int64))
    return SparseTensor(indices, values, shape), labels
