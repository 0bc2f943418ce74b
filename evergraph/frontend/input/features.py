"""Feature specs, which describe the features of an Example: dtype, shape, and default."""

from __future__ import annotations

import collections
from dataclasses import dataclass, field
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape


@export("VarLenFeature", "io.VarLenFeature")
class VarLenFeature(collections.namedtuple("VarLenFeature", ["dtype"])):
    """A variable-length feature, parsed to a SparseTensor.

    Attributes:
        dtype: tf.float32, tf.int64 or tf.string.
    """

    __slots__ = ()


@export("SparseFeature", "io.SparseFeature")
class SparseFeature(
    collections.namedtuple("SparseFeature", ["index_key", "value_key", "dtype", "size", "already_sorted"])
):
    """A SparseTensor stored as two or more features of an Example: its indices and its values.

    Attributes:
        index_key: the feature with the indices; for more than one axis, a list with one feature per axis.
        value_key: the feature with the values.
        dtype: the dtype of the values: tf.float32, tf.int64 or tf.string.
        size: the size of the dense tensor; a list of sizes for a list of features.
        already_sorted: whether the indices are sorted, which saves a sort.
    """

    __slots__ = ()

    def __new__(cls, index_key, value_key, dtype, size, already_sorted=False):
        return super().__new__(cls, index_key, value_key, dtype, size, already_sorted)


@export("FixedLenFeature", "io.FixedLenFeature")
class FixedLenFeature(collections.namedtuple("FixedLenFeature", ["shape", "dtype", "default_value"])):
    """A fixed-length feature, parsed to a dense tensor.

    Attributes:
        shape: the shape of an example's values.
        dtype: tf.float32, tf.int64 or tf.string.
        default_value: the value of a missing feature; without a default, a missing feature is an error.
    """

    __slots__ = ()

    def __new__(cls, shape, dtype, default_value=None):
        return super().__new__(cls, shape, dtype, default_value)


@export("FixedLenSequenceFeature", "io.FixedLenSequenceFeature")
class FixedLenSequenceFeature(
    collections.namedtuple("FixedLenSequenceFeature", ["shape", "dtype", "allow_missing", "default_value"])
):
    """A variable-length sequence of rows of one shape, parsed to a dense tensor.

    The tensor has an additional first axis for the rows. Examples of a batch with fewer rows are padded.

    Attributes:
        shape: the shape of a row.
        dtype: tf.float32, tf.int64 or tf.string.
        allow_missing: whether a missing feature has no rows; otherwise it is an error.
        default_value: the padding value; 0 or "" if None.
    """

    __slots__ = ()

    def __new__(cls, shape, dtype, allow_missing=False, default_value=None):
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


@dataclass
class Request:
    """The arguments of a parsing op.

    Attributes:
        sparse: the dtypes of the sparse features.
        dense: the dtypes of the dense features.
        shapes: the shapes of the dense features.
        defaults: the defaults of dense features that have one.
    """

    sparse: dict[str, dtypes.DType] = field(default_factory=dict)
    dense: dict[str, dtypes.DType] = field(default_factory=dict)
    shapes: dict[str, TensorShape] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)

    def add_sparse(self, key, dtype):
        self._check_free(key, self.dense)
        dtype = dtypes.as_dtype(dtype)
        if self.sparse.setdefault(key, dtype) != dtype:
            raise ValueError(f"Conflicting type {self.sparse[key]} vs {dtype} for feature {key}.")

    def add_dense(self, key, feature, shape):
        self._check_free(key, self.sparse)
        self.dense[key], self.shapes[key] = dtypes.as_dtype(feature.dtype), TensorShape(shape)
        if feature.default_value is not None:
            self.defaults[key] = feature.default_value

    @staticmethod
    def _check_free(key, others):
        if key in others:
            raise ValueError(f"{key!r} is among the dense and the sparse keys, which must not intersect")


def requested(features, allowed):
    """The request for a dict of feature specs, sorted by name.

    Raises:
        ValueError: a spec is of a class that is not allowed, or incomplete.
    """
    request = Request()
    for key in sorted(features or {}):
        feature = features[key]
        if not isinstance(feature, allowed):
            raise ValueError(f"Unsupported {type(feature).__name__} {feature} for key {key!r}.")
        if not feature.dtype:
            raise ValueError(f"Missing type for feature {key}. Received feature={feature}.")
        _ADD[type(feature)](request, key, feature)
    return request


def _add_sparse_parts(request, key, feature):
    if not feature.index_key or not feature.value_key:
        raise ValueError(f"Missing {'index' if not feature.index_key else 'value'}_key for SparseFeature {feature}.")
    index_keys = [feature.index_key] if isinstance(feature.index_key, str) else feature.index_key
    for index_key in sorted(index_keys):
        request.add_sparse(index_key, dtypes.int64)
    request.add_sparse(feature.value_key, feature.dtype)


def _add_fixed(request, key, feature):
    if feature.shape is None:
        raise ValueError(f"Missing shape for feature {key}. Received feature={feature}.")
    shape = TensorShape(feature.shape).tuple
    if shape is not None and shape and shape[0] is None:
        raise ValueError(f"First dimension of shape for feature {key} unknown. Consider using "
                         "FixedLenSequenceFeature.")
    if shape is None or None in shape:
        raise ValueError(f"FixedLenFeature {key!r} needs a shape that is fully known, got {feature.shape}.")
    request.add_dense(key, feature, shape)


def _add_rows(request, key, feature):
    if feature.shape is None:
        raise ValueError(f"Missing shape for feature {key}. Received feature={feature}.")
    request.add_dense(key, feature, feature.shape)


_ADD = {
    VarLenFeature: lambda request, key, feature: request.add_sparse(key, feature.dtype),
    SparseFeature: _add_sparse_parts,
    FixedLenFeature: _add_fixed,
    FixedLenSequenceFeature: _add_rows,
}
